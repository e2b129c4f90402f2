import ChemopenBytes
import ChemopenModel

/// The file of a table as text. An edit of a cell does not change any other bytes.
package protocol TableText: Sendable, SendableMetatype {
    /// Parses a file. Returns `nil` if its form does not permit editing.
    init?(_ bytes: borrowing Span<UInt8>)

    /// The bytes of each row, in order.
    var rows: [Range<Int>] { get }
    /// The number of columns in the header.
    var columnCount: Int { get }

    /// Returns the bytes before the first row with additional columns, and with the number of rows changed by a
    /// difference.
    func head(of bytes: [UInt8], adding columns: [Column], rows difference: Int) -> [UInt8]

    /// Returns the bytes that follow the rows.
    func rest(of bytes: [UInt8]) -> ArraySlice<UInt8>

    /// Returns the cells of a row with their columns, or `nil` if they cannot be separated.
    static func cells(of row: borrowing Span<UInt8>) -> [(column: Int, range: Range<Int>)]?

    /// Returns a row with some cells replaced, in the order of their columns. An empty array is an empty cell.
    static func row(_ row: [UInt8], with cells: [(column: Int, bytes: [UInt8])]) -> [UInt8]

    /// Returns a row with empty cells for additional columns.
    static func widened(_ row: [UInt8], from width: Int, to newWidth: Int) -> [UInt8]

    /// Returns a row with a new number, counted from 1.
    static func numbered(_ row: [UInt8], _ number: Int) -> [UInt8]
}
