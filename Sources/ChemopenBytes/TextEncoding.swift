// What kind of text bytes are.

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
