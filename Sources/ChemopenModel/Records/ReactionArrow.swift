extension Reaction {
    /// The kind of a step's arrow, which determines how it is drawn and its meaning.
    public enum Arrow: UInt8, Sendable, Hashable, CaseIterable {
        /// The reactants become the products.
        case forward
        /// An equilibrium. If it is unbalanced, the half arrow to the products or to the reactants is longer.
        case equilibrium, equilibriumToProducts, equilibriumToReactants
        /// Both sides are resonance structures of the same molecule.
        case resonance
        /// The left side can be synthesized from the right side.
        case retrosynthetic
        /// An outline of an arrow, with a meaning defined by the author.
        case hollow
        /// The step does not occur: the arrow is marked with a cross or with two strokes.
        case crossed, hashed
        /// An arrow with a plus sign at its tail.
        case dipole

        /// The name of the kind in reports and data fields.
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

        /// Creates a kind from its name in reports.
        ///
        /// - Returns: `nil` if there is no kind with this name.
        public init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }

        /// The arrow as a Unicode character.
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

        /// Whether the arrow means that the step does not occur.
        public var isFailed: Bool { self == .crossed || self == .hashed }
    }
}
