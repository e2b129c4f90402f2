/// A three-way merge of two versions of a file, record by record.
///
/// Records are matched as in `FileComparison`. If only one side has changed, added or deleted a record, the version of
/// that side is used. If both have changed it, `RecordMerge` merges the parts of the record. All other bytes are
/// preserved: unmerged records, the bytes between records, and unchanged lines or cells of merged records.
///
///     let merged = try FileMerge(base: "base.sdf", ours: "ours.sdf", theirs: "theirs.sdf").merged()
///     for conflict in merged.conflicts { print(conflict) }
public struct FileMerge: Sendable {
    /// The result of a merge.
    public struct Outcome: Sendable {
        /// The decompressed bytes of the merged file.
        public let bytes: [UInt8]
        /// The conflicting changes.
        public let conflicts: [Conflict]
        /// Whether a table was written again completely, because both sides have changed its header or it uses unusual
        /// syntax.
        public internal(set) var isWrittenAnew = false
        /// Decisions that are not conflicts but affect the result, such as a record that both sides have moved.
        public internal(set) var remarks: [String] = []
        /// The original bytes of one version if that version is the result.
        var taken: [UInt8]?
        /// Whether "ours" is compressed.
        var isPacked = false
        /// The version of "ours" that was merged.
        var ours: FileUpdate?

        /// Overwrites "ours" with the merged file atomically, and compresses it if "ours" was compressed. If one
        /// version is the result, its bytes are preserved exactly.
        ///
        /// - Throws: `Conversion.Failure` if another program has written the file since it was read. The file is then
        ///   unchanged.
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

    /// A record with conflicting changes.
    ///
    /// If the format has fields, the merged file contains both versions of the record, marked in the field
    /// `MergeConflict`. Otherwise it contains ours.
    public struct Conflict: Sendable, Hashable, CustomStringConvertible {
        /// The title of the record, or an empty string for a conflict of the complete file.
        public let record: String
        /// The reason for the conflict.
        public let reason: String

        /// The conflict as one line of text.
        public var description: String { record.isEmpty ? reason : "\(record): \(reason)" }
    }

    /// The field that marks the versions of a record with a conflict.
    public static let markField: Text = "MergeConflict"

    /// The field that identifies a record, or `title`. By default it is chosen automatically.
    public var key: Text?
    private let paths: [LocalPath]
    private let named: Format?
    private var options: ReadOptions

    /// Creates a merge of two versions and their base in the specified or the detected formats.
    public init(
        base: LocalPath, ours: LocalPath, theirs: LocalPath, as format: Format? = nil,
        _ options: ReadOptions = ReadOptions()
    ) {
        paths = [base, ours, theirs]
        named = format
        self.options = options
    }

    /// Merges the files.
    ///
    /// If both sides have changed a file with one record, the result is "ours" with a conflict.
    ///
    /// - Returns: The merged file and its conflicts.
    /// - Throws: `Conversion.Failure` if a file cannot be read or the result cannot be written.
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
        if let converted = withOurLineEnds(base, ours, theirs) {
            var outcome = try merged(converted.base, ours, converted.theirs)
            // No file contains a converted version, so the result is compressed if ours is.
            if outcome.taken != ours.file { (outcome.taken, outcome.isPacked) = (nil, ours.isPacked) }
            outcome.remarks.insert("theirs has other line ends; those of ours are used", at: 0)
            return outcome
        }
        let run: MergeRun?
        do throws(ReadError) {
            run = try self.run(base.bytes, ours.bytes, theirs.bytes)
        } catch {
            throw .read(error)
        }
        guard var run else {
            return ours.outcome([Conflict(record: "", reason: "both sides have changed the file; ours is used")])
        }
        var outcome = try run.merge()
        outcome.isPacked = ours.isPacked
        return outcome
    }

    /// Merges the files on a separate thread while the task waits.
    ///
    /// - Returns: The merged file and its conflicts.
    /// - Throws: `Conversion.Failure` if a file cannot be read or the result cannot be written, or `.cancelled`.
    public func merged() async throws(Conversion.Failure) -> Outcome {
        try await onReadingThread(by: options) { [self] options throws(Conversion.Failure) in
            var merge = self
            merge.options = options
            return try merge.merged()
        }
    }

    /// A version of the file: its decompressed and its original bytes.
    private struct Version {
        let bytes: [UInt8]
        let file: [UInt8]

        var isPacked: Bool { bytes.count != file.count }

        func outcome(_ conflicts: [Conflict] = []) -> Outcome {
            Outcome(bytes: bytes, conflicts: conflicts, taken: file)
        }
    }

    /// Returns the base and theirs with the line ends of ours, or `nil` if theirs has the same line ends or mixed ones.
    ///
    /// Otherwise the merged file would contain both.
    private func withOurLineEnds(_ base: Version, _ ours: Version, _ theirs: Version) -> (
        base: Version, theirs: Version
    )? {
        // In nearly all files, the first line is sufficient to decide.
        if ours.bytes.span.firstLineEnd == theirs.bytes.span.firstLineEnd { return nil }
        guard let wanted = LineEnds(ours.bytes), let ends = LineEnds(theirs.bytes), ends != wanted else { return nil }
        let hasOther = LineEnds(base.bytes).map { $0 != wanted } ?? false
        let old = hasOther ? wanted.convert(base.bytes) : base.bytes
        let new = wanted.convert(theirs.bytes)
        return (Version(bytes: old, file: hasOther ? old : base.file), Version(bytes: new, file: new))
    }

    private func version(_ update: FileUpdate) throws(Conversion.Failure) -> Version {
        let path = update.path
        guard fileKind(path) == .regular else {
            let bytes = try unpackedBytes(of: path, options.shouldCancel).bytes
            return Version(bytes: bytes, file: bytes)
        }
        let file: [UInt8]
        do throws(FileError) {
            file = try update.read { options.shouldCancel?() != true }
            if options.shouldCancel?() == true { throw .cancelled(path) }
        } catch {
            throw .read(ReadError(error))
        }
        return Version(bytes: try unpacked(file, path, options.shouldCancel), file: file)
    }

    /// Prepares the merge record by record, or returns `nil` if the files cannot be merged in this way.
    private func run(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws(ReadError) -> MergeRun? {
        let hasBase = !base.isEmpty
        let old = hasBase ? try RereadFile(Source(base, named: paths[0]), as: named, options) : nil
        let (mine, other) = (
            try RereadFile(Source(ours, named: paths[1]), as: named, options),
            try RereadFile(Source(theirs, named: paths[2]), as: named, options)
        )
        let format = mine.format
        let isOfOneFormat = other.format.id == format.id && (old ?? mine).format.id == format.id
        guard isOfOneFormat, format.isWritable, format.supportedFeatures.contains(.severalRecords),
            !format.hasCommonPages
        else {
            return nil
        }
        let candidates = try RecordKey.candidates(in: old ?? mine, named: key)
        let hash = KeyedHash()
        let held = try old.map { file throws(ReadError) in try HeldRecords(file, base, by: candidates, hash) }
        let sides = [
            try HeldRecords(mine, ours, by: candidates, hash), try HeldRecords(other, theirs, by: candidates, hash),
        ]
        // If records cannot be distinguished from the bytes between them, the file cannot be assembled from pieces.
        if !format.needsColumns, (sides + (held.map { [$0] } ?? [])).contains(where: { $0.text == nil }) { return nil }
        let titles = candidates.indices.filter { [.title, .field(SheetHeader.titleName)].contains(candidates[$0]) }
        return try MergeRun(
            held ?? HeldRecords(withoutRecords: candidates.count), sides, format, key: key, titles: titles, paths[1])
    }
}
