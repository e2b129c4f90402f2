import ChemopenModel

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
        guard let place = WholePlace(position) else { return false }
        var label: UsualLabel?
        if let text = frame.labels[index] {
            label = UsualLabel(text, id: page.nextID, at: position, page.style.labelSize)
            if label == nil { return false }
            // The ids of statements go before that of the label.
            if atom.marks.isEmpty { _ = page.takeIDs(1) }
        }
        let node = UsualNode(
            id: frame.id(ofAtom: index), place: place,
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
