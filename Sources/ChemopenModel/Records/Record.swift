/// The unit that comes out of any file, one at a time: a molecule, a reaction or neither, with its data fields.
public struct Record: Sendable, Hashable {
    /// The molecule or reaction, if there is one.
    public var subject: Subject = .none
    /// The data fields, in the file's order.
    public var fields = Fields()
    /// The registry numbers of an RD record.
    public var registry: [RegistryNumber] = []
    /// Read, not understood, kept; in the file's order.
    public var verbatim: [Verbatim] = []

    /// A record without structure and fields.
    public init() {}

    /// A record of a molecule.
    public init(_ molecule: Molecule) {
        subject = .molecule(molecule)
    }

    /// A record of a reaction.
    public init(_ reaction: Reaction) {
        subject = .reaction(reaction)
    }

    /// The thing that a record is about.
    public enum Subject: Sendable, Hashable {
        /// There is no structure.
        case none
        /// A molecule.
        case molecule(Molecule)
        /// A reaction.
        case reaction(Reaction)
    }

    /// A number under which a molecule or reaction is registered, inside a database or outside it.
    public struct RegistryNumber: Sendable, Hashable {
        /// The number is one of the database itself.
        public var isInternal: Bool
        /// Whether it is a reaction's (`$RIREG`, `$REREG`).
        public var isOfReaction: Bool
        /// The number, as written.
        public var number: Text

        /// A number in a database or outside it.
        public init(_ number: Text, isInternal: Bool, isOfReaction: Bool) {
            self.number = number
            self.isInternal = isInternal
            self.isOfReaction = isOfReaction
        }
    }
}

extension Record {
    /// The name of the molecule or reaction; empty where there is neither.
    package var name: Text {
        switch subject {
        case .molecule(let molecule): molecule.name
        case .reaction(let reaction): reaction.name
        case .none: Text()
        }
    }

    /// The bytes of the name, without a copy.
    package var nameBytes: ArraySlice<UInt8> {
        switch subject {
        case .molecule(let molecule): molecule.heading.lines.name
        case .reaction(let reaction): reaction.heading.lines.name
        case .none: []
        }
    }

    /// Names the molecule or the reaction; nothing where there is neither.
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

    /// The molecule; nothing where the record is a reaction, or neither.
    ///
    ///     record.molecule?.name = "caffeine"   // in its place, without a copy
    ///     record.molecule = Molecule()         // whatever the record was
    ///
    /// To set it to nothing takes a molecule out, and leaves a reaction where it is.
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

    /// The reaction; nothing where the record is a molecule, or neither. To set it to nothing leaves a molecule where it is.
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

    /// Takes the molecule out, so that its memory can be filled anew without a copy.
    package mutating func takeMolecule() -> Molecule {
        var old = Subject.none
        swap(&old, &subject)
        if case .molecule(let molecule) = consume old { return molecule }
        return Molecule()
    }

    /// Takes the reaction apart into its molecules, so that their memory can be filled anew.
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

    /// Takes another of MDL's rules for the hydrogens that nothing states, in every molecule.
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

    /// Takes everything but the subject out and keeps the memory.
    package mutating func removeAllFields() {
        fields.removeAll()
        if !registry.isEmpty { registry = [] }
        if !verbatim.isEmpty { verbatim = [] }
    }
}

extension Reaction {
    /// Takes another of MDL's rules for the hydrogens that nothing states, in every component.
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
