import Chemopen

/// An opened file: its format, and access to its bytes.
///
/// A compressed file that can be indexed is decompressed to an unnamed file in the cache directory while the index is
/// created.
final class BrowsedContent: Sendable {
    /// The path as specified.
    private let path: LocalPath
    let format: Format
    let identity: FileIdentity
    /// Whether records can be read at their positions. If not, the file is read from its start each time.
    let isIndexed: Bool
    /// Whether the file is decompressed while the index is created.
    let isSpooled: Bool
    /// The file itself.
    private let original: RandomAccessFile
    /// The file with the decompressed bytes.
    private let bytesFile: RandomAccessFile

    private let options: ReadOptions
    /// The first read error of any request.
    private let lost = Guarded<ReadError?>(nil)

    /// The maximum size of the decompressed file.
    private static let largestSpool = 1 << 36
    /// The maximum size of a table's head with its first row.
    private static let largestHead = 1 << 20

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - named: the format to use instead of the detected one.
    ///   - kind: the kinds of files that may be opened.
    ///   - root: the directory in which the opened file must be, to prevent links that lead elsewhere.
    init(
        _ path: LocalPath, as named: Format?, _ options: ReadOptions, accepting kind: OpenedKind,
        within root: LocalPath? = nil, cache: IndexCache, session: SessionEnvironment
    ) throws(ReadError) {
        let original: RandomAccessFile
        var source: ByteSource
        do throws(FileError) {
            original = try Self.regularFile(path, kind, cache, session)
            if let root, original.realPath?.hasPrefix(root.appending("")) != true {
                throw FileError(path, .noPermission)
            }
            source = try ByteSource(path: original.path, named: path)
        } catch {
            throw ReadError(FileError(path, error.reason))
        }
        try source.decode(options)
        let format = try source.identified(as: named, among: options.knownFormats).format
        self.path = path
        self.options = options
        self.original = original
        identity = original.identity
        self.format = format
        isIndexed = format.loneRecords.map { Self.standsAlone($0, &source, format) } ?? false
        isSpooled = isIndexed && !source.isVerbatim
        if isSpooled {
            do throws(FileError) {
                bytesFile = try RandomAccessFile(spoolIn: Self.spoolFolder(cache, session))
            } catch {
                throw ReadError(error)
            }
        } else {
            bytesFile = original
        }
    }

    private static func spoolFolder(_ cache: IndexCache, _ session: SessionEnvironment) -> LocalPath {
        cache.usableFolder() ?? session.temporaryFolder
    }

    /// Opens the file at a path. The data of a pipe is first copied to a temporary file.
    private static func regularFile(
        _ path: LocalPath, _ kind: OpenedKind, _ cache: IndexCache, _ session: SessionEnvironment
    ) throws(FileError) -> RandomAccessFile {
        if !path.isDash {
            do throws(FileError) {
                return try RandomAccessFile(path)
            } catch {
                guard kind == .anyFile, error.reason == .isNamedPipe || error.reason == .notRegular else { throw error }
            }
        }
        let spool = try RandomAccessFile(spoolIn: spoolFolder(cache, session))
        var source = try ByteSource(path: path)
        while try source.fill() {
            let buffer = source.buffer
            try spool.append(buffer.span.extracting(source.window))
            source.consume(to: source.window.upperBound)
        }
        return spool
    }

    /// Returns whether rows can be read separately, with only the head of the table before them.
    private static func standsAlone(_ records: LoneRecords, _ source: inout ByteSource, _ format: Format) -> Bool {
        guard let closing = records.closing else { return true }
        while source.window.count < largestHead, (try? source.fill()) == true {}
        let bytes = Array(source.buffer[source.window])
        do {
            var stream = try RecordStream.open(ByteSource(bytes), as: format)
            guard try stream.pass(), stream.place.offset > 0 else { return false }
            let head = Array(bytes[..<stream.place.offset])
            var empty = try RecordStream.open(ByteSource(head + closing), as: format)
            _ = try empty.next()
            return empty.header.hasAllColumns
        } catch {
            return false
        }
    }

    /// Whether the file has not changed since it was opened.
    var isUnchanged: Bool { original.currentIdentity() == identity }

    /// The size of the file, and whether it is compressed.
    var place: (size: Int, isPacked: Bool) { (identity.size, isSpooled) }

    /// Returns bytes of the file without decompression, or `nil` if the file has been truncated or changed.
    func unchangedBytes(_ range: Range<Int>) -> [UInt8]? {
        guard let bytes = try? original.bytes(range), bytes.count == range.count, isUnchanged else { return nil }
        return bytes
    }

    /// The first read error. If it is set, records may be missing.
    var lostContent: ReadError? { lost.change { $0 } }

    /// Stores an error if it means that bytes could not be read.
    func note(_ error: ReadError) {
        if case .file = error.kind { lost.change { $0 = $0 ?? error } }
    }

    func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            return try bytesFile.bytes(range)
        } catch {
            let error = FileError(path, error.reason)
            note(ReadError(error))
            throw error
        }
    }

    /// Returns a stream of all records.
    ///
    /// - Parameter spool: a file that receives the decompressed bytes.
    func stream(skippingStructures: Bool = false, filling spool: Spool? = nil) throws(ReadError) -> RecordStream {
        var source: ByteSource
        do throws(FileError) {
            source = try ByteSource(path: original.path, named: path)
        } catch {
            note(ReadError(error))
            throw ReadError(error)
        }
        try source.decode(options)
        do throws(FileError) {
            try source.keep(in: spool)
        } catch {
            throw ReadError(error)
        }
        return try .reopen(source, as: format, readOptions(skippingStructures: skippingStructures))
    }
}

extension BrowsedContent {
    /// Returns the options for reading records that follow `number` others.
    func readOptions(behind number: Int = 0, skippingStructures: Bool = false) -> ReadOptions {
        var options = self.options.ofConvertedText
        options.recordsBefore = number
        options.skipsStructures = skippingStructures
        return options
    }

    /// Whether the bytes of a record can be copied unchanged. This is not the case with another valence rule.
    var keepsBytes: Bool { options.valenceRule == .ladder2009 }
}

// MARK: The pass that makes the index

extension BrowsedContent {
    /// A step of indexing.
    struct Step {
        /// The start positions of complete records.
        var places: [Int] = []
        /// The end of the last of these records.
        var end = 0
        /// Errors of unreadable records, by their numbers from 0, if the record's bytes alone would not cause the
        /// error.
        var refusals: [Int: ReadError] = [:]
        var isLast = false
        /// The fraction of the file read, up to 1.
        var progress = 0.0
        var failure: ReadError?
    }

    /// Reads all records once and reports their start positions step by step.
    ///
    /// The positions come from the reader of the format, so the index contains exactly the records that it reads.
    ///
    /// - Parameter take: receives each step and returns whether to continue.
    func findRecords(_ take: (Step) -> Bool) {
        do throws(ReadError) {
            try passOverAll(take)
        } catch {
            note(error)
            _ = take(Step(isLast: true, progress: 1, failure: error))
        }
    }

    private func passOverAll(_ take: (Step) -> Bool) throws(ReadError) {
        var stream = try stream(filling: isSpooled ? Spool(bytesFile, atMost: Self.largestSpool) : nil)
        var step = Step()
        var number = 0
        var refused = 0
        var bytesRead = 0
        var lastEnd = 0
        while true {
            do throws(ReadError) {
                guard try stream.pass() else { break }
                step.places.append(stream.place.offset)
                lastEnd = stream.place.offset + stream.place.length
            } catch {
                switch error.kind {
                case .file, .unrecognized:
                    note(error)
                    step.failure = error
                    continue
                case .broken where isFramed:
                    // No record follows it, so its position is the end of the file.
                    step.refusals[number] = error
                    refused += 1
                case .tooLarge:
                    step.refusals[number] = error
                    step.places.append(stream.place.offset)
                case .broken:
                    step.places.append(stream.place.offset)
                }
            }
            number += 1
            guard stream.bytesRead != bytesRead, let last = step.places.popLast() else { continue }
            bytesRead = stream.bytesRead
            step.end = last
            step.progress = stream.size.map { min(1, Double(bytesRead) / Double(max($0, 1))) } ?? 0
            if !take(step) { return }
            step.places = [last]
        }
        step.end = bytesFile.currentIdentity()?.size ?? identity.size
        // If reading failed, bytes after the last complete record do not belong to it.
        if lostContent != nil, let last = step.places.last, lastEnd > last { step.end = min(step.end, lastEnd) }
        step.places += Array(repeating: step.end, count: refused)
        (step.isLast, step.progress) = (true, 1)
        _ = take(step)
    }

    /// Whether the format has rows that can only be read with the head of their table.
    var isFramed: Bool { isIndexed && format.loneRecords?.closing != nil }
}
