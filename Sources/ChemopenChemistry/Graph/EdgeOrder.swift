import ChemopenModel

/// The kind of a bond in a graph, which has no aromatic ones: these are single and double bonds with a mark.
enum EdgeOrder: UInt8, Sendable {
    case zero, single, double, triple, quadruple, quintuple, sextuple
    /// From the donor to the acceptor.
    case dative
    case hydrogen
    /// A question instead of a bond.
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

    /// The share of the bond in the valence of its first atom and of its second.
    var valences: (Int16, Int16) {
        switch self {
        case .zero, .hydrogen, .query: (0, 0)
        case .dative: (0, 1)
        case .single, .double, .triple, .quadruple, .quintuple, .sextuple:
            (Int16(rawValue), Int16(rawValue))
        }
    }

    /// Whether it is a double bond or one of higher order.
    var isMultiple: Bool {
        (EdgeOrder.double.rawValue...EdgeOrder.sextuple.rawValue).contains(rawValue)
    }
}

extension EdgeOrder {
    /// A number for the order, below 64, and for its direction where it has one: whether it begins here.
    func kind(isAromatic: Bool, beginsHere: Bool) -> UInt64 {
        let kind = UInt64(isAromatic ? 31 : rawValue)
        return self == .dative && beginsHere ? kind | 32 : kind
    }
}
