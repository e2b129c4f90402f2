"""Known differences: each line contains a pattern for each key of a script, and a reason.

An entry that no longer explains a difference is reported, so that the list stays minimal."""
import fnmatch
import os


class Known:
    def __init__(self, path, words):
        """Reads a list whose lines begin with this number of patterns. Without a path, the list is empty."""
        self.path, self.entries, self.asked, self.needed = path, [], set(), set()
        if not path:
            return
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    patterns = line.split("--")[0].strip().split(None, words - 1 if "--" in line else words)
                    self.entries.append(tuple(patterns[:words]))

    @classmethod
    def beside(cls, name, words):
        """Returns the list of that name in the directory of this script."""
        return cls(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), words)

    def ask(self, *words):
        """Records that these keys are checked: a matching entry must explain a difference, or it is obsolete."""
        self.asked |= self.meeting(words)

    def explains(self, *words):
        """Returns whether an entry explains a difference."""
        found = self.meeting(words)
        self.needed |= found
        return bool(found)

    def meeting(self, words):
        return {entry for entry in self.entries if all(is_met(*pair) for pair in zip(entry, words))}

    def unneeded(self):
        """Returns a line for each entry that was checked and explained no difference."""
        return ["%s: not needed: %s" % (self.path, "  ".join(entry)) for entry in self.entries
            if entry in self.asked and entry not in self.needed]


def is_met(pattern, word):
    """Returns whether a pattern equals the key, or the end of the path."""
    return fnmatch.fnmatch(word, pattern) or fnmatch.fnmatch(word, "*/" + pattern)
