/// A stream of the records in a file of any known format.
///
///     var records = try readUnknown(path: "a.sdf.gz")
///     print(records.format.name)
///     while let record = try records.next() { print(record.molecule?.name ?? "") }
///
/// If a record cannot be read, `next()` throws an error for it and the next call continues with the following record.
/// After an error of the file itself, no further record is returned.
public struct RecordStream: ~Copyable {
    /// The format of the file.
    public let format: Format
    /// The evidence for the format, or `nil` if the caller specified the format.
    public let identification: Identification?
    /// The size of the file on disk, or `nil` for a pipe.
    public let size: Int?
    private var reader: any RecordReader & ~Copyable
    /// Whether the file itself has failed. The remaining bytes are then not a record.
    private var hasFailed = false
    private var valenceRule = MDLValenceRule.ladder2009
    /// Called before each record until it returns `true`.
    private var shouldCancel: (@Sendable () -> Bool)?
    private var isCancelled = false

    /// Opens a source and detects its format from the content, among `ReadOptions.formats`.
    ///
    /// - Parameter type: The declared MIME type. It is used only if the content matches several formats.
    /// - Returns: A stream positioned before the first record.
    /// - Throws: `ReadError` if the source cannot be read or its format is unknown.
    public static func open(
        _ source: consuming ByteSource, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> RecordStream {
        try source.decode(options)
        let found = try source.identified(as: nil, declaredAs: type, among: options.knownFormats)
        return try open(source, found.format, found, options)
    }

    /// Opens a source in a format that the caller specifies.
    ///
    /// - Returns: A stream positioned before the first record.
    /// - Throws: `ReadError` if the source cannot be read or no reader for the format exists.
    public static func open(
        _ source: consuming ByteSource, as format: Format, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> RecordStream {
        try open(source, format, nil, options)
    }

    /// Opens a source whose format was already detected. Buffers the beginning as detection does, so that a damaged
    /// beginning has the same effect.
    package static func reopen(
        _ source: consuming ByteSource, as format: Format, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> RecordStream {
        try source.decode(options)
        _ = source.peekHead()
        return try open(source, format, nil, options)
    }

    private static func open(
        _ source: consuming ByteSource, _ format: Format, _ identification: Identification?, _ options: ReadOptions
    ) throws(ReadError) -> RecordStream {
        guard let makeReader = format.makeReader else {
            throw ReadError(.unrecognized, file: source.name, expected: "\(format.name) can be written, but not read")
        }
        let size = source.size
        try source.decode(options)
        var options = options.ofConvertedText
        options.formats = options.knownFormats
        var stream = RecordStream(try makeReader(source, options), format, identification, size)
        stream.valenceRule = options.valenceRule
        stream.shouldCancel = options.shouldCancel
        return stream
    }

    private init(
        _ reader: consuming any RecordReader & ~Copyable, _ format: Format, _ identification: Identification?,
        _ size: Int?
    ) {
        self.reader = reader
        self.format = format
        self.identification = identification
        self.size = size
    }

    /// Reads the next record.
    ///
    /// - Returns: The record, or `nil` at the end of the file.
    /// - Throws: `ReadError` if the record or the file cannot be read. After an unreadable record you can continue.
    public mutating func next() throws(ReadError) -> Record? {
        var record = Record()
        return try read(into: &record) ? record : nil
    }

    /// Reads the next record into an existing one and reuses its memory.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: `ReadError` if the record or the file cannot be read. After an unreadable record you can continue.
    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        if hasFailed { return false }
        if shouldCancel != nil, try isEnded() { return false }
        do throws(ReadError) {
            guard try reader.read(into: &record) else { return false }
        } catch {
            note(error)
            throw error
        }
        if valenceRule != .ladder2009 { record.countHydrogens(by: valenceRule) }
        return true
    }

    /// Skips the next record, and parses only the part that is needed to find its end.
    ///
    /// A malformed record may be skipped without an error, and lines may not be counted.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: `ReadError` if the end of the record cannot be found or the file cannot be read.
    public mutating func pass() throws(ReadError) -> Bool {
        if hasFailed { return false }
        if shouldCancel != nil, try isEnded() { return false }
        do throws(ReadError) {
            return try reader.pass()
        } catch {
            note(error)
            throw error
        }
    }

    private mutating func note(_ error: ReadError) {
        if case .file = error.kind { hasFailed = true }
    }

    /// Whether reading was cancelled. Throws `.cancelled` the first time.
    private mutating func isEnded() throws(ReadError) -> Bool {
        if isCancelled { return true }
        isCancelled = shouldCancel?() == true
        if isCancelled { throw ReadError(.cancelled("")) }
        return false
    }

    /// The header of the complete table. New columns are added as records are read.
    public var header: SheetHeader { Self.header(of: reader) }

    /// The warnings about the last record, whether it was read or rejected.
    public var issues: [Issue] { Self.issues(of: reader) }

    /// The position of the last record, whether it was read or rejected, and its version of the format.
    public var place: RecordPlace { Self.place(of: reader) }

    /// The number of bytes read from disk, for progress reports.
    public var bytesRead: Int { Self.bytesRead(by: reader) }

    /// Appends the original bytes of the last record, whether it was read or rejected.
    public func copyRecordBytes(to bytes: inout [UInt8]) {
        Self.copyRecordBytes(of: reader, to: &bytes)
    }
}

extension RecordStream {
    /// Appends the bytes before the last record, or at the end of the file, that belong to no record.
    func copyBytesBetweenRecords(to bytes: inout [UInt8]) {
        Self.copyBytesBetweenRecords(of: reader, to: &bytes)
    }

    /// Whether each record consists of all bytes of the file.
    package var sharesBytes: Bool { Self.sharesBytes(reader) }
}

/// A stored reader of unknown type cannot be queried directly, so these functions borrow it as a parameter.
extension RecordStream {
    private typealias Reader = any RecordReader & ~Copyable

    private static func header(of reader: borrowing Reader) -> SheetHeader { reader.header }
    private static func issues(of reader: borrowing Reader) -> [Issue] { reader.issues }
    private static func place(of reader: borrowing Reader) -> RecordPlace { reader.place }
    private static func bytesRead(by reader: borrowing Reader) -> Int { reader.bytesRead }

    private static func sharesBytes(_ reader: borrowing Reader) -> Bool { reader.sharesBytes }

    private static func copyRecordBytes(of reader: borrowing Reader, to bytes: inout [UInt8]) {
        reader.copyRecordBytes(to: &bytes)
    }

    private static func copyBytesBetweenRecords(of reader: borrowing Reader, to bytes: inout [UInt8]) {
        reader.copyBytesBetweenRecords(to: &bytes)
    }
}

/// Opens bytes in memory and detects their format from the content.
///
/// - Parameter type: The declared MIME type. Like the name, it is used only if the content matches several formats.
/// - Returns: A stream positioned before the first record.
/// - Throws: `ReadError` if the format is unknown.
public func readUnknown(
    bytes: [UInt8], named name: LocalPath = "memory", declaredAs type: String? = nil,
    _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(Source(bytes, named: name), declaredAs: type, options)
}

/// Opens bytes in memory. The name is a `String`.
///
/// - Returns: A stream positioned before the first record.
/// - Throws: `ReadError` if the format is unknown.
public func readUnknown(
    bytes: [UInt8], named name: String, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(bytes: bytes, named: LocalPath(name), declaredAs: type, options)
}

/// Opens a file and detects its format from the content. The path `-` is standard input.
///
/// - Parameter type: The declared MIME type. It is used only if the content matches several formats.
/// - Returns: A stream positioned before the first record.
/// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
public func readUnknown(
    path: LocalPath, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(Source(path), declaredAs: type, options)
}

/// Opens a file. The path is a `String`.
///
/// - Returns: A stream positioned before the first record.
/// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
public func readUnknown(
    path: String, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(path: LocalPath(path), declaredAs: type, options)
}

/// Opens a source and detects its format from the content.
///
/// - Parameter type: The declared MIME type. By default, the type that the source declares.
/// - Returns: A stream positioned before the first record.
/// - Throws: `ReadError` if the source cannot be opened or its format is unknown.
public func readUnknown(
    _ source: Source, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    let bytes = try source.openToRead(options)
    return try RecordStream.open(bytes, declaredAs: type ?? source.declaredType, options)
}

/// Opens a source in a format that the caller specifies.
///
/// - Returns: A stream positioned before the first record.
/// - Throws: `ReadError` if the source cannot be opened or no reader for the format exists.
public func read(
    _ source: Source, as format: Format, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try RecordStream.open(try source.openToRead(options), as: format, options)
}

extension ByteSource {
    /// Converts the text from the encoding in the options, unless this has already been done.
    package mutating func decode(_ options: ReadOptions) throws(ReadError) {
        do throws(FileError) {
            try decode(from: options.encoding)
        } catch {
            throw ReadError(error)
        }
    }

    /// Opens a file for reading records.
    package static func open(
        _ path: LocalPath, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> ByteSource {
        try Source(path).openToRead(options)
    }

    /// Returns the format that the caller specified, or detects it from the content.
    package mutating func identified(
        as known: Format?, declaredAs type: String? = nil, among formats: FormatRegistry = .standard
    ) throws(ReadError) -> Identification {
        let (head, failure) = peekHead()
        let known = known.map { Identification(named: $0) }
        guard let found = known ?? identify(head, named: path, declaredAs: type, among: formats) else {
            throw failure ?? ReadError(unrecognized: head, in: path)
        }
        return found
    }

    /// Returns the beginning of the file without consuming it.
    ///
    /// - Returns: The first bytes, and the error that ended the file early, if any. The source throws that error again
    ///   when a reader needs more bytes.
    public mutating func peekHead() -> (head: Head, failure: ReadError?) {
        var failure: ReadError?
        while window.count < Head.limit, !isAtEnd {
            do throws(FileError) {
                _ = try fill()
            } catch {
                failure = ReadError(error)
                postpone(error)
                break
            }
        }
        let isWhole = isAtEnd && window.count <= Head.limit
        return (Head(Array(buffer[window].prefix(Head.limit)), isWhole: isWhole), failure)
    }
}
