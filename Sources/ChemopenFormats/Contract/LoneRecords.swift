import ChemopenBytes

/// How a record of a format is read by itself, without those before it. Where a record begins and ends its reader says:
/// an index of a large file is made by passing over all records once.
package struct LoneRecords: Sendable {
    /// The bytes that close a piece of the file that begins with the file's head; nothing where records stand by
    /// themselves.
    package let closing: [UInt8]?

    /// Any text of a record stands in one piece among its bytes, apart from the characters that XML escapes: what is not
    /// in the bytes need not be looked for in the record.
    package let keepsText: Bool

    /// Whether that is not so in some bytes, as a text in them may be broken or spelled otherwise.
    package let breaksText: @Sendable (borrowing Span<UInt8>) -> Bool

    package init(
        closing: StaticString? = nil, keepsText: Bool = true,
        breaksText: @escaping @Sendable (borrowing Span<UInt8>) -> Bool = { _ in false }
    ) {
        self.closing = closing.map { Array($0.description.utf8) }
        self.keepsText = keepsText
        self.breaksText = breaksText
    }
}
