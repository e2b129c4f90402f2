/// The rings of a graph: the smallest ones, with all that are as good as one of them.
struct RingSet: Sendable {
    /// Ring after ring its atoms, in their order around it.
    private(set) var atoms: [Int32] = []
    /// Ring after ring its bonds: the first leads from the first atom to the second.
    private(set) var edges: [Int32] = []
    /// Where each ring begins, and at the end where the last one ends.
    private(set) var starts: [Int32] = [0]
    /// For each atom, in how many rings it is and how large the smallest one is.
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

    /// Adds an atom to the ring that is being made, and the bond behind it.
    mutating func add(atom: Int32, edge: Int32) {
        atoms.append(atom)
        edges.append(edge)
    }

    /// Ends the ring that is being made.
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

    /// The bonds of a ring in which a double bond has no choice.
    static var mostInSmallRing: Int { 7 }

    /// Whether a bond is in a ring of so few.
    func hasSmall(over edge: Int32) -> Bool {
        for ring in 0..<count {
            let range = range(ring)
            if range.count <= Self.mostInSmallRing, edges[range].contains(edge) { return true }
        }
        return false
    }

    /// Whether an atom is in a ring of some size.
    func has(atom: Int32, inRingOf size: ClosedRange<Int32>) -> Bool {
        for ring in 0..<count {
            let range = range(ring)
            if size.contains(Int32(truncatingIfNeeded: range.count)), atoms[range].contains(atom) { return true }
        }
        return false
    }
}
