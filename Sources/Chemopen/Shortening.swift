// Messages quote text that users and files provide, which can have any length.

extension String {
    /// The maximum length of a message in bytes, more than the longest path.
    package static let longestMessage = 8192

    /// The text without its middle part if it exceeds the maximum length of a message.
    package var shortened: String {
        guard utf8.count > Self.longestMessage else { return self }
        // A scalar has at most four bytes. The last quarter is preserved because hints are at the end.
        let most = Self.longestMessage / 4
        return String(unicodeScalars.prefix(most * 3 / 4)) + " … " + String(unicodeScalars.suffix(most / 4))
    }
}

/// Returns the part of a line around its mark if the line is too long for a screen.
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
