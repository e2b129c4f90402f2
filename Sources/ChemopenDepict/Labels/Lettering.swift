/// The widths of Helvetica, which Arial and the free fonts in its place share: what a label takes is known without a font.
enum Lettering {
    /// The widths of the characters from U+0020 to U+007E, in thousandths of the size.
    private static let widths: [Int16] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ]

    /// How high capitals and figures stand, by the size.
    static let capitalHeight = 0.716
    /// How far letters reach below the line, by the size.
    static let depth = 0.21

    static func width(of text: String, size: Double) -> Double {
        var sum = 0
        for scalar in text.unicodeScalars { sum += width(of: scalar) }
        return Double(sum) / 1000 * size
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value >= 0x20, value < 0x7F { return Int(widths[Int(value) - 0x20]) }
        return switch value {
        case ..<0x20, 0x300...0x36F: 0
        case 0x2212: 584
        case 0x2022: 350
        case 0xB7: 278
        case 0x2192, 0x2190, 0x2E80...0xFFEF, 0x1F000...0x3FFFF: 1000
        default: 600
        }
    }

    /// Whether any letter reaches below the line.
    static func hasDepth(_ text: String) -> Bool {
        text.utf8.contains { "gjpqy,;()[]{}|Q@_".utf8.contains($0) }
    }

    /// How high the letters stand, by the size.
    static func height(of text: String) -> Double {
        let isLow = text.utf8.allSatisfy { "acegmnopqrsuvwxyz.,-:;".utf8.contains($0) }
        return isLow ? 0.54 : capitalHeight
    }
}
