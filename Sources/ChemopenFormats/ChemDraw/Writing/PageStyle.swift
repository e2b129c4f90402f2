import ChemopenModel

/// The sizes and fonts of a page.
///
/// The layout assumes bonds of 14.4 points, and is scaled to the bond length of the style.
struct PageStyle {
    var label = StyledText.Run(font: 3, face: formula, size: usualSize, color: 0, text: "")
    var caption = StyledText.Run(font: 3, face: 0, size: usualSize, color: 0, text: "")
    /// The number of the style's points in a point of the layout.
    var factor = 1.0

    static let usualSize = 10.0
    static let usualBond = 14.4
    /// The face of formulas, with digits as subscripts and charges as superscripts.
    static let formula = 0x60
    static let superscript = 0x40

    /// Converts a length of the layout to points of the style.
    func points(_ whole: Int) -> Double { Self.scaled(PagePlaces.points(whole), factor) }

    func scaled(_ points: Double) -> Double { Self.scaled(points, factor) }

    static func scaled(_ points: Double, _ factor: Double) -> Double {
        factor == 1 ? points : (points * factor * 10_000).rounded() / 10_000
    }

    /// Converts points of the style to a length of the layout.
    func whole(_ points: Double) -> Int { PagePlaces.whole(points: points / factor) }

    /// The height of letters in captions, and at atoms.
    var captionSize: Double { caption.size ?? Self.usualSize }
    var labelSize: Double { label.size ?? Self.usualSize }

    /// Returns the approximate size of a text.
    func size(of text: Text) -> PagePlaces.Size {
        var (lines, letters, longest) = (1, 0, 0)
        if XMLText.isPlain(text.bytes.span) { return room(lines: lines, longest: text.bytes.count) }
        var last: UInt32 = 0
        for scalar in text.string.unicodeScalars {
            switch scalar.value {
            case 0x0A where last == 0x0D: break
            case 0x0A, 0x0D: (lines, letters) = (lines + 1, 0)
            case 0x00..<0x20: break
            default: letters += 1
            }
            longest = max(longest, letters)
            last = scalar.value
        }
        return room(lines: lines, longest: longest)
    }

    private func room(lines: Int, longest: Int) -> PagePlaces.Size {
        PagePlaces.Size(
            width: whole(Double(min(longest, 1000)) * 0.56 * captionSize),
            height: whole(1.4 * captionSize) * min(lines, 1000))
    }
}
