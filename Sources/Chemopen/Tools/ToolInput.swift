/// An input of a tool. Its records can be copied after all of them were read.
///
/// The decompressed bytes of pipes and compressed files are stored in a temporary file without a name.
final class ToolInput {
    let source: Source
    let format: Format
    /// The source before the first pass.
    private var opened: ByteSource?
    private let options: ReadOptions
    /// The regular file with the bytes of the records, and its version.
    private var path: LocalPath?
    private var identity: FileIdentity?
    /// The temporary file with the decompressed bytes.
    private var spool: RandomAccessFile?
    /// The open regular file.
    private var file: RandomAccessFile?

    var name: LocalPath { source.name }

    /// - Parameter named: The format to read, or `nil` to detect it.
    /// - Parameter keepsBytes: Whether bytes of records are read again.
    init(
        _ source: Source, as named: Format?, _ options: ReadOptions, keepsBytes: (Format) -> Bool
    ) throws(Conversion.Failure) {
        self.source = source
        self.options = options
        do throws(ReadError) {
            var bytes = try source.openToRead(options)
            format = try bytes.identified(
                as: named, declaredAs: source.declaredType, among: options.knownFormats
            ).format
            if keepsBytes(format) {
                if source.isRegularFile, bytes.isVerbatim, let path = source.path {
                    self.path = path
                    identity = FileIdentity(path)
                } else {
                    do throws(FileError) {
                        let spool = try RandomAccessFile(spoolIn: SessionEnvironment.current.temporaryFolder)
                        try bytes.keep(in: Spool(spool, atMost: .max))
                        self.spool = spool
                    } catch {
                        throw ReadError(error)
                    }
                }
            }
            opened = .some(bytes)
        } catch {
            throw .read(error)
        }
    }

    /// Opens the records for the only pass.
    func records(skippingStructures: Bool) throws(Conversion.Failure) -> RecordStream {
        var options = options
        options.skipsStructures = skippingStructures
        do throws(ReadError) {
            guard let bytes = exchange(&opened, with: nil) else {
                return try .reopen(try source.openToRead(options), as: format, options)
            }
            return try .reopen(bytes, as: format, options)
        } catch {
            throw .read(error)
        }
    }

    /// Returns bytes that were read in the first pass.
    func bytes(_ range: Range<Int>) throws(Conversion.Failure) -> [UInt8] {
        do throws(FileError) {
            if let spool { return try spool.bytes(range) }
            guard let path else { return [] }
            if file == nil {
                file = try RandomAccessFile(path)
                if file?.identity != identity { throw FileError(name, .changedMeanwhile) }
            }
            let bytes = try file?.bytes(range) ?? []
            guard bytes.count == range.count else { throw FileError(name, .changedMeanwhile) }
            return bytes
        } catch {
            throw .read(ReadError(error))
        }
    }

    /// Returns all bytes that were read in the first pass.
    func allBytes() throws(Conversion.Failure) -> [UInt8] {
        let size = spool?.currentIdentity()?.size ?? identity?.size ?? 0
        return try bytes(0..<size)
    }

    /// Throws an error if the file has changed since the first pass, and closes it.
    func finish() throws(Conversion.Failure) {
        defer { file = nil }
        guard let file, file.currentIdentity() != identity else { return }
        throw .read(ReadError(FileError(name, .changedMeanwhile)))
    }
}

/// The positions of records in their inputs, in 12 bytes each.
struct ToolPlaces {
    /// The offset of each record, and the index of its input in the upper bits.
    private var offsets: [UInt64] = []
    private var lengths: [UInt32] = []
    private static let inputBit: UInt64 = 44

    /// The largest number of inputs.
    static let mostInputs = 1 << 19

    var count: Int { offsets.count }

    mutating func append(_ place: RecordPlace, ofInput input: Int) {
        offsets.append(Self.packed(place, input))
        lengths.append(UInt32(clamping: place.length))
    }

    /// Replaces a place.
    mutating func replace(_ index: Int, by place: RecordPlace, ofInput input: Int) {
        offsets[index] = Self.packed(place, input)
        lengths[index] = UInt32(clamping: place.length)
    }

    private static func packed(_ place: RecordPlace, _ input: Int) -> UInt64 {
        UInt64(clamping: input) << inputBit | UInt64(clamping: place.offset) & (1 << inputBit - 1)
    }

    subscript(index: Int) -> (input: Int, range: Range<Int>) {
        let start = Int(offsets[index] & (1 << Self.inputBit - 1))
        return (Int(offsets[index] >> Self.inputBit), start..<start + Int(lengths[index]))
    }

    /// Whether one record precedes another one in the inputs.
    func isInOrder(_ one: Int, _ other: Int) -> Bool { offsets[one] < offsets[other] }
}
