import ChemopenModel

/// Converts a drawing's points to Ångström, with one factor for the complete document to preserve its layout.
///
/// The document's bond length becomes 1.5 Å. If it is missing, or differs from the drawn bonds by more than a factor
/// of two, the median length of the drawn bonds is used.
struct DrawingScale {
    /// The number of Ångström in a point.
    let factor: Double
    /// The bond length, in points.
    let bondLength: Double

    private static let usualLength = 14.4
    private static let bond = 1.5

    /// Whether the stated bond length is invalid.
    let isStatedBadly: Bool

    init(of drawing: Drawing, _ tables: inout FragmentTables) {
        let stated = drawing.objects.isEmpty ? nil : drawing.real(.bondLength, of: Drawing.document)
        let drawn = DrawnLengths(in: drawing, &tables)
        var length = stated ?? drawn.median ?? Self.usualLength
        if drawing.isOwn {
            // Drawings by Chemopen always have the specified size, but CDX cannot represent the number exactly.
            if abs(length - Self.usualLength) < 0.001 { length = Self.usualLength }
        } else if let median = drawn.medianBeyondTwice(length) {
            length = median
        }
        if !(length > 0.001) || !length.isFinite { length = Self.usualLength }
        isStatedBadly = stated.map { !($0 > 0.001) } ?? false
        bondLength = length
        factor = Self.bond / length
    }

    /// Returns a comment with the bond length and the program that wrote the drawing.
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
    /// In a drawing, y points down and z toward the viewer: in chairs that ChemDraw draws, the wide ends of wedges have
    /// the larger z.
    func place(_ position: Position) -> Position {
        let height = position.z == 0 ? 0 : shortened(position.z)
        return Position(shortened(position.x), shortened(0 - position.y), height)
    }

    private func shortened(_ coordinate: Double) -> Double {
        wholeNumber(coordinate * factor * 10_000) / 10_000 + 0
    }
}

/// The lengths of the bonds in a drawing's fragments, except those inside abbreviations.
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

    /// The median. Lengths are first sorted out by groups of their bits, because sorting all of them would take much
    /// longer.
    var median: Double? {
        var rest = lengths.map(\.bitPattern)
        var place = rest.count / 2
        for shift: UInt64 in [52, 40, 28] where rest.count > 4096 {
            func group(_ bits: UInt64) -> Int { Int(truncatingIfNeeded: bits >> shift & 0xFFF) }
            var counts = Array(repeating: 0, count: 0x1000)
            for bits in rest { counts[group(bits)] += 1 }
            var middle = 0
            while place >= counts[middle] {
                place -= counts[middle]
                middle += 1
            }
            rest.removeAll { group($0) != middle }
        }
        rest.sort()
        return rest.isEmpty ? nil : Double(bitPattern: rest[place])
    }

    /// Returns the median if it is more than twice or less than half of a length, and nil otherwise. To return nil,
    /// which is the usual result, the function need not sort.
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
