/// The records of one file that share a category.
struct RecordGroup: Sendable {
    let category: String
    /// From 0, in order.
    var numbers: [UInt32] = []
}

/// The groups of a file, and which of its records are below which, as they come to light.
struct RecordGroups: Sendable {
    private struct Link: Sendable {
        let parent: Int
        let number: UInt32
    }

    /// By the hash values of the parents' keys, when it is complete.
    private var links: [Link] = []
    private(set) var groups: [RecordGroup] = []
    private var places: [String: Int] = [:]
    private(set) var isComplete = false

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

    /// Puts a record below the one with a key; one that names none is below none.
    mutating func add(_ number: Int, below key: String) {
        guard !key.isEmpty else { return }
        links.append(Link(parent: key.hashValue, number: UInt32(clamping: number)))
    }

    mutating func finish() {
        links.sort { ($0.parent, $0.number) < ($1.parent, $1.number) }
        isComplete = true
    }

    /// The records that may be below the one with a key, from 0, in order: others may have a key of the same hash value.
    func numbers(below key: String) -> [Int] {
        let wanted = key.hashValue
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle].parent < wanted { low = middle + 1 } else { high = middle }
        }
        return links[low...].prefix { $0.parent == wanted }.map { Int($0.number) }
    }
}
