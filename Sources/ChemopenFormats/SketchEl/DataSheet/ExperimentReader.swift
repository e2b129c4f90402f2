import ChemopenModel

/// A reader that combines the rows of a reaction sheet into experiments.
///
///     var experiments = ExperimentReader(stream.header)
///     while try stream.read(into: &record) {
///         if let experiment = experiments?.take(record, row: stream.place.record) { print(experiment.title) }
///     }
///     if let last = experiments?.finish() { print(last.title) }
///
/// Each row is a reaction. If the sheet has the Experiment aspect, a row without a date and without a first reactant is
/// a further step of the preceding row. The reader stores only the current experiment.
public struct ExperimentReader: Sendable {
    private let columns: Columns
    private let subjectColumn: Int?
    private let hasSteps: Bool
    private var current: Experiment?
    /// The field in each column of the row, or -1.
    private var entries: [Int32]

    /// Creates a reader for a sheet.
    ///
    /// - Returns: `nil` if the sheet does not contain reactions.
    public init?(_ header: SheetHeader) {
        let aspects = SheetAspect.aspects(of: header)
        guard let aspect = aspects.first(where: { $0.kind == .reaction || $0.kind == .experiment }) else { return nil }
        hasSteps = aspects.contains { $0.kind == .experiment }
        subjectColumn = header.subjectColumn
        columns = Columns(header, aspect)
        entries = Array(repeating: -1, count: header.columns.count)
    }

    /// Adds the next row.
    ///
    /// - Parameter row: the number of the row.
    /// - Returns: the experiment that the previous row completed, or `nil` if it continues.
    public mutating func take(_ record: borrowing Record, row: Int) -> Experiment? {
        for index in entries.indices { entries[index] = -1 }
        for (place, entry) in record.fields.entries.enumerated() where entries.indices.contains(Int(entry.column)) {
            entries[Int(entry.column)] = Int32(clamping: place)
        }
        var finished: Experiment?
        if current == nil || !hasSteps || startsExperiment(record) {
            finished = current
            current = experiment(record, row)
        }
        let step = step(record, isFirst: current?.steps.isEmpty ?? true)
        current?.steps.append(step)
        return finished
    }

    /// Returns the reaction of the next row. A further step starts from the products of the step before it, except
    /// waste.
    public mutating func reaction(of record: borrowing Record, row: Int) -> Reaction {
        _ = take(record, row: row)
        guard let current else { return Reaction() }
        var experiment = current
        experiment.steps = Array(current.steps.suffix(2))
        // To continue, only the previous step is needed.
        self.current?.steps = experiment.steps
        var reaction = experiment.reaction
        reaction.steps = Array(reaction.steps.suffix(1))
        return reaction
    }

    /// Returns the last experiment, or `nil` if no row has been read.
    public mutating func finish() -> Experiment? {
        defer { current = nil }
        return current
    }

    // MARK: Rows

    private func startsExperiment(_ record: borrowing Record) -> Bool {
        if number(columns.created, record) != nil { return true }
        guard let first = columns.reactants.first else { return false }
        return component(first, record) != nil
    }

    private func experiment(_ record: borrowing Record, _ row: Int) -> Experiment {
        var experiment = Experiment(firstRow: row)
        experiment.title = text(columns.title, record)
        experiment.doi = text(columns.doi, record)
        experiment.meta = text(columns.meta, record)
        experiment.comment = text(columns.comment, record)
        experiment.created = number(columns.created, record)
        experiment.modified = number(columns.modified, record)
        return experiment
    }

    private func step(_ record: borrowing Record, isFirst: Bool) -> Experiment.Step {
        var step = Experiment.Step()
        if isFirst {
            for place in columns.reactants { if let found = component(place, record) { step.reactants.append(found) } }
        }
        for place in columns.reagents { if let found = component(place, record) { step.reagents.append(found) } }
        for place in columns.products { if let found = component(place, record) { step.products.append(found) } }
        step.conditions = columns.conditions.map { text($0, record) }.filter { !$0.isEmpty }
        step.arrow = Reaction.Arrow(name: text(columns.arrow, record).string) ?? .forward
        step.meta = text(columns.stepMeta, record)
        return step
    }

    /// Returns a component if it has a structure or a name.
    private func component(_ place: ComponentColumns, _ record: borrowing Record) -> Experiment.Component? {
        var component = Experiment.Component()
        component.molecule = molecule(place.molecule, record)
        component.name = text(place.name, record)
        if component.molecule == nil, component.name.isEmpty { return nil }
        component.stoichiometry = text(place.stoichiometry, record)
        component.meta = text(place.meta, record)
        component.isPrimary = text(place.primary, record) == "true"
        component.isWaste = text(place.waste, record) == "true"
        for (kind, column) in place.quantities {
            if let value = number(column, record) { component.quantities.append(Experiment.Quantity(kind, value)) }
        }
        return component
    }

    // MARK: Cells

    private func text(_ column: Int?, _ record: borrowing Record) -> Text {
        guard let column, entries[column] >= 0 else { return Text() }
        return Text(bytes: record.fields.bytes[record.fields.entries[Int(entries[column])].valueRange])
    }

    private func number(_ column: Int?, _ record: borrowing Record) -> Double? {
        guard let column, entries[column] >= 0 else { return nil }
        switch Cell(text(column, record), as: .real) {
        case .real(let value, _): return value
        default: return nil
        }
    }

    private func molecule(_ column: Int?, _ record: borrowing Record) -> Molecule? {
        guard let column else { return nil }
        if column == subjectColumn, entries[column] < 0 {
            if case .molecule(let molecule) = record.subject { return molecule }
            return nil
        }
        guard entries[column] >= 0 else { return nil }
        for structure in record.fields.structures.notes(of: Int(entries[column])) {
            if case .molecule(let molecule) = structure { return molecule }
        }
        return nil
    }
}

/// The columns of one substance.
private struct ComponentColumns: Sendable {
    var molecule: Int?
    var name: Int?
    var stoichiometry: Int?
    var meta: Int?
    var primary: Int?
    var waste: Int?
    var quantities: [(Experiment.Quantity.Kind, Int)] = []
}

/// The columns of a reaction sheet, found by their names.
private struct Columns: Sendable {
    var title, doi, meta, created, modified, stepMeta, arrow, comment: Int?
    var conditions: [Int] = []
    var reactants: [ComponentColumns]
    var reagents: [ComponentColumns]
    var products: [ComponentColumns]

    private static let quantities: [(Experiment.Quantity.Kind, Text)] = [
        (.mass, "Mass"), (.volume, "Volume"), (.moles, "Moles"), (.density, "Density"), (.concentration, "Conc"),
        (.equivalents, "Equiv"), (.yield, "Yield"),
    ]

    init(_ header: SheetHeader, _ aspect: SheetAspect) {
        var places: [Text: Int] = [:]
        for (place, column) in header.columns.enumerated() where places[column.name] == nil {
            places[column.name] = place
        }
        title = places["ExperimentTitle"]
        doi = places["ExperimentDOI"]
        meta = places["ExperimentMeta"]
        created = places["ExperimentCreateDate"]
        modified = places["ExperimentModifyDate"]
        stepMeta = places["ExperimentStepMeta"]
        arrow = places[ReactionColumns.arrow]
        comment = places[ReactionColumns.comment]
        while let place = places[ReactionColumns.conditions(conditions.count + 1)] { conditions.append(place) }
        reactants = Self.components("Reactant", aspect.count("nreactants"), places)
        reagents = Self.components("Reagent", aspect.count("nreagents"), places)
        products = Self.components("Product", aspect.count("nproducts"), places)
    }

    /// Returns the number of components that the aspect specifies, and further ones if there are columns for them.
    private static func components(_ role: String, _ stated: Int?, _ places: [Text: Int]) -> [ComponentColumns] {
        var components: [ComponentColumns] = []
        for number in 1...100 {
            func column(_ part: String) -> Int? { places[Text("\(role)\(part)\(number)")] }
            var component = ComponentColumns()
            component.molecule = column("Mol")
            component.name = column("Name")
            if component.molecule == nil, component.name == nil, number > stated ?? 0 { break }
            component.stoichiometry = column("Stoich")
            component.meta = column("Meta")
            component.primary = column("Primary")
            component.waste = column("Waste")
            component.quantities = quantities.compactMap { kind, part in column(part.string).map { (kind, $0) } }
            components.append(component)
        }
        return components
    }
}
