import ChemopenModel

/// How a drawing's points become Ångström: one factor for the whole document, so that its layout stays.
///
/// A bond is 1.5 Å where the document's bond length says so. Where it says nothing, or is twice too long or short for
/// what is drawn, the median of the drawn bonds is taken for it.
struct DrawingScale {
    /// Ångström to a point.
    let factor: Double
    /// The points that are taken for a bond's length.
    let bondLength: Double

    private static let usualLength = 14.4
    private static let bond = 1.5

    /// The bond length that is stated is none.
    let isStatedBadly: Bool

    init(of drawing: Drawing, _ tables: inout FragmentTables) {
        let stated = drawing.objects.isEmpty ? nil : drawing.real(.bondLength, of: Drawing.document)
        let drawn = DrawnLengths(in: drawing, &tables)
        var length = stated ?? drawn.median ?? Self.usualLength
        if drawing.isOwn {
            // Drawings of ours are as large as they say, and CDX has no exact number for it.
            if abs(length - Self.usualLength) < 0.001 { length = Self.usualLength }
        } else if let median = drawn.medianBeyondTwice(length) {
            length = median
        }
        if !(length > 0.001) || !length.isFinite { length = Self.usualLength }
        isStatedBadly = stated.map { !($0 > 0.001) } ?? false
        bondLength = length
        factor = Self.bond / length
    }

    /// The bond length and the program that drew it.
    func remark(on drawing: Drawing) -> Text {
        var remark = "bond length \(Self.shortDecimal(bondLength)) pt"
        if let program = drawing.text(.creationProgram, of: Drawing.document), !program.isEmpty {
            remark = "\(program.inOneLine.string), \(remark)"
        }
        return Text(remark)
    }

    private static func shortDecimal(_ value: Double) -> String {
        let rounded = (value * 10_000).rounded() / 10_000
        return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
    }

    /// Converts a position of the drawing to Ångström, to four decimals.
    ///
    /// In a drawing y points down and z toward the viewer: in chairs drawn by ChemDraw, the wide ends of wedges have the larger z.
    func place(_ position: Position) -> Position {
        let height = position.z == 0 ? 0 : shortened(position.z)
        return Position(shortened(position.x), shortened(0 - position.y), height)
    }

    private func shortened(_ coordinate: Double) -> Double {
        wholeNumber(coordinate * factor * 10_000) / 10_000 + 0
    }
}

/// How long the bonds of a drawing's fragments are, those inside abbreviations left out.
private struct DrawnLengths {
    private var lengths: [Double] = []

    init(in drawing: Drawing, _ tables: inout FragmentTables) {
        lengths.reserveCapacity(drawing.objects.count / 2)
        for fragment in drawing.others where drawing.kind(of: fragment) == .fragment {
            if drawing.objects[fragment].isInNode { continue }
            let table = tables.prepare(fragment)
            for place in table.bonds {
                let bond = tables.bonds[place]
                guard let from = drawing.position(.position, of: tables.nodes[bond.begin].object),
                    let to = drawing.position(.position, of: tables.nodes[bond.end].object)
                else { continue }
                let (x, y) = (from.x - to.x, from.y - to.y)
                let length = (x * x + y * y).squareRoot()
                if length > 0.001 { lengths.append(length) }
            }
        }
    }

    var median: Double? {
        lengths.isEmpty ? nil : lengths.sorted()[lengths.count / 2]
    }

    /// The median where it is more than twice or less than half of a length. To see that it is not, which is usual, needs
    /// no order.
    func medianBeyondTwice(_ length: Double) -> Double? {
        var (shorter, longer) = (0, 0)
        for one in lengths {
            if one < length / 2 { shorter += 1 }
            if !(one <= length * 2) { longer += 1 }
        }
        let middle = lengths.count / 2
        return shorter > middle || lengths.count - longer <= middle ? median : nil
    }
}
