/// The number of records in a file, determined by reading each record completely.
public struct RecordCount: Sendable {
    /// The number of readable records.
    public var records = 0
    /// The first unreadable records, at most 100.
    public var unreadable: [UnreadableRecord] = []
    /// The error that ended the file early.
    public var failure: ReadError?

    /// The maximum length of `unreadable`. Further records are only counted.
    private static let limit = 100
    /// The number of unreadable records.
    public private(set) var unreadableCount = 0

    /// Counts the records of a stream.
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

    /// Counts the records of a source.
    ///
    /// Uses several threads if the format supports splitting a file.
    ///
    ///     let count = try RecordCount(of: Source("a.sdf"), threads: 2)
    ///     print(count.records)
    ///
    /// - Parameter known: The format to read, or `nil` to detect it.
    /// - Parameter threads: The maximum number of threads.
    /// - Throws: `ReadError` if the source cannot be opened or its format is unknown.
    public init(
        of origin: Source, as known: Format? = nil, threads: Int = 1, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        var source = try origin.openToRead(
            options, blockSize: threads > 1 ? BlockCutter.blockSize : ByteSource.blockSize)
        let format = try source.identified(
            as: known, declaredAs: origin.declaredType, among: options.knownFormats
        ).format
        guard threads > 1, let lastRecordEnd = format.lastRecordEnd else {
            var stream = try RecordStream.reopen(source, as: format, options)
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
        failure = error.map { ReadError($0) }
    }

    /// Counts the records of the file at a path.
    ///
    /// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
    public init(
        path: LocalPath, as known: Format? = nil, threads: Int = 1, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        try self.init(of: Source(path), as: known, threads: threads, options)
    }

    /// Counts the records of a file. The path is a `String`.
    ///
    /// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
    public init(
        path: String, as known: Format? = nil, threads: Int = 1, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        try self.init(of: Source(path), as: known, threads: threads, options)
    }

    private init() {}

    /// Counts the records of several sources and reports the counts in the order of the sources.
    ///
    /// If there are many files, they are distributed over the threads. If there are few, each file is read by all
    /// threads, provided that its format supports splitting.
    ///
    ///     RecordCount.each(of: paths.map { Source($0) }, threads: 2) { source, count in
    ///         print(source.name.shown, (try? count.get().records) ?? 0)
    ///     }
    ///
    /// - Parameter take: Receives each source and either its count or the reason why it cannot be read.
    public static func each(
        of sources: [Source], as known: Format? = nil, threads: Int = 1, _ options: ReadOptions = ReadOptions(),
        take: (_ source: Source, _ count: Result<RecordCount, ReadError>) -> Void
    ) {
        guard threads > 1, sources.count >= 2 * threads else {
            for source in sources { take(source, count(source, as: known, threads: threads, options)) }
            return
        }
        forEachPiece(of: FileQueue(sources, threads: threads), threads: threads) { sources in
            sources.map { ($0, count($0, as: known, threads: 1, options)) }
        } take: { counts in
            for (source, count) in counts { take(source, count) }
            return true
        } end: { _ in
        }
    }

    private static func count(
        _ source: Source, as known: Format?, threads: Int, _ options: ReadOptions
    ) -> Result<RecordCount, ReadError> {
        do throws(ReadError) {
            return .success(try RecordCount(of: source, as: known, threads: threads, options))
        } catch {
            return .failure(error)
        }
    }

    private mutating func note(_ record: UnreadableRecord) {
        unreadableCount += 1
        if unreadable.count < Self.limit { unreadable.append(record) }
    }

    /// The count of one block.
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

/// A queue of files for several threads.
///
/// At first, each thread receives many files, to keep the overhead low; near the end it receives few, to balance the
/// threads.
private struct FileQueue: WorkSource {
    private var sources: ArraySlice<Source>
    private let threads: Int
    private static let most = 16

    init(_ sources: [Source], threads: Int) {
        self.sources = sources[...]
        self.threads = threads
    }

    mutating func next() -> ArraySlice<Source>? {
        if sources.isEmpty { return nil }
        let count = max(1, min(Self.most, sources.count / (2 * threads)))
        defer { sources = sources.dropFirst(count) }
        return sources.prefix(count)
    }

    mutating func takeBack(_ sources: consuming ArraySlice<Source>) {}
}
