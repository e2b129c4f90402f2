/// A source of work for several threads, divided into pieces.
protocol WorkSource: ~Copyable, Sendable {
    associatedtype Piece: Sendable

    /// Returns the next piece, or `nil` if there are no more.
    mutating func next() -> Piece?

    /// Recycles a piece after it was processed.
    mutating func takeBack(_ piece: consuming Piece)
}

/// Processes the pieces of a source on several threads and passes the results to `take` in the order of the source.
///
/// Each thread fetches its next piece itself, so the bytes are in its processor's cache. The calling thread handles the
/// results, and processes pieces while no result is ready. At most twice as many pieces as threads exist at the same
/// time.
///
/// - Parameter take: Receives a result and returns whether to continue.
/// - Parameter end: Receives the rest of the source; its result is returned.
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

/// The state that the threads share: the source and the results.
private struct WorkBoard<Source: WorkSource & ~Copyable, Result: Sendable>: ~Copyable, Sendable {
    var source: Source
    private let limit: Int
    /// The number of pieces fetched from the source, and the number of results handled.
    private var begun = 0
    private var taken = 0
    private var results: [Int: Result] = [:]
    private var isAtEnd = false
    /// Whether no further results are needed.
    var isClosed = false

    init(_ source: consuming Source, limit: Int) {
        self.source = source
        self.limit = max(1, limit)
    }

    /// Returns the next piece, `.some(nil)` if there are no more, or `nil` if the limit of concurrent pieces is
    /// reached.
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

    /// Stores the result of a piece and recycles the piece.
    mutating func put(_ result: Result, of number: Int, _ piece: consuming Source.Piece) {
        results[number] = result
        source.takeBack(piece)
    }

    enum Step {
        case work(number: Int, Source.Piece)
        case take(Result)
        case end
    }

    /// Returns the next step of the calling thread, or `nil` if it must wait.
    mutating func nextStep() -> Step? {
        if let result = results.removeValue(forKey: taken) {
            taken += 1
            return .take(result)
        }
        if let (number, piece) = nextPiece() ?? nil { return .work(number: number, piece) }
        return isAtEnd && taken == begun ? .end : nil
    }
}
