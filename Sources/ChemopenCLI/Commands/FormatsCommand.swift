import Chemopen

/// `chemopen formats`: lists the supported formats.
enum FormatsCommand: Command {
    static let name = "formats"
    static let group = CommandGroup.look
    static let isPaged = true
    static let summary = "list the formats with names, extensions and MIME types"
    static let usage = "chemopen formats [options]"
    static let example = "chemopen formats --json"
    static let options: [Option] = [.json]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        if let operand = arguments.operands.first {
            throw UsageError("unexpected argument: \"\(operand.shown)\"")
        }
        arguments.has(.json) ? printJSON(arguments.formats, on: terminal) : printTable(arguments.formats, on: terminal)
        return .done
    }

    private static func printTable(_ formats: FormatRegistry, on terminal: Terminal) {
        var table = TextTable(["FORMAT", "NAME", "EXTENSIONS", "MIME TYPE", "READS", "WRITES"])
        for format in formats.all {
            table.append([
                format.id, format.name, format.extensions.map { "." + $0 }.joined(separator: " "),
                format.mimeTypes.first ?? "", format.makeReader == nil ? "no" : "yes",
                format.isWritable ? "yes" : "no",
            ])
        }
        table.print(on: terminal)
    }

    private static func printJSON(_ formats: FormatRegistry, on terminal: Terminal) {
        var json = JSON()
        for format in formats.all {
            json.object { json in
                json.field("id", format.id)
                json.field("name", format.name)
                json.field("extensions", format.extensions)
                json.field("mime_types", format.mimeTypes)
                json.field("reads", format.makeReader != nil)
                json.field("writes", format.isWritable)
                json.field("holds", format.supportedFeatures.list.map(\.name))
            }
            json.endLine()
        }
        terminal.write(json.bytes)
    }
}
