import ChemopenBytes
import ChemopenModel

/// A drawing that is encoded while it is built: objects are opened and closed, and their properties are set in
/// between.
///
/// In CDX, objects and properties follow their tags. In CDXML, objects are elements and properties are attributes;
/// texts and tables become child elements of their object.
struct WrittenDrawing {
    enum Encoding: Sendable {
        case xml, binary
    }

    private(set) var bytes: [UInt8] = []
    /// The attributes that were too long.
    private(set) var losses: [Loss] = []
    private let isInXML: Bool
    private var writing = CDXWriting()
    private var data: [UInt8] = []
    private var xml = XMLText()
    /// The names of the open elements, with the innermost last.
    private var open: [[UInt8]] = []
    /// Whether the start tag of the innermost element is still open.
    private var isInTag = false
    private var tagStart = 0
    /// The texts and tables of the innermost element.
    private var content: [UInt8] = []
    private var hasLetters = false
    /// The last run and its tag, which are reused because most runs have the same style as the previous one.
    private var lastRun: StyledText.Run?
    private var lastTag: [UInt8] = []

    private static let text = DrawnKind.text.nameInBytes
    private static let head: StaticString = """
        <?xml version="1.0" encoding="UTF-8" ?>
        <!DOCTYPE CDXML SYSTEM "http://www.cambridgesoft.com/xml/cdxml.dtd" >

        """
    /// Common XML parsers, including Chemopen's, reject tags of ten million bytes.
    static let longestTag = 9_000_000

    /// - Parameter textStyle: The font and size of non-ASCII texts, in CDX.
    init(_ encoding: Encoding, textStyle: StyledText.Run? = nil) {
        isInXML = encoding == .xml
        writing.textStyle = textStyle
    }

    /// The number of dropped characters, which XML cannot represent.
    var droppedLetters: Int { xml.droppedLetters }

    /// Writes the header of a file.
    mutating func begin() {
        if isInXML { bytes.append(Self.head) } else { bytes += CDXTokens.head(isBigEndian: false) }
    }

    /// Writes the end of a file, after all objects are closed.
    mutating func end() {
        if !isInXML { close() }
    }

    /// Moves the bytes to another array.
    mutating func move(to output: inout [UInt8]) {
        output.append(copying: bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Passes the bytes to the file.
    mutating func hand(to sink: inout ByteSink) throws(WriteError) {
        try sink.handOn(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func takeLosses() -> [Loss] {
        defer { losses = [] }
        return losses
    }

    var isEmpty: Bool { bytes.isEmpty }

    // MARK: Objects

    /// Opens an object.
    ///
    /// - Parameter name: The name of an element that is not in the tables.
    mutating func open(_ kind: DrawnKind, id: UInt32, name: [UInt8]? = nil) {
        guard isInXML else {
            writing.numbers.append(Int(kind.rawValue), bytes: 2, to: &bytes)
            writing.numbers.append(Int(id), bytes: 4, to: &bytes)
            return
        }
        beginContent()
        tagStart = bytes.count
        open.append(name ?? kind.nameInBytes)
        isInTag = true
        bytes.append(Ascii.less)
        bytes += name ?? kind.nameInBytes
        if id != 0 { Self.append(" id=\"", Int(id), to: &bytes) }
    }

    mutating func close() {
        guard isInXML else { return writing.numbers.append(0, bytes: 2, to: &bytes) }
        guard let name = open.popLast() else { return }
        if isInTag, content.isEmpty {
            isInTag = false
            bytes.append("/>")
        } else {
            endTag(of: name)
            bytes.append("</")
            bytes += name
            bytes.append(Ascii.greater)
        }
        if !isInText { bytes.append(Ascii.lineFeed) }
    }

    /// Ends the start tag of the open element before its child elements.
    mutating func beginContent() {
        if isInTag, let name = open.last { endTag(of: name) }
    }

    /// Whether the innermost element is a text, in which every line break is significant.
    private var isInText: Bool { open.last == Self.text }

    private mutating func endTag(of name: [UInt8]) {
        if !isInTag { return }
        isInTag = false
        bytes.append(Ascii.greater)
        if name != Self.text, !hasLetters { bytes.append(Ascii.lineFeed) }
        hasLetters = false
        bytes += content
        content.removeAll(keepingCapacity: true)
    }

    // MARK: Properties

    mutating func set(_ property: DrawnProperty, integer number: Int) { set(property, .integer(number)) }

    mutating func set(_ property: DrawnProperty, real number: Double) { set(property, .real(number)) }

    mutating func set(_ property: DrawnProperty, position: Position) { set(property, .position(position)) }

    /// Sets a box. CDXML contains the value rounded to hundredths of a point.
    mutating func set(_ property: DrawnProperty, box: DrawnBox) {
        func hundredths(_ number: Double) -> Double { isInXML ? wholeNumber(number * 100) / 100 : number }
        set(
            property,
            .box(
                DrawnBox(
                    left: hundredths(box.left), top: hundredths(box.top), right: hundredths(box.right),
                    bottom: hundredths(box.bottom))))
    }

    /// Sets a property; returns false if the encoding cannot represent the value.
    @discardableResult
    mutating func set(_ property: DrawnProperty, _ value: DrawnValue) -> Bool {
        if isInXML, case .styled(let text) = value { return set(property, text) }
        guard let row = DrawnPropertyTable.row(of: property) else { return false }
        if isInXML { return row.name.isEmpty ? append(value) : setAttribute(row, value) }
        guard case .styled(let text) = value, row.type.form == .text else { return setData(row, row.type, value) }
        // For texts that are not ASCII, newer programs read a second copy in UTF-8.
        let isASCII = text.runs.allSatisfy { $0.text.bytes.allSatisfy { $0 < 0x80 } }
        guard setData(row, .styled, value) else { return false }
        if !isASCII, let copy = DrawnPropertyTable.row(of: .utf8Text) { return setData(copy, .utf8Styled, value) }
        return true
    }

    private mutating func setData(_ row: DrawnPropertyTable.Row, _ type: DrawnType, _ value: DrawnValue) -> Bool {
        data.removeAll(keepingCapacity: true)
        guard type.encode(value, to: &data, writing) else { return false }
        if type.form == .fonts { readFonts(data[...]) }
        add(row.property, data[...])
        return true
    }

    /// Reads the character sets of the fonts in advance, if texts precede the font table.
    mutating func readFonts(_ data: ArraySlice<UInt8>) {
        writing.characterSets.readFonts(data, isBigEndian: false)
    }

    /// Adds the data of a property in CDX.
    mutating func add(_ property: DrawnProperty, _ data: ArraySlice<UInt8>) {
        let isLong = data.count >= 0xFFFF
        writing.numbers.append(Int(property.rawValue), bytes: 2, to: &bytes)
        writing.numbers.append(isLong ? 0xFFFF : data.count, bytes: 2, to: &bytes)
        if isLong { writing.numbers.append(data.count, bytes: 4, to: &bytes) }
        bytes += data
    }

    private mutating func setAttribute(_ row: DrawnPropertyTable.Row, _ value: DrawnValue) -> Bool {
        let start = bytes.count
        bytes += row.start
        guard row.type.spell(value, to: &bytes, &xml) else {
            bytes.removeSubrange(start...)
            return false
        }
        endAttribute(from: start, row.name)
        return true
    }

    /// Adds an attribute that is not in the tables, in CDXML.
    mutating func setAttribute(_ name: [UInt8], _ value: [UInt8]) {
        let start = bytes.count
        bytes.append(Ascii.blank)
        bytes += name
        bytes.append("=\"")
        xml.appendEscaped(value, to: &bytes, inAttribute: true)
        endAttribute(from: start, String(decoding: name, as: UTF8.self))
    }

    private mutating func endAttribute(from start: Int, _ name: String) {
        bytes.append(Ascii.quote)
        if bytes.count - tagStart > Self.longestTag {
            losses.note(.unknown, Text("attribute \(name), too long for XML"))
            bytes.removeSubrange(start...)
        }
    }

    /// Adds letters between elements, in CDXML.
    mutating func add(letters: [UInt8]) {
        xml.appendEscaped(letters, to: &content)
        hasLetters = true
    }

    // MARK: Texts and tables in CDXML

    private mutating func set(_ property: DrawnProperty, _ text: StyledText) -> Bool {
        switch property {
        case .text, .utf8Text: for run in text.runs { append(run) }
        case .labelStyle: text.runs.first.map { append($0, "Label") }
        case .captionStyle: text.runs.first.map { append($0, "Caption") }
        default: return false
        }
        return true
    }

    private mutating func append(_ run: StyledText.Run) {
        if lastRun?.hasLook(of: run) != true {
            lastRun = run
            lastTag = Array("<s".utf8)
            Self.append(" font=\"", run.font, to: &lastTag)
            if let size = run.size { Self.append(" size=\"", size, to: &lastTag) }
            Self.append(" color=\"", run.color, to: &lastTag)
            Self.append(" face=\"", run.face == 0 ? nil : run.face, to: &lastTag)
        }
        content += lastTag
        content.append(Ascii.greater)
        let start = content.count
        xml.appendEscaped(run.text.bytes, to: &content)
        if content.count == start {
            content.removeLast()
            content.append("/>")
        } else {
            content.append("</s>")
        }
        if !isInText { content.append(Ascii.lineFeed) }
    }

    /// Adds the font attributes of labels or captions.
    private mutating func append(_ run: StyledText.Run, _ prefix: String) {
        Self.append(" \(prefix)Font=\"", run.font, to: &bytes)
        if let size = run.size { Self.append(" \(prefix)Size=\"", size, to: &bytes) }
        Self.append(" \(prefix)Face=\"", run.face, to: &bytes)
        Self.append(" \(prefix)Color=\"", run.color, to: &bytes)
    }

    private static func append(_ start: String, _ number: Int?, to output: inout [UInt8]) {
        guard let number else { return }
        output.append(contentsOf: start.utf8)
        output.appendDecimal(number)
        output.append(Ascii.quote)
    }

    private static func append(_ start: String, _ number: Double, to output: inout [UInt8]) {
        output.append(contentsOf: start.utf8)
        output.appendShortest(number)
        output.append(Ascii.quote)
    }

    private mutating func append(_ value: DrawnValue) -> Bool {
        switch value {
        case .fonts(let fonts):
            content.append("<fonttable>\n")
            for font in fonts {
                let set = DrawnCharsets.name(of: font.characterSet)
                content.append(contentsOf: "<font id=\"\(font.id)\" charset=\"\(set)\" name=\"".utf8)
                xml.appendEscaped(font.name.bytes, to: &content, inAttribute: true)
                content.append("\"/>\n")
            }
            content.append("</fonttable>\n")
        case .colors(let colors):
            content.append("<colortable>\n")
            for color in colors {
                content.append("<color")
                for (name, part) in [("r", color.red), ("g", color.green), ("b", color.blue)] {
                    content.append(contentsOf: " \(name)=\"".utf8)
                    DrawnType.append(Double(part) / 65_535, of: 65_535, to: &content)
                    content.append(Ascii.quote)
                }
                content.append("/>\n")
            }
            content.append("</colortable>\n")
        case .references(let references):
            for reference in references {
                let property = DrawnProperty(rawValue: reference.property)
                guard let row = DrawnPropertyTable.row(of: property), !row.name.isEmpty else { return false }
                content.append(
                    contentsOf: "<represent attribute=\"\(row.name)\" object=\"\(reference.object)\"/>\n".utf8)
            }
        default: return false
        }
        return true
    }
}

// MARK: - Frequent objects

extension WrittenDrawing {
    /// Sets the side of its position on which the open text continues.
    mutating func setJustification(isTurned: Bool) {
        let side = isTurned ? -1 : 0
        set(.labelJustification, integer: side)
        if isTurned { set(.justification, integer: side) }
        set(.labelAlignment, integer: side)
    }

    /// Adds an annotation. Its texts must not contain control characters.
    mutating func annotate(id: UInt32, _ keyword: Text, _ content: Text) {
        open(.annotation, id: id)
        set(.keyword, .text(keyword))
        set(.content, .text(content))
        close()
    }
}
