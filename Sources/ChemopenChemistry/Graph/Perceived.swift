/// The hybridization of an atom, determined by RDKit's rules from bonds, lone pairs and conjugation.
enum Hybridisation: UInt8, Sendable {
    case unspecified, s, sp, sp2, sp3, sp3d, sp3d2
}

/// The rotation direction of an atom's neighbors, viewed from the first; an implicit hydrogen or lone pair is the last.
enum Handedness: Int8, Sendable {
    case anticlockwise = -1
    case none = 0
    case clockwise = 1

    var opposite: Handedness { Handedness(rawValue: -rawValue) ?? .none }
}

/// The configuration of a double bond, described by one neighbor at each end.
struct BondGeometry: Sendable {
    /// A neighbor of the first end and a neighbor of the second end.
    var first: Int32
    var second: Int32
    var isTrans: Bool
    var isKnown: Bool
    /// Whether the bond has no configuration because two neighbors at one end are equivalent.
    var isIdle = false

    static let unknown = BondGeometry(first: -1, second: -1, isTrans: false, isKnown: false)
}

/// The properties of a graph that have been perceived on request.
struct PerceivedParts: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let rings = PerceivedParts(rawValue: 1)
    static let aromaticity = PerceivedParts(rawValue: 2)
    static let hybridisation = PerceivedParts(rawValue: 4)
    static let fragments = PerceivedParts(rawValue: 8)
    static let stereo = PerceivedParts(rawValue: 16)
    static let blocks = PerceivedParts(rawValue: 32)
}
