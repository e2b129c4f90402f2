/// A piece of a file that holds whole records, for one thread to work on.
struct RecordBlock: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The place of the first byte in the file.
    let offset: Int
}

/// Cuts a file into blocks of whole records, without understanding them.
struct BlockCutter: ~Copyable, Sendable {
    private var source: ByteSource
    private let lastRecordEnd: @Sendable (borrowing Span<UInt8>) -> Int?
    /// What the file failed with; what came before it was handed out all the same.
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

    /// Bytes taken from disk so far, for progress.
    var bytesRead: Int { source.bytesRead }

    mutating func next() -> RecordBlock? {
        var wanted = Self.blockSize
        while true {
            fill(to: wanted)
            let window = source.window
            if window.isEmpty { return nil }
            if source.isAtEnd, window.count <= wanted { return take(window.upperBound) }
            if let length = lastRecordEnd(source.buffer.span.extracting(window)) {
                return take(window.lowerBound + length)
            }
            if window.count >= Self.largestBlock {
                failure = FileError(source.name, .tooLarge)
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
        return RecordBlock(name: source.name, bytes: bytes, offset: offset)
    }

    /// Takes the memory of a block back.
    mutating func recycle(_ bytes: consuming [UInt8]) {
        spares.append(bytes)
    }
}

/// Works on the blocks of a file on several threads and takes the results in the file's order. Returns what the file
/// failed with.
///
/// Each thread cuts its next block itself, so that the bytes are where they are worked on. The thread that calls takes the
/// results and works on blocks where none is ready. At most twice as many blocks as threads are alive at a time. `take`
/// says whether to go on.
func forEachBlock<Result: Sendable>(
    of cutter: consuming BlockCutter, threads: Int, _ work: @escaping @Sendable (RecordBlock) -> Result,
    take: (Result) -> Bool
) -> FileError? {
    let board = Guarded(BlockBoard<Result>(cutter, limit: threads * 2))
    withThreads(threads - 1) {
        while let (number, block) = board.wait(for: { $0.nextBlock() }) {
            let result = work(block)
            board.change { $0.put(result, of: number, block) }
        }
    } _: { _ in
        defer { board.change { $0.isClosed = true } }
        while true {
            switch board.wait(for: { $0.nextStep() }) {
            case .work(let number, let block):
                let result = work(block)
                board.change { $0.put(result, of: number, block) }
            case .take(let result): if !take(result) { return }
            case .end: return
            }
        }
    }
    return board.change { $0.cutter.failure }
}

/// What the threads share: the file that is cut, and what came of its blocks.
private struct BlockBoard<Result: Sendable>: ~Copyable, Sendable {
    var cutter: BlockCutter
    private let limit: Int
    /// How many blocks were cut, and of how many the results were taken.
    private var cut = 0
    private var taken = 0
    private var results: [Int: Result] = [:]
    private var isAtEnd = false
    /// Nobody wants more.
    var isClosed = false

    init(_ cutter: consuming BlockCutter, limit: Int) {
        self.cutter = cutter
        self.limit = max(1, limit)
    }

    /// The next block, nothing when there will be none, and `nil` as long as there are enough.
    mutating func nextBlock() -> (number: Int, block: RecordBlock)?? {
        if isClosed || isAtEnd { return .some(nil) }
        if cut - taken >= limit { return nil }
        guard let block = cutter.next() else {
            isAtEnd = true
            return .some(nil)
        }
        cut += 1
        return (cut - 1, block)
    }

    /// Puts the result of a block down, and takes the memory of the block back.
    mutating func put(_ result: Result, of number: Int, _ block: consuming RecordBlock) {
        results[number] = result
        cutter.recycle(block.bytes)
    }

    enum Step {
        case work(number: Int, RecordBlock)
        case take(Result)
        case end
    }

    /// What there is to do for the thread that takes the results; `nil` as long as that is open.
    mutating func nextStep() -> Step? {
        if let result = results.removeValue(forKey: taken) {
            taken += 1
            return .take(result)
        }
        if let (number, block) = nextBlock() ?? nil { return .work(number: number, block) }
        return isAtEnd && taken == cut ? .end : nil
    }
}
