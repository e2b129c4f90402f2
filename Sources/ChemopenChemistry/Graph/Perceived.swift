/// The orbitals of an atom, as RDKit names them by bonds, lone pairs and conjugation.
enum Hybridisation: UInt8, Sendable {
    case unspecified, s, sp, sp2, sp3, sp3d, sp3d2
}

/// The side to which the neighbours of an atom turn, seen from the first: its hydrogen or lone pair is the last.
enum Handedness: Int8, Sendable {
    case anticlockwise = -1
    case none = 0
    case clockwise = 1

    var opposite: Handedness { Handedness(rawValue: -rawValue) ?? .none }
}

/// Where an atom at the one end of a double bond stands to one at the other.
struct BondGeometry: Sendable {
    /// A neighbour of the first end, and one of the second.
    var first: Int32
    var second: Int32
    var isTrans: Bool
    var isKnown: Bool
    /// Two neighbors at one end are alike, so that there is none.
    var isIdle = false

    static let unknown = BondGeometry(first: -1, second: -1, isTrans: false, isKnown: false)
}

/// The parts of a graph that are worked out when they are asked for.
struct PerceivedParts: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let rings = PerceivedParts(rawValue: 1)
    static let aromaticity = PerceivedParts(rawValue: 2)
    static let hybridisation = PerceivedParts(rawValue: 4)
    static let fragments = PerceivedParts(rawValue: 8)
    static let stereo = PerceivedParts(rawValue: 16)
    static let blocks = PerceivedParts(rawValue: 32)
}
