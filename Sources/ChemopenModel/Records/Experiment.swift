/// An experiment of a reaction sheet: a reaction with what was weighed out and what came of it.
///
///     for experiment in experiments { print(experiment.title, experiment.steps.count) }
public struct Experiment: Sendable, Hashable {
    /// The row that it begins in, from 1.
    public var firstRow: Int
    /// The title of the experiment.
    public var title = Text()
    /// One or several, with blanks between.
    public var doi = Text()
    /// Lines `key=value`, as written.
    public var meta = Text()
    /// The comment on the whole.
    public var comment = Text()
    /// Seconds since 1970.
    public var created: Double?
    /// Seconds since 1970.
    public var modified: Double?
    /// The steps, one after the other.
    public var steps: [Step] = []

    /// An experiment without steps that begins in a row.
    public init(firstRow: Int) {
        self.firstRow = firstRow
    }

    /// One step of an experiment.
    public struct Step: Sendable, Hashable {
        /// Those of the first step; a further one starts from the products of the step before.
        public var reactants: [Component] = []
        /// Substances that help and stay out of the balance.
        public var reagents: [Component] = []
        /// Substances that come of it.
        public var products: [Component] = []
        /// The text at the arrow.
        public var conditions: [Text] = []
        /// The kind of the arrow.
        public var arrow = Reaction.Arrow.forward
        /// Lines `key=value` of the step, as written.
        public var meta = Text()

        /// A step without substances.
        public init() {}
    }

    /// A substance in its role.
    public struct Component: Sendable, Hashable {
        /// The structure, where it is drawn.
        public var molecule: Molecule?
        /// The name, where it has one.
        public var name = Text()
        /// As written: `2`, `1/2`, `0` for what takes no part; nothing is 1.
        public var stoichiometry = Text()
        /// How much of it there is, in whichever units are stated.
        public var quantities: [Quantity] = []
        /// The yield is reckoned by this reactant.
        public var isPrimary = false
        /// A product that nobody wants.
        public var isWaste = false
        /// Lines `key=value` of the substance, as written.
        public var meta = Text()

        /// A substance without structure and name.
        public init() {}
    }

    /// How much of a substance, in the units that the sheet's columns have.
    public struct Quantity: Sendable, Hashable {
        /// The measure that is stated.
        public var kind: Kind
        /// The number, in the units of the column.
        public var value: Double

        /// A quantity of a substance.
        public init(_ kind: Kind, _ value: Double) {
            self.kind = kind
            self.value = value
        }

        /// In g, mL, mol, g/mL, mol/L, equivalents and percent.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The measures that a sheet has columns for.
            case mass, volume, moles, density, concentration, equivalents, yield
        }
    }
}

extension Experiment {
    /// The chemistry alone. What a step starts from is there in each, the products of the step before included.
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
