/// The type that fits all values of one column.
///
/// If only text is possible, further values are not inspected.
struct ColumnTally: Sendable {
    let column: Column
    var kind: Column.Kind?
    /// The types that the field headers contain because the values come from a sheet. The keys are the positions among
    /// the columns with this name.
    private var marks: [Int: Column.Kind] = [:]
    private var mayBe: Kinds = [.integer, .real, .boolean, .molecule]
    private var hasValues = false
    private(set) var columnCount = 1
    private var printed: [UInt8] = []

    private struct Kinds: OptionSet {
        let rawValue: UInt8

        static let integer = Kinds(rawValue: 1)
        static let real = Kinds(rawValue: 2)
        static let boolean = Kinds(rawValue: 4)
        static let molecule = Kinds(rawValue: 8)
    }

    init(_ column: Column) {
        self.column = column
        if column.kind != .string { kind = column.kind }
    }

    /// Returns the type of a column, given its position among the columns with this name.
    func settledKind(_ number: Int) -> Column.Kind {
        if let kind = marks[number] ?? kind ?? marks[1] { return kind }
        if !hasValues { return .string }
        if mayBe.contains(.integer) { return .integer }
        if mayBe.contains(.real) { return .real }
        return mayBe.contains(.boolean) ? .boolean : mayBe.contains(.molecule) ? .molecule : .string
    }

    /// Adds a value. Returns whether it changed the type or the number of columns.
    mutating func take(_ range: Range<Int>, of bytes: Span<UInt8>, repeats: Int) -> Bool {
        var isNews = !hasValues || repeats > columnCount
        hasValues = true
        if let kind, !fits(kind, range, bytes) {
            // A value does not match the type that the file specifies.
            let isReal = isReal(range, bytes) || !isWhole(range, bytes) && fits(.real, range, bytes)
            self.kind = kind == .integer && isReal ? .real : .string
            isNews = true
        }
        columnCount = max(columnCount, repeats)
        if mayBe.isDisjoint(with: [.real, .boolean, .molecule]) { return isNews }
        let before = mayBe
        if mayBe.contains(.real) {
            switch Spelling(range, bytes) {
            case .integer: break
            case .real: mayBe.remove(.integer)
            case .unclear:
                if mayBe.contains(.integer), !isInteger(range, bytes) { mayBe.remove(.integer) }
                if !mayBe.contains(.integer), !isReal(range, bytes) { mayBe.remove(.real) }
            case .noNumber: mayBe.subtract([.integer, .real])
            }
        }
        if mayBe.contains(.boolean), !isBoolean(range, bytes) { mayBe.remove(.boolean) }
        if mayBe.contains(.molecule), !bytes.range(range, begins: "SketchEl!(") { mayBe.remove(.molecule) }
        return isNews || mayBe != before
    }

    /// Adds the type that a sheet attached to the field. Returns whether the type is new.
    mutating func takeMark(_ range: Range<Int>, of bytes: Span<UInt8>, repeats: Int) -> Bool {
        guard let kind = SheetMark.kind(in: range, of: bytes), marks[repeats] != kind else {
            return false
        }
        marks[repeats] = kind
        return true
    }

    private mutating func fits(_ kind: Column.Kind, _ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        if kind == .string || kind == .molecule { return true }
        // Integers in a DataSheet have 32 bits.
        if kind == .integer, let value = Numeral.whole(bytes, range), Int32(exactly: value) == nil { return false }
        printed.removeAll(keepingCapacity: true)
        printed.append(copying: bytes.extracting(range))
        return kind.fits(Text(bytes: printed))
    }

    private func isWhole(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        range.allSatisfy { Ascii.isDigit(bytes[$0]) || bytes[$0] == Ascii.minus }
    }

    private mutating func isInteger(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard range.count <= 11, let value = Numeral.whole(bytes, range), Int32(exactly: value) != nil else {
            return false
        }
        printed.removeAll(keepingCapacity: true)
        printed.appendDecimal(value)
        return isPrinted(range, bytes)
    }

    private mutating func isReal(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard range.count <= 24, let value = Numeral.decimal(bytes, range) else { return false }
        printed.removeAll(keepingCapacity: true)
        printed.appendShortest(value)
        return isPrinted(range, bytes)
    }

    private func isPrinted(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard range.count == printed.count else { return false }
        for (offset, byte) in printed.enumerated() where bytes[range.lowerBound + offset] != byte { return false }
        return true
    }

    private func isBoolean(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.range(range, begins: "true") && range.count == 4
            || bytes.range(range, begins: "false") && range.count == 5
    }
}

/// A quick classification of a text as a number in canonical form. Avoids the computation of the value if possible.
private enum Spelling {
    case integer, real, noNumber, unclear

    /// A double distinguishes all numbers with 15 digits, so such a number without trailing zeros is already its
    /// shortest text.
    private static let mostDigits = 15

    init(_ range: Range<Int>, _ bytes: Span<UInt8>) {
        var at = range.lowerBound
        let end = range.upperBound
        if at < end, bytes[at] == 0x2D { at &+= 1 }
        let hasSign = at > range.lowerBound
        let first = at
        while at < end, bytes[at] &- 0x30 < 10 { at &+= 1 }
        let wholeDigits = at &- first
        guard wholeDigits > 0, wholeDigits == 1 || bytes[first] != 0x30 else {
            self = .noNumber
            return
        }
        if at == end {
            self = hasSign && bytes[first] == 0x30 ? .noNumber : wholeDigits < 10 ? .integer : .unclear
            return
        }
        guard bytes[at] == 0x2E, bytes[end &- 1] &- 0x31 < 9 else {
            self = .noNumber
            return
        }
        let point = at
        at &+= 1
        while at < end, bytes[at] &- 0x30 < 10 { at &+= 1 }
        self = at < end ? .noNumber : wholeDigits &+ (end &- 1 &- point) <= Self.mostDigits ? .real : .unclear
    }
}

/// The columns of all records by name, each with its tally.
struct TalliedColumns: Sendable {
    var tallies: [ColumnTally] = []
    /// Whether the types that files specify for their columns are used.
    private let keepsKinds: Bool
    private var places: [Text: Int] = [:]
    /// The column array of the last record and, for each column, the index of its tally.
    private var known: [Column] = []
    private var targets: [Int] = []
    /// The number of occurrences of each column in the current record.
    private var repeats: [Int] = []

    init(keepsKinds: Bool = true) {
        self.keepsKinds = keepsKinds
    }

    /// Returns the index of the tally for a column's name, and creates the tally if necessary.
    mutating func place(of column: Column) -> Int {
        if let place = places[column.name] { return place }
        places[column.name] = tallies.count
        tallies.append(ColumnTally(keepsKinds ? column : Column(column.name)))
        repeats.append(0)
        return tallies.count - 1
    }

    func has(_ name: Text) -> Bool { places[name] != nil }

    /// Prepares for the fields of a record. Returns the columns that are new in the file and the indices of their
    /// tallies.
    @discardableResult
    mutating func begin(_ fields: borrowing Fields) -> [(column: Column, place: Int)] {
        var new: [(Column, Int)] = []
        // Within a file, the columns are always the same array, so the comparison is fast. Columns of another reader
        // are compared one by one.
        if fields.columns != known {
            if !fields.columns.starts(with: known) { targets = [] }
            for column in fields.columns[targets.count...] {
                targets.append(place(of: column))
                new.append((column, targets[targets.count - 1]))
            }
        }
        known = fields.columns
        for entry in fields.entries { repeats[targets[Int(entry.column)]] = 0 }
        return new
    }

    func place(of entry: Fields.Entry) -> Int { targets[Int(entry.column)] }

    /// Adds the value of a field. Returns its position among the fields with this name in the record, and whether it
    /// changed the type or the number of columns.
    mutating func take(_ entry: Fields.Entry, of bytes: Span<UInt8>) -> (repeats: Int, isNews: Bool) {
        let place = place(of: entry)
        repeats[place] += 1
        return (repeats[place], tallies[place].take(entry.valueRange, of: bytes, repeats: repeats[place]))
    }
}
