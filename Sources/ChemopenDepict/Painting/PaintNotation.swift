/// A picture on its way to the program that makes pixels of it: a line for each mark, its colour settled.
///
/// ```text
/// P 12000 8000 ffffff        width, height and ground (or -), lengths in hundredths of a point
/// S 60 000000 0 100 100 900 100   width, colour, number of dashes, dashes, points
/// F 000000 100 100 900 100 500 700
/// T 1000 500 900 722 000000 Cl     size, place, width, colour, text to the end of the line
/// ```
public enum PaintNotation {
    /// The kind of line to paint.
    public enum Line: Sendable {
        /// The ground, which is the first line.
        case sheet(width: Double, height: Double, ground: Picture.Color?)
        /// A line from point to point.
        case stroke([Picture.Point], width: Double, dashes: [Double], Picture.Color)
        /// A shape that is filled.
        case fill([Picture.Point], Picture.Color)
        /// Letters on one line.
        case letters(String, at: Picture.Point, size: Double, width: Double, Picture.Color)
    }

    /// The notation of a picture. What has the colour of the text around it becomes black.
    public static func bytes(of picture: Picture) -> [UInt8] {
        var bytes: [UInt8] = []
        let palette = picture.palette
        func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
        func append(_ number: Double) { append(" \(hundredths(number))") }
        func append(_ ink: Picture.Ink) { append(" " + (palette.color(of: ink) ?? .init(0, 0, 0)).hex) }
        append("P")
        append(picture.width)
        append(picture.height)
        append(" " + (palette.ground?.hex ?? "-") + "\n")
        for mark in picture.marks {
            switch mark {
            case .stroke(let stroke):
                append("S")
                append(stroke.width)
                append(stroke.ink)
                append(" \(stroke.dashes.count)")
                for dash in stroke.dashes { append(dash) }
                for point in stroke.points {
                    append(point.x)
                    append(point.y)
                }
            case .fill(let points, let ink):
                append("F")
                append(ink)
                for point in points {
                    append(point.x)
                    append(point.y)
                }
            case .letters(let letters):
                append("T")
                append(letters.size)
                append(letters.start.x)
                append(letters.start.y)
                append(letters.width)
                append(letters.ink)
                append(" ")
                for scalar in letters.text.unicodeScalars { append(scalar.value < 0x20 ? " " : String(scalar)) }
            }
            append("\n")
        }
        return bytes
    }

    private static func hundredths(_ number: Double) -> Int {
        number.isFinite ? Int((min(1e9, max(-1e9, number)) * 100).rounded()) : 0
    }

    /// Reads a line; `nil` where it is none of this notation.
    public static func line(_ bytes: ArraySlice<UInt8>) -> Line? {
        var words = Words(rest: bytes)
        switch words.next().first {
        case UInt8(ascii: "P"):
            guard let width = words.length(), let height = words.length() else { return nil }
            return .sheet(width: width, height: height, ground: words.color())
        case UInt8(ascii: "S"):
            guard let width = words.length(), let color = words.color(), let count = words.integer(), 0...16 ~= count
            else { return nil }
            let dashes = (0..<count).compactMap { _ in words.length() }
            return .stroke(words.points(), width: width, dashes: dashes, color)
        case UInt8(ascii: "F"):
            guard let color = words.color() else { return nil }
            return .fill(words.points(), color)
        case UInt8(ascii: "T"):
            guard let size = words.length(), let x = words.length(), let y = words.length(), let width = words.length(),
                let color = words.color()
            else { return nil }
            return .letters(
                String(decoding: words.rest, as: UTF8.self), at: Picture.Point(x, y), size: size, width: width, color)
        default: return nil
        }
    }

    private struct Words {
        var rest: ArraySlice<UInt8>

        mutating func next() -> ArraySlice<UInt8> {
            let word = rest.prefix { $0 != 0x20 }
            rest = rest.dropFirst(word.count + 1)
            return word
        }

        mutating func integer() -> Int? { Int(String(decoding: next(), as: UTF8.self)) }

        mutating func length() -> Double? { integer().map { Double($0) / 100 } }

        mutating func color() -> Picture.Color? { Picture.Color(hex: String(decoding: next(), as: UTF8.self)) }

        mutating func points() -> [Picture.Point] {
            var points: [Picture.Point] = []
            while let x = length(), let y = length() { points.append(Picture.Point(x, y)) }
            return points
        }
    }
}

extension Picture.Color {
    /// Six digits: `ff8000`.
    public var hex: String {
        let digits = Array("0123456789abcdef".unicodeScalars)
        var text = String.UnicodeScalarView()
        for part in [red, green, blue] {
            text.append(digits[Int(part >> 4)])
            text.append(digits[Int(part & 15)])
        }
        return String(text)
    }
}
