/// Indices by the IDs of a group of objects.
struct DrawnIDs {
    private var places: [UInt32: Int32] = [:]

    /// Creates the table from indices and objects. If several objects have the same ID, the first applies; 0 is not
    /// an ID.
    init(_ entries: some Collection<(place: Int, object: Int)>, among objects: [Drawing.Object]) {
        places.reserveCapacity(entries.count)
        for (place, object) in entries {
            let id = objects[object].id
            if id != 0, places[id] == nil { places[id] = Int32(clamping: place) }
        }
    }

    func place(of id: UInt32) -> Int? { places[id].map(Int.init) }
}
