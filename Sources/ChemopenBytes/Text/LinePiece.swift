/// Functions that read a line at the start of a piece of `room` bytes.
///
/// An index after the longest line wraps around, so no load needs a bounds check. The caller detects a longer line from
/// the index of its end.
@usableFromInline
package enum LinePiece {
    @inlinable package static var longest: Int { 64 }
    /// The size that permits loading eight bytes at each index of the longest line.
    @inlinable package static var room: Int { longest &+ 8 }

    @inlinable @inline(__always)
    package static func word(_ line: Span<UInt8>, at place: Int) -> UInt64 {
        loadWord(line, at: place & (longest &- 1))
    }

    @inlinable @inline(__always)
    package static func byte(_ line: Span<UInt8>, at place: Int) -> UInt8 { line[place & (longest &- 1)] }

    /// Reads a number with one to three digits before its point and four after it, and moves `at` after it. Otherwise,
    /// sets bits in `faults`, and the number and `at` are meaningless.
    @inlinable @inline(__always)
    package static func fourPlaces(_ line: Span<UInt8>, _ at: inout Int, _ faults: inout UInt64) -> Double {
        let isNegative = byte(line, at: at) == Ascii.minus
        at &+= isNegative ? 1 : 0
        let number = FourPlaces.tenThousandths(word(line, at: at), &at, &faults)
        return Numeral.signed(Double(number) / 10_000, isNegative)
    }
}
