/// Looks for patterns in the records of files.
///
///     var search = StructureSearch([try SMARTSPattern("[Br]")])
///     try search.run(Source("a.sdf.gz")) { hit in
///         print(hit.place.record)
///         return true
///     }
public struct StructureSearch: Sendable {
    /// The patterns; a hit has each of them.
    public var patterns: [SMARTSPattern]
    /// The records in which a pattern is missing are the hits.
    public var isInverted = false
    /// The records that are looked through.
    public var selection = RecordSelection()
    /// The format to read; `nil` where the content is to tell.
    public var source: Format?
    /// How to read.
    public var reading = ReadOptions()
    /// How many threads work, where the format lets a file be cut.
    public var threads = 1
    /// Whether hits carry their bytes and the record itself; without them they only say where they are.
    public var handsOutRecords = true

    /// A search for records with each of the patterns.
    public init(_ patterns: [SMARTSPattern]) {
        self.patterns = patterns
    }

    /// A record that was looked for.
    public struct Hit: Sendable {
        /// Where it stands in its file.
        public var place: RecordPlace
        /// The title of its molecule or reaction.
        public var title: Text
        /// The record as it stood.
        public var bytes: [UInt8]
        /// The record, where its bytes are no text of its own.
        public var record: Record?
        /// The format of its file.
        public let format: Format
    }

    /// The account of a file.
    public struct Summary: Sendable {
        /// How many hits there were.
        public var hits = 0
        /// How many records were read.
        public var records = 0
        /// Records that could not be read.
        public var unreadable = 0
        /// Records in which the search met its bound: whether they are hits is not known.
        public var abandoned = 0
        /// How many records the selection took.
        public var chosen = 0
        /// The tally of the choice.
        public var choice = RecordChoice()
        /// The file broke off.
        public var failure: ReadError?
    }

    /// Something to do at a hit, and whether to go on behind it.
    public typealias Taker = (consuming Hit) -> Bool

    /// Looks through a file. `take` gets each hit as it is found; `tell` hears of records that cannot be read;
    /// `progress` is called often, with the bytes and records so far.
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
        var summary = Summary(choice: RecordChoice(of: selection))
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
            return goesOn
        }
        summary.failure = error.map { ReadError($0) }
        return summary
    }
}

/// The search in one stream of records.
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
        while !selector.isBehindAll(stream) {
            do throws(ReadError) {
                guard try stream.read(into: &record) else { return }
            } catch {
                switch error.kind {
                case .file, .unrecognised:
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

/// The search in a block of a file, on a thread.
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
