/// The data fields of a record, in the file's order, repeats included.
///
/// A record's values are one block of bytes and a place in it for each; a `Field` and its texts are made when asked for.
///
///     for field in record.fields { print(field.name, field.value) }
///     let mass = record.fields["MASS"]?.value
public struct Fields: Sendable, Hashable {
    /// The columns that the fields' numbers mean. All records of a file share them.
    public package(set) var columns: [Column] = []
    /// Field after field: its header, if kept, then its value.
    package var bytes: [UInt8] = []
    package var entries: [Entry] = []
    /// Structures that are values, by the place of their field.
    package var structures: [Tagged<Structure>] = []

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

/// One data field: a name and a value.
public struct Field: Sendable, Hashable {
    /// The place among the columns of the record's file.
    public let column: Int
    public let name: Text
    /// Lines are joined by LF.
    public let value: Text
    /// The line that announces the field, where it says more than the name: `>  25 <NAME> (MD-0001) DT12`.
    public let header: Text?
    /// The value as its column's kind has it, a structure included.
    public let cell: Cell
}

extension Fields: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }

    public subscript(position: Int) -> Field {
        let entry = entries[position]
        let column = Int(entry.column)
        let kind = columns[column].kind
        let value = Text(bytes: bytes[entry.valueRange])
        return Field(
            column: column, name: columns[column].name, value: value,
            header: entry.hasHeader ? Text(bytes: bytes[headerRange(at: position)]) : nil,
            cell: structure(at: position) ?? Cell(value, as: kind))
    }

    /// The first field of a name.
    public subscript(name: Text) -> Field? {
        for place in indices where columns[Int(entries[place].column)].name == name { return self[place] }
        return nil
    }

    private func structure(at position: Int) -> Cell? {
        if structures.isEmpty { return nil }
        for structure in structures.notes(of: position) {
            switch structure {
            case .molecule(let molecule): return .molecule(molecule)
            case .reaction(let reaction): return .reaction(reaction)
            }
        }
        return nil
    }
}

extension Fields {
    /// Adds a field behind the others; a name that is new becomes a column.
    public mutating func append(_ name: Text, _ value: Text, header: Text? = nil) {
        append(column: place(ofColumn: name, kind: .string), value.bytes[...], header: header?.bytes[...] ?? [])
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

    /// Takes all fields out and keeps the memory; the columns stay.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        if !structures.isEmpty { structures = [] }
    }
}
