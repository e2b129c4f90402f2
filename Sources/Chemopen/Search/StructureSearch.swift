/// A substructure search in files.
///
///     var search = StructureSearch([try SMARTSPattern("[Br]")])
///     try search.run(Source("a.sdf.gz")) { hit in
///         print(hit.place.record)
///         return true
///     }
public struct StructureSearch: Sendable {
    /// The patterns. A hit contains all patterns.
    public var patterns: [SMARTSPattern]
    /// Whether to return the records that lack at least one of the patterns.
    public var isInverted = false
    /// The records to search.
    public var selection = RecordSelection()
    /// The format to read, or `nil` to detect it.
    public var source: Format?
    /// The options for reading.
    public var reading = ReadOptions()
    /// The maximum number of threads. Several are used only if the format supports splitting a file.
    public var threads = 1
    /// Whether hits include the record and its bytes. If not, they contain only the position and the title.
    public var handsOutRecords = true

    /// Creates a search for records that contain all patterns.
    public init(_ patterns: [SMARTSPattern]) {
        self.patterns = patterns
    }

    /// A record that was found.
    public struct Hit: Sendable {
        /// The position of the record in its file.
        public var place: RecordPlace
        /// The title of its molecule or reaction.
        public var title: Text
        /// The original bytes of the record.
        public var bytes: [UInt8]
        /// The parsed record, if its bytes are not a complete file.
        public var record: Record?
        /// The format of its file.
        public let format: Format
    }

    /// The result of searching a file.
    public struct Summary: Sendable {
        /// The number of hits.
        public var hits = 0
        /// The number of records read.
        public var records = 0
        /// The number of unreadable records.
        public var unreadable = 0
        /// The number of records for which the search reached its limit. For these, it is not known whether they are
        /// hits.
        public var abandoned = 0
        /// The number of records in the selection.
        public var chosen = 0
        /// Statistics about the selection.
        public var choice = SelectionStatistics()
        /// The error that ended the file early.
        public var failure: ReadError?
    }

    /// A function that receives a hit and returns whether to continue.
    public typealias Taker = (consuming Hit) -> Bool

    /// Searches a file.
    ///
    /// - Parameter take: Receives each hit as it is found.
    /// - Parameter tell: Receives an event for each unreadable record.
    /// - Parameter progress: Receives frequent progress reports: the number of bytes and of records.
    /// - Returns: The number of hits and further statistics.
    /// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
    public func run(
        _ origin: Source, take: Taker, tell: (Conversion.Event) -> Void = { _ in },
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(ReadError) -> Summary {
        var source = try origin.openToRead(reading)
        let format = try source.identified(
            as: self.source, declaredAs: origin.declaredType, among: reading.knownFormats
        ).format
        if threads > 1, selection.mayRunInBlocks, let lastRecordEnd = format.lastRecordEnd {
            return runInBlocks(BlockCutter(source, lastRecordEnd), format, take, tell, progress)
        }
        var stream = try RecordStream.reopen(source, as: format, reading)
        var work = SearchWork(self, stream.format, of: origin.name)
        work.run(&stream, take: take, tell: tell, progress: progress)
        return work.summary
    }

    private func runInBlocks(
        _ cutter: consuming BlockCutter, _ format: Format, _ take: Taker, _ tell: (Conversion.Event) -> Void,
        _ progress: (Int, Int) -> Void
    ) -> Summary {
        var summary = Summary(choice: SelectionStatistics(of: selection))
        var (records, lines) = (0, 0)
        let error = forEachBlock(of: cutter, threads: threads) { [self] block in
            SearchedBlock(block, self, format)
        } take: { block in
            var goesOn = true
            for event in block.events { tell(event.moved(behindRecords: records, lines: lines)) }
            for var hit in block.hits where goesOn {
                hit.place.record += records
                hit.place.line += lines
                summary.hits += 1
                goesOn = take(hit)
            }
            summary.records += block.summary.records
            summary.unreadable += block.summary.unreadable
            summary.abandoned += block.summary.abandoned
            summary.chosen += block.summary.chosen
            summary.choice.add(block.summary.choice)
            records += block.lastRecord
            lines += block.lines
            progress(block.end, summary.records)
            summary.failure = block.summary.failure
            return goesOn && summary.failure == nil
        }
        if summary.failure == nil { summary.failure = error.map { ReadError($0) } }
        return summary
    }
}

/// A search in one stream of records.
struct SearchWork {
    private let search: StructureSearch
    private let format: Format
    private var filter: StructureFilter
    private var selector: RecordSelector
    private(set) var summary = StructureSearch.Summary()
    private var record = Record()

    init(_ search: StructureSearch, _ format: Format, of path: LocalPath) {
        self.search = search
        self.format = format
        selector = RecordSelector(search.selection, from: path)
        filter = StructureFilter(search.patterns)
    }

    mutating func run(
        _ stream: inout RecordStream, take: StructureSearch.Taker, tell: (Conversion.Event) -> Void,
        progress: (Int, Int) -> Void
    ) {
        defer {
            selector.finish(stream)
            summary.choice = selector.choice
        }
        while !selector.isFinished(stream) {
            do throws(ReadError) {
                guard try stream.read(into: &record) else { return }
            } catch {
                switch error.kind {
                case .file, .unrecognized:
                    summary.failure = error
                    return
                case .broken, .tooLarge:
                    if let numbers = search.selection.numbers, !numbers.contains(stream.place.record) { continue }
                    summary.unreadable += 1
                    tell(.unreadable(UnreadableRecord(error, in: stream)))
                    continue
                }
            }
            summary.records += 1
            progress(stream.bytesRead, summary.records)
            guard selector.takes(record, of: stream) else { continue }
            summary.chosen += 1
            let before = filter.abandoned
            let finds = filter.finds(in: record)
            if filter.abandoned > before {
                summary.abandoned += 1
                continue
            }
            if finds == search.isInverted { continue }
            summary.hits += 1
            if !take(hit(in: stream)) { return }
        }
    }

    private func hit(in stream: borrowing RecordStream) -> StructureSearch.Hit {
        var hit = StructureSearch.Hit(place: stream.place, title: record.shownName, bytes: [], format: format)
        if search.handsOutRecords {
            stream.copyRecordBytes(to: &hit.bytes)
            if format.lastRecordEnd == nil { hit.record = record }
        }
        return hit
    }
}

/// A search in one block of a file, on a thread.
private struct SearchedBlock: Sendable {
    private(set) var hits: [StructureSearch.Hit] = []
    private(set) var events: [Conversion.Event] = []
    private(set) var summary = StructureSearch.Summary()
    private(set) var lastRecord = 0
    private(set) var lines = 0
    let end: Int

    init(_ block: RecordBlock, _ search: StructureSearch, _ format: Format) {
        end = block.offset + block.bytes.count
        do throws(ReadError) {
            try run(block, search, format)
        } catch {
            summary.failure = error
        }
    }

    private mutating func run(_ block: RecordBlock, _ search: StructureSearch, _ format: Format) throws(ReadError) {
        let source: ByteSource
        do throws(FileError) {
            source = try ByteSource(block.bytes, name: block.name, offset: block.offset)
        } catch {
            throw ReadError(error)
        }
        var stream = try RecordStream.open(source, as: format, search.reading.ofConvertedText)
        var work = SearchWork(search, format, of: block.name)
        var (found, told): ([StructureSearch.Hit], [Conversion.Event]) = ([], [])
        work.run(
            &stream,
            take: {
                found.append($0)
                return true
            }, tell: { told.append($0) }, progress: { _, _ in })
        (hits, events, summary) = (found, told, work.summary)
        lastRecord = stream.place.record
        lines = stream.place.line - 1
    }
}
