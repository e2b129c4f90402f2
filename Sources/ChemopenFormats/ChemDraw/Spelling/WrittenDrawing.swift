import ChemopenBytes
import ChemopenModel

/// A drawing that is written while it is made: objects are opened and closed, what is said of them is said between the two,
/// and all of it becomes bytes of a file at once.
struct WrittenDrawing {
    enum Encoding: Sendable {
        case xml, binary
    }

    private let isInXML: Bool
    private var xml: CDXMLSpelling
    private var binary: CDXSpelling

    init(_ encoding: Encoding, _ style: PageStyle) {
        isInXML = encoding == .xml
        xml = CDXMLSpelling()
        binary = CDXSpelling(caption: style.caption)
    }

    var isEmpty: Bool { isInXML ? xml.bytes.isEmpty : binary.bytes.isEmpty }

    /// Writes the head of a file, before all objects.
    mutating func begin() {
        if isInXML { xml.bytes.append(CDXMLSpelling.head) } else { binary.bytes += CDXSpelling.head }
    }

    /// Writes the end of a file, behind all objects.
    mutating func end() {
        if !isInXML { binary.close() }
    }

    /// Gives the bytes away.
    mutating func move(to output: inout [UInt8]) {
        if isInXML { Self.move(&xml.bytes, to: &output) } else { Self.move(&binary.bytes, to: &output) }
    }

    /// Hands the bytes on.
    mutating func hand(to sink: inout ByteSink) throws(WriteError) {
        if isInXML { try Self.hand(&xml.bytes, to: &sink) } else { try Self.hand(&binary.bytes, to: &sink) }
    }

    private static func hand(_ bytes: inout [UInt8], to sink: inout ByteSink) throws(WriteError) {
        try sink.handOn(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private static func move(_ bytes: inout [UInt8], to output: inout [UInt8]) {
        output.append(copying: bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }
}

// MARK: - Objects and properties

extension WrittenDrawing {
    mutating func open(_ kind: DrawnKind, id: UInt32) {
        if isInXML { xml.open(kind, id: id) } else { binary.open(kind, id: id) }
    }

    /// Something will stand within the object that is open, of which nothing more is said.
    mutating func beginContent() {
        if isInXML { xml.endTag() }
    }

    mutating func close() {
        if isInXML { xml.close() } else { binary.close() }
    }

    mutating func set(_ property: DrawnProperty, integer number: Int) {
        if isInXML { xml.set(property, integer: number) } else { binary.set(property, .integer(number)) }
    }

    mutating func set(_ property: DrawnProperty, real number: Double) {
        if isInXML { xml.set(property, real: number) } else { binary.set(property, .real(number)) }
    }

    mutating func set(_ property: DrawnProperty, position: Position) {
        if isInXML { xml.set(property, position: position) } else { binary.set(property, .position(position)) }
    }

    mutating func set(_ property: DrawnProperty, box: DrawnBox) {
        if isInXML { xml.set(property, box: box) } else { binary.set(property, .box(box)) }
    }

    mutating func set(_ property: DrawnProperty, _ value: DrawnValue) {
        switch value {
        case .integer(let number): set(property, integer: number)
        case .real(let number): set(property, real: number)
        case .position(let position): set(property, position: position)
        case .box(let box): set(property, box: box)
        default: if isInXML { xml.set(property, value) } else { binary.set(property, value) }
        }
    }
}

// MARK: - Texts

extension WrittenDrawing {
    /// Sets on which side of its place the text that is open goes on.
    mutating func setJustification(isTurned: Bool) {
        let side = isTurned ? -1 : 0
        set(.labelJustification, integer: side)
        if isTurned { set(.justification, integer: side) }
        set(.labelAlignment, integer: side)
    }

    /// Adds an annotation of texts without control characters.
    mutating func annotate(id: UInt32, _ keyword: Text, _ content: Text) {
        open(.annotation, id: id)
        set(.keyword, .text(keyword))
        set(.content, .text(content))
        close()
    }
}
