import ChemopenModel

/// A search for the relevant rings of a block, which are not sums of smaller rings.
///
/// These are the rings of all minimum cycle bases. The result therefore does not depend on the order of the atoms.
///
/// The algorithm is from Vismara (1997). Each atom is used as the last atom of its rings: shortest paths over earlier
/// atoms meet at the opposite side. The resulting candidates are then compared, by size, with the smaller rings. If
/// rings of the same size differ only in the path around a part of them, only one is returned.
struct RingFinder: Sendable {
    private var stepsLeft = 0
    /// Whether the limit was reached. Larger rings can be missing in this case.
    private(set) var isExhausted = false

    /// The block's atoms and their bonds in the block.
    private var atoms: [Int32] = []
    private var placeOfAtom: [Int32] = []
    private var starts: [Int32] = []
    private var ends: [Int32] = []
    private var links: [Link] = []
    private var edgeCount = 0

    /// The state of the search from the current root atom.
    private var distances: [Int32] = []
    private var parents: [Link] = []
    private var queue: [Int32] = []

    private struct Link: Sendable {
        var atom: Int32
        /// The index of the bond in the block.
        var edge: Int32
    }

    private struct Candidate: Sendable {
        var size: Int32
        /// The index of its first bond in `candidateEdges`.
        var first: Int32
    }

    private var candidates: [Candidate] = []
    private var candidateEdges: [Int32] = []

    /// Resets the limit for another molecule.
    mutating func begin(steps: Int) {
        stepsLeft = steps
        isExhausted = false
    }

    mutating func findRings(
        of block: ArraySlice<Int32>, _ edges: [MoleculeGraph.Edge], into rings: inout RingSet
    ) {
        take(block, edges)
        let ringCount = edgeCount - atoms.count + 1
        if ringCount == 1 { return rings.addInOrder(block, edges) }
        findCandidates()
        choose(ringCount, block, edges, into: &rings)
    }

    // MARK: The block

    private mutating func take(_ block: ArraySlice<Int32>, _ edges: [MoleculeGraph.Edge]) {
        for atom in atoms { placeOfAtom[Int(atom)] = -1 }
        atoms.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        edgeCount = block.count
        for edge in block {
            place(edges[Int(edge)].from)
            place(edges[Int(edge)].to)
        }
        for _ in 0...atoms.count { starts.append(0) }
        for edge in block {
            starts[Int(placeOfAtom[Int(edges[Int(edge)].from)]) + 1] &+= 1
            starts[Int(placeOfAtom[Int(edges[Int(edge)].to)]) + 1] &+= 1
        }
        for place in atoms.indices { starts[place + 1] &+= starts[place] }
        ends.removeAll(keepingCapacity: true)
        for start in starts { ends.append(start) }
        for _ in 0..<2 * block.count { links.append(Link(atom: 0, edge: 0)) }
        for (place, edge) in block.enumerated() {
            let place = Int32(truncatingIfNeeded: place)
            let one = placeOfAtom[Int(edges[Int(edge)].from)]
            let other = placeOfAtom[Int(edges[Int(edge)].to)]
            links[Int(ends[Int(one)])] = Link(atom: other, edge: place)
            ends[Int(one)] &+= 1
            links[Int(ends[Int(other)])] = Link(atom: one, edge: place)
            ends[Int(other)] &+= 1
        }
    }

    private mutating func place(_ atom: Int32) {
        while placeOfAtom.count <= Int(atom) { placeOfAtom.append(-1) }
        if placeOfAtom[Int(atom)] >= 0 { return }
        placeOfAtom[Int(atom)] = Int32(truncatingIfNeeded: atoms.count)
        atoms.append(atom)
    }

    // MARK: Candidates

    private mutating func findCandidates() {
        candidates.removeAll(keepingCapacity: true)
        candidateEdges.removeAll(keepingCapacity: true)
        distances.removeAll(keepingCapacity: true)
        parents.removeAll(keepingCapacity: true)
        for _ in atoms {
            distances.append(-1)
            parents.append(Link(atom: -1, edge: -1))
        }
        // In a large block, every atom gets a share of the steps to search at least its vicinity.
        let share = max(64, stepsLeft / (4 * max(1, atoms.count)))
        for root in atoms.indices {
            search(from: Int32(truncatingIfNeeded: root), steps: share)
            meet(at: Int32(truncatingIfNeeded: root))
            for atom in queue { distances[Int(atom)] = -1 }
        }
    }

    /// Finds the shortest paths from an atom over atoms with smaller indices.
    private mutating func search(from root: Int32, steps: Int) {
        queue.removeAll(keepingCapacity: true)
        queue.append(root)
        distances[Int(root)] = 0
        var next = 0
        var steps = steps
        while next < queue.count {
            let atom = queue[next]
            next += 1
            for place in Int(starts[Int(atom)])..<Int(starts[Int(atom) + 1]) {
                steps -= 1
                let link = links[place]
                if link.atom >= root || distances[Int(link.atom)] >= 0 { continue }
                distances[Int(link.atom)] = distances[Int(atom)] + 1
                parents[Int(link.atom)] = Link(atom: atom, edge: link.edge)
                queue.append(link.atom)
            }
            if steps < 0 {
                isExhausted = true
                return
            }
        }
    }

    /// Adds a candidate for each meeting of two paths.
    private mutating func meet(at root: Int32) {
        for atom in queue where atom != root {
            let distance = distances[Int(atom)]
            let first = Int(starts[Int(atom)])
            let end = Int(starts[Int(atom) + 1])
            for place in first..<end {
                let link = links[place]
                if link.atom >= root { continue }
                if stepsLeft < 0 {
                    isExhausted = true
                    return
                }
                let there = distances[Int(link.atom)]
                if there == distance, link.atom < atom {
                    addRing(root, atom, link.atom, link.edge, -1)
                } else if there == distance - 1, there > 0 {
                    // The atom is opposite the root, and two of its neighbors lead back to it.
                    for second in place + 1..<max(place + 1, end) {
                        let other = links[second]
                        stepsLeft -= 1
                        if stepsLeft < 0 { break }
                        if other.atom < root, distances[Int(other.atom)] == distance - 1 {
                            addRing(root, link.atom, other.atom, link.edge, other.edge)
                        }
                    }
                }
            }
        }
    }

    /// Adds the ring of the root, the paths to two atoms and the bonds between these, if the paths share no atom but
    /// the root.
    private mutating func addRing(
        _ root: Int32, _ one: Int32, _ other: Int32, _ between: Int32, _ second: Int32
    ) {
        let first = candidateEdges.count
        guard first < RecordCost.mostRingBonds else {
            isExhausted = true
            stepsLeft = -1
            return
        }
        candidateEdges.append(between)
        if second >= 0 { candidateEdges.append(second) }
        var (left, right) = (one, other)
        while left != root {
            if left == right {
                candidateEdges.removeLast(candidateEdges.count - first)
                return
            }
            candidateEdges.append(parents[Int(left)].edge)
            candidateEdges.append(parents[Int(right)].edge)
            left = parents[Int(left)].atom
            right = parents[Int(right)].atom
            stepsLeft -= 1
        }
        candidates.append(
            Candidate(
                size: Int32(truncatingIfNeeded: candidateEdges.count - first),
                first: Int32(truncatingIfNeeded: first)))
    }

    // MARK: Selection

    /// Adds the candidates that are not sums of smaller rings.
    private mutating func choose(
        _ ringCount: Int, _ block: ArraySlice<Int32>, _ edges: [MoleculeGraph.Edge], into rings: inout RingSet
    ) {
        if candidates.count > 1 { candidates.sort { $0.size < $1.size } }
        if candidates.count == ringCount {
            // The number of candidates equals the number of rings in a basis, so no candidate is a sum of others.
            for candidate in candidates { rings.addInOrder(edgesOfBlock(candidate, block), edges) }
            return
        }
        var basis = EdgeSums(edgeCount: edgeCount)
        var place = 0
        while place < candidates.count, basis.count < ringCount {
            var end = place
            while end < candidates.count, candidates[end].size == candidates[place].size { end += 1 }
            let known = basis.count
            for candidate in candidates[place..<end] {
                let ring = candidateEdges[Int(candidate.first)..<Int(candidate.first + candidate.size)]
                if basis.steps > stepsLeft || basis.isFull { break }
                if place == 0 || basis.isNew(ring, besideFirst: known) {
                    rings.addInOrder(edgesOfBlock(candidate, block), edges)
                    if basis.count < ringCount { basis.add(ring) }
                }
            }
            if basis.steps > stepsLeft || basis.isFull {
                isExhausted = true
                return
            }
            place = end
        }
        stepsLeft -= basis.steps
    }

    private func edgesOfBlock(_ candidate: Candidate, _ block: ArraySlice<Int32>) -> [Int32] {
        candidateEdges[Int(candidate.first)..<Int(candidate.first + candidate.size)].map {
            block[block.startIndex + Int($0)]
        }
    }
}

extension RingSet {
    /// Adds a ring with its atoms and bonds in the order around it.
    fileprivate mutating func addInOrder(_ ring: some RandomAccessCollection<Int32>, _ edges: [MoleculeGraph.Edge]) {
        guard let first = ring.first else { return }
        if ring.count > 32 { return addLarge(ring, edges) }
        // The ring is small enough for a linear search at each atom.
        var atom = edges[Int(first)].from
        var last: Int32 = -1
        for _ in 0..<ring.count {
            var next: Int32 = -1
            for edge in ring where edge != last && (edges[Int(edge)].from == atom || edges[Int(edge)].to == atom) {
                next = edge
                break
            }
            if next < 0 { break }
            add(atom: atom, edge: next)
            atom = edges[Int(next)].other(than: atom)
            last = next
        }
        endRing()
    }

    private mutating func addLarge(_ ring: some RandomAccessCollection<Int32>, _ edges: [MoleculeGraph.Edge]) {
        var links: [Int32: (Int32, Int32)] = [:]
        for edge in ring {
            for atom in [edges[Int(edge)].from, edges[Int(edge)].to] {
                if let known = links[atom] { links[atom] = (known.0, edge) } else { links[atom] = (edge, -1) }
            }
        }
        guard let first = ring.first else { return }
        var atom = edges[Int(first)].from
        var last: Int32 = -1
        for _ in 0..<ring.count {
            guard let pair = links[atom] else { break }
            let next = pair.0 == last ? pair.1 : pair.0
            if next < 0 { break }
            add(atom: atom, edge: next)
            atom = edges[Int(next)].other(than: atom)
            last = next
        }
        endRing()
    }
}

/// A basis of bond sets. The sum of two sets contains the bonds that are in exactly one of them.
private struct EdgeSums {
    private let width: Int
    /// A row of bits for each independent set. The first bond of a row is not in later rows.
    private var rows: [UInt64] = []
    private var pivots: [Int32]
    private(set) var count = 0
    private(set) var steps = 0
    /// Whether the memory limit was reached.
    private(set) var isFull = false
    private var row: [UInt64]

    init(edgeCount: Int) {
        width = (edgeCount + 63) / 64
        pivots = [Int32](repeating: -1, count: edgeCount)
        row = [UInt64](repeating: 0, count: width)
    }

    /// Returns whether a set is not a sum of the first `count` sets.
    mutating func isNew(_ ring: ArraySlice<Int32>, besideFirst count: Int) -> Bool {
        reduce(ring, by: count) != nil
    }

    /// Adds a set unless it is a sum of others.
    mutating func add(_ ring: ArraySlice<Int32>) {
        guard let pivot = reduce(ring, by: count) else { return }
        guard rows.count + width <= RecordCost.mostRingWords else {
            isFull = true
            return
        }
        pivots[pivot] = Int32(truncatingIfNeeded: count)
        if rows.count + width > rows.capacity {
            // Double the memory, up to the limit. If the next step would exceed the limit, reserve all of it now.
            let room = max(2 * rows.count, 8 * width)
            rows.reserveCapacity(2 * room > RecordCost.mostRingWords ? RecordCost.mostRingWords : room)
        }
        rows.append(contentsOf: row)
        steps += width
        count += 1
    }

    /// Subtracts sets of the basis as long as possible.
    ///
    /// - Returns: the first remaining bond, or `nil` if the set is a sum.
    private mutating func reduce(_ ring: ArraySlice<Int32>, by count: Int) -> Int? {
        for place in row.indices { row[place] = 0 }
        for edge in ring { row[Int(edge) >> 6] ^= 1 << UInt64(edge & 63) }
        for word in 0..<width {
            while row[word] != 0 {
                let bond = word * 64 + row[word].trailingZeroBitCount
                let pivot = Int(pivots[bond])
                if pivot < 0 || pivot >= count { return bond }
                steps += width - word
                for place in word..<width { row[place] ^= rows[pivot * width + place] }
            }
        }
        return nil
    }
}
