/// The records of a file that share a category.
struct RecordGroup: Sendable {
    let category: String
    /// The record numbers from 0, in order.
    var numbers: [UInt32] = []
}

/// The groups of a file and the parent relation of its records, as far as they have been read.
struct RecordGroups: Sendable {
    private struct Link: Sendable {
        let parent: Int
        let number: UInt32
    }

    /// The links, sorted by the hash values of the parents' keys when complete.
    private var links: [Link] = []
    /// The hash values of the records' keys.
    private var keys: Set<Int> = []
    private(set) var groups: [RecordGroup] = []
    private var places: [String: Int] = [:]
    private(set) var isComplete = false

    /// The maximum number of categories of a file. Further categories are combined.
    private static let most = 1000
    static let rest = "others"

    /// Adds a record to its category. A record without a category belongs to no group.
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

    /// Adds a record to the children of the record with a key. An empty key means that it has no parent.
    mutating func add(_ number: Int, below key: String) {
        guard !key.isEmpty else { return }
        links.append(Link(parent: key.hashValue, number: UInt32(clamping: number)))
    }

    /// Adds the key of a record that can be a parent.
    mutating func add(key: String) {
        if !key.isEmpty { keys.insert(key.hashValue) }
    }

    /// Returns whether a record may have a key with a hash value.
    func hasKey(_ hash: Int) -> Bool { keys.contains(hash) }

    /// The records with a parent, and the hash values of its key.
    var parents: [(number: UInt32, parent: Int)] { links.map { ($0.number, $0.parent) } }

    mutating func finish() {
        links.sort { ($0.parent, $0.number) < ($1.parent, $1.number) }
        isComplete = true
    }

    /// Returns the numbers from 0, in order, of records that may be children of the record with a key. Hash collisions
    /// can add others.
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
