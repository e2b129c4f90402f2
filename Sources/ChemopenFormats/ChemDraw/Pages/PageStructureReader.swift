import ChemopenModel

/// Converts fragments to structures, with atoms and bonds as they are drawn.
struct PageStructureReader: PagePart {
    let drawing: Drawing
    let settings: PageSettings
    /// The nodes whose charge or electrons are shown by a symbol.
    let shownBySymbols: Set<UInt32>

    /// Returns the atoms and bonds that are direct children of an object, or nil if there are no atoms.
    func structure(of place: Int) -> Page.Structure? {
        var molecule = Molecule()
        var structure = Page.Structure(molecule)
        var indices: [UInt32: Int] = [:]
        var nodes: [Int] = []
        var bonds: [Int] = []
        for child in drawing.children(of: place) {
            switch drawing.kind(of: child) {
            case .node:
                guard let point = nodePlace(child) else { continue }
                let id = drawing.objects[child].id
                if indices[id] == nil { indices[id] = nodes.count }
                var atom = Atom(element(of: child), at: Position(point.x, point.y))
                let charge = drawing.real(.charge, of: child) ?? 0
                atom.charge = Int16(max(-1000, min(1000, charge.isFinite ? charge : 0)))
                atom.isotope = UInt16(clamping: drawing.integer(.isotope, of: child) ?? 0)
                if let count = drawing.integer(.hydrogens, of: child), 0...8 ~= count {
                    atom.hydrogens = .fixed(count)
                }
                molecule.atoms.append(atom)
                nodes.append(child)
            case .bond: bonds.append(child)
            default: break
            }
        }
        if nodes.isEmpty { return nil }
        for (index, node) in nodes.enumerated() {
            if let color = highlight(of: node) { structure.atomHighlights[Int32(clamping: index)] = color }
        }
        var crossed: [(object: Int, index: Int)] = []
        var bondIndices: [UInt32: (index: Int, z: Int)] = [:]
        for bond in bonds {
            let index = molecule.bonds.count
            read(bond, indices, into: &molecule, &structure)
            guard molecule.bonds.count > index else { continue }
            bondIndices[drawing.objects[bond].id] = (index, drawing.integer(.z, of: bond) ?? 0)
            if drawing.value(.crossingBonds, of: bond) != nil { crossed.append((bond, index)) }
        }
        structure.crossings = crossings(of: crossed, bondIndices)
        structure.molecule = molecule
        structure.labels = labels(of: nodes, molecule)
        structure.bondLength = settings.bondLength
        structure.lineWidth = settings.lineWidth
        structure.boldWidth = settings.boldWidth
        structure.hashSpacing = settings.hashSpacing
        structure.marginWidth = settings.marginWidth
        structure.bondSpacing = settings.bondSpacing
        return structure
    }

    private func element(of node: Int) -> ChemicalElement {
        switch drawing.integer(.nodeType, of: node) ?? 1 {
        case 1, 13:
            let carbon = 6
            return UInt8(exactly: drawing.integer(.element, of: node) ?? carbon).flatMap {
                ChemicalElement(rawValue: $0)
            }
                ?? .none
        default: return .none
        }
    }

    private func read(
        _ object: Int, _ indices: [UInt32: Int], into molecule: inout Molecule, _ structure: inout Page.Structure
    ) {
        guard let begin = drawing.identifier(.begin, of: object), let end = drawing.identifier(.end, of: object),
            let from = indices[begin], let to = indices[end], from != to
        else { return }
        var (bond, notes) = DrawnBond.read(object, from, to, in: drawing)
        bond.reactingCenter = 0
        let index = molecule.bonds.count
        molecule.bonds.append(bond)
        // The second line of a double bond has its own style. If it is dashed, the bond is single or double.
        if bond.order == .double, DrawnBond.Display(rawValue: drawing.integer(.display2, of: object) ?? 0) == .dash {
            molecule.bonds[index].order = .singleOrDouble
        }
        for case .display(let display) in notes { molecule.addNote(.display(display), toBond: index) }
        if let color = color(of: object) { structure.colors[Int32(clamping: index)] = color }
        if let color = highlight(of: object) { structure.bondHighlights[Int32(clamping: index)] = color }
        if let position = drawing.integer(.doublePosition, of: object) {
            let isTurned = bond.from != Int32(clamping: from)
            switch position & 0xFF {
            case 0: structure.sides[Int32(clamping: index)] = .centered
            // ChemDraw's left and right are mirrored, as if the page were seen from the back.
            case 1: structure.sides[Int32(clamping: index)] = isTurned ? .right : .left
            case 2: structure.sides[Int32(clamping: index)] = isTurned ? .left : .right
            default: break
            }
        }
    }

    private func highlight(of object: Int) -> Page.Color? {
        drawing.integer(.highlight, of: object).flatMap { settings.color($0) }
    }

    /// Returns the pairs of crossing bonds. The bond with the higher z value is on top; if equal, the later one.
    private func crossings(
        of bonds: [(object: Int, index: Int)], _ indices: [UInt32: (index: Int, z: Int)]
    ) -> [Page.Structure.Crossing] {
        let (mostOfBond, mostOfStructure) = (16, 10_000)
        var crossings: [Page.Structure.Crossing] = []
        var seen: Set<Page.Structure.Crossing> = []
        for (object, index) in bonds {
            let z = drawing.integer(.z, of: object) ?? 0
            for id in drawing.identifiers(.crossingBonds, of: object).prefix(mostOfBond) {
                guard crossings.count < mostOfStructure, let other = indices[id], other.index != index else { continue }
                let isOver = (z, index) > (other.z, other.index)
                let (over, under) = isOver ? (index, other.index) : (other.index, index)
                let crossing = Page.Structure.Crossing(Int32(clamping: over), over: Int32(clamping: under))
                if seen.insert(crossing).inserted { crossings.append(crossing) }
            }
        }
        return crossings
    }

    // MARK: Labels

    private func labels(of nodes: [Int], _ molecule: Molecule) -> [Page.Structure.Label] {
        let texts = PageTextReader(drawing: drawing, settings: settings)
        var labels: [Page.Structure.Label] = []
        var hydrogens: [Int]?
        for (index, node) in nodes.enumerated() {
            let text = drawing.children(of: node, .text).first { texts.label(of: $0) != nil }
            if let text {
                if let writing = texts.label(of: text) { labels.append(.init(writing, at: Int32(clamping: index))) }
                continue
            }
            let counts = hydrogens ?? molecule.hydrogenCounts()
            hydrogens = counts
            if let writing = missingLabel(of: node, molecule.atoms[index], counts[index]) {
                labels.append(.init(writing, at: Int32(clamping: index)))
            }
        }
        return labels
    }

    /// Returns the label of an atom that needs a label but has none in the file. Some programs write only the
    /// chemistry, without labels.
    private func missingLabel(of node: Int, _ atom: Atom, _ hydrogens: Int) -> Page.Writing? {
        let type = drawing.integer(.nodeType, of: node) ?? 1
        var pieces: [(text: String, script: Page.TextRun.Script)] = []
        switch type {
        case 1, 13:
            let isCarbon = atom.element == .carbon
            let isCharged = atom.charge != 0 && !shownBySymbols.contains(drawing.objects[node].id)
            if isCarbon, !isCharged, atom.isotope == 0 { return nil }
            if atom.isotope > 0 { pieces.append(("\(atom.isotope)", .raised)) }
            pieces.append((atom.element == .none ? "?" : atom.element.symbol, .normal))
            if hydrogens > 0 { pieces.append(("H", .normal)) }
            if hydrogens > 1 { pieces.append(("\(hydrogens)", .lowered)) }
            if isCharged {
                let count = abs(Int(atom.charge))
                pieces.append(((count > 1 ? "\(count)" : "") + (atom.charge > 0 ? "+" : "\u{2212}"), .raised))
            }
        case 10, 11, 12: return nil
        default:
            let name = drawing.text(.genericNickname, of: node) ?? drawing.text(.name, of: node)
            pieces.append((name?.string ?? "?", .normal))
        }
        let size = settings.label.size ?? 10
        let runs = pieces.map { text, script in
            var run = Page.TextRun(text)
            run.font = settings.label.font.flatMap { settings.fonts[$0] } ?? ""
            run.size = size
            run.script = script
            run.color = color(of: node)
            return run
        }
        let (before, below) = (0.36, 0.36)
        let start = Page.Point(atom.position.x - before * size, atom.position.y + below * size)
        return Page.Writing([Page.TextLine(runs, at: start)])
    }

    // MARK: Ends of fragments

    /// Returns the signs at the ends of bonds that lead out of a fragment.
    func connectionPoints(of place: Int) -> [Page.Item] {
        var things: [Page.Item] = []
        let size = settings.bondLength * 0.18
        var searches = 100
        for node in drawing.children(of: place, .node) where drawing.integer(.nodeType, of: node) == 12 {
            guard let point = point(.position, of: node), drawing.children(of: node, .text).isEmpty else { continue }
            let line = line(of: node)
            let right = Page.Point(point.x + size, point.y)
            let below = Page.Point(point.x, point.y + size)
            switch drawing.integer(.connectionType, of: node) ?? 0 {
            case 3:
                var bead = Page.Shape(.oval(center: point, right, below), line: line)
                bead.fill = .shaded(color(of: node))
                things.append(.shape(bead))
            case 4:
                var wavy = line
                wavy.isWavy = true
                searches -= 1
                guard searches >= 0, let (one, other) = across(node, at: point, size * 2.4) else { continue }
                things.append(.shape(Page.Shape(.path([one, other], isClosed: false), line: wavy)))
            case 2:
                for (x, y) in [(1.0, 0.0), (0.5, 0.87), (0.5, -0.87)] {
                    let ends = [-1.0, 1.0].map { Page.Point(point.x + $0 * x * size, point.y + $0 * y * size) }
                    things.append(.shape(Page.Shape(.path(ends, isClosed: false), line: line)))
                }
            default:
                let corners = [
                    right, below, Page.Point(point.x - size, point.y), Page.Point(point.x, point.y - size),
                ]
                var diamond = Page.Shape(.path(corners, isClosed: true), line: line)
                diamond.fill = .plain(color(of: node))
                things.append(.shape(diamond))
            }
        }
        return things
    }

    /// Returns the ends of a line that crosses the bond of a node at a right angle.
    private func across(_ node: Int, at point: Page.Point, _ reach: Double) -> (Page.Point, Page.Point)? {
        let parent = drawing.objects[node].parent
        let id = drawing.objects[node].id
        for bond in drawing.children(of: parent, .bond).prefix(1000) {
            let ends = [drawing.identifier(.begin, of: bond), drawing.identifier(.end, of: bond)]
            guard ends.contains(id), let other = ends.first(where: { $0 != id }) ?? nil,
                let atom = drawing.children(of: parent, .node).first(where: { drawing.objects[$0].id == other }),
                let far = self.point(.position, of: atom)
            else { continue }
            let (x, y) = (far.x - point.x, far.y - point.y)
            let length = (x * x + y * y).squareRoot()
            guard length > 0.01 else { return nil }
            let (dx, dy) = (-y / length * reach, x / length * reach)
            return (Page.Point(point.x + dx, point.y + dy), Page.Point(point.x - dx, point.y - dy))
        }
        return nil
    }
}
