extension RecordChoice {
    /// Something to be told of a choice; a warning where it may not be what was meant.
    package typealias Remark = (isWarning: Bool, text: String)

    /// All that people may not have meant, and whether the choice meets nothing.
    ///
    /// - Parameters:
    ///   - taken: how many records were taken.
    ///   - isWhole: every record of the input could be read.
    ///   - sawAll: the input was looked at to its end, or behind the last record that is wanted.
    package func remarks(
        on selection: RecordSelection, taken: Int, isWhole: Bool, sawAll: Bool
    ) -> (remarks: [Remark], meetsNothing: Bool) {
        let takesNone = !selection.takesAll && taken == 0 && (seen > 0 || isWhole)
        var remarks: [Remark] = []
        for field in hidden {
            remarks.append(
                (
                    false,
                    "\(field.shown) was computed, and there is a field of that name, too: in quotes it means the field"
                )
            )
        }
        remarks += remarksOnFields
        for (value, word, all) in selection.conditions.flatMap(\.impossibleWords) {
            let list = all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
            remarks.append(
                (
                    true,
                    "\(value.name) is never \"\(word.shown)\", but \(list)\(suggestion(for: word.string, among: all))"
                ))
        }
        if abandoned > 0 {
            let steps = "the search was given up after \(SubstructureSearch.mostSteps) steps; not taken"
            remarks.append((true, "in \(recordCount(abandoned)) \(steps)"))
        }
        for values in oddValues {
            let records = values.count == 1 ? "1 record, which is" : "\(values.count) records, which are"
            let found = "found \"\(values.example.shown)\""
            remarks.append((false, "\(values.field.shown) is no number in \(records) not taken; \(found)"))
        }
        if let numbers = selection.numbers, sawAll {
            let absent = numbers.beginning(behind: lastRecord)
            if !absent.isEmpty {
                remarks.append((takesNone, "there is no record \(absent); the last is \(lastRecord)"))
            }
        }
        if takesNone {
            let records = seen == 1 ? "the one record is not" : "none of \(recordCount(seen)) is"
            remarks.append((true, seen == 0 ? "there is no record to choose from" : records + " chosen"))
        }
        return (remarks, takesNone || !missing.isEmpty && held > 0)
    }

    /// The fields that conditions ask for and no record has, each with a known name that is near.
    package var remarksOnFields: [Remark] {
        let names = fieldNames.map(\.string)
        return (held > 0 ? missing + absent : []).map { field in
            let same = names.first { $0.lowercased() == field.string.lowercased() }
            let hint =
                same.map { "; did you mean \"\($0)\"?" }
                ?? suggestion(for: field.string, among: names + Criteria.vocabulary.map(\.word))
            return (true, "no record has a field \"\(field.string)\"\(hint)")
        }
    }
}

/// The tally of the choice of records in several inputs: what none of them has is told once, and not of each.
package struct ChoiceTally: Sendable {
    private let selection: RecordSelection
    private var choice: RecordChoice?
    private var taken = 0
    private var isWhole = true
    private var sawAll = true

    package init(of selection: RecordSelection) {
        self.selection = selection
    }

    /// Adds that of an input.
    package mutating func add(_ other: RecordChoice, taken count: Int, isWhole: Bool = true, sawAll: Bool = true) {
        if choice == nil { choice = other } else { choice?.add(other) }
        taken += count
        self.isWhole = self.isWhole && isWhole
        self.sawAll = self.sawAll && sawAll
    }

    /// What people may not have meant, without fields of which it was said already that no record has them.
    package func remarks(without told: [Text]) -> [RecordChoice.Remark] {
        var choice = choice
        choice?.forget(told)
        return choice?.remarks(on: selection, taken: taken, isWhole: isWhole, sawAll: sawAll).remarks ?? []
    }

    /// All that people may not have meant, and whether the choice meets nothing in any input.
    package var account: (remarks: [RecordChoice.Remark], meetsNothing: Bool) {
        choice?.remarks(on: selection, taken: taken, isWhole: isWhole, sawAll: sawAll) ?? ([], false)
    }
}

/// `1 record`, `2 records`.
package func recordCount(_ count: Int) -> String {
    count == 1 ? "1 record" : "\(count) records"
}
