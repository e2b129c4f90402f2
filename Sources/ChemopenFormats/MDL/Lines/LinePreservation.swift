import ChemopenBytes

/// A changed record that preserves the lines of unchanged atoms, bonds and properties.
///
/// The writer's texts of the old and the new record show which lines have changed. All other lines of the result are
/// those of the original text, even if a writer would write them in another way.
package struct LinePreservation: Sendable {
    /// The original text of the record.
    package let original: [UInt8]
    /// The old and the new record as the writer writes them.
    package let written: (old: [UInt8], new: [UInt8])
    /// The new index of each old atom and bond, or -1 for a deleted one. Without a value, indices are unchanged. They
    /// apply to records with one connection table.
    package let atoms: [Int32]?
    package let bonds: [Int32]?

    package init(
        of original: [UInt8], written: (old: [UInt8], new: [UInt8]), atoms: [Int32]? = nil, bonds: [Int32]? = nil
    ) {
        (self.original, self.written) = (original, written)
        (self.atoms, self.bonds) = (atoms, bonds)
    }

    /// The extent to which lines with changes are preserved.
    package enum Extent: CaseIterable, Sendable {
        /// In lines with changes, the unchanged columns are preserved.
        case columns
        /// Lines with changes are written again.
        case lines
        /// All lines of atoms are written again. This is necessary if old columns have another meaning next to a new
        /// property line.
        case properties
    }

    /// Returns the text of the changed record. It must be read again to verify that it has the intended content.
    package func text(_ extent: Extent) -> [UInt8] {
        let lines = TableLines(original)
        let (old, new) = (TableLines(written.old), TableLines(written.new))
        let isSingle = lines.tables == 1 && old.tables == 1 && new.tables == 1
        let oldTexts = isSingle ? renumbered(old) : old.texts
        var result: [(key: TableLines.Key, text: [UInt8])] = []
        var places: [TableLines.Key: Int] = [:]
        for group in lines.groups {
            guard let key = isSingle ? renumbered(group.key) : group.key else { continue }
            let (before, after) = (oldTexts[key], new.texts[key])
            var text = Array(group.text)
            if let after {
                if before != after {
                    if places[key] != nil { continue }
                    text = Self.merged(group, before, after, extent)
                } else if extent == .properties, key.kind == .atom || key.kind == .atom3000 {
                    text = after
                }
            } else if before != nil {
                continue
            }
            places[key] = result.count
            result.append((key, text))
        }
        return joined(result, places, new, oldTexts)
    }

    /// Inserts the new lines after their predecessors.
    private func joined(
        _ result: [(key: TableLines.Key, text: [UInt8])], _ places: [TableLines.Key: Int], _ new: TableLines,
        _ old: [TableLines.Key: [UInt8]]
    ) -> [UInt8] {
        var added: [Int: [UInt8]] = [:]
        var place = -1
        var known: Set<TableLines.Key> = []
        for group in new.groups {
            if let found = places[group.key] {
                place = found
            } else if known.insert(group.key).inserted, let text = new.texts[group.key], old[group.key] != text {
                added[place, default: []] += text
            }
        }
        var text = added[-1] ?? []
        for (place, group) in result.enumerated() {
            text += group.text
            guard let lines = added[place] else { continue }
            if let last = text.last, last != Ascii.lineFeed { text.append(Ascii.lineFeed) }
            text += lines
        }
        return text
    }

    private func renumbered(_ key: TableLines.Key) -> TableLines.Key? {
        let table: [Int32]? =
            switch key.kind {
            case .atom, .atom3000: atoms
            case .bond, .bond3000: bonds
            default: nil
            }
        guard let table else { return key }
        guard table.indices.contains(key.number), table[key.number] >= 0 else { return nil }
        var key = key
        key.number = Int(table[key.number])
        return key
    }

    private func renumbered(_ lines: TableLines) -> [TableLines.Key: [UInt8]] {
        var texts: [TableLines.Key: [UInt8]] = [:]
        for (key, text) in lines.texts { if let key = renumbered(key) { texts[key] = text } }
        return texts
    }

    // MARK: Columns

    private static func merged(
        _ group: TableLines.Group, _ before: [UInt8]?, _ after: [UInt8], _ extent: Extent
    ) -> [UInt8] {
        guard let before else { return after }
        let isBond = group.key.kind == .bond || group.key.kind == .bond3000
        if extent != .columns, !isBond, group.key.kind != .counts, group.key.kind != .counts3000 { return after }
        switch group.key.kind {
        case .atom: return mergedColumns(group.text, before[...], after[...], [10, 20, 30, 34, 36])
        case .bond: return mergedColumns(group.text, before[...], after[...], [])
        case .counts:
            return mergedColumns(group.text, before[...], after[...], [3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 39])
        case .counts3000: return mergedWords(group.text, before[...], after[...], 6)
        case .atom3000: return mergedWords(group.text, before[...], after[...], 6)
        case .bond3000: return mergedWords(group.text, before[...], after[...], 4)
        default: return after
        }
    }

    /// Returns a line in which only changed columns are written again.
    ///
    /// - Parameter ends: The ends of the first columns. The others have three characters.
    private static func mergedColumns(
        _ text: ArraySlice<UInt8>, _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>, _ ends: [Int]
    ) -> [UInt8] {
        let line = Array(text.withoutLineEnd)
        let (old, new) = (Array(before.withoutLineEnd), Array(after.withoutLineEnd))
        let length = max(line.count, old.count, new.count)
        let padded = [line, old, new].map { $0 + Array(repeating: Ascii.blank, count: length - $0.count) }
        var result: [UInt8] = []
        var used = line.count
        var start = 0
        var next = ends.makeIterator()
        while start < length {
            let end = min(length, next.next() ?? start + 3)
            let isChanged = padded[1][start..<end] != padded[2][start..<end]
            result += padded[isChanged ? 2 : 0][start..<end]
            if isChanged { used = max(used, end) }
            start = end
        }
        return Array(result.prefix(used)) + text.lineEnd
    }

    /// Returns a line in which only changed words are written again. The properties after the first `count` words are
    /// compared together.
    private static func mergedWords(
        _ text: ArraySlice<UInt8>, _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>, _ count: Int
    ) -> [UInt8] {
        guard let end = text.firstIndex(of: Ascii.lineFeed).map({ $0 + 1 }) ?? text.indices.last.map({ $0 + 1 }),
            let line = Words(text[..<end], count), let old = Words(before, count), let new = Words(after, count)
        else { return Array(after) }
        // A continued line is written again if it is not clear where its properties begin.
        if end < text.endIndex, old.rest != new.rest || line.isCut { return Array(after) }
        var result = Array(text.prefix(7))
        for place in 0..<count {
            if place > 0 { result.append(Ascii.blank) }
            result += old.words[place] == new.words[place] ? line.words[place] : new.words[place]
        }
        guard old.rest == new.rest else { return result + new.rest }
        return result + line.rest + text[end...]
    }

    /// The first words of a line of V3000, and everything after them.
    private struct Words {
        var words: [ArraySlice<UInt8>] = []
        var rest: ArraySlice<UInt8>
        /// Whether the line ends within these words.
        var isCut = false

        init?(_ line: ArraySlice<UInt8>, _ count: Int) {
            guard line.has("M  V30 ", at: 0) else { return nil }
            rest = line.dropFirst(7)
            for _ in 0..<count {
                rest = rest.drop { $0 == Ascii.blank }
                let word = rest.prefix { $0 != Ascii.blank && $0 != Ascii.lineFeed && $0 != Ascii.carriageReturn }
                if word.isEmpty || word.elementsEqual([Ascii.minus]) { return nil }
                if word.last == Ascii.minus, word.count > 1 { isCut = true }
                words.append(word)
                rest = rest.dropFirst(word.count)
            }
        }
    }
}
