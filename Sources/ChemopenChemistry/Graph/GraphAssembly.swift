import ChemopenModel

/// Puts the arrays of a graph together, in the memory of the last one.
enum GraphAssembly {
    typealias Vertex = MoleculeGraph.Vertex
    typealias Edge = MoleculeGraph.Edge
    typealias Neighbour = MoleculeGraph.Neighbour

    /// Adds the atoms but for hydrogens that their neighbours count.
    static func addVertices(
        of molecule: borrowing Molecule, _ hydrogens: SuppressedHydrogens, _ counts: [Int],
        to vertices: inout [Vertex], _ placeOfAtom: inout [Int32]
    ) {
        let atoms = molecule.atoms.span
        placeOfAtom.fill(with: -1, count: atoms.count)
        vertices.fill(with: Vertex(), count: atoms.count - hydrogens.count)
        let (suppressed, counts) = (hydrogens.neighbours.span, counts.span)
        var places = placeOfAtom.mutableSpan
        var vertices = vertices.mutableSpan
        var place = 0
        for index in atoms.indices {
            if !suppressed.isEmpty, suppressed[index] >= 0 { continue }
            places[index] = Int32(truncatingIfNeeded: place)
            let atom = atoms[index]
            vertices[place] = Vertex(
                origin: Int32(truncatingIfNeeded: index), element: atom.element.rawValue, charge: atom.charge,
                isotope: MoleculeGraph.isotope(of: atom, at: index, in: molecule),
                hydrogens: Int16(clamping: counts[index]),
                unpairedElectrons: Int16(clamping: atom.radical.unpairedElectrons))
            place &+= 1
        }
        for index in suppressed.indices where suppressed[index] >= 0 {
            let place = Int(places[Int(suppressed[index])])
            guard vertices.indices.contains(place) else { continue }
            vertices[place].hydrogens &+= 1
        }
    }

    /// Adds the bonds between atoms of the graph.
    static func addEdges(
        of molecule: borrowing Molecule, _ doubled: [Bool], between placeOfAtom: [Int32], to edgeList: inout [Edge]
    ) {
        let (bonds, places) = (molecule.bonds.span, placeOfAtom.span)
        edgeList.fill(with: Edge(), count: bonds.count)
        var count = 0
        var edges = edgeList.mutableSpan
        for index in bonds.indices {
            let bond = bonds[index]
            guard places.indices.contains(Int(bond.from)), places.indices.contains(Int(bond.to)) else { continue }
            let (from, to) = (places[Int(bond.from)], places[Int(bond.to)])
            if from < 0 || to < 0 || from == to { continue }
            let isDoubled = doubled.indices.contains(index) && doubled[index]
            edges[count] = Edge(
                from: from, to: to, origin: Int32(truncatingIfNeeded: index),
                order: EdgeOrder(bond.order, isDoubled: isDoubled))
            count &+= 1
        }
        if count < bonds.count { edgeList.removeLast(bonds.count - count) }
    }

    /// Sorts the bonds to their atoms: each atom's neighbours are one part of all, in the order of the bonds.
    ///
    /// - Returns: whether two of them may stand between the same atoms.
    static func connect(
        _ vertices: inout [Vertex], by edges: [Edge], _ neighbours: inout [Neighbour]
    ) -> Bool {
        let edges = edges.span
        var vertices = vertices.mutableSpan
        var neighbours = neighbours.mutableSpan
        for index in edges.indices {
            vertices[Int(edges[index].from)].end &+= 1
            vertices[Int(edges[index].to)].end &+= 1
        }
        var start: Int32 = 0
        for index in vertices.indices {
            let size = vertices[index].end
            vertices[index].first = start
            vertices[index].end = start
            start &+= size
        }
        var mayRepeat = false
        for index in edges.indices {
            let edge = edges[index]
            let place = Int32(truncatingIfNeeded: index)
            let (first, end) = (Int(vertices[Int(edge.from)].first), Int(vertices[Int(edge.from)].end))
            // Of an atom with many neighbours it is found out otherwise.
            if end &- first > 8 { mayRepeat = true }
            if !mayRepeat {
                for before in first..<end where neighbours[before].atom == edge.to { mayRepeat = true }
            }
            neighbours[end] = Neighbour(atom: edge.to, edge: place)
            vertices[Int(edge.from)].end &+= 1
            neighbours[Int(vertices[Int(edge.to)].end)] = Neighbour(atom: edge.from, edge: place)
            vertices[Int(edge.to)].end &+= 1
        }
        return mayRepeat
    }
}
