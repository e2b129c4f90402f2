extension Reaction {
    /// The kind of a step's arrow: how it is drawn, and with that what it says of the step.
    public enum Arrow: UInt8, Sendable, Hashable, CaseIterable {
        /// The reactants become the products.
        case forward
        /// It goes both ways; an unbalanced one has a longer half, which leads to the products or back.
        case equilibrium, equilibriumToProducts, equilibriumToReactants
        /// Both sides are ways to draw one thing.
        case resonance
        /// The product is made of what the arrow leads to.
        case retrosynthetic
        /// An outline of an arrow, whose meaning is the author's.
        case hollow
        /// The step does not take place: a cross is on the arrow, or two strokes.
        case crossed, hashed
        /// A plus stands at its tail.
        case dipole

        /// The kind's name in a report, and in data fields.
        public var name: String {
            switch self {
            case .forward: "forward"
            case .equilibrium: "equilibrium"
            case .equilibriumToProducts: "equilibrium, to the products"
            case .equilibriumToReactants: "equilibrium, to the reactants"
            case .resonance: "resonance"
            case .retrosynthetic: "retrosynthetic"
            case .hollow: "hollow"
            case .crossed: "crossed out"
            case .hashed: "hashed out"
            case .dipole: "dipole"
            }
        }

        /// The kind of a name; nothing for any other text.
        public init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }

        /// The arrow in a line of text.
        public var symbol: String {
            switch self {
            case .forward: "→"
            case .equilibrium, .equilibriumToProducts, .equilibriumToReactants: "⇌"
            case .resonance: "↔"
            case .retrosynthetic: "⇒"
            case .hollow: "⇨"
            case .crossed, .hashed: "↛"
            case .dipole: "⇸"
            }
        }

        /// Whether the arrow says that the step does not take place.
        public var isFailed: Bool { self == .crossed || self == .hashed }
    }
}
