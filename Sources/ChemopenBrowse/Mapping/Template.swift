import Chemopen

/// A text with placeholders for values of a record: `{USE}` is a data field, `{#formula}` is derived from the
/// structure.
///
/// A doubled brace stands for a literal brace. If no placeholder has a value, the text is empty.
struct Template: Sendable, Hashable {
    private enum Fact: String, Sendable, CaseIterable {
        case name, formula, mass, number, file
    }

    private enum Piece: Sendable, Hashable {
        case text(String)
        case field(Text)
        case fact(Fact)
    }

    private var pieces: [Piece] = []

    struct Fault: Error, Sendable {
        let expectation: String
    }

    init(_ text: String) throws(Fault) {
        var plain = ""
        var rest = text[...]
        while let letter = rest.popFirst() {
            guard letter == "{" || letter == "}" else {
                plain.append(letter)
                continue
            }
            if rest.first == letter {
                plain.append(letter)
                rest.removeFirst()
                continue
            }
            guard letter == "{", let end = rest.firstIndex(of: "}"), end > rest.startIndex else {
                throw Fault(expectation: "a text with a name in each pair of braces")
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if name.hasPrefix("#") {
                guard let fact = Fact(rawValue: String(name.dropFirst())) else {
                    let names = Fact.allCases.map { "#" + $0.rawValue }
                    throw Fault(
                        expectation: "made of fields and \(names.joined(separator: ", ")); there is no \(name)"
                            + suggestion(for: name, among: names))
                }
                pieces.append(.fact(fact))
            } else {
                pieces.append(.field(Text(name)))
            }
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
    }

    /// Whether a placeholder is derived from the structure.
    var readsStructure: Bool {
        pieces.contains { $0 == .fact(.formula) || $0 == .fact(.mass) }
    }

    /// Whether a placeholder depends on the file or on the position of the record in it.
    var readsPosition: Bool {
        pieces.contains { $0 == .fact(.number) || $0 == .fact(.file) }
    }

    /// Returns the text for a record. It is empty if the record cannot be read.
    func text(of record: BrowsedRecord, in file: String) -> String {
        guard let content = record.record else { return "" }
        var text = ""
        var hasValue = !pieces.contains { if case .text = $0 { false } else { true } }
        for piece in pieces {
            let value: String
            switch piece {
            case .text(let plain):
                text += plain
                continue
            case .field(let name): value = content.fields.first { $0.name == name }?.value.string ?? ""
            case .fact(.name): value = content.title.string
            case .fact(.formula): value = content.subject.formula
            case .fact(.mass):
                let mass = content.molecule.map { $0.atoms.isEmpty ? 0 : $0.mass } ?? 0
                value = mass > 0 ? "\((mass * 100).rounded() / 100)" : ""
            case .fact(.number): value = "\(record.number)"
            case .fact(.file): value = file
            }
            let shown = value.trimmingBlanks
            if !shown.isEmpty { hasValue = true }
            text += shown
        }
        return hasValue ? text.trimmingBlanks : ""
    }
}

extension Record.Subject {
    /// The formula of a molecule, or the formulas of a reaction's products.
    fileprivate var formula: String {
        switch self {
        case .none: ""
        case .molecule(let molecule): molecule.formula
        case .reaction(let reaction): reaction.products.map { $0.molecule.formula }.joined(separator: " + ")
        }
    }
}
