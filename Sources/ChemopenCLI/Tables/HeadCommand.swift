import Chemopen

extension Option {
    static let number = Option("--number", "-n", value: "N", help: "the number of records (default: 10)")
    static let seed = Option("--seed", value: "S", help: "an integer; the same seed chooses the same records")
}

/// `chemopen head`: writes the first records.
enum HeadCommand: Command {
    static let name = "head"
    static let summary = "write the first records"
    static let usage = "chemopen head [options] FILE..."
    static let example = "chemopen head -n 100 kinases.sdf.gz -O first.sdf"
    static let moreExamples = [
        "chemopen head -n 1 --where 'MASS > 500' kinases.sdf", "chemopen head -n -5 kinases.sdf",
    ]
    static let options: [Option] = [.number] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "With -n -N, all records but the last N are written. Several files count as one. Reading stops after",
        "the last record that is written, so the input can be an endless pipe. Records are copied byte for",
        "byte. To choose other records by number, use convert --records.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let text = arguments.value(of: .number) ?? "10"
        guard let number = Int(text), number > -1_000_000_000_000, number < 1_000_000_000_000 else {
            throw UsageError("--number requires an integer, not \"\(text)\"")
        }
        let isRest = text.hasPrefix("-")
        let task = RecordTool.Task.head(abs(number), isRest: isRest)
        return try ToolRequest(
            task, arguments, of: arguments.operands, stopsEarly: !isRest, on: terminal
        ).run()
    }
}

/// `chemopen tail`: writes the last records.
enum TailCommand: Command {
    static let name = "tail"
    static let summary = "write the last records"
    static let usage = "chemopen tail [options] FILE..."
    static let example = "chemopen tail -n 100 kinases.sdf -O last.sdf"
    static let moreExamples = ["chemopen tail -n +101 kinases.sdf -O rest.sdf"]
    static let options: [Option] = [.number] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "With -n +N, all records from number N are written. Several files count as one. Records are copied",
        "byte for byte.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let text = arguments.value(of: .number) ?? "10"
        guard let number = Int(text), (0..<1_000_000_000_000).contains(number) else {
            throw UsageError("--number requires an integer from 0, or +N, not \"\(text)\"")
        }
        let task = RecordTool.Task.tail(number, isStart: text.hasPrefix("+"))
        return try ToolRequest(task, arguments, of: arguments.operands, on: terminal).run()
    }
}

/// `chemopen sample`: writes a random sample.
enum SampleCommand: Command {
    static let name = "sample"
    static let summary = "write a random sample of records"
    static let usage = "chemopen sample [options] N FILE..."
    static let example = "chemopen sample 1000 --seed 1 kinases.sdf.gz -O sample.sdf"
    static let moreExamples = ["chemopen sample 20 --where 'has(stereo)' kinases.sdf"]
    static let options: [Option] = [.seed] + Option.copying
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Each record has the same probability. The sample is in the order of the file; if there are fewer",
        "than N records, it contains all of them. Without --seed, each run chooses other records. Records are",
        "copied byte for byte.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard let word = arguments.operands.first else {
            throw UsageError("sample requires a number and a file, as in: \(example)")
        }
        guard let number = Int(word.shown), (0...ToolLimits.mostSampled).contains(number) else {
            throw UsageError("sample requires the number of records first, not \"\(word.shown)\"")
        }
        var seed = UInt64.random(in: 0 ... .max)
        if let text = arguments.value(of: .seed) {
            guard let value = UInt64(text) else {
                throw UsageError("--seed requires an integer from 0, not \"\(text)\"")
            }
            seed = value
        }
        let files = Array(arguments.operands.dropFirst())
        return try ToolRequest(.sample(number, seed: seed), arguments, of: files, on: terminal).run()
    }
}

/// The limits of numbers on the command line.
enum ToolLimits {
    static let mostSampled = 1_000_000_000_000
}
