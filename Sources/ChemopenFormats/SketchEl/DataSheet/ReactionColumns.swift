import ChemopenBytes
import ChemopenModel

/// The columns of a DataSheet that represent reactions, one step per row. They are the columns of the Reaction aspect,
/// and additional ones by Chemopen for the text at the arrow, its kind, and the reaction's comment.
public struct ReactionColumns: Sendable {
    /// The largest number of components in a step.
    private var reactants = 1
    private var products = 1
    private var reagents = 0
    private var conditions = 0
    private var hasArrows = false
    private var hasComments = false

    /// Creates the columns for a step with one reactant and one product.
    public init() {}

    /// Adds the columns that a reaction needs.
    public mutating func makeRoom(for reaction: Reaction) {
        for step in reaction.steps {
            reactants = max(reactants, step.reactants.count)
            products = max(products, step.products.count)
            reagents = max(reagents, step.agents.count)
            conditions = max(conditions, step.conditions.count)
            if step.arrow != .forward { hasArrows = true }
        }
        if !reaction.comment.isEmpty { hasComments = true }
    }

    /// The extension that describes the columns.
    public var aspect: SheetHeader.Extension {
        SheetHeader.Extension(
            name: "Reaction", type: Text(SheetAspect.Kind.reaction.rawValue),
            content: Text("nreactants=\(reactants)\nnproducts=\(products)\nnreagents=\(reagents)\n"))
    }

    /// The columns in the order of the aspect.
    public var columns: [Column] {
        columns("Reactant", "reactant", reactants) + columns("Product", "product", products)
            + columns("Reagent", "reagent", reagents) + columnsOfText
    }

    private var columnsOfText: [Column] {
        var columns = (0..<conditions).map { number in
            Column(Self.conditions(number + 1), .string, summary: "Text at the arrow")
        }
        if hasArrows { columns.append(Column(Self.arrow, .string, summary: "Kind of the arrow")) }
        if hasComments { columns.append(Column(Self.comment, .string, summary: "Comment of the reaction")) }
        return columns
    }

    /// Returns the name of the column for a text at the arrow, counted from 1.
    static func conditions(_ number: Int) -> Text { Text("ReactionConditions\(number)") }

    static let arrow: Text = "ReactionArrow"

    static let comment: Text = "ReactionComment"

    private func columns(_ role: String, _ word: String, _ count: Int) -> [Column] {
        var columns: [Column] = []
        for number in 1..<(count + 1) {
            columns.append(
                Column(Text("\(role)Mol\(number)"), .molecule, summary: Text("Molecular structure of \(word)")))
            columns.append(Column(Text("\(role)Name\(number)"), .string, summary: Text("Name of \(word)")))
            if role == "Reagent" { continue }
            columns.append(Column(Text("\(role)Stoich\(number)"), .string, summary: Text("Stoichiometry of \(word)")))
        }
        return columns
    }

    /// Adds a step to the fields of a row. `first` is the index of the first reaction column.
    public func append(_ step: Reaction.Step, to fields: inout Fields, from first: Int) {
        append(step.reactants, width: 3, to: &fields, from: first)
        append(step.products, width: 3, to: &fields, from: first + 3 * reactants)
        append(step.agents, width: 2, to: &fields, from: first + 3 * (reactants + products))
        let texts = first + 3 * (reactants + products) + 2 * reagents
        for (place, text) in step.conditions.enumerated() { fields.append(column: texts + place, text.bytes[...]) }
        if step.arrow != .forward { fields.append(column: texts + conditions, Array(step.arrow.name.utf8)[...]) }
    }

    /// Adds the comment of a reaction to the fields of its first row.
    public func append(commentOf reaction: Reaction, to fields: inout Fields, from first: Int) {
        if reaction.comment.isEmpty { return }
        let column = first + 3 * (reactants + products) + 2 * reagents + conditions + (hasArrows ? 1 : 0)
        fields.append(column: column, reaction.comment.bytes[...])
    }

    private func append(_ components: [Reaction.Component], width: Int, to fields: inout Fields, from first: Int) {
        for (place, component) in components.enumerated() {
            let column = first + width * place
            var molecule = component.molecule
            let name = component.name.isEmpty ? molecule.name : component.name
            molecule.name = Text()
            if !molecule.atoms.isEmpty {
                fields.append(column: column, [])
                fields.structures.append(Indexed(fields.entries.count - 1, .molecule(molecule)))
            }
            if !name.isEmpty { fields.append(column: column + 1, name.bytes[...]) }
            if width > 2, !component.stoichiometry.isEmpty {
                fields.append(column: column + 2, component.stoichiometry.bytes[...])
            }
        }
    }
}

extension ReactionColumns {
    /// Returns the type of a column by its name in the aspects of reactions, or `nil` for any other name.
    public static func kind(ofColumn name: Text) -> Column.Kind? {
        let text = name.string
        if text == "ExperimentCreateDate" || text == "ExperimentModifyDate" { return .real }
        if isTextOfReaction(name) { return .string }
        guard let role = ["Reactant", "Reagent", "Product"].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(role.count)
        let part = rest.prefix { $0.isLetter }
        guard !part.isEmpty, part.count < rest.count, rest.dropFirst(part.count).allSatisfy(\.isNumber) else {
            return nil
        }
        switch part {
        case "Mol": return .molecule
        case "Name", "Stoich", "Meta": return .string
        case "Mass", "Volume", "Moles", "Density", "Conc", "Equiv", "Yield": return .real
        case "Primary", "Waste": return .boolean
        default: return nil
        }
    }

    /// Returns the additional aspects that define columns with these names.
    public static func furtherAspects(of columns: [Column]) -> [SheetHeader.Extension] {
        let names = columns.map(\.name.string)
        var aspects: [SheetHeader.Extension] = []
        let isExperiment = names.contains { $0.hasPrefix("Experiment") }
        if isExperiment || names.contains(where: { $0.hasPrefix("ProductYield") || $0.hasPrefix("ReactantMass") }) {
            aspects.append(.init(name: "Yield", type: Text(SheetAspect.Kind.yield.rawValue), content: ""))
        }
        if isExperiment {
            aspects.append(.init(name: "Experiment", type: Text(SheetAspect.Kind.experiment.rawValue), content: ""))
        }
        return aspects
    }

    /// Returns whether a reaction itself contains the content of a column with this name, such as the structure or name
    /// of a component.
    public static func isPartOfReaction(_ name: Text) -> Bool {
        guard kind(ofColumn: name) != nil else { return false }
        let text = name.string
        return text.holds("Mol") && !text.holds("Moles") || text.holds("Name") || isTextOfReaction(name)
    }

    private static func isTextOfReaction(_ name: Text) -> Bool {
        let text = name.string
        if name == comment || name == arrow { return true }
        guard text.hasPrefix("ReactionConditions") else { return false }
        return Int(text.dropFirst("ReactionConditions".count)).map { name == conditions($0) } ?? false
    }
}
