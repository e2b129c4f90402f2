import ChemopenModel

/// A bond property other than atoms, order and mark, stored as an integer: its name in each version and its
/// representation in the model.
struct BondTerm: Sendable {
    let feature: Feature
    /// The key in JSON.
    let name: StaticString
    /// The field of the bond line in V2000.
    var column: BondColumn?
    /// The keyword of V3000.
    let key: V3000Keyword
    /// The supported values, with 0 for "not set". A keyword with any other value is preserved verbatim.
    let range: ClosedRange<Int>
    /// The reason to write V3000, if V2000 has no column for the property.
    var need: V3000Need?
    let get: @Sendable (Bond) -> Int
    let set: @Sendable (inout Bond, Int) -> Void
}

extension BondTerm {
    static let all: [BondTerm] = [
        BondTerm(feature: .bondTopology, name: "topology", column: .topology, key: .topology, range: 0...2) {
            $0.traits.contains(.inRing) ? 1 : $0.traits.contains(.inChain) ? 2 : 0
        } set: {
            if $1 > 0 { $0.traits.insert($1 == 1 ? .inRing : .inChain) }
        },
        BondTerm(
            feature: .reactingCenters, name: "reacting_centre", column: .reactingCenter, key: .reactingCenter,
            range: -32...31
        ) {
            Int($0.reactingCenter)
        } set: {
            $0.reactingCenter = Int8($1)
        },
        BondTerm(feature: .queryBonds, name: "stereo_care", key: .stereoBox, range: 0...1, need: .stereoCare) {
            $0.traits.contains(.stereoCare) ? 1 : 0
        } set: {
            if $1 > 0 { $0.traits.insert(.stereoCare) }
        },
    ]

    static func term(ofKey key: V3000Keyword) -> BondTerm? { all.first { $0.key == key } }
}

extension Bond.Mark {
    /// Creates a mark from V3000's code. Some programs write V2000's codes 4 and 6 instead.
    init?(configuration code: Int) {
        switch code {
        case 0: self = .none
        case 1: self = .up
        case 2, 4: self = .either
        case 3, 6: self = .down
        default: return nil
        }
    }

    /// V3000's code.
    var configuration: Int {
        switch self {
        case .none: 0
        case .up: 1
        case .either: 2
        case .down: 3
        }
    }
}

extension BondNote {
    /// V3000's values for a bond to any one of several atoms, and to all of them together.
    static let attachedToAny = "ANY"
    static let attachedToAll = "ALL"

    /// The reason to write V3000 for this note.
    var need: V3000Need? {
        switch self {
        case .endpoints: .severalAtoms
        case .display: .bondDisplay
        case .keyword: .keptKeywords
        case .geometry, .query, .drawnOrder, .asksForAromatic, .field, .transientField: nil
        }
    }

    /// The tables that can represent the note. An aromatic query is part of the bond type, so all tables can represent
    /// it.
    var tables: MDLTables {
        if case .asksForAromatic = self { return .all }
        return need == nil ? [] : .v3000
    }

    var feature: Feature {
        switch self {
        case .endpoints: .multicenterBonds
        case .geometry: .bondGeometries
        case .display, .drawnOrder: .bondDisplay
        case .query, .asksForAromatic: .queryBonds
        case .field, .transientField: .extensionFields
        case .keyword: .unknown
        }
    }

    /// The text for a report of losses.
    var text: Text {
        switch self {
        case .query(let text), .field(let text), .transientField(let text): text
        case .drawnOrder: "the order drawn for a query"
        case .geometry(let geometry): geometry.isTrans ? "trans" : "cis"
        case .endpoints, .display, .keyword, .asksForAromatic: ""
        }
    }
}
