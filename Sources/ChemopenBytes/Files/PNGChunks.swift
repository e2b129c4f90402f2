extension [UInt8] {
    /// Appends a PNG chunk: the length, the four-letter type, the content, and the checksum of type and content.
    package mutating func appendChunk(_ type: StaticString, _ content: [UInt8]) {
        append(bigEndian: UInt32(truncatingIfNeeded: content.count))
        let start = count
        append(type)
        append(contentsOf: content)
        append(bigEndian: cyclicChecksum(of: span.extracting(start..<count)))
    }

    /// Appends a number with its highest byte first.
    package mutating func append(bigEndian number: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }
}
