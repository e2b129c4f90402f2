import ChemopenBytes

/// Where the parts of a record stand in its bytes: an edit of one of them leaves the lines of the others alone.
package struct RecordParts: Sendable {
    /// A data field with all of its lines.
    package struct Field: Sendable {
        /// From the line that names the field to the line that closes it.
        package let range: Range<Int>
        /// Where the lines of the value begin.
        package let value: Int
    }

    /// Where the record begins, behind a byte order mark or the lines that head a file.
    package var start = 0
    /// The title, without the end of its line; `nil` where it has no line of its own.
    package var title: Range<Int>?
    /// Where the structure ends, and the data begin.
    package var endOfStructure: Int
    /// The data fields, in their order.
    package var fields: [Field] = []
    /// The bytes that the last line lacks in front of another data field.
    package var closing: [UInt8] = []

    /// A record that has no data.
    init(structureUpTo end: Int) {
        endOfStructure = end
    }

    /// Where the last data field ends.
    package var endOfFields: Int { fields.last?.range.upperBound ?? endOfStructure }

    /// A record of a file of one molecule, which has its title in the first line.
    @Sendable static func ofMolfile(_ record: borrowing Span<UInt8>) -> RecordParts? {
        let bytes = copy record
        var parts = RecordParts(structureUpTo: bytes.count)
        parts.start = bytes.startOfText
        let lines = LineCursor(parts.start..<bytes.count, of: bytes)
        if let line = lines.peek(in: bytes), !bytes.range(line, begins: "$") { parts.title = line }
        return parts
    }

    /// A record of a file of one reaction, which has its title behind the first line.
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
