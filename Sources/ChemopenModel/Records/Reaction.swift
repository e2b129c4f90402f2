/// A reaction as specified in a file, with one or several steps.
///
///     let reaction = Reaction(Reaction.Step(reactants: [.init(ethanol)], products: [.init(ethanal)]))
public struct Reaction: Sendable, Hashable {
    package var heading = Heading()
    /// The steps in their order.
    public var steps: [Step]
    /// Unrecognized content, preserved in file order.
    public var verbatim: [Verbatim] = []

    /// Creates a reaction with these steps.
    public init(_ steps: Step...) {
        self.steps = steps
    }

    /// One arrow with its components and conditions.
    public struct Step: Sendable, Hashable {
        /// The components before the arrow.
        public var reactants: [Component]
        /// The components above and below the arrow, such as reagents, catalysts and solvents.
        public var agents: [Component]
        /// The components after the arrow.
        public var products: [Component]
        /// The lines of text at the arrow.
        public var conditions: [Text] = []
        /// The kind of the arrow.
        public var arrow = Arrow.forward

        /// Creates a step from its components.
        public init(reactants: [Component] = [], agents: [Component] = [], products: [Component] = []) {
            self.reactants = reactants
            self.agents = agents
            self.products = products
        }
    }

    /// A molecule in a particular role.
    public struct Component: Sendable, Hashable {
        /// The molecule.
        public var molecule: Molecule
        /// The name of the component in the reaction, in addition to the molecule's name.
        public var name = Text()
        /// The stoichiometric coefficient as written, such as `2` or `1/2`; empty means 1.
        public var stoichiometry = Text()

        /// Creates a component without a separate name.
        public init(_ molecule: Molecule) {
            self.molecule = molecule
        }
    }
}

extension Reaction {
    /// The title.
    public var name: Text {
        get { heading.name }
        set { heading.name = newValue }
    }

    /// The user and program that wrote the file, and the date, verbatim.
    public var origin: Text {
        get { heading.origin }
        set { heading.origin = newValue }
    }

    /// The author's comment.
    public var comment: Text {
        get { heading.comment }
        set { heading.comment = newValue }
    }

    /// The reactants of the first step.
    public var reactants: [Component] { steps.first?.reactants ?? [] }

    /// The agents of all steps.
    public var agents: [Component] { steps.flatMap(\.agents) }

    /// The products of the last step.
    public var products: [Component] { steps.last?.products ?? [] }

    /// The kind of arrow between the reactants and the products, or `nil` if the steps have different arrows.
    public var arrow: Arrow? {
        let first = steps.first?.arrow ?? .forward
        return steps.allSatisfy { $0.arrow == first } ? first : nil
    }

    /// All components of all steps.
    public var components: [Component] { steps.flatMap { $0.reactants + $0.agents + $0.products } }
}
