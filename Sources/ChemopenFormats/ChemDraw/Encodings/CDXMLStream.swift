import ChemopenBytes
import ChemopenModel

/// Reads a drawing from CDXML: elements become objects, attributes become properties, and `s` elements become runs of
/// text.
struct CDXMLStream {
    private var drawing: DrawingDraft
    /// The roles of the open elements, starting with the outermost.
    private var roles: [Role] = []
    /// The text of the innermost text object: a range of the file if possible, otherwise the collected bytes.
    private var piece = 0..<0
    private var content: [UInt8] = []
    /// Whether texts can be stored as ranges of the file.
    private let isPlain: Bool
    private var documents = 0
    /// The meanings of element and attribute names, indexed by their numbers.
    private var meanings = CDXMLNames.meanings
    /// The outermost open element that is not in the tables; it is preserved verbatim.
    private var foreign: ForeignElement?
    /// The fonts, colors and runs of text, if the appearance is read.
    private var looks = CDXMLLooks()

    /// The treatment of an element.
    private enum Role {
        case object
        /// A run of text, `s`.
        case run
        /// A table of fonts or colors that is read.
        case table
        /// A font, a color, or any other element that is not an object.
        case other
    }

    private static let greatestDepth = 4096
    private static let blockSize = 64 * 1024

    /// Reads a complete file. If there is a syntax error, it returns the objects before the error and reports it.
    ///
    /// - Parameters: - bytes: The bytes of the file. - isWhole: Whether to read the properties of the appearance too.
    /// - Returns: The drawing.
    /// - Throws: `CDXStream.Refusal` if the file contains no `CDXML` element.
    static func read(_ bytes: [UInt8], isWhole: Bool = false) throws(CDXStream.Refusal) -> Drawing {
        if let drawing = plainDrawing(bytes, isWhole: isWhole) { return drawing }
        let (text, issues) = CDXMLText.repaired(bytes)
        var stream = CDXMLStream(DrawingDraft(linesOf: text, isWhole: isWhole), isPlain: false)
        stream.drawing.reserve(forBytes: text.count / 2)
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
                offset: stream.drawing.lines.offset(ofLine: line), line: line,
                expected: parser.failure.map { "a CDXML document; \($0.message)" } ?? "the element <CDXML>")
        }
        return stream.drawing.finished
    }

    /// Returns the drawing in a complete file of plain XML that needs no repair, which is the usual case; nil
    /// otherwise.
    static func plainDrawing(_ bytes: [UInt8], isWhole: Bool = false) -> Drawing? {
        let text = bytes.span
        var scan = PlainXML(of: text, knowing: CDXMLNames.vocabulary)
        var stream = CDXMLStream(DrawingDraft(of: bytes, linesOf: bytes, isWhole: isWhole), isPlain: true)
        stream.drawing.reserve(forBytes: bytes.count / 2)
        while let token = scan.next(text) {
            switch token {
            case .start:
                let attributes = scan.attributes.span.extracting(0..<scan.attributeCount)
                stream.start(scan.name, attributes, text, scan.names, scan.lineStart)
            case .text: stream.add(scan.text, of: text)
            case .end: stream.end(scan.name, scan.names)
            }
        }
        return scan.isWhole && stream.documents > 0 ? stream.drawing.finished : nil
    }

    private init(_ drawing: DrawingDraft, isPlain: Bool) {
        self.drawing = drawing
        self.isPlain = isPlain
    }

    private mutating func fail(_ failure: XMLFailure) {
        let inside = drawing.current.map { " inside <\(drawing.kind(of: $0).name)>" } ?? ""
        drawing.damage = drawing.lines.issue(failure.message + inside, at: drawing.lines.offset(ofLine: failure.line))
    }

    // MARK: Events

    private mutating func take(_ events: borrowing XMLEvents) {
        let list = events.list.span
        let text = events.text.span
        var place = 0
        while place < list.count {
            let event = list[place]
            place += 1
            switch event.kind {
            case .start:
                let first = place
                while place < list.count, list[place].isAttribute { place += 1 }
                start(
                    event.name, list.extracting(first..<place), text, events.names,
                    drawing.lines.offset(ofLine: Int(event.line)))
            case .text: add(event, of: text)
            case .end: end(event.name, events.names)
            case .attribute: break
            }
        }
    }

    @inline(__always)
    private mutating func meaning(of name: Int32, _ names: XMLNames) -> CDXMLNames.Meaning {
        let place = Int(name)
        return place < meanings.count ? meanings[place] : meaning(ofOwn: place, names)
    }

    private mutating func meaning(ofOwn place: Int, _ names: XMLNames) -> CDXMLNames.Meaning {
        while meanings.count <= place, meanings.count < names.count {
            meanings.append(CDXMLNames.Meaning(ofOwnName: names[meanings.count]))
        }
        return meanings.indices.contains(place) ? meanings[place] : CDXMLNames.Meaning()
    }

    private func spelling(of name: Int32, _ names: XMLNames) -> String {
        String(decoding: names[Int(name)], as: UTF8.self)
    }

    private mutating func start(
        _ name: Int32, _ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames, _ offset: Int
    ) {
        let element = meaning(of: name, names)
        if foreign != nil { foreign?.open(name, attributes, text, names) }
        switch element.element {
        case .run:
            roles.append(.run)
            if drawing.isWhole { looks.runs.append((Self.attributes(attributes, text, names), [])) }
        case .represent:
            let shown = drawing.isWhole ? CDXMLParts.reference(Self.attributes(attributes, text, names)) : nil
            drawing.set(.represents, shown.map { .references([$0]) } ?? .integer(1))
            roles.append(.other)
        case .font, .color, .other:
            let isTable = names[Int(name)] == CDXMLParts.fontTable || names[Int(name)] == CDXMLParts.colorTable
            roles.append(drawing.isWhole && isTable ? .table : .other)
            if drawing.isWhole { looks.take(element.element, Self.attributes(attributes, text, names)) }
        case .object:
            guard isObject(element.kind, offset) else {
                roles.append(.other)
                return
            }
            startObject(name, element.kind, attributes, text, names, offset)
            roles.append(.object)
        }
    }

    /// Whether an element that starts is an object to read.
    private mutating func isObject(_ kind: DrawnKind, _ offset: Int) -> Bool {
        if kind == .document {
            documents += 1
            // The pages of all documents in a list become pages of the first document.
            if documents > 1 { return false }
        } else if drawing.depth == 0 {
            return false
        }
        guard drawing.depth < Self.greatestDepth else {
            drawing.doubt("objects are nested more than \(Self.greatestDepth) deep; inner ones are omitted", at: offset)
            return false
        }
        return true
    }

    private mutating func startObject(
        _ name: Int32, _ kind: DrawnKind, _ attributes: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames,
        _ offset: Int
    ) {
        if kind == .unknown {
            drawing.countUnknown("object \(spelling(of: name, names))")
            if foreign == nil {
                foreign = ForeignElement()
                foreign?.open(name, attributes, text, names)
            }
        }
        if kind == .text { forgetContent() }
        var id: UInt32 = 0
        for place in attributes.indices where attributes[place].name == CDXMLNames.id {
            let isRaw = attributes[place].isRaw
            if !isRaw, let number = CDXMLValues.integer(text, in: attributes[place].range),
                let exact = UInt32(exactly: number)
            {
                id = exact
            } else {
                id = attributes[place].withText(in: text) { identifier($0, offset) }
            }
            break
        }
        drawing.open(kind, id: id, offset: offset)
        for place in attributes.indices {
            let attribute = meaning(of: attributes[place].name, names)
            if attribute.isLook {
                if drawing.isWhole, attribute.form != nil {
                    attributes[place].withText(in: text) { setLook(attribute.property, $0) }
                }
                continue
            }
            if let form = attribute.form {
                if form == .text, isPlain, !attributes[place].isRaw {
                    drawing.set(attribute.property, textAt: attributes[place].range)
                } else if attributes[place].isRaw {
                    attributes[place].withText(in: text) { set(attribute.property, form, $0, 0..<$0.count, offset) }
                } else {
                    set(attribute.property, form, text, attributes[place].range, offset)
                }
            } else {
                drawing.countUnknown("property \(spelling(of: attributes[place].name, names))")
                if foreign == nil { drawing.keep(ForeignElement.attribute(attributes[place], text, names)) }
            }
        }
    }

    private mutating func add(_ event: XMLEvents.Event, of text: Span<UInt8>) {
        if foreign != nil { event.withText(in: text) { foreign?.add(text: $0) } }
        guard case .run? = roles.last else { return }
        if drawing.isWhole { event.withText(in: text) { looks.add($0) } }
        if isPlain, !event.isRaw, piece.isEmpty, content.isEmpty {
            piece = event.range
            return
        }
        content.append(copying: text.extracting(piece))
        piece = 0..<0
        event.withText(in: text) { content.append(copying: $0) }
    }

    private mutating func forgetContent() {
        piece = 0..<0
        content = []
        looks.runs = []
    }

    private mutating func end(_ name: Int32, _ names: XMLNames) {
        endObject()
        guard foreign != nil else { return }
        foreign?.close(name, names)
        if let foreign, foreign.depth == 0 {
            drawing.keep(foreign.text)
            self.foreign = nil
        }
    }

    private mutating func endObject() {
        guard let role = roles.popLast() else { return }
        if case .table = role { looks.moveTables(to: &drawing) }
        guard case .object = role else { return }
        if !piece.isEmpty || !content.isEmpty, let object = drawing.current, drawing.kind(of: object) == .text {
            if content.isEmpty {
                drawing.set(.text, textAt: piece)
            } else {
                drawing.set(.text, .text(CDXCharacterSets.withOneKindOfLineEnd(content[...])))
            }
            if drawing.isWhole { drawing.set(.text, .styled(looks.styledText)) }
            forgetContent()
        }
        // A list can contain further documents with more pages, so the first document stays open.
        if drawing.depth > 1 || !roles.contains(where: { if case .other = $0 { true } else { false } }) {
            drawing.close()
        }
    }

    private mutating func setLook(_ property: DrawnProperty, _ text: Span<UInt8>) {
        var isExact = true
        if let value = DrawnPropertyTable.row(of: property)?.type.read(text, isExact: &isExact) {
            drawing.set(property, value)
        }
    }

    private static func attributes(
        _ events: Span<XMLEvents.Event>, _ text: Span<UInt8>, _ names: XMLNames
    ) -> [CDXMLAttribute] {
        var attributes: [CDXMLAttribute] = []
        for place in events.indices {
            let value = events[place].withText(in: text) { $0.bytes(0..<$0.count) }
            attributes.append(CDXMLAttribute(name: names[Int(events[place].name)], value: value))
        }
        return attributes
    }

    private mutating func identifier(_ text: Span<UInt8>, _ offset: Int) -> UInt32 {
        if let id = CDXMLValues.integer(text), let exact = UInt32(exactly: id) { return exact }
        drawing.doubt("id: not a number; ignored", found: Text(bytes: text.bytes(0..<text.count)), at: offset)
        return 0
    }

    /// Sets a property to a value in a range of a text. Common forms are decoded without the codec, for speed.
    private mutating func set(
        _ property: DrawnProperty, _ form: DrawnType.Form, _ whole: Span<UInt8>, _ range: Range<Int>, _ offset: Int
    ) {
        switch form {
        case .integer:
            if let number = CDXMLValues.integer(whole, in: range) { return drawing.set(property, integer: number) }
        case .identifier:
            if let id = CDXMLValues.identifier(whole, in: range) { return drawing.set(property, integer: id) }
        case .charge, .fraction, .real:
            if let number = CDXMLValues.real(whole.extracting(range)) { return drawing.set(property, real: number) }
        case .point where property == .position:
            if let position = CDXMLValues.point(whole, range) { return drawing.set(property, position: position) }
        case .box:
            if let box = CDXMLValues.box(whole, range) { return drawing.set(property, box: box) }
        default: return setByCodec(property, whole.extracting(range), offset)
        }
        doubt(property, whole.extracting(range), offset)
    }

    private mutating func setByCodec(_ property: DrawnProperty, _ text: Span<UInt8>, _ offset: Int) {
        var isExact = true
        guard let type = DrawnPropertyTable.row(of: property)?.type, let value = type.read(text, isExact: &isExact)
        else { return doubt(property, text, offset) }
        if case .integer(let number) = value, !type.allows(number) { return doubt(property, text, offset) }
        drawing.set(property, value)
    }

    private mutating func doubt(_ property: DrawnProperty, _ text: Span<UInt8>, _ offset: Int) {
        let name = DrawnPropertyTable.row(of: property)?.name ?? ""
        drawing.doubt(
            "\(name): invalid value; ignored", found: Text(bytes: text.bytes(0..<text.count)), at: offset)
        if property == .element { drawing.set(.element, .integer(FragmentReader.unreadable)) }
    }
}

/// The fonts, colors and runs of text that pages need.
private struct CDXMLLooks {
    var runs: [(attributes: [CDXMLAttribute], text: [UInt8])] = []
    private var fonts: [DrawnFont] = []
    private var colors: [DrawnColor] = []

    /// If a file has longer tables, it is not a normal drawing.
    private static let longestTable = 0xFFFF

    mutating func take(_ role: CDXMLNames.ElementRole, _ attributes: [CDXMLAttribute]) {
        switch role {
        case .font where fonts.count < Self.longestTable: fonts.append(CDXMLParts.font(attributes))
        case .color where colors.count < Self.longestTable:
            var isExact = true
            colors.append(CDXMLParts.color(attributes, isExact: &isExact))
        default: break
        }
    }

    /// Moves the tables into the document.
    mutating func moveTables(to drawing: inout DrawingDraft) {
        if !fonts.isEmpty { drawing.set(.fontTable, .fonts(fonts)) }
        if !colors.isEmpty { drawing.set(.colorTable, .colors(colors)) }
        (fonts, colors) = ([], [])
    }

    mutating func add(_ text: Span<UInt8>) {
        if !runs.isEmpty { runs[runs.count - 1].text.append(copying: text) }
    }

    var styledText: StyledText {
        StyledText(
            runs: runs.map { attributes, text in
                var run = CDXMLParts.run(attributes)
                run.text = CDXCharacterSets.withOneKindOfLineEnd(text[...])
                return run
            })
    }
}
