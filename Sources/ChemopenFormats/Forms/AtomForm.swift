import ChemopenModel

/// An atom with all its properties, as a JSON object contains them.
struct SaidAtom: Sendable {
    var atom = Atom(.none)
    var label: Text?
    var notes: [AtomNote] = []
    /// Whether the object contains a position; the position can be the origin.
    var hasPlace = false
}

extension SaidAtom: JSONObject {
    static let schemaName = "atom"
    static let blank = SaidAtom()

    static let form = JSONForm<SaidAtom>(said + marks + [JSONTerm("notes", \.notes)])

    private static let said: [JSONTerm<SaidAtom>] = [
        JSONTerm("element", \.atom.element),
        JSONTerm("label", \.label),
        JSONTerm("x", \.x),
        JSONTerm("y", \.y),
        JSONTerm("z", \.z),
        JSONTerm("charge", \.atom.charge),
        JSONTerm("isotope", \.atom.isotope),
        JSONTerm("radical", \.atom.radical),
        JSONTerm("hydrogens", \.hydrogens),
        JSONTerm("map", \.atom.mapNumber),
    ]

    private static let marks: [JSONTerm<SaidAtom>] = (MarkTerm.first + MarkTerm.others)
        .filter { $0.feature != .radicals }.map { term in
            JSONTerm(term.name, in: term.range, get: { term.get($0.atom) }, set: { term.set(&$0.atom, $1) })
        }

    // Properties without a value are omitted in JSON.

    private var x: Double? {
        get { hasPlace ? atom.position.x : nil }
        set { atom.position.x = newValue ?? 0 }
    }

    private var y: Double? {
        get { hasPlace ? atom.position.y : nil }
        set { atom.position.y = newValue ?? 0 }
    }

    private var z: Double? {
        get { atom.position.z == 0 ? nil : atom.position.z }
        set { atom.position.z = newValue ?? 0 }
    }

    private var hydrogens: Int? {
        get { atom.hydrogens.fixed }
        set { atom.hydrogens = newValue.map(HydrogenCount.fixed) ?? .unstated }
    }
}

extension ChemicalElement: JSONCoded {
    static var shape: JSONShape { .text }

    var isSaid: Bool { self != .none }

    func write(to json: inout JSON) { json.string(symbol) }

    static func read(_ json: inout JSONCursor) throws(Fault) -> ChemicalElement {
        try json.read("the symbol of an element") { json throws(Fault) in
            let text = try json.text().bytes
            guard 1...2 ~= text.count else { return nil }
            let element = element(ofSymbol: text[0], text.count > 1 ? text[1] : 0)
            return element == .none ? nil : element
        }
    }
}

/// A radical is a name if the file specifies its multiplicity, and otherwise the number of unpaired electrons.
extension Radical: JSONCoded {
    private static let words: [(value: Radical, word: StaticString)] = [
        (.singlet, "singlet"), (.doublet, "doublet"), (.triplet, "triplet"),
    ]

    static var shape: JSONShape { .either([.word(words.map(\.word.description)), .whole]) }

    var isSaid: Bool { self != .none }

    func write(to json: inout JSON) {
        for (value, word) in Self.words where value == self { return json.plain(word) }
        json.number(unpairedElectrons)
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Radical {
        guard json.next == UInt8(ascii: "\"") else { return .unpaired(try json.integer(in: 0...127)) }
        return try json.word(of: words, "singlet, doublet, triplet, or the number of unpaired electrons")
    }
}

extension Radical {
    /// Creates a radical from its name in JSON Lines.
    package init?(word: String) {
        guard let found = Self.words.first(where: { $0.word.description == word }) else { return nil }
        self = found.value
    }
}

// MARK: Notes

/// A note on an atom is an object with one member. The row of the note specifies its key and value.
extension AtomNote: JSONCoded {
    static var shape: JSONShape { .object("atom_note") }

    func write(to json: inout JSON) {
        let term = AtomTerm.term(of: self)
        json.object { json in
            json.key(term.name)
            switch (term.content, self) {
            case (.code(let code), _): json.number(code.get(self) ?? 0)
            case (.text(let get, _), _): json.string(get(self) ?? "")
            case (.numbers(let get, _), _): (get(self) ?? []).write(to: &json)
            case (.attachments, .attachmentOrder(let attachments)): attachments.write(to: &json)
            case (.elements, .elementList(let list)): list.write(to: &json)
            case (.configuration, .configuration(let configuration)): configuration.write(to: &json)
            case (.keyword, .keyword(let name, let value)): Sgroup.Keyword(name, value).write(to: &json)
            case (.attachments, _), (.elements, _), (.configuration, _), (.keyword, _): json.null()
            }
        }
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> AtomNote {
        try json.onlyMember { json, name throws(Fault) -> AtomNote? in
            guard let term = AtomTerm.all.first(where: { json.isName(name, $0.name) }) else { return nil }
            switch term.content {
            case .code(let code): return code.make(try json.integer(in: code.range))
            case .text(_, let make): return make(try json.text())
            case .numbers(_, let make): return make(try [Int32].read(&json))
            case .attachments: return .attachmentOrder(try [Attachment].read(&json))
            case .elements: return .elementList(try ElementList.read(&json))
            case .configuration:
                return .configuration(
                    try json.read("a configuration with one neighbor for each corner of its shape") {
                        json throws(Fault) in
                        let configuration = try Configuration.read(&json)
                        return configuration.isValid ? configuration : nil
                    })
            case .keyword:
                let keyword = try Sgroup.Keyword.read(&json)
                return .keyword(name: keyword.name, value: keyword.value)
            }
        }
    }
}

extension JSONCursor {
    /// Reads an object with one member, using a function that accepts the name of the member.
    mutating func onlyMember<Value>(
        _ read: (inout JSONCursor, JSONName) throws(Fault) -> Value?
    ) throws(Fault) -> Value {
        let beginning = nextPlace
        var value: Value?
        try object { json, name throws(Fault) in
            guard value == nil, let member = try read(&json, name) else {
                throw json.fault("an object with one member from the schema", at: beginning)
            }
            value = member
        }
        guard let value else { throw fault("an object with one member", at: beginning) }
        return value
    }
}

extension AtomNote.Attachment: JSONObject {
    static let schemaName = "attachment"
    static let blank = AtomNote.Attachment(neighbor: 0, point: "")
    static let form = JSONForm<Self>([
        JSONTerm("neighbour", \.neighbor), JSONTerm("point", \.point),
    ])
}

extension AtomNote.Configuration: JSONObject {
    static let schemaName = "configuration"
    static let blank = AtomNote.Configuration(.squarePlanar, 1, of: [])
    static let form = JSONForm<Self>([
        JSONTerm("shape", \.shape), JSONTerm("arrangement", \.arrangement), JSONTerm("neighbours", \.neighbors),
    ])
}

extension AtomNote.Configuration.Shape: JSONWord {
    static let words: [(value: Self, word: StaticString)] = [
        (.squarePlanar, "square_planar"), (.trigonalBipyramidal, "trigonal_bipyramidal"), (.octahedral, "octahedral"),
        (.allene, "allene"),
    ]
}

extension ElementList: JSONObject {
    static let schemaName = "element_list"
    static let blank = ElementList([])
    static let form = JSONForm<Self>([
        JSONTerm("excluding", \.isExcluding), JSONTerm("symbols", \.symbols),
    ])
}

extension Sgroup.Keyword: JSONObject {
    static let schemaName = "keyword"
    static let blank = Sgroup.Keyword("", "")
    static let form = JSONForm<Self>([JSONTerm("name", \.name), JSONTerm("value", \.value)])
}
