import ChemopenBytes
import ChemopenModel

/// Writes text in XML. Characters that XML cannot represent are dropped and counted.
struct XMLText {
    /// The number of characters that were dropped, such as control characters.
    private(set) var droppedLetters = 0
    /// Whether bytes that are not UTF-8 were converted from Windows-1252.
    private(set) var hasForeignText = false

    /// Appends text for use between tags or in an attribute.
    mutating func appendEscaped(_ text: [UInt8], to output: inout [UInt8], inAttribute: Bool = false) {
        if Self.isPlain(text.span) {
            output.append(copying: text.span)
        } else if text.span.isPrintableASCII {
            Self.appendLetters(text.span, to: &output, inAttribute: inAttribute)
        } else {
            appendEscaped(text[...], to: &output, inAttribute: inAttribute)
        }
    }

    /// Appends text for use between tags or in an attribute.
    mutating func appendEscaped(
        _ text: some RandomAccessCollection<UInt8>, to output: inout [UInt8], inAttribute: Bool = false
    ) {
        if text.allSatisfy(Self.isPlain) {
            output.append(contentsOf: text)
            return
        }
        for byte in sound(text) { Self.append(escaped: byte, to: &output, inAttribute: inAttribute) }
    }

    private static func append(escaped byte: UInt8, to output: inout [UInt8], inAttribute: Bool) {
        switch byte {
        case UInt8(ascii: "&"): output.append("&amp;")
        case UInt8(ascii: "<"): output.append("&lt;")
        case UInt8(ascii: ">"): output.append("&gt;")
        case Ascii.quote where inAttribute: output.append("&quot;")
        case Ascii.lineFeed where inAttribute: output.append("&#10;")
        case Ascii.tab where inAttribute: output.append("&#9;")
        case Ascii.carriageReturn: output.append("&#13;")
        default: output.append(byte)
        }
    }

    /// Appends ASCII text, copying the parts between escaped characters as blocks.
    private static func appendLetters(_ text: Span<UInt8>, to output: inout [UInt8], inAttribute: Bool) {
        var start = 0
        var index = 0
        while index < text.count {
            let plain = plainBytes(loadWord(text, at: index))
            // After the last eight bytes, the load returns zeros, which count as bytes that need an escape.
            let others = ~plain & highest
            if others == 0 {
                index &+= 8
                continue
            }
            index &+= index &+ 8 <= text.count ? others.trailingZeroBitCount &>> 3 : 0
            if !isPlain(text[index]) {
                output.append(copying: text.extracting(start..<index))
                append(escaped: text[index], to: &output, inAttribute: inAttribute)
                start = index &+ 1
            }
            index &+= 1
        }
        output.append(copying: text.extracting(start..<text.count))
    }

    /// Whether a byte needs no escape anywhere in XML.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte < 0x80 && byte >= 0x20 && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<")
            && byte != UInt8(ascii: ">") && byte != Ascii.quote
    }

    /// Whether no byte needs an escape anywhere in XML.
    static func isPlain(_ text: Span<UInt8>) -> Bool {
        var index = 0
        var plain = ~0 as UInt64
        while index &+ 8 <= text.count {
            plain &= plainBytes(loadWord(text, at: index))
            index &+= 8
        }
        if index < text.count {
            if text.count >= 8 {
                plain &= plainBytes(loadWord(text, at: text.count &- 8))
            } else {
                var word: UInt64 = 0
                for place in text.indices { word = word &<< 8 | UInt64(text[place]) }
                plain &= plainBytes(word | 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: text.count &* 8))
            }
        }
        return plain & highest == highest
    }

    private static let highest: UInt64 = 0x8080_8080_8080_8080

    /// Sets the highest bit of each byte that needs no escape.
    @inline(__always)
    private static func plainBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let letters = word & ~highest
        // `"` and `&` differ in one bit, and so do `<` and `>`.
        let isNoQuote = ((letters | ones &* 0x04) ^ ones &* 0x26) &+ ~highest
        let isNoBracket = ((letters | ones &* 0x02) ^ ones &* 0x3E) &+ ~highest
        return ~word & (letters &+ ones &* 0x60) & isNoQuote & isNoBracket
    }

    /// Whether all bytes can be written to a CDATA section unchanged.
    static func isPlainSection(_ text: Span<UInt8>) -> Bool {
        text.isPrintableASCII && (firstIndex(of: 0x5D, in: text, from: 0, to: text.count) == nil || !endsSection(text))
    }

    /// Appends text as a CDATA section. `]]>` is split into two sections, and carriage returns are written between
    /// sections.
    mutating func appendCharacterData(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output.append("<![CDATA[")
        if Self.isPlainSection(text.span) {
            output.append(copying: text.span)
        } else {
            for byte in sound(text) { Self.append(byte, to: &output) }
        }
        output.append("]]>")
    }

    /// Splits the text after an index as the content of a CDATA section requires.
    static func splitCharacterData(in output: inout [UInt8], from start: Int) {
        let end = output.count
        guard firstIndex(of: 0x5D, in: output.span, from: start, to: end) != nil,
            firstIndex(of: Ascii.greater, in: output.span, from: start, to: end) != nil
        else { return }
        let copy = Array(output[start...])
        output.removeSubrange(start...)
        for byte in copy { append(byte, to: &output) }
    }

    private static func append(_ byte: UInt8, to output: inout [UInt8]) {
        if byte == Ascii.carriageReturn {
            output.append("]]>&#13;<![CDATA[")
        } else if byte == Ascii.greater, output.count >= 2, output[output.count - 1] == 0x5D,
            output[output.count - 2] == 0x5D
        {
            output.append("]]><![CDATA[>")
        } else {
            output.append(byte)
        }
    }

    /// Whether the text contains `]]>`.
    private static func endsSection(_ bytes: Span<UInt8>) -> Bool {
        var from = 2
        while let place = firstIndex(of: Ascii.greater, in: bytes, from: from, to: bytes.count) {
            if bytes[place &- 1] == 0x5D, bytes[place &- 2] == 0x5D { return true }
            from = place &+ 1
        }
        return false
    }

    /// Returns the text in UTF-8 without characters that XML 1.0 forbids.
    mutating func sound(_ text: some RandomAccessCollection<UInt8>) -> [UInt8] {
        var bytes = Array(text)
        if !isUTF8(bytes) {
            bytes = Array(Text(bytes: bytes).string.utf8)
            hasForeignText = true
        }
        guard bytes.contains(where: { $0 < 0x20 || $0 == 0xEF }) else { return bytes }
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20, byte != Ascii.lineFeed, byte != Ascii.tab, byte != Ascii.carriageReturn {
                droppedLetters += 1
                index += 1
            } else if byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE {
                droppedLetters += 1
                index += 3
            } else {
                kept.append(byte)
                index += 1
            }
        }
        return kept
    }

    mutating func forgetDroppedLetters() {
        droppedLetters = 0
        hasForeignText = false
    }
}

// MARK: Names

extension XMLText {
    /// Whether the bytes are an XML 1.0 name (productions 4 and 4a) without a colon, which would separate a prefix.
    static func isName(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count <= longestName, isUTF8(bytes) else { return false }
        var isFirst = true
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard startsNames(scalar.value) || !isFirst && continuesNames(scalar.value) else { return false }
            isFirst = false
        }
        return true
    }

    /// A longer name would not be useful. Parsers have their own limits.
    private static let longestName = 4096

    private static func startsNames(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
            0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }

    private static func continuesNames(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false
        }
    }
}
