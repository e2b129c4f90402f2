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

    init(of drawing: Drawing) {
        let stated = drawing.objects.isEmpty ? nil : drawing.real(.bondLength, of: Drawing.document)
        let median = Self.medianBond(in: drawing)
        var length = stated ?? median ?? Self.usualLength
        if let median, !(length >= median / 2 && length <= median * 2) { length = median }
        if !(length > 0.001) || !length.isFinite { length = Self.usualLength }
        isStatedBadly = stated.map { !($0 > 0.001) } ?? false
        bondLength = length
        factor = Self.bond / length
    }

    /// A place of the drawing in Ångström to four decimals, y upwards. Heights turn with y, so that no hand changes.
    func place(_ position: Position) -> Position {
        Position(shortened(position.x), shortened(0 - position.y), shortened(0 - position.z))
    }

    private func shortened(_ coordinate: Double) -> Double {
        (coordinate * factor * 10_000).rounded() / 10_000 + 0
    }

    private static func medianBond(in drawing: Drawing) -> Double? {
        var lengths: [Double] = []
        for fragment in drawing.objects.indices where drawing.kind(of: fragment) == .fragment {
            if drawing.objects[fragment].isInNode { continue }
            let bonds = drawing.children(of: fragment, .bond)
            if bonds.isEmpty { continue }
            let nodes = drawing.children(of: fragment, .node)
            var places = DrawnIDs(of: nodes, among: drawing.objects)
            for (place, node) in nodes.enumerated() { places.enter(drawing.objects[node].id, at: place) }
            for bond in bonds {
                guard let begin = drawing.identifier(.begin, of: bond), let end = drawing.identifier(.end, of: bond),
                    let first = places.place(of: begin), let second = places.place(of: end),
                    let from = drawing.position(.position, of: nodes[first]),
                    let to = drawing.position(.position, of: nodes[second])
                else { continue }
                let (x, y) = (from.x - to.x, from.y - to.y)
                let length = (x * x + y * y).squareRoot()
                if length > 0.001 { lengths.append(length) }
            }
        }
        if lengths.isEmpty { return nil }
        lengths.sort()
        return lengths[lengths.count / 2]
    }
}
