import Chemopen

/// The name of a record, which does not depend on its file, its position or the other records.
///
///     r-1k2dpqvhb93el                   the only record with its key, such as its title
///     r-1k2dpqvhb93el-2xpu9w2nkl1op     another record with the same key
///     r-1k2dpqvhb93el.2                 an identical copy of the first one
struct RecordName: Sendable, Hashable {
    /// The hash of the key.
    let key: UInt64
    /// The hash of the content, if another record has the same key; otherwise 0.
    var content: UInt64 = 0
    /// The number among the records with the same key and content, from 1.
    var copy: UInt32 = 1

    private static let prefix = "r-"

    /// Whether the name consists only of the key.
    var isPlain: Bool { content == 0 && copy == 1 }

    init(key: UInt64) {
        self.key = key
    }

    init(key: UInt64, content: UInt64, copy: UInt32) {
        (self.key, self.content, self.copy) = (key, content, copy)
    }

    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let halves = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        let words = halves.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard 1...2 ~= halves.count, 1...2 ~= words.count, let key = UInt64(words[0], radix: 36) else { return nil }
        self.key = key
        if words.count == 2 {
            guard let content = UInt64(words[1], radix: 36), content > 0 else { return nil }
            self.content = content
        }
        if halves.count == 2 {
            guard let copy = UInt32(halves[1]), copy > 1 else { return nil }
            self.copy = copy
        }
    }

    var text: String {
        var text = Self.prefix + String(key, radix: 36)
        if content != 0 { text += "-" + String(content, radix: 36) }
        return copy > 1 ? "\(text).\(copy)" : text
    }
}

/// The hashes of a record from which its name is derived.
struct RecordMark: Sendable, Hashable {
    /// The hash of the key that the mapping specifies, of the title, or of the content of a record without both.
    let key: UInt64
    /// The hash of the content, never 0.
    let content: UInt64
    /// The hashes of the data fields and of the structure, each 0 if there is none.
    let fields: UInt32
    let structure: UInt32

    /// Creates the mark of a record.
    ///
    /// - Parameters:
    ///   - key: the text of the key; empty for a record without one.
    ///   - fields: the names and values of the data fields.
    init(key: String, content: UInt64, fields: [UInt8], structure: UInt64) {
        self.content = max(content, 1)
        self.fields = fields.isEmpty ? 0 : UInt32(truncatingIfNeeded: stableHash(fields.span, 0..<fields.count))
        self.structure = UInt32(truncatingIfNeeded: structure)
        var bytes: [UInt8] = []
        if key.isEmpty { bytes.append(littleEndian: content) } else { bytes = Array(key.utf8) }
        self.key = stableHash(bytes.span, 0..<bytes.count, seed: key.isEmpty ? 1 : 2)
    }

    init(key: UInt64, content: UInt64, parts: UInt64) {
        (self.key, self.content) = (key, content)
        (fields, structure) = (UInt32(truncatingIfNeeded: parts >> 32), UInt32(truncatingIfNeeded: parts))
    }

    var parts: UInt64 { UInt64(fields) << 32 | UInt64(structure) }

    /// Whether the record can be another state of one with a different key: its fields or its structure are the same.
    func resembles(_ other: RecordMark) -> Bool {
        fields != 0 && fields == other.fields || structure != 0 && structure == other.structure
    }
}

extension RecordMark {
    /// The number of bytes of a stored mark.
    static let size = 24

    /// Reads a stored mark.
    init(_ bytes: borrowing Span<UInt8>, at index: Int) {
        self.init(
            key: loadWord(bytes, at: index), content: loadWord(bytes, at: index + 8),
            parts: loadWord(bytes, at: index + 16))
    }
}

extension [UInt8] {
    /// Appends a mark.
    mutating func append(_ mark: RecordMark) {
        for number in [mark.key, mark.content, mark.parts] { append(littleEndian: number) }
    }

    /// Appends a number of eight bytes, the lowest first.
    mutating func append(littleEndian number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

/// Returns a hash of bytes that is the same on each machine, unlike `KeyedHash`.
func stableHash(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, seed: UInt64 = 0) -> UInt64 {
    var state = 0x9E37_79B9_7F4A_7C15 ^ seed
    var index = range.lowerBound
    while index &+ 16 <= range.upperBound {
        state = fold(loadWords(bytes, at: index), state)
        index &+= 16
    }
    var rest = SIMD2<UInt64>()
    for place in index..<range.upperBound {
        let offset = place &- index
        rest[offset / 8] |= UInt64(bytes[place]) << UInt64(truncatingIfNeeded: (offset & 7) &* 8)
    }
    return fold(SIMD2(UInt64(truncatingIfNeeded: range.count), 0xD6E8_FEB8_6659_FD93), fold(rest, state))
}

@inline(__always)
private func fold(_ words: SIMD2<UInt64>, _ state: UInt64) -> UInt64 {
    let (high, low) = (words.x ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: words.y ^ state)
    return high ^ low
}

/// Returns the hash of a record's content. Line endings, blanks at the end and the number of a row do not matter.
func contentHash(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var (start, end) = (range.lowerBound, range.upperBound)
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    func skipLine() {
        while start < end, bytes[start] != 0x0A { start += 1 }
        if start < end { start += 1 }
    }
    // The lines before the first record of an RD file, and the tag of a row of a DataSheet, which contains its number.
    if begins(bytes, start..<end, "$RDFILE") { skipLine() }
    if begins(bytes, start..<end, "$DATM") { skipLine() }
    if begins(bytes, start..<end, "<Row ") {
        while start < end, bytes[start] != UInt8(ascii: ">") { start += 1 }
    }
    if firstIndex(of: 0x0D, in: bytes, from: start, to: end) == nil { return stableHash(bytes, start..<end) }
    var plain: [UInt8] = []
    plain.reserveCapacity(end - start)
    for place in start..<end where bytes[place] != 0x0D { plain.append(bytes[place]) }
    return stableHash(plain.span, 0..<plain.count)
}

/// Returns the hash of an MDL structure without its title, or 0 if there is none.
func structureHash(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    guard var index = firstIndex(of: 0x0A, in: bytes, from: range.lowerBound, to: range.upperBound) else { return 0 }
    let start = index
    while let end = firstIndex(of: UInt8(ascii: "M"), in: bytes, from: index, to: range.upperBound) {
        index = end + 1
        if bytes[end - 1] != 0x0A || !begins(bytes, end..<range.upperBound, "M  END") { continue }
        return contentHash(bytes, start..<end)
    }
    return 0
}

private func begins(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
    let wanted = Array(text.description.utf8)
    return range.count >= wanted.count && wanted.indices.allSatisfy { bytes[range.lowerBound + $0] == wanted[$0] }
}
