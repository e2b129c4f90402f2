/// The merged order of the base records that both sides still have.
///
/// The order of two records is reversed if one of the sides has reversed it. If these exchanges contradict each other,
/// a record that one side has moved follows the same predecessor as on that side; if both sides have moved it, our
/// position is used.
struct MergedOrder {
    /// The records as indices in the base.
    let records: [Int]
    /// The records that both sides have moved to different positions, as indices in the base.
    let contested: [Int]
    /// Whether the moves of the sides contradict each other, so that the result may be unexpected for both sides.
    let isContradictory: Bool

    /// The maximum number of pairs of records to compare.
    private static let mostPairs = 1 << 26

    /// If both sides have moved more records than this, and more than a quarter of all, they have sorted the file in
    /// different ways, and neither order can be preserved.
    private static let mostContested = 2

    /// - Parameter orders: The base records in the order of each side.
    /// - Returns: `nil` if the sides have sorted the records in different ways.
    init?(_ orders: [[Int]]) {
        var kept = orders.map { Self.kept(in: $0, preferring: []) }
        let all = Set(orders[0])
        // Often, either of two records can count as moved. If so, the record that the other side has not moved is
        // preferred.
        for side in [0, 1] { kept[side] = Self.kept(in: orders[side], preferring: all.subtracting(kept[1 - side])) }
        let moved = kept.map { all.subtracting($0) }
        if let records = Self.exchanging(orders, moved[0].union(moved[1])) {
            (self.records, contested, isContradictory) = (records, [], false)
            return
        }
        isContradictory = true
        let anchors = kept[0].intersection(kept[1])
        let both = moved[0].intersection(moved[1])
        let places = both.isEmpty ? [] : orders.map { Self.predecessors(of: both, in: $0, among: anchors) }
        contested = both.filter { record in places[0][record] != places[1][record] }.sorted()
        if contested.count > max(Self.mostContested, all.count / 4) { return nil }
        records = Self.moving(moved[1].subtracting(moved[0]), to: orders[1], in: orders[0], except: moved[0])
    }

    /// Returns the order with the changes of both sides, or `nil` if they contradict each other.
    ///
    /// - Parameter moved: The records that are not in the same order in the base and on both sides.
    private static func exchanging(_ orders: [[Int]], _ moved: Set<Int>) -> [Int]? {
        let records = orders[0].sorted()
        if moved.count > mostPairs / max(1, records.count) { return nil }
        let ranks = Dictionary(records.enumerated().map { ($1, $0) }) { first, _ in first }
        var places = orders.map { _ in Array(repeating: 0, count: records.count) }
        for (side, order) in orders.enumerated() {
            for (place, record) in order.enumerated() { places[side][ranks[record] ?? 0] = place }
        }
        func isBefore(_ one: Int, _ other: Int) -> Bool {
            let isInBase = one < other
            let isExchanged = places.contains { ($0[one] < $0[other]) != isInBase }
            return isInBase != isExchanged
        }
        // The number of records before each record. All numbers are different if there is no contradiction.
        var scores = Array(repeating: 0, count: records.count)
        let isMoved = records.map(moved.contains)
        var anchors = 0
        for rank in records.indices where !isMoved[rank] {
            scores[rank] += anchors
            anchors += 1
        }
        for rank in records.indices where isMoved[rank] {
            for other in records.indices where other != rank {
                if isBefore(other, rank) {
                    scores[rank] += 1
                } else if !isMoved[other] {
                    scores[other] += 1
                }
            }
        }
        var order = Array(repeating: -1, count: records.count)
        for (rank, score) in scores.enumerated() {
            if order[score] >= 0 { return nil }
            order[score] = records[rank]
        }
        return order
    }

    /// Returns the longest sequence of records with the same order as in the base. Among sequences of the same length,
    /// the one with the most preferred records is used.
    private static func kept(in order: [Int], preferring preferred: Set<Int>) -> Set<Int> {
        // The best weight of a sequence that ends with one of the smallest records, as a binary indexed tree.
        let ranks = Dictionary(order.sorted().enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        var tree: [(weight: Int, place: Int)] = Array(repeating: (0, -1), count: order.count + 1)
        var before = Array(repeating: -1, count: order.count)
        var last = (weight: 0, place: -1)
        for (place, record) in order.enumerated() {
            let rank = ranks[record] ?? 1
            var best = (weight: 0, place: -1)
            var cell = rank - 1
            while cell > 0 {
                if tree[cell].weight > best.weight { best = tree[cell] }
                cell &= cell - 1
            }
            before[place] = best.place
            let weight = best.weight + order.count + 1 + (preferred.contains(record) ? 1 : 0)
            if weight > last.weight { last = (weight, place) }
            cell = rank
            while cell < tree.count {
                if weight > tree[cell].weight { tree[cell] = (weight, place) }
                cell += cell & -cell
            }
        }
        var kept: Set<Int> = []
        var place = last.place
        while place >= 0 {
            kept.insert(order[place])
            place = before[place]
        }
        return kept
    }

    /// Returns the nearest anchor before each of some records, or -1 at the beginning.
    private static func predecessors(of some: Set<Int>, in order: [Int], among anchors: Set<Int>) -> [Int: Int] {
        var found: [Int: Int] = [:]
        var last = -1
        for record in order {
            if anchors.contains(record) { last = record }
            if some.contains(record) { found[record] = last }
        }
        return found
    }

    /// Moves records after the same predecessors as in another order.
    ///
    /// - Parameter others: The records that cannot be predecessors, because they have been moved themselves.
    private static func moving(
        _ moved: Set<Int>, to other: [Int], in order: [Int], except others: Set<Int>
    ) -> [Int] {
        if moved.isEmpty { return order }
        var followers: [Int: [Int]] = [:]
        var last = -1
        for record in other {
            if moved.contains(record) {
                followers[last, default: []].append(record)
            } else if !others.contains(record) {
                last = record
            }
        }
        return (followers[-1] ?? [])
            + order.flatMap { moved.contains($0) ? [] : [$0] + (followers[$0] ?? []) }
    }
}
