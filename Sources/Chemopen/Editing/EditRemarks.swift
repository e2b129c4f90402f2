// Describes edits that are stored but may not have the expected result.

extension FileText {
    /// Returns remarks on the edits of a record.
    func remarks(on edits: [RecordEdit], _ old: Record, _ new: Record, number: Int) -> [String] {
        edits.flatMap { edit -> [String] in
            switch edit {
            case .set(let name, let value): return remarks(on: name, value, old)
            case .setTitle(let title):
                let length = title.string.unicodeScalars.count
                guard let most = format.textLimits?.title, length > most else { return [] }
                return ["the title has \(length) characters, but \(format.described) permits only \(most)"]
            case .unset, .take: return []
            }
        }.map { "record \(number): \($0)" }
    }

    private func remarks(on name: Text, _ value: Text, _ old: Record) -> [String] {
        var remarks: [String] = []
        let count = old.fields.count { $0.name == name }
        if count > 1 {
            remarks.append("the field \(name.visible) occurs \(count) times; only the first one was set")
        }
        if header.hasTypes, let column = header.columns.first(where: { $0.name == name }), !column.kind.fits(value) {
            remarks.append(
                "\"\(value.shown)\" is not a valid value of the column \(name.visible), whose type is \(column.kind.name)"
            )
        }
        if let most = format.textLimits?.valueLine {
            let lines = value.string.unicodeScalars.split(separator: "\n")
            if let longest = lines.map(\.count).max(), longest > most {
                remarks.append(
                    "the field \(name.visible) has a line of \(longest) characters, but \(format.described) permits only "
                        + "\(most)")
            }
        }
        return remarks
    }

    /// Whether at least one of the first records has coordinates.
    func hasCoordinates() throws(Conversion.Failure) -> Bool {
        let most = 20
        return try records(Array(0..<min(most, records.count))).values.contains { $0.features.contains(.coordinates) }
    }
}

extension Record {
    /// Whether the record has a structure of several atoms without coordinates.
    var lacksCoordinates: Bool { drawnAtoms > 1 && !features.contains(.coordinates) }
}
