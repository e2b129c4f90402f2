import ChemopenModel

extension Picture {
    /// Draws a molecule.
    ///
    ///     let picture = Picture(of: molecule, style: Picture.Style(.dark))
    ///
    /// Bonds have the length that the style specifies, regardless of the units in the file. A 3D structure is
    /// projected. A molecule without coordinates is described in text.
    public init(of molecule: Molecule, style: Style = Style()) {
        var parts = [Picture(structureOf: molecule, style)]
        if !molecule.extras.isEmpty { parts += Self.rgroupRows(of: molecule, style) }
        if parts.count == 1 { self = parts[0] } else { self.init(stacking: parts, gap: style.bondLength) }
        title = Self.title(of: molecule)
        palette = style.palette
    }

    /// Draws the molecule without the members of its R-groups.
    init(structureOf molecule: Molecule, _ style: Style, stretchedBy least: Double = 1) {
        if let sketch = MoleculeSketch(drawing: molecule, style, stretchedBy: least) {
            self.init(Self.marks(of: sketch), padding: style.padding)
        } else {
            self.init(describing: molecule, style)
        }
    }

    /// Creates a picture of the size of its marks and the padding.
    init(_ marks: [Mark], padding: Double) {
        var box = Box.empty
        for mark in marks { box.add(mark.box) }
        if box.isEmpty { box = Box(left: 0, top: 0, right: 0, bottom: 0) }
        self.init(width: box.width + 2 * padding, height: box.height + 2 * padding)
        self.marks = marks
        move(by: Point(padding - box.left, padding - box.top))
    }

    private static func marks(of sketch: MoleculeSketch) -> [Mark] {
        var bonds = BondPainter(sketch)
        bonds.paintAll()
        var brackets = BracketPainter(sketch)
        brackets.paintAll()
        var lines = bonds.marks + sketch.attachmentMarks()
        var letters = sketch.labels.flatMap { label in label.letters.map { Mark.letters($0) } }
        lines += brackets.marks
        letters += notes(of: sketch, brackets.data, lines)
        return highlights(of: sketch) + lines + letters
    }

    private static func notes(
        of sketch: MoleculeSketch, _ data: [(text: String, atoms: [Int], place: Point?)], _ lines: [Mark]
    ) -> [Mark] {
        let reader = NoteReader(molecule: sketch.molecule, showsMapNumbers: sketch.style.showsMapNumbers)
        let atomTexts = reader.atomTexts()
        let bondTexts = reader.bondTexts()
        if atomTexts.isEmpty && bondTexts.isEmpty && data.isEmpty { return [] }
        var boxes = sketch.clipping.boxes
        for mark in lines {
            if case .letters(let letters) = mark { boxes.add(letters.box, of: -2) }
        }
        var placer = NotePlacer(around: boxes, lines: lines, size: sketch.style.fontSize * 0.65)
        for (atom, text) in atomTexts {
            let point = sketch.points[atom]
            var directions = sketch.graph[atom].map { sketch.points[$0.atom] - point }
            let box = sketch.labels[atom].box
            // For an atom with a label, the side above the longer part of the label is preferred.
            if !box.isEmpty { directions.append(box.center - point + Point(0, 2)) }
            let apart = box.isEmpty ? 2.2 : 5.2
            placer.put(text, near: box.isEmpty ? point : point, apart: apart, from: directions)
        }
        for (place, text) in bondTexts {
            let (start, end) = sketch.ends(ofBond: place)
            placer.put(text, near: start.midpoint(to: end), apart: 3, from: [start - end, end - start])
        }
        for (text, atoms, place) in data {
            if let place, placer.put(text, at: place) { continue }
            let middle = Point.center(of: atoms.map { sketch.points[$0] })
            let directions = atoms.count == 1 ? sketch.graph[atoms[0]].map { sketch.points[$0.atom] - middle } : []
            placer.put(text, near: place ?? middle, apart: 3, from: directions)
        }
        return placer.marks
    }

    /// Returns the backgrounds of the atoms and bonds that a collection highlights.
    private static func highlights(of sketch: MoleculeSketch) -> [Mark] {
        if sketch.molecule.extras.isEmpty { return [] }
        var marks: [Mark] = []
        for collection in sketch.molecule.extras.contents.collections where collection.isHighlight {
            for bond in collection.bonds where sketch.molecule.bonds.indices.contains(Int(bond)) {
                guard BondGraph.isSound(sketch.molecule.bonds[Int(bond)], sketch.points.count) else { continue }
                let (start, end) = sketch.ends(ofBond: Int(bond))
                marks.append(.stroke(Stroke([start, end], width: 6, ink: .highlight)))
            }
            for atom in collection.atoms where sketch.points.indices.contains(Int(atom)) {
                let point = sketch.points[Int(atom)]
                marks.append(.stroke(Stroke([point, point + Point(0.01, 0)], width: 12, ink: .highlight)))
            }
        }
        return marks
    }

    /// Returns the name of a molecule or, if it has no name, its formula.
    static func title(of molecule: Molecule) -> String {
        if !molecule.name.isEmpty { return molecule.name.string.trimmed(to: 200) }
        return molecule.atoms.count <= 5000 ? molecule.formula : "\(molecule.atoms.count) atoms"
    }
}

extension Picture {
    /// Returns a row for each R-group, with its name and its members.
    fileprivate static func rgroupRows(of molecule: Molecule, _ style: Style) -> [Picture] {
        molecule.extras.contents.rgroups.prefix(50).map { rgroup in
            var row = [Picture(words: "R\(rgroup.number) =", size: style.fontSize, padding: 2)]
            for member in rgroup.members.prefix(50) { row.append(Picture(structureOf: member, style)) }
            return Picture(lining: row, gap: style.bondLength)
        }
    }
}
