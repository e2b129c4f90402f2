import ChemopenModel

/// A drawing as a value: lines, areas and letters, in the order in which they are painted.
///
/// Lengths are points of 1/72 inch, from the upper left corner to the right and downwards.
///
///     let picture = Picture(of: molecule, style: Picture.Style())
///     let svg = picture.svg()
public struct Picture: Sendable, Hashable {
    /// In points, of which 72 are an inch.
    public var width: Double
    /// In points.
    public var height: Double
    /// The marks; each covers those before it.
    public var marks: [Mark] = []
    /// The picture in words, for those who cannot see it.
    public var title = ""
    /// The colours of the inks.
    public var palette = Palette()
    /// The remark on how the picture came about; its style says whether that stands in the picture.
    public var remark = ""
    /// Whether a better picture is being made.
    public var isPreliminary = false

    /// An empty picture of a size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// A place on the picture, in points from its upper left corner: to the right and downwards, as on a page.
    public typealias Point = Page.Point

    /// A thing that is painted at once.
    public enum Mark: Sendable, Hashable {
        /// A line.
        case stroke(Stroke)
        /// The area within a line that is closed.
        case fill([Point], Ink)
        /// Letters.
        case letters(Letters)
        /// A picture that another program made.
        case image(Page.Image)
    }

    /// A line from point to point, with round ends.
    public struct Stroke: Sendable, Hashable {
        /// The points, one after the other.
        public var points: [Point]
        /// How thick the line is.
        public var width: Double
        /// The ink of the line.
        public var ink: Ink
        /// The lengths of dashes and gaps; nothing for a line without gaps. A dash without a length is a dot.
        public var dashes: [Double]

        /// A line from point to point.
        public init(_ points: [Point], width: Double, ink: Ink = .line, dashes: [Double] = []) {
            self.points = points
            self.width = width
            self.ink = ink
            self.dashes = dashes
        }
    }

    /// Letters of one size on one line. Raised and lowered ones are letters of their own.
    public struct Letters: Sendable, Hashable {
        /// The letters.
        public var text: String
        /// Where the first letter begins, on the line it stands on.
        public var start: Point
        /// The size of the font.
        public var size: Double
        /// How wide the letters are in Helvetica, or a font of its widths.
        public var width: Double
        /// By how many degrees they are turned to the right about their start.
        public var turn = 0.0
        // The small properties are the last, and less than a word. Where they filled one, valgrind saw that the case of a `Mark`,
        // which Swift keeps in their unused bits, was read from bits that nobody had set.
        /// The ink of the letters.
        public var ink: Ink
        /// How they stand to the letters before them.
        public var script: Script
        /// The shape of the letters.
        public var face: LetterFace

        /// Letters that begin at a place.
        public init(
            _ text: String, at start: Point, size: Double, ink: Ink = .line, script: Script = .normal,
            face: LetterFace = LetterFace()
        ) {
            self.text = text
            self.start = start
            self.size = size
            self.ink = ink
            self.script = script
            self.face = face
            width = Lettering.width(of: text, size: size, face)
        }

        /// How letters stand to the line.
        public enum Script: UInt8, Sendable, Hashable {
            /// On the line, below it, above it.
            case normal, lowered, raised
        }
    }

    /// The ink of a mark; the palette knows the colour.
    public enum Ink: Sendable, Hashable {
        /// Bonds, arrows, and all that has no colour of its own.
        case line
        /// The ink of an element, in labels and at the ends of bonds.
        case element(ChemicalElement)
        /// Text beside the structure: map numbers, stereo groups, data.
        case note
        /// The ground of what is marked.
        case highlight
        /// A colour that the drawing itself has.
        case color(Color)
    }
}

extension Picture {
    /// Moves all marks.
    mutating func move(by offset: Point) {
        for index in marks.indices { marks[index].move(by: offset) }
    }

    /// Adds the marks of another picture, moved to a place of their own.
    mutating func add(_ other: Picture, at place: Point) {
        for var mark in other.marks {
            mark.move(by: place)
            marks.append(mark)
        }
    }

    /// The picture larger or smaller, lines and letters included.
    public func scaled(by factor: Double) -> Picture {
        var result = Picture(width: width * factor, height: height * factor)
        result.title = title
        result.palette = palette
        result.remark = remark
        result.isPreliminary = isPreliminary
        result.marks = marks.map { $0.scaled(by: factor) }
        return result
    }

    /// The picture in the middle of a sheet of a size, enlarged or reduced to fill it.
    ///
    /// It is enlarged `limit` times at the most: a picture of two atoms need not fill a page.
    public func filling(width sheetWidth: Double, height sheetHeight: Double, limit: Double = .infinity) -> Picture {
        let factor = min(limit, sheetWidth / max(width, 1), sheetHeight / max(height, 1))
        var result = scaled(by: factor)
        result.move(by: Point((sheetWidth - result.width) / 2, (sheetHeight - result.height) / 2))
        result.width = sheetWidth
        result.height = sheetHeight
        return result
    }
}

extension Picture.Mark {
    mutating func move(by offset: Picture.Point) {
        switch self {
        case .stroke(var stroke):
            for index in stroke.points.indices { stroke.points[index] += offset }
            self = .stroke(stroke)
        case .fill(let points, let ink):
            self = .fill(points.map { $0 + offset }, ink)
        case .letters(var letters):
            letters.start += offset
            self = .letters(letters)
        case .image(var image):
            image.corner += offset
            self = .image(image)
        }
    }

    fileprivate func scaled(by factor: Double) -> Picture.Mark {
        switch self {
        case .stroke(var stroke):
            stroke.points = stroke.points.map { $0 * factor }
            stroke.width *= factor
            stroke.dashes = stroke.dashes.map { $0 * factor }
            return .stroke(stroke)
        case .fill(let points, let ink):
            return .fill(points.map { $0 * factor }, ink)
        case .letters(var letters):
            letters.start = letters.start * factor
            letters.size *= factor
            letters.width *= factor
            return .letters(letters)
        case .image(var image):
            image.corner = image.corner * factor
            image.width *= factor
            image.height *= factor
            return .image(image)
        }
    }
}
