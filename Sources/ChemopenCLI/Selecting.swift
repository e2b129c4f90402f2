import Chemopen

extension Option {
    static let records = Option(
        "--records", value: "LIST", help: "use only these records of each input: 1-100,205,300-")
    static let condition = Option(
        "--where", value: "'FIELD > 5'", isRepeatable: true,
        help: "use only matching records (see \"chemopen help where\")")
    static let smarts = Option(
        "--smarts", value: "PATTERN", isRepeatable: true, help: "use only records that contain this structure")

    /// The options of commands that can select records.
    static let selecting: [Option] = [.records, .condition, .smarts, .substructure, .exact, .racemates]
}

extension Arguments {
    /// Returns the record filter.
    func selection() throws(UsageError) -> RecordSelection {
        var selection = RecordSelection()
        if let text = value(of: .records) {
            guard let numbers = RecordNumbers(text) else {
                throw UsageError("--records requires numbers and ranges from 1, such as 1-100,205, not \"\(text)\"")
            }
            selection.numbers = numbers
        }
        for text in values(of: .condition) { selection.conditions.append(try Self.condition(text)) }
        if let problem = selection.problem { throw UsageError(problem) }
        for pattern in values(of: .smarts) { selection.structures.append(try GrepCommand.pattern(pattern)) }
        do throws(QueryStructureError) {
            for file in values(of: .substructure) { selection.structures.append(try SMARTSPattern(drawnIn: file)) }
            for word in values(of: .exact) {
                selection.structures.append(
                    try SMARTSPattern(exactlyAsIn: word, findsRacemates: has(.racemates)))
            }
        } catch {
            throw UsageError(error)
        }
        return selection
    }

    /// Returns the filter options as arguments for another program, after validating them.
    func wordsOfSelecting() throws(UsageError) -> [LocalPath] {
        var words: [LocalPath] = []
        for option in Option.selecting {
            for value in values(of: option) {
                if option.isPath, value.isDash {
                    throw UsageError("\(option.name) requires a file here because standard input can be read only once")
                }
                // The other program accepts only options with a value.
                let isLoose = option == .exact && has(.racemates)
                if option.value != nil { words += [isLoose ? "--exact-or-racemate" : LocalPath(option.name), value] }
            }
        }
        return words
    }

    /// Returns the values to add as fields.
    func computes() throws(UsageError) -> ComputedFields? {
        guard let text = value(of: .compute) else { return nil }
        let fields: ComputedFields
        do throws(ComputedFields.UnknownName) {
            fields = try ComputedFields(text.split(separator: ",").map(String.init))
        } catch {
            throw UsageError(
                "--compute accepts \(ComputedFields.names.joined(separator: ", ")) and elements.Cl, not \"\(error.name)\""
                    + suggestion(for: error.name, among: ComputedFields.names))
        }
        if let problem = fields.problem { throw UsageError(problem) }
        return fields
    }

    private static func condition(_ text: LocalPath) throws(UsageError) -> RecordFilter {
        do throws(RecordFilter.SyntaxError) {
            return try RecordFilter(Text(bytes: text.bytes))
        } catch {
            let before = error.text.unicodeScalars[..<error.part.lowerBound].count
            let marked = error.text.unicodeScalars[error.part].count
            throw UsageError("--where: \(error.message)", in: error.text, at: (before, marked))
        }
    }
}

extension Terminal {
    /// Reports a filter that matches no record, and likely mistakes. Returns whether no record matches.
    func tell(_ choice: SelectionStatistics, of selection: RecordSelection, taken: Int, isWhole: Bool, sawAll: Bool)
        -> Bool
    {
        let found = choice.remarks(on: selection, taken: taken, isWhole: isWhole, sawAll: sawAll)
        tell(found.remarks)
        return found.meetsNothing
    }

    /// Reports the filter's results for several inputs. Returns whether no record matches in any of them.
    func tell(_ tally: ChoiceTally) -> Bool {
        let account = tally.account
        tell(account.remarks)
        return account.meetsNothing
    }

    func tell(_ remarks: [SelectionStatistics.Remark]) {
        for remark in remarks { tell(remark.isWarning ? .warning : .note, remark.text) }
    }
}
