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
    public var atoms: [Atom] = []
    public var bonds: [Bond] = []
    /// The names of atoms that are not called by their element: `Atom.label` is a place in here.
    public var labels: [Text] = []
    public var extras = Extras()
    public var flags: Flags = []
    /// How a hydrogen count that no atom states is to be worked out.
    public var hydrogenRule: HydrogenRule = .mdl

    public init() {}

    public struct Flags: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

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

    /// Forgets labels by which no atom is called.
    package mutating func dropUnusedLabels() {
        var places = [Int32](repeating: Atom.noLabel, count: labels.count)
        var kept: [Text] = []
        for index in atoms.indices where labels.indices.contains(Int(atoms[index].label)) {
            let old = Int(atoms[index].label)
            if places[old] == Atom.noLabel {
                places[old] = Int32(clamping: kept.count)
                kept.append(labels[old])
            }
            atoms[index].label = places[old]
        }
        labels = kept
    }

    /// The notes of R-groups for atoms whose labels number one, but for atoms that are noted already.
    package func sites(
        numberedBy number: (Text) -> Int32?, besides isNoted: () -> Set<Int32>
    ) -> [Tagged<AtomNote>] {
        let numbers = labels.map(number)
        if numbers.allSatisfy({ $0 == nil }) { return [] }
        let isNoted = isNoted()
        return atoms.indices.compactMap { index in
            let label = Int(atoms[index].label)
            guard numbers.indices.contains(label), let number = numbers[label],
                !isNoted.contains(Int32(clamping: index))
            else { return nil }
            return Tagged(index, .rgroups([number]))
        }
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
