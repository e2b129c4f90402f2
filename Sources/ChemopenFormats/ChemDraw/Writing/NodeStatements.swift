import ChemopenBytes
import ChemopenModel

/// Chemopen's statements about an atom or a bond, for data that ChemDraw's properties cannot represent.
extension OwnStatement {
    /// Returns the statements about an atom.
    ///
    /// - Parameter isElement: Whether isotope, radical and hydrogens have properties.
    static func statements(of atom: Atom, isElement: Bool) -> [Text] {
        var said: [Text] = []
        var marks = atom.marks
        marks.remove([.inverts, .retains, .exactChange, .hasNotes])
        ForeignFields.forEachField(of: marks) { said.append($0) }
        if atom.mapNumber != 0 { said.append(text(.map, numbers: [Int(atom.mapNumber)])) }
        if !hasProperty(charge: atom.charge) { said.append(text(.charge, numbers: [Int(atom.charge)])) }
        if atom.isotope != 0, !isElement || !hasProperty(isotope: atom.isotope) {
            said.append(text(.isotope, numbers: [Int(atom.isotope)]))
        }
        if atom.radical != .none, !isElement || atom.radical.mdlCode > 3 {
            said.append(text(.radical, numbers: [atom.radical.mdlCode]))
        }
        if let count = atom.hydrogens.fixed, !isElement || !hasProperty(hydrogens: count) {
            said.append(text(.hydrogens, numbers: [count]))
        }
        return said
    }

    /// Whether the properties of an element represent the atom completely, which is the usual case.
    static func isPlain(_ atom: Atom) -> Bool {
        atom.marks.isEmpty && atom.mapNumber == 0 && hasProperty(charge: atom.charge) && atom.isotope == 0
            && atom.radical == .none && atom.hydrogens.fixed == nil && atom.label == Atom.noLabel
    }

    /// Whether a charge has a property. Readers warn about larger charges.
    static func hasProperty(charge: Int16) -> Bool { -15...15 ~= charge }

    static func hasProperty(isotope: UInt16) -> Bool { 1...400 ~= isotope }

    static func hasProperty(hydrogens: Int) -> Bool { 0...20 ~= hydrogens }

    /// Returns the statement for a note that has no property.
    static func statement(of note: AtomNote) -> Text? {
        switch note {
        case .elementList(let list): text(.elements, [list.isExcluding ? "not" : ""] + list.symbols)
        case .keyword(let name, let value): ForeignFields.keyword(name, value)
        case .query(let query): text(.query, [query])
        case .field(let field): text(.field, [field])
        case .transientField(let field): text(.transient, [field])
        default: ForeignFields.transientField(for: note) ?? ForeignFields.query(for: note)
        }
    }

    static func statement(of note: BondNote) -> Text? {
        switch note {
        case .geometry(let geometry):
            text(.geometry, numbers: [Int(geometry.one) + 1, Int(geometry.other) + 1, geometry.isTrans ? 1 : 0])
        case .drawnOrder(let order): text(.drawn, numbers: [Int(order.rawValue)])
        case .asksForAromatic: text(.asks)
        case .query(let query): text(.query, [query])
        case .field(let field): text(.field, [field])
        case .transientField(let field): text(.transient, [field])
        case .endpoints, .display, .keyword: ForeignFields.transientField(for: note)
        }
    }

    /// Returns the statements for a bond's traits that have no property, in the format of SketchEl's fields.
    static func statements(of bond: Bond) -> [Text] {
        var rest = Bond(0, 1)
        rest.traits = bond.traits.subtracting(.hasNotes)
        rest.traits.remove(rest.traits.contains(.inRing) ? .inRing : .inChain)
        if DrawnBond.participation(bond.reactingCenter) == nil { rest.reactingCenter = bond.reactingCenter }
        return ForeignFields.fields(of: rest).compactMap { note in
            switch note {
            case .transientField(let text), .query(let text): text
            default: nil
            }
        }
    }

    // MARK: Reading

    /// Returns the note on an atom that a statement represents.
    static func atomNote(_ statement: Text) -> AtomNote? {
        if let values = values(of: statement, .elements), let first = values.first {
            return .elementList(ElementList(excluding: first == "not", Array(values.dropFirst())))
        }
        if let text = value(of: statement, .query) { return .query(text) }
        if let text = value(of: statement, .field) { return .field(text) }
        if let text = value(of: statement, .transient) { return .transientField(text) }
        return ForeignFields.note(forField: statement) ?? ForeignFields.note(forQuery: statement)
    }

    /// Applies a statement to an atom; returns false if it is not of this kind.
    static func set(_ statement: Text, in atom: inout Atom) -> Bool {
        if ForeignFields.set(statement, in: &atom.marks) { return true }
        if let number = number(of: statement, .map) {
            atom.mapNumber = Int32(clamping: number)
        } else if let number = number(of: statement, .charge) {
            atom.charge = Int16(clamping: number)
        } else if let number = number(of: statement, .isotope) {
            atom.isotope = UInt16(clamping: number)
        } else if let number = number(of: statement, .radical) {
            atom.radical = Radical(mdlCode: min(number, 128))
        } else if let number = number(of: statement, .hydrogens), number >= 0 {
            atom.hydrogens = .fixed(number)
        } else {
            return false
        }
        return true
    }

    /// Returns the note on a bond that a statement represents.
    static func bondNote(_ statement: Text, _ order: Bond.Order) -> BondNote? {
        if let numbers = numbers(of: statement, .geometry), numbers.count == 3, numbers[0] > 0, numbers[1] > 0 {
            return .geometry(.init(numbers[0] - 1, numbers[1] - 1, isTrans: numbers[2] != 0))
        }
        if let number = number(of: statement, .drawn), let code = UInt8(exactly: number) {
            return Bond.Order(rawValue: code).map { .drawnOrder($0) }
        }
        if statement == text(.asks) { return .asksForAromatic }
        if let text = value(of: statement, .query) { return .query(text) }
        if let text = value(of: statement, .field) { return .field(text) }
        if let text = value(of: statement, .transient) { return .transientField(text) }
        if case .note(let note) = ForeignFields.meaning(of: .transientField(statement), drawn: order) { return note }
        return nil
    }

    /// Applies a statement to a bond; returns false if it is not of this kind.
    static func set(_ statement: Text, in bond: inout Bond) -> Bool {
        ForeignFields.set(.transientField(statement), in: &bond) || ForeignFields.set(.query(statement), in: &bond)
    }
}
