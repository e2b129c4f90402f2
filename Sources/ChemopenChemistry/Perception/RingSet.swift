/// The relevant rings of a graph: the smallest rings, and all rings that could replace one of them.
struct RingSet: Sendable {
    /// The atoms of all rings, one ring after the other, in their order around the ring.
    private(set) var atoms: [Int32] = []
    /// The bonds of all rings, one ring after the other. The first bond connects the first atom with the second.
    private(set) var edges: [Int32] = []
    /// The index where each ring starts, and finally the end of the last ring.
    private(set) var starts: [Int32] = [0]
    /// For each atom, the number of its rings and the size of the smallest one.
    private(set) var counts: [Int32] = []
    private(set) var smallest: [Int32] = []

    var count: Int { starts.count - 1 }

    func range(_ ring: Int) -> Range<Int> { Int(starts[ring])..<Int(starts[ring + 1]) }

    mutating func removeAll(atomCount: Int) {
        atoms.removeAll(keepingCapacity: true)
        edges.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        starts.append(0)
        counts.fill(with: 0, count: atomCount)
        smallest.fill(with: 0, count: atomCount)
    }

    /// Adds an atom and the bond after it to the current ring.
    mutating func add(atom: Int32, edge: Int32) {
        atoms.append(atom)
        edges.append(edge)
    }

    /// Completes the current ring.
    mutating func endRing() {
        let first = Int(starts[starts.count - 1])
        let size = Int32(truncatingIfNeeded: atoms.count - first)
        for place in first..<atoms.count {
            let atom = Int(atoms[place])
            counts[atom] &+= 1
            if smallest[atom] == 0 || size < smallest[atom] { smallest[atom] = size }
        }
        starts.append(Int32(truncatingIfNeeded: atoms.count))
    }

    /// The maximum size of a ring that permits only one configuration of a double bond.
    static var mostInSmallRing: Int { 7 }

    /// Returns whether a bond is in a ring of at most that size.
    func hasSmall(over edge: Int32) -> Bool {
        for ring in 0..<count {
            let range = range(ring)
            if range.count <= Self.mostInSmallRing, edges[range].contains(edge) { return true }
        }
        return false
    }

    /// Returns whether an atom is in a ring of a certain size.
    func has(atom: Int32, inRingOf size: ClosedRange<Int32>) -> Bool {
        for ring in 0..<count {
            let range = range(ring)
            if size.contains(Int32(truncatingIfNeeded: range.count)), atoms[range].contains(atom) { return true }
        }
        return false
    }
}
