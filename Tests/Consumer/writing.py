"""Builds, changes, searches and writes records from outside, with only Python's standard library: writing.py TESTDATA.

Packages that are installed (NumPy, pandas, pyarrow, Polars, DuckDB, RDKit) are tested too. Prints the number of functions
that have passed; the first failure stops it with an assertion.
"""

import asyncio
import copy
import io
import itertools
import math
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import chemopen

data = Path(sys.argv[1])
folder = Path(tempfile.mkdtemp())
VITAMINS = data / "sdf" / "vitamins.sdf.gz"
warnings.simplefilter("ignore")


def raises(kind, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"{function} does not raise {kind}")


def installed(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def each(source, **named):
    """Yields all readable records."""
    reader = chemopen.read(source, **named)
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except chemopen.RecordError:
            continue
        except chemopen.ChemopenError:
            return


def files(*folders):
    for name in folders or sorted(os.listdir(data)):
        for path in sorted((data / name).glob("*")) if (data / name).is_dir() else []:
            if path.suffix in (".md", ".tsv", ".txt", ".json"):
                continue
            try:
                chemopen.identify(path)
            except chemopen.ChemopenError:
                continue
            yield path


def warned(function, *arguments, **named):
    """Returns the result of a function and its warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return function(*arguments, **named), told


def structures_are_built():
    methanol = chemopen.Molecule(["C", "O"], [(0, 1)], coordinates=[(0, 0), (1.4, 0)], title="methanol", fields={"ID": 5})
    assert (methanol.formula, methanol.title, dict(methanol.fields)) == ("CH4O", "methanol", {"ID": "5"})
    assert methanol.atoms[1].x == 1.4 and methanol.atoms[0].hydrogens == 3 and methanol.canonical_smiles == "CO"
    assert chemopen.Record("CCO").formula == chemopen.parse("CCO\n").formula == "C2H6O"
    assert chemopen.Record(methanol.molblock) == chemopen.parse(methanol.molblock.encode(), "mol")
    assert methanol.add_atom("Cl") == 2 and methanol.add_bond(0, 2) == 1 and methanol.formula == "CH3ClO"
    methanol.remove_bonds([1])
    methanol.remove_atoms([2])
    assert methanol.formula == "CH4O" and len(methanol.bonds) == 1
    label = chemopen.Record.from_atoms([chemopen.Atom("Xyz"), 6], [(0, 1)])
    assert [atom.symbol for atom in label.atoms] == ["Xyz", "C"] and label.labels == ["Xyz"]
    label.set_atoms([atom._replace(charge=1) for atom in label.atoms])
    assert [(atom.symbol, atom.charge) for atom in label.atoms] == [("Xyz", 1), ("C", 1)]
    raises(ValueError, label.add_atom, "Other")
    empty = chemopen.Record()
    raises(chemopen.ChemopenError, setattr, empty, "title", "none")
    assert empty.add_atom("N") == 0 and empty.formula == "H3N"
    empty.title = "ammonia"
    empty.remove_structure()
    assert empty.kind == "data" and empty.title is None
    for atoms, bonds in ((["C"], [(0, 1)]), (["C"], [(0, 0)]), ([chemopen.Atom("C", math.inf)], []), (["C", "C"], [(0, 1, 99)])):
        raises(chemopen.ChemopenError, chemopen.Molecule, atoms, bonds)
    before = methanol.copy()
    raises(chemopen.ChemopenError, methanol.set_bonds, [(0, 5)])
    raises(chemopen.ChemopenError, methanol.remove_atoms, [7])
    raises(chemopen.ChemopenError, methanol.set_atoms, [])
    raises(ValueError, setattr, methanol, "coordinates", [(0, 0)])
    assert methanol == before


def a_text_must_contain_one_record():
    two = chemopen.Record("CCO").text("sdf") * 2
    raises(chemopen.FormatError, chemopen.Record, two)
    raises(chemopen.ChemopenError, chemopen.Record, "", "smi")
    raises(chemopen.RecordError, chemopen.Record, "not a SMILES")
    raises(TypeError, chemopen.Record, 5)
    raises(chemopen.FormatError, chemopen.Record, "CCO", "nonsense")


def fields_are_changed():
    record = chemopen.Record("CCO", fields={"A": 1, "B": [1.5, "x"]})
    fields = record.fields
    fields["C"] = True
    fields["A"] = 1.25
    assert fields == {"A": "1.25", "B": ["1.5", "x"], "C": "true"} and record.fields.pairs[1:3] == [("B", "1.5"), ("B", "x")]
    del fields["B"]
    fields.update(D="d")
    assert list(record.fields) == ["A", "C", "D"] and fields.pop("D") == "d" and "D" not in record.fields
    raises(KeyError, fields.__delitem__, "nothing")
    raises(TypeError, fields.__setitem__, "A", object())
    record.fields = {"only": "this"}
    assert dict(record.fields) == {"only": "this"}
    numpy = installed("numpy")
    if numpy:
        record.fields["N"] = numpy.float64(0.5)
        assert record.fields["N"] == "0.5"


def atoms_are_moved_and_keep_everything_else():
    count = 0
    for path in files("sdf", "mol", "ds", "cdxml", "el"):
        for record in itertools.islice(each(path), 20):
            if record.kind != "molecule" or not len(record.atoms):
                continue
            count += 1
            other = record.copy()
            other.set_atoms(list(other.atoms))
            other.set_bonds([tuple(bond) for bond in other.bonds])
            # Without coordinates, all atoms are at the origin.
            assert other == record or not any(any(atom[1:4]) for atom in record.atoms), path
            moved = [(atom.x + 1, atom.y, atom.z) for atom in record.atoms]
            other.coordinates = moved
            assert [atom[1:4] for atom in other.atoms] == moved
            other.coordinates = [atom[1:4] for atom in record.atoms]
            assert (other.formula, other.bonds, other.fields.pairs) == (record.formula, record.bonds, record.fields.pairs)
    assert count > 100, count
    numpy = installed("numpy")
    if numpy:
        record = next(each(VITAMINS))
        atoms = numpy.array(record.atom_array())
        atoms["x"] += 1
        record.set_atoms(atoms)
        assert record.atoms[0].x == atoms["x"][0] and record.coordinates.shape == (len(atoms), 3)
        record.set_bonds(record.bond_array()[:])
        raises(ValueError, record.set_atoms, numpy.zeros((3, 3)))


def reactions_are_read_and_built():
    count = 0
    for path in files():
        for record in each(path):
            if record.kind != "reaction":
                assert record.steps == [] and record.reactants == []
                continue
            count += 1
            steps = record.steps
            built = chemopen.Record()
            for step in steps:
                built.add_step(step.reactants, step.products, step.agents, arrow=step.arrow, conditions=step.conditions)
            assert built.steps == steps, path
            for name, part in (("reactants", 0), ("agents", 1), ("products", 2)):
                assert record.value(name) == sum(len(step[part]) for step in steps), path
            assert record.value("steps") == len(steps)
    assert count > 50, count
    reaction = chemopen.Reaction(
        ["CCO", chemopen.Component(chemopen.Record("O"), "water", "2")], ["CC=O"], ["[Pd]"], arrow="equilibrium",
        conditions=["20 °C", "12 h"], title="oxidation", fields={"YIELD": 0.95})
    step = reaction.steps[0]
    assert (step.arrow, step.conditions, reaction.title) == ("equilibrium", ["20 °C", "12 h"], "oxidation")
    assert (step.reactants[1].name, step.reactants[1].stoichiometry) == ("water", "2")
    assert [one.formula for one in reaction.reactants + reaction.agents + reaction.products] == ["C2H6O", "H2O", "Pd", "C2H4O"]
    assert reaction.text("rxn").startswith("$RXN") and reaction.value("formula") == ["C2H6O", "H2O", "Pd", "C2H4O"]
    raises(chemopen.ChemopenError, reaction.add_step, [], [], arrow="sideways")
    raises(chemopen.ChemopenError, reaction.add_step, [reaction], [])
    raises(TypeError, reaction.add_step, [5], [])


def records_are_copied_compared_and_pickled():
    count = 0
    for path in files():
        for record in each(path):
            count += 1
            restored = pickle.loads(pickle.dumps(record))
            assert restored.text("jsonl") == record.text("jsonl") and restored.place == record.place, path
            assert restored.fields.pairs == record.fields.pairs, path
            assert record == record.copy() == copy.copy(record) == copy.deepcopy(record), path
            other = record.copy()
            other.fields["compared"] = "different"
            assert other != record and record != "text"
    assert count > 500, count
    raises(TypeError, hash, chemopen.Record())
    scan = pickle.loads(pickle.dumps(chemopen.scan(VITAMINS, columns=["title", "mass"], where="mass > 200")))
    assert [list(row) for row in scan] == [["title", "mass"]] * len(scan)
    assert pickle.loads(pickle.dumps(chemopen.Pattern("CO"))).smarts == "CO"


def values_are_computed():
    names = [fact.name for fact in chemopen.facts()]
    assert {"mass", "formula", "inchikey", "canonical_smiles", "svg", "rings"} <= set(names)
    aspirin = chemopen.Record("CC(=O)Oc1ccccc1C(=O)O")
    assert aspirin.formula == aspirin.value("formula") == "C9H8O4" and round(aspirin.mass, 2) == 180.16
    assert (aspirin.value("rings"), aspirin.value("elements.O"), aspirin.value("charge")) == (1, 4, 0)
    assert aspirin.facts["heavy"] == 13 and "products" not in aspirin.facts and aspirin.value("products") is None
    assert aspirin.value("svg").startswith("<svg") and aspirin.value("rxnblock") is None
    assert "did you mean \"mass\"?" in str(raises(chemopen.ChemopenError, aspirin.value, "mas"))
    orders = {chemopen.Record(text).canonical_smiles for text in ("OC(C)=O", "CC(O)=O", "C(=O)(O)C")}
    assert len(orders) == 1, orders


def tables_have_computed_columns():
    computed = [fact.name for fact in chemopen.facts() if not fact.name.startswith("inchi")]
    notations = ["molblock", "rxnblock", "smiles", "canonical_smiles", "svg"]
    count = 0
    for path in files("sdf", "rdf", "ds", "cdxml", "smi"):
        known = {record.place.record: record for record in each(path)}
        if len(known) > 100:
            continue
        scan = chemopen.scan(path, compute=[name for name in computed if name not in notations], structure=",".join(notations))
        for row in scan:
            record = known.get(row["record"])
            if record is None:
                continue
            for name in computed:
                count += 1
                value = record.value(name)
                if name == "version":
                    value = record.place.version or None
                if isinstance(value, list):
                    value = None if name not in ("formula",) else "\n".join(value)
                if name == "molblock" and row[name] != value:
                    # In an SD file, the molblock is copied, with the line of the program that wrote it.
                    own, other = chemopen.Record(row[name], "mol"), chemopen.Record(value, "mol")
                    assert list(own.atoms) == list(other.atoms) and own.bonds == other.bonds, (path, row["record"])
                    continue
                assert row[name] == value, (path, row["record"], name, row[name], value)
    assert count > 1000, count
    assert next(iter(chemopen.scan(VITAMINS, columns=["title", "mass", "smiles"]))).keys() == {"title", "mass", "smiles"}
    raises(chemopen.ChemopenError, chemopen.scan, VITAMINS, compute=["mas"])
    raises(chemopen.ChemopenError, chemopen.scan, VITAMINS, columns=["mas"])


def reactions_are_in_tables():
    for path in files("rdf", "rxn", "cdxml"):
        kinds = {record.place.record: record.kind for record in each(path)}
        for row in chemopen.scan(path):
            kind = kinds.get(row["record"])
            if kind in ("molecule", "reaction"):
                assert row["problem"] is None and (row["rxnblock"] is None) == (kind == "molecule"), (path, row)
    assert "rxnblock" not in chemopen.scan(VITAMINS).columns


def patterns_are_found():
    acid = chemopen.Pattern("C(=O)[OH]")
    aspirin = chemopen.Record("CC(=O)Oc1ccccc1C(=O)O")
    assert acid.finds(aspirin) and not acid.finds(chemopen.Record("CCO"))
    assert acid.matches(aspirin) == [(10, 11, 12)] and acid.matches(chemopen.Record()) == []
    assert len(chemopen.Pattern("c").matches(aspirin)) == 6 and len(chemopen.Pattern("c").matches(aspirin, 2)) == 2
    assert len(chemopen.Pattern("c1ccccc1").matches(aspirin)) == 1
    assert chemopen.Pattern.of("c1ccccc1").finds(aspirin) and not chemopen.Pattern.of("c1ccccc1", exact=True).finds(aspirin)
    error = raises(chemopen.ChemopenError, chemopen.Pattern, "C(")
    assert str(error)
    raises(TypeError, acid.finds, "CCO")
    raises(chemopen.ChemopenError, chemopen.Pattern.of, chemopen.Record())
    assert acid.finds(chemopen.Reaction(["CC(=O)O"], ["CCO"]))
    found = [record.title for record in chemopen.grep("c1ccccc1", VITAMINS)]
    assert found and len(found) + len(list(chemopen.grep("c1ccccc1", VITAMINS, invert=True))) == 7


def patterns_match_as_in_rdkit():
    rdkit = installed("rdkit.Chem")
    if not rdkit:
        return
    from rdkit import Chem, rdBase

    rdBase.DisableLog("rdApp.*")
    dice, count = random.Random(5), 0
    parts = ["C", "O", "N", "[#6]", "*", "c1ccccc1", "[OH]", "C(=O)", "[!#1]", "[R]", "C=C", "[D2]", "[X4]", "[$(CO)]"]
    bonds = ["", "~", "-", "!@", "@"]
    smiles = ["CC(=O)Oc1ccccc1C(=O)O", "C1CC2CCC1CC2", "OCC1OC(O)C(O)C(O)C1O", "c1ccc2ccccc2c1", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C", "CCCCCC"]
    for _ in range(500):
        text = dice.choice(parts)
        for _ in range(dice.randrange(3)):
            text += dice.choice(bonds) + dice.choice(parts)
        query = Chem.MolFromSmarts(text)
        if query is None:
            continue
        pattern = chemopen.Pattern(text)
        for structure in smiles:
            count += 1
            theirs = Chem.MolFromSmiles(structure).GetSubstructMatches(query, maxMatches=5000)
            ours = pattern.matches(chemopen.Record(structure), 5000)
            assert sorted(sorted(one) for one in theirs) == sorted(sorted(one) for one in ours), (text, structure, theirs, ours)
            assert bool(ours) == pattern.finds(chemopen.Record(structure))
    assert count > 1000, count


def records_are_written_in_one_call():
    records = list(each(VITAMINS))
    assert chemopen.write(records, folder / "v.sdf").written == 7
    assert [record.fields.pairs for record in each(folder / "v.sdf")] == [record.fields.pairs for record in records]
    raises(FileExistsError, chemopen.write, records, folder / "v.sdf")
    assert chemopen.write(iter(records), folder / "v.sdf", replace=True).written == 7
    assert chemopen.write(records[0], folder / "one.mol").written == 1
    out = io.BytesIO()
    assert chemopen.write(records, out, to="sdf").written == 7 and out.getvalue() == (folder / "v.sdf").read_bytes()
    _, told = warned(chemopen.write, records, io.BytesIO(), to="smi")
    assert [one.category for one in told] == [chemopen.LossWarning] and Path(told[0].filename).name == "writing.py", told
    raises(ValueError, chemopen.write, records, io.BytesIO())
    raises(TypeError, chemopen.write, ["CCO"], io.BytesIO(), to="sdf")
    raises(chemopen.FormatError, chemopen.write, records, folder / "two.mol")
    assert not (folder / "two.mol").exists()
    with chemopen.Writer(out := io.BytesIO(), to="sdf") as writer:
        reader = chemopen.read(folder / "v.sdf")
        for _ in reader:
            writer.copy(reader)
    assert out.getvalue() == (folder / "v.sdf").read_bytes()


class Slow(io.RawIOBase):
    """A file object that accepts at most ten bytes at a time."""

    def __init__(self):
        super().__init__()
        self.content = b""

    def write(self, content):
        self.content += content[:10]
        return min(10, len(content))


def tables_are_written():
    """Reads files as tables, writes these as files, and compares the records."""
    compared = 0
    for path in files("sdf", "ds"):
        out = io.BytesIO()
        to = chemopen.identify(path).format
        if to not in ("sdf", "ds"):
            continue
        report, told = warned(chemopen.write, chemopen.scan(path), out, to=to)
        before = list(each(path))
        assert report.written == len(before) and report.unreadable == len(chemopen.scan(path)) - len(before), (path, report)
        rejected = [one for one in told if one.category is chemopen.UnreadableWarning]
        assert bool(rejected) == bool(report.unreadable), path
        after = list(each(out.getvalue(), format=to)) if before else []
        assert len(after) == len(before), path
        for one, other in zip(before, after):
            compared += 1
            lost = [str(warning.message) for warning in told]
            assert (one.title or "") == (other.title or "") or lost, (path, one, other)
            assert (one.formula, one.kind) == (other.formula, other.kind) or lost, (path, one, other)
            if to == "sdf":
                assert sorted(one.fields.pairs) == sorted(other.fields.pairs) or lost, (path, one.fields, other.fields, lost)
                assert list(one.atoms) == list(other.atoms) and list(one.bonds) == list(other.bonds) or lost, path
    assert compared > 50, compared
    slow = Slow()
    chemopen.write(chemopen.scan(VITAMINS), slow, to="sdf")
    assert slow.content.count(b"$$$$") == 7
    one = next(each(VITAMINS))
    assert sorted(one.fields.pairs) == sorted(next(each(slow.content)).fields.pairs)


def frames_are_written():
    pandas, pyarrow, polars, duckdb = (installed(name) for name in ("pandas", "pyarrow", "polars", "duckdb"))
    scan = chemopen.scan(VITAMINS)
    want = [sorted(record.fields.pairs) for record in each(VITAMINS)]

    def check(table):
        out = io.BytesIO()
        assert chemopen.write(table, out, to="sdf").written == 7
        assert [sorted(record.fields.pairs) for record in each(out.getvalue())] == want

    if pyarrow:
        table = scan.to_arrow()
        check(table)
        check(table.slice(0, 7))
        assert chemopen.write(table.slice(2, 3), out := io.BytesIO(), to="sdf").written == 3
        assert [record.title for record in each(out.getvalue())] == [record.title for record in each(VITAMINS)][2:5]
        check(table.cast(pyarrow.schema([
            field.with_type(pyarrow.large_string()) if field.type == pyarrow.string() else field for field in table.schema])))
        check(pyarrow.table([column.dictionary_encode() if column.type == pyarrow.string() else column for column in table.columns],
                            names=table.column_names))
        kinds = pyarrow.table({
            "smiles": ["C", "CC", None], "when": pyarrow.array([0, -1, None], pyarrow.timestamp("ms", "UTC")),
            "day": pyarrow.array([0, -1, 11016], pyarrow.date32()), "small": pyarrow.array([1, None, -3], pyarrow.int8()),
            "large": pyarrow.array([2**64 - 1, 0, None], pyarrow.uint64()), "list": [["a", "b"], [], None],
            "flag": [True, None, False], "nothing": pyarrow.nulls(3), "half": pyarrow.array([0.5, None, 2.25]),
            "float": pyarrow.array([0.1, None, 1.5], pyarrow.float32()), "title": ["x", "y", "z"], "bytes": [b"a", None, b""]})
        chemopen.write(kinds, out := io.BytesIO(), to="sdf")
        records = list(each(out.getvalue()))
        assert records[0].fields == {
            "when": "1970-01-01T00:00:00Z", "day": "1970-01-01", "small": "1", "large": "18446744073709551615", "list": ["a", "b"],
            "flag": "true", "half": "0.5", "float": "0.1", "bytes": "a"}, records[0].fields
        assert records[1].fields == {"when": "1969-12-31T23:59:59.999Z", "day": "1969-12-31", "large": "0"}
        assert records[2].fields == {"day": "2000-02-29", "small": "-3", "flag": "false", "half": "2.25", "float": "1.5", "title": "z",
                                     "bytes": ""}, records[2].fields
        assert [record.title for record in records[:2]] == ["x", "y"] and records[1].formula == "C2H6"
        error = raises(chemopen.FormatError, chemopen.write, pyarrow.table({"s": [{"a": 1}]}), io.BytesIO(), to="sdf")
        assert "column \"s\"" in str(error)
        wrong = pyarrow.table({"smiles": ["C", "nonsense", "CC"], "ID": [1, 2, 3]})
        report, told = warned(chemopen.write, wrong, out := io.BytesIO(), to="sdf")
        assert (report.written, report.unreadable) == (2, 1) and [one.category for one in told] == [chemopen.UnreadableWarning]
        assert "row 2" in str(told[0].message) and Path(told[0].filename).name == "writing.py", told[0]
        named = pyarrow.table({"STRUCTURE": ["CCO", chemopen.Record("CC").molblock], "NAME": ["a", "b"]})
        chemopen.write(named, out := io.BytesIO(), to="sdf", structure="STRUCTURE", title="NAME")
        assert [(one.title, one.formula, len(one.fields)) for one in each(out.getvalue())] == [("a", "C2H6O", 0), ("b", "C2H6", 0)]
        raises(chemopen.ChemopenError, chemopen.write, named, io.BytesIO(), to="sdf", structure="STRUCTUR")
        chemopen.write(chemopen.scan(data / "rdf/reactions.rdf"), out := io.BytesIO(), to="rdf")
        assert [one.steps for one in each(out.getvalue())] == [one.steps for one in each(data / "rdf/reactions.rdf")]
    if pandas and pyarrow:
        frame = scan.to_pandas()
        check(frame)
        frame["NEW"] = range(7)
        chemopen.write(frame[frame.NEW > 4], out := io.BytesIO(), to="sdf")
        assert [one.fields["NEW"] for one in each(out.getvalue())] == ["5", "6"]
    if polars:
        check(scan.to_polars())
        check(scan.to_polars().lazy())
    if duckdb:
        found = duckdb.sql("select * from scan")
        check(found if hasattr(found, "__arrow_c_stream__") else found.arrow())


def polars_reads_only_what_it_needs():
    polars = installed("polars")
    if not polars:
        return
    scan = chemopen.scan(VITAMINS, compute=["mass"])
    whole = polars.DataFrame(scan)
    lazy = scan.lazy()
    assert lazy.collect().equals(whole)
    mass = polars.col("mass")
    for query in (
        lambda frame: frame.select("title"), lambda frame: frame.filter(mass > 300), lambda frame: frame.head(3),
        lambda frame: frame.filter(mass > 300).select("title", "molblock").head(2), lambda frame: frame.select(polars.len()),
        lambda frame: frame.group_by("title").agg(mass.mean()).sort("title"),
    ):
        assert query(lazy).collect().equals(query(whole.lazy()).collect())
    assert scan.to_polars(lazy=True).select("title").collect().height == 7


def sources_are_paths_bytes_files_and_patterns():
    raw = (folder / "v.sdf").read_bytes()
    (folder / "w.sdf").write_bytes(raw)
    assert len(list(each(raw))) == len(list(each(bytearray(raw)))) == len(list(each(memoryview(raw)))) == 7
    with open(folder / "v.sdf", "rb") as file:
        assert chemopen.identify(file).format == "sdf" and len(chemopen.scan(file)) == 7
    with open(folder / "v.sdf", "rb") as file:
        assert len(list(chemopen.read(file.fileno()))) == 7
    assert len(chemopen.scan(raw)) == 7 and len(chemopen.scan(str(folder / "[vw].sdf"))) == 14
    assert len(chemopen.scan(path for path in [folder / "v.sdf", folder / "w.sdf"])) == 14
    assert chemopen.convert([raw, folder / "v.sdf"], out := io.BytesIO(), to="sdf").written == 14
    assert out.getvalue() == raw * 2 and chemopen.losses(raw, "smi")
    assert chemopen.depict(raw, record=2).svg.startswith("<svg")
    raises(FileNotFoundError, chemopen.scan, str(folder / "nothing*.sdf"))
    raises(TypeError, chemopen.scan, 5)
    raises(TypeError, chemopen.scan, io.StringIO("text"))
    raises(TypeError, chemopen.convert, raw, 5, to="sdf")
    (folder / "[vw].sdf").write_bytes(raw)
    assert len(chemopen.scan(str(folder / "[vw].sdf"))) == 7
    rows = list(chemopen.scan(raw))
    assert rows == chemopen.scan(raw).head(100) and len(chemopen.scan(raw).head(2)) == 2
    assert "<table>" in chemopen.scan(raw, structure="svg")._repr_html_() and chemopen.scan(raw, where="NO = 1")
    assert "<svg" in next(each(raw))._repr_html_()


def records_are_read_by_tasks():
    async def titles(path):
        return [record.title async for record in chemopen.read(path)]

    async def both():
        return await asyncio.gather(titles(VITAMINS), titles(VITAMINS))

    want = [record.title for record in each(VITAMINS)]
    assert asyncio.run(both()) == [want, want]


def files_are_edited_in_place():
    for source in (VITAMINS, data / "rdf/reactions.rdf", data / "ds/columns.ds", data / "jsonl/table.jsonl"):
        path = folder / ("edited-" + source.name)
        path.write_bytes(source.read_bytes())
        before = list(each(path))
        with chemopen.Collection(path) as file:
            assert len(file) == len(before)
            file.set_field(1, "Note", "edited here")
        after = list(each(path))
        assert after[0].fields["Note"] == "edited here" and after[1:] == before[1:], path
        # A new column is a change of the table.
        changes = [change for change in chemopen.diff(source, path) if change.before]
        assert [(one.kind, one.before, one.after) for one in changes] == [("changed", 1, 1)], (path, changes)
        assert changes[0].records[1].fields["Note"] == "edited here" and "Note" in changes[0].differences[0].subject
        assert chemopen.diff(path, path) == []
    path = folder / "plain.sdf"
    chemopen.write(each(VITAMINS), path, replace=True)
    raw, titles = path.read_bytes(), [record.title for record in each(path)]
    file = chemopen.Collection(path)
    file.move(1, 3)
    file.delete(7)
    file.insert(chemopen.Record("CCO", title="ethanol"), 1)
    file.set_title(2, "renamed")
    # A structure without coordinates cannot be represented exactly.
    raises(chemopen.FormatError, file.set_structure, 3, chemopen.Record("C"))
    file.set_structure(3, file.record(5))
    file.remove_field(4, next(iter(file.record(4).fields)))
    assert file.record(3).formula == file.record(5).formula and path.read_bytes() == raw
    for call in (lambda: file.record(99), lambda: file.delete(0), lambda: file.move(1, 99), lambda: file.save(path)):
        raises(chemopen.ChemopenError, call)
    file.save(folder / "edited.sdf")
    want = ["ethanol", "renamed", titles[2], titles[0]] + titles[3:6]
    assert [record.title for record in each(folder / "edited.sdf")] == want, want
    file.save()
    file.set_field(1, "AGAIN", 1)
    file.save()
    assert next(each(path)).fields["AGAIN"] == "1"
    path.write_bytes(raw)
    file.set_field(1, "LATE", 1)
    raises(chemopen.ChemopenError, file.save)
    assert path.read_bytes() == raw
    file.close()
    raises(chemopen.ChemopenError, len, file)
    raises(FileNotFoundError, chemopen.Collection, folder / "nowhere.sdf")


def versions_are_compared_and_merged():
    base, ours, theirs, out = (folder / f"{name}.sdf" for name in ("base", "ours", "theirs", "merged"))
    chemopen.write(each(VITAMINS), base)
    for path, numbers in ((ours, (1, 2)), (theirs, (2, 3))):
        path.write_bytes(base.read_bytes())
        with chemopen.Collection(path) as file:
            for number in numbers:
                file.set_field(number, "BY", path.stem)
    conflicts = chemopen.merge(base, ours, theirs, out)
    assert len(conflicts) == 1 and "BY" in conflicts[0].reason, conflicts
    merged = list(each(out))
    assert merged[0].fields["BY"] == "ours" and merged[-1].title == list(each(base))[-1].title
    raises(FileExistsError, chemopen.merge, base, ours, theirs, out)
    assert chemopen.merge(base, ours, base, out, replace=True) == [] and out.read_bytes() == ours.read_bytes()
    assert chemopen.merge(base, base, theirs) == [] and base.read_bytes() == theirs.read_bytes()
    moved = chemopen.diff(ours, theirs, key="title")
    assert {change.kind for change in moved} == {"changed"} and len(moved) == 3
    assert all(change.commit is None for change in moved)
    broken = folder / "broken.sdf"
    broken.write_bytes(ours.read_bytes().replace(b" C  ", b" C x", 1))
    _, told = warned(chemopen.diff, ours, broken)
    assert [one.category for one in told] in ([chemopen.UnreadableWarning], []), told
    raises(FileNotFoundError, chemopen.diff, ours, folder / "nowhere.sdf")
    raises(chemopen.ChemopenError, chemopen.diff, ours, theirs, key="nowhere")
    raises(chemopen.ChemopenError, chemopen.diff, ours, theirs, tolerance=-1)


def the_history_of_a_file_is_read():
    if not shutil.which("git"):
        return
    place = folder / "repository"
    place.mkdir()

    def git(*words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], cwd=place, check=True,
                       capture_output=True)

    git("init", "-q")
    path = place / "a.sdf"
    chemopen.write(each(VITAMINS), path)
    git("add", "a.sdf")
    git("commit", "-q", "-m", "first")
    with chemopen.Collection(path) as file:
        file.set_field(2, "SEEN", "yes")
    git("commit", "-q", "-a", "-m", "second")
    changes = chemopen.history(path)
    assert [change.kind for change in changes] == ["changed"] + ["inserted"] * 7
    assert changes[0].commit.message == "second" and changes[0].commit.author == "A" and changes[0].after == 2
    assert changes[0].differences == [("field SEEN", None, "yes")] and changes[0].records[1].fields["SEEN"] == "yes"
    assert len(chemopen.history(path, most=3)) == 3 and len(chemopen.history(path, record="2")) == 2
    assert chemopen.history(path, author="nobody") == []
    raises(chemopen.ChemopenError, chemopen.history, folder / "base.sdf")


def formats_and_readers_describe_themselves():
    known = {one.id: one for one in chemopen.formats()}
    assert known["sdf"].readable and known["sdf"].writable and known["sdf"].extension == "sdf" and len(known) >= 11
    reader = chemopen.read(data / "ds/columns.ds")
    next(reader)
    assert "integer" in reader.columns.values() and reader.progress[0] > 0


tests = [
    structures_are_built, a_text_must_contain_one_record, fields_are_changed, atoms_are_moved_and_keep_everything_else,
    reactions_are_read_and_built, records_are_copied_compared_and_pickled, values_are_computed, tables_have_computed_columns,
    reactions_are_in_tables, patterns_are_found, patterns_match_as_in_rdkit, records_are_written_in_one_call, tables_are_written,
    frames_are_written, polars_reads_only_what_it_needs, sources_are_paths_bytes_files_and_patterns, records_are_read_by_tasks,
    files_are_edited_in_place, versions_are_compared_and_merged, the_history_of_a_file_is_read, formats_and_readers_describe_themselves,
]
failed = 0
for test in tests:
    if os.environ.get("CHEMOPEN_KEEP_GOING"):
        try:
            test()
        except Exception:
            import traceback

            traceback.print_exc()
            failed += 1
    else:
        test()
print(f"Python {sys.version_info.major}.{sys.version_info.minor}: {len(tests) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
