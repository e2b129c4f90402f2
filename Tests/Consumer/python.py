"""Uses the wheel from outside, with only Python's standard library: python.py TESTDATA.

Prints the number of functions that have passed; the first failure stops it with an assertion.
"""

import io
import os
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

    assert isinstance(raises(chemopen.ChemopenOSError, chemopen.read, Failing()), chemopen.ChemopenError)


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
    out.unlink()
    raises(chemopen.Cancelled, chemopen.convert, two, out, records="1", progress=lambda state: False)
    assert not out.exists()
    raises(ZeroDivisionError, chemopen.convert, two, out, records="1", progress=lambda state: 1 / 0)
    raises(chemopen.Cancelled, chemopen.convert, two, folder / "stopped.sdf", errors="stop", rewrite=True)
    assert not (folder / "stopped.sdf").exists()


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
    records_are_changed_and_written, conversions_tell_what_is_lost, a_notebook_shows_a_drawing, tables_say_their_columns,
    opening_leaks_nothing,
]
for test in tests:
    test()
print(f"Python {sys.version_info.major}.{sys.version_info.minor}: {len(tests)} passed, 0 failed")
