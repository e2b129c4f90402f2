import ChemopenModel

/// A request to the InChI library: a structure, encoded as numbers.
///
/// Configurations are passed explicitly, as SMILES would contain them; positions are not passed.
package struct InChIQuestion: Sendable {
    /// The input line for `chemopen-inchi`.
    package let bytes: [UInt8]

    /// The maximum number of atoms that the library supports.
    private static let mostAtoms = 1023

    /// Creates a request, or returns `nil` if InChI cannot represent the molecule.
    ///
    /// The reasons are an atom that is not an element, an isotope that the library cannot store, or an unsupported bond
    /// order.
    package init?(_ molecule: Molecule) {
        let graph = MoleculeGraph(stereoOf: molecule)
        guard 1...Self.mostAtoms ~= graph.vertices.count, !graph.isIncomplete else { return nil }
        let hasAromaticBonds = molecule.bonds.contains { $0.order == .aromatic }
        var numbers: [Int] = []
        for vertex in graph.vertices {
            if vertex.element == 0 || !Self.isStorable(vertex.isotope, of: vertex.element) { return nil }
            // An aromatic ring without a Kekulé form is not a valid structure.
            let lacksBond =
                vertex.element == 6 && vertex.charge == 0 && vertex.unpairedElectrons == 0
                && vertex.orderSum + vertex.hydrogens < 4
            if lacksBond, hasAromaticBonds { return nil }
            numbers += [
                Int(vertex.element), Int(vertex.charge), Int(vertex.isotope), min(2, Int(vertex.unpairedElectrons)),
                max(0, Int(vertex.hydrogens)),
            ]
        }
        var bondCount = 0
        for edge in graph.edges {
            let order: Int
            switch edge.order {
            case .single, .dative: order = 1
            case .double: order = 2
            case .triple: order = 3
            case .zero, .hydrogen: continue
            case .query, .quadruple, .quintuple, .sextuple: return nil
            }
            numbers += [Int(edge.from), Int(edge.to), order]
            bondCount += 1
        }
        var stereoCount = 0
        for index in graph.vertices.indices where graph.centers[index] != .none {
            guard let row = Self.center(index, graph) else { continue }
            numbers += row
            stereoCount += 1
        }
        for (edge, geometry) in zip(graph.edges, graph.geometries) where geometry.isKnown {
            numbers += [
                2, -1, Int(geometry.first), Int(edge.from), Int(edge.to), Int(geometry.second),
                geometry.isTrans ? 2 : 1,
            ]
            stereoCount += 1
        }
        var text = Array("\(graph.vertices.count) \(bondCount) \(stereoCount)".utf8)
        for number in numbers {
            text.append(UInt8(ascii: " "))
            text += "\(number)".utf8
        }
        text.append(UInt8(ascii: "\n"))
        bytes = text
    }

    /// Returns whether the library can store an isotope.
    ///
    /// The library stores the difference from the element's average mass, which is at most 100 (`ISOTOPIC_SHIFT_MAX`).
    /// Beyond that, it confuses isotopes without a warning.
    private static func isStorable(_ isotope: UInt16, of element: UInt8) -> Bool {
        guard isotope > 0, let element = ChemicalElement(rawValue: element) else { return true }
        return abs(Int(isotope) - element.roundedWeight) <= 100
    }

    /// Returns a stereocenter with its neighbors. The center itself represents a hydrogen or lone pair, which is the
    /// last neighbor in the graph.
    private static func center(_ index: Int, _ graph: MoleculeGraph) -> [Int]? {
        var neighbors = graph.range(of: index).map { Int(graph.neighbors[$0].atom) }
        guard 3...4 ~= neighbors.count else { return nil }
        var isClockwise = graph.centers[index] == .clockwise
        if neighbors.count == 3 {
            // InChI lists it first. This moves it by three positions, which is an odd permutation.
            neighbors.insert(index, at: 0)
            isClockwise.toggle()
        }
        return [1, index] + neighbors + [isClockwise ? 2 : 1]
    }
}
