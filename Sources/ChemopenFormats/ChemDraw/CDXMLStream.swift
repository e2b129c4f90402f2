import ChemopenBytes
import ChemopenModel

/// Builds a drawing of the elements of a CDXML file, one after the other.
struct CDXMLStream {
    private(set) var drawing = Drawing()
    /// What becomes of the elements that are open, the outermost first.
    private var roles: [Role] = []
    /// The text of the styles of the innermost text object.
    private var content: [UInt8] = []
    private var contentOffset = 0
    private var documents = 0

    private enum Role {
        case object
        /// `s`, a run of text.
        case style
        /// Fonts, colours and whatever else is no object.
        case other
    }

    var hasDocument: Bool { documents > 0 }

    /// Deeper than any drawing, and than the XML reader goes.
    private static let greatestDepth = 4096

    mutating func start(_ name: String, _ attributes: [(name: String, value: String)], offset: Int) {
        switch name {
        case "s":
            if content.isEmpty { contentOffset = offset }
            roles.append(.style)
        case "represent":
            drawing.set(.represents, .integer(1), offset: offset)
            roles.append(.other)
        case "fonttable", "font", "colortable", "color", "cdxList":
            roles.append(.other)
        default:
            startObject(name, attributes, offset)
        }
    }

    mutating func text(_ bytes: [UInt8]) {
        if case .style? = roles.last { content += bytes }
    }

    mutating func end() {
        guard let role = roles.popLast(), case .object = role else { return }
        if let object = drawing.current, drawing.kind(of: object) == .text, !content.isEmpty {
            let text = CDXCharacterSets.withOneKindOfLineEnd(content[...])
            drawing.set(.text, .text(text), offset: contentOffset)
            content = []
        }
        drawing.close()
    }

    /// Says what the XML reader found wrong.
    mutating func doubt(_ message: String, at offset: Int) {
        drawing.doubt(message, at: offset)
    }

    private mutating func startObject(
        _ name: String, _ attributes: [(name: String, value: String)], _ offset: Int
    ) {
        let kind = DrawnKind(element: name)
        if kind == .document {
            documents += 1
        } else if documents == 0 {
            roles.append(.other)
            return
        }
        guard roles.count < Self.greatestDepth else {
            if roles.count == Self.greatestDepth {
                drawing.doubt("objects nest more than \(Self.greatestDepth) deep; those within are left out", at: offset)
            }
            roles.append(.other)
            return
        }
        if kind == .unknown { drawing.countUnknown("object \(name)") }
        if kind == .text { content = [] }
        // Documents of a list follow one another; the second one's pages join those of the first.
        if kind == .document, documents > 1 {
            roles.append(.other)
            return
        }
        drawing.open(kind, id: identifier(attributes, offset), offset: offset)
        for (name, value) in attributes where name != "id" { set(name, value, offset) }
        roles.append(.object)
    }

    private mutating func identifier(_ attributes: [(name: String, value: String)], _ offset: Int) -> UInt32 {
        guard let text = attributes.first(where: { $0.name == "id" })?.value else { return 0 }
        if let id = CDXMLValues.integer(text), id >= 0, let exact = UInt32(exactly: id) { return exact }
        drawing.doubt("id: is no number; left out", found: Text(text), at: offset)
        return 0
    }

    private mutating func set(_ name: String, _ value: String, _ offset: Int) {
        guard let row = DrawnPropertyTable.row(named: name) else {
            if !DrawnLooks.has(attribute: name), !DrawnLooks.isCaption(attribute: name) {
                drawing.countUnknown("property \(name)")
            }
            return
        }
        if let value = CDXMLValues.value(of: row, in: value) {
            drawing.set(row.property, value, offset: offset)
        } else {
            drawing.doubt("\(name): is no value of it; left out", found: Text(value), at: offset)
        }
    }
}
