import Glibc

extension Picture.Point {
    static func + (one: Self, other: Self) -> Self { Self(one.x + other.x, one.y + other.y) }
    static func - (one: Self, other: Self) -> Self { Self(one.x - other.x, one.y - other.y) }
    static func * (point: Self, factor: Double) -> Self { Self(point.x * factor, point.y * factor) }
    static func += (one: inout Self, other: Self) { one = one + other }

    var length: Double { (x * x + y * y).squareRoot() }

    /// The same direction with a length of 1; to the right if the length is 0.
    var unit: Self {
        let length = length
        return length > 1e-9 ? self * (1 / length) : Self(1, 0)
    }

    /// The direction turned counterclockwise by a quarter, as seen on the page.
    var left: Self { Self(y, -x) }

    func dot(_ other: Self) -> Double { x * other.x + y * other.y }

    /// Returns a positive number if the other direction is on the left of this one.
    func cross(_ other: Self) -> Double { -(x * other.y - y * other.x) }

    /// Returns the angle to another direction, from 0 to half a turn.
    func angle(to other: Self) -> Double { abs(atan2(cross(other), dot(other))) }

    /// Returns the direction at an angle, measured counterclockwise from the right.
    static func direction(_ angle: Double) -> Self { Self(cos(angle), -sin(angle)) }

    /// The angle of the direction, measured counterclockwise from the right.
    var angle: Double { atan2(-y, x) }

    /// Returns the point turned clockwise about another by a number of degrees.
    func turned(by degrees: Double, about center: Self) -> Self {
        let angle = degrees * .pi / 180
        let way = self - center
        return center + Self(way.x * cos(angle) - way.y * sin(angle), way.x * sin(angle) + way.y * cos(angle))
    }

    func midpoint(to other: Self) -> Self { (self + other) * 0.5 }

    static func center(of points: [Self]) -> Self {
        guard !points.isEmpty else { return Self(0, 0) }
        return points.reduce(Self(0, 0), +) * (1 / Double(points.count))
    }

    /// Returns a wavy line from this point to another.
    func wave(to other: Self, swing: Double, halfLength: Double) -> [Self] {
        let way = other - self
        let count = max(2, min(2000, Int(way.length / halfLength)))
        let side = way.unit.left
        let steps = 6
        return (0...count * steps).map { step in
            let part = Double(step) / Double(count * steps)
            return self + way * part + side * (swing * sin(Double(step) / Double(steps) * .pi))
        }
    }
}

/// An axis-aligned rectangle.
struct Box: Equatable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    typealias Point = Picture.Point

    init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// A box without content. Add points or boxes to extend it.
    static let empty = Box(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)

    var isEmpty: Bool { !(left <= right && top <= bottom) }
    var width: Double { isEmpty ? 0 : right - left }
    var height: Double { isEmpty ? 0 : bottom - top }
    var center: Point { Point((left + right) / 2, (top + bottom) / 2) }

    mutating func add(_ point: Point) {
        left = min(left, point.x)
        right = max(right, point.x)
        top = min(top, point.y)
        bottom = max(bottom, point.y)
    }

    mutating func add(_ other: Box) {
        if other.isEmpty { return }
        add(Point(other.left, other.top))
        add(Point(other.right, other.bottom))
    }

    func grown(by margin: Double) -> Box {
        Box(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    func moved(by offset: Point) -> Box {
        Box(left: left + offset.x, top: top + offset.y, right: right + offset.x, bottom: bottom + offset.y)
    }

    func overlaps(_ other: Box) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    func contains(_ point: Point) -> Bool {
        left <= point.x && point.x <= right && top <= point.y && point.y <= bottom
    }

    /// Returns the part of a line, from 0 to 1, that is in the box; `nil` if the line does not cross the box.
    func part(of start: Point, _ end: Point) -> ClosedRange<Double>? {
        var low = 0.0
        var high = 1.0
        for (from, step, least, most) in [
            (start.x, end.x - start.x, left, right), (start.y, end.y - start.y, top, bottom),
        ] {
            if abs(step) < 1e-12 {
                if from < least || from > most { return nil }
            } else {
                let one = (least - from) / step
                let other = (most - from) / step
                low = max(low, min(one, other))
                high = min(high, max(one, other))
            }
        }
        return low <= high ? low...high : nil
    }
}

extension Picture.Mark {
    /// The bounding box of the mark.
    var box: Box {
        var box = Box.empty
        switch self {
        case .stroke(let stroke):
            for point in stroke.points { box.add(point) }
            return box.isEmpty ? box : box.grown(by: stroke.width / 2)
        case .fill(let points, _):
            for point in points { box.add(point) }
            return box
        case .letters(let letters):
            return letters.box
        case .image(let image):
            return Box(
                left: image.corner.x, top: image.corner.y, right: image.corner.x + image.width,
                bottom: image.corner.y + image.height)
        }
    }
}

extension Picture.Letters {
    /// The bounding box of the letters.
    var box: Box {
        let box = Box(
            left: start.x, top: start.y - Lettering.height(of: text) * size, right: start.x + width,
            bottom: start.y + (Lettering.hasDepth(text) ? Lettering.depth * size : 0))
        if turn == 0 { return box }
        var turned = Box.empty
        for x in [box.left, box.right] {
            for y in [box.top, box.bottom] { turned.add(Picture.Point(x, y).turned(by: turn, about: start)) }
        }
        return turned
    }
}
