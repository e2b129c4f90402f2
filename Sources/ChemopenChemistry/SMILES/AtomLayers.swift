/// Hashes the surroundings of an atom, in layers of equal distance, independently of the order of the atoms in the
/// file.
struct AtomLayers {
    private var distances: [Int32]
    private var queue: [Int32] = []

    init(atomCount: Int) {
        distances = [Int32](repeating: -1, count: atomCount)
    }

    /// Returns a hash of the layers around an atom, including the classes of their atoms and the bonds within and
    /// between layers.
    ///
    /// - Parameter mostBonds: the maximum number of bonds to follow. A layer that would exceed this number is omitted.
    mutating func key(
        from atom: Int32, _ graph: borrowing MoleculeGraph, _ ranks: [Int32], mostBonds: Int, steps: inout Int
    ) -> UInt64 {
        queue.removeAll(keepingCapacity: true)
        queue.append(atom)
        distances[Int(atom)] = 0
        var key: UInt64 = 0
        var (first, distance, bonds) = (0, Int32(0), 0)
        while first < queue.count {
            let end = queue.count
            for place in first..<end { bonds += graph.vertices[Int(queue[place])].degree }
            if bonds > mostBonds { break }
            for place in first..<end {
                let atom = Int(queue[place])
                var (back, within) = (0, 0)
                for slot in graph.range(of: atom) {
                    let other = graph.neighbors[slot].atom
                    switch distances[Int(other)] {
                    case -1:
                        distances[Int(other)] = distance + 1
                        queue.append(other)
                    case distance: within += 1
                    case distance - 1: back += 1
                    default: break
                    }
                }
                let rank = UInt64(UInt32(bitPattern: ranks[atom])) << 16
                let place = UInt64(UInt32(bitPattern: distance)) << 48
                key &+= CanonicalOrder.mixed(rank ^ place ^ UInt64(back << 8 | within))
            }
            (first, distance) = (end, distance + 1)
        }
        steps -= bonds + 2 * queue.count
        for atom in queue { distances[Int(atom)] = -1 }
        return key
    }
}
