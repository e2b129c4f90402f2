import Chemopen

/// A file, or some of its records.
struct Selection: Sendable {
    let file: BrowsedFile
    /// The record numbers from 0, in order; `nil` for all records.
    var numbers: [UInt32]?
}

/// Records of one collection with the same category. They can be in several files.
struct BrowsedCategory: Sendable {
    let id: String
    let name: String
    let collection: String
    private(set) var members: [Selection] = []
    private(set) var isComplete = true

    var count: Int { members.reduce(0) { $0 + ($1.numbers?.count ?? 0) } }

    /// A reference that changes if one of the files changes.
    var reference: String {
        let states = members.map { $0.file.stateName + ":\($0.numbers?.count ?? 0)" }
        return id + "." + Fingerprint(Array(states.joined(separator: " ").utf8)).text
    }

    /// Returns all categories that mappings define, sorted by collection and name.
    static func all(in files: [BrowsedFile]) -> [BrowsedCategory] {
        var categories: [BrowsedCategory] = []
        var places: [String: Int] = [:]
        for file in files where file.mapping?.category != nil {
            let groups = file.groups
            for group in groups.groups {
                let id = Self.id(of: group.category, in: file.folder)
                let place = places[id] ?? categories.count
                if place == categories.count {
                    places[id] = place
                    categories.append(BrowsedCategory(id: id, name: group.category, collection: file.collection))
                }
                categories[place].members.append(Selection(file: file, numbers: group.numbers))
                categories[place].isComplete = categories[place].isComplete && groups.isComplete
            }
        }
        return categories.sorted { ($0.collection, $0.name) < ($1.collection, $1.name) }
    }

    private init(id: String, name: String, collection: String) {
        self.id = id
        self.name = name
        self.collection = collection
    }

    private static func id(of category: String, in folder: String) -> String {
        Fingerprint(Array("\(folder)\0\(category)".utf8)).text
    }
}
