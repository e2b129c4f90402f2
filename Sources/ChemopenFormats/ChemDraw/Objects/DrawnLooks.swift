/// Published properties that are skipped.
///
/// A property that is in neither this table nor the table of supported properties counts as unknown.
enum DrawnLooks {
    static func has(tag: UInt16) -> Bool {
        ranges.contains { $0.contains(tag) }
    }

    /// The tables whose counts are checked, and the objects that a symbol represents.
    static let tables: Set<UInt16> = [0x000E, 0x0100, 0x0300, 0x0704, 0x0A23]

    static let ranges: [ClosedRange<UInt16>] = [
        0x0001...0x0018, 0x0100...0x0100, 0x0200...0x0210, 0x0300...0x030A, 0x0400...0x0455, 0x0500...0x0506,
        0x0600...0x0612, 0x0700...0x070B, 0x0800...0x0834, 0x0900...0x0902, 0x0A00...0x0A7F, 0x0AA0...0x0AB2,
        0x0B00...0x0B02, 0x0B80...0x0B8F, 0x0BB0...0x0BD7, 0x0C00...0x0C0C, 0x0D00...0x0D0A, 0x0E00...0x0E03,
        0x0F00...0x0F0F, 0x1000...0x1002, 0x1100...0x1100, 0x1200...0x120F, 0x1400...0x1403, 0x1500...0x1502,
        0x1600...0x1602, 0x1FF0...0x1FF1, 0x4000...0x43FF,
        DrawnProperty.firstOwn.rawValue...DrawnProperty.lastOwn.rawValue,
    ]

    /// Undocumented attributes, and attributes of elements that are not objects.
    static let attributes: [String] =
        """
        CaptionStyle CreationDate DrawingSpaceType EMF Formula GraphicExtent Head LabelStyle \
        ModificationDate NodeFormula ShowEnhancedStereo ShowPrimeLabels charset name font size face \
        attribute object r g b xmlns ExtraPoint ExtraPoints cartridge ConnectionPoint rf
        """.utf8.split(separator: 0x20).map { String(Substring($0)) }

    /// Whether an attribute is the caption of a calculated property, such as `ChemPropName`.
    static func isCaption(attribute name: [UInt8]) -> Bool {
        name.starts(with: "ChemProp".utf8)
    }
}
