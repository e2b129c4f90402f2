import ChemopenModel

/// A writer for SMILES in the Kekulé form, with charges, isotopes, hydrogens, map numbers and configurations.
///
///     var smiles = SMILESText()
///     smiles.append(molecule)
///     print(String(decoding: smiles.bytes, as: UTF8.self))     // OC(=O)C
///
/// Atoms are in the order of the molecule if its bonds permit this.
public struct SMILESText: Sendable {
    /// The text written so far.
    public private(set) var bytes: [UInt8] = []
    /// The number of double bonds with a geometry that could not be written.
    public private(set) var unsaidGeometries = 0
    /// The features that were not completely written: bond orders above four, query bonds, radicals of metals.
    public private(set) var unsaid = Features()
    /// The number of bonds that were omitted because another bond connects the same atoms.
    public private(set) var repeatedBonds = 0
    /// The number of atoms with more hydrogens than can be written.
    public private(set) var unsaidHydrogens = 0
    /// The number of unconnected parts of the last molecule.
    public var partCount: Int { tree.roots.count }
    /// The indices of atoms in text order, for all appended molecules; -1 for a hydrogen that is written only to
    /// specify a geometry.
    public private(set) var order: [Int] = []
    /// The bonds of the graph in text order, if the CX extensions of the last molecule refer to bonds; -1 for the bond
    /// of a hydrogen that is written only to specify a geometry.
    private var bondOrder: [Int32] = []
    /// The number of bonds in the text.
    private var bondCount = 0
    /// Whether the CX extensions of the last molecule refer to bonds.
    private var namesBonds = false

    /// Whether to write canonical SMILES.
    ///
    /// The atom order then depends only on the molecule, and alternative drawings of the same structure, such as a
    /// nitro group, are unified: equal molecules have equal texts.
    public var isCanonical = false
    /// The features of molecules added with `appendExtended` that require CX extensions.
    public private(set) var extensions = CXText()
    /// The number of molecules that were too symmetric or too large for a canonical order.
    public private(set) var uncanonical = 0

    private var hasExtensions = false
    private var hasRadicals = false
    /// Atoms with a number of unpaired electrons that does not follow from their bonds and hydrogens.
    private var hiddenRadicals: Set<Int> = []
    private var graph = MoleculeGraph()
    private var canonicalOrder = CanonicalOrder()
    private var tree = SMILESTree()
    private var directions = SMILESDirections()
    /// The ring-closure number of each opened ring bond.
    private var digits: [Int32] = []
    /// The atoms after the open branches; the next one is the last.
    private var siblings: [Int32] = []
    private var freeDigits: [Int] = []
    private var nextDigit = 1

    /// Creates an empty text.
    public init() {}

    /// Clears the text and all counts.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
        unsaidGeometries = 0
        repeatedBonds = 0
        unsaidHydrogens = 0
        unsaid = []
        uncanonical = 0
        bondCount = 0
        if hasExtensions { extensions.removeAll() }
        hasExtensions = false
    }

    /// Appends text between molecules, such as `.` or `>`.
    public mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a molecule.
    public mutating func append(_ molecule: borrowing Molecule) {
        graph.take(molecule, unifies: isCanonical, keepsMapped: true)
        if isCanonical { graph.perceiveAromaticity(guesses: false) }
        graph.perceiveStereo(of: molecule, forgetsIdle: isCanonical)
        if isCanonical { chooseMirrorImages(of: molecule) }
        write(molecule)
    }

    /// The maximum number of stereo groups whose mirror images are all compared.
    private static let mostCompared = 6

    /// Chooses the configurations that are written for racemic and relative stereo groups. Both mirror images of such a
    /// group represent the same substance; the canonical text is the alphabetically first of all possible texts.
    private mutating func chooseMirrorImages(of molecule: borrowing Molecule) {
        if molecule.extras.isEmpty || molecule.extras.contents.stereoGroups.isEmpty { return }
        let groups = MirroredGroups(molecule, graph)
        if groups.count == 0 { return }
        if groups.count > Self.mostCompared { uncanonical += 1 }
        let drawn = graph
        var best: (text: [UInt8], choice: Int)?
        for choice in 0..<1 << min(groups.count, Self.mostCompared) {
            var trial = SMILESText()
            trial.isCanonical = true
            trial.graph = drawn
            groups.mirror(&trial.graph, choice)
            trial.write(molecule)
            let text = trial.bytes + groups.places(in: trial.order)
            if best.map({ text.lexicographicallyPrecedes($0.text) }) ?? true { best = (text, choice) }
        }
        if let best { groups.mirror(&graph, best.choice) }
    }

    /// Appends the molecule of the graph.
    private mutating func write(_ molecule: borrowing Molecule) {
        var ranks: [Int32] = []
        var marks: [UInt64] = []
        if isCanonical {
            graph.perceiveFragments()
            marks = CXText.marks(of: molecule)
            canonicalOrder.take(graph, molecule, marks)
            if canonicalOrder.isBounded || graph.isIncomplete { uncanonical += 1 }
            ranks = canonicalOrder.ranks
            canonicalOrder.arrange(&graph)
        }
        tree.grow(over: graph, by: ranks)
        noteUnsaid(of: molecule)
        directions.settle(&graph, tree)
        unsaidGeometries += directions.unsaid
        if directions.unsaid > 0 { namesBonds = true }
        if !bondOrder.isEmpty { bondOrder.removeAll(keepingCapacity: true) }
        if digits.count < graph.edges.count { digits.fill(with: 0, count: graph.edges.count) }
        freeDigits.removeAll(keepingCapacity: true)
        nextDigit = 1
        let start = (bytes.count, order.count)
        var parts: [Part] = []
        for (place, root) in tree.roots.enumerated() {
            if place > 0, !isCanonical { bytes.append(UInt8(ascii: ".")) }
            let first = (bytes.count, order.count, bondOrder.count)
            write(from: root, molecule)
            if isCanonical {
                parts.append(
                    Part(
                        text: first.0..<bytes.count, atoms: first.1..<order.count,
                        bonds: first.2..<bondOrder.count))
            }
        }
        if isCanonical { sort(parts, marks, from: start) }
        // An explicit hydrogen has its own atom and bond.
        bondCount += graph.edges.count + (order.count - start.1 - graph.vertices.count)
    }

    /// Appends a molecule, and adds its remaining features to the CX extensions.
    ///
    /// - Parameter isComponent: whether it is a component of a reaction, with its parts next to those of other
    ///   components.
    public mutating func appendExtended(_ molecule: borrowing Molecule, isComponent: Bool = false) {
        let (start, firstBond) = (order.count, bondCount)
        append(molecule)
        if molecule.extras.isEmpty, molecule.labels.isEmpty, !hasRadicals, !namesBonds { return }
        hasExtensions = true
        if namesBonds { takeBonds(of: molecule, from: start, firstBond) }
        extensions.take(
            molecule, order: order[start...], from: start, hiding: hiddenRadicals,
            isTogether: !isComponent || partCount == 1, isCanonical: isCanonical)
    }

    /// Specifies in the CX extensions that parts of a reaction are a single component. Parts are numbered in the entire
    /// text.
    public mutating func join(_ parts: Range<Int>) {
        hasExtensions = true
        extensions.join(parts)
    }

    /// Appends the CX extensions of all previous molecules, if there are any.
    public mutating func appendExtensions() {
        if hasExtensions { extensions.append(to: &bytes, atomCount: order.count) }
    }

    /// Adds the kinds and geometries of bonds that SMILES cannot express to the CX extensions.
    private mutating func takeBonds(of molecule: borrowing Molecule, from firstAtom: Int, _ firstBond: Int) {
        var places = [Int](repeating: -1, count: molecule.atoms.count)
        for place in firstAtom..<order.count where order[place] >= 0 { places[order[place]] = place }
        let edgesInText = bondOrder
        for (offset, edge) in edgesInText.enumerated() where edge >= 0 {
            let (bond, number) = (graph.edges[Int(edge)], firstBond + offset)
            switch bond.order {
            case .zero, .hydrogen:
                let ends = [bond.from, bond.to].map { places[Int(graph.vertices[Int($0)].origin)] }
                extensions.take(bond.order, ofBond: number, at: isCanonical ? min(ends[0], ends[1]) : ends[0])
            case .double where directions.isUnsaid(edge, graph):
                let geometry = graph.geometries[Int(edge)]
                let first = firstNeighbor(of: bond.from, besides: bond.to, places)
                let second = firstNeighbor(of: bond.to, besides: bond.from, places)
                let areOthers = (first != geometry.first) != (second != geometry.second)
                extensions.take(geometryOfBond: number, isTrans: geometry.isTrans != areOthers)
                unsaidGeometries -= 1
            case .double where !isCanonical && molecule.bonds[Int(bond.origin)].mark == .either:
                if graph.mayHaveGeometry(Int(edge)), graph.edges[Int(edge)].isInRing {
                    extensions.take(geometryOfBond: number, isTrans: nil)
                }
            default: break
            }
        }
    }

    /// Returns the first neighbor in the text at an end of a double bond, or -1 for an explicit hydrogen.
    private func firstNeighbor(of atom: Int32, besides partner: Int32, _ places: [Int]) -> Int32 {
        let place = places[Int(graph.vertices[Int(atom)].origin)]
        let hasHydrogen = order.indices.contains(place + 1) && order[place + 1] < 0
        var found: (place: Int, atom: Int32) = hasHydrogen ? (place + 1, -1) : (.max, -1)
        for slot in graph.range(of: Int(atom)) {
            let neighbor = graph.neighbors[slot].atom
            let there = places[Int(graph.vertices[Int(neighbor)].origin)]
            if neighbor != partner, there < found.place { found = (there, neighbor) }
        }
        return found.atom
    }

    /// The text, atoms and bonds of an unconnected part of a molecule.
    private struct Part {
        let text: Range<Int>
        let atoms: Range<Int>
        let bonds: Range<Int>
    }

    /// Sorts the parts of a molecule by their texts, with dots between them. Parts with equal texts are sorted by the
    /// extension features of their atoms.
    private mutating func sort(_ parts: [Part], _ marks: [UInt64], from start: (text: Int, atoms: Int)) {
        if parts.count < 2 { return }
        let (text, atoms, bonds) = (bytes, order, bondOrder)
        let sorted = parts.sorted { one, other in
            if !text[one.text].elementsEqual(text[other.text]) || marks.isEmpty {
                return text[one.text].lexicographicallyPrecedes(text[other.text])
            }
            return atoms[one.atoms].lazy.map { $0 < 0 ? 0 : marks[$0] }.lexicographicallyPrecedes(
                atoms[other.atoms].lazy.map { $0 < 0 ? 0 : marks[$0] })
        }
        bytes.removeLast(bytes.count - start.text)
        order.removeLast(order.count - start.atoms)
        if !bonds.isEmpty { bondOrder = sorted.flatMap { bonds[$0.bonds] } }
        for (place, part) in sorted.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes += text[part.text]
            order += atoms[part.atoms]
        }
    }

    /// Records the features that the text does not completely represent.
    ///
    /// Query bonds, and bonds of an order above four, are written as `~`. Aromatic bonds outside of rings are written
    /// as single or double bonds. A radical can be recognized only from missing hydrogens.
    private mutating func noteUnsaid(of molecule: borrowing Molecule) {
        namesBonds = false
        let bonds = molecule.bonds.span
        for index in graph.edges.indices {
            let edge = graph.edges[index]
            let bond = bonds[Int(edge.origin)]
            if bond.isPlain { continue }
            switch edge.order {
            case .zero, .hydrogen: namesBonds = true
            case .double where bond.mark == .either && !isCanonical: namesBonds = true
            default: break
            }
            if bond.order == .aromatic {
                graph.perceiveBlocks()
                if !graph.edges[index].isInRing { unsaid.insert(Features(.aromaticBonds)) }
            }
            if edge.order == .quintuple || edge.order == .sextuple { unsaid.insert(Features(.higherOrders)) }
            let asksMore =
                edge.order == .query && bond.order != .any || bond.traits.contains(.stereoCare)
                || bond.traits.contains(.hasNotes)
                    && molecule.notes(onBond: Int(edge.origin)).contains(where: \.isQuery)
            if asksMore { unsaid.insert(Features(.queryBonds)) }
        }
        hasRadicals = false
        if !hiddenRadicals.isEmpty { hiddenRadicals.removeAll(keepingCapacity: true) }
        let vertices = graph.vertices
        for place in vertices.indices {
            let vertex = vertices[place]
            if vertex.hydrogens > HydrogenCount.most { unsaidHydrogens += 1 }
            if vertex.unpairedElectrons == 0 { continue }
            hasRadicals = true
            let element = ChemicalElement(rawValue: vertex.element) ?? .none
            let shown = SMILESValence.unpairedElectrons(of: element, vertex.charge, valence: graph.valence(of: place))
            if let shown, shown != Int(vertex.unpairedElectrons) { hiddenRadicals.insert(Int(vertex.origin)) }
            if shown != Int(vertex.unpairedElectrons) { unsaid.insert(Features(.radicals)) }
        }
        repeatedBonds += graph.repeatedBonds
    }

    // MARK: Traversal

    private mutating func write(from root: Int32, _ molecule: borrowing Molecule) {
        var atom = root
        while true {
            // All branches at an atom except the last are enclosed in parentheses.
            let sibling = tree.child(after: atom)
            if sibling >= 0 {
                siblings.append(sibling)
                bytes.append(UInt8(ascii: "("))
            }
            let entry = tree.entry(of: atom)
            if entry >= 0 { writeBond(entry) }
            if namesBonds, entry >= 0 { bondOrder.append(entry) }
            let hydrogen = directions.directionOfHydrogen(at: atom, graph)
            writeAtom(atom, molecule, showsHydrogen: hydrogen != .none)
            writeRings(atom)
            order.append(Int(graph.vertices[Int(atom)].origin))
            let child = tree.firstChild(of: atom)
            if hydrogen != .none { write(hydrogen: hydrogen, isBranch: child >= 0) }
            if child >= 0 {
                atom = child
            } else if let next = siblings.popLast() {
                bytes.append(UInt8(ascii: ")"))
                atom = next
            } else {
                return
            }
        }
    }

    private mutating func writeBond(_ edge: Int32) {
        switch graph.edges[Int(edge)].order {
        case .single:
            if !directions.isEmpty { write(directions.direction(of: edge)) }
        case .double: bytes.append(UInt8(ascii: "="))
        case .triple: bytes.append(UInt8(ascii: "#"))
        case .quadruple: bytes.append(UInt8(ascii: "$"))
        case .dative:
            append(graph.edges[Int(edge)].from == start(of: edge) ? "->" : "<-")
        case .zero, .hydrogen, .query, .quintuple, .sextuple: bytes.append(UInt8(ascii: "~"))
        }
    }

    private mutating func write(_ direction: SMILESDirections.Direction) {
        switch direction {
        case .none: break
        case .up: bytes.append(UInt8(ascii: "/"))
        case .down: bytes.append(UInt8(ascii: "\\"))
        }
    }

    private mutating func write(hydrogen direction: SMILESDirections.Direction, isBranch: Bool) {
        if isBranch { append("(") }
        write(direction)
        append(isBranch ? "[H])" : "[H]")
        order.append(-1)
        if namesBonds { bondOrder.append(-1) }
    }

    private mutating func writeRings(_ atom: Int32) {
        var edge = tree.firstClosed(at: atom)
        while edge >= 0 {
            let digit = Int(digits[Int(edge)])
            append(ring: digit)
            freeDigits.append(digit)
            if namesBonds { bondOrder.append(edge) }
            edge = tree.closed(after: edge)
        }
        edge = tree.firstOpened(at: atom)
        while edge >= 0 {
            let digit: Int
            if let place = freeDigits.indices.min(by: { freeDigits[$0] < freeDigits[$1] }) {
                digit = freeDigits.remove(at: place)
            } else {
                digit = nextDigit
                nextDigit += 1
            }
            digits[Int(edge)] = Int32(truncatingIfNeeded: digit)
            writeBond(edge)
            append(ring: digit)
            edge = tree.opened(after: edge)
        }
    }

    private mutating func append(ring digit: Int) {
        if digit > 99 {
            append("%(")
            append(digit)
            append(")")
            return
        }
        if digit > 9 { append("%") }
        append(digit)
    }

    /// - Parameter number: a number that is not negative.
    private mutating func append(_ number: Int) {
        if number > 9 { append(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    // MARK: Atoms

    /// - Parameter showsHydrogen: whether one of its hydrogens is written as an atom.
    private mutating func writeAtom(_ index: Int32, _ molecule: borrowing Molecule, showsHydrogen: Bool) {
        var vertex = graph.vertices[Int(index)]
        if showsHydrogen {
            vertex.hydrogens -= 1
            vertex.orderSum += 1
        }
        let map = max(0, molecule.atoms[Int(vertex.origin)].mapNumber)
        let isPlain =
            vertex.charge == 0 && vertex.isotope == 0 && map == 0 && graph.centers[Int(index)] == .none
            && (graph.coordinations.isEmpty || graph.coordination(of: Int(index)) == nil)
        // If all implied hydrogens are present, no valence is free for an unpaired electron, and brackets could not
        // show it.
        if isPlain, vertex.idleBonds == 0, isUsual(vertex) {
            append(symbol: ChemicalElement(rawValue: vertex.element) ?? .none)
        } else if isPlain, vertex.element == 0, vertex.hydrogens == 0 {
            bytes.append(UInt8(ascii: "*"))
        } else {
            writeBracketed(index, vertex, map)
        }
    }

    private mutating func writeBracketed(_ index: Int32, _ vertex: MoleculeGraph.Vertex, _ map: Int32) {
        let turn = graph.centers[Int(index)] == .none ? .none : turn(at: index)
        let element = ChemicalElement(rawValue: vertex.element) ?? .none
        bytes.append(UInt8(ascii: "["))
        if vertex.isotope > 0 { append(Int(vertex.isotope)) }
        if element == .none { bytes.append(UInt8(ascii: "*")) } else { append(symbol: element) }
        switch turn {
        case .none: break
        case .anticlockwise: append("@")
        case .clockwise: append("@@")
        }
        if !graph.coordinations.isEmpty, let coordination = graph.coordination(of: Int(index)) { write(coordination) }
        if vertex.hydrogens > 0 {
            bytes.append(UInt8(ascii: "H"))
            if vertex.hydrogens > 1 { append(min(Int(vertex.hydrogens), HydrogenCount.most)) }
        }
        if vertex.charge != 0 {
            bytes.append(UInt8(ascii: vertex.charge > 0 ? "+" : "-"))
            if abs(Int(vertex.charge)) > 1 { append(abs(Int(vertex.charge))) }
        }
        if map > 0 {
            bytes.append(UInt8(ascii: ":"))
            append(Int(map))
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(symbol element: ChemicalElement) {
        let (first, second) = element.symbolBytes
        bytes.append(first)
        if second != 0 { bytes.append(second) }
    }

    /// Returns whether SMILES implies the same number of hydrogens for an atom without brackets.
    private func isUsual(_ vertex: MoleculeGraph.Vertex) -> Bool {
        // Every second valence in this range is possible.
        let valences: ClosedRange<Int16>
        switch ChemicalElement(rawValue: vertex.element) {
        case .boron, .nitrogen: valences = 3...3
        case .carbon: valences = 4...4
        case .oxygen: valences = 2...2
        case .phosphorus: valences = 3...5
        case .sulfur: valences = 2...6
        case .fluorine, .chlorine, .bromine, .iodine: valences = 1...1
        default: return false
        }
        if vertex.orderSum > valences.upperBound { return false }
        var valence = valences.lowerBound
        while valence < vertex.orderSum { valence += 2 }
        return valence - vertex.orderSum == vertex.hydrogens
    }

    /// Returns the rotation direction of an atom's neighbors in text order.
    private func turn(at atom: Int32) -> Handedness {
        let known = graph.centers[Int(atom)]
        let range = graph.range(of: Int(atom))
        let slots = neighborsInTextOrder(of: atom).map { neighbor in
            let place = range.first { graph.neighbors[$0].atom == neighbor }
            return Int32(truncatingIfNeeded: (place ?? range.upperBound) - range.lowerBound)
        }
        return isEvenPermutation(slots) ? known : known.opposite
    }

    /// Writes a configuration that is not tetrahedral. An allene refers to the neighbors of its ends.
    private mutating func write(_ coordination: Coordination) {
        var order: [Int32] = []
        if coordination.shape == .allene, let ends = graph.alleneEnds(around: Int(coordination.atom)) {
            for end in [ends.first, ends.last].sorted(by: { tree.turn(of: $0.atom) < tree.turn(of: $1.atom) }) {
                order += neighborsInTextOrder(of: end.atom).filter { $0 != end.inner }
            }
        } else {
            order = neighborsInTextOrder(of: coordination.atom)
        }
        if order.count < coordination.corners.count {
            // As in RDKit, a corner without an atom has the position of an implicit hydrogen.
            let hydrogens = order.count { $0 == Coordination.hydrogen }
            let place = (tree.entry(of: coordination.atom) >= 0 ? 1 : 0) + hydrogens
            order.insert(Coordination.vacancy, at: min(place, order.count))
        }
        guard let arrangement = coordination.arrangement(of: order) else { return }
        append("@")
        append(coordination.shape.code)
        append(arrangement)
    }

    /// Returns an atom's neighbors in text order, including its hydrogens.
    private func neighborsInTextOrder(of atom: Int32) -> [Int32] {
        var neighbors: [Int32] = []
        func add(_ edge: Int32) { neighbors.append(graph.edges[Int(edge)].other(than: atom)) }
        if tree.entry(of: atom) >= 0 { add(tree.entry(of: atom)) }
        for _ in 0..<max(0, Int(graph.vertices[Int(atom)].hydrogens)) { neighbors.append(Coordination.hydrogen) }
        var edge = tree.firstClosed(at: atom)
        while edge >= 0 {
            add(edge)
            edge = tree.closed(after: edge)
        }
        edge = tree.firstOpened(at: atom)
        while edge >= 0 {
            add(edge)
            edge = tree.opened(after: edge)
        }
        var child = tree.firstChild(of: atom)
        while child >= 0 {
            add(tree.entry(of: child))
            child = tree.child(after: child)
        }
        return neighbors
    }

    /// Returns the atom of a bond that is written first.
    private func start(of edge: Int32) -> Int32 {
        let edge = graph.edges[Int(edge)]
        return tree.turn(of: edge.from) < tree.turn(of: edge.to) ? edge.from : edge.to
    }
}

extension BondNote {
    /// Whether the note is a query that no bond symbol can express.
    fileprivate var isQuery: Bool {
        switch self {
        case .query, .asksForAromatic: true
        default: false
        }
    }
}
