/// Rows of a table in the usual form, parsed without libxml2. Rows that use any other feature of XML are left to
/// libxml2.
///
/// A plain row has one attribute and contains only cells and white space. Each cell has the same single attribute, and
/// contains plain text or one CDATA section:
///
///     <Row id="1">
///     <Cell id="1"><![CDATA[text]]></Cell>
///     <Cell id="2">0.5</Cell>
///     <Cell id="3"/>
///     </Row>
///
/// Such a row has the same meaning in every context, so a parser between two rows does not need to see it. Rows with
/// references, comments, carriage returns, other attributes or invalid characters are not plain.
package struct PlainRows: Sendable {
    private let row, cell, attribute: Int32
    private let rowOpening, rowEnd, cellOpening, cellEnd: ShortTag

    private let section = ShortTag("<![CDATA[")
    private let sectionEnd = ShortTag("]]>")
    private let tagEnd = ShortTag("\">")
    private let emptyTagEnd = ShortTag("\"/>")

    package init(of row: StaticString, _ cell: StaticString, by attribute: StaticString, _ events: inout XMLEvents) {
        self.row = events.number(ofName: row)
        self.cell = events.number(ofName: cell)
        self.attribute = events.number(ofName: attribute)
        rowOpening = ShortTag("<\(row) \(attribute)=\"")
        rowEnd = ShortTag("</\(row)>")
        cellOpening = ShortTag("<\(cell) \(attribute)=\"")
        cellEnd = ShortTag("</\(cell)>")
    }

    /// Returns the end of the first row at or after an index.
    package func endOfRow(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while let place = firstIndex(of: Ascii.less, in: bytes, from: index, to: end) {
            if rowEnd.stands(at: place, in: bytes), place &+ rowEnd.length <= end { return place &+ rowEnd.length }
            index = place &+ 1
        }
        return nil
    }

    /// Parses the rows at the start of a block. Stops at the end of the bytes or at the first row that is not plain.
    ///
    /// - Parameter offset: the offset of the block in the file.
    func take(
        _ block: Range<Int>, of bytes: [UInt8], line: Int32, offset: Int, into events: inout XMLEvents
    ) -> Taken {
        var taken = Taken(end: block.lowerBound, line: line)
        let isPlain = bytes.span.extracting(block).isPrintableASCII
        var scan = Scan(block, line: line, textStart: events.text.count, isPlain: isPlain)
        let isMarked = events.markedName == row
        while takeRow(&scan, bytes.span, &events) {
            taken = Taken(end: scan.at, line: scan.line)
            if isMarked { events.mark(scan.eventsBefore, at: offset &+ (scan.rowStart &- block.lowerBound)) }
        }
        events.forget(from: scan.eventsBefore)
        if taken.end > block.lowerBound { events.append(bytes[block.lowerBound..<taken.end]) }
        return taken
    }

    struct Taken {
        var end: Int
        var line: Int32
    }

    /// The progress within a block.
    private struct Scan {
        var at: Int
        var line: Int32
        let end: Int
        /// The difference between an index in the events' text and an index in the block.
        let shift: Int
        /// Whether the block contains neither control characters nor non-ASCII bytes.
        let isPlain: Bool
        /// The number of events before the current row.
        var eventsBefore = 0
        /// The index of the current row.
        var rowStart = 0

        init(_ block: Range<Int>, line: Int32, textStart: Int, isPlain: Bool) {
            at = block.lowerBound
            end = block.upperBound
            self.line = line
            shift = textStart &- block.lowerBound
            self.isPlain = isPlain
        }

        /// Moves past a tag if it is at the current index.
        @inline(__always)
        mutating func pass(_ tag: ShortTag, _ bytes: Span<UInt8>) -> Bool {
            guard tag.stands(at: at, in: bytes) else { return false }
            at &+= tag.length
            return true
        }

        @inline(__always)
        mutating func passBlanks(_ bytes: Span<UInt8>) {
            while at < end {
                switch bytes[at] {
                case Ascii.lineFeed: line &+= 1
                case Ascii.blank, Ascii.tab: break
                default: return
                }
                at &+= 1
            }
        }
    }

    private func takeRow(_ scan: inout Scan, _ bytes: Span<UInt8>, _ events: inout XMLEvents) -> Bool {
        scan.eventsBefore = events.list.count
        scan.passBlanks(bytes)
        scan.rowStart = scan.at
        guard scan.pass(rowOpening, bytes) else { return false }
        events.add(.start, name: row, line: scan.line, textAt: scan.at &+ scan.shift)
        guard let id = passNumber(&scan, bytes), scan.pass(tagEnd, bytes) else { return false }
        events.addAttribute(name: attribute, text: id, shiftedBy: scan.shift)
        while true {
            scan.passBlanks(bytes)
            if scan.pass(rowEnd, bytes) { break }
            guard takeCell(&scan, bytes, &events) else { return false }
        }
        events.add(.end, name: row, line: scan.line, textAt: scan.at &+ scan.shift)
        return scan.at <= scan.end
    }

    @inline(__always)
    private func takeCell(_ scan: inout Scan, _ bytes: Span<UInt8>, _ events: inout XMLEvents) -> Bool {
        guard scan.pass(cellOpening, bytes) else { return false }
        events.add(.start, name: cell, line: scan.line, textAt: scan.at &+ scan.shift)
        guard let id = passNumber(&scan, bytes) else { return false }
        events.addAttribute(name: attribute, text: id, shiftedBy: scan.shift)
        if scan.pass(tagEnd, bytes) {
            if scan.pass(section, bytes) {
                guard let text = passSection(&scan, bytes) else { return false }
                events.addText(text, shiftedBy: scan.shift, isCharacterData: true)
            } else {
                guard let text = passText(&scan, bytes) else { return false }
                if !text.isEmpty { events.addText(text, shiftedBy: scan.shift, isCharacterData: false) }
            }
            guard scan.pass(cellEnd, bytes) else { return false }
        } else if !scan.pass(emptyTagEnd, bytes) {
            return false
        }
        events.add(.end, name: cell, line: scan.line, textAt: scan.at &+ scan.shift)
        return true
    }

    @inline(__always)
    private func passNumber(_ scan: inout Scan, _ bytes: Span<UInt8>) -> Range<Int>? {
        let start = scan.at
        while scan.at < scan.end, bytes[scan.at] &- 0x30 < 10 { scan.at &+= 1 }
        return scan.at > start ? start..<scan.at : nil
    }

    /// Moves past the text and the end of a CDATA section.
    @inline(__always)
    private func passSection(_ scan: inout Scan, _ bytes: Span<UInt8>) -> Range<Int>? {
        var index = scan.at
        while let place = firstIndex(of: 0x5D, in: bytes, from: index, to: scan.end) {
            guard sectionEnd.stands(at: place, in: bytes) else {
                index = place &+ 1
                continue
            }
            let text = scan.at..<place
            let part = bytes.extracting(text)
            guard scan.isPlain || part.isSound else { return nil }
            scan.line &+= part.countOfLineFeeds
            scan.at = place &+ sectionEnd.length
            return text
        }
        return nil
    }

    /// Moves past text up to the next tag.
    @inline(__always)
    private func passText(_ scan: inout Scan, _ bytes: Span<UInt8>) -> Range<Int>? {
        let start = scan.at
        while scan.at < scan.end {
            let byte = bytes[scan.at]
            if byte == Ascii.less {
                guard scan.isPlain || bytes.extracting(start..<scan.at).isSound else { return nil }
                return start..<scan.at
            }
            // A reference, or perhaps `]]>`, which is not permitted in text.
            if byte == UInt8(ascii: "&") || byte == 0x5D { return nil }
            if byte == Ascii.lineFeed { scan.line &+= 1 }
            scan.at &+= 1
        }
        return nil
    }
}

/// Up to sixteen bytes that can be compared in two steps.
private struct ShortTag: Sendable {
    let length: Int
    private let low, lowMask, high, highMask: UInt64

    init(_ text: String) {
        length = text.utf8.count
        var words: [UInt64] = [0, 0]
        var masks: [UInt64] = [0, 0]
        for (place, byte) in text.utf8.enumerated().prefix(16) {
            words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
            masks[place / 8] |= 0xFF << UInt64(place % 8 * 8)
        }
        (low, high) = (words[0], words[1])
        (lowMask, highMask) = (masks[0], masks[1])
    }

    /// Whether the bytes are equal at an index. Returns `false` within the last sixteen bytes, which cannot be loaded
    /// at once.
    @inline(__always)
    func stands(at index: Int, in bytes: Span<UInt8>) -> Bool {
        guard index &+ 16 <= bytes.count, loadWord(bytes, at: index) & lowMask == low else { return false }
        return loadWord(bytes, at: index &+ 8) & highMask == high
    }
}
