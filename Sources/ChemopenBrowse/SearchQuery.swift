import Chemopen

/// The part of a record that is searched.
enum SearchDomain: Sendable, Hashable {
    /// Names, headings, registry numbers, names and values of data fields, and formulas as lists show them.
    case all
    case name
    /// Hill formulas with a given prefix.
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

    /// The name of the domain in a menu.
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

/// A parsed search query.
struct SearchQuery: Sendable {
    let domain: SearchDomain
    /// Bytes that each matching record must contain.
    let bytes: SoughtBytes?
    private let text: String
    /// The formula to search. If all fields are searched, it is set only for text that is almost certainly a formula.
    private let formula: String?
    /// The bytes of the searched text.
    private let needle: SoughtBytes?
    /// The conditions that a record must satisfy.
    private let conditions: [RecordFilter]
    /// The reason why the search cannot be run on this machine, or `nil` if it can.
    var problem: String? { conditions.lazy.compactMap(\.problem).first }

    /// The records that the conditions select.
    var selection: RecordSelection {
        var selection = RecordSelection()
        selection.conditions = conditions
        return selection
    }

    /// Whether records are tested without their structures.
    var skipsStructures: Bool {
        guard conditions.allSatisfy({ !$0.readsStructures && $0.computedNames.isEmpty }) else { return false }
        if text.isEmpty { return true }
        switch domain {
        case .field, .condition: return true
        case .all, .name, .formula: return false
        }
    }

    /// - Parameter filter: a condition that a record must satisfy in addition to the text.
    init(
        _ text: String, in domain: SearchDomain, where filter: String = ""
    ) throws(RecordFilter.SyntaxError) {
        let text = text.trimmingBlanks
        self.domain = domain
        var conditions: [RecordFilter] = []
        var (formula, needle): (String?, SoughtBytes?)
        switch domain {
        case .all, .name, .field:
            self.text = text.lowercased()
            formula = domain == .all && Self.isFormula(text) ? text : nil
            // A record can match by its formula without containing the formula as text.
            needle = formula == nil ? SoughtBytes(text) : nil
        case .formula:
            self.text = text
            formula = hillFormula(text)
        case .condition:
            self.text = text
            if !text.isEmpty { conditions.append(try RecordFilter(text)) }
        }
        if !filter.trimmingBlanks.isEmpty { conditions.append(try RecordFilter(filter)) }
        (self.formula, self.needle, self.conditions) = (formula, needle, conditions)
        if let needle {
            bytes = needle
        } else if let condition = conditions.first, conditions.count == 1, condition.fields.count == 1 {
            bytes = condition.neededField.flatMap { SoughtBytes($0.string) }
        } else {
            // If there are several fields, records without the first one are still needed to determine whether the
            // others exist.
            bytes = nil
        }
    }

    /// Returns whether a record matches. Updates `choice` for warnings about conditions that never match.
    ///
    /// - Parameter path: the file path for use in conditions.
    func fits(_ found: BrowsedRecord, in path: LocalPath, _ choice: inout SelectionStatistics) -> Bool {
        guard let record = found.record else { return false }
        if conditions.isEmpty { return text.isEmpty || holdsText(record) }
        choice.look(at: record)
        if !text.isEmpty, !holdsText(record) { return false }
        var context = RecordFilter.Context()
        context.place.record = found.number
        context.place.version = found.version
        context.file = path
        context.problems = found.issues.filter { $0.severity == .doubt }.map { Text($0.message) }
        for condition in conditions {
            let outcome = condition.outcome(for: record, context)
            if outcome == .holds { continue }
            choice.note(condition, record, outcome)
            return false
        }
        return true
    }

    private func holdsText(_ record: Record) -> Bool {
        switch domain {
        case .all: isInAll(record) || hasFormula(record)
        case .name: contains(record.title)
        case .formula: hasFormula(record)
        case .condition: true
        case .field(let name): record.fields.contains { $0.name == Text(name) && contains($0.value) }
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
        if let needle { return needle.occur(in: text.bytes.span, 0..<text.bytes.count) }
        return text.string.lowercased().firstRange(ofPart: self.text) != nil
    }

    // MARK: Formulas

    /// Returns whether a text is a formula as lists show it: at least two elements in Hill order, and a number.
    ///
    /// Names with numbers, such as `NSC123`, `CHEMBL25` and `B12`, are not formulas.
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

    /// Returns whether a formula starts with another one and continues with a new element.
    private func begins(_ formula: String, with sought: String) -> Bool {
        guard formula.hasPrefix(sought) else { return false }
        guard let next = formula.utf8.dropFirst(sought.utf8.count).first else { return true }
        let isWhole = !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next) && !Ascii.isDigit(next)
        return isWhole || sought.isEmpty
    }
}
