/// The records of one file that share a category.
struct RecordGroup: Sendable {
    let category: String
    /// From 0, in order.
    var numbers: [UInt32] = []
}

/// The groups of a file as they come to light.
struct RecordGroups: Sendable {
    private(set) var groups: [RecordGroup] = []
    private var places: [String: Int] = [:]
    var isComplete = false

    /// A file with more categories than this has the rest together.
    private static let most = 1000
    static let rest = "others"

    /// Adds a record; one without a category is in none.
    mutating func add(_ number: Int, to category: String) {
        guard !category.isEmpty else { return }
        let name = places[category] != nil || groups.count < Self.most ? category : Self.rest
        let place = places[name] ?? groups.count
        if place == groups.count {
            places[name] = place
            groups.append(RecordGroup(category: name))
        }
        groups[place].numbers.append(UInt32(clamping: number))
    }
}
