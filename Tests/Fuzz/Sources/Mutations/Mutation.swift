/// Pseudorandom numbers that are the same in every run (SplitMix64).
struct Chance {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number from 0 up to, but not including, a count, which must not be 0.
    mutating func number(below count: Int) -> Int {
        Int(next() % UInt64(max(1, count)))
    }

    mutating func choice<Value>(_ values: [Value]) -> Value {
        values[number(below: values.count)]
    }
}

/// A mutation of a valid file, which changes its numbers, lengths, references and separators.
struct Mutation {
    private var chance: Chance
    private var bytes: [UInt8]
    private let isText: Bool

    private init(_ bytes: [UInt8], _ chance: Chance) {
        self.bytes = bytes
        self.chance = chance
        isText = !bytes.contains(0)
    }

    /// Returns the mutation with a number. The same number always produces the same file.
    static func of(_ bytes: [UInt8], _ number: UInt64) -> [UInt8] {
        var mutation = Mutation(bytes, Chance(number))
        let times = [1, 1, 1, 2, 3][mutation.chance.number(below: 5)]
        for _ in 0..<times { mutation.change() }
        return mutation.bytes
    }

    private mutating func change() {
        if bytes.isEmpty { return }
        if !isText { return changeBinary() }
        switch chance.number(below: 10) {
        case 0...2: changeNumber()
        case 3...4: exchangeNumbers()
        case 5: changeSeparator()
        case 6: changeLines()
        case 7: changeWord()
        case 8: changeByte()
        default: cutLine()
        }
    }

    // MARK: Numbers

    private static let numbers = [
        "0", "1", "2", "3", "4", "8", "9", "10", "15", "16", "99", "100", "255", "256", "998", "999", "1000", "-1",
        "-2",
        "-999", "32767", "65535", "2147483647", "-2147483648", "4294967296", "9223372036854775807",
        "-9223372036854775808", "99999999999999999999", "1e9", "1e308", "-1e308", "1e-320", "nan", "inf", "0.0001",
        "-0.0", "1.5", "123456.78901", "", "0x10", "+1", "01",
    ]

    /// Returns the ranges of numbers in the file, including the sign and the decimal point.
    private func places() -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start: Int?
        for (place, byte) in bytes.enumerated() {
            let isPart = 0x30...0x39 ~= byte || start != nil && byte == 0x2E
            if isPart, start == nil { start = place > 0 && bytes[place - 1] == 0x2D ? place - 1 : place }
            if !isPart, let first = start {
                places.append(first..<place)
                start = nil
            }
        }
        if let first = start { places.append(first..<bytes.count) }
        return places
    }

    private mutating func changeNumber() {
        let places = places()
        if places.isEmpty { return changeByte() }
        put(Array(chance.choice(Self.numbers).utf8), at: chance.choice(places))
    }

    /// Exchanges two numbers, for example a reference or a length with another one.
    private mutating func exchangeNumbers() {
        let places = places()
        if places.count < 2 { return changeByte() }
        put(Array(bytes[chance.choice(places)]), at: chance.choice(places))
    }

    /// Replaces a range. In half of the cases, preserves the following columns.
    private mutating func put(_ text: [UInt8], at place: Range<Int>) {
        var text = text
        var place = place
        if chance.number(below: 2) == 0 {
            while text.count < place.count { text.insert(0x20, at: 0) }
            while text.count > place.count, place.lowerBound > 0, bytes[place.lowerBound - 1] == 0x20 {
                place = place.lowerBound - 1..<place.upperBound
            }
        }
        bytes.replaceSubrange(place, with: text)
    }

    // MARK: Text

    private static let separators = [
        "\n", "\r\n", "\r", " ", "  ", "\t", ",", ";", ":", "=", "(", ")", "\"", "-", "-\nM  V30 ", "<", ">", "/",
        "$$$$\n",
        "M  END\n", "\n\n", "$MOL\n", "$DTYPE ", "$DATUM ", ">  <", "\\002C", "]]>", "&", "<![CDATA[", "!End", "|", "#",
        "\u{e4}", "\u{0}", "*", "R#", "V3000",
    ]

    private mutating func changeSeparator() {
        let places = bytes.indices.filter { !(0x30...0x39 ~= bytes[$0] || 0x41...0x5A ~= bytes[$0] & 0xDF) }
        if places.isEmpty { return }
        let place = chance.choice(places)
        let end = chance.number(below: 3) == 0 ? place : place + 1
        bytes.replaceSubrange(place..<end, with: Array(chance.choice(Self.separators).utf8))
    }

    /// Replaces a token with another one from the file.
    private mutating func changeWord() {
        let words = bytes.split(whereSeparator: { $0 <= 0x20 || ",;=()<>\"".utf8.contains($0) })
        if words.count < 2 { return }
        let (new, old) = (chance.choice(words), chance.choice(words))
        bytes.replaceSubrange(old.indices, with: Array(new))
    }

    private mutating func changeByte() {
        let place = chance.number(below: bytes.count)
        switch chance.number(below: 3) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8(truncatingIfNeeded: chance.next()), at: place)
        default: bytes[place] = UInt8(truncatingIfNeeded: chance.next())
        }
    }

    // MARK: Lines

    private mutating func changeLines() {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let (one, other) = (chance.number(below: lines.count), chance.number(below: lines.count))
        switch chance.number(below: 4) {
        case 0: lines.remove(at: one)
        case 1: lines.insert(lines[one], at: other)
        case 2: lines.swapAt(one, other)
        default: lines[one] = lines[other]
        }
        bytes = Array(lines.joined(separator: [0x0A]))
    }

    private mutating func cutLine() {
        let place = chance.number(below: bytes.count)
        let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
        bytes.removeSubrange(place..<end)
    }

    // MARK: Bytes

    private static let words: [UInt32] = [
        0, 1, 2, 3, 0x7F, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, .max,
    ]

    private mutating func changeBinary() {
        let place = chance.number(below: bytes.count)
        switch chance.number(below: 5) {
        case 0: return changeByte()
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + chance.number(below: 8)))
        case 2:
            // A number from another position.
            let width = [1, 2, 4][chance.number(below: 3)]
            let other = chance.number(below: bytes.count)
            let count = min(width, bytes.count - max(place, other))
            let copy = Array(bytes[other..<other + count])
            bytes.replaceSubrange(place..<place + count, with: copy)
        default:
            var word = chance.choice(Self.words)
            for index in place..<min(bytes.count, place + [1, 2, 4][chance.number(below: 3)]) {
                bytes[index] = UInt8(truncatingIfNeeded: word)
                word >>= 8
            }
        }
    }
}
