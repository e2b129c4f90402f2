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
    /// What an atom line turned out to be.
    enum AtomShape {
        case plain
        /// Behind the symbol stands more than blanks and zeros.
        case withCodes
        case other
    }

    private static let shortestAtomLine = 42

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
        let x = TenColumns.tenThousandths(line, at: 0)
        let y = TenColumns.tenThousandths(line, at: 10)
        let z = TenColumns.areZero(line, at: 20) ? 0 : TenColumns.tenThousandths(line, at: 20)
        // Columns 30 to 37: a blank, the symbol, the beginning of the codes.
        let word = loadWord(line, at: 30)
        guard x != TenColumns.none, y != TenColumns.none, z != TenColumns.none, word & 0xFF00_00FF == 0x2000_0020 else {
            return .other
        }
        let element = ChemicalElement.element(
            ofSymbol: UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word >> 16))
        if element == .none { return .other }
        atoms.append(Atom(element, at: Position(Double(x) / 10_000, Double(y) / 10_000, Double(z) / 10_000)))
        return ZeroColumns.areZero(bytes, from: start &+ 34, to: start &+ length) ? .plain : .withCodes
    }

    /// Adds the bond of a line of three numbers, a stereo code and zeros; `false` where it is of another shape.
    @inline(__always)
    static func addBond(
        at start: Int, length: Int, before end: Int, atoms: Int, of bytes: Span<UInt8>, to bonds: inout [Bond]
    ) -> Bool {
        guard length >= 9, start &+ length < end, bytes[start &+ length] == Ascii.lineFeed else { return false }
        let line = bytes.extracting(start..<start &+ 9)
        let word = loadWord(line, at: 0)
        let (first, second) = ThreeColumns.twoNumbers(word)
        let type = ThreeColumns.number(word >> 48 | UInt64(line[8]) << 16)
        guard first &- 1 < UInt32(truncatingIfNeeded: atoms), second &- 1 < UInt32(truncatingIfNeeded: atoms),
            let order = Bond.Order(mdlType: Int(type))
        else { return false }
        var bond = Bond(from: Int32(bitPattern: first &- 1), to: Int32(bitPattern: second &- 1), order)
        if length < 12 {
            for index in start &+ 9..<start &+ length where bytes[index] | 0x10 != Ascii.zero { return false }
        } else {
            switch ThreeColumns.number(loadWord(bytes, at: start &+ 4) >> 40) {
            case 0: break
            case 1: bond.mark = .up
            case 6: bond.mark = .down
            case 3, 4: bond.mark = .either
            default: return false
            }
            guard ZeroColumns.areZero(bytes, from: start &+ 12, to: start &+ length) else { return false }
        }
        bonds.append(bond)
        return true
    }
}

/// Ten columns `xxxxx.xxxx`.
enum TenColumns {
    /// No number of this shape.
    static let none = Int.min

    /// Whether they are `    0.0000`, as the heights of a drawing are.
    @inline(__always)
    static func areZero(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        // The two words overlap.
        loadWord(bytes, at: start) == 0x3030_2E30_2020_2020 && loadWord(bytes, at: start &+ 2) == 0x3030_3030_2E30_2020
    }

    /// The number in ten-thousandths: whole and below 2^53, so that dividing it rounds as it should.
    @inline(__always)
    static func tenThousandths(_ bytes: Span<UInt8>, at start: Int) -> Int {
        // The point, and the digits on both sides of it.
        let digits = loadWord(bytes, at: start &+ 2) ^ 0x3030_3030_2E30_3030
        let units = (digits >> 16) & 0xFF
        guard digits & 0xFF00_0000 == 0, units <= 9, let decimals = fourDigits(digits >> 32) else { return none }
        let value = Int(truncatingIfNeeded: decimals &+ units &* 10_000)
        return withLeft(UInt32(truncatingIfNeeded: loadWord(bytes, at: start)), value)
    }

    /// Adds the columns left of the units: blanks, then at most one sign, then digits.
    ///
    /// Signs and tens come and go from line to line, which no processor foresees: up to one of each takes no branch.
    @inline(__always)
    private static func withLeft(_ left: UInt32, _ value: Int) -> Int {
        // A blank is 0 here, a minus 0x0D, a digit 0x10 to 0x19.
        let columns = left ^ 0x2020_2020
        let nearest = columns >> 24
        let second = (columns >> 16) & 0xFF
        let tens = nearest &- 0x10
        let hasTens = tens <= 9
        let sign = hasTens ? second : nearest
        let beforeSign = hasTens ? 0 : second
        let isNegative = sign == 0x0D
        if (isNegative ? 0 : sign) | beforeSign | columns & 0xFFFF != 0 { return withManyLeft(left, value) }
        let whole = value &+ (hasTens ? Int(truncatingIfNeeded: tens) &* 100_000 : 0)
        return isNegative ? 0 &- whole : whole
    }

    @inline(never)
    private static func withManyLeft(_ left: UInt32, _ value: Int) -> Int {
        var value = value
        var place = 100_000
        var rest = left
        var isOpen = true
        for _ in 0..<4 {
            let byte = UInt8(truncatingIfNeeded: rest >> 24)
            rest <<= 8
            if isOpen, Ascii.isDigit(byte) {
                value &+= Int(byte &- Ascii.zero) &* place
                place &*= 10
            } else if isOpen, byte == Ascii.minus {
                value = 0 &- value
                isOpen = false
            } else if byte == Ascii.blank {
                isOpen = false
            } else {
                return none
            }
        }
        return value
    }
}

/// Three columns with a number, right-aligned.
enum ThreeColumns {
    /// What is no number: too large for anything.
    private static let none: UInt32 = 1 << 20

    /// The numbers in the lowest three bytes of a word and in the next three, without a branch, as the atoms of bonds
    /// have one digit now and two then. Where one is none, both are.
    @inline(__always)
    static func twoNumbers(_ word: UInt64) -> (UInt32, UInt32) {
        // A digit is 0 to 9 here, a blank 0x10.
        let columns = (word ^ 0x3030_3030_3030) & 0xFFFF_FFFF_FFFF
        let digits = columns & 0x0F0F_0F0F_0F0F
        let blanks = columns & 0x1010_1010_1010
        let strange = columns & 0xE0E0_E0E0_E0E0 | (digits &+ 0x0606_0606_0606) & 0x1010_1010_1010
        let notQuiteBlank = (blanks &- blanks &>> 4) & digits
        let blankUnits = blanks & 0x1000_0010_0000
        let blankTensBehindHundreds = blanks &>> 8 & ~blanks & 0x0000_1000_0010
        if strange | notQuiteBlank | blankUnits | blankTensBehindHundreds != 0 { return (none, none) }
        return (sum(digits), sum(digits &>> 24))
    }

    @inline(__always)
    private static func sum(_ digits: UInt64) -> UInt32 {
        let digits = UInt32(truncatingIfNeeded: digits)
        return (digits & 0xF) &* 100 &+ ((digits &>> 8) & 0xF) &* 10 &+ (digits &>> 16) & 0xF
    }

    /// The number in the lowest three bytes of a word; what is none is too large for anything.
    @inline(__always)
    static func number(_ word: UInt64) -> UInt32 {
        let hundreds = UInt8(truncatingIfNeeded: word)
        let tens = UInt8(truncatingIfNeeded: word >> 8)
        let units = UInt8(truncatingIfNeeded: word >> 16) &- Ascii.zero
        guard units <= 9 else { return none }
        if tens == Ascii.blank { return hundreds == Ascii.blank ? UInt32(units) : none }
        guard Ascii.isDigit(tens) else { return none }
        let value = UInt32(tens &- Ascii.zero) &* 10 &+ UInt32(units)
        if hundreds == Ascii.blank { return value }
        return Ascii.isDigit(hundreds) ? value &+ UInt32(hundreds &- Ascii.zero) &* 100 : none
    }
}

extension ThreeColumns {
    /// A number that may be left out: blanks are 0.
    @inline(__always)
    static func count(_ word: UInt64) -> UInt32 {
        word & 0x00FF_FFFF == 0x0020_2020 ? 0 : number(word)
    }
}

/// Columns that hold nothing but blanks and zeros.
enum ZeroColumns {
    /// Both give the byte of a zero when the bit between them is set. At least eight columns must stand before `end`.
    @inline(__always)
    static func areZero(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while index &+ 8 <= end {
            if loadWord(bytes, at: index) | 0x1010_1010_1010_1010 != 0x3030_3030_3030_3030 { return false }
            index &+= 8
        }
        if index >= end { return true }
        // The last columns, with those before them shifted out.
        let behind = UInt64(truncatingIfNeeded: 8 &- (end &- index)) &* 8
        let last = (loadWord(bytes, at: end &- 8) | 0x1010_1010_1010_1010) >> behind
        return last == 0x3030_3030_3030_3030 >> behind
    }
}
