// Parts of a text. The methods of the same purpose in Swift's library bring its engine for regular
// expressions into every program, a third of a megabyte for some twenty calls; releases are built without it.

extension Collection where Element: Equatable {
    /// The first place from `start` on where `part` stands; nothing stands everywhere.
    package func firstRange(ofPart part: some Collection<Element>, from start: Index? = nil) -> Range<Index>? {
        var place = start ?? startIndex
        guard let first = part.first else { return place..<place }
        while let begin = self[place...].firstIndex(of: first) {
            if self[begin...].starts(with: part) { return begin..<index(begin, offsetBy: part.count) }
            place = index(after: begin)
        }
        return nil
    }
}

extension StringProtocol {
    /// Whether the bytes of `part` stand anywhere in the text.
    package func holds(_ part: String) -> Bool { utf8.firstRange(ofPart: part.utf8) != nil }

    /// The text with `other` wherever `part` stood.
    package func replacingEach(_ part: String, by other: String) -> String {
        parts(between: part).joined(separator: other)
    }

    /// The text as one word of a shell, whatever is in it.
    package var inSingleQuotes: String { "'" + replacingEach("'", by: "'\\''") + "'" }

    /// The texts before, between and behind the places where `separator` stands, empty ones too.
    package func parts(between separator: String) -> [SubSequence] {
        var parts: [SubSequence] = []
        var place = startIndex
        while let range = utf8.firstRange(ofPart: separator.utf8, from: place), !range.isEmpty {
            parts.append(self[place..<range.lowerBound])
            place = range.upperBound
        }
        return parts + [self[place...]]
    }
}
