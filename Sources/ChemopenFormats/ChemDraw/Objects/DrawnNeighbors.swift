import ChemopenModel

/// The neighbors of each atom in a molecule and the bonds to them, in the order of the bonds.
struct DrawnNeighbors {
    struct Neighbor {
        fileprivate let atomPlace: Int32
        fileprivate let bondPlace: Int32

        var atom: Int { Int(atomPlace) }
        var bond: Int { Int(bondPlace) }
    }

    /// The neighbors of atom `a` are at `starts[a]..<starts[a + 1]`.
    private var starts: [Int32] = []
    private var neighbors: [Neighbor] = []

    init(_ molecule: borrowing Molecule) {
        self.init(molecule.bonds, among: molecule.atoms.count)
    }

    init(_ bonds: [Bond], among count: Int) {
        fill(with: bonds, among: count)
    }

    /// Creates an empty list without atoms.
    init() {}

    /// Replaces the bonds, and reuses the memory.
    mutating func fill(with bonds: [Bond], among count: Int) {
        starts.fill(with: 0, count: count + 2)
        neighbors.fill(with: Neighbor(atomPlace: 0, bondPlace: 0), count: 2 * bonds.count)
        Self.fill(&starts, &neighbors, bonds, among: count)
    }

    private static func fill(
        _ startsOfAtoms: inout [Int32], _ found: inout [Neighbor], _ bonds: [Bond], among count: Int
    ) {
        var starts = startsOfAtoms.mutableSpan
        var neighbors = found.mutableSpan
        // Count each atom's neighbors two positions ahead and sum the counts. At this time, each start is one position
        // ahead; it moves to the start of the next atom while neighbors are added.
        for bond in bonds {
            starts[Int(bond.from) + 2] += 1
            starts[Int(bond.to) + 2] += 1
        }
        for atom in 0...count { starts[atom + 1] += starts[atom] }
        for (place, bond) in bonds.enumerated() {
            add(bond.to, by: place, to: Int(bond.from), &starts, &neighbors)
            add(bond.from, by: place, to: Int(bond.to), &starts, &neighbors)
        }
    }

    @inline(__always)
    private static func add(
        _ neighbor: Int32, by bond: Int, to atom: Int, _ starts: inout MutableSpan<Int32>,
        _ neighbors: inout MutableSpan<Neighbor>
    ) {
        neighbors[Int(starts[atom + 1])] = Neighbor(
            atomPlace: neighbor, bondPlace: Int32(truncatingIfNeeded: bond))
        starts[atom + 1] += 1
    }

    var atomCount: Int { starts.count - 2 }

    var bondCount: Int { neighbors.count / 2 }

    func count(of atom: Int) -> Int { Int(starts[atom + 1] - starts[atom]) }

    func first(of atom: Int) -> Neighbor? { neighbor(0, of: atom) }

    @inline(__always)
    func neighbor(_ number: Int, of atom: Int) -> Neighbor? {
        let place = Int(starts[atom]) &+ number
        return place < Int(starts[atom + 1]) ? neighbors[place] : nil
    }

    /// Returns the range of an atom's neighbors.
    @inline(__always)
    func places(of atom: Int) -> Range<Int> { Int(starts[atom])..<Int(starts[atom + 1]) }

    @inline(__always)
    subscript(place: Int) -> Neighbor { neighbors[place] }

    @inline(__always)
    func forEach(of atom: Int, _ take: (Neighbor) -> Void) {
        for place in places(of: atom) { take(neighbors[place]) }
    }
}

extension Array {
    /// Replaces the contents with copies of an element, and reuses the memory if possible.
    mutating func fill(with element: Element, count: Int) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
