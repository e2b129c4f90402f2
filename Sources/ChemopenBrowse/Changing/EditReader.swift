import Chemopen

/// The members of an edit. Unknown members are rejected because ignoring them would hide mistakes.
struct EditReader {
    typealias Fault = BrowseRequest.Fault

    let name: String
    private let members: [String: JSONValue]

    /// - Parameter kind: what the edit changes, for error messages.
    init(_ json: JSONValue, _ kind: String) throws(Fault) {
        guard let members = json.object, let name = members["op"]?.string else {
            throw Fault(message: "an edit of \(kind) must be an object with \"op\"")
        }
        self.members = members
        self.name = name
    }

    func allow(_ names: String...) throws(Fault) {
        for member in members.keys.sorted() where member != "op" && !names.contains(member) {
            throw Fault(message: "\(name) does not support \"\(member)\"" + suggestion(for: member, among: names))
        }
    }

    subscript(name: String) -> JSONValue? {
        let value = members[name]
        return value == .null ? nil : value
    }

    func value<Value>(
        _ member: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(Fault) -> Value? {
        guard let json = self[member] else { return nil }
        guard let value = read(json) else { throw Fault(message: "\(name): \"\(member)\" must be \(expected)") }
        return value
    }

    func required<Value>(
        _ member: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(Fault) -> Value {
        guard let value = try value(member, expected, read) else {
            throw Fault(message: "\(name) requires \"\(member)\": \(expected)")
        }
        return value
    }

    func unknown(_ names: [String]) -> Fault {
        Fault(message: "there is no edit \"\(name)\"" + suggestion(for: name, among: names))
    }
}

extension StructureEdit {
    typealias Fault = BrowseRequest.Fault

    private static let names = ["set_atom", "add_atom", "delete_atom", "set_bond", "add_bond", "delete_bond"]
    private static let mostEdits = 100_000

    /// Reads a list of edits of atoms and bonds.
    static func list(_ json: [JSONValue]) throws(Fault) -> [StructureEdit] {
        guard json.count <= mostEdits else { throw Fault(message: "too many edits at once") }
        var edits: [StructureEdit] = []
        for edit in json { edits.append(try StructureEdit(edit)) }
        return edits
    }

    private init(_ json: JSONValue) throws(Fault) {
        let edit = try EditReader(json, "a structure")
        func index(_ member: String) throws(Fault) -> Int {
            try edit.required(member, "an index from 0") { $0.count.flatMap { $0 < Bond.atomLimit ? $0 : nil } }
        }
        switch edit.name {
        case "set_atom": self = .setAtom(try index("atom"), try Self.atom(edit, "atom"))
        case "add_atom": self = .addAtom(try Self.atom(edit))
        case "set_bond": self = .setBond(try index("bond"), try Self.bond(edit, "bond", "turn"))
        case "add_bond":
            self = .addBond(from: try index("from"), to: try index("to"), try Self.bond(edit, "from", "to"))
        case "delete_atom":
            try edit.allow("atom")
            self = .deleteAtom(try index("atom"))
        case "delete_bond":
            try edit.allow("bond")
            self = .deleteBond(try index("bond"))
        default: throw edit.unknown(Self.names)
        }
    }

    private static func atom(_ edit: EditReader, _ index: String = "element") throws(Fault) -> AtomEdit {
        try edit.allow(index, "element", "label", "x", "y", "z", "charge", "isotope", "radical", "hydrogens", "map")
        func whole(_ member: String, _ range: ClosedRange<Int>) throws(Fault) -> Int? {
            try edit.value(member, "an integer from \(range.lowerBound) to \(range.upperBound)") { json in
                json.number.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
            }
        }
        var atom = AtomEdit()
        atom.element = try edit.value("element", "the symbol of an element") { json in
            guard let text = json.string.map({ Array($0.utf8) }), 1...2 ~= text.count else { return nil }
            let element = ChemicalElement.element(ofSymbol: text[0], text.count > 1 ? text[1] : 0)
            return element == .none ? nil : element
        }
        atom.label = try edit.value("label", "a string") { $0.string.map { Text($0) } }
        atom.x = try edit.value("x", "a number", \.number)
        atom.y = try edit.value("y", "a number", \.number)
        atom.z = try edit.value("z", "a number", \.number)
        atom.charge = try whole("charge", -999...999).map { Int16(clamping: $0) }
        atom.isotope = try whole("isotope", 0...999).map { UInt16(clamping: $0) }
        atom.radical = try edit.value("radical", "none, singlet, doublet or triplet") { json in
            json.string.flatMap { $0 == "none" ? Radical.none : Radical(word: $0) }
        }
        if edit["hydrogens"]?.string == "auto" {
            atom.hydrogens = .unstated
        } else if let count = try whole("hydrogens", 0...HydrogenCount.most) {
            atom.hydrogens = .fixed(count)
        }
        atom.mapNumber = try whole("map", 0...Int(Int32.max)).map { Int32(clamping: $0) }
        return atom
    }

    private static func bond(_ edit: EditReader, _ one: String, _ other: String) throws(Fault) -> BondEdit {
        try edit.allow(one, other, "order", "mark")
        var bond = BondEdit()
        bond.order = try edit.value("order", "the order of a bond, as in JSON Lines") {
            $0.string.flatMap(Bond.Order.init(word:))
        }
        bond.mark = try edit.value("mark", "none, up, down or either") { $0.string.flatMap(Bond.Mark.init(word:)) }
        if other == "turn" { bond.turns = try edit.value("turn", "true or false", \.bool) ?? false }
        return bond
    }
}

/// The edits of one record, or of the list of records in a file.
enum RecordOperation {
    case edit([RecordEdit])
    case structure([StructureEdit])
    case delete
    case insert(Record, at: Int?)
    /// Restores a deleted record from git, by its key.
    case undelete(Text)

    typealias Fault = BrowseRequest.Fault

    /// Whether the operation refers to a position in the file.
    var hasPlace: Bool {
        if case .insert(_, let number) = self { number != nil } else { false }
    }

    var name: String {
        switch self {
        case .edit: "set"
        case .structure: "structure"
        case .delete: "delete"
        case .insert: "insert"
        case .undelete: "undelete"
        }
    }

    static func list(_ json: [JSONValue]) throws(Fault) -> [RecordOperation] {
        guard json.count <= 1000 else { throw Fault(message: "a request can contain at most 1000 edits") }
        var operations: [RecordOperation] = []
        for edit in json { operations.append(try RecordOperation(edit)) }
        return operations
    }

    private init(_ json: JSONValue) throws(Fault) {
        let edit = try EditReader(json, "a record")
        func text(_ member: String) throws(Fault) -> Text {
            Text(try edit.required(member, "a string", \.string))
        }
        switch edit.name {
        case "set":
            try edit.allow("field", "value")
            self = .edit([.set(try Self.named(text("field")), try text("value"))])
        case "unset":
            try edit.allow("field")
            self = .edit([.unset(try text("field"))])
        case "title":
            try edit.allow("value")
            self = .edit([.setTitle(try text("value"))])
        case "structure":
            try edit.allow("edits")
            self = .structure(try StructureEdit.list(try edit.required("edits", "an array", \.array)))
        case "delete":
            try edit.allow()
            self = .delete
        case "insert":
            try edit.allow("at", "title", "fields", "structure")
            let number = try edit.value("at", "the number of the new record, from 1") {
                $0.count.flatMap { $0 > 0 ? $0 : nil }
            }
            self = .insert(try Self.record(edit), at: number)
        case "undelete":
            try edit.allow("record")
            self = .undelete(try text("record"))
        default: throw edit.unknown(["set", "unset", "title", "structure", "delete", "insert", "undelete"])
        }
    }

    private static func named(_ name: Text) throws(Fault) -> Text {
        if name.isEmpty { throw Fault(message: "a field requires a name") }
        return name
    }

    private static func record(_ edit: EditReader) throws(Fault) -> Record {
        var record = Record()
        if let edits = try edit.value("structure", "an array", \.array) {
            var molecule = Molecule()
            if let reason = molecule.apply(try StructureEdit.list(edits)) { throw Fault(message: reason) }
            record.subject = .molecule(molecule)
        }
        if let title = try edit.value("title", "a string", \.string) {
            if case .none = record.subject { record.subject = .molecule(Molecule()) }
            if case .molecule(var molecule) = record.subject {
                molecule.name = Text(title)
                record.subject = .molecule(molecule)
            }
        }
        for field in try edit.value("fields", "an array", \.array) ?? [] {
            guard let name = field["name"]?.string, let value = field["value"]?.string else {
                throw Fault(message: "a field must be an object with \"name\" and \"value\"")
            }
            record.fields.append(Field(try named(Text(name)), Text(value)))
        }
        return record
    }
}
