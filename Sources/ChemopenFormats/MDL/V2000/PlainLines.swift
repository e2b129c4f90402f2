import ChemopenBytes
import ChemopenModel

/// Reads lines in the standard layout, eight bytes at a time.
///
///     0         1         2         3
///     0123456789012345678901234567890123456789
///         1.2990   -0.7500    0.0000 C   0  0
///
/// Every byte is checked, so a line with a misplaced line end or letter is rejected. `length` is the length of the
/// previous line; this line must end in a line feed at the same offset.
enum PlainLine {
    /// The layout of an atom line.
    enum AtomShape {
        case plain
        /// The text after the symbol contains more than blanks and zeros.
        case withCodes
        case other
    }

    /// The length of an atom line that ends after the parity.
    static var shortestAtomLine: Int { AtomColumn.parity.range.upperBound }
    static var shortestBondLine: Int { BondColumn.mark.range.upperBound }
    /// The length of an atom line with all columns.
    static var usualAtomLine: Int { AtomLine.codes.upperBound }
    static var usualBondLine: Int { BondColumn.reactingCenter.range.upperBound }

    /// Adds the atom of a line, unless the line has another layout.
    @inline(__always)
    static func addAtom(
        at start: Int, length: Int, before end: Int, of bytes: Span<UInt8>, to atoms: inout [Atom]
    ) -> AtomShape {
        guard length >= shortestAtomLine, start &+ length < end, bytes[start &+ length] == Ascii.lineFeed else {
            return .other
        }
        // The known length proves that all columns exist, so a single bounds check suffices.
        let line = bytes.extracting(start..<start &+ shortestAtomLine)
        let x = TenColumns.tenThousandths(line, at: AtomLine.x.lowerBound)
        let y = TenColumns.tenThousandths(line, at: AtomLine.y.lowerBound)
        let start3D = AtomLine.z.lowerBound
        let z = TenColumns.areZero(line, at: start3D) ? 0 : TenColumns.tenThousandths(line, at: start3D)
        // The word contains a blank, the symbol and the first codes.
        let word = loadWord(line, at: AtomLine.blank.lowerBound)
        guard x != TenColumns.none, y != TenColumns.none, z != TenColumns.none, let element = element(between: word)
        else {
            return .other
        }
        atoms.append(Atom(element, at: Position(Double(x) / 10_000, Double(y) / 10_000, Double(z) / 10_000)))
        return ZeroColumns.areZero(bytes, from: start &+ AtomLine.codes.lowerBound, to: start &+ length)
            ? .plain : .withCodes
    }

    /// Returns the element with the symbol in the second and third of eight bytes, between blanks.
    @inline(__always)
    static func element(between word: UInt64) -> ChemicalElement? {
        guard word & 0xFF00_00FF == 0x2000_0020 else { return nil }
        let element = ChemicalElement.element(
            ofSymbol: UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word >> 16))
        return element == .none ? nil : element
    }

    /// Adds the atoms of successive plain lines, and returns their number.
    ///
    /// Each line requires a single branch, because all deviations are collected in one word. Coordinates from 1000 up
    /// or below -100 are left to `addAtom`.
    ///
    /// - Parameter count: The largest number of atoms to add.
    static func addAtoms(
        _ count: Int, at start: Int, length: Int, before end: Int, of bytes: Span<UInt8>, to atoms: inout [Atom]
    ) -> Int {
        guard length >= shortestAtomLine, end <= bytes.count, start < end else { return 0 }
        let most = min(count, (end &- start) / (length &+ 1))
        var taken = 0
        let leftColumns = TenColumns.leftColumns
        let symbolTable = ElementSymbol.all
        atoms.append(addingCapacity: most) { output in
            let left = leftColumns.span
            let symbols = symbolTable.span
            // If the compiler knows the length, it unrolls the loop over the columns and omits bounds checks.
            let lines = bytes.extracting(start..<end)
            taken =
                length == usualAtomLine
                ? addAtoms(most, length: usualAtomLine, of: lines, left, symbols, to: &output)
                : addAtoms(most, length: length, of: lines, left, symbols, to: &output)
        }
        return taken
    }

    @inline(__always)
    private static func addAtoms(
        _ most: Int, length: Int, of bytes: Span<UInt8>, _ left: Span<Int32>, _ symbols: Span<ElementSymbol>,
        to output: inout OutputSpan<Atom>
    ) -> Int {
        var taken = 0
        var rest = bytes
        while taken < most, rest.count > length {
            let line = rest.extracting(first: length &+ 1)
            var faults: UInt64 = 0
            let x = TenColumns.tenThousandths(line, at: AtomLine.x.lowerBound, left, &faults)
            let y = TenColumns.tenThousandths(line, at: AtomLine.y.lowerBound, left, &faults)
            let start3D = AtomLine.z.lowerBound
            let z =
                TenColumns.areZero(line, at: start3D)
                ? 0 : TenColumns.tenThousandths(line, at: start3D, left, &faults)
            let word = loadWord(line, at: AtomLine.blank.lowerBound)
            faults |= word & 0xFF00_00FF ^ 0x2000_0020
            let columns = UInt16(truncatingIfNeeded: word &>> 8)
            let symbol = symbols[ElementSymbol.place(of: columns)]
            faults |= UInt64(symbol.columns ^ columns)
            faults |= ZeroColumns.faults(line, from: AtomLine.codes.lowerBound, to: length)
            faults |= UInt64(line[length] ^ Ascii.lineFeed)
            if faults != 0 { break }
            output.append(
                Atom(symbol.element, at: Position(Double(x) / 10_000, Double(y) / 10_000, Double(z) / 10_000)))
            rest = rest.extracting(droppingFirst: length &+ 1)
            taken &+= 1
        }
        return taken
    }

    /// Adds the bonds of successive lines that contain three numbers, a stereo code and zeros, and returns their
    /// number.
    ///
    /// - Parameter count: The largest number of bonds to add.
    static func addBonds(
        _ count: Int, at start: Int, length: Int, before end: Int, atoms: Int, of bytes: Span<UInt8>,
        to bonds: inout [Bond]
    ) -> Int {
        guard length >= shortestBondLine, end <= bytes.count, start < end else { return 0 }
        let most = min(count, (end &- start) / (length &+ 1))
        var taken = 0
        let limit = UInt32(clamping: atoms)
        let orders = BondCodes.orders
        let marks = BondCodes.marks
        bonds.append(addingCapacity: most) { output in
            let lines = bytes.extracting(start..<end)
            taken =
                length == usualBondLine
                ? addBonds(most, length: usualBondLine, limit, of: lines, orders, marks, to: &output)
                : addBonds(most, length: length, limit, of: lines, orders, marks, to: &output)
        }
        return taken
    }

    @inline(__always)
    private static func addBonds(
        _ most: Int, length: Int, _ limit: UInt32, of bytes: Span<UInt8>, _ orders: UInt64, _ marks: UInt64,
        to output: inout OutputSpan<Bond>
    ) -> Int {
        var taken = 0
        var rest = bytes
        while taken < most, rest.count > length {
            let line = rest.extracting(first: length &+ 1)
            var faults: UInt64 = 0
            let (first, second) = ThreeColumns.twoNumbers(
                loadWord(line, at: BondColumn.first.range.lowerBound), &faults)
            // Two blanks and a digit, twice.
            let codes = loadWord(line, at: BondColumn.mark.range.upperBound &- 8) &>> 16 ^ 0x3020_2030_2020
            let type = codes &>> 16 & 0xFF
            let code = codes &>> 40
            faults |= codes & 0xFF_FF00_FFFF | (type | code) & 0xF0
            let order = orders &>> (type &* 4) & 0xF
            let mark = marks &>> (code &* 4) & 0xF
            faults |= ZeroColumns.faults(line, from: shortestBondLine, to: length)
            faults |= UInt64(line[length] ^ Ascii.lineFeed)
            if faults != 0 || first &- 1 >= limit || second &- 1 >= limit || order == BondCodes.none
                || mark == BondCodes.none
            {
                break
            }
            output.append(Bond(from: first &- 1, to: second &- 1, orderNumber: order, markNumber: mark))
            rest = rest.extracting(droppingFirst: length &+ 1)
            taken &+= 1
        }
        return taken
    }
}

/// An element and the two columns of its symbol.
struct ElementSymbol {
    let element: ChemicalElement
    /// The columns, with the first in the low byte. In an unused entry, the columns have values that never select it.
    let columns: UInt16

    /// The elements, indexed by the low five bits of both columns.
    static let all: [ElementSymbol] = {
        let nothing: UInt16 = 0xFFFF
        var all = [ElementSymbol](repeating: ElementSymbol(element: .none, columns: nothing), count: 1024)
        all[place(of: nothing)] = ElementSymbol(element: .none, columns: 0)
        for element in (1...118).compactMap(ChemicalElement.init(rawValue:)) {
            let (first, second) = element.symbolBytes
            let columns = UInt16(first) | UInt16(second == 0 ? Ascii.blank : second) &<< 8
            all[place(of: columns)] = ElementSymbol(element: element, columns: columns)
        }
        return all
    }()

    @inline(__always)
    static func place(of columns: UInt16) -> Int {
        Int(truncatingIfNeeded: columns & 0x1F | columns &>> 3 & 0x3E0)
    }
}

/// The numbers of orders and marks, indexed by the digit in a bond line, with four bits for each digit.
enum BondCodes {
    /// The value for digits that do not represent an order or mark.
    static var none: UInt64 { 0xF }

    static let orders = packed { Bond.Order(mdlType: $0)?.rawValue }
    static let marks = packed { Bond.Mark(mdlCode: $0)?.rawValue }

    private static func packed(_ number: (Int) -> UInt8?) -> UInt64 {
        (0..<10).reduce(~0) { bits, digit in
            let shift = UInt64(digit) * 4
            return bits & ~(0xF &<< shift) | UInt64(number(digit) ?? UInt8(none)) &<< shift
        }
    }
}
