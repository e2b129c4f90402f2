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
    /// The fields written last, and how: the atoms of a group have the same one, and those of two groups take turns.
    private var spelledFields: [(field: Text, spelling: [UInt8])] = []
    private var nextSpelled = 0

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
            let end = min(next + PlainLineRoom.lines, limit)
            var at = PlainLineRoom.append(lines: end - next, to: &output)
            var text = output.mutableSpan
            while next < end {
                let field = hydrogens.field(of: atoms[next], next)
                guard let inexact = text.setLine(of: atoms[next], field, at: &at) else { break }
                lost &+= inexact
                next &+= 1
            }
            output.removeLast(output.count - at)
            if next < end { break }
        }
        lostDigits &+= lost
        return next
    }

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
        let place = spelledFields.firstIndex { $0.field == text } ?? spell(text)
        output.append(Ascii.comma)
        output.append(letter)
        output.append(contentsOf: spelledFields[place].spelling)
    }

    private mutating func spell(_ text: Text) -> Int {
        var spelling: [UInt8] = []
        SketchElEscapes.escape(text.bytes, into: &spelling)
        if spelledFields.count < Self.mostSpelledFields {
            spelledFields.append((text, spelling))
            return spelledFields.count - 1
        }
        let place = nextSpelled
        nextSpelled = (nextSpelled + 1) % Self.mostSpelledFields
        spelledFields[place] = (text, spelling)
        return place
    }

    private static let mostSpelledFields = 4

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
            let end = min(next + PlainLineRoom.lines, limit)
            var at = PlainLineRoom.append(lines: end - next, to: &output)
            var text = output.mutableSpan
            while next < end, max(bonds[next].from, bonds[next].to) < 9999 {
                Self.set(plain: bonds[next], in: &text, at: &at)
                next &+= 1
            }
            output.removeLast(output.count - at)
            if next < end { break }
        }
        return next
    }

    @inline(__always)
    private static func set(plain bond: Bond, in text: inout MutableSpan<UInt8>, at place: inout Int) {
        ShortNumber(UInt32(bitPattern: bond.from) &+ 1).set(in: &text, at: &place, before: Ascii.minus)
        ShortNumber(UInt32(bitPattern: bond.to) &+ 1).set(in: &text, at: &place, before: Ascii.equals)
        let order = UInt64(min(bond.orderNumber, 6))
        storeWord(0x0A30_2C30 | order | UInt64(bond.mark.rawValue) << 16, in: &text, at: place)
        place &+= 4
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
            var at = PlainLineRoom.append(lines: 1, to: &output)
            var text = output.mutableSpan
            number.set(in: &text, at: &at)
            output.removeLast(output.count - at)
            return
        }
        let start = output.count
        output.appendFixed(value.isFinite ? value : 0, decimals: 4, width: 0)
        if value < 0, output[start] != Ascii.minus { output.insert(Ascii.minus, at: start) }
        if (value.magnitude * 10_000).rounded() / 10_000 != value.magnitude { lostDigits += 1 }
    }
}

extension MutableSpan where Element == UInt8 {
    /// Sets an atom's line as nearly all are at a place, which goes on behind it: `C=1.2990,0.7500;0,0,i2`. Returns how many
    /// coordinates were rounded.
    ///
    /// Nothing, and nothing set, where there is more to say of the atom, or a number has no short spelling.
    @inline(__always)
    fileprivate mutating func setLine(
        of atom: Atom, _ field: (letter: UInt8, count: Int), at place: inout Int
    ) -> Int? {
        let symbol = atom.element.symbolBytes
        let unpaired = atom.radical.unpairedElectrons
        guard atom.label == Atom.noLabel, atom.isotope == 0, atom.mapNumber == 0, atom.radical != .singlet,
            symbol.0 != 0, atom.charge.magnitude < 10, unpaired < 10, 0..<10 ~= field.count,
            let x = FourDecimals(atom.position.x), let y = FourDecimals(atom.position.y)
        else { return nil }
        let hasOneLetter = symbol.1 == 0
        let name = UInt64(symbol.0) | (hasOneLetter ? 0x3D00 : UInt64(symbol.1) << 8 | 0x3D_0000)
        storeWord(name, in: &self, at: place)
        place &+= hasOneLetter ? 2 : 3
        x.set(in: &self, at: &place)
        self[place] = Ascii.comma
        place &+= 1
        y.set(in: &self, at: &place)
        // `;0,0,i0` and the line's end.
        var rest: UInt64 = 0x0A30_002C_302C_303B
        rest |= UInt64(atom.charge.magnitude) << 8 | UInt64(truncatingIfNeeded: unpaired) << 24
        rest |= UInt64(field.letter) << 40 | UInt64(truncatingIfNeeded: field.count) << 48
        if atom.charge < 0 {
            self[place] = 0x3B
            place &+= 1
            rest = rest & ~0xFF | UInt64(Ascii.minus)
        }
        storeWord(rest, in: &self, at: place)
        place &+= 8
        return (x.isExact ? 0 : 1) &+ (y.isExact ? 0 : 1)
    }
}

/// Room for lines that are set in it, which is cut to what they took.
private enum PlainLineRoom {
    static let lines = 64
    /// More than the longest plain line, and the word that its last bytes are set with, take.
    private static let length = 48
    private static let blank = [UInt8](repeating: 0, count: lines * length)

    /// Adds room for so many lines, at most those that there are, and returns where it begins.
    static func append(lines: Int, to output: inout [UInt8]) -> Int {
        let start = output.count
        output.append(copying: blank.span.extracting(0..<min(lines, Self.lines) * length))
        return start
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

    /// Sets the number at a place, which goes on behind it.
    @inline(__always)
    func set(in text: inout MutableSpan<UInt8>, at place: inout Int) {
        let whole = number / 10_000
        let decimals = number &- whole &* 10_000
        text[place] = Ascii.minus
        place &+= isNegative ? 1 : 0
        ShortNumber(whole).set(in: &text, at: &place, before: Ascii.point)
        storeWord(ShortNumber.digits(decimals) | 0x3030_3030, in: &text, at: place)
        place &+= 4
    }
}

/// A number of up to four digits, without zeros in front. Nothing branches on whether there are one or two, since no
/// processor could foresee that.
private struct ShortNumber {
    /// The digits, the first lowest.
    private let text: UInt64
    private let length: UInt64

    @inline(__always)
    init(_ number: UInt32) {
        if number < 100 {
            let number = UInt64(number)
            let tens = (number &* 103) &>> 10
            let zeros: UInt64 = tens == 0 ? 8 : 0
            text = (0x3030 | tens | (number &- tens &* 10) &<< 8) &>> zeros
            length = 16 &- zeros
            return
        }
        let digits = Self.digits(number)
        // The last digit stays, whatever it is.
        let zeros = UInt64(truncatingIfNeeded: (digits | 0x0100_0000).trailingZeroBitCount) & ~7
        text = (digits | 0x3030_3030) &>> zeros
        length = 32 &- zeros
    }

    /// The values of four digits, the first in the lowest byte.
    @inline(__always)
    static func digits(_ number: UInt32) -> UInt64 {
        // Multiplying and shifting divides numbers of this size.
        let number = UInt64(number)
        let hundreds = (number &* 10_486) &>> 20
        let pairs = hundreds | (number &- hundreds &* 100) &<< 16
        let tens = ((pairs &* 103) &>> 10) & 0x000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }

    /// Sets the number and a byte behind it at a place, which goes on behind that.
    @inline(__always)
    func set(in text: inout MutableSpan<UInt8>, at place: inout Int, before byte: UInt8) {
        storeWord(self.text | UInt64(byte) &<< length, in: &text, at: place)
        place &+= Int(truncatingIfNeeded: length &>> 3) &+ 1
    }
}
