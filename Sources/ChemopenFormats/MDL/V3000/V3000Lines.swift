import ChemopenBytes
import ChemopenModel

/// A line of a V3000 table with all that continues it, without the `M  V30 ` in front of each part.
struct V3000Line {
    var text: [UInt8] = []
    /// The number of its first line, from 0 in the reader's cursor.
    var number = 0
    /// Where the text begins in its line; `nil` where it goes over several.
    var column: Int?

    /// The first word. Lines of atoms, bonds and Sgroups begin with a number, which is none.
    var keyword: V3000Keyword {
        if let first = text.first, Ascii.isDigit(first) { return .unknown }
        return V3000Keyword(wordRange(from: 0), of: text.span)
    }

    /// The block that the line begins or ends.
    var block: V3000Keyword {
        V3000Keyword(wordRange(from: wordRange(from: 0).upperBound), of: text.span)
    }

    /// The name of the block in capitals; empty where it has none.
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

/// The role of a line of a molfile in a V3000 table.
private enum V3000LineStart {
    /// A line of the table, whose text begins here.
    case text(Int)
    /// The same, but not written as it should be.
    case loose(Int)
    /// `M  END`, or what can only stand behind a molfile.
    case end
    case other

    init(_ line: Range<Int>, of bytes: Span<UInt8>) {
        if line.count >= 8, loadWord(bytes, at: line.lowerBound) & 0x00FF_FFFF_FFFF_FFFF == 0x0020_3033_5620_204D {
            // `M  V30 `, the first letter lowest.
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

    /// The kind of line, told by the text behind its `M`: blanks, then `V30` or `END` in letters of any case.
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

/// Takes the lines of V3000, each with all that continues it.
struct V3000LineReader: ~Copyable {
    var lines: LineCursor
    var ledger: Ledger
    /// Lines that do not begin as they should are told once.
    private var hasLooseLines = false

    init(_ lines: LineCursor, _ ledger: consuming Ledger) {
        self.lines = lines
        self.ledger = ledger
    }

    /// Hands the lines on; an empty ledger stays.
    mutating func take() -> V3000LineReader {
        exchange(&self, with: V3000LineReader(lines, Ledger(firstLine: ledger.firstLine)))
    }

    /// The number of the line taken last.
    var currentLine: Int { lines.line &- 1 }

    /// Whether every line ends in a line feed, so that a scan need not look for the end of the bytes.
    func endsInLineFeed(_ bytes: Span<UInt8>) -> Bool {
        lines.end > lines.position && lines.end <= bytes.count && bytes[lines.end &- 1] == Ascii.lineFeed
    }

    /// The next line of the table; `nil`, and nothing taken, where the molfile ends.
    ///
    /// Lines that are no V3000 are passed over and told.
    mutating func next(_ bytes: Span<UInt8>) -> V3000Line? {
        var line = V3000Line()
        return next(bytes, into: &line) ? line : nil
    }

    /// The same into a line that is not needed any more: its memory is filled anew. `false` where the molfile ends.
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
                        taken, "the line does not begin with M, two blanks, V30 and a blank; read as if it did")
                }
                return true
            case .end:
                return false
            case .other:
                _ = lines.next(in: bytes)
                if !bytes.isBlank(line) {
                    ledger.doubt(line, at: currentLine, of: bytes, "no line of a V3000 table; passed over")
                }
            }
        }
        return false
    }

    /// Takes a line and those that continue it: all but the last end in `-`.
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
        // A line that ends in a dash itself is followed by a line of nothing, which does not go on.
        var goesOn = isFolded
        while goesOn, let next = lines.peek(in: bytes) {
            let part: Range<Int>
            switch V3000LineStart(next, of: bytes) {
            case .text(let start), .loose(let start): part = start..<next.upperBound
            case .end, .other: return
            }
            if closesBlock(part, bytes) {
                ledger.doubt(taken, "the line ends in - and the next one ends the block; taken as it stands")
                return
            }
            lines.takeSeen(next, in: bytes)
            taken.text.removeLast()
            taken.column = nil
            taken.text.append(part, of: bytes)
            goesOn = !part.isEmpty && bytes[part.upperBound &- 1] == Ascii.minus
        }
    }

    /// `END SGROUP` and the like are no part of a value that ends in a dash.
    private func closesBlock(_ part: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard part.count <= 14, bytes.range(part, begins: "END ") else { return false }
        switch V3000Keyword(part.lowerBound &+ 4..<part.upperBound, of: bytes) {
        case .atom, .bond, .sgroup, .collection, .object, .table, .rgroup, .template: return true
        default: return false
        }
    }

    /// Takes the rest of a block whole, whatever blocks it holds. One that is never ended gets its end.
    mutating func block(_ bytes: Span<UInt8>, from first: V3000Line) -> Text {
        var text = first.text
        var open = [first.blockName]
        while let name = open.last {
            let start = lines
            guard let line = next(bytes) else {
                ledger.doubt(first, "the block has no END; kept with what follows")
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
                    ledger.doubt(first, "the block has no END; kept with what follows")
                    break
                } else {
                    ledger.doubt(line, "the line ends another block than is open; kept as it is")
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
    /// A fault in the line, or in a part of it.
    func fault(_ part: Range<Int> = 0..<0, expected: StaticString) -> Fault {
        guard let column, !part.isEmpty else { return Fault(line: number, expected: expected) }
        return Fault(line: number, part.lowerBound + column..<part.upperBound + column, expected: expected)
    }

    /// The name that follows `BEGIN CTAB`.
    var tableName: Text {
        var words = V3000Words()
        _ = words.next(in: text.span)
        _ = words.next(in: text.span)
        return words.next(in: text.span)?.text(in: text.span) ?? Text()
    }
}
