import ChemopenBytes
import ChemopenModel

/// The commonest objects, each written as a whole into room that is made for it at once. `false`, and nothing written, for
/// one with numbers of another kind.
extension CDXMLSpelling {
    mutating func add(_ node: UsualNode, _ label: UsualLabel?) -> Bool {
        guard Self.isUsual(node), label.map({ Self.isUsual($0.box) }) ?? true else { return false }
        endTag()
        let words = usualWords
        bytes.append(addingCapacity: words.nodeRoom) { output in
            output.append(words.node, id: node.id)
            words.append(node, to: &output)
            guard let label else { return output.append("/>\n") }
            output.append(">\n")
            output.append(words.label, id: label.id)
            words.append(label, to: &output)
            output.append("</s></t>\n</n>\n")
        }
        return true
    }

    /// Adds nodes, those of elements with the next one of the labels, and bonds between them; none where one of them is rare.
    /// Their ids follow one another: those of the nodes, the bonds, the labels.
    mutating func add(_ nodes: Span<UsualNode>, _ labels: Span<UsualLabel>, _ bonds: Span<UsualBond>) -> Bool {
        guard !nodes.isEmpty else { return bonds.isEmpty }
        let first = nodes[0].id
        for index in nodes.indices where !Self.isUsual(nodes[index]) { return false }
        for index in labels.indices where !Self.isUsual(labels[index].box) { return false }
        for index in bonds.indices where Look(bonds[index]) == nil { return false }
        guard printIDs(from: Int(first), count: nodes.count &+ bonds.count &+ labels.count) else { return false }
        endTag()
        let words = usualWords
        let printed = ids
        bytes.append(addingCapacity: words.nodeRoom &* nodes.count &+ Self.bondRoom &* bonds.count) { output in
            let ids = printed.span
            var label = 0
            for index in nodes.indices {
                output.append(PrintedNumber(ids[index]).behind(words.node))
                words.append(nodes[index], to: &output)
                if nodes[index].element == 0 {
                    output.append("/>\n")
                    continue
                }
                output.append(">\n")
                output.append(PrintedNumber(ids[nodes.count &+ bonds.count &+ label]).behind(words.label))
                words.append(labels[label], to: &output)
                output.append("</s></t>\n</n>\n")
                label &+= 1
            }
            for index in bonds.indices {
                let bond = bonds[index]
                output.append(PrintedNumber(ids[nodes.count &+ index]).behind(words.bond))
                output.append(PrintedNumber(ids[Int(bond.begin &- first)]).behind(words.begin))
                output.append(PrintedNumber(ids[Int(bond.end &- first)]).behind(words.end))
                if let look = Look(bond) { look.append(to: &output) }
            }
        }
        return true
    }

    /// Opens a node and says all of it but what stands within.
    mutating func open(_ node: UsualNode) -> Bool {
        guard Self.isUsual(node) else { return false }
        endTag()
        let words = usualWords
        bytes.append(addingCapacity: words.nodeRoom) { output in
            output.append(words.node, id: node.id)
            words.append(node, to: &output)
        }
        beginTag(of: .node)
        return true
    }

    mutating func add(_ label: UsualLabel) -> Bool {
        guard Self.isUsual(label.box) else { return false }
        endTag()
        let words = usualWords
        bytes.append(addingCapacity: words.nodeRoom) { output in
            output.append(words.label, id: label.id)
            words.append(label, to: &output)
            output.append("</s></t>\n")
        }
        return true
    }

    mutating func add(_ bond: UsualBond) -> Bool {
        guard let look = Look(bond) else { return false }
        endTag()
        let words = usualWords
        bytes.append(addingCapacity: Self.bondRoom) { output in
            output.append(words.bond, id: bond.id)
            output.append(words.begin, id: bond.begin)
            output.append(words.end, id: bond.end)
            look.append(to: &output)
        }
        return true
    }

    /// Adds an annotation of texts that need no escapes.
    mutating func annotate(id: UInt32, _ keyword: Span<UInt8>, _ content: Span<UInt8>) {
        endTag()
        let isInText = isInText
        bytes.append(addingCapacity: 80 + keyword.count + content.count) { output in
            Self.appendAnnotation(id, keyword, content, to: &output)
            if !isInText { output.append(Ascii.lineFeed) }
        }
    }

    /// Adds a text that needs no escapes, and our statement of it under the next id.
    mutating func add(_ caption: UsualCaption, _ text: Span<UInt8>, saying statement: Span<UInt8>) -> Bool {
        guard let place = WholePlace(caption.place), let box = WholeBox(caption.box), Self.isUsual(place),
            Self.isUsual(box)
        else { return false }
        endTag()
        let words = usualWords
        let (end, keyword) = (captionEnd, OwnStatement.keyword.bytes)
        bytes.append(addingCapacity: 512 + end.count + text.count + statement.count) { output in
            output.append(words.label, id: caption.id)
            output.append(PrintedNumber(places: place.x, before: Ascii.blank).behind(words.place))
            output.append(PrintedNumber(places: place.y, before: Ascii.quote))
            words.append(
                box, PrintedNumber(hundredths: box.left, before: Ascii.blank),
                PrintedNumber(hundredths: box.right, before: Ascii.blank), to: &output)
            output.append(" Z=\"")
            output.append(number: caption.z, before: Ascii.quote)
            output.append(copying: end.span)
            output.append(copying: text)
            output.append("</s>")
            Self.appendAnnotation(caption.id &+ 1, keyword.span, statement, to: &output)
            output.append("</t>\n")
        }
        return true
    }

    private static let bondRoom = 192

    @inline(__always)
    private static func isUsual(_ place: WholePlace) -> Bool {
        PrintedNumber.places ~= place.x && PrintedNumber.places ~= place.y
    }

    @inline(__always)
    private static func isUsual(_ node: UsualNode) -> Bool { isUsual(node.place) }

    @inline(__always)
    private static func isUsual(_ box: WholeBox) -> Bool {
        PrintedNumber.hundredths ~= box.left && PrintedNumber.hundredths ~= box.right
            && PrintedNumber.hundredths ~= box.top && PrintedNumber.hundredths ~= box.bottom
    }

    /// Prints ids that follow one another, each before a quote; `false` for large ones.
    private mutating func printIDs(from first: Int, count: Int) -> Bool {
        guard first &+ count < PrintedNumber.wholes.upperBound else { return false }
        ids.removeAll(keepingCapacity: true)
        ids.append(addingCapacity: count) { output in
            var word: UInt64 = 0
            // The last digit may still be raised so often, and the word grows by so much with it.
            var left = 0
            var step: UInt64 = 0
            for id in first..<(first &+ count) {
                if left > 0 {
                    word &+= step
                    left &-= 1
                } else {
                    let printed = PrintedNumber(id, before: Ascii.quote)
                    word = printed.word
                    step = 1 &<< UInt64(truncatingIfNeeded: (printed.count &- 2) &* 8)
                    left = 9 &- id % 10
                }
                output.append(word)
            }
        }
        return true
    }

    @inline(__always)
    private static func appendAnnotation(
        _ id: UInt32, _ keyword: Span<UInt8>, _ content: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) {
        output.append("<annotation id=\"")
        output.append(number: Int(id), before: Ascii.quote)
        output.append(" Keyword=\"")
        output.append(copying: keyword)
        output.append("\" Content=\"")
        output.append(copying: content)
        output.append("\"/>")
    }

    /// The attributes of a bond that is drawn in one of the usual ways.
    private struct Look {
        let order: StaticString
        let display: StaticString
        let side: StaticString
        /// It is a single bond, a plain line.
        let isPlain: Bool

        @inline(__always)
        init?(_ bond: UsualBond) {
            isPlain = bond.order == DrawnOrder.single && bond.display == .solid && bond.side == nil
            switch bond.order {
            case DrawnOrder.single: order = ""
            case 0x0002: order = " Order=\"2\""
            case 0x0004: order = " Order=\"3\""
            case 0x0080: order = " Order=\"1.5\""
            case DrawnOrder.any: order = " Order=\"any\""
            default: return nil
            }
            switch bond.display {
            case .solid: display = ""
            case .hashedWedgeFromBegin: display = " Display=\"WedgedHashBegin\""
            case .wedgeFromBegin: display = " Display=\"WedgeBegin\""
            case .wavy: display = " Display=\"Wavy\""
            default: return nil
            }
            switch bond.side {
            case nil: side = ""
            case DoubleBondSides.centre: side = " DoublePosition=\"Center\""
            case DoubleBondSides.right: side = " DoublePosition=\"Right\""
            case DoubleBondSides.left: side = " DoublePosition=\"Left\""
            default: return nil
            }
        }

        @inline(__always)
        func append(to output: inout OutputSpan<UInt8>) {
            if !isPlain {
                output.append(order)
                output.append(display)
                output.append(side)
            }
            output.append("/>\n")
        }
    }
}
