import ChemopenModel

extension Picture {
    /// How structures are drawn. The sizes are those that the journals of the American Chemical Society ask for.
    public struct Style: Sendable, Hashable {
        /// Lengths in points.
        public var bondLength = 14.4
        /// How thick bonds are.
        public var lineWidth = 0.6
        /// How thick bold bonds and the wide ends of wedges are.
        public var boldWidth = 2.0
        /// The distance of the strokes of a hashed wedge.
        public var hashSpacing = 2.5
        /// The space between a label and the bonds that lead to it.
        public var margin = 1.6
        /// The size of letters.
        public var fontSize = 10.0
        /// The space between the lines of a double bond, by the length of the bond.
        public var bondSpacing = 0.18
        /// The space around the whole.
        public var padding = 5.0
        /// Abbreviations are drawn with all their atoms.
        public var expandsAbbreviations = false
        /// The numbers that a reaction gives its atoms are drawn.
        public var showsMapNumbers = true
        /// Molecules that have no coordinates, or stand in space, are laid out.
        public var laysOut = true
        /// Remarks on how the picture came about stand below it in small print.
        public var showsRemarks = true
        /// Rows of reactions are broken where they become wider than this.
        public var widestRow = 720.0
        /// The colours of the inks.
        public var palette = Palette()

        /// The style of the journals.
        public init() {}

        /// A style for screens: the same, for a light or a dark ground or for the ground of a page.
        public init(_ theme: Palette.Theme, hasColors: Bool = true) {
            palette.theme = theme
            palette.hasColors = hasColors
        }
    }

    /// Which colours the inks have.
    public struct Palette: Sendable, Hashable {
        /// The ground that the colours are for.
        public var theme = Theme.light
        /// Elements have colours of their own.
        public var hasColors = false
        /// The colour that the picture is painted on; nothing where that shows through.
        public var ground: Color?

        /// Black on whatever is there.
        public init() {}

        /// A ground that colours are for.
        public enum Theme: UInt8, Sendable, Hashable {
            /// Black, for white paper.
            case light
            /// White, for a dark ground.
            case dark
            /// The colour of the text around it (`currentColor` in SVG); elements have colours that suit either ground.
            case inherited
        }
    }

    /// A colour by its parts of red, green and blue.
    public typealias Color = Page.Color
}

extension Picture.Color {
    /// `#rrggbb` or `#rgb`, with or without the sign; `nil` for anything else.
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
    /// The colour of an ink; `nil` for that of the text around it.
    public func color(of ink: Picture.Ink) -> Picture.Color? {
        switch ink {
        case .line: lineColor
        case .note: pick(.init(0x3D, 0x5A, 0x80), .init(0x9D, 0xC1, 0xEE), .init(0x5B, 0x80, 0xB5))
        case .highlight: pick(.init(0xFF, 0xE0, 0x8A), .init(0x6B, 0x57, 0x12), .init(0xE0, 0xB8, 0x4A))
        case .color(let color): suited(color)
        case .element(let element): hasColors ? color(of: element.rawValue) ?? lineColor : lineColor
        }
    }

    /// A colour that was chosen for white paper, so that it can be seen on the ground that there is.
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

    /// Elements as chemists know them, each dark or light enough to be read on its ground.
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
    /// The colour mixed with a part of white.
    func lightened(by part: Double) -> Picture.Color {
        func mixed(_ value: UInt8) -> UInt8 { UInt8(max(0, min(255, Double(value) + (255 - Double(value)) * part))) }
        return Picture.Color(mixed(red), mixed(green), mixed(blue))
    }
}
