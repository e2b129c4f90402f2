import ChemopenBytes
import ChemopenModel

/// The data fields of a line, as an object of names and values. A name with several fields has a list of values.
///
/// Two additional members are rare: the order of the fields, if fields with the same name are not adjacent, and headers
/// that contain more than a name.
struct JSONFields: Sendable {
    private(set) var fields = Fields()
    /// The names in the order of the fields, if that order differs from the order of the values.
    var order: [Text] = []
    private var values: [(name: Text, values: [Value?])] = []
    private var headers: [Text: [Text]] = [:]
    /// The indices of the fields with each name, in the order of their first occurrence, and the columns with shared
    /// names.
    private var groups: [[Int]] = []
    private var shared: [Text: [Int]] = [:]

    static var shape: JSONShape { .object("fields") }

    init() {}

    /// - Parameter shared: the columns with a name that other columns also have, by name.
    init(_ fields: Fields, shared: [Text: [Int]]) {
        self.fields = fields
        self.shared = shared
        let names = fields.entries.indices.map(name)
        groups = Self.groups(of: names)
        if groups.count < names.count, !groups.joined().elementsEqual(names.indices) { order = names }
    }

    private func name(ofField place: Int) -> Text { fields.columns[Int(fields.entries[place].column)].name }

    /// Returns the indices of each name, in the order of their first occurrence.
    private static func groups(of names: [Text]) -> [[Int]] {
        var groups: [[Int]] = []
        var places: [Text: Int] = [:]
        for (index, name) in names.enumerated() {
            if let place = places[name] {
                groups[place].append(index)
            } else {
                places[name] = groups.count
                groups.append([index])
            }
        }
        return groups
    }
}

// MARK: Writing

extension JSONFields {
    func writeValues(to json: inout JSON) {
        if fields.isEmpty { return }
        json.key("fields")
        json.object { json in
            for group in groups {
                json.key(text: name(ofField: group[0]))
                let places = columns(of: group)
                if places.count == 1, let place = places[0] {
                    write(place, to: &json)
                } else {
                    json.array { json in
                        for place in places {
                            if let place { write(place, to: &json) } else { json.null() }
                        }
                    }
                }
            }
        }
    }

    /// Returns the fields with a name. If several columns share the name, each field has the position of its column
    /// among them.
    private func columns(of group: [Int]) -> [Int?] {
        guard let columns = shared[name(ofField: group[0])] else { return group }
        let taken = group.map { Int(fields.entries[$0].column) }
        guard zip(taken, taken.dropFirst()).allSatisfy(<) else { return group }
        // Both lists are sorted, so one pass finds the field of each column.
        var rest = zip(taken, group).makeIterator()
        var next = rest.next()
        var places: [Int?] = []
        for column in columns {
            guard let (taken, place) = next else { break }
            places.append(column == taken ? place : nil)
            if column == taken { next = rest.next() }
        }
        return places
    }

    private func write(_ place: Int, to json: inout JSON) {
        let entry = fields.entries[place]
        let text = fields.bytes[entry.valueRange]
        if let structure = fields.structures.notes(of: place).first {
            return JSONStructure(structure, text: Text(bytes: text)).write(to: &json)
        }
        switch Self.type(of: text, in: fields.columns[Int(entry.column)].kind) {
        case .integer, .real: json.number(spelled: text)
        case .boolean: json.bool(text.count == 4)
        default: json.string(Text(bytes: text))
        }
    }

    /// Returns the type of a value in a column: the type of the column if the text is valid for it, otherwise text.
    fileprivate static func type(of text: ArraySlice<UInt8>, in column: Column.Kind) -> Column.Kind {
        switch column {
        case .integer where isNumber(text) && Numeral.whole(text.span, 0..<text.count) != nil: .integer
        case .real where isNumber(text) && (Numeral.decimal(text.span, 0..<text.count) ?? .infinity).isFinite: .real
        case .boolean where text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8): .boolean
        default: .string
        }
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && JSONCursor.endOfNumber(text.span, 0..<text.count) == text.count
    }

    func writeHeaders(to json: inout JSON) {
        guard fields.entries.contains(where: \.hasHeader) else { return }
        json.key("field_headers")
        json.object { json in
            for group in groups where group.contains(where: { fields.entries[$0].hasHeader }) {
                json.key(text: name(ofField: group[0]))
                let headers = group.map { Text(bytes: fields.bytes[fields.headerRange(at: $0)]) }
                if headers.count == 1 { json.string(headers[0]) } else { headers.write(to: &json) }
            }
        }
    }
}

// MARK: Reading

extension JSONFields {
    /// A value that was read: its text, the column type that it requires, and its structure if it is one.
    struct Value: Sendable {
        var text = Text()
        var kind = Column.Kind.string
        var structure: Fields.Structure?
    }

    mutating func readValues(_ json: inout JSONCursor) throws(Fault) {
        try json.object { json, name throws(Fault) in
            var list: [Value?] = []
            if json.next == UInt8(ascii: "[") {
                try json.array { json throws(Fault) in list.append(try Value.read(&json)) }
            } else if let value = try Value.read(&json) {
                list.append(value)
            }
            values.append((json.text(of: name), list))
        }
    }

    mutating func readHeaders(_ json: inout JSONCursor) throws(Fault) {
        try json.object { json, name throws(Fault) in
            let name = json.text(of: name)
            headers[name] = json.next == UInt8(ascii: "[") ? try [Text].read(&json) : [try json.text()]
        }
    }

    /// Appends the parsed fields to a record.
    ///
    /// - Returns: the names of the values whose type changed, because a column has only one type.
    func append(to fields: inout Fields, _ columns: inout JSONColumns) -> [Text] {
        columns.beginRecord()
        var groups: [Text: Int] = [:]
        for (group, member) in values.enumerated() { groups[member.name] = group }
        var next = Array(repeating: 0, count: values.count)
        var inOrder: [(group: Int, value: Int)] = []
        for name in order {
            guard let group = groups[name] else { continue }
            while next[group] < values[group].values.count {
                next[group] += 1
                if values[group].values[next[group] - 1] == nil { continue }
                inOrder.append((group, next[group] - 1))
                break
            }
        }
        for group in values.indices {
            for place in next[group]..<max(next[group], values[group].values.count)
            where values[group].values[place] != nil { inOrder.append((group, place)) }
        }
        let isSpread = values.map { $0.values.contains { $0 == nil } }
        var headersTaken = Array(repeating: 0, count: values.count)
        let before = fields.entries.count
        for (group, place) in inOrder {
            guard let value = values[group].values[place] else { continue }
            let name = values[group].name
            let column = columns.place(of: name, number: place, value.kind, isSpread: isSpread[group])
            let headers = headers[name] ?? []
            let header = headers.indices.contains(headersTaken[group]) ? headers[headersTaken[group]] : ""
            headersTaken[group] += 1
            fields.append(column: column, value.text.bytes[...], header: header.bytes[...])
            if let structure = value.structure {
                fields.structures.append(Indexed(fields.entries.count - 1, structure))
            }
        }
        fields.columns = columns.columns
        return zip(inOrder, fields.entries[before...]).compactMap { place, entry in
            guard let value = values[place.group].values[place.value], value.structure == nil else { return nil }
            let type = Self.type(of: fields.bytes[entry.valueRange], in: columns.columns[Int(entry.column)].kind)
            return type == value.kind || type == .real && value.kind == .integer ? nil : values[place.group].name
        }
    }
}

extension Column.Kind {
    /// Returns the type of a column with values of both types. Text has the highest priority, because it stays text.
    /// Real numbers have priority over integers.
    fileprivate func joined(with other: Column.Kind) -> Column.Kind {
        switch (self, other) {
        case (.string, .integer), (.string, .real), (.string, .boolean), (.integer, .real): other
        default: self
        }
    }
}

extension JSONFields.Value {
    /// Reads a value, or returns `nil` if it is null. A list, or an object without a structure, is preserved as text.
    static func read(_ json: inout JSONCursor) throws(Fault) -> JSONFields.Value? {
        switch json.next {
        case UInt8(ascii: "n"):
            if json.null() { return nil }
            throw json.fault("a JSON value")
        case UInt8(ascii: "\""): return JSONFields.Value(text: try json.text())
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            return JSONFields.Value(text: try json.bool() ? "true" : "false", kind: .boolean)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            var other = json
            try other.skip()
            if let structure = try JSONStructure.readIfThere(&json) {
                return JSONFields.Value(text: structure.text, kind: .molecule, structure: structure.structure)
            }
            let text = json.text(upTo: other)
            json = other
            return JSONFields.Value(text: text)
        default:
            let number = try json.number()
            let isWhole = number.allSatisfy { Ascii.isDigit($0) || $0 == Ascii.minus }
            return JSONFields.Value(text: Text(bytes: number), kind: isWhole ? .integer : .real)
        }
    }
}

/// The columns with a name that other columns also have. They are determined again only if the columns have changed.
struct JSONSharedColumns: Sendable {
    private var known: [Column] = []
    private(set) var byName: [Text: [Int]] = [:]

    mutating func learn(_ columns: [Column]) {
        if columns == known { return }
        known = columns
        byName = Dictionary(grouping: columns.indices) { columns[$0].name }.filter { $0.value.count > 1 }
    }
}

/// The columns of a file, in the order of its header or its fields.
struct JSONColumns: Sendable {
    private(set) var columns: [Column] = []
    private var places: [Text: [Int]] = [:]
    private let head: [Column]
    /// The number of columns at the beginning of the last record.
    private var lastCount = 0

    init(_ head: [Column] = []) {
        self.head = head
        beginAnew()
    }

    private mutating func beginAnew() {
        columns = head
        places = [:]
        for (place, column) in head.enumerated() { places[column.name, default: []].append(place) }
    }

    /// Begins a record. If every record adds new names, the list is reset, because it is copied for each record.
    mutating func beginRecord() {
        if lastCount > 0, columns.count > max(lastCount, head.count + 256) { beginAnew() }
        lastCount = columns.count
    }

    /// Returns the column of a name. If several columns share the name, each value belongs to one of them, and further
    /// values belong to the last.
    ///
    /// The type of a column that is not in the header is derived from its values.
    ///
    /// - Parameter isSpread: whether a value is missing. If so, each value needs a separate column.
    mutating func place(of name: Text, number: Int, _ kind: Column.Kind, isSpread: Bool) -> Int {
        while isSpread, places[name, default: []].count <= number {
            places[name, default: []].append(columns.count)
            columns.append(Column(name, kind))
        }
        if let shared = places[name] {
            let place = shared[min(number, shared.count - 1)]
            let joined = columns[place].kind.joined(with: kind)
            if place >= head.count, joined != columns[place].kind { columns[place].kind = joined }
            return place
        }
        places[name] = [columns.count]
        columns.append(Column(name, kind))
        return columns.count - 1
    }
}

/// A structure in a data field, with its text.
struct JSONStructure: JSONObject {
    static let schemaName = "structure"
    static let blank = JSONStructure()
    static let form = JSONForm<JSONStructure>([
        JSONTerm("molecule", \.molecule), JSONTerm("reaction", \.reaction), JSONTerm("text", \.text),
    ])

    var molecule: Molecule?
    var reaction: Reaction?
    var text = Text()

    var structure: Fields.Structure? { molecule.map { .molecule($0) } ?? reaction.map { .reaction($0) } }

    /// Reads an object with a structure. For any other value, returns `nil` without reading it.
    static func readIfThere(_ json: inout JSONCursor) throws(Fault) -> JSONStructure? {
        var first = json
        guard first.next == UInt8(ascii: "{"), try first.hasMember("molecule", "reaction") else { return nil }
        return try read(&json)
    }
}

extension JSONStructure {
    init(_ structure: Fields.Structure, text: Text) {
        switch structure {
        case .molecule(let molecule): self.molecule = molecule
        case .reaction(let reaction): self.reaction = reaction
        }
        self.text = text
    }
}
