import ChemopenModel

/// A bond with all its properties, as a JSON object contains them.
struct SaidBond: Sendable {
    var bond = Bond(0, 0)
    var from = -1
    var to = -1
    var notes: [BondNote] = []
}

extension SaidBond: JSONObject {
    static let schemaName = "bond"
    static let blank = SaidBond()

    static let form = JSONForm<SaidBond>(said + terms + [JSONTerm("notes", \.notes)])

    private static let terms = BondTerm.all.map { term in
        JSONTerm<SaidBond>(term.name, in: term.range, get: { term.get($0.bond) }, set: { term.set(&$0.bond, $1) })
    }

    private static let said: [JSONTerm<SaidBond>] = [
        JSONTerm("from", get: { Optional(Int($0.bond.from)) }, set: { $0.from = $1 ?? -1 }),
        JSONTerm("to", get: { Optional(Int($0.bond.to)) }, set: { $0.to = $1 ?? -1 }),
        JSONTerm("order", \.bond.order),
        JSONTerm("mark", \.bond.mark),
    ]
}

extension Bond.Order: JSONWord {
    static let words: [(value: Bond.Order, word: StaticString)] = [
        (.single, "single"), (.double, "double"), (.triple, "triple"), (.aromatic, "aromatic"), (.zero, "zero"),
        (.quadruple, "quadruple"), (.quintuple, "quintuple"), (.sextuple, "sextuple"), (.dative, "dative"),
        (.hydrogen, "hydrogen"), (.singleOrDouble, "single_or_double"), (.singleOrAromatic, "single_or_aromatic"),
        (.doubleOrAromatic, "double_or_aromatic"), (.any, "any"),
    ]
}

extension Bond.Mark: JSONWord {
    static let words: [(value: Bond.Mark, word: StaticString)] = [
        (.none, "none"), (.up, "up"), (.down, "down"), (.either, "either"),
    ]

    var isSaid: Bool { self != .none }
}

extension Bond.Order {
    /// Creates an order from its name in JSON Lines.
    package init?(word: String) {
        guard let found = Self.words.first(where: { $0.word.description == word }) else { return nil }
        self = found.value
    }
}

extension Bond.Mark {
    /// Creates a mark from its name in JSON Lines.
    package init?(word: String) {
        guard let found = Self.words.first(where: { $0.word.description == word }) else { return nil }
        self = found.value
    }
}

extension BondNote.Geometry: JSONObject {
    static let schemaName = "geometry"
    static let blank = BondNote.Geometry(0, 0, isTrans: false)
    static let form = JSONForm<Self>([
        JSONTerm("one", get: { Optional($0.one) }, set: { $0.one = $1 ?? 0 }),
        JSONTerm("other", get: { Optional($0.other) }, set: { $0.other = $1 ?? 0 }),
        JSONTerm("trans", get: { Optional($0.isTrans) }, set: { $0.isTrans = $1 ?? false }),
    ])
}

/// A note on a bond is an object with one member.
extension BondNote: JSONCoded {
    static var shape: JSONShape { .object("bond_note") }

    /// The atoms at one end of a multicenter bond.
    struct Endpoints: JSONObject {
        static let schemaName = "endpoints"
        static let blank = Endpoints()
        static let form = JSONForm<Endpoints>([JSONTerm("atoms", \.atoms), JSONTerm("any", \.any)])

        var atoms: [Int32] = []
        var any = false
    }

    /// A kind of note: its key, its type in the schema, and a function that returns the value of a note of this kind.
    struct Kind: Sendable {
        let key: StaticString
        private let shapedAs: any JSONCoded.Type
        let value: @Sendable (BondNote) -> (any JSONCoded)?
        let read: @Sendable (inout JSONCursor) throws(Fault) -> BondNote

        init<Value: JSONCoded>(
            _ key: StaticString, _ value: @escaping @Sendable (BondNote) -> Value?,
            _ make: @escaping @Sendable (Value) -> BondNote
        ) {
            self.key = key
            shapedAs = Value.self
            self.value = value
            read = { json throws(Fault) in make(try Value.read(&json)) }
        }

        var shape: JSONShape { shapedAs.shape }
    }

    static let kinds = [
        Kind("endpoints") {
            if case .endpoints(let atoms, let any) = $0 { Endpoints(atoms: atoms, any: any) } else { nil }
        } _: {
            .endpoints(atoms: $0.atoms, any: $0.any)
        },
        Kind("geometry", { $0.geometry }, BondNote.geometry),
        Kind("display", { if case .display(let text) = $0 { text } else { nil } }, BondNote.display),
        Kind("drawn_order", { if case .drawnOrder(let order) = $0 { order } else { nil } }, BondNote.drawnOrder),
        Kind("asks_for_aromatic", { if case .asksForAromatic = $0 { true } else { nil } }, { _ in .asksForAromatic }),
        Kind("query", { if case .query(let text) = $0 { text } else { nil } }, BondNote.query),
        Kind("field", { if case .field(let text) = $0 { text } else { nil } }, BondNote.field),
        Kind(
            "transient_field", { if case .transientField(let text) = $0 { text } else { nil } }, BondNote.transientField
        ),
        Kind("keyword") {
            if case .keyword(let name, let value) = $0 { Sgroup.Keyword(name, value) } else { nil }
        } _: {
            .keyword(name: $0.name, value: $0.value)
        },
    ]

    func write(to json: inout JSON) {
        json.object { json in
            for kind in Self.kinds {
                guard let value = kind.value(self) else { continue }
                json.key(kind.key)
                value.write(to: &json)
            }
        }
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> BondNote {
        try json.onlyMember { json, name throws(Fault) -> BondNote? in
            guard let kind = kinds.first(where: { json.isName(name, $0.key) }) else { return nil }
            return try kind.read(&json)
        }
    }
}
