extension SelectionStatistics {
    /// A remark about a selection. It is a warning if the selection may be a mistake.
    package typealias Remark = (isWarning: Bool, text: String)

    /// Returns remarks about possible mistakes in the selection, and whether the selection contains no record or uses a
    /// missing field.
    ///
    /// - Parameters:
    ///   - taken: The number of selected records.
    ///   - isWhole: Whether each record of the input was readable.
    ///   - sawAll: Whether reading reached the end of the input or passed the last selected number.
    package func remarks(
        on selection: RecordSelection, taken: Int, isWhole: Bool, sawAll: Bool
    ) -> (remarks: [Remark], meetsNothing: Bool) {
        let takesNone = !selection.takesAll && taken == 0 && (seen > 0 || isWhole)
        var remarks: [Remark] = []
        for field in hidden {
            remarks.append(
                (
                    false,
                    "\(field.shown) is a computed value, but a field has the same name (quote the name to use the field)"
                )
            )
        }
        remarks += remarksOnFields
        for (value, word, all) in selection.conditions.flatMap(\.impossibleWords) {
            let list = all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
            remarks.append(
                (
                    true,
                    "\(value.name) cannot be \"\(word.shown)\", only \(list)\(suggestion(for: word.string, among: all))"
                ))
        }
        if abandoned > 0 {
            let steps = "the search was stopped after \(SubstructureSearch.mostSteps) steps; not selected"
            remarks.append((true, "in \(recordCount(abandoned)) \(steps)"))
        }
        for values in oddValues {
            let records = values.count == 1 ? "1 record, which is" : "\(values.count) records, which are"
            let found = "found \"\(values.example.shown)\""
            remarks.append((false, "\(values.field.shown) is not a number in \(records) not selected; \(found)"))
        }
        if let numbers = selection.numbers, sawAll {
            let absent = numbers.beginning(behind: lastRecord)
            if !absent.isEmpty {
                remarks.append((takesNone, "there is no record \(absent); the last is \(lastRecord)"))
            }
        }
        if takesNone {
            let records = seen == 1 ? "the only record is not" : "0 of \(recordCount(seen)) are"
            remarks.append((true, seen == 0 ? "there are no records to select from" : records + " selected"))
        }
        return (remarks, takesNone || !missing.isEmpty && held > 0)
    }

    /// The fields that the conditions use but no record has, each with a similar known name.
    package var remarksOnFields: [Remark] {
        let names = fieldNames.map(\.string)
        return (held > 0 ? missing + absent : []).map { field in
            let same = names.first { $0.lowercased() == field.string.lowercased() }
            let hint =
                same.map { "; did you mean \"\($0)\"?" }
                ?? suggestion(for: field.string, among: names + RecordFilter.vocabulary.map(\.word))
            return (true, "no record has a field \"\(field.string)\"\(hint)")
        }
    }
}

/// The statistics of a selection from several inputs. If a field is missing in all inputs, it is reported once.
package struct ChoiceTally: Sendable {
    private let selection: RecordSelection
    private var choice: SelectionStatistics?
    private var taken = 0
    private var isWhole = true
    private var sawAll = true

    package init(of selection: RecordSelection) {
        self.selection = selection
    }

    /// Adds the statistics of one input.
    package mutating func add(_ other: SelectionStatistics, taken count: Int, isWhole: Bool = true, sawAll: Bool = true)
    {
        if choice == nil { choice = other } else { choice?.add(other) }
        taken += count
        self.isWhole = self.isWhole && isWhole
        self.sawAll = self.sawAll && sawAll
    }

    /// Returns remarks about possible mistakes, without the missing fields that were already reported.
    package func remarks(without told: [Text]) -> [SelectionStatistics.Remark] {
        var choice = choice
        choice?.forget(told)
        return choice?.remarks(on: selection, taken: taken, isWhole: isWhole, sawAll: sawAll).remarks ?? []
    }

    /// The remarks about possible mistakes, and whether the selection contains no record of any input or uses a missing
    /// field.
    package var account: (remarks: [SelectionStatistics.Remark], meetsNothing: Bool) {
        choice?.remarks(on: selection, taken: taken, isWhole: isWhole, sawAll: sawAll) ?? ([], false)
    }
}

/// Returns `1 record`, `2 records` and so on.
package func recordCount(_ count: Int) -> String {
    count == 1 ? "1 record" : "\(count) records"
}
