"""Records and readers."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import io
import itertools
import os
import threading
import warnings
from ctypes import byref, c_char_p, c_int32, c_size_t, c_uint64, c_void_p
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterable,
    Iterator,
    Literal,
    Mapping,
    MutableMapping,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
    cast,
    overload,
)

from . import _calls, _library as c
from ._fetching import fetch, is_address
from ._library import ChemopenError, LossWarning, PathLike, Source, RecordError, UnreadableWarning, lib, locked

if TYPE_CHECKING:
    import numpy


#: A value for a field. Numbers and Booleans are stored as text, and each element of a list as a field of its own.
Value = Union[str, int, float, bool]

Other = TypeVar("Other")


def text_of(value: Any) -> str:
    """Returns the text of a field's value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        # A number of NumPy would have another representation.
        return repr(float(value))
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        # A number of NumPy.
        return text_of(value.item())
    raise TypeError(f"a field contains text, a number, a Boolean or a list of them, not {type(value).__name__}")


class Fields(MutableMapping[str, Union[str, list[str]]]):
    """The data fields of a record by name: text, or a list if the record repeats the field.

        record.fields["MASS"] = 180.16
        del record.fields["NOTE"]

    Changes apply to the record.
    """

    __slots__ = ("_age", "_known", "_pairs", "_record")

    def __init__(self, record: Record) -> None:
        self._record = record
        self._age = -1
        self._pairs: list[tuple[str, str]]
        self._known: dict[str, Union[str, list[str]]]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All fields in file order, including repeated ones."""
        self._values()
        return list(self._pairs)

    def _values(self) -> dict[str, Union[str, list[str]]]:
        record = self._record
        with record._lock:
            if self._age == record._age:
                return self._known
            pairs = _calls.fields(record._handle.value)
            values: dict[str, Union[str, list[str]]] = dict(pairs)
            if len(values) != len(pairs):
                values.clear()
            for name, value in pairs if not values else ():
                known = values.get(name)
                if known is None:
                    values[name] = value
                elif isinstance(known, list):
                    known.append(value)
                else:
                    values[name] = [known, value]
            self._pairs, self._known, self._age = pairs, values, self._record._age
            return values

    def __getitem__(self, name: str) -> Union[str, list[str]]:
        if self._age == self._record._age:
            return self._known[name]
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    @overload
    def get(self, name: str, /) -> Union[str, list[str], None]: ...

    @overload
    def get(self, name: str, /, default: Union[str, list[str], Other]) -> Union[str, list[str], Other]: ...

    def get(self, name: str, /, default: Any = None) -> Any:
        """Returns the value of a field, or the default if there is no such field."""
        record = self._record
        if self._age != record._age and isinstance(name, str) and name.isascii():
            # Text that is not ASCII can have another encoding in the file.
            with record._lock:
                value = _calls.values_of(record._handle.value, name)
            return default if value is None else value
        return self._values().get(name, default)

    def __setitem__(self, name: str, value: Union[Value, Sequence[Value]]) -> None:
        if isinstance(value, (list, tuple)):
            texts = [text_of(one) for one in value]
            with self._record._lock:
                self._record.remove_field(name)
                for text in texts:
                    self._record.add_field(name, text)
        else:
            self._record.set_field(name, cast(Value, value))

    def __delitem__(self, name: str) -> None:
        if not self._record.remove_field(name):
            raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self._values()

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._values()))

    def __len__(self) -> int:
        return len(self._values())

    def __repr__(self) -> str:
        return repr(self._values())


class Atom(NamedTuple):
    """An atom: symbol or label, coordinates, charge, isotope, and other properties."""

    symbol: str
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    charge: int = 0
    isotope: int = 0
    radical: int = 0
    #: The number of implicit hydrogens; -1 for a new atom derives it from the valence.
    hydrogens: int = -1
    map_number: int = 0


class Bond(NamedTuple):
    """A bond: the indices of its atoms, its order and its stereo mark."""

    #: Indices in the list of atoms, from 0.
    start: int
    end: int
    #: 0 to 6, or 7 for an aromatic bond. For higher values see chemopen.h.
    order: int = 1
    #: 0 none, 1 up, 2 down, 3 either.
    mark: int = 0


class Component(NamedTuple):
    """A molecule in a reaction."""

    molecule: Record
    #: The name of the component in the reaction; may be empty.
    name: str = ""
    #: The stoichiometric coefficient as written, such as "2" or "1/2"; empty means 1.
    stoichiometry: str = ""


class Step(NamedTuple):
    """An arrow of a reaction with its components."""

    reactants: list[Component]
    agents: list[Component]
    products: list[Component]
    #: The kind of the arrow: "forward", "equilibrium", "retrosynthetic" and so on.
    arrow: str
    #: The lines of text at the arrow.
    conditions: list[str]


class Loss(NamedTuple):
    """A feature of a record that a format cannot represent."""

    #: The record, from 1. In a summary, the first record with this loss; for the text of a single record, 0.
    record: int
    #: The name of the feature: "sgroups".
    feature: str
    #: The keyword in the original format; may be empty.
    detail: str
    times: int


def losses_of(first: Any, count: int) -> list[Loss]:
    """Converts losses from the library."""
    return [
        Loss(loss.record, loss.feature.decode(), loss.detail.decode("utf-8", "replace"), loss.count)
        for loss in first[:count]
    ]


def summary_of(losses: Iterable[Loss]) -> str:
    """Summarizes losses in a line, with each kind once: `left out: sgroups (2), fields (3)`."""
    counts: dict[str, int] = {}
    for loss in losses:
        counts[loss.feature] = counts.get(loss.feature, 0) + loss.times
    return "left out: " + ", ".join(f"{feature} ({count})" for feature, count in counts.items())


#: Features that are not part of the structure and therefore not of a molfile.
_BESIDE = {"fields", "field headers", "repeated fields", "registry numbers", "structures in fields", "empty lines in values"}

Item = TypeVar("Item")


class Parts(Sequence[Item]):
    """The atoms or bonds of a record. Each is created when you access it.

    `numpy.asarray(parts)` returns a view of all of them without a copy: a read-only structured array. The array keeps the
    record alive.
    """

    def __init__(self, record: Record, first: Any, count: int, kind: Any, make: Callable[[Any], Item]) -> None:
        self._record, self._first, self._count, self._kind, self._make = record, first, count, kind, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: Union[int, slice]) -> Union[Item, list[Item]]:
        if isinstance(place, slice):
            return [self._make(self._first[i]) for i in _places(self._count)[place]]
        return self._make(self._first[_places(self._count)[place]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "numpy.ndarray[Any, Any]":
        import numpy

        if self._count == 0:
            view = numpy.empty(0, dtype=self._kind)
        else:
            memory = (self._kind * self._count).from_address(ctypes.addressof(self._first.contents))
            memory.record = self._record
            view = numpy.frombuffer(memory, dtype=self._kind)
        view.flags.writeable = False
        return numpy.array(view, dtype=dtype) if copy or dtype is not None else view

    def __repr__(self) -> str:
        return repr(list(self))


_places = range


class Place(NamedTuple):
    #: Counted from 1.
    """The position of a record in its file: number, line, and byte range."""

    record: int
    line: int
    #: The offset in the decompressed file, and the length in bytes.
    offset: int
    length: int
    #: "V2000", or "".
    version: str


class Drawing:
    """A picture of a record as SVG. Notebooks display it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg


class Record:
    """A molecule, a reaction or neither, with its data fields. It does not change when its reader continues.

        Record("CCO")                                        # a structure in any format
        Record(molblock, title="ethanol", fields={"ID": 5})
    """

    def __init__(
        self, content: Union[str, bytes, bytearray, memoryview, None] = None, format: Optional[str] = None, *,
        title: Optional[str] = None, fields: Optional[Mapping[str, Union[Value, Sequence[Value]]]] = None,
    ) -> None:
        self._handle = c_void_p()
        self._lock = threading.RLock()
        #: Counts the changes to the fields.
        self._age = 0
        lib.chemopen_record_new(byref(self._handle))
        #: The position of the record in its file; None for a new record.
        self.place: Optional[Place] = None
        #: The file that contains the record.
        self.file: Optional[str] = None
        #: Warnings about the record.
        self.issues: list[str] = []
        if content is not None:
            self._parse(content, format)
        if title is not None:
            self.title = title
        for name, value in (fields or {}).items():
            self.fields[name] = value

    def _parse(self, content: Union[str, bytes, bytearray, memoryview], format: Optional[str]) -> None:
        if not isinstance(content, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"expected text or bytes, not {type(content).__name__}")
        raw = content.encode() if isinstance(content, str) else bytes(content)
        self._check(lib.chemopen_record_parse(self._handle, raw, len(raw), c.name_bytes(format, "a format")))
        first, count = self._list(lib.chemopen_record_issues, c.Issue)
        self.issues = [first[i].message.decode("utf-8", "replace") for i in range(count) if first[i].severity > 0]

    def _check(self, status: int) -> None:
        if status != c.OK:
            raise c.error_of("record", self._handle, status)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.chemopen_record_close(byref(self._handle))

    @classmethod
    def parse(cls, content: Union[str, bytes, bytearray, memoryview], format: Optional[str] = None) -> Record:
        """Parses a text that contains a record: `Record.parse("CCO")`.

        If no format is specified, it is detected from the content; a single line of an unknown format is read as SMILES.
        Raises RecordError if the record cannot be read.
        """
        record = cls.__new__(cls)
        Record.__init__(record, content, format)
        return record

    @classmethod
    def from_atoms(
        cls, atoms: Iterable[Union[str, int, Atom, Sequence[Any]]], bonds: Iterable[Union[Bond, Sequence[int]]] = (), *,
        coordinates: Any = None, title: Optional[str] = None,
    ) -> Record:
        """Creates a molecule: `Record.from_atoms(["C", "O"], [(0, 1)])`.

        An atom is a symbol, an atomic number or an `Atom`. A bond contains the indices of its atoms from 0, and optionally its
        order and mark. `coordinates` contains two or three numbers for each atom.
        """
        record = cls.__new__(cls)
        Record.__init__(record)
        made = [_atom_of(atom) for atom in atoms]
        record.set_molecule(made, bonds)
        if coordinates is not None:
            record.coordinates = coordinates
        if title is not None:
            record.title = title
        return record

    @classmethod
    def from_reaction(
        cls, reactants: Iterable[Union[Record, Component, str]], products: Iterable[Union[Record, Component, str]],
        agents: Iterable[Union[Record, Component, str]] = (), *, arrow: str = "forward", conditions: Iterable[str] = (),
        title: Optional[str] = None,
    ) -> Record:
        """Creates a reaction: `Record.from_reaction(["CCO"], ["CC=O"], conditions=["PCC, 20 °C"])`.

        A component is a record, a `Component`, or text in any format.
        """
        record = cls.__new__(cls)
        Record.__init__(record)
        record.add_step(reactants, products, agents, arrow=arrow, conditions=conditions)
        if title is not None:
            record.title = title
        return record

    @classmethod
    def _of(cls, handle: c_void_p) -> Record:
        """Returns the record of a handle, which it closes."""
        record = Record.__new__(Record)
        record._handle = handle
        record._lock = threading.RLock()
        record._age = 0
        return record

    @locked
    def copy(self) -> Record:
        """Returns an independent copy of the record."""
        handle = c_void_p()
        lib.chemopen_record_copy(byref(handle), self._handle)
        other = Record._of(handle)
        other.place, other.file, other.issues = self.place, self.file, list(self.issues)
        return other

    def __copy__(self) -> Record:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Record:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Compares structures, titles and fields."""
        if not isinstance(other, Record):
            return NotImplemented
        equal = c_int32()
        first, second = sorted((self, other), key=id)
        with first._lock, second._lock:
            lib.chemopen_record_equal(self._handle, other._handle, byref(equal))
        return bool(equal.value)

    #: A record can change, so it has no hash.
    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = self.text("jsonl")
        return _restored, (text, self.place, self.file, self.issues)

    @locked
    def _text(self, function: Callable[..., int], *arguments: Any) -> Optional[str]:
        text = c.Text()
        status = function(self._handle, *arguments, byref(text))
        if status == c.ABSENT:
            return None
        if status != c.OK:
            raise c.error_of("record", self._handle, status)
        return c.decode(text.raw())

    @property
    def kind(self) -> str:
        """ "molecule", "reaction" or "data"."""
        kind = ctypes.c_int()
        with self._lock:
            lib.chemopen_record_kind(self._handle, byref(kind))
        return ("data", "molecule", "reaction")[kind.value]

    @property
    @locked
    def title(self) -> Optional[str]:
        """The name of the molecule or reaction; None if the record is neither."""
        return self._text(lib.chemopen_record_title)

    @title.setter
    @locked
    def title(self, title: str) -> None:
        """Sets the title of the molecule or reaction."""
        raw = title.encode()
        status = lib.chemopen_record_set_title(self._handle, raw, len(raw))
        if status != c.OK:
            raise ChemopenError("only molecules and reactions have titles; add a structure first")

    @property
    def fields(self) -> Fields:
        """The data fields."""
        return Fields(self)

    @fields.setter
    def fields(self, values: Mapping[str, Union[Value, Sequence[Value]]]) -> None:
        """Replaces all fields."""
        pairs = [(name, value) for name, value in values.items()]
        fields = Fields(self)
        for name in list(fields):
            self.remove_field(name)
        for name, value in pairs:
            fields[name] = value

    @locked
    def set_field(self, name: str, value: Value) -> None:
        """Sets the first field with a name and removes the others. Adds the field if it does not exist."""
        key, text = name.encode(), text_of(value).encode()
        self._age += 1
        lib.chemopen_record_set_field(self._handle, key, len(key), text, len(text))

    @locked
    def add_field(self, name: str, value: Value) -> None:
        """Appends a field."""
        key, text = name.encode(), text_of(value).encode()
        self._age += 1
        lib.chemopen_record_add_field(self._handle, key, len(key), text, len(text))

    @locked
    def remove_field(self, name: str) -> bool:
        """Removes all fields with a name. Returns False if no such field exists."""
        key = name.encode()
        self._age += 1
        return bool(lib.chemopen_record_remove_field(self._handle, key, len(key)) == c.OK)

    def _list(self, function: Callable[..., int], kind: Any) -> tuple[Any, int]:
        first, count = ctypes.POINTER(kind)(), c_size_t()
        status = function(self._handle, byref(first), byref(count))
        return first, count.value if status == c.OK else 0

    @property
    @locked
    def labels(self) -> list[str]:
        """The labels of atoms that differ from the symbols of their elements."""
        first, count = self._list(lib.chemopen_record_labels, c.Text)
        return [c.decode(first[i].raw()) for i in range(count)]

    @property
    @locked
    def atoms(self) -> Parts[Atom]:
        """The atoms of the molecule."""
        first, count = self._list(lib.chemopen_record_atoms, c.Atom)
        labels: list[str] = []

        def make(atom: Any) -> Atom:
            """Creates an atom from that of the library."""
            if atom.label >= 0 and not labels:
                labels.extend(self.labels)
            symbol = labels[atom.label] if atom.label >= 0 else _symbol(atom.element)
            return Atom(
                symbol, atom.x, atom.y, atom.z, atom.charge, atom.isotope, atom.radical, atom.hydrogens, atom.map_number)

        return Parts(self, first, count, c.Atom, make)

    @property
    @locked
    def bonds(self) -> Parts[Bond]:
        """The bonds of the molecule."""
        first, count = self._list(lib.chemopen_record_bonds, c.Bond)
        return Parts(self, first, count, c.Bond, lambda bond: Bond(bond.from_, bond.to, bond.order, bond.mark))

    def atom_array(self) -> "numpy.ndarray[Any, Any]":
        """Returns a view of the atoms as a structured NumPy array, without a copy: `record.atom_array()["x"]`."""
        return self.atoms.__array__()

    def bond_array(self) -> "numpy.ndarray[Any, Any]":
        """Returns a view of the bonds as a structured NumPy array, with `from_`, `to`, `order` and `mark`."""
        return self.bonds.__array__()

    def set_molecule(
        self, atoms: Iterable[Union[str, int, Atom, Sequence[Any]]], bonds: Iterable[Union[Bond, Sequence[int]]] = ()
    ) -> None:
        """Replaces the structure with a molecule. Title and fields are preserved. See `from_atoms`."""
        labels: list[bytes] = []
        first, count = _atoms_of(atoms, labels)
        second, number = _bonds_of(bonds)
        texts = (c.Text * max(1, len(labels)))(
            *(c.Text(ctypes.cast(ctypes.c_char_p(label), c_void_p), len(label)) for label in labels))
        with self._lock:
            self._check(lib.chemopen_record_set_molecule(
                self._handle, first, count, second, number, texts, len(labels)))

    def set_atoms(self, atoms: Any) -> None:
        """Replaces the properties of all atoms, and preserves bonds and everything else. The number of atoms must not change.

            atoms = numpy.array(record.atom_array())
            atoms["x"] += 1
            record.set_atoms(atoms)

        `atoms` is an array as from `atom_array`, or a list of `Atom`.
        """
        labels = [label.encode() for label in self.labels]
        known = len(labels)
        before = self.atoms
        copied = _copied(atoms, c.Atom)
        listed = [] if copied else [_atom_of(atom) for atom in atoms]
        first, count = copied or _atoms_of(listed, labels)
        if len(labels) > known:
            raise ValueError(f"the molecule has no label {labels[known].decode()!r}; use set_molecule to add labels")
        with self._lock:
            for made, old, atom, is_known in zip(first, before._first[: len(before)] if len(before) else (), listed, before):
                if atom.symbol == is_known.symbol:
                    # A label such as "D" does not determine the element.
                    made.element, made.label = old.element, old.label
            self._check(lib.chemopen_record_set_atoms(self._handle, first, count))

    def set_bonds(self, bonds: Any) -> None:
        """Replaces all bonds, as an array from `bond_array` or a list of `Bond`. The number of bonds must not change."""
        first, count = _bonds_of(bonds)
        with self._lock:
            self._check(lib.chemopen_record_set_bonds(self._handle, first, count))

    @property
    def coordinates(self) -> Any:
        """The coordinates of all atoms: a NumPy array of shape (atoms, 3), or a list if NumPy is not installed.

        Assign an array or a list with two or three numbers for each atom to move the atoms.
        """
        try:
            import numpy
        except ImportError:
            return [(atom.x, atom.y, atom.z) for atom in self.atoms]
        with self._lock:
            raw = _calls.positions(self._handle.value)
        return numpy.frombuffer(raw).reshape(-1, 3) if raw else numpy.empty((0, 3))

    @coordinates.setter
    def coordinates(self, positions: Any) -> None:
        """Set two or three coordinates for each atom."""
        rows = [tuple(float(one) for one in row) for row in positions]
        if any(len(row) not in (2, 3) for row in rows):
            raise ValueError("expected two or three coordinates for each atom")
        with self._lock:
            first, count = self._list(lib.chemopen_record_atoms, c.Atom)
            if len(rows) != count:
                raise ValueError(f"expected coordinates for {count} atoms, found {len(rows)}")
            atoms = (c.Atom * max(1, count))(*first[:count] if count else ())
            for atom, row in zip(atoms, rows):
                atom.x, atom.y, atom.z = row if len(row) == 3 else (*row, 0.0)
            self._check(lib.chemopen_record_set_atoms(self._handle, atoms, count))

    def add_atom(self, atom: Union[str, int, Atom]) -> int:
        """Adds an atom to the molecule, or to a new molecule if there is no structure. Returns its index."""
        labels = [label.encode() for label in self.labels]
        known = len(labels)
        first, _ = _atoms_of([_atom_of(atom)], labels)
        if len(labels) > known:
            raise ValueError(f"the molecule has no label {labels[known].decode()!r}; use set_molecule to add labels")
        with self._lock:
            self._check(lib.chemopen_record_add_atom(self._handle, first))
            return len(self.atoms) - 1

    def add_bond(self, start: int, end: int, order: int = 1, mark: int = 0) -> int:
        """Adds a bond between two atoms. Returns its index."""
        first, _ = _bonds_of([Bond(start, end, order, mark)])
        with self._lock:
            self._check(lib.chemopen_record_add_bond(self._handle, first))
            return len(self.bonds) - 1

    @locked
    def remove_atoms(self, indices: Iterable[int]) -> None:
        """Removes atoms with their bonds. The other atoms are renumbered."""
        places = list(indices)
        self._check(lib.chemopen_record_remove_atoms(self._handle, (c_int32 * max(1, len(places)))(*places), len(places)))

    @locked
    def remove_bonds(self, indices: Iterable[int]) -> None:
        """Removes bonds, but not their atoms. The other bonds are renumbered."""
        places = list(indices)
        self._check(lib.chemopen_record_remove_bonds(self._handle, (c_int32 * max(1, len(places)))(*places), len(places)))

    @locked
    def remove_structure(self) -> None:
        """Removes the molecule or reaction with its title. Fields are preserved."""
        lib.chemopen_record_remove_structure(self._handle)

    @property
    @locked
    def steps(self) -> list[Step]:
        """The steps of a reaction; empty if the record is not a reaction."""
        count = c_size_t()
        lib.chemopen_record_steps(self._handle, byref(count))
        return [self._step(index) for index in range(count.value)]

    def _step(self, index: int) -> Step:
        step = c.Step(ctypes.sizeof(c.Step))
        self._check(lib.chemopen_record_step(self._handle, index, byref(step)))
        conditions = [c.decode(step.conditions[i].raw()) for i in range(step.condition_count)]
        arrow, counts = step.arrow.decode(), (step.reactants, step.agents, step.products)
        parts = [[self._component(index, role, i) for i in range(count)] for role, count in enumerate(counts, 1)]
        return Step(parts[0], parts[1], parts[2], arrow, conditions)

    def _component(self, step: int, role: int, index: int) -> Component:
        molecule, component = Record(), c.Component(ctypes.sizeof(c.Component))
        self._check(lib.chemopen_record_component(self._handle, step, role, index, molecule._handle, byref(component)))
        return Component(molecule, c.decode(component.name.raw()), c.decode(component.stoichiometry.raw()))

    @property
    def reactants(self) -> list[Record]:
        """The reactants of the first step of a reaction."""
        return [component.molecule for step in self.steps[:1] for component in step.reactants]

    @property
    def agents(self) -> list[Record]:
        """The agents of all steps of a reaction."""
        return [component.molecule for step in self.steps for component in step.agents]

    @property
    def products(self) -> list[Record]:
        """The products of the last step of a reaction."""
        return [component.molecule for step in self.steps[-1:] for component in step.products]

    def add_step(
        self, reactants: Iterable[Union[Record, Component, str]], products: Iterable[Union[Record, Component, str]],
        agents: Iterable[Union[Record, Component, str]] = (), *, arrow: str = "forward", conditions: Iterable[str] = (),
    ) -> None:
        """Adds a step to the reaction. If the record is not a reaction, its structure is replaced with one."""
        parts = [[_component_of(one) for one in group] for group in (reactants, agents, products)]
        lines = [line.encode() for line in conditions]
        texts = (c.Text * max(1, len(lines)))(
            *(c.Text(ctypes.cast(ctypes.c_char_p(line), c_void_p), len(line)) for line in lines))
        with self._lock:
            self._check(lib.chemopen_record_add_step(
                self._handle, c.name_bytes(arrow, "an arrow"), texts, len(lines)))
            for role, group in enumerate(parts, 1):
                for component in group:
                    self._add(role, component)

    def _add(self, role: int, component: Component) -> None:
        name, number = component.name.encode(), component.stoichiometry.encode()
        told = c.Component(
            ctypes.sizeof(c.Component), c.Text(ctypes.cast(ctypes.c_char_p(name), c_void_p), len(name)),
            c.Text(ctypes.cast(ctypes.c_char_p(number), c_void_p), len(number)))
        with component.molecule._lock:
            status = lib.chemopen_record_add_component(self._handle, role, component.molecule._handle, byref(told))
        if status == c.ABSENT or component.molecule is self:
            raise ChemopenError("a component of a reaction must be a molecule")
        self._check(status)

    def value(self, name: str) -> Union[str, int, float, list[str], list[int], list[float], None]:
        """Computes a value of the structure: "mass", "inchikey", "canonical_smiles", "elements.Cl" and so on.

        `chemopen.facts()` lists all values. Returns None if the record does not have the value, and a list if a reaction has
        several components.
        """
        text = self._value(name)
        if text is None:
            return None
        kind = _kinds().get(name, "integer" if name.startswith("elements.") else "string")
        if kind == "string":
            return text if self.kind != "reaction" or name in _NOTATIONS else text.split("\n")
        numbers = [float(one) if kind == "real" else int(one) for one in text.split("\n")]
        return numbers[0] if len(numbers) == 1 else cast("Union[list[int], list[float]]", numbers)

    @locked
    def _value(self, name: str) -> Optional[str]:
        text = self._text(lib.chemopen_record_value, c.name_bytes(name, "a value"))
        first, count = self._list(lib.chemopen_record_losses, c.Loss) if text is not None else (None, 0)
        if count:
            warnings.warn(summary_of(losses_of(first, count)), LossWarning, stacklevel=4)
        return text

    @property
    def smiles(self) -> Optional[str]:
        """The SMILES, with atoms in the order of the record. None if there is no structure."""
        return self._value("smiles")

    @property
    def canonical_smiles(self) -> Optional[str]:
        """The canonical SMILES, which is the same for equal structures. None if there is no structure."""
        return self._value("canonical_smiles")

    @property
    def inchi(self) -> Union[str, list[str], None]:
        """The standard InChI. It requires the program chemopen-inchi."""
        return cast("Union[str, list[str], None]", self.value("inchi"))

    @property
    def inchikey(self) -> Union[str, list[str], None]:
        """The standard InChIKey. It requires the program chemopen-inchi."""
        return cast("Union[str, list[str], None]", self.value("inchikey"))

    @property
    def mass(self) -> Union[float, list[float], None]:
        """The average mass in daltons."""
        return cast("Union[float, list[float], None]", self.value("mass"))

    @property
    def facts(self) -> dict[str, Any]:
        """All values that can be computed for the record, except structures, pictures and InChIs."""
        found = {name: self.value(name) for name in _kinds() if name not in _NOTATIONS and not name.startswith("inchi")}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def formula(self) -> Optional[str]:
        """The formula of a molecule in Hill order, including implicit hydrogens."""
        return self._text(lib.chemopen_record_formula)

    @locked
    def _text_and_losses(self, format: str, version: int) -> tuple[str, list[Loss]]:
        text = self._text(lib.chemopen_record_text, c.name_bytes(format, "a format"), version) or ""
        first, count = self._list(lib.chemopen_record_losses, c.Loss)
        return text, losses_of(first, count) if count else []

    def text(self, format: str, version: int = 0) -> str:
        """Returns the record as text in a format such as "mol" or "sdf".

        `version` is 2000, 3000, or 0 to use the version that the content requires. If the format cannot represent the
        complete record, raises a single `LossWarning`; use `losses` for a list.
        """
        text, lost = self._text_and_losses(format, version)
        if lost:
            warnings.warn(summary_of(lost), LossWarning, stacklevel=2)
        return text

    def losses(self, format: str, version: int = 0) -> list[Loss]:
        """Returns the losses of the record as text in a format."""
        return self._text_and_losses(format, version)[1]

    @property
    def molblock(self) -> str:
        """The molecule as a molfile, without fields. Raises a `LossWarning` if it cannot represent the complete structure."""
        text, lost = self._text_and_losses("mol", 0)
        lost = [loss for loss in lost if loss.feature not in _BESIDE]
        if lost:
            warnings.warn(summary_of(lost), LossWarning, stacklevel=2)
        return text

    def depict(
        self, width: float = 0, height: float = 0, *, colors: bool = True, dark: bool = False, expand: bool = False
    ) -> Optional[Drawing]:
        """Draws the record. Returns None if it has no structure."""
        options = c.DrawOptions(ctypes.sizeof(c.DrawOptions), width, height, colors, dark, expand)
        svg = self._text(lib.chemopen_record_svg, byref(options))
        return None if svg is None else Drawing(svg)

    def _repr_svg_(self) -> Optional[str]:
        drawing = self.depict()
        return None if drawing is None else drawing.svg

    def _repr_html_(self) -> str:
        import html

        fields = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value[:200])}</td></tr>" for name, value in self.fields.pairs[:50])
        drawing = self.depict()
        title = html.escape(self.title or "")
        return f"<div>{drawing.svg if drawing else ''}<p>{title}</p><table>{fields}</table></div>"

    def __repr__(self) -> str:
        where = f" {self.place.record}" if self.place else ""
        return f"<chemopen.Record{where} {self.kind} {self.title!r}>"


def _restored(text: str, place: Optional[Place], file: Optional[str], issues: list[str]) -> Record:
    """Restores a pickled record."""
    record = Record(text, "jsonl")
    record.place, record.file, record.issues = place, file, issues
    return record


class Molecule(Record):
    """A molecule from atoms and bonds: `Molecule(["C", "O"], [(0, 1)])`. See `Record.from_atoms`."""

    def __init__(
        self, atoms: Iterable[Union[str, int, Atom, Sequence[Any]]] = (), bonds: Iterable[Union[Bond, Sequence[int]]] = (), *,
        coordinates: Any = None, title: Optional[str] = None,
        fields: Optional[Mapping[str, Union[Value, Sequence[Value]]]] = None,
    ) -> None:
        super().__init__()
        self.set_molecule([_atom_of(atom) for atom in atoms], bonds)
        if coordinates is not None:
            self.coordinates = coordinates
        if title is not None:
            self.title = title
        for name, value in (fields or {}).items():
            self.fields[name] = value


class Reaction(Record):
    """A reaction from its components: `Reaction(["CCO"], ["CC=O"])`. See `Record.from_reaction`."""

    def __init__(
        self, reactants: Iterable[Union[Record, Component, str]] = (), products: Iterable[Union[Record, Component, str]] = (),
        agents: Iterable[Union[Record, Component, str]] = (), *, arrow: str = "forward", conditions: Iterable[str] = (),
        title: Optional[str] = None, fields: Optional[Mapping[str, Union[Value, Sequence[Value]]]] = None,
    ) -> None:
        super().__init__()
        self.add_step(reactants, products, agents, arrow=arrow, conditions=conditions)
        if title is not None:
            self.title = title
        for name, value in (fields or {}).items():
            self.fields[name] = value


class Fact(NamedTuple):
    """A value that can be computed from a structure."""

    name: str
    #: "string", "integer" or "real".
    type: str
    meaning: str


@functools.lru_cache(maxsize=None)
def _facts() -> tuple[Fact, ...]:
    first, count = ctypes.POINTER(c.Fact)(), c_size_t()
    lib.chemopen_facts(byref(first), byref(count))
    return tuple(
        Fact(first[i].name.decode(), first[i].type.decode(), first[i].meaning.decode()) for i in range(count.value))


def facts() -> list[Fact]:
    """Returns all values that `Record.value` and `scan(compute=…)` can compute."""
    return list(_facts())


@functools.lru_cache(maxsize=None)
def _kinds() -> dict[str, str]:
    return {fact.name: fact.type for fact in _facts()}


#: Values that describe the complete structure, not each component of a reaction.
_NOTATIONS = ("molblock", "rxnblock", "smiles", "canonical_smiles", "svg", "title", "kind", "version")


@functools.lru_cache(maxsize=None)
def _numbers() -> dict[str, int]:
    return {_symbol(number): number for number in range(1, 119)}


def _atom_of(atom: Union[str, int, Atom, Sequence[Any]]) -> Atom:
    if isinstance(atom, str):
        return Atom(atom)
    if isinstance(atom, int):
        return Atom(_symbol(atom))
    return Atom(*atom)


def _component_of(component: Union[Record, Component, str]) -> Component:
    if isinstance(component, str):
        return Component(Record(component))
    if isinstance(component, Record):
        return Component(component)
    if isinstance(component, Component) and isinstance(component.molecule, Record):
        return component
    raise TypeError(f"a component is a record, a Component or text, not {type(component).__name__}")


def _copied(values: Any, kind: Any) -> Optional[tuple[Any, int]]:
    """Returns a copy of a structured array, or None for another kind of sequence."""
    if not hasattr(values, "__array_interface__"):
        return None
    if tuple(values.dtype.names or ()) != tuple(name for name, _ in kind._fields_) or values.dtype.itemsize != ctypes.sizeof(kind):
        raise ValueError("the array must have the fields of atom_array or bond_array")
    raw = values.tobytes()
    count = len(raw) // ctypes.sizeof(kind)
    return (kind * max(1, count)).from_buffer_copy(raw.ljust(ctypes.sizeof(kind), b"\0")), count


def _atoms_of(atoms: Any, labels: list[bytes]) -> tuple[Any, int]:
    """Converts atoms for the library. Adds missing labels to the list."""
    copied = _copied(atoms, c.Atom)
    if copied is not None:
        return copied
    made = []
    for atom in (_atom_of(one) for one in atoms):
        number, label = _numbers().get(atom.symbol, 0), -1
        if number == 0:
            text = atom.symbol.encode()
            if text not in labels:
                labels.append(text)
            label = labels.index(text)
        made.append(c.Atom(
            atom.x, atom.y, atom.z, number, label, atom.charge, atom.isotope, atom.radical, atom.hydrogens, atom.map_number, 0))
    return (c.Atom * max(1, len(made)))(*made), len(made)


def _bonds_of(bonds: Any) -> tuple[Any, int]:
    """Converts bonds for the library."""
    copied = _copied(bonds, c.Bond)
    if copied is not None:
        return copied
    made = [c.Bond(*Bond(*bond)) for bond in bonds]
    return (c.Bond * max(1, len(made)))(*made), len(made)


@functools.lru_cache(maxsize=None)
def _symbol(number: int) -> str:
    symbol = c_char_p()
    return (symbol.value or b"").decode() if lib.chemopen_element_symbol(number, byref(symbol)) == c.OK else "*"


class Reader(Iterator[Record]):
    """The records of a file. An unreadable record raises RecordError; the next call continues after it."""

    def __init__(
        self, source: Union[Source, int], *, format: Optional[str] = None, range: Optional[tuple[int, int]] = None,
        structures: bool = True, errors: Literal["raise", "skip"] = "raise",
        encoding: Optional[str] = None,
    ) -> None:
        self._lock = threading.RLock()
        self._skips = c.choice_of(errors, ("raise", "skip"), "errors") == 1
        self._handle = c_void_p()
        if is_address(source):
            source = fetch(cast(str, source))
        options = c.ReadOptions(
            ctypes.sizeof(c.ReadOptions), c.text_bytes(format), 0 if structures else 1, 0, c.text_bytes(encoding))
        self._callback: Any = None
        self._failures: list[BaseException] = []
        if isinstance(source, c.Content):
            raw = bytes(source)
            if range is not None:
                raise ValueError("bytes in memory cannot have a range")
            status = lib.chemopen_reader_open_memory(byref(self._handle), raw, len(raw), b"memory", byref(options))
        elif hasattr(source, "read"):
            status = self._open_stream(source, options)
        elif isinstance(source, int) and not isinstance(source, bool):
            status = lib.chemopen_reader_open_fd(byref(self._handle), source, None, byref(options))
        elif range is not None:
            path = c.path_bytes(cast(PathLike, source))
            status = lib.chemopen_reader_open_range(byref(self._handle), path, range[0], range[1], byref(options))
        else:
            status = lib.chemopen_reader_open(byref(self._handle), c.path_bytes(cast(PathLike, source)), byref(options))
        if status != c.OK:
            error = self._error(status)
            self.close()
            raise error
        first = ctypes.POINTER(c.Format)()
        lib.chemopen_reader_format(self._handle, byref(first))
        #: The ID of the format: "sdf".
        self.format = first.contents.id.decode()
        name = getattr(source, "name", None) if not isinstance(source, (str, os.PathLike)) else source
        self._file = None if name is None else str(name)

    @classmethod
    def of_memory(
        cls, content: Union[str, bytes, bytearray, memoryview], *, format: Optional[str] = None,
        errors: Literal["raise", "skip"] = "raise",
    ) -> Reader:
        """Opens text or bytes in memory. Text is encoded as UTF-8."""
        if not isinstance(content, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"expected text or bytes, not {type(content).__name__}")
        raw = content.encode() if isinstance(content, str) else bytes(content)
        return cls(io.BytesIO(raw), format=format, errors=errors)

    def _open_stream(self, source: Any, options: c.ReadOptions) -> int:
        # The function must not refer to the reader, because a reference cycle would delay closing the reader.
        failures = self._failures

        def bring(_: Any, place: int, room: int) -> int:
            """Reads bytes from the Python stream for the library."""
            try:
                taken, count = _bytes_of(source.read(room), room)
                ctypes.memmove(place, taken, count)
                return count
            except BaseException as failure:
                failures.append(failure)
                return -1

        self._callback = c.ReadFunction(bring)
        name = str(getattr(source, "name", "stream")).encode()
        return int(lib.chemopen_reader_open_function(byref(self._handle), self._callback, None, name, byref(options)))

    def _error(self, status: int) -> BaseException:
        """Returns the error of a call, or the original exception if the file object raised one."""
        if self._failures:
            return self._failures.pop()
        return c.error_of("reader", self._handle, status)

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> Record:
        with self._lock:
            found = _calls.next_record(self._handle.value)
            while isinstance(found, int):
                if found == c.END or not self._handle:
                    raise StopIteration
                error = self._error(found)
                if found != c.BROKEN or not self._skips:
                    raise error
                warnings.warn(str(error), UnreadableWarning, stacklevel=2)
                found = _calls.next_record(self._handle.value)
        handle, place, issues = found
        record = Record._of(c_void_p(handle))
        record.place, record.file, record.issues = Place(*place), self._file, issues
        return record

    def __aiter__(self) -> Reader:
        return self

    async def __anext__(self) -> Record:
        """Reads the next record in another thread, so that other tasks continue meanwhile."""
        import asyncio

        record = await asyncio.get_running_loop().run_in_executor(None, next, self, None)
        if record is None:
            raise StopAsyncIteration
        return record

    @property
    @locked
    def columns(self) -> dict[str, str]:
        """The columns of the file with their types. Without a header, the columns found so far."""
        first, count = ctypes.POINTER(c.Column)(), c_size_t()
        lib.chemopen_reader_columns(self._handle, byref(first), byref(count))
        return {c.decode(first[i].name.raw()): c.decode(first[i].type.raw()) for i in _places(count.value)}

    @property
    @locked
    def progress(self) -> tuple[int, int]:
        """The number of bytes read, and the size of the file; the size is 0 if it is unknown."""
        done, size = c_uint64(), c_uint64()
        lib.chemopen_reader_progress(self._handle, byref(done), byref(size))
        return done.value, size.value

    @property
    @locked
    def place(self) -> Optional[Place]:
        """The position of the last record, whether or not it could be read."""
        place = c.Place(ctypes.sizeof(c.Place))
        if lib.chemopen_reader_place(self._handle, byref(place)) != c.OK:
            return None
        return Place(place.record, place.line, place.offset, place.length, (place.version or b"").decode())

    @property
    @locked
    def issues(self) -> list[str]:
        """Warnings about the last record, whether or not it could be read."""
        return _calls.issues(self._handle.value)

    @property
    @locked
    def record_bytes(self) -> bytes:
        """The unchanged bytes of the last record, whether or not it could be read."""
        text = c.Text()
        lib.chemopen_reader_bytes(self._handle, byref(text))
        return text.raw()

    @locked
    def close(self) -> None:
        """Closes the file."""
        if self._handle:
            lib.chemopen_reader_close(byref(self._handle))

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()


def _bytes_of(taken: Any, room: int) -> tuple[bytes, int]:
    """Returns the data from a file object and its length, after checking its type and size."""
    if isinstance(taken, str):
        raise TypeError("the file object returns text; open the file in binary mode, as in open(path, \"rb\")")
    if taken is None:
        raise BlockingIOError("the file object has no data yet; use a blocking file object")
    if not isinstance(taken, (bytes, bytearray, memoryview)):
        raise TypeError(f"the file object returns {type(taken).__name__} instead of bytes")
    raw = bytes(taken)
    # A subclass of bytes can override `__len__`.
    count = bytes.__len__(raw)
    if count > room:
        raise ValueError(f"the file object returns {count} bytes, but at most {room} were requested")
    return raw, count


def parse(content: Union[str, bytes, bytearray, memoryview], format: Optional[str] = None) -> Record:
    """Parses a text that contains a record: `parse("CCO")`."""
    return Record.parse(content, format)


def read(
    source: Union[Source, int], *, format: Optional[str] = None, range: Optional[tuple[int, int]] = None,
    errors: Literal["raise", "skip"] = "raise",
    encoding: Optional[str] = None,
) -> Reader:
    """Opens a file by its path or its https address, its content as bytes, an open binary file, or a descriptor. The format
    is detected from the content.

        for record in chemopen.read("a.sdf.gz"):
            print(record.title, record.fields["ID"])

    An unreadable record raises `RecordError`; call `next` to continue after it. With errors="skip", it raises an
    `UnreadableWarning`, and the loop continues. `encoding` is the text encoding as iconv names it, such as "shift_jis". If a
    file declares its own encoding, that is used instead.
    """
    return Reader(source, format=format, range=range, errors=errors, encoding=encoding)


def rdkit_mols(
    path: PathLike, *, sanitize: bool = True, remove_hydrogens: bool = True
) -> Iterator[tuple[Optional[Record], Any, Optional[str]]]:
    """Yields a tuple for each record of a file, in the order of `scan`: the record, RDKit's molecule, and a reason.

    The record is None if it cannot be read. The molecule is None if the record contains none or RDKit rejects it; the
    reason then explains this. Otherwise the reason is None.

    RDKit reads the molfile in the file, or if it cannot, the one that Chemopen writes.
    """
    from rdkit import Chem, rdBase

    def molecule_of(block: str) -> tuple[Any, Optional[str]]:
        """Returns RDKit's molecule, or None and a reason."""
        known = len(log.messages) if log is not None else 0
        try:
            molecule = Chem.MolFromMolBlock(block, sanitize=sanitize, removeHs=remove_hydrogens)
        except Exception as error:
            return None, f"RDKit rejects it: {error}"
        if molecule is not None:
            return molecule, None
        # RDKit begins each line with the time.
        lines = log.messages[known:].strip().splitlines() if log is not None else []
        return None, f"RDKit rejects it: {lines[-1].rpartition('] ')[2]}" if lines else "RDKit cannot read the molfile"

    reader = Reader(path)
    while batch := list(itertools.islice(_with_molfiles(reader), 64)):
        results: list[tuple[Optional[Record], Any, Optional[str]]] = []
        # Blocking RDKit's messages takes time, so a batch of records shares it.
        with rdBase.BlockLogs(), getattr(rdBase, "CaptureErrorLog", contextlib.nullcontext)() as log:
            for record, block, reason in batch:
                molecule = None
                if block is not None:
                    molecule, reason = molecule_of(block)
                if molecule is None and record is not None and not any(part in (reason or "") for part in _FINAL):
                    try:
                        molecule, reason = molecule_of(record.molblock)
                    except ChemopenError as error:
                        reason = str(error)
                results.append((record, molecule, reason))
        yield from results


#: Parts of reasons that do not depend on the form of a molfile.
_FINAL = ("valence", "kekulize", "the record is a", "no structure")


def _with_molfiles(reader: Reader) -> Iterator[tuple[Optional[Record], Optional[str], Optional[str]]]:
    """Yields each record with the molfile in its file, or a reason."""
    has_molfiles = reader.format in ("sdf", "mol")
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except RecordError as error:
            yield None, None, str(error)
            continue
        kind = record.kind
        if kind != "molecule":
            yield record, None, f"the record is a {kind}" if kind != "data" else "no structure"
        elif not has_molfiles or record.issues:
            yield record, None, None
        else:
            yield record, _calls.molfile(reader._handle.value), None
