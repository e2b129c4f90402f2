/// A picture in characters: lines in Braille patterns, and labels in letters.
///
///     let picture = TerminalPicture(of: record, columns: 80)
///     for line in picture?.lines ?? [] { print(line) }
public struct TerminalPicture: Sendable {
    /// The rows from top to bottom, without trailing blanks.
    public private(set) var lines: [String] = []
    /// The remark of the picture, for example about the origin of the coordinates.
    public private(set) var remark = ""

    /// The number of points for each dot, if the terminal is large enough.
    private static let pointsPerDot = 1.3
    package static let mostRows = 120
    /// The largest number of marks of a picture that is drawn again for each size. Pictures with more marks are only
    /// scaled.
    private static let mostMarks = 3000

    /// Renders a drawing that is at most `columns` wide and `rows` high; `nil` if there is no drawing.
    package init?(
        columns: Int, rows: Int = mostRows, expandsAbbreviations: Bool, drawing: (Picture.Style) -> Picture?
    ) {
        var scale = Self.pointsPerDot
        let width = Double(max(20, columns) * 2)
        for _ in 0..<6 {
            let style = Self.style(scale, expandsAbbreviations)
            guard let picture = drawing(style) else { return nil }
            remark = picture.remark
            let factor = max(picture.width / scale / width, picture.height / scale / Double(max(4, rows) * 4))
            if factor <= 1 {
                draw(picture, scale)
                return
            }
            if picture.marks.count > Self.mostMarks {
                draw(picture.scaled(by: 1 / factor), scale)
                return
            }
            scale *= max(1.05, factor)
        }
        guard let picture = drawing(Self.style(scale, expandsAbbreviations)) else { return nil }
        draw(picture.filling(width: width * scale, height: picture.height, limit: 1), scale)
    }

    /// Returns a style with letters that occupy one cell each, regardless of the bond length.
    private static func style(_ scale: Double, _ expandsAbbreviations: Bool) -> Picture.Style {
        var style = Picture.Style()
        style.fontSize = 3.3 * scale
        style.margin = 0.5 * scale
        style.lineWidth = 0.5 * scale
        style.boldWidth = 2.4 * scale
        style.bondSpacing = max(0.18, 2.1 * scale / style.bondLength)
        style.padding = scale
        style.hashSpacing = 2.2 * scale
        style.expandsAbbreviations = expandsAbbreviations
        style.widestRow = 1e6
        style.showsRemarks = false
        return style
    }

    private mutating func draw(_ picture: Picture, _ scale: Double) {
        var canvas = DotCanvas(columns: Int(picture.width / scale / 2) + 2, rows: Int(picture.height / scale / 4) + 1)
        var last: (end: Picture.Point, column: Int, row: Int)?
        for mark in picture.marks {
            switch mark {
            case .stroke(let stroke):
                if stroke.ink == .highlight { continue }
                canvas.draw(stroke.points.map { $0 * (1 / scale) }, dashes: stroke.dashes.map { $0 / scale })
            case .fill(let points, _):
                canvas.fill(points.map { $0 * (1 / scale) })
            case .image(let image):
                let (left, top) = (image.corner.x / scale, image.corner.y / scale)
                let (right, bottom) = (left + image.width / scale, top + image.height / scale)
                canvas.draw(
                    [
                        Picture.Point(left, top), Picture.Point(right, top), Picture.Point(right, bottom),
                        Picture.Point(left, bottom), Picture.Point(left, top),
                    ], dashes: [])
            case .letters(let letters):
                let middle = letters.start.y - Lettering.capitalHeight / 2 * letters.size
                var column = Int((letters.start.x / scale / 2).rounded())
                var row = Int((middle / scale / 4).rounded(.down))
                if let last, abs(last.end.x - letters.start.x) < 0.1, abs(last.end.y - letters.start.y) < letters.size {
                    (column, row) = (last.column, last.row)
                }
                let text = Self.spelled(letters)
                canvas.write(text, column: column, row: row)
                last = (
                    Picture.Point(letters.start.x + letters.width, letters.start.y), column + text.unicodeScalars.count,
                    row
                )
            }
        }
        lines = canvas.lines
    }

    /// Returns the text with raised and lowered digits and signs as Unicode superscripts and subscripts.
    private static func spelled(_ letters: Picture.Letters) -> String {
        guard letters.script != .normal else { return letters.text }
        let raised: [Unicode.Scalar] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
        var text = String.UnicodeScalarView()
        for scalar in letters.text.unicodeScalars {
            let isRaised = letters.script == .raised
            switch scalar.value {
            case 0x30...0x39:
                let digit = Int(scalar.value - 0x30)
                text.append(isRaised ? raised[digit] : Unicode.Scalar(0x2080 + UInt32(digit)) ?? scalar)
            case 0x2B: text.append(isRaised ? "⁺" : "₊")
            case 0x2212: text.append(isRaised ? "⁻" : "₋")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

/// A grid of cells with two by four dots each, or a letter instead.
struct DotCanvas {
    private let columns: Int
    private let rows: Int
    private var dots: [UInt8]
    private var letters: [Int: Unicode.Scalar] = [:]

    init(columns: Int, rows: Int) {
        self.columns = max(1, min(1000, columns))
        self.rows = max(1, min(1000, rows))
        dots = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// The bits of a Braille pattern, by column and row of the dot.
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    private mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < columns * 2, y < rows * 4 else { return }
        dots[y / 4 * columns + x / 2] |= Self.bits[x % 2][y % 4]
    }

    /// Draws a line through points, in dots.
    mutating func draw(_ points: [Picture.Point], dashes: [Double]) {
        guard var last = points.first else { return }
        var way = 0.0
        for point in points.dropFirst() {
            let length = (point - last).length
            let steps = max(1, min(4000, Int(length * 1.5)))
            for step in 0...steps {
                let part = Double(step) / Double(steps)
                let place = last + (point - last) * part
                if Self.isOn(way + length * part, dashes) { set(Self.dot(place.x), Self.dot(place.y)) }
            }
            way += length
            last = point
        }
    }

    private static func dot(_ coordinate: Double) -> Int {
        Int(min(1e5, max(-1e5, coordinate)).rounded(.down))
    }

    private static func isOn(_ way: Double, _ dashes: [Double]) -> Bool {
        let period = dashes.reduce(0, +)
        guard period > 0.5, let first = dashes.first else { return true }
        return way.truncatingRemainder(dividingBy: max(3, period)) < max(1, first)
    }

    /// Fills the dots within a closed line.
    mutating func fill(_ points: [Picture.Point]) {
        draw(points + points.prefix(1), dashes: [])
        var box = Box.empty
        for point in points { box.add(point) }
        guard !box.isEmpty, box.width < 4000, box.height < 4000 else { return }
        var crossings: [Double] = []
        for y in (Self.dot(box.top)..<Self.dot(box.bottom) + 1).clamped(to: 0..<rows * 4) {
            crossings.removeAll(keepingCapacity: true)
            let height = Double(y) + 0.5
            var last = points[points.count - 1]
            for next in points {
                if (next.y > height) != (last.y > height) {
                    crossings.append((last.x - next.x) * (height - next.y) / (last.y - next.y) + next.x)
                }
                last = next
            }
            crossings.sort()
            // A dot is inside if its center is between an odd crossing and the next one.
            for place in stride(from: 0, to: crossings.count - 1, by: 2) {
                let left = max(0, (crossings[place] - 0.5).rounded(.up))
                let right = min(Double(columns * 2), (crossings[place + 1] - 0.5).rounded(.up))
                if left < right { for x in Int(left)..<Int(right) { set(x, y) } }
            }
        }
    }

    /// Writes letters into cells, in front of any lines.
    mutating func write(_ text: String, column: Int, row: Int) {
        for (place, scalar) in text.unicodeScalars.enumerated() {
            let column = column &+ place
            guard 0..<columns ~= column, 0..<rows ~= row else { continue }
            let isPlain = scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value)
            letters[row * columns + column] = isPlain ? scalar : "\u{B7}"
        }
    }

    var lines: [String] {
        (0..<rows).map { row in
            var line = String.UnicodeScalarView()
            var blanks = 0
            for column in 0..<columns {
                let place = row * columns + column
                if let letter = letters[place], letter != " " {
                    line.append(contentsOf: repeatElement(" ", count: blanks))
                    line.append(letter)
                    blanks = 0
                } else if dots[place] != 0, letters[place] == nil {
                    line.append(contentsOf: repeatElement(" ", count: blanks))
                    line.append(Unicode.Scalar(0x2800 + UInt32(dots[place])) ?? " ")
                    blanks = 0
                } else {
                    blanks += 1
                }
            }
            return String(line)
        }
    }
}
