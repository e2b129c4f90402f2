import ChemopenChemistry
import ChemopenModel

/// The structure that a label represents, with the atoms that are bonded to its neighbor.
struct LabelStructure {
    private(set) var atoms: [Atom] = []
    private(set) var bonds: [Bond] = []
    /// The atoms bonded to the neighbor. There are several if the label is several groups: `(OEt)2`.
    private(set) var joints: [Int] = []

    private init() {}

    /// The input that determines the meaning of a label. Equal inputs have equal results.
    struct Question: Hashable {
        let label: Text
        /// The number of bonds to the label, and the sum of their orders.
        let bonds: Int
        let outer: Int
        /// The charge that is specified in addition to the label; 0 if there is none.
        let charge: Int
    }

    /// Returns the structure, or nil if the label is unknown or ambiguous.
    static func named(_ question: Question) -> LabelStructure? {
        var structure = LabelStructure()
        guard structure.readAll(question) else { return nil }
        structure.place()
        return structure
    }

    private mutating func readAll(_ question: Question) -> Bool {
        var letters = LabelTokens.letters(of: question.label.string)
        guard letters.count <= LabelTokens.mostLetters else { return false }
        if question.bonds == 0, let salt = SaltLabel(letters) { return read(salt) }
        if letters.last == "@" { letters.removeLast() }
        var parts = letters.split(separator: "@", omittingEmptySubsequences: false).map(Array.init)
        guard !parts.isEmpty, parts.count <= 3 else { return false }
        guard read(parts.removeFirst(), question) else { return false }
        for part in parts {
            var piece = LabelStructure()
            guard let salt = SaltLabel(["@"] + part), piece.read(salt) else { return false }
            append(piece)
        }
        return true
    }

    /// Reads the acid or solvent of a salt or solvate.
    private mutating func read(_ salt: SaltLabel) -> Bool {
        guard read(salt.letters, Question(label: "", bonds: 0, outer: 0, charge: 0)) else { return false }
        let one = self
        for _ in 1..<salt.count { append(one) }
        return true
    }

    /// The total charge.
    var charge: Int { atoms.reduce(0) { $0 + Int($1.charge) } }

    // MARK: Reading

    private mutating func read(_ letters: [Unicode.Scalar], _ question: Question) -> Bool {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: letters)
        let name = String(text)
        if question.bonds == 0, question.charge == 0, let smiles = LabelGroups.compound(name),
            let molecule = try? Molecule(smiles: smiles)
        {
            atoms = molecule.atoms
            bonds = molecule.bonds
            return true
        }
        for knowsFormulas in [true, false] {
            guard var tokens = LabelTokens(letters, knowsFormulas: knowsFormulas) else { continue }
            if question.charge != 0 {
                guard tokens.charge == 0 || tokens.charge == question.charge else { return false }
                tokens.charge = question.charge
            }
            if readBranches(tokens, question) { return true }
            switch Self.state(tokens, question) {
            case .only(let state): if build(state) { return true }
            case .several: return false
            case .none: continue
            }
        }
        return false
    }

    /// Reads the structure from the first letter, as labels are usually written, or from the last, for labels that are
    /// shown on the left of an atom.
    private static func state(_ tokens: LabelTokens, _ question: Question) -> LabelAssembly.Answer {
        let (units, charge, outer) = (tokens.units, tokens.charge, question.outer)
        if question.bonds == 0 {
            let answer = LabelAssembly.assemble(units, charge: charge, .none, outer: 0)
            if case .none = answer { return ion(tokens) }
            return answer
        }
        let forward = LabelAssembly.assemble(units, charge: charge, .first, outer: outer)
        guard case .none = forward else { return forward }
        let turned = LabelAssembly.assemble(units.reversed(), charge: charge, .first, outer: outer)
        let behind = LabelAssembly.assemble(units, charge: charge, .last, outer: outer)
        switch (turned, behind) {
        case (.none, _): return behind
        case (_, .none): return turned
        case (.only(let one), .only(let other)): return one.signature == other.signature ? turned : .several
        default: return .several
        }
    }

    /// Reads a label such as `Ca2+`, in which the number belongs to the sign.
    private static func ion(_ tokens: LabelTokens) -> LabelAssembly.Answer {
        guard tokens.units.count == 1, var unit = tokens.units.first, abs(tokens.charge) == 1, 2...4 ~= unit.count,
            case .element = unit.part
        else { return .none }
        let charge = tokens.charge * unit.count
        unit.count = 1
        return LabelAssembly.assemble([unit], charge: charge, .none, outer: 0)
    }

    /// Reads a label that is a single bracket with a count. Each copy is bonded to the neighbor.
    private mutating func readBranches(_ tokens: LabelTokens, _ question: Question) -> Bool {
        guard question.bonds == 1, question.outer == 1, tokens.charge == 0, tokens.units.count == 1,
            let unit = tokens.units.first, case .bracket(let inner) = unit.part, unit.count <= 4
        else { return false }
        var answer = LabelAssembly.assemble(inner, charge: 0, .first, outer: 1)
        if case .none = answer { answer = LabelAssembly.assemble(inner.reversed(), charge: 0, .first, outer: 1) }
        guard case .only(let state) = answer, build(state) else { return false }
        let one = self
        for _ in 1..<unit.count {
            let first = append(one)
            joints += one.joints.map { $0 + first }
        }
        return true
    }

    // MARK: Building

    @discardableResult
    private mutating func append(_ piece: LabelStructure) -> Int {
        let first = atoms.count
        atoms += piece.atoms
        bonds += piece.bonds.map { Bond(Int($0.from) + first, Int($0.to) + first, $0.order) }
        return first
    }

    private mutating func build(_ state: LabelAssembly.State) -> Bool {
        var built = LabelStructure()
        /// For each site, the atoms at its end and the bond orders. A group can have several such atoms.
        var ends: [[(atom: Int, order: Bond.Order)]] = []
        for site in state.sites {
            switch site.kind {
            case .atom(let element, let isotope):
                var atom = Atom(element)
                atom.isotope = UInt16(clamping: isotope)
                atom.charge = Int16(clamping: site.charge)
                let isAlone = state.sites.count == 1 && site.hydrogens == 0
                if !isAlone, atom.hydrogens(bondOrderSum: site.bonds, by: .mdl) != site.hydrogens {
                    atom.hydrogens = .fixed(site.hydrogens)
                }
                ends.append([(built.atoms.count, .single)])
                built.atoms.append(atom)
            case .group(let name, _):
                guard let found = built.add(group: name) else { return false }
                ends.append(found)
            }
        }
        for link in state.links {
            // Two groups can only be connected by a single bond.
            let (from, to) = (ends[link.from], ends[link.to])
            guard from.count == 1 || to.count == 1 else { return false }
            for one in from {
                for other in to {
                    let isGroup = state.sites[link.from].isGroup || state.sites[link.to].isGroup
                    let order: Bond.Order =
                        isGroup ? (from.count > 1 ? one.order : other.order) : Self.order(link.order)
                    built.bonds.append(Bond(one.atom, other.atom, order))
                }
            }
        }
        if let joint = state.joint {
            guard ends[joint].count == 1 else { return false }
            built.joints = ends[joint].map(\.atom)
        }
        self = built
        return true
    }

    private static func order(_ number: Int) -> Bond.Order { number == 3 ? .triple : number == 2 ? .double : .single }

    /// Adds the atoms of a group, and returns those that are bonded to its neighbor.
    private mutating func add(group name: String) -> [(atom: Int, order: Bond.Order)]? {
        guard let smiles = LabelGroups.group(name), let molecule = try? Molecule(smiles: smiles),
            molecule.atoms.first?.element == ChemicalElement.none
        else { return nil }
        let first = atoms.count - 1
        atoms += molecule.atoms.dropFirst()
        var ends: [(atom: Int, order: Bond.Order)] = []
        for bond in molecule.bonds {
            let (from, to) = (Int(bond.from), Int(bond.to))
            if from == 0 || to == 0 {
                ends.append((max(from, to) + first, bond.order))
            } else {
                bonds.append(Bond(from + first, to + first, bond.order))
            }
        }
        return ends
    }

    // MARK: Placing

    /// Places the atoms around the origin, with the neighbor to the left.
    private mutating func place() {
        var layout = LabelLayout(atoms: atoms.count, bonds: bonds.map { (Int($0.from), Int($0.to)) })
        let places = layout.places(from: joints)
        for index in atoms.indices { atoms[index].position = places[index] }
    }

    /// Returns the positions of the atoms, moved to the label's position and turned away from the neighbor.
    func positions(at place: Position, from neighbor: Position?) -> [Position] {
        var (x, y) = (1.0, 0.0)
        if let neighbor {
            let length =
                ((place.x - neighbor.x) * (place.x - neighbor.x)
                + (place.y - neighbor.y) * (place.y - neighbor.y)).squareRoot()
            if length > 0.01 { (x, y) = ((place.x - neighbor.x) / length, (place.y - neighbor.y) / length) }
        }
        func short(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }
        return atoms.map { atom in
            let at = atom.position
            return Position(
                short(place.x + at.x * x - at.y * y), short(place.y + at.x * y + at.y * x), place.z)
        }
    }
}

extension LabelAssembly.Site {
    var isGroup: Bool { if case .group = kind { true } else { false } }
}

/// The label of the acid or solvent in a salt or solvate: `•HCl`, `x 2HCl`, `.H2O`.
struct SaltLabel {
    /// The formula or name of the acid or solvent.
    let letters: [Unicode.Scalar]
    /// The number of acid or solvent molecules.
    let count: Int

    init?(_ text: [Unicode.Scalar]) {
        var letters = text[...]
        guard let first = letters.popFirst() else { return nil }
        switch first {
        case "@", ".": break
        case "x", "×", "*": guard letters.first == " " || letters.count > 1 && first != "x" else { return nil }
        default: return nil
        }
        letters = letters.drop { $0 == " " }
        var count = 1
        if let digit = letters.first, "2"..."9" ~= digit {
            count = Int(digit.value) - 0x30
            letters = letters.dropFirst().drop { $0 == " " }
        }
        guard let letter = letters.first, letter.properties.isAlphabetic, letter != "e" else { return nil }
        self.letters = Array(letters)
        self.count = count
    }
}
