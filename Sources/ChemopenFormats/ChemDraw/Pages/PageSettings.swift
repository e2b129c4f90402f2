import ChemopenModel

/// The settings of a document that determine the appearance of its pages.
struct PageSettings {
    var bondLength = 14.4
    var lineWidth = 0.6
    var boldWidth = 2.0
    var hashSpacing = 2.5
    var marginWidth = 1.6
    /// The distance between the lines of a double bond, as a fraction of the bond length.
    var bondSpacing = 0.18
    var label = StyledText.Run(font: nil, face: 0x60, size: 10, color: nil, text: Text())
    var caption = StyledText.Run(font: nil, face: 0, size: 10, color: nil, text: Text())
    private(set) var fonts: [Int: String] = [:]
    private var colors: [Page.Color] = []
    private var ink = 0
    /// The background color of the pages; nil for white.
    private(set) var ground: Page.Color?

    /// Creates the settings that the journals of the American Chemical Society require.
    init() {}

    init(of drawing: Drawing) {
        let document = Drawing.document
        func length(_ property: DrawnProperty) -> Double? {
            drawing.real(property, of: document).flatMap(Self.sound)
        }
        if let stated = length(.bondLength) { bondLength = stated }
        if let stated = length(.lineWidth) { lineWidth = stated }
        if let stated = length(.boldWidth) { boldWidth = stated }
        if let stated = length(.hashSpacing) { hashSpacing = stated }
        if let stated = length(.marginWidth) { marginWidth = stated }
        if let stated = drawing.real(.bondSpacing, of: document), stated > 1, stated < 100 {
            bondSpacing = stated / 100
        }
        if case .fonts(let table)? = drawing.value(.fontTable, of: document) {
            for font in table where fonts[font.id] == nil { fonts[font.id] = font.name.string }
        }
        if case .colors(let table)? = drawing.value(.colorTable, of: document) {
            colors = table.map { color in
                Page.Color(UInt8(color.red >> 8), UInt8(color.green >> 8), UInt8(color.blue >> 8))
            }
        }
        ink = drawing.integer(.color, of: document) ?? 0
        if case .styled(let style)? = drawing.value(.labelStyle, of: document), let run = style.runs.first {
            label = run
        }
        if case .styled(let style)? = drawing.value(.captionStyle, of: document), let run = style.runs.first {
            caption = run
        }
        label = Self.style(of: document, in: drawing, (.labelFont, .labelFace, .labelSize), over: label)
        caption = Self.style(of: document, in: drawing, (.captionFont, .captionFace, .captionSize), over: caption)
        let white = Page.Color(255, 255, 255)
        if let number = drawing.integer(.groundColor, of: document), let stated = color(number), stated != white {
            ground = stated
        }
    }

    /// Returns the length if it is plausible, and nil otherwise.
    static func sound(_ length: Double) -> Double? { length > 0.001 && length < 1000 ? length : nil }

    /// Returns a style with the font, face and size that an object specifies instead of its own.
    static func style(
        of place: Int, in drawing: Drawing,
        _ properties: (font: DrawnProperty, face: DrawnProperty, size: DrawnProperty),
        over style: StyledText.Run
    ) -> StyledText.Run {
        var style = style
        let mostFaces = 0x100
        if let font = drawing.integer(properties.font, of: place) { style.font = font }
        if let face = drawing.integer(properties.face, of: place), 0..<mostFaces ~= face { style.face = face }
        if let size = drawing.real(properties.size, of: place).flatMap(sound) { style.size = size }
        return style
    }

    /// Returns the color with a number in the color table, or nil for the page's default ink.
    func color(_ number: Int) -> Page.Color? {
        let black = Page.Color(0, 0, 0)
        let color: Page.Color? =
            switch number {
            case ...0: nil
            case 1: Page.Color(255, 255, 255)
            default: colors.indices.contains(number - 2) ? colors[number - 2] : nil
            }
        return color == black ? nil : color
    }
}
