/// A reference to a character, by one of the five predefined names or by its number.
struct XMLReference {
    let letter: Unicode.Scalar
    /// The index after the reference.
    let end: Int

    /// Parses the reference at an index. Returns `nil` for any other text, or if XML does not permit the character.
    init?(at start: Int, in bytes: Span<UInt8>) {
        let isNumber = bytes.range(start..<bytes.count, begins: "&#")
        guard let (letter, end) = isNumber ? Self.numbered(at: start, in: bytes) : Self.named(at: start, in: bytes)
        else { return nil }
        self.letter = letter
        self.end = end
    }

    private static func named(at start: Int, in bytes: Span<UInt8>) -> (Unicode.Scalar, end: Int)? {
        let rest = start..<bytes.count
        if bytes.range(rest, begins: "&lt;") { return ("<", start &+ 4) }
        if bytes.range(rest, begins: "&gt;") { return (">", start &+ 4) }
        if bytes.range(rest, begins: "&amp;") { return ("&", start &+ 5) }
        if bytes.range(rest, begins: "&quot;") { return ("\"", start &+ 6) }
        return bytes.range(rest, begins: "&apos;") ? ("'", start &+ 6) : nil
    }

    private static func numbered(at start: Int, in bytes: Span<UInt8>) -> (Unicode.Scalar, end: Int)? {
        let isHexadecimal = bytes.range(start..<bytes.count, begins: "&#x")
        let first = start &+ (isHexadecimal ? 3 : 2)
        var number: UInt32 = 0
        var at = first
        while at < bytes.count, bytes[at] != UInt8(ascii: ";") {
            guard at &- first < 7, let digit = digit(bytes[at], isHexadecimal: isHexadecimal) else { return nil }
            number = number &* (isHexadecimal ? 16 : 10) &+ digit
            at &+= 1
        }
        guard at > first, at < bytes.count, let letter = Unicode.Scalar(number), isAllowed(letter) else { return nil }
        return (letter, at &+ 1)
    }

    private static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt32? {
        switch byte {
        case Ascii.zero...Ascii.nine: UInt32(byte &- Ascii.zero)
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal: UInt32(byte &- 0x57)
        case UInt8(ascii: "A")...UInt8(ascii: "F") where isHexadecimal: UInt32(byte &- 0x37)
        default: nil
        }
    }

    /// Whether XML permits a character.
    private static func isAllowed(_ letter: Unicode.Scalar) -> Bool {
        switch letter.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}

extension XMLEvents.Event {
    /// Calls a function with the decoded text.
    @inlinable @inline(__always)
    package func withText<Result>(in text: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        isRaw ? body(meaning(in: text).span) : body(text.extracting(range))
    }

    @usableFromInline
    func meaning(in text: Span<UInt8>) -> [UInt8] {
        Self.meaning(of: text.extracting(range), isValue: isAttribute)
    }

    /// Returns the decoded text. A line end becomes LF, and in an attribute value each blank becomes a space.
    private static func meaning(of raw: Span<UInt8>, isValue: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var at = 0
        while at < raw.count {
            let byte = raw[at]
            if byte == UInt8(ascii: "&"), let reference = XMLReference(at: at, in: raw) {
                text.append(contentsOf: UTF8.encode(reference.letter) ?? .init())
                at = reference.end
                continue
            }
            if byte == Ascii.carriageReturn {
                text.append(isValue ? Ascii.blank : Ascii.lineFeed)
                if at &+ 1 < raw.count, raw[at &+ 1] == Ascii.lineFeed { at &+= 1 }
            } else {
                text.append(isValue && byte < Ascii.blank ? Ascii.blank : byte)
            }
            at &+= 1
        }
        return text
    }
}
