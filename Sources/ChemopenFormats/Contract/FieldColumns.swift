import ChemopenBytes
import ChemopenModel

/// The names of a file's data fields in the order of their first use, with fast lookup.
///
/// Records of one source usually have their fields in the same order, so the next name in the list is tried first. If
/// every record adds new names, the list is cleared from time to time, because it is copied for each record.
struct FieldColumns {
    private(set) var columns: [Column] = []
    /// The names and header lines as one array.
    private var text: [UInt8] = []
    private var names: [Range<Int>] = []
    /// For each name, a header line with its LF that contains only the name; empty if no such line has occurred.
    private var headers: [Range<Int>] = []
    /// Indices of names by hash, or -1. The size is a power of two and at least twice the number of columns.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    private var expected = 0
    /// The number of columns at the beginning of the last record.
    private var lastCount = 0

    /// Lists up to this size are never cleared.
    private static let smallList = 256

    /// Begins a record. Column indices from earlier records become invalid.
    mutating func beginRecord() {
        if lastCount > 0, names.count > max(lastCount, Self.smallList) { self = FieldColumns() }
        lastCount = names.count
    }

    /// Moves past the header line of the expected next name, and returns its column. Returns `nil` without moving if
    /// the line differs.
    @inline(__always)
    mutating func passExpectedHeader(_ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Int? {
        guard expected < headers.count else { return nil }
        let header = headers[expected]
        let start = lines.position
        guard !header.isEmpty, header.count <= lines.end &- start,
            text.span.extracting(header).isSame(as: bytes.extracting(start..<start &+ header.count))
        else { return nil }
        lines.take(upTo: start &+ header.count &- 1)
        expected &+= 1
        return expected &- 1
    }

    /// Stores a header line, with its LF, that contains only the name of a column.
    mutating func remember(header: Range<Int>, of column: Int, in bytes: Span<UInt8>) {
        if !headers[column].isEmpty { return }
        headers[column] = add(bytes.extracting(header))
    }

    private mutating func add(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = text.count
        text.append(copying: bytes)
        return start..<text.count
    }

    /// Returns the column of a name, adding it if it is new.
    mutating func place(of name: Range<Int>, in bytes: Span<UInt8>) -> Int {
        if expected < names.count, isEqual(names[expected], name, bytes) {
            expected &+= 1
            return expected &- 1
        }
        var slot = hash(name, bytes) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if isEqual(names[place], name, bytes) {
                expected = place &+ 1
                return place
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        slots[slot] = Int32(clamping: names.count)
        names.append(add(bytes.extracting(name)))
        headers.append(0..<0)
        columns.append(Column(Text(bytes: bytes.bytes(name))))
        expected = names.count
        if names.count * 2 > slots.count { grow() }
        return names.count - 1
    }

    private func isEqual(_ known: Range<Int>, _ name: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        text.span.extracting(known).isSame(as: bytes.extracting(name))
    }

    /// Returns the FNV-1a hash of a name.
    private func hash(_ name: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in name { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & Int.max
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (place, name) in names.enumerated() {
            var slot = hash(name, text.span) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(clamping: place)
        }
    }
}

/// Assigns each data field of a record to a cell of a row.
///
/// Fields that were read from the same sheet stay in their columns. Other fields are assigned by name. If a name is
/// repeated in a record, the next column with that name is used.
struct ColumnPlaces {
    private let columns: [Column]
    private let subjectColumn: Int?
    private let nameColumn: Int?
    /// The columns of the previous record's fields, and their target columns.
    private var known: [Column] = []
    private var targets: [[Int]] = []
    /// The target column if there is exactly one, otherwise -1.
    private var onlyTargets: [Int] = []
    private var hasManyTargets = false
    /// For each name, the number of target columns that are already used in this row.
    private var taken: [Int] = []
    /// The columns of each name, except the columns for the molecule and its name.
    private let places: [Text: [Int]]
    /// Whether the fields of the record have the same columns as the table.
    private(set) var isIdentity = false
    /// The field in each column of the row, or -1, and the columns that have one.
    private var entries: [Int32]
    private(set) var filled: [Int] = []
    /// Whether the fields of the record follow the order of the columns.
    private var isOrdered = true

    /// - Parameter takesNames: whether a field is written to the name column if it has the name of that column and no
    ///   other column does.
    init(_ header: SheetHeader = SheetHeader(), takesNames: Bool = false) {
        columns = header.columns
        subjectColumn = header.subjectColumn
        nameColumn = header.nameColumn
        entries = Array(repeating: -1, count: header.columns.count)
        var places: [Text: [Int]] = [:]
        for (place, column) in columns.enumerated() where place != subjectColumn && place != nameColumn {
            places[column.name, default: []].append(place)
        }
        if takesNames, let nameColumn, places[columns[nameColumn].name] == nil {
            places[columns[nameColumn].name] = [nameColumn]
        }
        self.places = places
    }

    /// Assigns each field of a record to a column. If the columns and the fields have different orders, that is a loss.
    mutating func assign(_ fields: borrowing Fields, _ losses: inout [Loss]) {
        for column in filled { entries[column] = -1 }
        filled.removeAll(keepingCapacity: true)
        isOrdered = true
        if fields.entries.isEmpty { return }
        if fields.columns != known { learn(fields.columns) }
        if !isIdentity, hasManyTargets {
            for entry in fields.entries { taken[Int(entry.column)] = 0 }
        }
        for index in fields.entries.indices {
            let column = Int(fields.entries[index].column)
            if isIdentity {
                put(index, at: column)
                continue
            }
            let target = onlyTargets[column]
            if target >= 0, entries[target] < 0 {
                put(index, at: target)
            } else if target < 0, let free = takeFree(column) {
                put(index, at: free)
            } else {
                losses.note(targets[column].isEmpty ? .fields : .repeatedFields, fields.columns[column].name)
            }
        }
        if !isOrdered { losses.note(.fieldOrder) }
    }

    /// Returns the next free column for a field's name.
    @inline(__always)
    private mutating func takeFree(_ field: Int) -> Int? {
        while taken[field] < targets[field].count {
            let column = targets[field][taken[field]]
            taken[field] += 1
            if entries[column] < 0 { return column }
        }
        return nil
    }

    func entry(at column: Int) -> Int? {
        entries[column] < 0 ? nil : Int(entries[column])
    }

    /// Collects the columns that have a value in this row, in order.
    func getColumns(for molecule: borrowing Molecule, isThere: Bool, in columns: inout [Int]) {
        columns.removeAll(keepingCapacity: true)
        if isThere {
            if let subjectColumn, entries[subjectColumn] < 0 { columns.append(subjectColumn) }
            if let nameColumn, entries[nameColumn] < 0, !molecule.heading.hasNoName { columns.append(nameColumn) }
        }
        columns.append(contentsOf: filled)
        for place in columns.indices.dropFirst() where columns[place] < columns[place - 1] {
            columns.sort()
            return
        }
    }

    @inline(__always)
    private mutating func put(_ entry: Int, at column: Int) {
        entries[column] = Int32(clamping: entry)
        if let last = filled.last, last > column { isOrdered = false }
        filled.append(column)
    }

    private mutating func learn(_ columns: [Column]) {
        // The columns of a file grow from record to record. Known columns preserve their targets.
        let isMore = !isIdentity && columns.starts(with: known)
        known = columns
        isIdentity = columns == self.columns
        if isIdentity { return }
        if !isMore { (targets, onlyTargets) = ([], []) }
        for column in columns[targets.count...] {
            let found = places[column.name] ?? places[Text(bytes: column.name.bytes + Array("_2".utf8))] ?? []
            targets.append(found)
            onlyTargets.append(found.count == 1 ? found[0] : -1)
        }
        hasManyTargets = targets.contains { $0.count > 1 }
        taken = Array(repeating: 0, count: targets.count)
    }
}
