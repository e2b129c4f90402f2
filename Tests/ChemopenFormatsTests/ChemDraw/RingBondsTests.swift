import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Ring bonds")
struct RingBondsTests {
    @Test("a bond is in a ring if its ends stay connected without it")
    func anyGraph() {
        var dice = SystemRandomNumberGenerator()
        var rings = RingBonds()
        var neighbors = DrawnNeighbors()
        for _ in 0..<500 {
            let count = Int.random(in: 1...14, using: &dice)
            let bonds = (0..<Int.random(in: 0...20, using: &dice)).map { _ in
                Bond(.random(in: 0..<count, using: &dice), .random(in: 0..<count, using: &dice))
            }
            neighbors.fill(with: bonds, among: count)
            rings.find(neighbors)
            let expected = bonds.indices.map { index in
                var others = bonds
                others.remove(at: index)
                return areConnected(Int(bonds[index].from), Int(bonds[index].to), by: others)
            }
            #expect(rings.isInRing == expected, "\(bonds)")
        }
    }

    private func areConnected(_ one: Int, _ other: Int, by bonds: [Bond]) -> Bool {
        var reached: Set = [one]
        var isGrowing = true
        while isGrowing {
            let before = reached.count
            for bond in bonds where reached.contains(Int(bond.from)) || reached.contains(Int(bond.to)) {
                reached.formUnion([Int(bond.from), Int(bond.to)])
            }
            isGrowing = reached.count > before
        }
        return reached.contains(other)
    }
}
