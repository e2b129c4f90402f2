/// The widths of Helvetica, Arial and compatible free fonts, to measure labels without a font.
enum Lettering {
    /// The widths of the characters from U+0020 to U+007E, in thousandths of the font size.
    private static let widths: [Int16] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ]

    /// The height of capitals and digits, relative to the font size.
    static let capitalHeight = 0.716
    /// The depth of letters below the baseline, relative to the font size.
    static let depth = 0.21

    /// The widths of other common faces.
    private static let boldWidths: [Int16] = [
        278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
        975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
        333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
        611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
    ]
    private static let serifWidths: [Int16] = [
        250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
        500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
        921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
        556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
        333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
        500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
    ]
    private static let boldSerifWidths: [Int16] = [
        250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278,
        500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500,
        930, 722, 667, 722, 722, 667, 611, 778, 778, 389, 500, 778, 667, 944, 722, 778,
        611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581, 500,
        333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500,
        556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
    ]
    private static let typewriterWidth = 600

    static func width(of text: String, size: Double, _ face: Font = Font()) -> Double {
        let table: [Int16]
        switch (face.family, face.isBold) {
        case (.sans, false): table = widths
        case (.sans, true): table = boldWidths
        case (.serif, false): table = serifWidths
        case (.serif, true): table = boldSerifWidths
        case (.typewriter, _): return Double(typewriterWidth * text.unicodeScalars.count) / 1000 * size
        }
        var sum = 0
        for scalar in text.unicodeScalars {
            let value = scalar.value
            sum += value >= 0x20 && value < 0x7F ? Int(table[Int(value) - 0x20]) : width(beyondASCII: value)
        }
        return Double(sum) / 1000 * size
    }

    /// Returns the width of a character that is not in the tables. It is the same for all faces.
    private static func width(beyondASCII value: UInt32) -> Int {
        switch value {
        case ..<0x20, 0x300...0x36F: 0
        case 0x2212: 584
        case 0x2022: 350
        case 0xB7: 278
        case 0x2192, 0x2190, 0x2E80...0xFFEF, 0x1F000...0x3FFFF: 1000
        default: 600
        }
    }

    /// Whether any letter extends below the baseline.
    static func hasDepth(_ text: String) -> Bool {
        text.utf8.contains { "gjpqy,;()[]{}|Q@_".utf8.contains($0) }
    }

    /// Returns the height of the letters, relative to the font size.
    static func height(of text: String) -> Double {
        let isLow = text.utf8.allSatisfy { "acegmnopqrsuvwxyz.,-:;".utf8.contains($0) }
        return isLow ? 0.54 : capitalHeight
    }
}
