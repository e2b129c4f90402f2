import ChemopenBytes
import ChemopenModel

/// Rewrites a complete CDXML drawing as CDX: attributes are decoded from CDXML and encoded as CDX.
///
/// Attributes and elements that are not in the tables are stored under tags that the format reserves for users. If
/// something cannot be stored, it is reported as a loss.
struct CDXMLToCDX {
    private(set) var losses: [Loss] = []
    private let source: CDXMLTokens
    private let ends: [Int]
    private var drawing = WrittenDrawing(.binary)
    /// The font for runs that do not specify one.
    private var font = 0
    private var hasDocument = false

    /// Returns the file; nil if the elements are not a drawing.
    static func file(_ source: CDXMLTokens) -> RewrittenFile? {
        var made = CDXMLToCDX(source)
        made.write()
        if !made.hasDocument { return nil }
        made.drawing.close()
        made.drawing.end()
        return RewrittenFile(made.drawing.bytes, losses: made.losses)
    }

    private init(_ source: CDXMLTokens) {
        self.source = source
        ends = source.ends()
    }

    private mutating func write() {
        drawing.begin()
        /// Whether each open element is an object.
        var open: [Bool] = []
        var place = 0
        while place < source.tokens.count {
            switch source.tokens[place] {
            case .start(let name, let attributes):
                // Returns false if no end must be written: for elements that are not objects, and for the document,
                // because it also contains the pages of further documents.
                if hasDocument, Self.parts.contains(name) {
                    place = ends[place]
                } else {
                    open.append(self.open(name, attributes, place))
                }
            case .text: break
            case .end: if open.popLast() == true { drawing.close() }
            }
            place += 1
        }
    }

    private static let parts: Set<[UInt8]> = [
        CDXMLParts.run, CDXMLParts.reference, CDXMLParts.fontTable, CDXMLParts.colorTable,
    ]

    // MARK: Objects

    /// Opens an object. Returns false if its end must not be written: for elements that are not objects, and for the
    /// document, which also contains the pages of further documents.
    private mutating func open(_ name: [UInt8], _ attributes: [CDXMLAttribute], _ place: Int) -> Bool {
        if name.elementsEqual(CDXMLNames.list.utf8), !hasDocument { return false }
        let kind = DrawnKind.named(name)
        if kind == .document {
            if hasDocument {
                losses.note(.unknown, "settings of an additional document")
                return false
            }
            hasDocument = true
            readFonts(within: place)
        } else if !hasDocument {
            losses.note(.unknown, Text("object \(Text(bytes: name).string)"))
            return false
        }
        let id = attributes["id"].map { CDXMLValues.integer($0.span).flatMap { UInt32(exactly: $0) } }
        if id == .some(nil) { losses.note(.unknown, "attribute id") }
        drawing.open(kind ?? .own, id: (id ?? nil) ?? 0)
        if kind == nil { drawing.add(.ownName, name[...]) }
        setProperties(attributes, of: kind)
        setParts(within: place, isText: kind == .text)
        return kind != .document
    }

    // MARK: Properties

    private mutating func setProperties(_ attributes: [CDXMLAttribute], of kind: DrawnKind?) {
        /// Font, size, face and color are one property in CDX, which is written at the position of the font.
        var styles: [[UInt8]: (property: DrawnProperty, run: StyledText.Run)?] = [:]
        for (prefix, property) in [("Label", DrawnProperty.labelStyle), ("Caption", .captionStyle)] {
            guard let run = Self.style(attributes, prefix) else { continue }
            for part in ["Size", "Face", "Color"] { styles[Array((prefix + part).utf8)] = .some(nil) }
            styles[Array((prefix + "Font").utf8)] = (property, run)
        }
        for attribute in attributes where !attribute.isCalled("id") {
            if let style = styles[attribute.name] {
                if let style { drawing.set(style.property, .styled(StyledText(runs: [style.run]))) }
            } else if kind == nil || !set(attribute, of: kind, tagType: attributes["TagType"]) {
                drawing.add(.attribute, (attribute.name + [Ascii.equals] + attribute.value)[...])
                // Without an element, the atom would be carbon.
                if kind == .node, attribute.isCalled("Element") { drawing.add(.element, []) }
            }
        }
    }

    /// Returns a style if its font and size are specified.
    private static func style(_ attributes: [CDXMLAttribute], _ prefix: String) -> StyledText.Run? {
        func number(_ name: String) -> Double? { attributes.real(prefix + name) }
        guard let font = number("Font"), let size = number("Size") else { return nil }
        let parts = [font, number("Face") ?? 0, size * 20, number("Color") ?? 0]
        guard parts.allSatisfy({ 0..<65_535.5 ~= $0 }) else { return nil }
        return StyledText.Run(
            font: Int(font.rounded()), face: Int(parts[1].rounded()), size: size, color: Int(parts[3].rounded()),
            text: Text())
    }

    private mutating func set(_ attribute: CDXMLAttribute, of kind: DrawnKind?, tagType: [UInt8]?) -> Bool {
        guard let row = DrawnPropertyTable.row(named: attribute.name) else { return false }
        let text = attribute.value.span
        // The names of tags and properties have no styles and no number of styles.
        if row.property == .name, kind == .objectTag || kind == .chemicalProperty {
            let lines = attribute.value.map { $0 == Ascii.lineFeed ? Ascii.carriageReturn : $0 }
            drawing.add(.name, lines[...])
            return true
        }
        if row.type.form == .tagValue, let tagType {
            let isLong = tagType.elementsEqual("Long".utf8)
            if tagType.elementsEqual("Double".utf8), let number = CDXMLValues.real(text) {
                return drawing.set(row.property, .real(number))
            }
            if isLong, let number = CDXMLValues.integer(text), drawing.set(row.property, .integer(number)) {
                return true
            }
        }
        var isExact = true
        guard let value = row.type.read(text, isExact: &isExact), isExact else { return false }
        return drawing.set(row.property, value)
    }

    // MARK: Text and tables

    /// Passes the child elements to a closure, in their order, and returns the text between them.
    @discardableResult
    private func children(of place: Int, _ take: ([UInt8], [CDXMLAttribute], Int) -> Void) -> [UInt8] {
        var letters: [UInt8] = []
        var child = place + 1
        while child < ends[place] {
            switch source.tokens[child] {
            case .start(let name, let attributes):
                take(name, attributes, child)
                child = ends[child]
            case .text(let text): letters += text
            case .end: break
            }
            child += 1
        }
        return letters
    }

    /// Sets the properties that are elements in CDXML.
    private mutating func setParts(within place: Int, isText: Bool) {
        var text = StyledText()
        var references: [DrawnReference] = []
        var tables: [(name: Text, property: DrawnProperty, value: DrawnValue?)] = []
        var unread: [Text] = []
        let letters = children(of: place) { name, attributes, child in
            switch name {
            case CDXMLParts.run where isText: text.runs.append(run(attributes, child, &unread))
            case CDXMLParts.run: unread.append("s")
            case CDXMLParts.reference:
                if let reference = CDXMLParts.reference(attributes) {
                    references.append(reference)
                } else {
                    unread.append("represent")
                }
            case CDXMLParts.fontTable: tables.append(("fonttable", .fontTable, .fonts(fonts(within: child))))
            case CDXMLParts.colorTable: tables.append(("colortable", .colorTable, colors(within: child)))
            default: break
            }
        }
        for (name, property, value) in tables where !(value.map { drawing.set(property, $0) } ?? false) {
            unread.append(name)
        }
        if !references.isEmpty { drawing.set(.represents, .references(references)) }
        if !letters.isEmpty { drawing.add(.letters, letters[...]) }
        if !text.runs.isEmpty, !drawing.set(.text, .styled(text)) { unread.append("t") }
        let coarse = text.runs.count { run in run.size.map { ($0 * 20).rounded() != $0 * 20 } ?? false }
        losses.note(.precision, "written in twentieths of a point", count: coarse)
        for name in unread { losses.note(.unknown, Text("element \(name.string)")) }
    }

    private func run(_ attributes: [CDXMLAttribute], _ place: Int, _ unread: inout [Text]) -> StyledText.Run {
        var letters: [UInt8] = []
        for token in source.tokens[place..<ends[place]] { if case .text(let text) = token { letters += text } }
        var run = CDXMLParts.run(attributes)
        run.text = CDXCharacterSets.withOneKindOfLineEnd(letters[...])
        for attribute in attributes where !CDXMLParts.looks.contains(where: attribute.isCalled) {
            unread.append(Text(bytes: Array("s with ".utf8) + attribute.name))
        }
        if !attributes.isEmpty, run.font == nil { run.font = font }
        return run
    }

    /// Reads the character sets of the fonts before the first text is written.
    private mutating func readFonts(within place: Int) {
        var fonts: [DrawnFont]?
        children(of: place) { name, _, child in
            if name == CDXMLParts.fontTable, fonts == nil { fonts = self.fonts(within: child) }
        }
        guard let fonts else { return }
        font = max(0, fonts.first?.id ?? 0)
        var data: [UInt8] = []
        if DrawnType.fonts.encode(.fonts(fonts), to: &data, CDXWriting()) { drawing.readFonts(data[...]) }
    }

    private func fonts(within place: Int) -> [DrawnFont] {
        var fonts: [DrawnFont] = []
        children(of: place) { _, attributes, _ in fonts.append(CDXMLParts.font(attributes)) }
        return fonts
    }

    private func colors(within place: Int) -> DrawnValue? {
        var colors: [DrawnColor] = []
        var isExact = true
        children(of: place) { _, attributes, _ in
            colors.append(CDXMLParts.color(attributes, isExact: &isExact))
        }
        return isExact ? .colors(colors) : nil
    }
}
