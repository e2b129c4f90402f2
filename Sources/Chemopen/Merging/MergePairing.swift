/// The records of the base in either side of a merge, and the records that both sides have added.
///
/// Records are paired by a key that a person named, or by their titles if no two records have the same. Otherwise equal records
/// are paired first, then those of one structure, then those that are alike between the same neighbors, and then those of one
/// value of a field. A value that happens to be unique decides last: it may be a measured one, and both sides may change it.
struct MergePairing {
    /// The base's records in either side.
    private(set) var alignments: [Alignment]
    /// For either side the records of the base whose partner may be another record.
    private(set) var uncertain: [Set<Int>] = [[], []]
    /// The records of the base that are versions of a conflict of an earlier merge.
    private(set) var marked: Set<Int> = []
    /// Records that both sides have added.
    private(set) var added: [(ours: Int, theirs: Int)] = []
    /// Neighbors in the base that say of themselves that they are the same, each by the place of the second one.
    private(set) var repeated: Set<Int> = []

    private let base: HeldRecords
    private let sides: [HeldRecords]
    /// The hash of the content of each record of the base, of ours and of theirs.
    private let contents: [[UInt64]]

    /// - Parameters:
    ///   - key: the key that a person named.
    ///   - titles: the candidates that are titles: that of a row may be the value of a column.
    ///   - models: all records of a table; none for another format.
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

    /// Records of both sides that are in no pair and have the same name, the first with the first.
    private func twins(_ names: [UInt64], _ otherNames: [UInt64]) -> [(ours: Int, theirs: Int)] {
        var places = Dictionary(grouping: left(1).reversed()) { otherNames[$0] }
        return left(0).compactMap { ours in
            places[names[ours]]?.popLast().map { (ours: ours, theirs: $0) }
        }
    }

    // MARK: Keys

    /// Which of several records of one name is which is not known if one side has more of them than the base.
    private mutating func doubtRepeatedNames(_ names: [[UInt64]]) {
        let counts = names.map { $0.reduce(into: [UInt64: Int]()) { $0[$1, default: 0] += 1 } }
        for (place, name) in names[0].enumerated() {
            for side in sides.indices where counts[0][name] != counts[side + 1][name] {
                if counts[0][name] ?? 0 > 1 || counts[side + 1][name] ?? 0 > 1 { uncertain[side].insert(place) }
            }
        }
    }

    /// Pairs records that neither side has under their key any more: both may have changed it, or one have deleted them.
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

    // MARK: Without keys

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
        // A record that is doubtful and elsewhere counts as deleted and added, if the other side has the old one.
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
                // A title that many records have says nothing.
                if titles[place] != RecordTable.none, titles[place] == titles[place - 1] {
                    if counts[titles[place]] == 2 { return true }
                }
                return old[place]?.identity.map { $0 == old[place - 1]?.identity } ?? false
            })
    }

    /// The fields by whose values each record of each version is told from the others.
    private var candidates: [Int] {
        base.table.keys.indices.dropFirst().filter { candidate in
            ([base] + sides).allSatisfy { $0.table.isUnique(candidate) }
        }
    }

    /// Pairs records that both sides have added: equal ones, those of one structure and title, and those of one value of a field,
    /// unless their structures differ.
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
