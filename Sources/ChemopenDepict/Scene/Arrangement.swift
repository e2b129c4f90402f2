extension Picture {
    /// Arranges pictures from left to right, vertically centered.
    init(lining parts: [Picture], gap: Double) {
        let height = parts.map(\.height).max() ?? 0
        self.init(width: 0, height: height)
        for part in parts {
            if width > 0 { width += gap }
            add(part, at: Point(width, (height - part.height) / 2))
            width += part.width
        }
    }

    /// Arranges pictures from top to bottom, left-aligned or centered.
    init(stacking parts: [Picture], gap: Double, isCentered: Bool = false) {
        let width = parts.map(\.width).max() ?? 0
        self.init(width: width, height: 0)
        for part in parts {
            if height > 0 { height += gap }
            add(part, at: Point(isCentered ? (width - part.width) / 2 : 0, height))
            height += part.height
        }
    }

    /// Arranges pictures in rows with `columns` pictures each.
    public init(tiling parts: [Picture], columns: Int, gap: Double) {
        var rows: [Picture] = []
        for start in stride(from: 0, to: parts.count, by: max(1, columns)) {
            rows.append(Picture(lining: Array(parts[start..<min(parts.count, start + max(1, columns))]), gap: gap))
        }
        self.init(stacking: rows, gap: gap, isCentered: true)
    }

    /// Creates a line of text.
    init(words: String, size: Double, padding: Double = 0, ink: Ink = .line) {
        let letters = Letters(words, at: Point(padding, padding + size * 0.8), size: size, ink: ink)
        self.init(width: letters.width + 2 * padding, height: size * 1.1 + 2 * padding)
        marks = [.letters(letters)]
    }

    /// Creates lines of text, wrapped at blanks to a maximum width.
    init(paragraph: String, size: Double, width limit: Double, mostLines: Int, ink: Ink = .line) {
        var lines: [String] = []
        for part in paragraph.split(whereSeparator: \.isNewline) where lines.count <= mostLines {
            var line = ""
            for word in part.split(separator: " ") {
                let longer = line.isEmpty ? String(word) : line + " " + word
                if !line.isEmpty, Lettering.width(of: longer, size: size) > limit {
                    lines.append(line)
                    line = String(word)
                } else {
                    line = longer
                }
                if lines.count > mostLines { break }
            }
            if !line.isEmpty { lines.append(line) }
        }
        if lines.count > mostLines { lines = lines.prefix(mostLines - 1) + [lines[mostLines - 1] + " …"] }
        self.init(
            stacking: lines.map { Picture(words: $0.shortened(to: limit, size: size), size: size, ink: ink) }, gap: 1,
            isCentered: true)
    }

    /// Arranges pictures on a sheet, each with an optional caption.
    ///
    ///     let sheet = Picture(sheetOf: pictures, captions: names, columns: 4)
    ///
    /// The cells are as large as the largest picture, but no larger than `cellWidth` and `cellHeight`. Larger
    /// pictures are scaled down.
    public init(
        sheetOf pictures: [Picture], captions: [String] = [], columns: Int, cellWidth: Double = 200,
        cellHeight: Double = 180, style: Style = Style()
    ) {
        let columns = max(1, min(columns, pictures.count))
        let captionSize = style.fontSize * 0.85
        let captionHeight = captions.contains { !$0.isEmpty } ? captionSize * 1.6 : 0
        let scale = SheetScale(pictures, cellWidth, cellHeight)
        let (width, height) = (scale.width + style.bondLength, scale.height + style.bondLength)
        let rowHeight = height + captionHeight
        let rows = (pictures.count + columns - 1) / columns
        self.init(width: Double(columns) * width, height: Double(rows) * rowHeight)
        palette = style.palette
        for (place, picture) in pictures.enumerated() {
            let corner = Point(Double(place % columns) * width, Double(place / columns) * rowHeight)
            add(picture.filling(width: width, height: height, limit: scale[place]), at: corner)
            guard captions.indices.contains(place), !captions[place].isEmpty else { continue }
            let text = captions[place].shortened(to: width - 6, size: captionSize)
            let words = Picture(words: text, size: captionSize, ink: .note)
            add(words, at: corner + Point((width - words.width) / 2, height))
        }
        title = pictures.count == 1 ? pictures[0].title : "\(pictures.count) structures"
    }
}

extension String {
    /// Returns the string, truncated with an ellipsis if it exceeds a width.
    func shortened(to width: Double, size: Double) -> String {
        if Lettering.width(of: self, size: size) <= width { return self }
        var text = String.UnicodeScalarView()
        var used = Lettering.width(of: "…", size: size)
        for scalar in unicodeScalars {
            used += Lettering.width(of: String(scalar), size: size)
            if used > width { break }
            text.append(scalar)
        }
        return String(text) + "…"
    }
}

/// The size of the cells of a sheet, and the scales of its pictures.
private struct SheetScale {
    let width: Double
    let height: Double
    private let factors: [Double]

    /// The smallest scale that is applied to all pictures. If a smaller scale is necessary, each picture is scaled
    /// separately.
    private static let leastCommon = 0.6

    init(_ pictures: [Picture], _ cellWidth: Double, _ cellHeight: Double) {
        width = min(cellWidth, max(80, pictures.map(\.width).max() ?? 0))
        height = min(cellHeight, max(30, pictures.map(\.height).max() ?? 0))
        let (width, height) = (width, height)
        let own = pictures.map { min(1, width / max($0.width, 1), height / max($0.height, 1)) }
        let common = own.min() ?? 1
        factors = common < Self.leastCommon ? own : own.map { _ in common }
    }

    subscript(place: Int) -> Double { factors[place] }
}

/// The remark below a picture, for example about the origin of its coordinates.
package enum SmallPrint {
    /// Stores a remark in a picture, and adds it below the picture if the style shows remarks.
    package static func add(_ text: String, to picture: inout Picture, _ style: Picture.Style) {
        if text.isEmpty { return }
        picture.remark = text
        guard style.showsRemarks else { return }
        let words = Picture(words: text, size: style.fontSize * 0.5, padding: 1, ink: .note)
        let widest = max(picture.width, words.width)
        picture.move(by: .init((widest - picture.width) / 2, 0))
        picture.width = widest
        picture.add(words, at: .init((widest - words.width) / 2, picture.height))
        picture.height += words.height
    }
}
