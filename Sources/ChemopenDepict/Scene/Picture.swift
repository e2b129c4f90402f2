import ChemopenModel

/// A drawing that consists of lines, areas and letters, in the order of painting.
///
/// Lengths are in points of 1/72 inch. Coordinates start at the upper left corner and increase to the right and
/// downward.
///
///     let picture = Picture(of: molecule, style: Picture.Style())
///     let svg = picture.svg()
public struct Picture: Sendable, Hashable {
    /// The width in points of 1/72 inch.
    public var width: Double
    /// The height in points of 1/72 inch.
    public var height: Double
    /// The marks in painting order; each covers those before it.
    public var marks: [Mark] = []
    /// A text description of the picture, for accessibility.
    public var title = ""
    /// The colors of the inks.
    public var palette = Palette()
    /// A remark, for example about the coordinates. The style determines whether it is part of the drawing.
    public var remark = ""
    /// Whether this is a preview that is shown while a better picture is being created.
    public var isPreliminary = false

    /// Creates an empty picture.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// A position in the picture, in points from its upper left corner, to the right and downward.
    public typealias Point = Page.Point

    /// A single painted element.
    public enum Mark: Sendable, Hashable {
        /// A line.
        case stroke(Stroke)
        /// The area within a closed line.
        case fill([Point], Ink)
        /// Letters.
        case letters(Letters)
        /// An embedded image.
        case image(Page.Image)
    }

    /// A polyline with round ends.
    public struct Stroke: Sendable, Hashable {
        /// The points of the line.
        public var points: [Point]
        /// The width of the line.
        public var width: Double
        /// The ink of the line.
        public var ink: Ink
        /// The lengths of dashes and gaps; empty for a solid line. A dash with a length of 0 is a dot.
        public var dashes: [Double]

        /// Creates a polyline.
        public init(_ points: [Point], width: Double, ink: Ink = .line, dashes: [Double] = []) {
            self.points = points
            self.width = width
            self.ink = ink
            self.dashes = dashes
        }
    }

    /// Letters of one size on one line. Raised and lowered letters are separate marks.
    public struct Letters: Sendable, Hashable {
        /// The text.
        public var text: String
        /// The start of the text on its baseline.
        public var start: Point
        /// The font size.
        public var size: Double
        /// The width of the text in Helvetica or a compatible font.
        public var width: Double
        /// The clockwise rotation about the start, in degrees.
        public var turn = 0.0
        // The small properties use less than a machine word. Otherwise Swift would store the case of a `Mark` in their
        // unused bits, and valgrind would report a read of uninitialized bits.
        /// The ink of the letters.
        public var ink: Ink
        /// Whether the letters are raised or lowered.
        public var script: Script
        /// The font style.
        public var face: Font

        /// Creates letters that start at a position on the baseline.
        public init(
            _ text: String, at start: Point, size: Double, ink: Ink = .line, script: Script = .normal,
            face: Font = Font()
        ) {
            self.text = text
            self.start = start
            self.size = size
            self.ink = ink
            self.script = script
            self.face = face
            width = Lettering.width(of: text, size: size, face)
        }

        /// The vertical position of letters.
        public enum Script: UInt8, Sendable, Hashable {
            /// On the baseline, below it, or above it.
            case normal, lowered, raised
        }
    }

    /// The ink of a mark. The palette defines its color.
    public enum Ink: Sendable, Hashable {
        /// The ink of bonds, arrows and other marks without a specific color.
        case line
        /// The ink of an element's labels.
        case element(ChemicalElement)
        /// The ink of texts next to the structure: map numbers, stereo groups and data.
        case note
        /// The background of highlighted atoms and bonds.
        case highlight
        /// A color that the drawing specifies.
        case color(Color)
    }
}

extension Picture {
    /// Moves all marks.
    mutating func move(by offset: Point) {
        for index in marks.indices { marks[index].move(by: offset) }
    }

    /// Adds the marks of another picture, with its upper left corner at a position.
    mutating func add(_ other: Picture, at place: Point) {
        for var mark in other.marks {
            mark.move(by: place)
            marks.append(mark)
        }
    }

    /// Returns the picture with all lengths multiplied by a factor, including line widths and font sizes.
    public func scaled(by factor: Double) -> Picture {
        var result = Picture(width: width * factor, height: height * factor)
        result.title = title
        result.palette = palette
        result.remark = remark
        result.isPreliminary = isPreliminary
        result.marks = marks.map { $0.scaled(by: factor) }
        return result
    }

    /// Returns the picture centered on a sheet, and scaled to fill it, at most by `limit`.
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
