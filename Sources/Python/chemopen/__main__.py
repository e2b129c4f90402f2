"""A command-line interface to the Python package: python -m chemopen --help."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

from . import ChemopenError, __version__, convert, identify, scan


def _show(message: Any, category: Any, *_: Any, **__: Any) -> None:
    print(f"chemopen: warning: {message}", file=sys.stderr)


def main() -> int:
    """Runs the command in the arguments and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m chemopen")
    parser.add_argument("--version", action="version", version=f"chemopen {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("identify", help="print the format of files")
    command.add_argument("files", nargs="+", metavar="FILE")
    command = commands.add_parser("columns", help="print the columns of files as a table, with their types")
    command.add_argument("files", nargs="+", metavar="FILE")
    command = commands.add_parser("convert", help="convert files into one")
    command.add_argument("files", nargs="+", metavar="FILE")
    command.add_argument("output", metavar="OUTPUT")
    command.add_argument("--to", metavar="FORMAT", help="the format to write")
    command.add_argument("--from", metavar="FORMAT", dest="source", help="the format to read")
    command.add_argument("--where", metavar="CONDITION", action="append", help="use only matching records")
    command.add_argument("--records", metavar="LIST", help="use only these records: 1-100,205")
    command.add_argument("--force", action="store_true", help="overwrite OUTPUT")
    given = parser.parse_args()
    warnings.showwarning = _show
    warnings.simplefilter("always")
    try:
        if given.command == "identify":
            for file in given.files:
                identity = identify(file)
                print(f"{file}: {identity.name} ({identity.format}, by {identity.evidence})")
        elif given.command == "columns":
            for name, kind in scan(given.files).columns.items():
                print(f"{name}\t{kind}")
        else:
            report = convert(
                given.files, given.output, to=given.to, format=given.source, where=given.where, records=given.records,
                replace=given.force)
            print(f"{report.written} records written to {given.output}", file=sys.stderr)
            return 1 if report.unreadable or report.cut_short else 0
        return 0
    except ChemopenError as error:
        print(f"chemopen: error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
