/// One merge: the records of three versions of a file, and what becomes of each.
struct MergeRun {
    private let format: Format
    private let base: HeldRecords
    /// Ours, then theirs.
    private let sides: [HeldRecords]
    /// The base's records in either side.
    private let alignments: [Alignment]
    /// The keys of the records of either side.
    private let names: [[UInt64]]
    private let header: SheetHeader
    private var models: [[Int: Record]] = [[:], [:]]
    private var oldModels: [Int: Record] = [:]
    private var pieces: [Piece] = []
    private var conflicts: [FileMerge.Conflict] = []

    private static let sideNames = ["ours", "theirs"]

    /// A record of the outcome.
    private enum Piece {
        /// Bytes as they stand, of a side.
        case kept(side: Int, place: Int)
        /// A record that was merged of a record of each side, or marked.
        case made(Record, of: [(side: Int, place: Int)])
    }

    /// The fate of a record of the base.
    private enum Fate {
        case gone
        case taken(side: Int, place: Int)
        case changedByBoth(base: Int, ours: Int, theirs: Int)
        /// The other side has deleted it.
        case changedAndDeleted(side: Int, place: Int)
    }

    init(_ base: HeldRecords, _ sides: [HeldRecords], _ format: Format, isKeyed: Bool) throws(ReadError) {
        self.format = format
        self.base = base
        self.sides = sides
        let chosen = RecordTable.chosenCandidate(for: ([base] + sides).map(\.table), isNamed: isKeyed)
        let old = base.table.names(by: chosen)
        names = sides.map { $0.table.names(by: chosen) }
        alignments = names.map { Alignment(old, $0, pairingRest: chosen == nil) }
        header = MergedHeader(base.table.header, sides[0].table.header, sides[1].table.header).header
        guard format.needsColumns else { return }
        for side in sides.indices { models[side] = try sides[side].records(0..<sides[side].count) }
        oldModels = try base.records(0..<base.count)
    }

    mutating func merge() throws(Conversion.Failure) -> FileMerge.Outcome {
        let fates = (0..<base.count).map(fate)
        do throws(ReadError) {
            try readModels(fates)
        } catch {
            throw .read(error)
        }
        let isMoved = alignments.map { $0.isMoved.contains(true) }
        if isMoved[0], isMoved[1], !sidesAgreeOnOrder {
            note("", "both sides have put the records into another order; ours is kept")
        }
        walk(along: isMoved[1] && !isMoved[0] ? 1 : 0, fates)
        do throws(WriteError) {
            return FileMerge.Outcome(bytes: try written(), conflicts: conflicts)
        } catch {
            throw .write(error)
        }
    }

    // MARK: The fate of a record

    private func place(_ side: Int, ofBase old: Int) -> Int? {
        let place = alignments[side].partners[old]
        return place == Alignment.nobody ? nil : Int(place)
    }

    private func base(_ side: Int, _ place: Int) -> Int? {
        let old = alignments[side].partnersOfSecond[place]
        return old == Alignment.nobody ? nil : Int(old)
    }

    private func isChanged(_ side: Int, _ place: Int, from old: Int) -> Bool {
        if format.needsColumns { return models[side][place] != oldModels[old] }
        return sides[side].table.contents[place] != base.table.contents[old]
    }

    private func areSame(_ ours: Int, _ theirs: Int) -> Bool {
        if format.needsColumns { return models[0][ours] == models[1][theirs] }
        return sides[0].table.contents[ours] == sides[1].table.contents[theirs]
    }

    private func fate(_ old: Int) -> Fate {
        switch (place(0, ofBase: old), place(1, ofBase: old)) {
        case (nil, nil): return .gone
        case (let ours?, nil):
            return isChanged(0, ours, from: old) ? .changedAndDeleted(side: 0, place: ours) : .gone
        case (nil, let theirs?):
            return isChanged(1, theirs, from: old) ? .changedAndDeleted(side: 1, place: theirs) : .gone
        case (let ours?, let theirs?):
            if !isChanged(1, theirs, from: old) || areSame(ours, theirs) { return .taken(side: 0, place: ours) }
            if !isChanged(0, ours, from: old) { return .taken(side: 1, place: theirs) }
            return .changedByBoth(base: old, ours: ours, theirs: theirs)
        }
    }

    /// Reads the records that have to be looked into.
    private mutating func readModels(_ fates: [Fate]) throws(ReadError) {
        if format.needsColumns { return }
        var places: [Set<Int>] = [[], []]
        var old: Set<Int> = []
        for fate in fates {
            switch fate {
            case .gone, .taken: break
            case .changedAndDeleted(let side, let place): places[side].insert(place)
            case .changedByBoth(let base, let ours, let theirs):
                old.insert(base)
                places[0].insert(ours)
                places[1].insert(theirs)
            }
        }
        for (ours, theirs) in addedByBoth {
            places[0].insert(ours)
            places[1].insert(theirs)
        }
        for side in sides.indices { models[side] = try sides[side].records(places[side]) }
        oldModels = try base.records(old)
    }

    /// Records of one key that both sides have added, and that are not the same.
    private var addedByBoth: [(ours: Int, theirs: Int)] {
        var added: [UInt64: Int] = [:]
        for place in names[1].indices where base(1, place) == nil { added[names[1][place]] = place }
        return names[0].indices.compactMap { ours in
            guard base(0, ours) == nil, let theirs = added[names[0][ours]] else { return nil }
            return (ours, theirs)
        }
    }

    private var sidesAgreeOnOrder: Bool {
        let orders = sides.indices.map { side in
            (0..<sides[side].count).compactMap { base(side, $0) }.filter { place(1 - side, ofBase: $0) != nil }
        }
        return orders[0] == orders[1]
    }

    // MARK: The order of records

    /// Goes through the records of one side, and puts those that only the other one has behind the same neighbours.
    private mutating func walk(along side: Int, _ fates: [Fate]) {
        let guest = 1 - side
        var twins: [Int: Int] = [:]
        for (ours, theirs) in addedByBoth { twins[side == 0 ? ours : theirs] = side == 0 ? theirs : ours }
        var guests: [Int: [Int]] = [:]
        var last = -1
        for place in 0..<sides[guest].count where !twins.values.contains(place) {
            if let old = base(guest, place), let neighbour = self.place(side, ofBase: old) {
                last = neighbour
            } else {
                guests[last, default: []].append(place)
            }
        }
        var waiting = guests[-1] ?? []
        for place in 0..<sides[side].count {
            if let old = base(side, place) {
                take(waiting, of: guest, fates)
                waiting = guests[place] ?? []
                take(fates[old])
            } else if let twin = twins[place] {
                takeTwins(side == 0 ? place : twin, side == 0 ? twin : place)
            } else {
                pieces.append(.kept(side: side, place: place))
            }
        }
        take(waiting, of: guest, fates)
    }

    private mutating func take(_ places: [Int], of side: Int, _ fates: [Fate]) {
        for place in places {
            if let old = base(side, place) { take(fates[old]) } else { pieces.append(.kept(side: side, place: place)) }
        }
    }

    private mutating func take(_ fate: Fate) {
        switch fate {
        case .gone: break
        case .taken(let side, let place): pieces.append(.kept(side: side, place: place))
        case .changedAndDeleted(let side, let place):
            let reason = "changed in \(Self.sideNames[side]), deleted in \(Self.sideNames[1 - side])"
            note(title(side, place), reason)
            mark(side, place, reason)
        case .changedByBoth(let base, let ours, let theirs):
            guard let old = oldModels[base], let mine = models[0][ours], let other = models[1][theirs] else {
                return takeBoth(ours, theirs, "changed in both, and cannot be read")
            }
            let merge = RecordMerge(old, mine, other)
            if !merge.conflicts.isEmpty {
                let parts = merge.conflicts.map(\.description).sorted().joined(separator: ", ")
                return takeBoth(ours, theirs, parts + " changed in both")
            }
            pieces.append(.made(merge.record, of: [(0, ours), (1, theirs)]))
        }
    }

    private mutating func takeTwins(_ ours: Int, _ theirs: Int) {
        if areSame(ours, theirs) { return pieces.append(.kept(side: 0, place: ours)) }
        takeBoth(ours, theirs, "added in both, and not the same")
    }

    // MARK: Conflicts

    private func title(_ side: Int, _ place: Int) -> String {
        let name = models[side][place]?.described ?? ""
        return "record \(place + 1) of \(Self.sideNames[side])" + (name.isEmpty ? "" : " (\(name))")
    }

    private mutating func note(_ record: String, _ reason: String) {
        conflicts.append(FileMerge.Conflict(record: record, reason: reason))
    }

    private mutating func takeBoth(_ ours: Int, _ theirs: Int, _ reason: String) {
        note(title(0, ours), reason)
        mark(0, ours, reason)
        mark(1, theirs, reason)
    }

    /// Puts a version of a record into the file under a mark; one that cannot be read as it is.
    private mutating func mark(_ side: Int, _ place: Int, _ reason: String) {
        guard var record = models[side][place], format.holds.contains(.fields) else {
            return pieces.append(.kept(side: side, place: place))
        }
        record.fields[FileMerge.markField] = Field(FileMerge.markField, Text("\(Self.sideNames[side]): \(reason)"))
        pieces.append(.made(record, of: [(side, place)]))
    }

    // MARK: Writing

    private func written() throws(WriteError) -> [UInt8] {
        guard var writer = try format.makeWriter?(ByteSink(), WriteOptions()) else { return [] }
        var header = header
        if !conflicts.isEmpty, format.needsColumns, !header.columns.contains(where: { $0.name == FileMerge.markField })
        {
            header.columns.append(Column(FileMerge.markField))
        }
        header.rowCount = pieces.count
        try writer.begin(header)
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .kept(let side, let place):
                if format.needsColumns, let record = models[side][place] {
                    _ = try writer.write(record)
                } else {
                    try writer.copy(sides[side].wholeText(place), beginsFile: index == 0)
                }
            case .made(let record, let sources):
                if format.needsColumns {
                    _ = try writer.write(record)
                } else {
                    let versions = sources.compactMap { side, place in
                        models[side][place].map { RecordText.Version(bytes: sides[side].text(place), record: $0) }
                    }
                    let text = try RecordText(format: format).bytes(of: record, from: versions).bytes
                    try writer.copy(text, beginsFile: index == 0)
                }
            }
        }
        if !sides[0].rest.isEmpty { try writer.copy(rest: sides[0].rest) }
        try writer.finish()
        return writer.takeBytes()
    }
}
