/// A merge in progress: the records of three versions of a file and the result for each.
struct MergeRun {
    private let format: Format
    private let base: HeldRecords
    /// Ours and theirs, in this order.
    private let sides: [HeldRecords]
    private let pairing: MergePairing
    private let header: SheetHeader
    /// The version into which the other one is merged, or `nil` if the file must be written again completely.
    private let host: MergeHost?
    private var models: [[Int: Record]] = [[:], [:]]
    private var oldModels: [Int: Record] = [:]
    private var pieces: [Piece] = []
    private var conflicts: [FileMerge.Conflict] = []
    private var remarks: [String] = []

    private static let sideNames = ["ours", "theirs"]

    /// A part of the result.
    private enum Piece {
        /// The bytes of a record on one side. The other side may have the same record at another position.
        case kept(side: Int, place: Int, twin: Int?)
        /// A merged record, or a record with a conflict mark.
        case made(RecordText.Version, lead: ArraySlice<UInt8>)
        /// The bytes before a deleted record.
        case lead(ArraySlice<UInt8>)
    }

    /// The result for a record of the base.
    private enum Fate {
        /// One side deleted the record and the other has not changed it; `nil` if both sides deleted it.
        case gone(by: Int?)
        case taken(side: Int, place: Int, twin: Int?)
        case changedByBoth(base: Int, ours: Int, theirs: Int)
        /// Changed by one side and deleted by the other.
        case changedAndDeleted(side: Int, place: Int)
    }

    /// - Parameters:
    ///   - key: The specified key.
    ///   - titles: The candidate keys that are titles.
    ///   - path: The file in messages.
    init(
        _ base: HeldRecords, _ sides: [HeldRecords], _ format: Format, key: Text?, titles: [Int], _ path: LocalPath
    ) throws(ReadError) {
        self.format = format
        self.base = base
        self.sides = sides
        if format.needsColumns {
            for side in sides.indices { models[side] = try sides[side].records(0..<sides[side].count) }
            oldModels = try base.records(0..<base.count)
        }
        pairing = try MergePairing(
            base, sides, key: key, titles: titles, path, models: format.needsColumns ? [oldModels] + models : nil)
        header = MergedHeader(base.table.header, sides[0].table.header, sides[1].table.header).header
        host = MergeHost(sides, header, isTable: format.needsColumns)
    }

    mutating func merge() throws(Conversion.Failure) -> FileMerge.Outcome {
        let fates = keepingRepeated((0..<base.count).map(fate))
        do throws(ReadError) {
            try readModels(fates)
        } catch {
            throw .read(error)
        }
        let isMoved = pairing.alignments.map { $0.isMoved.contains(true) }
        let side = isMoved[1] && !isMoved[0] ? 1 : 0
        var order = Array(0..<sides[side].count)
        if isMoved[0], isMoved[1], !sidesAgreeOnOrder {
            if let merged = MergedOrder(orders) {
                order = ourOrder(along: merged)
                try noteContested(merged)
            } else {
                note("", "both sides have reordered the records; our order is used")
            }
        }
        do throws(WriteError) {
            try walk(along: side, order, fates)
        } catch {
            throw .write(error)
        }
        var outcome = FileMerge.Outcome(bytes: try written(), conflicts: conflicts, isWrittenAnew: host == nil)
        outcome.remarks = remarks
        return outcome
    }

    // MARK: Result for a record

    private func place(_ side: Int, ofBase old: Int) -> Int? {
        let place = pairing.alignments[side].partners[old]
        return place == Alignment.nobody ? nil : Int(place)
    }

    private func base(_ side: Int, _ place: Int) -> Int? {
        let old = pairing.alignments[side].partnersOfSecond[place]
        return old == Alignment.nobody ? nil : Int(old)
    }

    private func isChanged(_ side: Int, _ place: Int, from old: Int) -> Bool {
        if format.needsColumns { return !areSame(models[side][place], oldModels[old]) }
        return !Self.haveSameLines(sides[side].bytes(place), base.bytes(old))
    }

    /// The last record of a file may have no line end.
    static func haveSameLines(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one == other || abs(one.count - other.count) <= 2 && withoutLineEnd(one) == withoutLineEnd(other)
    }

    private static func withoutLineEnd(_ lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var lines = lines
        if lines.last == Ascii.lineFeed { lines.removeLast() }
        if lines.last == Ascii.carriageReturn { lines.removeLast() }
        return lines
    }

    private func areSame(_ ours: Int, _ theirs: Int) -> Bool {
        if format.needsColumns { return areSame(models[0][ours], models[1][theirs]) }
        return Self.haveSameLines(sides[0].bytes(ours), sides[1].bytes(theirs))
    }

    private func areSame(_ one: Record?, _ other: Record?) -> Bool {
        switch (one, other) {
        case (let one?, let other?): one.says(other)
        case (nil, nil): true
        default: false
        }
    }

    /// Whether a side has changed a record of the base, or may have done so.
    private func isTouched(_ side: Int, _ place: Int, from old: Int) -> Bool {
        pairing.uncertain[side].contains(old) || isChanged(side, place, from: old)
    }

    private func fate(_ old: Int) -> Fate {
        switch (place(0, ofBase: old), place(1, ofBase: old)) {
        case (nil, nil): return .gone(by: nil)
        case (let ours?, nil):
            return isTouched(0, ours, from: old) ? .changedAndDeleted(side: 0, place: ours) : .gone(by: 1)
        case (nil, let theirs?):
            return isTouched(1, theirs, from: old) ? .changedAndDeleted(side: 1, place: theirs) : .gone(by: 0)
        case (let ours?, let theirs?):
            if areSame(ours, theirs) || !isTouched(1, theirs, from: old) {
                return .taken(side: 0, place: ours, twin: theirs)
            }
            if !isTouched(0, ours, from: old) { return .taken(side: 1, place: theirs, twin: ours) }
            return .changedByBoth(base: old, ours: ours, theirs: theirs)
        }
    }

    /// Preserves two adjacent records with the same title or structure if each side has deleted one of them. They may
    /// be the versions of a conflict from an earlier merge.
    private func keepingRepeated(_ fates: [Fate]) -> [Fate] {
        var kept = fates
        for place in pairing.repeated {
            guard case .gone(let first?) = fates[place - 1], case .gone(let second?) = fates[place], first != second,
                let one = self.place(second, ofBase: place - 1), let other = self.place(first, ofBase: place)
            else { continue }
            kept[place - 1] = .changedAndDeleted(side: second, place: one)
            kept[place] = .changedAndDeleted(side: first, place: other)
        }
        return kept
    }

    /// Reads the records that must be compared or merged.
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
        for (ours, theirs) in pairing.added {
            places[0].insert(ours)
            places[1].insert(theirs)
        }
        for side in sides.indices { models[side] = try sides[side].records(places[side]) }
        oldModels = try base.records(old)
    }

    /// The base records that both sides still have, in the order of each side.
    private var orders: [[Int]] {
        sides.indices.map { side in
            (0..<sides[side].count).compactMap { base(side, $0) }.filter { place(1 - side, ofBase: $0) != nil }
        }
    }

    private var sidesAgreeOnOrder: Bool {
        let orders = orders
        return orders[0] == orders[1]
    }

    /// Returns our records in the merged order. Records that only our side has remain after the same predecessors.
    private func ourOrder(along merged: MergedOrder) -> [Int] {
        var runs: [Int: [Int]] = [:]
        var last = -1
        for place in 0..<sides[0].count {
            if let old = base(0, place), self.place(1, ofBase: old) != nil { last = old }
            runs[last, default: []].append(place)
        }
        return ([-1] + merged.records).flatMap { runs[$0] ?? [] }
    }

    /// Reports moves of the sides that contradict each other.
    private mutating func noteContested(_ merged: MergedOrder) throws(Conversion.Failure) {
        if !merged.isContradictory { return }
        let places = merged.contested.compactMap { place(0, ofBase: $0) }
        if places.isEmpty {
            remarks = ["both sides have moved records past each other; check the order of the records"]
            return
        }
        do throws(ReadError) {
            let records = try sides[0].records(places)
            remarks = places.map { place in
                let name = records[place].map { " (\($0.described))" } ?? ""
                return "record \(place + 1) of ours\(name): moved in both; our position is used"
            }
        } catch {
            throw .read(error)
        }
    }

    // MARK: Order of records

    /// Iterates over the records of one side in an order, and inserts the records of the other side after the same
    /// neighbors.
    private mutating func walk(along side: Int, _ order: [Int], _ fates: [Fate]) throws(WriteError) {
        let guest = 1 - side
        var twins: [Int: Int] = [:]
        for (ours, theirs) in pairing.added { twins[side == 0 ? ours : theirs] = side == 0 ? theirs : ours }
        var guests: [Int: [Int]] = [:]
        var last = -1
        let paired = Set(twins.values)
        for place in 0..<sides[guest].count where !paired.contains(place) {
            if let old = base(guest, place), let neighbor = self.place(side, ofBase: old) {
                last = neighbor
            } else {
                guests[last, default: []].append(place)
            }
        }
        var waiting = guests[-1] ?? []
        for place in order {
            if let old = base(side, place) {
                if case .gone = fates[old] {
                    // If the other side replaced a deleted record, the replacement is inserted after the records of
                    // this side.
                    pieces.append(.lead(sides[side].lead(place)))
                    continue
                }
                try take(waiting, of: guest, fates)
                waiting = guests[place] ?? []
                try take(fates[old])
            } else if let twin = twins[place] {
                try takeTwins(side == 0 ? place : twin, side == 0 ? twin : place)
            } else {
                pieces.append(.kept(side: side, place: place, twin: nil))
            }
        }
        try take(waiting, of: guest, fates)
    }

    private mutating func take(_ places: [Int], of side: Int, _ fates: [Fate]) throws(WriteError) {
        for place in places {
            if let old = base(side, place) {
                try take(fates[old])
            } else {
                pieces.append(.kept(side: side, place: place, twin: nil))
            }
        }
    }

    private mutating func take(_ fate: Fate) throws(WriteError) {
        switch fate {
        case .gone: break
        case .taken(let side, let place, let twin): pieces.append(.kept(side: side, place: place, twin: twin))
        case .changedAndDeleted(let side, let place):
            let reason = "changed in \(Self.sideNames[side]), deleted in \(Self.sideNames[1 - side])"
            note(title(side, place), reason)
            try mark(side, place, reason)
        case .changedByBoth(let base, let ours, let theirs):
            guard let old = oldModels[base], let mine = models[0][ours], let other = models[1][theirs] else {
                return try takeBoth(ours, theirs, "changed in both, but unreadable")
            }
            if pairing.marked.contains(base) {
                return try takeBoth(ours, theirs, "changed in both, and already in conflict")
            }
            if pairing.uncertain.contains(where: { $0.contains(base) }) {
                return try takeBoth(ours, theirs, "changed in both, or not the same record")
            }
            try take(RecordMerge(old, mine, other), base, ours, theirs)
        }
    }

    private mutating func takeTwins(_ ours: Int, _ theirs: Int) throws(WriteError) {
        if areSame(ours, theirs) { return pieces.append(.kept(side: 0, place: ours, twin: theirs)) }
        try takeBoth(ours, theirs, "added in both with different content")
    }

    /// Appends a merged record, or both versions if they cannot be merged.
    private mutating func take(_ merge: RecordMerge, _ base: Int, _ ours: Int, _ theirs: Int) throws(WriteError) {
        if !merge.conflicts.isEmpty {
            let parts = merge.conflicts.map(\.description).sorted().joined(separator: ", ")
            return try takeBoth(ours, theirs, parts + " changed in both")
        }
        var sources = [(side: 0, place: ours), (side: 1, place: theirs)]
        // Only the text of the first source contributes content that the model does not store.
        if hasOtherText(1, theirs, than: base) {
            if hasOtherText(0, ours, than: base) {
                return try takeBoth(ours, theirs, "members that Chemopen does not merge changed in both")
            }
            sources.reverse()
        }
        guard let version = try version(of: merge.record, from: sources) else {
            return try takeBoth(ours, theirs, "changed in both, but \(format.described) cannot store both changes")
        }
        let isTheirs = host?.side == 1
        pieces.append(.made(version, lead: isTheirs ? sides[1].lead(theirs) : sides[0].lead(ours)))
    }

    /// Whether a side changed content of a record that the model does not store, such as unknown members of JSON Lines.
    private func hasOtherText(_ side: Int, _ place: Int, than old: Int) -> Bool {
        guard let model = models[side][place], let oldModel = oldModels[old] else { return false }
        return RecordText(format: format).hasOtherText(
            RecordText.Version(bytes: Array(sides[side].bytes(place)), record: model),
            than: RecordText.Version(bytes: Array(base.bytes(old)), record: oldModel))
    }

    // MARK: Conflicts

    private func title(_ side: Int, _ place: Int) -> String {
        let name = models[side][place].map { " (\($0.described))" } ?? ""
        return "record \(place + 1) of \(Self.sideNames[side])\(name)"
    }

    private mutating func note(_ record: String, _ reason: String) {
        conflicts.append(FileMerge.Conflict(record: record, reason: reason))
    }

    private mutating func takeBoth(_ ours: Int, _ theirs: Int, _ reason: String) throws(WriteError) {
        note(title(0, ours), reason)
        try mark(0, ours, reason)
        try mark(1, theirs, reason)
    }

    /// Adds a version of a record with a conflict mark. If the record is unreadable or cannot contain the mark, it is
    /// added unchanged.
    private mutating func mark(_ side: Int, _ place: Int, _ reason: String) throws(WriteError) {
        guard var record = models[side][place], format.supportedFeatures.contains(.fields) else {
            return pieces.append(.kept(side: side, place: place, twin: nil))
        }
        record.fields[FileMerge.markField] = Field(FileMerge.markField, Text("\(Self.sideNames[side]): \(reason)"))
        guard let version = try version(of: record, from: [(side, place)]) else {
            return pieces.append(.kept(side: side, place: place, twin: nil))
        }
        pieces.append(.made(version, lead: sides[side].lead(place)))
    }

    // MARK: Writing

    private func version(
        of record: Record, from sources: [(side: Int, place: Int)]
    ) throws(WriteError) -> RecordText.Version? {
        guard let host else { return RecordText.Version(bytes: [], record: record) }
        // The formatting of the host version is preferred.
        let sources = format.needsColumns && host.side == 1 ? sources.reversed() : sources
        var versions: [(RecordText.Version, FileText)] = []
        for (side, place) in sources {
            guard let text = sides[side].text, let model = models[side][place] else { continue }
            versions.append((RecordText.Version(bytes: Array(sides[side].bytes(place)), record: model), text))
        }
        return try host.version(of: record, from: versions)
    }

    private func written() throws(Conversion.Failure) -> [UInt8] {
        guard let host else {
            do throws(WriteError) {
                return try writtenAnew()
            } catch {
                throw .write(error)
            }
        }
        var list: [FileText.Piece] = []
        if !format.needsColumns {
            list.append(.init(lead: chosen(base.head, sides[0].head, sides[1].head), text: .none))
        }
        do throws(WriteError) {
            for piece in pieces { list.append(try self.piece(piece, in: host)) }
        } catch {
            throw .write(error)
        }
        let rest = chosen(base.rest, sides[0].rest, sides[1].rest)
        return try host.text.assembled(list, adding: host.columns, rest: rest)
    }

    /// Returns bytes that belong to no record: the changed version, or ours if both sides have changed them.
    private func chosen(
        _ old: ArraySlice<UInt8>, _ ours: ArraySlice<UInt8>, _ theirs: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        ours == old ? theirs : ours
    }

    private func piece(_ piece: Piece, in host: MergeHost) throws(WriteError) -> FileText.Piece {
        switch piece {
        case .lead(let lead): return .init(lead: lead, text: .none)
        case .made(let version, let lead): return .init(lead: lead, text: .made(version))
        case .kept(let side, let place, let twin):
            if side == host.side { return .init(lead: sides[side].lead(place), text: .kept(place)) }
            guard format.needsColumns, let text = sides[side].text else {
                return .init(lead: sides[side].lead(place), text: .copied(Array(sides[side].bytes(place))))
            }
            if let twin, areSame(models[side][place], models[host.side][twin]) {
                return .init(lead: sides[host.side].lead(twin), text: .kept(twin))
            }
            let lead = twin.map { sides[host.side].lead($0) } ?? sides[side].lead(place)
            if host.takesRow(of: text) { return .init(lead: lead, text: .copied(Array(sides[side].bytes(place)))) }
            let record = try readable(side, place)
            let sources = [(side: host.side, place: twin)].compactMap { side, place in place.map { (side, $0) } }
            guard let version = try version(of: record, from: sources) else { return .init(lead: [], text: .none) }
            return .init(lead: lead, text: .made(version))
        }
    }

    private func readable(_ side: Int, _ place: Int) throws(WriteError) -> Record {
        if let record = models[side][place] { return record }
        throw WriteError(.impossible, "record \(place + 1) of \(Self.sideNames[side]) cannot be read")
    }

    /// Writes the table again completely, because both sides have changed its header or it uses unusual syntax.
    private func writtenAnew() throws(WriteError) -> [UInt8] {
        var writer = try format.makeWriter(ByteSink(), WriteOptions())
        var header = header
        var records: [Record] = []
        for piece in pieces {
            switch piece {
            case .kept(let side, let place, _): records.append(try readable(side, place))
            case .made(let version, _): records.append(version.record)
            case .lead: break
            }
        }
        // Values in deleted columns, and conflict marks, are preserved in additional columns.
        var known = Set(header.columns.map(\.name))
        for field in records.flatMap(\.fields) where known.insert(field.name).inserted {
            header.columns.append(Column(field.name))
        }
        header.rowCount = records.count
        try writer.begin(header)
        for record in records { _ = try writer.write(record) }
        try writer.finish()
        return writer.takeBytes()
    }
}
