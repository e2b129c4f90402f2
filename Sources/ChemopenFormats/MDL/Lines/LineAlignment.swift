/// Pairs the lines of two versions of a list of atoms or bonds.
///
/// Lines with the same text are unchanged. Between them, lines are paired in order, because an edit rewrites lines in
/// place, deletes some, and appends others.
struct LineAlignment {
    /// The index of the old line by the index of the new one, or `nil` for an added line.
    private(set) var origins: [Int?]
    /// Whether the text of a new line is the same as that of its old line.
    private(set) var isSame: [Bool]
    /// The index of the new line by the index of the old one, or `nil` for a deleted line.
    private(set) var targets: [Int?]

    init(_ old: [[UInt8]], _ new: [[UInt8]]) {
        origins = Array(repeating: nil, count: new.count)
        isSame = Array(repeating: false, count: new.count)
        targets = Array(repeating: nil, count: old.count)
        var places: [[UInt8]: [Int]] = [:]
        for (place, line) in old.enumerated().reversed() { places[line, default: []].append(place) }
        var next = 0
        var waiting: [Int] = []
        for (place, line) in new.enumerated() {
            while let first = places[line]?.last, first < next { places[line]?.removeLast() }
            guard let found = places[line]?.last else {
                waiting.append(place)
                continue
            }
            pair(waiting, next..<found)
            waiting = []
            (origins[place], isSame[place], targets[found]) = (found, true, place)
            next = found + 1
        }
        pair(waiting, next..<old.count)
    }

    private mutating func pair(_ new: [Int], _ old: Range<Int>) {
        for (place, origin) in zip(new, old) { (origins[place], targets[origin]) = (origin, place) }
    }
}
