/// A page of a drawing as it looks: everything that stands on it, where it stands.
///
/// Lengths are points of 1/72 inch, from the left to the right and downwards. What a page means, its molecules and
/// reactions, stands in the records of its file.
public struct Page: Sendable, Hashable {
    /// The things on the page; each covers those before it.
    public var things: [Thing] = []
    /// The things that have no drawing, and how many there are of each kind.
    public var undrawn: [Undrawn] = []
    /// The colour of the page; nothing where none is stated.
    public var ground: Color?

    /// A page without anything on it.
    public init() {}

    /// A thing that stands on a page.
    public enum Thing: Sendable, Hashable {
        /// Atoms and bonds.
        case structure(Structure)
        /// Lines of text.
        case text(Writing)
        /// An arrow of any kind.
        case arrow(Arrow)
        /// A line, an area, a symbol.
        case shape(Shape)
        /// A picture that another program made.
        case image(Image)
    }

    /// Things that have no drawing.
    public struct Undrawn: Sendable, Hashable {
        /// Their kind, by the word of the format.
        public var name: String
        /// How many there are.
        public var count: Int

        /// Things without a drawing.
        public init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// A place on the page.
    public struct Point: Sendable, Hashable {
        /// To the right.
        public var x: Double
        /// Downwards.
        public var y: Double

        /// A place on the page.
        public init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A colour by its parts of red, green and blue.
    public struct Color: Sendable, Hashable {
        /// From 0 to 255.
        public var red: UInt8
        /// From 0 to 255.
        public var green: UInt8
        /// From 0 to 255.
        public var blue: UInt8

        /// A colour by its parts.
        public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// How a line is drawn.
    public struct Line: Sendable, Hashable {
        /// How thick it is.
        public var width: Double
        /// Its colour; nothing for that of the page's ink.
        public var color: Color?
        /// The length of its dashes and of the gaps between them; 0 for a line without gaps.
        public var dash: Double
        /// It swings from side to side.
        public var isWavy = false

        /// A line.
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
        /// The atoms, whose positions are places on the page, and their bonds as they are drawn.
        public var molecule: Molecule
        /// The texts at atoms. An atom without one is a corner.
        public var labels: [Label] = []
        /// On which side the second line of a double bond is drawn, by the bond's index, where that is stated.
        public var sides: [Int32: Side] = [:]
        /// The colours of bonds that have one, by their index.
        public var colors: [Int32: Color] = [:]
        /// The colours behind bonds that are highlighted, by their index.
        public var bondHighlights: [Int32: Color] = [:]
        /// The colours behind atoms that are highlighted, by their index.
        public var atomHighlights: [Int32: Color] = [:]
        /// The bonds that pass over others.
        public var crossings: [Crossing] = []
        /// How long bonds are on this page.
        public var bondLength = 14.4
        /// How thick bonds are.
        public var lineWidth = 0.6
        /// How thick bold bonds and the wide ends of wedges are.
        public var boldWidth = 2.0
        /// The distance of the strokes of a hashed wedge.
        public var hashSpacing = 2.5
        /// The space between a label and the bonds that lead to it.
        public var marginWidth = 1.6
        /// The space between the lines of a double bond, by the length of the bond.
        public var bondSpacing = 0.18

        /// Atoms and bonds, at places of the page.
        public init(_ molecule: Molecule) {
            self.molecule = molecule
        }

        /// A text at an atom.
        public struct Label: Sendable, Hashable {
            /// The atom's index.
            public var atom: Int32
            /// The text, at its own place.
            public var writing: Writing

            /// A text at an atom.
            public init(_ writing: Writing, at atom: Int32) {
                self.atom = atom
                self.writing = writing
            }
        }

        /// A bond that passes over another one, which has a gap there.
        public struct Crossing: Sendable, Hashable {
            /// The index of the bond that is whole.
            public var over: Int32
            /// The index of the bond with the gap.
            public var under: Int32

            /// A bond that passes over another one.
            public init(_ over: Int32, over under: Int32) {
                self.over = over
                self.under = under
            }
        }

        /// Where the second line of a double bond is drawn, as seen along the bond.
        public enum Side: UInt8, Sendable, Hashable {
            /// Both lines beside the way from atom to atom.
            case centered
            /// The second line is on this side.
            case left, right
        }
    }

    /// Lines of text.
    public struct Writing: Sendable, Hashable {
        /// The lines from the top.
        public var lines: [TextLine]
        /// How the lines stand to their places.
        public var alignment: Alignment
        /// How wide the widest line is where the file says so.
        public var width: Double?
        /// By how many degrees the text is turned to the right about its first place.
        public var turn = 0.0

        /// Lines of text.
        public init(_ lines: [TextLine], alignment: Alignment = .left) {
            self.lines = lines
            self.alignment = alignment
        }

        /// How a line stands to its place.
        public enum Alignment: UInt8, Sendable, Hashable {
            /// It begins there, has its middle there, ends there.
            case left, center, right
        }
    }

    /// A line of text.
    public struct TextLine: Sendable, Hashable {
        /// The place of its beginning, middle or end, at the foot of its letters.
        public var place: Point
        /// Its runs from the left.
        public var runs: [TextRun]

        /// A line of text at a place.
        public init(_ runs: [TextRun], at place: Point) {
            self.runs = runs
            self.place = place
        }
    }

    /// Letters of one look.
    public struct TextRun: Sendable, Hashable {
        /// The letters.
        public var text: String
        /// The name of the font.
        public var font = ""
        /// In points. Raised and lowered letters are smaller than this.
        public var size = 10.0
        /// Thick letters.
        public var isBold = false
        /// Slanted letters.
        public var isItalic = false
        /// There is a line below the letters.
        public var isUnderlined = false
        /// How the letters stand to the line.
        public var script = Script.normal
        /// The colour; nothing for that of the page's ink.
        public var color: Color?

        /// Letters of the usual look.
        public init(_ text: String) {
            self.text = text
        }

        /// How letters stand to the line.
        public enum Script: UInt8, Sendable, Hashable {
            /// On the line, below it, above it.
            case normal, lowered, raised
        }
    }

    /// An arrow.
    public struct Arrow: Sendable, Hashable {
        /// Where it begins; an arc whose middle is stated begins where its part of the circle does.
        public var tail: Point
        /// Where it ends.
        public var head: Point
        /// Its way where that is neither straight nor an arc: the first point, then for each part of the curve two points
        /// that it is drawn to and the one where it ends.
        public var curve: [Point] = []
        /// The middle of the circle that it is an arc of, where that is stated.
        public var center: Point?
        /// The part of a circle that it is, in degrees and above 0 against the clock; 0 for any other arrow.
        public var sweep = 0.0
        /// The tip at its head.
        public var headTip = Tip.none
        /// The tip at its tail.
        public var tailTip = Tip.none
        /// How its tips look.
        public var look = Look.solid
        /// How long a tip is, along its middle, and how far it reaches to each side.
        public var tipLength = 6.0
        /// How far the middle of a tip's back is behind its point.
        public var tipMiddle = 5.25
        /// How far a tip reaches to each side.
        public var tipWidth = 1.5
        /// The space between the two lines of a double arrow; 0 for a single one.
        public var spacing = 0.0
        /// How much longer the first line of an equilibrium is than the second.
        public var ratio = 1.0
        /// It is a dipole: its tail has a plus.
        public var isDipole = false
        /// Something is drawn across it.
        public var bar = Bar.none
        /// How its line is drawn.
        public var line: Line

        /// An arrow between two places.
        public init(from tail: Point, to head: Point, _ line: Line) {
            self.tail = tail
            self.head = head
            self.line = line
        }

        /// The tip at an end.
        public enum Tip: UInt8, Sendable, Hashable {
            /// Nothing, a tip, its left or right half as seen towards the end.
            case none, full, halfLeft, halfRight
        }

        /// How a tip looks.
        public enum Look: UInt8, Sendable, Hashable {
            /// A filled tip; an outline of the whole arrow; two strokes.
            case solid, hollow, angle
        }

        /// The sign across an arrow that leads nowhere.
        public enum Bar: UInt8, Sendable, Hashable {
            /// Nothing, a cross, two strokes.
            case none, cross, hash
        }
    }

    /// A line, an area, or a symbol.
    public struct Shape: Sendable, Hashable {
        /// The kind of shape, and its place.
        public var form: Form
        /// Its outline; nothing where it has none.
        public var line: Line?
        /// The colour within it; nothing where it is empty.
        public var fill: Fill?
        /// How far its shadow reaches; 0 where it has none.
        public var shadow = 0.0

        /// A shape.
        public init(_ form: Form, line: Line?) {
            self.form = form
            self.line = line
        }

        /// The kinds of shapes, each with its place.
        public enum Form: Sendable, Hashable {
            /// From point to point.
            case path([Point], isClosed: Bool)
            /// A curve: its first point, then for each part two points that it is drawn to and the one where it ends.
            case curve([Point], isClosed: Bool)
            /// A part of a circle, from a place on it so many degrees against the clock.
            case arc(center: Point, from: Point, sweep: Double)
            /// By its middle, and the middles of two sides that meet; the corners are so round.
            case rectangle(center: Point, Point, Point, rounding: Double)
            /// By its middle and the ends of its axes.
            case oval(center: Point, Point, Point)
            /// A lobe, from its narrow end.
            case lobe(from: Point, to: Point)
            /// From one end to the other, open to the right as seen along the way.
            case bracket(Bracket, from: Point, to: Point, lip: Double)
            /// A sign at a place, and how far it reaches.
            case symbol(Symbol, at: Point, to: Point)
        }

        /// The inside of an outline.
        public enum Fill: Sendable, Hashable {
            /// One colour; nothing for that of the page's ink.
            case plain(Color?)
            /// A colour that is lighter in the middle.
            case shaded(Color?)
        }

        /// The kinds of brackets.
        public enum Bracket: UInt8, Sendable, Hashable {
            /// ( [ {
            case round, square, curly
        }

        /// The kinds of signs.
        public enum Symbol: UInt8, Sendable, Hashable {
            /// Two electrons, one electron, one with a charge.
            case lonePair, electron, radicalCation, radicalAnion
            /// Charges in a circle.
            case circledPlus, circledMinus
            /// Marks of transition states.
            case dagger, doubleDagger
            /// Signs.
            case plus, minus
            /// Words about the stereochemistry.
            case racemic, absolute, relative
            /// Two electrons as a stroke.
            case lonePairBar
        }
    }

    /// A picture that another program made.
    public struct Image: Sendable, Hashable {
        /// How its bytes are to be understood.
        public enum Kind: UInt8, Sendable, Hashable {
            /// The kinds that nearly every program shows.
            case png, jpeg, bmp, gif
        }

        /// How its bytes are to be understood.
        public var kind: Kind
        /// The file of the picture.
        public var bytes: [UInt8]
        /// Its upper left corner.
        public var corner: Point
        /// How wide it is on the page.
        public var width: Double
        /// How high it is on the page.
        public var height: Double

        /// A picture with its upper left corner at a place.
        public init(_ kind: Kind, _ bytes: [UInt8], at corner: Point, width: Double, height: Double) {
            self.kind = kind
            self.bytes = bytes
            self.corner = corner
            self.width = width
            self.height = height
        }
    }
}
