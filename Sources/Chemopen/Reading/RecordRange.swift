/// The records of a file that begin in a range of its bytes.
///
///     var records = try RecordRange(path: "a.sdf", 0..<1_000_000)
///     while try records.read(into: &record) { count += 1 }
///
/// Ranges that follow one another give every record once, wherever they are cut. Of formats whose records are told apart
/// without being understood nothing is read but the range and a little around it; any other file, and one that is packed,
/// is read from its beginning. A record of a drawing may stand before the one that was read before it: it counts as
/// beginning where that one does. Records and lines count from the range's first; offsets are those of the file.
public struct RecordRange: ~Copyable {
    /// The stream that the records come from.
    public private(set) var records: RecordStream
    /// The place of the first record that is wanted, and of the first one behind them.
    private let start: Int
    private let end: Int
    private var isAtEnd: Bool
    /// The furthest place of a record up to now.
    private var reached = 0

    /// Opens a file; without a format its content tells.
    public init(
        path: LocalPath, _ range: Range<Int>, as known: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        let file = try RangedFile(path, as: known, options)
        let cuts = try file.cuts(of: range)
        let stream = try RecordStream.open(file.open(from: cuts?.start ?? 0), as: file.format, options)
        self.init(stream, cuts?.start ?? range.lowerBound, cuts?.end ?? range.upperBound)
    }

    /// All records of a stream.
    package init(_ records: consuming RecordStream) {
        self.init(records, 0, .max)
    }

    private init(_ records: consuming RecordStream, _ start: Int, _ end: Int) {
        self.records = records
        self.start = start
        self.end = end
        isAtEnd = start >= end
    }

    /// Reads the next record over the last one; `false` at the end of the range.
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

    /// Ends of ranges that follow one another and are of about one size; the last one is `.max`. One alone where the file
    /// cannot be cut.
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

/// A file and how it can be cut.
private struct RangedFile {
    let path: LocalPath
    let format: Format
    /// `nil` for what is no file on disk.
    let size: Int?
    /// `nil` where the file is read from its beginning.
    let nextRecordEnd: (@Sendable (_ bytes: borrowing Span<UInt8>, _ from: Int, _ isAtEnd: Bool) -> Int?)?

    init(_ path: LocalPath, as known: Format?, _ options: ReadOptions) throws(ReadError) {
        var source = try ByteSource.open(path, options)
        self.path = path
        format = try source.identified(as: known, among: options.knownFormats).format
        size = path.isDash ? nil : source.size
        nextRecordEnd = !source.isVerbatim || size == nil ? nil : format.nextRecordEnd
    }

    /// Opens the file to be read from one of its bytes on; at a place behind its end from the beginning.
    func open(from place: Int) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return place <= 0 || place == .max ? try ByteSource(path: path) : try ByteSource(path: path, from: place)
        } catch {
            throw ReadError(error)
        }
    }

    /// Where the first record begins that is wanted, and the first one behind them.
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

    /// The first place from one on where a record ends without doubt; `.max` where there is none.
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
            // The bytes that were undecided, and those that may say something about them, stay in view.
            let window = source.window
            searched = max(searched, base + window.count - ByteSource.blockSize / 2)
            source.consume(to: window.upperBound - min(window.count, context + ByteSource.blockSize))
            wanted = min(window.count, context + ByteSource.blockSize) + ByteSource.blockSize
        }
    }
}
