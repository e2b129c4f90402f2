import ChemopenBytes
import ChemopenModel

/// The names of a file's data fields in the order in which they were met, found by their bytes.
///
/// Records of one source name their fields in the same order: the name behind the last one found is tried first.
/// Where record after record brings new names, the list begins anew: it would be copied for each record.
struct FieldColumns {
    private(set) var columns: [Column] = []
    /// The names, and the header lines of those that have one, in one piece.
    private var text: [UInt8] = []
    private var names: [Range<Int>] = []
    /// For each name a header line that says nothing else, with its LF; empty where none was met.
    private var headers: [Range<Int>] = []
    /// Places of names by hash, -1 where there is none; its size is a power of two and at least twice the columns.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    private var expected = 0
    /// How many columns there were at the beginning of the last record.
    private var lastCount = 0

    /// Lists up to this size are never begun anew.
    private static let smallList = 256

    /// Says that a record begins. The places of names found for earlier records mean nothing for this one.
    mutating func beginRecord() {
        if lastCount > 0, names.count > max(lastCount, Self.smallList) { self = FieldColumns() }
        lastCount = names.count
    }

    /// Passes the header line of the name that is expected next, and returns its column; `nil`, and nothing is passed, where
    /// another line comes, or the same name in another line.
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

    /// Remembers a header line that names a column and says nothing else, with its LF.
    mutating func remember(header: Range<Int>, of column: Int, in bytes: Span<UInt8>) {
        if !headers[column].isEmpty { return }
        headers[column] = add(bytes.extracting(header))
    }

    private mutating func add(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = text.count
        text.append(copying: bytes)
        return start..<text.count
    }

    /// The column of a name, which joins the others if it is new.
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

    /// FNV-1a.
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

/// Which cell of a row each data field goes to.
///
/// Fields of a sheet's own columns stay in them. Others go by name; a name that is met again in a record goes to the
/// next column of that name.
struct ColumnPlaces {
    private let columns: [Column]
    private let subjectColumn: Int?
    private let nameColumn: Int?
    /// The columns that the fields' numbers meant last time, and what became of them.
    private var known: [Column] = []
    private var targets: [[Int]] = []
    /// The target where there is one, -1 for none and for several.
    private var onlyTargets: [Int] = []
    private var hasManyTargets = false
    /// How many of the columns of each name are known to be taken in this row.
    private var taken: [Int] = []
    /// The columns of each name, those of the molecule and its name left out.
    private let places: [Text: [Int]]
    /// The fields of the record are those of the table: a cell that does not fit has come from there.
    private(set) var isIdentity = false
    /// The field at each column of the row, -1 for none, and the columns that have one.
    private var entries: [Int32]
    private(set) var filled: [Int] = []

    /// - Parameter takesNames: a field that is called as the column of names, and has no other, goes there.
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

    /// Gives each field of a record its place.
    mutating func assign(_ fields: borrowing Fields, _ losses: inout [Loss]) {
        for column in filled { entries[column] = -1 }
        filled.removeAll(keepingCapacity: true)
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
    }

    /// The next column of a field's name that is still free.
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

    /// The columns that have a value in this row, in their order.
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
        filled.append(column)
    }

    private mutating func learn(_ columns: [Column]) {
        // The columns of a file grow from record to record: those that are known keep what became of them.
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
