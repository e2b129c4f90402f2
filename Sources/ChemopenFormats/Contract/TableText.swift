import ChemopenBytes
import ChemopenModel

/// The file of a table as its text: an edit of a cell leaves all other bytes alone.
package protocol TableText: Sendable, SendableMetatype {
    /// Takes a file apart; `nil` where it is spelled in a way in which it cannot be edited.
    init?(_ bytes: borrowing Span<UInt8>)

    /// The bytes of each row, one behind the other.
    var rows: [Range<Int>] { get }
    /// How many columns the head names.
    var columnCount: Int { get }

    /// The bytes in front of the first row with further columns, and with a number of rows that differs by so many.
    func head(of bytes: [UInt8], adding columns: [Column], rows difference: Int) -> [UInt8]

    /// The cells of a row by their columns; `nil` where they cannot be told apart.
    static func cells(of row: borrowing Span<UInt8>) -> [(column: Int, range: Range<Int>)]?

    /// A row with other bytes in some of its cells, in the order of their columns. No bytes are an empty cell.
    static func row(_ row: [UInt8], with cells: [(column: Int, bytes: [UInt8])]) -> [UInt8]

    /// A row of a table that has got more columns, with no value in them.
    static func widened(_ row: [UInt8], from width: Int, to newWidth: Int) -> [UInt8]

    /// A row that has got another place, from 1.
    static func numbered(_ row: [UInt8], _ number: Int) -> [UInt8]
}
