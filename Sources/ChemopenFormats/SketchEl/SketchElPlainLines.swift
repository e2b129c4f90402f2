import ChemopenBytes
import ChemopenModel

// Lines as every writer prints them, read in one go; anything else is left to the reader of any line.

extension SketchElMoleculeReader {
    /// An atom of one or two letters, two coordinates, charge, unpaired electrons and hydrogens: `C=1.2990,0.7500;0,0,i2`;
    /// and where the fields behind that stand, if there are any.
    @inline(__always)
    mutating func plainAtom(_ bytes: Span<UInt8>) -> (Atom, fields: Range<Int>)? {
        var at = lines.position
        // The longest such line is shorter; so no index below leaves the bytes.
        guard bytes.count &- at > 64 else { return nil }
        var atom = Atom(.none)
        let first = bytes[at]
        let second = bytes[at &+ 1]
        if second == Ascii.equals {
            atom.element = .element(ofSymbol: first, 0)
            at &+= 2
        } else {
            guard bytes[at &+ 2] == Ascii.equals else { return nil }
            atom.element = .element(ofSymbol: first, second)
            at &+= 3
        }
        let isElement = atom.element != .none
        guard
            isElement
                || (SketchElEscapes.isPlain(first) && (second == Ascii.equals || SketchElEscapes.isPlain(second))),
            let x = Self.plainCoordinate(bytes, &at), bytes[at] == Ascii.comma
        else {
            return nil
        }
        at &+= 1
        guard let y = Self.plainCoordinate(bytes, &at), bytes[at] == 0x3B else { return nil }
        atom.position = Position(x, y, 0)
        at &+= 1
        let isNegative = bytes[at] == Ascii.minus
        if isNegative { at &+= 1 }
        let charge = bytes[at] &- 0x30
        guard charge < 10, bytes[at &+ 1] == Ascii.comma else { return nil }
        let unpaired = bytes[at &+ 2] &- 0x30
        guard unpaired < 10, bytes[at &+ 3] == Ascii.comma else { return nil }
        atom.charge = isNegative ? -Int16(charge) : Int16(charge)
        if unpaired > 0 { atom.radical = .unpaired(Int(unpaired)) }
        let letter = bytes[at &+ 4]
        let hydrogens = bytes[at &+ 5] &- 0x30
        guard hydrogens < 10, let fields = plainFields(at &+ 6, bytes), isElement || fields.isEmpty else { return nil }
        if letter == 0x65 {
            atom.hydrogens = .fixed(Int(hydrogens))
        } else if letter != 0x69 {
            return nil
        }
        if !isElement { atom.label = labelPlace(first, second == Ascii.equals ? nil : second) }
        lines.take(upTo: fields.upperBound)
        return (atom, fields)
    }

    /// The fields up to the end of the line, behind a comma; an empty range where the line ends here already.
    @inline(__always)
    private func plainFields(_ at: Int, _ bytes: Span<UInt8>) -> Range<Int>? {
        if bytes[at] == Ascii.lineFeed { return at < lines.end ? at..<at : nil }
        guard bytes[at] == Ascii.comma,
            let feed = firstIndex(of: Ascii.lineFeed, in: bytes, from: at &+ 1, to: lines.end)
        else { return nil }
        return at &+ 1..<feed
    }

    /// The place of a label of one or two letters, which becomes one of the molecule's if it is new.
    private mutating func labelPlace(_ first: UInt8, _ second: UInt8?) -> Int32 {
        if molecule.labels.count < Self.labelsLookedAt {
            for index in molecule.labels.indices {
                let known = molecule.labels[index].bytes
                if let second {
                    if known.count == 2, known[0] == first, known[1] == second { return Int32(index) }
                } else if known.count == 1, known[0] == first {
                    return Int32(index)
                }
            }
        }
        molecule.labels.append(Text(bytes: second.map { [first, $0] } ?? [first]))
        return Int32(clamping: molecule.labels.count - 1)
    }

    /// Up to eight digits, a point and four digits.
    @inline(__always)
    private static func plainCoordinate(_ bytes: Span<UInt8>, _ at: inout Int) -> Double? {
        var index = at
        let isNegative = bytes[index] == Ascii.minus
        if isNegative { index &+= 1 }
        let start = index
        var value: UInt64 = 0
        var digit = bytes[index] &- 0x30
        while digit < 10, index &- start < 8 {
            value = value &* 10 &+ UInt64(digit)
            index &+= 1
            digit = bytes[index] &- 0x30
        }
        guard index > start, bytes[index] == Ascii.point else { return nil }
        let digits = (loadWord(bytes, at: index &+ 1) ^ 0x3030_3030) & 0xFFFF_FFFF
        guard let decimals = TenColumns.fourDigits(digits) else { return nil }
        at = index &+ 5
        // Both numbers are exact, so the quotient is the double nearest to the text.
        let magnitude = Double(value &* 10_000 &+ decimals) / 10_000
        return isNegative ? -magnitude : magnitude
    }

    /// A bond of two atoms, an order and a type: `12-13=1,0`; and where the fields behind that stand, if there are any.
    @inline(__always)
    mutating func plainBond(_ bytes: Span<UInt8>) -> (Bond, fields: Range<Int>)? {
        var at = lines.position
        guard bytes.count &- at > 24 else { return nil }
        guard let from = Self.plainNumber(bytes, &at), bytes[at] == Ascii.minus else { return nil }
        at &+= 1
        guard let to = Self.plainNumber(bytes, &at), bytes[at] == Ascii.equals else { return nil }
        let order = bytes[at &+ 1] &- 0x30
        let type = bytes[at &+ 3] &- 0x30
        guard order <= 6, let order = Bond.Order(rawValue: order), bytes[at &+ 2] == Ascii.comma,
            type <= 3, let mark = Bond.Mark(rawValue: type), let fields = plainFields(at &+ 4, bytes),
            from != to,
            from >= 1, to >= 1, from <= molecule.atoms.count, to <= molecule.atoms.count
        else { return nil }
        lines.take(upTo: fields.upperBound)
        var bond = Bond(from &- 1, to &- 1, order)
        bond.mark = mark
        return (bond, fields)
    }

    /// Up to six digits.
    @inline(__always)
    private static func plainNumber(_ bytes: Span<UInt8>, _ at: inout Int) -> Int? {
        let start = at
        var value = 0
        var digit = bytes[at] &- 0x30
        while digit < 10, at &- start < 6 {
            value = value &* 10 &+ Int(digit)
            at &+= 1
            digit = bytes[at] &- 0x30
        }
        return at > start ? value : nil
    }

    /// The counts of a first line without blanks or further text: `SketchEl!(12,12)`.
    mutating func plainHeader(_ bytes: Span<UInt8>) -> Counts? {
        var at = lines.position
        guard bytes.count &- at > 32, !lines.hasCarriageReturns, bytes.spellsSketchEl(at) else { return nil }
        at &+= 10
        guard let atoms = Self.plainNumber(bytes, &at), bytes[at] == Ascii.comma else { return nil }
        at &+= 1
        guard let bonds = Self.plainNumber(bytes, &at), bytes[at] == 0x29, bytes[at &+ 1] == Ascii.lineFeed,
            at &+ 1 < lines.end
        else { return nil }
        lines.take(upTo: at &+ 1)
        return Counts(atoms: atoms, bonds: bonds)
    }

    /// Whether the end tag stands where it should.
    func isAtPlainEnd(_ bytes: Span<UInt8>) -> Bool {
        let at = lines.position
        return lines.end &- at >= 4 && bytes[at] == 0x21 && bytes[at &+ 1] == 0x45 && bytes[at &+ 2] == 0x6E
            && bytes[at &+ 3] == 0x64
    }
}

extension Span where Element == UInt8 {
    /// Whether `SketchEl!(` stands at an index; the caller has made sure of ten bytes.
    @inline(__always)
    fileprivate func spellsSketchEl(_ at: Int) -> Bool {
        self[at] == 0x53 && self[at &+ 1] == 0x6B && self[at &+ 2] == 0x65 && self[at &+ 3] == 0x74
            && self[at &+ 4] == 0x63 && self[at &+ 5] == 0x68 && self[at &+ 6] == 0x45 && self[at &+ 7] == 0x6C
            && self[at &+ 8] == 0x21 && self[at &+ 9] == 0x28
    }
}
