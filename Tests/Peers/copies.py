#!/usr/bin/env python3
"""Checks that a copy is identical: each file of a writable format, converted to its own format, has the same bytes.

    Tests/Peers/copies.py CHEMOPEN DIR... [--known FILE] [--show N]

Each file is tested with the line endings LF, CRLF and CR, with and without its last line ending. Each variant is
converted without options, with `--records` and `--where` that select every record, with `-j 2`, gzipped, and from
standard input. Files that a plain conversion rejects, or from which it drops an unreadable record, are skipped and
counted.
"""
import argparse
import concurrent.futures
import gzip
import json
import os
import subprocess
import sys
import tempfile
import zlib

# The ids of the writable formats, by extension.
FORMATS = {}


def ask_formats(chemopen):
    listed = subprocess.run([chemopen, "formats", "--json"], capture_output=True, check=True).stdout
    for line in listed.splitlines():
        found = json.loads(line)
        if found["writes"]:
            FORMATS.update((extension, found["id"]) for extension in found["extensions"])


def variants(data):
    plain = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    yield "as it is", data
    for name, end in (("LF", b"\n"), ("CRLF", b"\r\n"), ("CR", b"\r")):
        text = plain.replace(b"\n", end)
        yield name, text
        if text.endswith(end):
            yield name + " without its last line end", text[: -len(end)]


def modes():
    yield "plainly", [], None
    yield "--records", ["--records", "1-1000000"], None
    yield "--where", ["--where", "mass > 0 or record > 0"], None
    yield "-j 2", ["-j", "2"], None
    yield "gzipped", [], "gz"
    yield "standard input", [], "-"


def run(chemopen, folder, data, extension, options, how):
    source = os.path.join(folder, "in." + extension)
    target = os.path.join(folder, "out." + extension)
    stdin = subprocess.DEVNULL
    if how == "gz":
        source, target = source + ".gz", target + ".gz"
        data = gzip.compress(data, 1)
    with open(source, "wb") as file:
        file.write(data)
    name = source
    if how == "-":
        name = "-"
        stdin = open(source, "rb")
    if os.path.exists(target):
        os.unlink(target)
    command = [chemopen, "convert", "--from", FORMATS[extension]]
    done = subprocess.run(command + options + [name, target], stdin=stdin, capture_output=True)
    output = None
    if os.path.exists(target):
        with open(target, "rb") as file:
            output = file.read()
        if how == "gz":
            output = gzip.decompress(output)
    return done, output


def try_file(chemopen, path):
    extension = path.removesuffix(".gz").rsplit(".", 1)[1]
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".gz"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            return [], 0, 1
    wrong, tried, left_out = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for ends, text in variants(data):
            for mode, options, how in modes():
                done, output = run(chemopen, folder, text, extension, options, how)
                # A sheet without rows is copied, with a warning that there is nothing to select.
                if done.returncode != 0 and output != text:
                    left_out += 1
                    if mode == "plainly":
                        break
                    wrong.append((path, ends, mode, f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:200]}"))
                    continue
                tried += 1
                if output != text:
                    at = next((i for i, (a, b) in enumerate(zip(text, output)) if a != b), min(len(text), len(output)))
                    wrong.append((path, ends, mode, f"byte {at}: {text[at:at+30]!r} became {output[at:at+30]!r}"))
    return wrong, tried, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--largest", type=int, default=2_000_000)
    options = parser.parse_args()
    ask_formats(os.path.abspath(options.chemopen))
    paths = []
    for folder in options.folders:
        if os.path.isfile(folder):
            paths.append(folder)
        for root, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.join(root, name)
                stem = name.removesuffix(".gz")
                if stem.rsplit(".", 1)[-1] in FORMATS and os.path.getsize(path) <= options.largest:
                    paths.append(path)
    wrong, tried, left_out = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda path: try_file(os.path.abspath(options.chemopen), path), sorted(set(paths))):
            wrong += result[0]
            tried += result[1]
            left_out += result[2]
    for path, ends, mode, why in wrong[: options.show]:
        print(f"{path}, {ends}, {mode}: {why}")
    print(f"{len(paths)} files, {tried} copies, {len(wrong)} differ; {left_out} skipped because of read errors")
    sys.exit(1 if wrong or tried == 0 else 0)


main()
