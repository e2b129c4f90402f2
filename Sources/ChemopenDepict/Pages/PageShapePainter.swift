import ChemopenModel

extension PagePainter {
    mutating func paint(_ shape: Page.Shape) {
        switch shape.form {
        case .path(let points, let isClosed): paint(shape, points, isClosed: isClosed)
        case .curve(let points, let isClosed): paint(shape, Self.flattened(points), isClosed: isClosed)
        case .arc(let center, let start, let sweep):
            let steps = max(2, min(72, Int(abs(sweep) / 4)))
            let points = (0...steps).map { step in
                start.turned(by: -sweep * Double(step) / Double(steps), about: center)
            }
            paint(shape, points, isClosed: false)
        case .rectangle(let center, let one, let other, let rounding):
            let outline = Self.rectangle(center, one, other, rounding: rounding)
            paintShadow(of: outline, shape)
            paint(shape, outline, isClosed: true)
        case .oval(let center, let one, let other):
            let outline = Self.oval(center, one - center, other - center)
            paintShadow(of: outline, shape)
            if case .shaded(let color)? = shape.fill {
                paintBall(center, one - center, other - center, color)
                if let line = shape.line { stroke(outline + outline.prefix(1), line) }
            } else {
                paint(shape, outline, isClosed: true)
            }
        case .lobe(let start, let end): paint(shape, Self.lobe(start, end), isClosed: true)
        case .bracket(let kind, let start, let end, let lip):
            if let line = shape.line { paint(kind, start, end, lip, line) }
        case .symbol(let kind, let place, let end):
            if let line = shape.line { paint(kind, at: place, to: end, line) }
        }
    }

    private mutating func paint(_ shape: Page.Shape, _ points: [Point], isClosed: Bool) {
        switch shape.fill {
        case .plain(let color): fill(points, Picture.Ink(color))
        case .shaded(let color): fill(points, Self.ink(color, lightenedBy: 0.55))
        case nil: break
        }
        if let line = shape.line { stroke(isClosed ? points + points.prefix(1) : points, line) }
    }

    private static func ink(_ color: Page.Color?, lightenedBy part: Double) -> Picture.Ink {
        .color((color ?? Page.Color(0, 0, 0)).lightened(by: part))
    }

    /// Paints a shadow to the right of and below a convex shape, but not inside it.
    private mutating func paintShadow(of outline: [Point], _ shape: Page.Shape) {
        guard shape.shadow > 0.05, outline.count > 2 else { return }
        let offset = Point(shape.shadow, shape.shadow)
        let center = Point.center(of: outline)
        for (place, start) in outline.enumerated() {
            let end = outline[(place + 1) % outline.count]
            var outward = (end - start).left
            if outward.dot(start - center) < 0 { outward = outward * -1 }
            if outward.dot(offset) > 0 {
                fill([start, end, end + offset, start + offset], Self.ink(nil, lightenedBy: 0.6))
            }
        }
    }

    /// Paints a shaded ball: nested ovals that become lighter toward the inside.
    private mutating func paintBall(_ center: Point, _ one: Point, _ other: Point, _ color: Page.Color?) {
        let steps = 6
        for step in 0..<steps {
            let part = Double(step) / Double(steps)
            let shift = (one.length + other.length) / 2 * 0.3 * part
            let middle = center + Point(-shift, -shift)
            let outline = Self.oval(middle, one * (1 - part), other * (1 - part))
            fill(outline, Self.ink(color, lightenedBy: 0.85 * part))
        }
    }

    // MARK: Outlines

    private static func oval(_ center: Point, _ one: Point, _ other: Point) -> [Point] {
        let steps = 48
        return (0..<steps).map { step in
            let way = Point.direction(Double(step) / Double(steps) * 2 * .pi)
            return center + one * way.x + other * way.y
        }
    }

    private static func rectangle(_ center: Point, _ one: Point, _ other: Point, rounding: Double) -> [Point] {
        let (across, down) = (one - center, other - center)
        let corners = [across + down, down - across, (across + down) * -1, across - down]
        let radius = min(rounding, across.length, down.length)
        guard radius > 0.05 else { return corners.map { center + $0 } }
        var outline: [Point] = []
        for (place, corner) in corners.enumerated() {
            let last = center + corners[(place + 3) % 4]
            let next = center + corners[(place + 1) % 4]
            let here = center + corner
            let (from, to) = ((last - here).unit * radius, (next - here).unit * radius)
            // A quarter of a circle around the point that has the same distance from both sides.
            let steps = 6
            let middle = here + from + to
            for step in 0...steps {
                let way = Point.direction(Double(step) / Double(steps) * .pi / 2)
                outline.append(middle + to * -way.x + from * way.y)
            }
        }
        return outline
    }

    /// Returns a drop shape that begins at its narrow end.
    private static func lobe(_ start: Point, _ end: Point) -> [Point] {
        let along = end - start
        let side = along.left
        func at(_ part: Double, _ across: Double) -> Point { start + along * part + side * across }
        return flattened([
            start, at(0.35, 0.28), at(0.55, 0.36), at(0.75, 0.33), at(0.92, 0.3), at(1, 0.14), end, at(1, -0.14),
            at(0.92, -0.3), at(0.75, -0.33), at(0.55, -0.36), at(0.35, -0.28), start,
        ])
    }

    // MARK: Brackets

    private mutating func paint(
        _ kind: Page.Shape.Bracket, _ start: Point, _ end: Point, _ lip: Double, _ line: Page.Line
    ) {
        let way = end - start
        let side = way.unit.left * -1
        let reach = min(lip, way.length / 2)
        let along = way.unit
        switch kind {
        case .square: stroke([start + side * reach, start, end, end + side * reach], line)
        case .round:
            // The back of the bracket is on the line, as for the other kinds.
            let bulge = min(reach * 1.4, way.length / 3)
            let control = side * (bulge / -3)
            stroke(
                Self.flattened([
                    start + side * bulge, start + control + way * 0.2, start + control + way * 0.8, end + side * bulge,
                ]), line)
        case .curly:
            let radius = min(reach, way.length / 4)
            let middle = start + way * 0.5
            stroke(
                Self.flattened([
                    start + side * radius, start, start, start + along * radius,
                    start + along * radius, middle + along * -radius, middle + along * -radius,
                    middle, middle, middle + side * -radius,
                    middle, middle, middle + along * radius,
                    middle + along * radius, end + along * -radius, end + along * -radius,
                    end, end, end + side * radius,
                ]), line)
        }
    }

    // MARK: Symbols

    private mutating func paint(_ kind: Page.Shape.Symbol, at place: Point, to end: Point, _ line: Page.Line) {
        let reach = max(0.5, min(100, (end - place).length))
        let along = (end - place).unit
        func cross(_ half: Double, isPlus: Bool) {
            stroke([place + Point(-half, 0), place + Point(half, 0)], line)
            if isPlus { stroke([place + Point(0, -half), place + Point(0, half)], line) }
        }
        func dot(_ place: Point) {
            let radius = max(line.width, reach * 0.15)
            fill(Self.oval(place, Point(radius, 0), Point(0, radius)), Picture.Ink(line.color))
        }
        func words(_ text: String, _ size: Double) {
            var letters = Picture.Letters(text, at: place, size: size, ink: Picture.Ink(line.color))
            letters.start += Point(-letters.width / 2, size * Lettering.capitalHeight / 2)
            marks.append(.letters(letters))
        }
        func circle(_ radius: Double) {
            let outline = Self.oval(place, Point(radius, 0), Point(0, radius))
            stroke(outline + outline.prefix(1), line)
        }
        switch kind {
        case .lonePair:
            dot(place + along.left * (reach * 0.25))
            dot(place + along.left * (reach * -0.25))
        case .lonePairBar: stroke([place + along.left * (reach * 0.45), place + along.left * (reach * -0.45)], line)
        case .electron: dot(place)
        case .radicalCation, .radicalAnion:
            let isPlus = kind == .radicalCation
            dot(place + Point(-reach * 0.25, 0))
            let middle = place + Point(reach * 0.3, 0)
            let half = reach * 0.25
            stroke([middle + Point(-half, 0), middle + Point(half, 0)], line)
            if isPlus { stroke([middle + Point(0, -half), middle + Point(0, half)], line) }
        case .circledPlus, .circledMinus:
            circle(reach * 0.4)
            cross(reach * 0.24, isPlus: kind == .circledPlus)
        case .plus, .minus: cross(reach * 0.4, isPlus: kind == .plus)
        case .dagger: words("\u{2020}", reach * 1.2)
        case .doubleDagger: words("\u{2021}", reach * 1.2)
        case .racemic: words("(\u{B1})", reach)
        case .absolute: words("Abs", reach)
        case .relative: words("Rel", reach)
        }
    }
}
