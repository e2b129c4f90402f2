import ChemopenModel

/// A molecule on paper: the positions and labels of its atoms.
struct MoleculeSketch {
    typealias Point = Picture.Point

    let molecule: Molecule
    let style: Picture.Style
    let frame: Frame
    let points: [Point]
    let graph: BondGraph
    let clipping: Clipping
    /// The ends of bonds to several atoms, by bond index. Such a bond ends in the middle of these atoms.
    let severalEnds: [Int: SeveralEnds]

    /// The bonds that attach the atoms of an R-group member.
    let openBonds: [Int: [OpenBond]]
    /// The specified sides of double bonds and the inks of individual bonds, by bond index.
    let sides: [Int: DoubleBondSide]
    let inks: [Int: Picture.Ink]

    struct SeveralEnds {
        /// The placeholder atom at that end of the bond.
        var center: Int
        var atoms: [Int]
    }

    /// The largest number of atoms of a molecule that is drawn instead of described.
    private static let largest = 200_000

    /// The largest number of atoms of a molecule that is drawn with searches for free positions.
    static let carefulLimit = 5000

    /// The ratio of the bond length to the style's bond length. It exceeds 1 if labels need more room.
    let stretch: Double

    /// Creates a sketch; `nil` if the molecule can only be described.
    ///
    /// - Parameter least: The smallest allowed value of `stretch`.
    init?(drawing molecule: Molecule, _ style: Picture.Style, stretchedBy least: Double = 1) {
        let isPlaced = molecule.atoms.count == 1 || !molecule.flags.contains(.withoutCoordinates)
        guard !molecule.atoms.isEmpty, molecule.atoms.count <= Self.largest, isPlaced else { return nil }
        let whole =
            style.expandsAbbreviations ? molecule.expandingAbbreviations() : molecule.contractingAbbreviations()
        self.init(ofFlatOrSpatial: Folding.atomNames(of: Folding.multiples(of: whole)), style, least)
    }

    /// Creates a sketch; `nil` if there are no coordinates.
    ///
    /// Plain hydrogens are not drawn if the molecule is projected or if they would overlap other letters.
    private init?(ofFlatOrSpatial molecule: Molecule, _ style: Picture.Style, _ least: Double) {
        guard var sketch = MoleculeSketch(of: molecule, style) else { return nil }
        if sketch.frame.isProjected, molecule.atoms.count > 8 {
            sketch = MoleculeSketch(of: molecule.withoutPlainHydrogens(), style) ?? sketch
        }
        let stretch = max(least, sketch.stretchForLabels())
        if stretch > 1.02 { sketch = MoleculeSketch(of: sketch.molecule, style, enlarged: stretch) ?? sketch }
        let crowded = sketch.frame.isProjected ? [] : sketch.crowdedCarbons()
        if !crowded.isEmpty {
            let bare = sketch.molecule.withoutPlainHydrogens(at: crowded)
            sketch = MoleculeSketch(of: bare, style, enlarged: max(1, stretch)) ?? sketch
        }
        self = sketch
    }

    /// Creates a sketch; `nil` if there are no coordinates.
    init?(of molecule: Molecule, _ style: Picture.Style, enlarged factor: Double = 1) {
        guard let frame = Frame(of: molecule, style, enlarged: factor) else { return nil }
        self.molecule = molecule
        self.style = style
        self.frame = frame
        stretch = factor
        points = frame.points
        graph = BondGraph(of: molecule)
        severalEnds = Self.severalEnds(in: molecule, graph)
        openBonds = OpenBond.all(of: molecule, points, graph)
        let reader = FaceReader(
            molecule: molecule, graph: graph, hydrogens: molecule.hydrogenCounts(),
            openBonds: openBonds.mapValues(\.count), centers: Set(severalEnds.values.map(\.center)), points: points)
        var labeling = Labeling(points, graph, openBonds.mapValues { $0.map(\.direction) }, style)
        for index in molecule.atoms.indices { labeling.add(reader.face(ofAtom: index), atom: index) }
        if molecule.atoms.count <= Self.carefulLimit { labeling.mend(isView: frame.isProjected) }
        clipping = Clipping(labeling.labels, margin: style.margin)
        (sides, inks) = ([:], [:])
    }

    /// Creates a sketch of a molecule from existing positions and labels.
    init(
        placing molecule: Molecule, at points: [Point], _ labels: [AtomLabel], sides: [Int: DoubleBondSide],
        inks: [Int: Picture.Ink], _ style: Picture.Style
    ) {
        self.molecule = molecule
        self.style = style
        self.points = points
        self.sides = sides
        self.inks = inks
        frame = Frame(points: points)
        stretch = 1
        graph = BondGraph(of: molecule)
        severalEnds = [:]
        openBonds = [:]
        clipping = Clipping(labels, margin: style.margin)
    }

    var labels: [AtomLabel] { clipping.labels }

    /// Returns the carbons with an explicit hydrogen that overlaps another letter.
    private func crowdedCarbons() -> Set<Int> {
        guard molecule.atoms.count <= Self.carefulLimit, molecule.atoms.contains(where: { $0.element == .hydrogen })
        else { return [] }
        var boxes = BoxIndex()
        for (index, label) in labels.enumerated() {
            for box in label.boxes { boxes.add(box.grown(by: -0.4), of: index) }
        }
        var crowded: Set<Int> = []
        for (index, atom) in molecule.atoms.enumerated() where atom.element == .hydrogen {
            guard let only = graph[index].first, molecule.atoms[only.atom].element == .carbon,
                molecule.bonds[only.bond].mark == .none, !crowded.contains(only.atom)
            else { continue }
            let isCrowded = labels[index].boxes.contains { box in
                var isHit = false
                boxes.visit(near: box) { other, owner in
                    // If the other hydrogen is removed, this one can be drawn.
                    if owner == index || isHit || graph[owner].contains(where: { crowded.contains($0.atom) }) { return }
                    isHit = other.overlaps(box.grown(by: -0.4))
                }
                return isHit
            }
            if isCrowded { crowded.insert(only.atom) }
        }
        return crowded
    }

    private static func severalEnds(in molecule: Molecule, _ graph: BondGraph) -> [Int: SeveralEnds] {
        if molecule.extras.isEmpty { return [:] }
        var found: [Int: SeveralEnds] = [:]
        for tagged in molecule.extras.contents.bondNotes {
            guard case .endpoints(let atoms, _) = tagged.note, molecule.bonds.indices.contains(Int(tagged.index)) else {
                continue
            }
            let bond = molecule.bonds[Int(tagged.index)]
            guard BondGraph.isSound(bond, molecule.atoms.count) else { continue }
            let ends = [Int(bond.from), Int(bond.to)]
            let isLoose = ends.map { molecule.atoms[$0].element == .none && graph[$0].count == 1 }
            // An atom with a meaning, such as the site of an R-group, is not a placeholder.
            let isStar = ends.indices.map { isLoose[$0] && isBare(ends[$0], molecule) }
            guard let place = isStar.lastIndex(of: true) ?? isLoose.lastIndex(of: true) else { continue }
            let sound = atoms.map { Int($0) }.filter(molecule.atoms.indices.contains)
            found[Int(tagged.index)] = SeveralEnds(center: ends[place], atoms: sound)
        }
        return found
    }

    /// Whether an atom has neither an element nor a label or notes.
    private static func isBare(_ index: Int, _ molecule: Molecule) -> Bool {
        let symbol = molecule.symbol(ofAtom: index)
        return (symbol.isEmpty || symbol == "*") && molecule.notes(onAtom: index).isEmpty
    }

    /// Returns the ends of a bond: its atoms, or the middle of several atoms.
    func ends(ofBond place: Int) -> (start: Point, end: Point) {
        let bond = molecule.bonds[place]
        var start = points[Int(bond.from)]
        var end = points[Int(bond.to)]
        if let several = severalEnds[place], !several.atoms.isEmpty {
            let middle = Point.center(of: several.atoms.map { points[$0] })
            if several.center == Int(bond.from) { start = middle } else { end = middle }
        }
        return (start, end)
    }
}
