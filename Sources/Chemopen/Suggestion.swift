/// Returns a hint such as `; did you mean "sdf"?`, or an empty string if no known name is similar.
package func suggestion(for name: String, among known: [String]) -> String {
    guard let nearest = nearestName(to: name, among: known) else { return "" }
    return "; did you mean \(nearest.hasPrefix("-") ? nearest : "\"\(nearest)\"")?"
}

extension CharacterEncoding {
    /// Returns the error message for an encoding name that iconv does not support.
    package static func complaint(about name: String) -> String {
        "unknown encoding \"\(name)\"" + suggestion(for: name, among: commonNames)
    }
}

/// Returns the known name with the smallest edit distance if that distance is small, else `nil`.
///
/// Case is ignored unless two names differ in nothing else.
package func nearestName(to name: String, among known: [String]) -> String? {
    let exact = Array(name.utf8.prefix(100))
    let name = exact.map(\.inSmallLetters)
    var best: String?
    // The candidate's edit distance, then its distance with case, then the (negated) length of the common prefix.
    var fewest = (max(1, name.count / 3), Int.max, 0)
    for candidate in known {
        let bytes = Array(candidate.utf8)
        let changes = changeCount(name, bytes.map(\.inSmallLetters))
        if changes > fewest.0 { continue }
        let common = zip(exact, bytes).prefix { $0 == $1 }.count
        let found = (changes, changeCount(exact, bytes), -common)
        if found < fewest { (best, fewest) = (candidate, found) }
    }
    return best
}

extension UInt8 {
    fileprivate var inSmallLetters: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }
}

/// Returns the number of insertions, deletions and replacements that convert one text to the other. A swap of two
/// adjacent letters counts once.
private func changeCount(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
        var next = [row + 1]
        for (column, otherLetter) in other.enumerated() {
            var changes = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == otherLetter ? 0 : 1))
            if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
                changes = min(changes, beforeLast[column - 1] + 1)
            }
            next.append(changes)
        }
        (beforeLast, last) = (last, next)
    }
    return last.last ?? 0
}
