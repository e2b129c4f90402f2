/// The records of a file of any known format, for a loop:
///
///     for try await record in Chemopen.records(in: "a.sdf.gz") {
///         print(record.molecule?.name ?? "")
///     }
///
/// The first record that cannot be read ends the loop with its `ReadError`. To go on behind it, hear of such records:
///
///     let records = Chemopen.records(in: "a.sdf.gz") { error in print(error) }
///     for try await record in records { print(record.fields.count) }
///
/// A loop without `await` takes `results`, where a broken record is an element that says so.
///
/// The file is a `Source`, or a path as a `String` or a `LocalPath`; `-` is standard input.
public func records(
    in source: Source, _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    Records(broken: broken) { () throws(ReadError) in try readUnknown(source, options) }
}

/// The records of a file.
public func records(
    in path: LocalPath, _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    records(in: Source(path), options, broken: broken)
}

/// The records of a file whose path is text.
public func records(
    in path: String, _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    records(in: Source(path), options, broken: broken)
}

/// The records of bytes of any known format.
public func records(
    in bytes: [UInt8], _ options: ReadOptions = ReadOptions(), broken: (@Sendable (ReadError) -> Void)? = nil
) -> Records {
    records(in: Source(bytes), options, broken: broken)
}

/// The records of a file, one after the other. The file is opened by the loop, each time anew.
public struct Records: AsyncSequence, Sendable {
    fileprivate let open: @Sendable () throws(ReadError) -> RecordStream
    private let broken: (@Sendable (ReadError) -> Void)?

    fileprivate init(
        broken: (@Sendable (ReadError) -> Void)?, open: @escaping @Sendable () throws(ReadError) -> RecordStream
    ) {
        self.broken = broken
        self.open = open
    }

    /// Opens the file at the first record that is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(OpenedRecords(open), broken)
    }

    /// Goes through the records of a file.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let records: OpenedRecords
        private let broken: (@Sendable (ReadError) -> Void)?

        fileprivate init(_ records: OpenedRecords, _ broken: (@Sendable (ReadError) -> Void)?) {
            self.records = records
            self.broken = broken
        }

        /// The next record; `nil` at the end.
        ///
        /// A `ReadError` costs the record that it names: who asks again gets the one behind it. A task that is cancelled
        /// gets a `CancellationError` in place of the next record.
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
    /// The records for a loop without `await`, in which those that cannot be read are elements, too:
    ///
    ///     for result in Chemopen.records(in: "a.sdf").results {
    ///         switch result {
    ///         case .success(let record): print(record.molecule?.name ?? "")
    ///         case .failure(let error): print(error)      // costs this record; the next one follows
    ///         }
    ///     }
    ///
    /// Of a file that cannot be opened, the only element is the error.
    public var results: Results { Results(open: open) }

    /// The record, or the reason why there is none, for each of a file.
    public struct Results: Sequence, Sendable {
        fileprivate let open: @Sendable () throws(ReadError) -> RecordStream

        /// Opens the file at the first record that is asked for.
        public func makeIterator() -> Iterator {
            Iterator(records: OpenedRecords(open))
        }

        /// Goes through the records of a file.
        public struct Iterator: IteratorProtocol {
            fileprivate let records: OpenedRecords

            /// The next record, or the error that costs it; `nil` at the end.
            public mutating func next() -> Result<Record, ReadError>? {
                records.next()
            }
        }
    }
}

extension ReadError {
    /// Whether it is the file that fails, and no record of it.
    fileprivate var isOfFile: Bool {
        switch kind {
        case .file, .unrecognised: true
        case .broken, .tooLarge: false
        }
    }
}

/// A stream that iterators, which can be copied, hold on to.
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
