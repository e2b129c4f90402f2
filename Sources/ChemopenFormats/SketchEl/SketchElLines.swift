import ChemopenBytes
import ChemopenModel

/// Prints the lines of a molecule in SketchEl's text, each with what its atom or bond has beyond the usual.
struct SketchElLines {
    /// How many coordinates had more than four decimals.
    private(set) var lostDigits = 0
    private(set) var singlets = 0
    /// Some atoms or bonds have fields. Each list stands by itself: taking the whole out would copy it for every line.
    private let hasFields: Bool
    private let abbreviations: [Abbreviation]
    private let atomNotes: [Tagged<AtomNote>]
    private let bondNotes: [Tagged<BondNote>]
    /// Types of bonds that mean nothing that is known.
    private var bondTypes: [Int32: Text] = [:]
    private let hydrogens: SketchElHydrogenFields
    private var nextNote = 0
    private var nextAbbreviation = 0
    private var nextBondNote = 0
    private let trustsSpellings: Bool
    /// The field written last, and how: the atoms of a group have the same one.
    private var lastField = Text()
    private var lastSpelling: [UInt8] = []

    /// - Parameter trustsSpellings: the abbreviations were just read, and say what their spellings say.
    init(of molecule: borrowing Molecule, trustsSpellings: Bool) {
        self.trustsSpellings = trustsSpellings
        hasFields = !molecule.extras.isEmpty
        hydrogens = SketchElHydrogenFields(of: molecule)
        guard hasFields else {
            (abbreviations, atomNotes, bondNotes) = ([], [], [])
            return
        }
        let contents = molecule.extras.contents
        (abbreviations, atomNotes, bondNotes) = (contents.abbreviations, contents.atomNotes, contents.bondNotes)
        for verbatim in contents.verbatim.reversed() where verbatim.dialect == .sketchEl {
            if case .bond(let bond) = verbatim.owner { bondTypes[bond] = verbatim.text }
        }
    }

    // MARK: Atoms

    mutating func appendAtoms(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let hasHeights = molecule.flags.contains(.threeDimensional)
        let atoms = molecule.atoms
        var next = 0
        while true {
            if !hasHeights { next = appendPlainAtoms(from: next, of: atoms, to: &output) }
            guard next < atoms.count else { return }
            let index = next
            next += 1
            let atom = atoms[index]
            if atom.radical == .singlet { singlets += 1 }
            if atom.label == Atom.noLabel {
                atom.element.appendSymbol(to: &output)
            } else if molecule.labels.indices.contains(Int(atom.label)) {
                SketchElEscapes.escape(molecule.labels[Int(atom.label)].bytes, into: &output)
            }
            output.append(Ascii.equals)
            appendCoordinate(atom.position.x, to: &output)
            output.append(Ascii.comma)
            appendCoordinate(atom.position.y, to: &output)
            output.append(0x3B)
            output.appendDecimal(Int(atom.charge))
            output.append(Ascii.comma)
            output.appendDecimal(atom.radical.unpairedElectrons)
            let field = hydrogens.field(of: atom, index)
            output.append(Ascii.comma)
            output.append(field.letter)
            output.appendDecimal(field.count)
            if hasHeights {
                output.append(",z")
                output.appendShortest(atom.position.z.isFinite ? atom.position.z : 0)
            }
            if atom.isotope != 0 {
                output.append(",m")
                output.appendDecimal(Int(atom.isotope))
            }
            if atom.mapNumber != 0 {
                output.append(",n")
                output.appendDecimal(Int(atom.mapNumber))
            }
            if hasFields { appendFields(of: index, to: &output) }
            output.append(Ascii.lineFeed)
        }
    }

    /// Adds the lines of atoms with nothing out of the ordinary from one on, and returns the first that has something.
    private mutating func appendPlainAtoms(from start: Int, of atoms: [Atom], to output: inout [UInt8]) -> Int {
        let limit = min(atoms.count, nextAtomWithFields)
        // What works on the output must not hold on to all the lists that are here.
        let hydrogens = hydrogens
        var next = start
        var lost = 0
        while next < limit {
            let end = min(next + Self.linesAtOnce, limit)
            output.append(addingCapacity: (end - next) * Self.plainAtomLength) { lines in
                while next < end, let line = PlainAtomLine(of: atoms[next], hydrogens.field(of: atoms[next], next)) {
                    line.append(to: &lines)
                    lost &+= line.lostDigits
                    next &+= 1
                }
            }
            if next < end { break }
        }
        lostDigits &+= lost
        return next
    }

    private static let linesAtOnce = 64
    private static let plainAtomLength = 40

    /// Atoms come in order, and so do their notes and abbreviations.
    private var nextAtomWithFields: Int {
        var atom = Int.max
        if nextNote < atomNotes.count { atom = Int(atomNotes[nextNote].index) }
        if nextAbbreviation < abbreviations.count { atom = min(atom, Int(abbreviations[nextAbbreviation].atom)) }
        return atom
    }

    private mutating func appendFields(of atom: Int, to output: inout [UInt8]) {
        if nextAbbreviation < abbreviations.count, abbreviations[nextAbbreviation].atom == Int32(clamping: atom) {
            output.append(",a")
            let text = abbreviations[nextAbbreviation].text(trustsSpelling: trustsSpellings)
            SketchElEscapes.escape(text, into: &output)
            nextAbbreviation += 1
        }
        let start = nextNote
        while nextNote < atomNotes.count, atomNotes[nextNote].index <= Int32(clamping: atom) { nextNote += 1 }
        if start == nextNote { return }
        for isTransient in [false, true] {
            for place in start..<nextNote {
                switch atomNotes[place].note {
                case .query(let text) where !isTransient: appendField("q", text, to: &output)
                case .field(let text) where !isTransient: appendField("", text, to: &output)
                case .transientField(let text) where isTransient: appendField("", text, to: &output)
                default: break
                }
            }
        }
    }

    private mutating func appendField(_ letter: StaticString, _ text: Text, to output: inout [UInt8]) {
        if text != lastField {
            lastField = text
            lastSpelling.removeAll(keepingCapacity: true)
            SketchElEscapes.escape(text.bytes, into: &lastSpelling)
        }
        output.append(Ascii.comma)
        output.append(letter)
        output.append(copying: lastSpelling.span)
    }

    // MARK: Bonds

    mutating func appendBonds(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let bonds = molecule.bonds
        var next = 0
        while true {
            if bondTypes.isEmpty { next = appendPlainBonds(from: next, of: bonds, to: &output) }
            guard next < bonds.count else { return }
            let index = next
            next += 1
            let bond = bonds[index]
            output.appendDecimal(Int(bond.from) + 1)
            output.append(Ascii.minus)
            output.appendDecimal(Int(bond.to) + 1)
            output.append(Ascii.equals)
            output.append(0x30 | min(bond.orderNumber, 6))
            output.append(Ascii.comma)
            appendType(of: index, bond.mark, to: &output)
            if hasFields { appendFields(ofBond: index, to: &output) }
            output.append(Ascii.lineFeed)
        }
    }

    /// Adds the lines of bonds with nothing out of the ordinary from one on, and returns the first that has something.
    private func appendPlainBonds(from start: Int, of bonds: [Bond], to output: inout [UInt8]) -> Int {
        let limit = nextBondNote < bondNotes.count ? min(bonds.count, Int(bondNotes[nextBondNote].index)) : bonds.count
        var next = start
        while next < limit {
            let end = min(next + Self.linesAtOnce, limit)
            output.append(addingCapacity: (end - next) * Self.plainBondLength) { lines in
                while next < end, max(bonds[next].from, bonds[next].to) < 9999 {
                    Self.append(plain: bonds[next], to: &lines)
                    next &+= 1
                }
            }
            if next < end { break }
        }
        return next
    }

    private static let plainBondLength = 16

    @inline(__always)
    private static func append(plain bond: Bond, to line: inout OutputSpan<UInt8>) {
        FourDecimals.append(UInt32(bitPattern: bond.from) &+ 1, to: &line)
        line.append(Ascii.minus)
        FourDecimals.append(UInt32(bitPattern: bond.to) &+ 1, to: &line)
        line.append(Ascii.equals)
        line.append(0x30 | min(bond.orderNumber, 6))
        line.append(Ascii.comma)
        line.append(0x30 | bond.mark.rawValue)
        line.append(Ascii.lineFeed)
    }

    /// The type, which may be one that means nothing that is known.
    private func appendType(of bond: Int, _ mark: Bond.Mark, to output: inout [UInt8]) {
        if mark == .none, !bondTypes.isEmpty, let type = bondTypes[Int32(clamping: bond)] {
            output.append(contentsOf: type.bytes)
        } else {
            output.append(0x30 | mark.rawValue)
        }
    }

    private mutating func appendFields(ofBond bond: Int, to output: inout [UInt8]) {
        let start = nextBondNote
        while nextBondNote < bondNotes.count, bondNotes[nextBondNote].index <= Int32(clamping: bond) {
            nextBondNote += 1
        }
        if start == nextBondNote { return }
        for isTransient in [false, true] {
            for place in start..<nextBondNote {
                switch bondNotes[place].note {
                case .query(let text) where !isTransient: appendField("q", text, to: &output)
                case .field(let text) where !isTransient: appendField("", text, to: &output)
                case .transientField(let text) where isTransient: appendField("", text, to: &output)
                default: break
                }
            }
        }
    }

    // MARK: Numbers

    /// Four decimals; the sign of a small negative number stays, as in all files of this kind: `-0.0000`.
    private mutating func appendCoordinate(_ value: Double, to output: inout [UInt8]) {
        if let number = FourDecimals(value) {
            if !number.isExact { lostDigits += 1 }
            output.append(addingCapacity: 10) { number.append(to: &$0) }
            return
        }
        let start = output.count
        output.appendFixed(value.isFinite ? value : 0, decimals: 4, width: 0)
        if value < 0, output[start] != Ascii.minus { output.insert(Ascii.minus, at: start) }
        if (value.magnitude * 10_000).rounded() / 10_000 != value.magnitude { lostDigits += 1 }
    }
}

/// An atom's line as nearly all are: `C=1.2990,0.7500;0,0,i2`.
private struct PlainAtomLine {
    let symbol: (UInt8, UInt8)
    let x, y: FourDecimals
    let charge: Int16
    let unpaired, letter, hydrogens: UInt8

    /// Nothing where there is more to say of the atom, or a number has no short spelling.
    @inline(__always)
    init?(of atom: Atom, _ field: (letter: UInt8, count: Int)) {
        guard atom.label == Atom.noLabel, atom.isotope == 0, atom.mapNumber == 0, atom.radical != .singlet,
            let x = FourDecimals(atom.position.x), let y = FourDecimals(atom.position.y)
        else { return nil }
        symbol = atom.element.symbolBytes
        (self.x, self.y) = (x, y)
        charge = atom.charge
        unpaired = UInt8(truncatingIfNeeded: atom.radical.unpairedElectrons)
        letter = field.letter
        hydrogens = UInt8(truncatingIfNeeded: field.count)
        guard symbol.0 != 0, charge.magnitude < 10, unpaired < 10, 0..<10 ~= field.count else { return nil }
    }

    /// How many coordinates were rounded.
    @inline(__always) var lostDigits: Int { (x.isExact ? 0 : 1) &+ (y.isExact ? 0 : 1) }

    /// Needs room for forty bytes.
    @inline(__always)
    func append(to line: inout OutputSpan<UInt8>) {
        let equals = UInt64(Ascii.equals)
        if symbol.1 == 0 {
            line.append(word: UInt64(symbol.0) | equals << 8, count: 2)
        } else {
            line.append(word: UInt64(symbol.0) | UInt64(symbol.1) << 8 | equals << 16, count: 3)
        }
        x.append(to: &line)
        line.append(Ascii.comma)
        y.append(to: &line)
        // `;0,0,i0` and the line's end.
        var rest: UInt64 = 0x0A30_002C_302C_303B
        rest |= UInt64(charge.magnitude) << 8 | UInt64(unpaired) << 24 | UInt64(letter) << 40 | UInt64(hydrogens) << 48
        if charge < 0 {
            line.append(word: 0x2D3B, count: 2)
            line.append(word: rest >> 8, count: 7)
        } else {
            line.append(word: rest, count: 8)
        }
    }
}

/// A number with at most four digits before the point, rounded to four behind it.
private struct FourDecimals {
    /// In ten-thousandths, without its sign.
    private let number: UInt32
    private let isNegative: Bool
    /// Nothing was rounded away.
    let isExact: Bool

    /// `nil` for larger numbers, and for one on the very half between two texts.
    @inline(__always)
    init?(_ value: Double) {
        let scaled = value.magnitude * 10_000
        // Doubles from 2^52 on have no fraction, so the sum rounds and its significand is the integer.
        let sum = scaled + 0x1p52
        let rest = scaled - (sum - 0x1p52)
        guard scaled < 99_999_999, rest.magnitude < 0.5 else { return nil }
        number = UInt32(truncatingIfNeeded: sum.significandBitPattern)
        isNegative = value.sign == .minus
        isExact = Double(number) / 10_000 == value.magnitude
    }

    /// Needs room for ten bytes.
    @inline(__always)
    func append(to digits: inout OutputSpan<UInt8>) {
        let whole = number / 10_000
        let decimals = number &- whole &* 10_000
        if whole < 100 {
            // Two digits, a point and four digits. Then a zero in front goes and a sign comes, without a branch, which no
            // processor could foresee.
            let (first, second) = (UInt64(decimals / 100), UInt64(decimals % 100))
            var word = 0x30_3030_302E_3030 | Self.twoDigits(first) << 24 | Self.twoDigits(second) << 40
            word |= Self.twoDigits(UInt64(whole))
            let hasTens = whole >= 10
            word = word &>> (hasTens ? 0 : 8)
            word = word &<< (isNegative ? 8 : 0) | (isNegative ? UInt64(Ascii.minus) : 0)
            digits.append(word: word, count: (hasTens ? 7 : 6) &+ (isNegative ? 1 : 0))
            return
        }
        if isNegative { digits.append(Ascii.minus) }
        Self.append(whole, to: &digits)
        digits.append(Ascii.point)
        let high = decimals / 100
        let low = decimals &- high &* 100
        digits.append(UInt8(truncatingIfNeeded: high / 10) | 0x30)
        digits.append(UInt8(truncatingIfNeeded: high % 10) | 0x30)
        digits.append(UInt8(truncatingIfNeeded: low / 10) | 0x30)
        digits.append(UInt8(truncatingIfNeeded: low % 10) | 0x30)
    }

    /// The values of two digits, the first in the lowest byte.
    @inline(__always)
    private static func twoDigits(_ number: UInt64) -> UInt64 {
        // Multiplying and shifting divides numbers of this size by ten.
        let tens = (number &* 103) >> 10
        return tens | (number &- tens &* 10) << 8
    }

    /// A whole number of up to four digits, without zeros in front.
    @inline(__always)
    static func append(_ number: UInt32, to digits: inout OutputSpan<UInt8>) {
        if number >= 1000 { digits.append(UInt8(truncatingIfNeeded: number / 1000) | 0x30) }
        if number >= 100 { digits.append(UInt8(truncatingIfNeeded: number / 100 % 10) | 0x30) }
        if number >= 10 { digits.append(UInt8(truncatingIfNeeded: number / 10 % 10) | 0x30) }
        digits.append(UInt8(truncatingIfNeeded: number % 10) | 0x30)
    }
}
