import ChemopenBytes
import ChemopenModel

/// The type of a sheet's column, left behind the field's name in the header line of its first value, so that it is found
/// there when the records come back: `>  <IC50>  DataSheet:real`.
package enum SheetMark {
    private static let word: StaticString = "DataSheet:"

    /// The header line of a field with the mark.
    package static func header(_ column: Column) -> Text {
        Text(bytes: Array(">  <".utf8) + column.name.bytes + Array(">  \(word)".utf8) + column.kind.name.bytes)
    }

    /// The kind that a header line is marked with, behind its last angle bracket.
    package static func kind(in header: Range<Int>, of bytes: Span<UInt8>) -> Column.Kind? {
        var start = header.upperBound
        while start > header.lowerBound, bytes[start - 1] != Ascii.greater { start -= 1 }
        guard start > header.lowerBound else { return nil }
        while start < header.upperBound, bytes[start] == Ascii.blank { start += 1 }
        guard bytes.range(start..<header.upperBound, begins: word) else { return nil }
        return Column.Kind(name: Text(bytes: bytes.bytes(start + word.utf8CodeUnitCount..<header.upperBound)))
    }
}
