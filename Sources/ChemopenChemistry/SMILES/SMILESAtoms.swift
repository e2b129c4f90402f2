import ChemopenModel

/// The parser for the atoms of SMILES.
extension SMILESParser {
    mutating func takeAtom() throws(SMILESError) {
        if peek() == UInt8(ascii: "[") { return try takeBracket() }
        let start = index
        guard let (element, isAromatic) = bareElement() else {
            throw fault("an atom, a bond or a branch", at: start..<start + 1)
        }
        var draft = SMILESAtom()
        draft.isAromatic = isAromatic
        try add(Atom(element), draft)
    }

    /// Parses an element that needs no brackets.
    private mutating func bareElement() -> (ChemicalElement, isAromatic: Bool)? {
        let (first, second) = (peek(), peek(1))
        index += 1
        switch first {
        case UInt8(ascii: "C"):
            if second == UInt8(ascii: "l") {
                index += 1
                return (.chlorine, false)
            }
            return (.carbon, false)
        case UInt8(ascii: "c"): return (.carbon, true)
        case UInt8(ascii: "N"): return (.nitrogen, false)
        case UInt8(ascii: "n"): return (.nitrogen, true)
        case UInt8(ascii: "O"): return (.oxygen, false)
        case UInt8(ascii: "o"): return (.oxygen, true)
        case UInt8(ascii: "S"): return (.sulfur, false)
        case UInt8(ascii: "s"): return (.sulfur, true)
        case UInt8(ascii: "F"): return (.fluorine, false)
        case UInt8(ascii: "B"):
            if second == UInt8(ascii: "r") {
                index += 1
                return (.bromine, false)
            }
            return (.boron, false)
        case UInt8(ascii: "I"): return (.iodine, false)
        case UInt8(ascii: "P"): return (.phosphorus, false)
        case UInt8(ascii: "p"): return (.phosphorus, true)
        case UInt8(ascii: "b"): return (.boron, true)
        case UInt8(ascii: "*"): return (.none, false)
        default:
            index -= 1
            return nil
        }
    }

    // MARK: Bracket atoms

    /// Parses an atom such as `[13C@@H2+:4]`: isotope, symbol, configuration, hydrogens, charge and class.
    private mutating func takeBracket() throws(SMILESError) {
        let start = index
        index += 1
        var atom = Atom(.none)
        var draft = SMILESAtom(hydrogens: 0)
        if digit(peek()) != nil {
            let place = index
            guard let isotope = number(upTo: Int(UInt16.max)) else {
                throw fault("a mass number up to 65535", at: place..<index + 1)
            }
            atom.isotope = UInt16(isotope)
        }
        let symbol = index
        guard let (element, isAromatic) = bracketElement() else {
            throw fault("the symbol of an element", at: symbol..<min(end, symbol + 1))
        }
        atom.element = element
        draft.isAromatic = isAromatic
        if peek() == UInt8(ascii: "@") { try takeConfiguration(&draft) }
        if peek() == UInt8(ascii: "H") {
            index += 1
            let place = index
            let hasDigit = digit(peek()) != nil
            guard let count = hasDigit ? number(upTo: HydrogenCount.most) : 1 else {
                throw fault("at most 127 hydrogens", at: place..<index + 1)
            }
            draft.hydrogens = Int16(truncatingIfNeeded: count)
        }
        atom.charge = Int16(truncatingIfNeeded: try charge())
        if peek() == UInt8(ascii: ":") {
            index += 1
            let place = index
            guard let map = number(upTo: Int(Int32.max)) else {
                throw fault("a number up to 2147483647 after :", at: place..<max(place, min(end, index + 1)))
            }
            atom.mapNumber = Int32(truncatingIfNeeded: map)
        }
        guard peek() == UInt8(ascii: "]") else {
            throw index < end
                ? fault("] or another property of the atom", at: index..<index + 1)
                : fault("a ] that closes this atom", at: start..<start + 1)
        }
        index += 1
        try add(atom, draft)
    }

    private mutating func bracketElement() -> (ChemicalElement, isAromatic: Bool)? {
        let (first, second) = (peek(), peek(1))
        if first == UInt8(ascii: "*") {
            index += 1
            return (.none, false)
        }
        if isSmall(first) {
            let aromatic: ChemicalElement? =
                switch (first, second) {
                case (UInt8(ascii: "s"), UInt8(ascii: "e")): .selenium
                case (UInt8(ascii: "a"), UInt8(ascii: "s")): .arsenic
                case (UInt8(ascii: "t"), UInt8(ascii: "e")): .tellurium
                case (UInt8(ascii: "s"), UInt8(ascii: "i")): .silicon
                default: nil
                }
            if let aromatic {
                index += 2
                return (aromatic, true)
            }
            guard let (element, isAromatic) = bareElement(), isAromatic else { return nil }
            return (element, true)
        }
        if isSmall(second) {
            let element = ChemicalElement.element(ofSymbol: first, second)
            if element != .none {
                index += 2
                return (element, false)
            }
        }
        let element = ChemicalElement.element(ofSymbol: first, 0)
        guard element != .none else { return nil }
        index += 1
        return (element, false)
    }

    private func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private mutating func charge() throws(SMILESError) -> Int {
        let sign = peek()
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
        let start = index
        let most = sign == UInt8(ascii: "+") ? Int(Int16.max) : -Int(Int16.min)
        var charge = 0
        while peek() == sign, charge < most {
            charge += 1
            index += 1
        }
        if charge == 1, digit(peek()) != nil {
            guard let number = number(upTo: most) else { throw fault("a charge up to 32767", at: start..<index + 1) }
            charge = number
        }
        return sign == UInt8(ascii: "+") ? charge : -charge
    }

    /// Parses a configuration.
    ///
    /// `@TH1` and `@TH2` are tetrahedral, and `@` and `@@` usually are, depending on the number of neighbors.
    private mutating func takeConfiguration(_ draft: inout SMILESAtom) throws(SMILESError) {
        let start = index
        index += 1
        var turn = Handedness.anticlockwise
        var named: (shape: AtomNote.Configuration.Shape, arrangement: Int)?
        if peek() == UInt8(ascii: "@") {
            turn = .clockwise
            index += 1
        } else if let (shape, most) = namedShape() {
            index += 2
            guard let number = number(upTo: most), number > 0 else {
                throw fault("the number of a configuration of this shape", at: start..<min(end, index + 1))
            }
            if number == 2 { turn = .clockwise }
            named = shape.map { ($0, number) }
        }
        draft.center = Int32(truncatingIfNeeded: centers.count)
        centers.append(SMILESCenter(molecule.atoms.count, turn, as: named, at: start..<index))
    }

    /// Returns the shape with a name of two letters, or `nil` for a tetrahedron, and its number of configurations.
    private func namedShape() -> (shape: AtomNote.Configuration.Shape?, most: Int)? {
        let code = (peek(), peek(1))
        if code == (UInt8(ascii: "T"), UInt8(ascii: "H")) { return (nil, 2) }
        let shape = AtomNote.Configuration.Shape(letters: code)
        return shape.map { ($0, $0.arrangementCount) }
    }
}

extension AtomNote.Configuration.Shape {
    /// Returns the shape that two letters represent in SMILES and SMARTS, or `nil` if there is no such shape.
    init?(letters: (UInt8, UInt8)) {
        switch letters {
        case (UInt8(ascii: "A"), UInt8(ascii: "L")): self = .allene
        case (UInt8(ascii: "S"), UInt8(ascii: "P")): self = .squarePlanar
        case (UInt8(ascii: "T"), UInt8(ascii: "B")): self = .trigonalBipyramidal
        case (UInt8(ascii: "O"), UInt8(ascii: "H")): self = .octahedral
        default: return nil
        }
    }
}
