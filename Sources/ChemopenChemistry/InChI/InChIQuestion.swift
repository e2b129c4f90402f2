import ChemopenModel

/// A structure in the numbers in which the InChI library is asked for it.
///
/// Configurations are those that SMILES would say: they are handed on as such, and positions are not.
package struct InChIQuestion: Sendable {
    /// The line that `chemopen-inchi` reads.
    package let bytes: [UInt8]

    /// The library takes no more.
    private static let mostAtoms = 1023

    /// - Returns: nothing where something in the molecule is no element, an isotope is none that the library can store, or a bond
    ///   is of no order that InChI knows.
    package init?(_ molecule: Molecule) {
        let graph = MoleculeGraph(stereoOf: molecule)
        guard 1...Self.mostAtoms ~= graph.vertices.count, !graph.isIncomplete else { return nil }
        let hasAromaticBonds = molecule.bonds.contains { $0.order == .aromatic }
        var numbers: [Int] = []
        for vertex in graph.vertices {
            if vertex.element == 0 || !Self.isStorable(vertex.isotope, of: vertex.element) { return nil }
            // An aromatic ring without a Kekulé form is no structure.
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
        for index in graph.vertices.indices where graph.centres[index] != .none {
            guard let row = Self.centre(index, graph) else { continue }
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

    /// The library stores an isotope as a difference from the element's average mass, of 100 at the most
    /// (`ISOTOPIC_SHIFT_MAX`): beyond that it takes one isotope for another, without a warning.
    private static func isStorable(_ isotope: UInt16, of element: UInt8) -> Bool {
        guard isotope > 0, let element = ChemicalElement(rawValue: element) else { return true }
        return abs(Int(isotope) - element.roundedWeight) <= 100
    }

    /// An atom and its neighbours; a hydrogen or a lone pair, which turn with the others as the last, is the atom itself.
    private static func centre(_ index: Int, _ graph: MoleculeGraph) -> [Int]? {
        var neighbours = graph.range(of: index).map { Int(graph.neighbours[$0].atom) }
        guard 3...4 ~= neighbours.count else { return nil }
        var isClockwise = graph.centres[index] == .clockwise
        if neighbours.count == 3 {
            // InChI has it first: three steps, which is an odd number.
            neighbours.insert(index, at: 0)
            isClockwise.toggle()
        }
        return [1, index] + neighbours + [isClockwise ? 2 : 1]
    }
}
