/// Lines of V2000 molfiles with every column in its position.
///
/// The atoms of such a molfile start in line 5, and the bonds in the line after the last atom.
enum V2000 {
    /// An atom line of 69 columns.
    ///
    ///     xxxxx.xxxxyyyyy.yyyyzzzzz.zzzz aaaddcccssshhhbbbvvvHHHrrriiimmmnnneee
    static func atom(
        _ symbol: String = "C", at position: String = "    1.0000    0.0000    0.0000", massDifference: Int = 0,
        charge: Int = 0, parity: Int = 0, hydrogens: Int = 0, care: Int = 0, valence: Int = 0, map: Int = 0,
        inversion: Int = 0, exactChange: Int = 0
    ) -> String {
        let symbol = symbol + String(repeating: " ", count: max(0, 3 - symbol.utf8.count))
        let codes = [charge, parity, hydrogens, care, valence, 0, 0, 0, map, inversion, exactChange]
        return position + " " + symbol + column(massDifference, 2) + codes.map { column($0) }.joined()
    }

    /// Returns a bond line of 21 columns.
    static func bond(
        _ from: Int, _ to: Int, _ type: Int = 1, stereo: Int = 0, topology: Int = 0, center: Int = 0
    ) -> String {
        [from, to, type, stereo, 0, topology, center].map { column($0) }.joined()
    }

    /// Returns a counts line.
    static func counts(_ atoms: Int, _ bonds: Int, lists: Int = 0, chiral: Int = 0, texts: Int = 0) -> String {
        [atoms, bonds, lists, 0, chiral, texts].map { column($0) }.joined() + "  0  0  0  0999 V2000"
    }

    /// Returns a molfile up to `M  END`. By default, `counts` is the correct counts line.
    static func molfile(
        title: String = "title", counts: String? = nil, atoms: [String] = [atom()], bonds: [String] = [],
        properties: [String] = [], end: String = "M  END\n"
    ) -> String {
        let counts = counts ?? Self.counts(atoms.count, bonds.count)
        return ([title, "", "", counts] + atoms + bonds + properties).map { $0 + "\n" }.joined() + end
    }

    /// Returns a molfile of carbons in a chain.
    static func chain(_ length: Int, title: String = "title", properties: [String] = []) -> String {
        let atoms = (0..<length).map { atom(at: column($0, 5) + ".0000    0.0000    0.0000") }
        let bonds = (1..<max(1, length)).map { bond($0, $0 + 1) }
        return molfile(title: title, atoms: atoms, bonds: bonds, properties: properties)
    }

    /// Returns a right-aligned number.
    static func column(_ number: Int, _ width: Int = 3) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, width - digits.utf8.count)) + digits
    }
}
