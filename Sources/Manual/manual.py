#!/usr/bin/env python3
"""Writes the manual pages chemopen(1) and chemopen-COMMAND(1): manual.py CHEMOPEN DIR

The options come from the help of the program CHEMOPEN. The files COMMAND.md below this directory describe the output and
contain the examples, which Tests/transcripts runs. options.md explains the options that several commands share; they
are in chemopen(1) only. The site uses the functions of this file too.
"""

from __future__ import annotations

import collections
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
HOME = os.environ.get("CHEMOPEN_HOME", "")


class Option(NamedTuple):
    """An option in the help of a command."""

    short: str
    name: str
    value: str
    help: str

    @property
    def names(self) -> str:
        return (self.short + ", " if self.short else "") + self.name + (" " + self.value if self.value else "")


class Help(NamedTuple):
    """The help of a command."""

    name: str
    summary: str
    usage: list[str]
    options: list[Option]
    remarks: list[str]
    examples: list[str]


class Overview(NamedTuple):
    """The help of the program."""

    version: str
    summary: str
    usage: list[str]
    commands: dict[str, str]
    remarks: list[str]
    statuses: dict[str, str]


class Source(NamedTuple):
    """A page of this directory: paragraphs about the output, and examples with their introductions."""

    paragraphs: list[str]
    examples: list[tuple[str, str]]


def output(*words: object) -> str:
    return subprocess.run([str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE).stdout


def overview(chemopen: Path) -> Overview:
    head, usage, *parts = re.split(r"\n\n", output(chemopen, "--help"))
    match = re.fullmatch(r"chemopen (\S+): (.*)", head)
    tables = {part.partition("\n")[0]: part.partition("\n")[2] for part in parts if re.match(r"[^\n]+:\n  ", part)}
    ends = table(tables.pop("Exit status:"))
    commands = {name: text for part in tables.values() for name, text in table(part).items()}
    # The help omits commands for other programs, but this directory has pages for them.
    for name in page_paths():
        if name != "chemopen" and name not in commands:
            commands[name] = output(chemopen, name, "--help").partition("\n")[0].partition(": ")[2]
    remarks = next(part for part in parts if not re.match(r"[^\n]+:\n  |Example", part))
    return Overview(match[1], match[2], synopses(usage), commands, remarks.split("\n"), ends)


def table(text: str) -> dict[str, str]:
    """Returns the rows of a table with two columns."""
    return dict(re.split(r"  +", line.strip(), maxsplit=1) for line in text.split("\n"))


def synopses(text: str) -> list[str]:
    return [line.replace("Usage:", "").strip() for line in text.split("\n")]


def help_of(chemopen: Path, name: str) -> Help:
    head, usage, options, *rest = output(chemopen, name, "--help").rstrip("\n").split("\n\n")
    pattern = r"^  (?:(-\w), |    )?(--[\w-]+)(?: (\S.*?))?  +(\S.*)$"
    found = [Option(short or "", long, value or "", text) for short, long, value, text in
             re.findall(pattern, re.sub(r"^  (-h, --help)", r"  \1", options, flags=re.M), re.M)]
    if len(found) != len(options.split("\n")):
        raise SystemExit(f"manual.py: not all options of {name} can be read")
    examples = rest.pop()
    lines = [line.strip() for line in re.sub(r"^Examples?:", "", examples).strip().split("\n")]
    remarks = "\n\n".join(rest).split("\n") if rest else []
    return Help(name, head.partition(": ")[2], synopses(usage), found, remarks, lines)


def page_paths() -> dict[str, Path]:
    """Returns the paths of the pages by command."""
    return {path.stem: path for path in sorted(HERE.rglob("*.md")) if path.stem != "options"}


def source(name: str) -> Source:
    text = re.sub(r"^```setup\n.*?^```\n+|^<!-- requires: [^\n]*\n", "", page_paths()[name].read_text(), flags=re.M | re.S)
    prose, _, rest = text.partition("\n## Examples\n")
    paragraphs = [" ".join(part.split()) for part in prose.partition("\n")[2].strip().split("\n\n")]
    examples = re.findall(r"^(\S[^\n]*(?:\n\S[^\n]*)*)\n\n```\n(.*?)\n```$", rest.strip(), flags=re.M | re.S)
    return Source(paragraphs, [(" ".join(lead.split()), block) for lead, block in examples])


def shared_options(helps: list[Help]) -> dict[Option, list[str]]:
    """Returns the options that several commands have with the same meaning, and these commands."""
    users = collections.defaultdict(list)
    for page in helps:
        for option in page.options:
            users[option].append(page.name)
    return {option: names for option, names in users.items() if len(names) > 1}


def explanations() -> dict[str, tuple[str, str]]:
    """Returns the heading and the text of each shared option by its long name."""
    parts = re.split(r"^## ", (HERE / "options.md").read_text(), flags=re.M)[1:]
    rows = [part.partition("\n") for part in parts]
    return {re.search(r"--[\w-]+", heading)[0]: (heading, " ".join(text.split())) for heading, _, text in rows}


# MARK: Manual pages


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", "\\&.", text, flags=re.M)


def styled(text: str) -> str:
    """Returns a paragraph of Markdown as roff: links become their text, and code is bold."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{escaped(part)}\\fR" if index % 2 else escaped(part) for index, part in enumerate(parts))


def verbatim(text: str) -> str:
    return ".PP\n.RS 4\n.nf\n" + escaped(text) + "\n.fi\n.RE\n"


def transcript(block: str) -> str:
    """Returns a transcript with bold commands."""
    lines = [f"\\fB{escaped(line)}\\fR" if line.startswith("$ ") else escaped(line) for line in block.split("\n")]
    return ".PP\n.RS 4\n.nf\n" + "\n".join(lines) + "\n.fi\n.RE\n"


def item(term: str, text: str) -> str:
    return f".TP\n\\fB{escaped(term)}\\fR\n{styled(text)}\n"


def title(name: str, version: str) -> str:
    return f'.TH "{name.upper()}" "1" "" "chemopen {version}" "User Commands"\n'


def examples_of(page: Source) -> str:
    return "".join(f".PP\n{styled(lead)}\n{transcript(block)}" for lead, block in page.examples)


def joined(usage: list[str]) -> str:
    return "\n.br\n".join(styled(line) for line in usage) + "\n"


def command_page(page: Help, text: Source, main: Overview, shared: dict[Option, list[str]]) -> str:
    common = [option.name for option in page.options if option in shared]
    roff = title(f"chemopen-{page.name}", main.version)
    roff += f".SH NAME\nchemopen\\-{escaped(page.name)} \\- {styled(page.summary)}\n"
    roff += f".SH SYNOPSIS\n{joined(page.usage)}"
    if page.remarks:
        is_table = any("  " in line for line in page.remarks)
        roff += ".SH DESCRIPTION\n" + (verbatim("\n".join(page.remarks)) if is_table else styled(" ".join(page.remarks)) + "\n")
    roff += ".SH OPTIONS\n" + "".join(item(option.names, option.help) for option in page.options)
    if common:
        roff += ".PP\nThe section COMMON OPTIONS of \\fBchemopen\\fR(1) explains " + escaped(listed(common)) + ".\n"
    roff += ".SH OUTPUT\n" + ".PP\n".join(styled(part) + "\n" for part in text.paragraphs)
    roff += ".SH EXAMPLES\n" + examples_of(text)
    roff += ".SH EXIT STATUS\n\\fBchemopen\\fR(1) lists the exit statuses.\n.SH SEE ALSO\n\\fBchemopen\\fR(1)\n"
    return roff


def listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def main_page(chemopen: Path, main: Overview, text: Source) -> str:
    roff = title("chemopen", main.version) + f".SH NAME\nchemopen \\- {styled(main.summary)}\n"
    roff += f".SH SYNOPSIS\n{joined(main.usage)}.SH DESCRIPTION\n" + ".PP\n".join(styled(part) + "\n" for part in text.paragraphs)
    roff += ".SH COMMANDS\nEach command has a page of its own.\n"
    for name, summary in main.commands.items():
        roff += f".TP\n\\fBchemopen\\-{escaped(name)}\\fR(1)\n{styled(summary)}\n"
    roff += ".SH COMMON OPTIONS\nSeveral commands have these options. The page of a command lists its options.\n"
    roff += "".join(item(heading, text) for heading, text in explanations().values())
    roff += ".SH CONDITIONS\n" + verbatim(output(chemopen, "help", "where").strip())
    roff += ".SH EXIT STATUS\n" + "".join(item(status, meaning) for status, meaning in main.statuses.items())
    roff += ".SH EXAMPLES\n" + examples_of(text)
    if HOME:
        roff += f".SH SEE ALSO\n{escaped(HOME)}\n"
    return roff


def pages(chemopen: Path) -> dict[str, str]:
    """Returns the manual pages by file name."""
    main = overview(chemopen)
    helps = [help_of(chemopen, name) for name in main.commands]
    shared = shared_options(helps)
    known = explanations()
    if missing := [option.names for option in shared if option.name not in known]:
        raise SystemExit(f"manual.py: options.md does not explain {listed(missing)}")
    made = {"chemopen.1": main_page(chemopen, main, source("chemopen"))}
    for page in helps:
        made[f"chemopen-{page.name}.1"] = command_page(page, source(page.name), main, shared)
    return made


def write(chemopen: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(chemopen).items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
