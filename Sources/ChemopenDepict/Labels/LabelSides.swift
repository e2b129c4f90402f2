/// Finds the free side of an atom for the rest of its label.
struct LabelSides {
    typealias Side = AtomLabel.Side

    /// The angle from each side to the nearest bond; half a turn if there is no bond.
    private var clearances: [Side: Double] = [:]

    private static let enough = 1.36

    /// Measures the sides from the directions of an atom's bonds. Without bonds, water is shown as `H2O`, but ammonia
    /// as `NH3`.
    init(_ directions: [Picture.Point], isHydride: Bool = false) {
        for side in Side.allCases {
            clearances[side] = directions.map { $0.angle(to: side.direction) }.min() ?? .pi
        }
        if directions.isEmpty, isHydride { clearances[.right] = 0 }
    }

    private func clearance(_ side: Side) -> Double { clearances[side] ?? 0 }

    /// The sides for hydrogens, best first: the right or the left side if it is free of bonds, then the others.
    var forHydrogens: [Side] {
        var sides: [Side] = []
        if clearance(.right) >= Self.enough { sides.append(.right) }
        if clearance(.left) >= Self.enough { sides.append(.left) }
        let others = Side.allCases.filter { !sides.contains($0) }
        // A line of letters is wider than high, so letters above or below need a smaller angle.
        return sides + others.sorted { room($0) > room($1) }
    }

    private func room(_ side: Side) -> Double {
        clearance(side) + (side == .above || side == .below ? 0.3 : 0)
    }

    /// The side for a text, and whether it is centered because there are bonds on both sides.
    var forWords: (side: Side, isCentered: Bool) {
        let right = clearance(.right)
        let left = clearance(.left)
        if right < 0.8, left < 0.8 { return (.right, true) }
        return (left > right + 0.1 ? .left : .right, false)
    }
}

extension AtomLabel.Side {
    var direction: Picture.Point {
        switch self {
        case .right: .init(1, 0)
        case .left: .init(-1, 0)
        case .above: .init(0, -1)
        case .below: .init(0, 1)
        }
    }
}
