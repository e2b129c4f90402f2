/// How many records a file has, every one of them read in full.
public struct RecordCount: Sendable {
    public var records = 0
    public var unreadable: [UnreadableRecord] = []
    /// The error that the file itself failed with.
    public var failure: ReadError?

    /// Unreadable records that are kept to be told of; the others are only counted.
    private static let limit = 100
    public private(set) var unreadableCount = 0

    /// Reads all records of a stream.
    public init(of stream: inout RecordStream) {
        var record = Record()
        while true {
            do throws(ReadError) {
                guard try stream.read(into: &record) else { return }
                records += 1
            } catch {
                guard error.kind == .broken || error.kind == .tooLarge else {
                    failure = error
                    continue
                }
                note(UnreadableRecord(error, in: stream))
            }
        }
    }

    /// Reads all records of a file on several threads, where its format lets files be cut.
    ///
    ///     let count = try RecordCount(path: "a.sdf", threads: 2)
    ///     print(count.records)
    public init(path: LocalPath, as known: Format? = nil, threads: Int = 1) throws(ReadError) {
        var source = try ByteSource.open(
            path, blockSize: threads > 1 ? BlockCutter.blockSize : ByteSource.blockSize)
        let (found, failure) = try source.identified(as: known)
        let format = found.format
        guard threads > 1, let lastRecordEnd = format.lastRecordEnd else {
            var stream = try RecordStream.reopen(source, as: format)
            self.init(of: &stream)
            return
        }
        self.init()
        var lines = 0
        var numbers = 0
        let error = forEachBlock(of: BlockCutter(source, lastRecordEnd), threads: threads) { block in
            Part(block, format)
        } take: { part in
            records += part.count.records
            for var record in part.count.unreadable {
                record.move(behindRecords: numbers, lines: lines)
                note(record)
            }
            unreadableCount += part.count.unreadableCount - part.count.unreadable.count
            numbers += part.numbers
            lines += part.lines
            return true
        }
        self.failure = failure ?? error.map { ReadError($0) }
    }

    /// Reads all records of a file whose path is text.
    public init(path: String, as known: Format? = nil, threads: Int = 1) throws(ReadError) {
        try self.init(path: LocalPath(path), as: known, threads: threads)
    }

    private init() {}

    /// Reads all records of each of several files, and takes the counts in their order.
    ///
    /// Many files are read on several threads side by side; of a few each is read on all of them, where its format lets
    /// it be cut.
    ///
    ///     RecordCount.each(of: paths, threads: 2) { path, count in
    ///         print(path, (try? count.get().records) ?? 0)
    ///     }
    public static func each(
        of paths: [LocalPath], as known: Format? = nil, threads: Int = 1,
        take: (_ path: LocalPath, _ count: Result<RecordCount, ReadError>) -> Void
    ) {
        guard threads > 1, paths.count >= 2 * threads else {
            for path in paths { take(path, count(path, as: known, threads: threads)) }
            return
        }
        forEachPiece(of: FileQueue(paths, threads: threads), threads: threads) { paths in
            paths.map { ($0, count($0, as: known, threads: 1)) }
        } take: { counts in
            for (path, count) in counts { take(path, count) }
            return true
        } end: { _ in
        }
    }

    private static func count(_ path: LocalPath, as known: Format?, threads: Int) -> Result<RecordCount, ReadError> {
        do throws(ReadError) {
            return .success(try RecordCount(path: path, as: known, threads: threads))
        } catch {
            return .failure(error)
        }
    }

    private mutating func note(_ record: UnreadableRecord) {
        unreadableCount += 1
        if unreadable.count < Self.limit { unreadable.append(record) }
    }

    /// The result of one block.
    private struct Part: Sendable {
        var count = RecordCount()
        var numbers = 0
        var lines = 0

        init(_ block: RecordBlock, _ format: Format) {
            do {
                let source = try ByteSource(block.bytes, name: block.name, offset: block.offset)
                var stream = try RecordStream.open(source, as: format)
                count = RecordCount(of: &stream)
                numbers = stream.place.record
                lines = stream.place.line - 1
            } catch {
                count.failure = error as? ReadError
            }
        }
    }
}

/// Files that several threads read, each some of them: many at first, so that they seldom wait for one another, and few
/// at the end, so that all end together.
private struct FileQueue: WorkSource {
    private var paths: ArraySlice<LocalPath>
    private let threads: Int
    private static let most = 16

    init(_ paths: [LocalPath], threads: Int) {
        self.paths = paths[...]
        self.threads = threads
    }

    mutating func next() -> ArraySlice<LocalPath>? {
        if paths.isEmpty { return nil }
        let count = max(1, min(Self.most, paths.count / (2 * threads)))
        defer { paths = paths.dropFirst(count) }
        return paths.prefix(count)
    }

    mutating func takeBack(_ paths: consuming ArraySlice<LocalPath>) {}
}
