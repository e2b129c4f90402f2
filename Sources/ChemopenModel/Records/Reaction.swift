/// A reaction as a file states it: one step, or several in a row.
///
///     let reaction = Reaction(Reaction.Step(reactants: [.init(ethanol)], products: [.init(ethanal)]))
public struct Reaction: Sendable, Hashable {
    package var heading = Heading()
    /// The steps, one after the other.
    public var steps: [Step]
    /// Read, not understood, kept; in the file's order.
    public var verbatim: [Verbatim] = []

    /// A reaction of these steps.
    public init(_ steps: Step...) {
        self.steps = steps
    }

    /// One arrow with what stands around it.
    public struct Step: Sendable, Hashable {
        /// The components in front of the arrow.
        public var reactants: [Component]
        /// The components above and below the arrow: reagents, catalysts, solvents.
        public var agents: [Component]
        /// The components behind the arrow.
        public var products: [Component]
        /// The text at the arrow, with its lines.
        public var conditions: [Text] = []
        /// The kind of the arrow.
        public var arrow = Arrow.forward

        /// A step from some components to others.
        public init(reactants: [Component] = [], agents: [Component] = [], products: [Component] = []) {
            self.reactants = reactants
            self.agents = agents
            self.products = products
        }
    }

    /// A molecule in its role.
    public struct Component: Sendable, Hashable {
        /// The molecule.
        public var molecule: Molecule
        /// A name that the reaction gives it, beside the molecule's own.
        public var name = Text()
        /// As written: `2`, `1/2`; nothing is 1.
        public var stoichiometry = Text()

        /// A molecule in a role, under no name of its own.
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

    /// Who wrote the file and when, as the file has it.
    public var origin: Text {
        get { heading.origin }
        set { heading.origin = newValue }
    }

    /// A comment of its author.
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

    /// The kind of the arrow between the reactants and the products; nothing where the steps have several.
    public var arrow: Arrow? {
        let first = steps.first?.arrow ?? .forward
        return steps.allSatisfy { $0.arrow == first } ? first : nil
    }

    /// All components of all steps.
    public var components: [Component] { steps.flatMap { $0.reactants + $0.agents + $0.products } }
}
