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
    private var turns: [UInt32] = []

    /// The atoms of the fragment, sorted by class. The atoms of a class start at the index that is the rank of the
    /// class.
    private var order: [Int32] = []
    /// The number of atoms in each class, at the index where the class starts.
    private var lengths: [Int32] = []
    /// The ranks of the classes to examine in the next round of the refinement, without duplicates.
    private var affected: [Int32] = []
    private var isAffected: [Bool] = []
    /// The atoms that have a configuration or a bond with a configuration.
    private var configured: [Int32] = []
    /// The atoms that the current round has moved to other classes.
    private var moved: [Int32] = []

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
        turns = [UInt32](repeating: 0, count: graph.vertices.count)
        for fragment in Self.fragments(of: graph) {
            beginClasses(fragment, graph, molecule, marks)
            _ = refine(graph)
            tellRegularApart(fragment, graph)
            while true {
                let ties = ties(in: fragment)
                if ties.isEmpty { break }
                if stepsLeft < 0 {
                    isBounded = true
                    keepOrder(of: fragment)
                    break
                }
                settle(ties, of: fragment, graph)
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
        configured.removeAll(keepingCapacity: true)
        for atom in fragment {
            if isConfigured(Int(atom), graph) { configured.append(atom) }
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
        placeByRank(fragment)
        affectAll()
    }

    private func isConfigured(_ atom: Int, _ graph: borrowing MoleculeGraph) -> Bool {
        graph.centers[atom] != .none || graph.coordination(of: atom) != nil
            || graph.range(of: atom).contains { graph.geometries[Int(graph.neighbors[$0].edge)].isKnown }
    }

    /// Sorts the atoms of the fragment into `order` by rank.
    private mutating func placeByRank(_ fragment: [Int32]) {
        order.fill(with: -1, count: fragment.count)
        lengths.fill(with: 0, count: fragment.count)
        if isAffected.count < fragment.count { isAffected.fill(with: false, count: fragment.count) }
        for atom in fragment {
            let start = Int(ranks[Int(atom)])
            order[start + Int(lengths[start])] = atom
            lengths[start] += 1
        }
    }

    /// Marks a class for the next round, if it has several atoms.
    private mutating func affect(_ rank: Int32) {
        if lengths[Int(rank)] < 2 || isAffected[Int(rank)] { return }
        isAffected[Int(rank)] = true
        affected.append(rank)
    }

    private mutating func affectAll() {
        var start: Int32 = 0
        while Int(start) < order.count {
            affect(start)
            start += lengths[Int(start)]
        }
    }

    /// Marks the classes of an atom's neighbors for the next round.
    private mutating func affectNeighbors(of atom: Int32, _ graph: borrowing MoleculeGraph) {
        for place in graph.range(of: Int(atom)) { affect(ranks[Int(graph.neighbors[place].atom)]) }
    }

    private mutating func forgetAffected() {
        for rank in affected { isAffected[Int(rank)] = false }
        affected.removeAll(keepingCapacity: true)
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

    /// Refines the classes as far as possible, by the classes of neighbors and by configurations. Examines the marked
    /// classes, then the classes next to atoms that were moved.
    ///
    /// - Returns: a signature of the resulting classes.
    private mutating func refine(_ graph: borrowing MoleculeGraph) -> UInt64 {
        for atom in configured { turns[Int(atom)] = 0 }
        while stepsLeft >= 0 {
            if !affected.isEmpty {
                splitAffected(graph)
                continue
            }
            // The neighbors do not distinguish further atoms, so continue with the configurations.
            for atom in configured {
                let turn = turn(of: Int(atom), graph)
                if turn == turns[Int(atom)] { continue }
                turns[Int(atom)] = turn
                affect(ranks[Int(atom)])
            }
            if affected.isEmpty { return signature(graph) }
        }
        forgetAffected()
        return 0
    }

    /// Performs one round: splits the marked classes by the classes that the neighbors have at its start.
    private mutating func splitAffected(_ graph: borrowing MoleculeGraph) {
        let classes = affected
        forgetAffected()
        entries.removeAll(keepingCapacity: true)
        for rank in classes {
            for place in Int(rank)..<Int(rank + lengths[Int(rank)]) {
                entries.append(entry(of: order[place], graph))
            }
        }
        moved.removeAll(keepingCapacity: true)
        var first = 0
        for rank in classes {
            let count = Int(lengths[Int(rank)])
            Self.sort(&entries, first..<first + count)
            split(rank, entriesFrom: first, count: count)
            first += count
        }
        for atom in moved { affectNeighbors(of: atom, graph) }
    }

    private mutating func entry(of atom: Int32, _ graph: borrowing MoleculeGraph) -> Entry {
        let key = Self.surroundings(of: Int(atom), graph) { UInt64(UInt32(bitPattern: ranks[Int($0)])) << 6 | $1 }
        stepsLeft -= 4 + graph.vertices[Int(atom)].degree
        return Entry(rank: ranks[Int(atom)], key: key, minor: UInt64(turns[Int(atom)]), atom: atom)
    }

    /// Splits a class into classes of equal entries. The entries must be sorted.
    private mutating func split(_ rank: Int32, entriesFrom first: Int, count: Int) {
        var begin = rank
        for offset in 0..<count {
            let place = rank + Int32(truncatingIfNeeded: offset)
            let entry = entries[first + offset]
            if offset > 0, !Entry.isAlike(entries[first + offset - 1], entry) {
                lengths[Int(begin)] = place - begin
                begin = place
            }
            order[Int(place)] = entry.atom
            if begin != rank {
                ranks[Int(entry.atom)] = begin
                moved.append(entry.atom)
            }
        }
        lengths[Int(begin)] = rank + Int32(truncatingIfNeeded: count) - begin
    }

    /// Sorts a part of the entries. Uses insertion sort for few entries, which is the usual case.
    private static func sort(_ entries: inout [Entry], _ range: Range<Int>) {
        if range.count > 12 { return entries[range].sort(by: Entry.isBefore) }
        for place in range.dropFirst() {
            let entry = entries[place]
            var there = place
            while there > range.lowerBound, Entry.isBefore(entry, entries[there - 1]) {
                entries[there] = entries[there - 1]
                there -= 1
            }
            entries[there] = entry
        }
    }

    /// Returns a hash of the current classes that does not depend on the order of the atoms.
    private mutating func signature(_ graph: borrowing MoleculeGraph) -> UInt64 {
        var signature: UInt64 = 0
        for atom in order {
            let entry = entry(of: atom, graph)
            signature &+= Self.mixed(
                entry.key ^ Self.mixed(UInt64(UInt32(bitPattern: entry.rank)) << 8 | entry.minor))
        }
        return signature
    }

    /// Refines the classes of some atoms only, with ranks among these atoms. Returns a signature.
    private mutating func refine(_ some: [Int32], _ graph: borrowing MoleculeGraph) -> UInt64 {
        for atom in some { turns[Int(atom)] = 0 }
        var count = 0
        var signature: UInt64 = 0
        while true {
            entries.removeAll(keepingCapacity: true)
            for atom in some { entries.append(entry(of: atom, graph)) }
            let found = sortIntoClasses()
            if stepsLeft < 0 { return signature }
            if found > count {
                count = found
                continue
            }
            signature = 0
            for entry in entries {
                signature &+= Self.mixed(
                    entry.key ^ Self.mixed(UInt64(UInt32(bitPattern: entry.rank)) << 8 | entry.minor))
            }
            var changes = false
            for atom in some {
                let turn = turn(of: Int(atom), graph)
                if turn != turns[Int(atom)] {
                    turns[Int(atom)] = turn
                    changes = true
                }
            }
            if !changes { return signature }
        }
    }

    /// The minimum number of similar atoms in a fragment for examining their surroundings.
    private static let fewestRegular = 24
    /// The maximum number of bonds in the surroundings of an atom.
    private static let mostNearBonds = 400

    /// Separates similar atoms by their surroundings if there are many of them. In a regular graph, in which all atoms
    /// have the same number of neighbors, the classes of neighbors do not distinguish any atoms.
    private mutating func tellRegularApart(_ fragment: [Int32], _ graph: borrowing MoleculeGraph) {
        var tied: [Int32] = []
        for atom in order where lengths[Int(ranks[Int(atom)])] > 1 { tied.append(atom) }
        if tied.count < Self.fewestRegular || tied.count > stepsLeft / (16 * Self.mostNearBonds) { return }
        var layers = AtomLayers(atomCount: graph.vertices.count)
        var keys = [UInt64](repeating: 0, count: graph.vertices.count)
        for atom in tied {
            keys[Int(atom)] = layers.key(from: atom, graph, ranks, mostBonds: Self.mostNearBonds, steps: &stepsLeft)
        }
        entries.removeAll(keepingCapacity: true)
        for atom in fragment { entries.append(Entry(rank: ranks[Int(atom)], key: keys[Int(atom)], atom: atom)) }
        let before = order.indices.count { lengths[$0] > 0 && $0 == Int(ranks[Int(order[$0])]) }
        if sortIntoClasses() == before { return }
        placeByRank(fragment)
        affectAll()
        _ = refine(graph)
    }

    /// Returns a hash of an atom's neighbors and the bonds to them, which does not depend on their order.
    ///
    /// - Parameter joined: returns a number for a neighbor and the kind of its bond.
    @inline(__always)
    static func surroundings(
        of atom: Int, _ graph: borrowing MoleculeGraph, _ joined: (_ neighbor: Int32, _ kind: UInt64) -> UInt64
    ) -> UInt64 {
        var sum: UInt64 = 0
        for place in graph.range(of: atom) {
            let neighbor = graph.neighbors[place]
            let edge = graph.edges[Int(neighbor.edge)]
            let kind = edge.order.kind(isAromatic: edge.isAromatic, beginsHere: Int(edge.from) == atom)
            sum &+= mixed(joined(neighbor.atom, kind))
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
    private func turn(of atom: Int, _ graph: borrowing MoleculeGraph) -> UInt32 {
        var turn: UInt32 = 0
        let range = graph.range(of: atom)
        if graph.centers[atom] != .none {
            let classes = range.map { ranks[Int(graph.neighbors[$0].atom)] }
            if classes.indices.allSatisfy({ !classes[..<$0].contains(classes[$0]) }) {
                let isClockwise = isEvenPermutation(classes) == (graph.centers[atom] == .clockwise)
                turn = isClockwise ? 1 : 2
            }
        }
        for place in range where graph.geometries[Int(graph.neighbors[place].edge)].isKnown {
            let edge = graph.neighbors[place].edge
            let geometry = graph.geometries[Int(edge)]
            let (from, to) = (graph.edges[Int(edge)].from, graph.edges[Int(edge)].to)
            guard let first = lowest(at: from, besides: to, graph), let second = lowest(at: to, besides: from, graph)
            else {
                continue
            }
            let isTrans = geometry.isTrans != ((first != geometry.first) != (second != geometry.second))
            turn |= isTrans ? 4 : 8
        }
        if let coordination = graph.coordination(of: atom) { turn |= self.turn(of: coordination) }
        return turn
    }

    /// Returns a hash of the classes at the corners of a configuration, in the higher bits.
    private func turn(of coordination: Coordination) -> UInt32 {
        let classes = coordination.signature { atom in
            ranks.indices.contains(Int(atom)) ? UInt64(UInt32(bitPattern: ranks[Int(atom)])) : UInt64(atom)
        }
        let hash = classes.reduce(UInt64(coordination.shape.rawValue)) { Self.mixed($0 ^ $1) }
        return UInt32(truncatingIfNeeded: hash) << 4
    }

    /// Returns the neighbor with the lowest class at an end of a double bond, or `nil` if two neighbors share that
    /// class.
    private func lowest(at end: Int32, besides partner: Int32, _ graph: borrowing MoleculeGraph) -> Int32? {
        var found: Int32?
        var isTied = false
        for place in graph.range(of: Int(end)) {
            let atom = graph.neighbors[place].atom
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
        var ties: [[Int32]] = []
        var start = 0
        while start < order.count {
            let end = start + max(1, Int(lengths[start]))
            if end - start > 1 { ties.append(Array(order[start..<end])) }
            start = end
        }
        return ties
    }

    /// Separates one atom of a class. A class in which the choice of the atom makes a difference is preferred.
    private mutating func settle(_ ties: [[Int32]], of fragment: [Int32], _ graph: borrowing MoleculeGraph) {
        let plain = ties.filter { areInterchangeable($0, graph) }
        for tied in plain {
            for (place, atom) in tied.enumerated() {
                ranks[Int(atom)] += Int32(truncatingIfNeeded: place)
                lengths[Int(ranks[Int(atom)])] = 1
            }
            // The refinement after the next choice also examines the atom to which they are bonded.
            affectNeighbors(of: tied[0], graph)
        }
        if !plain.isEmpty { return }
        for atom in configured { turns[Int(atom)] = turn(of: Int(atom), graph) }
        let open = configured.filter { isUndetermined(Int($0), graph) }
        let isOpen = !open.isEmpty
        if isOpen, foresee(ties, besides: open, of: fragment, graph) { return }
        var first: Classes?
        for tied in ties where stepsLeft >= 0 {
            let (found, isSure) = lowest(of: tied, graph)
            if first == nil || isSure { first = found }
            if isSure || !isOpen { break }
        }
        guard let first else { return }
        take(first)
        forgetAffected()
    }

    /// A snapshot of the fragment's classes.
    private struct Classes {
        let order: [Int32]
        let ranks: [Int32]
        let lengths: [Int32]
    }

    private var classes: Classes { Classes(order: order, ranks: order.map { ranks[Int($0)] }, lengths: lengths) }

    private mutating func take(_ classes: Classes) {
        for place in order.indices {
            order[place] = classes.order[place]
            lengths[place] = classes.lengths[place]
            ranks[Int(classes.order[place])] = classes.ranks[place]
        }
    }

    /// Returns whether the configuration of an atom or one of its bonds is not determined by the current classes.
    private func isUndetermined(_ atom: Int, _ graph: borrowing MoleculeGraph) -> Bool {
        if graph.centers[atom] != .none, turns[atom] & 3 == 0 { return true }
        if let coordination = graph.coordination(of: atom) {
            let classes = coordination.corners.filter { $0 < Coordination.vacancy }.map { ranks[Int($0)] }
            if Set(classes).count < classes.count { return true }
        }
        return turns[atom] & 12 == 0
            && graph.range(of: atom).contains { graph.geometries[Int(graph.neighbors[$0].edge)].isKnown }
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
            let classes = graph.range(of: Int(atom)).map { ranks[Int(graph.neighbors[$0].atom)] }
            for (place, rank) in classes.enumerated() where classes[..<place].contains(rank) {
                isConcerned.insert(rank)
            }
        }
        var told: [(atom: Int32, rank: Int32)] = []
        for tied in ties where isConcerned.contains(ranks[Int(tied[0])]) {
            var signatures: [(signature: UInt64, atom: Int32)] = []
            for atom in tied {
                // If only some signatures were known, the result would depend on the atom order.
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
        placeByRank(fragment)
        affectAll()
        _ = refine(graph)
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
                    let other = graph.neighbors[slot].atom
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
        of tied: [Int32], _ graph: borrowing MoleculeGraph
    ) -> (classes: Classes, isSure: Bool) {
        let before = classes
        let affectedBefore = affected
        var best: (signature: UInt64, classes: Classes)?
        var isSure = false
        for atom in tied where best == nil || stepsLeft >= 0 {
            setApart(atom, of: tied, graph)
            let signature = refine(graph)
            if let known = best, known.signature != signature { isSure = true }
            if best.map({ signature < $0.signature }) ?? true { best = (signature, classes) }
            stepsLeft -= order.count
            take(before)
            forgetAffected()
            for rank in affectedBefore { affect(rank) }
        }
        return (best?.classes ?? before, isSure)
    }

    /// Moves an atom from its class to a new class before it.
    private mutating func setApart(_ atom: Int32, of tied: [Int32], _ graph: borrowing MoleculeGraph) {
        let rank = ranks[Int(atom)]
        guard let place = order[Int(rank)..<Int(rank) + tied.count].firstIndex(of: atom) else { return }
        order.swapAt(Int(rank), place)
        lengths[Int(rank)] = 1
        lengths[Int(rank) + 1] = Int32(truncatingIfNeeded: tied.count - 1)
        for other in tied where other != atom { ranks[Int(other)] += 1 }
        for other in tied where other != atom { affectNeighbors(of: other, graph) }
    }

    /// Returns whether the atoms are ends of chains at the same atom without a configuration. Their order has no
    /// effect.
    private func areInterchangeable(_ tied: [Int32], _ graph: borrowing MoleculeGraph) -> Bool {
        guard let first = tied.first, graph.vertices[Int(first)].degree == 1 else { return false }
        let hub = graph.neighbors[graph.range(of: Int(first)).lowerBound].atom
        if graph.centers[Int(hub)] != .none || graph.coordination(of: Int(hub)) != nil { return false }
        for place in graph.range(of: Int(hub)) where graph.geometries[Int(graph.neighbors[place].edge)].isKnown {
            return false
        }
        return tied.allSatisfy {
            graph.vertices[Int($0)].degree == 1 && graph.neighbors[graph.range(of: Int($0)).lowerBound].atom == hub
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
            let old = graph.centers[index] == .none ? [] : graph.neighbors[range].map { ranks[Int($0.atom)] }
            graph.neighbors[range].sort { ranks[Int($0.atom)] < ranks[Int($1.atom)] }
            if !isEvenPermutation(old) { graph.centers[index] = graph.centers[index].opposite }
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
