import Chemopen

/// Where a search looks.
enum SearchDomain: Sendable, Hashable {
    /// Names, headings, registry numbers, names and values of data fields, and formulas as lists show them.
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
    /// The formula that is sought; in all fields only a text that can hardly be anything else.
    private let formula: String?
    private let condition: Criteria?
    /// Why the search has no result on this machine; `nil` if it has one.
    var problem: String? { condition?.problem }

    /// The records that a condition asks for.
    var selection: RecordSelection {
        var selection = RecordSelection()
        if let condition { selection.conditions = [condition] }
        return selection
    }

    init(_ text: String, in domain: SearchDomain) throws(Criteria.SyntaxError) {
        let text = text.trimmingBlanks
        self.domain = domain
        switch domain {
        case .all, .name, .field:
            self.text = text.lowercased()
            formula = domain == .all && Self.isFormula(text) ? text : nil
            // No file has a formula's letters where its record has the formula.
            bytes = formula == nil ? SoughtBytes(text) : nil
            condition = nil
        case .formula:
            self.text = text
            formula = hillFormula(text)
            bytes = nil
            condition = nil
        case .condition:
            self.text = text
            formula = nil
            let condition = try Criteria(text)
            // With a second field, records without the first one tell whether that one is anywhere.
            bytes = condition.fields.count > 1 ? nil : condition.neededField.flatMap { SoughtBytes($0.string) }
            self.condition = condition
        }
    }

    /// Whether a record of a file is sought; a condition that it does not fulfill may be the reason for a remark.
    ///
    /// - Parameter path: the file as a condition sees it.
    func fits(_ found: BrowsedRecord, in path: LocalPath, _ choice: inout RecordChoice) -> Bool {
        guard let record = found.record else { return false }
        switch domain {
        case .all: return isInAll(record) || hasFormula(record)
        case .name: return contains(record.title)
        case .formula: return hasFormula(record)
        case .condition:
            guard let condition else { return false }
            var context = Criteria.Context()
            context.place.record = found.number
            context.place.version = found.version
            context.file = path
            context.problems = found.issues.filter { $0.severity == .doubt }.map { Text($0.message) }
            choice.look(at: record)
            if condition.holds(for: record, context) { return true }
            choice.note(condition, record)
            return false
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

    /// Whether a text is a formula as lists show it: two elements or more, in their order, and a number.
    ///
    /// Names of registries with their numbers (`NSC123`, `CHEMBL25`) and of vitamins (`B12`) are not.
    private static func isFormula(_ text: String) -> Bool {
        guard text.utf8.contains(where: Ascii.isDigit), hillFormula(text) == text else { return false }
        let symbols = symbols(of: text)
        return symbols.count > 1 && symbols.allSatisfy { ChemicalElement(symbol: $0) != nil }
    }

    private static func symbols(of formula: String) -> [String] {
        formula.reduce(into: []) { symbols, character in
            if character.isUppercase { symbols.append("") }
            if character.isLetter, !symbols.isEmpty { symbols[symbols.count - 1].append(character) }
        }
    }

    private func hasFormula(_ record: Record) -> Bool {
        guard let formula else { return false }
        return switch record.subject {
        case .none: false
        case .molecule(let molecule): begins(molecule.formula, with: formula)
        case .reaction(let reaction): reaction.components.contains { begins($0.molecule.formula, with: formula) }
        }
    }

    /// Whether a formula begins with the one that is sought, no element's name or count cut in two.
    private func begins(_ formula: String, with sought: String) -> Bool {
        guard formula.hasPrefix(sought) else { return false }
        guard let next = formula.utf8.dropFirst(sought.utf8.count).first else { return true }
        let isWhole = !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next) && !Ascii.isDigit(next)
        return isWhole || sought.isEmpty
    }
}
