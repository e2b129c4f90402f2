import ChemopenBytes

/// An iterator over the tags of an XML text, with their byte ranges. It skips comments, CDATA sections and processing
/// instructions.
struct XMLTags {
    /// A tag including its brackets.
    struct Tag {
        enum Kind { case opening, closing, empty }

        let kind: Kind
        /// The name without a prefix.
        let name: Range<Int>
        let range: Range<Int>
    }

    private var position: Int
    private let end: Int
    /// Whether something is not closed or could hide tags.
    private(set) var isBroken = false

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next(in bytes: Span<UInt8>) -> Tag? {
        while let open = firstIndex(of: Ascii.less, in: bytes, from: position, to: end) {
            let rest = open..<end
            if bytes.range(rest, begins: "<!--") {
                skip(past: "-->", from: open + 4, bytes)
            } else if bytes.range(rest, begins: "<![CDATA[") {
                skip(past: "]]>", from: open + 9, bytes)
            } else if bytes.range(rest, begins: "<?") {
                skip(past: "?>", from: open + 2, bytes)
            } else if bytes.range(rest, begins: "<!") {
                // A document type could contain any declaration.
                isBroken = true
                position = end
            } else if let tag = tag(at: open, bytes) {
                position = tag.range.upperBound
                return tag
            } else {
                isBroken = true
                position = end
            }
        }
        return nil
    }

    private mutating func skip(past mark: StaticString, from start: Int, _ bytes: Span<UInt8>) {
        var index = start
        while let close = firstIndex(of: Ascii.greater, in: bytes, from: index, to: end) {
            index = close + 1
            let place = index - mark.utf8CodeUnitCount
            if place >= start, bytes.range(place..<end, begins: mark) {
                position = index
                return
            }
        }
        isBroken = true
        position = end
    }

    private func tag(at open: Int, _ bytes: Span<UInt8>) -> Tag? {
        var quote: UInt8 = 0
        var close = open + 1
        while close < end {
            let byte = bytes[close]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == Ascii.quote || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == Ascii.greater {
                break
            }
            close += 1
        }
        guard close < end else { return nil }
        let isClosing = bytes[open + 1] == UInt8(ascii: "/")
        let isEmpty = !isClosing && bytes[close - 1] == UInt8(ascii: "/")
        var name = open + (isClosing ? 2 : 1)..<open + (isClosing ? 2 : 1)
        while name.upperBound < close, bytes[name.upperBound] > Ascii.blank,
            bytes[name.upperBound] != UInt8(ascii: "/")
        {
            let isPrefix = bytes[name.upperBound] == UInt8(ascii: ":")
            name = (isPrefix ? name.upperBound + 1 : name.lowerBound)..<name.upperBound + 1
        }
        return Tag(kind: isClosing ? .closing : isEmpty ? .empty : .opening, name: name, range: open..<close + 1)
    }

    /// Returns the value of an attribute in a tag, without its quotes.
    static func value(of attribute: StaticString, in tag: Tag, _ bytes: Span<UInt8>) -> Range<Int>? {
        var index = tag.name.upperBound
        while index < tag.range.upperBound {
            while index < tag.range.upperBound, bytes[index] <= Ascii.blank { index += 1 }
            let name = index
            while index < tag.range.upperBound, bytes[index] > Ascii.blank, bytes[index] != UInt8(ascii: "=") {
                index += 1
            }
            let isAsked =
                index - name == attribute.utf8CodeUnitCount && bytes.range(name..<index, begins: attribute)
            while index < tag.range.upperBound, bytes[index] <= Ascii.blank || bytes[index] == UInt8(ascii: "=") {
                index += 1
            }
            guard index < tag.range.upperBound, bytes[index] == Ascii.quote || bytes[index] == UInt8(ascii: "'"),
                let close = firstIndex(of: bytes[index], in: bytes, from: index + 1, to: tag.range.upperBound)
            else { return nil }
            if isAsked { return index + 1..<close }
            index = close + 1
        }
        return nil
    }
}
