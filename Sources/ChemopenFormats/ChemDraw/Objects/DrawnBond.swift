import ChemopenModel

/// Translates the properties of a bond object to and from the model.
enum DrawnBond {
    /// The line style of a bond, by its CDX number.
    enum Display: Int {
        case solid, dash, hash, hashedWedgeFromBegin, hashedWedgeFromEnd, bold, wedgeFromBegin, wedgeFromEnd, wavy
        case hollowWedgeFromBegin, hollowWedgeFromEnd, wavyWedgeFromBegin, wavyWedgeFromEnd, dot, dashDot
        case dottedHydrogen = 19

        /// The stereo mark, and whether the bond's end is the narrow end; nil for lines without a direction.
        var mark: (mark: Bond.Mark, isFromEnd: Bool)? {
            switch self {
            case .hashedWedgeFromBegin: (.down, false)
            case .hashedWedgeFromEnd: (.down, true)
            case .wedgeFromBegin: (.up, false)
            case .wedgeFromEnd: (.up, true)
            case .wavy, .wavyWedgeFromBegin: (.either, false)
            case .wavyWedgeFromEnd: (.either, true)
            default: nil
            }
        }

        /// The CDXML name of a style without stereochemistry.
        var name: Text? {
            switch self {
            case .dash: "Dash"
            case .hash: "Hash"
            case .bold: "Bold"
            case .hollowWedgeFromBegin: "HollowWedgeBegin"
            case .hollowWedgeFromEnd: "HollowWedgeEnd"
            case .dot: "Dot"
            case .dashDot: "DashDot"
            case .dottedHydrogen: "DottedHydrogen"
            default: nil
            }
        }
    }

    static func display(of object: Int, in drawing: Drawing) -> Display {
        Display(rawValue: drawing.integer(.display, of: object) ?? 0) ?? .solid
    }

    /// Returns the property, begin or end, of the wedge's narrow end; nil if there is no wedge.
    static func narrowEnd(of object: Int, in drawing: Drawing) -> DrawnProperty? {
        guard let (mark, isFromEnd) = display(of: object, in: drawing).mark else { return nil }
        let isDouble = (drawing.integer(.order, of: object) ?? DrawnOrder.single) != DrawnOrder.single
        return mark == .either && isDouble ? nil : isFromEnd ? .end : .begin
    }

    static func isUnusual(_ object: Int, in drawing: Drawing) -> Bool {
        let bits = drawing.integer(.order, of: object) ?? DrawnOrder.single
        return bits != 1 && bits != 2 && bits != 4 && bits != 0x80
    }

    /// The properties that `read` uses.
    private static var looks: DrawnPropertySet {
        DrawnPropertySet(.order) | .display | .topology | .participation
    }

    static func read(_ object: Int, _ from: Int, _ to: Int, in drawing: Drawing) -> (Bond, [BondNote]) {
        guard drawing.mayState(looks, object) else { return (Bond(from, to), []) }
        let bits = drawing.integer(.order, of: object) ?? DrawnOrder.single
        var bond = Bond(from, to, order(bits))
        var notes: [BondNote] = []
        if let spelling = spellingToKeep(bits) { notes.append(.keyword(name: "Order", value: spelling)) }
        let display = display(of: object, in: drawing)
        if let (mark, isFromEnd) = display.mark {
            bond.mark = mark
            // In the model, a wedge starts at its narrow end, and a dative bond starts at its donor.
            if isFromEnd, bond.order == .dative {
                bond.mark = .none
                notes.append(.display(mark == .up ? "WedgeEnd" : "WedgedHashEnd"))
            } else if isFromEnd {
                bond.turn()
            }
        } else if let name = display.name {
            notes.append(.display(name))
        }
        switch drawing.integer(.topology, of: object) ?? 0 {
        case 1: bond.traits.insert(.inRing)
        case 2: bond.traits.insert(.inChain)
        default: break
        }
        bond.reactingCenter = reactingCenter(drawing.integer(.participation, of: object) ?? 0)
        return (bond, notes)
    }

    private static func order(_ bits: Int) -> Bond.Order {
        switch bits {
        case 0x0001: .single
        case 0x0002: .double
        case 0x0004: .triple
        case 0x0008: .quadruple
        case 0x0010: .quintuple
        case 0x0020: .sextuple
        case 0x0080: .aromatic
        case 0x1000: .dative
        case 0x4000: .hydrogen
        case 0x0040, 0x2000, 0x8000: .zero
        case 0x0003: .singleOrDouble
        case 0x0081: .singleOrAromatic
        case 0x0082: .doubleOrAromatic
        default: .any
        }
    }

    /// Returns the name of an order that the model cannot represent: partial, ionic and three-center bonds,
    /// fractions, sets.
    private static func spellingToKeep(_ bits: Int) -> Text? {
        switch bits {
        case 0x0001, 0x0002, 0x0004, 0x0008, 0x0010, 0x0020, 0x0080, 0x1000, 0x4000, 0x0003, 0x0081, 0x0082,
            DrawnOrder.any, 0:
            nil
        default: Text(DrawnOrder.spelling(of: bits))
        }
    }

    /// Returns the MDL code of a bond's role in the reaction.
    private static func reactingCenter(_ participation: Int) -> Int8 {
        switch participation {
        case 1: 1
        case 2: 4
        case 3: 8
        case 4: 12
        case 5: -1
        case 6: 2
        default: 0
        }
    }
    /// Returns the CDX number for an MDL reacting center code, or nil if there is none.
    static func participation(_ reactingCenter: Int8) -> Int? {
        (0...6).first { self.reactingCenter($0) == reactingCenter }
    }

    /// Returns the bits of an order.
    static func bits(of order: Bond.Order) -> Int {
        switch order {
        case .single: 0x0001
        case .double: 0x0002
        case .triple: 0x0004
        case .quadruple: 0x0008
        case .quintuple: 0x0010
        case .sextuple: 0x0020
        case .aromatic: 0x0080
        case .dative: 0x1000
        case .hydrogen: 0x4000
        case .zero: 0x2000
        case .singleOrDouble: 0x0003
        case .singleOrAromatic: 0x0081
        case .doubleOrAromatic: 0x0082
        case .any: DrawnOrder.any
        }
    }

    /// Returns the bits of a preserved order name, if they still represent the order in the model.
    static func bits(ofKept spelling: Text, for order: Bond.Order) -> Int? {
        guard let bits = CDXMLValues.order(spelling.bytes.span), self.order(bits) == order,
            spellingToKeep(bits) == spelling
        else { return nil }
        return bits
    }

    /// Returns the style for a mark whose narrow end is the first atom of the bond.
    static func display(of mark: Bond.Mark) -> Display {
        switch mark {
        case .none: .solid
        case .up: .wedgeFromBegin
        case .down: .hashedWedgeFromBegin
        case .either: .wavy
        }
    }

    /// Returns the style with a name if reading it again gives the same name, and nil otherwise.
    static func display(named name: Text, of bond: Bond) -> Display? {
        guard let place = DrawnPropertyTable.displays.firstIndex(where: { Text($0) == name }), !name.isEmpty,
            let display = Display(rawValue: place)
        else { return nil }
        guard let (mark, isFromEnd) = display.mark else { return display.name == name ? display : nil }
        return bond.order == .dative && isFromEnd && mark != .either ? display : nil
    }
}
