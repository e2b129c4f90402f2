import ChemopenBytes
import ChemopenModel

extension Format {
    /// The SketchEl molecule: one molecule to a file, an atom or a bond to a line.
    public static let sketchEl = Format(
        id: "el",
        name: "SketchEl molecule",
        mimeTypes: ["chemical/x-sketchel"],
        extensions: ["el"],
        holds: SketchElFeatures.molecule,
        sniff: sniffSketchEl
    )
    .read(by: SketchElReader.self)
    .written(by: SketchElWriter.self)
    .signed(.sketchEl)
}

enum SketchElFeatures {
    /// The features of a record that a file of one molecule has no place for, whatever the molecule is.
    static let besideMolecule = Features(.origins, .fields, .registryNumbers, .unknown)

    /// The features that a molecule has a place for; those of other formats travel in fields of their own.
    static let molecule = Features.all.subtracting(besideMolecule).subtracting(
        Features(
            .reactions, .severalRecords, .recordsWithoutStructure, .fieldHeaders, .repeatedFields, .structuresInFields,
            .columnTypes, .columnSummaries, .sheetTitle, .sheetExtensions, .emptyLinesInValues, .foreignEncoding,
            .precision, .agents, .severalSteps, .conditions, .stoichiometry, .arrowKinds))
}

/// Those of `SketchEl!`, `WIMSchem!` and `Elements!`.
private let firstLetters = [UInt8(ascii: "S"), UInt8(ascii: "W"), UInt8(ascii: "E")]

/// The first line says it, behind blank lines, a molfile of the clipboard, or as one string of JSON. Lines of other text
/// before it are a mail or a page that holds a molecule.
@Sendable private func sniffSketchEl(_ head: Head) -> Confidence {
    let bytes = head.bytes.span
    if !hasOpening(bytes) { return .no }
    var lines = LineCursor(0..<bytes.count, of: bytes)
    if bytes.range(0..<bytes.count, begins: "\u{FEFF}") { lines.position = 3 }
    var before: Range<Int>?
    while let line = lines.next(in: bytes) {
        let text = bytes.trimmed(line)
        if text.isEmpty { continue }
        // No other letter begins a molecule, and pages are long.
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

/// Whether `!(` stands anywhere. Few files of other formats hold it, and their lines need not be walked through.
private func hasOpening(_ bytes: Span<UInt8>) -> Bool {
    var place = 0
    while let mark = firstIndex(of: UInt8(ascii: "!"), in: bytes, from: place, to: bytes.count) {
        place = mark + 1
        if place < bytes.count, bytes[place] == UInt8(ascii: "(") { return true }
    }
    return false
}
