import ChemopenBytes
import ChemopenModel

/// Atom and bond lines without keywords and with single blanks, a run of them at a time.
///
///     M  V30 12 C -1.2990 0.7500 0 0
///     M  V30 13 2 12 5
///
/// `PlainV3000Atom` and `PlainV3000Bond` take what stands between such runs, as long as it is plain, and read the same.
enum PlainV3000Block {
    /// So much room is made for lines at once.
    private static var room: Int { 128 }
    /// No line is longer, and eight bytes can be loaded from each of its places.
    private static var longestAtomLine: Int { 96 }
    private static var shortestAtomLine: Int { 19 }
    private static var longestBondLine: Int { 48 }
    private static var shortestBondLine: Int { 15 }

    /// Adds atoms whose numbers go on in order, and takes their lines.
    static func addAtoms(_ lines: inout LineCursor, of bytes: Span<UInt8>, to atoms: inout [Atom]) {
        while let most = room(from: lines, shortestAtomLine, longestAtomLine, bytes) {
            var at = lines.position
            let end = lines.end &- longestAtomLine
            var number = SpelledNumber(atoms.count &+ 1)
            var taken = 0
            let powerTable = Numeral.powers
            let elementTable = ElementSymbols.elements
            let symbolTable = ElementSymbols.symbols
            atoms.append(addingCapacity: most) { output in
                let powers = powerTable.span
                let elements = elementTable.span
                let symbols = symbolTable.span
                while taken < most, at <= end {
                    var next = at &+ Prefix.length
                    var faults = Prefix.faults(loadWord(bytes, at: at))
                    faults |= number.faults(loadWord(bytes, at: next))
                    next &+= number.length
                    let symbol = UInt16(truncatingIfNeeded: loadWord(bytes, at: next))
                    let element = elements[ElementSymbols.place(of: symbol)]
                    faults |= UInt64(symbols[Int(element.rawValue)] ^ symbol)
                    next &+= symbol &>> 8 == UInt16(Ascii.blank) ? 2 : 3
                    faults |= UInt64(bytes[next &- 1] ^ Ascii.blank)
                    guard faults == 0,
                        let x = coordinate(bytes, &next, powers), let y = coordinate(bytes, &next, powers),
                        let z = coordinate(bytes, &next, powers)
                    else { break }
                    let map = Numeral.whole(bytes, at: &next)
                    guard map >= 0, bytes[next] == Ascii.lineFeed else { break }
                    var atom = Atom(element, at: Position(x, y, z))
                    atom.mapNumber = Int32(truncatingIfNeeded: map)
                    output.append(atom)
                    taken &+= 1
                    at = next &+ 1
                    number.count()
                }
            }
            if taken > 0 { lines.take(taken, upTo: at &- 1) }
            if taken < most { return }
        }
    }

    /// A number and the blank behind it.
    @inline(__always)
    private static func coordinate(_ bytes: Span<UInt8>, _ at: inout Int, _ powers: Span<Double>) -> Double? {
        let zero: UInt64 = 0x2030
        if loadWord(bytes, at: at) & 0xFFFF == zero {
            at &+= 2
            return 0
        }
        guard let value = Numeral.usual(bytes, at: &at, powers), bytes[at] == Ascii.blank else { return nil }
        at &+= 1
        return value
    }

    /// Adds bonds between so many atoms whose numbers go on in order, and takes their lines.
    static func addBonds(
        _ lines: inout LineCursor, numbered count: inout Int, atoms: Int, of bytes: Span<UInt8>, to bonds: inout [Bond]
    ) {
        let limit = UInt32(clamping: min(atoms, Bond.atomLimit))
        let orders = BondCodes.orders
        while let most = room(from: lines, shortestBondLine, longestBondLine, bytes) {
            var at = lines.position
            let end = lines.end &- longestBondLine
            var number = SpelledNumber(count &+ 1)
            var taken = 0
            bonds.append(addingCapacity: most) { output in
                while taken < most, at <= end {
                    var next = at &+ Prefix.length
                    var faults = Prefix.faults(loadWord(bytes, at: at))
                    faults |= number.faults(loadWord(bytes, at: next))
                    next &+= number.length
                    // A digit, which is 0 to 9 here, and a blank.
                    let type = loadWord(bytes, at: next) & 0xFFFF ^ 0x2030
                    guard faults == 0, type <= 9 else { break }
                    let order = orders &>> (type &* 4) & 0xF
                    next &+= 2
                    let from = UInt32(truncatingIfNeeded: Numeral.whole(bytes, at: &next))
                    guard bytes[next] == Ascii.blank else { break }
                    next &+= 1
                    let to = UInt32(truncatingIfNeeded: Numeral.whole(bytes, at: &next))
                    guard bytes[next] == Ascii.lineFeed, from &- 1 < limit, to &- 1 < limit, order != BondCodes.none
                    else { break }
                    output.append(Bond(from: from &- 1, to: to &- 1, orderNumber: order, markNumber: 0))
                    taken &+= 1
                    at = next &+ 1
                    number.count()
                }
            }
            if taken > 0 { lines.take(taken, upTo: at &- 1) }
            count &+= taken
            if taken < most { return }
        }
    }

    /// How many lines to make room for; `nil` where there is none that can be taken.
    @inline(__always)
    private static func room(from lines: LineCursor, _ shortest: Int, _ longest: Int, _ bytes: Span<UInt8>) -> Int? {
        let left = lines.end &- lines.position
        guard left >= longest, lines.end <= bytes.count else { return nil }
        return min(room, left / shortest)
    }

    /// `M  V30 `, in the first seven of eight bytes, the first lowest.
    private enum Prefix {
        static var length: Int { 7 }

        @inline(__always)
        static func faults(_ word: UInt64) -> UInt64 { (word ^ 0x0020_3033_5620_204D) & 0x00FF_FFFF_FFFF_FFFF }
    }
}

/// A number of up to seven digits and a blank as they stand in a file, which is compared with and not read.
private struct SpelledNumber {
    private var number: Int
    private var word: UInt64 = 0
    private var mask: UInt64 = 0
    /// How many bytes, the blank among them.
    private(set) var length = 1

    init(_ number: Int) {
        self.number = number
        spell()
    }

    /// Bits where the first of eight bytes are others.
    @inline(__always)
    func faults(_ bytes: UInt64) -> UInt64 { (bytes ^ word) & mask }

    /// Goes on to the next number.
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
        // No eight bytes are such a number.
        if rest > 0 { word = 0 }
    }
}
