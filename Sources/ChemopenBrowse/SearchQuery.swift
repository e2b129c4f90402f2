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
    private let condition: Criteria?
    /// The fields that a condition asks for.
    var fields: [Text] { condition?.comparedFields ?? [] }

    init(_ text: String, in domain: SearchDomain) throws(Criteria.SyntaxError) {
        let text = text.trimmingBlanks
        self.domain = domain
        switch domain {
        case .all, .name, .field:
            self.text = text.lowercased()
            bytes = SoughtBytes(text)
            condition = nil
        case .formula:
            self.text = hillFormula(text)
            bytes = nil
            condition = nil
        case .condition:
            self.text = text
            let condition = try Criteria(text)
            // With a second field, records without the first one tell whether that one is anywhere.
            bytes = condition.fields.count > 1 ? nil : condition.neededField.flatMap { SoughtBytes($0.string) }
            self.condition = condition
        }
    }

    func fits(_ record: Record, number: Int, in path: LocalPath) -> Bool {
        switch domain {
        case .all: return isInAll(record)
        case .name: return contains(record.title)
        case .formula: return formulas(of: record.subject).contains(where: begins)
        case .condition:
            var context = Criteria.Context()
            context.place.record = number
            context.file = path
            return condition?.holds(for: record, context) ?? false
        case .field(let name):
            return record.fields.contains { $0.name == Text(name) && contains($0.value) }
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
        return text.string.lowercased().firstRange(ofPart: self.text) != nil
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
}
