/// Walks the lines of a piece of text. The bytes travel beside it as a span.
///
///     var lines = LineCursor(bytes.indices, of: bytes.span)
///     while let line = lines.next(in: bytes.span) { print(bytes[line].count) }
///
/// Lines end in LF, CR LF or a lone CR, each for itself. The last line needs no end.
public struct LineCursor: Sendable {
    /// Where the next line begins.
    public var position: Int
    /// Where the text ends.
    public let end: Int
    /// How many lines were taken: the number of the next one, from 0.
    public var line: Int
    /// Without any carriage return a line ends at LF and nowhere else.
    @usableFromInline
    package let hasCarriageReturns: Bool

    /// Stands in front of the first line of a text.
    @inlinable
    public init(_ text: Range<Int>, of bytes: Span<UInt8>, line: Int = 0) {
        position = text.lowerBound
        end = text.upperBound
        self.line = line
        hasCarriageReturns = firstIndex(of: Ascii.carriageReturn, in: bytes, from: position, to: end) != nil
    }

    /// Whether the last line has been given.
    @inlinable
    public var isAtEnd: Bool { position >= end }

    /// The next line without its end, and where the one behind it begins.
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

    /// Takes the next line; `nil` when there is none.
    @inlinable
    public mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let (text, next) = following(in: bytes) else { return nil }
        position = next
        line &+= 1
        return text
    }

    /// The next line, which stays the next.
    @inlinable
    public func peek(in bytes: Span<UInt8>) -> Range<Int>? {
        following(in: bytes)?.line
    }

    /// Takes the next line, which has been looked at: where it ends need not be sought again.
    @inlinable
    package mutating func takeSeen(_ line: Range<Int>, in bytes: Span<UInt8>) {
        position = line.upperBound
        if hasCarriageReturns, position < end, bytes[position] == Ascii.carriageReturn { position &+= 1 }
        if position < end, bytes[position] == Ascii.lineFeed { position &+= 1 }
        self.line &+= 1
    }

    /// Takes a line, or so many, whose end is known to be the LF at an index.
    @inlinable
    package mutating func take(_ lines: Int = 1, upTo feed: Int) {
        position = feed &+ 1
        line &+= lines
    }
}

/// The characters that formats are made of.
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

    /// A blank or a tab.
    @inlinable @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == blank || byte == tab }

    @inlinable @inline(__always)
    package static func upper(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte &- 0x20 : byte }

    @inlinable @inline(__always)
    package static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte &+ 0x20 : byte }

    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { lower(byte) &- 0x61 < 26 }
}
