/// Merges two versions of a file that were made of a third one, record by record.
///
/// Records are found again as `FileComparison` finds them. Of a record that one side alone has changed, added or deleted
/// this side is right; where both have changed it, `RecordMerge` looks into it. Bytes of records that are not merged stay
/// as they are.
///
///     let merged = try FileMerge(base: "base.sdf", ours: "ours.sdf", theirs: "theirs.sdf").merged()
///     for conflict in merged.conflicts { print(conflict) }
public struct FileMerge {
    /// The file as it is behind a merge.
    public struct Outcome: Sendable {
        /// The bytes of the file.
        public let bytes: [UInt8]
        /// The changes that do not go together.
        public let conflicts: [Conflict]
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
    private let options: ReadOptions

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
        let (base, ours, theirs) = (try bytes(paths[0]), try bytes(paths[1]), try bytes(paths[2]))
        if ours == theirs || theirs == base { return Outcome(bytes: ours, conflicts: []) }
        if ours == base { return Outcome(bytes: theirs, conflicts: []) }
        let run: MergeRun?
        do throws(ReadError) {
            run = try self.run(base, ours, theirs)
        } catch {
            throw .read(error)
        }
        guard var run else {
            let conflict = Conflict(record: "", reason: "both sides have changed the file; ours is kept")
            return Outcome(bytes: ours, conflicts: [conflict])
        }
        return try run.merge()
    }

    private func bytes(_ path: LocalPath) throws(Conversion.Failure) -> [UInt8] {
        let (bytes, isPacked) = try unpackedBytes(of: path)
        if isPacked { throw .impossible("\(path.shown): a packed file is not merged; unpack it first") }
        return bytes
    }

    /// The merge of the files record by record; nothing where they cannot be merged so.
    private func run(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws(ReadError) -> MergeRun? {
        let hasBase = !base.isEmpty
        let base = hasBase ? try RereadFile(paths[0], bytes: base, as: named, options) : nil
        let ours = try RereadFile(paths[1], bytes: ours, as: named, options)
        let theirs = try RereadFile(paths[2], bytes: theirs, as: named, options)
        let format = ours.format
        let isOfOneFormat = theirs.format.id == format.id && (base ?? ours).format.id == format.id
        guard isOfOneFormat, format.makeWriter != nil, format.holds.contains(.severalRecords), !format.hasCommonPages
        else {
            return nil
        }
        let candidates = try RecordKey.candidates(in: base ?? ours, named: key)
        let hash = KeyedHash()
        var old = HeldRecords(withoutRecords: candidates.count)
        if let base { old = try HeldRecords(base, by: candidates, hash) }
        return try MergeRun(
            old, [HeldRecords(ours, by: candidates, hash), HeldRecords(theirs, by: candidates, hash)], format,
            isKeyed: key != nil)
    }
}
