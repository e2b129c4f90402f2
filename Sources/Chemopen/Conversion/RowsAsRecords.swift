/// A converter of table rows to records, for formats with fields but without columns.
///
/// Each column's type is preserved in the field header of its first value. The rows of a reaction sheet become
/// reactions.
package struct RowsAsRecords {
    private let header: SheetHeader
    private let marksTypes: Bool
    private var isMarked: [Bool]
    private let nameColumn: Int?
    /// Whether the value of the name column becomes only the title, because the target has no fields.
    private let titleIsField: Bool
    private var experiments: ExperimentReader?

    /// Returns `nil` if the records do not need to be converted.
    package init?(_ header: SheetHeader, to target: Format) {
        guard header.hasAllColumns, !target.supportedFeatures.contains(.columnTypes) else { return nil }
        self.header = header
        marksTypes = target.supportedFeatures.contains(.fieldHeaders) && header.hasTypes
        isMarked = Array(repeating: false, count: header.columns.count)
        // The title column of a text table is not a field.
        nameColumn =
            header.nameColumn == nil ? header.columns.firstIndex { $0.name == "Name" && $0.kind == .string } : nil
        titleIsField = !target.supportedFeatures.contains(.fields) && target.supportedFeatures.contains(.names)
        experiments = target.supportedFeatures.contains(.reactions) ? ExperimentReader(header) : nil
    }

    package mutating func prepare(_ record: inout Record, row: Int) {
        if experiments != nil, !isMolecule(record) {
            makeReaction(of: &record, row)
        } else {
            nameMolecule(of: &record)
        }
        if marksTypes { mark(&record.fields) }
    }

    /// Whether a row of a reaction sheet contains a molecule and no reaction data.
    private func isMolecule(_ record: borrowing Record) -> Bool {
        guard case .molecule(let molecule) = record.subject, !molecule.atoms.isEmpty,
            let subject = header.subjectColumn, !ReactionColumns.isPartOfReaction(header.columns[subject].name)
        else { return false }
        let fields = record.fields
        return fields.entries.allSatisfy {
            $0.valueRange.isEmpty || !ReactionColumns.isPartOfReaction(fields.columns[Int($0.column)].name)
        }
    }

    /// Converts the row to a reaction. Columns that do not belong to the reaction become fields.
    private mutating func makeReaction(of record: inout Record, _ row: Int) {
        guard var reaction = experiments?.reaction(of: record, row: row) else { return }
        if reaction.name.isEmpty, let nameColumn, let field = record.fields.first(where: { $0.column == nameColumn }),
            !field.value.bytes.contains(0x0A)
        {
            reaction.name = field.value
        }
        record.subject = .reaction(reaction)
        let old = record.fields
        record.fields.removeAll()
        for entry in old.entries {
            let column = Int(entry.column)
            if ReactionColumns.isPartOfReaction(old.columns[column].name) { continue }
            if column == nameColumn, old.bytes[entry.valueRange] == reaction.name.bytes[...] { continue }
            record.fields.append(column: column, old.bytes[entry.valueRange])
        }
    }

    private func nameMolecule(of record: inout Record) {
        guard let nameColumn, case .molecule = record.subject,
            let entry = record.fields.entries.first(where: { Int($0.column) == nameColumn })
        else { return }
        let name = record.fields.bytes[entry.valueRange]
        guard !name.contains(0x0A) else { return }
        var molecule = record.takeMolecule()
        if molecule.heading.hasNoName { molecule.setName(name) }
        let isTitle = titleIsField && molecule.name.bytes[...] == name
        record.subject = .molecule(molecule)
        if isTitle { record.fields.removeAll { $0.column == nameColumn && $0.value == molecule.name } }
    }

    private mutating func mark(_ fields: inout Fields) {
        guard fields.entries.contains(where: { !isMarked[Int($0.column)] }) else { return }
        let old = fields
        fields.removeAll()
        for (place, entry) in old.entries.enumerated() {
            let column = Int(entry.column)
            let header = isMarked[column] ? [] : SheetMark.header(self.header.columns[column]).bytes[...]
            isMarked[column] = true
            fields.append(place, of: old, header: header)
        }
    }
}

extension SheetHeader {
    /// Returns the data of the table header that the target format, or the header of the output table, cannot
    /// represent.
    ///
    /// If the rows become reactions, the aspects and columns of a reaction are not losses.
    package func losses(convertingTo target: Format, besides other: SheetHeader) -> [Loss] {
        if !hasAllColumns { return [] }
        var header = self
        var held = target.supportedFeatures
        if held.contains(.fieldHeaders) { held.insert(Features(.columnTypes)) }
        if !held.contains(.columnTypes), held.contains(.reactions), ExperimentReader(self) != nil {
            let kinds: [SheetAspect.Kind] = [.reaction, .experiment, .yield]
            header.extensions.removeAll { block in kinds.contains { block.type == Text($0.rawValue) } }
            header.columns.removeAll { ReactionColumns.isPartOfReaction($0.name) }
        }
        return header.losses(unsupportedBy: held, besides: other)
    }
}
