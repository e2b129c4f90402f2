/// Text with the bytes of its file.
///
/// Most chemical formats do not specify an encoding. Therefore, the bytes are preserved, and written unchanged to
/// formats that accept any bytes.
///
///     let title: Text = "caffeine"
///     print(title.string)                // caffeine
///     Text(bytes: [0xB5]).string         // µ
///     Text(bytes: [0x83, 0x4F]).string   // \x83O
public struct Text: Sendable, Hashable {
    /// The original bytes, without the line ending.
    public var bytes: [UInt8]

    /// Creates text from bytes, which are not checked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates text from bytes, which are not checked.
    public init(bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Creates text from a string, encoded as UTF-8.
    public init(_ string: String = "") {
        bytes = Array(string.utf8)
    }

    /// Whether the text is empty.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The text as Unicode.
    ///
    /// Bytes that are not valid UTF-8 are decoded as Windows-1252 if their letters are distributed as in Western
    /// European text. Otherwise, each byte beyond ASCII becomes an escape such as `\x83`, because a wrong guess would
    /// look like text.
    public var string: String {
        if let string = String(validating: bytes, as: UTF8.self) { return string }
        if Windows1252.isPlausible(bytes) { return Windows1252.string(of: bytes) }
        var string = ""
        for byte in bytes {
            if byte < 0x80 {
                string.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                string += "\\x" + String(byte, radix: 16, uppercase: true)
            }
        }
        return string
    }

    /// Whether the bytes are valid UTF-8, which all formats except the MDL family require.
    public var isUTF8: Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}

extension Text: ExpressibleByStringInterpolation {
    /// Creates text from a string literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Text: CustomStringConvertible {
    /// The decoded text.
    public var description: String { string }
}

/// The code page of the older programs that write these files.
package enum Windows1252 {
    /// Returns the code point of a byte from 0x80 to 0x9F. Bytes that the code page does not define are returned
    /// unchanged.
    private static func control(_ byte: UInt8) -> UInt32 {
        switch byte {
        case 0x80: 0x20AC
        case 0x82: 0x201A
        case 0x83: 0x0192
        case 0x84: 0x201E
        case 0x85: 0x2026
        case 0x86: 0x2020
        case 0x87: 0x2021
        case 0x88: 0x02C6
        case 0x89: 0x2030
        case 0x8A: 0x0160
        case 0x8B: 0x2039
        case 0x8C: 0x0152
        case 0x8E: 0x017D
        case 0x91: 0x2018
        case 0x92: 0x2019
        case 0x93: 0x201C
        case 0x94: 0x201D
        case 0x95: 0x2022
        case 0x96: 0x2013
        case 0x97: 0x2014
        case 0x98: 0x02DC
        case 0x99: 0x2122
        case 0x9A: 0x0161
        case 0x9B: 0x203A
        case 0x9C: 0x0153
        case 0x9E: 0x017E
        case 0x9F: 0x0178
        default: UInt32(byte)
        }
    }

    /// Whether bytes look like Western European text: accented letters within words or as single letters, and symbols.
    ///
    /// Text in Shift-JIS, GBK, EUC-KR, Big5 or KOI8-R has runs of high bytes, or bytes that few Western texts contain.
    static func isPlausible(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while let first = bytes[start...].firstIndex(where: { $0 >= 0x80 }) {
            let end = bytes[first...].firstIndex { $0 < 0x80 } ?? bytes.endIndex
            let next = end < bytes.endIndex ? bytes[end] : 0x20
            if !isPlausibleRun(bytes[first..<end], after: first > 0 ? bytes[first - 1] : 0x20, before: next) {
                return false
            }
            start = end
        }
        return true
    }

    /// Whether a run of high bytes between two ASCII bytes is typical of Western European text.
    private static func isPlausibleRun(_ run: ArraySlice<UInt8>, after: UInt8, before: UInt8) -> Bool {
        if !run.allSatisfy(isUsual) { return false }
        // Quotation marks and dashes next to letters, as in “é”.
        let start = run.firstIndex { !isPunctuation($0) } ?? run.endIndex
        let end = run.lastIndex { !isPunctuation($0) }.map { $0 + 1 } ?? start
        let core = run[start..<end]
        let isAfterLetter = start == run.startIndex && isLetter(after)
        let isBeforeLetter = end == run.endIndex && isLetter(before)
        switch (core.count, core.count(where: isAccented)) {
        // A symbol such as ± or µ.
        case (0, _), (1, 0): return true
        // A letter in a word, or a single letter, as in 1.5 Å. Words contain capitals only at the start or throughout.
        case (1, _):
            let isCapital = core.allSatisfy { $0 < 0xE0 && $0 != 0xDF }
            return !isAfterLetter || !isCapital || !isLowercase(after)
        // Two vowels, as in créée or Größe.
        case (2, 2): return core.allSatisfy { $0 >= 0xDF } && (isAfterLetter || isBeforeLetter)
        default: return false
        }
    }

    /// Whether a byte is a letter with an accent or a ligature.
    private static func isAccented(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F: true
        default: byte >= 0xC0 && byte != 0xD7 && byte != 0xF7
        }
    }

    /// Whether Western European texts use the character of a high byte; undefined codes and rare symbols do not count.
    private static func isUsual(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x80, 0x82, 0x84, 0x85, 0x86, 0x87, 0x89, 0x8A, 0x8C, 0x8E, 0x91...0x97, 0x99, 0x9A, 0x9C, 0x9E, 0x9F: true
        default: byte >= 0xA0
        }
    }

    /// Whether a byte is a quotation mark, a dash, an ellipsis, a trademark sign or a no-break space.
    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x82, 0x84, 0x85, 0x91...0x97, 0x99, 0xA0: true
        default: false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    /// Returns text that is known to be in this code page.
    package static func string(of bytes: some Sequence<UInt8>) -> String {
        var string = ""
        for byte in bytes { string.unicodeScalars.append(scalar(of: byte)) }
        return string
    }

    package static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? Unicode.Scalar(control(byte)) ?? "\u{FFFD}" : Unicode.Scalar(byte)
    }
}
