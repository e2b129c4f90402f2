import ChemopenModel
import Glibc

extension PagePainter {
    mutating func paint(_ arrow: Page.Arrow) {
        let way = Self.way(of: arrow)
        guard way.count > 1, Self.length(of: way) > 0.05 else { return }
        let isEquilibrium =
            arrow.spacing > 0.01 && arrow.look == .solid && arrow.headTip != .none && arrow.tailTip != .none
        if isEquilibrium {
            paintEquilibrium(arrow, way)
        } else if arrow.spacing > 0.01, arrow.look != .solid {
            paintDouble(arrow, way)
        } else if arrow.look == .hollow, arrow.headTip != .none || arrow.tailTip != .none {
            paintDouble(arrow, way)
        } else {
            paintSingle(arrow, way, head: arrow.headTip, tail: arrow.tailTip)
        }
        if arrow.isDipole { paintDipole(arrow, way) }
        paintBar(arrow, way)
    }

    // MARK: Ways

    private static func way(of arrow: Page.Arrow) -> [Point] {
        if arrow.curve.count > 3 { return flattened(arrow.curve) }
        let (tail, head) = (arrow.tail, arrow.head)
        guard arrow.sweep != 0 else { return [tail, head] }
        let center = arrow.center ?? center(from: tail, to: head, arrow.sweep)
        guard let center else { return [tail, head] }
        let steps = max(2, min(72, Int(abs(arrow.sweep) / 4)))
        // Turns counterclockwise, which means to the left.
        return (0...steps).map { step in
            head.turned(by: arrow.sweep * (1 - Double(step) / Double(steps)), about: center)
        }
    }

    /// Returns the center of an arc between two points that sweeps counterclockwise by a number of degrees.
    private static func center(from start: Point, to end: Point, _ sweep: Double) -> Point? {
        let tangent = tan(sweep / 2 * .pi / 180)
        guard abs(tangent) > 1e-6, tangent.isFinite else { return nil }
        return start.midpoint(to: end) + (end - start).left * (1 / (2 * tangent))
    }

    /// Converts a curve to short lines. The points are the start and, for each segment, two control points and the
    /// end.
    static func flattened(_ curve: [Point]) -> [Point] {
        guard let first = curve.first else { return [] }
        var points = [first]
        let parts = (curve.count - 1) / 3
        let steps = parts > 2000 ? 2 : 12
        for part in 0..<parts {
            let (start, one, two, end) = (
                curve[3 * part], curve[3 * part + 1], curve[3 * part + 2], curve[3 * part + 3]
            )
            for step in 1...steps {
                let t = Double(step) / Double(steps)
                let s = 1 - t
                let outer = start * (s * s * s) + end * (t * t * t)
                points.append(outer + one * (3 * s * s * t) + two * (3 * s * t * t))
            }
        }
        return points
    }

    private static func length(of way: [Point]) -> Double {
        zip(way, way.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
    }

    /// Returns a path that is shortened at its end.
    private static func shortened(_ way: [Point], by length: Double) -> [Point] {
        var way = way
        var left = length
        while way.count > 1, left > 0 {
            let last = way[way.count - 1]
            let step = last - way[way.count - 2]
            if step.length > left {
                way[way.count - 1] = last + step.unit * -left
                return way
            }
            left -= step.length
            way.removeLast()
        }
        return way
    }

    // MARK: Tips

    private struct Sizes {
        var length: Double
        var middle: Double
        var width: Double

        init(_ arrow: Page.Arrow, within whole: Double) {
            let scale = min(1, 0.5 * whole / max(0.1, arrow.tipLength))
            length = arrow.tipLength * scale
            middle = min(length, arrow.tipMiddle * scale)
            width = arrow.tipWidth * scale
        }
    }

    /// Paints a tip at the end of a path, and returns the path up to the tip.
    private mutating func paintTip(_ tip: Page.Arrow.Tip, _ way: [Point], _ sizes: Sizes, _ arrow: Page.Arrow)
        -> [Point]
    {
        guard tip != .none, let end = way.last else { return way }
        let cut = Self.shortened(way, by: sizes.length)
        let back = ((cut.last ?? way[0]) - end).unit
        let middle = end + back * sizes.middle
        // Left as seen in the direction of the end.
        let left = end + back * sizes.length + back.left * -(sizes.width)
        let right = end + back * sizes.length + back.left * sizes.width
        let ink = Picture.Ink(arrow.line.color)
        var plain = arrow.line
        plain.dash = 0
        if arrow.look == .angle {
            let line = tip == .full ? [left, end, right] : tip == .halfLeft ? [left, end] : [right, end]
            stroke(line, plain)
            return way
        }
        switch tip {
        case .full: fill([end, left, middle, right], ink)
        case .halfLeft: fill([end, left, middle], ink)
        case .halfRight: fill([end, right, middle], ink)
        case .none: break
        }
        // If a tip has a notch almost to its end, it consists of two barbs that are too thin without a stroke.
        if sizes.middle < sizes.length * 0.25 {
            stroke(tip == .full ? [left, end, right] : [tip == .halfLeft ? left : right, end], plain)
        }
        return tip == .full ? Self.shortened(way, by: sizes.middle * 0.9) : way
    }

    private mutating func paintSingle(
        _ arrow: Page.Arrow, _ way: [Point], head: Page.Arrow.Tip, tail: Page.Arrow.Tip
    ) {
        let sizes = Sizes(arrow, within: Self.length(of: way) / (head != .none && tail != .none ? 2 : 1))
        var way = paintTip(head, way, sizes, arrow)
        way = paintTip(tail, way.reversed(), sizes, arrow)
        if way.count > 1 { stroke(way.reversed(), arrow.line) }
    }

    // MARK: Two lines

    private mutating func paintEquilibrium(_ arrow: Page.Arrow, _ way: [Point]) {
        guard let first = way.first, let last = way.last else { return }
        let side = (last - first).unit.left * (arrow.spacing / 2 * (arrow.headTip == .halfRight ? -1 : 1))
        let half = arrow.headTip == .full ? Page.Arrow.Tip.halfLeft : arrow.headTip
        let other = arrow.tailTip == .full ? Page.Arrow.Tip.halfLeft : arrow.tailTip
        let front = Self.shrunk(way.map { $0 + side }, by: min(1, arrow.ratio))
        paintSingle(arrow, front, head: half, tail: .none)
        let back = Self.shrunk(way.map { $0 + side * -1 }, by: min(1, 1 / arrow.ratio))
        paintSingle(arrow, back.reversed(), head: other, tail: .none)
    }

    /// Returns a straight path, scaled about its middle.
    private static func shrunk(_ way: [Point], by factor: Double) -> [Point] {
        guard way.count == 2, factor < 0.99 else { return way }
        let middle = way[0].midpoint(to: way[1])
        return way.map { middle + ($0 - middle) * factor }
    }

    /// Paints an arrow with a double line: a closed outline, or an open one behind a tip of two strokes.
    private mutating func paintDouble(_ arrow: Page.Arrow, _ way: [Point]) {
        guard let tail = way.first, let head = way.last else { return }
        let along = (head - tail).unit
        let whole = (head - tail).length
        let half = max(0.4, arrow.spacing / 2)
        let width = max(arrow.tipWidth, half + max(1, half * 0.8))
        let length = min(whole * 0.45, max(arrow.tipLength * 0.6, width))
        let side = along.left
        var plain = arrow.line
        plain.dash = 0
        /// Returns one side of the outline, from the middle of the path to a tip.
        func tip(_ end: Point, _ out: Point, _ sign: Double) -> [Point] {
            if arrow.look == .angle {
                let meeting = end + out * (-length * half / width)
                return [meeting + side * (sign * half)]
            }
            let base = end + out * -length
            return [base + side * (sign * half), base + side * (sign * width), end]
        }
        var outline: [Point] = []
        for sign in [1.0, -1.0] {
            let front = arrow.headTip == .none ? [head + side * (sign * half)] : tip(head, along, sign)
            let rear = arrow.tailTip == .none ? [tail + side * (sign * half)] : tip(tail, along * -1, sign)
            let part = Array(rear.reversed()) + front
            if arrow.look == .angle { stroke(part, arrow.line) } else { outline += sign > 0 ? part : part.reversed() }
        }
        if arrow.look != .angle { return stroke(outline + outline.prefix(1), plain) }
        for (tip, end, out) in [(arrow.headTip, head, along), (arrow.tailTip, tail, along * -1)] where tip != .none {
            let base = end + out * -length
            stroke([base + side * width, end, base + side * -width], plain)
        }
    }

    // MARK: Signs on arrows

    /// Paints the plus at the tail of a dipole.
    private mutating func paintDipole(_ arrow: Page.Arrow, _ way: [Point]) {
        let along = (way[1] - way[0]).unit
        let reach = max(1.5, arrow.tipWidth * 1.2)
        let place = way[0] + along * reach
        var plain = arrow.line
        plain.dash = 0
        stroke([place + along.left * reach, place + along.left * -reach], plain)
    }

    /// Paints the cross or the two strokes on an arrow for a reaction that does not occur.
    private mutating func paintBar(_ arrow: Page.Arrow, _ way: [Point]) {
        guard arrow.bar != .none, let tail = way.first, let head = way.last else { return }
        let middle = way.count > 2 ? way[way.count / 2] : tail.midpoint(to: head)
        let along = (head - tail).unit
        let reach = max(4, arrow.tipWidth * 1.6 + arrow.spacing / 2)
        let side = along.left
        var plain = arrow.line
        plain.dash = 0
        switch arrow.bar {
        case .cross:
            let (one, other) = (along + side, along + side * -1)
            stroke([middle + one * -reach, middle + one * reach], plain)
            stroke([middle + other * -reach, middle + other * reach], plain)
        case .hash:
            let slant = along * 0.4 + side
            for shift in [-1.5, 1.5] {
                let place = middle + along * shift
                stroke([place + slant * -reach, place + slant * reach], plain)
            }
        case .none: break
        }
    }
}
