import ChemopenModel

/// The parts of MDL's files that can represent a property.
struct MDLTables: OptionSet, Sendable {
    let rawValue: UInt8

    static let v2000 = MDLTables(rawValue: 1)
    static let v3000 = MDLTables(rawValue: 2)
    /// The blocks after a V3000 table. A component of a reaction and a member of an R-group do not have them.
    static let behind = MDLTables(rawValue: 4)
    static let all: MDLTables = [.v2000, .v3000, .behind]

    /// The dialects of verbatim lines that a table writes back.
    fileprivate var dialects: [Verbatim.Dialect] {
        (contains(.v2000) ? [.v2000] : []) + (contains(.v3000) ? [.v3000] : [])
    }
}

extension MDLTables {
    /// The features of atom properties and rare properties that these parts of a file cannot represent.
    var missing: Features {
        var (named, held) = (Features(), Features())
        func take(_ feature: Feature, _ tables: MDLTables) {
            named.add(feature)
            held.add(feature, if: !tables.isDisjoint(with: self))
        }
        for term in AtomTerm.all { take(term.feature, term.tables) }
        for term in RareTerm.all { take(term.feature, term.tables) }
        return named.subtracting(held)
    }
}

/// A property of a molecule that does not belong to an atom or a bond, and the parts of MDL's files that can represent
/// it.
struct RareTerm: Sendable {
    let feature: Feature
    let tables: MDLTables
    /// The name for the reason to write V3000. The detail is the name in a report of losses, if the feature's name is
    /// not enough.
    let name: String
    var detail = ""
    let count: @Sendable (Extras.Contents) -> Int

    static let all = [
        RareTerm(feature: .stereoGroups, tables: .v3000, name: "stereo groups") { $0.stereoGroups.count },
        RareTerm(feature: .collections, tables: .v3000, name: "highlights or collections") { $0.collections.count },
        RareTerm(feature: .rgroups, tables: .behind, name: "members of R-groups", detail: "members of R-groups") {
            $0.rgroups.reduce(0) { $0 + $1.members.count }
        },
        RareTerm(feature: .templates, tables: .behind, name: "templates") { $0.templates.count },
        RareTerm(feature: .rgroupLogic, tables: [.v2000, .behind], name: "conditions of R-groups") {
            $0.rgroups.count { $0.logic != nil }
        },
        RareTerm(feature: .abbreviations, tables: [], name: "abbreviations") { $0.abbreviations.count },
    ]
}

extension [Loss] {
    /// Records the rare content of a molecule that the parts of a file cannot represent.
    mutating func note(_ rare: Extras.Contents, unsupportedBy tables: MDLTables) {
        for tagged in rare.atomNotes { note(tagged.note, unsupportedBy: tables) }
        for tagged in rare.bondNotes { note(tagged.note, unsupportedBy: tables) }
        for keyword in rare.keywords where tables == .v2000 && !keyword.isRegistryNumber {
            note(.unknown, keyword.name)
        }
        for verbatim in rare.verbatim where !tables.dialects.contains(verbatim.dialect) { note(verbatim) }
        for term in RareTerm.all where term.tables.isDisjoint(with: tables) { note(term, of: rare) }
    }

    /// Records the blocks of a molecule inside another molecule's blocks or in a reaction.
    mutating func noteBlocks(of rare: Extras.Contents, unsupportedBy table: MDLTables, _ part: String) {
        for term in RareTerm.all where term.tables.contains(.behind) && term.tables.isDisjoint(with: table) {
            note(term, of: rare, part)
        }
    }

    private mutating func note(_ term: RareTerm, of rare: Extras.Contents, _ part: String = "") {
        let count = term.count(rare)
        if count == 0 { return }
        let words = [term.detail, part].filter { !$0.isEmpty }
        note(term.feature, Text(words.joined(separator: " ")), count: count)
    }

    private mutating func note(_ atomNote: AtomNote, unsupportedBy tables: MDLTables) {
        let term = AtomTerm.term(of: atomNote)
        if !term.tables.isDisjoint(with: tables) { return }
        note(term.feature, term.need.map { Text($0.loss) } ?? atomNote.text ?? "")
    }

    private mutating func note(_ bondNote: BondNote, unsupportedBy tables: MDLTables) {
        if !bondNote.tables.isDisjoint(with: tables) { return }
        note(bondNote.feature, bondNote.need.map { Text($0.loss) } ?? bondNote.text)
    }
}
