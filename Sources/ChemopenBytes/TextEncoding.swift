// Bytes as text: UTF-8 when they are, else Windows-1252.

/// Whether the bytes are well-formed UTF-8.
package func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    isASCII(bytes) || (try? UTF8Span(validating: bytes)) != nil
}

/// Whether the bytes are well-formed UTF-8.
package func isUTF8(_ bytes: [UInt8]) -> Bool {
    isUTF8(bytes.span)
}

/// Whether no byte has its highest bit set.
package func isASCII(_ bytes: Span<UInt8>) -> Bool {
    var all: UInt8 = 0
    for index in bytes.indices { all |= bytes[index] }
    return all < 0x80
}

/// The text of the bytes: read as UTF-8 when they are well-formed, else as Windows-1252, where every byte is a letter.
package func decodeText(_ bytes: Span<UInt8>) -> String {
    if let text = try? UTF8Span(validating: bytes) { return String(copying: text) }
    var scalars = String.UnicodeScalarView()
    for index in bytes.indices { scalars.append(windows1252Scalar(bytes[index])) }
    return String(scalars)
}

/// The text of the bytes: read as UTF-8 when they are well-formed, else as Windows-1252, where every byte is a letter.
package func decodeText(_ bytes: [UInt8]) -> String {
    decodeText(bytes.span)
}

/// The letter of a byte. The five that Windows-1252 leaves undefined are the control codes of the same number.
package func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar {
    0x80..<0xA0 ~= byte ? windows1252Letters[Int(byte) - 0x80] : Unicode.Scalar(byte)
}

/// The letters of the bytes 80 to 9F.
private let windows1252Letters: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
]
