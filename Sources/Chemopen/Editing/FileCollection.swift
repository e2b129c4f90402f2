/// A file as its records: one that can be edited where its format is written record by record, and else one that is read only.
///
///     switch try await FileCollection.open("library.sdf") {
///     case .editable(var file):
///         let heavy = try file.numbers(where: Criteria("MASS > 500"))
///         let changes = try file.edit(records: heavy, [.set("NOTE", "heavy")])
///         try await file.save()
///         print(changes.changes.count)
///     case .readOnly(let file): print(file.count)
///     }
///
/// Any number of tasks may open, search, edit and save at once, each on a thread of its own; one that is cancelled ends at its
/// next record, with `.cancelled`, and leaves no file behind.
public enum FileCollection: Sendable {
    /// The records can be edited.
    case editable(RecordCollection)
    /// The format is not written, its records share pages, or the file is spelled in a way in which it is not edited.
    case readOnly(ReadOnlyCollection)

    /// Opens a file.
    ///
    /// - Parameter format: the format to read, whatever the content shows.
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

    /// Opens a file on a thread of its own, while the task waits.
    public static func open(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) async throws(Conversion.Failure) -> FileCollection {
        try await onReadingThread(by: options) { options throws(Conversion.Failure) in
            try open(path, as: format, options)
        }
    }

    /// The file that the records come from.
    public var path: LocalPath {
        switch self {
        case .editable(let file): file.path
        case .readOnly(let file): file.path
        }
    }

    /// Its format.
    public var format: Format {
        switch self {
        case .editable(let file): file.format
        case .readOnly(let file): file.format
        }
    }

    /// How many records there are.
    public var count: Int {
        switch self {
        case .editable(let file): file.count
        case .readOnly(let file): file.count
        }
    }
}

/// A file as its records, none of which can be edited.
public struct ReadOnlyCollection: Sendable {
    /// The file that the records come from.
    public let path: LocalPath
    /// How many records there are, those included that cannot be read.
    public let count: Int
    private let file: RereadFile

    /// Its format.
    public var format: Format { file.format }

    /// Opens a file.
    ///
    /// - Parameter format: the format to read, whatever the content shows.
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

    /// The record of a number from 1; `nil` where it cannot be read.
    public func record(_ number: Int) throws(Conversion.Failure) -> Record? {
        guard (1..<count + 1).contains(number) else {
            throw .impossible("there is no record \(number); there are \(count)")
        }
        do throws(ReadError) {
            var walk = try ChosenRecords(file, beside: file)
            return try walk.record(number - 1)
        } catch {
            throw .read(error)
        }
    }

    /// The numbers of the records whose key has a value, as `RecordCollection` finds them.
    public func numbers(called value: Text, key: Text? = nil) throws(Conversion.Failure) -> [Int] {
        try file.numbers(called: value, key: key)
    }

    /// The numbers of the records that fulfil some criteria.
    public func numbers(where criteria: Criteria...) throws(Conversion.Failure) -> [Int] {
        try file.numbers(of: RecordSelection(criteria)).numbers
    }
}
