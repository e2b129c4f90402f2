#!/usr/bin/env python3
"""Checks that a rewritten drawing is complete, in its own encoding, in the other one, and back.

    whole.py CHEMOPEN CORPUS [--show N]

CORPUS contains the directories cdx, cdxml and roundtrip/chemdraw. CDXML is read with Python's ElementTree and CDX with
a few lines of struct, independently of the program. Each object with its id, each property and each text run is counted
before and after:

same     CDX to CDX and CDXML to CDXML: everything is unchanged
other    CDX to CDXML: the same number of objects of each kind and of properties of each object, the same runs with the same
         letters, the same positions
back     CDX to CDXML to CDX and CDXML to CDX to CDXML: the same values
again    a second writing produces the same bytes

Reported losses are allowed. Exits with 1 if anything else is missing.
"""

import argparse
import collections
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

KINDS = {
    0x8004: "n", 0x8005: "b", 0x8006: "t", 0x8007: "graphic", 0x8017: "bracketedgroup", 0x800D: "scheme",
    0x800E: "step", 0x8021: "arrow", 0x8003: "fragment", 0x8002: "group", 0x8008: "curve", 0x8001: "page",
}
TEXT, COPY, FONTS, COLOURS, REPRESENTS, STYLES = 0x0700, 0x0709, 0x0100, 0x0300, 0x000E, (0x080A, 0x080B)


# ---------------------------------------------------------------- the binary encoding


class Stream:
    """The objects in order: tag, id, parent, properties by tag."""

    def __init__(self, data):
        if data[:8] != b"VjCD0100":
            raise ValueError("no CDX")
        declared = data[22:24] == b"\0\x80"
        at = 28 if declared or data[22:28] == bytes(6) else 22
        identifier = struct.unpack_from("<I", data, 24)[0] if declared else 0
        self.objects = [(0x8000, identifier, -1, {})]
        open_objects = [0]
        while open_objects and at + 2 <= len(data):
            (tag,) = struct.unpack_from("<H", data, at)
            at += 2
            if tag == 0:
                open_objects.pop()
            elif tag & 0x8000:
                self.objects.append((tag, struct.unpack_from("<I", data, at)[0], open_objects[-1], {}))
                open_objects.append(len(self.objects) - 1)
                at += 4
            else:
                (length,) = struct.unpack_from("<H", data, at)
                at += 2
                if length == 0xFFFF:
                    (length,) = struct.unpack_from("<I", data, at)
                    at += 4
                self.objects[open_objects[-1]][3][tag] = data[at:at + length]
                at += length


def runs(data):
    (count,) = struct.unpack_from("<H", data, 0)
    if 2 + 10 * count > len(data):
        return [], data
    styles = [struct.unpack_from("<5H", data, 2 + 10 * place) for place in range(count)]
    return styles, data[2 + 10 * count:]


def same_value(tag, old, new):
    """Returns whether two properties are equal: numbers can have different widths, line endings are CR."""
    if old == new:
        return True
    if max(len(old), len(new)) <= 4 and 3 not in (len(old), len(new)):
        return (int.from_bytes(old, "little", signed=True) if old else 1) == (
            int.from_bytes(new, "little", signed=True) if new else 1)
    if tag == FONTS:
        return old[2:] == new[2:]
    return ascii_of(old) == ascii_of(new)


def ascii_of(data):
    """Returns the ASCII letters of a text after its styles, which are compared verbatim."""
    styles, letters = runs(data) if len(data) >= 2 else ([], data)
    plain = bytes(letter for letter in letters.replace(b"\r\n", b"\r").replace(b"\n", b"\r") if 31 < letter < 128)
    return [style[1:] for style in styles], plain


# ---------------------------------------------------------------- XML

PARTS = ("s", "represent", "fonttable", "font", "colortable", "color")
DEFAULTS = {"face": "0", "color": "0", "id": "0", "font": None, "size": None}


def number(word):
    try:
        return round(float(word), 3) + 0.0
    except ValueError:
        return word.lower()


def value(text):
    return [number(word) for word in text.split()]


def tree(path):
    return list(ElementTree.parse(path).getroot().iter())


# ---------------------------------------------------------------- the checks


class Tally:
    def __init__(self):
        self.counts = collections.Counter()
        self.kept = collections.Counter()
        self.faults = []

    def see(self, question, kind, is_kept, note):
        self.counts[question, kind] += 1
        if is_kept:
            self.kept[question, kind] += 1
        else:
            self.faults.append(f"{question}: {note}")

    def add(self, other):
        self.counts.update(other.counts)
        self.kept.update(other.kept)
        self.faults += other.faults


def convert(chemopen, source, target):
    report = target + ".losses"
    done = subprocess.run([chemopen, "convert", "-f", "--rewrite", "--report", report, source, target],
                          capture_output=True, timeout=120)
    told = done.stderr.decode("utf-8", "replace")
    losses = set()
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            lost = [json.loads(line) for line in file]
        told += "".join(f"{entry.get('feature')} {entry.get('detail')}\n" for entry in lost)
        found = (re.match(r"(?:property|attribute) (\S+)", entry.get("detail", "")) for entry in lost
                 if entry.get("feature") == "unknown")
        losses = {match[1] for match in found if match}
    return done.returncode in (0, 1, 2) and os.path.exists(target), losses, told


def compare_streams(tally, question, name, old, new, told):
    old, new = Stream(old).objects, Stream(new).objects
    if [thing[:3] for thing in old] != [thing[:3] for thing in new]:
        return tally.see(question, "tree", False, f"{name}: other objects")
    for (tag, identifier, _, before), (_, _, _, after) in zip(old, new):
        kind = KINDS.get(tag, "document" if tag == 0x8000 else "other")
        tally.see(question, kind, True, "")
        for key in before:
            if key == COPY and question == "back":
                continue
            is_told = question == "back" and f"{key:04X}" in told
            is_kept = key in after and (
                before[key] == after[key] if question == "same" else same_value(key, before[key], after[key]))
            tally.see(question, f"{kind} property", is_told or is_kept, f"{name}: {key:04X} of {tag:04X} {identifier}")


def compare_trees(tally, question, name, old, new):
    old, new = tree(old), tree(new)
    if [one.tag for one in old] != [one.tag for one in new]:
        return tally.see(question, "tree", False, f"{name}: other elements")
    for one, other in zip(old, new):
        tally.see(question, one.tag, True, "")
        for key, text in one.attrib.items():
            after = other.attrib.get(key, DEFAULTS.get(key, "0" if key.endswith("Face") else None))
            is_kept = after is not None and (text == after if question == "same" else near(value(text), value(after)))
            # Base64 may contain line breaks.
            if not is_kept and key.startswith("Compressed") and after:
                is_kept = "".join(text.split()) == "".join(after.split())
            # Text size in twentieths of a point.
            if not is_kept and one.tag == "s" and key == "size":
                is_kept = abs(float(text) - float(after)) <= 0.025
            if not is_kept and one.tag in ("fonttable", "colortable"):
                is_kept = question == "back"
            if not is_kept and question == "back" and key == "id":
                is_kept = not text.isdigit() or text == "0"
            tally.see(question, f"{one.tag} attribute", is_kept, f"{name}: {one.tag} {key}={text!r} {after!r}")
        if one.tag == "s":
            text, after = one.text or "", other.text or ""
            tally.see(question, "letters of s", text.replace("\r", "\n") == after, f"{name}: {text!r} {after!r}")


def near(one, other):
    return len(one) == len(other) and all(
        a == b or isinstance(a, float) and isinstance(b, float) and abs(a - b) < 0.0021 for a, b in zip(one, other))


def compare_spellings(tally, name, data, path, told):
    objects = [thing for thing in Stream(data).objects]
    elements = [one for one in tree(path) if one.tag not in PARTS]
    known = [thing for thing in objects if thing[0] < 0x8033]
    if len(known) != len(elements):
        return tally.see("other", "tree", False, f"{name}: {len(known)} objects, {len(elements)} elements")
    for (tag, identifier, _, properties), element in zip(known, elements):
        kind = KINDS.get(tag, "document" if tag == 0x8000 else "other")
        is_kind = kind == element.tag or kind not in KINDS.values()
        is_same = is_kind and int(element.get("id", 0)) == identifier
        tally.see("other", kind, is_same, f"{name}: {tag:04X} {identifier} is {element.tag} {element.get('id')}")
        plain = [key for key in properties if key not in (TEXT, COPY, FONTS, COLOURS, REPRESENTS, *STYLES)]
        left = [key for key in plain if f"{key:04X}" in told]
        styles = [key for key in element.attrib if re.fullmatch("(Label|Caption)(Font|Size|Face|Color)", key)]
        attributes = [key for key in element.attrib if key != "id" and (key not in styles or 0x081A in plain)]
        is_whole = len(attributes) == len(plain) - len(left)
        tally.see("other", f"{kind} properties", is_whole, f"{name}: {tag:04X} {identifier}: {plain} {attributes}")
        if 0x0200 in properties and len(properties[0x0200]) == 8:
            y, x = struct.unpack("<2i", properties[0x0200])
            tally.see("other", "p", near([x / 65536, y / 65536], value(element.get("p"))), f"{name}: p of {identifier}")
        if TEXT in properties:
            count, letters = runs(properties[TEXT])
            found = [one for one in element if one.tag == "s"]
            tally.see("other", "runs", len(found) == max(1, len(count)) or not letters, f"{name}: runs of {identifier}")
            text = "".join(one.text or "" for one in found)
            plain_text = bytes(letter for letter in letters.split(b"\0")[0] if 31 < letter < 128).decode()
            shown = "".join(letter for letter in text if 31 < ord(letter) < 128)
            # A UTF-8 copy may contain characters that are question marks in the text.
            is_same = plain_text == shown or COPY in properties and "?" in plain_text
            tally.see("other", "letters", is_same, f"{name}: {plain_text!r} {shown!r}")


def look(chemopen, path):
    tally = Tally()
    name = os.path.basename(path)
    is_binary = path.endswith(".cdx")
    own, other = (".cdx", ".cdxml") if is_binary else (".cdxml", ".cdx")
    with tempfile.TemporaryDirectory() as folder:
        places = [os.path.join(folder, word) for word in ("a" + own, "b" + other, "c" + own, "d" + own, "e" + other)]
        steps = [(path, places[0]), (path, places[1]), (places[1], places[2]), (places[0], places[3]),
                 (places[2], places[4])]
        told = set()
        messages = ""
        for source, target in steps:
            is_done, losses, message = convert(chemopen, source, target)
            if not is_done:
                return name, None, messages + message
            told |= losses
            messages += message
        with open(path, "rb") as file:
            data = file.read()
        written = [open(place, "rb").read() for place in places]
        try:
            if is_binary:
                told |= set(re.findall(r"property ([0-9A-F]{4})", messages))
                compare_streams(tally, "same", name, data, written[0], set())
                compare_spellings(tally, name, data, places[1], told)
                compare_streams(tally, "back", name, data, written[2], told)
            else:
                compare_trees(tally, "same", name, path, places[0])
                compare_trees(tally, "back", name, path, places[2])
        except (ValueError, struct.error, ElementTree.ParseError) as error:
            return name, None, f"not read by this check: {error}"
        tally.see("again", "file", written[0] == written[3], f"{name}: a second writing differs")
        tally.see("again", "file across", written[1] == written[4], f"{name}: a second writing in {other} differs")
    return name, tally, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("corpus")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="number of problems to show")
    options = parser.parse_args()
    paths = []
    for folder, endings in (("cdx", (".cdx",)), ("cdxml", (".cdxml",)), ("roundtrip/chemdraw", (".cdx", ".cdxml"))):
        folder = os.path.join(options.corpus, folder)
        if os.path.isdir(folder):
            paths += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(endings)]
    if not paths:
        print("skipped: no drawings found")
        return 0
    whole = Tally()
    left = []
    with ThreadPoolExecutor(2) as pool:
        for name, tally, message in pool.map(lambda path: look(options.chemopen, path), paths):
            if tally is None:
                left.append(f"{name}: {message.strip().splitlines()[-1] if message.strip() else 'not converted'}")
            else:
                whole.add(tally)
    for question, kind in sorted(whole.counts):
        print(f"{question:6} {kind:28} {whole.kept[question, kind]:8} of {whole.counts[question, kind]}")
    print(f"{len(paths)} drawings, {len(left)} not compared")
    for line in left:
        print(f"not compared  {line[:200]}")
    for line in whole.faults[:options.show]:
        print(f"gone  {line[:200]}")
    if whole.faults:
        print(f"{len(whole.faults)} faults")
    return 1 if whole.faults else 0


if __name__ == "__main__":
    sys.exit(main())
