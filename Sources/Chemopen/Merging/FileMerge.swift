/// Merges two versions of a file that were made of a third one, record by record.
///
/// Records are found again as `FileComparison` finds them. Of a record that one side alone has changed, added or deleted
/// this side is right; where both have changed it, `RecordMerge` looks into it. Bytes of records that are not merged stay
/// as they are, and those between them: the lines of a record that is merged, the cells of a row.
///
///     let merged = try FileMerge(base: "base.sdf", ours: "ours.sdf", theirs: "theirs.sdf").merged()
///     for conflict in merged.conflicts { print(conflict) }
public struct FileMerge: Sendable {
    /// The file as it is behind a merge.
    public struct Outcome: Sendable {
        /// The bytes of the file, unpacked.
        public let bytes: [UInt8]
        /// The changes that do not go together.
        public let conflicts: [Conflict]
        /// A table was written anew as a whole: both sides have changed its head, or it is spelled in an unusual way.
        public internal(set) var isWrittenAnew = false
        /// The version that is taken as a whole, as it lies there.
        var taken: [UInt8]?
        /// Ours is a packed file.
        var isPacked = false
        /// The version of ours that was merged.
        var ours: FileUpdate?

        /// Puts the file into the place of ours, whole or not at all, packed if ours is; a version that is taken as a whole stays
        /// as it is, byte for byte.
        ///
        /// - Throws: a failure if another program has written ours since it was read; nothing is written then.
        public func save(inPlaceOf ours: LocalPath) throws(Conversion.Failure) {
            let (bytes, packing) = (taken ?? bytes, taken == nil && isPacked)
            if let version = self.ours, version.path == ours { return try version.save(bytes, packing: packing) }
            do throws(FileError) {
                try writeFile(bytes, to: ours, replacing: true, packing: packing)
            } catch {
                throw .write(WriteError(error))
            }
        }
    }

    /// A record that both sides have changed in ways that do not go together. The file holds both versions of it, each
    /// marked in the field `MergeConflict`, where its format has fields; and else ours.
    public struct Conflict: Sendable, Hashable, CustomStringConvertible {
        /// The title of the record; empty where it is the file as a whole.
        public let record: String
        /// The reason, in words.
        public let reason: String

        /// The conflict in one line.
        public var description: String { record.isEmpty ? reason : "\(record): \(reason)" }
    }

    /// The field that marks both versions of a record.
    public static let markField: Text = "MergeConflict"

    /// The field by whose value records are found again, or `title`.
    public var key: Text?
    private let paths: [LocalPath]
    private let named: Format?
    private var options: ReadOptions

    /// Three versions of a file, in the formats that their contents show, or in the one named.
    public init(
        base: LocalPath, ours: LocalPath, theirs: LocalPath, as format: Format? = nil,
        _ options: ReadOptions = ReadOptions()
    ) {
        paths = [base, ours, theirs]
        named = format
        self.options = options
    }

    /// Merges. Where both sides have changed a file of one record, ours stays, and a conflict says so.
    public func merged() throws(Conversion.Failure) -> Outcome {
        var updates: [FileUpdate] = []
        do throws(FileError) {
            for path in paths { updates.append(try FileUpdate(path)) }
        } catch {
            throw .read(ReadError(error))
        }
        var outcome = try merged(version(updates[0]), version(updates[1]), version(updates[2]))
        outcome.ours = updates[1]
        return outcome
    }

    private func merged(
        _ base: Version, _ ours: Version, _ theirs: Version
    ) throws(Conversion.Failure) -> Outcome {
        if ours.bytes == theirs.bytes || theirs.bytes == base.bytes { return ours.outcome() }
        if ours.bytes == base.bytes { return theirs.outcome() }
        let run: MergeRun?
        do throws(ReadError) {
            run = try self.run(base.bytes, ours.bytes, theirs.bytes)
        } catch {
            throw .read(error)
        }
        guard var run else {
            return ours.outcome([Conflict(record: "", reason: "both sides have changed the file; ours is kept")])
        }
        var outcome = try run.merge()
        outcome.isPacked = ours.isPacked
        return outcome
    }

    /// Merges on a thread of its own, while the task waits.
    public func merged() async throws(Conversion.Failure) -> Outcome {
        try await onReadingThread(by: options) { [self] options throws(Conversion.Failure) in
            var merge = self
            merge.options = options
            return try merge.merged()
        }
    }

    /// A version of the file, unpacked and as it lies there.
    private struct Version {
        let bytes: [UInt8]
        let file: [UInt8]

        var isPacked: Bool { bytes.count != file.count }

        func outcome(_ conflicts: [Conflict] = []) -> Outcome {
            Outcome(bytes: bytes, conflicts: conflicts, taken: file)
        }
    }

    private func version(_ update: FileUpdate) throws(Conversion.Failure) -> Version {
        let path = update.path
        guard fileKind(path) == .regular else {
            let bytes = try unpackedBytes(of: path, options.cancels).bytes
            return Version(bytes: bytes, file: bytes)
        }
        let file: [UInt8]
        do throws(FileError) {
            file = try update.read { options.cancels?() != true }
            if options.cancels?() == true { throw .cancelled(path) }
        } catch {
            throw .read(ReadError(error))
        }
        return Version(bytes: try unpacked(file, path, options.cancels), file: file)
    }

    /// The merge of the files record by record; nothing where they cannot be merged so.
    private func run(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws(ReadError) -> MergeRun? {
        let hasBase = !base.isEmpty
        let old = hasBase ? try RereadFile(Source(base, named: paths[0]), as: named, options) : nil
        let (mine, other) = (
            try RereadFile(Source(ours, named: paths[1]), as: named, options),
            try RereadFile(Source(theirs, named: paths[2]), as: named, options)
        )
        let format = mine.format
        let isOfOneFormat = other.format.id == format.id && (old ?? mine).format.id == format.id
        guard isOfOneFormat, format.makeWriter != nil, format.holds.contains(.severalRecords), !format.hasCommonPages
        else {
            return nil
        }
        let candidates = try RecordKey.candidates(in: old ?? mine, named: key)
        let hash = KeyedHash()
        let held = try old.map { file throws(ReadError) in try HeldRecords(file, base, by: candidates, hash) }
        let sides = [
            try HeldRecords(mine, ours, by: candidates, hash), try HeldRecords(other, theirs, by: candidates, hash),
        ]
        // Records that cannot be told from the bytes between them are not put together of pieces.
        if !format.needsColumns, (sides + (held.map { [$0] } ?? [])).contains(where: { $0.text == nil }) { return nil }
        let titles = candidates.indices.filter { [.title, .field(SheetHeader.titleName)].contains(candidates[$0]) }
        return try MergeRun(
            held ?? HeldRecords(withoutRecords: candidates.count), sides, format, key: key, titles: titles, paths[1])
    }
}
