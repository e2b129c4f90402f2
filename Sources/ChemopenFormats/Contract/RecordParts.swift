import ChemopenBytes

/// The positions of a record's parts in its bytes. An edit of one part does not change the lines of the others.
package struct RecordParts: Sendable {
    /// A data field with all of its lines.
    package struct Field: Sendable {
        /// The bytes from the line with the name of the field to the line that ends it.
        package let range: Range<Int>
        /// The start of the lines with the value.
        package let value: Int
    }

    /// The start of the record, after a byte order mark or the header lines of a file.
    package var start = 0
    /// The title without its line end, or `nil` if the record has no line for it.
    package var title: Range<Int>?
    /// The end of the structure, where the data begin.
    package var endOfStructure: Int
    /// The data fields, in order.
    package var fields: [Field] = []
    /// The bytes that must complete the last line before another data field can be added.
    package var closing: [UInt8] = []

    /// Creates the parts of a record without data fields.
    init(structureUpTo end: Int) {
        endOfStructure = end
    }

    /// The end of the last data field.
    package var endOfFields: Int { fields.last?.range.upperBound ?? endOfStructure }

    /// Returns the parts of a molfile, which has its title in the first line.
    @Sendable static func ofMolfile(_ record: borrowing Span<UInt8>) -> RecordParts? {
        let bytes = copy record
        var parts = RecordParts(structureUpTo: bytes.count)
        parts.start = bytes.startOfText
        let lines = LineCursor(parts.start..<bytes.count, of: bytes)
        if let line = lines.peek(in: bytes), !bytes.range(line, begins: "$") { parts.title = line }
        return parts
    }

    /// Returns the parts of an RXN file, which has its title after the `$RXN` line.
    @Sendable static func ofReaction(_ record: borrowing Span<UInt8>) -> RecordParts? {
        let bytes = copy record
        var parts = RecordParts(structureUpTo: bytes.count)
        parts.start = bytes.startOfText
        var lines = LineCursor(parts.start..<bytes.count, of: bytes)
        while let line = lines.next(in: bytes), !bytes.range(line, begins: "$RXN") {}
        parts.title = lines.peek(in: bytes)
        return parts
    }
}
