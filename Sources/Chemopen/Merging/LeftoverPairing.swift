/// Pairs the records of the base and of one side that remain after pairing by key and by equal content.
struct LeftoverPairing {
    /// All pairs, including the new ones.
    private(set) var alignment: Alignment
    /// The records of the base whose partner may be wrong.
    private(set) var uncertain: Set<Int> = []
    private let old: [Int: RecordTraits]
    private let new: [Int: RecordTraits]

    /// The maximum number of pairs for which all combinations of two runs are compared, and the number of records to
    /// look ahead in longer runs.
    private static let (mostCompared, mostAhead) = (1 << 16, 8)

    /// - Parameters:
    ///   - old: The records of the base that can be paired.
    ///   - new: The records of the side that can be paired.
    init(_ alignment: Alignment, _ old: [Int: RecordTraits], _ new: [Int: RecordTraits]) {
        (self.alignment, self.old, self.new) = (alignment, old, new)
    }

    /// Pairs records with a key that is unique among the remaining records.
    mutating func pairUnique(
        _ oldKey: (Int) -> Int?, _ newKey: (Int) -> Int?, where accepts: (RecordTraits, RecordTraits) -> Bool
    ) {
        var places: [Int: (old: [Int], new: [Int])] = [:]
        for place in leftOld { if let key = oldKey(place) { places[key, default: ([], [])].old.append(place) } }
        for place in leftNew { if let key = newKey(place) { places[key, default: ([], [])].new.append(place) } }
        for (old, new) in places.values where old.count == 1 && new.count == 1 {
            guard let one = self.old[old[0]], let other = self.new[new[0]], accepts(one, other) else { continue }
            alignment.pair(old[0], new[0])
        }
        alignment.findMoves()
    }

    /// Pairs records with a trait that is unique among the remaining records.
    mutating func pairUnique(
        by trait: (RecordTraits) -> Int?, where accepts: (RecordTraits, RecordTraits) -> Bool = { _, _ in true }
    ) {
        let (old, new) = (old, new)
        pairUnique({ old[$0].flatMap(trait) }, { new[$0].flatMap(trait) }, where: accepts)
    }

    /// The unpaired records in their order.
    private var leftOld: [Int] { old.keys.filter { alignment.partners[$0] == Alignment.nobody }.sorted() }
    private var leftNew: [Int] { new.keys.filter { alignment.partnersOfSecond[$0] == Alignment.nobody }.sorted() }

    // MARK: Positions

    /// Pairs similar records between the same neighbors, in their order.
    mutating func pairByPosition() {
        var (one, other) = (0, 0)
        var (run, otherRun): ([Int], [Int]) = ([], [])
        while one < alignment.partners.count || other < alignment.partnersOfSecond.count {
            if one < alignment.partners.count, alignment.partners[one] == Alignment.nobody {
                run.append(one)
                one += 1
            } else if one < alignment.partners.count, alignment.isMoved[one] {
                one += 1
            } else if other < alignment.partnersOfSecond.count,
                alignment.partnersOfSecond[other] == Alignment.nobody
            {
                otherRun.append(other)
                other += 1
            } else if other < alignment.partnersOfSecond.count, alignment.isMovedHere(other) {
                other += 1
            } else {
                pair(run, otherRun)
                (run, otherRun) = ([], [])
                one += 1
                other += 1
            }
        }
        pair(run, otherRun)
    }

    private mutating func pair(_ run: [Int], _ otherRun: [Int]) {
        let (run, otherRun) = (run.filter { old[$0] != nil }, otherRun.filter { new[$0] != nil })
        if run.isEmpty || otherRun.isEmpty { return }
        let isShort = run.count <= Self.mostCompared / otherRun.count
        let pairs = isShort ? bestPairs(run, otherRun) : nearPairs(run, otherRun)
        for (one, other) in pairs {
            alignment.pair(one, other)
            // Whether no other record in the runs is an equally certain match.
            let isSole =
                run.count == otherRun.count
                || isShort && otherRun.allSatisfy { $0 == other || !isCertain(one, $0) }
                    && run.allSatisfy { $0 == one || !isCertain($0, other) }
            if !isCertain(one, other) || !isSole { uncertain.insert(one) }
        }
    }

    private func isCertain(_ one: Int, _ other: Int) -> Bool {
        guard let one = old[one], let other = new[other] else { return false }
        return one.isCertainly(other)
    }

    private func likeness(_ one: Int, _ other: Int) -> Int {
        guard let one = old[one], let other = new[other] else { return 0 }
        return one.likeness(other)
    }

    /// Returns the pairs with the largest total similarity whose order is the same in both runs.
    private func bestPairs(_ run: [Int], _ otherRun: [Int]) -> [(Int, Int)] {
        let width = otherRun.count + 1
        var best = Array(repeating: 0, count: (run.count + 1) * width)
        var likenesses = best
        for (row, one) in run.enumerated().reversed() {
            for (column, other) in otherRun.enumerated().reversed() {
                let cell = row * width + column
                likenesses[cell] = likeness(one, other)
                let paired = likenesses[cell] == 0 ? 0 : likenesses[cell] + best[cell + width + 1]
                best[cell] = max(paired, best[cell + 1], best[cell + width])
            }
        }
        var pairs: [(Int, Int)] = []
        var (row, column) = (0, 0)
        while row < run.count, column < otherRun.count {
            let cell = row * width + column
            if likenesses[cell] > 0, best[cell] == likenesses[cell] + best[cell + width + 1] {
                pairs.append((run[row], otherRun[column]))
                row += 1
                column += 1
            } else if best[cell] == best[cell + width] {
                row += 1
            } else {
                column += 1
            }
        }
        return pairs
    }

    /// Returns pairs for long runs: each record is paired with the next similar one.
    private func nearPairs(_ run: [Int], _ otherRun: [Int]) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (row, column) = (0, 0)
        while row < run.count, column < otherRun.count {
            let ahead = 0..<Self.mostAhead
            if likeness(run[row], otherRun[column]) > 0 {
                pairs.append((run[row], otherRun[column]))
                row += 1
                column += 1
            } else if let passed = ahead.first(where: {
                column + $0 < otherRun.count && likeness(run[row], otherRun[column + $0]) > 0
            }) {
                column += passed
            } else {
                row += 1
            }
        }
        return pairs
    }

    // MARK: Uncertain pairs

    /// The pairs that have moved or have different fields. They are uncertain if other records in the complete files
    /// have the same structure.
    var doubtful: [Int] {
        old.keys.filter { place in
            let partner = Int(alignment.partners[place])
            if partner == Int(Alignment.nobody) { return false }
            return alignment.isMoved[place] || !isCertain(place, partner)
        }
    }

    /// Marks doubtful pairs as uncertain if several records have the same structure. If a record of the pair has moved,
    /// all of these records are marked.
    ///
    /// - Parameters:
    ///   - all: All records of the base.
    ///   - allNew: All records of the side.
    mutating func doubt(_ all: [Int: RecordTraits], _ allNew: [Int: RecordTraits]) {
        let groups = Dictionary(grouping: all.keys) { all[$0]?.structure ?? 0 }
        let counts = Dictionary(grouping: allNew.values) { $0.structure ?? 0 }.mapValues(\.count)
        for place in doubtful {
            let structure = all[place]?.structure ?? 0
            let group = groups[structure] ?? []
            guard group.count > 1 || counts[structure] ?? 0 > 1 else { continue }
            uncertain.formUnion(alignment.isMoved[place] ? group : [place])
        }
    }
}
