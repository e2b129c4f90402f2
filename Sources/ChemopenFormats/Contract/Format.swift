import ChemopenBytes
import ChemopenModel
import Synchronization

/// A file format: all that the rest of the program knows of it.
///
///     for format in Format.all { print(format.id, format.extensions) }
public struct Format: Sendable, Identifiable {
    /// The format's name for `--to` and JSON: its first extension.
    public let id: String
    /// The name for people.
    public let name: String
    /// The preferred one first.
    public let mimeTypes: [String]
    /// Without the dot, the preferred one first.
    public let extensions: [String]
    /// The features that it has a place for. They are put together from the tables of terms when somebody asks first, which
    /// nobody does in most runs of a program.
    public var holds: Features { held.features }
    private let held: HeldFeatures
    /// Whether a file's beginning looks like this format. The file's name has no say.
    public let sniff: @Sendable (Head) -> Confidence
    /// Opens a reader over bytes; `nil` for a format that is only written.
    public internal(set) var makeReader:
        (
            @Sendable (consuming ByteSource, ReadOptions) throws(ReadError)
                -> any RecordReader & ~Copyable
        )?
    /// Opens a writer; `nil` for a format that is only read.
    public internal(set) var makeWriter:
        (
            @Sendable (consuming ByteSink, WriteOptions) throws(WriteError)
                -> any RecordWriter & ~Copyable
        )?
    /// Where the last record ends that is whole in the bytes, for formats whose records are told apart without being
    /// understood: work is cut there for several threads. `nil` where there is no such place.
    public internal(set) var lastRecordEnd: (@Sendable (borrowing Span<UInt8>) -> Int?)?
    /// Where the first record ends, from a place on, that ends there without doubt. The bytes begin with the file, or so far
    /// before the place as `cutContext` says, and go on behind it; `isAtEnd` where nothing follows them.
    package internal(set) var nextRecordEnd:
        (@Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?)?
    /// How a record is read without those before it; `nil` where a file is read from its beginning.
    package internal(set) var loneRecords: LoneRecords?
    /// Where the parts of a record stand in its bytes; `nil` where that is not plain.
    package internal(set) var parts: (@Sendable (_ record: borrowing Span<UInt8>) -> RecordParts?)?
    /// Replaces parts of a record in its bytes and leaves all others alone; `nil` where `parts` says how.
    package internal(set) var patch: (@Sendable (_ record: [UInt8], _ patch: RecordPatch) -> [UInt8]?)?
    /// The text of a table, for a format whose records are rows of one.
    package var table: (any TableText.Type)? { makeTable?() }
    var makeTable: (@Sendable () -> any TableText.Type)?
    /// Reads how the pages of a file look; `nil` for a format that has none.
    package private(set) var readPages: (@Sendable (consuming ByteSource, ReadOptions) throws(ReadError) -> [Page])?
    /// The format's description for a desktop; `nil` for one that is no file type of its own.
    public var signature: TypeSignature? { makeSignature?() }
    private var makeSignature: (@Sendable () -> TypeSignature)?

    /// A file without a record has no bytes at all.
    public internal(set) var mayBeEmpty = false

    /// The columns must be known before the first record is written: a file of any other format is read twice for them.
    public internal(set) var needsColumns = false

    /// Records stand on common pages: none of them has bytes of its own, and a file is copied as a whole or not at all.
    public internal(set) var hasCommonPages = false

    /// Writes a whole file again as it stands, in this format: what no record says, too. Nothing where the bytes are no file
    /// that can be. `nil` for formats that are written record by record.
    public internal(set) var rewrite: (@Sendable (_ file: [UInt8]) -> RewrittenFile?)?

    /// Structures are spelled as line notations, which may be canonical.
    public internal(set) var hasLineNotation = false

    /// A format that is neither read nor written, until `read(by:)` and `written(by:)` say how.
    public init(
        id: String, name: String, mimeTypes: [String], extensions: [String],
        holds: @escaping @autoclosure @Sendable () -> Features,
        sniff: @escaping @Sendable (Head) -> Confidence
    ) {
        self.id = id
        self.name = name
        self.mimeTypes = mimeTypes
        self.extensions = extensions
        held = HeldFeatures(holds)
        self.sniff = sniff
    }

    /// The format with a reader.
    public func read<Reader: RecordReader & ~Copyable>(by reader: Reader.Type) -> Format {
        var format = self
        format.makeReader = { source, options throws(ReadError) in try Reader(source, options) }
        return format
    }

    /// The format with a writer.
    public func written<Writer: RecordWriter & ~Copyable>(by writer: Writer.Type) -> Format {
        var format = self
        format.makeWriter = { sink, options throws(WriteError) in try Writer(sink, options) }
        return format
    }

    /// The format with what a desktop is told of it.
    ///
    /// - Parameter signature: is made when somebody asks for it, which most runs of a program do not.
    public func signed(_ signature: @escaping @autoclosure @Sendable () -> TypeSignature) -> Format {
        var format = self
        format.makeSignature = signature
        return format
    }

    /// The format as one that must know its columns first.
    public func needingColumns() -> Format {
        var format = self
        format.needsColumns = true
        return format
    }

    /// The format as one whose records stand on common pages.
    func onCommonPages() -> Format {
        var format = self
        format.hasCommonPages = true
        return format
    }

    /// The format as one whose pages are seen as a whole.
    func seen(
        by read: @escaping @Sendable (consuming ByteSource, ReadOptions) throws(ReadError) -> [Page]
    ) -> Format {
        var format = self
        format.readPages = read
        return format
    }

    /// The format with a way to write whole files of its family again.
    func rewriting(by rewrite: @escaping @Sendable (_ file: [UInt8]) -> RewrittenFile?) -> Format {
        var format = self
        format.rewrite = rewrite
        return format
    }

    /// The format as one that spells structures as line notations.
    func inLineNotation() -> Format {
        var format = self
        format.hasLineNotation = true
        return format
    }

    /// The format as one whose files have no head and no end: without a record there are no bytes.
    public func emptyWithoutRecords() -> Format {
        var format = self
        format.mayBeEmpty = true
        return format
    }

    /// The format with a way to cut its files between records.
    public func cut(by lastRecordEnd: @escaping @Sendable (borrowing Span<UInt8>) -> Int?) -> Format {
        var format = self
        format.lastRecordEnd = lastRecordEnd
        return format
    }
}

extension Format {
    /// How many bytes before a place may say whether a record ends there.
    package static let cutContext = 1 << 20

    /// The format with a way to cut its files at any place.
    func cut(
        behind nextRecordEnd: @escaping @Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?
    ) -> Format {
        var format = self
        format.nextRecordEnd = nextRecordEnd
        return format
    }

    /// The format as one whose records are read without those before them.
    func readAlone(_ records: LoneRecords = LoneRecords()) -> Format {
        var format = self
        format.loneRecords = records
        return format
    }

    /// The format as one of whose records the parts are found in their bytes.
    func parted(by parts: @escaping @Sendable (_ record: borrowing Span<UInt8>) -> RecordParts?) -> Format {
        var format = self
        format.parts = parts
        return format
    }

    /// The format as one whose records are edited by patches.
    func patched(by patch: @escaping @Sendable (_ record: [UInt8], _ patch: RecordPatch) -> [UInt8]?) -> Format {
        var format = self
        format.patch = patch
        return format
    }

    /// The format as one whose tables are edited in their text.
    ///
    /// - Parameter table: is looked up when somebody asks for it: the runtime goes through all types for that of a generic one.
    func edited(as table: @escaping @autoclosure @Sendable () -> any TableText.Type) -> Format {
        var format = self
        format.makeTable = table
        return format
    }
}

/// How a record of a format is read by itself, without those before it. Where a record begins and ends its reader says:
/// an index of a large file is made by passing over all records once.
package struct LoneRecords: Sendable {
    /// The bytes that close a piece of the file that begins with the file's head; nothing where records stand by
    /// themselves.
    package let closing: [UInt8]?

    /// Any text of a record stands in one piece among its bytes, apart from the characters that XML escapes: what is not
    /// in the bytes need not be looked for in the record.
    package let keepsText: Bool

    /// Whether that is not so in some bytes, as a text in them may be broken or spelled otherwise.
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

/// Features that are put together once.
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

/// A whole file that was written again as it stands.
public struct RewrittenFile: Sendable {
    /// The file.
    public var bytes: [UInt8]
    /// The parts that the format has no place for.
    public var losses: [Loss]

    init(_ bytes: [UInt8], losses: [Loss] = []) {
        self.bytes = bytes
        self.losses = losses
    }
}

/// How sure a sniffer is.
public enum Confidence: Int, Sendable, Comparable {
    /// From no to beyond doubt.
    case no, possible, likely, certain

    /// Whether one is less sure than the other.
    public static func < (one: Confidence, other: Confidence) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// The beginning of a file, unpacked: all that a sniffer may see.
public struct Head: Sendable {
    /// At most 64 KiB.
    public let bytes: [UInt8]
    /// Whether that is the whole file.
    public let isWhole: Bool

    /// How many bytes of a file a sniffer sees at most.
    public static let limit = 64 * 1024

    /// The beginning of some bytes.
    public init(_ bytes: [UInt8], isWhole: Bool) {
        self.bytes = Array(bytes.prefix(Self.limit))
        self.isWhole = isWhole && bytes.count <= Self.limit
    }
}
