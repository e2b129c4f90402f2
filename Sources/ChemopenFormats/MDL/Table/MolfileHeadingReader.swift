import ChemopenBytes
import ChemopenModel

/// Reads the first four lines of a molfile: title, program, comment and counts.
struct MolfileHeadingReader: ~Copyable {
    private(set) var lines: LineCursor
    var ledger: IssueCollector

    init(_ lines: LineCursor, _ ledger: consuming IssueCollector) {
        self.lines = lines
        self.ledger = ledger
    }

    /// Reads the four lines. A surplus or missing line is tolerated if the counts line is unmistakable.
    mutating func read(_ buffer: [UInt8], into molecule: inout Molecule) throws(Fault) -> CountsLine {
        let bytes = buffer.span
        let start = lines
        guard let title = lines.next(in: bytes) else {
            throw Fault(line: 0, expected: "a molfile of at least four lines")
        }
        guard let origin = lines.next(in: bytes), let comment = lines.next(in: bytes) else {
            throw Fault(line: lines.line, expected: "the counts line, which is the fourth line of a molfile")
        }
        if let line = lines.peek(in: bytes), let counts = CountsLine(line, of: bytes), !counts.isDoubtful {
            lines.takeSeen(line, in: bytes)
            setHeading(title, origin, comment, buffer, &molecule)
            if counts.isChiral { molecule.flags.insert(.chiral) }
            if counts.isOdd {
                doubt(line, of: bytes, "a negative count or an unknown version; read as V2000")
            } else if !counts.isInPlace {
                remark(line, of: bytes, "the counts line does not contain the version in its columns")
            }
            return counts
        }
        return try mended(bytes, buffer, from: start, &molecule)
    }

    /// Stores the three header lines, with NULs replaced by blanks.
    private mutating func setHeading(
        _ title: Range<Int>, _ origin: Range<Int>, _ comment: Range<Int>, _ buffer: [UInt8],
        _ molecule: inout Molecule
    ) {
        let end = max(title.upperBound, comment.upperBound)
        guard firstIndex(of: 0, in: buffer.span, from: title.lowerBound, to: end) != nil else {
            return molecule.heading.set(name: buffer[title], origin: buffer[origin], comment: buffer[comment])
        }
        ledger.doubt(at: 0, "a NUL in the header; replaced by a blank")
        let lines = [title, origin, comment].map { buffer[$0].map { $0 == 0 ? Ascii.blank : $0 }[...] }
        molecule.heading.set(name: lines[0], origin: lines[1], comment: lines[2])
    }

    private mutating func mended(
        _ bytes: Span<UInt8>, _ buffer: [UInt8], from start: LineCursor, _ molecule: inout Molecule
    ) throws(Fault) -> CountsLine {
        lines = start
        var head: [Range<Int>] = []
        let mostBlankLines = 20
        for _ in 0..<4 + mostBlankLines {
            guard let line = lines.next(in: bytes) else { break }
            let surplus = head.count - 3
            let isSurplusBlank = surplus >= 0 && head.prefix(surplus).allSatisfy { bytes.isBlank($0) }
            if head.count >= 2, surplus != 0, surplus <= 1 || isSurplusBlank, let counts = CountsLine(line, of: bytes),
                counts.isUnmistakable
            {
                doubt(
                    line, of: bytes,
                    "the header has \(head.count) lines instead of 3; this line is read as the counts line")
                if surplus > 0 { head.removeSubrange(isSurplusBlank ? 0..<surplus : 3..<4) }
                head.append(line.lowerBound..<line.lowerBound)
                setHeading(head[0], head[1], head[2], buffer, &molecule)
                return counts
            }
            head.append(line)
        }
        lines = start
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let line = lines.next(in: bytes) else {
            throw Fault(line: lines.line, expected: "the counts line, which is the fourth line of a molfile")
        }
        guard let counts = CountsLine(line, of: bytes) else {
            throw Fault(
                line: lines.line &- 1, 0..<line.count,
                expected: "a counts line: the numbers of atoms and bonds, and the version")
        }
        doubt(line, of: bytes, "the counts are not in their columns; split at blanks")
        setHeading(head[0], head[1], head[2], buffer, &molecule)
        if counts.isChiral { molecule.flags.insert(.chiral) }
        return counts
    }

    private mutating func doubt(_ line: Range<Int>, of bytes: Span<UInt8>, _ message: String) {
        ledger.doubt(line, at: lines.line &- 1, of: bytes, message)
    }

    private mutating func remark(_ line: Range<Int>, of bytes: Span<UInt8>, _ message: String) {
        ledger.doubt(line, at: lines.line &- 1, of: bytes, message, severity: .remark)
    }
}
