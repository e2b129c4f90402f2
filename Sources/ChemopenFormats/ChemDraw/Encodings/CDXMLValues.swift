import ChemopenBytes
import ChemopenModel

/// Decodes the values of CDXML attributes.
enum CDXMLValues {
    static func text(_ text: Span<UInt8>) -> Text {
        CDXCharacterSets.withOneKindOfLineEnd(text.bytes(0..<text.count)[...])
    }

    /// Returns the integer in a range of a text. Numbers of up to seven digits are decoded from a single machine
    /// word.
    @inline(__always)
    static func integer(_ text: Span<UInt8>, in range: Range<Int>) -> Int? {
        let word = loadWord(text, at: range.lowerBound)
        guard 1...7 ~= range.count, word != 0 else { return integer(text.extracting(range)) }
        // Shift the last digit to the highest byte, so zeros fill the bytes before the first digit.
        let shift = UInt64(truncatingIfNeeded: 64 &- range.count &* 8)
        let digits = (word ^ 0x3030_3030_3030_3030) &<< shift
        let others = digits | (digits &+ 0x7676_7676_7676_7676)
        guard others & 0x8080_8080_8080_8080 == 0 else { return integer(text.extracting(range)) }
        let twos = ((digits &* 0xA01) &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = ((twos &* 0x64_0001) &>> 16) & 0x0000_FFFF_0000_FFFF
        return Int(truncatingIfNeeded: (fours &* 0x2710_0000_0001) &>> 32)
    }

    /// Returns an integer, which can be written as a decimal fraction such as `2.0`.
    static func integer(_ text: Span<UInt8>) -> Int? {
        var value = 0
        for place in 0..<text.count {
            let digit = text[place] &- 0x30
            guard digit < 10, place < 15 else { return integer(text, text.trimmed(0..<text.count)) }
            value = value &* 10 &+ Int(digit)
        }
        return text.isEmpty ? nil : value
    }

    private static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        if let value = Numeral.whole(bytes, range) { return value }
        guard let value = Numeral.decimal(bytes, range) else { return nil }
        return Int(exactly: value)
    }

    @inline(__always)
    static func identifier(_ text: Span<UInt8>, in range: Range<Int>) -> Int? {
        guard let id = integer(text, in: range), id >= 0 else { return nil }
        return id
    }

    static func real(_ text: Span<UInt8>) -> Double? {
        Numeral.decimal(text, text.trimmed(0..<text.count))
    }

    static func point(_ text: Span<UInt8>, _ range: Range<Int>) -> Position? {
        numbers(text, range, atLeast: 2).map { Position($0.0, $0.1) }
    }

    static func point3D(_ text: Span<UInt8>, _ range: Range<Int>) -> Position? {
        numbers(text, range, atLeast: 3).map { Position($0.0, $0.1, $0.2) }
    }

    static func box(_ text: Span<UInt8>, _ range: Range<Int>) -> DrawnBox? {
        numbers(text, range, atLeast: 4).map { DrawnBox(left: $0.0, top: $0.1, right: $0.2, bottom: $0.3) }
    }

    /// Returns up to four numbers from the start of a range. No digit may directly follow the range.
    ///
    /// The function takes the complete text, so it can load a number as machine words even if the range ends with the
    /// number.
    @inline(__always)
    private static func numbers(
        _ text: Span<UInt8>, _ range: Range<Int>, atLeast count: Int
    ) -> (Double, Double, Double, Double)? {
        var values = (0.0, 0.0, 0.0, 0.0)
        var at = range.lowerBound
        for place in 0..<count {
            guard let number = number(text, &at, before: range.upperBound), abs(number) < 1e9 else { return nil }
            switch place {
            case 0: values.0 = number
            case 1: values.1 = number
            case 2: values.2 = number
            default: values.3 = number
            }
        }
        return values
    }

    /// Returns the number in the next token, which ends at a blank, and moves `at` past the token.
    @inline(__always)
    private static func number(_ text: Span<UInt8>, _ at: inout Int, before end: Int) -> Double? {
        while at < end, text[at] <= Ascii.blank { at &+= 1 }
        let start = at
        if let value = Numeral.decimal(text, at: &at), at == end || (at < end && text[at] <= Ascii.blank) {
            return value
        }
        at = start
        while at < end, text[at] > Ascii.blank { at &+= 1 }
        return Numeral.decimal(text, start..<at)
    }

    static func flag(_ text: Span<UInt8>) -> Int? {
        if text.isEmpty || text.spells("yes") || text.spells("true") || text.spells("1") { return 1 }
        return text.spells("no") || text.spells("false") || text.spells("0") ? 0 : nil
    }

    // MARK: Tokens

    /// Returns the range of the next token at or after an offset; the range is empty at the end of the text.
    private static func word(in text: Span<UInt8>, from place: Int) -> Range<Int> {
        var start = place
        while start < text.count, text[start] <= 0x20 { start &+= 1 }
        var end = start
        while end < text.count, text[end] > 0x20 { end &+= 1 }
        return start..<end
    }

    static func words(_ text: Span<UInt8>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var word = word(in: text, from: 0)
        while !word.isEmpty {
            words.append(word)
            word = Self.word(in: text, from: word.upperBound)
        }
        return words
    }

    /// Returns the tokens of a list, and whether the list begins with `NOT`.
    static func list(_ text: Span<UInt8>) -> (words: [Range<Int>], areExcluded: Bool) {
        let words = words(text)
        guard let first = words.first, text.extracting(first).spells("NOT") else { return (words, false) }
        return (Array(words.dropFirst()), true)
    }

    static func order(_ text: Span<UInt8>) -> Int? {
        if text.count == 1, 0x31...0x36 ~= text[0] { return 1 << Int(text[0] &- 0x31) }
        if text.spells("any") { return DrawnOrder.any }
        var bits = 0
        for word in words(text) {
            if let place = DrawnOrder.names.firstIndex(where: { text.extracting(word).spells(Array($0.utf8)) }) {
                bits |= 1 << place
            } else if let value = Numeral.decimal(text, word), let place = orderNumbers.firstIndex(of: value) {
                bits |= 1 << place
            } else {
                return nil
            }
        }
        return bits == 0 ? nil : bits
    }

    private static let orderNumbers: [Double] = [1, 2, 3, 4, 5, 6, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5]

    static func identifiers(_ text: Span<UInt8>) -> [UInt32]? {
        var ids: [UInt32] = []
        ids.reserveCapacity(text.count / 2 + 1)
        var word = word(in: text, from: 0)
        while !word.isEmpty {
            guard let id = integer(text, word), let exact = UInt32(exactly: id) else { return nil }
            ids.append(exact)
            word = Self.word(in: text, from: word.upperBound)
        }
        return ids
    }

    // MARK: Bytes

    /// Decodes the hexadecimal bytes of a picture, which can contain white space. Returns nil if there is any other
    /// character.
    static func bytes(ofHexadecimal text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var half: UInt8?
        for letter in text where letter > Ascii.blank {
            guard let digit = Character(Unicode.Scalar(letter)).hexDigitValue else { return nil }
            if let high = half { bytes.append(high << 4 | UInt8(digit)) }
            half = half == nil ? UInt8(digit) : nil
        }
        return half == nil ? bytes : nil
    }

    static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

extension Span where Element == UInt8 {
    /// Whether the bytes are exactly those of a keyword.
    @inline(__always)
    fileprivate func spells(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && range(0..<count, begins: word)
    }

    /// Whether the bytes are exactly those of a keyword.
    func spells(_ word: [UInt8]) -> Bool {
        guard count == word.count else { return false }
        for place in indices where self[place] != word[place] { return false }
        return true
    }
}
