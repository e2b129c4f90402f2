import ChemopenModel

// Where labels stand upon one another, all bonds are made longer. The letters stay as large as they are.

extension MoleculeSketch {
    /// The greatest stretch for a bond between words, for other bonds, and for labels that no bond holds together.
    private static let longestForWords = 4.0
    private static let longestForBonds = 1.8
    private static let longestForStrangers = 1.5
    private static let step = 0.05
    /// So many pairs a label are looked at: where more stand upon one another, no stretch brings them apart.
    private static let pairsALabel = 4

    /// How many times longer bonds have to be for labels to stand apart, with something of their bonds between them.
    ///
    /// Labels that even the greatest stretch does not bring apart are left as they are.
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

    /// How many times longer a bond would have to be for the words at its ends to stand apart whatever their sides.
    private func stretchForWords(_ one: Int, _ other: Int) -> Double {
        let way = points[other] - points[one]
        guard way.length > 0.5 else { return 1 }
        let width = (labels[one].box.width + labels[other].box.width) / 2 + 5
        let height = (labels[one].box.height + labels[other].box.height) / 2 + 5
        // Apart in one of the two directions is enough.
        let need = min(width / max(0.01, abs(way.x)), height / max(0.01, abs(way.y)))
        return min(need, Self.longestForWords)
    }

    /// The least stretch up to a longest one by which two labels come apart; 1 where there is none.
    ///
    /// - Parameter least: how much of the bond between them has to be seen, where there is one.
    private func stretch(for one: Int, _ other: Int, longest: Double, showing least: Double?) -> Double {
        let way = points[other] - points[one]
        guard way.length > 0.5 else { return 1 }
        // As far apart as this, labels leave room whatever the direction.
        let far = reach(one) + reach(other) + 2 * style.margin + (least ?? 0)
        if way.length > far { return 1 }
        for factor in stride(from: 1, through: longest, by: Self.step)
        where isApart(one, other, way * factor, way * (factor - 1), showing: least) {
            return factor
        }
        return 1
    }

    /// How far a label reaches from its atom.
    private func reach(_ atom: Int) -> Double {
        let box = labels[atom].box
        if box.isEmpty { return 0 }
        let point = points[atom]
        let (x, y) = (max(box.right - point.x, point.x - box.left), max(box.bottom - point.y, point.y - box.top))
        return Point(x, y).length
    }

    /// Whether two labels are apart, one of them moved by a shift, and a part of the bond between them can be seen.
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

    /// How much of a bond has to be seen between the labels at its ends.
    private static let leastBond = 1.5
    /// The same for a wedge and a multiple bond, which are to be known as that.
    private static let leastWedge = 4.0
}
