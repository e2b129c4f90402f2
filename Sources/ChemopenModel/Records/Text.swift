/// Text as its file wrote it.
///
/// Chemical files say nothing of their encoding. The bytes are kept as they stood, so that a format which
/// takes any byte gets them back unchanged; they are read as UTF-8 where they are valid UTF-8 and as
/// Windows-1252 where they are not.
///
///     let title: Text = "caffeine"
///     print(title.string)          // caffeine
///     Text(bytes: [0xB5]).string   // µ
public struct Text: Sendable, Hashable {
    /// The bytes as they stood, without the line end.
    public var bytes: [UInt8]

    /// Text of these bytes, as they are.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Text of these bytes, as they are.
    public init(bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Text in UTF-8.
    public init(_ string: String = "") {
        bytes = Array(string.utf8)
    }

    /// Whether there is no byte.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The text for people: UTF-8 if the bytes are that, else Windows-1252.
    public var string: String {
        if let string = String(validating: bytes, as: UTF8.self) { return string }
        var string = ""
        for byte in bytes { string.unicodeScalars.append(Windows1252.scalar(of: byte)) }
        return string
    }

    /// Whether the bytes are valid UTF-8, as every format but the MDL family demands.
    public var isUTF8: Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}

extension Text: ExpressibleByStringInterpolation {
    /// Text that a program spells out.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Text: CustomStringConvertible {
    /// The text for people.
    public var description: String { string }
}

/// The code page of the older programs that write these files.
package enum Windows1252 {
    /// The codes 0x80 to 0x9F; those that the page leaves undefined stand for themselves.
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

    package static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? Unicode.Scalar(control(byte)) ?? "\u{FFFD}" : Unicode.Scalar(byte)
    }
}
