/// An experiment from a reaction table: a reaction with the quantities of its substances.
///
///     for experiment in experiments { print(experiment.title, experiment.steps.count) }
public struct Experiment: Sendable, Hashable {
    /// The number of the row where the experiment begins; the first row is 1.
    public var firstRow: Int
    /// The title of the experiment.
    public var title = Text()
    /// The DOIs, separated by spaces.
    public var doi = Text()
    /// Lines of the form `key=value`, verbatim.
    public var meta = Text()
    /// The comment on the entire experiment.
    public var comment = Text()
    /// The creation time, in seconds since 1970.
    public var created: Double?
    /// The modification time, in seconds since 1970.
    public var modified: Double?
    /// The steps in their order.
    public var steps: [Step] = []

    /// Creates an experiment without steps that begins in a row.
    public init(firstRow: Int) {
        self.firstRow = firstRow
    }

    /// One step of an experiment.
    public struct Step: Sendable, Hashable {
        /// The reactants. Every step after the first also starts from the products of the step before.
        public var reactants: [Component] = []
        /// Substances that support the reaction but are not balanced.
        public var reagents: [Component] = []
        /// The substances that the step produces.
        public var products: [Component] = []
        /// The text at the arrow.
        public var conditions: [Text] = []
        /// The kind of the arrow.
        public var arrow = Reaction.Arrow.forward
        /// Lines of the form `key=value` for the step, verbatim.
        public var meta = Text()

        /// Creates a step without substances.
        public init() {}
    }

    /// A substance in a particular role.
    public struct Component: Sendable, Hashable {
        /// The structure, if it is drawn.
        public var molecule: Molecule?
        /// The name, if specified.
        public var name = Text()
        /// The stoichiometric coefficient as written, such as `2`, `1/2`, or `0` for a spectator; empty means 1.
        public var stoichiometry = Text()
        /// The specified quantities of the substance.
        public var quantities: [Quantity] = []
        /// Whether the yield is based on this reactant.
        public var isPrimary = false
        /// Whether this is an unwanted product.
        public var isWaste = false
        /// Lines of the form `key=value` for the substance, verbatim.
        public var meta = Text()

        /// Creates a substance without structure and name.
        public init() {}
    }

    /// A quantity of a substance, in the units of the table's columns.
    public struct Quantity: Sendable, Hashable {
        /// The kind of quantity.
        public var kind: Kind
        /// The number, in the units of the column.
        public var value: Double

        /// Creates a quantity of a substance.
        public init(_ kind: Kind, _ value: Double) {
            self.kind = kind
            self.value = value
        }

        /// The kinds of quantities, in g, mL, mol, g/mL, mol/L, equivalents and percent.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The kinds for which a table has columns.
            case mass, volume, moles, density, concentration, equivalents, yield
        }
    }
}

extension Experiment {
    /// The reaction without quantities. Except for waste, the products of a step are reactants of the next one.
    public var reaction: Reaction {
        var reaction = Reaction()
        reaction.name = title
        reaction.comment = comment
        var carried: [Reaction.Component] = []
        for step in steps {
            let products = step.products.map(\.ofReaction)
            var next = Reaction.Step(
                reactants: carried + step.reactants.map(\.ofReaction), agents: step.reagents.map(\.ofReaction),
                products: products)
            next.conditions = step.conditions
            next.arrow = step.arrow
            reaction.steps.append(next)
            carried = zip(step.products, products).filter { !$0.0.isWaste }.map { component in
                var reactant = component.1
                reactant.stoichiometry = ""
                return reactant
            }
        }
        return reaction
    }
}

extension Experiment.Component {
    fileprivate var ofReaction: Reaction.Component {
        var component = Reaction.Component(molecule ?? Molecule())
        if component.molecule.name.isEmpty { component.molecule.name = name } else { component.name = name }
        component.stoichiometry = stoichiometry
        return component
    }
}
