import Chemopen

extension Option {
    static let tolerance = Option("--tolerance", value: "X", help: "coordinates may differ by X (0.0001)")
}

/// `chemopen diff`: what differs in chemical terms.
enum DiffCommand: Command {
    static let name = "diff"
    static let summary = "tell what differs between two files in chemical terms"
    static let usage = "chemopen diff [options] A B"
    static let example = "chemopen diff --tolerance 0.01 before.sdf after.rdf"
    static let options: [Option] = [.json, .tolerance]
    static let reading = Reading.hydrogens
    static let remarks = [
        "Records are compared one by one: titles, atoms, bonds, coordinates, fields, features; not how",
        "they are written. The exit status is 1 if anything differs.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 2 else { throw UsageError("diff compares two files, as in: \(example)") }
        var comparison = Comparison()
        if let text = arguments.value(of: .tolerance) {
            guard let tolerance = Double(text), tolerance >= 0, tolerance.isFinite else {
                throw UsageError("--tolerance needs a number from 0 on, not \"\(text)\"")
            }
            comparison.tolerance = tolerance
        }
        var run = Run(
            arguments.operands[0], arguments.operands[1], comparison, try arguments.format(of: .from),
            try arguments.readOptions(), printsJSON: arguments.has(.json), terminal)
        do throws(ReadError) {
            return try run.compare()
        } catch {
            terminal.tell(error)
            return error.status(afterRecords: 0)
        }
    }

    /// Two files side by side.
    private struct Run {
        let one: LocalPath
        let other: LocalPath
        let comparison: Comparison
        let format: Format?
        let options: ReadOptions
        let printsJSON: Bool
        let terminal: Terminal
        private var json = JSON()
        private var diagnostics: Diagnostics
        private var status = ExitStatus.done

        init(
            _ one: LocalPath, _ other: LocalPath, _ comparison: Comparison, _ format: Format?, _ options: ReadOptions,
            printsJSON: Bool, _ terminal: Terminal
        ) {
            self.format = format
            self.options = options
            self.one = one
            self.other = other
            self.comparison = comparison
            self.printsJSON = printsJSON
            self.terminal = terminal
            diagnostics = Diagnostics(on: terminal)
        }

        private enum Side {
            case record(Record)
            case unreadable, end
        }

        mutating func compare() throws(ReadError) -> ExitStatus {
            var first = try openRecords(one, as: format, options)
            var second = try openRecords(other, as: format, options)
            // The rows of a sheet are compared with records as what they are converted to.
            var firstRows = RowsAsRecords(first.header, to: second.format)
            var secondRows = RowsAsRecords(second.header, to: first.format)
            var number = 0
            while true {
                number += 1
                switch (next(&first, &firstRows), next(&second, &secondRows)) {
                case (.end, .end): return status
                case (.record(let record), .record(let another)):
                    for difference in comparison.differences(record, another) { tell(difference, number) }
                case (.unreadable, .unreadable): tell(Difference("cannot be read in either file", nil, nil), number)
                case (.unreadable, _): tell(Difference("cannot be read in \(one.shown)", nil, nil), number)
                case (_, .unreadable): tell(Difference("cannot be read in \(other.shown)", nil, nil), number)
                case (.record(let record), .end): tell(Difference("record", record.described, nil), number)
                case (.end, .record(let record)): tell(Difference("record", nil, record.described), number)
                }
            }
        }

        private mutating func next(_ stream: inout RecordStream, _ rows: inout RowsAsRecords?) -> Side {
            do throws(ReadError) {
                guard var record = try stream.next() else { return .end }
                rows?.prepare(&record, row: stream.place.record)
                return .record(record)
            } catch {
                diagnostics.tell(UnreadableRecord(error, in: stream))
                return .unreadable
            }
        }

        private mutating func tell(_ difference: Difference, _ number: Int) {
            status = .incomplete
            guard printsJSON else { return terminal.print("record \(number): \(difference)") }
            json.object { json in
                json.field("record", number)
                json.field("what", difference.subject)
                if let first = difference.first { json.field("first", first) }
                if let second = difference.second { json.field("second", second) }
            }
            json.endLine()
            terminal.write(json.bytes)
            json.removeAll()
        }
    }
}

extension Record {
    /// The record in a word or two.
    fileprivate var described: String {
        switch subject {
        case .none: "no structure"
        case .molecule(let molecule): molecule.name.isEmpty ? molecule.formula : molecule.name.shown
        case .reaction(let reaction): reaction.name.isEmpty ? "a reaction" : reaction.name.shown
        }
    }
}
