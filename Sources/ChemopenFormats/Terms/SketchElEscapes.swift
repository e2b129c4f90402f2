import ChemopenBytes
import ChemopenModel

/// The escapes of SketchEl files: a backslash and four hexadecimal digits represent a UTF-16 code unit.
///
/// Text in the model is UTF-8. It cannot contain half of a surrogate pair, so such a code unit stays escaped: `\D83E`.
/// A backslash without four digits after it is an ordinary character.
enum SketchElEscapes {
    /// Appends the text in a range with its escapes decoded once.
    static func unescape(_ range: Range<Int>, of bytes: Span<UInt8>, into text: inout [UInt8]) {
        var index = range.lowerBound
        while index < range.upperBound {
            let plain =
                index..<(firstIndex(of: backslash, in: bytes, from: index, to: range.upperBound) ?? range.upperBound)
            text.append(plain, of: bytes)
            index = plain.upperBound
            guard index < range.upperBound, let unit = unit(bytes, index, range.upperBound) else {
                if index >= range.upperBound { return }
                text.append(bytes[index])
                index &+= 1
                continue
            }
            index &+= 5
            guard isSurrogate(unit) else {
                append(UInt32(unit), to: &text)
                continue
            }
            if unit < 0xDC00, let low = Self.unit(bytes, index, range.upperBound), low >= 0xDC00, low < 0xE000 {
                append(0x10000 &+ (UInt32(unit) &- 0xD800) << 10 &+ (UInt32(low) &- 0xDC00), to: &text)
                index &+= 5
            } else {
                append(escapeOf: unit, to: &text)
            }
        }
    }

    /// Appends text with blanks, separators and non-ASCII characters escaped.
    static func escape(_ text: [UInt8], into output: inout [UInt8]) {
        let bytes = text.span
        for index in bytes.indices where !isPlain(bytes[index]) { return escapeLetters(text, into: &output) }
        output.append(copying: bytes)
    }

    private static func escapeLetters(_ text: [UInt8], into output: inout [UInt8]) {
        if !text.isASCII, !isUTF8(text) {
            escapeLetters(Array(Text(bytes: text).string.utf8), into: &output)
            return
        }
        let bytes = text.span
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, isPlain(bytes[index]) { index &+= 1 }
            output.append(copying: bytes.extracting(start..<index))
            guard index < bytes.count else { return }
            let byte = bytes[index]
            if byte == backslash, isLoneSurrogate(bytes, index) {
                output.append(byte)
                index &+= 1
            } else if byte < 0x80 {
                append(escapeOf: UInt16(byte), to: &output)
                index &+= 1
            } else {
                let (scalar, length) = scalar(bytes, index)
                if scalar < 0x10000 {
                    append(escapeOf: UInt16(truncatingIfNeeded: scalar), to: &output)
                } else {
                    append(escapeOf: 0xD800 | UInt16(truncatingIfNeeded: (scalar &- 0x10000) >> 10), to: &output)
                    append(escapeOf: 0xDC00 | UInt16(truncatingIfNeeded: scalar & 0x3FF), to: &output)
                }
                index &+= length
            }
        }
    }

    /// Whether a byte needs no escape in a label or a field.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x80 && byte != backslash && byte != 0x2C && byte != 0x3B && byte != 0x3D
    }

    private static let backslash: UInt8 = 0x5C

    private static func isSurrogate(_ unit: UInt16) -> Bool { unit & 0xF800 == 0xD800 }

    /// Returns the code unit that is escaped at an index, if any.
    private static func unit(_ bytes: Span<UInt8>, _ index: Int, _ end: Int) -> UInt16? {
        guard index &+ 5 <= end, bytes[index] == backslash else { return nil }
        var unit: UInt16 = 0
        for place in index &+ 1..<index &+ 5 {
            guard let digit = hexDigit(bytes[place]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        if Ascii.isDigit(byte) { return UInt16(byte & 15) }
        let letter = Ascii.lower(byte) &- 0x61
        return letter < 6 ? UInt16(letter) &+ 10 : nil
    }

    /// Whether an escape at an index is half of a surrogate pair without the other half next to it. `unescape` leaves
    /// such escapes unchanged.
    private static func isLoneSurrogate(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        guard let unit = spelledSurrogate(bytes, index) else { return false }
        if unit < 0xDC00 {
            guard let next = spelledSurrogate(bytes, index &+ 5) else { return true }
            return next < 0xDC00
        }
        guard index >= 5, let previous = spelledSurrogate(bytes, index &- 5) else { return true }
        return previous >= 0xDC00
    }

    private static func spelledSurrogate(_ bytes: Span<UInt8>, _ index: Int) -> UInt16? {
        guard let unit = unit(bytes, index, bytes.count), isSurrogate(unit) else { return nil }
        for place in index &+ 1..<index &+ 5 where bytes[place] > 0x60 { return nil }
        return unit
    }

    private static func append(escapeOf unit: UInt16, to text: inout [UInt8]) {
        var word = UInt64(backslash)
        for place: UInt64 in 1...4 {
            let digit = UInt64(unit >> UInt16(16 &- 4 &* place)) & 15
            word |= (digit < 10 ? digit &+ 0x30 : digit &+ 0x37) << (8 &* place)
        }
        text.append(addingCapacity: 8) { $0.append(word: word, count: 5) }
    }

    private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Returns the character at an index of valid UTF-8, and its length in bytes.
    private static func scalar(_ bytes: Span<UInt8>, _ index: Int) -> (UInt32, length: Int) {
        let first = bytes[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var scalar = UInt32(first) & (0xFF >> UInt32(length + 1))
        for place in index &+ 1..<min(index &+ length, bytes.count) {
            scalar = scalar << 6 | UInt32(bytes[place] & 0x3F)
        }
        return (scalar, length)
    }
}

extension [UInt8] {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}

extension SketchElEscapes {
    /// Whether the text contains an escaped half of a surrogate pair.
    static func hasLoneSurrogate(_ text: [UInt8]) -> Bool {
        let bytes = text.span
        for index in bytes.indices where bytes[index] == backslash && isLoneSurrogate(bytes, index) { return true }
        return false
    }
}

extension Text {
    func begins(_ prefix: StaticString) -> Bool { bytes.span.range(0..<bytes.count, begins: prefix) }

    /// The text converted to UTF-8 if necessary.
    package var inUTF8: Text { ChemopenBytes.isUTF8(bytes) ? self : Text(string) }
}

extension ChemicalElement {
    /// Creates an element from its symbol. `D` and `T` are not elements in SketchEl.
    init?(inSketchEl bytes: Span<UInt8>, _ range: Range<Int>) {
        guard range.count == 1 || range.count == 2 else { return nil }
        let second = range.count == 2 ? bytes[range.lowerBound + 1] : 0
        if range.count == 2, second <= 0x20 { return nil }
        let element = ChemicalElement.element(ofSymbol: bytes[range.lowerBound], second)
        if element == .none { return nil }
        self = element
    }

    /// Creates the element that SketchEl would read from a label.
    init?(inSketchEl label: Text) {
        self.init(inSketchEl: label.bytes.span, 0..<label.bytes.count)
    }
}
