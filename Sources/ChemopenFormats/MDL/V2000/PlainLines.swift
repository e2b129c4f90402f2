import ChemopenBytes
import ChemopenModel

/// Lines of the standard shape, read by words of eight bytes.
///
///     0         1         2         3
///     0123456789012345678901234567890123456789
///         1.2990   -0.7500    0.0000 C   0  0
///
/// Every byte is looked at, so that a line end or a letter in a wrong place is no plain line. `length` is that of the
/// line before: the line feed must stand there again.
enum PlainLine {
    /// The shape that an atom line turned out to have.
    enum AtomShape {
        case plain
        /// Behind the symbol stands more than blanks and zeros.
        case withCodes
        case other
    }

    /// As far as the parity.
    static var shortestAtomLine: Int { AtomColumn.parity.range.upperBound }
    static var shortestBondLine: Int { BondColumn.mark.range.upperBound }

    /// Adds the atom of a line unless it is of another shape.
    @inline(__always)
    static func addAtom(
        at start: Int, length: Int, before end: Int, of bytes: Span<UInt8>, to atoms: inout [Atom]
    ) -> AtomShape {
        guard length >= shortestAtomLine, start &+ length < end, bytes[start &+ length] == Ascii.lineFeed else {
            return .other
        }
        // Of a piece of known length it is known beforehand that the columns are there: one check serves them all.
        let line = bytes.extracting(start..<start &+ shortestAtomLine)
        let x = TenColumns.tenThousandths(line, at: AtomLine.x.lowerBound)
        let y = TenColumns.tenThousandths(line, at: AtomLine.y.lowerBound)
        let start3D = AtomLine.z.lowerBound
        let z = TenColumns.areZero(line, at: start3D) ? 0 : TenColumns.tenThousandths(line, at: start3D)
        // A blank, the symbol, the beginning of the codes.
        let word = loadWord(line, at: AtomLine.blank.lowerBound)
        guard x != TenColumns.none, y != TenColumns.none, z != TenColumns.none, let element = element(between: word)
        else {
            return .other
        }
        atoms.append(Atom(element, at: Position(Double(x) / 10_000, Double(y) / 10_000, Double(z) / 10_000)))
        return ZeroColumns.areZero(bytes, from: start &+ AtomLine.codes.lowerBound, to: start &+ length)
            ? .plain : .withCodes
    }

    /// The element whose symbol stands in the second and third of eight bytes, between blanks.
    @inline(__always)
    static func element(between word: UInt64) -> ChemicalElement? {
        guard word & 0xFF00_00FF == 0x2000_0020 else { return nil }
        let element = ChemicalElement.element(
            ofSymbol: UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word >> 16))
        return element == .none ? nil : element
    }

    /// Adds the bond of a line of three numbers, a stereo code and zeros; `false` where it is of another shape.
    @inline(__always)
    static func addBond(
        at start: Int, length: Int, before end: Int, atoms: Int, of bytes: Span<UInt8>, to bonds: inout [Bond]
    ) -> Bool {
        guard length >= shortestBondLine, start &+ length < end, bytes[start &+ length] == Ascii.lineFeed else {
            return false
        }
        let line = bytes.extracting(start..<start &+ shortestBondLine)
        let (first, second) = ThreeColumns.twoNumbers(loadWord(line, at: BondColumn.first.range.lowerBound))
        let (type, mark) = typeAndMark(line)
        guard first &- 1 < UInt32(truncatingIfNeeded: atoms), second &- 1 < UInt32(truncatingIfNeeded: atoms),
            let order = Bond.Order(mdlType: Int(type)), let mark = Bond.Mark(mdlCode: Int(mark))
        else { return false }
        var bond = Bond(from: Int32(bitPattern: first &- 1), to: Int32(bitPattern: second &- 1), order)
        bond.mark = mark
        guard ZeroColumns.areZero(bytes, from: start &+ shortestBondLine, to: start &+ length) else { return false }
        bonds.append(bond)
        return true
    }

    /// The numbers behind the two atoms, in the last of the eight columns that a word holds.
    @inline(__always)
    static func typeAndMark(_ line: Span<UInt8>) -> (UInt32, UInt32) {
        ThreeColumns.twoNumbers(loadWord(line, at: BondColumn.mark.range.upperBound &- 8) >> 16)
    }
}
