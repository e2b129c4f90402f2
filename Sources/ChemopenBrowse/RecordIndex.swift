import Chemopen

/// The start positions of a file's records. It uses five bytes for each, so even a file of a gigabyte has a small
/// index.
struct RecordIndex: Sendable, Equatable {
    /// The positions in little-endian byte order.
    private(set) var packed: [UInt8] = []
    /// The end of the indexed part of the file, where the last record ends.
    private(set) var end = 0
    private(set) var isComplete = false
    /// Errors of unreadable records, by their numbers from 0, if the record's bytes alone would not cause the error.
    private(set) var refusals: [Int: ReadError] = [:]

    private static let width = 5
    private static let highestPlace = 1 << 40

    init() {}

    var count: Int { packed.count / Self.width }

    /// Adds the positions of records that end before `end`.
    mutating func append(_ places: [Int], upTo end: Int, refusing refusals: [Int: ReadError] = [:], isLast: Bool) {
        self.refusals.merge(refusals) { _, new in new }
        for place in places {
            let place = UInt64(min(max(place, 0), Self.highestPlace - 1))
            for byte in 0..<Self.width { packed.append(UInt8(truncatingIfNeeded: place >> UInt64(byte * 8))) }
        }
        self.end = max(end, self.end)
        isComplete = isLast
    }

    /// Returns the byte range of the record with a number from 0, or an empty range if there is no such record.
    func range(of number: Int) -> Range<Int> {
        guard number >= 0, number < count else { return 0..<0 }
        let start = place(number)
        let next = number + 1 < count ? place(number + 1) : end
        return start..<max(start, next)
    }

    private func place(_ number: Int) -> Int {
        var place: UInt64 = 0
        for byte in (0..<Self.width).reversed() { place = place << 8 | UInt64(packed[number * Self.width + byte]) }
        return Int(place)
    }
}

extension RecordIndex {
    /// Restores a cached index. Returns `nil` if it does not match the size of the file.
    init?(packed: [UInt8], count: Int, size: Int) {
        guard count >= 0, count <= packed.count / Self.width, packed.count == count * Self.width else { return nil }
        self.packed = packed
        end = size
        isComplete = true
        var last = -1
        for number in 0..<count {
            let place = place(number)
            guard place > last, place < size else { return nil }
            last = place
        }
    }
}
