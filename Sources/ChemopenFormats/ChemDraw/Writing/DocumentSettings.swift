import ChemopenBytes
import ChemopenModel

/// The settings of a document to write: the style of the American Chemical Society's journals, as shipped with
/// ChemDraw, or the settings of a drawing.
struct DocumentSettings {
    /// The properties of the document, in their order.
    let statements: [(property: DrawnProperty, value: DrawnValue)]
    private(set) var style = PageStyle()

    init() {
        statements = Self.statements(PageSettings(), style, Self.colors, Self.fonts, from: nil)
    }

    /// Creates settings from a drawing, with defaults for properties that it does not specify.
    private init(of drawing: Drawing) {
        let settings = PageSettings(of: drawing)
        var fonts: [DrawnFont] = []
        if case .fonts(let table)? = drawing.value(.fontTable, of: Drawing.document) {
            fonts = table.map { DrawnFont(id: $0.id, characterSet: Self.unicode, name: $0.name) }
        }
        if fonts.isEmpty { fonts = Self.fonts }
        var colors = Self.colors
        if case .colors(let table)? = drawing.value(.colorTable, of: Drawing.document), !table.isEmpty {
            colors = table
        }
        func run(_ stated: StyledText.Run, _ face: Int) -> StyledText.Run {
            let isThere = fonts.contains { $0.id == stated.font }
            return StyledText.Run(
                font: isThere ? stated.font : fonts[0].id, face: (stated.face ?? 0) | face,
                size: stated.size ?? PageStyle.usualSize, color: stated.color ?? 0, text: "")
        }
        style.label = run(settings.label, PageStyle.formula)
        style.caption = run(settings.caption, 0)
        style.factor = max(0.1, min(10, Self.rounded(settings.bondLength) / PageStyle.usualBond))
        statements = Self.statements(settings, style, colors, fonts, from: drawing)
    }

    /// Creates settings from the drawing in a file; returns nil if the bytes contain no drawing.
    init?(ofFile bytes: [UInt8]) {
        guard let source = try? ByteSource(bytes),
            let drawing = try? DrawingReader.whole(source, ReadOptions()), !drawing.objects.isEmpty
        else { return nil }
        self.init(of: drawing)
    }

    private static func statements(
        _ settings: PageSettings, _ style: PageStyle, _ colors: [DrawnColor], _ fonts: [DrawnFont],
        from drawing: Drawing?
    ) -> [(DrawnProperty, DrawnValue)] {
        func number(_ property: DrawnProperty) -> Int? { drawing?.integer(property, of: Drawing.document) }
        let angle = drawing?.real(.chainAngle, of: Drawing.document) ?? 0
        func bare(_ run: StyledText.Run) -> DrawnValue {
            var run = run
            run.color = nil
            return .styled(StyledText(runs: [run]))
        }
        // The tables are first, in the order in which their elements appear in a document.
        let own: [(DrawnProperty, DrawnValue)] = [
            (.colorTable, .colors(colors)), (.fontTable, .fonts(fonts)),
            (.creationProgram, .text(OwnStatement.program)),
            (.bondLength, .real(rounded(style.factor * PageStyle.usualBond))),
            (.bondSpacing, .real((settings.bondSpacing * 1000).rounded() / 10)),
            (.chainAngle, .real(angle > 0 && angle <= 180 ? angle : 120)),
            (.lineWidth, .real(rounded(settings.lineWidth))), (.boldWidth, .real(rounded(settings.boldWidth))),
            (.marginWidth, .real(rounded(settings.marginWidth))),
            (.hashSpacing, .real(rounded(settings.hashSpacing))),
            (.labelStyle, bare(style.label)),
            (.captionStyle, bare(style.caption)),
            (.labelJustification, .integer(number(.labelJustification) ?? 5)),
            (.captionJustification, .integer(number(.captionJustification) ?? 0)),
        ]
        return own
            + taken.compactMap { property in
                drawing?.value(property, of: Drawing.document).map { (property, $0) }
            }
    }

    /// Rounds a length, because CDX stores lengths as binary fractions.
    private static func rounded(_ length: Double) -> Double { (length * 10_000).rounded() / 10_000 }

    /// The properties that are copied: ink and background color, page margins, and the absolute spacing of double
    /// bonds in points.
    private static let taken: [DrawnProperty] = [.color, .groundColor, .printMargins, .absoluteBondSpacing]

    private static let unicode = 65001
    private static let fonts = [DrawnFont(id: 3, characterSet: unicode, name: "Arial")]

    /// White and black, followed by the other colors.
    private static let colors: [DrawnColor] = [
        (1, 1, 1), (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1),
    ].map { part in
        DrawnColor(red: part.0 * 0xFFFF, green: part.1 * 0xFFFF, blue: part.2 * 0xFFFF)
    }
}
