import ChemopenModel

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
    /// How many of the columns of each name are known to be taken in this row.
    private var taken: [Int] = []
    /// The columns of each name, those of the molecule and its name left out.
    private let places: [Text: [Int]]
    /// The fields of the record are those of the table: a cell that does not fit has come from there.
    private(set) var isIdentity = false
    /// The field at each column of the row, -1 for none, and the columns that have one.
    private var entries: [Int32]
    private(set) var filled: [Int] = []

    init(_ header: SheetHeader = SheetHeader()) {
        columns = header.columns
        subjectColumn = header.subjectColumn
        nameColumn = header.nameColumn
        entries = Array(repeating: -1, count: header.columns.count)
        var places: [Text: [Int]] = [:]
        for (place, column) in columns.enumerated() where place != subjectColumn && place != nameColumn {
            places[column.name, default: []].append(place)
        }
        self.places = places
    }

    /// Gives each field of a record its place.
    mutating func assign(_ fields: borrowing Fields, _ losses: inout [Loss]) {
        for column in filled { entries[column] = -1 }
        filled.removeAll(keepingCapacity: true)
        if fields.entries.isEmpty { return }
        if fields.columns != known { learn(fields.columns) }
        if !isIdentity {
            for entry in fields.entries { taken[Int(entry.column)] = 0 }
        }
        for index in fields.entries.indices {
            let column = Int(fields.entries[index].column)
            if isIdentity {
                put(index, at: column)
            } else if let free = takeFree(column) {
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
        columns.sort()
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
        if !isMore { targets = [] }
        for column in columns[targets.count...] {
            targets.append(places[column.name] ?? places[Text(bytes: column.name.bytes + Array("_2".utf8))] ?? [])
        }
        taken = Array(repeating: 0, count: targets.count)
    }
}
