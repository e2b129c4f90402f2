import ChemopenModel

extension Picture {
    /// Creates a picture that describes a molecule in lines of text, because it cannot be drawn.
    init(describing molecule: Molecule, _ style: Style) {
        let lines = Self.lines(describing: molecule)
        let parts = lines.enumerated().map { place, line in
            Picture(
                words: line.shortened(to: 300, size: style.fontSize), size: style.fontSize,
                ink: place == 0 ? .line : .note)
        }
        let text = Picture(stacking: parts, gap: 2)
        self.init(width: text.width + 2 * style.padding, height: text.height + 2 * style.padding)
        add(text, at: Point(style.padding, style.padding))
    }

    private static let mostLines = 24

    private static func lines(describing molecule: Molecule) -> [String] {
        var lines: [String] = []
        let name = molecule.name.string.trimmed(to: 80)
        if !name.isEmpty { lines.append(name) }
        if molecule.atoms.isEmpty {
            return lines.isEmpty || lines == ["no structure"] ? ["no structure"] : lines + ["no structure"]
        }
        let counts = "\(count(molecule.atoms.count, "atom")), \(count(molecule.bonds.count, "bond"))"
        if molecule.atoms.count > 5000 { return lines + [counts] }
        let formula = molecule.formula
        if !formula.isEmpty { lines.append(formula) }
        lines.append(counts + ", no coordinates")
        let graph = BondGraph(of: molecule)
        let hydrogens = molecule.hydrogenCounts()
        for index in molecule.atoms.indices {
            if lines.count >= mostLines {
                lines.append("and \(molecule.atoms.count - index) more atoms")
                break
            }
            lines.append(line(ofAtom: index, of: molecule, hydrogens[index], graph))
        }
        return lines
    }

    /// Describes an atom and its neighbors with higher indices: `2 CH2: 3 OH, =4 O`.
    private static func line(ofAtom index: Int, of molecule: Molecule, _ hydrogens: Int, _ graph: BondGraph) -> String {
        var text = "\(index + 1) \(name(ofAtom: index, of: molecule))"
        if hydrogens > 0 { text += "H" + (hydrogens > 1 ? "\(hydrogens)" : "") }
        let charge = Int(molecule.atoms[index].charge)
        if charge != 0 { text += " (\(charge > 0 ? "+" : "\u{2212}")\(abs(charge) > 1 ? "\(abs(charge))" : ""))" }
        let neighbors = graph[index].filter { $0.atom > index }.prefix(12)
        if neighbors.isEmpty { return text }
        let names = neighbors.map { neighbor in
            sign(of: molecule.bonds[neighbor.bond].order) + "\(neighbor.atom + 1)"
        }
        return text + "   " + names.joined(separator: ", ")
    }

    private static func name(ofAtom index: Int, of molecule: Molecule) -> String {
        for case .alias(let text) in molecule.notes(onAtom: index) where !text.isEmpty {
            return text.string.trimmed(to: 20)
        }
        return molecule.symbol(ofAtom: index).string.trimmed(to: 20)
    }

    private static func sign(of order: Bond.Order) -> String {
        switch order {
        case .single: "\u{2013} "
        case .double: "= "
        case .triple: "≡ "
        case .aromatic: ": "
        case .dative: "→ "
        default: "~ "
        }
    }

    private static func count(_ number: Int, _ name: String) -> String {
        "\(number) \(name)" + (number == 1 ? "" : "s")
    }
}
