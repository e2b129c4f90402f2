/// The order of the records of the base that both sides have, if either side has moved some of them.
struct MergedOrder {
    /// The records of the base, by their places there.
    let records: [Int]

    /// The most steps that it may take to put moved records in.
    private static let mostSteps = 1 << 26

    /// - Parameters:
    ///   - orders: the records of the base in the orders of both sides.
    ///   - moved: whether a side has moved a record.
    /// - Returns: `nil` if the moves of the two sides do not go together.
    init?(_ orders: [[Int]], moved: (_ side: Int, _ record: Int) -> Bool) {
        let movedBySides = (0...1).map { side in Set(orders[side].filter { moved(side, $0) }) }
        guard movedBySides[0].isDisjoint(with: movedBySides[1]),
            movedBySides[0].union(movedBySides[1]).count <= Self.mostSteps / max(1, orders[0].count)
        else { return nil }
        // The moves of either side give the same order on top of the other's.
        let ours = Self.moving(movedBySides[1], to: orders[1], in: orders[0])
        guard ours == Self.moving(movedBySides[0], to: orders[0], in: orders[1]) else { return nil }
        records = ours
    }

    /// Moves records behind those that they are behind in another order.
    private static func moving(_ moved: Set<Int>, to other: [Int], in order: [Int]) -> [Int] {
        var order = order.filter { !moved.contains($0) }
        for (place, record) in other.enumerated() where moved.contains(record) {
            let before = place == 0 ? nil : order.firstIndex(of: other[place - 1])
            order.insert(record, at: before.map { $0 + 1 } ?? 0)
        }
        return order
    }
}
