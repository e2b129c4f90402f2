import Chemopen

extension Option {
    static let by = Option(
        "--by", value: "WHAT", help: "compare structure (default), inchikey, another computed value, or a field")
    static let occurrences = Option(
        "--count", "-c", help: "add a field Occurrences with the number of equal records")
    static let repeated = Option("--repeated", "-d", help: "write only records that occur several times, once each")
    static let perKind = Option("--number", "-n", value: "N", help: "write the first N equal records (default: 1)")
    static let unique = Option("--unique", "-u", help: "write only records that occur once")
}

/// `chemopen uniq`: removes records that occurred before.
enum UniqCommand: Command {
    static let name = "uniq"
    static let summary = "write each structure or value once"
    static let usage = "chemopen uniq [options] FILE..."
    static let example = "chemopen uniq kinases.sdf -O unique.sdf"
    static let moreExamples = [
        "chemopen uniq --by CAS -d kinases.sdf",
        "chemopen uniq --by inchikey -c a.sdf b.sdf -O merged.sdf",
        "chemopen sort -k SCORE -n poses.sdf | chemopen uniq --by title -n 3 - -O best.sdf",
    ]
    static let options: [Option] = [.by, .perKind, .occurrences, .repeated, .unique] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Equal records need not be neighbors; the first one is written, byte for byte. Structures are equal",
        "if their canonical SMILES are: isotopes, charges and stereo matter, but not the drawing. Tautomers",
        "and salts differ; --by inchikey unites most tautomers. Structures that SMILES cannot store, such as",
        "those with atom lists or polymer brackets, are equal only if their drawings are equal. Records",
        "without a structure or value equal no other record.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let word = arguments.path(of: .by) ?? "structure"
        let identity: RecordIdentity = word == "structure" ? .structure : .value(try arguments.fact(word))
        let count: Text? = arguments.has(.occurrences) ? "Occurrences" : nil
        let limit = try arguments.number(of: .perKind, in: 1...1_000_000_000)
        if limit != nil, count != nil || arguments.has(.repeated) || arguments.has(.unique) {
            throw UsageError("--number cannot be combined with --count, --repeated or --unique")
        }
        let repeats: RecordTool.Repeats
        switch (arguments.has(.repeated), arguments.has(.unique)) {
        case (true, true): throw UsageError("--repeated and --unique cannot be combined")
        case (true, false): repeats = .repeated(count: count)
        case (false, true):
            if count != nil { throw UsageError("--unique and --count cannot be combined") }
            repeats = .single
        case (false, false): repeats = limit.map { .atMost($0) } ?? .first(count: count)
        }
        let request = try ToolRequest(.distinct(identity, repeats), arguments, of: arguments.operands, on: terminal)
        return try request.run { summary in
            if summary.withoutKey > 0 {
                let what = word == "structure" ? "a structure" : word.shown
                terminal.tell(.note, "\(recordCount(summary.withoutKey)) without \(what), which equal no other record")
            }
            return false
        }
    }
}
