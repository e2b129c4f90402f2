import ChemopenBytes
import ChemopenModel

/// The Sgroup lines of a V2000 molfile.
extension MolfileWriter {
    func writeSgroups(_ sgroups: [Sgroup], to output: inout [UInt8]) {
        if sgroups.isEmpty { return }
        let numbers = Self.numbers(of: sgroups)
        func words(_ key: PropertyKey, _ value: (Sgroup) -> Text?) {
            output.appendWords(
                key, zip(numbers, sgroups).compactMap { number, sgroup in value(sgroup).map { (number, $0) } })
        }
        words(.sgroupKinds) { $0.kind.code.asWord ?? "GEN" }
        words(.sgroupSubtypes) { $0.subtype.asWord }
        words(.sgroupIdentifiers) { $0.identifier == 0 ? nil : Text("\($0.identifier)") }
        words(.sgroupConnectivities) { $0.connectivity.asWord }
        words(.sgroupParents) { sgroup in
            guard let parent = sgroup.parent, numbers.indices.contains(Int(parent)) else { return nil }
            return Text("\(numbers[Int(parent)])")
        }
        words(.sgroupComponentNumbers) { $0.componentNumber == 0 ? nil : Text("\($0.componentNumber)") }
        words(.sgroupBracketStyles) { sgroup in sgroup.bracketStyle.map { $0 == .round ? "1" : "0" } }
        writeExpanded(zip(numbers, sgroups).filter(\.1.isExpanded).map(\.0), to: &output)
        for (number, sgroup) in zip(numbers, sgroups) { write(sgroup, number, to: &output) }
    }

    /// The file's numbers where they can stand, else 1, 2, 3…
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

    private func write(_ sgroup: Sgroup, _ number: Int, to output: inout [UInt8]) {
        output.appendMembers(.sgroupAtoms, number, sgroup.atoms.map { Int($0) + 1 }, perLine: 15)
        output.appendMembers(.sgroupBonds, number, sgroup.bonds.map { Int($0) + 1 }, perLine: 15)
        output.appendMembers(.sgroupParentAtoms, number, sgroup.parentAtoms.map { Int($0) + 1 }, perLine: 15)
        output.appendText(.sgroupLabel, number, sgroup.label)
        for bracket in sgroup.brackets {
            output.appendStart(.sgroupBracket, number)
            output.appendPadded(4, width: 3)
            for coordinate in [bracket.start.x, bracket.start.y, bracket.end.x, bracket.end.y] {
                output.appendFixed(min(99999.9999, max(-9999.9999, coordinate)), decimals: 4, width: 10)
            }
            output.append(Ascii.lineFeed)
        }
        for vector in sgroup.bondVectors {
            guard let end = vector.vector else { continue }
            output.appendStart(.sgroupBondVector, number)
            output.appendField(Int(vector.bond) + 1)
            output.appendFixed(min(99999.9999, max(-9999.9999, end.x)), decimals: 4, width: 10)
            output.appendFixed(min(99999.9999, max(-9999.9999, end.y)), decimals: 4, width: 10)
            output.append(Ascii.lineFeed)
        }
        output.appendMembers(.sgroupCorrespondence, number, sgroup.bondCorrespondence.map { Int($0) + 1 }, perLine: 6)
        output.appendText(.sgroupClass, number, sgroup.templateClass)
        writeAttachments(sgroup.attachments, number, to: &output)
        if let data = sgroup.data { write(data, number, to: &output) }
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

    private func write(_ data: Sgroup.Data, _ number: Int, to output: inout [UInt8]) {
        output.appendStart(.sgroupField, number)
        output.append(Ascii.blank)
        var columns: [UInt8] = []
        columns.appendColumns(data.fieldName.trimmed, width: 30)
        columns.appendColumns(data.fieldType.trimmed, width: 2)
        columns.appendColumns(data.units.trimmed, width: 20)
        columns.appendColumns(data.queryType.trimmed, width: 2)
        columns.appendLine(data.queryOperator.trimmed)
        while columns.last == Ascii.blank { columns.removeLast() }
        output.append(contentsOf: columns)
        output.append(Ascii.lineFeed)
        output.appendText(.sgroupDisplay, number, data.display)
        for value in data.values { write(value: value, number, to: &output) }
    }

    /// 69 columns to a line; what is longer is continued.
    private func write(value: Text, _ number: Int, to output: inout [UInt8]) {
        let width = 69
        let text = value.bytes
        var rest = text[..<text.span.trimmedRight(0..<text.count).upperBound]
        repeat {
            var end = min(rest.startIndex + width, rest.endIndex)
            // Never within a character.
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
    /// The text in three columns; `nil` where nothing of it can stand there.
    fileprivate var asWord: Text? {
        let letters = bytes.prefix(3).filter { $0 > Ascii.blank }
        return letters.isEmpty ? nil : Text(bytes: letters)
    }
}

extension [UInt8] {
    /// A key and an Sgroup's number.
    fileprivate mutating func appendStart(_ key: PropertyKey, _ number: Int) {
        beginPropertyLine(key)
        appendField(number)
    }

    fileprivate mutating func appendText(_ key: PropertyKey, _ number: Int, _ text: Text) {
        if text.isEmpty { return }
        appendStart(key, number)
        append(Ascii.blank)
        appendLine(text)
        while last == Ascii.blank { removeLast() }
        append(Ascii.lineFeed)
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

    /// Lines of Sgroup numbers, each with a word of three columns.
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
