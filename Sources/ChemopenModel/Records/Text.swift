/// Text with the bytes of its file.
///
/// Chemical files do not specify their encoding. The bytes are preserved, and formats that accept any byte write them
/// back unchanged. If the bytes are valid UTF-8, they are decoded as UTF-8, otherwise as Windows-1252.
///
///     let title: Text = "caffeine"
///     print(title.string)          // caffeine
///     Text(bytes: [0xB5]).string   // µ
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

    /// The decoded text: UTF-8 if the bytes are valid UTF-8, otherwise Windows-1252.
    public var string: String {
        if let string = String(validating: bytes, as: UTF8.self) { return string }
        var string = ""
        for byte in bytes { string.unicodeScalars.append(Windows1252.scalar(of: byte)) }
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

    package static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? Unicode.Scalar(control(byte)) ?? "\u{FFFD}" : Unicode.Scalar(byte)
    }
}
