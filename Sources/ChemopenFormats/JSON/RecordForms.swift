import ChemopenBytes
import ChemopenModel

// The lines of a file: the header of a table, and records.

/// A line with the version of the schema, and a record or the header of a table.
struct JSONLine: JSONObject {
    static let schemaName = "line"
    static let blank = JSONLine()

    /// The version of the schema. Readers reject any other version. Adding a key does not change it.
    static let version = 1
    /// The key of the version, which identifies the format.
    static let signature: StaticString = "chemopen"

    var sheet: SheetHeader?
    var molecule: Molecule?
    var reaction: Reaction?
    var fields = JSONFields()
    var registry: [Record.RegistryNumber] = []
    var verbatim: [Verbatim] = []

    static let form = JSONForm<JSONLine>([
        JSONTerm(signature, .whole) { _, json in
            json.field(signature, version)
        } read: { json, _ throws(Fault) in
            let beginning = json.nextPlace
            if try json.integer() != version {
                throw json.fault("version 1 of the schema", at: beginning)
            }
        },
        JSONTerm("sheet", \.sheet),
        JSONTerm("molecule", \.molecule),
        JSONTerm("reaction", \.reaction),
        JSONTerm("fields", JSONFields.shape) { line, json in
            line.fields.writeValues(to: &json)
        } read: { json, line throws(Fault) in
            try line.fields.readValues(&json)
        },
        JSONTerm("field_order", \.fields.order),
        JSONTerm("field_headers", .object("field_headers")) { line, json in
            line.fields.writeHeaders(to: &json)
        } read: { json, line throws(Fault) in
            try line.fields.readHeaders(&json)
        },
        JSONTerm("registry", \.registry),
        JSONTerm("kept", \.verbatim),
    ])
}

extension JSONLine {
    /// - Parameter shared: the columns with a name that other columns also have, by name.
    init(_ record: Record, shared: [Text: [Int]]) {
        switch record.subject {
        case .none: break
        case .molecule(let molecule): self.molecule = molecule
        case .reaction(let reaction): self.reaction = reaction
        }
        fields = JSONFields(record.fields, shared: shared)
        registry = record.registry
        verbatim = record.verbatim
    }
}

extension Record.RegistryNumber: JSONObject {
    static let schemaName = "registry_number"
    static let blank = Record.RegistryNumber("", isInternal: false, isOfReaction: false)
    static let form = JSONForm<Self>([
        JSONTerm("number", \.number), JSONTerm("internal", \.isInternal), JSONTerm("of_reaction", \.isOfReaction),
    ])
}

// MARK: Reactions

extension Reaction: JSONObject {
    static let schemaName = "reaction"
    static let blank = Reaction()
    static let form = JSONForm<Reaction>([
        JSONTerm("name", get: { $0.name }, set: { $0.name = $1 }),
        JSONTerm("origin", get: { $0.origin }, set: { $0.origin = $1 }),
        JSONTerm("comment", get: { $0.comment }, set: { $0.comment = $1 }),
        JSONTerm("steps", \.steps),
        JSONTerm("kept", \.verbatim),
    ])
}

extension Reaction.Step: JSONObject {
    static let schemaName = "step"
    static let blank = Reaction.Step()
    static let form = JSONForm<Self>([
        JSONTerm("reactants", \.reactants), JSONTerm("agents", \.agents), JSONTerm("products", \.products),
        JSONTerm("conditions", \.conditions), JSONTerm("arrow", \.arrow),
    ])
}

extension Reaction.Arrow: JSONWord {
    static let words: [(value: Self, word: StaticString)] = [
        (.forward, "forward"), (.equilibrium, "equilibrium"), (.equilibriumToProducts, "equilibrium_to_products"),
        (.equilibriumToReactants, "equilibrium_to_reactants"), (.resonance, "resonance"),
        (.retrosynthetic, "retrosynthetic"), (.hollow, "hollow"), (.crossed, "crossed"), (.hashed, "hashed"),
        (.dipole, "dipole"),
    ]
    var isSaid: Bool { self != .forward }
}

extension Reaction.Component: JSONObject {
    static let schemaName = "component"
    static let blank = Reaction.Component(Molecule())
    static let form = JSONForm<Self>([
        JSONTerm("name", \.name), JSONTerm("stoichiometry", \.stoichiometry), JSONTerm("molecule", \.molecule),
    ])
}

// MARK: Tables

extension SheetHeader: JSONObject {
    static let schemaName = "sheet"
    static let blank = SheetHeader()
    static let form = JSONForm<SheetHeader>([
        JSONTerm("title", \.title),
        JSONTerm("description", \.summary),
        JSONTerm("columns", \.columns),
        JSONTerm("complete", \.hasAllColumns),
        JSONTerm("subject_column", \.subjectColumn),
        JSONTerm("name_column", \.nameColumn),
        JSONTerm("extensions", \.extensions),
    ])

    /// Whether the header contains more than the names of fields.
    var isTable: Bool {
        hasAllColumns || subjectColumn != nil || !title.isEmpty || !summary.isEmpty || !extensions.isEmpty
            || columns.contains { $0.kind != .string || !$0.summary.isEmpty }
    }

    /// Whether the special columns exist.
    var isSound: Bool {
        [subjectColumn, nameColumn].allSatisfy { $0.map(columns.indices.contains) ?? true }
    }
}

extension SheetHeader.Extension: JSONObject {
    static let schemaName = "extension"
    static let blank = SheetHeader.Extension(name: "", type: "", content: "")
    static let form = JSONForm<Self>([
        JSONTerm("name", \.name), JSONTerm("type", \.type), JSONTerm("content", \.content),
    ])
}

extension Column: JSONObject {
    static let schemaName = "column"
    static let blank = Column("")
    static let form = JSONForm<Column>([
        JSONTerm("name", \.name),
        JSONTerm("type", get: { $0.kind.name }, set: { $0.kind = $1.isEmpty ? blank.kind : Kind(name: $1) }),
        JSONTerm("description", \.summary),
    ])
}
