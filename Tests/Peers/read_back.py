#!/usr/bin/env python3
"""Checks that we can read our own output: each valid file is converted to each format, and read again without an error.

    Tests/Peers/read_back.py CHEMOPEN FOLDER... [--every N] [--only FORMAT,...] [--show N]

A file is valid if `check` reports neither an error nor a warning. If a format stores only one record, files with several
are split. `check` must not report an error in the result; only the file name specifies its format. With `--every N`,
every Nth file is tested.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile


def run(chemopen, *words):
    return subprocess.run([chemopen, *words], capture_output=True)


def formats(chemopen):
    """Returns all extensions, and the first extension of each writable format by its id."""
    found = [json.loads(line) for line in run(chemopen, "formats", "--json").stdout.splitlines()]
    known = {extension for row in found for extension in row["extensions"]}
    return known, {row["id"]: row["extensions"][0] for row in found if row["writes"]}


def files(folders, known, every, largest=500_000):
    paths = []
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(root, name)
                extension = name.removesuffix(".gz").rsplit(".", 1)[-1]
                if extension in known and os.path.getsize(path) <= largest:
                    paths.append(path)
    return sorted(paths)[::every]


def arguments(description):
    """Returns the program, the files, the formats, and the number of lines to show, from the arguments of a script."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=40)
    options = parser.parse_args()
    chemopen = os.path.abspath(options.chemopen)
    known, targets = formats(chemopen)
    if options.only:
        targets = {name: targets[name] for name in options.only.split(",")}
    return chemopen, files(options.folders, known, options.every), targets, options.show


def write(chemopen, path, name, extension, folder):
    """Returns the files that a conversion creates, or no file if the format cannot represent the input."""
    target = os.path.join(folder, "a." + extension)
    if run(chemopen, "convert", "--force", path, target).returncode in (0, 1) and os.path.exists(target):
        return [target]
    parts = os.path.join(folder, extension)
    run(chemopen, "convert", "--to", name, "--split", parts, path)
    return [os.path.join(parts, name) for name in sorted(os.listdir(parts))] if os.path.isdir(parts) else []


def try_file(chemopen, path, targets):
    if run(chemopen, "check", path).returncode != 0:
        return [], 0, 1
    wrong, tried = [], 0
    for name, extension in targets.items():
        with tempfile.TemporaryDirectory() as folder:
            made = write(chemopen, path, name, extension, folder)
            if not made:
                continue
            tried += len(made)
            checked = run(chemopen, "check", "--json", *made)
            said = (checked.stderr + checked.stdout).decode(errors="replace").splitlines()
            said = [line for line in said if '"kind":"warning"' not in line]
            if checked.returncode > 1 or said:
                wrong.append(f"{path} -> {name}: exit {checked.returncode}: {''.join(said[:1]).replace(folder, '')[:200]}")
    return wrong, tried, 0


def main():
    chemopen, paths, targets, show = arguments(__doc__)
    wrong, tried, unsound = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda path: try_file(chemopen, path, targets), paths):
            wrong += result[0]
            tried += result[1]
            unsound += result[2]
    for line in wrong[:show]:
        print(line)
    print(f"{len(paths)} files, {unsound} invalid, {tried} files written and read, {len(wrong)} conversions with errors")
    sys.exit(1 if wrong or tried == 0 else 0)


if __name__ == "__main__":
    main()
