/// The records of a file. They can be edited if the format supports writing single records, and are read-only
/// otherwise.
///
///     switch try await FileCollection.open("library.sdf") {
///     case .editable(var file):
///         let heavy = try file.numbers(where: RecordFilter("MASS > 500"))
///         let changes = try file.edit(records: heavy, [.set("NOTE", "heavy")])
///         try await file.save()
///         print(changes.changes.count)
///     case .readOnly(let file): print(file.count)
///     }
///
/// Several tasks can open, search, edit and save collections at the same time, each on its own thread. If a task is
/// cancelled, it ends at its next record with `.cancelled` and leaves no file.
public enum FileCollection: Sendable {
    /// The records can be edited.
    case editable(RecordCollection)
    /// The records cannot be edited: the format cannot be written, its records share pages, or the file uses syntax
    /// that editing does not support.
    case readOnly(ReadOnlyCollection)

    /// Opens a file.
    ///
    /// - Parameter format: The format to read, or `nil` to detect it.
    /// - Returns: An editable collection if possible, else a read-only one.
    /// - Throws: `Conversion.Failure` if the file cannot be read.
    public static func open(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(Conversion.Failure) -> FileCollection {
        do throws(Conversion.Failure) {
            let file = try RecordCollection(path, as: format, options)
            try file.text.refuseUnwritten()
            return .editable(file)
        } catch {
            guard case .impossible = error else { throw error }
            return .readOnly(try ReadOnlyCollection(path, as: format, options))
        }
    }

    /// Opens a file on a separate thread while the task waits.
    ///
    /// - Parameter format: The format to read, or `nil` to detect it.
    /// - Returns: An editable collection if possible, else a read-only one.
    /// - Throws: `Conversion.Failure` if the file cannot be read, or `.cancelled`.
    public static func open(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) async throws(Conversion.Failure) -> FileCollection {
        try await onReadingThread(by: options) { options throws(Conversion.Failure) in
            try open(path, as: format, options)
        }
    }

    /// The path of the file.
    public var path: LocalPath {
        switch self {
        case .editable(let file): file.path
        case .readOnly(let file): file.path
        }
    }

    /// The format of the file.
    public var format: Format {
        switch self {
        case .editable(let file): file.format
        case .readOnly(let file): file.format
        }
    }

    /// The number of records.
    public var count: Int {
        switch self {
        case .editable(let file): file.count
        case .readOnly(let file): file.count
        }
    }
}

/// The records of a file that cannot be edited.
public struct ReadOnlyCollection: Sendable {
    /// The path of the file.
    public let path: LocalPath
    /// The number of records, including unreadable ones.
    public let count: Int
    private let file: RereadFile

    /// The format of the file.
    public var format: Format { file.format }

    /// Opens a file.
    ///
    /// - Parameter format: The format to read, or `nil` to detect it.
    /// - Throws: `Conversion.Failure` if the file cannot be read.
    public init(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(Conversion.Failure) {
        self.path = path
        do throws(ReadError) {
            file = try RereadFile(Source(path), as: format, options)
            var records = try file.records(skippingStructures: true)
            var count = 0
            while try records.pass() { count += 1 }
            self.count = count
        } catch {
            throw .read(error)
        }
    }

    /// Reads a record by its number, from 1.
    ///
    /// - Returns: The record, or `nil` if it is unreadable.
    /// - Throws: `Conversion.Failure` if there is no such record or the file cannot be read.
    public func record(_ number: Int) throws(Conversion.Failure) -> Record? {
        guard (1..<count + 1).contains(number) else {
            throw .impossible("there is no record \(number) (the file has \(count))")
        }
        do throws(ReadError) {
            var walk = try ChosenRecords(file, beside: file)
            return try walk.record(number - 1)
        } catch {
            throw .read(error)
        }
    }

    /// Finds records by their key, as `RecordCollection` does.
    ///
    /// - Returns: The numbers of the records, from 1.
    /// - Throws: `Conversion.Failure` if the file cannot be read.
    public func numbers(called value: Text, key: Text? = nil) throws(Conversion.Failure) -> [Int] {
        try file.numbers(called: value, key: key)
    }

    /// Finds the records that satisfy all criteria.
    ///
    /// - Returns: The numbers of the records, from 1.
    /// - Throws: `Conversion.Failure` if the file cannot be read or a criterion cannot be evaluated.
    public func numbers(where criteria: RecordFilter...) throws(Conversion.Failure) -> [Int] {
        try file.numbers(of: RecordSelection(criteria)).numbers
    }
}
