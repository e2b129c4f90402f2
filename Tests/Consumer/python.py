"""Uses the wheel from outside, with only Python's standard library: python.py TESTDATA.

Prints the number of functions that have passed; the first failure stops it with an assertion.
"""

import ctypes
import errno
import io
import os
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import chemopen

data = Path(sys.argv[1])
folder = Path(tempfile.mkdtemp())
TWO = (
    b"water\n  made\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 O   0  0\nM  END\n"
    b">  <ID>\n1\n\n>  <NOTE>\n5 \xb5m\n\n>  <NOTE>\nsecond\n\n$$$$\n"
    b"broken\n  made\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.00x0    0.0000 C   0  0\nM  END\n"
    b">  <ID>\n2\n\n$$$$\n"
    b"ethane\n  made\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
    b"    1.5000    0.0000    0.0000 C   0  0\n  1  2  1  0\nM  END\n>  <ID>\n3\n\n$$$$\n"
)
two = folder / "two.sdf"
two.write_bytes(TWO)


def raises(kind, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"{function} does not raise {kind}")


def each(reader):
    """Returns all records, with None for those that cannot be read."""
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except chemopen.RecordError:
            yield None


def a_file_is_told_by_its_content():
    identity = chemopen.identify(two)
    assert (identity.format, identity.evidence, identity.compressed) == ("sdf", "content", False)
    assert chemopen.identify(TWO, "a.cdx").named_as == "cdx"
    assert chemopen.identify(data / "sdf" / "vitamins.sdf.gz").compressed
    raises(chemopen.FormatError, chemopen.identify, b"hello")
    assert isinstance(raises(chemopen.ChemopenError, chemopen.identify, "/nonexistent"), OSError)


def records_come_one_after_the_other():
    reader = chemopen.read(two)
    water = next(reader)
    assert (water.title, water.kind, water.formula) == ("water", "molecule", "H2O")
    assert water.fields.pairs == [("ID", "1"), ("NOTE", "5 µm"), ("NOTE", "second")]
    assert water.fields["NOTE"] == ["5 µm", "second"] and list(water.fields) == ["ID", "NOTE"]
    assert water.atoms[0].symbol == "O" and water.atoms[0].hydrogens == 2 and water.bonds == []
    error = raises(chemopen.RecordError, next, reader)
    assert (error.record, error.line, error.file) == (2, 21, str(two)) and "0.00x0" in str(error)
    assert reader.record_bytes.startswith(b"broken\n")
    ethane = next(reader)
    assert ethane.place == (3, ethane.place.line, ethane.place.offset, ethane.place.length, "V2000")
    assert ethane.bonds == [(0, 1, 1, 0)] and ethane.file == str(two)
    raises(StopIteration, next, reader)
    assert water.title == "water" and "M  END" in water.molblock
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert [record.title for record in chemopen.read(two, errors="skip")] == ["water", "ethane"]
    assert [warning.category for warning in told] == [chemopen.UnreadableWarning]
    assert Path(told[0].filename).name == "python.py", told[0]


def atoms_and_bonds_are_made_when_asked_for():
    ethane = list(each(chemopen.read(two)))[-1]
    atoms, bonds = ethane.atoms, ethane.bonds
    assert (len(atoms), len(bonds)) == (2, 1) and atoms[-1].x == 1.5 and atoms[1:] == [atoms[1]] and atoms == list(atoms)
    assert [atom.symbol for atom in atoms] == ["C", "C"] and bonds[0].end == 1
    raises(IndexError, lambda: atoms[2])
    assert chemopen.Record().atoms == [] and chemopen.Record().bonds[:] == []
    try:
        import numpy
    except ImportError:
        return
    view = numpy.asarray(atoms)
    assert view["x"].tolist() == [0, 1.5] and view["hydrogens"].tolist() == [3, 3] and not view.flags.owndata
    assert numpy.shares_memory(view, ethane.atom_array()) and ethane.bond_array()["to"].tolist() == [1]
    raises(ValueError, view["x"].fill, 0)
    ethane.set_field("NOTE", "a change of fields moves no atom")
    ethane.atoms
    del ethane, atoms, bonds
    for _ in range(100):
        chemopen.read(two)
    assert view["x"].tolist() == [0, 1.5]
    assert len(chemopen.Record().atom_array()) == 0


def open_files_and_ranges_are_read():
    assert [r and r.title for r in each(chemopen.read(io.BytesIO(TWO)))] == ["water", None, "ethane"]
    for cut in range(0, len(TWO), 7):
        ranges = [(0, cut), (cut, 2**63)]
        assert sum(len(list(each(chemopen.read(two, range=r)))) for r in ranges) == 3, cut
    for count in (1, 2, 5):
        parts = chemopen.partitions(two, count)
        assert len(parts) == count and sum(len(list(each(chemopen.read(two, range=r)))) for r in parts) == 3

    class Failing(io.BytesIO):
        def read(self, size=-1):
            raise KeyError("gone")

    assert raises(KeyError, chemopen.read, Failing()).args == ("gone",)


class Hostile:
    """A file object that returns wrong values according to a plan for each call."""

    def __init__(self, plan, content):
        self.plan, self.content, self.at, self.reader = list(plan), content, 0, None

    def read(self, size=-1):
        deed = self.plan.pop(0) if self.plan else "good"
        taken = self.content[self.at:self.at + (max(1, size // 3) if deed == "short" else size)]
        if deed in ("good", "short", "bytearray", "view", "wide view", "reenter", "close"):
            self.at += len(taken)
        if deed == "long":
            return b"x" * (4 * size + 1)
        if deed == "long view":
            return memoryview(bytearray(size + 1))
        if deed == "text":
            return "text" * 10
        if deed == "long text":
            return "\U0001F9EA" * size
        if deed == "none":
            return None
        if deed == "negative":
            return -1
        if deed == "list":
            return [1, 2, 3]
        if deed == "raise":
            raise LookupError("gone")
        if deed == "exit":
            raise SystemExit(3)
        if deed == "bytearray":
            return bytearray(taken)
        if deed == "view":
            return memoryview(taken)
        if deed == "wide view" and len(taken) % 4 == 0 and taken:
            return memoryview(taken).cast("I")
        if deed == "liar":
            class Liar(bytes):
                def __len__(self):
                    return 1

                def __bytes__(self):
                    return self
            return Liar(b"x" * (size + 5))
        if deed == "reenter" and self.reader is not None:
            next(self.reader)
        if deed == "close" and self.reader is not None:
            self.reader.close()
        return taken


REFUSALS = {
    "long": ValueError, "long view": ValueError, "text": TypeError, "long text": TypeError, "none": BlockingIOError,
    "negative": TypeError, "list": TypeError, "raise": LookupError, "exit": SystemExit, "liar": ValueError,
    "reenter": chemopen.ChemopenError,
}


def hostile_file_objects_give_data_or_an_error():
    good = ["good", "short", "bytearray", "view", "wide view", "close"]
    # Values are wrong first in order, then at random; a file of several pieces is read in several calls.
    content = TWO * 600
    count = len(list(each(chemopen.read(io.BytesIO(content)))))
    dice = random.Random(int(os.environ.get("CHEMOPEN_SEED", "1")))
    plans = [[deed] for deed in [*good, *REFUSALS]] + [["good", deed] for deed in [*good, *REFUSALS]]
    plans += [[dice.choice([*good, *REFUSALS]) for _ in range(dice.randrange(6))] for _ in range(60)]
    for plan in plans:
        file = Hostile(plan, content)
        bad = [deed for deed in plan if deed in REFUSALS]
        found = 0
        try:
            reader = chemopen.read(file)
            file.reader = reader
            for record in each(reader):
                found += 1
        except tuple(REFUSALS.values()) as error:
            assert bad and isinstance(error, tuple(REFUSALS[deed] for deed in bad)), (plan, error)
            continue
        left = [deed for deed in file.plan if deed in REFUSALS]
        # The file is not read before a reader exists.
        assert found == count or len(left) < len(bad) and "reenter" in bad, (plan, found)
    message = str(raises(ValueError, chemopen.read, Hostile(["long"], TWO)))
    assert "at most" in message
    assert "binary mode" in str(raises(TypeError, chemopen.read, io.StringIO(TWO.decode("latin-1"))))


def records_are_changed_and_written():
    record = next(chemopen.read(two))
    copy = record.copy()
    record.title = "ice"
    record.set_field("NOTE", "cold")
    record.add_field("NEW", "ä\nb")
    assert record.remove_field("ID") and not record.remove_field("ID")
    out = folder / "out.sdf"
    with chemopen.Writer(out) as writer:
        assert writer.write(record) == []
        writer.write(copy)
    first, second = chemopen.read(out)
    assert first.title == "ice" and dict(first.fields) == {"NOTE": "cold", "NEW": "ä\nb"}
    assert second.fields.pairs[0] == ("ID", "1")
    try:
        with chemopen.Writer(out, replace=True) as writer:
            raise RuntimeError
    except RuntimeError:
        pass
    assert len(list(chemopen.read(out))) == 2
    raises(chemopen.ChemopenOSError, chemopen.Writer, out)
    with chemopen.Writer(folder / "wrong.sdf") as writer:
        # A reader also has a handle, which must not be used for a record.
        for wrong in (None, chemopen.read(two), "text", 5):
            raises(TypeError, writer.write, wrong)
        writer.write(record)
    raises(chemopen.FormatError, record.text, "rxn")


def conversions_tell_what_is_lost():
    out = folder / "converted.mol"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        report = chemopen.convert(two, out, where="ID > 1")
    kinds = {warning.category for warning in told}
    assert kinds == {chemopen.LossWarning, chemopen.UnreadableWarning} and (report.written, report.unreadable) == (1, 1)
    assert any("fields" in str(warning.message) for warning in told) and out.exists()
    assert {loss.feature for loss in chemopen.losses(two, "mol", records="1")} >= {"fields"}
    # One warning for each kind of loss, with the text of the program.
    assert sum(str(warning.message).startswith("left out: fields ") for warning in told) == 1
    out.unlink()
    raises(chemopen.Cancelled, chemopen.convert, two, out, records="1", progress=lambda state: False)
    assert not out.exists()
    raises(ZeroDivisionError, chemopen.convert, two, out, records="1", progress=lambda state: 1 / 0)
    raises(chemopen.Cancelled, chemopen.convert, two, folder / "stopped.sdf", errors="stop", rewrite=True)
    assert not (folder / "stopped.sdf").exists()


def every_format_is_written_by_its_extension():
    source = folder / "one.smi"
    source.write_text("CCO a\n")
    for name, format in (("a.csv", "csv"), ("a.tsv", "tsv"), ("a.smi", "smi"), ("a.smiles", "smi"), ("a.csv.gz", "csv")):
        chemopen.convert(source, folder / name)
        with chemopen.read(folder / name) as reader:
            assert reader.format == format and next(reader).title == "a"
        with chemopen.Writer(folder / f"w{name}") as writer:
            writer.write(next(chemopen.read(source)))
        assert chemopen.identify(folder / f"w{name}").format == format


def text_has_the_encoding_that_is_named():
    source = folder / "sugar.smi"
    source.write_bytes("CCO глюкоза\n".encode("koi8-r"))
    with chemopen.read(source, encoding="koi8-r") as reader:
        assert next(reader).title == "глюкоза"
    chemopen.convert(source, folder / "sugar.ds", encoding="koi8_r")
    with chemopen.read(folder / "sugar.ds") as reader:
        # A DataSheet has titles in a column.
        assert next(reader).fields["Name"] == "глюкоза"
    assert not [loss for loss in chemopen.losses(source, "ds", encoding="koi8-r") if loss.feature == "foreign encoding"]
    assert [loss for loss in chemopen.losses(source, "ds") if loss.feature == "foreign encoding"]
    assert "KOI8-R" in str(raises(chemopen.ChemopenError, chemopen.read, source, encoding="koi-8r"))
    chemopen.scan(source, encoding="koi8-r").close()


def a_notebook_shows_a_drawing():
    record = next(chemopen.read(two))
    assert record._repr_svg_().startswith("<svg") and chemopen.depict(two, record=3)._repr_svg_().startswith("<svg")
    assert 'width="300"' in record.depict(300, 200).svg
    raises(chemopen.ChemopenError, chemopen.depict, two, record=9)


def tables_say_their_columns():
    scan = chemopen.scan(two)
    assert scan.columns == {
        "record": "integer", "line": "integer", "title": "string", "molblock": "string", "ID": "integer", "NOTE": "list",
        "problem": "string",
    }
    assert chemopen.scan([two, two], columns=["file", "ID"]).columns == {"file": "string", "ID": "integer"}
    assert chemopen.scan(two, columns=["ID"], types={"ID": "string"}).columns == {"ID": "string"}
    raises(chemopen.ChemopenError, chemopen.scan, two, columns=["NOWHERE"])
    raises(chemopen.ChemopenError, chemopen.scan, two, where="no condition")


def warned(function, *arguments, **named):
    """Returns the result of a call, and its warnings as pairs of class and text."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = function(*arguments, **named)
    return result, [(warning.category, str(warning.message)) for warning in told]


def drain(scan):
    """Reads a table to its end as an Arrow stream, using only ctypes, and returns the number of rows."""
    capsule = scan.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

    class Array(ctypes.Structure):
        _fields_ = [("length", ctypes.c_int64), ("rest", ctypes.c_int64 * 4), ("more", ctypes.c_void_p * 3),
                    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("private", ctypes.c_void_p)]

    class Stream(ctypes.Structure):
        _fields_ = [("schema", ctypes.c_void_p),
                    ("next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Array))),
                    ("error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p))]

    place = pointer(capsule, b"arrow_array_stream")
    stream = Stream.from_address(place)
    rows = 0
    while True:
        array = Array()
        if stream.next(place, ctypes.byref(array)):
            raise OSError(stream.error(place).decode())
        if not array.release:
            return rows
        rows += array.length
        array.release(ctypes.addressof(array))


MISTYPED = 'no record has a field "IDD"; did you mean "ID"?'


def mistyped_names_are_warned_of():
    out = folder / "mistyped.sdf"
    _, told = warned(chemopen.convert, two, out, where="IDD < 5")
    assert (chemopen.ConditionWarning, MISTYPED) in told, told
    scan, told = warned(chemopen.scan, two, where="IDD < 5")
    assert told == [(chemopen.ConditionWarning, MISTYPED)], told
    rows, told = warned(drain, scan)
    assert rows == 1 and not any(text == MISTYPED for _, text in told), (rows, told)
    # If all types are specified, the columns are not surveyed, so the warnings are issued at the end of the table.
    scan, told = warned(chemopen.scan, two, columns=["IDD"], types={"IDD": "string"}, where="IDX = 1")
    assert told == []
    rows, told = warned(drain, scan)
    assert (chemopen.ConditionWarning, MISTYPED) in told and any("IDX" in text for _, text in told), told
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        raises(chemopen.ConditionWarning, chemopen.scan, two, where="IDD < 5")
        scan = chemopen.scan(two, columns=["IDD"], types={"IDD": "string"})
        assert "IDD" in str(raises(OSError, drain, scan))
    error = raises(chemopen.ChemopenError, chemopen.scan, two, columns=["IDD"])
    assert str(error) == MISTYPED, error
    raises(ValueError, chemopen.scan, two, types={"ID": "string"})
    raises(ValueError, chemopen.scan, two, columns=["NOTE"], types={"ID": "string"})
    raises(TypeError, chemopen.scan, two, columns="ID")
    assert "'raise', 'skip'" in str(raises(ValueError, chemopen.read, two, errors="ignore"))
    raises(ValueError, chemopen.convert, two, out, errors="ignore")
    raises(ValueError, chemopen.read, str(two) + "\0b")
    raises(ValueError, chemopen.scan, two, where="ID = 1\0")


def what_is_left_out_is_warned_of():
    record = next(chemopen.read(two))
    text, told = warned(record.text, "mol")
    assert text.startswith("water\n") and [kind for kind, _ in told] == [chemopen.LossWarning], told
    assert told[0][1].startswith("left out: ") and "fields (3)" in told[0][1], told
    assert warned(lambda: record.molblock)[1] == [] and warned(record.text, "sdf")[1] == []
    assert {loss.feature for loss in record.losses("mol")} >= {"fields"} and record.losses("sdf") == []
    text, told = warned(record.text, "smi")
    assert "O" in text and told and told[0][0] is chemopen.LossWarning
    # The columns of a table have one order, and numbers are not stored in their original notation.
    mixed = folder / "mixed.sdf"
    fields = [("A", "x"), ("B", "y"), ("A", "z")]
    mixed.write_text("\n\n\n  0  0  0  0  0  0            999 V2000\nM  END\n"
                     + "".join(f">  <{name}>\n{value}\n\n" for name, value in fields) + "$$$$\n")
    rows, told = warned(drain, chemopen.scan(mixed))
    assert rows == 1 and any("field order" in text for _, text in told), told
    sheet = folder / "padded.ds"
    sheet.write_text('<DataSheet><Header ncols="1" nrows="2"><Column id="1" name="N" type="integer"/></Header><Content>'
                     '<Row id="1"><Cell id="1">007</Cell></Row><Row id="2"><Cell id="1">7</Cell></Row></Content></DataSheet>')
    rows, told = warned(drain, chemopen.scan(sheet))
    assert rows == 2 and any("zeros before whole numbers" in text and "record 1" in text for _, text in told), told


def a_reaction_in_a_table_has_a_reason():
    try:
        import pyarrow
    except ImportError:
        return
    for name in ("rdf/reactions.rdf", "rdf/molecules.rdf"):
        table = pyarrow.table(chemopen.scan(data / name, structure="molblock")).to_pylist()
        kinds = [record and record.kind for record in each(chemopen.read(data / name))]
        for row, kind in zip(table, kinds):
            assert (row["molblock"] is not None) == (kind == "molecule"), row
            assert (row["problem"] is not None) == (kind in (None, "reaction")), row
            assert kind != "reaction" or "a reaction" in row["problem"]
    assert pyarrow.table(chemopen.scan(data / "rdf/reactions.rdf", structure=None)).column("problem").null_count > 0


def structures_have_several_forms_in_tables():
    try:
        import pyarrow
    except ImportError:
        return
    for name in ("rdf/reactions.rdf", "rdf/molecules.rdf", "sdf/vitamins.sdf.gz"):
        forms = "molblock,rxnblock,smiles"
        table = pyarrow.table(chemopen.scan(data / name, structure=forms)).to_pylist()
        records = [record for record in each(chemopen.read(data / name)) if record]
        rows = [row for row in table if row["problem"] is None]
        assert len(rows) == len(records) > 0
        for row, record in zip(rows, records):
            assert (row["molblock"] is None) == (record.kind != "molecule") and (row["rxnblock"] is None) == (record.kind != "reaction")
            record.title = ""
            assert row["smiles"] == record.text("smi").rstrip("\n").split("\t")[0], row
        if "reactions" in name:
            assert rows[0]["rxnblock"].startswith("$RXN") and ">>" in rows[0]["smiles"]
            table = pyarrow.table(chemopen.scan(data / name, structure="rxnblock")).to_pylist()
            assert all(row["problem"] is None for row in table)
    table = pyarrow.table(chemopen.scan(data / "rdf/molecules.rdf", structure="rxnblock")).to_pylist()
    assert "a molecule" in table[0]["problem"]
    for forms in ("smile", "molblock,molblock", "", "molblock,"):
        raises(chemopen.ChemopenError, chemopen.scan, two, structure=forms)


def errors_are_those_of_python():
    for call in (chemopen.read, chemopen.scan, chemopen.identify, lambda path: chemopen.convert(path, folder / "never.sdf")):
        error = raises(FileNotFoundError, call, folder / "nowhere.sdf")
        assert isinstance(error, chemopen.ChemopenOSError) and error.errno == errno.ENOENT, vars(error)
        assert error.filename and error.filename.endswith("nowhere.sdf") and "nowhere.sdf" in str(error)
    raises(IsADirectoryError, chemopen.read, folder)
    raises(FileExistsError, chemopen.Writer, two)
    raises(FileExistsError, chemopen.convert, two, two, to="sdf")
    raises(FileNotFoundError, chemopen.Writer, folder / "none" / "a.sdf")


def a_text_is_a_record_in_one_call():
    record = chemopen.Record.parse("CCO ethanol", "smi")
    assert record.formula == "C2H6O" and len(record.atoms) == 3 and record.title == "ethanol"
    block = next(chemopen.read(two)).molblock
    for content in (block, block.encode(), bytearray(block.encode()), memoryview(block.encode())):
        assert chemopen.Record.parse(content).molblock == block
    assert len(list(each(chemopen.Reader.of_memory(TWO)))) == 3
    raises(chemopen.RecordError, chemopen.Record.parse, "hello")
    raises(TypeError, chemopen.Record.parse, 5)
    raises(chemopen.RecordError, chemopen.Record.parse, TWO[TWO.index(b"broken"):])


def python_runs_the_package():
    def run(*words):
        return subprocess.run([sys.executable, "-m", "chemopen", *map(str, words)], capture_output=True, text=True)

    assert run("--version").stdout == f"chemopen {chemopen.__version__}\n"
    assert "(sdf, by content)" in run("identify", two).stdout
    assert "ID\tinteger" in run("columns", two).stdout
    done = run("convert", two, folder / "by-module.sdf", "--where", "IDD = 1")
    assert MISTYPED in done.stderr and done.returncode == 1, done
    assert run("identify", folder / "nowhere").returncode == 2


def an_inchi_without_its_program_is_an_error():
    """Runs the test in another process that cannot find the program, because environment and directory are empty."""
    code = (
        "import chemopen, sys\n"
        "for call in (lambda: chemopen.scan(sys.argv[1], where='inchikey exists'),\n"
        "             lambda: chemopen.convert(sys.argv[1], sys.argv[1] + '.ds', to='ds', where='inchi exists')):\n"
        "    try:\n"
        "        call()\n"
        "        print('no error')\n"
        "    except chemopen.FormatError as error:\n"
        "        print(error)\n")
    environment = dict(os.environ, PATH="")
    done = subprocess.run([sys.executable, "-c", code, str(two)], capture_output=True, text=True, env=environment)
    lines = done.stdout.splitlines()
    if lines == ["no error"] * 2:
        # If the program is in Python's directory, it is found.
        return
    assert len(lines) == 2 and all("require the program chemopen-inchi, which" in line for line in lines), done


def the_extension_returns_what_ctypes_returns():
    """Reads all files in two processes, with and without the extension module, and compares everything that it returns."""
    work = """
import sys, chemopen, chemopen._calls as calls
def fields_of(record):
    # A new object looks up each name, so that not all fields are converted at once.
    return [(name, record.fields[name], record.fields.get(name, 5)) for name in record.fields]
for path in sys.argv[1:]:
    try:
        reader = chemopen.read(path)
    except chemopen.ChemopenError as error:
        print(path, repr(error))
        continue
    while True:
        try:
            record = next(reader)
        except StopIteration:
            break
        except chemopen.ChemopenError as error:
            print(path, repr(error), reader.place)
            continue
        handle = record._handle.value
        print(path, record.place, record.issues, record.fields.pairs, dict(record.fields), fields_of(record), record.fields.get("none"),
              calls.fields(handle), calls.positions(handle).hex(), calls.molfile(reader._handle.value), "" in record.fields)
    print(calls.next_record(reader._handle.value), calls.next_record(None), calls.fields(None), calls.values_of(None, "ID"),
          bytes(calls.positions(None)), calls.molfile(None))
print(calls.is_fast)
"""
    paths = [str(path) for path in sorted(data.glob("*/*")) if path.is_file()]
    printed = []
    for chosen in ("", "1"):
        environment = {**os.environ, "CHEMOPEN_NO_EXTENSION": chosen, "PYTHONIOENCODING": "utf-8:surrogateescape"}
        printed.append(subprocess.run([sys.executable, "-W", "ignore", "-c", work, *paths], env=environment, check=True, stdout=subprocess.PIPE).stdout)
    both = [text.decode("utf-8", "surrogateescape").splitlines() for text in printed]
    assert len(both[0]) == len(both[1]) > 500 and both[1][-1] == "False", (len(both[0]), len(both[1]), both[1][-1])
    for first, second in zip(both[0][:-1], both[1][:-1]):
        assert first == second, (first[:2000], second[:2000])
    if both[0][-1] == "False":
        print("skipped: the extension module is not installed")


def opening_leaks_nothing():
    def size():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def work(times):
        for _ in range(times):
            reader = chemopen.read(two)
            next(reader).fields
            reader.close()
            capsule = chemopen.scan(two).__arrow_c_stream__()
            del capsule

    work(1000)
    before = size()
    work(int(os.environ.get("CHEMOPEN_OPENS", "10000")))
    assert size() - before < 2 << 20, size() - before


tests = [
    a_file_is_told_by_its_content, records_come_one_after_the_other, atoms_and_bonds_are_made_when_asked_for, open_files_and_ranges_are_read,
    hostile_file_objects_give_data_or_an_error, mistyped_names_are_warned_of, what_is_left_out_is_warned_of,
    structures_have_several_forms_in_tables, errors_are_those_of_python, a_text_is_a_record_in_one_call, python_runs_the_package,
    a_reaction_in_a_table_has_a_reason, an_inchi_without_its_program_is_an_error,
    records_are_changed_and_written, conversions_tell_what_is_lost, a_notebook_shows_a_drawing, tables_say_their_columns,
    every_format_is_written_by_its_extension, text_has_the_encoding_that_is_named, the_extension_returns_what_ctypes_returns,
    opening_leaks_nothing,
]
for test in tests:
    test()
print(f"Python {sys.version_info.major}.{sys.version_info.minor}: {len(tests)} passed, 0 failed")
