/// The pairs of records between the base and each side of a merge, and between records that both sides have added.
///
/// Records are paired by the specified key, or by their titles if these are unique. Otherwise they are paired in this
/// order: equal records, records with the same structure, similar records between the same neighbors, and records with
/// the same unique field value. Field values are last because a measured value may be unique by chance, and both sides
/// may change it.
struct MergePairing {
    /// The alignments of the base with each side.
    private(set) var alignments: [Alignment]
    /// For each side, the records of the base whose partner may be wrong.
    private(set) var uncertain: [Set<Int>] = [[], []]
    /// The records of the base that are versions from a conflict in an earlier merge.
    private(set) var marked: Set<Int> = []
    /// The pairs of records that both sides have added.
    private(set) var added: [(ours: Int, theirs: Int)] = []
    /// The records of the base with the same identity as the record before them.
    private(set) var repeated: Set<Int> = []

    private let base: HeldRecords
    private let sides: [HeldRecords]
    /// The hashes of the contents of all records in the base, ours and theirs.
    private let contents: [[UInt64]]

    /// - Parameters:
    ///   - key: The specified key.
    ///   - titles: The candidate keys that are titles. The title of a row may be in a column.
    ///   - models: All records if the file is a table, else `nil`.
    init(
        _ base: HeldRecords, _ sides: [HeldRecords], key: Text?, titles: [Int], _ path: LocalPath,
        models: [[Int: Record]]?
    ) throws(ReadError) {
        (self.base, self.sides) = (base, sides)
        let tables = ([base] + sides).map(\.table)
        if let key, tables.allSatisfy({ $0.isWithout(0) }) { throw RecordTable.noKey(key, in: tables, of: path) }
        contents = tables.enumerated().map { version, table in
            guard let models else { return table.contents }
            return table.contents.indices.map { models[version][$0]?.contentHash ?? table.contents[$0] }
        }
        let chosen = key != nil ? 0 : titles.first { title in tables.allSatisfy { $0.isUnique(title) } }
        let names = zip(tables, contents).map { table, contents in
            chosen.map { table.names(by: $0, else: contents) } ?? contents
        }
        alignments = names.dropFirst().map { Alignment(names[0], $0, pairingRest: false) }
        if chosen != nil {
            doubtRepeatedNames(names)
            added = twins(names[1], names[2])
            try pairRenamed()
        } else {
            try pairUnnamed()
        }
    }

    private func left(_ side: Int) -> [Int] {
        alignments[side].partnersOfSecond.indices.filter { alignments[side].partnersOfSecond[$0] == Alignment.nobody }
    }

    private func leftInBase(_ side: Int) -> [Int] {
        alignments[side].partners.indices.filter { alignments[side].partners[$0] == Alignment.nobody }
    }

    /// Returns the pairs of unpaired records on both sides with the same key, in their order.
    private func twins(_ names: [UInt64], _ otherNames: [UInt64]) -> [(ours: Int, theirs: Int)] {
        var places = Dictionary(grouping: left(1).reversed()) { otherNames[$0] }
        return left(0).compactMap { ours in
            places[names[ours]]?.popLast().map { (ours: ours, theirs: $0) }
        }
    }

    // MARK: Keys

    /// If a side has more or fewer records with the same key than the base, their pairs are uncertain.
    private mutating func doubtRepeatedNames(_ names: [[UInt64]]) {
        let counts = names.map { $0.reduce(into: [UInt64: Int]()) { $0[$1, default: 0] += 1 } }
        for (place, name) in names[0].enumerated() {
            for side in sides.indices where counts[0][name] != counts[side + 1][name] {
                if counts[0][name] ?? 0 > 1 || counts[side + 1][name] ?? 0 > 1 { uncertain[side].insert(place) }
            }
        }
    }

    /// Pairs records whose key no longer occurs on either side. Both sides may have changed it, or one may have deleted
    /// the record.
    private mutating func pairRenamed() throws(ReadError) {
        let places = Set(leftInBase(0)).intersection(leftInBase(1))
        if places.isEmpty { return }
        let old = try base.traits(places)
        marked.formUnion(old.filter(\.value.isMarked).keys)
        for side in sides.indices {
            let twins = Set(added.map { side == 0 ? $0.ours : $0.theirs })
            let new = try sides[side].traits(left(side).filter { !twins.contains($0) })
            var pairing = LeftoverPairing(alignments[side], old, new)
            pairing.pairUnique(by: \.structure) { $0.isCertainly($1) }
            pairing.pairUnique(by: \.allFields) { $0.size == $1.size }
            pairing.pairUnique(by: { $0.isReadable ? nil : 0 })
            alignments[side] = pairing.alignment
        }
    }

    // MARK: Pairing without keys

    private mutating func pairUnnamed() throws(ReadError) {
        let old = try base.traits(Set(leftInBase(0)).union(leftInBase(1)))
        marked = Set(old.filter(\.value.isMarked).keys)
        var (traits, moved): ([[Int: RecordTraits]], [[Int]]) = ([], [])
        for side in sides.indices {
            let new = try sides[side].traits(left(side))
            let left = Set(leftInBase(side))
            var pairing = LeftoverPairing(alignments[side], old.filter { left.contains($0.key) }, new)
            pairing.pairUnique(by: \.identity)
            pairing.pairUnique(by: \.structure)
            pairing.pairByPosition()
            for candidate in candidates {
                let (keys, newKeys) = (base.table.keys[candidate], sides[side].table.keys[candidate])
                pairing.pairUnique(
                    { Int(truncatingIfNeeded: keys[$0]) }, { Int(truncatingIfNeeded: newKeys[$0]) },
                    where: { $0.isCertainly($1) })
            }
            if !pairing.doubtful.isEmpty {
                pairing.doubt(try base.traits(0..<base.count), try sides[side].traits(0..<sides[side].count))
            }
            (alignments[side], uncertain[side]) = (pairing.alignment, pairing.uncertain)
            traits.append(new)
            moved.append(pairing.doubtful.filter { uncertain[side].contains($0) && alignments[side].isMoved[$0] })
        }
        // If an uncertain record has moved, it counts as deleted and added, provided that the other side still has the
        // base's record.
        for side in sides.indices {
            for place in moved[side] where alignments[1 - side].partners[place] != Alignment.nobody {
                if !moved[1 - side].contains(place) { alignments[side].unpair(place) }
            }
        }
        pairAdded(traits)
        let titles = base.table.keys[0]
        let counts = titles.reduce(into: [UInt64: Int]()) { $0[$1, default: 0] += 1 }
        repeated = Set(
            titles.indices.dropFirst().filter { place in
                // If more than two records have the same title, the title is not significant.
                if titles[place] != RecordTable.none, titles[place] == titles[place - 1] {
                    if counts[titles[place]] == 2 { return true }
                }
                return old[place]?.identity.map { $0 == old[place - 1]?.identity } ?? false
            })
    }

    /// The fields with a unique value in each record of each version.
    private var candidates: [Int] {
        base.table.keys.indices.dropFirst().filter { candidate in
            ([base] + sides).allSatisfy { $0.table.isUnique(candidate) }
        }
    }

    /// Pairs records that both sides have added: equal records, records with the same structure and title, and records
    /// with the same unique field value unless their structures differ.
    private mutating func pairAdded(_ traits: [[Int: RecordTraits]]) {
        added = twins(contents[1], contents[2])
        var (paired, pairedThere) = (Set(added.map(\.ours)), Set(added.map(\.theirs)))
        func pair(_ key: (_ side: Int, _ place: Int) -> Int?) {
            let lists = [left(0).filter { !paired.contains($0) }, left(1).filter { !pairedThere.contains($0) }]
            let places = lists.enumerated().map { side, list in
                Dictionary(grouping: list.filter { key(side, $0) != nil }) { key(side, $0) ?? 0 }
            }
            for (value, ours) in places[0] {
                guard let theirs = places[1][value], ours.count == 1, theirs.count == 1,
                    let structure = traits[0][ours[0]], let other = traits[1][theirs[0]],
                    structure.structure == other.structure
                else { continue }
                added.append((ours[0], theirs[0]))
                paired.insert(ours[0])
                pairedThere.insert(theirs[0])
            }
        }
        pair { side, place in traits[side][place]?.identity }
        if let candidate = candidates.first {
            pair { side, place in Int(truncatingIfNeeded: sides[side].table.keys[candidate][place]) }
        }
    }
}
