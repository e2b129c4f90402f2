/// A molecule as a file states it: nothing perceived, nothing corrected, nothing dropped.
///
/// Properties of every atom and bond stand in two arrays; those of few, in `extras`. Hydrogens that are not drawn, the
/// formula and masses are worked out when asked for.
///
///     var water = Molecule()
///     water.name = "water"
///     water.atoms = [Atom(.oxygen)]
///     print(water.formula)             // H2O
public struct Molecule: Sendable, Hashable {
    package var heading = Heading()
    /// The atoms. To take one out is the business of `removeAtoms`, which renumbers all that is said of the others.
    public var atoms: [Atom] = []
    /// The bonds, whose ends are places in `atoms`.
    public var bonds: [Bond] = []
    /// The names of atoms that are not called by their element: `Atom.label` is a place in here.
    public var labels: [Text] = []
    /// The properties that few atoms and bonds have.
    public var extras = Extras()
    /// The facts about the molecule as a whole.
    public var flags: Flags = []
    /// How a hydrogen count that no atom states is to be worked out.
    public var hydrogenRule: HydrogenRule = .mdl

    /// A molecule without atoms.
    public init() {}

    /// Facts about a molecule as a whole.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The facts, a bit each.
        public let rawValue: UInt8

        /// Facts by their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The drawn stereochemistry is absolute (MDL's chiral flag).
        @inlinable public static var chiral: Flags { Flags(rawValue: 1) }
        /// The positions are those of the molecule in space and not of a drawing.
        @inlinable public static var threeDimensional: Flags { Flags(rawValue: 2) }
        /// The file holds no positions.
        @inlinable public static var withoutCoordinates: Flags { Flags(rawValue: 4) }
        /// The file states hydrogens in words of their own (`M  HYD`), and a file of its kind states them so again.
        @inlinable public static var hydrogenLines: Flags { Flags(rawValue: 8) }
    }

    /// The rule under which `HydrogenCount.unstated` is meant.
    public enum HydrogenRule: UInt8, Sendable, Hashable {
        /// MDL's valence model as published in 2009, by which open toolkits read: bare sodium is NaH.
        case mdl
        /// SketchEl's: only C, N, O, S and P carry hydrogens of their own accord.
        case sketchEl
        /// MDL's as BIOVIA's products have it since 2017: no metal carries hydrogens of its own accord.
        case mdl2017
    }
}

extension Molecule {
    /// The title.
    public var name: Text {
        get { heading.name }
        set { heading.name = newValue }
    }

    /// Takes a name over without a copy of its own.
    package mutating func setName(_ name: ArraySlice<UInt8>) {
        heading.setName(name)
    }

    /// Who wrote the file and when, as the file has it: the second line of an MDL file.
    public var origin: Text {
        get { heading.origin }
        set { heading.origin = newValue }
    }

    /// A comment of its author: the third line of an MDL file.
    public var comment: Text {
        get { heading.comment }
        set { heading.comment = newValue }
    }

    /// The name of an atom: its label, or else its element's symbol.
    ///
    ///     molecule.symbol(ofAtom: 0)       // "C", "D", "R#", "*"
    public func symbol(ofAtom index: Int) -> Text {
        let atom = atoms[index]
        if labels.indices.contains(Int(atom.label)) { return labels[Int(atom.label)] }
        return Text(atom.element.symbol)
    }

    /// Calls an atom by a label; the label becomes one of the molecule's.
    public mutating func setLabel(_ label: Text, ofAtom index: Int) {
        atoms[index].label = place(ofLabel: label)
    }

    /// The place of a label among the molecule's, which it joins if it is new.
    package mutating func place(ofLabel label: Text) -> Int32 {
        if let place = labels.firstIndex(of: label) { return Int32(clamping: place) }
        labels.append(label)
        return Int32(clamping: labels.count - 1)
    }

    /// The notes on an atom, in their order.
    public func notes(onAtom index: Int) -> some RandomAccessCollection<AtomNote> {
        let marked = atoms[index].marks.contains(.hasNotes)
        return (marked ? extras.contents.atomNotes : []).notes(of: index)
    }

    /// The notes on a bond, in their order.
    public func notes(onBond index: Int) -> some RandomAccessCollection<BondNote> {
        let marked = bonds[index].traits.contains(.hasNotes)
        return (marked ? extras.contents.bondNotes : []).notes(of: index)
    }

    /// Adds a note behind those that the atom has.
    public mutating func addNote(_ note: AtomNote, toAtom index: Int) {
        atoms[index].marks.insert(.hasNotes)
        extras.contents.atomNotes.insert(note, at: index)
    }

    /// Adds a note behind those that the bond has.
    public mutating func addNote(_ note: BondNote, toBond index: Int) {
        bonds[index].traits.insert(.hasNotes)
        extras.contents.bondNotes.insert(note, at: index)
    }

    /// The valence that the author fixed, hydrogens included.
    public func valence(ofAtom index: Int) -> Int? {
        for case .valence(let valence) in notes(onAtom: index) { return valence }
        return nil
    }

    /// Takes another of MDL's rules for the hydrogens that nothing states, where it is one of these that counts.
    ///
    ///     var sodium = Molecule()
    ///     sodium.atoms = [Atom(.sodium)]
    ///     sodium.countHydrogens(by: .restricted2017)
    ///     print(sodium.formula)            // Na, and not HNa
    public mutating func countHydrogens(by rule: MDLValenceRule) {
        if hydrogenRule != .sketchEl { hydrogenRule = rule == .ladder2009 ? .mdl : .mdl2017 }
        if !extras.isEmpty { extras.contents.countHydrogens(by: rule) }
    }

    /// Whether any position has a height.
    package var hasHeights: Bool {
        atoms.contains { $0.position.z != 0 }
    }

    /// Takes everything out and keeps the memory, for the next molecule.
    package mutating func removeAll() {
        heading.removeAll()
        atoms.removeAll(keepingCapacity: true)
        bonds.removeAll(keepingCapacity: true)
        if !labels.isEmpty { labels.removeAll(keepingCapacity: true) }
        extras = Extras()
        flags = []
        hydrogenRule = .mdl
    }
}

extension Extras.Contents {
    fileprivate mutating func countHydrogens(by rule: MDLValenceRule) {
        for group in rgroups.indices {
            for member in rgroups[group].members.indices { rgroups[group].members[member].countHydrogens(by: rule) }
        }
        for place in templates.indices { templates[place].molecule.countHydrogens(by: rule) }
        for place in abbreviations.indices { abbreviations[place].molecule.countHydrogens(by: rule) }
    }
}
