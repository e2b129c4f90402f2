import ChemopenBytes
import ChemopenModel

/// A line of a V3000 table with its continuation lines, without the `M  V30 ` before each part.
struct V3000Line {
    var text: [UInt8] = []
    /// The number of its first line, counted from 0 in the reader's cursor.
    var number = 0
    /// The start column of the text; `nil` if the text has continuation lines.
    var column: Int?

    /// The first token. Lines of atoms, bonds and Sgroups begin with a number, which is not a keyword.
    var keyword: V3000Keyword {
        if let first = text.first, Ascii.isDigit(first) { return .unknown }
        return V3000Keyword(wordRange(from: 0), of: text.span)
    }

    /// The block that the line begins or ends.
    var block: V3000Keyword {
        V3000Keyword(wordRange(from: wordRange(from: 0).upperBound), of: text.span)
    }

    /// The name of the block in upper case; empty if it has no name.
    var blockName: [UInt8] {
        text[wordRange(from: wordRange(from: 0).upperBound)].map(Ascii.upper)
    }

    private func wordRange(from start: Int) -> Range<Int> {
        var start = start
        while start < text.count, Ascii.isBlank(text[start]) { start += 1 }
        var end = start
        while end < text.count, !Ascii.isBlank(text[end]) { end += 1 }
        return start..<end
    }
}

/// The role of a line in the V3000 part of a molfile.
private enum V3000LineStart {
    /// A line of the table; its text begins at the index.
    case text(Int)
    /// A line of the table with an irregular prefix.
    case loose(Int)
    /// `M  END`, or a line that can only follow a molfile.
    case end
    case other

    init(_ line: Range<Int>, of bytes: Span<UInt8>) {
        if line.count >= 8, loadWord(bytes, at: line.lowerBound) & 0x00FF_FFFF_FFFF_FFFF == 0x0020_3033_5620_204D {
            // The constant is `M  V30 ` with the first character in the low byte.
            self = .text(line.lowerBound &+ 7)
            return
        }
        var at = line.lowerBound
        while at < line.upperBound, Ascii.isBlank(bytes[at]) { at &+= 1 }
        guard at < line.upperBound else {
            self = .other
            return
        }
        let first = bytes[at]
        if first == Ascii.dollar && at == line.lowerBound {
            self = .end
        } else if first == Ascii.greater {
            let isHeader = firstIndex(of: Ascii.less, in: bytes, from: at, to: line.upperBound) != nil
            self = isHeader ? .end : .other
        } else if Ascii.upper(first) == 0x4D {
            self = Self.behindLetter(at &+ 1, line, bytes)
        } else {
            self = .other
        }
    }

    /// Determines the kind of a line that begins with `M`: blanks, then `V30` or `END`, ignoring case.
    private static func behindLetter(_ start: Int, _ line: Range<Int>, _ bytes: Span<UInt8>) -> V3000LineStart {
        var at = start
        while at < line.upperBound, Ascii.isBlank(bytes[at]) { at &+= 1 }
        guard at > start, at &+ 3 <= line.upperBound, at &+ 3 == line.upperBound || Ascii.isBlank(bytes[at &+ 3]) else {
            return .other
        }
        if bytes.range(at..<at &+ 3, spells: "END") { return .end }
        guard bytes.range(at..<at &+ 3, spells: "V30") else { return .other }
        let text = min(at &+ 4, line.upperBound)
        return bytes.range(line, begins: "M  V30") ? .text(text) : .loose(text)
    }
}

/// Reads V3000 lines with their continuation lines.
struct V3000LineReader: ~Copyable {
    var lines: LineCursor
    var ledger: IssueCollector
    /// Whether an irregular prefix was already reported.
    private var hasLooseLines = false

    init(_ lines: LineCursor, _ ledger: consuming IssueCollector) {
        self.lines = lines
        self.ledger = ledger
    }

    /// Returns the reader, and replaces it by one without issues at the same position.
    mutating func take() -> V3000LineReader {
        exchange(&self, with: V3000LineReader(lines, IssueCollector(firstLine: ledger.firstLine)))
    }

    /// The number of the line that was read last.
    var currentLine: Int { lines.line &- 1 }

    /// Whether the text ends in a line feed. If so, a scan does not have to check for the end of the bytes.
    func endsInLineFeed(_ bytes: Span<UInt8>) -> Bool {
        lines.end > lines.position && lines.end <= bytes.count && bytes[lines.end &- 1] == Ascii.lineFeed
    }

    /// Reads the next line of the table; `nil`, without reading, at the end of the molfile.
    ///
    /// Other lines are reported and skipped.
    mutating func next(_ bytes: Span<UInt8>) -> V3000Line? {
        var line = V3000Line()
        return next(bytes, into: &line) ? line : nil
    }

    /// Reads the next line into an existing one, to reuse its memory; returns `false` at the end of the molfile.
    mutating func next(_ bytes: Span<UInt8>, into taken: inout V3000Line) -> Bool {
        while let line = lines.peek(in: bytes) {
            switch V3000LineStart(line, of: bytes) {
            case .text(let start):
                take(start, line, bytes, into: &taken)
                return true
            case .loose(let start):
                take(start, line, bytes, into: &taken)
                if !hasLooseLines {
                    hasLooseLines = true
                    ledger.doubt(
                        taken, "the line does not begin with M, two blanks, V30 and a blank; read anyway")
                }
                return true
            case .end:
                return false
            case .other:
                _ = lines.next(in: bytes)
                if !bytes.isBlank(line) {
                    ledger.doubt(line, at: currentLine, of: bytes, "not a line of a V3000 table; skipped")
                }
            }
        }
        return false
    }

    /// Reads a line and its continuation lines. If a line is continued, it ends in `-`.
    private mutating func take(
        _ start: Int, _ line: Range<Int>, _ bytes: Span<UInt8>, into taken: inout V3000Line
    ) {
        taken.number = lines.line
        taken.column = start &- line.lowerBound
        taken.text.removeAll(keepingCapacity: true)
        let isFolded = start < line.upperBound && bytes[line.upperBound &- 1] == Ascii.minus
        let usualLengthOfFolded = 320
        if isFolded { taken.text.reserveCapacity(usualLengthOfFolded) }
        taken.text.append(start..<line.upperBound, of: bytes)
        lines.takeSeen(line, in: bytes)
        // If the text itself ends in a dash, an empty continuation line follows.
        var goesOn = isFolded
        while goesOn, let next = lines.peek(in: bytes) {
            let part: Range<Int>
            switch V3000LineStart(next, of: bytes) {
            case .text(let start), .loose(let start): part = start..<next.upperBound
            case .end, .other: return
            }
            if closesBlock(part, bytes) {
                ledger.doubt(taken, "the line ends in -, but the next one ends the block; read without a continuation")
                return
            }
            lines.takeSeen(next, in: bytes)
            taken.text.removeLast()
            taken.column = nil
            taken.text.append(part, of: bytes)
            goesOn = !part.isEmpty && bytes[part.upperBound &- 1] == Ascii.minus
        }
    }

    /// Whether a part is the end of a block, such as `END SGROUP`, and therefore not a continuation of a value.
    private func closesBlock(_ part: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard part.count <= 14, bytes.range(part, begins: "END ") else { return false }
        switch V3000Keyword(part.lowerBound &+ 4..<part.upperBound, of: bytes) {
        case .atom, .bond, .sgroup, .collection, .object, .table, .rgroup, .template: return true
        default: return false
        }
    }

    /// Reads the rest of a block, including nested blocks. If the block is not closed, its end is added.
    mutating func block(_ bytes: Span<UInt8>, from first: V3000Line) -> Text {
        var text = first.text
        var open = [first.blockName]
        while let name = open.last {
            let start = lines
            guard let line = next(bytes) else {
                ledger.doubt(first, "the block has no END; preserved with the following lines")
                break
            }
            if line.keyword == .begin {
                open.append(line.blockName)
            } else if line.keyword == .end {
                let ended = line.blockName
                if ended == name {
                    open.removeLast()
                } else if line.block.isOuterBlock || line.block == .table {
                    lines = start
                    ledger.doubt(first, "the block has no END; preserved with the following lines")
                    break
                } else {
                    ledger.doubt(line, "the line does not match the open block; preserved verbatim")
                }
            }
            text.append(Ascii.lineFeed)
            text += line.text
        }
        for name in open.reversed() { text += [Ascii.lineFeed] + Array("END ".utf8) + name }
        return Text(bytes: text)
    }
}

extension V3000Line {
    /// Returns a fault in the line, or in a part of it.
    func fault(_ part: Range<Int> = 0..<0, expected: StaticString) -> Fault {
        guard let column, !part.isEmpty else { return Fault(line: number, expected: expected) }
        return Fault(line: number, part.lowerBound + column..<part.upperBound + column, expected: expected)
    }

    /// The name after `BEGIN CTAB`.
    var tableName: Text {
        var words = V3000Words()
        _ = words.next(in: text.span)
        _ = words.next(in: text.span)
        return words.next(in: text.span)?.text(in: text.span) ?? Text()
    }
}
