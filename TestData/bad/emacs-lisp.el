;;; samples.el --- count samples  -*- lexical-binding: t; -*-

(defun samples-count (list)
  "Return how many samples LIST holds."
  (let ((n 0))
    (dolist (one list n)
      (when one (setq n (1+ n))))))

(provide 'samples)
;;; samples.el ends here
