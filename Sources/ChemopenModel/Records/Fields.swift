/// The data fields of a record, in the file's order, repeats included.
///
/// A record's values are one block of bytes and a place in it for each; a `Field` and its texts are made when asked for.
///
///     for field in record.fields { print(field.name, field.value) }
///     let mass = record.fields["MASS"]?.value
public struct Fields: Sendable {
    /// The columns that the fields' numbers mean. All records of a file share them.
    public package(set) var columns: [Column] = []
    /// Field after field: its header, if kept, then its value.
    package var bytes: [UInt8] = []
    package var entries: [Entry] = []
    /// Structures that are values, by the place of their field.
    package var structures: [Tagged<Structure>] = []

    /// No fields, and no columns.
    public init() {}

    /// Where a field stands: its value is `bytes[value..<end]`. A header that is kept stands before the value.
    package struct Entry: Sendable, Hashable {
        /// The column; its complement where a header is kept.
        private var columnOrComplement: Int32
        private var value: UInt32
        package var end: UInt32

        package init(column: Int, header: Int, value: Int, end: Int) {
            let column = Int32(clamping: column)
            columnOrComplement = header < value ? ~column : column
            self.value = UInt32(clamping: value)
            self.end = UInt32(clamping: end)
        }

        package var column: Int32 {
            get { hasHeader ? ~columnOrComplement : columnOrComplement }
            set { columnOrComplement = hasHeader ? ~newValue : newValue }
        }

        package var hasHeader: Bool { columnOrComplement < 0 }

        package var valueRange: Range<Int> { Int(value)..<Swift.max(Int(value), Int(end)) }

        /// The place of the same field where so many bytes more stand before it.
        fileprivate func moved(by distance: Int) -> Entry {
            var moved = self
            moved.value = UInt32(clamping: Int(value) + distance)
            moved.end = UInt32(clamping: Int(end) + distance)
            return moved
        }
    }

    /// Where the header of a field stands; empty where the usual one says the same.
    package func headerRange(at place: Int) -> Range<Int> {
        let value = entries[place].valueRange.lowerBound
        guard entries[place].hasHeader else { return value..<value }
        return (place == 0 ? 0 : Swift.min(entries[place - 1].valueRange.upperBound, value))..<value
    }

    package indirect enum Structure: Sendable, Hashable {
        case molecule(Molecule)
        case reaction(Reaction)
    }
}

extension Fields: Hashable {
    /// Whether both have the same fields. Columns that a record says nothing of do not count, of which a sheet may have many.
    public static func == (one: Fields, other: Fields) -> Bool {
        guard one.bytes == other.bytes, one.entries.count == other.entries.count, one.structures == other.structures
        else {
            return false
        }
        for (first, second) in zip(one.entries, other.entries)
        where first.valueRange != second.valueRange || first.hasHeader != second.hasHeader
            || one.columns[Int(first.column)] != other.columns[Int(second.column)]
        {
            return false
        }
        return true
    }

    /// Feeds the fields' headers and values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(entries.count)
    }
}

extension Fields: RandomAccessCollection, MutableCollection {
    /// The place of the first field.
    public var startIndex: Int { 0 }
    /// The place behind the last field.
    public var endIndex: Int { entries.count }

    /// A field by its place. One that is put there finds its column by its name.
    public subscript(position: Int) -> Field {
        get {
            let entry = entries[position]
            let column = columns[Int(entry.column)]
            return Field(
                name: column.name, value: Text(bytes: bytes[entry.valueRange]),
                header: entry.hasHeader ? Text(bytes: bytes[headerRange(at: position)]) : nil,
                column: Int(entry.column), kind: column.kind, structure: structures.notes(of: position).first)
        }
        set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
    }

    /// The first field of a name.
    ///
    ///     record.fields["MASS"] = "180.16"            // added, or put in the place of the first
    ///     record.fields["IC50"] = Field(.real(0.5))   // a number
    ///     record.fields["NOTE"]?.value = "checked"    // where there is one
    ///     record.fields["NAME"] = nil                 // all of that name are gone
    ///
    /// A field takes the name under which it is set, and keeps its header only if that has been its name.
    public subscript(name: Text) -> Field? {
        get { place(of: name).map { self[$0] } }
        set {
            guard var field = newValue else { return removeAll(named: name) }
            if field.name != name { field.name = name }
            guard let place = place(of: name) else { return append(field) }
            self[place] = field
        }
    }

    /// The first value of a name that is one line of text.
    package func firstLine(named name: Text) -> Text? {
        for place in entries.indices where columns[Int(entries[place].column)].name == name {
            let value = bytes[entries[place].valueRange]
            if !value.contains(0x0A), structures.notes(of: place).isEmpty { return Text(bytes: value) }
        }
        return nil
    }

    private func place(of name: Text) -> Int? {
        entries.indices.first { columns[Int(entries[$0].column)].name == name }
    }
}

extension Fields: RangeReplaceableCollection {
    /// Puts fields in the place of others. Names that are new become columns; no column goes.
    public mutating func replaceSubrange(_ range: Range<Int>, with fields: some Swift.Collection<Field>) {
        var added = Fields()
        added.columns = columns
        for field in fields { added.append(field) }
        columns = added.columns
        let start = range.lowerBound == 0 ? 0 : entries[range.lowerBound - 1].valueRange.upperBound
        let end = range.isEmpty ? start : entries[range.upperBound - 1].valueRange.upperBound
        bytes.replaceSubrange(start..<end, with: added.bytes)
        let distance = added.bytes.count - (end - start)
        let following = entries[range.upperBound...].map { $0.moved(by: distance) }
        entries.replaceSubrange(range.lowerBound..., with: added.entries.map { $0.moved(by: start) } + following)
        if structures.isEmpty, added.structures.isEmpty { return }
        let shift = added.entries.count - range.count
        let (before, after) = (range.lowerBound, range.upperBound)
        structures =
            structures.filter { $0.index < before } + added.structures.map { Tagged(Int($0.index) + before, $0.note) }
            + structures.filter { $0.index >= after }.map { Tagged(Int($0.index) + shift, $0.note) }
    }

    /// Adds a field behind the others; a name that is new becomes a column.
    ///
    /// A column takes the kind of a typed value that it would read otherwise, and becomes text where a value does not fit.
    public mutating func append(_ field: Field) {
        let place = place(ofColumn: field.name, kind: field.kind)
        if field.kind != .string, columns[place].kind != field.kind,
            field.structure != nil || Cell(field.value, as: columns[place].kind) != field.cell
        {
            columns[place].kind = field.kind
        }
        if field.structure == nil { makeColumn(place, fit: field.value) }
        append(column: place, field.value.bytes[...], header: field.header?.bytes[...] ?? [])
        if let structure = field.structure { structures.append(Tagged(entries.count - 1, structure)) }
    }

    /// Makes a column one of text where a value is not of its kind.
    private mutating func makeColumn(_ place: Int, fit value: Text) {
        if !columns[place].kind.fits(value) { columns[place].kind = .string }
    }

    /// Removes the fields of which a function says so, in one go.
    public mutating func removeAll(where isUnwanted: (Field) throws -> Bool) rethrows {
        let isKept = try map { try !isUnwanted($0) }
        let old = self
        removeAll()
        for place in old.entries.indices where isKept[place] { append(place, of: old) }
    }

    /// Removes all fields of a name. The column stays, without a value.
    public mutating func removeAll(named name: Text) {
        guard place(of: name) != nil else { return }
        removeAll { $0.name == name }
    }

    /// Adds a field of other fields whose columns are the same.
    package mutating func append(_ place: Int, of other: Fields, header: ArraySlice<UInt8>? = nil) {
        let entry = other.entries[place]
        append(
            column: Int(entry.column), other.bytes[entry.valueRange],
            header: header ?? other.bytes[other.headerRange(at: place)])
        for structure in other.structures.notes(of: place) { structures.append(Tagged(entries.count - 1, structure)) }
    }
}

extension Fields {
    /// Adds a field behind the others; a name that is new becomes a column.
    public mutating func append(_ name: Text, _ value: Text, header: Text? = nil) {
        let place = place(ofColumn: name, kind: .string)
        makeColumn(place, fit: value)
        append(column: place, value.bytes[...], header: header?.bytes[...] ?? [])
    }

    /// Adds a value behind the others: `fields.append("IC50", .real(0.5))`.
    public mutating func append(_ name: Text, _ cell: Cell) {
        append(Field(name, cell))
    }

    /// Adds a structure as the value of a field, with the text that goes with it.
    public mutating func append(_ name: Text, _ molecule: Molecule, text: Text = "") {
        append(column: place(ofColumn: name, kind: .molecule), text.bytes[...])
        structures.insert(.molecule(molecule), at: entries.count - 1)
    }

    /// Adds a reaction as the value of a field, with the text that goes with it.
    public mutating func append(_ name: Text, _ reaction: Reaction, text: Text = "") {
        append(column: place(ofColumn: name, kind: .molecule), text.bytes[...])
        structures.insert(.reaction(reaction), at: entries.count - 1)
    }

    package mutating func append(column: Int, _ value: ArraySlice<UInt8>, header: ArraySlice<UInt8> = []) {
        let start = bytes.count
        if !header.isEmpty { bytes.append(contentsOf: header) }
        let middle = bytes.count
        bytes.append(contentsOf: value)
        entries.append(Entry(column: column, header: start, value: middle, end: bytes.count))
    }

    /// The place of a column of that name, which is added if there is none.
    package mutating func place(ofColumn name: Text, kind: Column.Kind) -> Int {
        if let place = columns.firstIndex(where: { $0.name == name }) { return place }
        columns.append(Column(name, kind))
        return columns.count - 1
    }

    /// Whether nothing was read into this memory yet.
    package var isFresh: Bool { bytes.capacity == 0 }

    /// Gives back the memory that growing has left over: the record is to be kept.
    package mutating func trim() {
        var exactBytes: [UInt8] = []
        exactBytes.reserveCapacity(bytes.count)
        exactBytes.append(contentsOf: bytes)
        bytes = exactBytes
        var exactEntries: [Entry] = []
        exactEntries.reserveCapacity(entries.count)
        exactEntries.append(contentsOf: entries)
        entries = exactEntries
    }

    /// Takes all fields out; the columns stay.
    public mutating func removeAll(keepingCapacity: Bool = true) {
        bytes.removeAll(keepingCapacity: keepingCapacity)
        entries.removeAll(keepingCapacity: keepingCapacity)
        if !structures.isEmpty { structures = [] }
    }
}
