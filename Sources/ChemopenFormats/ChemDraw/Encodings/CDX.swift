import ChemopenBytes
import ChemopenModel

extension Format {
    /// ChemDraw's binary format, a drawing of molecules, schemes, text and pictures.
    ///
    /// Base64 text and OLE containers with such a drawing are recognized by their first bytes. Coordinates are
    /// converted to Ångström with a bond length of 1.5; the comment of each molecule contains the drawing's own bond
    /// length in points.
    public static let cdx = Format(
        id: "cdx",
        name: "ChemDraw CDX",
        mimeTypes: ["chemical/x-cdx", "chemical/x-chemdraw"],
        extensions: ["cdx"],
        supportedFeatures: DrawingFeatures.all,
        sniff: sniffCDX
    )
    .read(by: DrawingReader.self)
    .written(by: DrawingWriter<CDXSpelling>.self)
    .onCommonPages()
    .seen(by: DrawingReader.pages)
    .rewriting(by: WholeDrawing.inCDX)
    .signed(.cdx)
}

@Sendable private func sniffCDX(_ head: Head) -> Confidence {
    switch DrawingWrapping(of: head.bytes[...]) {
    case .binary, .base64: .certain
    case .compoundFile: mentionsContents(head.bytes) ? .likely : .possible
    case .foreign: .possible
    default: .no
    }
}

/// Whether the directory of a compound file lists the `CONTENTS` stream, which contains the drawing.
private func mentionsContents(_ bytes: [UInt8]) -> Bool {
    let name = "CONTENTS".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    var place = 512
    while place + 128 <= bytes.count {
        if bytes[place...].starts(with: name) { return true }
        place += 128
    }
    return false
}

/// The features that drawings support.
enum DrawingFeatures {
    static let all = Features(
        .molecules, .reactions, .severalRecords, .recordsWithoutStructure, .fields, .repeatedFields, .fieldOrder,
        .emptyLinesInValues, .names, .origins, .comments, .coordinates, .heights, .chiralFlag, .charges, .isotopes,
        .radicals, .radicalMultiplicity, .hydrogenCounts, .impliedHydrogens, .valences, .mapNumbers, .labels, .aliases,
        .atomValues, .parities, .bonds, .zeroOrderBonds, .higherOrders, .aromaticBonds, .queryBonds, .dativeBonds,
        .hydrogenBonds, .multicenterBonds, .stereoMarks, .bondDisplay, .bondGeometries, .coordinationStereo,
        .stereoGroups,
        .sgroups, .sgroupDetails, .abbreviations, .collections, .atomLists, .queryAtoms, .bondTopology, .linkNodes,
        .rgroups,
        .rgroupLogic,
        .attachmentPoints, .agents, .conditions, .arrowKinds, .stoichiometry, .reactingCenters, .reactionMarks,
        .templates, .extensionFields, .unknown)
}
