/// The unit of every file: a molecule, a reaction or no structure, with its data fields. Records are read one at a
/// time.
public struct Record: Sendable, Hashable {
    /// The molecule or reaction, if there is one.
    public var subject: Subject = .none
    /// The data fields, in file order.
    public var fields = Fields()
    /// The registry numbers of an RD record.
    public var registry: [RegistryNumber] = []
    /// Unrecognized content, preserved in file order.
    public var verbatim: [Verbatim] = []

    /// Creates a record without structure and fields.
    public init() {}

    /// Creates a record with a molecule.
    public init(_ molecule: Molecule) {
        subject = .molecule(molecule)
    }

    /// Creates a record with a reaction.
    public init(_ reaction: Reaction) {
        subject = .reaction(reaction)
    }

    /// The structure of a record.
    public enum Subject: Sendable, Hashable {
        /// There is no structure.
        case none
        /// A molecule.
        case molecule(Molecule)
        /// A reaction.
        case reaction(Reaction)
    }

    /// The registry number of a molecule or reaction, in the file's database or another one.
    public struct RegistryNumber: Sendable, Hashable {
        /// Whether the number belongs to the file's own database.
        public var isInternal: Bool
        /// Whether the number identifies a reaction (`$RIREG`, `$REREG`).
        public var isOfReaction: Bool
        /// The number, as written.
        public var number: Text

        /// Creates a registry number.
        public init(_ number: Text, isInternal: Bool, isOfReaction: Bool) {
            self.number = number
            self.isInternal = isInternal
            self.isOfReaction = isOfReaction
        }
    }
}

extension Record {
    /// The name of the molecule or reaction; empty if the record has no structure.
    package var name: Text {
        switch subject {
        case .molecule(let molecule): molecule.name
        case .reaction(let reaction): reaction.name
        case .none: Text()
        }
    }

    /// The bytes of the name, without copying them.
    package var nameBytes: ArraySlice<UInt8> {
        switch subject {
        case .molecule(let molecule): molecule.heading.lines.name
        case .reaction(let reaction): reaction.heading.lines.name
        case .none: []
        }
    }

    /// Sets the name of the molecule or reaction. If the record has no structure, this has no effect.
    package mutating func setName(_ name: ArraySlice<UInt8>) {
        switch subject {
        case .none: break
        case .molecule:
            var molecule = takeMolecule()
            molecule.setName(name)
            subject = .molecule(molecule)
        case .reaction(var reaction):
            subject = .none
            reaction.heading.setName(name)
            subject = .reaction(reaction)
        }
    }

    /// The molecule, or `nil` if the record is a reaction or has no structure.
    ///
    ///     record.molecule?.name = "caffeine"   // edited in place, without a copy
    ///     record.molecule = Molecule()         // replaces any structure
    ///
    /// Setting this to `nil` removes a molecule but not a reaction.
    public var molecule: Molecule? {
        get {
            if case .molecule(let molecule) = subject { molecule } else { nil }
        }
        _modify {
            var molecule: Molecule?
            let isMolecule = if case .molecule = subject { true } else { false }
            if isMolecule { molecule = takeMolecule() }
            defer {
                if let molecule {
                    subject = .molecule(molecule)
                } else if isMolecule {
                    subject = .none
                }
            }
            yield &molecule
        }
    }

    /// The reaction, or `nil` if the record is a molecule or has no structure. Setting this to `nil` does not remove a
    /// molecule.
    public var reaction: Reaction? {
        get {
            if case .reaction(let reaction) = subject { reaction } else { nil }
        }
        set {
            if let reaction = newValue {
                subject = .reaction(reaction)
            } else if case .reaction = subject {
                subject = .none
            }
        }
    }

    /// Moves the molecule out of the record, which allows you to reuse its memory without a copy.
    package mutating func takeMolecule() -> Molecule {
        var old = Subject.none
        swap(&old, &subject)
        if case .molecule(let molecule) = consume old { return molecule }
        return Molecule()
    }

    /// Moves the molecules out of the reaction, which allows you to reuse their memory.
    package mutating func takeReaction() -> [Molecule] {
        var old = Subject.none
        swap(&old, &subject)
        guard case .reaction(var reaction) = consume old else { return [] }
        var molecules: [Molecule] = []
        for step in reaction.steps.indices {
            while let component = reaction.steps[step].reactants.popLast() { molecules.append(component.molecule) }
            while let component = reaction.steps[step].agents.popLast() { molecules.append(component.molecule) }
            while let component = reaction.steps[step].products.popLast() { molecules.append(component.molecule) }
        }
        return molecules
    }

    /// Selects which of MDL's rules determines unspecified hydrogens, in every molecule of the record.
    public mutating func countHydrogens(by rule: MDLValenceRule) {
        switch subject {
        case .none: break
        case .molecule(var molecule):
            subject = .none
            molecule.countHydrogens(by: rule)
            subject = .molecule(molecule)
        case .reaction(var reaction):
            subject = .none
            reaction.countHydrogens(by: rule)
            subject = .reaction(reaction)
        }
        for place in fields.structures.indices {
            switch fields.structures[place].note {
            case .molecule(var molecule):
                molecule.countHydrogens(by: rule)
                fields.structures[place].note = .molecule(molecule)
            case .reaction(var reaction):
                reaction.countHydrogens(by: rule)
                fields.structures[place].note = .reaction(reaction)
            }
        }
    }

    /// Removes all data except the subject, and retains the memory.
    package mutating func removeAllFields() {
        fields.removeAll()
        if !registry.isEmpty { registry = [] }
        if !verbatim.isEmpty { verbatim = [] }
    }
}

extension Reaction {
    /// Selects which of MDL's rules determines unspecified hydrogens, in every component.
    public mutating func countHydrogens(by rule: MDLValenceRule) {
        for step in steps.indices {
            for place in steps[step].reactants.indices {
                steps[step].reactants[place].molecule.countHydrogens(by: rule)
            }
            for place in steps[step].agents.indices { steps[step].agents[place].molecule.countHydrogens(by: rule) }
            for place in steps[step].products.indices { steps[step].products[place].molecule.countHydrogens(by: rule) }
        }
    }
}
