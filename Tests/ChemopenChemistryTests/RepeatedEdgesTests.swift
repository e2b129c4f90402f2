import ChemopenModel
import Testing

@testable import ChemopenChemistry

@Suite("Repeated bonds")
struct RepeatedEdgesTests {
    @Test("only the first bond between two atoms remains, for any number of neighbors")
    func left() {
        var dice = SystemRandomNumberGenerator()
        var graph = MoleculeGraph()
        var counts = (with: 0, without: 0)
        for _ in 0..<500 {
            var molecule = Molecule()
            let count = Int.random(in: 2...20, using: &dice)
            for _ in 0..<count { molecule.atoms.append(Atom(.carbon)) }
            for _ in 0..<Int.random(in: 0...40, using: &dice) {
                // The first atoms have many bonds.
                let from = Int.random(in: 0..<Int.random(in: 1...count, using: &dice), using: &dice)
                molecule.bonds.append(Bond(from, Int.random(in: 0..<count, using: &dice)))
            }
            graph.take(molecule)
            var seen: Set<Set<Int32>> = []
            let first = molecule.bonds.indices.filter {
                let bond = molecule.bonds[$0]
                return bond.from != bond.to && seen.insert([bond.from, bond.to]).inserted
            }
            #expect(graph.edges.map { Int($0.origin) } == first, "\(molecule.bonds)")
            let loops = molecule.bonds.count { $0.from == $0.to }
            #expect(graph.repeatedBonds == molecule.bonds.count - loops - first.count)
            if graph.repeatedBonds > 0 { counts.with += 1 } else { counts.without += 1 }
        }
        #expect(counts.with > 20 && counts.without > 20)
    }
}
