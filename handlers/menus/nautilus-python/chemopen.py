"""Chemopen in the menus of Nautilus, for chemical files."""

import subprocess

from gi.repository import GObject, Nautilus

TYPES = {
    "chemical/x-cdx",
    "chemical/x-cdx-compressed",
    "chemical/x-cdxml",
    "chemical/x-cdxml-compressed",
    "chemical/x-datasheet",
    "chemical/x-datasheet-compressed",
    "chemical/x-sketchel",
    "chemical/x-chemopen-jsonl",
    "chemical/x-mdl-molfile",
    "chemical/x-mdl-molfile-compressed",
    "chemical/x-mdl-rdfile",
    "chemical/x-mdl-rxnfile",
    "chemical/x-mdl-rxnfile-compressed",
    "chemical/x-mdl-sdfile",
    "chemical/x-mdl-sdfile-compressed",
}
ACTIONS = [
    ("edit", "Edit in…", ["--edit-in", "ask"]),
    ("convert", "Convert to…", ["--save-as", "ask"]),
    ("copy", "Copy as…", ["--copy-as", "ask"]),
    ("sheet", "Thumbnail sheet", ["--sheet"]),
]


class ChemopenMenu(GObject.GObject, Nautilus.MenuProvider):
    def get_file_items(self, *arguments):
        files = arguments[-1]
        if not files or any(file.get_mime_type() not in TYPES for file in files):
            return []
        items = []
        for name, label, words in ACTIONS:
            item = Nautilus.MenuItem(name="Chemopen::" + name, label=label)
            item.connect("activate", self.start, words, [file.get_uri() for file in files])
            items.append(item)
        return items

    def start(self, item, words, files):
        subprocess.Popen(["chemopen", "open", "--clicked", *words, "--", *files])
