import ChemopenBytes
import ChemopenModel

/// The warnings about a text, each with its position.
struct IssueCollector: ~Copyable {
    /// The line number of the first line of the text in its file.
    let firstLine: Int
    private(set) var issues: [Issue] = []

    init(firstLine: Int) {
        self.firstLine = firstLine
    }

    /// Returns the collected issues and clears them.
    mutating func take() -> IssueCollector {
        exchange(&self, with: IssueCollector(firstLine: firstLine))
    }

    /// Adds a warning about a line, counted from 0.
    mutating func doubt(at line: Int, _ message: String, severity: Issue.Severity = .doubt) {
        issues.note(Issue(line: firstLine &+ line, message, severity: severity))
    }

    /// Adds a warning about the entire text.
    mutating func doubt(_ message: String) {
        issues.note(Issue(line: 0, message))
    }

    /// Adds a warning about the bytes of a line, or about some of its columns.
    mutating func doubt(
        _ line: Range<Int>, at number: Int, of bytes: Span<UInt8>, columns: Range<Int>? = nil, _ message: String,
        severity: Issue.Severity = .doubt
    ) {
        let part = columns.map { bytes.columns($0, of: line) } ?? line
        let shown = Text(bytes: bytes.bytes(part.lowerBound..<min(part.upperBound, part.lowerBound &+ 200)))
        issues.note(
            Issue(
                line: firstLine &+ number, columns: columns.map { $0.lowerBound + 1..<$0.upperBound + 1 } ?? 0..<0,
                message, found: shown, severity: severity))
    }

    /// Adds a warning about a V3000 line.
    mutating func doubt(_ line: V3000Line, _ message: String) {
        issues.note(Issue(line: firstLine &+ line.number, message, found: Text(bytes: line.text.prefix(200))))
    }

    /// Adds a warning about a part of a V3000 line.
    mutating func doubt(_ line: V3000Line, _ part: Range<Int>, _ message: String) {
        var columns = 0..<0
        if let column = line.column { columns = part.lowerBound + column + 1..<part.upperBound + column + 1 }
        issues.note(
            Issue(
                line: firstLine &+ line.number, columns: columns, message,
                found: Text(bytes: line.text[part].prefix(200))))
    }
}

extension IssueCollector {
    /// Removes and reports bonds from an atom to itself, and repeated bonds between the same atoms.
    ///
    /// - Parameter end: The line after the last bond.
    /// - Returns: The new index of each bond in the file, -1 for removed bonds; empty if no bond was removed.
    mutating func dropFaultyBonds(
        _ bonds: inout [Bond], of total: Int, before end: Int, alreadyDropped: [Int] = []
    ) -> [Int32] {
        let faulty = faultyBonds(bonds)
        if faulty.isEmpty, alreadyDropped.isEmpty { return [] }
        var numbering: [Int32] = []
        var kept: [Bond] = []
        var read = 0
        for number in 0..<total {
            if alreadyDropped.contains(number) {
                numbering.append(-1)
                continue
            }
            guard read < bonds.count else { break }
            if faulty.contains(read) {
                let bond = bonds[read]
                let reason = bond.from == bond.to ? "connects an atom to itself" : "repeats another bond"
                doubt(
                    at: end &- total &+ number,
                    "bond \(number + 1) (\(bond.from + 1)-\(bond.to + 1)) \(reason); omitted")
                numbering.append(-1)
            } else {
                numbering.append(Int32(clamping: kept.count))
                kept.append(bonds[read])
            }
            read += 1
        }
        bonds = kept
        return numbering
    }

    /// Returns the indices of invalid bonds.
    ///
    /// A filter with one bit for each hash of two atoms makes this fast. If the bit of a bond was already set,
    /// earlier bonds are searched for a duplicate. If there are too many searches, only the bonds that share a bit
    /// are compared.
    private func faultyBonds(_ bonds: [Bond]) -> Set<Int> {
        if !isSuspicious(bonds) { return [] }
        var filter = BondFilter()
        var shared = BondFilter()
        for bond in bonds where bond.from == bond.to || !filter.insert(bond) { _ = shared.insert(bond) }
        var faulty: Set<Int> = []
        var seen: Set<UInt64> = []
        for (index, bond) in bonds.enumerated() where shared.contains(bond) {
            let low = UInt64(UInt32(bitPattern: min(bond.from, bond.to)))
            let high = UInt64(UInt32(bitPattern: max(bond.from, bond.to)))
            if low == high || !seen.insert(high << 32 | low).inserted { faulty.insert(index) }
        }
        return faulty
    }
}

/// Whether a bond connects an atom to itself or repeats another bond, or needs too many searches to decide.
private func isSuspicious(_ bonds: [Bond]) -> Bool {
    var filter = BondFilter()
    var lookUps = 16
    for index in bonds.indices {
        let bond = bonds[index]
        if bond.from == bond.to { return true }
        if filter.insert(bond) { continue }
        lookUps &-= 1
        if lookUps < 0 || (0..<index).contains(where: { bonds[$0].joinsSameAtoms(as: bond) }) { return true }
    }
    return false
}

extension Bond {
    fileprivate func joinsSameAtoms(as other: Bond) -> Bool {
        from == other.from && to == other.to || from == other.to && to == other.from
    }
}

/// A set of bonds in which a bit represents each hash of a bond's two atoms. It can report bonds that were never
/// inserted.
private struct BondFilter {
    private var bits = [64 of UInt64](repeating: 0)

    /// Inserts a bond; returns `false` if the bit was already set.
    mutating func insert(_ bond: Bond) -> Bool {
        let hash = Self.hash(bond)
        let bit: UInt64 = 1 << UInt64(hash & 63)
        let isNew = bits[Int(hash >> 6)] & bit == 0
        bits[Int(hash >> 6)] |= bit
        return isNew
    }

    func contains(_ bond: Bond) -> Bool {
        let hash = Self.hash(bond)
        return bits[Int(hash >> 6)] & (1 << UInt64(hash & 63)) != 0
    }

    /// Returns a hash of twelve bits.
    private static func hash(_ bond: Bond) -> UInt32 {
        let low = UInt32(bitPattern: min(bond.from, bond.to))
        let high = UInt32(bitPattern: max(bond.from, bond.to))
        return (low &* 0x9E37_79B1 ^ high &* 0x85EB_CA6B) >> 20
    }
}
