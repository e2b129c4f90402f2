import Chemopen

/// A file as it was when it was opened: which format it has, and its bytes wherever they are wanted.
///
/// A packed file that can have an index is unpacked into a file without a name in the cache folder, by the pass that
/// makes the index.
final class BrowsedContent: Sendable {
    /// As the file was named.
    private let path: LocalPath
    let format: Format
    let identity: FileIdentity
    /// Records are read where they stand; otherwise the file is read from its beginning each time.
    let isIndexed: Bool
    /// It is unpacked by the pass that makes the index.
    let isSpooled: Bool
    /// The file itself.
    private let original: RandomAccessFile
    /// Where the unpacked bytes are.
    private let bytesFile: RandomAccessFile

    private let options: ReadOptions
    /// The error of the first read that failed, whoever asked for the bytes.
    private let lost = Guarded<ReadError?>(nil)

    /// More than this is not unpacked.
    private static let largestSpool = 1 << 36
    /// The head of a table and its first row are looked for in so many bytes.
    private static let largestHead = 1 << 20

    /// - Parameters:
    ///   - named: the format to read, whatever the content shows.
    ///   - kind: the kinds of files that are opened.
    ///   - root: the directory that the file has to be in once it is open, whatever its path led to before.
    init(
        _ path: LocalPath, as named: Format?, _ options: ReadOptions, accepting kind: OpenedKind,
        within root: LocalPath? = nil, cache: IndexCache, session: Surroundings
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

    private static func spoolFolder(_ cache: IndexCache, _ session: Surroundings) -> LocalPath {
        cache.usableFolder() ?? session.temporaryFolder
    }

    /// The file of a path; what comes from a pipe is taken into a file first.
    private static func regularFile(
        _ path: LocalPath, _ kind: OpenedKind, _ cache: IndexCache, _ session: Surroundings
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

    /// Whether rows can be read with nothing but the file's head before them.
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

    /// The file is in the state in which it was opened.
    var isUnchanged: Bool { original.currentIdentity() == identity }

    /// The open file as it lies there.
    var place: (size: Int, isPacked: Bool) { (identity.size, isSpooled) }

    /// The bytes of the file as it lies there; `nil` once it has been cut or changed.
    func unchangedBytes(_ range: Range<Int>) -> [UInt8]? {
        guard let bytes = try? original.bytes(range), bytes.count == range.count, isUnchanged else { return nil }
        return bytes
    }

    /// The error of the first read that failed; the records in view are not all there are.
    var lostContent: ReadError? { lost.change { $0 } }

    /// Notes an error if the file's bytes could not be had.
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

    /// The records from the first on. With a spool, what is unpacked goes there.
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
    /// How records are read that stand behind so many others.
    func readOptions(behind number: Int = 0, skippingStructures: Bool = false) -> ReadOptions {
        var options = self.options.ofConvertedText
        options.recordsBefore = number
        options.skipsStructures = skippingStructures
        return options
    }

    /// Whether the bytes of a record say all that is to be said of it: by another rule of valences they do not.
    var keepsBytes: Bool { options.valenceRule == .ladder2009 }
}

// MARK: The pass that makes the index

extension BrowsedContent {
    /// How far the pass has come.
    struct Step {
        /// Where records begin whose ends are known, one after the other.
        var places: [Int] = []
        /// Where the last of them ends.
        var end = 0
        /// Records that cannot be read, by their numbers from 0: those of which the bytes alone would not say so.
        var refusals: [Int: ReadError] = [:]
        var isLast = false
        /// The share of the file, up to 1.
        var progress = 0.0
        var failure: ReadError?
    }

    /// Passes over all records once and tells step by step where they begin. `take` says whether to go on.
    ///
    /// The reader of the format says where they begin, so that the index has the records that it reads.
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
                case .file, .unrecognised:
                    note(error)
                    step.failure = error
                    continue
                case .broken where isFramed:
                    // Nothing follows it: its place is the end of the file.
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
        // The bytes behind the last whole record of a file that failed are no part of it.
        if lostContent != nil, let last = step.places.last, lastEnd > last { step.end = min(step.end, lastEnd) }
        step.places += Array(repeating: step.end, count: refused)
        (step.isLast, step.progress) = (true, 1)
        _ = take(step)
    }

    /// Rows stand in a frame, which their reader has to see.
    var isFramed: Bool { isIndexed && format.loneRecords?.closing != nil }
}
