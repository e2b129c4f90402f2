import ChemopenModel

// The rare parts of a molecule and their components.

extension Position: JSONCoded {
    static var shape: JSONShape { .list(.number) }

    func write(to json: inout JSON) {
        json.array { json in
            json.number(x)
            json.number(y)
            if z != 0 { json.number(z) }
        }
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Position {
        try json.read("two or three numbers") { json throws(Fault) in
            let numbers = try [Double].read(&json)
            guard 2...3 ~= numbers.count else { return nil }
            return Position(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
        }
    }
}

extension Sgroup: JSONObject {
    static let schemaName = "sgroup"
    static let blank = Sgroup(.generic)
    static let form = JSONForm<Sgroup>([
        JSONTerm("kind", get: { $0.kind.code }, set: { $0.kind = Kind($1) }),
        JSONTerm("number", \.number),
        JSONTerm("identifier", \.identifier),
        JSONTerm("atoms", \.atoms),
        JSONTerm("bonds", \.bonds),
        JSONTerm("contained_bonds", \.containedBonds),
        JSONTerm("head_bonds", \.headBonds),
        JSONTerm("bond_correspondence", \.bondCorrespondence),
        JSONTerm("parent_atoms", \.parentAtoms),
        JSONTerm("subtype", \.subtype),
        JSONTerm("label", \.label),
        JSONTerm("connectivity", \.connectivity),
        JSONTerm("parent", \.parent),
        JSONTerm("component_number", \.componentNumber),
        JSONTerm("expanded", \.isExpanded),
        JSONTerm("brackets", \.brackets),
        JSONTerm("bracket_style", \.bracketStyle),
        JSONTerm("attachments", \.attachments),
        JSONTerm("bond_vectors", \.bondVectors),
        JSONTerm("template_class", \.templateClass),
        JSONTerm("data", \.data),
        JSONTerm("keywords", \.keywords),
    ])
}

extension Sgroup.Bracket: JSONObject {
    static let schemaName = "bracket"
    static let blank = Sgroup.Bracket(from: Position(), to: Position())
    static let form = JSONForm<Self>([JSONTerm("start", \.start), JSONTerm("end", \.end)])
}

extension Sgroup.BracketStyle: JSONWord {
    static let words: [(value: Self, word: StaticString)] = [(.square, "square"), (.round, "round")]
}

extension Sgroup.AttachmentPoint: JSONObject {
    static let schemaName = "attachment_point"
    static let blank = Sgroup.AttachmentPoint(atom: 0)
    static let form = JSONForm<Self>([
        JSONTerm("atom", \.atom), JSONTerm("leaving", \.leaving), JSONTerm("identifier", \.identifier),
    ])
}

extension Sgroup.BondVector: JSONObject {
    static let schemaName = "bond_vector"
    static let blank = Sgroup.BondVector(bond: 0, vector: nil)
    static let form = JSONForm<Self>([JSONTerm("bond", \.bond), JSONTerm("vector", \.vector)])
}

extension Sgroup.Data: JSONObject {
    static let schemaName = "data"
    static let blank = Sgroup.Data()
    static let form = JSONForm<Self>([
        JSONTerm("field_name", \.fieldName), JSONTerm("field_type", \.fieldType), JSONTerm("units", \.units),
        JSONTerm("query_type", \.queryType), JSONTerm("query_operator", \.queryOperator),
        JSONTerm("display", \.display), JSONTerm("values", \.values),
    ])
}

extension StereoGroup: JSONObject {
    static let schemaName = "stereo_group"
    static let blank = StereoGroup(.absolute, atoms: [])
    static let form = JSONForm<Self>([
        JSONTerm("kind", \.kind), JSONTerm("number", \.number), JSONTerm("atoms", \.atoms), JSONTerm("bonds", \.bonds),
    ])
}

extension StereoGroup.Kind: JSONWord {
    static let words: [(value: Self, word: StaticString)] = [
        (.absolute, "absolute"), (.racemic, "racemic"), (.relative, "relative"),
    ]
}

extension AtomCollection: JSONObject {
    static let schemaName = "collection"
    static let blank = AtomCollection("")
    static let form = JSONForm<AtomCollection>([
        JSONTerm("name", \.name), JSONTerm("default", \.isDefault), JSONTerm("atoms", \.atoms),
        JSONTerm("bonds", \.bonds), JSONTerm("sgroups", \.sgroups), JSONTerm("keywords", \.keywords),
    ])
}

extension LinkNode: JSONObject {
    static let schemaName = "link_node"
    static let blank = LinkNode(atom: 0, repeats: 0, to: 0, neighbors: [])
    static let form = JSONForm<Self>([
        JSONTerm("atom", \.atom), JSONTerm("minimum", \.minimum), JSONTerm("maximum", \.maximum),
        JSONTerm("neighbours", \.neighbors),
    ])
}

extension RGroup: JSONObject {
    static let schemaName = "rgroup"
    static let blank = RGroup(0)
    static let form = JSONForm<Self>([
        JSONTerm("number", \.number), JSONTerm("members", \.members), JSONTerm("logic", \.logic),
    ])
}

extension RGroup.Logic: JSONObject {
    static let schemaName = "logic"
    static let blank = RGroup.Logic()
    static let form = JSONForm<Self>([
        JSONTerm("requires", \.requires), JSONTerm("rest_is_hydrogen", \.restIsHydrogen),
        JSONTerm("occurrence", \.occurrence),
    ])
}

extension Template: JSONObject {
    static let schemaName = "template"
    static let blank = Template("", Molecule())
    static let form = JSONForm<Self>([
        JSONTerm("name", \.name), JSONTerm("keywords", \.keywords), JSONTerm("molecule", \.molecule),
    ])
}

extension Abbreviation: JSONObject {
    static let schemaName = "abbreviation"
    static let blank = Abbreviation(atom: 0, molecule: Molecule())
    static let form = JSONForm<Self>([
        JSONTerm("atom", \.atom), JSONTerm("molecule", \.molecule), JSONTerm("spelling", \.spelling),
    ])
}

extension Verbatim: JSONObject {
    static let schemaName = "kept"
    static let blank = Verbatim(.v2000, "")
    static let form = JSONForm<Self>([
        JSONTerm("dialect", \.dialect),
        JSONTerm(
            "atom", get: { if case .atom(let place) = $0.owner { place } else { nil as Int32? } },
            set: { if let place = $1 { $0.owner = .atom(place) } }),
        JSONTerm(
            "bond", get: { if case .bond(let place) = $0.owner { place } else { nil as Int32? } },
            set: { if let place = $1 { $0.owner = .bond(place) } }),
        JSONTerm(
            "sgroup", get: { if case .sgroup(let place) = $0.owner { place } else { nil as Int32? } },
            set: { if let place = $1 { $0.owner = .sgroup(place) } }),
        JSONTerm("text", \.text),
    ])
}

extension Verbatim.Dialect: JSONWord {
    static let words: [(value: Self, word: StaticString)] = [
        (.v2000, "v2000"), (.v3000, "v3000"), (.sdfile, "sdfile"), (.rdfile, "rdfile"), (.sketchEl, "sketchel"),
        (.dataSheet, "datasheet"), (.chemDraw, "chemdraw"), (.v2000Text, "v2000_text"), (.cxsmiles, "cxsmiles"),
    ]
}
