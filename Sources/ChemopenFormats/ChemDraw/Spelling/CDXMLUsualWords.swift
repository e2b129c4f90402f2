import ChemopenBytes
import ChemopenModel

/// The words of the usual objects in XML, and what is written with them in room that was made for the whole object.
struct CDXMLUsualWords {
    let node = ShortText("<n id=\"")
    let label = ShortText("<t id=\"")
    let bond = ShortText("<b id=\"")
    let place = ShortText(" p=\"")
    let begin = ShortText(" B=\"")
    let end = ShortText(" E=\"")
    private let element = (ShortText(" Element"), ShortText("=\""))
    private let hydrogens = (ShortText(" NumHydr"), ShortText("ogens=\""))
    /// The rest of an atom's label up to its letters, and the same of one that goes to the left.
    private let labelEnd: [UInt8]
    private let turnedLabelEnd: [UInt8]

    /// - Parameter tag: that of a run that looks like the labels of atoms.
    init(labelTag tag: [UInt8]) {
        labelEnd = Array(" LabelJustification=\"Left\" LabelAlignment=\"Left\">".utf8) + tag
        turnedLabelEnd =
            Array(" LabelJustification=\"Right\" Justification=\"Right\" LabelAlignment=\"Right\">".utf8) + tag
    }

    /// The bytes that a node takes with its label.
    var nodeRoom: Int { 512 &+ turnedLabelEnd.count }

    /// Adds a node behind its id, up to the end of its attributes.
    @inline(__always)
    func append(_ node: UsualNode, to output: inout OutputSpan<UInt8>) {
        output.append(PrintedNumber(places: node.place.x, before: Ascii.blank).behind(place))
        output.append(PrintedNumber(places: node.place.y, before: Ascii.quote))
        if node.element != 0 {
            let number = PrintedNumber(Int(node.element), before: Ascii.quote).behind(element.1)
            output.append(words: element.0.word, number.word, count: 8 &+ number.count)
        }
        if 0...9 ~= node.hydrogens {
            let digit = UInt64(truncatingIfNeeded: Int(node.hydrogens)) | 0x30
            output.append(words: hydrogens.0.word, hydrogens.1.word | digit &<< 56, count: 16)
            output.append(Ascii.quote)
        } else if node.hydrogens > 9 {
            output.append(" NumHydrogens=\"")
            output.append(number: Int(node.hydrogens), before: Ascii.quote)
        }
        if node.charge != 0 {
            output.append(" Charge=\"")
            output.append(decimal: Int(node.charge))
            output.append(Ascii.quote)
        }
    }

    /// Adds a label behind its id, up to the end of its letters.
    @inline(__always)
    func append(_ label: UsualLabel, to output: inout OutputSpan<UInt8>) {
        let box = label.box
        let x = PrintedNumber(hundredths: label.x, before: Ascii.blank)
        let other = PrintedNumber(hundredths: label.isTurned ? box.left : box.right, before: Ascii.blank)
        output.append(x.behind(place))
        output.append(PrintedNumber(hundredths: label.y, before: Ascii.quote))
        append(box, label.isTurned ? other : x, label.isTurned ? x : other, to: &output)
        output.append(copying: label.isTurned ? turnedLabelEnd.span : labelEnd.span)
        output.append(word: label.text.word, count: label.text.count)
    }

    /// Adds a box whose left and right have been printed.
    @inline(__always)
    func append(_ box: WholeBox, _ left: PrintedNumber, _ right: PrintedNumber, to output: inout OutputSpan<UInt8>) {
        output.append(" BoundingBox=\"")
        output.append(left)
        output.append(PrintedNumber(hundredths: box.top, before: Ascii.blank))
        output.append(right)
        output.append(PrintedNumber(hundredths: box.bottom, before: Ascii.quote))
    }
}
