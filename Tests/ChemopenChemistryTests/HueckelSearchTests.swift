import ChemopenModel
import Testing

@testable import ChemopenChemistry

@Suite("The search for aromatic systems")
struct HueckelSearchTests {
    /// A molecule of fused rings: each new chain is closed at a bond or an atom of the previous rings.
    private func molecule(_ dice: inout SeededNumbers) -> Molecule {
        var molecule = Molecule()
        for place in 0..<6 {
            molecule.atoms.append(Atom(.carbon))
            molecule.bonds.append(Bond(place, (place + 1) % 6))
        }
        for _ in 0..<Int.random(in: 0...8, using: &dice) {
            guard let bond = molecule.bonds.randomElement(using: &dice) else { break }
            let isFused = Int.random(in: 0..<5, using: &dice) > 0
            let first = Int(bond.from)
            let last = isFused ? Int(bond.to) : Int.random(in: 0..<molecule.atoms.count, using: &dice)
            var previous = first
            for _ in 0..<Int.random(in: 1...5, using: &dice) {
                molecule.atoms.append(Atom(.carbon))
                molecule.bonds.append(Bond(previous, molecule.atoms.count - 1))
                previous = molecule.atoms.count - 1
            }
            if previous != last { molecule.bonds.append(Bond(previous, last)) }
        }
        return molecule
    }

    /// All sets of up to six connected rings, one after the other.
    private func judged(_ graph: MoleculeGraph, _ donors: [MoleculeGraph.Donor]) -> (
        atoms: Set<Int32>, edges: Set<Int32>
    ) {
        let rings = (0..<graph.rings.count).map { ring in
            (
                atoms: Set(graph.rings.atoms[graph.rings.range(ring)]),
                edges: Set(graph.rings.edges[graph.rings.range(ring)])
            )
        }
        func areFused(_ one: Int, _ other: Int) -> Bool {
            one != other && rings[one].edges.count <= 24 && rings[other].edges.count <= 24
                && rings[one].edges.intersection(rings[other].edges).count == 1
        }
        func isTogether(_ set: [Int]) -> Bool {
            var (seen, open) = (Set([set[0]]), [set[0]])
            while let ring = open.popLast() {
                for next in set where areFused(ring, next) && seen.insert(next).inserted { open.append(next) }
            }
            return seen.count == set.count
        }
        var (atoms, edges) = (Set<Int32>(), Set<Int32>())
        for bits in 1..<1 << rings.count where bits.nonzeroBitCount <= 6 {
            let set = rings.indices.filter { bits >> $0 & 1 == 1 }
            guard isTogether(set) else { continue }
            var (least, most, undecided) = (0, 0, 0)
            for atom in graph.vertices.indices {
                let count = set.count { rings[$0].atoms.contains(Int32(atom)) }
                guard count == 1 || count == 2 else { continue }
                switch donors[atom] {
                case .one: (least, most) = (least + 1, most + 1)
                case .two: (least, most) = (least + 2, most + 2)
                case .any: (most, undecided) = (most + 2, undecided + 1)
                default: break
                }
            }
            let isAromatic = undecided <= 1 && (most < 6 ? most == 2 : (least...most).contains { ($0 + 2) % 4 == 0 })
            guard isAromatic else { continue }
            for ring in set {
                atoms.formUnion(rings[ring].atoms)
                for edge in rings[ring].edges where set.count(where: { rings[$0].edges.contains(edge) }) == 1 {
                    edges.insert(edge)
                }
            }
        }
        return (atoms, edges)
    }

    @Test("finds the same systems as an examination of every set of rings")
    func agrees() {
        var dice = SeededNumbers(seed: 6)
        let kinds: [MoleculeGraph.Donor] = [.one, .one, .one, .one, .two, .vacant, .any]
        var (fused, aromatic) = (0, 0)
        for _ in 0..<1500 {
            let molecule = molecule(&dice)
            var graph = MoleculeGraph(molecule)
            graph.perceiveRings()
            guard (1...12).contains(graph.rings.count) else { continue }
            let donors = graph.vertices.map { _ in kinds.randomElement(using: &dice) ?? .one }
            let rings = FusedRings(Array(0..<graph.rings.count), of: graph)
            guard rings.areFused else { continue }
            fused += 1
            var search = HueckelSearch(rings, donors, graph)
            for system in rings.systems() { search.search(system) }
            let judged = judged(graph, donors)
            let atoms = Set(search.isAromaticAtom.indices.filter { search.isAromaticAtom[$0] }.map { Int32($0) })
            let edges = Set(search.isAromaticEdge.indices.filter { search.isAromaticEdge[$0] }.map { Int32($0) })
            #expect(atoms == judged.atoms && edges == judged.edges, "\(molecule.bonds)")
            #expect(!search.isBounded)
            if !edges.isEmpty { aromatic += 1 }
        }
        #expect(fused > 500 && aromatic > 300, "\(fused), \(aromatic)")
    }

    @Test("examines rings one by one if too many of them share a bond")
    func crowded() {
        // Carbons between two atoms that are not elements: each forms a ring with every other one.
        var molecule = Molecule()
        for _ in 0..<2 { molecule.atoms.append(Atom(.none)) }
        molecule.bonds.append(Bond(0, 1))
        for place in 2..<20_000 {
            molecule.atoms.append(Atom(.carbon))
            molecule.bonds.append(Bond(0, place))
            molecule.bonds.append(Bond(1, place))
        }
        var graph = MoleculeGraph(molecule)
        graph.perceiveAromaticity()
        #expect(graph.isIncomplete)
    }
}
