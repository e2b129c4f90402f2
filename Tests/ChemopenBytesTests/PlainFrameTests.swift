import Testing

@testable import ChemopenBytes

private let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <DataSheet>
    <Summary><Title>a &amp; b</Title>
    <Description><![CDATA[c]]></Description></Summary><Extension/>
    <Header nrows="2" ncols="2"
     a='"'><Column id="1" name="é" type="string"></Column>
    </Header> <Content>

    """
private let rows = """
    <Row id="1">
    <Cell id="1"><![CDATA[a]]></Cell>
    <Cell id="2">0.5</Cell>
    </Row>
    <Row id="2">
    <Cell id="1"/>
    </Row>

    """
private let end = "</Content>\n</DataSheet>\n"

/// Returns the events of a sheet, each with its line and the offsets of its rows, and the error if the sheet is
/// invalid.
///
/// - Parameter usesFrame: Whether to read the text around the rows without libxml2 if possible.
private func events(of text: [UInt8], usesFrame: Bool, inPiecesOf size: Int = .max) -> [String] {
    var parser = XMLParser()
    let rows = PlainRows(of: "Row", "Cell", by: "id", &parser.events)
    parser.events.markedName = parser.events.number(ofName: "Row")
    let tag = Array("<Content>".utf8)
    let isContent = { (place: Int) in text[place...].starts(with: tag) }
    var place = text.indices.first(where: isContent).map { $0 + tag.count } ?? text.count
    if usesFrame {
        parser.pushHead(text.span.extracting(0..<place))
    } else {
        parser.push(text.span.extracting(0..<place))
    }
    while place < text.count, parser.failure == nil {
        if parser.isBetweenRows {
            let end = parser.take(rows, from: place..<text.count, of: text)
            if end > place {
                place = end
                continue
            }
        }
        let rest = min(text.count, size == .max ? .max : place + size)
        let end = min(rest, rows.endOfRow(in: text.span, from: place, to: text.count) ?? .max)
        parser.push(text.span.extracting(place..<end))
        place = end
    }
    if parser.failure == nil { parser.push(text.span.extracting(0..<0)) }
    var told: [String] = []
    for (place, event) in parser.events.list.enumerated() {
        let text = event.withText(in: parser.events.text.span) {
            String(decoding: $0.bytes(0..<$0.count), as: UTF8.self)
        }
        let name = String(decoding: parser.events.names[Int(event.name)], as: UTF8.self)
        var words = "\(event.kind) \(event.isText ? "" : name) \(event.line) \(event.isCharacterData) \(text)"
        if event.isStart, let mark = parser.events.takeMark(ofElementAt: place) { words += " at \(mark)" }
        told.append(words)
    }
    if let failure = parser.failure { told.append("\(failure.line): \(failure.message)") }
    return told
}

@Suite("Text around table rows, with and without a parser")
struct PlainFrameTests {
    @Test("a plain frame needs no parser, and any other frame does")
    func needs() {
        func isPlain(_ head: String, end: String) -> (head: Bool, end: Bool) {
            var events = XMLEvents()
            guard var frame = PlainParser(Array(head.utf8).span, &events) else {
                #expect(events.list.isEmpty && events.text.isEmpty)
                return (false, false)
            }
            events.add(.end, name: 0, line: 9)
            return (true, frame.close(Array(end.utf8).span, line: 9, &events) != nil)
        }
        let tag = head.trimmingEnd
        #expect(isPlain(tag, end: end) == (true, true))
        #expect(isPlain(tag, end: " \t\n</Content></DataSheet>") == (true, true))
        for text in [
            head, "<a><b/>", "<a>", "<a><b><c>", "<!DOCTYPE a><a><b>", "<a><!-- --><b>", "<a>\u{1}<b>", "a<b>", "",
        ] {
            #expect(isPlain(text, end: end) == (false, false))
        }
        let gap = String(repeating: " ", count: 64)
        for text in [
            gap + end, "</Content>" + gap + "</DataSheet>", "</Content>", "</DataSheet>", "x" + end, end + "x", "",
        ] {
            #expect(isPlain(tag, end: text) == (true, false))
        }
    }

    @Test("a sheet has the same events either way")
    func same() {
        let text = Array((head + rows + end).utf8)
        let told = events(of: text, usesFrame: true)
        #expect(told == events(of: text, usesFrame: false))
        #expect(told.last == "end DataSheet 16 false ")
    }

    @Test(
        "a sheet that needs a parser after all, or that is invalid, has the same events and error line either way",
        arguments: [
            "<Row id='3'/>", "<!-- -->", "<Row id=\"3\"><Cell id=\"1\">&lt;</Cell></Row>", "x", "&x;", "</Row>",
            "<Row>", "\r\n",
            "</Content></DataSheet>", "</Content><Content>", "</Content><Row id=\"3\"></Row></DataSheet>", "<a:b/>",
            "\u{1}",
        ])
    func after(_ piece: String) {
        for text in [
            head + piece + rows + end, head + rows + piece + end, head + rows + piece + rows + end,
            head + rows + end + piece,
            head + piece, head + piece + end, head + rows + piece, piece + head + rows + end, piece,
        ] {
            let bytes = Array(text.utf8)
            for size in [1, 7, Int.max] {
                #expect(
                    events(of: bytes, usesFrame: true, inPiecesOf: size)
                        == events(of: bytes, usesFrame: false, inPiecesOf: size))
            }
        }
    }

    @Test("randomly changed sheets have the same events either way")
    func chance() {
        let pieces = [
            "<", ">", "/", "\"", "'", "&", ";", "]]>", "<![CDATA[", "\n", "\r", " ", "\t", "\u{1}", "\0", "é", "x",
            "<x>", "</x>",
            "<Row id=\"7\">", "</Row>", "</Content>", "</DataSheet>", "<Content>", "<!---->", "<?x?>", "&amp;", "&#10;",
            "xmlns=\"u\"",
            "<!DOCTYPE a>", "\u{FEFF}", " id=\"1\"",
        ]
        var chance: UInt64 = 1
        func number(below bound: Int) -> Int {
            chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(chance >> 33) % bound
        }
        let whole = Array((head + rows + end).utf8)
        for _ in 0..<4000 {
            var text = whole
            for _ in 0...number(below: 2) {
                let place = number(below: text.count)
                let end = number(below: 2) == 0 ? place : min(text.count, place + number(below: 20))
                text.replaceSubrange(place..<end, with: pieces[number(below: pieces.count)].utf8)
            }
            if number(below: 10) == 0 { text.removeLast(number(below: text.count)) }
            let told = events(of: text, usesFrame: true)
            if told != events(of: text, usesFrame: false) {
                Issue.record("\(String(decoding: text, as: UTF8.self))")
            }
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String { String(reversed().drop(while: \.isWhitespace).reversed()) }
}
