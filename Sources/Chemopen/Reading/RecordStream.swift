/// The records of a file of any known format, one after the other.
///
///     var records = try readUnknown(path: "a.sdf.gz")
///     print(records.format.name)
///     while let record = try records.next() { print(record.molecule?.name ?? "") }
///
/// An error costs the record it names; the next call goes on behind it. When the file itself fails, there is no next
/// one.
public struct RecordStream: ~Copyable {
    /// The format that is read.
    public let format: Format
    /// How the format was told; `nil` where the caller named it.
    public let identification: Identification?
    /// How large the file on disk is; `nil` for a pipe.
    public let size: Int?
    private var reader: any RecordReader & ~Copyable
    /// The file has failed, so that the bytes left are no record.
    private var hasFailed = false
    private var valenceRule = MDLValenceRule.ladder2009
    /// Asked before each record, until it says yes.
    private var cancels: (@Sendable () -> Bool)?
    private var isCancelled = false

    /// Reads a source in the format that its content shows, one of `ReadOptions.formats`; a declared MIME type is a hint,
    /// as the name is.
    public static func open(
        _ source: consuming ByteSource, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> RecordStream {
        try source.decode(options)
        let found = try source.identified(as: nil, declaredAs: type, among: options.knownFormats)
        return try open(source, found.format, found, options)
    }

    /// Reads a source in a format that the caller knows.
    public static func open(
        _ source: consuming ByteSource, as format: Format, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> RecordStream {
        try open(source, format, nil, options)
    }

    /// Reads a source in a format that was told by its content before: what damages its beginning costs as much again.
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
            throw ReadError(.unrecognised, file: source.name, expected: "\(format.name) is written here, but not read")
        }
        let size = source.size
        try source.decode(options)
        var options = options.ofConvertedText
        options.formats = options.knownFormats
        var stream = RecordStream(try makeReader(source, options), format, identification, size)
        stream.valenceRule = options.valenceRule
        stream.cancels = options.cancels
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

    /// The next record; `nil` at the end.
    public mutating func next() throws(ReadError) -> Record? {
        var record = Record()
        return try read(into: &record) ? record : nil
    }

    /// Reads the next record over the last one, whose memory is used again; `false` at the end.
    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        if hasFailed { return false }
        if cancels != nil, try isEnded() { return false }
        do throws(ReadError) {
            guard try reader.read(into: &record) else { return false }
        } catch {
            note(error)
            throw error
        }
        if valenceRule != .ladder2009 { record.countHydrogens(by: valenceRule) }
        return true
    }

    /// Moves on to the next record, and looks into it only as far as its end depends on that; `false` at the end.
    ///
    /// A broken record may be passed without its error, and lines need not be counted.
    public mutating func pass() throws(ReadError) -> Bool {
        if hasFailed { return false }
        if cancels != nil, try isEnded() { return false }
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

    /// Whether the reading has been cancelled, which is told once.
    private mutating func isEnded() throws(ReadError) -> Bool {
        if isCancelled { return true }
        isCancelled = cancels?() == true
        if isCancelled { throw ReadError(.cancelled("")) }
        return false
    }

    /// The header of the table as a whole; columns join it as they are met.
    public var header: SheetHeader { Self.header(of: reader) }

    /// The doubts about the record read or refused last.
    public var issues: [Issue] { Self.issues(of: reader) }

    /// Where the record read or refused last stands, and what it is written in.
    public var place: RecordPlace { Self.place(of: reader) }

    /// Bytes taken from disk so far, for progress.
    public var bytesRead: Int { Self.bytesRead(by: reader) }

    /// Adds the bytes of the record read or refused last, as they stood.
    public func copyRecordBytes(to bytes: inout [UInt8]) {
        Self.copyRecordBytes(of: reader, to: &bytes)
    }
}

extension RecordStream {
    /// Adds the bytes in front of that record, or at the end of the file, that belong to no record.
    func copyBytesBetweenRecords(to bytes: inout [UInt8]) {
        Self.copyBytesBetweenRecords(of: reader, to: &bytes)
    }

    /// Whether each record has the bytes of the whole file.
    package var sharesBytes: Bool { Self.sharesBytes(reader) }
}

/// A reader whose type is unknown is lent to a function before it is asked: where it is stored it cannot be.
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

/// Opens bytes of whatever format they show.
///
/// - Parameter type: the MIME type under which they came, if any: like the name it chooses among formats that the bytes
///   fit equally, and never decides against them.
public func readUnknown(
    bytes: [UInt8], named name: LocalPath = "memory", declaredAs type: String? = nil,
    _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(Source(bytes, named: name), declaredAs: type, options)
}

/// Opens bytes under a name that is text.
public func readUnknown(
    bytes: [UInt8], named name: String, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(bytes: bytes, named: LocalPath(name), declaredAs: type, options)
}

/// Opens a file of whatever format its content shows; `-` is standard input.
public func readUnknown(
    path: LocalPath, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(Source(path), declaredAs: type, options)
}

/// Opens a file whose path is text.
public func readUnknown(
    path: String, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try readUnknown(path: LocalPath(path), declaredAs: type, options)
}

/// Opens a source of whatever format its content shows.
///
/// - Parameter type: the MIME type under which it came, where the source does not say so itself.
public func readUnknown(
    _ source: Source, declaredAs type: String? = nil, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    let bytes = try source.openToRead(options)
    return try RecordStream.open(bytes, declaredAs: type ?? source.declaredType, options)
}

/// Opens a source of a format that the caller knows.
public func read(
    _ source: Source, as format: Format, _ options: ReadOptions = ReadOptions()
) throws(ReadError) -> RecordStream {
    try RecordStream.open(try source.openToRead(options), as: format, options)
}

extension ByteSource {
    /// Converts the text from the encoding that the options name, unless that is done.
    package mutating func decode(_ options: ReadOptions) throws(ReadError) {
        do throws(FileError) {
            try decode(from: options.encoding)
        } catch {
            throw ReadError(error)
        }
    }

    /// Opens a file to read its records.
    package static func open(
        _ path: LocalPath, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> ByteSource {
        try Source(path).openToRead(options)
    }

    /// The format that the caller knows, or else the one that the content shows.
    package mutating func identified(
        as known: Format?, declaredAs type: String? = nil, among formats: FormatRegistry = .standard
    ) throws(ReadError) -> Identification {
        let (head, failure) = peekHead()
        let known = known.map { Identification(named: $0) }
        guard let found = known ?? identify(head, named: path, declaredAs: type, among: formats) else {
            throw failure ?? ReadError(unrecognised: head, in: path)
        }
        return found
    }

    /// Returns the file's beginning, which stays to be read, and the error that ended it early. The source fails with that
    /// error again when a reader needs more bytes.
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

extension FileError {
    /// The caller wants no more of a file (`ECANCELED`).
    static func cancelled(_ path: LocalPath) -> FileError { FileError(path, .other(errno: 125)) }
}
