"""Differences whose cause is known: a line is a pattern for each word that a script asks by, and a reason.

An entry that explains nothing any more is told, so that a list holds nothing but what is needed."""
import fnmatch
import os


class Known:
    def __init__(self, path, words):
        """Reads a list whose lines begin with so many patterns. Without a path it is empty."""
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
        """The list of that name beside this script."""
        return cls(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), words)

    def ask(self, *words):
        """Says that this is looked at: an entry that meets it explains a difference, or is not needed."""
        self.asked |= self.meeting(words)

    def explains(self, *words):
        """Whether an entry explains a difference."""
        found = self.meeting(words)
        self.needed |= found
        return bool(found)

    def meeting(self, words):
        return {entry for entry in self.entries if all(is_met(*pair) for pair in zip(entry, words))}

    def unneeded(self):
        """A line for each entry that was asked and explained nothing."""
        return ["%s: not needed: %s" % (self.path, "  ".join(entry)) for entry in self.entries
            if entry in self.asked and entry not in self.needed]


def is_met(pattern, word):
    """Whether a pattern is the word, or the end of the path."""
    return fnmatch.fnmatch(word, pattern) or fnmatch.fnmatch(word, "*/" + pattern)
