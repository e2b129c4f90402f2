import ChemopenBytes
import ChemopenModel

/// Spells objects in XML: they are elements, their properties attributes.
struct CDXMLSpelling {
    var bytes: [UInt8] = []
    private let words = CDXMLWords.all
    private var xml = XMLText()
    /// The objects that are open, the innermost last.
    private var kinds: [DrawnKind] = []
    /// The beginning of the innermost object's element has not ended yet.
    private var isInTag = false
    /// The text and the tables that stand within the innermost object's element.
    private var content: [UInt8] = []
    /// The run before, and its tag.
    private var lastRun: StyledText.Run?
    private var lastTag: [UInt8] = []

    static let head: StaticString = """
        <?xml version="1.0" encoding="UTF-8" ?>
        <!DOCTYPE CDXML SYSTEM "http://www.cambridgesoft.com/xml/cdxml.dtd" >

        """

    // MARK: Objects

    mutating func open(_ kind: DrawnKind, id: UInt32) {
        endTag()
        let words = words
        let start = words[kind].start
        bytes.append(addingCapacity: start.count + 32) { output in
            words.append(start, to: &output)
            if id == 0 { return }
            output.append(" id=\"")
            output.append(decimal: Int(id))
            output.append(Ascii.quote)
        }
        beginTag(of: kind)
    }

    mutating func beginTag(of kind: DrawnKind) {
        kinds.append(kind)
        isInTag = true
    }

    mutating func close() {
        guard let kind = kinds.popLast() else { return }
        if isInTag, content.isEmpty {
            bytes.append("/>")
            if !isInText { bytes.append(Ascii.lineFeed) }
            isInTag = false
        } else {
            endTag(of: kind)
            words.append(words[kind].end, to: &bytes)
        }
    }

    /// Whether the innermost object is a text, in which every line break counts.
    var isInText: Bool { kinds.last == .text }

    /// Ends the beginning of the element that is open, since something stands within.
    @inline(__always)
    mutating func endTag() {
        if isInTag, let kind = kinds.last { endTag(of: kind) }
    }

    private mutating func endTag(of kind: DrawnKind) {
        if !isInTag { return }
        isInTag = false
        bytes.append(kind == .text ? ">" : ">\n")
        if content.isEmpty { return }
        bytes += content
        content.removeAll(keepingCapacity: true)
    }

    // MARK: Properties

    mutating func set(_ property: DrawnProperty, integer number: Int) {
        guard let attribute = words[property] else { return }
        switch attribute.way {
        case .row: append(property, attribute, .integer(number))
        case .order where !DrawnOrder.isDigit(number): append(property, attribute, .integer(number))
        case .order: words.append(attribute, number.trailingZeroBitCount + 1, to: &bytes)
        default: words.append(attribute, number, to: &bytes)
        }
    }

    mutating func set(_ property: DrawnProperty, real number: Double) {
        guard let attribute = words[property] else { return }
        words.append(attribute.start, to: &bytes)
        bytes.appendShortest(number)
        bytes.append(Ascii.quote)
    }

    mutating func set(_ property: DrawnProperty, position: Position) {
        guard let attribute = words[property] else { return }
        words.append(attribute.start, to: &bytes)
        bytes.appendShortest(position.x)
        bytes.append(Ascii.blank)
        bytes.appendShortest(position.y)
        if attribute.isInSpace {
            bytes.append(Ascii.blank)
            bytes.appendShortest(position.z)
        }
        bytes.append(Ascii.quote)
    }

    mutating func set(_ property: DrawnProperty, box: DrawnBox) {
        guard let attribute = words[property] else { return }
        words.append(attribute.start, to: &bytes)
        appendHundredths(box.left, before: Ascii.blank)
        appendHundredths(box.top, before: Ascii.blank)
        appendHundredths(box.right, before: Ascii.blank)
        appendHundredths(box.bottom, before: Ascii.quote)
    }

    /// Says something in one of the rarer forms.
    mutating func set(_ property: DrawnProperty, _ value: DrawnValue) {
        append(property, words[property], value)
    }

    private mutating func appendHundredths(_ number: Double, before next: UInt8) {
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

    private mutating func append(_ property: DrawnProperty, _ attribute: CDXMLWords.Attribute?, _ value: DrawnValue) {
        switch (property, value) {
        case (.text, .styled(let text)): return appendRuns(text)
        case (.labelStyle, .styled(let style)): return append(style, "Label")
        case (.captionStyle, .styled(let style)): return append(style, "Caption")
        case (_, .fonts(let fonts)): return append(fonts)
        case (_, .colours(let colours)): return append(colours)
        default: break
        }
        guard let attribute else { return }
        words.append(attribute.start, to: &bytes)
        append(value, of: property)
        bytes.append(Ascii.quote)
    }

    private mutating func append(_ value: DrawnValue, of property: DrawnProperty) {
        switch value {
        case .integer(let number): append(number, of: property)
        case .identifiers(let ids): appendList(ids.map { Int($0) })
        case .text(let text): xml.appendEscaped(text.bytes, to: &bytes, inAttribute: true)
        case .elements(let elements):
            if elements.areExcluded { bytes.append("NOT ") }
            appendList(elements.numbers)
        default: break
        }
    }

    private mutating func append(_ number: Int, of property: DrawnProperty) {
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

    private mutating func appendList(_ numbers: [Int]) {
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
                lastTag = Self.tag(of: run)
                lastRun = run
                content += lastTag
            }
            xml.appendEscaped(run.text.bytes, to: &content)
            content.append("</s>")
        }
    }

    private static func tag(of run: StyledText.Run) -> [UInt8] {
        var tag: [UInt8] = []
        tag.append("<s")
        append(" font=\"", run.font, to: &tag)
        append(" face=\"", run.face == 0 ? nil : run.face, to: &tag)
        append(" color=\"", run.colour, to: &tag)
        if let size = run.size {
            tag.append(" size=\"")
            tag.appendShortest(size)
            tag.append(Ascii.quote)
        }
        tag.append(UInt8(ascii: ">"))
        return tag
    }

    /// Adds an attribute of a run, by its beginning up to the value, where there is a value.
    private static func append(_ beginning: StaticString, _ number: Int?, to tag: inout [UInt8]) {
        guard let number else { return }
        tag.append(beginning)
        tag.appendDecimal(number)
        tag.append(Ascii.quote)
    }

    private mutating func append(_ style: StyledText, _ prefix: String) {
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
