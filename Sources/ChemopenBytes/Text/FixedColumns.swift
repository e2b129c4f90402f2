// Numbers in fixed columns, read by words of the machine: the one special beside `Numeral`.

/// Ten columns `xxxxx.xxxx`.
@usableFromInline
package enum TenColumns {
    /// No number of this shape.
    @inlinable package static var none: Int { .min }

    /// Whether they are `    0.0000`, as the heights of a drawing are.
    @inlinable @inline(__always)
    package static func areZero(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        // The two words overlap.
        loadWord(bytes, at: start) == 0x3030_2E30_2020_2020 && loadWord(bytes, at: start &+ 2) == 0x3030_3030_2E30_2020
    }

    /// The number in ten-thousandths: whole and below 2^53, so that dividing it rounds as it should.
    @inlinable @inline(__always)
    package static func tenThousandths(_ bytes: Span<UInt8>, at start: Int) -> Int {
        // The point, and the digits on both sides of it.
        let digits = loadWord(bytes, at: start &+ 2) ^ 0x3030_3030_2E30_3030
        let units = (digits >> 16) & 0xFF
        guard digits & 0xFF00_0000 == 0, units <= 9, let decimals = fourDigits(digits >> 32) else { return none }
        let value = Int(truncatingIfNeeded: decimals &+ units &* 10_000)
        return withLeft(UInt32(truncatingIfNeeded: loadWord(bytes, at: start)), value)
    }

    /// The number in ten-thousandths from -99.9999 to 999.9999, its digits right-aligned behind one sign at most.
    ///
    /// Nothing branches: of columns that hold anything else, bits are set in `faults`, and the number is none.
    ///
    /// - Parameter left: `leftColumns`, for which a loop asks once.
    @inlinable @inline(__always)
    package static func tenThousandths(
        _ bytes: Span<UInt8>, at start: Int, _ left: Span<Int32>, _ faults: inout UInt64
    ) -> Int32 {
        // Hundreds, tens, units, the point and four decimals; a digit is 0 to 9 here.
        let columns = loadWord(bytes, at: start &+ 2) ^ 0x3030_3030_2E30_3030
        faults |= (columns | (columns &+ 0x0606_0606_0006_0000)) & 0xF0F0_F0F0_FFF0_E0E0
        faults |= (loadWord(bytes, at: start) ^ 0x2020) & 0xFFFF
        let entry = left[Int(truncatingIfNeeded: columns & 0x1F | columns &>> 3 & 0x3E0)]
        faults |= UInt64(truncatingIfNeeded: UInt32(bitPattern: entry) &>> 31)
        let decimals = UInt32(truncatingIfNeeded: columns &>> 32)
        let pairs = (decimals &* 10 &+ decimals &>> 8) & 0x00FF_00FF
        let fraction = (pairs &* 100 &+ pairs &>> 16) & 0xFFFF
        let units = UInt32(truncatingIfNeeded: columns &>> 16) & 0xF
        let value = Int32(truncatingIfNeeded: fraction &+ units &* 10_000) &+ entry &>> 1
        let sign = 0 &- entry & 1
        return (value ^ sign) &- sign
    }

    /// The ten-thousandths that the columns of hundreds and tens stand for, doubled, and in the lowest bit whether there
    /// is a minus; below zero where they are no such columns. A place is made of the lowest five bits of both columns,
    /// less those of a zero.
    package static let leftColumns: [Int32] = {
        let blank = 0x10
        let minus = 0x1D
        var entries = [Int32](repeating: .min, count: 1024)
        func set(_ hundreds: Int, _ tens: Int, _ value: Int, isNegative: Bool = false) {
            entries[hundreds | tens &<< 5] = Int32(value * 100_000) &<< 1 | (isNegative ? 1 : 0)
        }
        set(blank, blank, 0)
        set(blank, minus, 0, isNegative: true)
        for tens in 0..<10 {
            set(blank, tens, tens)
            set(minus, tens, tens, isNegative: true)
            for hundreds in 0..<10 { set(hundreds, tens, hundreds * 10 + tens) }
        }
        return entries
    }()

    /// Adds the columns left of the units: blanks, then at most one sign, then digits.
    ///
    /// Signs and tens come and go from line to line, which no processor foresees: up to one of each takes no branch.
    @inlinable @inline(__always)
    static func withLeft(_ left: UInt32, _ value: Int) -> Int {
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

    @usableFromInline @inline(never)
    static func withManyLeft(_ left: UInt32, _ value: Int) -> Int {
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

    /// The number that four digits make, each given by its value, the first lowest.
    @inlinable @inline(__always)
    static func fourDigits(_ digits: UInt64) -> UInt64? {
        if (digits &+ 0x7676_7676) & 0x8080_8080 | digits & 0xF0F0_F0F0 != 0 { return nil }
        let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF
        return (pairs &* 100 &+ (pairs >> 16)) & 0xFFFF
    }
}

/// A number with four decimals and no blanks, as writers of SketchEl's text print it.
@usableFromInline
package enum FourPlaces {
    /// Passes a number with one to three digits before its point, or as `Numeral` does where it has more or no point.
    ///
    /// Only four decimals are passed, whatever follows.
    @inlinable @inline(__always)
    package static func decimal(_ bytes: Span<UInt8>, at: inout Int) -> Double? {
        let isNegative = bytes[at] == Ascii.minus
        let start = isNegative ? at &+ 1 : at
        let word = loadWord(bytes, at: start)
        if point(in: word) == 0 { return anyDecimal(bytes, &at) }
        var faults: UInt64 = 0
        var next = start
        let number = tenThousandths(word, &next, &faults)
        if faults != 0 { return nil }
        at = next
        return Numeral.signed(Double(number) / 10_000, isNegative)
    }

    /// The number in ten-thousandths that eight bytes begin with, which have one to three digits before its point; `at` is
    /// moved behind it. Of bytes that hold anything else, bits are set in `faults`, and number and place mean nothing.
    @inlinable @inline(__always)
    package static func tenThousandths(_ word: UInt64, _ at: inout Int, _ faults: inout UInt64) -> Int32 {
        // Without a point among the first four bytes the length comes to 32.
        let length = UInt64(truncatingIfNeeded: (point(in: word) | 0x80 &<< 32).trailingZeroBitCount &- 7)
        // Four digits before the point, zeros first, and four behind it, each by its value.
        let values = word ^ 0x3030_3030_3030_3030
        let digits = (values &<< (32 &- length)) & 0xFFFF_FFFF | (values &>> (length &+ 8)) &<< 32
        faults |= ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
        faults |= length & 0x20
        at &+= Int(truncatingIfNeeded: length >> 3) &+ 5
        let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
        return Int32(truncatingIfNeeded: fours &* 10_000 &+ fours &>> 32)
    }

    /// The highest bit of the byte that the point is, if that is the second, third or fourth.
    @inlinable @inline(__always)
    static func point(in word: UInt64) -> UInt64 {
        let columns = word ^ 0x2E2E_2E2E
        return (columns &- 0x0101_0100) & ~columns & 0x8080_8000
    }

    @usableFromInline @inline(never)
    static func anyDecimal(_ bytes: Span<UInt8>, _ at: inout Int) -> Double? {
        Numeral.decimal(bytes, at: &at)
    }
}

/// Three columns with a number, right-aligned.
@usableFromInline
package enum ThreeColumns {
    /// No number: too large for anything.
    @inlinable package static var none: UInt32 { 1 << 20 }

    /// The numbers in the lowest three bytes of a word and in the next three, without a branch, as the atoms of bonds
    /// have one digit now and two then. Where one is none, both are.
    @inlinable @inline(__always)
    package static func twoNumbers(_ word: UInt64) -> (UInt32, UInt32) {
        var faults: UInt64 = 0
        let numbers = twoNumbers(word, &faults)
        return faults == 0 ? numbers : (none, none)
    }

    /// The same, and bits set in `faults` where one is none.
    @inlinable @inline(__always)
    package static func twoNumbers(_ word: UInt64, _ faults: inout UInt64) -> (UInt32, UInt32) {
        // A digit is 0 to 9 here, a blank 0x10.
        let columns = (word ^ 0x3030_3030_3030) & 0xFFFF_FFFF_FFFF
        let digits = columns & 0x0F0F_0F0F_0F0F
        let blanks = columns & 0x1010_1010_1010
        let strange = columns & 0xE0E0_E0E0_E0E0 | (digits &+ 0x0606_0606_0606) & 0x1010_1010_1010
        let notQuiteBlank = (blanks &- blanks &>> 4) & digits
        let blankUnits = blanks & 0x1000_0010_0000
        let blankTensBehindHundreds = blanks &>> 8 & ~blanks & 0x0000_1000_0010
        faults |= strange | notQuiteBlank | blankUnits | blankTensBehindHundreds
        return (sum(digits), sum(digits &>> 24))
    }

    /// The same where a number may stand anywhere in its columns.
    @inlinable @inline(__always)
    package static func twoNumbersAnywhere(_ word: UInt64) -> (UInt32, UInt32) {
        twoNumbers(toTheRight(word & 0xFF_FFFF) | toTheRight(word &>> 24 & 0xFF_FFFF) &<< 24)
    }

    @inlinable @inline(__always)
    static func toTheRight(_ columns: UInt64) -> UInt64 {
        let blank: UInt64 = 0x20
        if columns &>> 16 != blank { return columns }
        let moved = columns &<< 8 & 0xFF_FFFF | blank
        return moved &>> 16 != blank ? moved : moved &<< 8 & 0xFF_FFFF | blank
    }

    /// The number in the lowest three bytes of a word.
    @inlinable @inline(__always)
    package static func number(_ word: UInt64) -> UInt32 {
        twoNumbers(word & 0xFF_FFFF | 0x3020_2000_0000).0
    }

    @inlinable @inline(__always)
    static func sum(_ digits: UInt64) -> UInt32 {
        let digits = UInt32(truncatingIfNeeded: digits)
        return (digits & 0xF) &* 100 &+ ((digits &>> 8) & 0xF) &* 10 &+ (digits &>> 16) & 0xF
    }
}

/// Columns that hold nothing but blanks and zeros.
@usableFromInline
package enum ZeroColumns {
    /// At least eight columns must stand before `end`.
    @inlinable @inline(__always)
    package static func areZero(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        faults(bytes, from: start, to: end) == 0
    }

    /// Bits where a column holds anything else; none in columns of blanks and zeros. At least eight columns must stand
    /// before `end`.
    @inlinable @inline(__always)
    package static func faults(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
        var index = start
        var pairs = SIMD2<UInt64>()
        while index &+ 16 <= end {
            pairs |= faults(loadWords(bytes, at: index))
            index &+= 16
        }
        var faults = pairs[0] | pairs[1]
        while index &+ 8 <= end {
            faults |= Self.faults(loadWord(bytes, at: index))
            index &+= 8
        }
        if index >= end { return faults }
        // The last columns, with those before them shifted out.
        let behind = UInt64(truncatingIfNeeded: 8 &- (end &- index)) &* 8
        return faults | Self.faults(loadWord(bytes, at: end &- 8)) &>> behind
    }

    /// A blank and a zero both give a zero when the bit between them is set.
    @inlinable @inline(__always)
    static func faults(_ word: UInt64) -> UInt64 {
        (word | 0x1010_1010_1010_1010) ^ 0x3030_3030_3030_3030
    }

    @inlinable @inline(__always)
    static func faults(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        (words | SIMD2(repeating: 0x1010_1010_1010_1010)) ^ SIMD2(repeating: 0x3030_3030_3030_3030)
    }
}
