import ChemopenModel

/// A tentative pairing of the atoms of two versions of a structure. It grows along bonds.
struct AtomPairing {
    /// The partner of each atom, or -1.
    private(set) var partners: [Int32]
    private(set) var partnersOfSecond: [Int32]
    private let one: AlignmentSide
    private let other: AlignmentSide
    private let drawings: ComparedDrawings?
    private(set) var placement = Placement.same
    /// Whether most of the paired atoms are at the same positions. If not, the structure was drawn again, and positions
    /// do not identify its atoms.
    private var isPlaced = true
    /// The atoms whose neighbors have not been examined.
    private var queue: [Int32] = []

    /// The maximum number of neighbors, or of similar atoms, among which the best pair is chosen. If there are more,
    /// they are paired in their order.
    private static let mostCompared = 16

    init(_ one: AlignmentSide, _ other: AlignmentSide, _ drawings: ComparedDrawings?) {
        (self.one, self.other, self.drawings) = (one, other, drawings)
        partners = Array(repeating: -1, count: one.plain.count)
        partnersOfSecond = Array(repeating: -1, count: other.plain.count)
    }

    private mutating func pair(_ atom: Int, _ partner: Int) {
        guard partners[atom] < 0, partnersOfSecond[partner] < 0 else { return }
        partners[atom] = Int32(clamping: partner)
        partnersOfSecond[partner] = Int32(clamping: atom)
        queue.append(Int32(clamping: atom))
    }

    private mutating func queueAll() {
        queue = partners.indices.filter { partners[$0] >= 0 }.map { Int32(clamping: $0) }
    }

    var isComplete: Bool { !partners.contains(-1) && !partnersOfSecond.contains(-1) }

    // MARK: Hypotheses

    /// Pairs atoms of the same element that have the same number.
    mutating func pairByNumber() {
        var places: [Int32: Int] = [:]
        for (place, number) in other.numbers.enumerated() where places[number] == nil { places[number] = place }
        for (place, number) in one.numbers.enumerated() {
            if let partner = places[number], one.plain[place] == other.plain[partner] { pair(place, partner) }
        }
    }

    /// Pairs atoms of the same element at the same position.
    mutating func pairByPosition(_ placement: Placement, within tolerance: Double) {
        guard let drawings else { return }
        let grid = PositionGrid(drawings.other, cell: tolerance * drawings.bondLength * placement.scale)
        for place in one.plain.indices {
            let partner = grid.nearest(to: placement.moved(drawings.one[place])) {
                partnersOfSecond[$0] < 0 && one.plain[place] == other.plain[$0]
            }
            if let partner { pair(place, partner) }
        }
        self.placement = placement
    }

    /// Pairs atoms by their surroundings, largest radius first. Surroundings that occur more than once are paired by
    /// position, then in their order.
    mutating func pairBySurroundings() {
        for (rounds, others) in [(one.richRounds, other.richRounds), (one.plainRounds, other.plainRounds)] {
            let last = min(rounds.count, others.count) - 1
            if last < 0 { continue }
            for radius in stride(from: last, through: 0, by: -1) {
                pairUnique(rounds[radius], others[radius])
                grow(rounds, others, separatingTies: false)
            }
            findPlacement()
            queueAll()
            grow(rounds, others, separatingTies: true)
            pairTies(rounds, others, last)
            findPlacement()
        }
    }

    private mutating func pairUnique(_ colors: [UInt64], _ others: [UInt64]) {
        Self.forEachClass(unpaired(partners, colors), unpaired(partnersOfSecond, others)) { old, new in
            if old.count == 1, new.count == 1 { pair(Int(old[old.startIndex].1), Int(new[new.startIndex].1)) }
        }
    }

    private typealias Colored = (UInt64, Int32)

    private func unpaired(_ partners: [Int32], _ colors: [UInt64]) -> [Colored] {
        var list: [Colored] = []
        for atom in partners.indices where partners[atom] < 0 { list.append((colors[atom], Int32(clamping: atom))) }
        list.sort { $0 < $1 }
        return list
    }

    /// Calls a function for each color that occurs in both sorted lists.
    private static func forEachClass(
        _ old: [Colored], _ new: [Colored], _ body: (ArraySlice<Colored>, ArraySlice<Colored>) -> Void
    ) {
        var (start, otherStart) = (0, 0)
        while start < old.count, otherStart < new.count {
            let color = old[start].0
            if color < new[otherStart].0 {
                start += 1
            } else if color > new[otherStart].0 {
                otherStart += 1
            } else {
                var (end, otherEnd) = (start, otherStart)
                while end < old.count, old[end].0 == color { end += 1 }
                while otherEnd < new.count, new[otherEnd].0 == color { otherEnd += 1 }
                body(old[start..<end], new[otherStart..<otherEnd])
                (start, otherStart) = (end, otherEnd)
            }
        }
    }

    /// Pairs atoms whose surroundings are equal, but not unique. Each pair grows before the next one is chosen.
    private mutating func pairTies(_ rounds: [[UInt64]], _ others: [[UInt64]], _ radius: Int) {
        var classes: [([Int32], [Int32])] = []
        Self.forEachClass(unpaired(partners, rounds[radius]), unpaired(partnersOfSecond, others[radius])) { old, new in
            classes.append((old.map(\.1), new.map(\.1)))
        }
        classes.sort { ($0.0.count, $0.0[0]) < ($1.0.count, $1.0[0]) }
        for (old, new) in classes {
            var next = 0
            for atom in old where partners[Int(atom)] < 0 {
                while next < new.count, partnersOfSecond[Int(new[next])] >= 0 { next += 1 }
                if next == new.count { break }
                let candidates = new[next...].prefix(Self.mostCompared).filter { partnersOfSecond[Int($0)] < 0 }
                guard let partner = candidates.max(by: { rank(atom, $0) < rank(atom, $1) }) else { continue }
                pair(Int(atom), Int(partner))
                grow(rounds, others, separatingTies: true)
            }
        }
    }

    // MARK: Growth

    /// Pairs neighbors of paired atoms whose surroundings are equal.
    private mutating func grow(_ rounds: [[UInt64]], _ others: [[UInt64]], separatingTies: Bool) {
        var tied: [Int32] = []
        while true {
            while let atom = queue.popLast() {
                if !pairNeighbors(of: Int(atom), rounds, others, isChoosing: false) { tied.append(atom) }
            }
            guard separatingTies, let atom = tied.popLast() else { return queue.removeAll() }
            if !pairNeighbors(of: Int(atom), rounds, others, isChoosing: true) { tied.append(atom) }
        }
    }

    private func openNeighbors(of atom: Int) -> [Int32] {
        one.neighbors(of: atom).filter { partners[Int($0)] < 0 }
    }

    private func openNeighborsOfSecond(of atom: Int) -> [Int32] {
        other.neighbors(of: atom).filter { partnersOfSecond[Int($0)] < 0 }
    }

    /// Pairs the neighbors of an atom that have equal surroundings.
    ///
    /// - Parameter isChoosing: Whether to pair two atoms even if others have the same surroundings.
    /// - Returns: Whether no such atoms remain.
    private mutating func pairNeighbors(
        of atom: Int, _ rounds: [[UInt64]], _ others: [[UInt64]], isChoosing: Bool
    ) -> Bool {
        let (old, new) = (openNeighbors(of: atom), openNeighborsOfSecond(of: Int(partners[atom])))
        if old.isEmpty || new.isEmpty { return true }
        let isLarge = max(old.count, new.count) > Self.mostCompared
        var (left, leftOfSecond) = (old, new)
        var isSettled = true
        // Near an edited atom, only smaller surroundings are equal.
        let last = min(rounds.count, others.count) - 1
        for radius in Set([last, last / 2, 2, 1, 0]).filter({ $0 <= last }).sorted(by: >) {
            let colored = left.map { (rounds[radius][Int($0)], $0) }.sorted { $0 < $1 }
            let others = leftOfSecond.map { (others[radius][Int($0)], $0) }.sorted { $0 < $1 }
            var (taken, takenOfSecond): (Set<Int32>, Set<Int32>) = ([], [])
            var hasChosen = false
            Self.forEachClass(colored, others) { old, new in
                taken.formUnion(old.map(\.1))
                takenOfSecond.formUnion(new.map(\.1))
                if old.count == 1 && new.count == 1 || isLarge && isChoosing {
                    for (one, other) in zip(old, new) { pair(Int(one.1), Int(other.1)) }
                } else if isChoosing, !hasChosen {
                    hasChosen = true
                    isSettled = false
                    let best = old.flatMap { one in new.map { other in (one.1, other.1) } }.max {
                        rank($0.0, $0.1) < rank($1.0, $1.1)
                    }
                    if let best { pair(Int(best.0), Int(best.1)) }
                } else {
                    isSettled = false
                }
            }
            left.removeAll { taken.contains($0) }
            leftOfSecond.removeAll { takenOfSecond.contains($0) }
            if left.isEmpty || leftOfSecond.isEmpty || hasChosen { break }
        }
        return isSettled
    }

    /// Rates a pair of atoms with the same surroundings: by the number of common paired neighbors, by their distance,
    /// and by their numbers.
    private func rank(_ atom: Int32, _ partner: Int32) -> (Int, Double, Int) {
        var distance = 0.0
        if let drawings {
            distance = placement.moved(drawings.one[Int(atom)]).distance(to: drawings.other[Int(partner)])
            distance = (distance / (drawings.bondLength * placement.scale) * 50).rounded()
        }
        return (
            agreements(Int(atom), Int(partner)), -distance,
            -abs(Int(one.numbers[Int(atom)]) - Int(other.numbers[Int(partner)]))
        )
    }

    private func agreements(_ atom: Int, _ partner: Int) -> Int {
        let around = other.neighbors(of: partner).prefix(Self.mostCompared)
        return one.neighbors(of: atom).prefix(Self.mostCompared).count { neighbor in
            let partner = partners[Int(neighbor)]
            return partner >= 0 && around.contains(partner)
        }
    }

    // MARK: Completion

    /// Pairs the remaining atoms, even if their elements differ: next to paired atoms, at the same positions, and with
    /// the same numbers.
    mutating func complete() {
        findPlacement()
        queueAll()
        while let atom = queue.popLast() { pairRemainingNeighbors(of: Int(atom)) }
        pairRemainingByPosition()
        while let atom = queue.popLast() { pairRemainingNeighbors(of: Int(atom)) }
        if drawings == nil || !isPlaced, one.plain.count == other.plain.count {
            for atom in partners.indices where partners[atom] < 0 && partnersOfSecond[atom] < 0 {
                let isHydrogen = one.isHydrogen[atom] || other.isHydrogen[atom]
                if one.degree(of: atom) == other.degree(of: atom), !isHydrogen { pair(atom, atom) }
            }
        }
        queue.removeAll()
        findPlacement()
    }

    private mutating func pairRemainingNeighbors(of atom: Int) {
        while true {
            let (old, new) = (openNeighbors(of: atom), openNeighborsOfSecond(of: Int(partners[atom])))
            if old.isEmpty || new.isEmpty { return }
            if max(old.count, new.count) > Self.mostCompared {
                let colored = (old.map { (one.plain[Int($0)], $0) }, new.map { (other.plain[Int($0)], $0) })
                Self.forEachClass(colored.0.sorted { $0 < $1 }, colored.1.sorted { $0 < $1 }) { old, new in
                    for (one, other) in zip(old, new) { pair(Int(one.1), Int(other.1)) }
                }
                return
            }
            let isSole = old.count == 1 && new.count == 1
            var best: (likeness: Int, old: Int32, new: Int32)?
            for one in old {
                for other in new {
                    let likeness = likeness(Int(one), Int(other), isSole: isSole)
                    if likeness > best?.likeness ?? 0 { best = (likeness, one, other) }
                }
            }
            guard let best else { return }
            pair(Int(best.old), Int(best.new))
        }
    }

    /// Rates a pair of atoms next to paired atoms. It is 0 if they are not similar.
    private func likeness(_ atom: Int, _ partner: Int, isSole: Bool) -> Int {
        let isSame = one.plain[atom] == other.plain[partner]
        if one.isHydrogen[atom] != other.isHydrogen[partner], !isSole { return 0 }
        let isNear = isPlaced && drawings?.isNear(atom, partner, placement, within: 0.35) ?? false
        let isNumbered = one.numbers[atom] == other.numbers[partner]
        // In a drawing, another element at another position is another atom.
        guard isSame || isNear || (drawings == nil || !isPlaced) && (isSole || isNumbered) else { return 0 }
        var likeness = (isSame ? 80 : 1) + (isNear ? 60 : 0) + (isNumbered ? 30 : 0)
        likeness += min(8, agreements(atom, partner)) * 20
        if one.degree(of: atom) == other.degree(of: partner) { likeness += 10 }
        return likeness
    }

    private mutating func pairRemainingByPosition() {
        guard let drawings, isPlaced, partners.contains(-1), partnersOfSecond.contains(-1) else { return }
        let grid = PositionGrid(drawings.other, cell: 0.3 * drawings.bondLength * placement.scale)
        for isSame in [true, false] {
            for atom in partners.indices where partners[atom] < 0 {
                let partner = grid.nearest(to: placement.moved(drawings.one[atom])) {
                    partnersOfSecond[$0] < 0 && (!isSame || one.plain[atom] == other.plain[$0])
                }
                if let partner { pair(atom, partner) }
            }
        }
    }

    // MARK: Rating

    private mutating func findPlacement() {
        guard let drawings else { return }
        var ratios: [Double] = []
        let bonds = Set(other.molecule.bonds.map(Self.ends))
        for bond in one.molecule.bonds {
            guard let ends = paired(bond), bonds.contains(ends) else { continue }
            let before = drawings.one[Int(bond.from)].distance(to: drawings.one[Int(bond.to)])
            let after = drawings.other[Int(partners[Int(bond.from)])].distance(
                to: drawings.other[Int(partners[Int(bond.to)])])
            if before > 0, after > 0 { ratios.append(after / before) }
        }
        placement = drawings.placement(of: partners, ratios)
        let paired = partners.indices.filter { partners[$0] >= 0 }
        let near = paired.count { drawings.isNear($0, Int(partners[$0]), placement, within: 0.35) }
        isPlaced = 2 * near >= paired.count
    }

    private static func ends(_ bond: Bond) -> UInt64 {
        UInt64(UInt32(bitPattern: min(bond.from, bond.to))) << 32 | UInt64(UInt32(bitPattern: max(bond.from, bond.to)))
    }

    /// Returns the ends of the bond between the partners of a bond's atoms.
    private func paired(_ bond: Bond) -> UInt64? {
        guard partners.indices.contains(Int(bond.from)), partners.indices.contains(Int(bond.to)) else { return nil }
        let (from, to) = (partners[Int(bond.from)], partners[Int(bond.to)])
        return from < 0 || to < 0 ? nil : Self.ends(Bond(from: from, to: to, .single))
    }

    /// Returns the quality of the pairing: the number of atoms and bonds that it preserves.
    ///
    /// The structures are passed again, because their surroundings are explored only if necessary.
    func score(_ one: AlignmentSide, _ other: AlignmentSide) -> Int {
        var score = 0
        for atom in partners.indices where partners[atom] >= 0 {
            let partner = Int(partners[atom])
            score += one.plain[atom] == other.plain[partner] ? 6 : 1
            if let rich = one.richRounds.first, let others = other.richRounds.first, rich[atom] == others[partner] {
                score += 2
            }
            if one.numbers[atom] == other.numbers[partner] { score += 1 }
            if drawings?.isNear(atom, partner, placement, within: 0.05) == true {
                score += placement == .same ? 4 : 2
            }
        }
        return score + 6 * keptBonds
    }

    private var keptBonds: Int {
        let bonds = Set(other.molecule.bonds.map(Self.ends))
        return one.molecule.bonds.count { bond in paired(bond).map(bonds.contains) ?? false }
    }

    /// Whether all atoms and bonds are paired, at the same positions.
    var isPerfect: Bool {
        guard isComplete, one.molecule.bonds.count == other.molecule.bonds.count else { return false }
        for atom in partners.indices {
            let partner = Int(partners[atom])
            if one.plain[atom] != other.plain[partner] { return false }
            if drawings?.isNear(atom, partner, placement, within: 0.05) == false { return false }
        }
        return keptBonds == one.molecule.bonds.count
    }
}
