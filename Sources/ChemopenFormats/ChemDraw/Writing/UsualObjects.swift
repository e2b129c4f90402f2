import ChemopenModel

/// A node of an element of which nothing but numbers is said, as of nearly all.
struct UsualNode {
    let id: UInt32
    /// In points.
    let place: Position
    /// 0 at a corner of the skeleton, where nothing is written.
    let element: UInt8
    let charge: Int16
    /// -1 where their number is not said.
    let hydrogens: Int8
}

/// A label of a short text.
struct UsualLabel {
    private(set) var id: UInt32
    let text: ShortText
    let isTurned: Bool
    /// In points.
    let place: Position
    let box: DrawnBox

    /// Nothing for a label that is not so.
    init?(_ label: NodeLabel, id: UInt32, at place: Position, _ size: Double) {
        guard let text = label.short else { return nil }
        self.id = id
        self.text = text
        isTurned = label.isTurned
        self.place = label.position(at: place, size)
        box = label.box(at: place, size)
    }

    func with(id: UInt32) -> UsualLabel {
        var label = self
        label.id = id
        return label
    }
}

/// A bond of which no more is said than how it is drawn.
struct UsualBond {
    let id: UInt32
    let begin: UInt32
    let end: UInt32
    /// The bits of the order.
    let order: Int
    let display: DrawnBond.Display
    /// On which side the second line of a double bond stands.
    let side: Int?
}

extension FragmentWriter {
    /// Adds the nodes of a usual fragment with their labels.
    func writeNodes(_ frame: Frame, to page: inout DrawnPage) {
        for index in frame.positions.indices where !page.drawing.takesShortcuts || !writeUsual(index, frame, to: &page)
        {
            openNode(index, frame, to: &page)
            closeNode(index, frame, to: &page)
        }
        frame.nextAtom = frame.positions.count
    }

    /// Adds an atom's node with its label; `false` where more is to be said of it.
    private func writeUsual(_ index: Int, _ frame: Frame, to page: inout DrawnPage) -> Bool {
        let plan = frame.plan
        let atom = plan.molecule.atoms[index]
        var plain = atom
        plain.marks.parity = 0
        guard atom.element != .none, OwnStatement.isPlain(plain), !plan.parts.concern(index),
            OwnStatement.hasProperty(hydrogens: plan.hydrogens[index])
        else { return false }
        let isCorner = plan.isCorner[index]
        let hydrogens = isCorner ? nil : plan.hydrogens.stated(index) ?? plan.hydrogens.shown(index)
        let position = frame.positions[index]
        var label: UsualLabel?
        if let text = frame.labels[index] {
            label = UsualLabel(text, id: page.nextID, at: position, page.style.labelSize)
            if label == nil { return false }
            // The ids of statements go before that of the label.
            if atom.marks.isEmpty { _ = page.takeIDs(1) }
        }
        let node = UsualNode(
            id: frame.id(ofAtom: index), place: Position(position.x, position.y),
            element: isCorner ? 0 : atom.element.rawValue, charge: atom.charge,
            hydrogens: Int8(truncatingIfNeeded: hydrogens ?? -1))
        if atom.marks.isEmpty {
            page.drawing.add(node, label)
        } else {
            page.drawing.open(node)
            for statement in OwnStatement.statements(of: atom, isElement: true) { page.say(statement) }
            if let label { page.drawing.add(label.with(id: page.takeIDs(1))) }
            page.drawing.close()
        }
        return true
    }

    /// Adds a bond; `false` where more is to be said of it.
    func writeUsual(
        _ bond: Bond, _ index: Int, _ sides: DoubleBondSides?, _ frame: Frame, to page: inout DrawnPage
    ) -> Bool {
        guard page.drawing.takesShortcuts, bond.traits.isEmpty, bond.reactingCentre == 0, bond.order != .zero else {
            return false
        }
        page.drawing.add(
            UsualBond(
                id: frame.id(ofBond: index), begin: frame.id(ofAtom: Int(bond.from)),
                end: frame.id(ofAtom: Int(bond.to)), order: DrawnBond.bits(of: bond.order),
                display: DrawnBond.display(of: bond.mark),
                side: bond.order == .double ? sides?.side(of: index) : nil))
        return true
    }
}
