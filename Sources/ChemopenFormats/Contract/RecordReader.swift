import ChemopenBytes
import ChemopenModel

/// Reads records one after the other from a window over a file.
///
/// A record is delimited before it is understood, so that a broken one costs only itself.
public protocol RecordReader: ~Copyable, SendableMetatype {
    /// Reads a source from where it stands.
    init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError)

    /// The header of the table as a whole; columns join it as they are met.
    var header: SheetHeader { get }

    /// Reads the next record over the last one, whose memory is used again; `false` at the end.
    ///
    /// After an error the reader stands behind the record that is broken and can go on.
    mutating func read(into record: inout Record) throws(ReadError) -> Bool

    /// Moves on to the next record as `read` does, and looks into it only as far as its end depends on that; `false` at
    /// the end.
    ///
    /// A broken record may be passed without its error, and lines need not be counted.
    mutating func pass() throws(ReadError) -> Bool

    /// The doubts about the record read or refused last.
    var issues: [Issue] { get }

    /// Where the record read or refused last stands, and what it is written in.
    ///
    /// At the end its line is the one behind the last record.
    var place: RecordPlace { get }

    /// Adds the bytes of the record read or refused last, as they stood.
    func copyRecordBytes(to bytes: inout [UInt8])

    /// Whether each record stands in the whole file, and so has the same bytes as every other.
    var sharesBytes: Bool { get }

    /// Adds the bytes in front of that record, or at the end of the file, that belong to no record: separators with
    /// nothing between them, blank lines behind the last record.
    func copyBytesBetweenRecords(to bytes: inout [UInt8])

    /// Bytes taken from disk so far, for progress.
    var bytesRead: Int { get }
}

extension RecordReader where Self: ~Copyable {
    /// Records have bytes of their own.
    public var sharesBytes: Bool { false }

    /// There are none.
    public func copyBytesBetweenRecords(to bytes: inout [UInt8]) {}

    /// Reads the record, and forgets it.
    public mutating func pass() throws(ReadError) -> Bool {
        var record = Record()
        return try read(into: &record)
    }
}

/// Where a record stands in its file.
public struct RecordPlace: Sendable, Hashable {
    /// From 1.
    public var record = 0
    /// The number of its first line, from 1.
    public var line = 1
    /// The offset of its first byte, of the unpacked file.
    public var offset = 0
    /// How many bytes it takes, its separator included.
    public var length = 0
    /// The version of the format it is written in, where there are several: `V2000`.
    public var version = ""

    /// The place in front of the first record.
    public init() {}
}

/// How to read.
public struct ReadOptions: Sendable {
    /// The number of records before the first one of this source: it may be a piece of a larger file.
    public var recordsBefore = 0
    /// Likewise the number of lines.
    public var linesBefore = 0
    /// No record may be larger; a larger one is refused, told, and skipped.
    public var largestRecord = RecordCost.mostBytes

    /// Says how large something may be, in place of one that is larger or that gzip packs out of all proportion.
    func expected(_ thing: String, isSwollen: Bool) -> String {
        isSwollen
            ? "\(thing) that gzip packs less than a hundredfold, or of at most \(ByteSource.mostSwollen) bytes"
            : "\(thing) of at most \(largestRecord) bytes"
    }

    /// Structures are not wanted: for a molecule of which it is plain that it can be read, one stands that has its name
    /// and nothing else.
    public var skipsStructures = false
    /// How hydrogens are counted that a file leaves to MDL's default valences; files do not say by which rule they mean
    /// it. `RecordStream` lets the molecules know.
    public var valenceRule = MDLValenceRule.ladder2009

    /// The encoding of the text, which is read as UTF-8 then; `nil` keeps its bytes as they are. What a file itself declares
    /// comes first: an XML document, a CDX drawing.
    public var encoding: CharacterEncoding?

    /// The options for bytes that are converted already, such as a piece of a file.
    package var ofConvertedText: ReadOptions {
        var options = self
        options.encoding = nil
        return options
    }

    /// Asked before each record: `true` ends the file there, by an error of its own.
    package var cancels: (@Sendable () -> Bool)?

    /// The formats among which a file's content decides, and in which a structure may stand that is the value of a cell.
    /// An empty registry means those of Chemopen.
    public var formats: FormatRegistry

    /// The usual way of reading, among some formats; among those of Chemopen where none is given.
    public init(among formats: FormatRegistry = []) {
        self.formats = formats
    }
}
