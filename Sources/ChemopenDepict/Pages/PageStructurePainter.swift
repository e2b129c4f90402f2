import ChemopenModel

extension PagePainter {
    /// The largest number of atoms of a structure that is drawn on a page.
    private static let mostAtoms = 200_000

    /// Paints bonds, then the letters of the atoms.
    mutating func paint(_ structure: Page.Structure) {
        let molecule = structure.molecule
        guard molecule.atoms.count <= Self.mostAtoms else { return }
        var style = style
        style.bondLength = structure.bondLength
        style.lineWidth = structure.lineWidth
        style.boldWidth = structure.boldWidth
        style.hashSpacing = structure.hashSpacing
        style.bondSpacing = structure.bondSpacing
        style.margin = structure.marginWidth
        let points = molecule.atoms.map { Point($0.position.x, $0.position.y) }
        var labels = [AtomLabel](repeating: AtomLabel([]), count: points.count)
        var letters: [Picture.Mark] = []
        for label in structure.labels where labels.indices.contains(Int(label.atom)) {
            let lines = Self.lines(of: label.writing)
            labels[Int(label.atom)] = AtomLabel(lines.flatMap { $0.map(\.letters) })
            letters += Self.marks(of: label.writing)
        }
        var sides: [Int: DoubleBondSide] = [:]
        for (bond, side) in structure.sides {
            sides[Int(bond)] =
                switch side {
                case .centered: .centered
                case .left: .left
                case .right: .right
                }
        }
        var inks: [Int: Picture.Ink] = [:]
        for (bond, color) in structure.colors { inks[Int(bond)] = Picture.Ink(color) }
        let sketch = MoleculeSketch(placing: molecule, at: points, labels, sides: sides, inks: inks, style)
        var bonds = BondPainter(sketch)
        paintHighlights(structure, points)
        if structure.crossings.isEmpty {
            bonds.paintAll()
            marks += bonds.marks
        } else {
            let parts = bonds.paintEach()
            var gaps = BondGaps(sketch, bonds.marks, parts)
            for crossing in structure.crossings { gaps.cut(Int(crossing.under), below: Int(crossing.over)) }
            marks += gaps.marks
        }
        marks += letters
    }

    /// Paints a band behind highlighted atoms and bonds, with a width of two fifths of a bond length.
    private mutating func paintHighlights(_ structure: Page.Structure, _ points: [Point]) {
        if structure.bondHighlights.isEmpty, structure.atomHighlights.isEmpty { return }
        let half = structure.bondLength * 0.2
        for (place, bond) in structure.molecule.bonds.enumerated() {
            guard let color = structure.bondHighlights[Int32(clamping: place)], BondGraph.isSound(bond, points.count)
            else { continue }
            let (start, end) = (points[Int(bond.from)], points[Int(bond.to)])
            let side = (end - start).unit.left * half
            fill([start + side, end + side, end - side, start - side], Picture.Ink(color))
        }
        for (place, point) in points.enumerated() {
            guard let color = structure.atomHighlights[Int32(clamping: place)] else { continue }
            let corners = 24
            let disc = (0..<corners).map { point + Point.direction(Double($0) * 2 * .pi / Double(corners)) * half }
            fill(disc, Picture.Ink(color))
        }
    }
}
