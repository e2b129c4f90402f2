/// Locates the records of a file version with the help of another version. Identical runs of bytes contain the same
/// records, so only the bytes between them are parsed.
struct SharedRuns {
    private let bytes: [UInt8]
    private let other: FileVersion
    private(set) var records: [Range<Int>] = []
    private(set) var keys: [UInt64] = []
    /// The indices of the records that may differ, and of their neighbors.
    private(set) var changed: [Int] = []
    /// The corresponding indices in the other version.
    private(set) var changedThere: [Int] = []
    /// The offset of the next record, and the index of the next record in the other version.
    private var position = 0
    private var next = 0
    /// Whether the previous records of both versions are identical.
    private var isBehindSame = false

    /// The number of bytes after a record that must be identical to confirm its end.
    private static let margin = 64
    /// The maximum number of records in the other version to skip in the search for an identical one.
    private static let mostPassed = 8

    /// The number of bytes to search for the end of a record.
    private static let view = 1 << 18

    init(_ bytes: [UInt8], _ other: FileVersion) {
        self.bytes = bytes
        self.other = other
    }

    mutating func run(
        _ nextRecordEnd: @Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?
    ) throws(Conversion.Failure) {
        takeSame(upTo: other.records.count)
        let distance = bytes.count - other.bytes.count
        let most = min(bytes.count - position, other.bytes.count - endThere)
        let behind = min(most, commonSuffix(bytes.span, other.bytes.span))
        let last = max(
            next, other.records.partitioningIndex { $0.lowerBound >= other.bytes.count - behind + Self.margin })
        let end = last == other.records.count ? bytes.count : start(of: last) + distance
        while position < end {
            if next == last {
                try takeOwn(upTo: end)
            } else if !takeSame(upTo: last) {
                noteNeighbor()
                if passDeleted(before: last) { continue }
                let view = position..<min(end, position + Self.view)
                let length = nextRecordEnd(bytes.span.extracting(view), 1, view.upperBound == bytes.count)
                try takeOwn(upTo: length.map { min(end, position + max($0, 1)) } ?? end)
                // Either the record has changed, or another one was inserted before it.
                if next < last, !isSame(next, at: position) {
                    changedThere.append(next)
                    next += 1
                }
            }
        }
        if next < last { noteNeighbor() }
        changedThere += next..<last
        for place in last..<other.records.count { take(place, distance) }
    }

    /// Returns the offset in the other version at which the bytes of a record begin, including the bytes between it and
    /// the previous record.
    private func start(of place: Int) -> Int { place == 0 ? 0 : other.records[place - 1].upperBound }

    private var endThere: Int { start(of: next) }

    /// Accepts the records of a run that is identical in both versions if their ends are confirmed.
    @discardableResult
    private mutating func takeSame(upTo last: Int) -> Bool {
        let start = endThere
        let distance = position - start
        let shared = commonPrefix(
            bytes.span.extracting(position..<bytes.count), other.bytes.span.extracting(start..<other.bytes.count))
        let isAll = position + shared == bytes.count && start + shared == other.bytes.count
        let limit = start + shared - (isAll ? 0 : Self.margin)
        var end = other.records.partitioningIndex { $0.upperBound > limit }
        end = min(max(end, next), last)
        if end == next { return false }
        for place in next..<end { take(place, distance) }
        position = other.records[end - 1].upperBound + distance
        if isAll, end == other.records.count { position = bytes.count }
        next = end
        isBehindSame = true
        return true
    }

    private mutating func take(_ place: Int, _ distance: Int) {
        let record = other.records[place]
        records.append(record.lowerBound + distance..<record.upperBound + distance)
        keys.append(other.keys[place])
    }

    /// Adds the last identical record before a difference as a neighbor.
    private mutating func noteNeighbor() {
        guard isBehindSame else { return }
        changed.append(records.count - 1)
        changedThere.append(next - 1)
        isBehindSame = false
    }

    private func isSame(_ place: Int, at position: Int) -> Bool {
        let start = start(of: place)
        let wanted = min(other.records[place].upperBound + Self.margin, other.bytes.count) - start
        guard position + wanted <= bytes.count else { return false }
        return commonPrefix(
            bytes.span.extracting(position..<position + wanted), other.bytes.span.extracting(start..<start + wanted))
            == wanted
    }

    /// Skips deleted records if an identical record follows soon.
    private mutating func passDeleted(before last: Int) -> Bool {
        let end = min(last, next + Self.mostPassed)
        guard let same = (next + 1..<max(end, next + 1)).first(where: { isSame($0, at: position) }) else {
            return false
        }
        changedThere += next..<same
        next = same
        return true
    }

    /// Parses the records in bytes that differ from the other version.
    private mutating func takeOwn(upTo end: Int) throws(Conversion.Failure) {
        let cut = try other.reading.cut(Array(bytes[position..<end]))
        noteNeighbor()
        for (record, key) in zip(cut.records, cut.keys) {
            changed.append(records.count)
            records.append(record.lowerBound + position..<record.upperBound + position)
            keys.append(key)
        }
        position = end
    }
}
