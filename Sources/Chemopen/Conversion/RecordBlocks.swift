/// A part of a file that consists of complete records, for one thread.
struct RecordBlock: Sendable {
    let name: LocalPath
    let bytes: [UInt8]
    /// The offset of the first byte in the file.
    let offset: Int
}

/// Splits a file into blocks of complete records without parsing them.
struct BlockCutter: ~Copyable, Sendable {
    private var source: ByteSource
    private let lastRecordEnd: @Sendable (borrowing Span<UInt8>) -> Int?
    /// The error that ended the file. All records before it were returned.
    private(set) var failure: FileError?
    /// Buffers of completed blocks, for reuse.
    private var spares: [[UInt8]] = []

    /// The approximate size of a block: large enough for a low overhead, small enough for the processor's cache.
    static let blockSize = 256 * 1024
    /// The maximum size of a record.
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
    /// Recycles the memory of a block.
    mutating func takeBack(_ block: consuming RecordBlock) {
        spares.append(block.bytes)
    }
}

/// Processes the blocks of a file on several threads and passes the results to `take` in the order of the file. Returns
/// the error that ended the file, if any.
func forEachBlock<Result: Sendable>(
    of cutter: consuming BlockCutter, threads: Int, _ work: @escaping @Sendable (RecordBlock) -> Result,
    take: (Result) -> Bool
) -> FileError? {
    forEachPiece(of: cutter, threads: threads, work, take: take) { $0.failure }
}
