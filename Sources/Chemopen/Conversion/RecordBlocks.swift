/// A piece of a file that holds whole records, for one thread to work on.
struct RecordBlock: Sendable {
    let name: LocalPath
    let bytes: [UInt8]
    /// The place of the first byte in the file.
    let offset: Int
}

/// Cuts a file into blocks of whole records, without understanding them.
struct BlockCutter: ~Copyable, Sendable {
    private var source: ByteSource
    private let lastRecordEnd: @Sendable (borrowing Span<UInt8>) -> Int?
    /// The error that the file failed with; all records before it were handed out.
    private(set) var failure: FileError?
    /// The memory of blocks that are done, for those to come.
    private var spares: [[UInt8]] = []

    /// About so many bytes to a block: enough that handing it over costs nothing, and few enough to stay in the cache.
    static let blockSize = 256 * 1024
    /// A record that is larger is no record.
    private static let largestBlock = 1 << 30

    init(_ source: consuming ByteSource, _ lastRecordEnd: @escaping @Sendable (borrowing Span<UInt8>) -> Int?) {
        self.source = source
        self.lastRecordEnd = lastRecordEnd
    }

    mutating func next() -> RecordBlock? {
        var wanted = Self.blockSize
        while true {
            fill(to: wanted)
            let window = source.window
            if window.isEmpty { return nil }
            if source.isAtEnd, failure == nil, window.count <= wanted { return take(window.upperBound) }
            if failure != nil, source.window.count < wanted {
                guard let length = lastRecordEnd(source.buffer.span.extracting(window)) else { return nil }
                return take(window.lowerBound + length)
            }
            if let length = lastRecordEnd(source.buffer.span.extracting(window)) {
                return take(window.lowerBound + length)
            }
            if window.count >= Self.largestBlock || source.isSwollen {
                failure = FileError(source.path, .tooLarge)
                return nil
            }
            wanted = window.count * 2
        }
    }

    private mutating func fill(to count: Int) {
        while source.window.count < count, !source.isAtEnd, failure == nil {
            do throws(FileError) {
                _ = try source.fill()
            } catch {
                failure = error
            }
        }
    }

    private mutating func take(_ end: Int) -> RecordBlock {
        let offset = source.offset
        let bytes = source.takeBytes(upTo: end, leaving: spares.popLast() ?? [])
        return RecordBlock(name: source.path, bytes: bytes, offset: offset)
    }
}

extension BlockCutter: WorkSource {
    /// The memory of a block is taken back for those to come.
    mutating func takeBack(_ block: consuming RecordBlock) {
        spares.append(block.bytes)
    }
}

/// Works on the blocks of a file on several threads and takes the results in the file's order. Returns what the file
/// failed with.
func forEachBlock<Result: Sendable>(
    of cutter: consuming BlockCutter, threads: Int, _ work: @escaping @Sendable (RecordBlock) -> Result,
    take: (Result) -> Bool
) -> FileError? {
    forEachPiece(of: cutter, threads: threads, work, take: take) { $0.failure }
}
