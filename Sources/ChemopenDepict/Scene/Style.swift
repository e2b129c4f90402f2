import ChemopenModel

extension Picture {
    /// The style of drawings. The default sizes match the American Chemical Society's journals.
    public struct Style: Sendable, Hashable {
        /// The length of bonds, in points.
        public var bondLength = 14.4
        /// The width of bond lines.
        public var lineWidth = 0.6
        /// The width of bold bonds and of the wide ends of wedges.
        public var boldWidth = 2.0
        /// The distance between the strokes of a hashed wedge.
        public var hashSpacing = 2.5
        /// The space between a label and its bonds.
        public var margin = 1.6
        /// The font size.
        public var fontSize = 10.0
        /// The space between the lines of a double bond, relative to the bond length.
        public var bondSpacing = 0.18
        /// The space around the drawing.
        public var padding = 5.0
        /// Whether abbreviations are drawn with all their atoms.
        public var expandsAbbreviations = false
        /// Whether the atom map numbers of reactions are drawn.
        public var showsMapNumbers = true
        /// Whether 2D coordinates are computed for molecules with 3D or no coordinates.
        public var laysOut = true
        /// Whether remarks, for example about the origin of coordinates, appear below the picture in small print.
        public var showsRemarks = true
        /// The largest width of a row of a reaction.
        public var widestRow = 720.0
        /// The colors of the inks.
        public var palette = Palette()

        /// Creates the style of the journals.
        public init() {}

        /// Creates a style for screens, with colors for a light, dark or unknown background.
        public init(_ theme: Palette.Theme, hasColors: Bool = true) {
            palette.theme = theme
            palette.hasColors = hasColors
        }
    }

    /// The colors of the inks.
    public struct Palette: Sendable, Hashable {
        /// The type of background; it determines the colors.
        public var theme = Theme.light
        /// Whether elements have their own colors.
        public var hasColors = false
        /// The background color; `nil` for a transparent background.
        public var ground: Color?

        /// Creates a palette of black on a transparent background.
        public init() {}

        /// A type of background.
        public enum Theme: UInt8, Sendable, Hashable {
            /// Black lines on white paper.
            case light
            /// White lines on a dark background.
            case dark
            /// Lines in the inherited text color (`currentColor` in SVG), and element colors that are visible on any
            /// background.
            case inherited
        }
    }

    /// A color with red, green and blue components.
    public typealias Color = Page.Color
}

extension Picture.Color {
    /// Parses `#rrggbb` or `#rgb`, with or without the number sign; `nil` for any other text.
    public init?(hex: String) {
        var digits = hex.utf8.drop { $0 == UInt8(ascii: "#") }.compactMap { Self.value(ofDigit: $0) }
        guard digits.count == hex.utf8.count - (hex.hasPrefix("#") ? 1 : 0) else { return nil }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 else { return nil }
        self.init(digits[0] << 4 | digits[1], digits[2] << 4 | digits[3], digits[4] << 4 | digits[5])
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit &- 0x30
        case 0x41...0x46: digit &- 0x37
        case 0x61...0x66: digit &- 0x57
        default: nil
        }
    }
}

extension Picture.Palette {
    /// Returns the color of an ink, or `nil` for the inherited text color.
    public func color(of ink: Picture.Ink) -> Picture.Color? {
        switch ink {
        case .line: lineColor
        case .note: pick(.init(0x3D, 0x5A, 0x80), .init(0x9D, 0xC1, 0xEE), .init(0x5B, 0x80, 0xB5))
        case .highlight: pick(.init(0xFF, 0xE0, 0x8A), .init(0x6B, 0x57, 0x12), .init(0xE0, 0xB8, 0x4A))
        case .color(let color): suited(color)
        case .element(let element): hasColors ? color(of: element.rawValue) ?? lineColor : lineColor
        }
    }

    /// Returns a color that was chosen for white paper, adapted to the background.
    private func suited(_ color: Picture.Color) -> Picture.Color {
        guard theme == .dark else { return color }
        let brightness = (Int(color.red) * 3 + Int(color.green) * 6 + Int(color.blue)) / 10
        if brightness > 0xF0 { return Picture.Color(0x1B, 0x1B, 0x1D) }
        return brightness < 0x70 ? color.lightened(by: 0.5) : color
    }

    private var lineColor: Picture.Color? {
        switch theme {
        case .light: .init(0, 0, 0)
        case .dark: .init(0xF2, 0xF2, 0xF2)
        case .inherited: nil
        }
    }

    private func pick(_ light: Picture.Color, _ dark: Picture.Color, _ either: Picture.Color) -> Picture.Color {
        switch theme {
        case .light: light
        case .dark: dark
        case .inherited: either
        }
    }

    /// Returns the usual color of an element, dark or light enough for its background.
    private func color(of number: UInt8) -> Picture.Color? {
        switch number {
        case 7: pick(.init(0x1F, 0x4F, 0xD8), .init(0x8F, 0xB4, 0xFF), .init(0x4C, 0x7D, 0xF0))
        case 8: pick(.init(0xC9, 0x1D, 0x1D), .init(0xFF, 0x8F, 0x85), .init(0xE0, 0x4B, 0x40))
        case 9, 17: pick(.init(0x1B, 0x7F, 0x2E), .init(0x7D, 0xDD, 0x8C), .init(0x2E, 0x9E, 0x48))
        case 35: pick(.init(0x8F, 0x3B, 0x12), .init(0xE8, 0xA0, 0x7C), .init(0xB8, 0x60, 0x35))
        case 53: pick(.init(0x6E, 0x1F, 0x9C), .init(0xD3, 0x9C, 0xF5), .init(0x9A, 0x57, 0xC4))
        case 16: pick(.init(0x8A, 0x6A, 0x00), .init(0xEB, 0xCB, 0x4B), .init(0xA8, 0x86, 0x12))
        case 15: pick(.init(0xB3, 0x55, 0x00), .init(0xFF, 0xB1, 0x66), .init(0xCC, 0x70, 0x18))
        case 5: pick(.init(0xA3, 0x4F, 0x4F), .init(0xF0, 0xB0, 0xA8), .init(0xBF, 0x74, 0x6C))
        case 14: pick(.init(0x6F, 0x63, 0x3C), .init(0xD8, 0xC9, 0x97), .init(0x97, 0x89, 0x5A))
        default: nil
        }
    }
}

extension Picture.Color {
    /// Returns the color mixed with white.
    func lightened(by part: Double) -> Picture.Color {
        func mixed(_ value: UInt8) -> UInt8 { UInt8(max(0, min(255, Double(value) + (255 - Double(value)) * part))) }
        return Picture.Color(mixed(red), mixed(green), mixed(blue))
    }
}
