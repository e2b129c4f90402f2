/// A molecule as specified in a file. No features are perceived, corrected or dropped.
///
/// Two arrays contain the properties that every atom or bond has; `extras` contains the rare ones. Implicit hydrogens,
/// the formula and masses are computed on request.
///
///     var water = Molecule()
///     water.name = "water"
///     water.atoms = [Atom(.oxygen)]
///     print(water.formula)             // H2O
public struct Molecule: Sendable, Hashable {
    package var heading = Heading()
    /// The atoms. Use `removeAtoms` to remove some of them, because it also renumbers all references to the remaining
    /// atoms.
    public var atoms: [Atom] = []
    /// The bonds. Their ends are indices in `atoms`.
    public var bonds: [Bond] = []
    /// The names of atoms that are not element symbols; `Atom.label` is an index in this array.
    public var labels: [Text] = []
    /// The rare properties of atoms, bonds and the molecule.
    public var extras = Extras()
    /// The properties of the entire molecule.
    public var flags: Flags = []
    /// The rule for hydrogen counts that are not fixed.
    public var hydrogenRule: HydrogenRule = .mdl

    /// Creates a molecule without atoms.
    public init() {}

    /// Properties of an entire molecule.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The flags, one bit each.
        public let rawValue: UInt8

        /// Creates flags from their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The drawn stereochemistry is absolute (MDL's chiral flag).
        @inlinable public static var chiral: Flags { Flags(rawValue: 1) }
        /// The positions are 3D coordinates rather than those of a drawing.
        @inlinable public static var threeDimensional: Flags { Flags(rawValue: 2) }
        /// The file contains no coordinates.
        @inlinable public static var withoutCoordinates: Flags { Flags(rawValue: 4) }
        /// The file specifies hydrogens in separate lines (`M  HYD`), and output in the same format should contain such
        /// lines again.
        @inlinable public static var hydrogenLines: Flags { Flags(rawValue: 8) }
    }

    /// The rule that determines hydrogen counts if they are `HydrogenCount.unstated`.
    public enum HydrogenRule: UInt8, Sendable, Hashable {
        /// MDL's valence model of 2009, which open-source toolkits use: bare sodium is NaH.
        case mdl
        /// SketchEl's rule: only C, N, O, S and P have implicit hydrogens.
        case sketchEl
        /// MDL's valence model of 2017, which BIOVIA's products use: no metal has implicit hydrogens.
        case mdl2017
    }
}

extension Molecule {
    /// The title, which is the first line of an MDL file.
    public var name: Text {
        get { heading.name }
        set { heading.name = newValue }
    }

    /// Sets the name without an intermediate copy.
    package mutating func setName(_ name: ArraySlice<UInt8>) {
        heading.setName(name)
    }

    /// The user and program that wrote the file, and the date, verbatim: the second line of an MDL file.
    public var origin: Text {
        get { heading.origin }
        set { heading.origin = newValue }
    }

    /// The author's comment: the third line of an MDL file.
    public var comment: Text {
        get { heading.comment }
        set { heading.comment = newValue }
    }

    /// Looks up the name of an atom.
    ///
    ///     molecule.symbol(ofAtom: 0)       // "C", "D", "R#", "*"
    ///
    /// - Returns: the label of the atom if it has one, otherwise its element's symbol.
    public func symbol(ofAtom index: Int) -> Text {
        let atom = atoms[index]
        if labels.indices.contains(Int(atom.label)) { return labels[Int(atom.label)] }
        return Text(atom.element.symbol)
    }

    /// Sets the label of an atom, and adds it to the molecule's labels if necessary.
    public mutating func setLabel(_ label: Text, ofAtom index: Int) {
        atoms[index].label = place(ofLabel: label)
    }

    /// Returns the index of a label in `labels`, and adds the label if it is new.
    package mutating func place(ofLabel label: Text) -> Int32 {
        if let place = labels.firstIndex(of: label) { return Int32(clamping: place) }
        labels.append(label)
        return Int32(clamping: labels.count - 1)
    }

    /// Finds the notes on an atom with a binary search.
    ///
    /// - Returns: the notes in their order.
    public func notes(onAtom index: Int) -> some RandomAccessCollection<AtomNote> {
        let marked = atoms[index].marks.contains(.hasNotes)
        return (marked ? extras.contents.atomNotes : []).notes(of: index)
    }

    /// Finds the notes on a bond with a binary search.
    ///
    /// - Returns: the notes in their order.
    public func notes(onBond index: Int) -> some RandomAccessCollection<BondNote> {
        let marked = bonds[index].traits.contains(.hasNotes)
        return (marked ? extras.contents.bondNotes : []).notes(of: index)
    }

    /// Adds a note after the existing notes on the atom.
    public mutating func addNote(_ note: AtomNote, toAtom index: Int) {
        atoms[index].marks.insert(.hasNotes)
        extras.contents.atomNotes.insert(note, at: index)
    }

    /// Adds a note after the existing notes on the bond.
    public mutating func addNote(_ note: BondNote, toBond index: Int) {
        bonds[index].traits.insert(.hasNotes)
        extras.contents.bondNotes.insert(note, at: index)
    }

    /// Looks up the valence that the author fixed for an atom.
    ///
    /// - Returns: the valence including hydrogens, or `nil` if it is not fixed.
    public func valence(ofAtom index: Int) -> Int? {
        for case .valence(let valence) in notes(onAtom: index) { return valence }
        return nil
    }

    /// Selects which of MDL's rules determines hydrogens that are not specified.
    ///
    /// A molecule with SketchEl's rule is not changed. The rule is also set in R-group members, templates and
    /// abbreviations.
    ///
    ///     var sodium = Molecule()
    ///     sodium.atoms = [Atom(.sodium)]
    ///     sodium.countHydrogens(by: .restricted2017)
    ///     print(sodium.formula)            // Na, and not HNa
    public mutating func countHydrogens(by rule: MDLValenceRule) {
        if hydrogenRule != .sketchEl { hydrogenRule = rule == .ladder2009 ? .mdl : .mdl2017 }
        if !extras.isEmpty { extras.contents.countHydrogens(by: rule) }
    }

    /// Whether at least one position has a z coordinate other than 0.
    package var hasHeights: Bool {
        atoms.contains { $0.position.z != 0 }
    }

    /// Clears the molecule but retains its memory for the next one.
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
