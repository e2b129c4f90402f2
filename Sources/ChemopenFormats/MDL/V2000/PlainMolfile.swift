import ChemopenBytes

/// Skips V2000 molfiles that consist only of regular lines and are certainly readable.
enum PlainMolfile {
    /// Moves past `M  END` and returns the title; `nil`, without moving, if only the full reader can decide.
    static func pass(_ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Range<Int>? {
        if lines.hasCarriageReturns || lines.end > bytes.count { return nil }
        var ahead = lines
        guard let title = ahead.next(in: bytes), ahead.next(in: bytes) != nil, ahead.next(in: bytes) != nil,
            let line = ahead.next(in: bytes), let counts = CountsLine(line, of: bytes),
            counts.isInPlace, !counts.isV3000, !counts.isDoubtful, !counts.isOdd, counts.lists == 0,
            counts.textEntries == 0,
            passAtoms(counts.atoms, &ahead, bytes), passBonds(counts.bonds, &ahead, bytes),
            passProperties(&ahead, bytes)
        else { return nil }
        lines = ahead
        return title
    }

    /// Skips lines of three coordinates, a symbol that starts with a letter, and unsigned numbers.
    private static func passAtoms(_ count: Int, _ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Bool {
        guard count > 0 else { return true }
        let length = lines.peek(in: bytes)?.count ?? 0
        guard length >= PlainLine.shortestAtomLine else { return false }
        let leftColumns = TenColumns.leftColumns
        let rest = bytes.extracting(lines.position..<lines.end)
        // If the compiler knows the length, it unrolls the loop over the columns and omits bounds checks.
        guard
            length == PlainLine.usualAtomLine
                ? areAtoms(count, length: PlainLine.usualAtomLine, rest, leftColumns.span)
                : areAtoms(count, length: length, rest, leftColumns.span)
        else { return false }
        lines.take(count, upTo: lines.position &+ count &* (length &+ 1) &- 1)
        return true
    }

    @inline(__always)
    private static func areAtoms(_ count: Int, length: Int, _ bytes: Span<UInt8>, _ left: Span<Int32>) -> Bool {
        var rest = bytes
        for _ in 0..<count {
            guard rest.count > length else { return false }
            let line = rest.extracting(first: length &+ 1)
            guard line[length] == Ascii.lineFeed, isUsual(line, length, left) || isPlain(line, length) else {
                return false
            }
            rest = rest.extracting(droppingFirst: length &+ 1)
        }
        return true
    }

    /// Whether an atom line has the most frequent layout. Its numbers are checked but not used.
    @inline(__always)
    private static func isUsual(_ line: Span<UInt8>, _ length: Int, _ left: Span<Int32>) -> Bool {
        var faults = ZeroColumns.faults(line, from: AtomLine.codes.lowerBound, to: length)
        _ = TenColumns.tenThousandths(line, at: AtomLine.x.lowerBound, left, &faults)
        _ = TenColumns.tenThousandths(line, at: AtomLine.y.lowerBound, left, &faults)
        if !TenColumns.areZero(line, at: AtomLine.z.lowerBound) {
            _ = TenColumns.tenThousandths(line, at: AtomLine.z.lowerBound, left, &faults)
        }
        return faults == 0 && isSymbol(loadWord(line, at: AtomLine.blank.lowerBound))
    }

    @inline(never)
    private static func isPlain(_ line: Span<UInt8>, _ length: Int) -> Bool {
        let codes = AtomLine.codes.lowerBound
        let (x, y, z) = (AtomLine.x.lowerBound, AtomLine.y.lowerBound, AtomLine.z.lowerBound)
        return TenColumns.tenThousandths(line, at: x) != TenColumns.none
            && TenColumns.tenThousandths(line, at: y) != TenColumns.none
            && (TenColumns.areZero(line, at: z) || TenColumns.tenThousandths(line, at: z) != TenColumns.none)
            && isSymbol(loadWord(line, at: AtomLine.blank.lowerBound))
            && (ZeroColumns.areZero(line, from: codes, to: length)
                || areDigits(line, from: codes, to: length) && isCharge(line))
    }

    /// Whether the charge code is a number. All other codes can be any text.
    @inline(__always)
    private static func isCharge(_ line: Span<UInt8>) -> Bool {
        let columns = loadWord(line, at: AtomColumn.charge.range.upperBound &- 8) &>> 40
        return ThreeColumns.number(columns) != ThreeColumns.none
    }

    /// Whether the bytes are a blank, a symbol that starts with a letter, two columns checked elsewhere, and two
    /// blanks.
    @inline(__always)
    private static func isSymbol(_ word: UInt64) -> Bool {
        let second = UInt8(truncatingIfNeeded: word >> 16)
        let third = UInt8(truncatingIfNeeded: word >> 24)
        return word & 0xFFFF_0000_0000_00FF == 0x2020_0000_0000_0020
            && Ascii.isLetter(UInt8(truncatingIfNeeded: word >> 8))
            && min(second, third) >= Ascii.blank
    }

    /// Skips lines of numbers, with the first three in their columns.
    private static func passBonds(_ count: Int, _ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Bool {
        guard count > 0 else { return true }
        let length = lines.peek(in: bytes)?.count ?? 0
        guard length >= PlainLine.shortestBondLine else { return false }
        let rest = bytes.extracting(lines.position..<lines.end)
        guard
            length == PlainLine.usualBondLine
                ? areBonds(count, length: PlainLine.usualBondLine, rest) : areBonds(count, length: length, rest)
        else { return false }
        lines.take(count, upTo: lines.position &+ count &* (length &+ 1) &- 1)
        return true
    }

    @inline(__always)
    private static func areBonds(_ count: Int, length: Int, _ bytes: Span<UInt8>) -> Bool {
        var rest = bytes
        for _ in 0..<count {
            guard rest.count > length else { return false }
            let line = rest.extracting(first: length &+ 1)
            var faults: UInt64 = 0
            _ = ThreeColumns.twoNumbers(loadWord(line, at: BondColumn.first.range.lowerBound), &faults)
            _ = ThreeColumns.twoNumbers(loadWord(line, at: BondColumn.mark.range.upperBound &- 8) &>> 16, &faults)
            let codes = PlainLine.shortestBondLine
            guard faults == 0, line[length] == Ascii.lineFeed,
                ZeroColumns.areZero(line, from: codes, to: length) || areDigits(line, from: codes, to: length)
            else { return false }
            rest = rest.extracting(droppingFirst: length &+ 1)
        }
        return true
    }

    /// Skips property lines up to `M  END`.
    private static func passProperties(_ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Bool {
        while let line = lines.next(in: bytes) {
            guard line.count >= 6, bytes.range(line, begins: "M  ") else { return false }
            let key = bytes[line.lowerBound &+ 3]
            guard key &- 0x41 < 26, key != 0x56 else { return false }
            if bytes.range(line, begins: "M  END") { return line.count == 6 }
        }
        return false
    }

    /// Whether columns contain only blanks and digits. At least eight bytes must precede `end`.
    @inline(__always)
    private static func areDigits(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while index &+ 8 <= end {
            if !areDigits(loadWord(bytes, at: index)) { return false }
            index &+= 8
        }
        if index >= end { return true }
        let behind = UInt64(truncatingIfNeeded: 8 &- (end &- index)) &* 8
        // Shifts out the columns before them, and shifts in blanks.
        return areDigits(loadWord(bytes, at: end &- 8) >> behind | ~(~0 >> behind) & 0x2020_2020_2020_2020)
    }

    @inline(__always)
    private static func areDigits(_ word: UInt64) -> Bool {
        // After the conversion, a blank is 0, and digits are 10 to 19.
        let columns = word ^ 0x2020_2020_2020_2020
        let units = columns & 0x0F0F_0F0F_0F0F_0F0F
        let isTooLarge = (units &+ 0x0606_0606_0606_0606) & 0x1010_1010_1010_1010
        let isNotZero = (units &+ 0x0F0F_0F0F_0F0F_0F0F) & 0x1010_1010_1010_1010
        return columns & 0xE0E0_E0E0_E0E0_E0E0 | isTooLarge | isNotZero & ~columns == 0
    }
}
