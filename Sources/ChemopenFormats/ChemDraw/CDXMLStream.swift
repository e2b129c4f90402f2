import ChemopenBytes
import ChemopenModel

/// Reads the XML spelling of a drawing: elements are objects, attributes their properties, `s` the runs of a text.
struct CDXMLStream {
    private var drawing = Drawing()
    /// What becomes of the elements that are open, the outermost first.
    private var roles: [Role] = []
    /// The text of the runs of the innermost text object.
    private var content: [UInt8] = []
    private var documents = 0
    /// What the names of elements and attributes mean, by their numbers.
    private var meanings = CDXMLNames.meanings
    private let lineStarts: [Int]
    /// The outermost element that is being read and that is in no table.
    private var foreign: ForeignElement?

    /// What becomes of an element.
    private enum Role {
        case object
        /// `s`, a run of text.
        case run
        /// Fonts, colours and whatever else is no object.
        case other
    }

    private static let greatestDepth = 4096
    private static let blockSize = 64 * 1024

    /// Reads a whole file. What stands before a fault is read, and the fault told.
    static func read(_ bytes: [UInt8]) throws(CDXStream.Refusal) -> Drawing {
        let (text, issues) = CDXMLText.repaired(bytes)
        var stream = CDXMLStream(text)
        stream.drawing.issues = issues
        var parser = XMLParser(knowing: CDXMLNames.vocabulary)
        parser.events.reserve(forBytes: min(blockSize, text.count))
        var start = 0
        repeat {
            let end = min(start + blockSize, text.count)
            parser.push(text.span.extracting(start..<end))
            stream.take(parser.events)
            parser.events.forget(before: .max)
            start = end
        } while start < text.count && parser.failure == nil
        stream.drawing.isBroken = parser.failure != nil
        if parser.failure == nil { parser.push(text.span.extracting(0..<0)) }
        stream.take(parser.events)
        if let failure = parser.failure { stream.fail(failure) }
        guard stream.documents > 0 else {
            let line = parser.failure?.line ?? 1
            throw .init(
                offset: stream.offset(ofLine: line), line: line,
                expected: parser.failure.map { "a CDXML document; \($0.message)" } ?? "the element <CDXML>")
        }
        return stream.drawing
    }

    private init(_ text: [UInt8]) {
        var starts = [0]
        starts.reserveCapacity(text.count / 24 + 16)
        let bytes = text.span
        var place = 0
        while let end = firstIndex(of: 0x0A, in: bytes, from: place, to: bytes.count) {
            place = end + 1
            starts.append(place)
        }
        lineStarts = starts
        drawing.lineStarts = starts
        drawing.reserve(forBytes: text.count / 2)
    }

    private func offset(ofLine line: Int) -> Int {
        lineStarts[max(0, min(line - 1, lineStarts.count - 1))]
    }

    private mutating func fail(_ failure: XMLFailure) {
        let inside = drawing.current.map { " inside <\(drawing.kind(of: $0).name)>" } ?? ""
        drawing.damage = drawing.issue(failure.message + inside, at: offset(ofLine: failure.line))
    }

    // MARK: Events

    private mutating func take(_ events: XMLEvents) {
        var place = 0
        while place < events.list.count {
            let event = events.list[place]
            place += 1
            switch event.kind {
            case .start:
                let first = place
                while place < events.list.count, events.list[place].kind == .attribute { place += 1 }
                start(event.name, first..<place, events, offset(ofLine: Int(event.line)))
            case .text:
                if foreign != nil { foreign?.add(text: events.text[event.range]) }
                if case .run? = roles.last { content += events.text[event.range] }
            case .end: end(event.name, events)
            case .attribute: break
            }
        }
    }

    private mutating func meaning(of name: Int32, _ events: XMLEvents) -> CDXMLNames.Meaning {
        let place = Int(name)
        if place < meanings.count { return meanings[place] }
        while meanings.count <= place, meanings.count < events.names.count {
            meanings.append(CDXMLNames.Meaning(ofOwnName: events.names[meanings.count]))
        }
        return meanings.indices.contains(place) ? meanings[place] : CDXMLNames.Meaning()
    }

    private func name(of number: Int32, _ events: XMLEvents) -> String {
        String(decoding: events.names[Int(number)], as: UTF8.self)
    }

    private mutating func start(
        _ number: Int32, _ attributes: Range<Int>, _ events: XMLEvents, _ offset: Int
    ) {
        let element = meaning(of: number, events)
        if foreign != nil { foreign?.open(number, attributes, events) }
        switch element.element {
        case .run:
            roles.append(.run)
        case .represent:
            drawing.set(.represents, .integer(1))
            roles.append(.other)
        case .other:
            roles.append(.other)
        case .object:
            startObject(number, element, attributes, events, offset)
        }
    }

    private mutating func startObject(
        _ number: Int32, _ element: CDXMLNames.Meaning, _ attributes: Range<Int>, _ events: XMLEvents, _ offset: Int
    ) {
        if element.kind == .document {
            documents += 1
            // Documents of a list follow one another; the pages of the later ones join those of the first.
            if documents > 1 {
                roles.append(.other)
                return
            }
        } else if drawing.depth == 0 {
            roles.append(.other)
            return
        }
        guard drawing.depth < Self.greatestDepth else {
            drawing.doubt("objects nest more than \(Self.greatestDepth) deep; those within are left out", at: offset)
            roles.append(.other)
            return
        }
        if element.kind == .unknown {
            drawing.countUnknown("object \(name(of: number, events))")
            if foreign == nil {
                foreign = ForeignElement()
                foreign?.open(number, attributes, events)
            }
        }
        if element.kind == .text { content = [] }
        var id: UInt32 = 0
        for place in attributes where meaning(of: events.list[place].name, events).isID {
            id = identifier(events.text[events.list[place].range], offset)
        }
        drawing.open(element.kind, id: id, offset: offset)
        for place in attributes {
            let attribute = meaning(of: events.list[place].name, events)
            if attribute.row >= 0 {
                set(DrawnPropertyTable.row(at: Int(attribute.row)), events.text[events.list[place].range], offset)
            } else if !attribute.isLook {
                drawing.countUnknown("property \(name(of: events.list[place].name, events))")
                if foreign == nil { drawing.keep(ForeignElement.attribute(place, events)) }
            }
        }
        roles.append(.object)
    }

    private mutating func end(_ number: Int32, _ events: XMLEvents) {
        endObject()
        guard foreign != nil else { return }
        foreign?.close(number, events)
        if let foreign, foreign.depth == 0 {
            drawing.keep(foreign.text)
            self.foreign = nil
        }
    }

    private mutating func endObject() {
        guard let role = roles.popLast(), case .object = role else { return }
        if let object = drawing.current, drawing.kind(of: object) == .text, !content.isEmpty {
            let text = CDXCharacterSets.withOneKindOfLineEnd(content[...])
            drawing.set(.text, .text(text))
            content = []
        }
        // A list holds further documents, whose pages are still to come.
        if drawing.depth > 1 || !roles.contains(where: { if case .other = $0 { true } else { false } }) {
            drawing.close()
        }
    }

    private mutating func identifier(_ text: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        if let id = CDXMLValues.integer(text), let exact = UInt32(exactly: id) { return exact }
        drawing.doubt("id: is no number; left out", found: Text(bytes: text), at: offset)
        return 0
    }

    private mutating func set(_ row: DrawnPropertyTable.Row, _ text: ArraySlice<UInt8>, _ offset: Int) {
        if let value = CDXMLValues.value(of: row, in: text) {
            drawing.set(row.property, value)
        } else {
            drawing.doubt("\(row.name): is no value of it; left out", found: Text(bytes: text), at: offset)
            if row.property == .element { drawing.set(.element, .integer(FragmentReader.unreadable)) }
        }
    }
}
