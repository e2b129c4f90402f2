import ChemopenBytes
import ChemopenModel

/// How the entries of a list of elements are spelled in both versions of a table.
enum ListEntry {
    /// The columns of an entry in V2000.
    static let columns = 4

    /// An entry as V3000 can say it, where blanks, commas and brackets separate.
    static func word(_ symbol: Text) -> [UInt8] {
        symbol.bytes.filter { $0 > Ascii.blank && $0 != 0x7F && $0 != 0x5D && $0 != Ascii.comma }
    }

    /// The entries of a list, each spelled by a function; those of which nothing is left are left out.
    static func all(_ list: ElementList, _ spell: (Text) -> [UInt8], _ losses: inout [Loss]) -> [[UInt8]] {
        let entries = list.symbols.map(spell)
        if zip(entries, list.symbols).contains(where: { $0 != $1.bytes && !isLong($1) }) {
            losses.note(.atomLists, "characters in an entry that separate entries")
        }
        return entries.filter { !$0.isEmpty }
    }

    /// Whether V2000 has no room for an entry.
    static func isLong(_ symbol: Text) -> Bool { column(symbol).count > columns }

    /// An entry as V2000 says it: what fits stays as it is.
    static func column(_ symbol: Text) -> [UInt8] {
        let trimmed = symbol.trimmed.bytes
        let fits = trimmed.count <= columns && trimmed.allSatisfy { $0 >= Ascii.blank && $0 != 0x7F }
        return fits ? trimmed : word(symbol)
    }
}
