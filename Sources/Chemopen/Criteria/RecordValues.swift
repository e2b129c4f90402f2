/// The values of a record that conditions use. Expensive values are cached.
struct RecordValues {
    enum Value {
        case number(Double)
        case text(Text)
        /// A text and the number in it.
        case measure(Text, Double)

        var number: Double? {
            switch self {
            case .number(let number), .measure(_, let number): number
            case .text(let text): RecordFilter.Literal.number(text.bytes)
            }
        }

        var text: Text {
            switch self {
            case .number(let number): Text("\(number)")
            case .text(let text), .measure(let text, _): text
            }
        }

        var isBlank: Bool {
            switch self {
            case .number, .measure: false
            case .text(let text): text.bytes.allSatisfy { $0 <= Ascii.blank }
            }
        }
    }

    private let context: RecordFilter.Context
    private var found: Features?
    private var compositions: [Composition]?
    /// Whether a structure search reached its limit.
    var hasAbandonedSearch = false

    init(_ context: RecordFilter.Context) {
        self.context = context
    }

    /// Returns the values of a field.
    func values(of operand: RecordFilter.Operand, _ fields: borrowing Fields) -> [Value] {
        guard let name = operand.field else { return [] }
        var values: [Value] = []
        for entry in fields.entries where fields.columns[Int(entry.column)].name == name {
            let text = Text(bytes: fields.bytes[entry.valueRange])
            if case .measure = operand, let number = RecordFilter.Literal.measure(text.bytes) {
                values.append(.measure(text, number))
            } else {
                values.append(.text(text))
            }
        }
        return values
    }

    mutating func features(of record: borrowing Record) -> Features {
        if let found { return found }
        let features = record.features
        found = features
        return features
    }

    /// Returns whether a molecule of the record, or a component of its reaction, has a property that is derived from
    /// the structure.
    func perceives(_ property: PerceivedTrait, in record: borrowing Record) -> Bool {
        molecules(of: record).contains { property.isIn($0.hasAbbreviations ? $0.expandingAbbreviations() : $0) }
    }

    /// Returns the values of a computed value. A reaction may have one for each component.
    mutating func values(of value: ComputedValue, _ record: borrowing Record) -> [Value] {
        switch value {
        case .record: return [.number(Double(context.place.record))]
        case .file: return [.text(Text(bytes: context.file.bytes))]
        case .version: return context.place.version.isEmpty ? [] : [.text(Text(context.place.version))]
        case .problem: return context.problems.map { .text($0) }
        case .kind:
            return switch record.subject {
            case .none: [.text("data")]
            case .molecule: [.text("molecule")]
            case .reaction: [.text("reaction")]
            }
        case .steps, .reactants, .agents, .products:
            guard case .reaction(let reaction) = record.subject else { return [] }
            let count =
                switch value {
                case .reactants: reaction.steps.reduce(0) { $0 + $1.reactants.count }
                case .agents: reaction.steps.reduce(0) { $0 + $1.agents.count }
                case .products: reaction.steps.reduce(0) { $0 + $1.products.count }
                default: reaction.steps.count
                }
            return [.number(Double(count))]
        case .title:
            let name = record.shownName
            if case .none = record.subject, name.isEmpty { return [] }
            return [.text(name)]
        case .inchi: return molecules(of: record).compactMap { InChI($0).map { .text(Text($0.text)) } }
        case .inchikey: return molecules(of: record).compactMap { InChI($0).map { .text(Text($0.key)) } }
        case .formula: return compositions(of: record).map { .text(Text($0.formula.description)) }
        case .mass: return compositions(of: record).map { .number($0.mass) }
        case .monoisotopic: return compositions(of: record).map { .number($0.monoisotopicMass) }
        case .charge: return compositions(of: record).map { .number(Double($0.charge)) }
        case .heavy: return compositions(of: record).map { .number(Double($0.formula.heavyAtoms)) }
        case .element(let element): return compositions(of: record).map { .number(Double($0.formula[element])) }
        case .atoms: return molecules(of: record).map { .number(Double($0.atoms.count)) }
        case .bonds: return molecules(of: record).map { .number(Double($0.bonds.count)) }
        case .rings: return molecules(of: record).map { .number(Double($0.ringAndFragmentCount().rings)) }
        case .fragments: return molecules(of: record).map { .number(Double($0.ringAndFragmentCount().fragments)) }
        }
    }

    private mutating func compositions(of record: borrowing Record) -> [Composition] {
        if let compositions { return compositions }
        let made = molecules(of: record).map { $0.composition() }
        compositions = made
        return made
    }

    private func molecules(of record: borrowing Record) -> [Molecule] {
        switch record.subject {
        case .none: []
        case .molecule(let molecule): [molecule]
        case .reaction(let reaction): reaction.components.map(\.molecule)
        }
    }
}

extension Formula {
    fileprivate var heavyAtoms: Int {
        entries.reduce(0) { $0 + ($1.element == .hydrogen ? 0 : $1.count) }
    }
}

extension Molecule {
    /// Returns the number of rings and the number of unconnected fragments.
    fileprivate func ringAndFragmentCount() -> (rings: Int, fragments: Int) {
        let molecule = hasAbbreviations ? expandingAbbreviations() : self
        var parents = Array(0..<molecule.atoms.count)
        func root(_ atom: Int) -> Int {
            var atom = atom
            while parents[atom] != atom {
                parents[atom] = parents[parents[atom]]
                atom = parents[atom]
            }
            return atom
        }
        var fragments = parents.count
        var rings = 0
        for bond in molecule.bonds where bond.order != .hydrogen {
            let (from, to) = (root(Int(bond.from)), root(Int(bond.to)))
            if from == to {
                rings += 1
            } else {
                parents[from] = to
                fragments -= 1
            }
        }
        return (rings, fragments)
    }
}
