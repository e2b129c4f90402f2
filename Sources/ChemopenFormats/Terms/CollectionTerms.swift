import ChemopenModel

/// The kinds of objects that a list in V3000 can refer to by number.
enum V3000Member {
    case atoms, bonds, sgroups
}

/// A list of members in a collection.
struct CollectionTerm: Sendable {
    let key: V3000Keyword
    let members: V3000Member
    let get: @Sendable (AtomCollection) -> [Int32]
    let add: @Sendable (inout AtomCollection, [Int32]) -> Void

    static let all = [
        CollectionTerm(key: .atoms, members: .atoms) {
            $0.atoms
        } add: {
            $0.atoms += $1
        },
        CollectionTerm(key: .bonds, members: .bonds) {
            $0.bonds
        } add: {
            $0.bonds += $1
        },
        CollectionTerm(key: .sgroups, members: .sgroups) {
            $0.sgroups
        } add: {
            $0.sgroups += $1
        },
    ]

    static func term(ofKey key: V3000Keyword) -> CollectionTerm? { all.first { $0.key == key } }
}

extension StereoGroup {
    /// The names of collections that represent stereo groups. All names except the first are followed by a number.
    static let collections: [(kind: Kind, name: StaticString)] = [
        (.absolute, "MDLV30/STEABS"), (.racemic, "MDLV30/STERAC"), (.relative, "MDLV30/STEREL"),
    ]
}

extension Sgroup.Keyword {
    /// Returns the keyword for the registry number of a molecule.
    static func registryNumber(_ number: Text) -> Sgroup.Keyword { Sgroup.Keyword("REGNO", number) }
}
