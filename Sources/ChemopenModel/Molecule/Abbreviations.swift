/// An abbreviation that could not be expanded.
public struct UnexpandedAbbreviation: Sendable, Hashable {
    /// The reason why an abbreviation was not expanded.
    public enum Reason: Sendable, Hashable {
        /// The piece has no atom named `*`, which marks its attachment point.
        case noPlaceholder
        /// The atom has this number of neighbors instead of one.
        case neighbors(Int)
        /// Abbreviations are nested too deeply.
        case tooDeep
    }

    /// The index of the remaining atom in the result.
    public var atom: Int
    /// The reason why it was not expanded.
    public var reason: Reason

    /// Creates a description of an abbreviation that was not expanded.
    public init(atom: Int, reason: Reason) {
        self.atom = atom
        self.reason = reason
    }
}

extension Molecule {
    /// Whether at least one atom represents a piece of structure.
    package var hasAbbreviations: Bool { !extras.isEmpty && !extras.contents.abbreviations.isEmpty }

    /// Expands every abbreviation to its atoms.
    ///
    /// - Returns: the expanded molecule. An abbreviation that cannot be expanded remains an atom with its label.
    public func expandingAbbreviations() -> Molecule {
        var molecule = self
        molecule.expandAbbreviations()
        return molecule
    }

    /// Replaces every abbreviation by its atoms, and appends these to the molecule's atoms.
    ///
    /// The piece is moved and rotated: its placeholder coincides with the neighbor, and it points in the direction of
    /// the label. The bonds of the placeholder are connected to the neighbor. They retain the orders of the piece, and
    /// get the wedge and display style of the drawn bond if that bond starts at the neighbor.
    ///
    /// The label is removed with its charge, radical, isotope and hydrogens. Its map number is copied to the atoms next
    /// to the placeholder, and its polymer marks to all atoms of the piece.
    ///
    /// - Parameter asGroups: whether to preserve each label as the label of an Sgroup of its atoms.
    /// - Returns: the abbreviations that could not be expanded.
    @discardableResult
    public mutating func expandAbbreviations(asGroups: Bool = false) -> [UnexpandedAbbreviation] {
        if !hasAbbreviations { return [] }
        var expansion = AbbreviationExpansion(of: self, asGroups: asGroups)
        let left = expansion.run()
        if let molecule = expansion.result { self = molecule }
        return left
    }
}

/// The expansion of all abbreviations of a molecule. Atoms and bonds are flagged, and removed at the end.
private struct AbbreviationExpansion {
    private struct Task {
        var abbreviation: Abbreviation
        var depth: Int
        /// The indices of the Sgroups that were created for the enclosing abbreviations.
        var groups: [Int] = []
    }

    private var molecule: Molecule
    private var contents: Extras.Contents
    private var tasks: [Task]
    /// Whether each atom is an abbreviation; `bonds` contains the bonds of these atoms.
    private var isLabel: [Bool]
    private var bonds: [Int: [Int]] = [:]
    private var isAtomKept: [Bool]
    private var isBondKept: [Bool]
    private var left: [Abbreviation] = []
    private var reasons: [Int: UnexpandedAbbreviation.Reason] = [:]

    private let makesGroups: Bool

    private static let greatestDepth = 50

    init(of molecule: Molecule, asGroups: Bool) {
        self.molecule = molecule
        makesGroups = asGroups
        contents = molecule.extras.contents
        tasks = contents.abbreviations.map { Task(abbreviation: $0, depth: 1) }
        self.molecule.extras = Extras()
        contents.abbreviations = []
        isAtomKept = Array(repeating: true, count: molecule.atoms.count)
        isBondKept = Array(repeating: true, count: molecule.bonds.count)
        isLabel = Array(repeating: false, count: molecule.atoms.count)
        for task in tasks where isLabel.indices.contains(Int(task.abbreviation.atom)) {
            isLabel[Int(task.abbreviation.atom)] = true
        }
        noteBonds(from: 0)
    }

    /// The molecule without the expanded abbreviations, or `nil` if no abbreviation was expanded.
    var result: Molecule? {
        guard isAtomKept.contains(false) else { return nil }
        var result = molecule
        var contents = contents
        contents.abbreviations = left
        result.extras.contents = contents
        result.keep(atoms: isAtomKept, bonds: isBondKept)
        return result
    }

    mutating func run() -> [UnexpandedAbbreviation] {
        var next = 0
        while next < tasks.count {
            let task = tasks[next]
            next += 1
            let atom = Int(task.abbreviation.atom)
            guard molecule.atoms.indices.contains(atom), isAtomKept[atom] else { continue }
            if reasons[atom] != nil {
                left.append(task.abbreviation)
            } else if let reason = expand(task, at: atom) {
                reasons[atom] = reason
                left.append(task.abbreviation)
            }
        }
        let numbers = Renumbering(keepingAtoms: isAtomKept, bonds: isBondKept)
        return reasons.keys.sorted().compactMap { atom in
            guard let reason = reasons[atom], let place = numbers.atom(Int32(clamping: atom)) else { return nil }
            return UnexpandedAbbreviation(atom: Int(place), reason: reason)
        }
    }

    /// Expands one abbreviation.
    ///
    /// - Returns: the reason if it cannot be expanded, otherwise `nil`.
    private mutating func expand(_ task: Task, at atom: Int) -> UnexpandedAbbreviation.Reason? {
        guard task.depth <= Self.greatestDepth else { return .tooDeep }
        let drawnBonds = bonds[atom]?.filter { isBondKept[$0] } ?? []
        guard drawnBonds.count == 1, let drawnPlace = drawnBonds.first else { return .neighbors(drawnBonds.count) }
        var piece = task.abbreviation.molecule
        piece.flags = molecule.flags
        guard let placeholder = piece.atoms.indices.first(where: { piece.symbol(ofAtom: $0) == "*" }) else {
            return .noPlaceholder
        }
        let drawn = molecule.bonds[drawnPlace]
        let neighbor = Int(drawn.from) == atom ? Int(drawn.to) : Int(drawn.from)
        let nested = piece.extras.contents.abbreviations
        let label = molecule.symbol(ofAtom: atom)
        prepare(&piece, placeholder: placeholder, neighbor: neighbor, label: atom)
        attach(piece, placeholder: placeholder, neighbor: neighbor, drawn: drawn, drawnPlace: drawnPlace)
        isAtomKept[atom] = false
        isBondKept[drawnPlace] = false
        let shift = Int32(clamping: molecule.atoms.count - piece.atoms.count)
        let groups =
            makesGroups ? addGroup(label, piece, placeholder: placeholder, neighbor: neighbor, task.groups) : []
        for var abbreviation in nested where piece.atoms.indices.contains(Int(abbreviation.atom)) {
            abbreviation.atom &+= shift
            tasks.append(Task(abbreviation: abbreviation, depth: task.depth + 1, groups: groups))
            isLabel[Int(abbreviation.atom)] = true
        }
        noteBonds(from: molecule.bonds.count - piece.bonds.count)
        return nil
    }

    /// Creates an Sgroup of the last appended atoms, and adds them to the enclosing Sgroups.
    ///
    /// - Returns: the indices of the enclosing Sgroups and the new one.
    private mutating func addGroup(
        _ label: Text, _ piece: Molecule, placeholder: Int, neighbor: Int, _ outer: [Int]
    ) -> [Int] {
        let first = molecule.atoms.count - piece.atoms.count
        let added = piece.atoms.indices.filter { $0 != placeholder }.map { Int32(clamping: first + $0) }
        var group = Sgroup(.abbreviation)
        group.label = label
        group.atoms = added
        group.parent = outer.last.map { Int32(clamping: $0) }
        for place in (molecule.bonds.count - piece.bonds.count)..<molecule.bonds.count {
            if molecule.bonds[place].partner(of: neighbor) != nil { group.bonds.append(Int32(clamping: place)) }
        }
        for place in outer {
            if !contents.sgroups[place].atoms.contains(Int32(clamping: neighbor)) {
                contents.sgroups[place].bonds += group.bonds
            }
            contents.sgroups[place].atoms += added
        }
        contents.sgroups.append(group)
        return outer + [contents.sgroups.count - 1]
    }

    /// Records the bonds of abbreviations, starting with the bond at index `first`.
    private mutating func noteBonds(from first: Int) {
        let all = molecule.bonds
        for place in first..<all.count {
            noteBond(place, of: Int(all[place].from))
            noteBond(place, of: Int(all[place].to))
        }
    }

    private mutating func noteBond(_ place: Int, of atom: Int) {
        if isLabel.indices.contains(atom), isLabel[atom] { bonds[atom, default: []].append(place) }
    }

    /// Moves the piece to its position in the drawing, and copies the marks of the label to its atoms.
    private func prepare(_ piece: inout Molecule, placeholder: Int, neighbor: Int, label: Int) {
        let attached = piece.bonds.compactMap { $0.partner(of: placeholder) }.filter(piece.atoms.indices.contains)
        let turn = Turn(
            from: piece.atoms[placeholder].position, towards: attached.map { piece.atoms[$0].position },
            to: molecule.atoms[neighbor].position, towards: molecule.atoms[label].position)
        for index in piece.atoms.indices {
            piece.atoms[index].position = turn.apply(to: piece.atoms[index].position)
            piece.atoms[index].mapNumber = 0
        }
        let mapNumber = molecule.atoms[label].mapNumber
        if mapNumber > 0 {
            for index in attached { piece.atoms[index].mapNumber = mapNumber }
        }
        var added = piece.extras.contents
        added.abbreviations = []
        let marks = contents.atomNotes.notes(of: label).filter(\.isPolymerMark)
        if !marks.isEmpty {
            for index in piece.atoms.indices where index != placeholder {
                for mark in marks { added.atomNotes.append(Indexed(index, mark)) }
            }
            let sorted = added.atomNotes.enumerated().sorted {
                ($0.element.index, $0.offset) < ($1.element.index, $1.offset)
            }
            added.atomNotes = sorted.map(\.element)
        }
        piece.extras.contents = added
    }

    /// Appends the piece, and connects the bonds of its placeholder to the neighbor.
    private mutating func attach(
        _ piece: Molecule, placeholder: Int, neighbor: Int, drawn: Bond, drawnPlace: Int
    ) {
        let firstAtom = molecule.atoms.count
        let firstBond = molecule.bonds.count
        molecule.merge(piece, into: &contents)
        isAtomKept += Array(repeating: true, count: piece.atoms.count)
        isLabel += Array(repeating: false, count: piece.atoms.count)
        isBondKept += Array(repeating: true, count: piece.bonds.count)
        isAtomKept[firstAtom + placeholder] = false
        for place in firstBond..<molecule.bonds.count {
            guard let other = molecule.bonds[place].partner(of: firstAtom + placeholder) else { continue }
            molecule.bonds[place].from = Int32(clamping: neighbor)
            molecule.bonds[place].to = Int32(clamping: other)
            let isFromNeighbor = Int(drawn.from) == neighbor
            molecule.bonds[place].mark = isFromNeighbor ? drawn.mark : .none
            for note in contents.bondNotes.notes(of: drawnPlace)
            where note.isPolymerMark || note.isLook(directed: isFromNeighbor) {
                contents.bondNotes.insert(note, at: place)
                molecule.bonds[place].traits.insert(.hasNotes)
            }
        }
    }
}

/// A move and rotation in the plane of the drawing that maps one atom and direction onto another.
private struct Turn {
    private let start: Position
    private let end: Position
    private var cosine = 1.0
    private var sine = 0.0

    init(from start: Position, towards targets: [Position], to end: Position, towards target: Position) {
        self.start = start
        self.end = end
        var x = 0.0
        var y = 0.0
        for target in targets {
            x += target.x - start.x
            y += target.y - start.y
        }
        let newX = target.x - end.x
        let newY = target.y - end.y
        let length = ((x * x + y * y) * (newX * newX + newY * newY)).squareRoot()
        if length > 0, length.isFinite {
            cosine = (x * newX + y * newY) / length
            sine = (x * newY - y * newX) / length
        }
    }

    func apply(to position: Position) -> Position {
        let x = position.x - start.x
        let y = position.y - start.y
        return Position(
            Self.shortened(end.x + x * cosine - y * sine), Self.shortened(end.y + x * sine + y * cosine))
    }

    /// Rounds a coordinate to four decimals, as drawings have, because a rotation would add meaningless digits.
    ///
    /// - Returns: the rounded coordinate, or 0 if it is not finite.
    private static func shortened(_ coordinate: Double) -> Double {
        let shortened = (coordinate * 10_000).rounded() / 10_000
        return shortened.isFinite ? shortened : 0
    }
}

extension AtomNote {
    fileprivate var isPolymerMark: Bool {
        if case .field(let text) = self { text.bytes.starts(with: "xPOLYMER:".utf8) } else { false }
    }
}

extension BondNote {
    /// Returns whether the note specifies how the bond is drawn. Wedges count only if `directed` is true.
    fileprivate func isLook(directed: Bool) -> Bool {
        guard case .display(let text) = self else { return false }
        let words = text.string.lowercased().utf8
        return directed || !words.indices.contains { words[$0...].starts(with: "wedge".utf8) }
    }

    fileprivate var isPolymerMark: Bool {
        if case .field(let text) = self { text.bytes.starts(with: "xPOLYMER:".utf8) } else { false }
    }
}
