/// Finds the bonds that are in a ring.
///
/// You can use an instance for several molecules to reuse its memory.
struct RingBonds {
    /// The position of an atom in a spanning tree.
    private struct Place {
        var parent: Int32 = -1
        var bond: Int32 = -1
        /// The depth; negative until the tree reaches the atom.
        var depth: Int32 = -1
        /// The atom itself, or an ancestor; all bonds on the path to it are known to be in rings.
        var top: Int32 = -1
    }

    private(set) var isInRing: [Bool] = []
    private var places: [Place] = []
    /// The atoms in the order in which the tree reached them.
    private var reachedAtoms: [Int32] = []

    static func find(_ neighbors: DrawnNeighbors) -> [Bool] {
        var rings = RingBonds()
        rings.find(neighbors)
        return rings.isInRing
    }

    /// Finds all bonds that are not bridges: those outside the spanning tree, and the tree bonds between the two ends
    /// of such a bond.
    mutating func find(_ neighbors: DrawnNeighbors) {
        let atomCount = neighbors.atomCount
        isInRing.fill(with: false, count: neighbors.bondCount)
        places.fill(with: Place(), count: atomCount)
        reachedAtoms.fill(with: 0, count: atomCount)
        Self.find(neighbors, &isInRing, &places, &reachedAtoms)
    }

    private static func find(
        _ neighbors: DrawnNeighbors, _ isInRing: inout [Bool], _ places: inout [Place], _ reachedAtoms: inout [Int32]
    ) {
        // Use spans, because each access to an array would check its uniqueness.
        var rings = isInRing.mutableSpan
        var tree = places.mutableSpan
        var reached = reachedAtoms.mutableSpan
        var (next, end) = (0, 0)
        for start in 0..<neighbors.atomCount where tree[start].depth < 0 {
            let root = Int32(truncatingIfNeeded: start)
            tree[start] = Place(depth: 0, top: root)
            reached[end] = root
            end &+= 1
            while next < end {
                let here = reached[next]
                next &+= 1
                let (byBond, depth) = (tree[Int(here)].bond, tree[Int(here)].depth)
                for place in neighbors.places(of: Int(here)) {
                    let (atom, bond) = (neighbors[place].atom, neighbors[place].bond)
                    if bond == Int(byBond) || rings[bond] { continue }
                    if tree[atom].depth < 0 {
                        let number = Int32(truncatingIfNeeded: atom)
                        tree[atom] = Place(
                            parent: here, bond: Int32(truncatingIfNeeded: bond), depth: depth &+ 1, top: number)
                        reached[end] = number
                        end &+= 1
                    } else {
                        rings[bond] = true
                        closeRing(Int(here), atom, &tree, &rings)
                    }
                }
            }
        }
    }

    /// Marks the tree bonds between two atoms.
    private static func closeRing(
        _ one: Int, _ other: Int, _ tree: inout MutableSpan<Place>, _ rings: inout MutableSpan<Bool>
    ) {
        var (low, high) = (top(one, &tree), top(other, &tree))
        while low != high {
            if tree[low].depth < tree[high].depth { swap(&low, &high) }
            let parent = tree[low].parent
            rings[Int(tree[low].bond)] = true
            tree[low].top = parent
            low = top(Int(parent), &tree)
        }
    }

    /// Returns the highest ancestor such that all bonds on the path to it are known to be in rings.
    private static func top(_ atom: Int, _ tree: inout MutableSpan<Place>) -> Int {
        var at = atom
        while Int(tree[at].top) != at {
            let above = tree[Int(tree[at].top)].top
            tree[at].top = above
            at = Int(above)
        }
        return at
    }
}
