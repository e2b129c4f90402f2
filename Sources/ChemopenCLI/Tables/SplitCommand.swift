import Chemopen

extension Option {
    static let pieceSize = Option("--number", "-n", value: "N", help: "write N records to each file")
    static let splitValue = Option(
        "--by", value: "NAME", help: "write a file for each value of this field or computed value")
    static let splitFolder = Option(
        "--output", "-O", path: "DIR", help: "write to DIR instead of the current directory")
}

/// `chemopen split`: divides records among files.
enum SplitCommand: Command {
    static let name = "split"
    static let summary = "divide the records of a file among several files"
    static let usage = "chemopen split [options] FILE..."
    static let example = "chemopen split -n 1000 kinases.sdf.gz -O parts"
    static let moreExamples = ["chemopen split --by Series kinases.sdf -O series"]
    static let options: [Option] = [.pieceSize, .splitValue, .splitFolder, .force] + Option.selecting
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "With -n, files are named after the input: kinases-0001.sdf. With --by, they are named after the",
        "value, and records without a value are written to kinases-none.sdf. Records are copied byte for",
        "byte. If a file cannot be written, the new files are removed. To write each record to a file of its",
        "own, also in another format, use convert --split.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let size = try arguments.number(of: .pieceSize, in: 1...1_000_000_000)
        let division: RecordDivision
        switch (size, arguments.path(of: .splitValue)) {
        case (let size?, nil): division = .size(size)
        case (nil, let name?): division = .value(try arguments.fact(name))
        default: throw UsageError("split requires either --number or --by, as in: \(example)")
        }
        let folder = arguments.path(of: .splitFolder) ?? "."
        let request = try ToolRequest(.head(0, isRest: false), arguments, of: arguments.operands, on: terminal)
        return try request.split(into: folder, by: division) { summary in
            if summary.withoutKey > 0, case .value(let fact) = division {
                terminal.tell(.note, "\(recordCount(summary.withoutKey)) without \(fact.name.shown)")
            }
            if terminal.isSeen {
                let files = summary.files == 1 ? "1 file" : "\(summary.files) files"
                terminal.tell(.note, "\(recordCount(summary.written)) written to \(files) in \(folder.shown)")
            }
            return summary.read > 0 && summary.withoutKey == summary.read
        }
    }
}
