import ChemopenModel

/// The atoms and bonds of a fragment, and the objects from which they were read.
struct DrawnPiece {
    /// A connection point of an abbreviation's content, with the atoms that are bonded to it; there is one in a valid
    /// drawing.
    struct Point {
        let object: Int
        var atoms: [Int] = []

        /// The atom, if all bonds lead to the same one.
        var onlyAtom: Int? {
            guard let first = atoms.first, atoms.allSatisfy({ $0 == first }) else { return nil }
            return first
        }
    }

    var draft = MoleculeDraft()
    /// The connection points, in the order of the abbreviation's bonds.
    var points: [Point] = []
    /// The node objects and their atoms, including those within abbreviations.
    var atoms: [DrawnAtom] = []
    /// The atoms in Chemopen's own drawings whose number of hydrogens is stored only because they have a label.
    var shown = ShownHydrogens()

    func molecule() -> Molecule { shown.forget(in: draft.molecule()) }
}

/// Atoms with hydrogens next to their labels, which count as specified only if the valence rule gives another number.
struct ShownHydrogens {
    var atoms: [Int] = []

    /// Returns the molecule without the hydrogen counts that the valence rule implies.
    ///
    /// - Parameter shift: The offset of the atoms' indices in the molecule.
    func forget(in molecule: Molecule, shift: Int = 0) -> Molecule {
        if atoms.isEmpty { return molecule }
        var molecule = molecule
        let stated = atoms.map { molecule.atoms[$0 + shift].hydrogens }
        for atom in atoms { molecule.atoms[atom + shift].hydrogens = .unstated }
        let counts = molecule.hydrogenCounts()
        for (atom, count) in zip(atoms, stated) where count.fixed != counts[atom + shift] {
            molecule.atoms[atom + shift].hydrogens = count
        }
        return molecule
    }
}

/// A node and its atom.
struct DrawnAtom {
    private let nodePlace: Int32
    private let atomPlace: Int32

    init(_ node: Int, _ atom: Int) {
        nodePlace = Int32(truncatingIfNeeded: node)
        atomPlace = Int32(truncatingIfNeeded: atom)
    }

    var node: Int { Int(nodePlace) }
    var atom: Int { Int(atomPlace) }
}

/// Reads fragments: nodes become atoms, bonds remain bonds, and nodes with a fragment inside become abbreviations.
struct FragmentReader {
    let drawing: Drawing
    let scale: DrawingScale
    /// The R-group numbers of the alternative groups, by ID.
    let alternatives: [UInt32: Int]
    /// Nodes to which other objects refer. An abbreviation that contains one of them cannot stay a single atom.
    let mentioned: Set<Int>
    var tables: FragmentTables
    /// A cache of the structures of labels.
    var labels = KnownLabels()
    var issues: [Issue] = []
    /// Whether the current fragment has 3D coordinates.
    var isInSpace = false
    /// The number of atoms that may still be added. The limit prevents excessive expansion of a malformed file.
    var atomsLeft = 1_000_000
    private var isExhausted = false
    /// The distance by which the molecule was moved when it was written, in ten-thousandths of an Ångström.
    private var shift = (x: 0.0, y: 0.0)
    /// The factor by which the bonds were stretched when the molecule was written.
    private var stretching = 1.0

    static let greatestDepth = 32

    init(
        _ drawing: Drawing, _ tables: consuming FragmentTables, scale: DrawingScale, alternatives: [UInt32: Int],
        mentioned: Set<Int>
    ) {
        self.drawing = drawing
        self.scale = scale
        self.alternatives = alternatives
        self.mentioned = mentioned
        self.tables = tables
    }

    /// Reads a fragment on a page, or nodes outside any fragment.
    mutating func read(_ owner: Int, into piece: inout DrawnPiece) {
        isInSpace = false
        for node in drawing.children(of: owner) where drawing.kind(of: node) == .node {
            isInSpace = drawing.position(.position3D, of: node) != nil
            if !isInSpace { break }
        }
        read(owner, within: nil, into: &piece)
    }

    /// The node that contains an inner fragment.
    struct Holder {
        var position: Position
        var depth: Int
    }

    mutating func read(_ owner: Int, within holder: Holder?, into piece: inout DrawnPiece) {
        let table = tables.take(owner)
        issues.note(table.issues)
        if holder == nil || holder?.depth == 0 { readShift(of: owner) }
        piece.atoms.reserveCapacity(table.nodes.count)
        piece.draft.reserve(atoms: table.nodes.count, bonds: table.bonds.count)
        var groups: [PendingAbbreviation] = []
        for index in table.nodes {
            let node = tables.nodes[index].object
            if atomsLeft <= 0 {
                if !isExhausted { doubt("more than a million atoms; the remaining ones are omitted", node) }
                isExhausted = true
                continue
            }
            let position = position(of: node, within: holder)
            switch tables.nodes[index].type {
            case .connectionPoint where holder != nil:
                tables.nodes[index].place = .point(Int32(clamping: piece.points.count))
                piece.points.append(.init(object: node))
                continue
            case .unspecified, .nickname, .fragment, .monomer:
                let depth = holder?.depth ?? 0
                if let place = readAbbreviation(index, position, table, into: &piece, depth: depth, &groups) {
                    tables.nodes[index].place = place
                    continue
                }
                fallthrough
            case .element, .formula:
                if let place = readLabel(index, position, table, into: &piece, &groups) {
                    tables.nodes[index].place = place
                    continue
                }
            case .multiAttachment, .variableAttachment:
                if tables.firstBond(ofNode: index) == nil {
                    doubt("an attachment without a bond; omitted", node)
                    continue
                }
            default: break
            }
            tables.nodes[index].place = .atom(Int32(clamping: addAtom(index, at: position, to: &piece, &groups)))
        }
        readBonds(table, into: &piece)
        readAttachments(table, into: &piece)
        finish(groups, into: &piece)
        if holder != nil { sortPoints(of: owner, table, &piece) }
        readStereo(table, into: &piece)
        readLinks(table, into: &piece)
    }

    // MARK: Atoms

    private func position(of node: Int, within holder: Holder?) -> Position {
        if isInSpace, let position = drawing.position(.position3D, of: node) { return place(position) }
        if let position = drawing.position(.position, of: node) { return place(position) }
        return holder?.position ?? Position()
    }

    private mutating func readShift(of owner: Int) {
        shift = (0, 0)
        stretching = 1
        guard let moved = drawing.ownStatement(in: owner)?.moved, 2...3 ~= moved.count else { return }
        shift = (moved[0], moved[1])
        if moved.count > 2, moved[2] > 0 { stretching = moved[2] / 10_000 }
    }

    /// Returns a position as it was before the molecule was moved and stretched for its page.
    func place(_ position: Position) -> Position {
        let place = scale.place(position)
        if shift.x == 0, shift.y == 0, stretching == 1 { return place }
        let unit = 10_000.0
        func before(_ whole: Double) -> Double { stretching == 1 ? whole : (whole / stretching).rounded() }
        return Position(
            before((place.x * unit).rounded() - shift.x) / unit + 0,
            before((place.y * unit).rounded() - shift.y) / unit + 0, place.z)
    }

    // MARK: Bonds

    private mutating func readBonds(_ table: FragmentTable, into piece: inout DrawnPiece) {
        for index in table.bonds {
            let bond = tables.bonds[index]
            switch (tables.nodes[bond.begin].place, tables.nodes[bond.end].place) {
            case (.atom(let from), .atom(let to)):
                addBond(index, Int(from), Int(to), to: &piece)
            case (.nothing, _), (_, .nothing):
                doubt("a bond to an omitted node; omitted", bond.object)
            case (.point(let point), _):
                if let atom = tables.atom(at: bond.end, of: index) { piece.points[Int(point)].atoms.append(atom) }
            case (_, .point(let point)):
                if let atom = tables.atom(at: bond.begin, of: index) { piece.points[Int(point)].atoms.append(atom) }
            default:
                guard let from = tables.atom(at: bond.begin, of: index), let to = tables.atom(at: bond.end, of: index)
                else {
                    doubt("a bond to an abbreviation without a connection point for it; omitted", bond.object)
                    continue
                }
                addBond(index, from, to, to: &piece)
            }
        }
    }

    private mutating func addBond(_ place: Int, _ from: Int, _ to: Int, to piece: inout DrawnPiece) {
        let object = tables.bonds[place].object
        var (bond, notes) = DrawnBond.read(object, from, to, in: drawing)
        if let said = drawing.ownStatement(in: object) {
            if said.hasZeroOrder { (bond.order, notes) = (.zero, []) }
            bond.traits.formUnion(said.bond.bond.traits)
            if said.bond.bond.reactingCenter != 0 { bond.reactingCenter = said.bond.bond.reactingCenter }
            notes += said.bond.notes.filter { $0.isSound(among: piece.draft.atoms.count) }
        }
        if from == to || tables.isSecond(place) {
            doubt(
                from == to ? "a bond from an atom to itself; omitted" : "a second bond between two atoms; omitted",
                object)
            return
        }
        let index = piece.draft.add(bond)
        tables.bonds[place].place = Int32(truncatingIfNeeded: index)
        for note in notes { piece.draft.note(note, onBond: index) }
        if bond.order == .any, DrawnBond.isUnusual(object, in: drawing) {
            let bits = drawing.integer(.order, of: object) ?? DrawnOrder.single
            let shown = Text(DrawnOrder.spelling(of: bits))
            if bits != DrawnOrder.any {
                doubt("unknown bond order; read as any", object, found: shown)
            }
        }
    }

    // MARK: Bonds to several atoms at once

    private mutating func readAttachments(_ table: FragmentTable, into piece: inout DrawnPiece) {
        for index in table.nodes where tables.nodes[index].type.isAttachment {
            guard case .atom = tables.nodes[index].place else { continue }
            let node = tables.nodes[index].object
            var ends: [Int32] = []
            for id in drawing.identifiers(.attachments, of: node) {
                guard let other = tables.node(called: id, in: table), other != index else {
                    doubt("attached to node \(id), which does not exist; ignored", node)
                    continue
                }
                switch tables.nodes[other].place {
                case .atom(let atom): ends.append(atom)
                case .joints:
                    let joints = tables.bonds(ofNode: other).compactMap { tables.atom(at: other, of: $0) }
                    if let first = joints.min() { ends.append(Int32(clamping: first)) }
                default: continue
                }
            }
            if ends.isEmpty {
                doubt("an attachment without atoms", node)
                continue
            }
            let isVariable = tables.nodes[index].type == .variableAttachment
            for bond in tables.bonds(ofNode: index) where tables.bonds[bond].place >= 0 {
                piece.draft.note(.endpoints(atoms: ends, any: isVariable), onBond: Int(tables.bonds[bond].place))
            }
        }
    }

    // MARK: Warnings

    mutating func doubt(_ message: String, _ object: Int, found: Text = "") {
        issues.note(drawing.issue(message, with: object, found: found))
    }
}
