/// The two elements around the rows of a table, in the usual form, parsed without libxml2.
///
/// A plain frame is plain XML without a document type. It extends up to the tag that opens the rows, and continues with
/// two end tags after the rows:
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <DataSheet><Header nrows="2" ncols="1"><Column id="1" name="Molecule" type="molecule"/></Header><Content>
///     …
///     </Content></DataSheet>
///
/// The events are the same as those of the parser. The bytes are stored for the case that libxml2 is needed later.
struct PlainParser: Sendable {
    private(set) var bytes: [UInt8]
    /// The line at the end of the bytes.
    private(set) var line: Int32
    private(set) var isClosed = false
    /// The element that contains the rows, and the root element.
    private let content, root: Name

    private struct Name {
        let number: Int32
        let endTag: [UInt8]
    }

    /// The largest number of blanks that is ignored. More blanks are text.
    private static let longestGap = 63

    /// Parses the beginning of a file and adds its events. Returns `nil` without events if it is not plain or does not
    /// end at the rows.
    init?(_ head: Span<UInt8>, _ events: inout XMLEvents) {
        let known = (events: events.list.count, text: events.text.count)
        guard known == (0, 0), let frame = PlainParser(taking: head, &events) else {
            events.forget(from: known.events, textFrom: known.text)
            return nil
        }
        self = frame
    }

    private init?(taking head: Span<UInt8>, _ events: inout XMLEvents) {
        var scan = PlainXML(of: head, knowing: XMLVocabulary([]))
        var numbers: [Int32: Int32] = [:]
        var line: Int32 = 1
        var lineStart = 0
        var open: [Int32] = []
        var isAtStart = false
        if scan.hasDocumentType { return nil }
        while let token = scan.next(head) {
            line &+= head.extracting(lineStart..<scan.lineStart).countOfLineFeeds
            lineStart = scan.lineStart
            isAtStart = false
            switch token {
            case .start:
                let name = Self.number(of: scan.name, scan.names, &numbers, &events)
                if name == events.markedName { return nil }
                events.add(.start, name: name, line: line)
                for place in 0..<scan.attributeCount {
                    let attribute = scan.attributes[place]
                    let from = events.text.count
                    attribute.withText(in: head) { text in events.withText { $0.append(copying: text) } }
                    events.addAttribute(
                        name: Self.number(of: attribute.name, scan.names, &numbers, &events), textFrom: from)
                }
                open.append(name)
                isAtStart = scan.depth == open.count
            case .text:
                let from = events.text.count
                scan.text.withText(in: head) { text in events.withText { $0.append(copying: text) } }
                events.addText(from: from, isCharacterData: scan.text.isCharacterData)
            case .end:
                events.add(.end, name: open.removeLast(), line: line)
            }
        }
        guard isAtStart, open.count == 2, scan.at == head.count else { return nil }
        bytes = head.bytes(0..<head.count)
        self.line = line
        root = Name(number: open[0], endTag: Self.endTag(events.names[Int(open[0])]))
        content = Name(number: open[1], endTag: Self.endTag(events.names[Int(open[1])]))
    }

    /// Parses the end of the file, adds its events and returns the line at its end. Returns `nil` if it is not plain.
    mutating func close(_ tail: Span<UInt8>, line: Int32, _ events: inout XMLEvents) -> Int32? {
        // If no element is open, the end of the file needs no event.
        if isClosed { return tail.isEmpty ? line : nil }
        guard events.isBehindEnd, let first = Self.place(behind: content, in: tail, from: 0),
            let second = Self.place(behind: root, in: tail, from: first),
            Self.placeBehindBlanks(in: tail, from: second) == tail.count
        else { return nil }
        let lines = [first, second, tail.count].map { tail.extracting(..<$0).countOfLineFeeds }
        events.add(.end, name: content.number, line: line &+ lines[0])
        events.add(.end, name: root.number, line: line &+ lines[1])
        bytes += tail.bytes(0..<tail.count)
        self.line &+= lines[2]
        isClosed = true
        return line &+ lines[2]
    }

    private static func number(
        of name: Int32, _ names: XMLNames, _ numbers: inout [Int32: Int32], _ events: inout XMLEvents
    ) -> Int32 {
        if let number = numbers[name] { return number }
        let number = events.number(ofName: names[Int(name)].span)
        numbers[name] = number
        return number
    }

    private static func endTag(_ name: [UInt8]) -> [UInt8] { Array("</".utf8) + name + [Ascii.greater] }

    /// Returns the index after the end tag of an element, which blanks can precede.
    private static func place(behind element: Name, in bytes: Span<UInt8>, from start: Int) -> Int? {
        let place = placeBehindBlanks(in: bytes, from: start)
        let end = place + element.endTag.count
        guard place - start <= longestGap, end <= bytes.count, bytes.bytes(place..<end) == element.endTag else {
            return nil
        }
        return end
    }

    private static func placeBehindBlanks(in bytes: Span<UInt8>, from start: Int) -> Int {
        var place = start
        while place < bytes.count, Ascii.isBlank(bytes[place]) || bytes[place] == Ascii.lineFeed { place += 1 }
        return place
    }
}
