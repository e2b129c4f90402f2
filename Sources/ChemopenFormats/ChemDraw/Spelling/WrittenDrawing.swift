import ChemopenBytes
import ChemopenModel

/// A drawing that is written while it is made: objects are opened and closed, what is said of them is said between the two,
/// and all of it becomes bytes of a file at once.
struct WrittenDrawing {
    enum Encoding: Sendable {
        case xml, binary
    }

    private let isInXML: Bool
    /// The commonest objects are spelled as a whole. Property by property they come out the same.
    let takesShortcuts: Bool
    private var xml: CDXMLSpelling
    private var binary: CDXSpelling
    /// How the labels of atoms look.
    private let labelStyle: StyledText.Run

    init(_ encoding: Encoding, _ style: PageStyle, takesShortcuts: Bool = true) {
        isInXML = encoding == .xml
        self.takesShortcuts = takesShortcuts
        labelStyle = style.label
        xml = CDXMLSpelling(label: style.label, caption: style.caption)
        binary = CDXSpelling(label: style.label, caption: style.caption)
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

// MARK: - Objects as a whole

extension WrittenDrawing {
    /// Adds a node and its label.
    mutating func add(_ node: UsualNode, _ label: UsualLabel?) {
        if takesShortcuts, isInXML ? xml.add(node, label) : binary.add(node, label) { return }
        open(node)
        if let label { open(label) }
        if label != nil { close() }
        close()
    }

    /// Adds nodes, those of elements with the next one of the labels, and bonds between them. Their ids follow one another:
    /// those of the nodes, of the bonds, of the labels.
    mutating func add(_ nodes: Span<UsualNode>, _ labels: Span<UsualLabel>, _ bonds: Span<UsualBond>) {
        if takesShortcuts, isInXML ? xml.add(nodes, labels, bonds) : binary.add(nodes, labels, bonds) { return }
        var next = 0
        for index in nodes.indices {
            let hasLabel = nodes[index].element != 0
            add(nodes[index], hasLabel ? labels[next] : nil)
            if hasLabel { next += 1 }
        }
        for index in bonds.indices { add(bonds[index]) }
    }

    /// Opens a node and says all of it but what stands within.
    mutating func open(_ node: UsualNode) {
        if takesShortcuts, isInXML ? xml.open(node) : binary.open(node) { return }
        open(.node, id: node.id)
        set(.position, position: node.place.position)
        if node.element != 0 { set(.element, integer: Int(node.element)) }
        if node.hydrogens >= 0 { set(.hydrogens, integer: Int(node.hydrogens)) }
        if node.charge != 0 { set(.charge, real: Double(node.charge)) }
    }

    /// Adds a label to the node that is open.
    mutating func add(_ label: UsualLabel) {
        if takesShortcuts, isInXML ? xml.add(label) : binary.add(label) { return }
        open(label)
        close()
    }

    private mutating func open(_ label: UsualLabel) {
        open(.text, id: label.id)
        set(.position, position: label.place.position)
        set(.boundingBox, box: label.box.box)
        setJustification(isTurned: label.isTurned)
        var run = labelStyle
        run.text = Text(bytes: label.text.bytes)
        set(.text, .styled(StyledText(runs: [run])))
    }

    /// Sets on which side of its place the text that is open goes on.
    mutating func setJustification(isTurned: Bool) {
        let side = isTurned ? -1 : 0
        set(.labelJustification, integer: side)
        if isTurned { set(.justification, integer: side) }
        set(.labelAlignment, integer: side)
    }

    mutating func add(_ bond: UsualBond) {
        if takesShortcuts, isInXML ? xml.add(bond) : binary.add(bond) { return }
        open(.bond, id: bond.id)
        set(.begin, integer: Int(bond.begin))
        set(.end, integer: Int(bond.end))
        if bond.order != DrawnOrder.single { set(.order, integer: bond.order) }
        if bond.display != .solid { set(.display, integer: bond.display.rawValue) }
        if let side = bond.side { set(.doublePosition, integer: side) }
        close()
    }

    /// Adds a usual text with our statement of it under the next id; `false`, and nothing is added, where both are to be
    /// written property by property.
    mutating func add(_ caption: UsualCaption, _ text: Text, saying statement: Text) -> Bool {
        let (text, statement) = (text.bytes, statement.bytes)
        guard takesShortcuts, Self.isUsual(text.span), Self.isUsual(statement.span) else { return false }
        return isInXML
            ? xml.add(caption, text.span, saying: statement.span)
            : binary.add(caption, text.span, saying: statement.span)
    }

    /// Adds an annotation of texts without control characters.
    mutating func annotate(id: UInt32, _ keyword: Text, _ content: Text) {
        if takesShortcuts, Self.isUsual(keyword.bytes.span), Self.isUsual(content.bytes.span) {
            return annotate(id: id, usual: keyword.bytes.span, content.bytes.span)
        }
        open(.annotation, id: id)
        set(.keyword, .text(keyword))
        set(.content, .text(content))
        close()
    }

    /// Adds an annotation of usual texts.
    @inline(__always)
    mutating func annotate(id: UInt32, usual keyword: Span<UInt8>, _ content: Span<UInt8>) {
        if isInXML {
            xml.annotate(id: id, keyword, content)
        } else {
            binary.annotate(id: id, keyword, content)
        }
    }

    /// Whether both spellings take a text as it is.
    static func isUsual(_ text: Span<UInt8>) -> Bool { text.count < 0x8000 && XMLText.isPlain(text) }
}
