/// A value that is computed from a record and can be used in a condition by its name.
enum ComputedValue: Sendable, Hashable {
    case title, formula, inchi, inchikey, mass, monoisotopic, atoms, bonds, charge, heavy, rings, fragments
    case kind, steps, reactants, agents, products
    case version, record, file, problem
    case element(ChemicalElement)

    /// All values except the elements, in the order of the help text.
    static let all: [ComputedValue] = [
        .title, .formula, .inchi, .inchikey, .mass, .monoisotopic, .atoms, .heavy, .bonds, .charge, .rings, .fragments,
        .kind, .steps,
        .reactants, .agents, .products, .version, .record, .file, .problem,
    ]

    static let elementPrefix = "elements."

    init?(_ name: String) {
        guard let value = Self.all.first(where: { $0.name == name }) else { return nil }
        self = value
    }

    var name: String {
        switch self {
        case .element(let element): Self.elementPrefix + element.symbol
        default: "\(self)"
        }
    }

    /// A description for users.
    var meaning: String {
        switch self {
        case .title: "the title of the molecule or reaction, or the field Name"
        case .formula: "the formula in Hill order: C9H8O4"
        case .inchi: "the standard InChI (requires chemopen-inchi)"
        case .inchikey: "the standard InChIKey: RYYVLZVUVIJVGH-UHFFFAOYSA-N"
        case .mass: "the average mass in daltons, by IUPAC's abridged atomic weights"
        case .monoisotopic: "the mass of the most abundant isotopes; an ion's without its electrons"
        case .atoms: "the number of drawn atoms"
        case .heavy: "the number of atoms other than hydrogen"
        case .bonds: "the number of drawn bonds"
        case .charge: "the total charge"
        case .rings: "the number of rings"
        case .fragments: "the number of unconnected fragments"
        case .kind: "molecule, reaction or data"
        case .steps: "the number of steps of a reaction"
        case .reactants: "the number of reactants"
        case .agents: "the number of agents"
        case .products: "the number of products"
        case .version: "V2000 or V3000"
        case .record: "the record number in its file"
        case .file: "the path of the file"
        case .problem: "the problems found in the record: problem exists"
        case .element(let element): "the number of \(element.symbol) atoms, with implied hydrogens"
        }
    }

    /// The possible values, if there is a fixed list of them.
    var allValues: [String]? {
        switch self {
        case .kind: ["molecule", "reaction", "data"]
        case .version: ["V2000", "V3000"]
        default: nil
        }
    }

    /// Whether the value is a number, which can be compared only with numbers.
    var isNumber: Bool {
        switch self {
        case .title, .formula, .inchi, .inchikey, .kind, .version, .file, .problem: false
        default: true
        }
    }

    /// The type of the value in a table.
    var kind: Column.Kind {
        switch self {
        case .mass, .monoisotopic: .real
        default: isNumber ? .integer : .string
        }
    }

    /// Whether the value depends on the structure: only a parsed structure has a version.
    var readsStructure: Bool {
        switch self {
        case .record, .file, .problem: false
        default: true
        }
    }

    /// Whether a record may lack the value, so that `exists` can be false.
    var mayBeMissing: Bool { self == .problem || needsInChI }

    /// Whether the value requires a separate program.
    var needsInChI: Bool { self == .inchi || self == .inchikey }

    var readsPlace: Bool {
        switch self {
        case .record, .file: true
        default: false
        }
    }
}

/// A property that a record has or does not have, as in `has(stereo)`.
struct RecordTrait: Sendable, Hashable {
    let name: String
    private let features: [Feature]
    /// The property that is also derived from the structure, because files need not state it.
    let perceived: PerceivedTrait?

    /// The names for several features at once. Each feature can also be used by its own name.
    private static let words: [(name: String, features: [Feature])] = [
        ("stereo", [.stereoMarks, .parities, .stereoGroups, .coordinationStereo]),
        ("3d", [.heights]),
        ("queries", [.queryAtoms, .queryBonds, .atomLists]),
        ("aromatic", [.aromaticBonds]),
        ("dative", [.dativeBonds]),
        ("maps", [.mapNumbers]),
    ]

    static var names: [String] { words.map(\.name) + Feature.allCases.map(\.name) }

    init?(_ name: String) {
        let name = name.lowercased()
        self.name = name
        perceived = name == "aromatic" ? .aromaticity : name == "stereo" ? .configuration : nil
        if let word = Self.words.first(where: { $0.name == name }) {
            features = word.features
        } else if let feature = Feature.allCases.first(where: { $0.name == name }) {
            features = [feature]
        } else {
            return nil
        }
    }

    func isIn(_ found: Features) -> Bool {
        features.contains { found.contains($0) }
    }
}
