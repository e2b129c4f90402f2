/// Places by the ids of objects that stand together.
struct DrawnIDs {
    private var places: [UInt32: Int32] = [:]

    /// For places and the objects that they mean. Of several with one id the first counts; 0 is no id.
    init(_ entries: some Collection<(place: Int, object: Int)>, among objects: [Drawing.Object]) {
        places.reserveCapacity(entries.count)
        for (place, object) in entries {
            let id = objects[object].id
            if id != 0, places[id] == nil { places[id] = Int32(clamping: place) }
        }
    }

    func place(of id: UInt32) -> Int? { places[id].map(Int.init) }
}
