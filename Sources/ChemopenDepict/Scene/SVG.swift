import ChemopenModel

extension Picture {
    /// Returns the picture as an SVG document, which you can also embed in HTML.
    ///
    /// The document uses no style sheet and contains no ids. The letters are text in Arial or Helvetica. By default,
    /// the picture has its own size in points.
    ///
    /// - Parameter width: The width in pixels, or `nil` for the picture's own width in points.
    /// - Parameter height: The height in pixels, or `nil` for the picture's own height in points.
    public func svg(width: Double? = nil, height: Double? = nil) -> [UInt8] {
        var writer = SVGWriter(palette)
        writer.write(self, width: width, height: height)
        return writer.bytes
    }
}

/// Writes marks as SVG elements.
private struct SVGWriter {
    var bytes: [UInt8] = []
    private let palette: Picture.Palette

    init(_ palette: Picture.Palette) {
        self.palette = palette
    }

    mutating func write(_ picture: Picture, width: Double?, height: Double?) {
        append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        appendSize(width, picture.width)
        append("\" height=\"")
        appendSize(height, picture.height)
        append("\" viewBox=\"0 0 ")
        append(picture.width)
        append(" ")
        append(picture.height)
        append("\" role=\"img\" font-family=\"Arial, Helvetica, 'Liberation Sans', sans-serif\"")
        append(" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n")
        if !picture.title.isEmpty {
            append("<title>")
            appendEscaped(picture.title)
            append("</title>\n")
        }
        if let ground = picture.palette.ground {
            append("<rect width=\"100%\" height=\"100%\" fill=\"")
            append(ground)
            append("\"/>\n")
        }
        for mark in picture.marks { write(mark) }
        append("</svg>\n")
    }

    private mutating func appendSize(_ wanted: Double?, _ own: Double) {
        append(wanted ?? own)
        if wanted == nil { append("pt") }
    }

    private mutating func write(_ mark: Picture.Mark) {
        switch mark {
        case .stroke(let stroke):
            append("<path d=\"")
            appendPath(stroke.points)
            append("\" stroke=\"")
            append(stroke.ink)
            append("\" stroke-width=\"")
            append(stroke.width)
            if !stroke.dashes.isEmpty {
                append("\" stroke-dasharray=\"")
                for (place, length) in stroke.dashes.enumerated() {
                    if place > 0 { append(" ") }
                    append(length)
                }
            }
            append("\"/>\n")
        case .fill(let points, let ink):
            append("<path d=\"")
            appendPath(points)
            append("Z\" fill=\"")
            append(ink)
            append("\"/>\n")
        case .letters(let letters):
            append("<text x=\"")
            append(letters.start.x)
            append("\" y=\"")
            append(letters.start.y)
            append("\" font-size=\"")
            append(letters.size)
            append("\" fill=\"")
            append(letters.ink)
            append(letters.face)
            if letters.turn != 0 {
                append("\" transform=\"rotate(")
                for (place, number) in [letters.turn, letters.start.x, letters.start.y].enumerated() {
                    if place > 0 { append(" ") }
                    append(number)
                }
                append(")")
            }
            if letters.text.unicodeScalars.count > 1 {
                append("\" textLength=\"")
                append(letters.width)
                append("\" lengthAdjust=\"spacingAndGlyphs")
            }
            append("\">")
            appendEscaped(letters.text)
            append("</text>\n")
        case .image(let image):
            append("<image x=\"")
            append(image.corner.x)
            append("\" y=\"")
            append(image.corner.y)
            append("\" width=\"")
            append(image.width)
            append("\" height=\"")
            append(image.height)
            append("\" preserveAspectRatio=\"none\" href=\"data:image/\(image.kind);base64,")
            appendBase64(image.bytes)
            append("\"/>\n")
        }
    }

    private mutating func append(_ face: Font) {
        switch face.family {
        case .sans: break
        case .serif: append("\" font-family=\"'Times New Roman', Times, 'Liberation Serif', serif")
        case .typewriter: append("\" font-family=\"'Courier New', Courier, 'Liberation Mono', monospace")
        }
        if face.isBold { append("\" font-weight=\"bold") }
        if face.isItalic { append("\" font-style=\"italic") }
    }

    private mutating func appendBase64(_ data: [UInt8]) {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for start in stride(from: 0, to: data.count, by: 3) {
            let count = min(3, data.count - start)
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < count ? UInt32(data[start + place]) : 0) }
            for place in 0..<4 {
                bytes.append(place > count ? UInt8(ascii: "=") : letters[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
    }

    private mutating func appendPath(_ points: [Picture.Point]) {
        for (place, point) in points.enumerated() {
            append(place == 0 ? "M" : "L")
            append(point.x)
            append(" ")
            append(point.y)
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ ink: Picture.Ink) {
        if let color = palette.color(of: ink) { append(color) } else { append("currentColor") }
    }

    private mutating func append(_ color: Picture.Color) {
        append("#" + color.hex)
    }

    /// Appends a number with at most two decimals.
    private mutating func append(_ number: Double) {
        appendDecimal(number, to: &bytes)
    }

    /// Appends text with XML escapes; characters that XML does not allow become U+FFFD.
    private mutating func appendEscaped(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "&": append("&amp;")
            case "\"": append("&quot;")
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
            default: append(String(scalar))
            }
        }
    }
}

/// Appends a number with at most two decimals and without trailing zeros.
func appendDecimal(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite, abs(number) < 1e12 else { return bytes.append(UInt8(ascii: "0")) }
    let hundredths = Int64((abs(number) * 100).rounded())
    if number < 0, hundredths > 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(contentsOf: String(hundredths / 100).utf8)
    let rest = hundredths % 100
    if rest == 0 { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10))
    if rest % 10 != 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)) }
}
