#!/usr/bin/env python3
"""Checks that writing is repeatable: each file is written in each format, read, and written again with the same bytes.

    Tests/Peers/second_writes.py CHEMOPEN FOLDER... [--every N] [--only FORMAT,...] [--show N]

A file that a format cannot store completely (several records, reactions) is skipped. With `--every N`, every Nth file is
tested.
"""
import concurrent.futures
import os
import sys
import tempfile

from read_back import arguments, run


def convert(chemopen, source, target, *options):
    done = run(chemopen, "convert", "--force", "--rewrite", *options, source, target)
    if not os.path.exists(target):
        return None, done.returncode
    with open(target, "rb") as file:
        return file.read(), done.returncode


def try_file(chemopen, path, targets):
    wrong, tried = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, extension in targets.items():
            first = os.path.join(folder, "first." + extension)
            second = os.path.join(folder, "second." + extension)
            written, _ = convert(chemopen, path, first)
            if written is None:
                continue
            # The format is specified: other tests check its detection.
            again, status = convert(chemopen, first, second, "--from", name)
            tried += 1
            if again == written:
                continue
            if again is None:
                wrong.append(f"{path} -> {name}: not read again, exit {status}")
                continue
            at = next((i for i, (a, b) in enumerate(zip(written, again)) if a != b), min(len(written), len(again)))
            wrong.append(f"{path} -> {name}: byte {at}: {written[at - 10:at + 30]!r} became {again[at - 10:at + 30]!r}")
    return wrong, tried


def main():
    chemopen, paths, targets, show = arguments(__doc__)
    wrong, tried = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda path: try_file(chemopen, path, targets), paths):
            wrong += result[0]
            tried += result[1]
    for line in wrong[:show]:
        print(line)
    print(f"{len(paths)} files, {tried} second writings in {len(targets)} formats, {len(wrong)} differ")
    sys.exit(1 if wrong or tried == 0 else 0)


main()
