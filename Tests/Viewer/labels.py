#!/usr/bin/env python3
"""Checks whether labels of our drawings overlap bonds or each other.

    Tests/Viewer/labels.py .build/release/chemopen FILE... [--records N] [--shares BOND LABEL] [--show N]

Writes the first N records of the files (1,000) as CDXML, page by page, and draws them as pages (`depict --page`). Each
letter of the SVG has a box. A label overlaps a bond if a line of a bond crosses a box, and another label if boxes of
two atoms overlap. Overlaps that the structure causes (atoms nearer than half a bond, bonds across atoms) are counted
separately, because no side of the atom is free. Exits with 1 if more than these shares of records have a label on a
bond, or on another label.
"""
import argparse, os, re, subprocess, sys, tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

SVG = "{http://www.w3.org/2000/svg}"
# The widths of Helvetica's capitals and digits, in thousandths of the font size.
WIDTHS = {"I": 278, "M": 833, "W": 944, "i": 222, "l": 222, "t": 278, "f": 278, "r": 333, "m": 833, "+": 584, "-": 333}
CHUNK = 20


def convert(program, source, target, records):
    command = [program, "convert", "--force", "--records", records, source, target]
    return subprocess.run(command, capture_output=True, timeout=120).returncode


def letters_of(svg):
    """Returns the bounding boxes of the letters on a page, and the lines."""
    texts, lines = [], []
    for element in ET.fromstring(svg).iter():
        if element.tag == SVG + "text" and element.text:
            size = float(element.get("font-size"))
            x, y, text = float(element.get("x")), float(element.get("y")), element.text
            stated = element.get("textLength")
            widths = [WIDTHS.get(letter, 556 if letter.islower() or letter.isdigit() else 700) * size / 1000 for letter in text]
            stretch = float(stated) / sum(widths) if stated else 1
            for letter, width in zip(text, widths):
                high = 0.72 if not letter.islower() or letter in "bdfhklt" else 0.53
                # The ink is slightly smaller than the box of the letter.
                texts.append((x + 0.08 * size, y - high * size, x + width * stretch - 0.08 * size, y, text))
                x += width * stretch
        elif element.tag == SVG + "path" and element.get("stroke"):
            # A path with corners is a bracket.
            points = re.findall(r"[ML]([-\d.]+) ([-\d.]+)", element.get("d", ""))
            if len(points) == 2:
                lines.append(tuple((float(x), float(y)) for x, y in points))
    return texts, lines


def crosses(line, box):
    """Returns whether a line crosses the ellipse of a letter: the corners of its box are empty."""
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    half = ((box[2] - box[0]) / 2, (box[3] - box[1]) / 2)
    ends = [tuple((p - m) / h for p, m, h in zip(point, middle, half)) for point in line]
    return distance((0, 0), *ends) < 0.85


class Page:
    """Returns the fragments of a page that we wrote: their boxes, labels, atoms and bonds."""

    def __init__(self, path):
        self.fragments = []
        for fragment in ET.parse(path).getroot().iter("fragment"):
            atoms = {n.get("id"): tuple(map(float, n.get("p").split())) for n in fragment.iter("n") if n.get("p")}
            labels = {n.get("id"): "".join(n.find("t").itertext()).strip() for n in fragment.iter("n") if n.find("t") is not None}
            bonds = [(b.get("B"), b.get("E")) for b in fragment.iter("b")]
            self.fragments.append((fragment.get("id"), atoms, bonds, labels))

    def crowded(self, atoms, bonds, labels):
        """Returns whether two atoms are nearer than half a bond, or a bond crosses an atom or bond that is not connected to it."""
        places = list(atoms.values())
        lines = [(atoms[b], atoms[e], b, e) for b, e in bonds if b in atoms and e in atoms]
        for index, (x, y) in enumerate(places):
            if any(abs(x - u) + abs(y - v) < 7 for u, v in places[:index]):
                return True
        written = [(*atoms[name], len(label)) for name, label in labels.items() if name in atoms]
        for index, (x, y, size) in enumerate(written):
            for u, v, width in written[:index]:
                # Charges and digits are not moved to avoid overlaps: 7 points for each letter.
                if abs(y - v) < 9 and abs(x - u) < 4 + 3.5 * max(size, width):
                    return True
        for one, other, begin, end in lines:
            for name, (x, y) in atoms.items():
                if name not in (begin, end) and distance((x, y), one, other) < 5:
                    return True
        return False


def distance(point, one, other):
    (x, y), (a, b), (c, d) = point, one, other
    length = (c - a) ** 2 + (d - b) ** 2
    along = max(0, min(1, ((x - a) * (c - a) + (y - b) * (d - b)) / length)) if length else 0
    return ((x - a - along * (c - a)) ** 2 + (y - b - along * (d - b)) ** 2) ** 0.5


def look(program, source, records, folder):
    """Returns the number of records in a chunk, and the problems of each."""
    page, picture = os.path.join(folder, "a.cdxml"), os.path.join(folder, "a.svg")
    for path in (page, picture):
        if os.path.exists(path):
            os.remove(path)
    convert(program, source, page, records)
    subprocess.run([program, "depict", "--page", "--force", page, "-O", picture], capture_output=True, timeout=120)
    if not os.path.exists(picture):
        return 0, []
    texts, lines = letters_of(open(picture, encoding="utf-8").read())
    drawn = Page(page)
    shift = offset(texts, drawn, page)
    faults = []
    for number, atoms, bonds, labels in drawn.fragments:
        if not atoms or shift is None:
            continue
        xs, ys = [x - shift[0] for x, _ in atoms.values()], [y - shift[1] for _, y in atoms.values()]
        box = (min(xs) - 30, min(ys) - 12, max(xs) + 30, max(ys) + 9)
        inside = [t for t in texts if t[0] > box[0] and t[2] < box[2] and t[1] > box[1] and t[3] < box[3] and len(t[4]) < 12]
        near = [l for l in lines if all(box[0] < x < box[2] and box[1] < y < box[3] for x, y in l)]
        kind = "crowded" if drawn.crowded(atoms, bonds, labels) else ""
        for text in inside:
            if any(crosses(line, text) for line in near):
                faults.append((number, kind or "bond", text))
                break
        for index, text in enumerate(inside):
            if any(overlap(text, other) for other in inside[:index]):
                faults.append((number, kind or "label", text))
                break
    return len(drawn.fragments), faults


def overlap(one, other):
    return min(one[2], other[2]) - max(one[0], other[0]) > 0.8 and min(one[3], other[3]) - max(one[1], other[1]) > 0.8


def offset(texts, drawn, page):
    """Returns the offset of the picture relative to the file, by searching for the file's first label among the
    letters."""
    for text in ET.parse(page).getroot().iter("t"):
        place, run = text.get("p"), "".join(text.itertext()).strip()
        if place and run and text.get("Justification") is None:
            x, y = map(float, place.split())
            found = [t for t in texts if run.startswith(t[4])]
            if found:
                return x - (found[0][0] - 0.8), y - found[0][3]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--shares", nargs=2, type=float, default=(0, 0))
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    seen, told = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files:
            first = 1
            while seen < options.records:
                wanted = min(CHUNK, options.records - seen)
                count, faults = look(program, path, "%d-%d" % (first, first + wanted - 1), folder)
                told += [(path, first, *fault) for fault in faults]
                seen += count
                first += wanted
                if count == 0:
                    break
    kinds = {kind: sum(1 for fault in told if fault[3] == kind) for kind in ("bond", "label", "crowded")}
    for path, first, number, kind, text in told[: options.show]:
        print("  %s: records from %d: fragment %s: %s: %s" % (path, first, number, kind, text))
    print("%d records: a label on a bond in %d, on another label in %d; caused by the structure itself %d"
          % (seen, kinds["bond"], kinds["label"], kinds["crowded"]))
    shares = [100 * kinds[kind] / max(1, seen) for kind in ("bond", "label")]
    return 1 if seen == 0 or any(share > most for share, most in zip(shares, options.shares)) else 0


if __name__ == "__main__":
    sys.exit(main())
