import ChemopenModel

/// Converts objects to arrows, shapes and signs.
struct PageShapeReader: PagePart {
    let drawing: Drawing
    let settings: PageSettings

    // MARK: Graphics

    /// Returns the items that draw a graphic.
    func graphic(of place: Int) -> [Page.Item] {
        guard let (first, second) = ends(of: place) else { return [] }
        switch drawing.integer(.graphicType, of: place) ?? 0 {
        case 1:
            if let type = drawing.integer(.arrowType, of: place), type != 0 {
                return [.arrow(olderArrow(of: place, from: second, to: first, type))]
            }
            return [.shape(Page.Shape(.path([first, second], isClosed: false), line: line(of: place)))]
        case 2: return [arc(of: place, from: first, center: second)]
        case 3: return [.shape(rectangle(of: place))]
        case 4: return oval(of: place, first, second).map { [.shape($0)] } ?? []
        case 5: return orbital(of: place, center: second, end: first)
        case 6: return brackets(of: place, first, second)
        case 7: return symbol(of: place, center: second, end: first)
        default: return []
        }
    }

    private func arc(of place: Int, from start: Page.Point, center: Page.Point) -> Page.Item {
        let usualSweep = 90.0
        let stated = drawing.real(.angularSize, of: place) ?? usualSweep
        let sweep = abs(stated) <= 360 ? stated : usualSweep
        if let type = drawing.integer(.arrowType, of: place), type != 0 {
            // The bounding box begins with the head, and the angle is measured from there.
            var arrow = olderArrow(of: place, from: start, to: start, type)
            arrow.center = center
            arrow.sweep = -sweep
            return .arrow(arrow)
        }
        return .shape(Page.Shape(.arc(center: center, from: start, sweep: sweep), line: line(of: place)))
    }

    /// Returns the center of a shape and the ends of its two half axes.
    private func axes(of place: Int) -> (center: Page.Point, Page.Point, Page.Point)? {
        guard let center = point(.center3D, of: place), let major = point(.majorAxis3D, of: place),
            let minor = point(.minorAxis3D, of: place)
        else { return nil }
        return (center, major, minor)
    }

    /// Returns the center and half axes of an upright box.
    private func axes(in box: DrawnBox) -> (center: Page.Point, Page.Point, Page.Point) {
        let center = Page.Point((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        return (center, Page.Point(box.right, center.y), Page.Point(center.x, box.bottom))
    }

    private func unit(of place: Int) -> Double {
        (drawing.real(.lineWidth, of: place).flatMap(PageSettings.sound) ?? settings.lineWidth) / 100
    }

    private func size(_ property: DrawnProperty, of place: Int, usual: Double) -> Double {
        let number = drawing.integer(property, of: place).map { Double($0) } ?? usual
        return max(0, min(100, number * unit(of: place)))
    }

    private func rectangle(of place: Int) -> Page.Shape {
        let bits = drawing.integer(.rectangleType, of: place) ?? 0
        let box = drawing.box(.boundingBox, of: place)?.upright ?? DrawnBox(left: 0, top: 0, right: 0, bottom: 0)
        let axes = axes(of: place) ?? axes(in: box)
        let rounding = bits & 1 != 0 ? size(.cornerRadius, of: place, usual: 600) : 0
        var shape = Page.Shape(
            .rectangle(center: axes.center, axes.1, axes.2, rounding: rounding),
            line: line(of: place, isDashed: bits & 16 != 0, isBold: bits & 32 != 0))
        if bits & 2 != 0 { shape.shadow = size(.shadowSize, of: place, usual: 400) }
        shape.fill = fill(of: place, isFilled: bits & 8 != 0, isShaded: bits & 4 != 0)
        return shape
    }

    private func oval(of place: Int, _ first: Page.Point, _ second: Page.Point) -> Page.Shape? {
        let bits = drawing.integer(.ovalType, of: place) ?? 0
        var form: Page.Shape.Form
        if let (center, major, minor) = axes(of: place) {
            form = .oval(center: center, major, minor)
        } else if bits & 1 != 0 {
            form = Self.circle(around: second, through: first)
        } else if let box = drawing.box(.boundingBox, of: place)?.upright {
            let (center, major, minor) = axes(in: box)
            form = .oval(center: center, major, minor)
        } else {
            return nil
        }
        if bits & 1 != 0, case .oval(let center, let edge, _) = form {
            form = Self.circle(around: center, through: edge)
        }
        var shape = Page.Shape(form, line: line(of: place, isDashed: bits & 8 != 0, isBold: bits & 16 != 0))
        if bits & 32 != 0 { shape.shadow = size(.shadowSize, of: place, usual: 400) }
        shape.fill = fill(of: place, isFilled: bits & 4 != 0, isShaded: bits & 2 != 0)
        return shape
    }

    private static func circle(around center: Page.Point, through edge: Page.Point) -> Page.Shape.Form {
        let (x, y) = (edge.x - center.x, edge.y - center.y)
        return .oval(center: center, edge, Page.Point(center.x - y, center.y + x))
    }

    private func fill(of place: Int, isFilled: Bool, isShaded: Bool) -> Page.Shape.Fill? {
        if isShaded { return .shaded(color(of: place)) }
        return isFilled ? .plain(color(of: place)) : nil
    }

    // MARK: Orbitals

    private func orbital(of place: Int, center: Page.Point, end: Page.Point) -> [Page.Item] {
        let type = drawing.integer(.orbitalType, of: place) ?? 0
        let isShaded = type & 0x100 != 0
        let isFilled = type & 0x200 != 0
        let fill = fill(of: place, isFilled: isFilled, isShaded: isShaded)
        let line = line(of: place)
        let (x, y) = (end.x - center.x, end.y - center.y)
        func at(_ along: Double, _ across: Double) -> Page.Point {
            Page.Point(center.x + x * along - y * across, center.y + y * along + x * across)
        }
        func shape(_ form: Page.Shape.Form, filled: Bool) -> Page.Item {
            var shape = Page.Shape(form, line: line)
            // A lobe with the opposite sign is white and covers the shapes below it.
            shape.fill = filled ? fill : nil
            return .shape(shape)
        }
        func lobe(_ along: Double, _ across: Double = 0, filled: Bool) -> Page.Item {
            shape(.lobe(from: center, to: at(along, across)), filled: filled)
        }
        switch type & 0xFF {
        case 0: return [shape(Self.circle(around: center, through: end), filled: true)]
        case 1: return [shape(.oval(center: center, end, at(0, 0.5)), filled: true)]
        case 2: return [lobe(1, filled: true)]
        case 3: return [lobe(1, filled: true), lobe(-1, filled: false)]
        case 4: return [lobe(1, filled: true), lobe(-0.4, filled: false)]
        case 5: return [lobe(1, filled: false), lobe(-0.4, filled: true)]
        case 6, 7:
            let isPlus = type & 0xFF == 6
            return [
                lobe(1, filled: isPlus), lobe(-1, filled: isPlus),
                shape(.oval(center: center, at(0, 0.5), at(0.2, 0)), filled: !isPlus),
            ]
        default:
            let diagonal = 0.707
            return [
                lobe(diagonal, diagonal, filled: true), lobe(-diagonal, -diagonal, filled: true),
                lobe(diagonal, -diagonal, filled: false), lobe(-diagonal, diagonal, filled: false),
            ]
        }
    }

    // MARK: Brackets and symbols

    private func brackets(of place: Int, _ first: Page.Point, _ second: Page.Point) -> [Page.Item] {
        let type = drawing.integer(.bracketType, of: place) ?? 0
        let tenths = 10.0
        let lip = size(.lipSize, of: place, usual: 60) * tenths
        let line = line(of: place)
        func bracket(_ kind: Page.Shape.Bracket, _ from: Page.Point, _ to: Page.Point) -> Page.Item {
            .shape(Page.Shape(.bracket(kind, from: from, to: to, lip: lip), line: line))
        }
        let kinds: [Page.Shape.Bracket] = [.round, .square, .curly, .square, .curly, .round]
        let kind = kinds.indices.contains(type) ? kinds[type] : .square
        guard type < 3 else { return [bracket(kind, first, second)] }
        let (left, right) = (min(first.x, second.x), max(first.x, second.x))
        let (top, bottom) = (min(first.y, second.y), max(first.y, second.y))
        return [
            bracket(kind, Page.Point(left, bottom), Page.Point(left, top)),
            bracket(kind, Page.Point(right, top), Page.Point(right, bottom)),
        ]
    }

    private func symbol(of place: Int, center: Page.Point, end: Page.Point) -> [Page.Item] {
        let symbols: [Page.Shape.Symbol] = [
            .lonePair, .electron, .radicalCation, .radicalAnion, .circledPlus, .circledMinus, .dagger, .doubleDagger,
            .plus, .minus, .racemic, .absolute, .relative, .lonePairBar,
        ]
        let number = drawing.integer(.symbolType, of: place) ?? 0
        guard symbols.indices.contains(number) else { return [] }
        return [.shape(Page.Shape(.symbol(symbols[number], at: center, to: end), line: line(of: place)))]
    }

    // MARK: Curves

    /// Returns a curve. Each corner has three points: the incoming control point, the corner itself and the outgoing
    /// control point.
    func curve(of place: Int) -> [Page.Item] {
        var points: [Page.Point] = []
        for (property, size) in [(DrawnProperty.curvePoints, 2), (.curvePoints3D, 3)] where points.isEmpty {
            guard case .numbers(let stated)? = drawing.value(property, of: place) else { continue }
            points = stride(from: 0, to: stated.count - size + 1, by: size).map {
                Page.Point(stated[$0], stated[$0 + 1])
            }
        }
        let corners = points.count / 3
        guard corners > 1, points.allSatisfy(isSound) else { return [] }
        let bits = drawing.integer(.curveType, of: place) ?? 0
        let isClosed = bits & 1 != 0 || drawing.isSet(.closed, of: place)
        var way = [points[1]]
        for corner in 1..<corners { way += points[3 * corner - 1...3 * corner + 1] }
        if isClosed { way += [points[3 * corners - 1], points[0], points[1]] }
        let type = drawing.integer(.lineType, of: place) ?? 0
        let line = line(of: place, isDashed: (bits & 2 | type & 1) != 0, isBold: bits & 4 != 0 || type & 2 != 0)
        var arrow = Page.Arrow(from: way[0], to: way[way.count - 1], line)
        arrow.curve = way
        readSizes(of: place, into: &arrow)
        arrow.headTip = Self.tip(drawing.integer(.arrowheadHead, of: place), bits & 0x08 != 0, bits & 0x20 != 0)
        arrow.tailTip = Self.tip(drawing.integer(.arrowheadTail, of: place), bits & 0x10 != 0, bits & 0x40 != 0)
        if arrow.headTip != .none || arrow.tailTip != .none { return [.arrow(arrow)] }
        var shape = Page.Shape(.curve(way, isClosed: isClosed), line: line)
        let fillType = drawing.integer(.fill, of: place) ?? 0
        shape.fill = fill(
            of: place, isFilled: bits & 0x80 != 0 || fillType == 2, isShaded: bits & 0x100 != 0 || fillType == 3)
        return [.shape(shape)]
    }

    private static func tip(_ number: Int?, _ isThere: Bool, _ isHalf: Bool) -> Page.Arrow.Tip {
        switch number ?? 0 {
        case 1: .none
        case 2: .full
        case 3: .halfLeft
        case 4: .halfRight
        default: isHalf ? .halfLeft : isThere ? .full : .none
        }
    }

    // MARK: Tables, plates, frames

    private func frame(_ box: DrawnBox, _ line: Page.Line) -> Page.Item {
        let axes = axes(in: box)
        return .shape(Page.Shape(.rectangle(center: axes.center, axes.1, axes.2, rounding: 0), line: line))
    }

    /// Returns the frames of a table's cells.
    func table(of place: Int) -> [Page.Item] {
        drawing.children(of: place, .page).compactMap { cell in
            guard let box = drawing.box(.boundsInParent, of: cell), isSound(box) else { return nil }
            return frame(box, line(of: place))
        }
    }

    /// Returns the frames around the name and the members of an alternative group.
    func frames(of place: Int) -> [Page.Item] {
        [DrawnProperty.textFrame, .groupFrame].compactMap { property in
            guard let box = drawing.box(property, of: place), isSound(box) else { return nil }
            return frame(box, line(of: place))
        }
    }

    /// Returns a thin-layer chromatography plate, with its lanes and spots.
    func plate(of place: Int) -> [Page.Item] {
        guard let topLeft = point(.topLeft, of: place), let topRight = point(.topRight, of: place),
            let bottomRight = point(.bottomRight, of: place), let bottomLeft = point(.bottomLeft, of: place)
        else { return [] }
        /// Returns the point at the given fractions of the plate's width and height, measured from the lower left
        /// corner.
        func at(_ across: Double, _ up: Double) -> Page.Point {
            func between(_ one: Page.Point, _ other: Page.Point, _ part: Double) -> Page.Point {
                Page.Point(one.x + (other.x - one.x) * part, one.y + (other.y - one.y) * part)
            }
            return between(between(bottomLeft, bottomRight, across), between(topLeft, topRight, across), up)
        }
        var things: [Page.Item] = []
        let plain = line(of: place)
        if drawing.integer(.showsBorders, of: place) != 0 {
            let corners = [topLeft, topRight, bottomRight, bottomLeft]
            things.append(.shape(Page.Shape(.path(corners, isClosed: true), line: plain)))
        }
        func fraction(_ property: DrawnProperty, of place: Int) -> Double {
            max(0, min(1, drawing.real(property, of: place) ?? 0))
        }
        let origin = fraction(.originFraction, of: place)
        let front = 1 - fraction(.solventFraction, of: place)
        var dashed = plain
        dashed.dash = settings.hashSpacing
        for (shows, height) in [(DrawnProperty.showsOrigin, origin), (.showsSolvent, front)]
        where drawing.integer(shows, of: place) != 0 {
            things.append(.shape(Page.Shape(.path([at(0, height), at(1, height)], isClosed: false), line: dashed)))
        }
        let lanes = drawing.children(of: place, .thinLayerLane)
        for (number, lane) in lanes.enumerated() {
            let across = (Double(number) + 0.5) / Double(lanes.count)
            for spot in drawing.children(of: lane, .thinLayerSpot) {
                let height = origin + (front - origin) * fraction(.retention, of: spot)
                let center = at(across, height)
                let width = spotSize(.width, of: spot)
                let depth = spotSize(.height, of: spot)
                var shape = Page.Shape(
                    .oval(
                        center: center, Page.Point(center.x + width / 2, center.y),
                        Page.Point(center.x, center.y + depth / 2)), line: line(of: spot))
                let isFilled = (drawing.integer(.curveType, of: spot) ?? 0) & 0x80 != 0
                shape.fill = isFilled ? .plain(color(of: spot)) : nil
                things.append(.shape(shape))
            }
        }
        return things
    }

    /// Returns the width or height of a spot. CDXML can contain the value in the units of CDX, 1/65536 point.
    private func spotSize(_ property: DrawnProperty, of spot: Int) -> Double {
        let usual = 8.0
        let stated = drawing.real(property, of: spot) ?? usual
        let size = stated > 1000 ? stated / 65536 : stated
        return max(0.5, min(200, size))
    }
}
