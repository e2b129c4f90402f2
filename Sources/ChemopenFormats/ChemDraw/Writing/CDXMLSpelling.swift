import ChemopenBytes
import ChemopenModel

/// How a drawing's objects are put into a file.
public protocol PageSpelling: SendableMetatype {
    /// A spelling that has written nothing.
    init()

    /// How many points wide or high anything may be; nothing where there is no end.
    static var longest: Double? { get }

    /// Adds the head of a file, and the beginning of its document.
    mutating func begin(_ document: borrowing DrawnPageObjects, to bytes: inout [UInt8])

    /// Adds the objects of a page.
    mutating func append(_ page: borrowing DrawnPageObjects, to bytes: inout [UInt8])

    /// Adds the end of the document.
    mutating func end(to bytes: inout [UInt8])
}

/// A page that is whole, or a document without its pages, for whoever spells it.
public struct DrawnPageObjects {
    let drawing: Drawing
}

/// Spells drawings in XML: objects are elements, their properties attributes.
public struct CDXMLSpelling: PageSpelling {
    private var xml = XMLText()
    private let words = CDXMLWords.all
    private var open: [(end: Int, tag: CDXMLWords.Place)] = []

    /// A spelling that has written nothing.
    public init() {}

    public static var longest: Double? { nil }

    public mutating func begin(_ document: borrowing DrawnPageObjects, to bytes: inout [UInt8]) {
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8" ?>
            <!DOCTYPE CDXML SYSTEM "http://www.cambridgesoft.com/xml/cdxml.dtd" >

            """)
        append(document.drawing, isOpen: true, to: &bytes)
    }

    public mutating func append(_ page: borrowing DrawnPageObjects, to bytes: inout [UInt8]) {
        append(page.drawing, isOpen: false, to: &bytes)
    }

    public mutating func end(to bytes: inout [UInt8]) {
        bytes.append("</CDXML>\n")
    }

    // MARK: Objects

    /// - Parameter isOpen: more will come behind the objects, and within the first one.
    private mutating func append(_ drawing: Drawing, isOpen: Bool, to bytes: inout [UInt8]) {
        // It is counted once, and not at each use.
        let words = words
        for place in drawing.objects.indices {
            close(before: place, words, to: &bytes)
            let object = drawing.objects[place]
            let tags = words[object.kind]
            bytes.append(addingCapacity: tags.start.count + 32) { output in
                words.append(tags.start, to: &output)
                if object.id == 0 { return }
                output.append(" id=\"")
                output.append(decimal: Int(object.id))
                output.append(Ascii.quote)
            }
            let contentStart = content.count
            drawing.forEachStatement(of: place) { append($0, of: drawing, words, to: &bytes) }
            let hasContent = content.count > contentStart
            let isEmpty = object.end <= place + 1 && !hasContent && !isOpen
            bytes.append(isEmpty ? "/>\n" : hasContent && object.kind == .text ? ">" : ">\n")
            if hasContent {
                bytes += content
                content.removeAll(keepingCapacity: true)
            }
            if !isEmpty, !isOpen { open.append((object.end, tags.end)) }
        }
        close(before: .max, words, to: &bytes)
    }

    /// The text and the tables between the tags of the object that is being spelled.
    private var content: [UInt8] = []
    /// The run before, and its tag.
    private var lastRun: StyledText.Run?
    private var lastTag: [UInt8] = []

    private mutating func close(before place: Int, _ words: CDXMLWords, to bytes: inout [UInt8]) {
        while let last = open.last, last.end <= place {
            words.append(last.tag, to: &bytes)
            open.removeLast()
        }
    }

    // MARK: Properties

    @inline(__always)
    private mutating func append(
        _ statement: Drawing.Entry, of drawing: Drawing, _ words: CDXMLWords, to bytes: inout [UInt8]
    ) {
        let property = statement.property
        guard let attribute = words[property] else {
            return append(property, nil, drawing.value(of: statement), to: &bytes)
        }
        switch (statement.form, attribute.way) {
        case (.integer, .row), (.identifiers, _), (.bytes, _), (.other, _):
            append(property, attribute, drawing.value(of: statement), to: &bytes)
        case (.integer, .order) where !DrawnOrder.isDigit(statement.integer):
            append(property, attribute, drawing.value(of: statement), to: &bytes)
        case (.integer, .order): words.append(attribute, statement.integer.trailingZeroBitCount + 1, to: &bytes)
        case (.integer, _): words.append(attribute, statement.integer, to: &bytes)
        case (.real, _):
            words.append(attribute.start, to: &bytes)
            bytes.appendShortest(statement.real)
            bytes.append(Ascii.quote)
        case (.position, _):
            let position = drawing.position(of: statement)
            words.append(attribute.start, to: &bytes)
            bytes.appendShortest(position.x)
            bytes.append(Ascii.blank)
            bytes.appendShortest(position.y)
            if attribute.isInSpace {
                bytes.append(Ascii.blank)
                bytes.appendShortest(position.z)
            }
            bytes.append(Ascii.quote)
        case (.box, _):
            let box = drawing.box(of: statement)
            words.append(attribute.start, to: &bytes)
            appendHundredths(box.left, before: Ascii.blank, to: &bytes)
            appendHundredths(box.top, before: Ascii.blank, to: &bytes)
            appendHundredths(box.right, before: Ascii.blank, to: &bytes)
            appendHundredths(box.bottom, before: Ascii.quote, to: &bytes)
        }
    }

    private func appendHundredths(_ number: Double, before next: UInt8, to bytes: inout [UInt8]) {
        let hundredths = (number * 100).rounded()
        if hundredths.magnitude < 1e9 {
            bytes.append(addingCapacity: 24) { output in
                output.append(tenThousandths: Int(hundredths) &* 100)
                output.append(next)
            }
        } else {
            bytes.appendShortest(hundredths / 100)
            bytes.append(next)
        }
    }

    /// Adds a statement of one of the rarer forms.
    private mutating func append(
        _ property: DrawnProperty, _ attribute: CDXMLWords.Attribute?, _ value: DrawnValue, to bytes: inout [UInt8]
    ) {
        switch (property, value) {
        case (.text, .styled(let text)): return appendRuns(text)
        case (.labelStyle, .styled(let style)): return append(style, "Label", to: &bytes)
        case (.captionStyle, .styled(let style)): return append(style, "Caption", to: &bytes)
        case (_, .fonts(let fonts)): return append(fonts)
        case (_, .colours(let colours)): return append(colours)
        default: break
        }
        guard let attribute else { return }
        words.append(attribute.start, to: &bytes)
        append(value, of: property, to: &bytes)
        bytes.append(Ascii.quote)
    }

    private mutating func append(_ value: DrawnValue, of property: DrawnProperty, to bytes: inout [UInt8]) {
        switch value {
        case .integer(let number): append(number, of: property, to: &bytes)
        case .identifiers(let ids): appendList(ids.map { Int($0) }, to: &bytes)
        case .text(let text): xml.appendEscaped(text.bytes, to: &bytes, inAttribute: true)
        case .elements(let elements):
            if elements.areExcluded { bytes.append("NOT ") }
            appendList(elements.numbers, to: &bytes)
        default: break
        }
    }

    private func append(_ number: Int, of property: DrawnProperty, to bytes: inout [UInt8]) {
        switch DrawnPropertyTable.anyRow(of: property.rawValue)?.type {
        case .bondOrder: bytes.append(contentsOf: DrawnOrder.spelling(of: number).utf8)
        case .words(let words):
            if let word = words[number] {
                bytes.append(contentsOf: word.utf8)
            } else {
                bytes.appendDecimal(number)
            }
        default: bytes.appendDecimal(number)
        }
    }

    private func appendList(_ numbers: [Int], to bytes: inout [UInt8]) {
        for (place, number) in numbers.enumerated() {
            if place > 0 { bytes.append(Ascii.blank) }
            bytes.appendDecimal(number)
        }
    }

    // MARK: Text and tables

    private mutating func appendRuns(_ text: StyledText) {
        for run in text.runs {
            // Most runs look like the one before.
            if let last = lastRun, last.hasLook(of: run) {
                content += lastTag
            } else {
                let start = content.count
                appendTag(of: run)
                (lastRun, lastTag) = (run, Array(content[start...]))
            }
            xml.appendEscaped(run.text.bytes, to: &content)
            content.append("</s>")
        }
    }

    private mutating func appendTag(of run: StyledText.Run) {
        content.append("<s")
        appendAttribute(" font=\"", run.font)
        appendAttribute(" face=\"", run.face == 0 ? nil : run.face)
        appendAttribute(" color=\"", run.colour)
        if let size = run.size {
            content.append(" size=\"")
            content.appendShortest(size)
            content.append(Ascii.quote)
        }
        content.append(UInt8(ascii: ">"))
    }

    /// Adds an attribute of a run, by its beginning up to the value, where there is a value.
    private mutating func appendAttribute(_ beginning: StaticString, _ number: Int?) {
        guard let number else { return }
        content.append(beginning)
        content.appendDecimal(number)
        content.append(Ascii.quote)
    }

    private func append(_ style: StyledText, _ prefix: String, to bytes: inout [UInt8]) {
        guard let run = style.runs.first else { return }
        if let font = run.font { bytes.append(contentsOf: " \(prefix)Font=\"\(font)\"".utf8) }
        if let size = run.size {
            bytes.append(contentsOf: " \(prefix)Size=\"".utf8)
            bytes.appendShortest(size)
            bytes.append("\"")
        }
        if let face = run.face { bytes.append(contentsOf: " \(prefix)Face=\"\(face)\"".utf8) }
    }

    private mutating func append(_ fonts: [DrawnFont]) {
        content.append("<fonttable>\n")
        for font in fonts {
            content.append(contentsOf: "<font id=\"\(font.id)\" charset=\"utf-8\" name=\"".utf8)
            xml.appendEscaped(font.name.bytes, to: &content, inAttribute: true)
            content.append("\"/>\n")
        }
        content.append("</fonttable>\n")
    }

    private mutating func append(_ colours: [DrawnColour]) {
        content.append("<colortable>\n")
        for colour in colours {
            content.append("<color")
            for (name, part) in [("r", colour.red), ("g", colour.green), ("b", colour.blue)] {
                content.append(contentsOf: " \(name)=\"".utf8)
                content.appendShortest((Double(part) / 65535 * 10_000).rounded() / 10_000)
                content.append("\"")
            }
            content.append("/>\n")
        }
        content.append("</colortable>\n")
    }
}
