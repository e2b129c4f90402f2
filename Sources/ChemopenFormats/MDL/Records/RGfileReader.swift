import ChemopenBytes
import ChemopenModel

/// Reads an R-group file: `$MDL`, the header, the root's table, then the tables of each R-group's members.
struct RGfileReader {
    private(set) var lines: LineCursor
    private(set) var issues: [Issue] = []
    private(set) var molecule = Molecule()
    private let firstLine: Int
    /// The R-groups with their members, in file order.
    private var groups: [RGroup] = []
    private var hasRoot = false
    private var isInGroup = false

    init(_ lines: LineCursor, firstLine: Int) {
        self.lines = lines
        self.firstLine = firstLine
    }

    /// Reads from `$MDL` to `$END MOL`.
    mutating func read(_ buffer: [UInt8]) throws(Fault) {
        let bytes = buffer.span
        var isClosed = false
        _ = lines.next(in: bytes)
        while let line = lines.next(in: bytes) {
            if bytes.range(line, begins: "$END MOL") {
                isClosed = true
                break
            }
            if bytes.range(line, begins: "$HDR") {
                readHeading(buffer)
            } else if bytes.range(line, begins: "$CTAB") {
                try readTable(bytes)
            } else if bytes.range(line, begins: "$RGP") {
                try beginGroup(bytes)
            } else if bytes.range(line, begins: "$END RGP") {
                isInGroup = false
            } else if isFrame(line, bytes) {
                continue
            } else {
                tell(line, bytes, "not a line of an R-group file; skipped")
            }
        }
        guard hasRoot else { throw Fault(line: max(0, lines.line - 1), expected: "$CTAB, the root of an R-group file") }
        if !isClosed { issues.note(Issue(line: firstLine &+ lines.line, "$END MOL is missing; read to the end")) }
        addGroups()
    }

    /// Whether a line only structures the file and has no content of its own.
    private func isFrame(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.range(line, begins: "$MOL") || bytes.range(line, begins: "$END CTAB") || bytes.isBlank(line)
    }

    private mutating func tell(_ line: Range<Int>, _ bytes: Span<UInt8>, _ message: String) {
        issues.note(Issue(line: firstLine &+ lines.line &- 1, message, found: Text(bytes: bytes.bytes(line))))
    }

    private mutating func readHeading(_ buffer: [UInt8]) {
        let bytes = buffer.span
        var heading: [Range<Int>] = []
        while let line = lines.peek(in: bytes), !bytes.range(line, begins: "$CTAB") {
            _ = lines.next(in: bytes)
            if bytes.range(line, begins: "$END HDR") { break }
            heading.append(line)
        }
        if heading.count != 3 {
            issues.note(Issue(line: firstLine &+ lines.line &- 1, "the header has \(heading.count) lines instead of 3"))
        }
        while heading.count < 3 { heading.append(lines.position..<lines.position) }
        molecule.heading.set(name: buffer[heading[0]], origin: buffer[heading[1]], comment: buffer[heading[2]])
    }

    private mutating func beginGroup(_ bytes: Span<UInt8>) throws(Fault) {
        guard let line = lines.next(in: bytes), let number = bytes.integer(line) else {
            throw Fault(line: max(0, lines.line - 1), expected: "the number of an R-group")
        }
        isInGroup = true
        groups.append(RGroup(number))
    }

    /// Reads the table of the root or of a member.
    private mutating func readTable(_ bytes: Span<UInt8>) throws(Fault) {
        var headed = Molecule()
        headed.heading = molecule.heading
        var table = MolfileReader(lines, firstLine: firstLine, into: headed)
        defer { issues.note(table.issues) }
        try table.readTable(bytes)
        lines = table.lines
        if !isInGroup, !hasRoot {
            molecule = table.takeMolecule()
            hasRoot = true
            return
        }
        var member = table.takeMolecule()
        member.heading = Heading()
        if groups.isEmpty {
            issues.note(Issue(line: firstLine &+ lines.line &- 1, "a second root; read as a member of R-group 0"))
            groups.append(RGroup(0))
        }
        groups[groups.count - 1].members.append(member)
    }

    /// Adds the members to the R-groups that the root's `M  LOG` lines define.
    private mutating func addGroups() {
        if groups.isEmpty { return }
        var all = molecule.extras.contents.rgroups
        for group in groups {
            if let place = all.firstIndex(where: { $0.number == group.number }) {
                all[place].members += group.members
            } else {
                all.append(group)
            }
        }
        molecule.extras.contents.rgroups = all
    }
}

extension RGfileReader {
    /// Whether an R-group file begins at the next line. Some writers of reactions use `$MDL` instead of `$MOL`.
    static func isNext(_ lines: LineCursor, _ bytes: Span<UInt8>) -> Bool {
        var lines = lines
        guard let first = lines.next(in: bytes), bytes.range(first, begins: "$MDL"), let second = lines.next(in: bytes)
        else { return false }
        return bytes.range(second, begins: "$MOL") || bytes.range(second, begins: "$HDR")
    }
}
