import ChemopenModel

extension PagePainter {
    /// A structure of more atoms than this is too much for a page.
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
        bonds.paintAll()
        marks += bonds.marks
        marks += letters
    }
}
