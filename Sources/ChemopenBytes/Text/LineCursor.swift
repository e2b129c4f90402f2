/// An iterator over the lines of a text. Pass the bytes to each call as a span.
///
///     var lines = LineCursor(bytes.indices, of: bytes.span)
///     while let line = lines.next(in: bytes.span) { print(bytes[line].count) }
///
/// Each LF, CR LF or single CR ends a line. The last line does not need a line end.
public struct LineCursor: Sendable {
    /// The index of the next line's first byte.
    public var position: Int
    /// The index after the text.
    public let end: Int
    /// The number of lines read, which is the zero-based number of the next line.
    public var line: Int
    /// Whether there are carriage returns. Otherwise, only LF ends a line.
    @usableFromInline
    package let hasCarriageReturns: Bool

    /// Creates a cursor before the first line of a text.
    @inlinable
    public init(_ text: Range<Int>, of bytes: Span<UInt8>, line: Int = 0) {
        position = text.lowerBound
        end = text.upperBound
        self.line = line
        hasCarriageReturns = firstIndex(of: Ascii.carriageReturn, in: bytes, from: position, to: end) != nil
    }

    /// Whether all lines have been read.
    @inlinable
    public var isAtEnd: Bool { position >= end }

    /// Returns the next line without its line end, and the start of the line after it.
    @usableFromInline
    func following(in bytes: Span<UInt8>) -> (line: Range<Int>, next: Int)? {
        if position >= end { return nil }
        let feed = firstIndex(of: Ascii.lineFeed, in: bytes, from: position, to: end)
        guard hasCarriageReturns else {
            guard let feed else { return (position..<end, end) }
            return (position..<feed, feed + 1)
        }
        let limit = feed ?? end
        if let carriage = firstIndex(of: Ascii.carriageReturn, in: bytes, from: position, to: limit) {
            return (position..<carriage, carriage + 1 == feed ? carriage + 2 : carriage + 1)
        }
        return (position..<limit, feed == nil ? end : limit + 1)
    }

    /// Returns the next line and moves past it.
    ///
    /// - Returns: the range without the line end, or `nil` at the end.
    @inlinable
    public mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let (text, next) = following(in: bytes) else { return nil }
        position = next
        line &+= 1
        return text
    }

    /// Returns the next line without moving past it.
    ///
    /// - Returns: the range without the line end, or `nil` at the end.
    @inlinable
    public func peek(in bytes: Span<UInt8>) -> Range<Int>? {
        following(in: bytes)?.line
    }

    /// Moves past the next line, which `peek` has returned. This avoids a second search for its end.
    @inlinable
    package mutating func takeSeen(_ line: Range<Int>, in bytes: Span<UInt8>) {
        position = line.upperBound
        if hasCarriageReturns, position < end, bytes[position] == Ascii.carriageReturn { position &+= 1 }
        if position < end, bytes[position] == Ascii.lineFeed { position &+= 1 }
        self.line &+= 1
    }

    /// Moves past one or more lines. The last one ends with the LF at an index.
    @inlinable
    package mutating func take(_ lines: Int = 1, upTo feed: Int) {
        position = feed &+ 1
        line &+= lines
    }
}

/// The ASCII characters that file formats use.
@usableFromInline
package enum Ascii {
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var lineFeed: UInt8 { 0x0A }
    @inlinable package static var carriageReturn: UInt8 { 0x0D }
    @inlinable package static var blank: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var dollar: UInt8 { 0x24 }
    @inlinable package static var plus: UInt8 { 0x2B }
    @inlinable package static var comma: UInt8 { 0x2C }
    @inlinable package static var minus: UInt8 { 0x2D }
    @inlinable package static var point: UInt8 { 0x2E }
    @inlinable package static var zero: UInt8 { 0x30 }
    @inlinable package static var nine: UInt8 { 0x39 }
    @inlinable package static var less: UInt8 { 0x3C }
    @inlinable package static var equals: UInt8 { 0x3D }
    @inlinable package static var greater: UInt8 { 0x3E }

    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

    /// Whether a byte is a blank or a tab.
    @inlinable @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == blank || byte == tab }

    @inlinable @inline(__always)
    package static func upper(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte &- 0x20 : byte }

    @inlinable @inline(__always)
    package static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte &+ 0x20 : byte }

    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { lower(byte) &- 0x61 < 26 }
}
