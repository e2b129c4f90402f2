import Testing

@testable import ChemopenModel

@Suite("Matching in a graph")
struct MatchingTests {
    private typealias Edges = [(Int32, Int32)]

    /// Graphs that grow in different ways.
    enum Kind: String, CaseIterable, Sendable {
        case acene, triangles, star, fan, pentagons, ladder
    }

    private func graph(_ kind: Kind, _ size: Int) -> (ranks: [Matching.Rank], edges: Edges) {
        var edges: Edges = []
        func bond(_ one: Int, _ other: Int) { edges.append((Int32(clamping: one), Int32(clamping: other))) }
        var count = size + 1
        switch kind {
        case .acene:
            count = 4 * size + 2
            for place in 1...2 * size {
                bond(place - 1, place)
                bond(2 * size + place, 2 * size + place + 1)
            }
            for place in stride(from: 0, through: 2 * size, by: 2) { bond(place, 2 * size + 1 + place) }
        case .triangles:
            count = size + 2
            for place in 0..<size {
                bond(place, place + 1)
                bond(place, place + 2)
            }
        case .star:
            for place in 1...size { bond(0, place) }
        case .fan:
            for place in 1..<size {
                bond(0, place)
                bond(place, place + 1)
            }
        case .pentagons:
            count = 5 * size
            for place in 0..<count { bond(place, place % 5 == 4 ? place - 4 : place + 1) }
        case .ladder:
            count = 2 * size
            for place in 0..<count - 2 { bond(place, place + 2) }
            for place in stride(from: 0, to: count, by: 2) { bond(place, place + 1) }
            let ranks = (0..<count).map { $0 % 3 == 0 ? Matching.Rank.wildcard : .obliging }
            return (ranks, edges)
        }
        return (Array(repeating: .demanding, count: count), edges)
    }

    private func steps(_ kind: Kind, _ size: Int) -> Int {
        let (ranks, edges) = graph(kind, size)
        var matching = Matching(ranks, edges: edges)
        matching.fill()
        return matching.steps
    }

    @Test("a graph of twice the size takes about twice as many steps", arguments: Kind.allCases)
    func growingWork(_ kind: Kind) {
        for size in [250, 500, 1000] {
            #expect(steps(kind, 2 * size) <= 5 * steps(kind, size) / 2 + 100)
        }
    }
}
