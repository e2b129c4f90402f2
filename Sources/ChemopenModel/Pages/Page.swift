/// The appearance of a page of a drawing: all items on it, with their positions.
///
/// Lengths are in points of 1/72 inch; x points right and y points down. The molecules and reactions that the page
/// represents are in the records of its file.
public struct Page: Sendable, Hashable {
    /// The items on the page. Each one covers the items before it.
    public var things: [Item] = []
    /// The number of items that cannot be drawn, for each kind.
    public var undrawn: [UnsupportedItem] = []
    /// The background color of the page, or `nil` if it is not specified.
    public var ground: Color?

    /// Creates an empty page.
    public init() {}

    /// An item on a page.
    public enum Item: Sendable, Hashable {
        /// Atoms and bonds.
        case structure(Structure)
        /// Lines of text.
        case text(Writing)
        /// An arrow of any kind.
        case arrow(Arrow)
        /// A line, an area or a symbol.
        case shape(Shape)
        /// An image from another program.
        case image(Image)
    }

    /// Items of one kind that cannot be drawn.
    public struct UnsupportedItem: Sendable, Hashable {
        /// The kind of the items, as named in the file format.
        public var name: String
        /// The number of items.
        public var count: Int

        /// Creates a count of items that cannot be drawn.
        public init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// A position on the page.
    public struct Point: Sendable, Hashable {
        /// The coordinate to the right.
        public var x: Double
        /// The downward coordinate.
        public var y: Double

        /// Creates a position on the page.
        public init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A color with red, green and blue components.
    public struct Color: Sendable, Hashable {
        /// The red component, from 0 to 255.
        public var red: UInt8
        /// The green component, from 0 to 255.
        public var green: UInt8
        /// The blue component, from 0 to 255.
        public var blue: UInt8

        /// Creates a color from its components.
        public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// The style of a line.
    public struct Line: Sendable, Hashable {
        /// The thickness of the line.
        public var width: Double
        /// The color, or `nil` for the default ink of the page.
        public var color: Color?
        /// The length of the dashes and of the gaps between them; 0 for a solid line.
        public var dash: Double
        /// Whether the line is wavy.
        public var isWavy = false

        /// Creates a line style.
        public init(width: Double, color: Color? = nil, dash: Double = 0) {
            self.width = width
            self.color = color
            self.dash = dash
        }
    }
}

extension Page {
    /// Atoms and bonds, in the style of their page.
    public struct Structure: Sendable, Hashable {
        /// The atoms, with their positions on the page, and their bonds as drawn.
        public var molecule: Molecule
        /// The labels of atoms. An atom without a label is drawn as a corner.
        public var labels: [Label] = []
        /// The sides on which the second lines of double bonds are drawn, by bond index, if specified.
        public var sides: [Int32: Side] = [:]
        /// The colors of bonds, by bond index, if specified.
        public var colors: [Int32: Color] = [:]
        /// The background colors of highlighted bonds, by bond index.
        public var bondHighlights: [Int32: Color] = [:]
        /// The background colors of highlighted atoms, by atom index.
        public var atomHighlights: [Int32: Color] = [:]
        /// The bonds that cross over other bonds.
        public var crossings: [Crossing] = []
        /// The usual length of bonds on this page.
        public var bondLength = 14.4
        /// The thickness of bonds.
        public var lineWidth = 0.6
        /// The thickness of bold bonds and of the wide ends of wedges.
        public var boldWidth = 2.0
        /// The distance between the strokes of a hashed wedge.
        public var hashSpacing = 2.5
        /// The space between a label and its bonds.
        public var marginWidth = 1.6
        /// The space between the lines of a double bond, as a fraction of the bond length.
        public var bondSpacing = 0.18

        /// Creates a structure from a molecule with positions on the page.
        public init(_ molecule: Molecule) {
            self.molecule = molecule
        }

        /// The text of an atom.
        public struct Label: Sendable, Hashable {
            /// The atom's index.
            public var atom: Int32
            /// The text, which has its own position.
            public var writing: Writing

            /// Creates a label for an atom.
            public init(_ writing: Writing, at atom: Int32) {
                self.atom = atom
                self.writing = writing
            }
        }

        /// A bond that crosses over another bond, which is drawn with a gap there.
        public struct Crossing: Sendable, Hashable {
            /// The index of the bond without a gap.
            public var over: Int32
            /// The index of the bond with the gap.
            public var under: Int32

            /// Creates a crossing of two bonds.
            public init(_ over: Int32, over under: Int32) {
                self.over = over
                self.under = under
            }
        }

        /// The side of a double bond on which the second line is drawn, looking along the bond.
        public enum Side: UInt8, Sendable, Hashable {
            /// Both lines are next to the axis between the atoms.
            case centered
            /// The second line is on this side.
            case left, right
        }
    }

    /// Lines of text.
    public struct Writing: Sendable, Hashable {
        /// The lines from top to bottom.
        public var lines: [TextLine]
        /// The alignment of the lines with their positions.
        public var alignment: Alignment
        /// The width of the widest line, if the file specifies it.
        public var width: Double?
        /// The clockwise rotation of the text about the position of its first line, in degrees.
        public var turn = 0.0

        /// Creates a text from its lines.
        public init(_ lines: [TextLine], alignment: Alignment = .left) {
            self.lines = lines
            self.alignment = alignment
        }

        /// The alignment of a line with its position.
        public enum Alignment: UInt8, Sendable, Hashable {
            /// The position is the beginning, the middle or the end of the line.
            case left, center, right
        }
    }

    /// A line of text.
    public struct TextLine: Sendable, Hashable {
        /// The position of the beginning, middle or end of the line, on the baseline.
        public var place: Point
        /// The runs from left to right.
        public var runs: [TextRun]

        /// Creates a line of text at a position.
        public init(_ runs: [TextRun], at place: Point) {
            self.runs = runs
            self.place = place
        }
    }

    /// Consecutive letters in the same style.
    public struct TextRun: Sendable, Hashable {
        /// The letters.
        public var text: String
        /// The name of the font.
        public var font = ""
        /// The font size in points. Subscripts and superscripts are drawn smaller.
        public var size = 10.0
        /// Whether the letters are bold.
        public var isBold = false
        /// Whether the letters are italic.
        public var isItalic = false
        /// Whether the letters are underlined.
        public var isUnderlined = false
        /// Whether the letters are normal, subscript or superscript.
        public var script = Script.normal
        /// The color, or `nil` for the default ink of the page.
        public var color: Color?

        /// Creates text in the default style.
        public init(_ text: String) {
            self.text = text
        }

        /// The vertical position of letters.
        public enum Script: UInt8, Sendable, Hashable {
            /// On the baseline, subscript or superscript.
            case normal, lowered, raised
        }
    }

    /// An arrow.
    public struct Arrow: Sendable, Hashable {
        /// The start of the arrow. For an arc with `center`, this is a point on the circle where the arc starts.
        public var tail: Point
        /// The end of the arrow.
        public var head: Point
        /// A Bézier curve if the arrow is neither straight nor an arc.
        ///
        /// It contains the start point and, for each segment, two control points and an end point.
        public var curve: [Point] = []
        /// The center of the circle if the arrow is an arc and its center is specified.
        public var center: Point?
        /// The angle of an arc in degrees, positive for counterclockwise; 0 for any other arrow.
        public var sweep = 0.0
        /// The tip at the head.
        public var headTip = Tip.none
        /// The tip at the tail.
        public var tailTip = Tip.none
        /// The style of the tips.
        public var look = Look.solid
        /// The length of a tip along the arrow.
        public var tipLength = 6.0
        /// The distance from the point of a tip to the middle of its back.
        public var tipMiddle = 5.25
        /// The distance from the arrow to each side of a tip.
        public var tipWidth = 1.5
        /// The space between the two lines of a double arrow; 0 for a single line.
        public var spacing = 0.0
        /// The ratio of the length of the first line of an equilibrium arrow to that of the second.
        public var ratio = 1.0
        /// Whether the arrow represents a dipole, with a plus sign at its tail.
        public var isDipole = false
        /// The sign across the arrow.
        public var bar = Bar.none
        /// The style of the line.
        public var line: Line

        /// Creates an arrow between two positions.
        public init(from tail: Point, to head: Point, _ line: Line) {
            self.tail = tail
            self.head = head
            self.line = line
        }

        /// The tip at one end.
        public enum Tip: UInt8, Sendable, Hashable {
            /// No tip, a full tip, or its left or right half, looking toward the end.
            case none, full, halfLeft, halfRight
        }

        /// The style of a tip.
        public enum Look: UInt8, Sendable, Hashable {
            /// A filled tip, an outline of the entire arrow, or a tip of two strokes.
            case solid, hollow, angle
        }

        /// The sign across an arrow of a reaction that does not occur.
        public enum Bar: UInt8, Sendable, Hashable {
            /// No sign, a cross or two strokes.
            case none, cross, hash
        }
    }

    /// A line, an area or a symbol.
    public struct Shape: Sendable, Hashable {
        /// The kind and position of the shape.
        public var form: Form
        /// The style of the outline, or `nil` for no outline.
        public var line: Line?
        /// The fill, or `nil` for no fill.
        public var fill: Fill?
        /// The offset of the shadow; 0 for no shadow.
        public var shadow = 0.0

        /// Creates a shape.
        public init(_ form: Form, line: Line?) {
            self.form = form
            self.line = line
        }

        /// The kinds of shapes, with their positions.
        public enum Form: Sendable, Hashable {
            /// Straight lines from point to point.
            case path([Point], isClosed: Bool)
            /// A Bézier curve: its start point and, for each segment, two control points and an end point.
            case curve([Point], isClosed: Bool)
            /// An arc from a point on a circle, with an angle in degrees; a positive angle is counterclockwise.
            case arc(center: Point, from: Point, sweep: Double)
            /// A rectangle, described by its center, the middles of two adjacent sides, and the radius of its corners.
            case rectangle(center: Point, Point, Point, rounding: Double)
            /// An ellipse, described by its center and the ends of its axes.
            case oval(center: Point, Point, Point)
            /// An orbital lobe, from its narrow end.
            case lobe(from: Point, to: Point)
            /// A bracket from one end to the other, open to the right when you look along it.
            case bracket(Bracket, from: Point, to: Point, lip: Double)
            /// A symbol at a position, and the point to which it extends.
            case symbol(Symbol, at: Point, to: Point)
        }

        /// The fill of a shape.
        public enum Fill: Sendable, Hashable {
            /// A uniform color, or `nil` for the default ink of the page.
            case plain(Color?)
            /// A color that is lighter in the middle, or `nil` for the default ink of the page.
            case shaded(Color?)
        }

        /// The kinds of brackets.
        public enum Bracket: UInt8, Sendable, Hashable {
            /// The brackets ( [ {
            case round, square, curly
        }

        /// The kinds of symbols.
        public enum Symbol: UInt8, Sendable, Hashable {
            /// Two electrons, one electron, or one electron with a charge.
            case lonePair, electron, radicalCation, radicalAnion
            /// Charges in a circle.
            case circledPlus, circledMinus
            /// Marks for transition states.
            case dagger, doubleDagger
            /// Plus and minus signs.
            case plus, minus
            /// Text that describes the stereochemistry.
            case racemic, absolute, relative
            /// Two electrons, drawn as a stroke.
            case lonePairBar
        }
    }

    /// An image from another program.
    public struct Image: Sendable, Hashable {
        /// The file format of an image.
        public enum Kind: UInt8, Sendable, Hashable {
            /// File formats that nearly every program supports.
            case png, jpeg, bmp, gif
        }

        /// The file format of the image.
        public var kind: Kind
        /// The bytes of the image file.
        public var bytes: [UInt8]
        /// The upper left corner.
        public var corner: Point
        /// The width on the page.
        public var width: Double
        /// The height on the page.
        public var height: Double

        /// Creates an image from its upper left corner and its size.
        public init(_ kind: Kind, _ bytes: [UInt8], at corner: Point, width: Double, height: Double) {
            self.kind = kind
            self.bytes = bytes
            self.corner = corner
            self.width = width
            self.height = height
        }
    }
}
