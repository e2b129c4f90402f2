/// Which records of one file are those of another: found by their keys, wherever they stand.
///
/// The longest chain of pairs that stand in the same order in both files stays where it is; the other pairs have moved.
struct Alignment {
    /// For each record of the first file its partner in the second one; `nobody` where there is none.
    private(set) var partners: [Int32]
    /// The other way round.
    private(set) var partnersOfSecond: [Int32]
    /// Whether a record of the first file stands in another order in the second one.
    private(set) var isMoved: [Bool]

    static let nobody: Int32 = -1

    /// Pairs records of the same key, the first with the first where several have it.
    ///
    /// - Parameter pairingRest: records between the same neighbours are paired as they come, where their keys are others.
    init(_ first: [UInt64], _ second: [UInt64], pairingRest: Bool) {
        partners = Array(repeating: Self.nobody, count: first.count)
        partnersOfSecond = Array(repeating: Self.nobody, count: second.count)
        isMoved = Array(repeating: false, count: first.count)
        pairByKey(first, second)
        findMoves()
        if pairingRest { pairRest() }
    }

    /// Adds a pair; `findMoves` has to follow.
    mutating func pair(_ one: Int, _ other: Int) {
        partners[one] = Int32(truncatingIfNeeded: other)
        partnersOfSecond[other] = Int32(truncatingIfNeeded: one)
    }

    /// Takes the pair of a record of the first file apart.
    mutating func unpair(_ one: Int) {
        guard partners[one] != Self.nobody else { return }
        partnersOfSecond[Int(partners[one])] = Self.nobody
        partners[one] = Self.nobody
        findMoves()
    }

    private mutating func pairByKey(_ first: [UInt64], _ second: [UInt64]) {
        var start = 0
        while start < min(first.count, second.count), first[start] == second[start] {
            pair(start, start)
            start += 1
        }
        // The records of the second file with a key: the first of them, and behind each one the next.
        var places: [UInt64: Int32] = [:]
        var next = Array(repeating: Self.nobody, count: second.count)
        for other in stride(from: second.count - 1, through: start, by: -1) {
            next[other] = places[second[other]] ?? Self.nobody
            places[second[other]] = Int32(truncatingIfNeeded: other)
        }
        for one in start..<max(start, first.count) {
            guard let other = places[first[one]], other != Self.nobody else { continue }
            places[first[one]] = next[Int(other)]
            pair(one, Int(other))
        }
    }

    /// Marks the pairs outside of the longest chain that is in order in both files.
    mutating func findMoves() {
        isMoved = Array(repeating: false, count: partners.count)
        let paired = partners.indices.filter { partners[$0] != Self.nobody }
        if zip(paired, paired.dropFirst()).allSatisfy({ partners[$0] < partners[$1] }) { return }
        // The last pair of the best chain of each length, and before each pair the one that its chain comes from.
        var ends: [Int] = []
        var before = Array(repeating: -1, count: partners.count)
        for one in paired {
            let length = ends.partitioningIndex { partners[$0] > partners[one] }
            if length > 0 { before[one] = ends[length - 1] }
            if length == ends.count { ends.append(one) } else { ends[length] = one }
        }
        for one in paired { isMoved[one] = true }
        // A chain of one record is no order that others could have left.
        guard ends.count > 1, var one = ends.last else { return }
        while one >= 0 {
            isMoved[one] = false
            one = before[one]
        }
    }

    private mutating func pairRest() {
        var (one, other) = (0, 0)
        while one < partners.count, other < partnersOfSecond.count {
            if isMoved[one] {
                one += 1
            } else if isMovedHere(other) {
                other += 1
            } else {
                let (isPaired, isOtherPaired) = (partners[one] != Self.nobody, partnersOfSecond[other] != Self.nobody)
                if !isPaired, !isOtherPaired { pair(one, other) }
                // Beside a pair a record without a partner is passed alone, and any others together.
                if !isPaired || isOtherPaired { one += 1 }
                if !isOtherPaired || isPaired { other += 1 }
            }
        }
    }

    /// Whether a record of the second file has moved there.
    func isMovedHere(_ other: Int) -> Bool {
        partnersOfSecond[other] != Self.nobody && isMoved[Int(partnersOfSecond[other])]
    }
}

extension Array {
    /// The first index whose element is so, in an array in which all elements behind one that is so are so too.
    func partitioningIndex(where isSo: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
