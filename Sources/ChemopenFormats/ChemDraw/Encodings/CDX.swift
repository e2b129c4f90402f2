import ChemopenBytes
import ChemopenModel

extension Format {
    /// ChemDraw's binary file: a drawing of molecules, schemes, text and pictures.
    ///
    /// Base64 text and OLE containers that hold one are known by their first bytes. Coordinates come in Ångström with
    /// a bond of 1.5; the drawing's own bond length, in points, stands in each molecule's comment.
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

/// Whether the directory of a compound file lists the stream that holds a drawing.
private func mentionsContents(_ bytes: [UInt8]) -> Bool {
    let name = "CONTENTS".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    var place = 512
    while place + 128 <= bytes.count {
        if bytes[place...].starts(with: name) { return true }
        place += 128
    }
    return false
}

/// The features that drawings have a place for.
enum DrawingFeatures {
    static let all = Features(
        .molecules, .reactions, .severalRecords, .recordsWithoutStructure, .fields, .repeatedFields,
        .emptyLinesInValues, .names, .origins, .comments, .coordinates, .heights, .chiralFlag, .charges, .isotopes,
        .radicals, .radicalMultiplicity, .hydrogenCounts, .impliedHydrogens, .valences, .mapNumbers, .labels, .aliases,
        .atomValues, .parities, .bonds, .zeroOrderBonds, .higherOrders, .aromaticBonds, .queryBonds, .dativeBonds,
        .hydrogenBonds, .multicenterBonds, .stereoMarks, .bondDisplay, .bondGeometries, .stereoGroups, .sgroups,
        .sgroupDetails, .abbreviations, .collections, .atomLists, .queryAtoms, .bondTopology, .linkNodes, .rgroups,
        .rgroupLogic,
        .attachmentPoints, .agents, .conditions, .arrowKinds, .stoichiometry, .reactingCenters, .reactionMarks,
        .templates, .extensionFields, .unknown)
}
