#!/usr/bin/env python3
"""Checks that each line of `chemopen help obabel` does the same as obabel.

    obabel.py CHEMOPEN OBABEL [SDFILE]

Runs both programs on a few records of our own, or on the records of SDFILE that both read, and compares the output:
titles, or the canonical SMILES that obabel computes for both. Every line of the page must have a check here. Options
that are not supported must be rejected by name.
"""

import os
import re
import subprocess
import sys
import tempfile

RECORDS = [
    ("acid", "CC(=O)O", 4), ("alanine", "C[C@H](N)C(=O)O", 12), ("phenol", "Oc1ccccc1", 3), ("ester", "CCOC(C)=O", 7),
    ("ethanol", "CCO", 1), ("pyridine", "c1ccncc1", 5), ("trans", "F/C=C/F", 9), ("benzoic", "OC(=O)c1ccccc1", 2),
    ("amine", "CCN", 8), ("salt", "[Na+].[Cl-]", 20), ("octane", "CCCCCCCC", 6),
]


class Desk:
    """A directory with access to both programs."""

    def __init__(self, chemopen, obabel, folder):
        self.chemopen, self.obabel, self.folder = os.path.abspath(chemopen), os.path.abspath(obabel), folder

    def run(self, program, words):
        return subprocess.run([program, *words], cwd=self.folder, capture_output=True, text=True, errors="replace")

    def ours(self, *words):
        return self.run(self.chemopen, words)

    def theirs(self, *words):
        return self.run(self.obabel, words)

    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="latin-1") as file:
            return file.read()

    def titles(self, name):
        return [record.split("\n")[0] for record in self.text(name).split("$$$$\n") if record.strip()]

    def smiles(self, name, kind):
        """Returns obabel's output for a file: canonical SMILES with titles."""
        return self.theirs("-i" + kind, name, "-ocan").stdout.split("\n")


def whole(desk):
    desk.theirs("a.sdf", "-O", "theirs.sdf")
    desk.ours("convert", "a.sdf", "ours.sdf")
    desk.ours("convert", "a.sdf", "-O", "again.sdf")
    return desk.smiles("theirs.sdf", "sdf") == desk.smiles("ours.sdf", "sdf") == desk.smiles("again.sdf", "sdf")


def formats_of_content(desk):
    os.link(os.path.join(desk.folder, "a.sdf"), os.path.join(desk.folder, "a.txt"))
    desk.theirs("-isdf", "a.txt", "-osmi", "-O", "theirs.out")
    desk.ours("convert", "a.txt", "-osmi", "-O", "ours.out")
    named = desk.ours("convert", "-isdf", "a.txt", "-osmi", "-O", "named.out")
    return named.status_is_fine and desk.smiles("theirs.out", "smi") == desk.smiles("ours.out", "smi") == desk.smiles("named.out", "smi")


def canonical(desk):
    desk.theirs("a.sdf", "-ocan", "-O", "theirs.can")
    desk.ours("convert", "a.sdf", "-osmi", "--canonical", "-O", "ours.can")
    return desk.smiles("theirs.can", "smi") == desk.smiles("ours.can", "smi")


def records(first, last, words):
    def check(desk):
        desk.theirs("a.sdf", "-O", "theirs.sdf", *words)
        desk.ours("convert", "a.sdf", "ours.sdf", "--records", f"{first}-{last}", "-f")
        return desk.titles("theirs.sdf") == desk.titles("ours.sdf")
    return check


def split(desk):
    desk.theirs("a.sdf", "-O", "part.mol", "-m")
    desk.ours("convert", "--split", "parts", "--to", "mol", "a.sdf")
    number = lambda name: int(re.findall(r"\d+", name)[-1])
    theirs = sorted((name for name in os.listdir(desk.folder) if re.fullmatch(r"part\d+\.mol", name)), key=number)
    ours = sorted(os.listdir(os.path.join(desk.folder, "parts")), key=number)
    return len(ours) == len(theirs) == len(RECORDS) and all(
        desk.smiles(one, "mol") == desk.smiles("parts/" + other, "mol") for one, other in zip(theirs, ours))


def condition(desk):
    same = True
    for theirs, ours in [("logP<5", "logP < 5"), ("MW<80", "mass < 80"), ("atoms>9", "heavy > 9")]:
        # If a file has a field with that name, obabel uses it instead of the computed value.
        desk.theirs("a.sdf", "-O", "theirs.sdf", "--filter", theirs)
        desk.ours("convert", "-f", "--where", ours, "a.sdf", "ours.sdf")
        if desk.titles("theirs.sdf") != desk.titles("ours.sdf"):
            print(f"  {theirs}: {desk.titles('theirs.sdf')}, here {desk.titles('ours.sdf')}")
            same = False
    return same


def structure(desk):
    desk.theirs("a.sdf", "-O", "theirs.sdf", "-s", "C(=O)O")
    desk.ours("convert", "-f", "--smarts", "C(=O)O", "a.sdf", "ours.sdf")
    with open(os.path.join(desk.folder, "found.sdf"), "w", encoding="latin-1") as file:
        file.write(desk.ours("grep", "C(=O)O", "a.sdf").stdout)
    return desk.titles("theirs.sdf") == desk.titles("ours.sdf") == desk.titles("found.sdf")


def others(desk):
    desk.theirs("a.sdf", "-O", "theirs.sdf", "-v", "C(=O)O")
    with open(os.path.join(desk.folder, "ours.sdf"), "w", encoding="latin-1") as file:
        file.write(desk.ours("grep", "-v", "C(=O)O", "a.sdf").stdout)
    return desk.titles("theirs.sdf") == desk.titles("ours.sdf")


def layout(desk):
    desk.theirs("a.smi", "-O", "theirs.sdf", "--gen2D")
    desk.ours("convert", "-f", "--layout", "a.smi", "ours.sdf")
    return desk.smiles("theirs.sdf", "sdf") == desk.smiles("ours.sdf", "sdf") and desk.text("ours.sdf").count(" 2D\n") > 0


def errors(desk):
    lines = desk.text("a.sdf").split("$$$$\n")
    lines[2] = re.sub(r"^.*V2000$", "nothing like a table", lines[2], flags=re.M)
    with open(os.path.join(desk.folder, "broken.sdf"), "w", encoding="latin-1") as file:
        file.write("$$$$\n".join(lines))
    desk.theirs("broken.sdf", "-O", "theirs.sdf", "-e")
    desk.ours("convert", "-f", "broken.sdf", "ours.sdf")
    stopped = desk.ours("convert", "-f", "--on-error", "stop", "broken.sdf", "stopped.sdf")
    # obabel reads such a record as a molecule without atoms.
    records = desk.text("theirs.sdf").split("$$$$\n")
    theirs = [record.split("\n")[0] for record in records if not re.search("^  0  0  0", record, re.M) and record.strip()]
    return theirs == desk.titles("ours.sdf") and stopped.returncode != 0


def v3000(desk):
    desk.theirs("a.sdf", "-O", "theirs.sdf", "-x3")
    desk.ours("convert", "-f", "--v3000", "a.sdf", "ours.sdf")
    plain = desk.ours("convert", "-f", "--rewrite", "a.sdf", "plain.sdf")
    return plain.returncode == 0 and desk.smiles("theirs.sdf", "sdf") == desk.smiles("ours.sdf", "sdf") and (
        desk.text("theirs.sdf").count("V3000") == desk.text("ours.sdf").count("V3000") == len(RECORDS)
        and "V3000" not in desk.text("plain.sdf"))


def listing(desk):
    theirs = desk.theirs("-L", "formats").stdout
    ours = desk.ours("formats").stdout
    return all(re.search(rf"^{name}\b", theirs, re.M) and re.search(rf"^{name}\b", ours, re.M)
               for name in ["mol", "sdf", "smi", "rxn", "cdx", "cdxml"])


def picture(desk):
    desk.theirs("part1.mol", "-O", "theirs.svg")
    desk.ours("depict", "-f", "part1.mol", "-O", "ours.svg")
    return all("<svg" in desk.text(name) and ">acid<" in desk.text(name) for name in ["theirs.svg", "ours.svg"])


def typed(desk):
    desk.theirs("-:CCO", "-O", "theirs.sdf")
    desk.run("/bin/sh", ["-c", f"echo CCO | '{desk.chemopen}' convert -f --from smi - ours.sdf"])
    return "V2000" in desk.text("theirs.sdf") and desk.smiles("theirs.sdf", "sdf") == desk.smiles("ours.sdf", "sdf")


def refused(*options):
    def check(desk):
        same = True
        for option in options:
            answer = desk.ours("convert", option, "x", "a.sdf", "none.sdf")
            if answer.returncode != 2 or f"obabel's {option}" not in answer.stderr:
                print(f"  {option}: {answer.returncode} {answer.stderr.strip()}")
                same = False
        return same
    return check


CHECKS = {
    '-:"CCO"': typed,
    "obabel a.mol -O b.sdf": whole,
    "-isdf, -osmi": formats_of_content,
    "-ocan": canonical,
    "-f 5 -l 9": records(5, 9, ["-f", "5", "-l", "9"]),
    "-l 9": records(1, 9, ["-l", "9"]),
    "-m": split,
    '--filter "logP<5"': condition,
    "--title, --append, --property": refused("--title", "--append", "--property"),
    '-s "C(=O)O"': structure,
    '-v "C(=O)O"': others,
    "-d": refused("-d"),
    "-h, -p 7.4": refused("-p"),
    "--gen2D": layout,
    "-c, --gen3D": refused("-c", "--gen3D"),
    "-e": errors,
    "-x3": v3000,
    "-xt, -aa and so on": refused("-x", "-a"),
    "-r": refused("-r"),
    "--unique, --sort": refused("--unique", "--sort"),
    "-L formats": listing,
    "obabel a.mol -O a.svg": picture,
}


def main():
    subprocess.CompletedProcess.status_is_fine = property(lambda self: self.returncode == 0)
    chemopen, obabel = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(chemopen, obabel, folder)
        with open(os.path.join(folder, "a.smi"), "w", encoding="utf-8") as file:
            for name, smiles, _ in RECORDS:
                file.write(f"{smiles}\t{name}\n")
        made = desk.theirs("a.smi", "-O", "made.sdf", "--gen2D")
        if made.returncode != 0:
            sys.exit(f"obabel writes no test records: {made.stderr}")
        parts = desk.text("made.sdf").split("$$$$\n")[:len(RECORDS)]
        with open(os.path.join(folder, "a.sdf"), "w", encoding="latin-1") as file:
            for part, (_, _, value) in zip(parts, RECORDS):
                file.write(f"{part}> <logP>\n{value}\n\n$$$$\n")
        page = desk.ours("help", "obabel").stdout
        rows = [re.split(r" {2,}", line.strip())[0] for line in page.split("\n") if line.startswith("  ")]
        wrong = [row for row in rows if row not in CHECKS] + [row for row in CHECKS if row not in rows]
        for row in wrong:
            print(f"{row}: either not on the page or not among the checks")
        for row in rows:
            if row in CHECKS and not CHECKS[row](desk):
                print(f"{row}: obabel behaves differently")
                wrong.append(row)
        print(f"{len(rows)} lines of the page, {len(wrong)} wrong")
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
