import ChemopenModel

/// An abbreviation that is completed after the bonds around it have been read.
struct PendingAbbreviation {
    enum Form {
        /// The node becomes one atom, and its content is stored as the structure of the abbreviation.
        indirect case contracted(atom: Int, inner: DrawnPiece)
        /// The inner atoms become atoms of the molecule and are marked as a group.
        case spelledOut(atoms: Range<Int>, joints: [Int])
    }

    var node: Int
    var label: Text
    /// The index of the node in the tables.
    var place: Int
    var form: Form
}

/// Reads nodes that represent a piece of structure.
///
/// If a node has one outer bond and one inner connection point, it stays a single atom, and the piece is attached to
/// it; the atom `*` of the piece is the neighbor outside. Any other abbreviation is expanded to a group of atoms with
/// its label.
extension FragmentReader {
    /// Reads the content of a node; returns nil if the node stays an atom with a label.
    mutating func readAbbreviation(
        _ index: Int, _ position: Position, _ table: FragmentTable, into piece: inout DrawnPiece, depth: Int,
        _ groups: inout [PendingAbbreviation]
    ) -> FragmentTables.Place? {
        let node = tables.nodes[index].object
        guard let fragment = onlyFragment(in: node) else { return nil }
        let label = labelText(of: node)
        guard depth + 1 < Self.greatestDepth else {
            doubt("abbreviations are nested more than \(Self.greatestDepth) deep; read as a label", node, found: label)
            return nil
        }
        var inner = DrawnPiece()
        read(fragment, within: Holder(position: position, depth: depth + 1), into: &inner)
        lookForOwnID(node, inner)
        let ordering = drawing.identifiers(.bondOrdering, of: node)
        if ordering.contains(where: { $0 != 0 && tables.bond(called: $0, in: table) == nil }) {
            doubt("its bond order list refers to bonds that do not exist; the order of the file is used", node)
        }
        let count = tables.bondCount(ofNode: index)
        guard !inner.draft.atoms.isEmpty, let ends = joints(inner, bonds: count, node, label) else { return nil }
        return self.place(inner, index, label, at: position, ends, table, into: &piece, &groups)
    }

    /// Adds a piece at the position of its node: as the structure of an abbreviation atom, or as atoms of the
    /// molecule.
    ///
    /// - Parameter ends: The inner atoms that are bonded to the outside. An outer bond can lead to several of these
    ///   atoms.
    mutating func place(
        _ inner: DrawnPiece, _ index: Int, _ label: Text, at position: Position, _ ends: [Int], _ table: FragmentTable,
        into piece: inout DrawnPiece, _ groups: inout [PendingAbbreviation]
    ) -> FragmentTables.Place? {
        let node = tables.nodes[index].object
        let outer = bonds(of: index, in: table)
        if outer.count == 1, inner.points.count == 1, let joint = ends.first, canBeContracted(index, inner, table) {
            let place = isPlaced(node) ? position : inner.draft.atoms[joint].position
            let atom = addLabelAtom(node, label, at: place, to: &piece)
            for place in inner.atoms { piece.atoms.append(DrawnAtom(place.node, atom)) }
            groups.append(
                PendingAbbreviation(node: node, label: label, place: index, form: .contracted(atom: atom, inner: inner))
            )
            return .atom(Int32(clamping: atom))
        }
        if outer.count == 1, ends.count > 1 { return nil }
        let first = piece.draft.append(inner.draft)
        for place in inner.atoms { piece.atoms.append(DrawnAtom(place.node, place.atom + first.atom)) }
        piece.shown.atoms += inner.shown.atoms.map { $0 + first.atom }
        let joints = ends.map { $0 + first.atom }
        let range = first.atom..<piece.draft.atoms.count
        if let atom = joints.first { piece.atoms.append(DrawnAtom(node, atom)) }
        groups.append(
            PendingAbbreviation(node: node, label: label, place: index, form: .spelledOut(atoms: range, joints: joints))
        )
        for (bond, joint) in zip(outer, joints) { tables.join(bond, at: index, to: joint) }
        return .joints
    }

    /// Returns the fragment inside a node, if there is exactly one.
    private func onlyFragment(in node: Int) -> Int? {
        var found: Int?
        for child in drawing.children(of: node)
        where drawing.kind(of: child) == .fragment && drawing.objects[child].isClosed {
            if found != nil { return nil }
            found = child
        }
        return found
    }

    /// Whether the file specifies the position of a node. If a label has no position, it is placed at the joint of its
    /// piece.
    private func isPlaced(_ node: Int) -> Bool {
        drawing.position(isInSpace ? .position3D : .position, of: node) != nil
    }

    private mutating func lookForOwnID(_ node: Int, _ inner: DrawnPiece) {
        let id = drawing.objects[node].id
        for point in inner.points where id != 0 && drawing.objects[point.object].id == id {
            doubt("a connection point inside it has the same id", node)
        }
    }

    /// Returns the bonds around a node, in the order of the connection points that they belong to.
    private mutating func bonds(of index: Int, in table: FragmentTable) -> [Int] {
        let drawn = tables.bonds(ofNode: index)
        let ordering = drawing.identifiers(.bondOrdering, of: tables.nodes[index].object)
        if ordering.isEmpty { return drawn }
        let listed = ordering.compactMap { tables.bond(called: $0, in: table) }
        if listed == drawn { return drawn }
        return listed.count == drawn.count && Set(listed) == Set(drawn) ? listed : drawn
    }

    /// Returns the inner atom for each outer bond; nil if the drawing does not specify it.
    private mutating func joints(_ inner: DrawnPiece, bonds: Int, _ node: Int, _ label: Text) -> [Int]? {
        let ends = inner.points
        let known = ends.compactMap(\.onlyAtom)
        if known.count == bonds, ends.count == bonds { return known }
        let targets = Set(known)
        if bonds > 0, let only = targets.first, targets.count == 1, known.count == ends.count,
            ends.count > 1 || inner.draft.atoms.count == 1
        {
            doubt(
                "\(bonds) bonds and \(ends.count) connection points, all at one atom; joined there", node, found: label)
            return Array(repeating: only, count: bonds)
        }
        if bonds > 0, inner.draft.atoms.count == 1 {
            doubt("\(bonds) bonds and \(ends.count) connection points; joined at the only atom", node, found: label)
            return Array(repeating: 0, count: bonds)
        }
        doubt(
            "\(bonds) bonds and \(ends.count) connection points; the atom to join is not specified; read as a label",
            node,
            found: label)
        return nil
    }

    /// Whether the node can stay one atom, which requires that no other object refers to an atom inside it.
    private func canBeContracted(_ index: Int, _ inner: DrawnPiece, _ table: FragmentTable) -> Bool {
        let id = drawing.objects[tables.nodes[index].object].id
        if id != 0, table.attached.contains(id) { return false }
        if !mentioned.isEmpty, inner.atoms.contains(where: { mentioned.contains($0.node) }) { return false }
        guard let place = tables.firstBond(ofNode: index) else { return false }
        let bond = tables.bonds[place]
        if tables.nodes[bond.otherEnd(than: index)].type.isAttachment { return false }
        switch DrawnBond.narrowEnd(of: bond.object, in: drawing) {
        case .begin?: return bond.begin != index
        case .end?: return bond.end != index
        default: return DrawnBond.order(of: bond.object, in: drawing) != .dative
        }
    }

    private mutating func addLabelAtom(
        _ node: Int, _ label: Text, at position: Position, to piece: inout DrawnPiece
    ) -> Int {
        atomsLeft -= 1
        var atom = Atom(.none, at: position)
        let said = drawing.ownStatement(in: node)
        said?.put(into: &atom)
        let index = piece.draft.add(atom, called: said?.atom.label ?? (label.isEmpty ? "?" : label))
        piece.atoms.append(DrawnAtom(node, index))
        for note in said?.atom.notes ?? [] { piece.draft.note(note, onAtom: index) }
        return index
    }

    // MARK: Groups

    /// Completes the pieces and groups of abbreviations after their outer bonds have been read.
    mutating func finish(_ groups: [PendingAbbreviation], into piece: inout DrawnPiece) {
        for group in groups {
            switch group.form {
            case .contracted(let atom, let inner):
                guard let molecule = placeheld(inner, at: atom, group, piece) else {
                    doubt("its bond is omitted; read as a label", group.node, found: group.label)
                    continue
                }
                piece.draft.contents.abbreviations.append(Abbreviation(atom: atom, molecule: molecule))
            case .spelledOut(let atoms, let joints):
                var sgroup = Sgroup(.abbreviation)
                sgroup.atoms = atoms.map { Int32(clamping: $0) }
                sgroup.label = group.label
                for bond in tables.bonds(ofNode: group.place) where tables.bonds[bond].place >= 0 {
                    sgroup.bonds.append(tables.bonds[bond].place)
                }
                let ends = joints.count < 2 ? joints : Set(joints).sorted()
                sgroup.attachments = ends.map { Sgroup.AttachmentPoint(atom: $0) }
                if !group.label.isEmpty { piece.draft.contents.sgroups.append(sgroup) }
            }
        }
    }

    /// Returns the piece with an additional first atom `*` for the neighbor, bonded with the order of the outer bond.
    private func placeheld(
        _ inner: DrawnPiece, at atom: Int, _ group: PendingAbbreviation, _ piece: DrawnPiece
    ) -> Molecule? {
        guard let outer = tables.firstBond(ofNode: group.place), let joints = inner.points.first?.atoms,
            !joints.isEmpty, tables.bonds[outer].place >= 0
        else { return nil }
        let bond = piece.draft.bonds[Int(tables.bonds[outer].place)]
        let neighbor = Int(bond.from) == atom ? Int(bond.to) : Int(bond.from)
        var draft = MoleculeDraft()
        draft.reserve(atoms: inner.draft.atoms.count + 1, bonds: inner.draft.bonds.count + 1)
        _ = draft.add(Atom(.none, at: piece.draft.atoms[neighbor].position), called: Self.anything)
        let first = draft.append(inner.draft)
        for (rank, joint) in joints.enumerated() where !joints[..<rank].contains(joint) {
            _ = draft.add(Bond(0, joint + first.atom, bond.order))
        }
        return inner.shown.forget(in: draft.molecule(), shift: first.atom)
    }

    /// The name of an atom that represents any other atom.
    static let anything: Text = "*"

    // MARK: Connection points

    /// Sorts the connection points in the order that the fragment specifies; others follow at the end.
    mutating func sortPoints(of fragment: Int, _ table: FragmentTable, _ piece: inout DrawnPiece) {
        let order = drawing.identifiers(.connectionOrder, of: fragment)
        if order.isEmpty || piece.points.count < 2 { return }
        var ranks: [Int: Int] = [:]
        for (rank, id) in order.enumerated() {
            guard let place = tables.node(called: id, in: table) else { continue }
            let node = tables.nodes[place].object
            if ranks[node] == nil { ranks[node] = rank }
        }
        let ranked = piece.points.enumerated().sorted {
            (ranks[$0.element.object] ?? .max, $0.offset) < (ranks[$1.element.object] ?? .max, $1.offset)
        }
        piece.points = ranked.map(\.element)
    }
}

extension DrawnBond {
    static func order(of object: Int, in drawing: Drawing) -> Bond.Order {
        read(object, 0, 1, in: drawing).0.order
    }
}
