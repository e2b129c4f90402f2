import ChemopenModel

/// The neighbours of each atom of a molecule, with the bonds to them, in the order of the bonds.
struct DrawnNeighbours {
    struct Neighbour {
        fileprivate let atomPlace: Int32
        fileprivate let bondPlace: Int32

        var atom: Int { Int(atomPlace) }
        var bond: Int { Int(bondPlace) }
    }

    /// Those of atom `a` stand from `starts[a]` on, before `starts[a + 1]`.
    private var starts: [Int32] = []
    private var neighbours: [Neighbour] = []

    init(_ molecule: borrowing Molecule) {
        self.init(molecule.bonds, among: molecule.atoms.count)
    }

    init(_ bonds: [Bond], among count: Int) {
        fill(with: bonds, among: count)
    }

    /// No atoms.
    init() {}

    /// Takes other bonds, in the memory of those before.
    mutating func fill(with bonds: [Bond], among count: Int) {
        starts.fill(with: 0, count: count + 2)
        neighbours.fill(with: Neighbour(atomPlace: 0, bondPlace: 0), count: 2 * bonds.count)
        Self.fill(&starts, &neighbours, bonds, among: count)
    }

    private static func fill(
        _ startsOfAtoms: inout [Int32], _ found: inout [Neighbour], _ bonds: [Bond], among count: Int
    ) {
        var starts = startsOfAtoms.mutableSpan
        var neighbours = found.mutableSpan
        // Counted two places ahead, then summed up: so each atom's place is one ahead and moves on to the next one's start.
        for bond in bonds {
            starts[Int(bond.from) + 2] += 1
            starts[Int(bond.to) + 2] += 1
        }
        for atom in 0...count { starts[atom + 1] += starts[atom] }
        for (place, bond) in bonds.enumerated() {
            add(bond.to, by: place, to: Int(bond.from), &starts, &neighbours)
            add(bond.from, by: place, to: Int(bond.to), &starts, &neighbours)
        }
    }

    @inline(__always)
    private static func add(
        _ neighbour: Int32, by bond: Int, to atom: Int, _ starts: inout MutableSpan<Int32>,
        _ neighbours: inout MutableSpan<Neighbour>
    ) {
        neighbours[Int(starts[atom + 1])] = Neighbour(
            atomPlace: neighbour, bondPlace: Int32(truncatingIfNeeded: bond))
        starts[atom + 1] += 1
    }

    var atomCount: Int { starts.count - 2 }

    var bondCount: Int { neighbours.count / 2 }

    func count(of atom: Int) -> Int { Int(starts[atom + 1] - starts[atom]) }

    func first(of atom: Int) -> Neighbour? { neighbour(0, of: atom) }

    @inline(__always)
    func neighbour(_ number: Int, of atom: Int) -> Neighbour? {
        let place = Int(starts[atom]) &+ number
        return place < Int(starts[atom + 1]) ? neighbours[place] : nil
    }

    /// The places of those of an atom among all.
    @inline(__always)
    func places(of atom: Int) -> Range<Int> { Int(starts[atom])..<Int(starts[atom + 1]) }

    @inline(__always)
    subscript(place: Int) -> Neighbour { neighbours[place] }

    @inline(__always)
    func forEach(of atom: Int, _ take: (Neighbour) -> Void) {
        for place in places(of: atom) { take(neighbours[place]) }
    }
}

extension Array {
    /// Takes so many elements that are alike in the place of all, in the same memory where there is room.
    mutating func fill(with element: Element, count: Int) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
