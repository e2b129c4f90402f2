import ChemopenModel

/// A canonical order of a molecule's atoms, which does not depend on their order in the file.
///
/// Classes of similar atoms are refined by their neighbors, and by the configurations that the current classes
/// determine.
///
/// If a class still contains several atoms, each of them is separated from the others in turn, and the classes are
/// refined. The atom with the lowest signature is chosen; atoms with the same signature are equivalent. If this choice
/// distinguishes the atoms of a class, the class is separated before classes that depend on other choices.
///
/// A stereocenter can depend on the choice between two similar neighbors, as in a ring with substituents at both ends.
/// All such neighbors are separated together, according to the signature that each choice would have. This is necessary
/// because two such rings may differ only in a configuration that no other choice reveals.
struct CanonicalOrder: Sendable {
    /// For each atom, the position where its class begins in its fragment. In the final order, each class has one atom.
    private(set) var ranks: [Int32] = []
    /// Whether the step limit was reached. If so, the order can depend on the order in the file.
    private(set) var isBounded = false

    private var stepsLeft = 0
    private var entries: [Entry] = []
    /// The configuration of each atom according to its neighbors' classes, or 0 if they do not determine it.
    private var turns: [UInt8] = []

    /// The maximum number of steps for each molecule.
    private static let mostSteps = RecordCost.mostOrderSteps

    /// The radius in bonds for comparing choices. It keeps the run time proportional to the size of the molecule.
    private static let farthest = 8

    /// An atom with its sort keys.
    private struct Entry: Sendable {
        var rank: Int32
        var key: UInt64
        var minor: UInt64 = 0
        var atom: Int32

        static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
            (one.rank, one.key, one.minor) < (other.rank, other.key, other.minor)
        }

        static func isAlike(_ one: Entry, _ other: Entry) -> Bool {
            one.rank == other.rank && one.key == other.key && one.minor == other.minor
        }
    }

    /// Computes the order of the atoms in a graph. Rings, fragments and configurations must already be perceived.
    ///
    /// - Parameter marks: for each of the molecule's atoms, a hash of properties that the graph does not contain; or
    ///   empty.
    mutating func take(_ graph: borrowing MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64] = []) {
        stepsLeft = Self.mostSteps
        isBounded = false
        ranks = [Int32](repeating: 0, count: graph.vertices.count)
        turns = [UInt8](repeating: 0, count: graph.vertices.count)
        for fragment in Self.fragments(of: graph) {
            beginClasses(fragment, graph, molecule, marks)
            _ = refine(fragment, graph)
            while true {
                let ties = ties(in: fragment)
                if ties.isEmpty { break }
                if stepsLeft < 0 {
                    isBounded = true
                    keepOrder(of: fragment)
                } else {
                    settle(ties, of: fragment, graph)
                }
            }
        }
    }

    /// Separates all remaining classes, with their atoms in file order.
    private mutating func keepOrder(of fragment: [Int32]) {
        let sorted = fragment.sorted { (ranks[Int($0)], $0) < (ranks[Int($1)], $1) }
        for (place, atom) in sorted.enumerated() { ranks[Int(atom)] = Int32(truncatingIfNeeded: place) }
    }

    private static func fragments(of graph: borrowing MoleculeGraph) -> [[Int32]] {
        var fragments: [[Int32]] = []
        for atom in graph.vertices.indices {
            let fragment = Int(graph.fragments[atom])
            while fragments.count <= fragment { fragments.append([]) }
            fragments[fragment].append(Int32(truncatingIfNeeded: atom))
        }
        return fragments
    }

    // MARK: Classes

    /// Creates the initial classes from the properties of each atom. The ends of chains are first.
    private mutating func beginClasses(
        _ fragment: [Int32], _ graph: borrowing MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64]
    ) {
        entries.removeAll(keepingCapacity: true)
        for atom in fragment {
            let vertex = graph.vertices[Int(atom)]
            var key = UInt64(min(vertex.degree, 0xFF)) << 56 | UInt64(vertex.element) << 48
            key |= UInt64(vertex.isAromatic ? 1 : 0) << 47 | UInt64(UInt16(bitPattern: vertex.hydrogens) & 0x7F) << 40
            key |= UInt64(vertex.isotope) << 24 | UInt64(UInt16(bitPattern: vertex.charge)) << 8
            key |= UInt64(UInt16(bitPattern: vertex.unpairedElectrons) & 0xFF)
            let map = UInt64(UInt32(bitPattern: molecule.atoms[Int(vertex.origin)].mapNumber))
            var minor = map << 16 | UInt64(UInt16(bitPattern: vertex.orderSum))
            if !marks.isEmpty { minor ^= Self.mixed(marks[Int(vertex.origin)]) }
            entries.append(Entry(rank: 0, key: key, minor: minor, atom: atom))
        }
        sortIntoClasses()
    }

    /// Sorts the entries and makes a class of those with equal keys.
    ///
    /// - Returns: the number of classes.
    @discardableResult
    private mutating func sortIntoClasses() -> Int {
        entries.sort(by: Entry.isBefore)
        stepsLeft -= 8 * entries.count
        var count = 0
        var start = 0
        for place in entries.indices {
            if place == 0 || !Entry.isAlike(entries[place - 1], entries[place]) {
                start = place
                count += 1
            }
            ranks[Int(entries[place].atom)] = Int32(truncatingIfNeeded: start)
        }
        return count
    }

    /// Refines the classes by neighbors and configurations until they no longer change.
    ///
    /// - Returns: a signature of the result.
    private mutating func refine(_ fragment: [Int32], _ graph: borrowing MoleculeGraph) -> UInt64 {
        for atom in fragment { turns[Int(atom)] = 0 }
        var count = 0
        var signature: UInt64 = 0
        while true {
            entries.removeAll(keepingCapacity: true)
            for atom in fragment {
                let key = Self.surroundings(of: Int(atom), graph) {
                    UInt64(UInt32(bitPattern: ranks[Int($0)])) << 6 | $1
                }
                entries.append(Entry(rank: ranks[Int(atom)], key: key, minor: UInt64(turns[Int(atom)]), atom: atom))
            }
            let found = sortIntoClasses()
            if stepsLeft < 0 { return signature }
            if found > count {
                count = found
                continue
            }
            // Neighbors do not refine the classes any further, so use configurations now.
            signature = 0
            for entry in entries {
                signature &+= Self.mixed(
                    entry.key ^ Self.mixed(UInt64(UInt32(bitPattern: entry.rank)) << 8 | entry.minor))
            }
            var changes = false
            for atom in fragment {
                let turn = turn(of: Int(atom), graph)
                if turn != turns[Int(atom)] {
                    turns[Int(atom)] = turn
                    changes = true
                }
            }
            if !changes { return signature }
        }
    }

    /// Returns a hash of an atom's neighbors and the bonds to them, which does not depend on their order.
    ///
    /// - Parameter joined: returns a number for a neighbor and the kind of its bond.
    @inline(__always)
    static func surroundings(
        of atom: Int, _ graph: borrowing MoleculeGraph, _ joined: (_ neighbour: Int32, _ kind: UInt64) -> UInt64
    ) -> UInt64 {
        var sum: UInt64 = 0
        for place in graph.range(of: atom) {
            let neighbour = graph.neighbours[place]
            let edge = graph.edges[Int(neighbour.edge)]
            let kind = edge.order.kind(isAromatic: edge.isAromatic, beginsHere: Int(edge.from) == atom)
            sum &+= mixed(joined(neighbour.atom, kind))
        }
        return sum
    }

    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    // MARK: Configurations

    /// Returns the rotation direction of an atom's neighbors in class order, and the geometry of its double bonds.
    private func turn(of atom: Int, _ graph: borrowing MoleculeGraph) -> UInt8 {
        var turn: UInt8 = 0
        let range = graph.range(of: atom)
        if graph.centres[atom] != .none {
            let classes = range.map { ranks[Int(graph.neighbours[$0].atom)] }
            if Set(classes).count == classes.count {
                let isClockwise = isEvenPermutation(classes) == (graph.centres[atom] == .clockwise)
                turn = isClockwise ? 1 : 2
            }
        }
        for place in range where graph.geometries[Int(graph.neighbours[place].edge)].isKnown {
            let edge = graph.neighbours[place].edge
            let geometry = graph.geometries[Int(edge)]
            let (from, to) = (graph.edges[Int(edge)].from, graph.edges[Int(edge)].to)
            guard let first = lowest(at: from, besides: to, graph), let second = lowest(at: to, besides: from, graph)
            else {
                continue
            }
            let isTrans = geometry.isTrans != ((first != geometry.first) != (second != geometry.second))
            turn |= isTrans ? 4 : 8
        }
        return turn
    }

    /// Returns the neighbor with the lowest class at an end of a double bond, or `nil` if two neighbors share that
    /// class.
    private func lowest(at end: Int32, besides partner: Int32, _ graph: borrowing MoleculeGraph) -> Int32? {
        var found: Int32?
        var isTied = false
        for place in graph.range(of: Int(end)) {
            let atom = graph.neighbours[place].atom
            if atom == partner { continue }
            if let known = found, ranks[Int(known)] <= ranks[Int(atom)] {
                isTied = isTied || ranks[Int(known)] == ranks[Int(atom)]
                continue
            }
            (found, isTied) = (atom, false)
        }
        return isTied ? nil : found
    }

    // MARK: Ties

    /// Returns the classes with several atoms.
    private mutating func ties(in fragment: [Int32]) -> [[Int32]] {
        stepsLeft -= fragment.count
        let sorted = fragment.sorted { ranks[Int($0)] < ranks[Int($1)] }
        var ties: [[Int32]] = []
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, ranks[Int(sorted[end])] == ranks[Int(sorted[start])] { end += 1 }
            if end - start > 1 { ties.append(Array(sorted[start..<end])) }
            start = end
        }
        return ties
    }

    /// Separates one atom of a class. If possible, the choice of the atom makes a difference.
    private mutating func settle(_ ties: [[Int32]], of fragment: [Int32], _ graph: borrowing MoleculeGraph) {
        let plain = ties.filter { areInterchangeable($0, graph) }
        for tied in plain {
            for (place, atom) in tied.enumerated() { ranks[Int(atom)] += Int32(truncatingIfNeeded: place) }
        }
        if !plain.isEmpty { return }
        for atom in fragment { turns[Int(atom)] = turn(of: Int(atom), graph) }
        let open = fragment.filter { isUndetermined(Int($0), graph) }
        let isOpen = !open.isEmpty
        if isOpen, foresee(ties, besides: open, of: fragment, graph) { return }
        var first: [Int32]?
        for tied in ties where stepsLeft >= 0 {
            let (found, isSure) = lowest(of: tied, of: fragment, graph)
            if first == nil || isSure { first = found }
            if isSure || !isOpen { break }
        }
        guard let first else { return }
        for (place, atom) in fragment.enumerated() { ranks[Int(atom)] = first[place] }
    }

    /// Returns whether the configuration of an atom or one of its bonds is not determined by the current classes.
    private func isUndetermined(_ atom: Int, _ graph: borrowing MoleculeGraph) -> Bool {
        if graph.centres[atom] != .none, turns[atom] & 3 == 0 { return true }
        return turns[atom] & 12 == 0
            && graph.range(of: atom).contains { graph.geometries[Int(graph.neighbours[$0].edge)].isKnown }
    }

    /// Separates the atoms of some classes by the signatures that each choice would have.
    ///
    /// This applies to classes with two atoms next to an atom of undetermined configuration.
    ///
    /// - Returns: whether any atoms were separated.
    private mutating func foresee(
        _ ties: [[Int32]], besides open: [Int32], of fragment: [Int32], _ graph: borrowing MoleculeGraph
    ) -> Bool {
        var isConcerned = Set<Int32>()
        for atom in open {
            let classes = graph.range(of: Int(atom)).map { ranks[Int(graph.neighbours[$0].atom)] }
            for (place, rank) in classes.enumerated() where classes[..<place].contains(rank) {
                isConcerned.insert(rank)
            }
        }
        var told: [(atom: Int32, rank: Int32)] = []
        for tied in ties where isConcerned.contains(ranks[Int(tied[0])]) {
            var signatures: [(signature: UInt64, atom: Int32)] = []
            for atom in tied {
                // The result would depend on the atom order if only some signatures were known.
                if stepsLeft < 0 { return false }
                let near = atoms(near: atom, graph)
                let before = near.map { ranks[Int($0)] }
                for other in near where other != atom && ranks[Int(other)] == ranks[Int(atom)] {
                    ranks[Int(other)] += 1
                }
                signatures.append((refine(near, graph), atom))
                for (place, other) in near.enumerated() { ranks[Int(other)] = before[place] }
            }
            signatures.sort { $0.signature < $1.signature }
            var start = 0
            for place in signatures.indices.dropFirst() {
                if signatures[place].signature != signatures[place - 1].signature { start = place }
                if start > 0 { told.append((signatures[place].atom, Int32(truncatingIfNeeded: start))) }
            }
        }
        if told.isEmpty || stepsLeft < 0 { return false }
        for (atom, rank) in told { ranks[Int(atom)] += rank }
        _ = refine(fragment, graph)
        return true
    }

    /// Returns the atoms near an atom, far enough to include rings of common sizes.
    private mutating func atoms(near atom: Int32, _ graph: borrowing MoleculeGraph) -> [Int32] {
        var near = [atom]
        var isMet: Set<Int32> = [atom]
        var start = 0
        for _ in 0..<Self.farthest {
            let end = near.count
            for place in start..<end {
                for slot in graph.range(of: Int(near[place])) {
                    let other = graph.neighbours[slot].atom
                    if isMet.insert(other).inserted { near.append(other) }
                }
            }
            start = end
        }
        stepsLeft -= 4 * near.count
        return near
    }

    /// Returns the classes after separating the atom with the lowest signature.
    ///
    /// - Returns: the classes, and whether another atom has a higher signature.
    private mutating func lowest(
        of tied: [Int32], of fragment: [Int32], _ graph: borrowing MoleculeGraph
    ) -> (ranks: [Int32], isSure: Bool) {
        let before = fragment.map { ranks[Int($0)] }
        var best: (signature: UInt64, ranks: [Int32])?
        var isSure = false
        for atom in tied where best == nil || stepsLeft >= 0 {
            for other in tied where other != atom { ranks[Int(other)] += 1 }
            let signature = refine(fragment, graph)
            if let known = best, known.signature != signature { isSure = true }
            if best.map({ signature < $0.signature }) ?? true { best = (signature, fragment.map { ranks[Int($0)] }) }
            for (place, other) in fragment.enumerated() { ranks[Int(other)] = before[place] }
        }
        return (best?.ranks ?? before, isSure)
    }

    /// Returns whether the atoms are ends of chains at the same atom without a configuration. Their order has no
    /// effect.
    private func areInterchangeable(_ tied: [Int32], _ graph: borrowing MoleculeGraph) -> Bool {
        guard let first = tied.first, graph.vertices[Int(first)].degree == 1 else { return false }
        let hub = graph.neighbours[graph.range(of: Int(first)).lowerBound].atom
        if graph.centres[Int(hub)] != .none { return false }
        for place in graph.range(of: Int(hub)) where graph.geometries[Int(graph.neighbours[place].edge)].isKnown {
            return false
        }
        return tied.allSatisfy {
            graph.vertices[Int($0)].degree == 1 && graph.neighbours[graph.range(of: Int($0)).lowerBound].atom == hub
        }
    }
}

// MARK: Reordering

extension CanonicalOrder {
    /// Sorts each atom's neighbors by the canonical order, and chooses the double bonds of aromatic rings accordingly.
    func arrange(_ graph: inout MoleculeGraph) {
        for index in graph.vertices.indices {
            let range = graph.range(of: index)
            // A stereocenter has at most four neighbors.
            let old = graph.centres[index] == .none ? [] : graph.neighbours[range].map { ranks[Int($0.atom)] }
            graph.neighbours[range].sort { ranks[Int($0.atom)] < ranks[Int($1.atom)] }
            if !isEvenPermutation(old) { graph.centres[index] = graph.centres[index].opposite }
        }
        setDoubleBonds(of: &graph)
    }

    /// Pairs the atoms that have a double bond in aromatic rings again, in canonical order.
    private func setDoubleBonds(of graph: inout MoleculeGraph) {
        let fragments = graph.fragments
        let order = graph.vertices.indices.sorted { (fragments[$0], ranks[$0]) < (fragments[$1], ranks[$1]) }
        var places = [Int32](repeating: 0, count: order.count)
        for (place, atom) in order.enumerated() { places[atom] = Int32(truncatingIfNeeded: place) }
        var wants = [Matching.Rank](repeating: .absent, count: order.count)
        for edge in graph.edges where edge.isAromatic && edge.order == .double {
            wants[Int(places[Int(edge.from)])] = .demanding
            wants[Int(places[Int(edge.to)])] = .demanding
        }
        if !wants.contains(.demanding) { return }
        let aromatic = graph.edges.indices.filter { graph.edges[$0].isAromatic }
        var pairs = aromatic.map { index in
            let (one, other) = (places[Int(graph.edges[index].from)], places[Int(graph.edges[index].to)])
            return (min(one, other), max(one, other))
        }
        pairs.sort { $0 < $1 }
        var matching = Matching(wants, edges: pairs)
        matching.fill()
        for index in aromatic {
            let edge = graph.edges[index]
            let isPair = matching.takePair(places[Int(edge.from)], places[Int(edge.to)])
            graph.edges[index].order = isPair ? .double : .single
        }
    }
}
