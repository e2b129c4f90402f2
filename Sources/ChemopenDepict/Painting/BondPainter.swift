import ChemopenModel

/// Draws the bonds of a molecule.
struct BondPainter {
    typealias Point = Picture.Point

    let sketch: MoleculeSketch
    private(set) var marks: [Picture.Mark] = []
    private var style: Picture.Style { sketch.style }
    /// The remaining number of ring searches; after that, only neighbors determine the side of double bonds.
    private var ringSearches = 3000
    /// The remaining number of checks for labels next to a line.
    private var clearances = 1_000_000

    init(_ sketch: MoleculeSketch) {
        self.sketch = sketch
    }

    /// A bond with the positions of its ends.
    private struct Line {
        var place: Int
        var from: Int
        var to: Int
        var start: Point
        var end: Point

        var way: Point { end - start }
    }

    mutating func paintAll() {
        for place in sketch.molecule.bonds.indices { paint(place) }
    }

    /// Paints all bonds, and returns the range of each bond's marks.
    mutating func paintEach() -> [Range<Int>] {
        sketch.molecule.bonds.indices.map { place in
            let first = marks.count
            paint(place)
            return first..<marks.count
        }
    }

    private mutating func paint(_ place: Int) {
        let bond = sketch.molecule.bonds[place]
        guard BondGraph.isSound(bond, sketch.molecule.atoms.count) else { return }
        let (start, end) = sketch.ends(ofBond: place)
        let line = Line(place: place, from: Int(bond.from), to: Int(bond.to), start: start, end: end)
        guard line.way.length > 0.05 else { return }
        let look = BondLook(of: bond, in: sketch.molecule, at: place)
        let first = marks.count
        defer {
            if let ink = sketch.inks[place] {
                for index in first..<marks.count { marks[index] = Self.painted(marks[index], ink) }
            }
        }
        switch bond.order {
        case .double, .aromatic, .doubleOrAromatic, .singleOrDouble, .singleOrAromatic:
            paintDouble(line, bond.order, look)
        case .triple: paintParallel(line, count: 3)
        case .quadruple: paintParallel(line, count: 4)
        case .quintuple: paintParallel(line, count: 5)
        case .sextuple: paintParallel(line, count: 6)
        default: paintSingle(line, look)
        }
        paintReactingCenter(bond.reactingCenter, line)
    }

    /// Returns a mark in another ink.
    private static func painted(_ mark: Picture.Mark, _ ink: Picture.Ink) -> Picture.Mark {
        switch mark {
        case .stroke(var stroke):
            stroke.ink = ink
            return .stroke(stroke)
        case .fill(let points, _): return .fill(points, ink)
        case .letters, .image: return mark
        }
    }

    // MARK: Lines

    private mutating func stroke(
        _ start: Point, _ end: Point, _ line: Line, width: Double? = nil, dashes: [Double] = []
    ) {
        for (from, to) in sketch.clipping.visible(
            start, end, from: line.from, to: line.to, &clearances)
        {
            marks.append(.stroke(.init([from, to], width: width ?? style.lineWidth, dashes: dashes)))
        }
    }

    private mutating func paintSingle(_ line: Line, _ look: BondLook) {
        switch look {
        case .plain, .crossed: stroke(line.start, line.end, line)
        case .bold: stroke(line.start, line.end, line, width: style.boldWidth)
        case .dashed: stroke(line.start, line.end, line, dashes: [2.4, 1.8])
        case .dotted: stroke(line.start, line.end, line, width: style.lineWidth * 1.8, dashes: [0, 2.3])
        case .hashed: paintHashes(line, startWidth: style.boldWidth, endWidth: style.boldWidth)
        case .hashedWedge: paintHashes(line, startWidth: 0.3, endWidth: style.boldWidth * 1.5)
        case .turnedHashedWedge: paintHashes(line, startWidth: style.boldWidth * 1.5, endWidth: 0.3)
        case .wedge(let isHollow): paintWedge(line, isHollow: isHollow, isTurned: false)
        case .turnedWedge(let isHollow): paintWedge(line, isHollow: isHollow, isTurned: true)
        case .wavy:
            guard let (from, to) = freeEnds(line) else { return }
            marks.append(.stroke(.init(from.wave(to: to, swing: 1.2, halfLength: 1.9), width: style.lineWidth)))
        case .arrow: paintArrow(line)
        }
    }

    private func freeEnds(_ line: Line) -> (Point, Point)? {
        guard let (low, high) = sketch.clipping.free(line.start, line.end, from: line.from, to: line.to) else {
            return nil
        }
        return (line.start + line.way * low, line.start + line.way * high)
    }

    private mutating func paintWedge(_ line: Line, isHollow: Bool, isTurned: Bool) {
        guard let ends = freeEnds(line) else { return }
        let (tip, base) = isTurned ? (ends.1, ends.0) : ends
        let side = (base - tip).unit.left * (style.boldWidth * 0.75)
        if isHollow {
            marks.append(.stroke(.init([tip, base + side, base - side, tip], width: style.lineWidth)))
        } else {
            let narrow = side.unit * (style.lineWidth / 2)
            marks.append(.fill([tip + narrow, base + side, base - side, tip - narrow], .line))
        }
    }

    private mutating func paintHashes(_ line: Line, startWidth: Double, endWidth: Double) {
        guard let (from, to) = freeEnds(line) else { return }
        let way = to - from
        let count = max(2, min(400, Int((way.length / style.hashSpacing).rounded())))
        let side = way.unit.left
        for step in 0...count {
            let part = Double(step) / Double(count)
            let half = side * ((startWidth + (endWidth - startWidth) * part) / 2)
            let middle = from + way * part
            marks.append(.stroke(.init([middle - half, middle + half], width: style.lineWidth * 1.2)))
        }
    }

    private mutating func paintArrow(_ line: Line) {
        guard let (from, to) = freeEnds(line) else { return }
        let back = (from - to).unit
        let length = min(4.2, (to - from).length * 0.5)
        let side = back.left * (length * 0.36)
        let base = to + back * length
        stroke(line.start, base, line)
        marks.append(.fill([to, base + side, base + back * (-length * 0.2), base - side], .line))
    }

    // MARK: Several lines

    private mutating func paintParallel(_ line: Line, count: Int) {
        let space = style.bondSpacing * style.bondLength * (count > 3 ? 0.75 : 1)
        let side = line.way.unit.left
        for number in 0..<count {
            let shift = side * ((Double(number) - Double(count - 1) / 2) * space)
            stroke(line.start + shift, line.end + shift, line)
        }
    }

    private mutating func paintDouble(_ line: Line, _ order: Bond.Order, _ look: BondLook) {
        let space = style.bondSpacing * style.bondLength
        if case .crossed = look { return paintCrossed(line, space) }
        let (firstDashes, secondDashes): ([Double], [Double]) =
            switch order {
            case .aromatic, .singleOrDouble: ([], [2, 1.7])
            case .singleOrAromatic: ([], [0, 2.2])
            case .doubleOrAromatic: ([2, 1.7], [2, 1.7])
            default: ([], [])
            }
        let searchesRings = ringSearches > 0
        if searchesRings { ringSearches -= 1 }
        let side = sketch.sideOfDoubleBond(line.place, searchesRings: searchesRings)
        guard side != .centered else {
            for (sign, dashes) in [(1.0, firstDashes), (-1.0, secondDashes)] {
                let start = meeting(at: line.from, line.way, line, height: sign * space / 2, isCentered: true)
                let end = meeting(at: line.to, line.way * -1, line, height: -sign * space / 2, isCentered: true)
                let shift = line.way.unit.left * (sign * space / 2)
                stroke(
                    line.start + shift + line.way.unit * start, line.end + shift - line.way.unit * end, line,
                    dashes: dashes)
            }
            return
        }
        let sign = side == .left ? 1.0 : -1.0
        let start = meeting(at: line.from, line.way, line, height: sign * space, isCentered: false)
        let end = meeting(at: line.to, line.way * -1, line, height: -sign * space, isCentered: false)
        let shift = line.way.unit.left * (sign * space)
        if case .bold = look {
            stroke(line.start, line.end, line, width: style.boldWidth)
        } else {
            stroke(line.start, line.end, line, dashes: firstDashes)
        }
        stroke(
            line.start + shift + line.way.unit * start, line.end + shift - line.way.unit * end, line,
            width: style.lineWidth, dashes: secondDashes)
    }

    private mutating func paintCrossed(_ line: Line, _ space: Double) {
        let shift = line.way.unit.left * (space / 2)
        stroke(line.start + shift, line.end - shift, line)
        stroke(line.start - shift, line.end + shift, line)
    }

    /// Returns the distance between a corner and the start of a line parallel to a bond.
    ///
    /// A centered line starts at the line of a neighbor, and any other line starts at its parallel line. `height` is
    /// positive on the left, as seen from the corner along the bond.
    private func meeting(at atom: Int, _ way: Point, _ line: Line, height: Double, isCentered: Bool) -> Double {
        if sketch.hasLabel(atom) { return 0 }
        var nearest: Double?
        for neighbor in sketch.graph[atom].prefix(8) where neighbor.bond != line.place {
            let direction = sketch.points[neighbor.atom] - sketch.points[atom]
            guard direction.length > 0.05, way.cross(direction) * height > 0 else { continue }
            let angle = way.angle(to: direction)
            nearest = min(nearest ?? .infinity, angle)
        }
        guard let angle = nearest, angle > 0.2, angle < 3 else { return 0 }
        let space = abs(height)
        let half = Picture.Point.direction(isCentered ? angle : angle / 2)
        let shift = space * half.x / -half.y
        return isCentered ? max(-1.2 * space, min(2 * space, shift)) : min(shift, way.length * 0.3)
    }

    // MARK: Marks on bonds

    /// Paints strokes across a bond: two if a reaction makes or breaks it, and one if its order changes.
    private mutating func paintReactingCenter(_ code: Int8, _ line: Line) {
        guard code > 0, let (from, to) = freeEnds(line) else { return }
        let count = (code & 4 != 0 ? 2 : 0) + (code & 8 != 0 ? 1 : 0)
        let middle = from.midpoint(to: to)
        let way = (to - from).unit
        let half = way.left * 2.6 + way * 0.8
        for number in 0..<count {
            let place = middle + way * ((Double(number) - Double(count - 1) / 2) * 1.5)
            marks.append(.stroke(.init([place - half, place + half], width: style.lineWidth, ink: .note)))
        }
    }
}
