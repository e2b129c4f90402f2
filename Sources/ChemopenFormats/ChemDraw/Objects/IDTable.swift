/// A table of numbers by object ID, with -1 for missing IDs.
///
/// IDs are usually consecutive, but start anywhere and have gaps where objects were deleted. If the gaps are small,
/// each ID has its own slot. If they are larger, short pages of slots are created on demand. If the IDs are very far
/// apart, a hash table is used.
struct IDTable {
    private let lowest: UInt32
    /// The slots of all IDs, if the gaps are small; empty otherwise.
    private var all: [Int32] = []
    /// The start of each page in `slots`; -1 for pages without an ID.
    private var pages: [Int32] = []
    private var slots: [Int32] = []
    private var others: [UInt32: Int32] = [:]

    private static let pageLength = 16

    /// Creates an empty table for the IDs of the objects that match a condition.
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
