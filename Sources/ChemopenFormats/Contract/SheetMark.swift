import ChemopenBytes
import ChemopenModel

/// A mark for the type of a sheet's column, in the header line of the field's first value. It restores the type when
/// the records are converted back: `>  <IC50>  DataSheet:real`.
package enum SheetMark {
    private static let word: StaticString = "DataSheet:"

    /// Returns the header line of a field with the mark.
    package static func header(_ column: Column) -> Text {
        Text(bytes: Array(">  <".utf8) + column.name.bytes + Array(">  \(word)".utf8) + column.kind.name.bytes)
    }

    /// Returns the type marked in a header line, after its last angle bracket.
    package static func kind(in header: Range<Int>, of bytes: Span<UInt8>) -> Column.Kind? {
        var start = header.upperBound
        while start > header.lowerBound, bytes[start - 1] != Ascii.greater { start -= 1 }
        guard start > header.lowerBound else { return nil }
        while start < header.upperBound, bytes[start] == Ascii.blank { start += 1 }
        guard bytes.range(start..<header.upperBound, begins: word) else { return nil }
        return Column.Kind(name: Text(bytes: bytes.bytes(start + word.utf8CodeUnitCount..<header.upperBound)))
    }
}
