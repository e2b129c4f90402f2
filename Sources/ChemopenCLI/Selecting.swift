import Chemopen

extension Option {
    static let records = Option(
        "--records", value: "LIST", help: "take only these records of each input: 1-100,205,300-")
    static let condition = Option(
        "--where", value: "'FIELD > 5'", isRepeatable: true,
        help: "take only records that fulfil a condition; help where tells more")
    static let smarts = Option(
        "--smarts", value: "PATTERN", isRepeatable: true, help: "take only records that contain this structure")

    /// The options of a command that walks records and may take only some.
    static let selecting: [Option] = [.records, .condition, .smarts, .substructure, .exact]
}

extension Arguments {
    /// The records that are asked for.
    func selection() throws(UsageError) -> RecordSelection {
        var selection = RecordSelection()
        if let text = value(of: .records) {
            guard let numbers = RecordNumbers(text) else {
                throw UsageError("--records needs numbers and ranges from 1 on, as in 1-100,205; not \"\(text)\"")
            }
            selection.numbers = numbers
        }
        for text in values(of: .condition) { selection.conditions.append(try Self.condition(text)) }
        if selection.conditions.contains(where: \.needsInChI) { try Self.askForInChI() }
        for pattern in values(of: .smarts) { selection.structures.append(try GrepCommand.pattern(pattern)) }
        for file in values(of: .substructure) { selection.structures.append(try Self.substructure(drawnIn: file)) }
        for word in values(of: .exact) { selection.structures.append(try Self.structure(exactly: word)) }
        return selection
    }

    /// The values that are to become fields.
    func computes() throws(UsageError) -> ComputedFields? {
        guard let text = value(of: .compute) else { return nil }
        let fields: ComputedFields
        do throws(ComputedFields.UnknownName) {
            fields = try ComputedFields(text.split(separator: ",").map(String.init))
        } catch {
            throw UsageError(
                "--compute takes \(ComputedFields.names.joined(separator: ", ")) and elements.Cl, not \"\(error.name)\""
                    + suggestion(for: error.name, among: ComputedFields.names))
        }
        if fields.needInChI { try Self.askForInChI() }
        return fields
    }

    private static func askForInChI() throws(UsageError) {
        if InChI.isThere { return }
        throw UsageError("inchi and inchikey need the program \(InChI.program), which does not lie beside this one")
    }

    private static func condition(_ text: LocalPath) throws(UsageError) -> Criteria {
        do throws(Criteria.SyntaxError) {
            return try Criteria(Text(bytes: text.bytes))
        } catch {
            let before = error.text.unicodeScalars[..<error.part.lowerBound].count
            let marked = error.text.unicodeScalars[error.part].count
            throw UsageError("--where: \(error.message)", in: error.text, at: (before, marked))
        }
    }
}

extension Terminal {
    /// Tells of a choice that meets nothing, and of all that people may not have meant; returns whether it meets nothing.
    func tell(_ choice: RecordChoice, of selection: RecordSelection, taken: Int, isWhole: Bool, sawAll: Bool) -> Bool {
        let takesNone = !selection.takesAll && taken == 0 && (choice.seen > 0 || isWhole)
        let names = choice.fieldNames.map(\.string)
        for field in choice.hidden {
            tell(
                .note,
                "\(field.shown) was computed, and there is a field of that name, too: in quotes it means the field")
        }
        for field in choice.missing + choice.absent where choice.held > 0 {
            let same = names.first { $0.lowercased() == field.string.lowercased() }
            let hint =
                same.map { "; did you mean \"\($0)\"?" }
                ?? suggestion(for: field.string, among: names + Criteria.vocabulary.map(\.word))
            tell(.warning, "no record has a field \"\(field.string)\"\(hint)")
        }
        if choice.abandoned > 0 {
            tell(
                .warning,
                "in \(recordCount(choice.abandoned)) the search was given up after \(SubstructureSearch.mostSteps) steps; "
                    + "not taken")
        }
        for values in choice.oddValues {
            let records = values.count == 1 ? "1 record, which is" : "\(values.count) records, which are"
            tell(.note, "\(values.field.shown) is no number in \(records) not taken; found \"\(values.example.shown)\"")
        }
        if let numbers = selection.numbers, sawAll {
            let absent = numbers.beginning(behind: choice.lastRecord)
            if !absent.isEmpty {
                tell(takesNone ? .warning : .note, "there is no record \(absent); the last is \(choice.lastRecord)")
            }
        }
        if takesNone {
            let records = choice.seen == 1 ? "the one record is not" : "none of \(recordCount(choice.seen)) is"
            tell(.warning, choice.seen == 0 ? "there is no record to choose from" : records + " chosen")
        }
        return takesNone || !choice.missing.isEmpty && choice.held > 0
    }
}
