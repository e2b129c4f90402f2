import ChemopenModel

/// The search for sets of up to six fused rings that share 4n + 2 electrons.
///
/// A set starts with its first ring and grows by adjacent rings that are later in the system, as in the ESU algorithm.
/// Therefore, each set is found exactly once. The electrons of its atoms are counted incrementally.
struct HueckelSearch {
    /// The atoms and bonds that were found to be aromatic.
    private(set) var isAromaticAtom: [Bool]
    private(set) var isAromaticEdge: [Bool]
    /// Whether the limit was reached. If so, aromatic rings can be missing.
    private(set) var isBounded = false

    private let rings: RingSet
    private let fused: FusedRings
    /// The electrons that each atom contributes.
    private let gifts: [Electrons]
    /// The electrons of the current set, and the number of its rings that contain each atom.
    private var sum = Electrons()
    private var counts: [UInt8]
    private var edgeCounts: [UInt8]

    /// The rank of each ring in the current system, or -1.
    private var ranks: [Int32]
    private var members: [Int32] = []
    /// For each member, the rings that can follow it, and the rings that it has added to the frontier.
    private var frontiers = [[Int32]](repeating: [], count: mostRings)
    private var closed = [[Int32]](repeating: [], count: mostRings)
    private var isClosed: [Bool]
    /// Whether all bonds of a ring are aromatic. A set that consists only of such rings cannot mark further bonds.
    private var isFull: [Bool]
    private var fullMembers = 0
    private var openEdges = 0
    private var stepsLeft = 0

    /// The maximum number of rings in a set.
    private static let mostRings = 6
    /// In larger systems, a set has at most two rings.
    private static let mostInSystem = 300

    /// The electrons that atoms contribute to a ring: the minimum, the maximum, and the number of atoms that can
    /// contribute either.
    struct Electrons: Sendable {
        var least: Int32 = 0
        var most: Int32 = 0
        var undecided: Int32 = 0

        init() {}

        init(_ donor: MoleculeGraph.Donor) {
            switch donor {
            case .one: (least, most) = (1, 1)
            case .two: (least, most) = (2, 2)
            case .any: (most, undecided) = (2, 1)
            case .vacant, .none, .unknown: break
            }
        }

        static func += (sum: inout Electrons, other: Electrons) {
            sum.least &+= other.least
            sum.most &+= other.most
            sum.undecided &+= other.undecided
        }

        static func -= (sum: inout Electrons, other: Electrons) {
            sum.least &-= other.least
            sum.most &-= other.most
            sum.undecided &-= other.undecided
        }

        /// Whether the number of electrons can be 4n + 2.
        var areAromatic: Bool {
            if undecided > 1 { return false }
            if most < 6 { return most == 2 }
            return (least...most).contains { ($0 - 2) % 4 == 0 }
        }
    }

    init(_ fused: FusedRings, _ donors: [MoleculeGraph.Donor], _ graph: borrowing MoleculeGraph) {
        rings = graph.rings
        self.fused = fused
        gifts = donors.map { Electrons($0) }
        isAromaticAtom = [Bool](repeating: false, count: donors.count)
        isAromaticEdge = graph.edges.map(\.isAromatic)
        counts = [UInt8](repeating: 0, count: donors.count)
        edgeCounts = [UInt8](repeating: 0, count: graph.edges.count)
        ranks = [Int32](repeating: -1, count: fused.count)
        isClosed = [Bool](repeating: false, count: fused.count)
        isFull = isClosed
    }

    /// Examines the rings of a fused system one by one, then sets of two rings, and so on up to six.
    mutating func search(_ system: [Int32]) {
        for (rank, place) in system.enumerated() { ranks[Int(place)] = Int32(truncatingIfNeeded: rank) }
        defer { for place in system { ranks[Int(place)] = -1 } }
        openEdges = countOpenEdges(of: system)
        stepsLeft = RecordCost.mostRingSubsets
        for size in 1...min(Self.mostRings, system.count) {
            if size > 1, openEdges == 0 || system.count > Self.mostInSystem && size > 2 { return }
            for place in system {
                search(from: place, size: size)
                if stepsLeft < 0 {
                    isBounded = true
                    return
                }
                if openEdges == 0, size > 1 { return }
            }
        }
    }

    private mutating func countOpenEdges(of system: [Int32]) -> Int {
        var count = 0
        for place in system {
            for edge in edges(of: place) where !isAromaticEdge[Int(edge)] && edgeCounts[Int(edge)] == 0 {
                edgeCounts[Int(edge)] = 1
                count += 1
            }
        }
        for place in system { for edge in edges(of: place) { edgeCounts[Int(edge)] = 0 } }
        return count
    }

    // MARK: Sets

    /// Examines the sets with a given first ring and size.
    private mutating func search(from root: Int32, size: Int) {
        if size == 1 {
            stepsLeft -= 1
            if electrons(with: root).areAromatic { mark(with: root) }
            return
        }
        enter(root)
        isClosed[Int(root)] = true
        closed[0].append(root)
        grow(at: 0, by: root, after: ranks[Int(root)])
        while let depth = members.indices.last {
            guard stepsLeft >= 0, let place = frontiers[depth].popLast() else {
                leave(at: depth)
                continue
            }
            if depth + 2 < size {
                enter(place)
                frontiers[depth + 1].append(contentsOf: frontiers[depth])
                grow(at: depth + 1, by: place, after: ranks[Int(root)])
                continue
            }
            stepsLeft -= 1
            if fullMembers == members.count, isFull[Int(place)] { continue }
            if electrons(with: place).areAromatic { mark(with: place) }
        }
    }

    /// Adds the neighbors of a member to its frontier, unless an earlier member has already added them.
    private mutating func grow(at depth: Int, by place: Int32, after rank: Int32) {
        for next in fused.neighbors(of: place) where ranks[Int(next)] > rank && !isClosed[Int(next)] {
            isClosed[Int(next)] = true
            closed[depth].append(next)
            frontiers[depth].append(next)
        }
    }

    private mutating func enter(_ place: Int32) {
        members.append(place)
        fullMembers += isFull[Int(place)] ? 1 : 0
        for atom in atoms(of: place) {
            let atom = Int(atom)
            if counts[atom] == 0 { sum += gifts[atom] } else if counts[atom] == 2 { sum -= gifts[atom] }
            counts[atom] += 1
        }
    }

    private mutating func leave(at depth: Int) {
        for place in closed[depth] { isClosed[Int(place)] = false }
        closed[depth].removeAll(keepingCapacity: true)
        frontiers[depth].removeAll(keepingCapacity: true)
        guard let place = members.popLast() else { return }
        for atom in atoms(of: place) {
            let atom = Int(atom)
            counts[atom] -= 1
            if counts[atom] == 0 { sum -= gifts[atom] } else if counts[atom] == 2 { sum += gifts[atom] }
        }
        fullMembers = members.count { isFull[Int($0)] }
    }

    /// Returns the electrons of the members and an additional ring, counting only atoms in one or two of these rings.
    private func electrons(with place: Int32) -> Electrons {
        var sum = sum
        for atom in atoms(of: place) {
            let atom = Int(atom)
            if counts[atom] == 0 { sum += gifts[atom] } else if counts[atom] == 2 { sum -= gifts[atom] }
        }
        return sum
    }

    /// Marks the atoms of the members and an additional ring, and the bonds that are in exactly one of these rings.
    private mutating func mark(with place: Int32) {
        members.append(place)
        defer { members.removeLast() }
        for place in members { for edge in edges(of: place) { edgeCounts[Int(edge)] += 1 } }
        for place in members {
            for atom in atoms(of: place) { isAromaticAtom[Int(atom)] = true }
            var isFull = true
            for edge in edges(of: place) {
                let edge = Int(edge)
                if isAromaticEdge[edge] { continue }
                if edgeCounts[edge] == 1 {
                    isAromaticEdge[edge] = true
                    openEdges -= 1
                } else {
                    isFull = false
                }
            }
            self.isFull[Int(place)] = isFull
        }
        for place in members { for edge in edges(of: place) { edgeCounts[Int(edge)] = 0 } }
        fullMembers = members.dropLast().count { isFull[Int($0)] }
    }

    // MARK: Rings

    private func atoms(of place: Int32) -> ArraySlice<Int32> { rings.atoms[rings.range(fused.ring(at: place))] }

    private func edges(of place: Int32) -> ArraySlice<Int32> { rings.edges[rings.range(fused.ring(at: place))] }
}
