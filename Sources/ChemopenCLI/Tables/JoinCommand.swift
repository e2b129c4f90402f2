import Chemopen

extension Option {
    static let on = Option(
        "--on", value: "KEY",
        help: "the key: a field of FILE and a column of TABLE, or KEY=COLUMN")
    static let addedFields = Option("--fields", value: "NAME,...", help: "add only these columns of TABLE")
}

/// `chemopen join`: adds the fields of a table to records.
enum JoinCommand: Command {
    static let name = "join"
    static let summary = "add the columns of a table to records with the same key"
    static let usage = "chemopen join [options] --on KEY FILE TABLE"
    static let example = "chemopen join --on CAS kinases.sdf assay.csv -O joined.sdf"
    static let moreExamples = ["chemopen join --on title=Compound --fields pIC50,Series kinases.sdf assay.csv"]
    static let options: [Option] = [.on, .addedFields] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "TABLE can have any format that is read; a file of records contributes its data fields. All records",
        "of FILE are written, and only the new fields are added: other bytes do not change, and a field that",
        "a record already has keeps its value. Keys are compared as text without surrounding blanks. If a key",
        "occurs several times in TABLE, the first row counts. Notes report keys that occur several times",
        "and keys that are only in FILE or only in TABLE. TABLE is kept in memory.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 2, let word = arguments.path(of: .on) else {
            throw UsageError("join requires --on KEY, a file and a table, as in: \(example)")
        }
        let source = arguments.source(arguments.operands[1])
        var options = ReadOptions(among: arguments.formats)
        options.encoding = try arguments.readOptions().encoding
        let names = try arguments.names(of: .addedFields)
        let table: FieldTable
        do throws(Conversion.Failure) {
            table = try FieldTable(source, on: Text(bytes: word.bytes), adding: names, options)
        } catch {
            return terminal.tell(error)
        }
        if let problem = table.key.problem { throw UsageError(problem) }
        let request = try ToolRequest(.join(table), arguments, of: [arguments.operands[0]], on: terminal)
        return try request.run { summary in
            guard let account = summary.join else { return false }
            report(account, table, of: arguments.operands[0].shown, on: terminal)
            return account.joined == 0 || table.repeatedRows > 0 || table.unreadable > 0
        }
    }

    private static func report(_ account: JoinAccount, _ table: FieldTable, of file: String, on terminal: Terminal) {
        let name = table.name.shown
        if table.unreadable > 0 {
            terminal.tell(
                .warning, of: name, "\(table.unreadable) \(table.unreadable == 1 ? "row" : "rows") could not be read")
        }
        if table.repeatedRows > 0 {
            terminal.tell(
                .warning, of: name,
                "\(rows(table.repeatedRows)) ignored, because an earlier row has the same key"
                    + examples(table.repeatedKeys)
            )
        }
        if table.rowsWithoutKey > 0 { terminal.tell(.note, of: name, "\(rows(table.rowsWithoutKey)) without a key") }
        if account.unusedRows > 0 {
            terminal.tell(
                .note, of: name,
                "\(rows(account.unusedRows)) with keys that no record has\(examples(account.unusedKeys))")
        }
        if account.recordsWithoutRow > 0 {
            terminal.tell(
                .note, of: file,
                "\(recordCount(account.recordsWithoutRow)) with keys that are not in the table"
                    + examples(account.unknownKeys)
            )
        }
        if account.recordsWithoutKey > 0 {
            terminal.tell(.note, of: file, "\(recordCount(account.recordsWithoutKey)) without \(table.key.name.shown)")
        }
        if account.repeatedRecords > 0 {
            terminal.tell(
                .note, of: file,
                "\(recordCount(account.repeatedRecords)) with a key of an earlier record; they have the same row"
                    + examples(account.repeatedKeys)
            )
        }
        if !account.keptFields.isEmpty {
            let names = account.keptFields.map(\.shown).joined(separator: ", ")
            terminal.tell(.note, of: file, "existing fields keep their values: \(names)")
        }
        if account.joined == 0 { terminal.tell(.warning, "no record has a key of the table") }
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

    private static func examples(_ keys: [Text]) -> String {
        keys.isEmpty
            ? "" : ": " + keys.map { "\"\($0.shown)\"" }.joined(separator: ", ") + (keys.count > 2 ? ", …" : "")
    }
}
