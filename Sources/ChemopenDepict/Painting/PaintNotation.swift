import ChemopenModel

/// The text format that passes a picture to the rendering program. Each line contains a mark with its final color.
///
/// ```text
/// P 12000 8000 ffffff        width, height and background (or -), lengths in hundredths of a point
/// S 60 000000 0 100 100 900 100   width, color, number of dashes, dashes, points
/// F 000000 100 100 900 100 500 700
/// T 1000 500 900 722 000000 0 0 Cl   size, position, width, color, face, rotation, text to the end of the line
/// I 0 100 100 900 700 89504e47       kind, position, width, height, bytes
/// ```
public enum PaintNotation {
    /// A line of the notation.
    public enum Line: Sendable {
        /// The size and the background of the picture; always the first line.
        case sheet(width: Double, height: Double, ground: Picture.Color?)
        /// A polyline.
        case stroke([Picture.Point], width: Double, dashes: [Double], Picture.Color)
        /// A filled shape.
        case fill([Picture.Point], Picture.Color)
        /// Letters on one line.
        case letters(Picture.Letters, Picture.Color)
        /// An embedded image.
        case image(Page.Image)
    }

    /// Returns the notation of a picture. The inherited text color is written as black.
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
                append(" \(letters.face.number)")
                append(letters.turn)
                append(" ")
                for scalar in letters.text.unicodeScalars { append(scalar.value < 0x20 ? " " : String(scalar)) }
            case .image(let image):
                append("I \(image.kind.rawValue)")
                append(image.corner.x)
                append(image.corner.y)
                append(image.width)
                append(image.height)
                append(" ")
                let digits = Array("0123456789abcdef".utf8)
                for byte in image.bytes { bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
            }
            append("\n")
        }
        return bytes
    }

    private static func hundredths(_ number: Double) -> Int {
        number.isFinite ? Int((min(1e9, max(-1e9, number)) * 100).rounded()) : 0
    }

    /// Reads a line.
    ///
    /// - Returns: The line, or `nil` if the bytes are not valid notation.
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
                let color = words.color(), let face = words.integer(), let turn = words.length()
            else { return nil }
            var letters = Picture.Letters(
                String(decoding: words.rest, as: UTF8.self), at: Picture.Point(x, y), size: size,
                face: Font(number: face))
            letters.width = width
            letters.turn = turn
            return .letters(letters, color)
        case UInt8(ascii: "I"):
            guard let number = words.integer(),
                let kind = UInt8(exactly: number).flatMap(Page.Image.Kind.init(rawValue:)),
                let x = words.length(), let y = words.length(), let width = words.length(), let height = words.length()
            else { return nil }
            return .image(
                Page.Image(kind, words.hexadecimal(), at: Page.Point(x, y), width: width, height: height))
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

        /// Decodes the rest of the line as hexadecimal bytes.
        func hexadecimal() -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(rest.count / 2)
            var half: UInt8?
            for digit in rest {
                let value = digit > 0x39 ? digit &- 0x57 : digit &- 0x30
                guard value < 16 else { break }
                if let first = half { bytes.append(first << 4 | value) }
                half = half == nil ? value : nil
            }
            return bytes
        }

        mutating func points() -> [Picture.Point] {
            var points: [Picture.Point] = []
            while let x = length(), let y = length() { points.append(Picture.Point(x, y)) }
            return points
        }
    }
}

extension Picture.Color {
    /// The color as six hexadecimal digits, such as `ff8000`.
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
