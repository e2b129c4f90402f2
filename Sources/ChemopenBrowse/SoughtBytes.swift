import Chemopen

/// A byte sequence to search for, ignoring case.
struct SoughtBytes: Sendable {
    private let small: [UInt8]
    /// The index of the byte that is rarest in chemical files, which is searched first.
    private let rarest: Int

    /// Creates a search. Returns `nil` if files may encode the text differently: it contains non-ASCII characters or
    /// characters that XML escapes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ 0x20..<0x7F ~= $0 }), !bytes.contains(where: Self.isEscaped) else {
            return nil
        }
        let small = bytes.map(Ascii.lower)
        self.small = small
        rarest = small.indices.min { Self.frequency(small[$0]) < Self.frequency(small[$1]) } ?? 0
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == Ascii.less || byte == Ascii.greater || byte == Ascii.quote
            || byte == UInt8(ascii: "'")
    }

    private static func frequency(_ byte: UInt8) -> Int {
        switch byte {
        case Ascii.blank, Ascii.zero: 4
        case Ascii.zero...Ascii.nine, Ascii.point, Ascii.minus: 3
        case UInt8(ascii: "c"), UInt8(ascii: "n"), UInt8(ascii: "o"), UInt8(ascii: "h"), UInt8(ascii: "e"): 2
        default: Ascii.isLetter(byte) ? 1 : 0
        }
    }

    func occur(in bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let byte = small[rarest]
        if occur(byte, in: bytes, range) { return true }
        let large = Ascii.upper(byte)
        return large != byte && occur(large, in: bytes, range)
    }

    private func occur(_ byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound + rarest
        let end = range.upperBound - (small.count - 1 - rarest)
        while let hit = firstIndex(of: byte, in: bytes, from: index, to: end) {
            if stand(in: bytes, at: hit - rarest) { return true }
            index = hit + 1
        }
        return false
    }

    private func stand(in bytes: Span<UInt8>, at start: Int) -> Bool {
        for place in small.indices where Ascii.lower(bytes[start + place]) != small[place] { return false }
        return true
    }
}
