import ChemopenModel

/// A molecule on paper: where its atoms stand and what is written at them.
struct MoleculeSketch {
    typealias Point = Picture.Point

    let molecule: Molecule
    let style: Picture.Style
    let frame: Frame
    let points: [Point]
    let graph: BondGraph
    let clipping: Clipping
    /// The ends of bonds that lead to several atoms at once: the atoms in whose midst the bond ends, by its place.
    let severalEnds: [Int: SeveralEnds]

    struct SeveralEnds {
        /// The atom without meaning at that end.
        var center: Int
        var atoms: [Int]
    }

    /// Above this a molecule is drawn without what needs a search for room.
    static let carefulLimit = 5000

    /// Where words would stand upon one another, all bonds are made longer, up to so many times.
    private static let longestStretch = 4.0

    /// A molecule in space is drawn without its plain hydrogens. `nil` where there are no coordinates.
    init?(ofFlatOrSpatial molecule: Molecule, _ style: Picture.Style) {
        guard var sketch = MoleculeSketch(of: molecule, style) else { return nil }
        if sketch.frame.isProjected, molecule.atoms.count > 8 {
            sketch = MoleculeSketch(of: molecule.withoutPlainHydrogens(), style) ?? sketch
        }
        let stretch = sketch.stretchForWords()
        if stretch > 1.05 { sketch = MoleculeSketch(of: sketch.molecule, style, enlarged: stretch) ?? sketch }
        self = sketch
    }

    /// How many times longer bonds would have to be for all words at their ends to stand apart.
    private func stretchForWords() -> Double {
        guard !molecule.labels.isEmpty, molecule.atoms.count <= Self.carefulLimit else { return 1 }
        var stretch = 1.0
        for bond in molecule.bonds where BondGraph.isSound(bond, points.count) {
            let ends = [Int(bond.from), Int(bond.to)]
            guard ends.allSatisfy({ molecule.atoms[$0].label != Atom.noLabel && hasLabel($0) }) else { continue }
            let way = points[ends[1]] - points[ends[0]]
            guard way.length > 0.5 else { continue }
            let (one, other) = (labels[ends[0]].box, labels[ends[1]].box)
            let width = (one.width + other.width) / 2 + 5
            let height = (one.height + other.height) / 2 + 5
            // Apart in one of the two directions is enough.
            let need = min(width / max(0.01, abs(way.x)), height / max(0.01, abs(way.y)))
            stretch = max(stretch, min(need, Self.longestStretch))
        }
        return stretch
    }

    /// `nil` where there is nothing to go by: no coordinates.
    init?(of molecule: Molecule, _ style: Picture.Style, enlarged factor: Double = 1) {
        guard let frame = Frame(of: molecule, style, enlarged: factor) else { return nil }
        self.molecule = molecule
        self.style = style
        self.frame = frame
        points = frame.points
        graph = BondGraph(of: molecule)
        severalEnds = Self.severalEnds(in: molecule, graph)
        let reader = FaceReader(
            molecule: molecule, graph: graph, hydrogens: molecule.hydrogenCounts(),
            openBonds: Self.openBonds(of: molecule), centers: Set(severalEnds.values.map(\.center)), points: points)
        var labeling = Labeling(points, graph, style)
        for index in molecule.atoms.indices { labeling.add(reader.face(ofAtom: index), atom: index) }
        if molecule.atoms.count <= Self.carefulLimit { labeling.mend() }
        clipping = Clipping(labeling.labels, margin: style.margin)
    }

    var labels: [AtomLabel] { clipping.labels }

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
            guard let place = isLoose.lastIndex(of: true) else { continue }
            let sound = atoms.map { Int($0) }.filter(molecule.atoms.indices.contains)
            found[Int(tagged.index)] = SeveralEnds(center: ends[place], atoms: sound)
        }
        return found
    }

    /// The bonds by which atoms of an R-group's member are attached.
    private static func openBonds(of molecule: Molecule) -> [Int: Int] {
        if molecule.extras.isEmpty { return [:] }
        var counts: [Int: Int] = [:]
        for tagged in molecule.extras.contents.atomNotes {
            if case .attachmentPoint(let first, let second) = tagged.note {
                counts[Int(tagged.index), default: 0] += (first ? 1 : 0) + (second ? 1 : 0)
            }
        }
        return counts
    }

    /// Where a bond ends: at its atoms, or in the midst of several.
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

/// Puts labels at atoms, each to its free side.
struct Labeling {
    private(set) var labels: [AtomLabel] = []
    private var faces: [AtomFace] = []
    private var sides: [[AtomLabel.Side]] = []
    private let points: [Picture.Point]
    private let graph: BondGraph
    private let style: Picture.Style

    init(_ points: [Picture.Point], _ graph: BondGraph, _ style: Picture.Style) {
        self.points = points
        self.graph = graph
        self.style = style
        labels.reserveCapacity(points.count)
    }

    /// Adds the label of the next atom.
    mutating func add(_ face: AtomFace, atom index: Int) {
        faces.append(face)
        if case .corner = face {
            sides.append([])
            labels.append(AtomLabel(face, at: points[index], on: .right, isCentered: false, style))
            return
        }
        let directions = graph[index].map { points[$0.atom] - points[index] }.filter { $0.length > 0.01 }
        let free = LabelSides(directions, isHydride: face.isHydride)
        if case .words = face {
            let (side, isCentered) = free.forWords
            sides.append([side])
            labels.append(AtomLabel(face, at: points[index], on: side, isCentered: isCentered, style))
        } else {
            let order = free.forHydrogens
            sides.append(order)
            labels.append(AtomLabel(face, at: points[index], on: order[0], isCentered: false, style))
        }
    }

    /// Moves hydrogens to another side where they would stand upon other labels or on bonds.
    mutating func mend() {
        var boxes = BoxIndex()
        for (index, label) in labels.enumerated() { for box in label.boxes { boxes.add(box, of: index) } }
        var bonds = BoxIndex()
        var lines: [(Picture.Point, Picture.Point, Int, Int)] = []
        for index in points.indices {
            for neighbor in graph[index] where neighbor.atom > index {
                var box = Box.empty
                box.add(points[index])
                box.add(points[neighbor.atom])
                bonds.add(box, of: lines.count)
                lines.append((points[index], points[neighbor.atom], index, neighbor.atom))
            }
        }
        func cost(_ label: AtomLabel, of index: Int) -> Int {
            var cost = 0
            for box in label.boxes {
                if boxes.overlaps(box.grown(by: 0.4), except: index) { cost += 4 }
                bonds.visit(near: box) { _, place in
                    let (start, end, from, to) = lines[place]
                    if from == index || to == index { return }
                    if box.part(of: start, end) != nil { cost += 1 }
                }
            }
            return cost
        }
        for index in labels.indices where sides[index].count > 1 {
            guard case .element(let text) = faces[index], text.hydrogens > 0 else { continue }
            var best = cost(labels[index], of: index)
            if best == 0 { continue }
            for side in sides[index].dropFirst() {
                let other = AtomLabel(faces[index], at: points[index], on: side, isCentered: false, style)
                let otherCost = cost(other, of: index)
                if otherCost < best {
                    best = otherCost
                    labels[index] = other
                }
            }
        }
    }
}
