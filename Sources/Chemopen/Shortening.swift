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
///
/// - Parameter columns: the width of the screen, if it is known.
package func excerpt(_ line: String, mark: String, columns: Int? = nil) -> (line: String, mark: String) {
    let most = min(400, columns ?? 400)
    if line.unicodeScalars.count <= most, line.utf8.count <= 400 { return (line, mark) }
    let start = max(0, mark.unicodeScalars.prefix { $0 == " " }.count - most / 4)
    // On a screen, the signs for omitted parts must fit too.
    let part = line.unicodeScalars.dropFirst(start).prefix(columns == nil ? most : most - 2)
    let (before, behind) = (start > 0 ? "…" : "", part.endIndex < line.endIndex ? "…" : "")
    let marked = mark.unicodeScalars.dropFirst(start).prefix(columns == nil ? most : most - 2)
    let indent = marked.isEmpty || before.isEmpty ? "" : " "
    return (before + String(part) + behind, indent + String(marked))
}
