import ChemopenBytes
import ChemopenModel

/// The encoding of entries of an element list in both versions of a table.
enum ListEntry {
    /// The number of columns of a V2000 entry.
    static let columns = 4

    /// Returns an entry for V3000, without the blanks, commas and brackets that separate entries.
    static func word(_ symbol: Text) -> [UInt8] {
        symbol.bytes.filter { $0 > Ascii.blank && $0 != 0x7F && $0 != 0x5D && $0 != Ascii.comma }
    }

    /// Returns the encoded entries of a list, without empty ones.
    static func all(_ list: ElementList, _ spell: (Text) -> [UInt8], _ losses: inout [Loss]) -> [[UInt8]] {
        let entries = list.symbols.map(spell)
        if zip(entries, list.symbols).contains(where: { $0 != $1.bytes && !isLong($1) }) {
            losses.note(.atomLists, "characters in an entry that separate entries")
        }
        return entries.filter { !$0.isEmpty }
    }

    /// Whether an entry is too long for V2000.
    static func isLong(_ symbol: Text) -> Bool { column(symbol).count > columns }

    /// Returns an entry for V2000, which is unchanged if it fits.
    static func column(_ symbol: Text) -> [UInt8] {
        let trimmed = symbol.trimmed.bytes
        let fits = trimmed.count <= columns && trimmed.allSatisfy { $0 >= Ascii.blank && $0 != 0x7F }
        return fits ? trimmed : word(symbol)
    }
}
