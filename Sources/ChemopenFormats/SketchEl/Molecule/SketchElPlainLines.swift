import ChemopenBytes
import ChemopenModel

// Readers for lines in the usual form, in one step. All other lines are read by their separators.

extension LineCursor {
    /// Reads up to `count` atoms that are elements without fields. Returns the number of atoms left, and the atom at
    /// which it stopped if its line begins in the usual form.
    mutating func takePlainAtoms(
        _ count: Int, _ bytes: Span<UInt8>, into molecule: inout Molecule
    ) -> (left: Int, next: PlainAtom?) {
        take(count, bytes, atoms: 0, into: &molecule.atoms)
    }

    /// Adds an atom with a label or with fields. Returns the range of the fields, or `nil` if the line has another
    /// form.
    mutating func take(_ line: PlainAtom, _ bytes: Span<UInt8>, into molecule: inout Molecule) -> Range<Int>? {
        guard let fields = plainFields(line.end, bytes) else { return nil }
        var atom = line.content
        if atom.element == .none {
            let (first, second) = line.letters
            guard fields.isEmpty, SketchElEscapes.isPlain(first), second == 0 || SketchElEscapes.isPlain(second) else {
                return nil
            }
            atom.label = molecule.labels.place(of: first, second == 0 ? nil : second)
        }
        molecule.atoms.append(atom)
        take(upTo: fields.upperBound)
        return fields
    }

    /// Reads up to `count` bonds without fields, like `takePlainAtoms`.
    mutating func takePlainBonds(
        _ count: Int, _ bytes: Span<UInt8>, into molecule: inout Molecule
    ) -> (left: Int, next: PlainBond?) {
        take(count, bytes, atoms: molecule.atoms.count, into: &molecule.bonds)
    }

    /// Adds a bond with fields. Returns the range of the fields, or `nil` if the line has another form.
    mutating func take(_ line: PlainBond, _ bytes: Span<UInt8>, into molecule: inout Molecule) -> Range<Int>? {
        guard let fields = plainFields(line.end, bytes) else { return nil }
        molecule.bonds.append(line.content)
        take(upTo: fields.upperBound)
        return fields
    }

    /// Returns the range of the fields after a comma, up to the end of the line. The range is empty if the line ends
    /// here.
    private func plainFields(_ at: Int, _ bytes: Span<UInt8>) -> Range<Int>? {
        if bytes[at] == Ascii.lineFeed { return at < end ? at..<at : nil }
        guard bytes[at] == Ascii.comma,
            let feed = firstIndex(of: Ascii.lineFeed, in: bytes, from: at &+ 1, to: end)
        else { return nil }
        return at &+ 1..<feed
    }

    /// Reads the counts in a first line without blanks or additional text: `SketchEl!(12,12)`.
    mutating func takePlainHeader(_ bytes: Span<UInt8>) -> SketchElMolecule.Counts? {
        var at = position
        guard bytes.count &- at > 32, !hasCarriageReturns, bytes.spellsSketchEl(at) else { return nil }
        at &+= 10
        let atoms = Numeral.whole(bytes, at: &at)
        guard atoms >= 0, bytes[at] == Ascii.comma else { return nil }
        at &+= 1
        let bonds = Numeral.whole(bytes, at: &at)
        guard bonds >= 0, bytes[at] == 0x29, bytes[at &+ 1] == Ascii.lineFeed,
            at &+ 1 < end
        else { return nil }
        take(upTo: at &+ 1)
        return SketchElMolecule.Counts(atoms: atoms, bonds: bonds)
    }

    /// Whether the end tag is at the current position.
    func isAtPlainEnd(_ bytes: Span<UInt8>) -> Bool {
        let at = position
        return end &- at >= 4 && bytes[at] == 0x21 && bytes[at &+ 1] == 0x45 && bytes[at &+ 2] == 0x6E
            && bytes[at &+ 3] == 0x64
    }
}

extension [Text] {
    /// Returns the index of a label with one or two letters, adding it if it is new.
    fileprivate mutating func place(of first: UInt8, _ second: UInt8?) -> Int32 {
        if count < SketchElMolecule.labelsLookedAt {
            for index in indices {
                let known = self[index].bytes
                if let second {
                    if known.count == 2, known[0] == first, known[1] == second { return Int32(index) }
                } else if known.count == 1, known[0] == first {
                    return Int32(index)
                }
            }
        }
        append(Text(bytes: second.map { [first, $0] } ?? [first]))
        return Int32(clamping: count - 1)
    }
}

extension Span where Element == UInt8 {
    /// Whether `SketchEl!(` is at an index. The caller has checked that there are ten bytes.
    @inline(__always)
    fileprivate func spellsSketchEl(_ at: Int) -> Bool {
        self[at] == 0x53 && self[at &+ 1] == 0x6B && self[at &+ 2] == 0x65 && self[at &+ 3] == 0x74
            && self[at &+ 4] == 0x63 && self[at &+ 5] == 0x68 && self[at &+ 6] == 0x45 && self[at &+ 7] == 0x6C
            && self[at &+ 8] == 0x21 && self[at &+ 9] == 0x28
    }
}

extension LineCursor {
    /// Reads up to `count` lines while they are plain and need no further steps.
    @inline(__always)
    fileprivate mutating func take<Line: PlainLineOfText>(
        _ count: Int, _ bytes: Span<UInt8>, atoms: Int, into list: inout [Line.Content]
    ) -> (left: Int, next: Line?) {
        if hasCarriageReturns { return (count, nil) }
        var left = count
        var next: Line?
        var at = position
        list.append(addingCapacity: min(count, (end - at) / Line.shortest + 1)) { output in
            var rest = bytes.extracting(droppingFirst: at)
            while left > 0, output.freeCapacity > 0, rest.count >= LinePiece.room {
                guard let line = Line(rest.extracting(first: LinePiece.room), at: at, atoms: atoms) else { return }
                guard line.isWhole, bytes[line.end] == Ascii.lineFeed, line.end < end else {
                    next = line
                    return
                }
                output.append(line.content)
                rest = rest.extracting(droppingFirst: line.end &+ 1 &- at)
                at = line.end &+ 1
                left &-= 1
            }
        }
        if left < count { take(count &- left, upTo: at &- 1) }
        return (left, next)
    }
}

/// A line that begins in the usual form.
protocol PlainLineOfText {
    associatedtype Content
    /// The minimum number of bytes in such a line.
    static var shortest: Int { get }
    var content: Content { get }
    /// Whether the content needs no further steps.
    var isWhole: Bool { get }
    /// The index after the parsed part of the line.
    var end: Int { get }

    /// - Parameters:
    ///   - piece: the bytes that `LinePiece` reads.
    ///   - start: the index of the piece in the text.
    ///   - atoms: the number of atoms in the molecule.
    init?(_ piece: Span<UInt8>, at start: Int, atoms: Int)
}

/// An atom with one or two letters, two coordinates, charge, unpaired electrons and hydrogens:
/// `C=1.2990,0.7500;0,0,i2`.
struct PlainAtom: PlainLineOfText {
    private(set) var content = Atom(.none)
    /// The letters of its symbol. The second is 0 if there is only one.
    let letters: (UInt8, UInt8)
    let end: Int

    static var shortest: Int { 23 }
    /// Whether the atom is an element. A label must still be added to the molecule.
    var isWhole: Bool { content.element != .none }

    @inline(__always)
    init?(_ piece: Span<UInt8>, at start: Int, atoms: Int) {
        let symbol = loadWord(piece, at: 0)
        let first = UInt8(truncatingIfNeeded: symbol)
        let second = UInt8(truncatingIfNeeded: symbol >> 8)
        let isOneLetter = second == Ascii.equals
        if second == 0 { return nil }
        letters = (first, isOneLetter ? 0 : second)
        var at = isOneLetter ? 2 : 3
        guard LinePiece.byte(piece, at: at &- 1) == Ascii.equals, let x = Self.coordinate(piece, &at),
            LinePiece.byte(piece, at: at) == Ascii.comma
        else {
            return nil
        }
        at &+= 1
        guard let y = Self.coordinate(piece, &at), LinePiece.byte(piece, at: at) == 0x3B else { return nil }
        let isNegative = LinePiece.byte(piece, at: at &+ 1) == Ascii.minus
        at &+= isNegative ? 1 : 0
        // The text after `;` or `-`. XOR changes digits to 0 to 9 and commas to 0.
        let rest = LinePiece.word(piece, at: at &+ 1) ^ 0x0000_3000_2C30_2C30
        let charge = UInt8(truncatingIfNeeded: rest)
        let unpaired = UInt8(truncatingIfNeeded: rest >> 16)
        let hydrogens = UInt8(truncatingIfNeeded: rest >> 40)
        guard at &+ 7 < LinePiece.longest, rest & 0xFF00_FF00 == 0, max(charge, unpaired, hydrogens) < 10 else {
            return nil
        }
        switch UInt8(truncatingIfNeeded: rest >> 32) {
        case 0x69: break
        case 0x65: content.hydrogens = .fixed(Int(hydrogens))
        default: return nil
        }
        end = start &+ at &+ 7
        content.element = .element(ofSymbol: letters.0, letters.1)
        content.position = Position(x, y, 0)
        content.charge = isNegative ? -Int16(charge) : Int16(charge)
        if unpaired > 0 { content.radical = .unpaired(Int(unpaired)) }
    }

    /// Reads a number with four decimals.
    @inline(__always)
    private static func coordinate(_ piece: Span<UInt8>, _ at: inout Int) -> Double? {
        var faults: UInt64 = 0
        var next = at
        let usual = LinePiece.fourPlaces(piece, &next, &faults)
        if faults != 0 { return otherCoordinate(piece, &at) }
        at = next
        return usual
    }

    @inline(never)
    private static func otherCoordinate(_ piece: Span<UInt8>, _ at: inout Int) -> Double? {
        at < LinePiece.longest ? FourPlaces.decimal(piece, at: &at) : nil
    }
}

/// A bond with two atoms, an order and a type: `12-13=1,0`.
struct PlainBond: PlainLineOfText {
    let content: Bond
    let end: Int

    static var shortest: Int { 8 }
    var isWhole: Bool { true }

    @inline(__always)
    init?(_ piece: Span<UInt8>, at start: Int, atoms: Int) {
        var at = 0
        let from = Numeral.whole(piece, at: &at)
        guard piece[at] == Ascii.minus else { return nil }
        at &+= 1
        let to = Numeral.whole(piece, at: &at)
        // `=`, the order, a comma and the type. XOR changes digits to 0 to 9 and the other characters to 0.
        let rest = LinePiece.word(piece, at: at) ^ 0x302C_303D
        let order = UInt8(truncatingIfNeeded: rest >> 8)
        let type = UInt8(truncatingIfNeeded: rest >> 24)
        guard rest & 0x00FF_00FF == 0, order <= Bond.Order.sextuple.rawValue, type <= Bond.Mark.either.rawValue,
            from != to, from >= 1, to >= 1, from <= atoms, to <= atoms
        else { return nil }
        content = Bond(
            from: UInt32(truncatingIfNeeded: from &- 1), to: UInt32(truncatingIfNeeded: to &- 1),
            orderNumber: UInt64(order), markNumber: UInt64(type))
        end = start &+ at &+ 4
    }
}
