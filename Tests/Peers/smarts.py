#!/usr/bin/env python3
"""Compares `chemopen grep` with RDKit: every pattern with every record of SD files.

    smarts.py CHEMOPEN FILE_OR_DIR... [--patterns N] [--verbose]

The patterns are those that RDKit contains (functional groups, BRENK, NIH, PAINS and ZINC alerts), read from the
installed package, and some for each primitive. A pair of a pattern and a record counts if both programs can read both.
Fails if less than 99.9 % of all pairs agree, or less than 99.5 % of those that either program finds.
"""

import argparse
import glob
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from rdkit import Chem, RDConfig, RDLogger
from rdkit.Chem import FilterCatalog

PRIMITIVES = """
* A a [#6] [#7] [#1] C c N n O o S s P F Cl Br I [Si] [B] [Na] [Fe] [se] [#34]
[D1] [D2] [D3] [D4] [D] [H] [H0] [H1] [H2] [H3] [CH3] [h] [h1] [h0] [R] [R0] [R1] [R2] [R3] [r] [r3] [r4] [r5] [r6] [r7]
[r8] [v1] [v2] [v3] [v4] [v5] [v6] [X1] [X2] [X3] [X4] [x] [x0] [x2] [x3] [x4] [+] [-] [+2] [--] [+0] [13C] [2H] [!#6]
[^1] [^2] [^3] [!C;!c] [C,N] [C,N;H1] [C&H2] [#6;R;!a] [d2] [d3] [z1] [z2] [Z1] [k5] [k6] [D{2-3}] [H{1-}] [r{5-6}]
C-C C=C C#C C:C C~C C@C C!@C c-c c:c c~n C-,=C C!-C *~*~* *@*@* C=!@C [R]~[!R] C1CC1 C1CCC1 C1CCCC1 C1CCCCC1 c1ccccc1
c1ccncc1 [nH] [n;H0] n1cccc1 o1cccc1 s1cccc1 c1ccc2ccccc2c1 C1=CCCCC1 [#7]1~[#6]~[#6]~[#6]~[#6]1 [N+](=O)[O-] N=[N+]=[N-]
[$(C=O)] [$([OH]C=O)] [!$(C=O);#6] [$(a(a)(a)a)] [N;!$(NC=O);!$(N~[!#6;!#1])] [$([#6]~[$([#7]~[#6])])] C(=O)N C(=O)[O-]
C(=O)[OH] [CX3]=[OX1] [OX2H][CX4] [SX2] [SX4](=O)(=O) S(=O)(=O)N P(=O)(O)O C(F)(F)F [#16]-[#16] OO NN [C;X4;H0] C.C
[Na+].[Cl-] (C).(C) [O-].[Na+] CCCCCCCC c1ccccc1.c1ccccc1 [a;r5] [a;r6;#7] [R2]:[R2] c1ccccc1-c1ccccc1
[#6]-[#7]-[#6] [C;r3] [O;r3]1CC1 C1OC1 [#8]=[#6]-[#6]=[#8] [!#1;!#6;!#7;!#8] [F,Cl,Br,I] [Cl,Br,I]-c N#C [C-]#[N+] [O;D1]
[a]!:[a] [c;D3](:c):c A~A~A A=A-A=A *=* *#* [*;R]@[*;R]@[*;R] [CH2][CH2] [NX3;H2] [NX3;H1] [NX3;H0] [OX1] [OX2] [n+] [nX3]
""".split()


def patterns():
    found = dict.fromkeys(PRIMITIVES)
    path = os.path.join(RDConfig.RDDataDir, "FunctionalGroups.txt")
    for line in open(path, encoding="latin-1"):
        if line.strip() and not line.startswith("//"):
            found.setdefault(line.split("\t")[1].strip() if "\t" in line else "")
    path = os.path.join(RDConfig.RDDataDir, "Functional_Group_Hierarchy.txt")
    for line in open(path, encoding="latin-1"):
        words = line.strip().split("\t")
        if len(words) > 1 and not line.startswith("//"):
            found.setdefault(words[1].strip())
    kinds = FilterCatalog.FilterCatalogParams.FilterCatalogs
    for kind in (kinds.BRENK, kinds.NIH, kinds.ZINC, kinds.PAINS_A, kinds.PAINS_B, kinds.PAINS_C):
        params = FilterCatalog.FilterCatalogParams()
        params.AddCatalog(kind)
        catalog = FilterCatalog.FilterCatalog(params)
        for index in range(catalog.GetNumEntries()):
            serial = catalog.GetEntryWithIdx(index).Serialize()
            for smarts in smarts_in(serial):
                found.setdefault(smarts)
    return [p for p in found if p]


def smarts_in(serial):
    """Returns the patterns of a catalog entry, which are stored as pickled molecules."""
    start = serial.find(b"\xef\xbe\xad\xde")
    while start >= 0:
        try:
            yield Chem.MolToSmarts(Chem.Mol(serial[start:]))
        except Exception:
            pass
        start = serial.find(b"\xef\xbe\xad\xde", start + 4)


def ours(program, pattern, path):
    run = subprocess.run([program, "grep", "-n", "--", pattern, path], capture_output=True)
    if run.returncode not in (0, 1):
        return run.stderr.decode(errors="replace")
    return {int(line.split(b":", 1)[0]) for line in run.stdout.splitlines() if line[:1].isdigit()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--patterns", type=int, default=0, help="test only this number of patterns, evenly distributed")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    with tempfile.TemporaryDirectory() as folder:
        return compare(arguments, one_file(arguments, folder))


def one_file(arguments, folder):
    """Joins all records of all files."""
    sources = []
    for source in arguments.sources:
        if os.path.isdir(source):
            sources += sorted(glob.glob(os.path.join(source, "**", "*.sdf"), recursive=True))
        else:
            sources.append(source)
    path = os.path.join(folder, "all.sdf")
    subprocess.run([arguments.program, "convert", *sources, path], stderr=subprocess.DEVNULL, check=False)
    return path


def compare(arguments, path):
    chosen = patterns()
    if arguments.patterns and arguments.patterns < len(chosen):
        step = len(chosen) / arguments.patterns
        chosen = [chosen[int(place * step)] for place in range(arguments.patterns)]
    readable = ours(arguments.program, "*", path)
    molecules = {
        number: molecule
        for number, molecule in enumerate(Chem.SDMolSupplier(path), 1)
        if molecule is not None and number in readable
    }
    pairs = wrong = either = refused = 0
    worst = []
    queries = [(pattern, Chem.MolFromSmarts(pattern)) for pattern in chosen]
    queries = [(pattern, query) for pattern, query in queries if query is not None]
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda item: ours(arguments.program, item[0], path), queries)
    for (pattern, query), found in zip(queries, answers):
        if isinstance(found, str):
            refused += 1
            print(f"refused: {pattern}\n{found}")
            continue
        theirs = {number for number, molecule in molecules.items() if molecule.HasSubstructMatch(query)}
        found &= molecules.keys()
        pairs += len(molecules)
        either += len(theirs | found)
        differing = theirs ^ found
        wrong += len(differing)
        if differing:
            extra, missing = sorted(found - theirs), sorted(theirs - found)
            worst.append((len(differing), pattern, extra[:5], missing[:5]))
    worst.sort(reverse=True)
    for count, pattern, extra, missing in worst[: None if arguments.verbose else 15]:
        print(f"{count} differ: {pattern}  only ours {extra}  only RDKit's {missing}")
    agreed = 1 - wrong / max(1, pairs)
    hits = 1 - wrong / max(1, either)
    print(f"{len(queries)} patterns, {len(molecules)} molecules: {agreed:.4%} of {pairs} pairs agree,")
    print(f"{hits:.4%} of {either} that either program finds; {refused} patterns rejected")
    return 0 if agreed >= 0.999 and hits >= 0.995 and refused == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
