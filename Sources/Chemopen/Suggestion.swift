/// `; did you mean "sdf"?`, or nothing where no known name is near.
package func suggestion(for name: String, among known: [String]) -> String {
    guard let nearest = nearestName(to: name, among: known) else { return "" }
    return "; did you mean \(nearest.hasPrefix("-") ? nearest : "\"\(nearest)\"")?"
}

/// The known name that takes the fewest changes of a letter, where they are few.
package func nearestName(to name: String, among known: [String]) -> String? {
    let name = Array(name.utf8.prefix(100))
    var best: String?
    var fewest = max(1, name.count / 3) + 1
    for candidate in known {
        let changes = changeCount(name, Array(candidate.utf8))
        if changes < fewest { (best, fewest) = (candidate, changes) }
    }
    return best
}

/// How many letters must be put in, taken out or replaced to make one of the other; two that changed places count once.
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
