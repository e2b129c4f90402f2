import ChemopenModel

/// A property of an atom that can change independently of the others.
enum AtomFacet: Hashable, Sendable {
    case symbol(ChemicalElement, Text?)
    case charge(Int16)
    case isotope(UInt16)
    case radical(Radical)
    case hydrogens(HydrogenCount)
    case mapNumber(Int32)
    /// The codes except the parity.
    case marks(UInt8)
    case parity(Int)
    case position(Position)
    /// The notes of a kind, by the ordinal of the kind.
    case notes(Int, [AtomNote])

    /// The number of the kind of the facet.
    var kind: Int {
        switch self {
        case .symbol: -1
        case .charge: -2
        case .isotope: -3
        case .radical: -4
        case .hydrogens: -5
        case .mapNumber: -6
        case .marks: -7
        case .parity: -8
        case .position: Self.positionKind
        case .notes(let ordinal, _): ordinal
        }
    }

    static let positionKind = -9

    /// Whether the atom does not have the property.
    var isAbsent: Bool {
        switch self {
        case .symbol, .position: false
        case .charge(let charge): charge == 0
        case .isotope(let mass): mass == 0
        case .radical(let radical): radical == .none
        case .hydrogens(let count): count == .unstated
        case .mapNumber(let number): number == 0
        case .marks(let marks): marks == 0
        case .parity(let parity): parity == 0
        case .notes(_, let notes): notes.isEmpty
        }
    }

    /// Whether most editors store the property. If so, and a saved copy lacks it, the user has removed it.
    var isCommon: Bool {
        switch self {
        case .symbol, .charge, .position: true
        default: false
        }
    }

    /// The property in messages.
    var description: String {
        switch self {
        case .symbol(let element, let label): label?.shown ?? element.symbol
        case .charge(let charge): "charge \(charge)"
        case .isotope(let mass): "isotope \(mass)"
        case .radical(let radical): "radical \(radical.mdlCode)"
        case .hydrogens(let count): count.fixed.map { "\($0) hydrogens" } ?? "hydrogens"
        case .mapNumber(let number): "map number \(number)"
        case .marks: "query or reaction marks"
        case .parity: "parity"
        case .position: "position"
        case .notes(_, let notes): notes.first.map { "\($0)" } ?? "notes"
        }
    }
}

extension Molecule {
    /// Returns all properties of an atom except its position and its notes.
    func facets(ofAtom index: Int) -> [AtomFacet] {
        let atom = atoms[index]
        var marks = atom.marks.subtracting(.hasNotes)
        marks.parity = 0
        let label = labels.indices.contains(Int(atom.label)) ? labels[Int(atom.label)] : nil
        return [
            .symbol(atom.element, atom.element == .none ? label : nil), .charge(atom.charge), .isotope(atom.isotope),
            .radical(atom.radical), .hydrogens(atom.hydrogens), .mapNumber(atom.mapNumber), .marks(marks.rawValue),
        ]
    }

    /// Sets a property of an atom. The notes are not set.
    mutating func set(_ facet: AtomFacet, ofAtom index: Int) {
        switch facet {
        case .symbol(let element, let label):
            atoms[index].element = element
            atoms[index].label = Atom.noLabel
            if let label { setLabel(label, ofAtom: index) }
        case .charge(let charge): atoms[index].charge = charge
        case .isotope(let mass): atoms[index].isotope = mass
        case .radical(let radical): atoms[index].radical = radical
        case .hydrogens(let count): atoms[index].hydrogens = count
        case .mapNumber(let number): atoms[index].mapNumber = number
        case .marks(let marks):
            let parity = atoms[index].marks.parity
            atoms[index].marks = Atom.Marks(rawValue: marks)
            atoms[index].marks.parity = parity
        case .parity(let parity): atoms[index].marks.parity = parity
        case .position(let position): atoms[index].position = position
        case .notes(let ordinal, let notes):
            extras.contents.atomNotes.removeAll(of: index) { $0.ordinal == ordinal }
            for note in notes { extras.contents.atomNotes.insert(note, at: index) }
        }
    }
}

extension [AtomNote] {
    /// The notes grouped by kind, without notes that an edit invalidates.
    var byKind: [Int: [AtomNote]] {
        Dictionary(grouping: filter { if case .transientField = $0 { false } else { true } }, by: \.ordinal)
    }
}
