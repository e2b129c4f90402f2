/// Walks the lines of a piece of text. The bytes travel beside it as a span.
///
/// Lines end in LF, CR LF or a lone CR, each for itself. The last line needs no end.
package struct LineCursor: Sendable {
    /// Where the next line begins.
    package var position: Int
    /// Where the text ends.
    package let end: Int
    /// How many lines were taken: the number of the next one, from 0.
    package var line: Int
    /// Without any carriage return a line ends at LF and nowhere else.
    package let hasCarriageReturns: Bool

    package init(_ text: Range<Int>, of bytes: Span<UInt8>, line: Int = 0) {
        position = text.lowerBound
        end = text.upperBound
        self.line = line
        hasCarriageReturns = firstIndex(of: Ascii.carriageReturn, in: bytes, from: position, to: end) != nil
    }

    package var isAtEnd: Bool { position >= end }

    /// The next line without its end, and where the one behind it begins.
    private func following(in bytes: Span<UInt8>) -> (line: Range<Int>, next: Int)? {
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
    package mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let (text, next) = following(in: bytes) else { return nil }
        position = next
        line &+= 1
        return text
    }

    /// The next line, which stays the next.
    package func peek(in bytes: Span<UInt8>) -> Range<Int>? {
        following(in: bytes)?.line
    }

    /// Takes a line whose end is known to be the LF at an index.
    package mutating func take(upTo feed: Int) {
        position = feed &+ 1
        line &+= 1
    }
}

/// The characters that formats are made of.
package enum Ascii {
    package static let tab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let blank: UInt8 = 0x20
    package static let quote: UInt8 = 0x22
    package static let dollar: UInt8 = 0x24
    package static let plus: UInt8 = 0x2B
    package static let comma: UInt8 = 0x2C
    package static let minus: UInt8 = 0x2D
    package static let point: UInt8 = 0x2E
    package static let zero: UInt8 = 0x30
    package static let nine: UInt8 = 0x39
    package static let less: UInt8 = 0x3C
    package static let equals: UInt8 = 0x3D
    package static let greater: UInt8 = 0x3E

    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

    /// A blank or a tab.
    @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == blank || byte == tab }

    @inline(__always)
    package static func upper(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte &- 0x20 : byte }

    @inline(__always)
    package static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte &+ 0x20 : byte }

    @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { lower(byte) &- 0x61 < 26 }
}
