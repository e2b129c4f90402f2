import ChemopenModel

/// Joins salts and solvates whose acid or solvent is drawn as a label next to the molecule: `•HCl`.
extension DrawingInterpreter {
    /// Adds each such label to the nearest molecule as a component, or as a field if the label is unknown.
    mutating func joinSalts(_ owners: inout [DrawingPlaces.Owner]) {
        let salts = fragments.indices.filter { saltLabel(of: $0) != nil }
        // Each label is compared with all molecules, so drawings with an excessive number of them are skipped.
        if salts.isEmpty || salts.count * fragments.count > 1_000_000 { return }
        let areSalts = Set(salts)
        var joined: Set<Int> = []
        for salt in salts {
            guard let label = saltLabel(of: salt), let molecule = molecule(beside: salt, areSalts) else { continue }
            joined.insert(salt)
            used.insert(fragments[salt].object)
            fragments[molecule].issues.note(fragments[salt].issues)
            owners[molecule].objects.append(fragments[salt].object)
            let piece = fragments[salt].molecule
            if piece.atoms.contains(where: { $0.element == .none }) {
                fragments[molecule].fields.append(("Salt", label))
                continue
            }
            let first = fragments[molecule].molecule.atoms.count
            fragments[molecule].molecule.append(piece)
            owners[molecule].atoms += owners[salt].atoms.map { DrawnAtom($0.node, $0.atom + first) }
            owners[molecule].atomCount += piece.atoms.count
        }
        if joined.isEmpty { return }
        let kept = fragments.indices.filter { !joined.contains($0) }
        fragments = kept.map { fragments[$0] }
        owners = kept.map { owners[$0] }
    }

    /// Returns the label of a fragment with a single node, if it is the label of a salt.
    private func saltLabel(of fragment: Int) -> Text? {
        guard fragments[fragment].molecule.atoms.count <= 12, fragments[fragment].said == nil else { return nil }
        let object = fragments[fragment].object
        var nodes = drawing.children(of: object).filter { drawing.kind(of: $0) == .node }.makeIterator()
        guard let node = nodes.next(), nodes.next() == nil else { return nil }
        for text in drawing.children(of: node) where drawing.kind(of: text) == .text {
            let label = drawing.text(of: text)
            return SaltLabel(LabelTokens.letters(of: label.string)) == nil ? nil : label.trimmed
        }
        return nil
    }

    /// Returns the nearest molecule to which the label of a salt can belong.
    private func molecule(beside salt: Int, _ salts: Set<Int>) -> Int? {
        let box = fragments[salt].box
        if box.isEmpty { return nil }
        let page = drawing.page(of: fragments[salt].object)
        let reach = 6 * scale.bondLength
        var best: (distance: Double, fragment: Int)?
        for (index, fragment) in fragments.enumerated()
        where !salts.contains(index) && !fragment.box.isEmpty && drawing.page(of: fragment.object) == page {
            let distance = fragment.box.distance(to: box)
            if distance <= reach, distance < best?.distance ?? .infinity { best = (distance, index) }
        }
        return best?.fragment
    }
}
