import ChemopenBytes
import ChemopenModel

extension Format {
    /// SketchEl: one molecule per file, with a line for each atom and bond.
    public static let sketchEl = Format(
        id: "el",
        name: "SketchEl molecule",
        mimeTypes: ["chemical/x-sketchel"],
        extensions: ["el"],
        supportedFeatures: SketchElFeatures.molecule,
        sniff: sniffSketchEl
    )
    .read(by: SketchElReader.self)
    .written(by: SketchElWriter.self)
    .signed(.sketchEl)
}

enum SketchElFeatures {
    /// The features of a record that a file with a single molecule can never represent.
    static let besideMolecule = Features(.origins, .fields, .registryNumbers, .unknown)

    /// The features that a molecule can represent. Features of other formats are stored in extension fields.
    static let molecule = Features.all.subtracting(besideMolecule).subtracting(
        Features(
            .reactions, .severalRecords, .recordsWithoutStructure, .fieldHeaders, .repeatedFields, .fieldOrder,
            .structuresInFields,
            .columnTypes, .columnSummaries, .sheetTitle, .sheetExtensions, .emptyLinesInValues, .foreignEncoding,
            .precision, .agents, .severalSteps, .conditions, .stoichiometry, .arrowKinds))
}

/// The first letters of `SketchEl!`, `WIMSchem!` and `Elements!`.
private let firstLetters = [UInt8(ascii: "S"), UInt8(ascii: "W"), UInt8(ascii: "E")]

/// Detects SketchEl from the first line, which can follow blank lines or a molfile on the clipboard, or be a JSON
/// string. If it follows other text, the file is probably an e-mail or a page that contains a molecule.
@Sendable private func sniffSketchEl(_ head: Head) -> Confidence {
    let bytes = head.bytes.span
    if !hasOpening(bytes) { return .no }
    var lines = LineCursor(0..<bytes.count, of: bytes)
    if bytes.range(0..<bytes.count, begins: "\u{FEFF}") { lines.position = 3 }
    var before: Range<Int>?
    while let line = lines.next(in: bytes) {
        let text = bytes.trimmed(line)
        if text.isEmpty { continue }
        // On a page, most lines are skipped here, because they do not start with one of these letters.
        if before != nil, !firstLetters.contains(bytes[text.lowerBound]) {
            before = text
            continue
        }
        if SketchElMoleculeReader.generation(text, of: bytes) != nil {
            guard let before else { return .certain }
            return bytes.range(before, begins: "M  END") ? .certain : .possible
        }
        if before == nil, bytes.range(text, begins: "\"SketchEl!(") || bytes.range(text, begins: "\"Elements!(") {
            return .certain
        }
        before = text
    }
    return .no
}

/// Whether the text contains `!(`. Few files in other formats contain it, so their lines need not be examined.
private func hasOpening(_ bytes: Span<UInt8>) -> Bool {
    var place = 0
    while let mark = firstIndex(of: UInt8(ascii: "!"), in: bytes, from: place, to: bytes.count) {
        place = mark + 1
        if place < bytes.count, bytes[place] == UInt8(ascii: "(") { return true }
    }
    return false
}
