import ChemopenModel

/// Cuts gaps into bonds at crossings with bonds above them.
struct BondGaps {
    typealias Point = Picture.Point

    private let sketch: MoleculeSketch
    /// The marks of each bond, with gaps.
    private var parts: [[Picture.Mark]]
    /// The marks of each bond without gaps.
    private let whole: [[Picture.Mark]]

    /// - Parameter ranges: The range of the marks of each bond.
    init(_ sketch: MoleculeSketch, _ marks: [Picture.Mark], _ ranges: [Range<Int>]) {
        self.sketch = sketch
        whole = ranges.map { Array(marks[$0]) }
        parts = whole
    }

    /// The marks of all bonds, with their gaps.
    var marks: [Picture.Mark] { parts.flatMap { $0 } }

    /// Cuts a gap into the lower of two bonds that cross, along the band of the upper one.
    ///
    /// Only lines are cut. A wedge remains complete, because a line above it is visible anyway.
    mutating func cut(_ under: Int, below over: Int) {
        guard parts.indices.contains(under), parts.indices.contains(over), cross(under, over),
            let band = Band(of: over, in: sketch, whole[over])
        else { return }
        parts[under] = parts[under].flatMap { mark -> [Picture.Mark] in
            guard case .stroke(let stroke) = mark else { return [mark] }
            return band.outside(stroke).map { .stroke($0) }
        }
    }

    /// Whether two bonds without a common atom cross each other.
    private func cross(_ one: Int, _ other: Int) -> Bool {
        let (first, second) = (sketch.molecule.bonds[one], sketch.molecule.bonds[other])
        let count = sketch.molecule.atoms.count
        guard BondGraph.isSound(first, count), BondGraph.isSound(second, count),
            Set([first.from, first.to, second.from, second.to]).count == 4
        else { return false }
        let ((a, b), (c, d)) = (sketch.ends(ofBond: one), sketch.ends(ofBond: other))
        func areApart(_ start: Point, _ way: Point, _ one: Point, _ other: Point) -> Bool {
            way.cross(one - start) * way.cross(other - start) < 0
        }
        return areApart(a, b - a, c, d) && areApart(c, d - c, a, b)
    }

    /// The band that a bond covers: its lines, and a margin on both sides.
    private struct Band {
        let start: Point
        let along: Point
        let length: Double
        var low = Double.infinity
        var high = -Double.infinity

        init?(of bond: Int, in sketch: MoleculeSketch, _ marks: [Picture.Mark]) {
            let (start, end) = sketch.ends(ofBond: bond)
            self.start = start
            along = (end - start).unit
            length = (end - start).length
            for mark in marks {
                switch mark {
                case .stroke(let stroke): for point in stroke.points { widen(point, stroke.width / 2) }
                case .fill(let points, _): for point in points { widen(point, 0) }
                case .letters, .image: break
                }
            }
            guard low <= high else { return nil }
            low -= sketch.style.margin
            high += sketch.style.margin
        }

        private mutating func widen(_ point: Point, _ half: Double) {
            let height = (point - start).dot(along.left)
            low = min(low, height - half)
            high = max(high, height + half)
        }

        /// Returns the parts of a line outside the band.
        func outside(_ stroke: Picture.Stroke) -> [Picture.Stroke] {
            var pieces: [[Point]] = []
            var piece: [Point] = []
            func close() {
                if piece.count > 1 { pieces.append(piece) }
                piece = []
            }
            for (from, to) in zip(stroke.points, stroke.points.dropFirst()) {
                if piece.isEmpty { piece = [from] }
                guard let (first, last) = covered(from, to) else {
                    piece.append(to)
                    continue
                }
                let way = to - from
                if first > 0 { piece.append(from + way * first) } else if piece.count == 1 { piece = [] }
                close()
                if last < 1 { piece = [from + way * last, to] }
            }
            close()
            if pieces.count == 1, pieces[0].count == stroke.points.count, pieces[0] == stroke.points { return [stroke] }
            return pieces.map { points in
                var part = stroke
                part.points = points
                return part
            }
        }

        /// Returns the start and end of the covered part of a line, as fractions of its length.
        private func covered(_ from: Point, _ to: Point) -> (Double, Double)? {
            var (first, last) = (0.0, 1.0)
            let sides = [(along.left, low, high), (along, 0, length)]
            for (direction, least, most) in sides {
                let (begin, end) = ((from - start).dot(direction), (to - start).dot(direction))
                let step = end - begin
                if abs(step) < 1e-9 {
                    if begin < least || begin > most { return nil }
                    continue
                }
                let (one, other) = ((least - begin) / step, (most - begin) / step)
                first = max(first, min(one, other))
                last = min(last, max(one, other))
            }
            return first < last ? (first, last) : nil
        }
    }
}
