import ChemopenModel

/// Converts the objects on a page to marks.
struct PagePainter {
    typealias Point = Picture.Point

    let style: Picture.Style
    var marks: [Picture.Mark] = []
    /// The remaining number of points for waves on a page; further wavy lines are drawn straight.
    private var wavePoints = 1_000_000
    private static let leastDash = 0.5

    init(_ style: Picture.Style) {
        self.style = style
    }

    // MARK: Lines

    mutating func stroke(_ points: [Point], _ line: Page.Line) {
        guard points.count > 1 else { return }
        let dash = max(Self.leastDash, line.dash)
        let dashes = line.dash > 0.05 ? [dash, dash] : []
        if line.isWavy, points.count == 2, wavePoints > 0 {
            let swing = max(1, line.width * 2)
            let wave = points[0].wave(to: points[1], swing: swing, halfLength: swing * 1.6)
            wavePoints -= wave.count
            return add(wave, line, dashes)
        }
        add(points, line, dashes)
    }

    private mutating func add(_ points: [Point], _ line: Page.Line, _ dashes: [Double]) {
        marks.append(.stroke(.init(points, width: line.width, ink: Picture.Ink(line.color), dashes: dashes)))
    }

    mutating func fill(_ points: [Point], _ ink: Picture.Ink) {
        if points.count > 2 { marks.append(.fill(points, ink)) }
    }
}

extension Picture.Ink {
    /// The ink of a color on a page, or the line ink if there is no color.
    init(_ color: Page.Color?) {
        self = color.map { .color($0) } ?? .line
    }
}
