/// Finds free positions for small texts next to atoms and bonds.
struct NotePlacer {
    typealias Point = Picture.Point

    private var taken: BoxIndex
    private var lines = BoxIndex()
    private var ends: [(Point, Point)] = []
    private(set) var marks: [Picture.Mark] = []
    private let size: Double
    /// The remaining number of expensive searches. Any further texts use the first position without a search.
    private var searches = 600

    init(around labels: BoxIndex, lines marks: [Picture.Mark], size: Double) {
        taken = labels
        self.size = size
        for mark in marks {
            switch mark {
            case .stroke(let stroke):
                if let first = stroke.points.first, let last = stroke.points.last { addLine(first, last) }
            case .fill(let points, _):
                for (place, point) in points.enumerated() { addLine(point, points[(place + 1) % points.count]) }
            case .letters, .image: break
            }
        }
    }

    private mutating func addLine(_ start: Point, _ end: Point) {
        var box = Box.empty
        box.add(start)
        box.add(end)
        lines.add(box, of: ends.count)
        ends.append((start, end))
    }

    /// Adds a text near a point, in a free direction between lines.
    mutating func put(
        _ text: String, near point: Point, apart: Double, from directions: [Point], ink: Picture.Ink = .note
    ) {
        let width = Lettering.width(of: text, size: size)
        let depth = Lettering.hasDepth(text) ? Lettering.depth * size : 0
        let height = Lettering.capitalHeight * size + depth
        let first = Self.freeAngle(between: directions)
        var best: (cost: Double, box: Box)?
        let steps = searches > 0 ? 16 : 1
        searches -= 1
        for round in 0..<(steps > 1 ? 6 : 1) {
            for step in 0..<steps {
                let sign = step % 2 == 0 ? 1.0 : -1.0
                let angle = first + sign * Double((step + 1) / 2) * (.pi / 8)
                let direction = Point.direction(angle)
                let reach = abs(direction.x) * width / 2 + abs(direction.y) * height / 2
                let center = point + direction * (apart + Double(round) * 3 + reach)
                let box = Box(
                    left: center.x - width / 2, top: center.y - height / 2, right: center.x + width / 2,
                    bottom: center.y + height / 2)
                let cost = cost(of: box) + Double(round) + Double(step) * 0.08
                if cost < best?.cost ?? .infinity { best = (cost, box) }
            }
            if let best, best.cost < 3 { break }
        }
        guard let box = best?.box else { return }
        taken.add(box, of: -2)
        marks.append(.letters(.init(text, at: Point(box.left, box.bottom - depth), size: size, ink: ink)))
    }

    /// Adds a text with its upper left corner at `place`; returns `false` if it would overlap other marks there.
    mutating func put(_ text: String, at place: Point, ink: Picture.Ink = .note) -> Bool {
        let depth = Lettering.hasDepth(text) ? Lettering.depth * size : 0
        let height = Lettering.capitalHeight * size + depth
        let width = Lettering.width(of: text, size: size)
        let box = Box(left: place.x, top: place.y, right: place.x + width, bottom: place.y + height)
        guard cost(of: box) == 0 else { return false }
        taken.add(box, of: -2)
        marks.append(.letters(.init(text, at: Point(box.left, box.bottom - depth), size: size, ink: ink)))
        return true
    }

    private func cost(of box: Box) -> Double {
        var cost = 0.0
        taken.visit(near: box) { other, _ in
            if other.overlaps(box.grown(by: 0.3)) { cost += 6 }
        }
        lines.visit(near: box) { _, place in
            if box.grown(by: 0.4).part(of: ends[place].0, ends[place].1) != nil { cost += 3 }
        }
        return cost
    }

    /// Returns the middle of the largest gap between directions.
    static func freeAngle(between directions: [Point]) -> Double {
        let angles = directions.filter { $0.length > 0.01 }.map(\.angle).sorted()
        guard let first = angles.first else { return .pi / 4 }
        var widest = 0.0
        var middle = first + .pi
        for (place, angle) in angles.enumerated() {
            let next = place + 1 < angles.count ? angles[place + 1] : first + 2 * .pi
            if next - angle > widest + 0.01 {
                widest = next - angle
                middle = (angle + next) / 2
            }
        }
        return middle
    }
}
