import ChemopenBytes

/// A shape of an icon: an SVG path that is filled, stroked, or both.
struct IconShape {
    /// The path, with moves, lines and circular arcs only.
    let path: String
    var fill: String?
    var pen: String?
    /// The stroke width.
    var width = 0.0

    var svg: String {
        let pen = self.pen.map {
            " stroke=\"\($0)\" stroke-width=\"\(width.rounded() == width ? "\(Int(width))" : "\(width)")\""
                + " stroke-linejoin=\"round\" stroke-linecap=\"round\""
        }
        return "<path d=\"\(path)\" fill=\"\(fill ?? "none")\" fill-rule=\"evenodd\"\(pen ?? "")/>"
    }
}

/// The pixels of an icon as a PNG, for desktops that do not support SVG.
///
/// Rendering uses only sums, products and square roots, which give identical results on every machine.
struct IconPixels {
    private let size: Int
    /// Red, green and blue, multiplied by the opacity, and the opacity, each from 0 to 1.
    private var pixels: [SIMD4<Double>]
    /// The number of scan lines per row of pixels.
    private static let lines = 4

    /// Renders shapes into a square.
    ///
    /// - Parameter units: the side length of the square in the units of the paths.
    init(_ shapes: [IconShape], units: Double, size: Int) {
        self.size = size
        pixels = Array(repeating: .zero, count: size * size)
        let scale = SIMD2(Double(size), Double(size * Self.lines)) / units
        for shape in shapes {
            let paths = IconPath(shape.path).lines
            if let fill = shape.fill { paint(fill, spans(inside: paths, scale), scale) }
            if let pen = shape.pen { paint(pen, spans(along: paths, reach: shape.width / 2, scale), scale) }
        }
    }

    /// The covered part of a scan line.
    private typealias Span = (start: Double, end: Double)

    /// Returns the scan lines between two heights.
    private func between(_ low: Double, _ high: Double, _ scale: SIMD2<Double>) -> Range<Int> {
        let first = max(Int((low * scale.y - 0.5).rounded(.up)), 0)
        return first..<max(first, min(Int((high * scale.y - 0.5).rounded(.down)) + 1, size * Self.lines))
    }

    private func spans(inside paths: [[SIMD2<Double>]], _ scale: SIMD2<Double>) -> [[Span]] {
        var crossings = [[Double]](repeating: [], count: size * Self.lines)
        for path in paths {
            guard var last = path.last else { continue }
            for corner in path {
                for line in between(min(last.y, corner.y), max(last.y, corner.y), scale) where last.y != corner.y {
                    let y = (Double(line) + 0.5) / scale.y
                    // A corner exactly on a scan line counts for only one of its two sides.
                    guard (last.y > y) != (corner.y > y) else { continue }
                    crossings[line].append(last.x + (corner.x - last.x) * (y - last.y) / (corner.y - last.y))
                }
                last = corner
            }
        }
        return crossings.map { places in
            let places = places.sorted()
            return stride(from: 0, to: places.count - 1, by: 2).map { (places[$0], places[$0 + 1]) }
        }
    }

    /// Returns the parts of each scan line that a round pen covers, with overlaps merged.
    private func spans(along paths: [[SIMD2<Double>]], reach: Double, _ scale: SIMD2<Double>) -> [[Span]] {
        var spans = [[Span]](repeating: [], count: size * Self.lines)
        for path in paths {
            for (start, end) in zip(path, path.dropFirst()) {
                let stroke = Stroke(start, end, reach)
                for line in between(min(start.y, end.y) - reach, max(start.y, end.y) + reach, scale) {
                    if let span = stroke.span(at: (Double(line) + 0.5) / scale.y) { spans[line].append(span) }
                }
            }
        }
        return spans.map { spans in
            var whole: [Span] = []
            for span in spans.sorted(by: { $0.start < $1.start }) {
                if let last = whole.last, span.start <= last.end {
                    whole[whole.count - 1].end = max(last.end, span.end)
                } else {
                    whole.append(span)
                }
            }
            return whole
        }
    }

    private mutating func paint(_ color: String, _ spans: [[Span]], _ scale: SIMD2<Double>) {
        let ink = Self.ink(color)
        for y in 0..<size {
            var covered = [Double](repeating: 0, count: size)
            for span in spans[(y * Self.lines)..<((y + 1) * Self.lines)].joined() {
                let (start, end) = (max(span.start * scale.x, 0), min(span.end * scale.x, Double(size)))
                var place = start
                while place < end {
                    let next = min(place.rounded(.down) + 1, end)
                    covered[Int(place)] += (next - place) / Double(Self.lines)
                    place = next
                }
            }
            for x in 0..<size where covered[x] > 0 {
                let share = min(covered[x], 1)
                pixels[y * size + x] = ink * share + pixels[y * size + x] * (1 - share)
            }
        }
    }

    private static func ink(_ color: String) -> SIMD4<Double> {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        return SIMD4(Double(number >> 16 & 0xFF), Double(number >> 8 & 0xFF), Double(number & 0xFF), 255) / 255
    }

    // MARK: PNG

    /// The picture as an uncompressed RGBA PNG.
    var png: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<size {
            rows.append(0)
            for pixel in pixels[(y * size)..<((y + 1) * size)] {
                let opacity = pixel.w
                for part in 0..<3 { rows.append(opacity == 0 ? 0 : UInt8((pixel[part] / opacity * 255).rounded())) }
                rows.append(UInt8((opacity * 255).rounded()))
            }
        }
        var header: [UInt8] = []
        for _ in 0..<2 { header.append(bigEndian: UInt32(size)) }
        header += [8, 6, 0, 0, 0]
        let count = UInt16(rows.count)
        var data: [UInt8] = [0x78, 0x01, 1]
        for word in [count, ~count] { data += [UInt8(word & 0xFF), UInt8(word >> 8)] }
        data += rows
        data.append(bigEndian: adlerChecksum(of: rows.span))
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        png.appendChunk("IHDR", header)
        png.appendChunk("IDAT", data)
        png.appendChunk("IEND", [])
        return png
    }
}

/// The area that a round pen covers along a line.
private struct Stroke {
    private let ends: [SIMD2<Double>]
    private let corners: [SIMD2<Double>]
    private let reach: Double

    init(_ start: SIMD2<Double>, _ end: SIMD2<Double>, _ reach: Double) {
        ends = [start, end]
        self.reach = reach
        let along = end - start
        let length = (along * along).sum().squareRoot()
        let aside = length == 0 ? SIMD2(0, 0) : SIMD2(-along.y, along.x) / length * reach
        corners = [start + aside, end + aside, end - aside, start - aside]
    }

    /// Returns the part of a scan line that the pen covers.
    func span(at y: Double) -> (start: Double, end: Double)? {
        var (low, high) = (Double.infinity, -Double.infinity)
        for end in ends {
            let rest = reach * reach - (y - end.y) * (y - end.y)
            if rest < 0 { continue }
            low = min(low, end.x - rest.squareRoot())
            high = max(high, end.x + rest.squareRoot())
        }
        var last = corners[3]
        for corner in corners {
            if (last.y > y) != (corner.y > y) {
                let x = last.x + (corner.x - last.x) * (y - last.y) / (corner.y - last.y)
                low = min(low, x)
                high = max(high, x)
            }
            last = corner
        }
        return low < high ? (low, high) : nil
    }
}

/// The corners of a path. Arcs are approximated by short lines.
private struct IconPath {
    private(set) var lines: [[SIMD2<Double>]] = []
    private var point = SIMD2(0.0, 0.0)

    init(_ path: String) {
        var words = Self.words(path)[...]
        var order: Character = "M"
        func number() -> Double {
            if case .number(let value)? = words.popFirst() { return value }
            return 0
        }
        while let word = words.first {
            if case .order(let letter) = word {
                words = words.dropFirst()
                order = letter
                if letter == "z", let first = lines.last?.first { go(to: first) }
                if letter == "z" { continue }
            }
            let base = order.isLowercase ? point : SIMD2(0, 0)
            switch order.lowercased() {
            case "m":
                point = base + SIMD2(number(), number())
                lines.append([point])
                order = order.isLowercase ? "l" : "L"
            case "l": go(to: base + SIMD2(number(), number()))
            case "h": go(to: SIMD2(base.x + number(), point.y))
            case "v": go(to: SIMD2(point.x, base.y + number()))
            case "a":
                let radius = number()
                for _ in 0..<2 { _ = number() }
                let (isLarge, isClockwise) = (number() != 0, number() != 0)
                arc(to: base + SIMD2(number(), number()), radius, isLarge: isLarge, isClockwise: isClockwise)
            default: words = words.dropFirst()
            }
        }
    }

    private enum Word {
        case order(Character)
        case number(Double)
    }

    private static func words(_ path: String) -> [Word] {
        var words: [Word] = []
        var digits = ""
        func end() {
            if let value = Double(digits) { words.append(.number(value)) }
            digits = ""
        }
        for character in path {
            if character.isLetter {
                end()
                words.append(.order(character == "Z" ? "z" : character))
            } else if character == "-" {
                end()
                digits = "-"
            } else if character == " " || character == "," {
                end()
            } else {
                digits.append(character)
            }
        }
        end()
        return words
    }

    private mutating func go(to target: SIMD2<Double>) {
        point = target
        if lines.isEmpty { lines.append([]) }
        lines[lines.count - 1].append(target)
    }

    private mutating func arc(to end: SIMD2<Double>, _ radius: Double, isLarge: Bool, isClockwise: Bool) {
        let start = point
        let half = (end - start) / 2
        let length = (half * half).sum().squareRoot()
        guard length > 0 else { return }
        let aside = SIMD2(half.y, -half.x) / length
        let height = max(radius * radius - length * length, 0).squareRoot()
        let center = start + half + aside * (isLarge == isClockwise ? height : -height)
        bend(start, end, center, radius, away: isClockwise ? aside : -aside, depth: 3)
        go(to: end)
    }

    /// Adds the corners of an arc by repeated bisection.
    ///
    /// - Parameter away: the direction to the middle of the arc if it is a semicircle. Icons contain no larger arcs.
    private mutating func bend(
        _ start: SIMD2<Double>, _ end: SIMD2<Double>, _ center: SIMD2<Double>, _ radius: Double,
        away: SIMD2<Double>, depth: Int
    ) {
        if depth == 0 { return }
        let direction = (start + end) / 2 - center
        let length = (direction * direction).sum().squareRoot()
        let toward = length < 1e-9 ? away : direction / length
        let middle = center + toward * radius
        bend(start, middle, center, radius, away: away, depth: depth - 1)
        go(to: middle)
        bend(middle, end, center, radius, away: away, depth: depth - 1)
    }
}
