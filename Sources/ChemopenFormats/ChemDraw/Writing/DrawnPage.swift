import ChemopenBytes
import ChemopenModel

/// The objects of a page that is being made.
struct DrawnPage {
    let style: PageStyle
    var drawing: DrawingDraft
    var places: PagePlaces
    private(set) var nextID: UInt32
    private var z = 0
    /// A full page takes about as much room as a file of so many bytes.
    private static let usualBytes = 1 << 18
    /// How many letters were left out that XML cannot carry.
    var droppedLetters = 0

    init(_ style: PageStyle, firstID: UInt32) {
        self.style = style
        places = PagePlaces(style)
        nextID = firstID
        drawing = DrawingDraft()
        drawing.reserve(forBytes: Self.usualBytes)
        drawing.open(.page, id: nextID, offset: 0)
        nextID &+= 1
    }

    /// The first of so many ids.
    mutating func takeIDs(_ count: Int) -> UInt32 {
        defer { nextID &+= UInt32(clamping: count) }
        return nextID
    }

    /// Sets how far above the others the object stands that is open.
    mutating func setZ() {
        z = min(z + 1, 0x7FFF)
        drawing.set(.z, integer: z)
    }

    /// Sets how many sheets of paper the page is high, and ends it.
    mutating func end() {
        let sheet = 720.0
        drawing.set(.heightPages, integer: max(1, Int((min(places.bottom, 1e6) / sheet).rounded(.up))))
        drawing.set(.widthPages, integer: 1)
        drawing.close()
    }

    // MARK: Statements

    mutating func say(_ statement: Text) {
        annotate(OwnStatement.keyword, OwnStatement.escaped(statement))
    }

    private mutating func annotate(_ keyword: Text, _ content: Text) {
        drawing.open(.annotation, id: takeIDs(1), offset: 0)
        drawing.set(.keyword, .text(sound(keyword)))
        drawing.set(.content, .text(sound(content)))
        drawing.close()
    }

    /// Adds data fields.
    mutating func say(_ fields: Fields) {
        for field in fields {
            if field.name.isPrintable, !field.name.isEmpty, field.name != OwnStatement.keyword,
                field.value.bytes.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 })
            {
                annotate(field.name, field.value)
            } else {
                say(OwnStatement.text(.data, [field.name, field.value]))
            }
        }
    }

    // MARK: Text

    /// Adds the label of a node.
    mutating func write(_ label: NodeLabel, at place: Position?) {
        let size = style.labelSize
        drawing.open(.text, id: takeIDs(1), offset: 0)
        if let place {
            drawing.set(.position, position: label.position(at: place, size))
            drawing.set(.boundingBox, box: label.box(at: place, size))
        }
        if label.isTurned {
            drawing.set(.labelJustification, integer: -1)
            drawing.set(.justification, integer: -1)
            drawing.set(.labelAlignment, integer: -1)
        } else {
            drawing.set(.labelJustification, integer: 0)
            drawing.set(.labelAlignment, integer: 0)
        }
        setText(runs(of: label))
        drawing.close()
    }

    /// Adds a line or lines of text, with its left upper corner at a place; returns its id.
    @discardableResult
    mutating func write(_ text: Text, at corner: PagePlaces.Corner, saying statement: Text? = nil) -> UInt32 {
        let id = takeIDs(1)
        drawing.open(.text, id: id, offset: 0)
        let (x, y) = (style.points(corner.x), style.points(corner.y))
        drawing.set(.position, position: Position(x, y + style.captionSize * 0.9))
        let size = style.size(of: text)
        drawing.set(
            .boundingBox,
            box: DrawnBox(
                left: x, top: y, right: x + style.points(size.width), bottom: y + style.points(size.height)))
        setZ()
        drawing.set(.interpretsChemically, integer: 0)
        setText([run(text, style.caption)])
        if let statement { say(statement) }
        drawing.close()
        return id
    }

    /// A label as one run, or as three around the mass of an isotope.
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

    /// The text in UTF-8, its lines ended by LF, without what XML cannot carry.
    mutating func sound(_ text: Text) -> Text {
        let bytes = text.bytes
        if bytes.span.isPrintableASCII { return text }
        var sound: [UInt8] = []
        for scalar in text.string.unicodeScalars {
            switch scalar.value {
            case 0x0D: sound.append(0x0A)
            case 0x0A where sound.last == 0x0A && bytes.contains(0x0D): break
            case 0x0A, 0x09: sound.append(UInt8(truncatingIfNeeded: scalar.value))
            case ..<0x20, 0xFFFE, 0xFFFF: droppedLetters += 1
            default: sound.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return Text(bytes: sound)
    }
}

extension Text {
    /// Whether it has no control characters.
    var isPrintable: Bool {
        let bytes = bytes.span
        for place in bytes.indices where bytes[place] < 0x20 { return false }
        return true
    }
}
