// Substring functions. The equivalent methods in Swift's library would link its regular expression engine, a third of a
// megabyte, into every program. Releases are built without it.

extension Collection where Element: Equatable {
    /// Returns the first range from `start` on that is equal to `part`. An empty part is found immediately.
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
    /// Whether the text contains the bytes of `part`.
    package func holds(_ part: String) -> Bool { utf8.firstRange(ofPart: part.utf8) != nil }

    /// Returns the text with each occurrence of `part` replaced.
    package func replacingEach(_ part: String, by other: String) -> String {
        parts(between: part).joined(separator: other)
    }

    /// The text quoted as a single argument for a shell.
    package var inSingleQuotes: String { "'" + replacingEach("'", by: "'\\''") + "'" }

    /// Returns the parts of the text between separators, including empty ones.
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
