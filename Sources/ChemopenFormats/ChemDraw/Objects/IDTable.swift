/// Numbers by the ids of a drawing's objects; -1 where there is none.
///
/// Ids mostly follow one another, from where a drawing's history has brought them, with gaps where things were deleted. So
/// each has a slot of its own where the gaps are small. Where they are not, ids are kept in short pages, which are made as
/// they are needed, and by their hash where they lie too far apart.
struct IDTable {
    private let lowest: UInt32
    /// The slots of all ids where the gaps are small; empty where they are not.
    private var all: [Int32] = []
    /// Where the pages begin among the slots; -1 for those without an id.
    private var pages: [Int32] = []
    private var slots: [Int32] = []
    private var others: [UInt32: Int32] = [:]

    private static let pageLength = 16

    /// For the ids of some objects.
    init(for objects: [Drawing.Object], where isMeant: (DrawnKind) -> Bool) {
        var lowest = UInt32.max
        var highest: UInt32 = 0
        var count = 0
        for object in objects where object.id != 0 && isMeant(object.kind) {
            lowest = min(lowest, object.id)
            highest = max(highest, object.id)
            count += 1
        }
        self.lowest = lowest
        let reach = lowest <= highest ? Int(highest - lowest) + 1 : 0
        if reach <= 32 * count + 1024 {
            all = Array(repeating: -1, count: reach)
            return
        }
        let length = (reach - 1) / Self.pageLength + 1
        pages = Array(repeating: -1, count: length <= 4 * count + 1024 ? length : 0)
        slots.reserveCapacity(2 * count)
    }

    subscript(id: UInt32) -> Int32 {
        @inline(__always) get {
            let place = Int(id) &- Int(lowest)
            return all.indices.contains(place) ? all[place] : number(ofFar: id)
        }
        @inline(__always) set {
            let place = Int(id) &- Int(lowest)
            if all.indices.contains(place) { all[place] = newValue } else { set(newValue, forFar: id) }
        }
    }

    private func number(ofFar id: UInt32) -> Int32 {
        let place = Int(id) &- Int(lowest)
        let page = place / Self.pageLength
        if place >= 0, page < pages.count {
            let start = Int(pages[page])
            return start < 0 ? -1 : slots[start &+ place % Self.pageLength]
        }
        return others.isEmpty ? -1 : others[id] ?? -1
    }

    private mutating func set(_ number: Int32, forFar id: UInt32) {
        let place = Int(id) &- Int(lowest)
        let page = place / Self.pageLength
        guard place >= 0, page < pages.count else {
            others[id] = number
            return
        }
        if pages[page] < 0 {
            pages[page] = Int32(truncatingIfNeeded: slots.count)
            for _ in 0..<Self.pageLength { slots.append(-1) }
        }
        slots[Int(pages[page]) &+ place % Self.pageLength] = number
    }
}
