import ChemopenBytes
import ChemopenModel

/// Reads runs of atom and bond lines without keywords and with single blanks.
///
///     M  V30 12 C -1.2990 0.7500 0 0
///     M  V30 13 2 12 5
///
/// Between such runs, `PlainV3000Atom` and `PlainV3000Bond` read other plain lines, with the same results.
enum PlainV3000Block {
    /// Memory is reserved for this number of lines at once.
    private static var room: Int { 128 }
    private static var shortestAtomLine: Int { 19 }
    private static var shortestBondLine: Int { 15 }

    /// Adds atoms as long as their numbers are consecutive, and moves past their lines.
    static func addAtoms(_ lines: inout LineCursor, of bytes: Span<UInt8>, to atoms: inout [Atom]) {
        while let most = room(from: lines, shortestAtomLine, bytes) {
            var rest = bytes.extracting(lines.position..<lines.end)
            var number = SpelledNumber(atoms.count &+ 1)
            var taken = 0
            // Files usually have the same number of decimals in all lines, so after a line with another number, four
            // decimals are no longer tried.
            var hasFourDecimals = true
            let powerTable = Numeral.powers
            let symbolTable = ElementSymbol.all
            atoms.append(addingCapacity: most) { output in
                let powers = powerTable.span
                let symbols = symbolTable.span
                while taken < most, rest.count >= LinePiece.room {
                    let line = rest.extracting(first: LinePiece.room)
                    var faults = PlainV3000Line.faults(line, number)
                    var next = PlainV3000Line.prefix &+ number.length
                    let columns = UInt16(truncatingIfNeeded: LinePiece.word(line, at: next))
                    let symbol = symbols[ElementSymbol.place(of: columns)]
                    faults |= UInt64(symbol.columns ^ columns)
                    next &+= columns &>> 8 == UInt16(Ascii.blank) ? 2 : 3
                    faults |= UInt64(LinePiece.byte(line, at: next &- 1) ^ Ascii.blank)
                    if faults != 0 { break }
                    var position = Position()
                    if hasFourDecimals {
                        let start = next
                        position.x = PlainV3000Line.fourDecimals(line, &next, &faults)
                        position.y = PlainV3000Line.fourDecimals(line, &next, &faults)
                        if faults != 0 {
                            hasFourDecimals = false
                            next = start
                        }
                    }
                    if !hasFourDecimals {
                        guard let x = PlainV3000Line.coordinate(line, &next, powers),
                            let y = PlainV3000Line.coordinate(line, &next, powers)
                        else { break }
                        position.x = x
                        position.y = y
                    }
                    var map: UInt32 = 0
                    if !PlainV3000Line.endsInZeros(line, &next) {
                        guard let z = PlainV3000Line.coordinate(line, &next, powers),
                            let last = PlainV3000Line.last(line, &next)
                        else { break }
                        position.z = z
                        map = last
                    }
                    if next > LinePiece.longest { break }
                    var atom = Atom(symbol.element, at: position)
                    atom.mapNumber = Int32(truncatingIfNeeded: map)
                    output.append(atom)
                    taken &+= 1
                    rest = rest.extracting(droppingFirst: next)
                    number.count()
                }
            }
            if taken > 0 { lines.take(taken, upTo: lines.end &- rest.count &- 1) }
            if taken < most { return }
        }
    }

    /// Adds bonds as long as their numbers are consecutive, and moves past their lines.
    static func addBonds(
        _ lines: inout LineCursor, numbered count: inout Int, atoms: Int, of bytes: Span<UInt8>, to bonds: inout [Bond]
    ) {
        let limit = UInt32(clamping: min(atoms, Bond.atomLimit))
        let orders = BondCodes.orders
        while let most = room(from: lines, shortestBondLine, bytes) {
            var rest = bytes.extracting(lines.position..<lines.end)
            var number = SpelledNumber(count &+ 1)
            var taken = 0
            bonds.append(addingCapacity: most) { output in
                while taken < most, rest.count >= LinePiece.room {
                    let line = rest.extracting(first: LinePiece.room)
                    let faults = PlainV3000Line.faults(line, number)
                    var next = PlainV3000Line.prefix &+ number.length
                    // After the conversion, a digit is 0 to 9; a blank follows it.
                    let type = LinePiece.word(line, at: next) & 0xFFFF ^ 0x2030
                    let order = orders &>> (type &* 4) & 0xF
                    next &+= 2
                    guard faults == 0, type <= 9, order != BondCodes.none,
                        let from = PlainV3000Line.number(line, &next),
                        let to = PlainV3000Line.last(line, &next), next <= LinePiece.longest,
                        from &- 1 < limit, to &- 1 < limit
                    else { break }
                    output.append(Bond(from: from &- 1, to: to &- 1, orderNumber: order, markNumber: 0))
                    taken &+= 1
                    rest = rest.extracting(droppingFirst: next)
                    number.count()
                }
            }
            if taken > 0 { lines.take(taken, upTo: lines.end &- rest.count &- 1) }
            count &+= taken
            if taken < most { return }
        }
    }

    /// Returns the number of lines to reserve memory for; `nil` if not enough bytes remain.
    @inline(__always)
    private static func room(from lines: LineCursor, _ shortest: Int, _ bytes: Span<UInt8>) -> Int? {
        let left = lines.end &- lines.position
        guard left >= LinePiece.room, lines.end <= bytes.count else { return nil }
        return min(room, left / shortest)
    }
}

/// Reads the parts of a line with `LinePiece`.
private enum PlainV3000Line {
    /// The length of `M  V30 `.
    static var prefix: Int { 7 }

    /// Returns nonzero bits if the line does not begin with `M  V30 ` and the number.
    @inline(__always)
    static func faults(_ line: Span<UInt8>, _ number: SpelledNumber) -> UInt64 {
        (loadWord(line, at: 0) ^ 0x0020_3033_5620_204D) & 0x00FF_FFFF_FFFF_FFFF
            | number.faults(loadWord(line, at: prefix))
    }

    /// Reads a number with four decimals and a blank. If there is anything else, bits in `faults` are set.
    @inline(__always)
    static func fourDecimals(_ line: Span<UInt8>, _ at: inout Int, _ faults: inout UInt64) -> Double {
        let number = LinePiece.fourPlaces(line, &at, &faults)
        faults |= UInt64(LinePiece.byte(line, at: at) ^ Ascii.blank)
        at &+= 1
        return number
    }

    /// Reads a number and a blank.
    @inline(__always)
    static func coordinate(_ line: Span<UInt8>, _ at: inout Int, _ powers: Span<Double>) -> Double? {
        guard at < LinePiece.longest else { return nil }
        // `0.000000` is the z coordinate of all atoms in a 2D drawing.
        if loadWord(line, at: at) == 0x3030_3030_3030_2E30, line[at &+ 8] == Ascii.blank {
            at &+= 9
            return 0
        }
        guard let value = Numeral.usual(line, at: &at, powers), at < line.count, line[at] == Ascii.blank else {
            return nil
        }
        at &+= 1
        return value
    }

    /// Whether a z coordinate of 0, the map number 0 and a line end follow; if so, moves past them.
    @inline(__always)
    static func endsInZeros(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        let zeros: UInt64 = 0x0A30_2030
        if LinePiece.word(line, at: at) & 0xFFFF_FFFF != zeros { return false }
        at &+= 4
        return true
    }

    /// Reads a number and a blank.
    @inline(__always)
    static func number(_ line: Span<UInt8>, _ at: inout Int) -> UInt32? { number(line, &at, before: Ascii.blank) }

    /// Reads the last number and the line end.
    @inline(__always)
    static func last(_ line: Span<UInt8>, _ at: inout Int) -> UInt32? { number(line, &at, before: Ascii.lineFeed) }

    @inline(__always)
    private static func number(_ line: Span<UInt8>, _ at: inout Int, before end: UInt8) -> UInt32? {
        // One or two digits and the next byte, which are loaded together.
        let word = UInt32(truncatingIfNeeded: LinePiece.word(line, at: at)) ^ 0x3030
        let first = word & 0xFF
        let second = word &>> 8 & 0xFF
        if second == UInt32(end ^ Ascii.zero), first <= 9 {
            at &+= 2
            return first
        }
        if word &>> 16 & 0xFF == UInt32(end), max(first, second) <= 9 {
            at &+= 3
            return first &* 10 &+ second
        }
        guard at < LinePiece.longest else { return nil }
        let number = Numeral.whole(line, at: &at)
        guard number >= 0, at < line.count, line[at] == end else { return nil }
        at &+= 1
        return UInt32(truncatingIfNeeded: number)
    }
}

/// The text of a number of up to seven digits and a blank, which is compared with the file to avoid parsing.
private struct SpelledNumber {
    private var number: Int
    private var word: UInt64 = 0
    private var mask: UInt64 = 0
    /// The number of bytes, including the blank.
    private(set) var length = 1

    init(_ number: Int) {
        self.number = number
        spell()
    }

    /// Returns nonzero bits if the first of eight bytes differ.
    @inline(__always)
    func faults(_ bytes: UInt64) -> UInt64 { (bytes ^ word) & mask }

    /// Advances to the next number.
    @inline(__always)
    mutating func count() {
        number &+= 1
        let last = UInt64(truncatingIfNeeded: length &- 2) &* 8
        word &+= 1 &<< last
        if UInt8(truncatingIfNeeded: word &>> last) > Ascii.zero &+ 9 { spell() }
    }

    private mutating func spell() {
        word = UInt64(Ascii.blank)
        length = 1
        var rest = number
        repeat {
            word = word &<< 8 | UInt64(truncatingIfNeeded: rest % 10) &+ UInt64(Ascii.zero)
            rest /= 10
            length &+= 1
        } while rest > 0 && length < 8
        mask = ~0 &>> UInt64(truncatingIfNeeded: (8 &- length) &* 8)
        // A word that differs from any eight bytes of a file.
        if rest > 0 { word = 0 }
    }
}
