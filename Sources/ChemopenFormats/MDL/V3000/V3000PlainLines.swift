import ChemopenBytes
import ChemopenModel

/// A position in a line that is read byte by byte. The caller ensures that a line feed follows.
private struct PlainScan {
    var at: Int

    /// Starts after `M  V30 `, which is compared as the low seven bytes of a word; `nil` for other lines.
    @inline(__always)
    init?(at start: Int, before end: Int, of bytes: Span<UInt8>) {
        guard start &+ 12 <= end else { return nil }
        let prefix: UInt64 = 0x0020_3033_5620_204D
        guard loadWord(bytes, at: start) & 0x00FF_FFFF_FFFF_FFFF == prefix else { return nil }
        at = start &+ 7
    }

    /// Reads up to nine digits; -1 if there is no number or it is longer.
    @inline(__always)
    mutating func number(_ bytes: Span<UInt8>) -> Int { Numeral.whole(bytes, at: &at) }

    @inline(__always)
    mutating func decimal(_ bytes: Span<UInt8>) -> Double? { Numeral.decimal(bytes, at: &at) }

    /// Reads one or more blanks.
    @inline(__always)
    mutating func blanks(_ bytes: Span<UInt8>) -> Bool {
        guard bytes[at] == Ascii.blank else { return false }
        at &+= 1
        while bytes[at] == Ascii.blank { at &+= 1 }
        return true
    }

    /// Returns the index of the line feed at the end of the line; `nil` if something else follows.
    @inline(__always)
    mutating func end(_ bytes: Span<UInt8>) -> Int? {
        while bytes[at] == Ascii.blank { at &+= 1 }
        if bytes[at] == Ascii.lineFeed { return at }
        guard bytes[at] == Ascii.carriageReturn else { return nil }
        return bytes[at &+ 1] == Ascii.lineFeed ? at &+ 1 : nil
    }

    /// Returns four bytes as a number, with the first in the low byte.
    @inline(__always)
    func key(_ bytes: Span<UInt8>, before end: Int) -> UInt32 {
        guard at &+ 8 <= end else { return 0 }
        return UInt32(truncatingIfNeeded: loadWord(bytes, at: at))
    }
}

/// An atom line in the usual layout: the next number in order, an element, three coordinates, a map number, and no
/// other keywords than `CHG=` and `CFG=`.
struct PlainV3000Atom {
    var atom: Atom
    /// The index of the line feed.
    var feed: Int

    @inline(__always)
    init?(at start: Int, before end: Int, number: Int, of bytes: Span<UInt8>) {
        guard var scan = PlainScan(at: start, before: end, of: bytes), scan.number(bytes) == number,
            scan.blanks(bytes)
        else { return nil }
        let first = bytes[scan.at]
        guard Ascii.isLetter(first) else { return nil }
        scan.at &+= 1
        var second = bytes[scan.at]
        if Ascii.isLetter(second) { scan.at &+= 1 } else { second = 0 }
        guard scan.blanks(bytes) else { return nil }
        let element = ChemicalElement.element(ofSymbol: first, second)
        guard element != .none, let x = scan.decimal(bytes), scan.blanks(bytes), let y = scan.decimal(bytes),
            scan.blanks(bytes), let z = scan.decimal(bytes), scan.blanks(bytes)
        else { return nil }
        let map = scan.number(bytes)
        guard map >= 0 else { return nil }
        atom = Atom(element, at: Position(x, y, z))
        atom.mapNumber = Int32(truncatingIfNeeded: map)
        while true {
            if let feed = scan.end(bytes) {
                guard feed < end else { return nil }
                self.feed = feed
                return
            }
            guard bytes[scan.at &- 1] == Ascii.blank else { return nil }
            switch scan.key(bytes, before: end) {
            case 0x3D47_4843:
                scan.at &+= 4
                let isNegative = bytes[scan.at] == Ascii.minus
                if isNegative { scan.at &+= 1 }
                let charge = scan.number(bytes)
                guard 0...9999 ~= charge else { return nil }
                atom.charge = Int16(truncatingIfNeeded: isNegative ? 0 &- charge : charge)
            case 0x3D47_4643:
                scan.at &+= 4
                let parity = scan.number(bytes)
                guard 0...3 ~= parity else { return nil }
                atom.marks.parity = parity
            default: return nil
            }
        }
    }
}

/// A bond line in the usual layout: the next number in order, a type, two atoms, and no other keyword than `CFG=`.
struct PlainV3000Bond {
    var bond: Bond
    var feed: Int

    @inline(__always)
    init?(at start: Int, before end: Int, number: Int, atoms: Int, of bytes: Span<UInt8>) {
        guard var scan = PlainScan(at: start, before: end, of: bytes), scan.number(bytes) == number,
            scan.blanks(bytes)
        else { return nil }
        guard let order = Bond.Order(mdlType: scan.number(bytes)), scan.blanks(bytes) else { return nil }
        let from = scan.number(bytes)
        guard scan.blanks(bytes) else { return nil }
        let to = scan.number(bytes)
        guard from &- 1 >= 0, from <= atoms, to &- 1 >= 0, to <= atoms else { return nil }
        bond = Bond(from &- 1, to &- 1, order)
        if let feed = scan.end(bytes) {
            guard feed < end else { return nil }
            self.feed = feed
            return
        }
        guard bytes[scan.at &- 1] == Ascii.blank, scan.key(bytes, before: end) == 0x3D47_4643 else { return nil }
        scan.at &+= 4
        switch scan.number(bytes) {
        case 0: break
        case 1: bond.mark = .up
        case 2: bond.mark = .either
        case 3: bond.mark = .down
        default: return nil
        }
        guard let feed = scan.end(bytes), feed < end else { return nil }
        self.feed = feed
    }
}

/// A line of keywords in the usual layout: `BEGIN ATOM`, `END BOND`, `COUNTS 13 13 0 0 0`.
enum PlainV3000Keyword {
    case begin(V3000Keyword)
    case end(V3000Keyword)
    case counts(atoms: Int, bonds: Int, sgroups: Int, isChiral: Bool)

    /// Returns the keyword and the index of the line feed.
    static func read(at start: Int, before end: Int, of bytes: Span<UInt8>) -> (PlainV3000Keyword, feed: Int)? {
        guard start &+ 16 <= end, var scan = PlainScan(at: start, before: end, of: bytes) else { return nil }
        let word = loadWord(bytes, at: scan.at)
        if word & 0x00FF_FFFF_FFFF_FFFF == 0x0020_5354_4E55_4F43 {
            scan.at &+= 7
            guard let counts = Self.counts(&scan, bytes), let feed = scan.end(bytes), feed < end else { return nil }
            return (counts, feed)
        }
        let isBegin = word & 0x0000_FFFF_FFFF_FFFF == 0x0000_204E_4947_4542
        guard isBegin || word & 0xFFFF_FFFF == 0x2044_4E45 else { return nil }
        scan.at &+= isBegin ? 6 : 4
        let name = scan.at
        let block: V3000Keyword
        if let usual = usualBlock(scan.key(bytes, before: end)), bytes[name &+ 4] <= Ascii.blank {
            block = usual
            scan.at &+= 4
        } else {
            while bytes[scan.at] > Ascii.blank { scan.at &+= 1 }
            block = V3000Keyword(name..<scan.at, of: bytes)
        }
        guard let feed = scan.end(bytes), feed < end else { return nil }
        return (isBegin ? .begin(block) : .end(block), feed)
    }

    /// Returns the index of the line feed after a plain `M  END`.
    static func lastFeed(at start: Int, before end: Int, of bytes: Span<UInt8>) -> Int? {
        let line: UInt64 = 0x0A44_4E45_2020_4D
        guard start &+ 7 <= end, loadWord(bytes, at: start) & 0x00FF_FFFF_FFFF_FFFF == line else { return nil }
        return start &+ 6
    }

    /// Returns one of the most frequent blocks from its four letters as a number, with the first in the low byte.
    @inline(__always)
    private static func usualBlock(_ name: UInt32) -> V3000Keyword? {
        switch name {
        case 0x4D4F_5441: .atom
        case 0x444E_4F42: .bond
        case 0x4241_5443: .table
        default: nil
        }
    }

    private static func counts(_ scan: inout PlainScan, _ bytes: Span<UInt8>) -> PlainV3000Keyword? {
        let atoms = scan.number(bytes)
        guard atoms >= 0, scan.blanks(bytes) else { return nil }
        let bonds = scan.number(bytes)
        guard bonds >= 0, scan.blanks(bytes) else { return nil }
        let sgroups = scan.number(bytes)
        guard sgroups >= 0, scan.blanks(bytes), scan.number(bytes) >= 0, scan.blanks(bytes) else { return nil }
        let chiral = scan.number(bytes)
        guard 0...1 ~= chiral else { return nil }
        return .counts(atoms: atoms, bonds: bonds, sgroups: sgroups, isChiral: chiral == 1)
    }
}
