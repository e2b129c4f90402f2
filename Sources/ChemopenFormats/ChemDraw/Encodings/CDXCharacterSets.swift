import ChemopenBytes
import ChemopenModel

/// Converts the texts of a binary drawing to UTF-8, using the character set of each run's font.
struct CDXCharacterSets {
    /// The start of a run of text in one font; the run ends at the start of the next one.
    struct Run {
        var start: Int
        var font: UInt16
    }

    private enum CharacterSet {
        case windows1252, macRoman, utf8
    }

    private var fonts: [UInt16: CharacterSet] = [:]
    /// Whether the font table ends before its last font is complete.
    private(set) var isTableCut = false

    /// Reads the font table: the platform, the count, and each font's ID, character set, name length and name.
    mutating func readFonts(_ data: ArraySlice<UInt8>, isBigEndian: Bool) {
        func word(_ place: Int) -> UInt16 {
            let (first, second) = (UInt16(data[data.startIndex + place]), UInt16(data[data.startIndex + place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var place = 4
        var left = data.count >= 4 ? Int(word(2)) : 0
        while left > 0, place + 6 <= data.count {
            let set: CharacterSet =
                switch word(place + 2) {
                case 10000: .macRoman
                case 65001: .utf8
                default: .windows1252
                }
            fonts[word(place)] = set
            place += 6 + Int(word(place + 4))
            left -= 1
        }
        isTableCut = left > 0 || place > data.count
    }

    /// Returns a text without runs. It is decoded as UTF-8 if possible, and otherwise as Windows-1252, a superset of
    /// Latin 1.
    func text(of bytes: ArraySlice<UInt8>, isUTF8: Bool) -> Text {
        let text = Self.withOneKindOfLineEnd(Self.untilZero(bytes))
        return isUTF8 || text.isUTF8 ? text : Text(Windows1252.string(of: text.bytes))
    }

    func text(of bytes: ArraySlice<UInt8>, runs: [Run]) -> Text {
        let bytes = Self.untilZero(bytes)
        guard bytes.contains(where: { $0 >= 0x80 }), !runs.isEmpty else { return text(of: bytes, isUTF8: false) }
        var string = ""
        var starts = runs.filter { $0.start < bytes.count }.sorted { $0.start < $1.start }
        if starts.isEmpty { starts = [Run(start: 0, font: runs[0].font)] }
        for (place, run) in starts.enumerated() {
            let start = bytes.startIndex + (place == 0 ? 0 : run.start)
            let end = place + 1 < starts.count ? bytes.startIndex + starts[place + 1].start : bytes.endIndex
            string += Self.string(of: bytes[start..<max(start, end)], in: fonts[run.font] ?? .windows1252)
        }
        return Self.withOneKindOfLineEnd(Array(string.utf8)[...])
    }

    /// Encodes a text in the character set of a font. Unsupported characters become question marks.
    func bytes(of text: [UInt8], inFont font: UInt16) -> [UInt8] {
        if CDXCharacterSets.isPlain(text.span) { return text }
        switch fonts[font] ?? .windows1252 {
        case .utf8: return text
        case .windows1252: return Self.bytes(of: text, Self.windows1252Letters)
        case .macRoman: return Self.bytes(of: text, Self.macRomanLetters)
        }
    }

    private static func bytes(of text: [UInt8], _ letters: [Unicode.Scalar: UInt8]) -> [UInt8] {
        Text(bytes: text).string.unicodeScalars.map { scalar in
            scalar.isASCII ? UInt8(truncatingIfNeeded: scalar.value) : letters[scalar] ?? UInt8(ascii: "?")
        }
    }

    private static let windows1252Letters = letters((0x80...0xFF).map { Windows1252.scalar(of: $0) })
    private static let macRomanLetters = letters(macRoman)

    private static func letters(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar: UInt8] {
        let pairs = scalars.enumerated().map { ($1, UInt8(truncatingIfNeeded: 0x80 + $0)) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func string(of bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String {
        switch set {
        case .utf8: return Text(bytes: bytes).string
        case .windows1252: return Windows1252.string(of: bytes)
        case .macRoman:
            let scalars = bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : macRoman[Int($0) - 0x80] }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    /// Converts UTF-8 text that contains some Windows-1252 bytes to valid UTF-8.
    static func mended(_ text: Text) -> Text {
        var string = ""
        var rest = text.bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var place = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                string.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                place += encoded.count
            case .error(let length):
                for byte in text.bytes.dropFirst(place).prefix(length) {
                    string.unicodeScalars.append(Windows1252.scalar(of: byte))
                }
                place += length
            case .emptyInput: return Text(string)
            }
        }
    }

    static func untilZero(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.prefix { $0 != 0 }
    }

    /// Whether a text has the same bytes in every character set and contains no carriage return or zero byte.
    static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for place in bytes.indices {
            let byte = bytes[place]
            if byte >= 0x80 || byte == 0 || byte == 13 { return false }
        }
        return true
    }

    /// Replaces CR and CR LF with LF.
    static func withOneKindOfLineEnd(_ bytes: ArraySlice<UInt8>) -> Text {
        guard bytes.contains(13) else { return Text(bytes: bytes) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var afterReturn = false
        for byte in bytes {
            if byte == 13 {
                text.append(10)
            } else if byte != 10 || !afterReturn {
                text.append(byte)
            }
            afterReturn = byte == 13
        }
        return Text(bytes: text)
    }

    /// The characters for the bytes 80 to FF.
    private static let macRoman: [Unicode.Scalar] = Array(
        """
        ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁ\
        ËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
        """.unicodeScalars)
}
