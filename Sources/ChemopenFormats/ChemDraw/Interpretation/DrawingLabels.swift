import ChemopenModel

/// Words of a page that are drawn as atoms: "A", "1a", "12, 98%", "– H2O". A step may name them beside its molecules.
struct DrawingLabels {
    let drawing: Drawing
    let fragments: [DrawnFragment]

    /// The word that a molecule is; nothing where it is one.
    func label(of fragment: Int) -> Text? {
        let molecule = fragments[fragment].molecule
        guard molecule.atoms.count == 1, !molecule.hasAbbreviations, let atom = molecule.atoms.first, atom.charge == 0,
            atom.isotope == 0, atom.mapNumber == 0, atom.radical == .none
        else { return nil }
        let nodes = drawing.children(of: fragments[fragment].object, .node)
        guard nodes.count == 1, let node = nodes.first, let text = drawing.children(of: node, .text).first else {
            return nil
        }
        let words = drawing.text(of: text).trimmed
        return PageLabel.isLabel(words.string) ? words : nil
    }
}

extension DrawingLabels {
    /// The name of a variable that is drawn alone, to define it beside a reaction: `R1`, `X–`; nothing for a compound.
    func variable(_ fragment: Int) -> Text? {
        let molecule = fragments[fragment].molecule
        guard 1...2 ~= molecule.atoms.count, !molecule.hasAbbreviations,
            molecule.atoms.allSatisfy({ $0.element == .none })
        else { return nil }
        var name: Text?
        for node in drawing.children(of: fragments[fragment].object) where drawing.kind(of: node) == .node {
            let label = drawing.children(of: node, .text).first.map { drawing.text(of: $0).trimmed } ?? Text()
            if label.isEmpty || label == FragmentReader.anything { continue }
            // A word that the program took for no variable may be a compound, unless it ends in a bond.
            let isGeneric = [.genericNickname, .namedAlternatives].contains(NodeType(of: node, in: drawing))
            guard name == nil, PageLabel.isVariable(label.string, withBond: !isGeneric) else { return nil }
            name = label
        }
        return name
    }
}

extension DrawnReaction {
    /// Leaves out the variables that are drawn beside the reactants and products, and tells so.
    mutating func leaveOutVariables(_ labels: DrawingLabels) {
        for (name, side) in [
            ("Reactants", \Self.reactants), ("Products", \Self.products), ("Agents", \Self.agents),
        ] {
            var names: [Text] = []
            let left = self[keyPath: side].filter { fragment in
                guard let name = labels.variable(fragment) else { return true }
                names.append(name)
                return false
            }
            if names.isEmpty || left.isEmpty && name != "Agents" { continue }
            self[keyPath: side] = left
            for variable in names { fields.append((Text(name), variable)) }
            let list = names.prefix(5).map(\.string).joined(separator: ", ")
            issues.note(labels.drawing.issue("variables that are bonded to nothing, no molecules: \(list)", at: offset))
        }
    }
}

/// How words look that are no compounds.
enum PageLabel {
    /// Elements that nobody writes by their letter alone where they stand for a compound.
    private static let letters: Set<Character> = ["A", "B", "C", "E", "G", "J"]

    /// Whether a text is a letter, a number with or without a letter or a yield, or something that is split off.
    static func isLabel(_ text: String) -> Bool {
        var words = text[...]
        if words.last == "+", words.dropLast().last == " " {
            words = words.dropLast()
            while words.last == " " { words.removeLast() }
        }
        if let first = words.first, ["-", "–", "−"].contains(first) {
            return words.dropFirst().contains { $0.isLetter }
        }
        if words.first == "(", words.last == ")" { words = words.dropFirst().dropLast() }
        if let last = words.last, [")", ".", ":"].contains(last) { words.removeLast() }
        guard let first = words.first else { return false }
        if letters.contains(first) { return words.count == 1 }
        return isNumber(words)
    }

    /// Whether a text is the name of a variable: `R`, `R1`, `1R–`, `Ar`, `X`.
    ///
    /// - Parameter withBond: it has to end in a dash.
    static func isVariable(_ text: String, withBond: Bool) -> Bool {
        var name = text[...]
        while let last = name.last, ["-", "–", "−", "—"].contains(last) { name.removeLast() }
        while let first = name.first, ["-", "–", "−", "—"].contains(first) { name.removeFirst() }
        if withBond, name.count == text.count { return false }
        name = name.drop { $0.isNumber }
        while let last = name.last, last.isNumber || ["'", "′", "″", "’"].contains(last) { name.removeLast() }
        return ["R", "X", "Y", "Z", "Q", "G", "M", "L", "Ar", "Alk", "Het"].contains(name)
            || name.count == 2 && name.first == "R" && name.last.map { $0.isLowercase || $0.isUppercase } == true
                && ChemicalElement(symbol: String(name)) == nil
    }

    /// Whether it is a number with at most a small letter or a prime, and perhaps words behind a comma or a blank.
    private static func isNumber(_ words: Substring) -> Bool {
        var rest = words.drop { $0.isASCII && $0.isNumber }
        guard rest.count < words.count else { return false }
        if let letter = rest.first, letter.isLowercase { rest.removeFirst() }
        while let prime = rest.first, ["'", "′", "’"].contains(prime) { rest.removeFirst() }
        guard let next = rest.first else { return true }
        if next == "," || next == ":" { return true }
        return next == " " && rest.last == "%"
    }
}
