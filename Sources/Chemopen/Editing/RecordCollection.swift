/// The records of a file for editing. Editing a record preserves the bytes of all other records.
///
/// Edits stay in memory until `save()`. Each edit returns a `ChangeSet`, which can be reverted completely or in part.
///
///     var file = try RecordCollection("library.sdf")
///     let change = try file.edit(record: 3, [.set("MASS", "180.2"), .unset("NOTE")])
///     try file.revert(change)
///     try file.save()
public struct RecordCollection: Sendable {
    /// The path of the file.
    public let path: LocalPath
    /// The format of the file.
    public var format: Format { text.format }
    private(set) var text: FileText
    /// The file and its version when it was read. Copies of the collection share it.
    private let update: FileUpdate
    private var entries: [Entry]
    /// The positions of records in their order. The slot of a deleted or moved record is preserved so that the change
    /// can be reverted.
    private var slots: [Slot]
    private var order: [Int]

    /// A record, independent of its position.
    private struct Entry {
        /// The bytes and the record, if they differ from the file.
        var version: RecordText.Version?
        /// The record's slot, or `nil` if it was deleted.
        var slot: Int?
    }

    private struct Slot {
        /// The bytes before the record that belong to no record.
        var lead: Range<Int> = 0..<0
        var entry: Int?
    }

    /// Opens a file.
    ///
    /// - Parameter format: The format to read, or `nil` to detect it.
    /// - Throws: `Conversion.Failure` if the file cannot be read or uses syntax that editing does not support.
    public init(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(Conversion.Failure) {
        try self.init(path, as: format, options, isLocked: false)
    }

    /// - Parameter isLocked: Whether to prevent other programs from editing the file until this collection is saved or
    ///   released.
    package init(
        _ path: LocalPath, as format: Format?, _ options: ReadOptions, isLocked: Bool
    ) throws(Conversion.Failure) {
        self.path = path
        do throws(FileError) {
            update = try FileUpdate(path, isLocked: isLocked)
        } catch {
            throw .read(ReadError(error))
        }
        text = try FileText(update, as: format, options)
        (entries, slots, order) = ([], [], [])
        restoreToOriginal()
    }

    /// The number of records.
    public var count: Int { order.count { slots[$0].entry != nil } }

    /// Whether the collection differs from the file.
    public var isEdited: Bool {
        order.count != text.records.count || entries.contains { $0.version != nil }
            || order.enumerated().contains { slots[$1].entry != $0 }
    }

    /// Returns a record with its edits, by its number from 1.
    ///
    /// - Returns: The record, or `nil` if it is unreadable.
    /// - Throws: `Conversion.Failure` if there is no such record.
    public func record(_ number: Int) throws(Conversion.Failure) -> Record? {
        let entry = try entries(at: [number])[0]
        return try records(of: [entry])[entry]
    }

    /// Returns the names of the fields of some records, and of the columns of a table.
    package func fieldNames(ofRecords numbers: [Int]) throws(Conversion.Failure) -> Set<Text> {
        let records = try records(of: try entries(at: numbers))
        return Set(text.header.columns.map(\.name)).union(records.values.flatMap { $0.fields.map(\.name) })
    }

    /// The entries of all records in their order.
    private var present: [Int] { order.compactMap { slots[$0].entry } }

    private func bytes(of entry: Int) -> [UInt8] {
        entries[entry].version?.bytes ?? Array(text.bytes[text.records[entry]])
    }

    /// Returns the records of some entries, without those that are unreadable.
    private func records(of list: [Int]) throws(Conversion.Failure) -> [Int: Record] {
        var records = try text.records(list.filter { entries[$0].version == nil })
        for entry in list {
            if let version = entries[entry].version { records[entry] = version.record }
        }
        return records
    }

    private func entries(at numbers: [Int]) throws(Conversion.Failure) -> [Int] {
        let present = present
        var found: [Int] = []
        for number in numbers {
            guard number > 0, present.indices.contains(number - 1) else {
                throw .impossible("there is no record \(number) (the file has \(present.count))")
            }
            found.append(present[number - 1])
        }
        return found
    }
}

// MARK: Edits

extension RecordCollection {
    /// Edits a record, by its number from 1.
    ///
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if the record cannot be edited in this way.
    public mutating func edit(record number: Int, _ edits: [RecordEdit]) throws(Conversion.Failure) -> ChangeSet {
        try edit(records: [number], edits)
    }

    /// Edits several records, by their numbers from 1.
    ///
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if a record cannot be edited in this way. All records are then unchanged.
    public mutating func edit(records numbers: [Int], _ edits: [RecordEdit]) throws(Conversion.Failure) -> ChangeSet {
        try text.refuseUnwritten()
        for edit in edits {
            if let refusal = edit.refusal(in: format) { throw .impossible(refusal) }
        }
        let chosen = try entries(at: numbers)
        let records = try records(of: chosen)
        var changes = ChangeSet()
        var versions: [Int: RecordText.Version] = [:]
        for (number, entry) in zip(numbers, chosen) {
            guard let old = records[entry] else {
                throw .impossible("record \(number) is unreadable and cannot be edited")
            }
            var new = old
            for edit in edits { edit.apply(to: &new) }
            if new.says(old) { continue }
            let version = RecordText.Version(bytes: bytes(of: entry), record: old)
            let edited = try text.version(of: new, from: [version], called: "record \(number)")
            versions[entry] = edited
            changes.remarks += text.remarks(on: edits, old, new, number: number)
            changes.changes.append(change(of: entry, number, version, edited))
        }
        for (entry, version) in versions { entries[entry].version = version }
        return changes
    }

    /// Edits atoms and bonds of a record's molecule, by the record's number from 1. In molfiles and SD files, the lines of
    /// other atoms and bonds do not change.
    ///
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if the record has no molecule, or cannot be edited in this way.
    public mutating func edit(
        record number: Int, structure edits: [StructureEdit]
    ) throws(Conversion.Failure) -> ChangeSet {
        try text.refuseUnwritten()
        let (entry, old) = try readable(number)
        var record = old.record
        var molecule: Molecule
        switch record.subject {
        case .molecule(let own): molecule = own
        case .none: molecule = Molecule()
        case .reaction: throw .impossible("record \(number) is a reaction; its structures cannot be edited")
        }
        if let reason = molecule.apply(edits) { throw .impossible("record \(number): \(reason)") }
        if edits.isEmpty { return ChangeSet() }
        record.subject = .molecule(molecule)
        if text.table != nil, let restated = try? text.restated(record) { record = restated }
        do throws(Conversion.Failure) {
            return try put(record, of: [old], number, entry)
        } catch {
            // A format can represent more than the edit, such as the hydrogens of a charged atom in SMILES.
            guard case .impossible = error, let restated = try? text.restated(record) else { throw error }
            return try put(restated, of: [old], number, entry)
        }
    }

    private func change(
        of entry: Int, _ number: Int, _ old: RecordText.Version, _ new: RecordText.Version
    ) -> RecordChange {
        let slot = entries[entry].slot ?? 0
        return RecordChange(
            kind: .changed, before: .init(number: number, bytes: old.bytes, record: old.record),
            after: .init(number: number, bytes: new.bytes, record: new.record),
            place: CollectionPlace(entry: entry, old: slot, new: slot))
    }

    /// Replaces the text of a record with a text from a file of the same format.
    mutating func replace(record number: Int, by bytes: [UInt8], _ record: Record) throws(Conversion.Failure)
        -> ChangeSet
    {
        let entry = try entries(at: [number])[0]
        let old = RecordText.Version(bytes: self.bytes(of: entry), record: try records(of: [entry])[entry] ?? Record())
        let new = RecordText.Version(bytes: bytes, record: record)
        if new.bytes == old.bytes { return ChangeSet() }
        entries[entry].version = new
        return ChangeSet([change(of: entry, number, old, new)])
    }

    /// Replaces parts of a record with those of another version.
    mutating func take(
        _ parts: Set<RecordPart>, of version: RecordText.Version, record number: Int
    ) throws(Conversion.Failure) -> ChangeSet {
        let (entry, old) = try readable(number)
        var record = old.record
        for part in Record.parts(of: [version.record, record]) where parts.contains(part) {
            record.take(part, from: version.record, isOlder: true)
        }
        return try put(record, of: [old, version], number, entry)
    }

    /// Merges the changes that another version of a record has made since the common base version.
    mutating func merge(
        _ version: RecordText.Version, of base: Record, record number: Int, only parts: Set<RecordPart>?,
        isOlder: Bool = true
    ) throws(Conversion.Failure) -> ChangeSet {
        let (entry, old) = try readable(number)
        let merge = RecordMerge(base, old.record, version.record, only: parts, isOlder: isOlder)
        if let part = merge.conflicts.first {
            throw .impossible("\(old.record.described): \(part) has changed again since then")
        }
        return try put(merge.record, of: [old, version], number, entry)
    }

    private func readable(_ number: Int) throws(Conversion.Failure) -> (entry: Int, version: RecordText.Version) {
        let entry = try entries(at: [number])[0]
        guard let record = try records(of: [entry])[entry] else { throw .impossible("record \(number) cannot be read") }
        return (entry, RecordText.Version(bytes: bytes(of: entry), record: record))
    }

    /// Replaces a record and reuses the bytes of the versions that it was derived from.
    private mutating func put(
        _ record: Record, of versions: [RecordText.Version], _ number: Int, _ entry: Int
    ) throws(Conversion.Failure) -> ChangeSet {
        if record.says(versions[0].record) { return ChangeSet() }
        // If a version has the same content, its text is used verbatim.
        var new = versions.first { record.says($0.record) }
        if new == nil { new = try text.version(of: record, from: versions, called: "record \(number)") }
        guard let new else { return ChangeSet() }
        entries[entry].version = new
        return ChangeSet([change(of: entry, number, versions[0], new)])
    }

    /// Inserts a record of another format, if this format can represent it completely.
    mutating func insertConverted(_ record: Record, at number: Int?) throws(Conversion.Failure) -> ChangeSet {
        let written = try text.written(record)
        if let loss = written.losses.first {
            throw .impossible("\(record.described): \(format.described) cannot represent the earlier record: \(loss)")
        }
        return try insert([written.version], at: number)
    }

    /// Replaces the parts of a record that have another meaning in a record of another format.
    mutating func takeConverted(
        _ other: Record, record number: Int, only wanted: Set<RecordPart>?
    ) throws(Conversion.Failure) -> ChangeSet {
        let (entry, old) = try readable(number)
        var record = old.record
        for part in Record.parts(of: [other, record]) where wanted?.contains(part) ?? true {
            if !record.hasSameMeaning(as: other, in: part) { record.take(part, from: other, isOlder: true) }
        }
        return try put(record, of: [old], number, entry)
    }

    /// Merges the changes that a version in another format has made since the common base version.
    mutating func mergeConverted(
        _ other: Record, of base: Record, record number: Int, only wanted: Set<RecordPart>?
    ) throws(Conversion.Failure) -> ChangeSet {
        let (entry, old) = try readable(number)
        var record = old.record
        for part in Record.parts(of: [other, base, record]) where wanted?.contains(part) ?? true {
            if base.hasSameMeaning(as: other, in: part) { continue }
            guard record.hasSameMeaning(as: base, in: part) else {
                throw .impossible("\(old.record.described): \(part) has changed again since then")
            }
            record.take(part, from: other, isOlder: true)
        }
        return try put(record, of: [old], number, entry)
    }

    /// Returns the bytes of a record, by its number from 1.
    func bytes(ofRecord number: Int) throws(Conversion.Failure) -> [UInt8] {
        bytes(of: try entries(at: [number])[0])
    }

    /// Whether a record has exactly these bytes.
    package func holds(_ bytes: [UInt8], at number: Int) throws(Conversion.Failure) -> Bool {
        let own = self.bytes(of: try entries(at: [number])[0])
        // The header of a file can be counted as a part of its first record.
        return own == bytes || number == 1 && own[...] == bytes.dropFirst(format.lengthOfHead(bytes.span))
    }

    /// Returns the numbers of the records whose bytes satisfy a condition.
    package func numbers(where isWanted: ([UInt8]) -> Bool) -> [Int] {
        present.enumerated().filter { isWanted(bytes(of: $1)) }.map { $0.offset + 1 }
    }

    /// Deletes records.
    ///
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if there is no such record or the format stores only one record.
    public mutating func delete(records numbers: [Int]) throws(Conversion.Failure) -> ChangeSet {
        try text.refuseSingle("deleted from")
        let chosen = try entries(at: numbers)
        let records = try records(of: chosen)
        var changes = ChangeSet()
        for (number, entry) in zip(numbers, chosen) {
            guard let slot = entries[entry].slot else { continue }
            changes.changes.append(
                RecordChange(
                    kind: .deleted, before: .init(number: number, bytes: bytes(of: entry), record: records[entry]),
                    after: nil, place: CollectionPlace(entry: entry, old: slot, new: slot)))
            slots[slot].entry = nil
            entries[entry].slot = nil
        }
        return changes
    }

    /// Inserts records. Data that the format cannot represent is left out.
    ///
    /// - Parameter number: The number of the first new record. By default, the records are appended.
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if a record cannot be written or the format stores only one record.
    public mutating func insert(_ records: [Record], at number: Int? = nil) throws(Conversion.Failure) -> ChangeSet {
        var losses: [Loss] = []
        return try insert(records, at: number, &losses)
    }

    /// Inserts records, and adds the data that the format cannot represent to `losses`.
    package mutating func insert(
        _ records: [Record], at number: Int?, _ losses: inout [Loss]
    ) throws(Conversion.Failure) -> ChangeSet {
        var versions: [RecordText.Version] = []
        for record in records {
            let written = try text.written(record)
            versions.append(written.version)
            losses += written.losses
        }
        return try insert(versions, at: number)
    }

    mutating func insert(_ versions: [RecordText.Version], at number: Int?) throws(Conversion.Failure) -> ChangeSet {
        try text.refuseSingle("inserted into")
        let target = try orderPlace(of: number, leaving: [])
        var changes = ChangeSet()
        var added: [Int] = []
        for (index, version) in versions.enumerated() {
            let (entry, slot) = (entries.count, slots.count)
            entries.append(Entry(version: version, slot: slot))
            slots.append(Slot(entry: entry))
            added.append(slot)
            changes.changes.append(
                RecordChange(
                    kind: .inserted, before: nil,
                    after: .init(number: target.number + index, bytes: version.bytes, record: version.record),
                    place: CollectionPlace(entry: entry, old: slot, new: slot)))
        }
        order.insert(contentsOf: added, at: target.place)
        return changes
    }

    /// Moves records to consecutive positions.
    ///
    /// - Parameter number: The new number of the first of these records.
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if there is no such record or the format stores only one record.
    public mutating func move(records numbers: [Int], to number: Int) throws(Conversion.Failure) -> ChangeSet {
        try text.refuseSingle("moved within")
        let chosen = try entries(at: numbers)
        if number > 0, chosen == Array(present.dropFirst(number - 1).prefix(chosen.count)) { return ChangeSet() }
        let records = try records(of: chosen)
        let target = try orderPlace(of: number, leaving: Set(chosen))
        var changes = ChangeSet()
        var added: [Int] = []
        for (index, (old, entry)) in zip(numbers, chosen).enumerated() {
            guard let slot = entries[entry].slot else { continue }
            let bytes = bytes(of: entry)
            changes.changes.append(
                RecordChange(
                    kind: .moved, before: .init(number: old, bytes: bytes, record: records[entry]),
                    after: .init(number: target.number + index, bytes: bytes, record: records[entry]),
                    place: CollectionPlace(entry: entry, old: slot, new: slots.count)))
            slots[slot].entry = nil
            entries[entry].slot = slots.count
            added.append(slots.count)
            slots.append(Slot(entry: entry))
        }
        order.insert(contentsOf: added, at: target.place)
        return changes
    }

    /// Returns the position in the order for a record number, after some records were removed.
    private func orderPlace(
        of number: Int?, leaving: Set<Int>
    ) throws(Conversion.Failure) -> (place: Int, number: Int) {
        var seen = 0
        for (place, slot) in order.enumerated() {
            guard let entry = slots[slot].entry, !leaving.contains(entry) else { continue }
            seen += 1
            if seen == number { return (place, seen) }
        }
        guard number == nil || number == seen + 1 else {
            throw .impossible("the number must be from 1 to \(seen + 1), not \(number ?? 0)")
        }
        return (order.count, seen + 1)
    }
}

// MARK: Reverting

extension RecordCollection {
    /// Reverts changes of this collection, even if other parts have changed since then.
    ///
    /// - Parameter parts: The parts of changed records to revert, or `nil` to revert all changes completely.
    /// - Returns: The changes made.
    /// - Throws: `Conversion.Failure` if the same data has changed again. The collection is then unchanged.
    @discardableResult
    public mutating func revert(
        _ changes: ChangeSet, only parts: Set<RecordPart>? = nil
    ) throws(Conversion.Failure) -> ChangeSet {
        var edited = self
        let made = try edited.apply(changes.inverted(), only: parts)
        self = edited
        return made
    }

    /// Reverts changes that another collection has saved to the same file.
    ///
    /// - Returns: The changes made.
    /// - Throws: `Conversion.Failure` if a record has been changed again. The collection is then unchanged.
    package mutating func revert(saved changes: ChangeSet) throws(Conversion.Failure) -> ChangeSet {
        var edited = self
        var made = ChangeSet()
        for change in changes.changes.reversed() {
            switch (change.before, change.after) {
            case (let before?, let after?):
                let number = try edited.number(of: after, change)
                guard let record = before.record else { throw .impossible("\(change.name): the record cannot be read") }
                made.add(try edited.replace(record: number, by: before.bytes, record))
            case (nil, let after?):
                made.add(try edited.delete(records: [try edited.number(of: after, change)]))
            case (let before?, nil):
                guard let record = before.record else { throw .impossible("\(change.name): the record cannot be read") }
                let version = RecordText.Version(bytes: before.bytes, record: record)
                made.add(try edited.insert([version], at: min(before.number, edited.count + 1)))
            case (nil, nil): break
            }
        }
        self = edited
        return made
    }

    /// Returns the number of the only record with the bytes of a version, preferably the record at the old number.
    private func number(of version: RecordChange.Version, _ change: RecordChange) throws(Conversion.Failure) -> Int {
        let present = present
        if present.indices.contains(version.number - 1), bytes(of: present[version.number - 1]) == version.bytes {
            return version.number
        }
        let found = present.indices.filter { bytes(of: present[$0]) == version.bytes }
        guard found.count == 1 else { throw .impossible("\(change.name): the record has been changed since") }
        return found[0] + 1
    }

    /// Reverts all unsaved edits.
    public mutating func restoreToOriginal() {
        entries = text.records.indices.map { Entry(slot: $0) }
        // The header of the file belongs to no record.
        slots = text.records.indices.map { Slot(lead: $0 == 0 ? 0..<0 : text.leads[$0], entry: $0) }
        order = Array(text.records.indices)
    }

    private mutating func apply(
        _ changes: ChangeSet, only parts: Set<RecordPart>?
    ) throws(Conversion.Failure) -> ChangeSet {
        var made = ChangeSet()
        for change in changes.changes {
            guard let place = change.place, entries.indices.contains(place.entry) else {
                throw .impossible("the change belongs to another file: \(change.name)")
            }
            if parts != nil, change.kind != .changed { continue }
            switch change.kind {
            case .inserted: try takeIn(change, place)
            case .deleted: try takeOut(change, place)
            case .moved: try moveBack(change, place)
            case .changed: try changeBack(change, place, parts)
            }
            made.changes.append(change)
        }
        let numbers = Dictionary(present.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        for (index, change) in made.changes.enumerated() {
            guard let entry = change.place?.entry, let number = numbers[entry] else { continue }
            made.changes[index].after?.number = number
        }
        return made
    }

    private mutating func takeIn(_ change: RecordChange, _ place: CollectionPlace) throws(Conversion.Failure) {
        guard entries[place.entry].slot == nil, slots[place.new].entry == nil else {
            throw .impossible("\(change.name): the record already exists")
        }
        entries[place.entry].slot = place.new
        slots[place.new].entry = place.entry
    }

    private mutating func takeOut(_ change: RecordChange, _ place: CollectionPlace) throws(Conversion.Failure) {
        guard entries[place.entry].slot == place.old, bytes(of: place.entry) == change.before?.bytes else {
            throw .impossible("\(change.name): the record has been changed since it was inserted")
        }
        entries[place.entry].slot = nil
        slots[place.old].entry = nil
    }

    private mutating func moveBack(_ change: RecordChange, _ place: CollectionPlace) throws(Conversion.Failure) {
        guard entries[place.entry].slot == place.old, slots[place.new].entry == nil else {
            throw .impossible("\(change.name): the record has been moved or deleted since")
        }
        slots[place.old].entry = nil
        entries[place.entry].slot = place.new
        slots[place.new].entry = place.entry
    }

    private mutating func changeBack(
        _ change: RecordChange, _ place: CollectionPlace, _ parts: Set<RecordPart>?
    ) throws(Conversion.Failure) {
        guard entries[place.entry].slot != nil else {
            throw .impossible("\(change.name): the record has been deleted since")
        }
        guard let before = change.before, let after = change.after, let base = before.record, let theirs = after.record,
            let number = present.firstIndex(of: place.entry)
        else { throw .impossible("\(change.name): the record cannot be read") }
        _ = try merge(
            RecordText.Version(bytes: after.bytes, record: theirs), of: base, record: number + 1, only: parts)
    }
}

// MARK: Saving

extension RecordCollection {
    /// Assembles the file with all edits.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: `Conversion.Failure` if the edited file would not be read back as the same records.
    public func bytes() throws(Conversion.Failure) -> [UInt8] {
        if !isEdited { return text.bytes }
        var pieces = [FileText.Piece(lead: text.head, text: .none)]
        for slot in order {
            let piece = slots[slot]
            var text: FileText.Piece.Text = .none
            if let entry = piece.entry {
                text = entries[entry].version.map { .made($0) } ?? .kept(entry)
            }
            pieces.append(FileText.Piece(lead: self.text.bytes[piece.lead], text: text))
        }
        return try text.assembled(pieces)
    }

    /// Overwrites the original file atomically.
    ///
    /// - Throws: `Conversion.Failure` if another program has written the file since it was read. The file is then
    ///   unchanged.
    public func save() throws(Conversion.Failure) {
        try save(to: path, replacing: true)
    }

    /// Overwrites the original file atomically, on a separate thread while the task waits.
    ///
    /// - Throws: `Conversion.Failure` if another program has written the file since it was read, or if the task is
    ///   cancelled. The file is then unchanged.
    public func save() async throws(Conversion.Failure) {
        try await save(to: path, replacing: true)
    }

    /// Writes the file to a path atomically, on a separate thread while the task waits.
    ///
    /// - Parameter replacing: Whether an existing file can be overwritten.
    /// - Throws: `Conversion.Failure` if the file cannot be written, or if the task is cancelled.
    public func save(to path: LocalPath, replacing: Bool = false) async throws(Conversion.Failure) {
        try await onReadingThread(by: text.file.options) { [self] options throws(Conversion.Failure) in
            var file = self
            file.text.file.options = options
            try file.save(to: path, replacing: replacing)
        }
    }

    /// Writes the file to a path atomically.
    ///
    /// - Parameter replacing: Whether an existing file can be overwritten.
    /// - Throws: `Conversion.Failure` if the file cannot be written.
    public func save(to path: LocalPath, replacing: Bool = false) throws(Conversion.Failure) {
        if text.isPacked, path == self.path, !path.hasSuffix(".gz") {
            throw .impossible("\(path.shown) is compressed but does not end in .gz (specify an output)")
        }
        let bytes = try bytes()
        if text.file.options.shouldCancel?() == true { throw .cancelled }
        if path == self.path, replacing {
            try update.save(bytes)
        } else {
            try writeWholeFile(bytes, to: path, replacing: replacing)
        }
    }
}
