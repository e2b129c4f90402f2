/// Whether the bytes are valid UTF-8.
///
/// Most text is ASCII, so only blocks with other characters are validated character by character.
package func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    let blockSize = 64
    var start = 0
    while start < bytes.count {
        var end = start
        while end < bytes.count {
            let next = min(end + blockSize, bytes.count)
            if isASCII(bytes.extracting(end..<next)) { break }
            end = next
        }
        if end > start, (try? UTF8Span(validating: bytes.extracting(start..<end))) == nil { return false }
        start = min(end + blockSize, bytes.count)
    }
    return true
}

/// Whether the bytes are valid UTF-8.
package func isUTF8(_ bytes: [UInt8]) -> Bool {
    isUTF8(bytes.span)
}

/// Whether all bytes are ASCII.
package func isASCII(_ bytes: Span<UInt8>) -> Bool {
    var all: UInt8 = 0
    for index in bytes.indices { all |= bytes[index] }
    return all < 0x80
}
