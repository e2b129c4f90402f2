/// Finds the records of a version of a file by those of another one: runs of bytes that are the same hold the same records, and
/// only what stands between is read.
struct SharedRuns {
    private let bytes: [UInt8]
    private let other: FileVersion
    private(set) var records: [Range<Int>] = []
    private(set) var keys: [UInt64] = []
    /// The places of the records that may differ, and those of their neighbours.
    private(set) var changed: [Int] = []
    /// The same in the other version.
    private(set) var changedThere: [Int] = []
    /// Where the next record begins, and the next one of the other version.
    private var position = 0
    private var next = 0
    /// The next records of both versions are behind one that is the same.
    private var isBehindSame = false

    /// So many bytes behind a record have to be the same for it to end there.
    private static let margin = 64
    /// So many records of the other version are passed over to find one that is the same.
    private static let mostPassed = 8

    /// So many bytes are looked through for the end of a record.
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
                noteNeighbour()
                if passDeleted(before: last) { continue }
                let view = position..<min(end, position + Self.view)
                let length = nextRecordEnd(bytes.span.extracting(view), 1, view.upperBound == bytes.count)
                try takeOwn(upTo: length.map { min(end, position + max($0, 1)) } ?? end)
                // Either the record has changed, or another one stands in front of it.
                if next < last, !isSame(next, at: position) {
                    changedThere.append(next)
                    next += 1
                }
            }
        }
        if next < last { noteNeighbour() }
        changedThere += next..<last
        for place in last..<other.records.count { take(place, distance) }
    }

    /// Where the bytes begin in the other version that go with a record: behind the one before it.
    private func start(of place: Int) -> Int { place == 0 ? 0 : other.records[place - 1].upperBound }

    private var endThere: Int { start(of: next) }

    /// Takes the records of the run that is the same here and there, as far as they end in it without doubt.
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

    /// The record before those that differ, which is the same, stands beside them.
    private mutating func noteNeighbour() {
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

    /// Passes over records that are not here any more, if one that is the same follows soon.
    private mutating func passDeleted(before last: Int) -> Bool {
        let end = min(last, next + Self.mostPassed)
        guard let same = (next + 1..<max(end, next + 1)).first(where: { isSame($0, at: position) }) else {
            return false
        }
        changedThere += next..<same
        next = same
        return true
    }

    /// Reads the records of some bytes that the other version does not have so.
    private mutating func takeOwn(upTo end: Int) throws(Conversion.Failure) {
        let cut = try other.reading.cut(Array(bytes[position..<end]))
        noteNeighbour()
        for (record, key) in zip(cut.records, cut.keys) {
            changed.append(records.count)
            records.append(record.lowerBound + position..<record.upperBound + position)
            keys.append(key)
        }
        position = end
    }
}
