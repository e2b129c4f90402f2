import ChemopenBytes
import ChemopenModel

/// The commonest objects, each written as a whole into room that is made for it at once. `false`, and nothing written, for
/// one with numbers of another kind.
extension CDXSpelling {
    mutating func add(_ node: UsualNode, _ label: UsualLabel?) -> Bool {
        guard let place = BinaryPlace(node.place) else { return false }
        guard let label else {
            bytes.append(addingCapacity: Self.nodeRoom) { output in
                Self.append(node, at: place, to: &output)
                output.append(word: 0, count: 2)
            }
            return true
        }
        guard let labelPlace = BinaryPlace(label.place), let box = BinaryBox(label.box) else { return false }
        let style = labelStyle
        bytes.append(addingCapacity: Self.nodeRoom + Self.labelRoom) { output in
            Self.append(node, at: place, to: &output)
            Self.append(label, at: labelPlace, box, style, to: &output)
            output.append(word: 0, count: 2)
        }
        return true
    }

    /// Opens a node and says all of it but what stands within.
    mutating func open(_ node: UsualNode) -> Bool {
        guard let place = BinaryPlace(node.place) else { return false }
        bytes.append(addingCapacity: Self.nodeRoom) { output in Self.append(node, at: place, to: &output) }
        return true
    }

    mutating func add(_ label: UsualLabel) -> Bool {
        guard let place = BinaryPlace(label.place), let box = BinaryBox(label.box) else { return false }
        let style = labelStyle
        bytes.append(addingCapacity: Self.labelRoom) { output in
            Self.append(label, at: place, box, style, to: &output)
        }
        return true
    }

    mutating func add(_ bond: UsualBond) -> Bool {
        bytes.append(addingCapacity: 64) { output in
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
        return true
    }

    /// Adds an annotation of texts in ASCII, neither of them longer than a word counts.
    mutating func annotate(id: UInt32, _ keyword: Span<UInt8>, _ content: Span<UInt8>) {
        bytes.append(addingCapacity: 32 + keyword.count + content.count) { output in
            output.append(.annotation, id: id)
            output.append(.keyword, plain: keyword)
            output.append(.content, plain: content)
            output.append(word: 0, count: 2)
        }
    }

    private static let nodeRoom = 64
    private static let labelRoom = 128

    /// Adds a node but for its end.
    @inline(__always)
    private static func append(_ node: UsualNode, at place: BinaryPlace, to output: inout OutputSpan<UInt8>) {
        output.append(.node, id: node.id)
        output.append(.position, place)
        if node.element != 0 { output.append(.element, 2, UInt64(node.element)) }
        if node.hydrogens >= 0 { output.append(.hydrogens, 2, UInt64(truncatingIfNeeded: Int(node.hydrogens))) }
        if node.charge != 0 {
            let charge = Int8(truncatingIfNeeded: max(-128, min(127, node.charge)))
            output.append(.charge, 1, UInt64(UInt8(bitPattern: charge)))
        }
    }

    @inline(__always)
    private static func append(
        _ label: UsualLabel, at place: BinaryPlace, _ box: BinaryBox, _ style: UInt64,
        to output: inout OutputSpan<UInt8>
    ) {
        output.append(.text, id: label.id)
        output.append(.position, place)
        output.append(word: UInt64(DrawnProperty.boundingBox.rawValue) | 16 << 16, count: 4)
        output.append(word: box.start, count: 8)
        output.append(word: box.end, count: 8)
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
    fileprivate mutating func append(_ property: DrawnProperty, _ place: BinaryPlace) {
        append(property, 8)
        append(word: place.bits, count: 8)
    }

    /// Appends a text that has no styles.
    @inline(__always)
    fileprivate mutating func append(_ property: DrawnProperty, plain text: Span<UInt8>) {
        append(property, text.count &+ 2)
        append(word: 0, count: 2)
        append(copying: text)
    }
}

/// Both coordinates of a place as CDX has them: y first, 16 bits behind the point.
private struct BinaryPlace {
    let bits: UInt64

    /// Nothing for a place that is too far away.
    @inline(__always)
    init?(_ place: Position) {
        guard let y = coordinate(place.y), let x = coordinate(place.x) else { return nil }
        bits = UInt64(y) | UInt64(x) << 32
    }
}

/// The sides of a box as CDX has them: top, left, bottom and right.
private struct BinaryBox {
    let start: UInt64
    let end: UInt64

    /// Nothing for a box that reaches too far.
    @inline(__always)
    init?(_ box: DrawnBox) {
        guard let top = coordinate(box.top), let left = coordinate(box.left), let bottom = coordinate(box.bottom),
            let right = coordinate(box.right)
        else { return nil }
        start = UInt64(top) | UInt64(left) << 32
        end = UInt64(bottom) | UInt64(right) << 32
    }
}

@inline(__always)
private func coordinate(_ points: Double) -> UInt32? {
    guard points.magnitude < 32_000 else { return nil }
    return UInt32(truncatingIfNeeded: rounded(points * 65536))
}
