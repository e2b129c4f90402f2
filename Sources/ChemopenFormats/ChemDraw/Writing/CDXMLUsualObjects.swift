import ChemopenBytes
import ChemopenModel

/// The commonest objects, each written as a whole into room that is made for it at once. `false`, and nothing written, for
/// one with numbers of another kind.
extension CDXMLSpelling {
    mutating func add(_ node: UsualNode, _ label: UsualLabel?) -> Bool {
        guard let place = WholePlace(node.place) else { return false }
        guard let label else {
            endTag()
            bytes.append(addingCapacity: Self.nodeRoom) { output in
                Self.append(node, at: place, to: &output)
                output.append("/>\n")
            }
            return true
        }
        guard let labelPlace = WholePlace(label.place), let box = WholeBox(label.box) else { return false }
        endTag()
        let tag = labelTag
        bytes.append(addingCapacity: Self.nodeRoom + Self.labelRoom + tag.count) { output in
            Self.append(node, at: place, to: &output)
            output.append(">\n")
            Self.append(label, at: labelPlace, box, tag, to: &output)
            output.append("</n>\n")
        }
        return true
    }

    /// Opens a node and says all of it but what stands within.
    mutating func open(_ node: UsualNode) -> Bool {
        guard let place = WholePlace(node.place) else { return false }
        endTag()
        bytes.append(addingCapacity: Self.nodeRoom) { output in Self.append(node, at: place, to: &output) }
        beginTag(of: .node)
        return true
    }

    mutating func add(_ label: UsualLabel) -> Bool {
        guard let place = WholePlace(label.place), let box = WholeBox(label.box) else { return false }
        endTag()
        let tag = labelTag
        bytes.append(addingCapacity: Self.labelRoom + tag.count) { output in
            Self.append(label, at: place, box, tag, to: &output)
        }
        return true
    }

    mutating func add(_ bond: UsualBond) -> Bool {
        guard let order = Self.attribute(ofOrder: bond.order), let display = Self.attribute(of: bond.display),
            let side = Self.attribute(ofSide: bond.side)
        else { return false }
        endTag()
        bytes.append(addingCapacity: 160) { output in
            output.append("<b id=\"")
            output.append(number: Int(bond.id), before: Ascii.quote)
            output.append(" B=\"")
            output.append(number: Int(bond.begin), before: Ascii.quote)
            output.append(" E=\"")
            output.append(number: Int(bond.end), before: Ascii.quote)
            if bond.order != DrawnOrder.single { output.append(order) }
            if bond.display != .solid { output.append(display) }
            if bond.side != nil { output.append(side) }
            output.append("/>\n")
        }
        return true
    }

    /// Adds an annotation of texts that need no escapes.
    mutating func annotate(id: UInt32, _ keyword: Span<UInt8>, _ content: Span<UInt8>) {
        endTag()
        bytes.append(addingCapacity: 80 + keyword.count + content.count) { output in
            output.append("<annotation id=\"")
            output.append(number: Int(id), before: Ascii.quote)
            output.append(" Keyword=\"")
            output.append(copying: keyword)
            output.append("\" Content=\"")
            output.append(copying: content)
            output.append("\"/>\n")
        }
    }

    private static let nodeRoom = 160
    private static let labelRoom = 400

    /// Adds a node up to the end of its attributes.
    @inline(__always)
    private static func append(_ node: UsualNode, at place: WholePlace, to output: inout OutputSpan<UInt8>) {
        output.append("<n id=\"")
        output.append(number: Int(node.id), before: Ascii.quote)
        output.append(" p=\"")
        output.append(places: place.x, before: Ascii.blank)
        output.append(places: place.y, before: Ascii.quote)
        if node.element != 0 {
            output.append(" Element=\"")
            output.append(number: Int(node.element), before: Ascii.quote)
        }
        if node.hydrogens >= 0 {
            output.append(" NumHydrogens=\"")
            output.append(number: Int(node.hydrogens), before: Ascii.quote)
        }
        if node.charge != 0 {
            output.append(" Charge=\"")
            output.append(decimal: Int(node.charge))
            output.append(Ascii.quote)
        }
    }

    @inline(__always)
    private static func append(
        _ label: UsualLabel, at place: WholePlace, _ box: WholeBox, _ tag: [UInt8], to output: inout OutputSpan<UInt8>
    ) {
        output.append("<t id=\"")
        output.append(number: Int(label.id), before: Ascii.quote)
        output.append(" p=\"")
        output.append(places: place.x, before: Ascii.blank)
        output.append(places: place.y, before: Ascii.quote)
        output.append(" BoundingBox=\"")
        output.append(hundredths: box.left, before: Ascii.blank)
        output.append(hundredths: box.top, before: Ascii.blank)
        output.append(hundredths: box.right, before: Ascii.blank)
        output.append(hundredths: box.bottom, before: Ascii.quote)
        if label.isTurned {
            output.append(" LabelJustification=\"Right\" Justification=\"Right\" LabelAlignment=\"Right\">")
        } else {
            output.append(" LabelJustification=\"Left\" LabelAlignment=\"Left\">")
        }
        output.append(copying: tag.span)
        output.append(word: label.text.word, count: label.text.count)
        output.append("</s></t>\n")
    }

    /// Nothing for an order that is rare.
    @inline(__always)
    private static func attribute(ofOrder bits: Int) -> StaticString? {
        switch bits {
        case DrawnOrder.single: ""
        case 0x0002: " Order=\"2\""
        case 0x0004: " Order=\"3\""
        case 0x0080: " Order=\"1.5\""
        case DrawnOrder.any: " Order=\"any\""
        default: nil
        }
    }

    /// Nothing for a way of drawing that is rare.
    @inline(__always)
    private static func attribute(of display: DrawnBond.Display) -> StaticString? {
        switch display {
        case .solid: ""
        case .hashedWedgeFromBegin: " Display=\"WedgedHashBegin\""
        case .wedgeFromBegin: " Display=\"WedgeBegin\""
        case .wavy: " Display=\"Wavy\""
        default: nil
        }
    }

    @inline(__always)
    private static func attribute(ofSide side: Int?) -> StaticString? {
        switch side {
        case nil: ""
        case DoubleBondSides.centre: " DoublePosition=\"Center\""
        case DoubleBondSides.right: " DoublePosition=\"Right\""
        case DoubleBondSides.left: " DoublePosition=\"Left\""
        default: nil
        }
    }
}
