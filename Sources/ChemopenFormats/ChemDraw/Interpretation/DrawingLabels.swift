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
