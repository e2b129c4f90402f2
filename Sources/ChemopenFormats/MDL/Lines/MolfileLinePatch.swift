import ChemopenBytes

/// Writes an edited structure into the lines of its old molfile. Lines of atoms and bonds that were not edited stay as
/// they are, except for the numbers of atoms if some were deleted.
///
/// The writer spells the structure before and after the edit. Where both spellings agree, the old line is right, however
/// it is written. The caller reads the result again to verify it, so an unusual file is never written incorrectly.
struct MolfileLinePatch {
    private let old: MolfileLines
    private let was: MolfileLines
    private let new: MolfileLines
    private let atoms: LineAlignment
    private var output: [UInt8] = []

    /// Returns the edited molfile, or `nil` if its lines cannot be assigned to atoms and bonds.
    ///
    /// - Parameters:
    ///   - old: The lines before the edit.
    ///   - was: The structure before the edit as the writer spells it.
    ///   - new: The structure after the edit as the writer spells it.
    @Sendable static func patched(
        _ old: ArraySlice<UInt8>, _ was: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>
    ) -> [UInt8]? {
        guard let old = MolfileLines(old), let was = MolfileLines(was), let new = MolfileLines(new),
            old.isV3000 == was.isV3000, old.isV3000 == new.isV3000, old.atoms.count == was.atoms.count,
            old.bonds.count == was.bonds.count
        else { return nil }
        var patch = MolfileLinePatch(old, was, new)
        return old.isV3000 ? patch.joinV3000() : patch.joinV2000()
    }

    private init(_ old: MolfileLines, _ was: MolfileLines, _ new: MolfileLines) {
        (self.old, self.was, self.new) = (old, was, new)
        func keys(_ lines: MolfileLines) -> [[UInt8]] {
            lines.atoms.map { lines.isV3000 ? Self.withoutFirstWord($0.text) : $0.text }
        }
        atoms = LineAlignment(keys(was), keys(new))
    }

    private static func withoutFirstWord(_ text: [UInt8]) -> [UInt8] {
        let words = MolfileLines.words(of: text[...])
        return words.count > 1 ? Array(text[words[1].lowerBound...]) : []
    }

    private mutating func appendHead() {
        for place in 0..<3 {
            let isSame = was.head[place].text == new.head[place].text
            output += isSame ? old.head[place].bytes : new.head[place].bytes
        }
    }

    private mutating func appendAll(_ lines: some Sequence<MolfileLines.Line>) {
        for line in lines { output += line.bytes }
    }

    private static func padded(_ number: Int) -> [UInt8] {
        let digits = Array(String(number).utf8)
        return Array(repeating: Ascii.blank, count: max(0, 3 - digits.count)) + digits
    }
}

// MARK: V2000

extension MolfileLinePatch {
    private mutating func joinV2000() -> [UInt8]? {
        let properties = V2000PairLines(old.properties.map(\.text), was: was.properties.map(\.text))
        guard properties.isSound else { return nil }
        let changes = V2000PairLines(new.properties.map(\.text), was: [])
        guard changes.isSound else { return nil }
        let rewritten = atoms.isSame.indices.filter { place in
            !atoms.isSame[place] || properties.differs(changes, old: atoms.origins[place] ?? -1, new: place)
        }
        let isRewritten = Set(rewritten)
        appendHead()
        appendCounts()
        for place in new.atoms.indices {
            let isKept = !isRewritten.contains(place)
            if isKept, let origin = atoms.origins[place] {
                output += old.atoms[origin].bytes
            } else {
                output += new.atoms[place].bytes
            }
        }
        guard appendBonds() else { return nil }
        let lines = properties.patched(
            to: changes, atoms.targets, rewritten: isRewritten, areOthersSame: areOthersSame(properties, changes))
        let lineEnd = old.head[3].bytes.dropFirst(old.head[3].text.count)
        for line in lines {
            if let kept = line.kept { output += old.properties[kept].bytes } else { output += line.text + lineEnd }
        }
        appendAll(old.rest)
        return output
    }

    private func areOthersSame(_ old: V2000PairLines, _ new: V2000PairLines) -> Bool {
        V2000PairLines(was.properties.map(\.text), was: []).others == new.others
    }

    private mutating func appendCounts() {
        let (line, before, after) = (old.head[3], was.head[3].text, new.head[3].text)
        if !before.dropFirst(6).elementsEqual(after.dropFirst(6)) {
            output += new.head[3].bytes
        } else if before == after {
            output += line.bytes
        } else {
            output += Self.padded(new.atoms.count) + Self.padded(new.bonds.count) + line.bytes.dropFirst(6)
        }
    }

    private mutating func appendBonds() -> Bool {
        let ends = was.bonds.map { Self.ends(of: $0.text) }
        let newEnds = new.bonds.map { Self.ends(of: $0.text) }
        // The old spelling with the numbers that the atoms have now.
        let renumbered = zip(was.bonds, ends).map { line, ends -> [UInt8] in
            guard let ends, let from = target(ends.from), let to = target(ends.to) else { return [] }
            return Self.padded(from) + Self.padded(to) + line.text.dropFirst(6)
        }
        let bonds = LineAlignment(renumbered, new.bonds.map(\.text))
        for place in new.bonds.indices {
            guard bonds.isSame[place], let origin = bonds.origins[place], let ends = newEnds[place] else {
                output += new.bonds[place].bytes
                continue
            }
            let line = old.bonds[origin]
            let own = Self.ends(of: line.text)
            if own?.from == ends.from, own?.to == ends.to {
                output += line.bytes
            } else if own != nil, line.text.count >= 6 {
                output += Self.padded(ends.from) + Self.padded(ends.to) + line.bytes.dropFirst(6)
            } else {
                output += new.bonds[place].bytes
            }
        }
        return true
    }

    private static func ends(of text: [UInt8]) -> (from: Int, to: Int)? {
        guard let from = MolfileLines.number(in: 0..<3, of: text), let to = MolfileLines.number(in: 3..<6, of: text)
        else { return nil }
        return (from, to)
    }

    /// Returns the new number of an atom, both from 1.
    private func target(_ number: Int) -> Int? {
        guard atoms.targets.indices.contains(number - 1) else { return nil }
        return atoms.targets[number - 1].map { $0 + 1 }
    }
}

// MARK: V3000

extension MolfileLinePatch {
    private mutating func joinV3000() -> [UInt8]? {
        guard let labels = V3000Labels(old.atoms, was.atoms, new.atoms, atoms) else { return nil }
        let areOthersSame = was.properties.map(\.text) == new.properties.map(\.text)
        // Lines of the writer would refer to other labels than those of the file.
        guard areOthersSame || labels.areOfWriter else { return nil }
        appendHead()
        for (place, line) in old.head.enumerated().dropFirst(3) {
            if place == old.counts, was.head[was.counts].text != new.head[new.counts].text {
                guard appendCountsV3000() else { return nil }
            } else {
                output += line.bytes
            }
        }
        for place in new.atoms.indices {
            let line = atoms.isSame[place] ? atoms.origins[place].map { old.atoms[$0] } : nil
            guard append(line ?? new.atoms[place], [0: labels.now[place]]) else { return nil }
        }
        guard appendBonds(labels) else { return nil }
        appendAll(areOthersSame ? old.properties : new.properties)
        appendAll(old.rest)
        return output
    }

    /// Replaces the two counts and preserves the rest of the line.
    private mutating func appendCountsV3000() -> Bool {
        let (before, after) = (was.head[was.counts].text, new.head[new.counts].text)
        let (oldWords, newWords) = (MolfileLines.words(of: before[...]), MolfileLines.words(of: after[...]))
        let isSame =
            oldWords.count == newWords.count && oldWords.count > 3
            && oldWords.indices.dropFirst(3).allSatisfy { before[oldWords[$0]] == after[newWords[$0]] }
        guard isSame else {
            output += new.head[new.counts].bytes
            return true
        }
        return append(old.head[old.counts], [1: Array(after[newWords[1]]), 2: Array(after[newWords[2]])])
    }

    /// Appends a line with some words of its text replaced.
    private mutating func append(_ line: MolfileLines.Line, _ replaced: [Int: [UInt8]]) -> Bool {
        // The first two words are `M` and `V30`.
        let words = line.words
        var place = line.bytes.startIndex
        for (index, word) in replaced.sorted(by: { $0.key < $1.key }) {
            guard words.indices.contains(index + 2) else { return false }
            let range = words[index + 2]
            output += line.bytes[place..<range.lowerBound] + word
            place = range.upperBound
        }
        output += line.bytes[place...]
        return true
    }

    private mutating func appendBonds(_ labels: V3000Labels) -> Bool {
        let between = new.between.count > 1 ? (old.between.count > 1 ? old.between : new.between) : [old.between[0]]
        appendAll(between)
        /// Returns the line without its number, with the ends renamed.
        func key(_ words: [[UInt8]], _ names: [[UInt8]: [UInt8]]) -> [UInt8] {
            guard words.count >= 4, let from = names[words[2]], let to = names[words[3]] else { return [] }
            return Array(([words[1], from, to] + words.dropFirst(4)).joined(separator: [Ascii.blank]))
        }
        func words(_ line: MolfileLines.Line) -> [[UInt8]] {
            MolfileLines.words(of: line.text[...]).map { Array(line.text[$0]) }
        }
        let bonds = LineAlignment(
            was.bonds.map { key(words($0), labels.ofKept) }, new.bonds.map { key(words($0), labels.ofWritten) })
        guard let numbers = V3000Labels(old.bonds, was.bonds, new.bonds, bonds) else { return false }
        for place in new.bonds.indices {
            let written = words(new.bonds[place])
            guard written.count >= 4, let from = labels.ofWritten[written[2]], let to = labels.ofWritten[written[3]]
            else {
                return false
            }
            let line = bonds.isSame[place] ? bonds.origins[place].map { old.bonds[$0] } : nil
            guard append(line ?? new.bonds[place], [0: numbers.now[place], 2: from, 3: to]) else { return false }
        }
        return true
    }
}

/// The labels that atoms or bonds have in an edited V3000 table. If the file has other labels than the writer, as with
/// gaps between them, its labels stay.
private struct V3000Labels {
    /// The label of each new line.
    let now: [[UInt8]]
    /// The new labels by those of the writer for the unedited structure.
    let ofKept: [[UInt8]: [UInt8]]
    /// The new labels by those of the writer for the edited structure.
    let ofWritten: [[UInt8]: [UInt8]]
    /// Whether the file has the labels of the writer.
    let areOfWriter: Bool

    init?(
        _ old: [MolfileLines.Line], _ was: [MolfileLines.Line], _ new: [MolfileLines.Line], _ alignment: LineAlignment
    ) {
        guard let old = Self.firstWords(old), let was = Self.firstWords(was), let new = Self.firstWords(new) else {
            return nil
        }
        areOfWriter = old == was
        if areOfWriter {
            now = new
        } else {
            var last = old.compactMap { Int(String(decoding: $0, as: UTF8.self)) }.max() ?? 0
            now = new.indices.map { place in
                if let origin = alignment.origins[place] { return old[origin] }
                last &+= 1
                return Array(String(last).utf8)
            }
        }
        var (ofKept, ofWritten): ([[UInt8]: [UInt8]], [[UInt8]: [UInt8]]) = ([:], [:])
        for (place, label) in new.enumerated() { ofWritten[label] = now[place] }
        for (place, label) in was.enumerated() {
            if let target = alignment.targets[place] { ofKept[label] = now[target] }
        }
        (self.ofKept, self.ofWritten) = (ofKept, ofWritten)
    }

    private static func firstWords(_ lines: [MolfileLines.Line]) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        for line in lines {
            guard let word = MolfileLines.words(of: line.text[...]).first else { return nil }
            found.append(Array(line.text[word]))
        }
        return found
    }
}
