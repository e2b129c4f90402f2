import ChemopenBytes
import ChemopenModel

/// A page that is being built.
struct DrawnPage {
    let style: PageStyle
    /// The objects on the page.
    var drawing: WrittenDrawing
    var places: PagePlaces
    private(set) var id: UInt32 = 1
    private(set) var nextID: UInt32 = 2
    private var z = 0
    /// The number of dropped characters, which XML cannot represent.
    var droppedLetters = 0

    init(_ style: PageStyle, _ encoding: WrittenDrawing.Encoding) {
        self.style = style
        places = PagePlaces(style)
        drawing = WrittenDrawing(encoding, textStyle: style.caption)
    }

    /// Starts an empty page.
    mutating func turn() {
        id = takeIDs(1)
        places = PagePlaces(style)
        z = 0
    }

    /// Reserves a number of consecutive IDs, and returns the first.
    mutating func takeIDs(_ count: Int) -> UInt32 {
        defer { nextID &+= UInt32(clamping: count) }
        return nextID
    }

    /// Sets the z value of the open object, above all previous objects.
    mutating func setZ() {
        z = min(z + 1, 0x7FFF)
        drawing.set(.z, integer: z)
    }

    /// The height of the page in sheets of paper.
    var sheets: Int {
        let sheet = 720.0
        return max(1, Int((min(places.bottom, 1e6) / sheet).rounded(.up)))
    }

    // MARK: Statements

    /// Adds a statement by Chemopen if it is not empty.
    mutating func say(_ statement: OwnStatement) {
        if let text = statement.text { annotate(OwnStatement.keyword, text) }
    }

    private mutating func annotate(_ keyword: Text, _ content: Text) {
        drawing.annotate(id: takeIDs(1), sound(keyword), sound(content))
    }

    /// Adds data fields.
    mutating func say(_ fields: Fields) {
        for field in fields {
            if field.name.isPrintable, !field.name.isEmpty, field.name != OwnStatement.keyword,
                field.value.bytes.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 })
            {
                annotate(field.name, field.value)
            } else {
                var statement = OwnStatement()
                statement.field = Sgroup.Keyword(field.name, field.value)
                say(statement)
            }
        }
    }

    // MARK: Text

    /// Adds the label of a node.
    mutating func write(_ label: NodeLabel, at place: Position?) {
        let size = style.labelSize
        let id = takeIDs(1)
        drawing.open(.text, id: id)
        if let place {
            drawing.set(.position, position: label.position(at: place, size))
            drawing.set(.boundingBox, box: label.box(at: place, size))
        }
        drawing.setJustification(isTurned: label.isTurned)
        setText(runs(of: label))
        drawing.close()
    }

    /// Adds text with its upper left corner at a position, and returns its ID.
    @discardableResult
    mutating func write(_ text: Text, at corner: PagePlaces.Corner, naming fragment: Int? = nil) -> UInt32 {
        let id = takeIDs(1)
        let (x, y) = (style.points(corner.x), style.points(corner.y))
        let place = Position(x, y + style.captionSize * 0.9)
        let size = style.size(of: text)
        let box = DrawnBox(
            left: x, top: y, right: x + style.points(size.width), bottom: y + style.points(size.height))
        drawing.open(.text, id: id)
        drawing.set(.position, position: place)
        drawing.set(.boundingBox, box: box)
        setZ()
        drawing.set(.interpretsChemically, integer: 0)
        setText([run(text, style.caption)])
        var statement = OwnStatement()
        statement.fragment = fragment
        say(statement)
        drawing.close()
        return id
    }

    /// Returns a label as one run, or as up to three runs with the isotope mass as a superscript.
    private mutating func runs(of label: NodeLabel) -> [StyledText.Run] {
        guard let raised = label.raised else { return [run(Text(bytes: label.text), style.label)] }
        var above = style.label
        above.face = ((above.face ?? 0) & ~PageStyle.formula) | PageStyle.superscript
        let parts = [0..<raised.lowerBound, raised, raised.upperBound..<label.text.count]
        return parts.filter { !$0.isEmpty }.map { part in
            run(Text(bytes: Array(label.text[part])), part == raised ? above : style.label)
        }
    }

    private mutating func run(_ text: Text, _ style: StyledText.Run) -> StyledText.Run {
        var run = style
        run.text = sound(text)
        return run
    }

    private mutating func setText(_ runs: [StyledText.Run]) {
        drawing.set(.text, .styled(StyledText(runs: runs)))
    }

    /// Returns the text in UTF-8 with LF line ends, without characters that XML cannot represent.
    mutating func sound(_ text: Text) -> Text {
        let (sound, dropped) = Self.sound(text)
        droppedLetters += dropped
        return sound
    }

    static func sound(_ text: Text) -> (text: Text, droppedLetters: Int) {
        let bytes = text.bytes
        if bytes.span.isPrintableASCII { return (text, 0) }
        var sound: [UInt8] = []
        var dropped = 0
        for scalar in text.string.unicodeScalars {
            switch scalar.value {
            case 0x0D: sound.append(0x0A)
            case 0x0A where sound.last == 0x0A && bytes.contains(0x0D): break
            case 0x0A, 0x09: sound.append(UInt8(truncatingIfNeeded: scalar.value))
            case ..<0x20, 0xFFFE, 0xFFFF: dropped += 1
            default: sound.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return (Text(bytes: sound), dropped)
    }
}
