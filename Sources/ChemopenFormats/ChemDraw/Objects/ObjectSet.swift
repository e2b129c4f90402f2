/// A set of objects, with one bit for each object to make lookups fast.
struct ObjectSet {
    private var words: [UInt64]

    /// Creates an empty set for a number of objects.
    init(among count: Int) {
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    func contains(_ object: Int) -> Bool { words[object >> 6] >> UInt64(object & 63) & 1 != 0 }

    mutating func insert(_ object: Int) { words[object >> 6] |= 1 << UInt64(object & 63) }

    mutating func formUnion(_ objects: some Sequence<Int>) {
        for object in objects { insert(object) }
    }

    mutating func formUnion(_ other: ObjectSet) {
        for place in words.indices { words[place] |= other.words[place] }
    }
}
