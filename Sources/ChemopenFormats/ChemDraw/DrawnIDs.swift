/// Places by the ids of objects that stand together. Such ids mostly follow one another, so that a flat table holds them.
struct DrawnIDs {
    private let first: UInt32
    private var places: [Int32] = []
    /// Where the ids lie too far apart for a table.
    private var others: [UInt32: Int32] = [:]

    init(of objects: [Int], in drawing: Drawing) {
        var lowest = UInt32.max
        var highest: UInt32 = 0
        for object in objects {
            let id = drawing.objects[object].id
            if id == 0 { continue }
            lowest = min(lowest, id)
            highest = max(highest, id)
        }
        first = lowest
        guard lowest <= highest, Int(highest - lowest) < 8 * objects.count + 64 else { return }
        places = Array(repeating: -1, count: Int(highest - lowest) + 1)
    }

    /// Enters an id that the table was made for; `false` where it has a place already, which it keeps.
    mutating func enter(_ id: UInt32, at place: Int) -> Bool {
        if id == 0 { return true }
        let slot = Int(id) - Int(first)
        if places.indices.contains(slot) {
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
        if places.indices.contains(slot) { return places[slot] >= 0 ? Int(places[slot]) : nil }
        return others.isEmpty ? nil : others[id].map(Int.init)
    }
}
