/// An alignment of the records of two files by their keys, regardless of their positions.
///
/// The pairs in the longest sequence with the same order in both files are not moved; all other pairs are.
package struct Alignment {
    /// The partner in the second file for each record of the first file, or `nobody`.
    package private(set) var partners: [Int32]
    /// The partner in the first file for each record of the second file, or `nobody`.
    package private(set) var partnersOfSecond: [Int32]
    /// Whether each record of the first file has moved.
    private(set) var isMoved: [Bool]

    package static let nobody: Int32 = -1

    /// Pairs records with the same key. If several records have the same key, they are paired in their order.
    ///
    /// - Parameter pairingRest: Whether to pair the remaining records between the same neighbors in their order.
    package init(_ first: [UInt64], _ second: [UInt64], pairingRest: Bool) {
        partners = Array(repeating: Self.nobody, count: first.count)
        partnersOfSecond = Array(repeating: Self.nobody, count: second.count)
        isMoved = Array(repeating: false, count: first.count)
        pairByKey(first, second)
        findMoves()
        if pairingRest { pairRest() }
    }

    /// Adds a pair. Call `findMoves` afterwards.
    package mutating func pair(_ one: Int, _ other: Int) {
        partners[one] = Int32(truncatingIfNeeded: other)
        partnersOfSecond[other] = Int32(truncatingIfNeeded: one)
    }

    /// Removes the pair of a record of the first file.
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
        // A linked list of the records of the second file for each key: the first record, and for each record the next
        // one.
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

    /// Marks the pairs outside the longest sequence with the same order in both files.
    package mutating func findMoves() {
        isMoved = Array(repeating: false, count: partners.count)
        let paired = partners.indices.filter { partners[$0] != Self.nobody }
        if zip(paired, paired.dropFirst()).allSatisfy({ partners[$0] < partners[$1] }) { return }
        // The last pair of the best sequence of each length, and the predecessor of each pair in its sequence.
        var ends: [Int] = []
        var before = Array(repeating: -1, count: partners.count)
        for one in paired {
            let length = ends.partitioningIndex { partners[$0] > partners[one] }
            if length > 0 { before[one] = ends[length - 1] }
            if length == ends.count { ends.append(one) } else { ends[length] = one }
        }
        for one in paired { isMoved[one] = true }
        // A single pair has no order to preserve. If the longest sequence is a single pair, all pairs have moved.
        guard ends.count > 1, var one = ends.last else { return }
        while one >= 0 {
            isMoved[one] = false
            one = before[one]
        }
    }

    /// Pairs the remaining records between the same neighbors in their order.
    package mutating func pairRest() {
        var (one, other) = (0, 0)
        while one < partners.count, other < partnersOfSecond.count {
            if isMoved[one] {
                one += 1
            } else if isMovedHere(other) {
                other += 1
            } else {
                let (isPaired, isOtherPaired) = (partners[one] != Self.nobody, partnersOfSecond[other] != Self.nobody)
                if !isPaired, !isOtherPaired { pair(one, other) }
                // An unpaired record next to a paired one is skipped alone; otherwise both records are skipped.
                if !isPaired || isOtherPaired { one += 1 }
                if !isOtherPaired || isPaired { other += 1 }
            }
        }
    }

    /// Whether a record of the second file has moved.
    func isMovedHere(_ other: Int) -> Bool {
        partnersOfSecond[other] != Self.nobody && isMoved[Int(partnersOfSecond[other])]
    }
}

extension Array {
    /// Returns the first index that satisfies a predicate, in an array that is partitioned by the predicate.
    func partitioningIndex(where isSo: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
