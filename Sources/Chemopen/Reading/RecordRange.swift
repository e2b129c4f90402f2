/// The records of a file that begin within a range of bytes.
///
///     var records = try RecordRange(path: "a.sdf", 0..<1_000_000)
///     while try records.read(into: &record) { count += 1 }
///
/// Adjacent ranges return each record exactly once, regardless of their boundaries. If the format can find record
/// boundaries without parsing, only the range and some context around it are read. All other files, and compressed
/// files, are read from the beginning.
///
/// In a drawing, a record can be located before the one that was read before it. It then counts as beginning at the
/// same position as that record. Records and lines are counted from the start of the range; offsets refer to the file.
public struct RecordRange: ~Copyable {
    /// The stream that provides the records.
    public private(set) var records: RecordStream
    /// The offsets of the first record in the range and of the first record after it.
    private let start: Int
    private let end: Int
    private var isAtEnd: Bool
    /// The largest offset of any record read.
    private var reached = 0

    /// Opens a range of a file.
    ///
    /// - Parameter known: The format to read, or `nil` to detect it.
    /// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
    public init(
        path: LocalPath, _ range: Range<Int>, as known: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        let file = try RangedFile(path, as: known, options)
        let cuts = try file.cuts(of: range)
        let stream = try RecordStream.open(file.open(from: cuts?.start ?? 0), as: file.format, options)
        self.init(stream, cuts?.start ?? range.lowerBound, cuts?.end ?? range.upperBound)
    }

    /// Creates a range with all records of a stream.
    package init(_ records: consuming RecordStream) {
        self.init(records, 0, .max)
    }

    private init(_ records: consuming RecordStream, _ start: Int, _ end: Int) {
        self.records = records
        self.start = start
        self.end = end
        isAtEnd = start >= end
    }

    /// Reads the next record into an existing one and reuses its memory.
    ///
    /// - Returns: `false` at the end of the range.
    /// - Throws: `ReadError` if the record or the file cannot be read. After an unreadable record you can continue.
    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        while !isAtEnd {
            do throws(ReadError) {
                isAtEnd = try !records.read(into: &record)
            } catch {
                if case .file = error.kind { throw error }
                reached = max(reached, records.place.offset)
                if reached >= end { break }
                if reached >= start { throw error }
                continue
            }
            reached = max(reached, records.place.offset)
            if isAtEnd || reached >= end { break }
            if reached >= start { return true }
        }
        isAtEnd = true
        return false
    }

    /// Returns the upper bounds of adjacent ranges of similar size.
    ///
    /// - Parameter pieces: The maximum number of ranges.
    /// - Returns: The upper bounds. The last one is `.max`; it is the only one if the file cannot be split.
    /// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
    public static func ends(
        of path: LocalPath, pieces: Int, as known: Format? = nil, among formats: FormatRegistry = .standard
    ) throws(ReadError) -> [Int] {
        let file = try RangedFile(path, as: known, ReadOptions(among: formats))
        guard pieces > 1, let size = file.size, size > 0, file.nextRecordEnd != nil else { return [.max] }
        let count = min(pieces, size)
        let step = Double(size) / Double(count)
        return (1..<count).map { Int(Double($0) * step) } + [.max]
    }
}

/// A file and its means of finding record boundaries.
private struct RangedFile {
    let path: LocalPath
    let format: Format
    /// The size in bytes, or `nil` if the source is not a file on disk.
    let size: Int?
    /// Finds the end of a record, or `nil` if the file must be read from the beginning.
    let nextRecordEnd: (@Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?)?

    init(_ path: LocalPath, as known: Format?, _ options: ReadOptions) throws(ReadError) {
        var source = try ByteSource.open(path, options)
        self.path = path
        format = try source.identified(as: known, among: options.knownFormats).format
        size = path.isDash ? nil : source.size
        nextRecordEnd = !source.isVerbatim || size == nil ? nil : format.nextRecordEnd
    }

    /// Opens the file at an offset, or at the beginning if the offset is `.max`.
    func open(from place: Int) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return place <= 0 || place == .max ? try ByteSource(path: path) : try ByteSource(path: path, from: place)
        } catch {
            throw ReadError(error)
        }
    }

    /// Returns the offsets of the first record in the range and of the first record after it.
    func cuts(of range: Range<Int>) throws(ReadError) -> (start: Int, end: Int)? {
        guard let size, let nextRecordEnd else { return nil }
        func cut(_ place: Int) throws(ReadError) -> Int {
            if place <= 0 || place >= size { return place <= 0 ? 0 : .max }
            do throws(FileError) {
                return try self.cut(behind: place, nextRecordEnd)
            } catch {
                throw ReadError(error)
            }
        }
        return (try cut(range.lowerBound), try cut(range.upperBound))
    }

    /// Returns the first certain end of a record after an offset, or `.max` if there is no further one.
    private func cut(
        behind place: Int, _ nextRecordEnd: (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?
    ) throws(FileError) -> Int {
        let context = Format.cutContext
        let first = max(0, place - context)
        var source = try ByteSource(path: path, from: first)
        var wanted = place - first + ByteSource.blockSize
        var searched = place
        while true {
            while source.window.count < wanted, try source.fill() {}
            let base = source.offset
            let buffer = source.buffer
            if let end = nextRecordEnd(buffer.span.extracting(source.window), searched - base, source.isAtEnd) {
                return base + end
            }
            if source.isAtEnd { return .max }
            // The bytes that are still undecided, and their context, remain in the buffer.
            let window = source.window
            searched = max(searched, base + window.count - ByteSource.blockSize / 2)
            source.consume(to: window.upperBound - min(window.count, context + ByteSource.blockSize))
            wanted = min(window.count, context + ByteSource.blockSize) + ByteSource.blockSize
        }
    }
}
