import Chemopen

/// A file as it was when it was opened: which format it has, and its bytes wherever they are wanted.
///
/// What is packed is unpacked into a file without a name in the cache folder, by the pass that makes the index.
final class BrowsedContent: Sendable {
    /// As the file was named.
    private let path: LocalPath
    let format: Format
    let identity: FileIdentity
    /// Records are read where they stand; otherwise the file is read from its beginning each time.
    let isIndexed: Bool
    /// What has to be unpacked first.
    let isSpooled: Bool
    /// The file itself.
    private let original: RandomAccessFile
    /// Where the unpacked bytes are.
    private let bytesFile: RandomAccessFile

    /// More than this is not unpacked.
    private static let largestSpool = 1 << 36

    init(_ path: LocalPath, cache: IndexCache, session: Surroundings) throws(ReadError) {
        let original: RandomAccessFile
        var source: ByteSource
        do throws(FileError) {
            original = try Self.regularFile(path, cache, session)
            source = try ByteSource(path: original.path, named: path)
        } catch {
            throw ReadError(FileError(path, error.reason))
        }
        let (head, failure) = source.peekHead()
        guard let found = Chemopen.identify(head, named: path) else {
            if let failure { throw failure }
            throw ReadError(
                .unrecognised, file: path.shown, expected: "no chemical format that is read here looks like this")
        }
        self.path = path
        self.original = original
        identity = original.identity
        let format = found.format
        self.format = format
        isSpooled = source.isCompressed
        if isSpooled {
            do throws(FileError) {
                bytesFile = try RandomAccessFile(spoolIn: Self.spoolFolder(cache, session))
            } catch {
                throw ReadError(error)
            }
        } else {
            bytesFile = original
        }
        isIndexed = format.places.map { Self.standsAlone($0, head.bytes, format) } ?? false
    }

    private static func spoolFolder(_ cache: IndexCache, _ session: Surroundings) -> LocalPath {
        cache.usableFolder() ?? session.temporaryFolder
    }

    /// The file of a path; what comes from a pipe is taken into a file first.
    private static func regularFile(
        _ path: LocalPath, _ cache: IndexCache, _ session: Surroundings
    ) throws(FileError) -> RandomAccessFile {
        let isStandardInput = path.isDash
        if !isStandardInput, fileKind(path) == .regular { return try RandomAccessFile(path) }
        if !isStandardInput, fileKind(path) == .missing { throw FileError(path, .notFound) }
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
    private static func standsAlone(_ places: RecordPlaces, _ head: [UInt8], _ format: Format) -> Bool {
        guard let closing = places.closing else { return true }
        var found: [Int] = []
        _ = places.find(head.span, true, true, &found)
        guard let first = found.first, let source = try? ByteSource(Array(head[..<first]) + closing),
            var stream = try? RecordStream.open(source, as: format)
        else { return false }
        do throws(ReadError) {
            _ = try stream.next()
            return stream.header.hasAllColumns
        } catch {
            return false
        }
    }

    /// The file is in the state in which it was opened.
    var isUnchanged: Bool { original.currentIdentity() == identity }

    func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        try bytesFile.bytes(range)
    }

    /// The unpacked bytes from the beginning; while they are still being unpacked, those that are there.
    func source() throws(FileError) -> ByteSource {
        try ByteSource(path: bytesFile.path, named: path)
    }
}

// MARK: The pass that makes the index

extension BrowsedContent {
    /// How far the pass has come.
    struct Step {
        var places: [Int]
        /// Up to where the file has been looked through.
        var end: Int
        var isLast: Bool
        /// The share of the file, up to 1.
        var progress: Double
        var failure: ReadError?
    }

    /// Looks through the whole file once and tells step by step where records begin. `take` says whether to go on.
    func findRecords(_ take: (Step) -> Bool) {
        do throws(ReadError) {
            if let places = format.places, isIndexed {
                try find(places, take)
            } else {
                if isSpooled, try !spool() { return }
                try readThrough(take)
            }
        } catch {
            _ = take(Step(places: [], end: 0, isLast: true, progress: 1, failure: error))
        }
    }

    private func find(_ places: RecordPlaces, _ take: (Step) -> Bool) throws(ReadError) {
        do throws(FileError) {
            var source = try ByteSource(path: original.path, named: path)
            var isFirst = true
            var spooled = 0
            while true {
                let before = source.window.count
                _ = try source.fill()
                let window = source.window
                if isSpooled {
                    let buffer = source.buffer
                    try bytesFile.append(buffer.span.extracting(window.lowerBound + before..<window.upperBound))
                    spooled += window.count - before
                    guard spooled <= Self.largestSpool else { throw FileError(source.path, .tooLarge) }
                }
                let isLast = source.isAtEnd
                if source.isSwollen { throw FileError(source.path, .tooLarge) }
                if window.count == before, !isLast { continue }
                var found: [Int] = []
                let buffer = source.buffer
                let settled = places.find(buffer.span.extracting(window), isFirst, isLast, &found)
                let offset = source.offset
                if settled > 0 || !found.isEmpty { isFirst = false }
                source.consume(to: window.lowerBound + settled)
                let progress = source.size.map { Double(source.bytesRead) / Double(max($0, 1)) } ?? 0
                let step = Step(
                    places: found.map { $0 + offset }, end: offset + settled, isLast: isLast,
                    progress: isLast ? 1 : min(progress, 1))
                if !take(step) || isLast { return }
            }
        } catch {
            throw ReadError(error)
        }
    }

    /// Unpacks everything.
    private func spool() throws(ReadError) -> Bool {
        do throws(FileError) {
            var source = try ByteSource(path: original.path, named: path)
            while try source.fill() {
                let buffer = source.buffer
                try bytesFile.append(buffer.span.extracting(source.window))
                source.consume(to: source.window.upperBound)
                guard source.offset <= Self.largestSpool else { throw FileError(source.path, .tooLarge) }
            }
            return true
        } catch {
            throw ReadError(error)
        }
    }

    /// Reads all records, of a format whose places only its reader knows.
    private func readThrough(_ take: (Step) -> Bool) throws(ReadError) {
        let source: ByteSource
        do throws(FileError) {
            source = try self.source()
        } catch {
            throw ReadError(error)
        }
        var stream = try RecordStream.open(source, as: format)
        var record = Record()
        while true {
            do throws(ReadError) {
                guard try stream.read(into: &record) else { break }
            } catch {
                switch error.kind {
                case .file, .unrecognised: throw error
                case .broken, .tooLarge: break
                }
            }
            let progress = stream.size.map { Double(stream.bytesRead) / Double(max($0, 1)) } ?? 0
            let place = stream.place
            let step = Step(
                places: [place.offset], end: place.offset + place.length, isLast: false, progress: min(progress, 1))
            if !take(step) { return }
        }
        _ = take(Step(places: [], end: stream.place.offset + stream.place.length, isLast: true, progress: 1))
    }
}
