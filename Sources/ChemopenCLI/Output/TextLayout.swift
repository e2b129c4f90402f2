extension Unicode.Scalar {
    /// The number of columns that the scalar occupies in a terminal.
    fileprivate var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

extension String {
    /// The number of columns that the text occupies in a terminal.
    var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }

    /// Returns the beginning of the text that fits in a number of columns.
    func prefix(columns: Int) -> String {
        var (text, width) = (String.UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            width += scalar.displayWidth
            if width > columns { break }
            text.append(scalar)
        }
        return String(text)
    }

    /// Returns the words of the text for wrapping. Quoted text with spaces is one word if `keepsQuotes`.
    func words(keepingQuotes: Bool) -> [String] {
        var (words, word, quote): ([String], String, Character?) = ([], "", nil)
        for character in self {
            if character == " ", quote == nil {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if keepingQuotes, character == quote {
                quote = nil
            } else if keepingQuotes, quote == nil, character == "'" || character == "\"" {
                quote = character
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}

/// Lines that fit in the columns of a terminal. Words are never broken; a word that is longer than a line is on its own
/// line.
enum TextLayout {
    /// The minimum and maximum widths of prose.
    static let narrowest = 20
    static let widestProse = 100

    /// Wraps a text.
    ///
    /// - Parameter hanging: the indentation of all lines except the first. By default, two columns more than that of the
    ///   first line.
    static func wrapped(_ text: Styled, to columns: Int, hanging: Int? = nil) -> [Styled] {
        if text.width <= columns { return [text] }
        let indent = text.text.prefix { $0 == " " }.count
        let hanging = min(hanging ?? indent + 2, columns / 2)
        var lines: [Styled] = []
        var (line, width) = (Styled(), 0)
        var blanks = Styled()
        func isEmpty(_ line: Styled) -> Bool { line.parts.allSatisfy { $0.text.allSatisfy { $0 == " " } } }
        for (piece, style) in pieces(of: text) {
            if piece.first?.text == " " {
                blanks = Styled(piece.map(\.text).joined(), style)
                continue
            }
            var word = Styled()
            for part in piece { word.append(part.text, part.style) }
            if width + blanks.width + word.width > columns, !isEmpty(line) {
                lines.append(line)
                line = Styled(String(repeating: " ", count: hanging))
            } else {
                line += blanks
            }
            blanks = Styled()
            line += word
            width = line.width
        }
        if !isEmpty(line) { lines.append(line) }
        return lines
    }

    /// Splits a text into words and runs of spaces. A word can have parts in different styles.
    private static func pieces(of text: Styled) -> [(parts: [(text: String, style: Styled.Style)], style: Styled.Style)]
    {
        var pieces: [(parts: [(text: String, style: Styled.Style)], style: Styled.Style)] = []
        var wasBlank: Bool?
        for part in text.parts {
            var run = ""
            func add(_ run: String, isBlank: Bool) {
                let pieceText = isBlank ? run.map { (text: String($0), style: part.style) } : [(run, part.style)]
                if wasBlank == isBlank, !pieces.isEmpty {
                    pieces[pieces.count - 1].parts += pieceText
                } else {
                    pieces.append((pieceText, part.style))
                }
                wasBlank = isBlank
            }
            for character in part.text {
                if !run.isEmpty, (run.last == " ") != (character == " ") {
                    add(run, isBlank: run.last == " ")
                    run = ""
                }
                run.append(character)
            }
            if !run.isEmpty { add(run, isBlank: run.last == " ") }
        }
        return pieces
    }

    /// Formats rows of two columns. If there is little room, the second column is below the first.
    ///
    /// - Parameter least: the minimum width of the first column, to align several tables.
    static func twoColumns(_ rows: [(String, String)], to columns: Int, least: Int = 0) -> [Styled] {
        let widest = max(least, rows.map(\.0.displayWidth).max() ?? 0)
        let name = min(widest, max(12, columns * 2 / 5))
        let isStacked = columns - name - 4 < 24
        let start = isStacked ? 8 : name + 4
        var lines: [Styled] = []
        for (first, second) in rows {
            let indented = Styled("  ") + Styled(first, .name)
            let head = indented + String(repeating: " ", count: max(0, name - first.displayWidth) + 2)
            if isStacked || first.displayWidth > name {
                lines += wrapped(indented, to: columns, hanging: 4)
                let text = Styled(String(repeating: " ", count: start) + second)
                lines += wrapped(text, to: columns, hanging: start)
            } else {
                lines += wrapped(head + second, to: columns, hanging: start)
            }
        }
        return lines
    }

    /// Formats lines of prose, which are joined and wrapped if they do not fit. Lines with columns stay separate.
    static func prose(_ text: [String], to columns: Int) -> [Styled] {
        if text.allSatisfy({ $0.displayWidth <= columns }) { return text.map { Styled($0) } }
        var (lines, paragraph): ([Styled], [String]) = ([], [])
        func finish() {
            if !paragraph.isEmpty {
                lines += wrapped(Styled(paragraph.joined(separator: " ")), to: columns, hanging: 0)
            }
            paragraph = []
        }
        for line in text {
            let words = line.trimmedOnRight
            if words.isEmpty || words.hasPrefix("  ") || words.firstRange(ofPart: "  ") != nil {
                finish()
                lines += wrapped(Styled(words), to: columns, hanging: words.secondColumn)
            } else {
                paragraph.append(words)
            }
        }
        finish()
        return lines
    }

    /// Formats a command line. A backslash at the end of a line continues it in the next one.
    static func command(_ text: String, to columns: Int, indent: Int) -> [Styled] {
        if indent + text.displayWidth <= columns { return [Styled(String(repeating: " ", count: indent) + text)] }
        var (lines, line): ([String], String) = ([], String(repeating: " ", count: indent))
        var isStart = true
        for word in text.words(keepingQuotes: true) {
            if !isStart, line.displayWidth + 1 + word.displayWidth + 2 > columns {
                lines.append(line + " \\")
                line = String(repeating: " ", count: indent + 4) + word
            } else {
                line += (isStart ? "" : " ") + word
            }
            isStart = false
        }
        return (lines + [line]).map { Styled($0) }
    }
}

extension String {
    fileprivate var trimmedOnRight: String {
        String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
    }

    /// The column at which the second column of a line starts; a default indentation if there is no second column.
    fileprivate var secondColumn: Int {
        let indent = prefix { $0 == " " }.count
        guard let gap = String(dropFirst(indent)).firstRange(ofPart: "  ") else { return indent + 2 }
        let rest = String(dropFirst(indent))
        let before = rest[..<gap.lowerBound]
        let blanks = rest[gap.lowerBound...].prefix { $0 == " " }.count
        return indent + before.count + blanks
    }
}
