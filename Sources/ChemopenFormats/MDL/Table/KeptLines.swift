import ChemopenBytes
import ChemopenModel

/// Lines that the reader preserved because it does not recognize them, sorted for a writer.
///
/// They are written only if the reader would preserve them again. Lines that would now be read as part of a table,
/// end the table or continue on the next line are omitted and reported.
struct KeptLines {
    /// The lines among the property lines, or within the table.
    private(set) var inside: [Text] = []
    /// The lines after a V3000 table.
    private(set) var behind: [Text] = []
    private(set) var leftOut: [Text] = []

    var isEmpty: Bool { inside.isEmpty && behind.isEmpty }

    /// Selects the preserved lines that can be written to a molfile of this dialect.
    init(_ contents: Extras.Contents, _ dialect: Verbatim.Dialect, hasAtoms: Bool = true) {
        let texts = contents.verbatim.filter { $0.dialect == dialect }.map(\.text)
        if texts.isEmpty { return }
        for text in texts {
            if dialect == .v3000, Self.standsBehindTable(text) { behind.append(text) } else { inside.append(text) }
        }
        if readsBack(dialect, hasAtoms) { return }
        inside = []
        behind = []
        for text in texts {
            var alone = KeptLines()
            alone.inside = [text]
            if alone.readsBack(dialect, hasAtoms) {
                inside.append(text)
                continue
            }
            (alone.inside, alone.behind) = ([], [text])
            if dialect == .v3000, alone.readsBack(dialect, hasAtoms) {
                behind.append(text)
            } else {
                leftOut.append(text)
            }
        }
        if !readsBack(dialect, hasAtoms) { (inside, behind, leftOut) = ([], [], texts) }
    }

    private init() {}

    /// Whether a line belongs after the table. If it were within the table, it would be read as a part of the table,
    /// unlike in its source.
    private static func standsBehindTable(_ text: Text) -> Bool {
        let line = V3000Line(text: Array(text.bytes.prefix { $0 != Ascii.lineFeed }), number: 0, column: nil)
        guard line.keyword == .begin else { return line.keyword == .end || line.keyword == .counts }
        let block = line.block
        return block.isOuterBlock || [.table, .atom, .bond, .sgroup, .collection].contains(block)
    }

    /// Whether the reader finds exactly these lines in a table of at most one atom.
    private func readsBack(_ dialect: Verbatim.Dialect, _ hasAtoms: Bool) -> Bool {
        var file: [UInt8] = []
        if dialect == .v3000 {
            file.append("\n\n\n  0  0  0     0  0            999 V3000\n")
            file.append("M  V30 BEGIN CTAB\nM  V30 COUNTS 0 0 0 0 0\nM  V30 BEGIN ATOM\nM  V30 END ATOM\n")
            for text in inside { file.appendV3000Lines(text) }
            file.append("M  V30 END CTAB\n")
            for text in behind { file.appendV3000Lines(text) }
        } else {
            if inside.contains(where: Self.looksLikeBond) { return false }
            file.append(hasAtoms ? "\n\n\n  1  0" : "\n\n\n  0  0")
            file.append("  0  0  0  0  0  0  0  0999 V2000\n")
            if hasAtoms { file.append("    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n") }
            for text in inside { file.appendLines(text) }
        }
        file.append("M  END\n")
        var reader = MolfileReader(LineCursor(0..<file.count, of: file.span), firstLine: 1, into: Molecule())
        do throws(Fault) { try reader.read(file) } catch { return false }
        var expected = Extras.Contents()
        expected.verbatim = (inside + behind).map { Verbatim(dialect, $0) }
        return !reader.wantsMore && reader.lines.isAtEnd && reader.molecule.extras.contents == expected
    }

    /// Whether a line would be read as another bond if it followed the bonds.
    private static func looksLikeBond(_ text: Text) -> Bool {
        let line = Array(text.bytes.prefix { $0 != Ascii.lineFeed })
        guard (9...21).contains(line.count) else { return false }
        return [0..<3, 3..<6, 6..<9].allSatisfy { (line.span.integer($0) ?? 0) > 0 }
    }
}

extension [UInt8] {
    /// Appends a text of one or more lines.
    mutating func appendLines(_ text: Text) {
        append(contentsOf: text.bytes)
        append(Ascii.lineFeed)
    }

    /// Appends a text of one or more lines as V3000 lines.
    mutating func appendV3000Lines(_ text: Text) {
        for line in text.bytes.split(separator: Ascii.lineFeed, omittingEmptySubsequences: false) {
            let start = beginV3000Line()
            append(contentsOf: line)
            endV3000Line(from: start)
        }
    }
}
