import ChemopenBytes
import ChemopenModel

// Helper methods for the writers of MDL formats.

extension Text {
    /// Whether some characters would be replaced by blanks to fit the text on one line.
    var changesOnOneLine: Bool { bytes.contains { $0 < Ascii.blank && $0 != Ascii.tab } }

    var hasOuterBlanks: Bool {
        bytes.first.map { $0 <= Ascii.blank } ?? false || bytes.last.map { $0 <= Ascii.blank } ?? false
    }
}

extension [Loss] {
    /// Records the texts of Sgroups that would be read back differently.
    mutating func noteChangedTexts(of sgroups: [Sgroup], where isChanged: (Text) -> Bool) {
        for sgroup in sgroups {
            var texts = [sgroup.label, sgroup.templateClass]
            if let data = sgroup.data {
                texts += [data.fieldName, data.units, data.queryOperator, data.fieldType, data.queryType] + data.values
            }
            note(
                .sgroupDetails, "line breaks and outer blanks of texts", count: texts.count(where: isChanged))
        }
    }
}

extension [UInt8] {
    /// Appends a blank and a number in three columns.
    mutating func appendField(_ number: Int) {
        append(Ascii.blank)
        appendPadded(number, width: 3)
    }

    /// Appends a text, truncated or padded to a width.
    mutating func appendColumns(_ text: Text, width: Int) {
        var part = text.bytes.prefix(width)
        while let last = part.last, last <= Ascii.blank { part.removeLast() }
        appendLine(Text(bytes: part))
        for _ in part.count..<width { append(Ascii.blank) }
    }

    /// Appends a text on one line, with line ends replaced by blanks.
    mutating func appendLine(_ text: Text) {
        for byte in text.bytes { append(byte == Ascii.lineFeed || byte == Ascii.carriageReturn ? Ascii.blank : byte) }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the start of the line after a line end, where CR LF is a single line end.
    func index(behindLineEnd end: Int) -> Int {
        let isPair = end + 1 < endIndex && self[end] == Ascii.carriageReturn && self[end + 1] == Ascii.lineFeed
        return end + (isPair ? 2 : 1)
    }
}
