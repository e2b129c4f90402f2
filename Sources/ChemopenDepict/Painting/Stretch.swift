import ChemopenModel

// If labels overlap, all bonds are made longer. The size of the letters does not change.

extension MoleculeSketch {
    /// The largest stretch for a bond between texts, for other bonds, and for labels that are not bonded.
    private static let longestForWords = 4.0
    private static let longestForBonds = 1.8
    private static let longestForStrangers = 1.5
    private static let step = 0.05
    /// The number of pairs to check for each label. If more labels overlap, no stretch can separate them.
    private static let pairsALabel = 4

    /// Returns the smallest factor for the length of bonds that separates the labels and leaves a part of each bond
    /// visible.
    ///
    /// Labels that even the largest stretch cannot separate are ignored.
    func stretchForLabels() -> Double {
        guard molecule.atoms.count <= Self.carefulLimit else { return 1 }
        var stretch = 1.0
        for bond in molecule.bonds where BondGraph.isSound(bond, points.count) {
            let (one, other) = (Int(bond.from), Int(bond.to))
            let words = [one, other].count { labels[$0].isWords && hasLabel($0) }
            if words == 2 { stretch = max(stretch, stretchForWords(one, other)) }
            guard hasLabel(one) || hasLabel(other) else { continue }
            let longest = words > 0 ? Self.longestForWords : Self.longestForBonds
            let isPlain = bond.mark == .none && bond.order == .single
            let least = isPlain ? Self.leastBond : Self.leastWedge
            stretch = max(stretch, self.stretch(for: one, other, longest: longest, showing: least))
        }
        var pairsLeft = labels.count * Self.pairsALabel
        for (one, label) in labels.enumerated() where !label.boxes.isEmpty && stretch < Self.longestForStrangers {
            clipping.boxes.visit(near: label.box) { _, other in
                guard other > one, pairsLeft > 0, labels[other].box.overlaps(label.box) else { return }
                let isBonded = graph[one].prefix(12).contains { $0.atom == other }
                if isBonded { return }
                pairsLeft -= 1
                stretch = max(
                    stretch, self.stretch(for: one, other, longest: Self.longestForStrangers, showing: nil))
            }
        }
        return stretch
    }

    /// Returns the factor for the length of a bond that separates the texts at its ends, regardless of their sides.
    private func stretchForWords(_ one: Int, _ other: Int) -> Double {
        let way = points[other] - points[one]
        guard way.length > 0.5 else { return 1 }
        let width = (labels[one].box.width + labels[other].box.width) / 2 + 5
        let height = (labels[one].box.height + labels[other].box.height) / 2 + 5
        // A sufficient distance in one of the two directions is enough.
        let need = min(width / max(0.01, abs(way.x)), height / max(0.01, abs(way.y)))
        return min(need, Self.longestForWords)
    }

    /// Returns the smallest stretch that separates two labels; 1 if no stretch up to the limit does.
    ///
    /// - Parameter least: The length of the bond between them that must remain visible, if there is a bond.
    private func stretch(for one: Int, _ other: Int, longest: Double, showing least: Double?) -> Double {
        let way = points[other] - points[one]
        guard way.length > 0.5 else { return 1 }
        // At this distance, labels are separate in any direction.
        let far = reach(one) + reach(other) + 2 * style.margin + (least ?? 0)
        if way.length > far { return 1 }
        for factor in stride(from: 1, through: longest, by: Self.step)
        where isApart(one, other, way * factor, way * (factor - 1), showing: least) {
            return factor
        }
        return 1
    }

    /// Returns the distance that a label extends from its atom.
    private func reach(_ atom: Int) -> Double {
        let box = labels[atom].box
        if box.isEmpty { return 0 }
        let point = points[atom]
        let (x, y) = (max(box.right - point.x, point.x - box.left), max(box.bottom - point.y, point.y - box.top))
        return Point(x, y).length
    }

    /// Whether two labels are separate and part of the bond between them is visible, if one label is moved.
    private func isApart(_ one: Int, _ other: Int, _ way: Point, _ shift: Point, showing least: Double?) -> Bool {
        let moved = labels[other].boxes.map { $0.moved(by: shift) }
        for box in labels[one].boxes where moved.contains(where: { $0.overlaps(box.grown(by: 0.4)) }) { return false }
        guard let least else { return true }
        let (start, end) = (points[one], points[one] + way)
        var (low, high) = (0.0, 1.0)
        let margin = style.margin
        for box in labels[one].boxes {
            if let part = Clipping.part(of: start, end, around: box, margin) { low = max(low, part.upperBound) }
        }
        for box in moved {
            if let part = Clipping.part(of: start, end, around: box, margin) { high = min(high, part.lowerBound) }
        }
        return (high - low) * way.length >= least
    }

    /// The visible length of a bond between two labels.
    private static let leastBond = 1.5
    /// The visible length of a wedge or a multiple bond, which must be recognizable.
    private static let leastWedge = 4.0
}
