#!/usr/bin/env python3
"""Checks the positions of objects on a page, and that every drawing with objects has a picture.

    Tests/Viewer/pages.py .build/release/chemopen DIR...

Draws each drawing in the directories as pages (`depict --page`). This script reads the positions of texts, arrows and
shapes from the file itself and searches for them in the SVG; it reports each object that is not within one point. If a
drawing exists as CDX and as CDXML, both must give the same picture. Exits with status 1 if there is a report.
"""
import base64, collections, concurrent.futures, os, re, struct, subprocess, sys, tempfile
import xml.etree.ElementTree as ET

NEAR = 1.0

# The widths of Helvetica from the space character on, in thousandths of the size: a single letter has no width in the
# SVG.
WIDTHS = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278] + [556] * 10 + [
    278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667,
    778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
    556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584]

# --- files -------------------------------------------------------------------------------------------------------------

KINDS = {0x8000: "CDXML", 0x8001: "page", 0x8002: "group", 0x8003: "fragment", 0x8004: "n", 0x8005: "b", 0x8006: "t",
         0x8007: "graphic", 0x8008: "curve", 0x8009: "embeddedobject", 0x800A: "altgroup", 0x8011: "objecttag",
         0x8016: "table", 0x801D: "tlcplate", 0x8021: "arrow"}
GRAPHICS = ["Undefined", "Line", "Arc", "Rectangle", "Oval", "Orbital", "Bracket", "Symbol"]
POINTS = {0x0200: "p"}
POINTS3 = {0x0207: "Head3D", 0x0208: "Tail3D", 0x020D: "Center3D", 0x020E: "MajorAxisEnd3D", 0x020F: "MinorAxisEnd3D"}
BOXES = {0x0204: "BoundingBox", 0x0206: "BoundsInParent"}
NUMBERS = {0x0A00: "GraphicType", 0x0013: "SupersededBy", 0x0011: "Visible", 0x0701: "Justification",
           0x0823: "LabelJustification", 0x080C: "CaptionJustification", 0x0A33: "ArrowShaftSpacing",
           0x0A06: "BracketType", 0x0A02: "ArrowType", 0x0205: "RotationAngle", 0x0A21: "AngularSize",
           0x0A2F: "ArrowheadType", 0x0704: "LineStarts"}


class Thing:
    def __init__(self, kind, number, parent):
        self.kind, self.id, self.parent, self.said, self.children, self.text = kind, number, parent, {}, [], ""
        if parent is not None:
            parent.children.append(self)

    def within(self, kind):
        thing = self.parent
        while thing is not None:
            if thing.kind == kind:
                return thing
            thing = thing.parent
        return None

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


def text_of(data):
    if len(data) < 2:
        return data.decode("latin1")
    count = struct.unpack("<H", data[:2])[0]
    return (data[2 + 10 * count:] if 2 + 10 * count <= len(data) else data).decode("latin1")


def read_cdx(data):
    at = 22
    top = thing = Thing("CDXML", 0, None)
    if data[22:24] == b"\0\x80" or data[22:28] == b"\0" * 6:
        at = 28
    while thing is not None and at + 2 <= len(data):
        tag = struct.unpack_from("<H", data, at)[0]
        at += 2
        if tag == 0:
            thing = thing.parent
        elif tag & 0x8000:
            thing = Thing(KINDS.get(tag, hex(tag)), struct.unpack_from("<I", data, at)[0], thing)
            at += 4
        else:
            length = struct.unpack_from("<H", data, at)[0]
            at += 2
            if length == 0xFFFF:
                length = struct.unpack_from("<I", data, at)[0]
                at += 4
            value = data[at:at + length]
            at += length
            if tag in POINTS and length >= 8:
                y, x = struct.unpack("<ii", value[:8])
                thing.said[POINTS[tag]] = (x / 65536, y / 65536)
            elif tag in POINTS3 and length >= 12:
                thing.said[POINTS3[tag]] = tuple(n / 65536 for n in struct.unpack("<iii", value[:12])[:2])
            elif tag in BOXES and length >= 16:
                top_, left, bottom, right = (n / 65536 for n in struct.unpack("<iiii", value[:16]))
                thing.said[BOXES[tag]] = (left, top_, right, bottom)
            elif tag in NUMBERS:
                thing.said[NUMBERS[tag]] = int.from_bytes(value, "little", signed=True)
            elif tag == 0x0700:
                thing.text = text_of(value)
    return top


NAMES = {"Right": -1, "Left": 0, "Center": 1, "Full": 2, "Above": 3, "Below": 4, "Auto": 5, "no": 0, "yes": 1,
         "RoundPair": 0, "SquarePair": 1, "CurlyPair": 2, "Square": 3, "Curly": 4, "Round": 5}


def read_cdxml(data):
    text = data.decode("utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else None
    if text is None:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    text = re.sub(r"<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", "", text)
    text = re.sub("[\0-\x08\x0b\x0c\x0e-\x1f]", "", text)
    root = ET.fromstring(text.strip())
    if root.tag != "CDXML":
        root = root.find("CDXML")

    def make(element, parent):
        thing = Thing(element.tag, int(float(element.get("id", 0))), parent)
        for name, value in element.attrib.items():
            if name in POINTS.values() or name in POINTS3.values():
                thing.said[name] = tuple(float(word) for word in value.split()[:2])
            elif name in BOXES.values():
                thing.said[name] = tuple(float(word) for word in value.split()[:4])
            elif name == "GraphicType":
                thing.said[name] = GRAPHICS.index(value)
            elif name in NUMBERS.values():
                try:
                    thing.said[name] = NAMES[value] if value in NAMES else int(float(value.split()[0]))
                except ValueError:
                    thing.said[name] = 1
        if element.tag == "t":
            thing.text = "".join("".join(run.itertext()) for run in element.iter("s"))
        for child in element:
            if child.tag not in ("s", "fonttable", "colortable"):
                make(child, thing)
        return thing

    return make(root, None)


def read(path):
    data = open(path, "rb").read()
    if data.startswith(b"VmpDR"):
        data = base64.b64decode(b"".join(data.split()) + b"===")
    return read_cdx(data) if data.startswith(b"VjCD") else read_cdxml(data) if b"<" in data[:4096] else None


# --- positions of objects ----------------------------------------------------------------------------------------------

def is_hidden(thing):
    while thing is not None:
        if thing.said.get("Visible", 1) == 0:
            return True
        if thing.kind == "fragment" and thing.parent is not None and thing.parent.kind == "n":
            return True
        thing = thing.parent
    return False


def is_astray(text):
    """Returns whether ChemDraw computes the position of this text itself.

    For some texts of brackets, the file contains a wrong position.
    """
    box = text.parent.parent.said.get("BoundingBox")
    if text.parent.parent.kind != "graphic" or not box:
        return False
    (x, y), (left, top, right, bottom) = text.said["p"], box
    return max(min(left, right) - x, x - max(left, right), min(top, bottom) - y, y - max(top, bottom)) > 12


def things_of(document, page):
    """Returns triples: kind, name, and the expected marks."""
    arrows = {thing.id for thing in document.walk() if thing.kind in ("arrow", "curve")}
    for thing in page.walk():
        if is_hidden(thing) or thing.within("table"):
            continue
        said = thing.said
        if thing.kind == "t" and "p" in said and thing.text.strip() and not said.get("RotationAngle"):
            is_label = thing.parent.kind == "n"
            default = document.said.get("LabelJustification" if is_label else "CaptionJustification", 0)
            side = said.get("Justification", said.get("LabelJustification" if is_label else "CaptionJustification", default))
            # The file does not specify which of these lines has the position.
            if is_label and "LineStarts" in said or "\n" in thing.text[: len(thing.text) - len(thing.text.lstrip())]:
                continue
            if thing.parent.kind == "objecttag" and is_astray(thing):
                continue
            yield "text", thing.text, (said["p"], side, is_label, said.get("BoundingBox"))
        elif thing.kind == "arrow" and "Head3D" in said and "Tail3D" in said:
            yield "arrow", "arrow", ([said["Head3D"], said["Tail3D"]], said.get("ArrowShaftSpacing", 0) / 100)
        elif thing.kind == "graphic" and "BoundingBox" in said and said.get("SupersededBy") not in arrows:
            left, top, right, bottom = said["BoundingBox"]
            kind = said.get("GraphicType", 0)
            if kind == 1:
                yield ("arrow" if said.get("ArrowType") else "shape"), "line", ([(left, top), (right, bottom)], 2)
            elif kind == 3 and abs(said.get("Center3D", (0, 0))[1] - said.get("MajorAxisEnd3D", (0, 0))[1]) < 0.05:
                yield "box", "rectangle", (min(left, right), min(top, bottom), max(left, right), max(top, bottom))
            elif kind == 4 and "MajorAxisEnd3D" in said:
                yield "shape", "oval", ([said["MajorAxisEnd3D"]], 0)
            elif kind == 6:
                yield "bracket", "bracket", (left, top, right, bottom)
            elif kind == 7:
                yield "symbol", "symbol", (right, bottom)


def atoms_of(page):
    return [thing.said["p"] for thing in page.walk()
            if thing.kind == "n" and len(thing.said.get("p", ())) == 2 and not is_hidden(thing)]


# --- pictures ----------------------------------------------------------------------------------------------------------

class Drawn:
    def __init__(self, svg):
        self.letters, self.paths, self.feet = [], [], {}
        for element in ET.fromstring(svg).iter():
            tag = element.tag.split("}")[1]
            if tag == "text":
                x, y = float(element.get("x")), float(element.get("y"))
                text, size = element.text or "", float(element.get("font-size"))
                place = ord(text[:1] or " ") - 32
                width = float(element.get("textLength", 0)) or size * (
                    WIDTHS[place] if place < len(WIDTHS) else 600) / 1000
                self.letters.append((x, y, width, text))
                # Superscripts and subscripts are smaller, and above or below their line.
                self.feet[x, y] = (y, y - 0.22 * size / 0.75, y + 0.35 * size / 0.75)
            elif tag == "path":
                numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", element.get("d"))]
                self.paths.append(list(zip(numbers[::2], numbers[1::2])))
        self.points = {}
        for path in self.paths:
            for x, y in path:
                self.points.setdefault((int(x // 4), int(y // 4)), []).append((x, y))

    def has_point(self, x, y, near):
        reach = int(near // 4) + 1
        for column in range(int(x // 4) - reach, int(x // 4) + reach + 1):
            for row in range(int(y // 4) - reach, int(y // 4) + reach + 1):
                for a, b in self.points.get((column, row), ()):
                    if (a - x) ** 2 + (b - y) ** 2 <= near ** 2:
                        return True
        return False

    def offset(self, things, atoms):
        """Returns the offset of the file's positions: the most frequent one of all objects."""
        votes = collections.Counter()
        ends = {(x, y) for path in self.paths if len(path) == 2 for x, y in path}
        for a, b in atoms[:40]:
            for x, y in ends:
                votes[round(x - a), round(y - b)] += 1
        for kind, name, what in things:
            if kind == "text":
                for x, y, width, text in self.letters:
                    if text[:1] == name.lstrip()[:1]:
                        same = 1 + 4 * (text.strip() == name.split("\r")[0].split("\n")[0].strip())
                        x += {-1: width, 1: width / 2}.get(what[1], 0)
                        votes[round(x - what[0][0]), round(y - what[0][1])] += same
            elif kind in ("arrow", "shape"):
                for a, b in what[0]:
                    for path in self.paths:
                        for x, y in (path[0], path[-1]) if len(path) == 2 else path[:1]:
                            votes[round(x - a), round(y - b)] += 1
            elif kind == "box":
                for path in self.paths:
                    votes[round(min(x for x, _ in path) - what[0]), round(min(y for _, y in path) - what[1])] += 1
        best, most = (0, 0), 0
        for x, y in votes:
            near = sum(votes.get((x + a, y + b), 0) for a in (-1, 0, 1) for b in (-1, 0, 1)) + votes[x, y] / 1000
            if near > most:
                best, most = (x, y), near
        # The exact offset: the median of the nearby texts and points.
        xs, ys = [], []
        for a, b in atoms[:40]:
            for x, y in ends:
                if abs(x - a - best[0]) < 1.5 and abs(y - b - best[1]) < 1.5:
                    xs.append(x - a)
                    ys.append(y - b)
        for kind, name, what in things:
            if kind == "text" and what[1] == 0:
                for x, y, width, text in self.letters:
                    a, b = x - what[0][0], y - what[0][1]
                    if text[:1] == name.lstrip()[:1] and abs(a - best[0]) < 1.5 and abs(b - best[1]) < 1.5:
                        xs.append(a)
                        ys.append(b)
            elif kind in ("arrow", "shape") and not what[1]:
                for a, b in what[0]:
                    for path in self.paths:
                        for x, y in path[:4]:
                            if abs(x - a - best[0]) < 1.5 and abs(y - b - best[1]) < 1.5:
                                xs.append(x - a)
                                ys.append(y - b)
        if not xs:
            return best
        return sorted(xs)[len(xs) // 2], sorted(ys)[len(ys) // 2]

    def lines(self):
        """Returns sequences of letters: their start and end, line, and text."""
        lines = []
        for x, y, width, text in self.letters:
            # A single letter can be slightly wider or narrower than estimated.
            if lines and abs(lines[-1][1] - x) < (0.06 if lines[-1][5] > 1 else 2.5) and abs(lines[-1][2] - y) < 8:
                lines[-1][1], lines[-1][5] = x + width, len(text)
                lines[-1][3] += text
                lines[-1][4] += self.feet[x, y]
            else:
                lines.append([x, x + width, y, text, list(self.feet[x, y]), len(text)])
        return lines

    def shows(self, kind, name, what, offset):
        dx, dy = offset
        if kind == "text":
            (x, y), side, is_label, box = what
            x, y = x + dx, y + dy
            letters = {c for c in name if c.isascii() and c.isalnum()}
            if side not in (-1, 1):
                for left, line, _, text in self.letters:
                    same = not letters or letters & set(text) or text[:1] == name.lstrip()[:1] or not text.isascii()
                    if same and abs(left - x) <= NEAR and any(abs(foot - y) <= NEAR for foot in self.feet[left, line]):
                        return True
                return False
            for left, right, _, text, feet, last in self.all_lines:
                if not any(abs(foot - y) <= NEAR for foot in feet):
                    continue
                if letters and not (letters & set(text)):
                    continue
                place = right if side == -1 else (left + right) / 2 if side == 1 else left
                if abs(place - x) <= NEAR + (0.6 if last == 1 and side else 0):
                    return True
                if side == -1 and box and abs(right - box[2] - dx) <= NEAR + 0.6:
                    return True
            return False
        if kind in ("arrow", "shape"):
            points, more = what
            return all(self.has_point(x + dx, y + dy, NEAR + more) for x, y in points)
        if kind == "box":
            for path in self.paths:
                box = (min(x for x, _ in path), min(y for _, y in path), max(x for x, _ in path), max(y for _, y in path))
                if all(abs(a - b - d) <= NEAR for a, b, d in zip(box, what, (dx, dy, dx, dy))):
                    return True
            return False
        if kind == "bracket":
            left, top, right, bottom = what
            for path in self.paths:
                ys = [y - dy for _, y in path]
                xs = [x - dx for x, _ in path]
                if abs(min(ys) - min(top, bottom)) <= NEAR and abs(max(ys) - max(top, bottom)) <= NEAR and (
                        min(xs) - 8 <= left <= max(xs) + 8):
                    return True
                if abs(left - right) > 1 and abs(top - bottom) > 1 and self.has_point(
                        (left + right) / 2 + dx, (top + bottom) / 2 + dy, abs(top - bottom)):
                    return True
                if abs(top - bottom) < abs(left - right) and abs(min(xs) - min(left, right)) <= NEAR:
                    return True
            return False
        x, y = what[0] + dx, what[1] + dy
        return self.has_point(x, y, 9) or any(abs(a + w / 2 - x) < 9 and abs(b - y) < 12 for a, b, w, _ in self.letters)


# --- files -------------------------------------------------------------------------------------------------------------

def draw(program, path, number):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "a.svg")
        chosen = ["--records", str(number)] if number else []
        run = subprocess.run([program, "depict", "--page", *chosen, path, "-O", out],
                             capture_output=True, text=True, timeout=300)
        svg = open(out).read() if os.path.exists(out) else None
        return svg, run.returncode, run.stderr


def check(program, path):
    """Returns the problems, the number of checked objects, and whether there is a picture."""
    told, counts = [], collections.Counter()
    try:
        document = read(path)
    except Exception as error:  # for a file that this script cannot read, only the existence of a picture is checked
        document, told = None, []
        counts["unread"] += 1
    pages = [child for child in document.children if child.kind == "page"] if document else []
    svgs = []
    for number in range(1, max(1, len(pages)) + 1):
        svg, status, words = draw(program, path, number if len(pages) > 1 else 0)
        svgs.append(svg)
        if status < 0 or status > 5:
            told.append(f"status {status}")
        things = list(things_of(document, pages[number - 1])) if pages else []
        atoms = any(t.kind == "n" and not is_hidden(t) for t in (pages[number - 1].walk() if pages else []))
        if svg is None:
            counts["empty"] += 1
            if things or atoms:
                told.append(f"page {number} has no picture: {words.strip()[:100]}")
            continue
        counts["pages"] += 1
        drawn = Drawn(svg)
        drawn.all_lines = drawn.lines()
        offset = drawn.offset(things, atoms_of(pages[number - 1]) if pages else [])
        for kind, name, what in things:
            counts[kind] += 1
            if not drawn.shows(kind, name, what, offset):
                counts["missed " + kind] += 1
                told.append(f"{kind} {name[:30]!r} is not at {what}"[:140])
    return told, counts, svgs


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    if not program or not folders:
        sys.exit(__doc__)
    paths = []
    for folder in folders:
        if not os.path.isdir(folder):
            print(f"pages: {folder} does not exist; skipped")
            continue
        paths += [os.path.join(at, name) for at, _, names in os.walk(folder) if "bad" not in at for name in sorted(names)
                  if name.endswith((".cdx", ".cdxml"))]
    counts, wrong, pictures = collections.Counter(), 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (told, seen, svgs) in zip(paths, pool.map(lambda path: check(program, path), paths)):
            counts.update(seen)
            pictures[path] = svgs
            for line in told[:3]:
                print(f"{path}: {line}")
            if len(told) > 3:
                print(f"{path}: and {len(told) - 3} more")
            wrong += bool(told)
    for path, svgs in pictures.items():
        other = path[:-4] + ".cdxml"
        if path.endswith(".cdx") and other in pictures:
            counts["pairs"] += 1
            counts["pairs alike"] += alike(svgs, pictures[other])
    print(f"{len(paths)} drawings, {wrong} with problems: "
          + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    sys.exit(1 if wrong else 0)


def alike(one, other):
    """Returns whether two lists of pictures have the same marks, except for the last digit of their positions."""
    def shape(svg):
        return None if svg is None else [re.sub(r"-?\d+(?:\.\d+)?", "0", line) for line in svg.splitlines()]
    return [shape(svg) for svg in one] == [shape(svg) for svg in other]


if __name__ == "__main__":
    main()
