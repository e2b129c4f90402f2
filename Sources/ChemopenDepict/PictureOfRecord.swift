import ChemopenModel

extension Picture {
    /// Draws a molecule.
    ///
    ///     let picture = Picture(of: molecule, style: Picture.Style(.dark))
    public init(of molecule: Molecule, style: Style = Style()) {
        var box = Box.empty
        for atom in molecule.atoms { box.add(Point(atom.position.x, -atom.position.y)) }
        self.init(width: box.width * 10 + 40, height: box.height * 10 + 40)
        title = molecule.name.string
        palette = style.palette
        let points = molecule.atoms.map {
            Point(($0.position.x - box.left) * 10 + 20, (-$0.position.y - box.top) * 10 + 20)
        }
        for bond in molecule.bonds {
            let ends = [Int(bond.from), Int(bond.to)].filter(points.indices.contains).map { points[$0] }
            marks.append(.stroke(Stroke(ends, width: style.lineWidth)))
        }
        for (index, point) in points.enumerated() where molecule.atoms[index].element != .carbon {
            let text = molecule.symbol(ofAtom: index).string
            marks.append(.letters(Letters(text, at: point, size: style.fontSize)))
        }
    }

    /// Draws a reaction, all its steps.
    public init(of reaction: Reaction, style: Style = Style()) {
        self.init(of: reaction.components.first?.molecule ?? Molecule(), style: style)
    }

    /// Draws what a record holds; `nil` where that is neither a molecule nor a reaction.
    public init?(of record: Record, style: Style = Style()) {
        switch record.subject {
        case .none: return nil
        case .molecule(let molecule): self.init(of: molecule, style: style)
        case .reaction(let reaction): self.init(of: reaction, style: style)
        }
    }
}
