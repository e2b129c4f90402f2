"""The reference pages of the site, generated from the program, the schemas, the header, the docstrings and the symbol
graphs of the Swift modules. Each function returns Markdown."""

from __future__ import annotations

import ast
import collections
import json
import re
from pathlib import Path

import manual

TOP = Path(__file__).resolve().parents[2]


def code(text: str) -> str:
    """Returns inline code that is valid in a table."""
    return "`" + text.replace("|", "\\|") + "`"


def cell(text: str) -> str:
    text = re.sub(r"(?<![\w`])(--[a-z][\w-]*|-[a-zA-Z](?=[ ,.;:]|$))(?!`)", r"`\1`", text.replace("<", "&lt;").replace(">", "&gt;"))
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def slug(name: str) -> str:
    return name.lstrip("-")


def fence(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


# MARK: The program


def command(page: manual.Help, shared: dict[manual.Option, list[str]]) -> str:
    text = manual.source(page.name)
    lines = [f"# chemopen {page.name}\n", page.summary[0].upper() + page.summary[1:] + ".\n", fence("\n".join(page.usage))]
    if page.remarks:
        is_table = any("  " in line for line in page.remarks)
        lines.append(fence("\n".join(page.remarks)) if is_table else cell(" ".join(page.remarks)) + "\n")
    lines.append("## Options\n\n| option | meaning |\n|---|---|")
    for option in page.options:
        name = code(option.names)
        if option in shared:
            name = f"[{name}](../options.md#{slug(option.name)})"
        lines.append(f"| {name} | {cell(option.help)} |")
    lines.append("\n## Output\n\n" + "\n\n".join(text.paragraphs).replace("`docs/output.schema.json`", "[its schema](../json-output.md)"))
    lines.append("\n## Examples\n")
    for lead, block in text.examples:
        lines.append(f"{lead}\n\n{fence(block, 'console')}")
    lines.append("See [exit statuses](../exit-status.md) and [all commands](index.md).")
    return "\n".join(lines) + "\n"


def commands(main: manual.Overview) -> str:
    text = manual.source("chemopen")
    lines = ["# Commands\n", *[paragraph + "\n" for paragraph in text.paragraphs], fence("\n".join(main.usage)),
             "| command | purpose |\n|---|---|"]
    lines += [f"| [{name}]({name}.md) | {cell(summary)} |" for name, summary in main.commands.items()]
    lines.append("\nThe same pages are manual pages: run `man chemopen-convert`.")
    return "\n".join(lines) + "\n"


def options(helps: list[manual.Help], shared: dict[manual.Option, list[str]]) -> str:
    """Returns the explanations of the shared options and a table of all options."""
    lines = ["# Options\n", "Several commands share the options of the first part. The table at the end lists all options.\n"]
    by_name = collections.defaultdict(set)
    for option, names in shared.items():
        by_name[option.name].update(names)
    for name, (heading, text) in manual.explanations().items():
        users = ", ".join(f"[{user}](commands/{user}.md)" for user in sorted(by_name[name]))
        text = text.replace("../../docs/", "../docs/").replace("`chemopen help where`", "[conditions](conditions.md)")
        lines.append(f"## {code(heading)} {{#{slug(name)}}}\n\n{text}\n")
        if name != "--help":
            lines.append(f"Commands: {users}\n")
    lines.append("## All options\n\n| option | meaning | command |\n|---|---|---|")
    rows = collections.defaultdict(list)
    for page in helps:
        for option in page.options:
            rows[(option.name, option.names, option.help)].append(page.name)
    for (name, names, text), users in sorted(rows.items()):
        links = "all" if len(users) == len(helps) else ", ".join(f"[{user}](commands/{user}.md)" for user in users)
        lines.append(f"| {code(names)} | {cell(text)} | {links} |")
    return "\n".join(lines) + "\n"


def formats(listed: list[dict]) -> str:
    lines = ["# Formats\n", "Chemopen reads and writes each format, gzipped or not, and detects it from the content. "
             "[CSV, TSV and SMILES](../docs/reference.md#formats) also need their extension, or `--from`.\n",
             "| format | id | extensions | MIME type | reads | writes |\n|---|---|---|---|---|---|"]
    for format in listed:
        name, link = format["name"], slug(format["id"])
        extensions = " ".join(code("." + extension) for extension in format["extensions"])
        types = " ".join(code(kind) for kind in format["mime_types"])
        answers = " | ".join("yes" if format[key] else "no" for key in ("reads", "writes"))
        lines.append(f"| [{name}](#{link}) | `{format['id']}` | {extensions} | {types} | {answers} |")
    features = list(dict.fromkeys(feature for format in sorted(listed, key=lambda f: -len(f["holds"])) for feature in format["holds"]))
    lines.append("\n## The data that each format can store {#features}\n")
    lines.append("If the target of a conversion cannot store a feature of a record, `convert` reports it as a loss. Use "
                 "`has(FEATURE)` in a [condition](conditions.md) to select records with a feature.\n")
    lines.append("| feature | " + " | ".join(f"`{format['id']}`" for format in listed) + " |")
    lines.append("|---" * (len(listed) + 1) + "|")
    for feature in features:
        marks = ["yes" if feature in format["holds"] else "–" for format in listed]
        lines.append(f"| {feature} | " + " | ".join(marks) + " |")
    for format in listed:
        lacks = [feature for feature in features if feature not in format["holds"]]
        lines.append(f"\n## {format['name']} {{#{slug(format['id'])}}}\n")
        lines.append(f"Id `{format['id']}`, extensions " + ", ".join(code("." + e) for e in format["extensions"]) + ".\n")
        lines.append("**Can store:** " + ", ".join(format["holds"]) + ".\n")
        lines.append("**Cannot store:** " + (", ".join(lacks) if lacks else "nothing is missing") + ".")
    return "\n".join(lines) + "\n"


def conditions(text: str) -> str:
    """Returns the help of conditions as tables."""
    lines = ["# Conditions and computed values\n",
             "Use conditions with `--where`, in the search of the viewer, and in the libraries. Single quotes protect them "
             "from the shell.\n"]
    for part in text.rstrip("\n").split("\n\n"):
        first, *rest = part.split("\n")
        rows = [re.split(r"  +", line.strip(), maxsplit=1) for line in rest if line.startswith("  ")]
        if first.startswith("Conditions for"):
            continue
        if part.startswith("  "):
            rows = [re.split(r"  +", line.strip(), maxsplit=1) for line in part.split("\n")]
            lines.append("## Conditions {#conditions}\n\n| condition | meaning |\n|---|---|")
            lines += [f"| {code(row[0])} | {cell(row[1])} |" for row in rows if len(row) == 2]
        elif first.startswith("Features"):
            lines.append("\n## Features for `has` {#features}\n\n" + " ".join(line.strip() for line in rest))
            lines.append("\n[Formats](formats.md#features) lists the formats that can store each feature.")
        elif rows and all(len(row) == 2 for row in rows):
            lines.append("\n## Computed values {#computed-values}\n\n" + cell(first.rstrip(":")) + ".\n\n| name | value |\n|---|---|")
            lines += [f"| {code(row[0])} | {cell(row[1])} |" for row in rows]
        elif part.startswith("Example:"):
            lines.append("\n## Example\n\n" + fence(part.partition(": ")[2], "console"))
        else:
            lines.append("\n" + cell(" ".join(part.split("\n"))))
    return "\n".join(lines) + "\n"


def exit_statuses(main: manual.Overview) -> str:
    lines = ["# Exit statuses\n", "| status | meaning |\n|---|---|"]
    lines += [f"| {status} | {cell(meaning)} |" for status, meaning in main.statuses.items()]
    lines.append("\nResults go to standard output, and messages to standard error. If several files fail in different ways, "
                 "the highest status counts. The page of each [command](commands/index.md) describes its own results.")
    return "\n".join(lines) + "\n"


# MARK: JSON schemas


def type_of(schema: dict, page: str = "") -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}]({page}#{name})"
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(json.dumps(value)) for value in schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(type_of(part) for part in schema[word])
    kind = schema.get("type", "any value")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    if kind == "array":
        return "array of " + type_of(schema.get("items", {}))
    if kind == "object" and "properties" in schema:
        return "object with " + ", ".join(code(name) for name in schema["properties"])
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return "object with values of type " + type_of(schema["additionalProperties"])
    return str(kind)


def schema(path: Path, title: str, lead: str) -> str:
    content = json.loads(path.read_text())
    lines = [f"# {title}\n", lead + "\n"]
    for name, part in content["$defs"].items():
        lines.append(f"## {name} {{#{name}}}\n")
        if "description" in part:
            lines.append(part["description"] + "\n")
        if "properties" in part:
            required = set(part.get("required", []))
            lines.append("| member | type | required |\n|---|---|---|")
            for member, value in part["properties"].items():
                lines.append(f"| `{member}` | {type_of(value)} | {'yes' if member in required else 'no'} |")
            lines.append("")
        elif "anyOf" in part or "oneOf" in part:
            lines.append("One of:\n")
            lines += [f"- {type_of(choice)}" for choice in part.get("anyOf", part.get("oneOf"))]
            lines.append("")
        else:
            lines.append(f"A value of this type: {type_of(part)}\n")
    return "\n".join(lines) + "\n"


# MARK: C


def comment_text(comment: str) -> str:
    lines = [re.sub(r"^ ?\*? ?", "", line) if index else line for index, line in enumerate(comment.strip().split("\n"))]
    text = "\n".join(lines)
    return re.sub(r"(?<![`\w])((?:CHEMOPEN|chemopen)_\w+)(?!`)", r"`\1`", text)


def header(path: Path) -> str:
    """Returns the sections of a C header with a heading for each function and type."""
    text = path.read_text()
    lead, _, body = text.partition("#ifndef CHEMOPEN_H")
    intro = re.sub(r"^ \* ?", "", lead.strip().removeprefix("/*").removesuffix("*/"), flags=re.M)
    intro = intro.strip().partition("\n")[2].strip()
    lines = ["# C library: chemopen.h\n", "[How to use Chemopen from C](../docs/how-to-c.md) shows how to compile and link a "
             "program.\n", re.sub(r"(\n    [^\n]*(?:\n    [^\n]*|\n(?=\n    ))*)", lambda m: "\n" + m[1] + "\n", intro) + "\n"]
    # Arrow's interface is specified elsewhere, so only its names are listed.
    body = re.sub(r"#ifndef ARROW_C_\w+\n.*?\n#endif\n", "", body, flags=re.S)
    body = re.sub(r"#ifdef __cplusplus.*?#endif|#if defined\(__GNUC__\).*?#endif", "", body, flags=re.S)
    pattern = re.compile(
        r"/\* -+ (?P<section>[a-z ]+) \*/"
        r"|/\*(?P<comment>.*?)\*/\n(?=\n|(?P<next>\S))"
        r"|(?P<block>^(?:typedef (?:struct|enum) \w+|enum) \{.*?^\}[^;\n]*;)"
        r"|(?P<function>^CHEMOPEN_API .*?;)"
        r"|(?P<other>^typedef [^{]*?;|^#define CHEMOPEN_(?!H$|API)\w+.*?$)", re.S | re.M)
    lines.append("## Version\n")
    comment = ""
    for match in pattern.finditer(body):
        if match["section"]:
            lines.append(f"## {match['section'].strip().capitalize()}\n")
        elif match["comment"] is not None:
            comment = comment_text(match["comment"])
            if match["next"] is None:
                lines.append(comment + "\n")
                comment = ""
        else:
            text = match[0].replace("CHEMOPEN_API ", "")
            if match["function"]:
                name = re.search(r"(chemopen_\w+)\(", text)[1]
            else:
                name = (re.search(r"\} (\w+);", text) or re.search(r"\(\*(\w+)\)", text) or re.search(r"(\w+)\s*;$", text)
                        or re.search(r"#define (\w+)", text) or [None, ""])[1]
                if text.startswith("enum"):
                    name = re.search(r"CHEMOPEN_\w+", text)[0]
            lines.append(f"### `{name}` {{#{name}}}\n\n" + (comment + "\n\n" if comment else "") + fence(text, "c"))
            comment = ""
    return "\n".join(lines) + "\n"


def c_functions(path: Path) -> list[str]:
    return re.findall(r"CHEMOPEN_API chemopen_status (chemopen_\w+)\(", path.read_text())


# MARK: Python


def docstring(node: ast.AST) -> str:
    text = ast.get_docstring(node, clean=False) or ""
    # Measures from the quotation marks, so that a docstring that ends with code keeps its indentation.
    margin = node.body[0].col_offset
    text = "\n".join(line.removeprefix(" " * margin) for line in text.rstrip().split("\n"))
    # An indented block is code.
    return re.sub(r"((?:^    [^\n]*\n?)+)", lambda m: fence(re.sub(r"^    ", "", m[1], flags=re.M), "python"), text, flags=re.M)


def signature(node: ast.FunctionDef, owner: str = "") -> str:
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, |$)", "", arguments)
    arguments = re.sub(r"\bc\.", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    name = (owner + "." if owner else "") + node.name
    line = f"{name}({arguments}){returns}"
    if len(line) > 88:
        inside, depth, start = [], 0, 0
        for index, letter in enumerate(arguments):
            depth += (letter in "([{") - (letter in ")]}")
            if letter == "," and depth == 0:
                inside.append(arguments[start:index].strip())
                start = index + 1
        inside.append(arguments[start:].strip())
        line = f"{name}(\n" + "".join(f"    {part},\n" for part in inside) + f"){returns}"
    return line


def attributes(node: ast.ClassDef, source: list[str]) -> list[str]:
    """Returns a list of the annotated attributes with their `#:` comments."""
    rows = []
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and not item.target.id.startswith("_"):
            notes, line = [], item.lineno - 2
            while line >= 0 and source[line].strip().startswith("#:"):
                notes.insert(0, source[line].strip()[2:].strip())
                line -= 1
            note = ": " + " ".join(notes) if notes else ""
            rows.append(f"- `{item.target.id}: {ast.unparse(item.annotation)}`{note}")
    return rows


def python_files() -> list[Path]:
    folder = TOP / "Sources/Python/chemopen"
    # The C structures in _library have the same names as public classes.
    return sorted(folder.glob("_[a-z]*.py"), key=lambda path: (path.stem == "_library", path))


def python_names() -> list[str]:
    tree = ast.parse((TOP / "Sources/Python/chemopen/__init__.py").read_text())
    found = next(node.value for node in tree.body
                 if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__")
    return ast.literal_eval(found)


def python_entry(node: ast.AST, source: list[str], prefix: str = "") -> list[str]:
    lines = [f"### `{prefix}{node.name}` {{#{prefix}{node.name}}}\n"]
    if isinstance(node, ast.FunctionDef):
        lines += [fence(signature(node), "python"), docstring(node) + "\n"]
        return lines
    bases = ", ".join(ast.unparse(base) for base in node.bases if ast.unparse(base) != "object")
    lines += [fence(f"class {node.name}" + (f"({bases})" if bases else ""), "python"), docstring(node) + "\n"]
    if rows := attributes(node, source):
        lines += rows + [""]
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or (item.name.startswith("_") and item.name != "__init__"):
            continue
        marks = [ast.unparse(mark) for mark in item.decorator_list]
        if any(mark.endswith(".setter") for mark in marks):
            continue
        text = docstring(item)
        if item.name == "__init__":
            if item.args.args[1:] or item.args.kwonlyargs:
                shown = item
                lines += [fence(signature(shown).replace("__init__", node.name, 1).replace(" -> None", ""), "python"), text + "\n"]
            continue
        if "property" in marks:
            returns = f": {ast.unparse(item.returns)}" if item.returns else ""
            lines += [f"**`{item.name}{returns}`** {{#{prefix}{node.name}.{item.name}}}\n", text + "\n"]
        else:
            lines += [f"**`{item.name}()`** {{#{prefix}{node.name}.{item.name}}}\n", fence(signature(item, node.name), "python"), text + "\n"]
    return lines


def python() -> str:
    names = python_names()
    lines = ["# Python library\n", "[How to use Chemopen from Python](../docs/how-to-python.md) shows how to install and use it.\n"]
    found = {}
    for path in python_files():
        text = path.read_text()
        for node in ast.parse(text).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names and node.name not in found:
                found[node.name] = (node, text.split("\n"))
    if missing := set(names) - set(found):
        raise SystemExit(f"reference.py: not found in the sources: {', '.join(sorted(missing))}")
    groups = {"Functions": [], "Classes": [], "Errors and warnings": []}
    for name in names:
        node = found[name][0]
        kind = "Functions" if isinstance(node, ast.FunctionDef) else (
            "Errors and warnings" if re.search(r"(Error|Warning|Cancelled)$", name) else "Classes")
        groups[kind].append(name)
    for kind, members in groups.items():
        lines.append(f"## {kind}\n")
        for name in members:
            lines += python_entry(*found[name])
    path = TOP / "Sources/Python/chemopen/spark.py"
    tree = ast.parse(path.read_text())
    lines += ["## Spark: `chemopen.spark` {#spark}\n", docstring(tree) + "\n"]
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            lines += python_entry(node, path.read_text().split("\n"), "spark.")
    return "\n".join(lines) + "\n"


# MARK: Swift


def swift_comment(symbol: dict) -> str:
    lines = [line["text"] for line in symbol.get("docComment", {}).get("lines", [])]
    text = "\n".join(lines)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    text = re.sub(r"<doc:(\w+)>", r"\1", text)
    text = re.sub(r"^#+ (.*)$", r"**\1**", text, flags=re.M)
    text = re.sub(r"^- (Parameters?|Returns?|Throws|Note|Precondition|Complexity)\b( \w+)?:",
                  lambda m: f"- **{m[1]}**" + (f" `{m[2].strip()}`" if m[2] else "") + ":", text, flags=re.M)
    return re.sub(r"(?<!\n)\n(- \*\*)", r"\n\n\1", text, count=1).strip()


def swift(symbols: list[dict], module: str, lead: str) -> str:
    """Returns a page for a module from its symbol graph."""
    def declaration(symbol: dict) -> str:
        return "".join(part["spelling"] for part in symbol["declarationFragments"])

    members, tops = collections.defaultdict(list), []
    for symbol in sorted(symbols, key=lambda symbol: symbol.get("location", {}).get("position", {}).get("line", 0)):
        names = symbol["pathComponents"]
        if len(names) == 1:
            tops.append(symbol)
        else:
            members[names[0]].append(symbol)
    lines = [f"# {module}\n", lead + "\n"]
    for symbol in sorted(tops, key=lambda symbol: symbol["pathComponents"][0].lower()):
        name = symbol["pathComponents"][0]
        lines += [f"## `{name}` {{#{slug(re.sub(r'[^A-Za-z0-9]+', '-', name))}}}\n", fence(declaration(symbol), "swift"), swift_comment(symbol) + "\n"]
        if symbol["kind"]["identifier"] == "swift.func":
            continue
        for member in members.pop(name, []):
            lines += [fence(declaration(member), "swift"), swift_comment(member) + "\n"]
    for name in sorted(members):
        lines.append(f"## Extension of `{name}` {{#extension-{name}}}\n")
        for member in members[name]:
            lines += [fence(declaration(member), "swift"), swift_comment(member) + "\n"]
    return "\n".join(lines) + "\n"
