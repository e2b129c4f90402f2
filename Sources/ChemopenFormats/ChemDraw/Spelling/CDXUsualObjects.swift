import ChemopenBytes
import ChemopenModel

/// The commonest objects, each written as a whole into room that is made for it at once. `false`, and nothing written, for
/// one with numbers of another kind.
extension CDXSpelling {
    mutating func add(_ node: UsualNode, _ label: UsualLabel?) -> Bool {
        guard Self.isNear(node.place), label.map({ Self.isNear($0.place) }) ?? true else { return false }
        let style = labelStyle
        bytes.append(addingCapacity: Self.nodeRoom) { output in Self.append(node, label, style, to: &output) }
        return true
    }

    /// Adds nodes, those of elements with the next one of the labels, and bonds; none where one of them is far away.
    mutating func add(_ nodes: Span<UsualNode>, _ labels: Span<UsualLabel>, _ bonds: Span<UsualBond>) -> Bool {
        for index in nodes.indices where !Self.isNear(nodes[index].place) { return false }
        let style = labelStyle
        var next = 0
        bytes.append(addingCapacity: Self.nodeRoom &* nodes.count &+ Self.bondRoom &* bonds.count) { output in
            for index in nodes.indices {
                let node = nodes[index]
                if node.element == 0 {
                    Self.append(node, nil, style, to: &output)
                } else {
                    Self.append(node, labels[next], style, to: &output)
                    next &+= 1
                }
            }
            for index in bonds.indices { Self.append(bonds[index], to: &output) }
        }
        return true
    }

    /// Opens a node and says all of it but what stands within.
    mutating func open(_ node: UsualNode) -> Bool {
        guard Self.isNear(node.place) else { return false }
        bytes.append(addingCapacity: Self.nodeRoom) { output in Self.append(node, to: &output) }
        return true
    }

    mutating func add(_ label: UsualLabel) -> Bool {
        guard Self.isNear(label.place) else { return false }
        let style = labelStyle
        bytes.append(addingCapacity: Self.nodeRoom) { output in Self.append(label, style, to: &output) }
        return true
    }

    mutating func add(_ bond: UsualBond) -> Bool {
        bytes.append(addingCapacity: Self.bondRoom) { output in Self.append(bond, to: &output) }
        return true
    }

    /// Adds an annotation of texts in ASCII, neither of them longer than a word counts.
    mutating func annotate(id: UInt32, _ keyword: Span<UInt8>, _ content: Span<UInt8>) {
        bytes.append(addingCapacity: 32 + keyword.count + content.count) { output in
            Self.appendAnnotation(id, keyword, content, to: &output)
        }
    }

    /// Adds a text in ASCII, and our statement of it under the next id.
    mutating func add(_ caption: UsualCaption, _ text: Span<UInt8>, saying statement: Span<UInt8>) -> Bool {
        guard let place = WholePlace(caption.place), let box = WholeBox(caption.box), Self.isNear(place),
            Self.isNear(WholePlace(x: box.right &* 100, y: box.bottom &* 100))
        else { return false }
        let (style, keyword) = (captionStyle, OwnStatement.keyword.bytes)
        bytes.append(addingCapacity: 160 + text.count + statement.count) { output in
            output.append(.text, id: caption.id)
            output.append(.position, caption.place)
            output.append(caption.box)
            output.append(.z, 2, UInt64(truncatingIfNeeded: caption.z))
            output.append(.interpretsChemically, 1, 0)
            output.append(.text, 12 &+ text.count)
            output.append(word: 1, count: 4)
            output.append(word: style, count: 8)
            output.append(copying: text)
            Self.appendAnnotation(caption.id &+ 1, keyword.span, statement, to: &output)
            output.append(word: 0, count: 2)
        }
        return true
    }

    @inline(__always)
    private static func appendAnnotation(
        _ id: UInt32, _ keyword: Span<UInt8>, _ content: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) {
        output.append(.annotation, id: id)
        output.append(.keyword, plain: keyword)
        output.append(.content, plain: content)
        output.append(word: 0, count: 2)
    }

    /// The bytes that a node takes with its label.
    private static let nodeRoom = 192
    private static let bondRoom = 64

    /// Whether a place and the letters that begin there are near enough for 16 bits before the point.
    @inline(__always)
    private static func isNear(_ place: WholePlace) -> Bool {
        let far: UInt = 319_000_000
        return place.x.magnitude < far && place.y.magnitude < far
    }

    @inline(__always)
    private static func append(
        _ node: UsualNode, _ label: UsualLabel?, _ style: UInt64, to output: inout OutputSpan<UInt8>
    ) {
        append(node, to: &output)
        if let label { append(label, style, to: &output) }
        output.append(word: 0, count: 2)
    }

    @inline(__always)
    private static func append(_ bond: UsualBond, to output: inout OutputSpan<UInt8>) {
        output.append(.bond, id: bond.id)
        output.append(.begin, 4, UInt64(bond.begin))
        output.append(.end, 4, UInt64(bond.end))
        if bond.order != DrawnOrder.single {
            output.append(.order, 2, UInt64(truncatingIfNeeded: bond.order) & 0xFFFF)
        }
        if bond.display != .solid { output.append(.display, 2, UInt64(truncatingIfNeeded: bond.display.rawValue)) }
        if let side = bond.side { output.append(.doublePosition, 2, UInt64(truncatingIfNeeded: side) & 0xFFFF) }
        output.append(word: 0, count: 2)
    }

    /// Adds a node but for its end.
    @inline(__always)
    private static func append(_ node: UsualNode, to output: inout OutputSpan<UInt8>) {
        output.append(.node, id: node.id)
        output.append(.position, node.place.position)
        if node.element != 0 { output.append(.element, 2, UInt64(node.element)) }
        if node.hydrogens >= 0 { output.append(.hydrogens, 2, UInt64(truncatingIfNeeded: Int(node.hydrogens))) }
        if node.charge != 0 {
            let charge = Int8(truncatingIfNeeded: max(-128, min(127, node.charge)))
            output.append(.charge, 1, UInt64(UInt8(bitPattern: charge)))
        }
    }

    @inline(__always)
    private static func append(_ label: UsualLabel, _ style: UInt64, to output: inout OutputSpan<UInt8>) {
        output.append(.text, id: label.id)
        output.append(.position, label.place.position)
        output.append(label.box.box)
        let side: UInt64 = label.isTurned ? 0xFF : 0
        output.append(.labelJustification, 1, side)
        if label.isTurned { output.append(.justification, 1, side) }
        output.append(.labelAlignment, 1, side)
        // One run, from the first letter on.
        output.append(.text, 12 + label.text.count)
        output.append(word: 1, count: 4)
        output.append(word: style, count: 8)
        output.append(word: label.text.word, count: label.text.count)
        output.append(word: 0, count: 2)
    }
}

extension OutputSpan<UInt8> {
    @inline(__always)
    fileprivate mutating func append(_ kind: DrawnKind, id: UInt32) {
        append(word: UInt64(kind.rawValue) | UInt64(id) << 16, count: 6)
    }

    /// Appends a tag and how many bytes follow.
    @inline(__always)
    fileprivate mutating func append(_ property: DrawnProperty, _ count: Int) {
        append(word: UInt64(property.rawValue) | UInt64(truncatingIfNeeded: count) << 16, count: 4)
    }

    /// Appends a property with a number of so many bytes, four at most.
    @inline(__always)
    fileprivate mutating func append(_ property: DrawnProperty, _ count: Int, _ number: UInt64) {
        let head = UInt64(property.rawValue) | UInt64(truncatingIfNeeded: count) << 16
        append(word: head | number << 32, count: 4 &+ count)
    }

    @inline(__always)
    fileprivate mutating func append(_ property: DrawnProperty, _ place: Position) {
        append(property, 8)
        append(word: pair(place.y, place.x), count: 8)
    }

    @inline(__always)
    fileprivate mutating func append(_ box: DrawnBox) {
        append(.boundingBox, 16)
        append(words: pair(box.top, box.left), pair(box.bottom, box.right), count: 16)
    }

    /// Appends a text that has no styles.
    @inline(__always)
    fileprivate mutating func append(_ property: DrawnProperty, plain text: Span<UInt8>) {
        append(property, text.count &+ 2)
        append(word: 0, count: 2)
        append(copying: text)
    }
}

/// Two coordinates one behind the other as CDX has them, y first of a place: 16 bits before the point, and 16 behind it.
@inline(__always)
private func pair(_ first: Double, _ second: Double) -> UInt64 {
    UInt64(coordinate(first)) | UInt64(coordinate(second)) << 32
}

/// A coordinate that is near.
@inline(__always)
private func coordinate(_ points: Double) -> UInt32 { UInt32(truncatingIfNeeded: rounded(points * 65536)) }
