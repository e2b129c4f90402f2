/// The merged order of the base records that both sides still have.
struct MergedOrder {
    /// The records as indices in the base.
    let records: [Int]

    /// The maximum number of steps to insert moved records.
    private static let mostSteps = 1 << 26

    /// - Parameters:
    ///   - orders: The base records in the order of each side.
    ///   - moved: Whether a side has moved a record.
    /// - Returns: `nil` if the moves of the two sides conflict.
    init?(_ orders: [[Int]], moved: (_ side: Int, _ record: Int) -> Bool) {
        let movedBySides = (0...1).map { side in Set(orders[side].filter { moved(side, $0) }) }
        guard movedBySides[0].isDisjoint(with: movedBySides[1]),
            movedBySides[0].union(movedBySides[1]).count <= Self.mostSteps / max(1, orders[0].count)
        else { return nil }
        // The moves must result in the same order regardless of the side to which they are applied first.
        let ours = Self.moving(movedBySides[1], to: orders[1], in: orders[0])
        guard ours == Self.moving(movedBySides[0], to: orders[0], in: orders[1]) else { return nil }
        records = ours
    }

    /// Moves records after the same predecessors as in another order.
    private static func moving(_ moved: Set<Int>, to other: [Int], in order: [Int]) -> [Int] {
        var order = order.filter { !moved.contains($0) }
        for (place, record) in other.enumerated() where moved.contains(record) {
            let before = place == 0 ? nil : order.firstIndex(of: other[place - 1])
            order.insert(record, at: before.map { $0 + 1 } ?? 0)
        }
        return order
    }
}
