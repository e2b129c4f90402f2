import ChemopenBytes
import ChemopenModel

/// Reads one molfile: the three header lines, the counts line and the connection table of either version.
///
/// The bytes are passed to each method. The position, the molecule and the issues are passed from one reader to the
/// next.
struct MolfileReader: ~Copyable {
    private(set) var lines: LineCursor
    private var draft: MoleculeBuilder
    private var ledger: IssueCollector
    private(set) var version = ""
    /// Whether `S  SKP` skips lines past the end of the text. If so, the record continues after its apparent end.
    private(set) var wantsMore = false

    init(_ lines: LineCursor, firstLine: Int, into molecule: consuming Molecule) {
        self.lines = lines
        ledger = IssueCollector(firstLine: firstLine)
        draft = MoleculeBuilder(molecule)
    }

    var molecule: Molecule { draft.molecule }

    var issues: [Issue] { ledger.issues }

    /// Returns the molecule without a copy, and replaces it by an empty one.
    mutating func takeMolecule() -> Molecule {
        exchange(&draft.molecule, with: Molecule())
    }

    /// Reads from the title to `M  END`.
    mutating func read(_ buffer: [UInt8]) throws(Fault) {
        draft.molecule.removeAll()
        try readTable(try readHeading(buffer), buffer.span)
    }

    /// Reads a table without the three header lines, from the counts line to `M  END`.
    mutating func readTable(_ bytes: Span<UInt8>) throws(Fault) {
        guard let line = lines.next(in: bytes), let counts = CountsLine(line, of: bytes) else {
            throw Fault(
                line: lines.line &- 1, expected: "a counts line: the numbers of atoms and bonds, and the version")
        }
        if counts.isDoubtful {
            ledger.doubt(line, at: lines.line &- 1, of: bytes, "the counts are not in their columns; split at blanks")
        }
        if counts.isChiral { draft.molecule.flags.insert(.chiral) }
        try readTable(counts, bytes)
    }

    private mutating func readHeading(_ buffer: [UInt8]) throws(Fault) -> CountsLine {
        var reader = MolfileHeadingReader(lines, ledger.take())
        defer {
            lines = reader.lines
            ledger = reader.ledger.take()
        }
        return try reader.read(buffer, into: &draft.molecule)
    }

    private mutating func readTable(_ counts: CountsLine, _ bytes: Span<UInt8>) throws(Fault) {
        let isV3000InDisguise = !counts.isV3000 && isBeforeV3000(bytes)
        if isV3000InDisguise {
            ledger.doubt(at: lines.line, "the counts line does not specify V3000, but the lines do; read as V3000")
        }
        if counts.isV3000 || isV3000InDisguise {
            version = "V3000"
            try readV3000(bytes)
        } else {
            version = "V2000"
            try readV2000(bytes, counts)
        }
        draft.numberSites()
        draft.settle()
    }

    /// Whether the next line is a V3000 line.
    private func isBeforeV3000(_ bytes: Span<UInt8>) -> Bool {
        guard lines.position < lines.end, bytes[lines.position] == UInt8(ascii: "M") else { return false }
        return lines.peek(in: bytes).map { bytes.range($0, begins: "M  V30 ") } ?? false
    }

    private mutating func readV2000(_ bytes: Span<UInt8>, _ counts: CountsLine) throws(Fault) {
        var table = V2000TableReader(lines, ledger.take(), into: draft.take())
        do throws(Fault) {
            try table.read(bytes, counts)
        } catch {
            ledger = table.ledger
            throw error
        }
        var properties = V2000PropertyReader(behind: table)
        properties.read(bytes, textEntries: counts.textEntries)
        lines = properties.lines
        wantsMore = properties.wantsMore
        ledger = properties.ledger
        draft = properties.draft
    }

    private mutating func readV3000(_ bytes: Span<UInt8>) throws(Fault) {
        var reader = V3000Reader(V3000LineReader(lines, ledger.take()), into: draft.take())
        do throws(Fault) {
            try reader.read(bytes)
        } catch {
            ledger = reader.text.ledger
            throw error
        }
        lines = reader.text.lines
        ledger = reader.text.ledger
        draft = reader.draft
    }
}
