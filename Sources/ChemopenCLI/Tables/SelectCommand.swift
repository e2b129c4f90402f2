import Chemopen

extension Option {
    static let keptFields = Option("--fields", value: "NAME,...", help: "keep only these fields")
    static let droppedFields = Option("--drop", value: "NAME,...", help: "remove these fields")
    static let renamedFields = Option("--rename", value: "OLD=NEW", isRepeatable: true, help: "rename a field")
}

/// `chemopen select`: chooses, removes and renames fields.
enum SelectCommand: Command {
    static let name = "select"
    static let summary = "keep, remove and rename data fields"
    static let usage = "chemopen select [options] FILE..."
    static let example = "chemopen select --fields CAS,MASS kinases.sdf -O small.sdf"
    static let moreExamples = ["chemopen select --drop NOTE --rename IC50=pIC50 kinases.sdf"]
    static let options: [Option] = [.keptFields, .droppedFields, .renamedFields] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "NAME is the name in the input. Structures, titles and all other bytes do not change, nor does the",
        "order of the fields. Only the rows of a DataSheet are rewritten. To choose and order the columns of",
        "CSV, use convert --columns.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let choice = try choice(arguments)
        let request = try ToolRequest(.select(choice), arguments, of: arguments.operands, on: terminal)
        return try request.run { summary in
            for name in summary.missingFields { terminal.tell(.warning, "no record has a field \"\(name.shown)\"") }
            if summary.occupied > 0 {
                terminal.tell(
                    .warning,
                    "\(recordCount(summary.occupied)) with two fields of the same name, because a new name exists")
            }
            return !summary.missingFields.isEmpty || summary.occupied > 0
        }
    }

    private static func choice(_ arguments: Arguments) throws(UsageError) -> FieldChoice {
        var choice = FieldChoice(kept: try arguments.names(of: .keptFields))
        choice.dropped = try arguments.names(of: .droppedFields) ?? []
        for word in arguments.values(of: .renamedFields) {
            let parts = word.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw UsageError("--rename requires OLD=NEW, not \"\(word.shown)\"")
            }
            choice.renamed[Text(bytes: parts[0])] = Text(bytes: parts[1])
        }
        if choice.kept == nil, choice.dropped.isEmpty, choice.renamed.isEmpty {
            throw UsageError("select requires --fields, --drop or --rename, as in: \(example)")
        }
        if let kept = choice.kept {
            // A renamed field is kept as well.
            choice.kept = kept + choice.renamed.keys.filter { !kept.contains($0) }
        }
        return choice
    }
}
