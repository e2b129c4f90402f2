"""References between source files, from the index that a debug build writes to .build/debug/index/store.

File A refers to file B if A names a declaration (type, function, property, case) that B defines. The compiler's own
library, libIndexStore, reads the index. LIBINDEXSTORE overrides its path."""

import collections
import ctypes
import os
import pathlib
import shutil

DEFINITION, REFERENCE = 1 << 1, 1 << 2  # roles of an occurrence
RECORD = 2  # kind of a unit's dependency
UNNAMED = {1, 9, 25}  # kinds of symbols that other files cannot use: modules, extensions, parameters

Handle = ctypes.c_void_p
Visitor = ctypes.CFUNCTYPE(ctypes.c_bool, Handle, Handle)


class Text(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.start, self.size).decode("utf-8", "replace") if self.start else ""


TextVisitor = ctypes.CFUNCTYPE(ctypes.c_bool, Handle, Text)


class IndexStore:
    """An index store on disk."""

    RESULTS = {
        "store_create": Handle, "unit_reader_create": Handle, "record_reader_create": Handle,
        "unit_dependency_get_name": Text, "unit_dependency_get_filepath": Text, "symbol_get_usr": Text, "symbol_get_name": Text,
        "occurrence_get_symbol": Handle, "occurrence_get_roles": ctypes.c_uint64,
    }

    def __init__(self, directory):
        path = os.environ.get("LIBINDEXSTORE")
        if not path:
            toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
            path = toolchain / "lib/libIndexStore.so"
        self.library = ctypes.CDLL(str(path))
        self.store = Handle(self.call("store_create", os.fsencode(directory), None))

    def call(self, name, *arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype = self.RESULTS.get(name, ctypes.c_int)
        return function(*arguments)

    def visit(self, name, *arguments, visitor=Visitor):
        """Returns everything that an `apply` function of the library visits, converted by the last argument."""
        *arguments, convert = arguments
        found = []

        def add(_, item):
            found.append(convert(item if isinstance(item, Text) else Handle(item)))
            return True

        self.call(name, *arguments, None, visitor(add))
        return found

    def records(self, sources):
        """Returns the name of the record of each source file below a directory, by relative path."""
        records = {}
        for unit in self.visit("store_units_apply_f", self.store, 0, str, visitor=TextVisitor):
            reader = Handle(self.call("unit_reader_create", self.store, unit.encode(), None))
            if not reader:
                continue
            for kind, path, name in self.visit("unit_reader_dependencies_apply_f", reader, self.dependency):
                if kind == RECORD and path.endswith(".swift") and path.startswith(f"{sources}/"):
                    records[path[len(str(sources)) + 1:]] = name
            self.call("unit_reader_dispose", reader)
        return records

    def dependency(self, item):
        return (self.call("unit_dependency_get_kind", item), str(self.call("unit_dependency_get_filepath", item)),
                str(self.call("unit_dependency_get_name", item)))

    def occurrences(self, record):
        """Returns (identifier, name, roles, kind) of each occurrence of a symbol in a record."""
        reader = Handle(self.call("record_reader_create", self.store, record.encode(), None))
        if not reader:
            return []
        found = self.visit("record_reader_occurrences_apply_f", reader, self.occurrence)
        self.call("record_reader_dispose", reader)
        return found

    def occurrence(self, item):
        symbol = Handle(self.call("occurrence_get_symbol", item))
        return (str(self.call("symbol_get_usr", symbol)), str(self.call("symbol_get_name", symbol)),
                self.call("occurrence_get_roles", item), self.call("symbol_get_kind", symbol))


def references(store, sources):
    """Returns the files below a directory, and for each file the files it refers to with the names it uses."""
    index = IndexStore(store)
    owners, names, used = {}, {}, collections.defaultdict(set)
    records = index.records(sources)
    for file, record in records.items():
        for identifier, name, roles, kind in index.occurrences(record):
            if kind in UNNAMED:
                continue
            if roles & DEFINITION:
                owners.setdefault(identifier, file)
                names[identifier] = name
            elif roles & REFERENCE:
                used[file].add(identifier)
    arrows = {file: collections.defaultdict(set) for file in records}
    for file, identifiers in used.items():
        for identifier in identifiers:
            owner = owners.get(identifier, file)
            if owner != file:
                arrows[file][owner].add(names[identifier])
    return set(records), arrows


def circles(files, arrows):
    """Returns the sets of two or more files that all refer to one another, directly or through others."""
    order, seen = [], set()
    for start in sorted(files):
        stack = [(start, iter(sorted(arrows[start])))] if start not in seen else []
        seen.add(start)
        while stack:
            file, others = stack[-1]
            following = next((other for other in others if other in files and other not in seen), None)
            if following is None:
                order.append(file)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(sorted(arrows[following]))))
    reverse = collections.defaultdict(set)
    for file in files:
        for other in arrows[file]:
            reverse[other].add(file)
    found, placed = [], set()
    for start in reversed(order):
        group, todo = set(), [start]
        while todo:
            file = todo.pop()
            if file not in placed:
                placed.add(file)
                group.add(file)
                todo += [other for other in reverse[file] if other in files]
        if len(group) > 1:
            found.append(group)
    return found
