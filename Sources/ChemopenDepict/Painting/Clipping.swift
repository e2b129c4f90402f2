/// Removes the parts of lines that would overlap labels.
struct Clipping {
    typealias Point = Picture.Point

    let labels: [AtomLabel]
    /// The boxes of all labels, each owned by its atom.
    let boxes: BoxIndex
    let margin: Double

    /// The distance between a line and the labels of other atoms that it passes.
    private static let passingMargin = 0.9

    init(_ labels: [AtomLabel], margin: Double) {
        self.labels = labels
        self.margin = margin
        var boxes = BoxIndex()
        for (index, label) in labels.enumerated() {
            for box in label.boxes { boxes.add(box, of: index) }
        }
        self.boxes = boxes
    }

    /// Returns the part of a line between two atoms, from 0 to 1, that their own labels do not cover.
    func free(_ start: Point, _ end: Point, from: Int, to: Int) -> (Double, Double)? {
        var low = 0.0
        var high = 1.0
        for box in labels[from].boxes {
            if let part = Self.part(of: start, end, around: box, margin), part.lowerBound < 0.6 {
                low = max(low, part.upperBound)
            }
        }
        for box in to == from ? [] : labels[to].boxes {
            if let part = Self.part(of: start, end, around: box, margin), part.upperBound > 0.4 {
                high = min(high, part.lowerBound)
            }
        }
        return high - low > 0.02 ? (low, high) : nil
    }

    /// Returns the visible parts of a line between two atoms.
    ///
    /// - Parameter room: The remaining number of label checks for all lines. If more checks are needed, the drawing is
    ///   unreadable anyway.
    func visible(_ start: Point, _ end: Point, from: Int, to: Int, _ room: inout Int) -> [(Point, Point)] {
        guard let (low, high) = free(start, end, from: from, to: to) else { return [] }
        let way = end - start
        var gaps: [(Double, Double)] = []
        if room > 0 {
            room -= BoxIndex.steps(along: way)
            boxes.visit(along: start, end) { box, owner in
                room -= 1
                guard owner != from, owner != to else { return }
                if let part = Self.part(of: start, end, around: box, Self.passingMargin) {
                    gaps.append((part.lowerBound, part.upperBound))
                }
            }
        }
        if gaps.isEmpty { return [(start + way * low, start + way * high)] }
        gaps.sort { $0 < $1 }
        var lines: [(Point, Point)] = []
        var at = low
        let least = 0.6 / max(way.length, 0.6)
        for (from, to) in gaps where to > at {
            if min(from, high) - at > least { lines.append((start + way * at, start + way * min(from, high))) }
            at = to
        }
        if high - at > least { lines.append((start + way * at, start + way * high)) }
        return lines
    }

    /// Returns the part of a line within a margin around a box.
    static func part(of start: Point, _ end: Point, around box: Box, _ margin: Double) -> ClosedRange<Double>? {
        guard let part = box.grown(by: margin).part(of: start, end) else { return nil }
        // The margin is rounded at the corners.
        let way = end - start
        func isInside(_ place: Double) -> Bool { distance(of: start + way * place, to: box) <= margin }
        let steps = 8
        let width = part.upperBound - part.lowerBound
        let places = (0...steps).lazy.map { part.lowerBound + width * Double($0) / Double(steps) }
        guard let first = places.first(where: isInside), let last = places.last(where: isInside) else { return nil }
        var low = (outside: part.lowerBound, inside: first)
        var high = (outside: part.upperBound, inside: last)
        for _ in 0..<8 {
            let middle = (low.outside + low.inside) / 2
            if isInside(middle) { low.inside = middle } else { low.outside = middle }
            let other = (high.outside + high.inside) / 2
            if isInside(other) { high.inside = other } else { high.outside = other }
        }
        return low.inside...max(low.inside, high.inside)
    }

    private static func distance(of point: Point, to box: Box) -> Double {
        let x = max(box.left - point.x, 0, point.x - box.right)
        let y = max(box.top - point.y, 0, point.y - box.bottom)
        return (x * x + y * y).squareRoot()
    }
}
