/// How many records a file has, every one of them read in full.
public struct RecordCount: Sendable {
    public var records = 0
    public var unreadable: [UnreadableRecord] = []
    /// What the file itself failed with.
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
    public init(path: String, as known: Format? = nil, threads: Int = 1) throws(ReadError) {
        var source: ByteSource
        do throws(FileError) {
            source = try ByteSource(path: path, blockSize: threads > 1 ? BlockCutter.blockSize : ByteSource.blockSize)
        } catch {
            throw ReadError(error)
        }
        guard threads > 1 else {
            var stream: RecordStream
            if let known { stream = try .open(source, as: known) } else { stream = try .open(source) }
            self.init(of: &stream)
            return
        }
        let (head, failure) = source.peekHead()
        guard let format = known ?? identify(head, named: path)?.format, let lastRecordEnd = format.lastRecordEnd else {
            var stream: RecordStream
            if let known { stream = try .open(source, as: known) } else { stream = try .open(source) }
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

    private init() {}

    private mutating func note(_ record: UnreadableRecord) {
        unreadableCount += 1
        if unreadable.count < Self.limit { unreadable.append(record) }
    }

    /// What came of one block.
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
