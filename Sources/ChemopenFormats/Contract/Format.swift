import ChemopenBytes
import ChemopenModel
import Synchronization

/// A file format, with everything that the rest of the program needs to support it.
///
///     for format in Format.all { print(format.id, format.extensions) }
public struct Format: Sendable, Identifiable {
    /// The identifier for `--to` and JSON, which is the first extension.
    public let id: String
    /// The name for display.
    public let name: String
    /// The MIME types, the preferred one first.
    public let mimeTypes: [String]
    /// The file name extensions without the dot, the preferred one first.
    public let extensions: [String]
    /// The features that the format can represent. They are computed on first use, because most runs of a program do
    /// not need them.
    public var supportedFeatures: Features { held.features }
    private let held: HeldFeatures
    /// The function that detects the format. It examines the beginning of a file, not the file's name.
    public let sniff: @Sendable (Head) -> Confidence
    /// The function that returns whether the beginning of a file is sufficient to detect the format without a name, as
    /// is required for a pipe. The property is `nil` if only a name or a declared type can confirm the format.
    package private(set) var proves: (@Sendable (Head) -> Bool)?
    /// The function that creates a reader for a source, or `nil` if the format can only be written.
    public internal(set) var makeReader:
        (
            @Sendable (consuming ByteSource, ReadOptions) throws(ReadError)
                -> any RecordReader & ~Copyable
        )?
    private var newWriter:
        (
            @Sendable (consuming ByteSink, WriteOptions) throws(WriteError)
                -> any RecordWriter & ~Copyable
        )?
    /// Whether files can be written in this format.
    public var isWritable: Bool { newWriter != nil }
    /// The function that returns the end of the last complete record in the bytes, or `nil` if no record is complete.
    /// It is used to divide a file among several threads. The property is `nil` if records cannot be separated without
    /// parsing.
    public internal(set) var lastRecordEnd: (@Sendable (borrowing Span<UInt8>) -> Int?)?
    /// The function that returns the first certain end of a record after an index. The bytes start at the beginning of
    /// the file, or `cutContext` before the index, and continue after it unless `isAtEnd`.
    package internal(set) var nextRecordEnd:
        (@Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?)?
    /// The method to read a record without the records before it, or `nil` if files must be read from the beginning.
    package internal(set) var loneRecords: LoneRecords?
    /// The function that finds the parts of a record in its bytes, or returns `nil` if they are uncertain.
    package internal(set) var parts: (@Sendable (_ record: borrowing Span<UInt8>) -> RecordParts?)?
    /// The function that writes an edited structure into its old lines. Its arguments are the old lines, and the lines
    /// that the writer produces for the structure before and after the edit. It returns `nil` if it cannot write the
    /// structure into these lines.
    package internal(set) var structureLines:
        (@Sendable (_ old: ArraySlice<UInt8>, _ was: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> [UInt8]?)?
    /// Whether records consist of connection tables with a line for each atom and bond, as in MDL's formats.
    package internal(set) var hasTableLines = false
    /// The function that replaces parts of a record without changing its other bytes. The property is `nil` if edits
    /// use `parts` instead.
    package internal(set) var patch: (@Sendable (_ record: [UInt8], _ patch: RecordPatch) -> [UInt8]?)?
    /// The type that edits the text of a table, or `nil` for a format without tables.
    package var table: (any TableText.Type)? { makeTable?() }
    var makeTable: (@Sendable () -> any TableText.Type)?
    /// The function that reads the layout of a file's pages, or `nil` if the format has no pages.
    package private(set) var readPages: (@Sendable (consuming ByteSource, ReadOptions) throws(ReadError) -> [Page])?
    /// The description of the format for a desktop, or `nil` if the format is not registered as a file type.
    public var signature: TypeSignature? { makeSignature?() }
    private var makeSignature: (@Sendable () -> TypeSignature)?

    /// Whether a file without records is completely empty.
    public internal(set) var mayBeEmpty = false

    /// Whether the columns must be known before the first record is written. In this case, an input file of any other
    /// format is read twice.
    public internal(set) var needsColumns = false

    /// Whether records share pages. Such a record has no bytes of its own, so only a complete file can be copied.
    public internal(set) var hasCommonPages = false

    /// The function that writes a complete file again in this format, including the content that belongs to no record.
    /// It returns `nil` if it does not support the file. The property is `nil` for formats that are written record by
    /// record.
    public internal(set) var rewrite: (@Sendable (_ file: [UInt8]) -> RewrittenFile?)?

    /// The lengths that the specification of the format permits, or `nil` if it has no limits.
    package private(set) var textLimits: TextLimits?

    /// The maximum numbers of characters of texts.
    package struct TextLimits: Sendable {
        package let title: Int
        /// The maximum length of a line in the value of a field, or `nil` if longer lines are continued.
        package let valueLine: Int?
    }

    /// Whether structures are line notations, which can be canonical.
    public internal(set) var hasLineNotation = false

    /// Creates a format that is neither read nor written. Add a reader with `read(by:)` and a writer with
    /// `written(by:)`.
    public init(
        id: String, name: String, mimeTypes: [String], extensions: [String],
        supportedFeatures: @escaping @autoclosure @Sendable () -> Features,
        sniff: @escaping @Sendable (Head) -> Confidence
    ) {
        self.id = id
        self.name = name
        self.mimeTypes = mimeTypes
        self.extensions = extensions
        held = HeldFeatures(supportedFeatures)
        self.sniff = sniff
    }

    /// Returns the format with a reader.
    public func read<Reader: RecordReader & ~Copyable>(by reader: Reader.Type) -> Format {
        var format = self
        format.makeReader = { source, options throws(ReadError) in try Reader(source, options) }
        return format
    }

    /// Returns the format with a writer.
    public func written<Writer: RecordWriter & ~Copyable>(by writer: Writer.Type) -> Format {
        var format = self
        format.newWriter = { sink, options throws(WriteError) in try Writer(sink, options) }
        return format
    }

    /// Creates a writer to a sink.
    ///
    ///     var writer = try Format.sdfile.makeWriter(ByteSink(path: "a.sdf"), WriteOptions())
    ///
    /// - Returns: The writer.
    /// - Throws: `WriteError` if the format cannot be written (see ``isWritable``), or not with these options.
    public func makeWriter(
        _ sink: consuming ByteSink, _ options: WriteOptions
    ) throws(WriteError) -> any RecordWriter & ~Copyable {
        guard let newWriter else { throw WriteError(.impossible, "\(name) can be read but not written") }
        return try newWriter(sink, options)
    }

    /// Returns the format with a description for desktops.
    ///
    /// - Parameter signature: evaluated on first use, because most runs of a program do not need it.
    public func signed(_ signature: @escaping @autoclosure @Sendable () -> TypeSignature) -> Format {
        var format = self
        format.makeSignature = signature
        return format
    }

    /// Returns the format with a function that detects it without a file name, as is required for a pipe.
    func proved(by proves: @escaping @Sendable (Head) -> Bool) -> Format {
        var format = self
        format.proves = proves
        return format
    }

    /// Returns the format marked as one that must know its columns first.
    public func needingColumns() -> Format {
        var format = self
        format.needsColumns = true
        return format
    }

    /// Returns the format marked as one with shared pages.
    func onCommonPages() -> Format {
        var format = self
        format.hasCommonPages = true
        return format
    }

    /// Returns the format with a function that reads the layout of its pages.
    func seen(
        by read: @escaping @Sendable (consuming ByteSource, ReadOptions) throws(ReadError) -> [Page]
    ) -> Format {
        var format = self
        format.readPages = read
        return format
    }

    /// Returns the format with a function that writes complete files of its family again.
    func rewriting(by rewrite: @escaping @Sendable (_ file: [UInt8]) -> RewrittenFile?) -> Format {
        var format = self
        format.rewrite = rewrite
        return format
    }

    /// Returns the format with the lengths that its specification permits.
    func limited(title: Int, valueLine: Int? = nil) -> Format {
        var format = self
        format.textLimits = TextLimits(title: title, valueLine: valueLine)
        return format
    }

    /// Returns the format marked as one with line notations.
    func inLineNotation() -> Format {
        var format = self
        format.hasLineNotation = true
        return format
    }

    /// Returns the format marked as one without a header and an end: a file without records is empty.
    public func emptyWithoutRecords() -> Format {
        var format = self
        format.mayBeEmpty = true
        return format
    }

    /// Returns the format with a function that finds the end of the last complete record.
    public func cut(by lastRecordEnd: @escaping @Sendable (borrowing Span<UInt8>) -> Int?) -> Format {
        var format = self
        format.lastRecordEnd = lastRecordEnd
        return format
    }
}

extension Format {
    /// The number of bytes before an index that a record end can depend on.
    package static let cutContext = 1 << 20

    /// Returns the format with a function that finds the next record end after any index.
    func cut(
        behind nextRecordEnd: @escaping @Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?
    ) -> Format {
        var format = self
        format.nextRecordEnd = nextRecordEnd
        return format
    }

    /// Returns the format with a method to read records without those before them.
    func readAlone(_ records: LoneRecords = LoneRecords()) -> Format {
        var format = self
        format.loneRecords = records
        return format
    }

    /// Returns the format with a function that finds the parts of a record in its bytes.
    func parted(by parts: @escaping @Sendable (_ record: borrowing Span<UInt8>) -> RecordParts?) -> Format {
        var format = self
        format.parts = parts
        return format
    }

    /// Returns the format with a function that writes edited structures into their old lines.
    func linewise(
        by lines:
            @escaping @Sendable (
                _ old: ArraySlice<UInt8>, _ was: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>
            ) -> [UInt8]?
    ) -> Format {
        var format = self
        format.structureLines = lines
        return format
    }

    /// Returns the format marked as one whose records have a line for each atom and bond.
    func inTableLines() -> Format {
        var format = self
        format.hasTableLines = true
        return format
    }

    /// Returns the format with a function that edits records with patches.
    func patched(by patch: @escaping @Sendable (_ record: [UInt8], _ patch: RecordPatch) -> [UInt8]?) -> Format {
        var format = self
        format.patch = patch
        return format
    }

    /// Returns the format with a type that edits its tables as text.
    ///
    /// - Parameter table: evaluated on first use, because the runtime searches all types for a generic one.
    func edited(as table: @escaping @autoclosure @Sendable () -> any TableText.Type) -> Format {
        var format = self
        format.makeTable = table
        return format
    }
}

/// The method to read a record of a format without the records before it. To create an index of a large file, all
/// records are read once, because only the reader determines where a record begins and ends.
package struct LoneRecords: Sendable {
    /// The bytes that must follow the header and a record to form a complete file, or `nil` if a record already is a
    /// complete file.
    package let closing: [UInt8]?

    /// Whether each text of a record is contiguous in its bytes, except for characters that XML escapes. In this case,
    /// a search can skip records without the text in their bytes.
    package let keepsText: Bool

    /// Whether some bytes are an exception to `keepsText`, because a text in them may be split or encoded differently.
    package let breaksText: @Sendable (borrowing Span<UInt8>) -> Bool

    package init(
        closing: StaticString? = nil, keepsText: Bool = true,
        breaksText: @escaping @Sendable (borrowing Span<UInt8>) -> Bool = { _ in false }
    ) {
        self.closing = closing.map { Array($0.description.utf8) }
        self.keepsText = keepsText
        self.breaksText = breaksText
    }
}

/// Features that are computed once.
private final class HeldFeatures: Sendable {
    private let make: @Sendable () -> Features
    private let made = Mutex<Features?>(nil)

    init(_ make: @escaping @Sendable () -> Features) {
        self.make = make
    }

    var features: Features {
        made.withLock { made in
            let features = made ?? make()
            made = features
            return features
        }
    }
}

/// A complete file that was written again.
public struct RewrittenFile: Sendable {
    /// The bytes of the file.
    public var bytes: [UInt8]
    /// The parts that the format cannot represent.
    public var losses: [Loss]

    init(_ bytes: [UInt8], losses: [Loss] = []) {
        self.bytes = bytes
        self.losses = losses
    }
}

/// The certainty of a format detection.
public enum Confidence: Int, Sendable, Comparable {
    /// The levels from impossible to certain.
    case no, possible, likely, certain

    /// Whether one level is less certain than the other.
    public static func < (one: Confidence, other: Confidence) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// The decompressed beginning of a file, used to detect the format.
public struct Head: Sendable {
    /// The bytes, at most 64 KiB.
    public let bytes: [UInt8]
    /// Whether the bytes are the complete file.
    public let isWhole: Bool

    /// The maximum number of bytes for format detection.
    public static let limit = 64 * 1024

    /// Creates a head from the beginning of some bytes.
    public init(_ bytes: [UInt8], isWhole: Bool) {
        self.bytes = Array(bytes.prefix(Self.limit))
        self.isWhole = isWhole && bytes.count <= Self.limit
    }
}
