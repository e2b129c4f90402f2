/// Reads a line that begins a piece of `room` bytes.
///
/// A place beyond the longest line leads to another one in the piece, so that no load has to be checked. Where the line ends
/// tells at last whether it was longer.
@usableFromInline
package enum LinePiece {
    @inlinable package static var longest: Int { 64 }
    /// Eight bytes can be loaded from each place of the longest line.
    @inlinable package static var room: Int { longest &+ 8 }

    @inlinable @inline(__always)
    package static func word(_ line: Span<UInt8>, at place: Int) -> UInt64 {
        loadWord(line, at: place & (longest &- 1))
    }

    @inlinable @inline(__always)
    package static func byte(_ line: Span<UInt8>, at place: Int) -> UInt8 { line[place & (longest &- 1)] }

    /// Passes a number with one to three digits before its point and four behind it. Bits are set in `faults` where it is
    /// another; then number and place mean nothing.
    @inlinable @inline(__always)
    package static func fourPlaces(_ line: Span<UInt8>, _ at: inout Int, _ faults: inout UInt64) -> Double {
        let isNegative = byte(line, at: at) == Ascii.minus
        at &+= isNegative ? 1 : 0
        let number = FourPlaces.tenThousandths(word(line, at: at), &at, &faults)
        return Numeral.signed(Double(number) / 10_000, isNegative)
    }
}
