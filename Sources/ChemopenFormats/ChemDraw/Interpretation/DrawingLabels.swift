import ChemopenModel

/// Finds labels that are drawn as atoms: "A", "1a", "12, 98%", "– H2O". A step can list such labels together with its
/// molecules.
struct DrawingLabels {
    let drawing: Drawing
    let fragments: [DrawnFragment]

    /// Returns the text of a fragment that is a label; nil if it is a molecule.
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
    /// Returns the name of a variable that is drawn next to a reaction to define it, such as `R1` or `X–`; nil for a
    /// compound.
    func variable(_ fragment: Int) -> Text? {
        let molecule = fragments[fragment].molecule
        guard 1...2 ~= molecule.atoms.count, !molecule.hasAbbreviations,
            molecule.atoms.allSatisfy({ $0.element == .none })
        else { return nil }
        var name: Text?
        for node in drawing.children(of: fragments[fragment].object) where drawing.kind(of: node) == .node {
            let label = drawing.children(of: node, .text).first.map { drawing.text(of: $0).trimmed } ?? Text()
            if label.isEmpty || label == FragmentReader.anything { continue }
            // If the program did not treat a label as a variable, the label can be a compound, unless it ends in a
            // bond.
            let isGeneric = [.genericNickname, .namedAlternatives].contains(NodeType(of: node, in: drawing))
            guard name == nil, PageLabel.isVariable(label.string, withBond: !isGeneric) else { return nil }
            name = label
        }
        return name
    }
}

extension DrawnReaction {
    /// Removes variables that are drawn next to the reactants and products, and adds an issue.
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
            issues.note(labels.drawing.issue("variables without bonds are not read as molecules: \(list)", at: offset))
        }
    }
}

/// Recognizes texts that are not compounds.
enum PageLabel {
    /// Letters that are used as labels. `B` and `C` are element symbols, but alone they rarely mean a compound.
    private static let letters: Set<Character> = ["A", "B", "C", "E", "G", "J"]

    /// Whether a text is a letter, a number with an optional letter or yield, or a species that is split off.
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
    /// - Parameter withBond: Whether the text must have a dash at one of its ends.
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

    /// Whether a text is a number with an optional small letter and primes, and optional text after a comma, a colon
    /// or a blank.
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
