import ChemopenBytes

/// A V2000 molfile in whose lines there is nothing to stumble over: that it can be read is known without reading it.
enum PlainMolfile {
    /// Moves behind `M  END` and returns the title; `nil`, and nothing is moved, where only reading it can tell.
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

    /// Passes lines of three coordinates, a symbol that begins with a letter, and numbers without a sign.
    private static func passAtoms(_ count: Int, _ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Bool {
        guard count > 0 else { return true }
        let length = lines.peek(in: bytes)?.count ?? 0
        guard length >= PlainLine.shortestAtomLine else { return false }
        let leftColumns = TenColumns.leftColumns
        let left = leftColumns.span
        var start = lines.position
        for _ in 0..<count {
            guard start &+ length < lines.end, bytes[start &+ length] == Ascii.lineFeed else { return false }
            // Of a piece of known length it is known beforehand that the columns are there.
            let line = bytes.extracting(start..<start &+ PlainLine.shortestAtomLine)
            let codes = start &+ AtomLine.codes.lowerBound..<start &+ length
            guard isUsual(line, codes, left, bytes) || isPlain(line, codes, bytes) else { return false }
            start &+= length &+ 1
        }
        lines.take(count, upTo: start &- 1)
        return true
    }

    /// Whether an atom line is as nearly all are: what its numbers are is not worked out.
    @inline(__always)
    private static func isUsual(
        _ line: Span<UInt8>, _ codes: Range<Int>, _ left: Span<Int32>, _ bytes: Span<UInt8>
    ) -> Bool {
        var faults = ZeroColumns.faults(bytes, from: codes.lowerBound, to: codes.upperBound)
        _ = TenColumns.tenThousandths(line, at: AtomLine.x.lowerBound, left, &faults)
        _ = TenColumns.tenThousandths(line, at: AtomLine.y.lowerBound, left, &faults)
        if !TenColumns.areZero(line, at: AtomLine.z.lowerBound) {
            _ = TenColumns.tenThousandths(line, at: AtomLine.z.lowerBound, left, &faults)
        }
        return faults == 0 && isSymbol(loadWord(line, at: AtomLine.blank.lowerBound))
    }

    private static func isPlain(_ line: Span<UInt8>, _ codes: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let (x, y, z) = (AtomLine.x.lowerBound, AtomLine.y.lowerBound, AtomLine.z.lowerBound)
        return TenColumns.tenThousandths(line, at: x) != TenColumns.none
            && TenColumns.tenThousandths(line, at: y) != TenColumns.none
            && (TenColumns.areZero(line, at: z) || TenColumns.tenThousandths(line, at: z) != TenColumns.none)
            && isSymbol(loadWord(line, at: AtomLine.blank.lowerBound))
            && (ZeroColumns.areZero(bytes, from: codes.lowerBound, to: codes.upperBound)
                || areDigits(bytes, from: codes.lowerBound, to: codes.upperBound) && isCharge(line))
    }

    /// The only code that has to be a number.
    @inline(__always)
    private static func isCharge(_ line: Span<UInt8>) -> Bool {
        let columns = loadWord(line, at: AtomColumn.charge.range.upperBound &- 8) &>> 40
        return ThreeColumns.number(columns) != ThreeColumns.none
    }

    /// A blank, a symbol that begins with a letter, two columns that are looked at elsewhere, and two blanks.
    @inline(__always)
    private static func isSymbol(_ word: UInt64) -> Bool {
        let second = UInt8(truncatingIfNeeded: word >> 16)
        let third = UInt8(truncatingIfNeeded: word >> 24)
        return word & 0xFFFF_0000_0000_00FF == 0x2020_0000_0000_0020
            && Ascii.isLetter(UInt8(truncatingIfNeeded: word >> 8))
            && min(second, third) >= Ascii.blank
    }

    /// Passes lines of numbers, of which the first three are in their columns.
    private static func passBonds(_ count: Int, _ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Bool {
        guard count > 0 else { return true }
        let length = lines.peek(in: bytes)?.count ?? 0
        guard length >= PlainLine.shortestBondLine else { return false }
        var start = lines.position
        for _ in 0..<count {
            guard start &+ length < lines.end, bytes[start &+ length] == Ascii.lineFeed else { return false }
            let line = bytes.extracting(start..<start &+ PlainLine.shortestBondLine)
            var faults: UInt64 = 0
            _ = ThreeColumns.twoNumbers(loadWord(line, at: BondColumn.first.range.lowerBound), &faults)
            _ = ThreeColumns.twoNumbers(loadWord(line, at: BondColumn.mark.range.upperBound &- 8) &>> 16, &faults)
            let rest = start &+ PlainLine.shortestBondLine
            guard faults == 0,
                ZeroColumns.areZero(bytes, from: rest, to: start &+ length)
                    || areDigits(bytes, from: rest, to: start &+ length)
            else { return false }
            start &+= length &+ 1
        }
        lines.take(count, upTo: start &- 1)
        return true
    }

    /// Passes property lines up to `M  END`.
    private static func passProperties(_ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Bool {
        while let line = lines.next(in: bytes) {
            guard line.count >= 6, bytes.range(line, begins: "M  ") else { return false }
            let key = bytes[line.lowerBound &+ 3]
            guard key &- 0x41 < 26, key != 0x56 else { return false }
            if bytes.range(line, begins: "M  END") { return line.count == 6 }
        }
        return false
    }

    /// Columns that hold nothing but blanks and digits. At least eight columns must stand before `end`.
    @inline(__always)
    private static func areDigits(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while index &+ 8 <= end {
            if !areDigits(loadWord(bytes, at: index)) { return false }
            index &+= 8
        }
        if index >= end { return true }
        let behind = UInt64(truncatingIfNeeded: 8 &- (end &- index)) &* 8
        // The columns before are shifted out, and blanks are shifted in.
        return areDigits(loadWord(bytes, at: end &- 8) >> behind | ~(~0 >> behind) & 0x2020_2020_2020_2020)
    }

    @inline(__always)
    private static func areDigits(_ word: UInt64) -> Bool {
        // A blank becomes 0, a digit 10 to 19, in hexadecimal.
        let columns = word ^ 0x2020_2020_2020_2020
        let units = columns & 0x0F0F_0F0F_0F0F_0F0F
        let isTooLarge = (units &+ 0x0606_0606_0606_0606) & 0x1010_1010_1010_1010
        let isNotZero = (units &+ 0x0F0F_0F0F_0F0F_0F0F) & 0x1010_1010_1010_1010
        return columns & 0xE0E0_E0E0_E0E0_E0E0 | isTooLarge | isNotZero & ~columns == 0
    }
}
