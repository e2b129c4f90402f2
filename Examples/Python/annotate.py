"""Adds the number of heavy atoms to each record of a file: annotate.py IN OUT

IN may have any supported format, and the extension of OUT determines the new one. Damaged records are reported and
skipped, and everything that the new format cannot store is reported."""

import sys
import warnings

import chemopen


def annotate(source: str, target: str) -> None:
    written = 0
    with chemopen.Writer(target) as writer:
        for record in chemopen.read(source, errors="skip"):
            heavy = sum(atom.symbol != "H" for atom in record.atoms)
            record.set_field("HEAVY", str(heavy))
            for loss in writer.write(record):
                print(f"record {loss.record}: left out: {loss.feature} {loss.detail}".rstrip())
            written += 1
    print(f"{target}: {written} written")


if __name__ == "__main__":
    warnings.simplefilter("always")
    warnings.showwarning = lambda message, *_: print("warning:", message)
    annotate(*sys.argv[1:3])
