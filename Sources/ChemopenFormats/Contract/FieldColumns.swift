import ChemopenBytes
import ChemopenModel

/// The names of a file's data fields in the order in which they were met, found by their bytes.
///
/// Records of one source name their fields in the same order: the name behind the last one found is tried first.
/// Where record after record brings new names, the list begins anew: it would be copied for each record.
struct FieldColumns {
    private(set) var columns: [Column] = []
    /// The names, and the header lines of those that have one, in one piece.
    private var text: [UInt8] = []
    private var names: [Range<Int>] = []
    /// For each name a header line that says nothing else, with its LF; empty where none was met.
    private var headers: [Range<Int>] = []
    /// Places of names by hash, -1 where there is none; its size is a power of two and at least twice the columns.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    private var expected = 0
    /// How many columns there were at the beginning of the last record.
    private var lastCount = 0

    /// Lists up to this size are never begun anew.
    private static let smallList = 256

    /// Says that a record begins. The places of names found for earlier records mean nothing for this one.
    mutating func beginRecord() {
        if lastCount > 0, names.count > max(lastCount, Self.smallList) { self = FieldColumns() }
        lastCount = names.count
    }

    /// Passes the header line of the name that is expected next, and returns its column; `nil`, and nothing is passed, where
    /// another line comes, or the same name in another line.
    @inline(__always)
    mutating func passExpectedHeader(_ lines: inout LineCursor, _ bytes: Span<UInt8>) -> Int? {
        guard expected < headers.count else { return nil }
        let header = headers[expected]
        let start = lines.position
        guard !header.isEmpty, header.count <= lines.end &- start,
            text.span.extracting(header).isSame(as: bytes.extracting(start..<start &+ header.count))
        else { return nil }
        lines.take(upTo: start &+ header.count &- 1)
        expected &+= 1
        return expected &- 1
    }

    /// Remembers a header line that names a column and says nothing else, with its LF.
    mutating func remember(header: Range<Int>, of column: Int, in bytes: Span<UInt8>) {
        if !headers[column].isEmpty { return }
        headers[column] = add(bytes.extracting(header))
    }

    private mutating func add(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = text.count
        text.append(copying: bytes)
        return start..<text.count
    }

    /// The column of a name, which joins the others if it is new.
    mutating func place(of name: Range<Int>, in bytes: Span<UInt8>) -> Int {
        if expected < names.count, isEqual(names[expected], name, bytes) {
            expected &+= 1
            return expected &- 1
        }
        var slot = hash(name, bytes) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if isEqual(names[place], name, bytes) {
                expected = place &+ 1
                return place
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        slots[slot] = Int32(clamping: names.count)
        names.append(add(bytes.extracting(name)))
        headers.append(0..<0)
        columns.append(Column(Text(bytes: bytes.bytes(name))))
        expected = names.count
        if names.count * 2 > slots.count { grow() }
        return names.count - 1
    }

    private func isEqual(_ known: Range<Int>, _ name: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        text.span.extracting(known).isSame(as: bytes.extracting(name))
    }

    /// FNV-1a.
    private func hash(_ name: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in name { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & Int.max
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (place, name) in names.enumerated() {
            var slot = hash(name, text.span) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(clamping: place)
        }
    }
}
