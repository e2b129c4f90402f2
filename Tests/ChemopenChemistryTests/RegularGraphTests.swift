import ChemopenChemistry
import ChemopenModel
import Testing

/// Graphs in which all atoms have the same number of neighbors, so that neighbors do not distinguish any atoms.
@Suite("Molecules with indistinguishable atoms")
struct RegularGraphTests {
    private typealias Graph = (count: Int, edges: [(Int, Int)])

    /// A random graph of atoms with three bonds each.
    private func cubic(_ count: Int, _ dice: inout SeededNumbers) -> Graph {
        while true {
            let stubs = (0..<3 * count).map { $0 / 3 }.shuffled(using: &dice)
            let edges = stride(from: 0, to: stubs.count, by: 2).map { (stubs[$0], stubs[$0 + 1]) }
            let isSimple = Set(edges.map { min($0, $1) * count + max($0, $1) }).count == edges.count
            if isSimple, edges.allSatisfy({ $0 != $1 }) { return (count, edges) }
        }
    }

    private func molecule(_ graph: Graph, _ kinds: [Bond.Order], _ dice: inout SeededNumbers) -> Molecule {
        let order = (0..<graph.count).shuffled(using: &dice)
        var molecule = Molecule()
        for _ in order { molecule.atoms.append(Atom(.carbon)) }
        for edge in graph.edges.indices.shuffled(using: &dice) {
            let (one, other) = graph.edges[edge]
            let ends = Bool.random(using: &dice) ? (one, other) : (other, one)
            molecule.bonds.append(Bond(order[ends.0], order[ends.1], kinds.isEmpty ? .single : kinds[edge]))
        }
        return molecule
    }

    /// The canonical text, in several orders of the atoms.
    private func texts(
        _ graph: Graph, of kinds: [Bond.Order] = [], _ dice: inout SeededNumbers, turns: Int = 8
    ) -> Set<String> {
        var texts = Set<String>()
        for _ in 0..<turns {
            var text = SMILESText()
            text.isCanonical = true
            text.append(molecule(graph, kinds, &dice))
            #expect(text.uncanonical == 0)
            texts.insert(String(decoding: text.bytes, as: UTF8.self))
        }
        return texts
    }

    @Test("have one canonical text for all orders of the atoms")
    func cubicGraphs() throws {
        var dice = SeededNumbers(seed: 35)
        for count in [4, 6, 8, 10, 20, 24, 26, 40, 60, 60, 60, 90] {
            let texts = texts(cubic(count, &dice), &dice)
            #expect(texts.count == 1, "\(count): \(texts)")
        }
        // A prism, the graphs of Petersen, Möbius–Kantor and Nauru, and circulant graphs: in each, all atoms are
        // equivalent.
        for graph in [
            petersen(30, 1), petersen(5, 2), petersen(8, 3), petersen(12, 5), circle(30, [1, 2]), circle(40, [1]),
        ] {
            #expect(texts(graph, &dice).count == 1)
        }
    }

    /// Each atom of the circle is bonded to the atoms at these distances.
    private func circle(_ count: Int, _ steps: [Int]) -> Graph {
        var edges: [(Int, Int)] = []
        for atom in 0..<count { for step in steps { edges.append((atom, (atom + step) % count)) } }
        return (count, edges)
    }

    /// A generalized Petersen graph: a circle, and a copy of its atoms, each bonded to the atom at this distance.
    private func petersen(_ half: Int, _ step: Int) -> Graph {
        var edges: [(Int, Int)] = []
        for atom in 0..<half {
            edges.append((atom, (atom + 1) % half))
            edges.append((atom, half + atom))
            edges.append((half + atom, half + (atom + step) % half))
        }
        return (2 * half, edges)
    }

    /// Different atoms of these graphs often have neighbors that look alike, and the neighbors of these too.
    @Test("have one canonical text if some of their bonds are of unknown order")
    func unknownBonds() {
        var dice = SeededNumbers(seed: 41)
        let cube = [(0, 1), (1, 2), (2, 3), (0, 3), (4, 5), (5, 6), (6, 7), (4, 7), (0, 4), (1, 5), (2, 6), (3, 7)]
        for turn in 0..<300 {
            let graph = turn % 3 == 0 ? (8, cube) : cubic([6, 8, 10, 12, 16][turn % 5], &dice)
            let kinds = graph.1.map { _ in [Bond.Order.single, .single, .any].randomElement(using: &dice) ?? .any }
            let texts = texts(graph, of: kinds, &dice)
            #expect(texts.count == 1, "\(graph) \(kinds): \(texts)")
        }
    }

    @Test("cost no more than a molecule may where each atom is bonded to any other")
    func complete() {
        var molecule = Molecule()
        let count = 250
        for _ in 0..<count { molecule.atoms.append(Atom(.xenon)) }
        for one in 0..<count { for other in 0..<one { molecule.bonds.append(Bond(one, other)) } }
        var text = SMILESText()
        text.isCanonical = true
        text.append(molecule)
        // The atoms alone would need far fewer steps than the limit.
        #expect(text.uncanonical == 1)
    }
}
