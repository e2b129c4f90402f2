/// Places by the ids of objects that stand together. Such ids mostly follow one another, so that a flat table holds them.
struct DrawnIDs {
    private let first: UInt32
    /// How long the table is; 0 where the ids lie too far apart for one.
    private let length: Int
    /// Made when the first id is entered.
    private var places: [Int32] = []
    private var others: [UInt32: Int32] = [:]

    /// For ids between two bounds, and so many of them.
    init(from lowest: UInt32, to highest: UInt32, count: Int) {
        first = lowest
        let spread = lowest <= highest ? Int(highest - lowest) : .max
        length = spread < 8 * count + 1024 ? spread + 1 : 0
    }

    init(of places: [Int], among objects: [Drawing.Object]) {
        var lowest = UInt32.max
        var highest: UInt32 = 0
        for place in places {
            let id = objects[place].id
            if id == 0 { continue }
            lowest = min(lowest, id)
            highest = max(highest, id)
        }
        self.init(from: lowest, to: highest, count: places.count)
    }

    /// Enters an id that the table was made for; `false` where it has a place already, which it keeps.
    @discardableResult
    mutating func enter(_ id: UInt32, at place: Int) -> Bool {
        if id == 0 { return true }
        let slot = Int(id) - Int(first)
        if slot >= 0, slot < length {
            if places.isEmpty { places = Array(repeating: -1, count: length) }
            if places[slot] >= 0 { return false }
            places[slot] = Int32(clamping: place)
            return true
        }
        if others[id] != nil { return false }
        others[id] = Int32(clamping: place)
        return true
    }

    func place(of id: UInt32) -> Int? {
        let slot = Int(id) - Int(first)
        if slot >= 0, slot < places.count { return places[slot] >= 0 ? Int(places[slot]) : nil }
        return others.isEmpty ? nil : others[id].map(Int.init)
    }
}
