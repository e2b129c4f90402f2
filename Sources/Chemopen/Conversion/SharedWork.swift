/// Where several threads take their work from, a piece at a time.
protocol WorkSource: ~Copyable, Sendable {
    associatedtype Piece: Sendable

    /// The next piece; nothing when there are no more.
    mutating func next() -> Piece?

    /// Hears that a piece is done.
    mutating func takeBack(_ piece: consuming Piece)
}

/// Works on the pieces of a source on several threads and takes the results in the source's order.
///
/// Each thread takes its next piece itself, so that bytes are where they are worked on. The thread that calls takes the
/// results and works on pieces where none is ready. At most twice as many pieces as threads are alive at a time. `take`
/// says whether to go on. `end` sees what is left of the source.
func forEachPiece<Source: WorkSource & ~Copyable, Result: Sendable, Outcome>(
    of source: consuming Source, threads: Int, _ work: @escaping @Sendable (Source.Piece) -> Result,
    take: (Result) -> Bool, end: (borrowing Source) -> Outcome
) -> Outcome {
    let threads = threadsThatFit(threads)
    let board = Guarded(WorkBoard<Source, Result>(source, limit: threads * 2))
    withThreads(threads - 1) {
        while let (number, piece) = board.wait(for: { $0.nextPiece() }) {
            let result = work(piece)
            board.change { $0.put(result, of: number, piece) }
        }
    } _: { _ in
        defer { board.change { $0.isClosed = true } }
        while true {
            switch board.wait(for: { $0.nextStep() }) {
            case .work(let number, let piece):
                let result = work(piece)
                board.change { $0.put(result, of: number, piece) }
            case .take(let result): if !take(result) { return }
            case .end: return
            }
        }
    }
    return board.change { end($0.source) }
}

/// The state that the threads share: the source of their work, and the results of its pieces.
private struct WorkBoard<Source: WorkSource & ~Copyable, Result: Sendable>: ~Copyable, Sendable {
    var source: Source
    private let limit: Int
    /// How many pieces were taken from the source, and of how many the results were taken.
    private var begun = 0
    private var taken = 0
    private var results: [Int: Result] = [:]
    private var isAtEnd = false
    /// Nobody wants more.
    var isClosed = false

    init(_ source: consuming Source, limit: Int) {
        self.source = source
        self.limit = max(1, limit)
    }

    /// The next piece, nothing when there will be none, and `nil` as long as there are enough.
    mutating func nextPiece() -> (number: Int, piece: Source.Piece)?? {
        if isClosed || isAtEnd { return .some(nil) }
        if begun - taken >= limit { return nil }
        guard let piece = source.next() else {
            isAtEnd = true
            return .some(nil)
        }
        begun += 1
        return (begun - 1, piece)
    }

    /// Puts the result of a piece down, and gives the piece back.
    mutating func put(_ result: Result, of number: Int, _ piece: consuming Source.Piece) {
        results[number] = result
        source.takeBack(piece)
    }

    enum Step {
        case work(number: Int, Source.Piece)
        case take(Result)
        case end
    }

    /// The next step of the thread that takes the results; `nil` as long as that is open.
    mutating func nextStep() -> Step? {
        if let result = results.removeValue(forKey: taken) {
            taken += 1
            return .take(result)
        }
        if let (number, piece) = nextPiece() ?? nil { return .work(number: number, piece) }
        return isAtEnd && taken == begun ? .end : nil
    }
}
