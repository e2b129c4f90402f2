/// The match order of a pattern's atoms. Each atom is next to a matched one if possible, and rare atoms are first.
struct MatchOrder: Sendable, Hashable {
    struct Step: Sendable, Hashable {
        var atom: Int32
        /// The earlier atom that this atom is bonded to, and the bond; -1 at the beginning of a component.
        var parent: Int32
        var bond: Int32
        /// The other bonds to earlier atoms.
        var closures: [Int32]
    }

    private(set) var steps: [Step] = []

    init() {}

    /// - Parameter isAnchored: whether the search begins at a known first atom.
    init(of graph: QueryGraph, isAnchored: Bool) {
        let ranks = graph.atoms.map(Self.rank)
        var isTaken = [Bool](repeating: false, count: graph.atoms.count)
        /// For each atom, one of its bonds to a selected atom, and the number of such bonds.
        var entries = [Int32](repeating: -1, count: graph.atoms.count)
        var entryCounts = [Int](repeating: 0, count: graph.atoms.count)
        var frontier: [Int] = []
        func take(_ atom: Int) {
            isTaken[atom] = true
            let entry = entries[atom]
            let parent = entry < 0 ? -1 : graph.bonds[Int(entry)].other(than: Int32(truncatingIfNeeded: atom))
            var closures: [Int32] = []
            for bond in graph.atoms[atom].bonds where bond >= 0 {
                let other = Int(graph.bonds[Int(bond)].other(than: Int32(truncatingIfNeeded: atom)))
                if isTaken[other] {
                    if bond != entry { closures.append(bond) }
                    continue
                }
                if entries[other] < 0 {
                    entries[other] = bond
                    frontier.append(other)
                }
                entryCounts[other] += 1
            }
            steps.append(
                Step(atom: Int32(truncatingIfNeeded: atom), parent: parent, bond: entry, closures: closures))
        }
        while steps.count < graph.atoms.count {
            if let next = frontier.indices.min(by: {
                (-entryCounts[frontier[$0]], ranks[frontier[$0]]) < (-entryCounts[frontier[$1]], ranks[frontier[$1]])
            }) {
                take(frontier.remove(at: next))
                continue
            }
            let isFirst = steps.isEmpty
            let root =
                isFirst && isAnchored
                ? 0 : graph.atoms.indices.filter { !isTaken[$0] }.min { ranks[$0] < ranks[$1] } ?? 0
            take(root)
        }
    }

    /// Estimates how common an atom is in molecules. Atoms with a smaller rank are matched earlier.
    private static func rank(_ atom: QueryGraph.Atom) -> Int {
        var best = 100
        for literal in atom.expression.literals where !literal.isNegated {
            // A clause with several alternatives matches at least as many atoms as each alternative.
            let isAlone = literal.endsClause
            let rank =
                switch literal.test {
                case .any, .aliphatic: 90
                case .aromatic, .aliphaticElement(6), .aromaticElement(6), .element(6): 50
                case .element(7), .element(8), .aliphaticElement(7), .aliphaticElement(8): 12
                case .element(1): 8
                case .aromaticElement: 5
                case .element, .aliphaticElement: 3
                case .charge(let bounds) where bounds.low > 0 || bounds.high < 0: 4
                case .isotope: 2
                case .recursion: 30
                default: 40
                }
            best = min(best, isAlone ? rank : rank + 5)
        }
        return best
    }
}
