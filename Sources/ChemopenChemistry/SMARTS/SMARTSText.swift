import ChemopenModel

/// Writes a graph as SMARTS, with a depth-first search on an explicit stack.
package struct SMARTSText {
    private let graph: MoleculeGraph
    private var text = ""
    private var isVisited: [Bool]
    /// The edges that close rings, with their numbers while they are open.
    private var closures: [Int32: Int] = [:]
    private var isClosure: [Bool]
    private var freeNumbers: [Int] = []
    private var nextNumber = 1

    private init(_ graph: MoleculeGraph) {
        self.graph = graph
        isVisited = Array(repeating: false, count: graph.vertices.count)
        isClosure = Array(repeating: false, count: graph.edges.count)
    }

    /// Returns a molecule as a SMARTS pattern that finds it as a substructure: elements, charges, aromaticity and bond
    /// orders, without hydrogens, isotopes and configurations. Empty if there are no atoms.
    ///
    ///     SMARTSText.pattern(of: try Molecule(smiles: "C1=CC=NC=C1"))     // c1ccncc1
    package static func pattern(of molecule: Molecule) -> String {
        var graph = MoleculeGraph(molecule)
        graph.perceiveAromaticity()
        var text = SMARTSText(graph)
        return text.write()
    }

    private enum Step {
        case atom(Int32, by: Int32)
        case open, close
    }

    private mutating func write() -> String {
        findClosures()
        isVisited = Array(repeating: false, count: graph.vertices.count)
        for start in graph.vertices.indices where !isVisited[start] {
            if !text.isEmpty { text += "." }
            var stack = [Step.atom(Int32(clamping: start), by: -1)]
            while let step = stack.popLast() {
                switch step {
                case .open: text += "("
                case .close: text += ")"
                case .atom(let atom, let edge):
                    if edge >= 0 { text += bond(edge) }
                    isVisited[Int(atom)] = true
                    text += symbol(atom)
                    var branches: [(atom: Int32, edge: Int32)] = []
                    for neighbor in neighbors(of: atom) where neighbor.edge != edge {
                        if isClosure[Int(neighbor.edge)] {
                            close(neighbor.edge)
                        } else if !isVisited[Int(neighbor.atom)] {
                            branches.append((neighbor.atom, neighbor.edge))
                        }
                    }
                    for (place, branch) in branches.enumerated().reversed() {
                        let isLast = place == branches.count - 1
                        if !isLast { stack.append(.close) }
                        stack.append(.atom(branch.atom, by: branch.edge))
                        if !isLast { stack.append(.open) }
                    }
                }
            }
        }
        return text
    }

    private func neighbors(of atom: Int32) -> ArraySlice<MoleculeGraph.Neighbor> {
        let vertex = graph.vertices[Int(atom)]
        return graph.neighbors[Int(vertex.first)..<Int(vertex.end)]
    }

    /// Marks the edges that are not part of the depth-first tree, in the same order in which the text is written.
    private mutating func findClosures() {
        for start in graph.vertices.indices where !isVisited[start] {
            var stack: [(atom: Int32, edge: Int32, next: Int)] = [(Int32(clamping: start), -1, 0)]
            isVisited[start] = true
            while let top = stack.last {
                let around = neighbors(of: top.atom)
                guard top.next < around.count else {
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let neighbor = around[around.startIndex + top.next]
                if neighbor.edge == top.edge || isClosure[Int(neighbor.edge)] { continue }
                if isVisited[Int(neighbor.atom)] {
                    isClosure[Int(neighbor.edge)] = true
                } else {
                    isVisited[Int(neighbor.atom)] = true
                    stack.append((neighbor.atom, neighbor.edge, 0))
                }
            }
        }
    }

    /// Writes a ring closure. The bond is written where the ring is opened.
    private mutating func close(_ edge: Int32) {
        let number: Int
        if let open = closures.removeValue(forKey: edge) {
            number = open
            freeNumbers.append(number)
        } else {
            number = freeNumbers.popLast() ?? nextNumber
            if number == nextNumber { nextNumber += 1 }
            closures[edge] = number
            text += bond(edge)
        }
        text += number < 10 ? "\(number)" : "%\(number)"
    }

    private func bond(_ edge: Int32) -> String {
        let edge = graph.edges[Int(edge)]
        if edge.isAromatic { return "" }
        switch edge.order {
        case .double: return "="
        case .triple: return "#"
        case .single:
            let areAromatic = graph.vertices[Int(edge.from)].isAromatic && graph.vertices[Int(edge.to)].isAromatic
            return areAromatic ? "-" : ""
        default: return "~"
        }
    }

    private func symbol(_ atom: Int32) -> String {
        let vertex = graph.vertices[Int(atom)]
        if vertex.element == 0 { return "*" }
        let simple: String? =
            switch vertex.element {
            case 5: "B"
            case 6: "C"
            case 7: "N"
            case 8: "O"
            case 9: "F"
            case 15: "P"
            case 16: "S"
            case 17: "Cl"
            case 35: "Br"
            case 53: "I"
            default: nil
            }
        let aromatic = vertex.isAromatic && vertex.element < 20
        if vertex.charge == 0, let simple { return aromatic ? simple.lowercased() : simple }
        let charge = vertex.charge == 0 ? "" : vertex.charge > 0 ? "+\(vertex.charge)" : "\(vertex.charge)"
        if let simple { return "[\(aromatic ? simple.lowercased() : simple)\(charge)]" }
        return "[#\(vertex.element)\(charge)]"
    }
}
