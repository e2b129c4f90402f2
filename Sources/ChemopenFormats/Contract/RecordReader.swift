import ChemopenBytes
import ChemopenModel

/// A reader that returns the records of a file in order.
///
/// Readers separate a record before they parse it. An invalid record therefore does not affect the others.
public protocol RecordReader: ~Copyable, SendableMetatype {
    /// Creates a reader for the unread bytes of a source.
    ///
    /// - Throws: `ReadError` if the source cannot be read or has no valid header.
    init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError)

    /// The header of the table. Columns are added while records are read.
    var header: SheetHeader { get }

    /// Reads the next record and reuses the memory of the last one.
    ///
    /// After an error, the reader continues after the invalid record.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: `ReadError` if the record is invalid or cannot be read.
    mutating func read(into record: inout Record) throws(ReadError) -> Bool

    /// Moves to the next record like `read`, but parses the record only if its end depends on it.
    ///
    /// The errors of an invalid record may be omitted, and lines need not be counted.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: `ReadError` if the record cannot be skipped.
    mutating func pass() throws(ReadError) -> Bool

    /// The issues of the last record, even if the record was rejected.
    var issues: [Issue] { get }

    /// The position and version of the last record, even if the record was rejected.
    ///
    /// At the end of the file, its line is the one after the last record.
    var place: RecordPlace { get }

    /// Appends the original bytes of the last record, even if the record was rejected.
    func copyRecordBytes(to bytes: inout [UInt8])

    /// Whether all records share the bytes of the complete file.
    var sharesBytes: Bool { get }

    /// Appends the bytes before that record, or at the end of the file, that belong to no record. Examples are
    /// separators without a record between them, and blank lines after the last record.
    func copyBytesBetweenRecords(to bytes: inout [UInt8])

    /// The number of bytes that were read from the disk, to show progress.
    var bytesRead: Int { get }
}

extension RecordReader where Self: ~Copyable {
    /// The default: each record has its own bytes.
    public var sharesBytes: Bool { false }

    /// The default appends no bytes.
    public func copyBytesBetweenRecords(to bytes: inout [UInt8]) {}

    /// Reads and discards the record by default.
    ///
    /// - Returns: `false` at the end of the file.
    /// - Throws: `ReadError` if the record is invalid or cannot be read.
    public mutating func pass() throws(ReadError) -> Bool {
        var record = Record()
        return try read(into: &record)
    }
}

/// The position of a record in its file.
public struct RecordPlace: Sendable, Hashable {
    /// The number of the record, counted from 1.
    public var record = 0
    /// The number of its first line, counted from 1.
    public var line = 1
    /// The offset of its first byte in the decompressed file.
    public var offset = 0
    /// The number of its bytes, including its separator.
    public var length = 0
    /// The version of the format that it uses, if there are several: `V2000`.
    public var version = ""

    /// Creates a position before the first record.
    public init() {}
}

/// Options for reading.
public struct ReadOptions: Sendable {
    /// The number of records before the source, which can be a part of a larger file.
    public var recordsBefore = 0
    /// The number of lines before the source, which can be a part of a larger file.
    public var linesBefore = 0
    /// The largest permitted size of a record in bytes. A larger record is skipped with an error.
    public var largestRecord = RecordCost.mostBytes

    /// Returns the size limit as an expected value, for a message about something that is too large or suspiciously
    /// compressed.
    func expected(_ thing: String, isSwollen: Bool) -> String {
        isSwollen
            ? "\(thing) that gzip compresses less than a hundredfold"
            : "\(thing) of at most \(largestRecord) bytes"
    }

    /// Whether to omit structures. A molecule that is certainly readable is then replaced by an empty one with its
    /// name.
    public var skipsStructures = false
    /// The rule for hydrogens in formats with MDL's default valences, because files do not specify which version of
    /// these valences they use. `RecordStream` passes it to the molecules.
    public var valenceRule = MDLValenceRule.ladder2009

    /// The encoding of the text, which is converted to UTF-8, or `nil` to read the bytes unchanged. An encoding that
    /// the file itself declares has priority, as in XML documents and CDX drawings.
    public var encoding: CharacterEncoding?

    /// The options for text that is already converted, such as a part of a file.
    package var ofConvertedText: ReadOptions {
        var options = self
        options.encoding = nil
        return options
    }

    /// A function that is called before each record. If it returns `true`, reading stops with an error.
    package var shouldCancel: (@Sendable () -> Bool)?

    /// The formats for detection by content, and for structures in the cells of a table. An empty registry means the
    /// formats of Chemopen.
    public var formats: FormatRegistry

    /// Creates the default options. By default, all formats of Chemopen are detected.
    public init(among formats: FormatRegistry = []) {
        self.formats = formats
    }
}
