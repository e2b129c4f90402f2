/// Returns the records of a file of any known format as an asynchronous sequence:
///
///     for try await record in Chemopen.records(in: "a.sdf.gz") {
///         print(record.molecule?.name ?? "")
///     }
///
/// The first unreadable record ends the loop with a `ReadError`. To skip unreadable records instead, pass a closure
/// that receives their errors:
///
///     let records = Chemopen.records(in: "a.sdf.gz") { error in print(error) }
///     for try await record in records { print(record.fields.count) }
///
/// In a loop without `await`, use `results`, which returns unreadable records as errors.
///
/// - Parameter source: A `Source`. Other overloads accept a path as a `String` or `LocalPath`; `-` is standard input.
/// - Parameter broken: Receives the error of each unreadable record.
/// - Returns: A sequence that opens the file when the loop starts.
public func records(
    in source: Source, _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    Records(broken: broken) { () throws(ReadError) in try readUnknown(source, options) }
}

/// Returns the records of the file at a path.
///
/// - Returns: A sequence that opens the file when the loop starts.
public func records(
    in path: LocalPath, _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    records(in: Source(path), options, broken: broken)
}

/// Returns the records of a file. The path is a `String`.
///
/// - Returns: A sequence that opens the file when the loop starts.
public func records(
    in path: String, _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    records(in: Source(path), options, broken: broken)
}

/// Returns the records of bytes in memory.
///
/// - Returns: A sequence that parses the bytes as the loop advances.
public func records(
    in bytes: [UInt8], _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    records(in: Source(bytes), options, broken: broken)
}

/// The records of a file as an asynchronous sequence. Each loop opens the file again.
public struct Records: AsyncSequence, Sendable {
    fileprivate let open: @Sendable () throws(ReadError) -> RecordStream
    private let broken: (@Sendable (ReadError) -> Void)?

    fileprivate init(
        broken: (@Sendable (ReadError) -> Void)?, open: @escaping @Sendable () throws(ReadError) -> RecordStream
    ) {
        self.broken = broken
        self.open = open
    }

    /// Returns an iterator that opens the file when the first record is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(OpenedRecords(open), broken)
    }

    /// An iterator over the records of a file.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let records: OpenedRecords
        private let broken: (@Sendable (ReadError) -> Void)?

        fileprivate init(_ records: OpenedRecords, _ broken: (@Sendable (ReadError) -> Void)?) {
            self.records = records
            self.broken = broken
        }

        /// Reads the next record.
        ///
        /// - Returns: The record, or `nil` at the end of the file.
        /// - Throws: `ReadError` if the record cannot be read; the next call continues with the following record.
        ///   `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> Record? {
            while true {
                try Task.checkCancellation()
                switch records.next() {
                case .success(let record)?: return record
                case nil: return nil
                case .failure(let error)?:
                    guard let broken, !error.isOfFile else { throw error }
                    broken(error)
                }
            }
        }
    }
}

extension Records {
    /// The records as a sequence for loops without `await`. Unreadable records are elements, too:
    ///
    ///     for result in Chemopen.records(in: "a.sdf").results {
    ///         switch result {
    ///         case .success(let record): print(record.molecule?.name ?? "")
    ///         case .failure(let error): print(error)      // costs this record; the next one follows
    ///         }
    ///     }
    ///
    /// If the file cannot be opened, the error is the only element.
    public var results: Results { Results(open: open) }

    /// The result of reading each record of a file: the record or the error.
    public struct Results: Sequence, Sendable {
        fileprivate let open: @Sendable () throws(ReadError) -> RecordStream

        /// Returns an iterator that opens the file when the first record is requested.
        public func makeIterator() -> Iterator {
            Iterator(records: OpenedRecords(open))
        }

        /// An iterator over the results.
        public struct Iterator: IteratorProtocol {
            fileprivate let records: OpenedRecords

            /// Reads the next record.
            ///
            /// - Returns: The record or the reason why it cannot be read, or `nil` at the end of the file.
            public mutating func next() -> Result<Record, ReadError>? {
                records.next()
            }
        }
    }
}

extension ReadError {
    /// Whether the file itself, not just one record, cannot be read.
    fileprivate var isOfFile: Bool {
        switch kind {
        case .file, .unrecognized: true
        case .broken, .tooLarge: false
        }
    }
}

/// A stream that the copies of an iterator share.
private final class OpenedRecords {
    private let open: () throws(ReadError) -> RecordStream
    private var stream: RecordStream?
    private var isAtEnd = false

    init(_ open: @escaping () throws(ReadError) -> RecordStream) {
        self.open = open
    }

    func next() -> Result<Record, ReadError>? {
        if isAtEnd { return nil }
        do throws(ReadError) {
            if stream == nil {
                isAtEnd = true
                stream = try open()
                isAtEnd = false
            }
            if let record = try stream?.next() { return .success(record) }
        } catch {
            return .failure(error)
        }
        isAtEnd = true
        stream = nil
        return nil
    }
}
