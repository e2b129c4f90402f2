// Fast parsers for numbers in fixed columns, which read eight bytes at a time. `Numeral` parses all other numbers.

/// Ten columns in the form `xxxxx.xxxx`.
@usableFromInline
package enum TenColumns {
    /// The result if the columns do not contain a number in this form.
    @inlinable package static var none: Int { .min }

    /// Whether the columns contain `    0.0000`, as the z coordinates of a drawing do.
    @inlinable @inline(__always)
    package static func areZero(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        // The two loads overlap.
        loadWord(bytes, at: start) == 0x3030_2E30_2020_2020 && loadWord(bytes, at: start &+ 2) == 0x3030_3030_2E30_2020
    }

    /// Returns the number in ten-thousandths. It is an integer below 2^53, so dividing it rounds correctly.
    @inlinable @inline(__always)
    package static func tenThousandths(_ bytes: Span<UInt8>, at start: Int) -> Int {
        // The decimal point and the digits on both sides of it.
        let digits = loadWord(bytes, at: start &+ 2) ^ 0x3030_3030_2E30_3030
        let units = (digits >> 16) & 0xFF
        guard digits & 0xFF00_0000 == 0, units <= 9, let decimals = fourDigits(digits >> 32) else { return none }
        let value = Int(truncatingIfNeeded: decimals &+ units &* 10_000)
        return withLeft(UInt32(truncatingIfNeeded: loadWord(bytes, at: start)), value)
    }

    /// Returns a number from -99.9999 to 999.9999 in ten-thousandths, right-aligned, with at most one minus sign.
    ///
    /// The function does not branch. If the columns contain anything else, it sets bits in `faults` and the result is
    /// meaningless.
    ///
    /// - Parameter left: `leftColumns`, loaded once before a loop.
    @inlinable @inline(__always)
    package static func tenThousandths(
        _ bytes: Span<UInt8>, at start: Int, _ left: Span<Int32>, _ faults: inout UInt64
    ) -> Int32 {
        // Hundreds, tens, units, the decimal point and four decimals. In this code, digits are 0 to 9.
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

    /// The values of the columns for hundreds and tens, in ten-thousandths and doubled, with the minus sign in the
    /// lowest bit. Invalid columns have a negative entry. An index consists of the lowest five bits of both columns,
    /// each XORed with `0`.
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

    /// Adds the columns to the left of the units: blanks, then at most one minus sign, then digits.
    ///
    /// Signs and tens vary from line to line, and processors cannot predict such branches. The function does not branch
    /// for up to one of each.
    @inlinable @inline(__always)
    static func withLeft(_ left: UInt32, _ value: Int) -> Int {
        // In this code, a blank is 0, a minus sign 0x0D, and a digit 0x10 to 0x19.
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

    /// Returns the number that four digits form. Each digit is a byte from 0 to 9, the first one lowest.
    @inlinable @inline(__always)
    static func fourDigits(_ digits: UInt64) -> UInt64? {
        if (digits &+ 0x7676_7676) & 0x8080_8080 | digits & 0xF0F0_F0F0 != 0 { return nil }
        let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF
        return (pairs &* 100 &+ (pairs >> 16)) & 0xFFFF
    }
}

/// A number with four decimals and without blanks, as programs write it in SketchEl files.
@usableFromInline
package enum FourPlaces {
    /// Reads a number with one to three digits before its point, and moves `at` after it. For numbers with more digits
    /// or without a point, uses `Numeral`.
    ///
    /// Only four decimals are read, regardless of the text after them.
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

    /// Returns the number at the start of eight bytes, with one to three digits before its point, in ten-thousandths.
    /// Moves `at` after it. If the bytes contain anything else, sets bits in `faults`, and the number and `at` are
    /// meaningless.
    @inlinable @inline(__always)
    package static func tenThousandths(_ word: UInt64, _ at: inout Int, _ faults: inout UInt64) -> Int32 {
        // Without a point among the first four bytes, the length is 32.
        let length = UInt64(truncatingIfNeeded: (point(in: word) | 0x80 &<< 32).trailingZeroBitCount &- 7)
        // Four digits before the point, padded with zeros, and four after it, each as its value.
        let values = word ^ 0x3030_3030_3030_3030
        let digits = (values &<< (32 &- length)) & 0xFFFF_FFFF | (values &>> (length &+ 8)) &<< 32
        faults |= ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
        faults |= length & 0x20
        at &+= Int(truncatingIfNeeded: length >> 3) &+ 5
        let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
        return Int32(truncatingIfNeeded: fours &* 10_000 &+ fours &>> 32)
    }

    /// Sets the highest bit of the point's byte if the point is the second, third or fourth byte.
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

/// Three columns with a right-aligned number.
@usableFromInline
package enum ThreeColumns {
    /// The result for invalid columns, larger than any number.
    @inlinable package static var none: UInt32 { 1 << 20 }

    /// Returns the numbers in the lowest three bytes and in the next three. The function does not branch, because the
    /// atom numbers of bonds vary between one and two digits. If either is invalid, both are `none`.
    @inlinable @inline(__always)
    package static func twoNumbers(_ word: UInt64) -> (UInt32, UInt32) {
        var faults: UInt64 = 0
        let numbers = twoNumbers(word, &faults)
        return faults == 0 ? numbers : (none, none)
    }

    /// Returns the same two numbers, and sets bits in `faults` if either is invalid.
    @inlinable @inline(__always)
    package static func twoNumbers(_ word: UInt64, _ faults: inout UInt64) -> (UInt32, UInt32) {
        // In this code, digits are 0 to 9, and a blank is 0x10.
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

    /// Returns the same two numbers if they need not be right-aligned in their columns.
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

    /// Returns the number in the lowest three bytes.
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

/// Columns that contain only blanks and zeros.
@usableFromInline
package enum ZeroColumns {
    /// Whether the columns contain only blanks and zeros. At least eight columns must precede `end`.
    @inlinable @inline(__always)
    package static func areZero(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        faults(bytes, from: start, to: end) == 0
    }

    /// Returns bits that are set if a column contains anything except a blank or a zero. At least eight columns must
    /// precede `end`.
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
        // Checks the remaining columns, in a word from which the columns that were already checked are shifted out.
        let behind = UInt64(truncatingIfNeeded: 8 &- (end &- index)) &* 8
        return faults | Self.faults(loadWord(bytes, at: end &- 8)) &>> behind
    }

    /// Returns 0 if all bytes are blanks or zeros, which differ only in the bit that is set here.
    @inlinable @inline(__always)
    static func faults(_ word: UInt64) -> UInt64 {
        (word | 0x1010_1010_1010_1010) ^ 0x3030_3030_3030_3030
    }

    @inlinable @inline(__always)
    static func faults(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        (words | SIMD2(repeating: 0x1010_1010_1010_1010)) ^ SIMD2(repeating: 0x3030_3030_3030_3030)
    }
}
