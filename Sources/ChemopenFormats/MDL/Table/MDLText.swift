import ChemopenBytes
import ChemopenModel

// The verbs that the writers of the family use on their output.

extension Text {
    /// Whether something of it becomes a blank where it has to stay on one line.
    var changesOnOneLine: Bool { bytes.contains { $0 < Ascii.blank && $0 != Ascii.tab } }

    var hasOuterBlanks: Bool {
        bytes.first.map { $0 <= Ascii.blank } ?? false || bytes.last.map { $0 <= Ascii.blank } ?? false
    }
}

extension [Loss] {
    /// Tells of the texts of Sgroups that come back as others.
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
    /// A number in three columns behind a blank.
    mutating func appendField(_ number: Int) {
        append(Ascii.blank)
        appendPadded(number, width: 3)
    }

    /// A text cut or filled to a width.
    mutating func appendColumns(_ text: Text, width: Int) {
        var part = text.bytes.prefix(width)
        while let last = part.last, last <= Ascii.blank { part.removeLast() }
        appendLine(Text(bytes: part))
        for _ in part.count..<width { append(Ascii.blank) }
    }

    /// A text that must stay on its line: line ends become blanks.
    mutating func appendLine(_ text: Text) {
        for byte in text.bytes { append(byte == Ascii.lineFeed || byte == Ascii.carriageReturn ? Ascii.blank : byte) }
    }
}

extension ArraySlice<UInt8> {
    /// Where the line behind a line end begins; CR LF is one.
    func index(behindLineEnd end: Int) -> Int {
        let isPair = end + 1 < endIndex && self[end] == Ascii.carriageReturn && self[end + 1] == Ascii.lineFeed
        return end + (isPair ? 2 : 1)
    }
}
