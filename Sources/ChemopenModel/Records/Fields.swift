/// The data fields of a record in file order, including repeated fields.
///
/// The values of a record are stored in one block of bytes, with a range for each value. A `Field` and its texts are
/// created on request.
///
///     for field in record.fields { print(field.name, field.value) }
///     let mass = record.fields["MASS"]?.value
public struct Fields: Sendable {
    /// The columns that the fields refer to. All records of a file share them.
    public package(set) var columns: [Column] = []
    /// The bytes of all fields: for each field its header, if it is stored, and then its value.
    package var bytes: [UInt8] = []
    package var entries: [Entry] = []
    /// The structures among the values, by field index.
    package var structures: [Indexed<Structure>] = []

    /// Creates an empty list without columns.
    public init() {}

    /// The location of a field. The value is `bytes[value..<end]`; the header, if it is stored, precedes the value.
    package struct Entry: Sendable, Hashable {
        /// The column index, or its bitwise complement if a header is stored.
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

        /// Returns the entry of the same field after its bytes have moved by a distance.
        fileprivate func moved(by distance: Int) -> Entry {
            var moved = self
            moved.value = UInt32(clamping: Int(value) + distance)
            moved.end = UInt32(clamping: Int(end) + distance)
            return moved
        }
    }

    /// Returns the range of a field's header in `bytes`; it is empty if the header is the default one.
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
    /// Returns whether both contain the same fields. Columns without a field in the record are ignored; tables can have
    /// many.
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

    /// Hashes the fields' headers and values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(entries.count)
    }
}

extension Fields: RandomAccessCollection, MutableCollection {
    /// The index of the first field.
    public var startIndex: Int { 0 }
    /// The index after the last field.
    public var endIndex: Int { entries.count }

    /// The field at an index. If you set a field, its column is found by its name.
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

    /// The first field with a name.
    ///
    ///     record.fields["MASS"] = "180.16"            // added, or replaces the first
    ///     record.fields["IC50"] = Field(.real(0.5))   // a number
    ///     record.fields["NOTE"]?.value = "checked"    // if it exists
    ///     record.fields["NAME"] = nil                 // removes all fields with this name
    ///
    /// A field that you set gets the specified name. It retains its header only if it already had this name.
    ///
    /// - Returns: the field, or `nil` if there is no field with this name.
    public subscript(name: Text) -> Field? {
        get { place(of: name).map { self[$0] } }
        set {
            guard var field = newValue else { return removeAll(named: name) }
            if field.name != name { field.name = name }
            guard let place = place(of: name) else { return append(field) }
            self[place] = field
        }
    }

    /// Returns the first text value with a name that consists of a single line, or `nil` if there is no such value.
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
    /// Replaces a range of fields. New names are added to the columns; no columns are removed.
    public mutating func replaceSubrange(_ range: Range<Int>, with fields: some Collection<Field>) {
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
            structures.filter { $0.index < before } + added.structures.map { Indexed(Int($0.index) + before, $0.note) }
            + structures.filter { $0.index >= after }.map { Indexed(Int($0.index) + shift, $0.note) }
    }

    /// Appends a field; a new name is added to the columns.
    ///
    /// If the column would read a typed value differently, the column changes to the kind of the value. If a value does
    /// not fit the kind of its column, the column becomes text.
    public mutating func append(_ field: Field) {
        let place = place(ofColumn: field.name, kind: field.kind)
        if field.kind != .string, columns[place].kind != field.kind,
            field.structure != nil || Cell(field.value, as: columns[place].kind) != field.cell
        {
            columns[place].kind = field.kind
        }
        if field.structure == nil { makeColumn(place, fit: field.value) }
        append(column: place, field.value.bytes[...], header: field.header?.bytes[...] ?? [])
        if let structure = field.structure { structures.append(Indexed(entries.count - 1, structure)) }
    }

    /// Changes a column to text if a value does not fit its kind.
    private mutating func makeColumn(_ place: Int, fit value: Text) {
        if !columns[place].kind.fits(value) { columns[place].kind = .string }
    }

    /// Removes the fields that satisfy the predicate, in linear time.
    ///
    /// - Throws: any error that the predicate throws.
    public mutating func removeAll(where isUnwanted: (Field) throws -> Bool) rethrows {
        let isKept = try map { try !isUnwanted($0) }
        let old = self
        removeAll()
        for place in old.entries.indices where isKept[place] { append(place, of: old) }
    }

    /// Removes all fields with a name. The column remains without a value.
    public mutating func removeAll(named name: Text) {
        guard place(of: name) != nil else { return }
        removeAll { $0.name == name }
    }

    /// Appends a field of another list that has the same columns.
    package mutating func append(_ place: Int, of other: Fields, header: ArraySlice<UInt8>? = nil) {
        let entry = other.entries[place]
        append(
            column: Int(entry.column), other.bytes[entry.valueRange],
            header: header ?? other.bytes[other.headerRange(at: place)])
        for structure in other.structures.notes(of: place) { structures.append(Indexed(entries.count - 1, structure)) }
    }
}

extension Fields {
    /// Appends a text field; a new name is added to the columns.
    public mutating func append(_ name: Text, _ value: Text, header: Text? = nil) {
        let place = place(ofColumn: name, kind: .string)
        makeColumn(place, fit: value)
        append(column: place, value.bytes[...], header: header?.bytes[...] ?? [])
    }

    /// Appends a value: `fields.append("IC50", .real(0.5))`.
    public mutating func append(_ name: Text, _ cell: Cell) {
        append(Field(name, cell))
    }

    /// Appends a field with a molecule as its value, and the corresponding text.
    public mutating func append(_ name: Text, _ molecule: Molecule, text: Text = "") {
        append(column: place(ofColumn: name, kind: .molecule), text.bytes[...])
        structures.insert(.molecule(molecule), at: entries.count - 1)
    }

    /// Appends a field with a reaction as its value, and the corresponding text.
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

    /// Returns the index of the column with a name, and adds the column if there is no such column.
    package mutating func place(ofColumn name: Text, kind: Column.Kind) -> Int {
        if let place = columns.firstIndex(where: { $0.name == name }) { return place }
        columns.append(Column(name, kind))
        return columns.count - 1
    }

    /// Whether no values have been read into this memory yet.
    package var isFresh: Bool { bytes.capacity == 0 }

    /// Releases excess capacity, for records that remain in memory.
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

    /// Removes all fields but not the columns.
    public mutating func removeAll(keepingCapacity: Bool = true) {
        bytes.removeAll(keepingCapacity: keepingCapacity)
        entries.removeAll(keepingCapacity: keepingCapacity)
        if !structures.isEmpty { structures = [] }
    }
}
