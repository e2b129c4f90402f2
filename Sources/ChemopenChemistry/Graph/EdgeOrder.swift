import ChemopenModel

/// The kind of a bond in a graph. Aromatic bonds are represented as single and double bonds with a flag.
enum EdgeOrder: UInt8, Sendable {
    case zero, single, double, triple, quadruple, quintuple, sextuple
    /// The bond from the donor to the acceptor.
    case dative
    case hydrogen
    /// A query bond.
    case query

    init(_ order: Bond.Order, isDoubled: Bool) {
        switch order {
        case .zero: self = .zero
        case .single: self = .single
        case .double: self = .double
        case .triple: self = .triple
        case .quadruple: self = .quadruple
        case .quintuple: self = .quintuple
        case .sextuple: self = .sextuple
        case .aromatic: self = isDoubled ? .double : .single
        case .dative: self = .dative
        case .hydrogen: self = .hydrogen
        case .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: self = .query
        }
    }

    /// The contribution of the bond to the valences of its first and second atom.
    var valences: (Int16, Int16) {
        switch self {
        case .zero, .hydrogen, .query: (0, 0)
        case .dative: (0, 1)
        case .single, .double, .triple, .quadruple, .quintuple, .sextuple:
            (Int16(rawValue), Int16(rawValue))
        }
    }

    /// Whether this is a double bond or a bond of higher order.
    var isMultiple: Bool {
        (EdgeOrder.double.rawValue...EdgeOrder.sextuple.rawValue).contains(rawValue)
    }
}

extension EdgeOrder {
    /// Returns a number below 64 for the order, the aromaticity and, for a dative bond, the direction.
    ///
    /// The single and double bonds of an aromatic ring have the same number. Its query bonds have their own.
    func kind(isAromatic: Bool, beginsHere: Bool) -> UInt64 {
        let kind = UInt64(isAromatic && self != .query ? 31 : rawValue)
        return self == .dative && beginsHere ? kind | 32 : kind
    }
}
