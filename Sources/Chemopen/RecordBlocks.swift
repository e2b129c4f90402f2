/// A piece of a file that holds whole records, for one thread to work on.
struct RecordBlock: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The place of the first byte in the file.
    let offset: Int
}

/// Cuts a file into blocks of whole records, without understanding them.
struct BlockCutter: ~Copyable {
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
        var bytes = spares.popLast() ?? []
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: source.buffer[source.window.lowerBound..<end])
        let block = RecordBlock(name: source.name, bytes: bytes, offset: source.offset)
        source.consume(to: end)
        return block
    }

    /// Takes the memory of a block back.
    mutating func recycle(_ bytes: consuming [UInt8]) {
        spares.append(bytes)
    }
}

/// Works on the blocks of a file on several threads and takes the results in the file's order.
///
/// At most twice as many blocks as threads are alive at a time. `take` says whether to go on.
func forEachBlock<Result: Sendable>(
    of cutter: inout BlockCutter, threads: Int, _ work: @escaping @Sendable (RecordBlock) -> Result,
    take: (Result) -> Bool
) {
    let board = Guarded(BlockBoard<Result>())
    withThreads(threads) {
        while let (number, block) = board.wait(for: { $0.nextTask() }) {
            let result = work(block)
            board.change { $0.results[number] = (result, block.bytes) }
        }
    } _: { threads in
        defer { board.change { $0.isClosed = true } }
        var cut = 0
        var taken = 0
        while true {
            while cut - taken < threads * 2, let block = cutter.next() {
                let number = cut
                board.change { $0.tasks.append((number, block)) }
                cut += 1
            }
            if threads == 0 {
                guard let block = cutter.next(), take(work(block)) else { return }
                continue
            }
            if taken == cut { return }
            let number = taken
            let (result, spare) = board.wait { $0.results.removeValue(forKey: number) }
            cutter.recycle(spare)
            taken += 1
            if !take(result) { return }
        }
    }
}

/// What the threads share: blocks to work on, and what came of others.
private struct BlockBoard<Result: Sendable>: Sendable {
    var tasks: [(number: Int, block: RecordBlock)] = []
    /// With the memory of their blocks.
    var results: [Int: (Result, [UInt8])] = [:]
    /// There is nothing more to come.
    var isClosed = false

    /// The next block, nothing when there will be none, and `nil` as long as that is open.
    mutating func nextTask() -> (number: Int, block: RecordBlock)?? {
        if isClosed { return .some(nil) }
        return tasks.isEmpty ? nil : .some(tasks.removeFirst())
    }
}
