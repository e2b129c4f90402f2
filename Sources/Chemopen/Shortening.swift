// Messages quote what a person or a file has written, which may be of any length.

extension String {
    /// The longest message, in bytes: longer than any path.
    package static let longestMessage = 8192

    /// The text of a message, without its middle if it is longer than a message may be.
    package var shortened: String {
        guard utf8.count > Self.longestMessage else { return self }
        // A character takes at most four bytes; hints are at the end.
        let most = Self.longestMessage / 4
        return String(unicodeScalars.prefix(most * 3 / 4)) + " … " + String(unicodeScalars.suffix(most / 4))
    }
}

/// The part of a line around its mark, where the line is longer than a screen shows.
package func excerpt(_ line: String, mark: String) -> (line: String, mark: String) {
    let most = 400
    if line.utf8.count <= most { return (line, mark) }
    let start = max(0, mark.unicodeScalars.prefix { $0 == " " }.count - most / 4)
    let part = line.unicodeScalars.dropFirst(start).prefix(most)
    let (before, behind) = (start > 0 ? "…" : "", part.endIndex < line.endIndex ? "…" : "")
    let marked = mark.unicodeScalars.dropFirst(start).prefix(most)
    let indent = marked.isEmpty || before.isEmpty ? "" : " "
    return (before + String(part) + behind, indent + String(marked))
}
