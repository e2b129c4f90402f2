import Chemopen

extension Option {
    static let pasteTo = Option(
        "--to", "-o", value: "FORMAT", choices: FormatRegistry.standard.writable.map(\.id),
        help: "convert to FORMAT; by default the pasted data is written unchanged")
    static let pasteOutput = Option("--output", "-O", path: "OUT", help: "write to OUT instead of standard output")
    static let type = Option("--type", value: "NAME", help: "use only the data offered under this name")
    static let listTypes = Option(
        "--list", help: "list the offered names and the format of each")
}

/// `chemopen paste`: writes the content of the clipboard to a file.
enum PasteCommand: Command {
    static let name = "paste"
    static let group = CommandGroup.convert
    static let summary = "write the content of the clipboard to a file or to standard output"
    static let usage = "chemopen paste [options]"
    static let example = "chemopen paste -O drawing.cdxml"
    static let options: [Option] = [.pasteTo, .pasteOutput, .type, .listTypes, .json, .primary, .strict, .force]
    static let remarks = [
        "If a program offers several formats, the best readable one is used: structure files first, then",
        "line notations, then text. The format is detected from the content, not from its name. The limits",
        "are 256 MB and one minute per program.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.isEmpty else {
            throw UsageError("paste reads only the clipboard (use --output to specify the output)")
        }
        try arguments.refusePacked(arguments.path(of: .pasteOutput), on: terminal)
        if arguments.has(.json), !arguments.has(.listTypes) { throw UsageError("--json requires --list") }
        let target = try arguments.format(of: .pasteTo)
        if let target, !target.isWritable { throw UsageError("\(target.name) can be read but not written") }
        do throws(SystemClipboard.Failure) {
            let clipboard = try SystemClipboard(isPrimary: arguments.has(.primary))
            if arguments.has(.listTypes) { return try list(clipboard, arguments, terminal) }
            let wanted = arguments.value(of: .type)
            let content = try ClipboardContent.best(of: clipboard, named: wanted, among: arguments.formats) {
                terminal.tell(.note, "skipped: \($0): \($1)")
            }
            guard let content else {
                terminal.tell(.error, "the clipboard contains no readable chemical data")
                return .unreadable
            }
            return write(content, target, arguments, terminal)
        } catch {
            terminal.tell(.error, error.description)
            return error.isAbsent ? .noApplication : .unreadable
        }
    }

    private static func list(
        _ clipboard: SystemClipboard, _ arguments: Arguments, _ terminal: Terminal
    ) throws(SystemClipboard.Failure) -> ExitStatus {
        let names = try clipboard.names()
        for name in names {
            let format = ClipboardContent.format(promisedBy: name, among: arguments.formats)
            if arguments.has(.json) {
                var json = JSON()
                json.object { json in
                    json.field("name", name)
                    if let format { json.field("format", format.id) }
                }
                json.endLine()
                terminal.write(json.bytes)
                continue
            }
            terminal.print(name + (format.map { "  (\($0.name))" } ?? ""))
        }
        if names.isEmpty { terminal.tell(.note, "the clipboard is empty") }
        return names.isEmpty ? .incomplete : .done
    }

    private static func write(
        _ content: ClipboardContent, _ target: Format?, _ arguments: Arguments, _ terminal: Terminal
    ) -> ExitStatus {
        let output = arguments.path(of: .pasteOutput) ?? "-"
        let asked = target ?? (output.isDash ? nil : arguments.formats.format(ofName: output))
        terminal.tell(.note, "pasted \(content.name), \(content.format.name)")
        do throws(FileError) {
            guard let asked, asked.id != content.format.id || fileExtension(output) == "gz" else {
                if output.isDash {
                    if terminal.isInteractive, content.bytes.contains(0) {
                        terminal.tell(
                            .error, "cannot write \(content.format.name) to the terminal (use -O to specify a file)")
                        return .usage
                    }
                    terminal.write(content.bytes)
                    return .done
                }
                try writeFile(content.bytes, to: output, replacing: arguments.has(.force))
                return .done
            }
            return try convert(content, to: asked, output, arguments, terminal)
        } catch {
            let hint = error.reason == .alreadyExists ? " (use --force to overwrite)" : ""
            terminal.tell(.error, "\(error)\(hint)")
            return .unwritable
        }
    }

    /// Converts the content through a temporary file, as `convert` does.
    private static func convert(
        _ content: ClipboardContent, to target: Format, _ output: LocalPath, _ arguments: Arguments,
        _ terminal: Terminal
    ) throws(FileError) -> ExitStatus {
        let folder = try PrivateFolder(in: SessionEnvironment.current)
        let file = folder.path.appending(
            LocalPath("clipboard.\(content.format.extensions.first ?? content.format.id)"))
        defer {
            deleteQuietly(file)
            folder.remove()
        }
        try writeFile(content.bytes, to: file, replacing: false)
        var words: [LocalPath] = [
            "--from", LocalPath(content.format.id), "--to", LocalPath(target.id), "--output", output,
        ]
        if arguments.has(.strict) { words.append("--strict") }
        if arguments.has(.force) { words.append("--force") }
        do throws(UsageError) {
            let arguments = try Arguments(
                words + ["--", file], accepting: ConvertCommand.allOptions, among: arguments.formats)
            let status = try ConvertCommand.run(arguments, on: terminal)
            terminal.flush()
            return status
        } catch {
            terminal.tell(.error, error.message)
            return .usage
        }
    }

    private static func deleteQuietly(_ file: LocalPath) {
        try? deleteFile(file)
    }
}
