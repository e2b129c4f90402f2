import Chemopen

/// The line that shows a hit on a terminal: its file, number and title, and its SMILES with the matched atoms
/// highlighted.
struct HitLine {
    private var searches: [SubstructureSearch]
    private var text = SMILESText()

    /// The maximum number of matches that are highlighted in a molecule.
    private static let mostMatches = 100
    private static let widestTitle = 24

    /// Creates lines with the matches of patterns.
    init(_ patterns: [SMARTSPattern]) {
        searches = patterns.map { SubstructureSearch($0) }
    }

    /// Formats a hit.
    ///
    /// - Parameters:
    ///   - file: the name of the file, if it is shown.
    ///   - columns: the width of the terminal.
    mutating func line(
        _ record: Record?, number: Int, title: Text, in file: String?, columns: Int
    ) -> Styled {
        var line = Styled()
        if let file { line += Styled(file, .file) + ":" }
        line += Styled("\(number)", .number) + ":  "
        let rest = columns - line.width
        let smiles = record.map { self.smiles(of: $0) } ?? Styled()
        let name = title.isEmpty ? "-" : title.shown
        if smiles.parts.isEmpty || rest < 20 { return line + Styled(name).truncated(to: max(8, rest)) }
        let width = min(Self.widestTitle, rest / 3)
        line += Styled(name).fitted(to: width) + "  "
        return line + Self.window(of: smiles, columns: max(8, columns - line.width))
    }

    /// Returns the part of a text around its first highlighted character if it is too long.
    static func window(of text: Styled, columns: Int) -> Styled {
        if text.width <= columns { return text }
        let cells = text.parts.flatMap { part in part.text.map { ($0, part.style) } }
        let hit = cells.firstIndex { $0.1 == .hit } ?? 0
        let start = hit < columns * 3 / 4 ? 0 : hit - columns / 4
        let room = columns - (start > 0 ? 1 : 0)
        let isCut = cells.count - start > room
        var shown = Styled(start > 0 ? "…" : "", .dim)
        for (character, style) in cells[start...].prefix(isCut ? room - 1 : room) {
            shown.append(String(character), style)
        }
        if isCut { shown.append("…", .dim) }
        return shown
    }

    /// Formats the structure of a record as SMILES.
    mutating func smiles(of record: Record) -> Styled {
        var record = record
        record.expandAbbreviations()
        switch record.subject {
        case .none: return Styled()
        case .molecule(let molecule): return smiles(of: molecule)
        case .reaction(let reaction):
            let sides = [reaction.reactants, reaction.agents, reaction.products].map { side in
                side.enumerated().reduce(into: Styled()) { sum, component in
                    if component.offset > 0 { sum.append(".") }
                    sum += smiles(of: component.element.molecule)
                }
            }
            return sides[0] + ">" + sides[1] + ">" + sides[2]
        }
    }

    private mutating func smiles(of molecule: Molecule) -> Styled {
        var matched: Set<Int> = []
        for place in searches.indices {
            for match in searches[place].matches(in: molecule, atMost: Self.mostMatches) { matched.formUnion(match) }
        }
        text.removeAll()
        text.append(molecule)
        return Self.highlighted(text.bytes, text.order, matched)
    }

    /// Highlights atoms, and the bonds between them if they are next to each other in the text.
    static func highlighted(_ smiles: [UInt8], _ order: [Int], _ matched: Set<Int>) -> Styled {
        var line = Styled()
        var atom = 0
        var wasHit = false
        /// Bonds and brackets since the last atom.
        var between: [UInt8] = []
        var place = 0
        while place < smiles.count {
            guard let length = atomLength(smiles, at: place) else {
                // The two digits of a ring bond can look like isotopes, but never like an atom.
                between.append(smiles[place])
                place += 1
                continue
            }
            let isHit = order.indices.contains(atom) && order[atom] >= 0 && matched.contains(order[atom])
            line.append(String(decoding: between, as: UTF8.self), wasHit && isHit ? .hit : .plain)
            between = []
            line.append(String(decoding: smiles[place..<place + length], as: UTF8.self), isHit ? .hit : .plain)
            (wasHit, atom, place) = (isHit, atom + 1, place + length)
        }
        line.append(String(decoding: between, as: UTF8.self))
        return line
    }

    /// Returns the length of the atom that starts at a position, with the numbers of its ring bonds; `nil` if no atom
    /// starts there.
    private static func atomLength(_ smiles: [UInt8], at place: Int) -> Int? {
        guard let symbol = symbolLength(smiles, at: place) else { return nil }
        let rest = smiles[(place + symbol)...]
        return symbol + rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "%") }.count
    }

    private static func symbolLength(_ smiles: [UInt8], at place: Int) -> Int? {
        let byte = smiles[place]
        if byte == UInt8(ascii: "[") {
            let end = smiles[place...].firstIndex(of: UInt8(ascii: "]")) ?? smiles.count - 1
            return end - place + 1
        }
        let next = place + 1 < smiles.count ? smiles[place + 1] : 0
        if byte == UInt8(ascii: "C"), next == UInt8(ascii: "l") { return 2 }
        if byte == UInt8(ascii: "B"), next == UInt8(ascii: "r") { return 2 }
        return Array("BCNOPSFIbcnops*".utf8).contains(byte) ? 1 : nil
    }
}
