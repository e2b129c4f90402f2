import ChemopenBytes
import ChemopenModel

extension Record {
    /// The features of the record that at least one format cannot represent.
    public var features: Features {
        var account = FeatureInventory()
        account.take(self)
        return account.features
    }
}

extension Reaction {
    /// The features of the reaction and its components that at least one format cannot represent.
    public var features: Features {
        var account = FeatureInventory()
        account.add(.reactions)
        account.take(self)
        return account.features
    }
}

extension FeatureInventory {
    mutating func take(_ record: borrowing Record) {
        switch record.subject {
        case .none:
            takeRest(of: record)
            add(.recordsWithoutStructure)
        case .molecule(let molecule):
            // The order is nearly that of the features, which avoids sorting.
            add(.molecules)
            takeRest(of: record)
            take(molecule.heading)
            take(molecule)
        case .reaction(let reaction):
            add(.reactions)
            takeRest(of: record)
            take(reaction)
        }
        add(.foreignEncoding, if: !record.fields.bytes[...].isUTF8)
    }

    mutating func take(_ reaction: Reaction) {
        takeFrame(of: reaction)
        takeComponents(of: reaction)
    }

    /// Adds the features of a record and of its molecule's heading, but not of its molecule or reaction.
    mutating func takeFrame(of record: borrowing Record) {
        switch record.subject {
        case .none: takeRest(of: record)
        case .molecule(let molecule): takeFrame(of: record, holding: molecule)
        case .reaction:
            add(.reactions)
            takeRest(of: record)
        }
    }

    /// - Parameter molecule: the molecule of the record, or an empty one if the record has no molecule.
    mutating func takeFrame(of record: borrowing Record, holding molecule: borrowing Molecule) {
        if case .reaction = record.subject { add(.reactions) }
        take(molecule.heading)
        takeRest(of: record)
    }

    private mutating func takeRest(of record: borrowing Record) {
        add(.registryNumbers, count: record.registry.count)
        take(record.verbatim)
        if !record.fields.isEmpty { take(record.fields) }
    }

    mutating func takeFrame(of reaction: Reaction) {
        take(reaction.heading, "of the reaction")
        take(reaction.verbatim)
        add(.severalSteps, if: reaction.steps.count > 1)
        for step in reaction.steps {
            add(.agents, count: step.agents.count)
            add(.conditions, count: step.conditions.count)
            add(.arrowKinds, Text(step.arrow.name), if: step.arrow != .forward)
        }
        add(.stoichiometry, count: reaction.components.count { !$0.stoichiometry.isEmpty })
    }

    private mutating func takeComponents(of reaction: Reaction) {
        for component in reaction.components {
            take(component.molecule.heading, "of a component")
            take(component.molecule)
            add(.names, "of a component", if: !component.name.isEmpty)
        }
        let texts = reaction.steps.flatMap(\.conditions) + reaction.heading.texts
        add(.foreignEncoding, if: texts.contains { !$0.isUTF8 })
    }

    /// The origin of a file that Chemopen has written is not reported as a loss.
    mutating func take(_ heading: borrowing Heading, _ part: Text = Text(bytes: [])) {
        if heading.isEmpty || sought.isDisjoint(with: Self.ofHeadings) { return }
        let (name, origin, comment) = heading.lines
        add(.names, part, if: !name.isEmpty)
        let isLoss = !isReport || Heading.isForeign(origin: origin)
        add(.origins, part, if: !origin.isEmpty && isLoss)
        add(.comments, part, if: !comment.isEmpty)
    }

    mutating func take(_ lines: [Verbatim]) {
        for verbatim in lines where !dialects.contains(verbatim.dialect) {
            add(.unknown, verbatim.told.words, count: verbatim.told.count)
        }
    }

    /// If fields are lost, they are reported by name, and their details are not reported in addition.
    private mutating func take(_ fields: Fields) {
        if sought.isDisjoint(with: Self.ofFields) { return }
        if isReport, sought.contains(.fields) {
            addNames(of: fields)
            return
        }
        add(.fields)
        add(.structuresInFields, count: fields.structures.count)
        for (place, entry) in fields.entries.enumerated() {
            if entry.hasHeader { takeHeader(fields, place) }
            add(.emptyLinesInValues, if: fields.bytes[entry.valueRange].hasEmptyLine)
            // The conversion itself reports changes to a table's columns.
            if isReport { continue }
            let column = Int(entry.column)
            if fields.columns.indices.contains(column) { take(fields.columns[column]) }
        }
        if fields.isInColumnOrder { return }
        add(.repeatedFields, if: fields.hasRepeatedColumns)
        // The writer of a table reports it, because only the writer knows the order of all columns.
        if !isReport { add(.fieldOrder, if: fields.hasInterleavedColumns) }
    }

    private static let ofHeadings = Features(.names, .origins, .comments)

    private static let ofFields = Features(
        .fields, .structuresInFields, .fieldHeaders, .emptyLinesInValues, .columnTypes, .columnSummaries,
        .repeatedFields, .fieldOrder)

    /// The type in a marked header is represented by a column, so such a header is not reported if column types are
    /// supported.
    private mutating func takeHeader(_ fields: Fields, _ place: Int) {
        let header = fields.headerRange(at: place)
        if isReport, !sought.contains(.columnTypes), SheetMark.kind(in: header, of: fields.bytes.span) != nil { return }
        add(.fieldHeaders, Text(bytes: fields.bytes[header]))
    }
}

extension FeatureInventory {
    /// Adds the features of a table's header, except features that another header also has. If fields are lost, they
    /// are reported themselves, without the details of their columns.
    mutating func take(_ header: SheetHeader, besides other: SheetHeader? = nil) {
        if header.title != other?.title, !header.title.isEmpty { add(.sheetTitle, header.title) }
        if header.summary != other?.summary, !header.summary.isEmpty { add(.sheetTitle, "(its description)") }
        let extensions = Set(other?.extensions ?? [])
        for block in header.extensions where !extensions.contains(block) { add(.sheetExtensions, block.type) }
        guard let other else {
            if isReport, sought.contains(.fields) { return }
            for column in header.columns { take(column) }
            return
        }
        let columns = Dictionary(other.columns.map { ($0.name, $0) }) { first, _ in first }
        for column in header.columns {
            guard let same = columns[column.name] else { continue }
            take(column, besides: same)
        }
    }

    fileprivate mutating func take(_ column: Column, besides other: Column? = nil) {
        add(.columnTypes, column.name, if: column.kind.isTyped && column.kind != other?.kind)
        add(.columnSummaries, column.name, if: !column.summary.isEmpty && column.summary != other?.summary)
    }
}

extension SheetHeader {
    /// The features of the table's header that at least one format cannot represent.
    public var features: Features {
        var account = FeatureInventory()
        account.take(self)
        return account.features
    }

    /// Returns the content of the table's header that is lost, because a format does not support it or because the
    /// header of another table replaces it.
    package func losses(unsupportedBy held: Features, besides other: SheetHeader) -> [Loss] {
        var account = FeatureInventory(of: .all.subtracting(held), isReport: true)
        account.take(self)
        var joined = FeatureInventory(of: held, isReport: true)
        if held.contains(.sheetTitle) { joined.take(self, besides: other) }
        return account.losses + joined.losses
    }
}

extension Heading {
    /// Whether the origin line contains more than Chemopen's own mark.
    fileprivate static func isForeign(origin: ArraySlice<UInt8>) -> Bool {
        !origin.span.range(min(2, origin.count)..<origin.count, begins: "CHEMOPEN")
    }

    var texts: [Text] { isEmpty ? [] : [name, origin, comment] }

    /// Whether each of the lines is valid UTF-8.
    var isUTF8: Bool {
        let (name, origin, comment) = lines
        return name.isUTF8 && origin.isUTF8 && comment.isUTF8
    }
}

extension Fields {
    /// Whether the fields have different names and are in the order of the columns, as in most records.
    fileprivate var isInColumnOrder: Bool {
        zip(entries, entries.dropFirst()).allSatisfy { $0.column < $1.column }
    }

    /// Whether another field is between two fields of the same name. No order of columns can represent that.
    fileprivate var hasInterleavedColumns: Bool {
        var seen: Set<Int32> = []
        var last: Int32?
        for entry in entries {
            let column = Int32(truncatingIfNeeded: entry.column)
            if column != last, !seen.insert(column).inserted { return true }
            last = column
        }
        return false
    }

    /// Whether two fields have the same name.
    fileprivate var hasRepeatedColumns: Bool { Set(entries.map(\.column)).count < entries.count }
}

extension Features {
    mutating func add(_ feature: Feature, if condition: Bool = true) {
        if condition { rawValue |= 1 << UInt128(feature.rawValue) }
    }
}

extension Column.Kind {
    /// Whether the column has a type other than text or structure.
    fileprivate var isTyped: Bool {
        switch self {
        case .molecule, .string: false
        case .integer, .real, .boolean, .extend, .other: true
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are valid UTF-8.
    fileprivate var isUTF8: Bool {
        span.isPrintableASCII || allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
    }

    /// Whether a line is empty. A text without bytes does not count as an empty line.
    fileprivate var hasEmptyLine: Bool {
        let lineEnd = UInt8(ascii: "\n")
        guard first != lineEnd, last != lineEnd else { return true }
        return zip(self, dropFirst()).contains { $0 == lineEnd && $1 == lineEnd }
    }
}
