import ChemopenModel

extension Bond.Order {
    /// Creates the order from its number in MDL files, 1 to 10.
    @inline(__always)
    init?(mdlType: Int) {
        switch mdlType {
        case 1: self = .single
        case 2: self = .double
        case 3: self = .triple
        case 4: self = .aromatic
        case 5: self = .singleOrDouble
        case 6: self = .singleOrAromatic
        case 7: self = .doubleOrAromatic
        case 8: self = .any
        case 9: self = .dative
        case 10: self = .hydrogen
        default: return nil
        }
    }

    /// The number in MDL files; `nil` for zero and for orders above three, which MDL cannot express.
    var mdlType: Int? {
        switch self {
        case .single: 1
        case .double: 2
        case .triple: 3
        case .aromatic: 4
        case .singleOrDouble: 5
        case .singleOrAromatic: 6
        case .doubleOrAromatic: 7
        case .any: 8
        case .dative: 9
        case .hydrogen: 10
        case .zero, .quadruple, .quintuple, .sextuple: nil
        }
    }
}

extension Bond.Mark {
    /// Creates the mark from its V2000 code.
    @inline(__always)
    init?(mdlCode: Int) {
        switch mdlCode {
        case 0: self = .none
        case 1: self = .up
        case 6: self = .down
        case 3, 4: self = .either
        default: return nil
        }
    }
}
