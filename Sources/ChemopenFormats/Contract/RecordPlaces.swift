import ChemopenBytes

/// How the places of a format's records are found by a look at the bytes, without understanding them: an index of a large
/// file is made so, and any record read by itself.
package struct RecordPlaces: Sendable {
    /// Adds the places where records begin, and says up to where that is settled: from there on is looked again when
    /// more bytes have come. The bytes begin where a record does, or with the file.
    package let find: Find

    /// What closes a piece of the file that begins with the file's head; nothing where records stand by themselves.
    package let closing: [UInt8]?

    /// Any text of a record stands in one piece among its bytes, apart from the characters that XML escapes: what is not
    /// in the bytes need not be looked for in the record.
    package let keepsText: Bool

    package typealias Find =
        @Sendable (
            _ bytes: borrowing Span<UInt8>, _ isFirst: Bool, _ isLast: Bool, _ places: inout [Int]
        ) -> Int

    package init(closing: [UInt8]? = nil, keepsText: Bool = true, find: @escaping Find) {
        self.closing = closing
        self.keepsText = keepsText
        self.find = find
    }
}
