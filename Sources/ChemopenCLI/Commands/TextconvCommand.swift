import Chemopen

/// `chemopen textconv`: prints the content of a file as text. Equal content results in equal lines.
enum TextconvCommand: Command {
    static let name = "textconv"
    static let group = CommandGroup.programs
    static let summary = "print the records of a file as text for git to compare"
    static let usage = "chemopen textconv [options] FILE"
    static let example = "chemopen textconv library.sdf"
    static let options: [Option] = []
    static let reading = Reading.hydrogens
    static let remarks = [
        "Prints one line per record, with its structure as SMILES and a hash of its drawing, and one line",
        "per field. The output does not depend on the path of the file. After git-setup, git diff, log, show",
        "and blame show this output.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1 else { throw UsageError("textconv requires one file, as in: \(example)") }
        let path = arguments.operands[0]
        let (format, options) = (try arguments.format(of: .from), try arguments.readOptions())
        var status = ExitStatus.done
        do throws(ReadError) {
            var records = try openRecords(Source(path), as: format, options)
            var hasPrintedHeader = false
            while true {
                do throws(ReadError) {
                    let record = try records.next()
                    if !hasPrintedHeader { print(records.header, on: terminal) }
                    hasPrintedHeader = true
                    guard let record else { return status }
                    print(record, on: terminal)
                } catch {
                    if case .file = error.kind { throw error }
                    terminal.print("record \(error.record): \(error.message)")
                    status = .incomplete
                }
            }
        } catch {
            terminal.tell(error)
            return error.status(afterRecords: 0)
        }
    }

    /// Prints the title and the typed columns of a DataSheet. Without types, the fields of the records show the columns.
    private static func print(_ header: SheetHeader, on terminal: Terminal) {
        guard header.hasAllColumns, header.hasTypes else { return }
        terminal.print("table | \(header.title.visible)")
        if !header.summary.isEmpty { terminal.print("  summary: \(header.summary.visible)") }
        for column in header.columns { terminal.print("  column \(column.name.visible): \(column.kind.name)") }
    }

    private static func print(_ record: Record, on terminal: Terminal) {
        let title = record.name.isEmpty ? record.described : record.name.visible
        terminal.print(([title] + record.structureWords).joined(separator: " | "))
        for number in record.registry {
            terminal.print("  \(number.isInternal ? "internal" : "external") registry number: \(number.number.visible)")
        }
        for lines in record.verbatim { terminal.print("  other lines: \(lines.text.visible)") }
        for field in record.fields { terminal.print("  \(field.name.visible): \(field.value.visible)") }
    }
}
