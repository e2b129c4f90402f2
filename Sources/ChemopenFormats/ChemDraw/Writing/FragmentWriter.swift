import ChemopenBytes
import ChemopenModel

/// Writes the objects of a molecule: a fragment with its nodes, bonds and labels, and Chemopen's statements for data
/// that these cannot represent.
struct FragmentWriter {
    /// The fragment that is being written: the fragment of the molecule, or of an abbreviation inside it.
    final class Frame {
        let plan: FragmentPlan
        let place: MoleculePlace
        let firstID: UInt32
        /// The attachment points of an R-group member.
        let points: [Int]
        /// The positions of the atoms on the page.
        let positions: [Position]
        let labels: [NodeLabel?]
        var nextAtom = 0

        init(_ plan: FragmentPlan, _ place: MoleculePlace, firstID: UInt32, points: [Int]) {
            self.plan = plan
            self.place = place
            self.firstID = firstID
            self.points = points
            positions = plan.molecule.atoms.map { place.position($0.position) }
            labels = FragmentWriter.labels(plan, place, positions, points)
        }

        func id(ofAtom index: Int) -> UInt32 { firstID &+ UInt32(clamping: index) }
        func id(ofBond index: Int) -> UInt32 { firstID &+ UInt32(clamping: plan.molecule.atoms.count + index) }
    }

    /// The IDs of a molecule's objects.
    struct Made {
        var fragment: UInt32
        var firstAtom: UInt32
        var atomCount: Int
        /// The box around atoms and labels, in points.
        var box: DrawnBox

        func id(ofAtom index: Int) -> UInt32 { firstAtom &+ UInt32(clamping: index) }
        func id(ofBond index: Int) -> UInt32 { firstAtom &+ UInt32(clamping: atomCount + index) }
    }

    var losses: [Loss] = []

    /// The maximum depth of nested abbreviations that readers expand.
    private static let greatestDepth = 30

    /// Adds a molecule to the open object.
    ///
    /// - Parameters: - statements: Additional statements about the fragment. - hasPoints: Whether the molecule is a
    ///   member of an R-group and its attachment points are drawn.
    mutating func write(
        _ molecule: Molecule, at place: MoleculePlace, _ statement: OwnStatement, fields: Fields? = nil,
        hasPoints: Bool = false, to page: inout DrawnPage
    ) -> Made {
        let fragment = page.takeIDs(1)
        let plan = FragmentPlan(molecule)
        var frames = [frame(plan, place, hasPoints ? Self.points(of: molecule) : [], &page)]
        let made = Made(
            fragment: fragment, firstAtom: frames[0].firstID, atomCount: molecule.atoms.count,
            box: box(of: frames[0]))
        page.drawing.open(.fragment, id: fragment)
        if place.isDrawn { page.drawing.set(.boundingBox, box: made.box) }
        page.setZ()
        if molecule.flags.contains(.chiral) { page.drawing.set(.absolute, integer: 1) }
        while let top = frames.indices.last {
            let index = frames[top].nextAtom
            guard index < frames[top].plan.molecule.atoms.count else {
                writeBonds(frames[top], to: &page)
                writePoints(frames[top], to: &page)
                if top > 0 {
                    note(frames[top].plan)
                    page.drawing.close()
                    frames.removeLast()
                    closeNode(frames[top - 1].nextAtom - 1, frames[top - 1], to: &page)
                } else {
                    page.say(rest(of: frames[0], statement))
                    if let fields { page.say(fields) }
                    frames.removeLast()
                }
                continue
            }
            frames[top].nextAtom += 1
            openNode(index, frames[top], to: &page)
            guard let piece = frames[top].plan.parts.pieces[index], index != frames[top].plan.connectionPoint else {
                closeNode(index, frames[top], to: &page)
                continue
            }
            if top + 1 >= Self.greatestDepth {
                losses.note(.abbreviations, "nested more than \(Self.greatestDepth) deep")
                closeNode(index, frames[top], to: &page)
                continue
            }
            page.drawing.open(.fragment, id: page.takeIDs(1))
            frames.append(inner(piece, at: index, of: frames[top], &page))
        }
        page.drawing.close()
        return made
    }

    private func frame(
        _ plan: FragmentPlan, _ place: MoleculePlace, _ points: [Int], _ page: inout DrawnPage
    ) -> Frame {
        let count = plan.molecule.atoms.count + plan.molecule.bonds.count
        return Frame(plan, place, firstID: page.takeIDs(count), points: points)
    }

    /// Returns the frame of a piece, rotated and moved to the position of its label.
    private func inner(_ piece: Molecule, at index: Int, of outer: Frame, _ page: inout DrawnPage) -> Frame {
        var piece = piece
        if outer.place.isDrawn, let neighbor = outer.plan.around.first(of: index),
            let joint = piece.bonds.last?.partner(of: 0)
        {
            let atoms = outer.plan.molecule.atoms
            let turn = PieceTurn(
                from: piece.atoms[0].position, piece.atoms[joint].position, to: atoms[neighbor.atom].position,
                atoms[index].position)
            for atom in piece.atoms.indices { piece.atoms[atom].position = turn.apply(to: piece.atoms[atom].position) }
            piece.atoms[0].position = atoms[neighbor.atom].position
            piece.atoms[joint].position = atoms[index].position
        }
        return frame(FragmentPlan(piece, connectionPoint: 0), outer.place, [], &page)
    }

    // MARK: Nodes

    private func openNode(_ index: Int, _ frame: Frame, to page: inout DrawnPage) {
        let plan = frame.plan
        let atom = plan.molecule.atoms[index]
        page.drawing.open(.node, id: frame.id(ofAtom: index))
        if frame.place.isDrawn {
            let position = frame.positions[index]
            page.drawing.set(.position, position: Position(position.x, position.y))
            if frame.place.isInSpace { page.drawing.set(.position3D, position: position) }
        }
        let node = plan.node(index)
        switch node {
        case .element: setElement(index, frame, to: &page)
        case .elements(let elements):
            setType(.elementList, to: &page)
            page.drawing.set(.elementList, .elements(elements))
        case .nickname("Pol"), .nickname("Mod"):
            // RDKit reads unknown generic names as carbon.
            setType(.nickname, to: &page)
        case .nickname(let name):
            setType(.genericNickname, to: &page)
            page.drawing.set(.genericNickname, .text(page.sound(name)))
        case .site(let number):
            setType(.genericNickname, to: &page)
            page.drawing.set(.genericNickname, .text(Text("R\(number)")))
        case .attachment(let atoms, let isAny):
            setType(isAny ? .variableAttachment : .multiAttachment, to: &page)
            page.drawing.set(.attachments, .identifiers(atoms.map { frame.id(ofAtom: Int($0)) }))
        case .abbreviation: setType(.fragment, to: &page)
        case .connectionPoint: setType(.connectionPoint, to: &page)
        }
        if index == plan.connectionPoint { return }
        if atom.charge != 0, OwnStatement.hasProperty(charge: atom.charge) {
            page.drawing.set(.charge, real: Double(atom.charge))
        }
        setMarks(of: atom, plan.parts.stereo[Int32(clamping: index)], to: &page)
        if case .abbreviation = node { return }
        if atom.marks.contains(.hasNotes) {
            for note in plan.molecule.notes(onAtom: index) { Self.set(note, to: &page) }
        }
    }

    private func setType(_ type: NodeType, to page: inout DrawnPage) {
        page.drawing.set(.nodeType, integer: type.rawValue)
    }

    private func setElement(_ index: Int, _ frame: Frame, to page: inout DrawnPage) {
        let atom = frame.plan.molecule.atoms[index]
        // Open Babel reads a label without an element as an abbreviation.
        let isCorner = frame.plan.isCorner[index]
        if !isCorner { page.drawing.set(.element, integer: Int(atom.element.rawValue)) }
        if atom.isotope != 0, OwnStatement.hasProperty(isotope: atom.isotope) {
            page.drawing.set(.isotope, integer: Int(atom.isotope))
        }
        if 1...3 ~= atom.radical.mdlCode { page.drawing.set(.radical, integer: atom.radical.mdlCode) }
        if isCorner { return }
        if let count = frame.plan.hydrogens.stated(index) {
            if OwnStatement.hasProperty(hydrogens: count) { page.drawing.set(.hydrogens, integer: count) }
        } else if frame.plan.alias(index) == nil, !frame.points.contains(index),
            let count = frame.plan.hydrogens.shown(index)
        {
            page.drawing.set(.hydrogens, integer: count)
        }
    }

    private func setMarks(of atom: Atom, _ group: StereoGroup?, to page: inout DrawnPage) {
        if atom.marks.contains(.inverts) {
            page.drawing.set(.reactionStereo, integer: 1)
        } else if atom.marks.contains(.retains) {
            page.drawing.set(.reactionStereo, integer: 2)
        }
        if atom.marks.contains(.exactChange) { page.drawing.set(.reactionChange, integer: 1) }
        guard let group else { return }
        let type =
            switch group.kind {
            case .absolute: 2
            case .relative: 3
            case .racemic: 4
            }
        page.drawing.set(.enhancedStereo, integer: type)
        if group.kind != .absolute { page.drawing.set(.enhancedStereoGroup, integer: Int(group.number)) }
    }

    /// Sets the property that represents a note; returns false if there is none.
    @discardableResult
    private static func set(_ note: AtomNote, to page: inout DrawnPage, isTried: Bool = false) -> Bool {
        let (property, number): (DrawnProperty, Int)
        switch note {
        case .hydrogenQuery(0): (property, number) = (.withoutHydrogens, 1)
        case .ringBondCount(-1): (property, number) = (.ringBondCount, 0)
        case .ringBondCount(-2): (property, number) = (.ringBondCount, 1)
        case .ringBondCount(let count) where 2...4 ~= count: (property, number) = (.ringBondCount, count)
        case .substitutionCount(let count) where 1...6 ~= count: (property, number) = (.substituentsExactly, count)
        case .unsaturated: (property, number) = (.unsaturation, 2)
        default: return false
        }
        if !isTried { page.drawing.set(property, integer: number) }
        return true
    }

    /// Adds the statements and the label of a node, and closes it.
    private func closeNode(_ index: Int, _ frame: Frame, to page: inout DrawnPage) {
        defer { page.drawing.close() }
        if index == frame.plan.connectionPoint { return }
        let node = frame.plan.node(index)
        if let statement = rest(index, node, frame, &page) { page.say(statement) }
        guard let label = frame.labels[index] else { return }
        page.write(label, at: frame.place.isDrawn ? frame.positions[index] : nil)
    }

    /// Returns the statement of the data that the properties of a node cannot express.
    private func rest(
        _ index: Int, _ node: FragmentPlan.Node, _ frame: Frame, _ page: inout DrawnPage
    ) -> OwnStatement? {
        let plan = frame.plan
        let atom = plan.molecule.atoms[index]
        let isElement =
            switch node {
            case .element: true
            default: false
            }
        if isElement, OwnStatement.isPlain(atom), OwnStatement.hasProperty(hydrogens: plan.hydrogens[index]) {
            return nil
        }
        var statement = OwnStatement()
        statement.atom.atom = OwnStatement.rest(of: atom, isElement: isElement)
        if isElement, atom.hydrogens.fixed != nil, plan.hydrogens.isStatedForItself(index, by: atom) {
            statement.atom.atom.hydrogens = atom.hydrogens
        } else if isElement, atom.hydrogens.fixed == nil, !OwnStatement.hasProperty(hydrogens: plan.hydrogens[index]),
            plan.molecule.valence(ofAtom: index) == nil
        {
            // If a valence is specified, the reader computes the hydrogen count from it and does not store the count as
            // specified.
            statement.atom.atom.hydrogens = .fixed(plan.hydrogens[index])
        }
        let symbol = plan.molecule.symbol(ofAtom: index)
        let read: Text? =
            switch node {
            case .element: nil
            case .elements: "L"
            case .site: "R#"
            case .attachment: FragmentReader.anything
            case .abbreviation, .connectionPoint: symbol.isEmpty ? "?" : symbol.isPrintable ? symbol : nil
            case .nickname(let name): FragmentReader.knownName(name)
            }
        if atom.label != Atom.noLabel || read != nil, symbol != read { statement.atom.label = symbol }
        if case .nickname = node, read == nil { statement.atom.label = symbol }
        if atom.marks.contains(.hasNotes) {
            for note in plan.molecule.notes(onAtom: index) {
                switch (note, node) {
                case (.elementList, .elements), (.rgroups, .site): continue
                case (.attachmentPoint, _) where !frame.points.isEmpty: continue
                case (_, .abbreviation): break
                default: if Self.set(note, to: &page, isTried: true) { continue }
                }
                statement.atom.notes.append(note)
            }
        }
        return statement
    }

    /// Returns the labels of all atoms, with nil for atoms without a label.
    private static func labels(
        _ plan: FragmentPlan, _ place: MoleculePlace, _ positions: [Position], _ points: [Int]
    ) -> [NodeLabel?] {
        var sides: LabelSides?
        var hasSides = false
        return plan.molecule.atoms.indices.map { index in
            guard let label = label(index, plan, points) else { return nil }
            guard label.isFormula else { return label }
            if !hasSides { (sides, hasSides) = (LabelSides(plan, place, positions), true) }
            var turned = label
            turned.isTurned =
                sides?.isBetterTurned(
                    label.letterCount, raised: label.raised?.count ?? 0, isTurned: label.isTurned, at: positions[index])
                ?? label.isTurned
            return turned
        }
    }

    private static func label(_ index: Int, _ plan: FragmentPlan, _ points: [Int]) -> NodeLabel? {
        let atom = plan.molecule.atoms[index]
        if plan.isCorner[index], !atom.marks.contains(.hasNotes) { return nil }
        switch plan.node(index) {
        case .attachment, .connectionPoint: return nil
        case .site(let number): return NodeLabel(Text("R\(number)"))
        case .nickname(let name): return NodeLabel(name.isEmpty ? FragmentReader.anything : name)
        case .abbreviation: return NodeLabel(plan.molecule.symbol(ofAtom: index))
        case .elements(let elements):
            let symbols = elements.numbers.compactMap { UInt8(exactly: $0).flatMap { ChemicalElement(rawValue: $0) } }
            let list = symbols.map(\.symbol).joined(separator: ",")
            return NodeLabel(Text("[\(elements.areExcluded ? "NOT " : "")\(list)]"))
        case .element:
            if let alias = plan.alias(index) { return NodeLabel(alias) }
            if plan.isCorner[index] { return nil }
            let hydrogens = max(0, plan.hydrogens[index] - points.count { $0 == index })
            return NodeLabel(
                plan.molecule.symbol(ofAtom: index), hydrogens: hydrogens, of: atom,
                isTurned: hydrogens > 0 && reach(index, plan) > 0.1)
        }
    }

    /// Returns the sum of the neighbors' distances to the right of an atom; it is negative if most are on the left.
    private static func reach(_ index: Int, _ plan: FragmentPlan) -> Double {
        let atoms = plan.molecule.atoms
        let start = atoms[index].position.x
        var reach = 0.0
        plan.around.forEach(of: index) { reach += atoms[$0.atom].position.x - start }
        return reach
    }

    // MARK: Bonds

    private func writeBonds(_ frame: Frame, to page: inout DrawnPage) {
        let molecule = frame.plan.molecule
        let sides = frame.place.isDrawn ? DoubleBondSides(molecule, frame.plan.around) : nil
        for (index, bond) in molecule.bonds.enumerated() {
            page.drawing.open(.bond, id: frame.id(ofBond: index))
            defer { page.drawing.close() }
            page.drawing.set(.begin, integer: Int(frame.id(ofAtom: Int(bond.from))))
            page.drawing.set(.end, integer: Int(frame.id(ofAtom: Int(bond.to))))
            // If a bond leads to a connection point, only its ends are written. The outer bond contains the order and
            // the mark.
            if let point = frame.plan.connectionPoint, bond.from == point || bond.to == point { continue }
            var statement = OwnStatement()
            var bits = DrawnBond.bits(of: bond.order)
            var display = DrawnBond.display(of: bond.mark)
            if bond.traits.contains(.hasNotes) {
                for note in molecule.notes(onBond: index) {
                    switch note {
                    case .endpoints where frame.plan.parts.attachmentBonds.contains(index): continue
                    case .keyword("Order", let spelling):
                        if let kept = DrawnBond.bits(ofKept: spelling, for: bond.order) {
                            bits = kept
                            continue
                        }
                    case .display(let name) where bond.mark == .none && display == .solid:
                        if let known = DrawnBond.display(named: name, of: bond) {
                            display = known
                            continue
                        }
                    default: break
                    }
                    statement.bond.notes.append(note)
                }
            }
            if bond.order == .zero, bits == DrawnBond.bits(of: .zero) {
                statement.hasZeroOrder = true
            }
            if bits != DrawnOrder.single { page.drawing.set(.order, integer: bits) }
            if display != .solid { page.drawing.set(.display, integer: display.rawValue) }
            if bond.order == .double, let side = sides?.side(of: index) {
                page.drawing.set(.doublePosition, integer: side)
            }
            if bond.traits.contains(.inRing) {
                page.drawing.set(.topology, integer: 1)
            } else if bond.traits.contains(.inChain) {
                page.drawing.set(.topology, integer: 2)
            }
            if bond.reactingCenter != 0, let number = DrawnBond.participation(bond.reactingCenter) {
                page.drawing.set(.participation, integer: number)
            }
            statement.bond.bond.traits = bond.traits.subtracting(
                [.hasNotes, bond.traits.contains(.inRing) ? .inRing : .inChain])
            if DrawnBond.participation(bond.reactingCenter) == nil {
                statement.bond.bond.reactingCenter = bond.reactingCenter
            }
            page.say(statement)
        }
    }

    // MARK: Attachment points

    /// Returns the atoms of a molecule's attachment points, the first point's before the second's. Returns no atoms if
    /// the drawing would be read back differently.
    static func points(of molecule: Molecule) -> [Int] {
        if molecule.extras.isEmpty { return [] }
        var first: [Int] = []
        var second: [Int] = []
        for tagged in molecule.extras.contents.atomNotes {
            guard case .attachmentPoint(let isFirst, let isSecond) = tagged.note else { continue }
            if isFirst { first.append(Int(tagged.index)) }
            if isSecond { second.append(Int(tagged.index)) }
        }
        return first.count == 1 && second.count <= 1 ? first + second : []
    }

    /// Adds a node and a bond for each attachment point.
    private func writePoints(_ frame: Frame, to page: inout DrawnPage) {
        for atom in frame.points {
            let id = page.takeIDs(2)
            page.drawing.open(.node, id: id)
            if frame.place.isDrawn {
                let position = frame.place.position(outside(atom, frame.plan))
                page.drawing.set(.position, position: Position(position.x, position.y))
                if frame.place.isInSpace { page.drawing.set(.position3D, position: position) }
            }
            setType(.connectionPoint, to: &page)
            page.drawing.close()
            page.drawing.open(.bond, id: id &+ 1)
            page.drawing.set(.begin, integer: Int(id))
            page.drawing.set(.end, integer: Int(frame.id(ofAtom: atom)))
            page.drawing.close()
        }
    }

    /// Returns a position next to an atom, away from its neighbors.
    private func outside(_ atom: Int, _ plan: FragmentPlan) -> Position {
        let position = plan.molecule.atoms[atom].position
        var (x, y) = (0.0, 0.0)
        plan.around.forEach(of: atom) { neighbor in
            x += position.x - plan.molecule.atoms[neighbor.atom].position.x
            y += position.y - plan.molecule.atoms[neighbor.atom].position.y
        }
        let length = (x * x + y * y).squareRoot()
        let bond = 1.5
        if length < 0.01 || !length.isFinite { return Position(position.x - bond, position.y, position.z) }
        return Position(position.x + x / length * bond, position.y + y / length * bond, position.z)
    }

    // MARK: Fragments

    /// Adds the data that a fragment cannot express in another way to a statement.
    private func rest(of frame: Frame, _ statement: OwnStatement) -> OwnStatement {
        var statement = statement
        let molecule = frame.plan.molecule
        statement.moved = frame.place.moved
        var rest = Molecule()
        rest.extras = frame.plan.parts.rest.extras
        if !rest.extras.isEmpty, Remainder.text(of: rest, MoleculeForm.rest) != nil {
            statement.rest.extras = rest.extras
            statement.size = [molecule.atoms.count, molecule.bonds.count]
        }
        statement.rest.comment = molecule.comment
        return statement
    }

    /// Records the losses of an abbreviation's piece: data about the complete piece that its fragment cannot store.
    private mutating func note(_ plan: FragmentPlan) {
        if plan.molecule.extras.isEmpty { return }
        var account = FeatureInventory(
            of: Features(.sgroups, .collections, .linkNodes, .rgroups, .templates, .unknown), isReport: true)
        account.take(plan.parts.rest)
        losses.note(account.losses)
    }

    private func box(of frame: Frame) -> DrawnBox {
        var box = DrawnBox(around: [])
        guard frame.place.isDrawn else { return box }
        let size = frame.place.labelSize
        for (index, position) in frame.positions.enumerated() {
            box.include(position)
            guard let label = frame.labels[index] else { continue }
            let around = label.box(at: position, size)
            box.include(Position(around.left, around.top))
            box.include(Position(around.right, around.bottom))
        }
        return box
    }
}

/// Moves and rotates a piece to align one of its bonds with another bond.
private struct PieceTurn {
    private let start: Position
    private let end: Position
    private var cosine = 1.0
    private var sine = 0.0

    init(from start: Position, _ next: Position, to end: Position, _ other: Position) {
        // The ends of the two bonds coincide.
        self.start = next
        self.end = other
        let (x, y) = (next.x - start.x, next.y - start.y)
        let (u, v) = (other.x - end.x, other.y - end.y)
        let length = ((x * x + y * y) * (u * u + v * v)).squareRoot()
        guard length > 0, length.isFinite else { return }
        let (cosine, sine) = ((x * u + y * v) / length, (x * v - y * u) / length)
        if cosine > 0.999_999 { return }
        (self.cosine, self.sine) = (cosine, sine)
    }

    func apply(to position: Position) -> Position {
        let (x, y) = (position.x - start.x, position.y - start.y)
        return Position(
            Self.shortened(end.x + x * cosine - y * sine), Self.shortened(end.y + x * sine + y * cosine), position.z)
    }

    private static func shortened(_ coordinate: Double) -> Double { (coordinate * 10_000).rounded() / 10_000 }
}
