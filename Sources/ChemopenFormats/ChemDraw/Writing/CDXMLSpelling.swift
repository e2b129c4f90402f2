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
    private var open: [(end: Int, name: [UInt8])] = []

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
        for place in drawing.objects.indices {
            close(before: place, to: &bytes)
            let object = drawing.objects[place]
            let name = object.kind.nameInBytes
            bytes.append(UInt8(ascii: "<"))
            bytes += name
            if object.id != 0 {
                bytes.append(" id=\"")
                bytes.appendDecimal(Int(object.id))
                bytes.append("\"")
            }
            let contentStart = content.count
            drawing.forEachStatement(of: place) { property, value in append(property, value, to: &bytes) }
            let hasContent = content.count > contentStart
            let isEmpty = object.end <= place + 1 && !hasContent && !isOpen
            bytes.append(isEmpty ? "/>\n" : hasContent && object.kind == .text ? ">" : ">\n")
            if hasContent {
                bytes += content
                content.removeAll(keepingCapacity: true)
            }
            if !isEmpty, !isOpen { open.append((object.end, name)) }
        }
        close(before: .max, to: &bytes)
    }

    /// The text and the tables between the tags of the object that is being spelled.
    private var content: [UInt8] = []

    private mutating func close(before place: Int, to bytes: inout [UInt8]) {
        while let last = open.last, last.end <= place {
            bytes.append("</")
            bytes += last.name
            bytes.append(">\n")
            open.removeLast()
        }
    }

    // MARK: Properties

    private mutating func append(_ property: DrawnProperty, _ value: DrawnValue, to bytes: inout [UInt8]) {
        switch (property, value) {
        case (.text, .styled(let text)): return appendRuns(text)
        case (.labelStyle, .styled(let style)): return append(style, "Label", to: &bytes)
        case (.captionStyle, .styled(let style)): return append(style, "Caption", to: &bytes)
        case (_, .fonts(let fonts)): return append(fonts)
        case (_, .colours(let colours)): return append(colours)
        default: break
        }
        guard let row = DrawnPropertyTable.anyRow(of: property.rawValue),
            let attribute = DrawnPropertyTable.attribute(of: property.rawValue)
        else { return }
        bytes += attribute
        append(value, of: row, to: &bytes)
        bytes.append(Ascii.quote)
    }

    private mutating func append(_ value: DrawnValue, of row: DrawnPropertyTable.Row, to bytes: inout [UInt8]) {
        switch value {
        case .integer(let number): append(number, of: row, to: &bytes)
        case .real(let number): bytes.appendShortest(number)
        case .position(let position):
            bytes.appendShortest(position.x)
            bytes.append(Ascii.blank)
            bytes.appendShortest(position.y)
            if case .point3D = row.type {
                bytes.append(Ascii.blank)
                bytes.appendShortest(position.z)
            }
        case .box(let box):
            for (place, number) in [box.left, box.top, box.right, box.bottom].enumerated() {
                if place > 0 { bytes.append(Ascii.blank) }
                bytes.appendShortest((number * 100).rounded() / 100)
            }
        case .identifiers(let ids): appendList(ids.map { Int($0) }, to: &bytes)
        case .text(let text): xml.appendEscaped(text.bytes, to: &bytes, inAttribute: true)
        case .elements(let elements):
            if elements.areExcluded { bytes.append("NOT ") }
            appendList(elements.numbers, to: &bytes)
        default: break
        }
    }

    private func append(_ number: Int, of row: DrawnPropertyTable.Row, to bytes: inout [UInt8]) {
        switch row.type {
        case .flag, .truth: bytes.append(number == 0 ? "no" : "yes")
        case .bondOrder: bytes.append(contentsOf: DrawnOrder.spelling(of: number).utf8)
        case .named, .namedFromMinusOne:
            if let name = row.name(ofValue: number) { bytes += name } else { bytes.appendDecimal(number) }
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
            xml.appendEscaped(run.text.bytes, to: &content)
            content.append("</s>")
        }
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
