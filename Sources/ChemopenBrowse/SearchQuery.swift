import Chemopen

/// Where a search looks.
enum SearchDomain: Sendable, Hashable {
    /// Names, headings, registry numbers, and names and values of data fields.
    case all
    case name
    /// Hill formulas that begin so.
    case formula
    /// A condition on a field: `MASS < 500`.
    case condition
    case field(String)

    init?(_ key: String) {
        switch key {
        case "all": self = .all
        case "name": self = .name
        case "formula": self = .formula
        case "condition": self = .condition
        default:
            guard key.hasPrefix(Self.fieldPrefix), key.count > Self.fieldPrefix.count else { return nil }
            self = .field(String(key.dropFirst(Self.fieldPrefix.count)))
        }
    }

    private static let fieldPrefix = "field:"

    var key: String {
        switch self {
        case .all: "all"
        case .name: "name"
        case .formula: "formula"
        case .condition: "condition"
        case .field(let name): Self.fieldPrefix + name
        }
    }

    /// The search's name in a menu.
    var label: String {
        switch self {
        case .all: "All fields"
        case .name: "Name"
        case .formula: "Formula"
        case .condition: "Condition"
        case .field(let name): name
        }
    }
}

/// A search that is ready to be held against records.
struct SearchQuery: Sendable {
    let domain: SearchDomain
    /// The bytes without which no record can fit.
    let bytes: SoughtBytes?
    private let text: String
    private let condition: FieldCondition?
    /// The field that a condition asks for.
    var field: Text? { condition?.field }

    init(_ text: String, in domain: SearchDomain) throws(FieldCondition.SyntaxError) {
        let text = text.trimmingBlanks
        self.domain = domain
        switch domain {
        case .all, .name, .field:
            self.text = text.lowercased()
            bytes = SoughtBytes(text)
            condition = nil
        case .formula:
            self.text = Self.hill(text)
            bytes = nil
            condition = nil
        case .condition:
            self.text = text
            let condition = try FieldCondition(text)
            bytes = SoughtBytes(condition.field.string)
            self.condition = condition
        }
    }

    func fits(_ record: Record) -> Bool {
        switch domain {
        case .all: isInAll(record)
        case .name: contains(record.title)
        case .formula: formulas(of: record.subject).contains(where: begins)
        case .condition: condition?.holds(for: record) ?? false
        case .field(let name):
            record.fields.contains { $0.name == Text(name) && contains($0.value) }
        }
    }

    private func isInAll(_ record: Record) -> Bool {
        if contains(record.title) || record.registry.contains(where: { contains($0.number) }) { return true }
        switch record.subject {
        case .none: break
        case .molecule(let molecule):
            if contains(molecule.comment) || contains(molecule.origin) { return true }
        case .reaction(let reaction):
            if contains(reaction.comment) || reaction.components.contains(where: { contains($0.molecule.name) }) {
                return true
            }
        }
        return record.fields.contains { contains($0.name) || contains($0.value) }
    }

    private func contains(_ text: Text) -> Bool {
        if let bytes { return bytes.occur(in: text.bytes.span, 0..<text.bytes.count) }
        return text.string.lowercased().contains(self.text)
    }

    // MARK: Formulas

    private func formulas(of subject: Record.Subject) -> [String] {
        switch subject {
        case .none: []
        case .molecule(let molecule): [molecule.formula]
        case .reaction(let reaction): reaction.components.map { $0.molecule.formula }
        }
    }

    /// Whether a formula begins with the one that is sought, no element's name or count cut in two.
    private func begins(_ formula: String) -> Bool {
        guard formula.hasPrefix(text) else { return false }
        guard let next = formula.utf8.dropFirst(text.utf8.count).first else { return true }
        let isWhole = !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next) && !Ascii.isDigit(next)
        return isWhole || text.isEmpty
    }

    /// A formula in Hill's order, as far as the text is one; otherwise the text.
    static func hill(_ text: String) -> String {
        var entries: [(symbol: String, count: Int)] = []
        var rest = Array(text.utf8.filter { $0 > Ascii.blank })[...]
        while let first = rest.popFirst() {
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return text }
            var symbol = [first]
            while let next = rest.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next) {
                symbol.append(next)
                rest = rest.dropFirst()
            }
            var count = 0
            var isCounted = false
            while let digit = rest.first, Ascii.isDigit(digit), count < 1_000_000 {
                count = count * 10 + Int(digit & 15)
                isCounted = true
                rest = rest.dropFirst()
            }
            let name = String(decoding: symbol, as: UTF8.self)
            let added = isCounted ? count : 1
            if let place = entries.firstIndex(where: { $0.symbol == name }) {
                entries[place].count += added
            } else {
                entries.append((name, added))
            }
        }
        let hasCarbon = entries.contains { $0.symbol == "C" }
        func rank(_ symbol: String) -> String {
            hasCarbon && symbol == "C" ? "" : hasCarbon && symbol == "H" ? " " : symbol
        }
        entries.sort { rank($0.symbol) < rank($1.symbol) }
        return entries.filter { $0.count > 0 }.map { $0.symbol + ($0.count > 1 ? "\($0.count)" : "") }.joined()
    }
}
