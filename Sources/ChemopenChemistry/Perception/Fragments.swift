extension MoleculeGraph {
    /// Assigns a number to each fragment. Connected atoms have the same number.
    mutating func perceiveFragments() {
        if perceived.contains(.fragments) { return }
        perceived.insert(.fragments)
        fragments.removeAll(keepingCapacity: true)
        for _ in vertices { fragments.append(-1) }
        var number: Int32 = 0
        var open: [Int32] = []
        for root in vertices.indices where fragments[root] < 0 {
            open.append(Int32(truncatingIfNeeded: root))
            fragments[root] = number
            while let atom = open.popLast() {
                for place in range(of: Int(atom)) {
                    let next = neighbors[place].atom
                    if fragments[Int(next)] >= 0 { continue }
                    fragments[Int(next)] = number
                    open.append(next)
                }
            }
            number &+= 1
        }
    }
}
