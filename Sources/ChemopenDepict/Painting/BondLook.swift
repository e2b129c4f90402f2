import ChemopenModel

/// The drawing style of a single line between two atoms.
enum BondLook {
    case plain, bold, dashed, dotted, hashed, wavy, crossed, arrow
    case wedge(isHollow: Bool)
    case hashedWedge
    /// A wedge with its narrow end at the end of the bond.
    case turnedWedge(isHollow: Bool)
    case turnedHashedWedge

    init(of bond: Bond, in molecule: Molecule, at place: Int) {
        self = Self.look(of: bond)
        if !bond.traits.contains(.hasNotes) { return }
        for case .display(let display) in molecule.notes(onBond: place) {
            switch display.string.lowercased() {
            case "bold": self = .bold
            case "dash", "dashdot": self = .dashed
            case "dot", "dottedhydrogen": self = .dotted
            case "hash": self = .hashed
            case "hollowwedgebegin": self = .wedge(isHollow: true)
            case "hollowwedgeend": self = .turnedWedge(isHollow: true)
            case "wedgeend": self = .turnedWedge(isHollow: false)
            case "wedgedhashend": self = .turnedHashedWedge
            default: break
            }
        }
    }

    private static func look(of bond: Bond) -> BondLook {
        switch bond.order {
        case .zero, .hydrogen: return .dotted
        case .any: return .dashed
        case .dative: return .arrow
        default: break
        }
        let isSingle = bond.order == .single || bond.order.isQuery || bond.order == .aromatic
        switch bond.mark {
        case .none: return .plain
        case .up: return isSingle ? .wedge(isHollow: false) : .plain
        case .down: return isSingle ? .hashedWedge : .plain
        case .either: return isSingle ? .wavy : .crossed
        }
    }
}
