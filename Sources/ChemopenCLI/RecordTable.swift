import Chemopen

/// The table that `info` prints: one line per record, in columns.
struct RecordTable {
    private static let titleWidth = 24
    private static let formulaWidth = 16
    private static let noTitle = [UInt8(ascii: "-")]

    func heading(_ path: String, _ format: Format) -> Styled {
        Styled(path, .file) + ": " + Styled(format.name, .heading)
    }

    /// Formats the line of a record for a terminal. Columns are narrower if there is little room, and details that do
    /// not fit are omitted.
    func line(_ record: Record, at place: RecordPlace, columns: Int) -> Styled {
        let widths = Self.widths(columns)
        var line = Styled("\(place.record)".rightAligned(in: 5), .dim) + "  "
        var details: [String] = []
        let name = record.shownName.isEmpty ? "-" : record.shownName.shown
        switch record.subject {
        case .none:
            if !record.shownName.isEmpty { line += Styled(name).fitted(to: widths.title) + "  " }
            details.append("no structure")
        case .molecule(let molecule):
            line += Styled(name).fitted(to: widths.title) + "  "
            var formula: [UInt8] = []
            appendFormula(of: molecule, to: &formula)
            line += Styled(String(decoding: formula, as: UTF8.self), .formula).fitted(to: widths.formula) + "  "
            details += counts(molecule)
        case .reaction(let reaction):
            line += Styled(name).fitted(to: widths.title) + "  "
            line += Styled(describe(reaction), .formula).truncated(to: max(8, columns - line.width))
        }
        if !place.version.isEmpty { details.append(place.version) }
        if record.fields.count > 0 { details.append(Self.count(record.fields.count, "field")) }
        var isFirst = if case .reaction = record.subject { false } else { true }
        for detail in details {
            let text = (isFirst ? "" : ", ") + detail
            if line.width + text.displayWidth > columns { break }
            line.append(text)
            isFirst = false
        }
        return line.withoutTrailingBlanks
    }

    /// The widths of the columns for titles and formulas.
    private static func widths(_ columns: Int) -> (title: Int, formula: Int) {
        if columns < 60 { return (max(6, columns - 21), 12) }
        if columns < 90 { return (18, 14) }
        return (titleWidth + min(16, max(0, columns - 100)), formulaWidth)
    }

    private func counts(_ molecule: Molecule) -> [String] {
        var words = [Self.count(molecule.atoms.count, "atom"), Self.count(molecule.bonds.count, "bond")]
        switch molecule.dimensions {
        case 3: words.append("3D")
        case 0 where !molecule.atoms.isEmpty: words.append("not drawn")
        default: break
        }
        return words
    }

    private static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)" + (number == 1 ? "" : "s")
    }

    /// Appends the line of a record. Characters that would control the terminal are replaced with dots.
    func append(_ record: Record, at place: RecordPlace, to line: inout [UInt8]) {
        line.appendPadded(place.record, width: 5)
        line.append("  ")
        switch record.subject {
        case .none:
            let name = record.shownName
            if !name.isEmpty { append(name, to: &line) }
            line.append("no structure")
        case .molecule(let molecule):
            append(record.shownName, to: &line)
            append(molecule, to: &line)
        case .reaction(let reaction):
            append(record.shownName, to: &line)
            line.append(contentsOf: printable(describe(reaction)).utf8)
        }
        if !place.version.isEmpty {
            line.append(", ")
            line.append(contentsOf: printable(place.version).utf8)
        }
        if record.fields.count > 0 {
            line.append(", ")
            append(record.fields.count, "field", to: &line)
        }
        line.append("\n")
    }

    /// Appends a name in its column, truncated if it is too long.
    private func append(_ title: Text, to line: inout [UInt8]) {
        let bytes = title.isEmpty ? Self.noTitle : title.bytes
        guard bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
            let text = title.shown
            let cut = text.count > Self.titleWidth ? text.prefix(Self.titleWidth - 1) + "…" : text[...]
            line.append(contentsOf: printable(String(cut).padded(to: Self.titleWidth)).utf8)
            line.append("  ")
            return
        }
        if bytes.count > Self.titleWidth {
            line.append(contentsOf: bytes[..<(Self.titleWidth - 1)])
            line.append("…  ")
        } else {
            line.append(contentsOf: bytes)
            line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: Self.titleWidth + 2 - bytes.count))
        }
    }

    private func appendFormula(of molecule: Molecule, to line: inout [UInt8]) {
        let composition = molecule.composition()
        let start = line.count
        composition.formula.append(to: &line)
        if composition.charge != 0 { line.append(contentsOf: Self.charge(composition.charge).utf8) }
        if line.count == start { line.append("-") }
    }

    private func append(_ molecule: Molecule, to line: inout [UInt8]) {
        let start = line.count
        appendFormula(of: molecule, to: &line)
        let blanks = max(0, Self.formulaWidth - (line.count - start)) + 2
        line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: blanks))
        append(molecule.atoms.count, "atom", to: &line)
        line.append(", ")
        append(molecule.bonds.count, "bond", to: &line)
        switch molecule.dimensions {
        case 3: line.append(", 3D")
        case 0 where !molecule.atoms.isEmpty: line.append(", not drawn")
        default: break
        }
    }

    private func describe(_ reaction: Reaction) -> String {
        func side(_ components: [Reaction.Component]) -> String {
            components.map { $0.molecule.formula.isEmpty ? "-" : $0.molecule.formula }.joined(separator: " + ")
        }
        let agents = reaction.agents.isEmpty ? "" : "[\(side(reaction.agents))] "
        let text = "\(side(reaction.reactants)) \(Self.sign(of: reaction.arrow)) \(agents)\(side(reaction.products))"
        return reaction.steps.count > 1 ? text + " in \(reaction.steps.count) steps" : text
    }

    /// Returns an arrow in ASCII. Several kinds of arrows in a sequence are shown as a plain one.
    private static func sign(of arrow: Reaction.Arrow?) -> String {
        switch arrow {
        case .forward, nil: "->"
        case .equilibrium, .equilibriumToProducts, .equilibriumToReactants: "<=>"
        case .resonance: "<->"
        case .retrosynthetic: "=>"
        case .hollow: "==>"
        case .crossed: "-x->"
        case .hashed: "-//->"
        case .dipole: "+->"
        }
    }

    private func append(_ number: Int, _ thing: StaticString, to line: inout [UInt8]) {
        line.appendDecimal(number)
        line.append(" ")
        line.append(thing)
        if number != 1 { line.append("s") }
    }

    /// Formats a charge: `+`, `2-`.
    static func charge(_ charge: Int) -> String {
        let sign = charge < 0 ? "-" : "+"
        return charge.magnitude == 1 ? sign : "\(charge.magnitude)\(sign)"
    }
}
