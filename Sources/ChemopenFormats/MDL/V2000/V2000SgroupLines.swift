import ChemopenBytes
import ChemopenModel

/// Writes the Sgroup lines of a V2000 molfile.
struct V2000SgroupWriter {
    private let sgroups: [Sgroup]
    private let numbers: [Int]

    init(_ sgroups: [Sgroup]) {
        self.sgroups = sgroups
        numbers = Self.numbers(of: sgroups)
    }

    func write(to output: inout [UInt8]) {
        if sgroups.isEmpty { return }
        for term in SgroupTerm.lists {
            guard let key = term.line else { continue }
            let entries = zip(numbers, sgroups).compactMap { number, sgroup in
                word(of: term, sgroup).map { (number, $0) }
            }
            output.appendWords(key, entries)
        }
        writeExpanded(zip(numbers, sgroups).filter(\.1.isExpanded).map(\.0), to: &output)
        for (number, sgroup) in zip(numbers, sgroups) {
            for term in SgroupTerm.lines { write(term, sgroup, number, to: &output) }
        }
    }

    /// Returns the token of an Sgroup in a line that lists several; `nil` if the Sgroup has no entry.
    private func word(of term: SgroupTerm, _ sgroup: Sgroup) -> Text? {
        switch term.content {
        case .kind: return sgroup.kind.code.asWord ?? Sgroup.Kind.generic.code
        case .word(let field): return sgroup[field].asWord
        case .number(let field): return sgroup[field] == 0 ? nil : Text("\(sgroup[field])")
        case .parent:
            guard let parent = sgroup.parent, numbers.indices.contains(Int(parent)) else { return nil }
            return Text("\(numbers[Int(parent)])")
        case .bracketStyle: return sgroup.bracketStyle?.code
        default: return nil
        }
    }

    /// Returns the numbers of the input file if they are valid and unique, or else 1, 2, 3…
    private static func numbers(of sgroups: [Sgroup]) -> [Int] {
        let given = sgroups.map { Int($0.number) }
        let canStand = given.allSatisfy { (1...999).contains($0) } && Set(given).count == given.count
        return canStand ? given : Array(1...max(1, sgroups.count))
    }

    private func writeExpanded(_ numbers: [Int], to output: inout [UInt8]) {
        var start = 0
        while start < numbers.count {
            let end = min(start + 15, numbers.count)
            output.beginPropertyLine(.sgroupExpansions)
            output.append(" EXP")
            output.appendPadded(end - start, width: 3)
            for number in numbers[start..<end] { output.appendField(number) }
            output.append(Ascii.lineFeed)
            start = end
        }
    }

    private func write(_ term: SgroupTerm, _ sgroup: Sgroup, _ number: Int, to output: inout [UInt8]) {
        guard let key = term.line else { return }
        switch term.content {
        case .atoms(let field), .bonds(let field):
            let members = sgroup[field].map { Int($0) + 1 }
            output.appendMembers(key, number, members, perLine: key == .sgroupCorrespondence ? 6 : 15)
        case .text(let field): output.appendText(key, number, sgroup[field])
        case .bracket:
            for bracket in sgroup.brackets {
                output.appendStart(key, number)
                output.appendPadded(4, width: 3)
                output.appendColumns(bracket.start)
                output.appendColumns(bracket.end)
                output.append(Ascii.lineFeed)
            }
        case .bondVector:
            for vector in sgroup.bondVectors {
                guard let end = vector.vector else { continue }
                output.appendStart(key, number)
                output.appendField(Int(vector.bond) + 1)
                output.appendColumns(end)
                output.append(Ascii.lineFeed)
            }
        case .attachment: writeAttachments(sgroup.attachments, number, to: &output)
        case .data where term.columns != nil:
            if let data = sgroup.data { write(data, key, number, to: &output) }
        case .data(let field):
            if let data = sgroup.data { output.appendText(key, number, data[field]) }
        case .values: for value in sgroup.data?.values ?? [] { write(value: value, number, to: &output) }
        default: return
        }
    }

    private func writeAttachments(_ points: [Sgroup.AttachmentPoint], _ number: Int, to output: inout [UInt8]) {
        var start = 0
        while start < points.count {
            let end = min(start + 6, points.count)
            output.appendStart(.sgroupAttachments, number)
            output.appendPadded(end - start, width: 3)
            for point in points[start..<end] {
                output.appendField(Int(point.atom) + 1)
                output.appendField(point.leaving.map { Int($0) + 1 } ?? 0)
                output.append(Ascii.blank)
                output.appendColumns(point.identifier.trimmed, width: 2)
            }
            output.append(Ascii.lineFeed)
            start = end
        }
    }

    /// Writes a line that contains several texts in columns.
    private func write(_ data: Sgroup.Data, _ key: PropertyKey, _ number: Int, to output: inout [UInt8]) {
        var columns: [UInt8] = []
        for term in SgroupTerm.all where term.line == key {
            guard case .data(let field) = term.content, let range = term.columns else { continue }
            let text = data[field].trimmed
            if range.upperBound == .max {
                columns.appendLine(text)
            } else {
                columns.appendColumns(text, width: range.count)
            }
        }
        while columns.last == Ascii.blank { columns.removeLast() }
        output.appendStart(key, number)
        output.append(Ascii.blank)
        output.append(contentsOf: columns)
        output.append(Ascii.lineFeed)
    }

    /// Writes a value with 69 columns in each line; longer values continue in the next line.
    private func write(value: Text, _ number: Int, to output: inout [UInt8]) {
        let width = 69
        let text = value.bytes
        var rest = text[..<text.span.trimmedRight(0..<text.count).upperBound]
        repeat {
            var end = min(rest.startIndex + width, rest.endIndex)
            // A character of several bytes must not be split.
            if end < rest.endIndex { while end > rest.startIndex + width - 3, rest[end] & 0xC0 == 0x80 { end -= 1 } }
            let part = rest[..<end]
            rest = rest[end...]
            output.appendStart(rest.isEmpty ? .sgroupData : .sgroupDataPart, number)
            output.append(Ascii.blank)
            output.appendLine(Text(bytes: part))
            output.append(Ascii.lineFeed)
        } while !rest.isEmpty
    }
}

extension Text {
    /// The first three characters without blanks; `nil` if no characters remain.
    fileprivate var asWord: Text? {
        let letters = bytes.prefix(3).filter { $0 > Ascii.blank }
        return letters.isEmpty ? nil : Text(bytes: letters)
    }
}

extension [UInt8] {
    /// Appends a key and the number of an Sgroup.
    fileprivate mutating func appendStart(_ key: PropertyKey, _ number: Int) {
        beginPropertyLine(key)
        appendField(number)
    }

    /// Appends two coordinates in ten columns each.
    fileprivate mutating func appendColumns(_ position: Position) {
        for coordinate in [position.x, position.y] {
            appendFixed(Swift.min(99999.9999, Swift.max(-9999.9999, coordinate)), decimals: 4, width: 10)
        }
    }

    fileprivate mutating func appendText(_ key: PropertyKey, _ number: Int, _ text: Text) {
        if text.isEmpty { return }
        let start = count
        appendStart(key, number)
        let end = count
        append(Ascii.blank)
        appendLine(text)
        while let byte = last, Ascii.isBlank(byte) { removeLast() }
        // A line with only blanks would be read as having no text.
        if count > end { append(Ascii.lineFeed) } else { removeLast(count - start) }
    }

    fileprivate mutating func appendMembers(_ key: PropertyKey, _ number: Int, _ members: [Int], perLine: Int) {
        var start = 0
        while start < members.count {
            let end = Swift.min(start + perLine, members.count)
            appendStart(key, number)
            appendPadded(end - start, width: 3)
            for member in members[start..<end] { appendField(member) }
            append(Ascii.lineFeed)
            start = end
        }
    }

    /// Appends lines of Sgroup numbers, each with a token in three columns.
    fileprivate mutating func appendWords(_ key: PropertyKey, _ entries: [(Int, Text)]) {
        var start = 0
        while start < entries.count {
            let end = Swift.min(start + 8, entries.count)
            beginPropertyLine(key)
            appendPadded(end - start, width: 3)
            for (number, word) in entries[start..<end] {
                appendField(number)
                append(Ascii.blank)
                if Int(word.string) != nil {
                    for _ in 0..<Swift.max(0, 3 - word.bytes.count) { append(Ascii.blank) }
                    append(contentsOf: word.bytes)
                } else {
                    appendColumns(word, width: 3)
                }
            }
            append(Ascii.lineFeed)
            start = end
        }
    }
}
