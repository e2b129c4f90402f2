import ChemopenModel
import Testing

@testable import ChemopenChemistry

@Suite("Small rings")
struct SmallRingTests {
    @Test("a search around a bond finds a small ring if the list of all rings contains it")
    func agrees() {
        var dice = SystemRandomNumberGenerator()
        var found = (with: 0, without: 0)
        for _ in 0..<600 {
            var molecule = Molecule()
            let count = Int.random(in: 3...24, using: &dice)
            for _ in 0..<count { molecule.atoms.append(Atom(.carbon)) }
            for atom in 1..<count {
                molecule.bonds.append(Bond(Int.random(in: max(0, atom - 3)..<atom, using: &dice), atom))
            }
            for _ in 0..<Int.random(in: 0...5, using: &dice) {
                molecule.bonds.append(
                    Bond(Int.random(in: 0..<count, using: &dice), Int.random(in: 0..<count, using: &dice)))
            }
            var graph = MoleculeGraph(molecule)
            var surroundings = RingSurroundings()
            graph.perceiveBlocks()
            for edge in graph.edges.indices where graph.edges[edge].isInRing {
                let edge = Int32(edge)
                let isSmall = surroundings.haveSmallRing(over: edge, in: graph)
                graph.perceiveRings()
                let isKnown = graph.rings.hasSmall(over: edge)
                #expect(isSmall == isKnown, "\(molecule.bonds), bond \(edge)")
                if graph.edges[Int(edge)].isInSmallBlock { #expect(isKnown) }
                if isKnown { found.with += 1 } else { found.without += 1 }
            }
        }
        #expect(found.with > 100 && found.without > 100)
    }

    @Test("if a bond has too many neighbors, the search uses all rings")
    func crowded() {
        // Two hubs that share all their neighbors.
        var molecule = Molecule()
        for _ in 0..<3002 { molecule.atoms.append(Atom(.carbon)) }
        molecule.bonds.append(Bond(0, 1))
        for atom in 2..<3002 { molecule.bonds.append(Bond(atom % 2, atom)) }
        molecule.bonds.append(Bond(3000, 3001))
        var graph = MoleculeGraph(molecule)
        graph.perceiveBlocks()
        var surroundings = RingSurroundings()
        let known = surroundings.haveSmallRing(over: 0, in: graph)
        #expect(known == nil)
        let isSmall = graph.isInSmallRing(3001)
        #expect(isSmall)
    }
}
