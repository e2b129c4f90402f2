import ChemopenBytes

/// The property lines of V2000 that contain pairs of an atom and a value, such as `M  CHG`, and all other lines.
struct V2000PairLines {
    /// A line to write: an old one, or a new text.
    struct Output {
        var kept: Int?
        var text: [UInt8] = []
    }

    private enum Unit {
        case pairs(kind: [UInt8], [(atom: Int, value: [UInt8])], line: Int)
        /// One or two lines of another kind.
        case other([Int])
    }

    /// The kinds of lines whose values belong to one atom each.
    private static let kinds = starts([
        .charges, .radicals, .isotopes, .ringBonds, .substitution, .unsaturated, .hydrogens, .trueCharges, .rgroupSites,
    ])
    /// Each of these groups of kinds replaces the codes in all atom lines as soon as one line of the group exists.
    private static let superseding = [starts([.charges, .radicals]), starts([.isotopes])]

    private static func starts(_ keys: [PropertyKey]) -> [[UInt8]] { keys.map { Array($0.description.utf8) } }

    private let lines: [[UInt8]]
    private var units: [Unit] = []
    private var values: [[UInt8]: [Int: [UInt8]]] = [:]
    /// The values that the writer spells for the unedited structure.
    private let written: [[UInt8]: [Int: [UInt8]]]
    private(set) var isSound = true

    init(_ lines: [[UInt8]], was: [[UInt8]]) {
        self.lines = lines
        written = was.isEmpty ? [:] : V2000PairLines(was, was: []).values
        var place = 0
        while place < lines.count {
            let line = lines[place]
            let kind = Array(line.prefix(6))
            if Self.kinds.contains(kind) {
                guard let pairs = Self.pairs(in: line) else {
                    isSound = false
                    return
                }
                units.append(.pairs(kind: kind, pairs, line: place))
                for (atom, value) in pairs { values[kind, default: [:]][atom] = value }
                place += 1
                continue
            }
            let isDouble = MolfileLines.begins(line, "A  ") || MolfileLines.begins(line, "G  ")
            let own = isDouble && place + 1 < lines.count ? [place, place + 1] : [place]
            units.append(.other(own))
            place += own.count
        }
    }

    private static func pairs(in line: [UInt8]) -> [(atom: Int, value: [UInt8])]? {
        let words = MolfileLines.words(of: line.dropFirst(6)).map { Array(line[$0]) }
        guard let first = words.first, let count = Int(String(decoding: first, as: UTF8.self)), count >= 0,
            words.count == 1 + 2 * count
        else { return nil }
        var pairs: [(atom: Int, value: [UInt8])] = []
        for place in stride(from: 1, to: words.count, by: 2) {
            guard let atom = Int(String(decoding: words[place], as: UTF8.self)), atom > 0 else { return nil }
            pairs.append((atom - 1, words[place + 1]))
        }
        return pairs
    }

    /// The lines that contain no pairs, in order.
    var others: [[UInt8]] {
        units.flatMap { unit -> [[UInt8]] in
            if case .other(let own) = unit { own.map { lines[$0] } } else { [] }
        }
    }

    /// Whether a value of an atom changes that its old line contains as a code.
    func differs(_ new: V2000PairLines, old origin: Int, new place: Int) -> Bool {
        for kind in Self.superseding.joined() where written[kind]?[origin] != new.values[kind]?[place] {
            if values[kind]?[origin] == nil { return true }
        }
        return false
    }

    /// Returns the lines after an edit.
    ///
    /// - Parameters:
    ///   - new: The lines that the writer spells for the edited structure.
    ///   - targets: The new index of each old atom.
    ///   - rewritten: The new indices of atoms whose lines are those of the writer.
    ///   - areOthersSame: Whether the lines of other kinds can stay.
    func patched(
        to new: V2000PairLines, _ targets: [Int?], rewritten: Set<Int>, areOthersSame: Bool
    ) -> [Output] {
        var output: [Output] = []
        var done: [[UInt8]: Set<Int>] = [:]
        var lastLine: [[UInt8]: Int] = [:]
        var hasOthers = false
        for unit in units {
            switch unit {
            case .other(let own):
                if areOthersSame {
                    output += own.map { Output(kept: $0) }
                } else if !hasOthers {
                    output += new.others.map { Output(text: $0) }
                }
                hasOthers = true
            case .pairs(let kind, let pairs, let line):
                var left: [(atom: Int, value: [UInt8])] = []
                for (atom, value) in pairs {
                    guard targets.indices.contains(atom), let target = targets[atom] else { continue }
                    let isUnchanged = written[kind]?[atom] == new.values[kind]?[target]
                    guard let now = isUnchanged ? value : new.values[kind]?[target] else { continue }
                    left.append((target, now))
                    done[kind, default: []].insert(target)
                }
                let isSame = left.elementsEqual(pairs) { $0.atom == $1.atom && $0.value == $1.value }
                if isSame {
                    output.append(Output(kept: line))
                } else if !left.isEmpty {
                    output.append(Output(text: Self.line(kind, left)))
                } else {
                    continue
                }
                lastLine[kind] = output.count
            }
        }
        if !hasOthers, !areOthersSame { output += new.others.map { Output(text: $0) } }
        return inserting(missing(in: done, new, targets, rewritten), behind: lastLine, output)
    }

    /// Returns the values that no old line contains.
    private func missing(
        in done: [[UInt8]: Set<Int>], _ new: V2000PairLines, _ targets: [Int?], _ rewritten: Set<Int>
    ) -> [[UInt8]: [(atom: Int, value: [UInt8])]] {
        var missing: [[UInt8]: [(atom: Int, value: [UInt8])]] = [:]
        var origins: [Int: Int] = [:]
        for (origin, target) in targets.enumerated() { if let target { origins[target] = origin } }
        func add(_ kind: [UInt8], _ isNeeded: (Int) -> Bool) {
            let values = new.values[kind] ?? [:]
            let wanted = values.filter { done[kind]?.contains($0.key) != true && isNeeded($0.key) }
            let sorted = wanted.sorted { $0.key < $1.key }
            if !sorted.isEmpty { missing[kind] = sorted.map { (atom: $0.key, value: $0.value) } }
        }
        for kind in Self.kinds {
            add(kind) { atom in
                guard let origin = origins[atom] else { return true }
                return rewritten.contains(atom) || written[kind]?[origin] != new.values[kind]?[atom]
            }
        }
        for group in Self.superseding where group.contains(where: { missing[$0] != nil }) {
            if group.contains(where: { values[$0] != nil }) { continue }
            for kind in group { add(kind) { _ in true } }
        }
        return missing
    }

    private func inserting(
        _ missing: [[UInt8]: [(atom: Int, value: [UInt8])]], behind last: [[UInt8]: Int], _ output: [Output]
    ) -> [Output] {
        var output = output
        var insertions: [(place: Int, lines: [Output])] = []
        for kind in Self.kinds {
            guard let pairs = missing[kind] else { continue }
            let lines = stride(from: 0, to: pairs.count, by: 8).map { start in
                Output(text: Self.line(kind, Array(pairs[start..<min(start + 8, pairs.count)])))
            }
            insertions.append((last[kind] ?? 0, lines))
        }
        for (place, lines) in insertions.sorted(by: { $0.place < $1.place }).reversed() {
            output.insert(contentsOf: lines, at: place)
        }
        return output
    }

    private static func line(_ kind: [UInt8], _ pairs: [(atom: Int, value: [UInt8])]) -> [UInt8] {
        func padded(_ word: some Collection<UInt8>, _ width: Int) -> [UInt8] {
            Array(repeating: Ascii.blank, count: max(0, width - word.count)) + word
        }
        return pairs.reduce(kind + padded(String(pairs.count).utf8, 3)) { line, pair in
            line + padded(String(pair.atom + 1).utf8, 4) + padded(pair.value, 4)
        }
    }
}
