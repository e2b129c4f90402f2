import Chemopen

extension Option {
    static let sortKey = Option(
        "--key", "-k", value: "NAME", isRepeatable: true,
        help: "sort by this field or computed value; the first key decides")
    static let numeric = Option("--numeric", "-n", help: "compare values as numbers")
    static let reverse = Option("--reverse", "-r", help: "put large values first")
}

/// `chemopen sort`: sorts the records of files.
enum SortCommand: Command {
    static let name = "sort"
    static let summary = "sort records by fields or computed values"
    static let usage = "chemopen sort [options] FILE..."
    static let example = "chemopen sort -k MASS -n kinases.sdf -O sorted.sdf"
    static let moreExamples = [
        "chemopen sort -k Series -k pIC50:nr kinases.sdf.gz",
        "chemopen sort -k mass kinases.sdf | chemopen head -n 1 -",
    ]
    static let options: [Option] = [.sortKey, .numeric, .reverse] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "NAME is a field, or a computed value of \"chemopen help where\", such as mass or title. Texts are",
        "compared by their bytes; computed numbers need no -n. NAME:n, NAME:r and NAME:nr apply -n and -r to",
        "one key. The order of records with equal keys does not change. Values that are not numbers follow",
        "the numbers, and records without a value are last, also with -r. Records are copied byte for byte.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let orders = try self.orders(arguments)
        let request = try ToolRequest(.sort(orders), arguments, of: arguments.operands, on: terminal)
        return try request.run { summary in
            guard let key = orders.first?.fact.name.shown else { return false }
            if summary.withoutKey > 0 {
                terminal.tell(.note, "\(recordCount(summary.withoutKey)) without \(key), at the end")
            }
            if summary.notNumbers > 0 {
                terminal.tell(
                    .note, "\(recordCount(summary.notNumbers)) in which \(key) is not a number, after the others")
            }
            if summary.looksNumeric, summary.read > 1 {
                terminal.tell(.note, "all values of \(key) are numbers, but were compared as text (use -n)")
            }
            return summary.read > 0 && summary.withoutKey == summary.read
        }
    }

    private static func orders(_ arguments: Arguments) throws(UsageError) -> [RecordOrder] {
        let words = arguments.values(of: .sortKey)
        if words.isEmpty { throw UsageError("sort requires a key, as in: \(example)") }
        var orders: [RecordOrder] = []
        for word in words {
            var name = word
            var (isNumeric, isDescending) = (arguments.has(.numeric), arguments.has(.reverse))
            for (suffix, flags) in suffixes where word.hasSuffix(suffix) && word.bytes.count > suffix.bytes.count {
                name = LocalPath(bytes: Array(word.bytes.dropLast(suffix.bytes.count)))
                (isNumeric, isDescending) = flags
            }
            let fact = try arguments.fact(name)
            orders.append(RecordOrder(fact, isNumeric: isNumeric, isDescending: isDescending))
        }
        return orders
    }

    private static let suffixes: [(LocalPath, (Bool, Bool))] = [
        (":n", (true, false)), (":r", (false, true)), (":nr", (true, true)), (":rn", (true, true)),
    ]
}
