/// A window over the bytes of a file, a pipe or memory.
///
/// Gzip is detected from the content and decompressed, including files with several members. A reader looks at the
/// bytes in the window, consumes complete records, and calls `fill()` if a record is incomplete:
///
///     var source = try ByteSource(path: "a.sdf.gz")
///     repeat {
///         let bytes = source.buffer
///         let end = endOfLastRecord(in: bytes.span, source.window)
///         source.consume(to: end)
///     } while try source.fill()
///
/// Memory use stays at one block if every record is smaller than a block.
public struct ByteSource: ~Copyable, Sendable {
    /// The path as specified by the caller, or the name of the bytes in memory.
    public let path: LocalPath
    /// The buffer that contains the window. Use only the bytes in `window`.
    public private(set) var buffer: [UInt8]
    /// The unread part of `buffer`.
    public private(set) var window: Range<Int>
    /// Whether no bytes follow the window.
    public private(set) var isAtEnd: Bool
    /// Whether the bytes are decompressed from gzip.
    public let isCompressed: Bool
    /// The size of the file on disk, or `nil` for a pipe or a device.
    public let size: Int?

    /// Whether the source can be read again: it is a regular file that was opened here.
    package private(set) var canRewind = false
    /// Whether the text is converted to UTF-8, or its format is known to determine its encoding.
    package private(set) var isDecoded = false
    /// Whether the bytes in the window are the file's own bytes, neither decompressed nor converted.
    package var isVerbatim: Bool { !isCompressed && !isConverted }
    private var isConverted = false
    /// A copy of all bytes that enter the window, until the source is rewound.
    private var spool: Spool?
    private var feed: ByteFeed
    /// The largest size of the window. It doubles if a record is larger.
    private var room: Int
    /// The offset of `buffer[0]` in the complete input.
    private var base: Int
    /// The number of bytes read from the file before the last `fill()`, and before the `fill()` that read the first
    /// byte in the window.
    private var readBeforeFill = 0
    private var readBeforeWindow = 0
    /// The number of bytes that were in the window from the start.
    private var bytesInMemory = 0
    /// The error that the next `fill()` throws.
    private var postponed: FileError?

    /// Large enough to make the cost of system calls negligible, and small enough to stay in the processor's cache.
    public static let blockSize = 64 * 1024

    /// Opens a file, a named pipe, a device, or standard input if the path is `-`.
    ///
    /// The window is empty until the first `fill()`.
    ///
    /// - Throws: `FileError` if the path cannot be opened or is a directory.
    public init(path: LocalPath, blockSize: Int = ByteSource.blockSize) throws(FileError) {
        try self.init(path: path, named: path, blockSize: blockSize)
    }

    /// Opens a file with a text path.
    ///
    /// - Throws: `FileError` if the path cannot be opened or is a directory.
    public init(path: String, blockSize: Int = ByteSource.blockSize) throws(FileError) {
        try self.init(path: LocalPath(path), blockSize: blockSize)
    }

    /// - Parameter name: the path for error messages, if `path` itself is meaningless to the user.
    package init(
        path: LocalPath, named name: LocalPath, accepting kind: OpenedKind = .anyFile,
        blockSize: Int = ByteSource.blockSize
    ) throws(FileError) {
        let file =
            try path.isDash
            ? FileDescriptor(borrowing: 0, name: "standard input")
            : FileDescriptor(reading: path, as: name, accepting: kind)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(name, .isDirectory) }
        let feed = try ByteFeed.begin(ByteFeed.Origin(file, status))
        let size = status.kind == .regular ? status.size : nil
        self.init(feed, name: name, size: size, blockSize: blockSize, offset: 0)
        canRewind = size != nil && !path.isDash
    }

    /// Reads a file from its current position. The caller closes the file.
    init(_ file: consuming FileDescriptor, _ opened: FileStatus, _ blockSize: Int) throws(FileError) {
        let name = file.name
        self.init(
            try ByteFeed.begin(ByteFeed.Origin(file, opened)), name: name, size: opened.size, blockSize: blockSize,
            offset: 0)
        canRewind = true
    }

    /// Opens a named pipe that a writer has opened, or opens within the time limit.
    package init(pipe path: LocalPath, patience milliseconds: Int32) throws(FileError) {
        let file = try FileDescriptor(readingPipe: path, patience: milliseconds)
        let feed = try ByteFeed.begin(ByteFeed.Origin(file, nil))
        guard feed.bytesRead > 0 else { throw FileError(path, .nobodyWrites) }
        self.init(feed, name: path, size: nil, blockSize: ByteSource.blockSize, offset: 0)
    }

    /// Reads an open file, pipe or socket from its current position. The caller closes it.
    package init(descriptor number: Int32, name: LocalPath) throws(FileError) {
        let file = FileDescriptor(borrowing: number, name: name)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(name, .isDirectory) }
        let size = status.kind == .regular ? status.size : nil
        self.init(
            try ByteFeed.begin(ByteFeed.Origin(file, status)), name: name, size: size, blockSize: ByteSource.blockSize,
            offset: 0)
    }

    /// Reads bytes from a function, which appends any number of them and no bytes at the end.
    package init(
        name: LocalPath, bringing bring: @escaping @Sendable (inout OutputSpan<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        let feed = try ByteFeed.begin(ByteFeed.Origin(name: name, bring))
        self.init(feed, name: name, size: nil, blockSize: ByteSource.blockSize, offset: 0)
    }

    /// Reads an uncompressed file on disk from an offset.
    package init(path: LocalPath, from offset: Int) throws(FileError) {
        let file = try FileDescriptor(reading: path, accepting: .anyFile)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(path, .isDirectory) }
        try file.move(to: offset)
        let size = status.kind == .regular ? status.size : nil
        self.init(
            ByteFeed(plain: ByteFeed.Origin(file, status)), name: path, size: size, blockSize: ByteSource.blockSize,
            offset: offset)
    }

    /// Reads bytes in memory.
    ///
    /// Plain bytes are in the window immediately, without a copy. Later parts of an input are never decompressed.
    ///
    /// - Parameter offset: the offset of the first byte in the complete input.
    /// - Throws: `FileError` if memory is exhausted.
    public init(_ bytes: [UInt8], name: LocalPath = "memory", offset: Int = 0) throws(FileError) {
        let isPacked = offset == 0 && bytes.starts(with: [0x1f, 0x8b])
        let feed = try ByteFeed.begin(ByteFeed.Origin(isPacked ? bytes : [], name: name))
        self.init(feed, name: name, size: bytes.count, blockSize: ByteSource.blockSize, offset: offset)
        if !isPacked {
            buffer = bytes
            window = 0..<bytes.count
            isAtEnd = true
            bytesInMemory = bytes.count
        }
    }

    /// Reads bytes in memory under a name that is text.
    ///
    /// - Throws: `FileError` if memory is exhausted.
    public init(_ bytes: [UInt8], name: String, offset: Int = 0) throws(FileError) {
        try self.init(bytes, name: LocalPath(name), offset: offset)
    }

    /// Reads bytes in memory block by block, like a file with these bytes.
    package init(
        inBlocksOf blockSize: Int, _ bytes: [UInt8], name: LocalPath = "memory", offset: Int = 0
    ) throws(FileError) {
        let feed = try ByteFeed.begin(ByteFeed.Origin(bytes, name: name))
        self.init(feed, name: name, size: bytes.count, blockSize: blockSize, offset: offset)
    }

    private init(_ feed: consuming ByteFeed, name: LocalPath, size: Int?, blockSize: Int, offset: Int) {
        path = name
        self.size = size
        isCompressed = feed.isCompressed
        buffer = []
        window = 0..<0
        isAtEnd = false
        room = max(1, blockSize)
        base = offset
        self.feed = feed
    }

    /// The path for display.
    public var name: String { path.shown }

    /// The offset of `buffer[window.lowerBound]` in the complete decompressed input.
    public var offset: Int { base + window.lowerBound }

    /// The number of bytes read from the file. Compare with `size` to show progress.
    public var bytesRead: Int { bytesInMemory + feed.bytesRead }

    /// Whether the number of decompressed bytes is suspiciously high: more than a hundred times the compressed bytes,
    /// and more than in any normal file of this size.
    ///
    /// A record may need a hundred times its size in memory. In a structure with many identical atoms, as Chemopen
    /// writes it, the first bytes compress very well and the following ones do not.
    package func isSwollen(_ unpacked: Int, from packed: Int) -> Bool {
        let most = max(Self.leastSwollen, 16 * min(size ?? Self.leastSwollen, 1 << 40))
        return unpacked > most && unpacked / 100 > packed
    }

    /// The minimum number of decompressed bytes of a record whose ratio is checked.
    private static let leastSwollen = 512 << 10

    /// Whether the window is suspiciously large for its compressed size. A small file could otherwise exhaust the
    /// memory.
    package var isSwollen: Bool {
        isCompressed && isSwollen(window.count, from: feed.bytesRead - readBeforeWindow)
    }

    /// Converts the unread text, including the bytes in the window, to UTF-8. Offsets then refer to the converted text.
    /// Does not convert a text twice, or a text that declares its own encoding at the beginning.
    package mutating func decode(from encoding: CharacterEncoding?) throws(FileError) {
        guard let encoding, !isDecoded else { return }
        while window.count < 1024, try fill() {}
        isDecoded = true
        if encoding.isOverruled(by: buffer[window]) { return }
        try feed.decode(from: encoding, after: Array(buffer[window]))
        base = offset
        buffer.removeAll()
        (window, isAtEnd, isConverted) = (0..<0, false, true)
    }

    /// Copies the bytes in the window, and all later ones, to a spool.
    package mutating func keep(in spool: Spool?) throws(FileError) {
        var spool = spool
        try spool?.append(buffer.span.extracting(window), of: name)
        self.spool = spool
    }

    /// Returns the source with its text converted to UTF-8.
    package consuming func decoded(from encoding: CharacterEncoding?) throws(FileError) -> ByteSource {
        try decode(from: encoding)
        return self
    }

    /// Returns all remaining bytes, decompressed, or the bytes that were read before `goesOn` returned `false`.
    package mutating func allBytes(while goesOn: () -> Bool = { true }) throws(FileError) -> [UInt8] {
        while try fill(), goesOn() {
            if isSwollen { throw FileError(path, .tooLarge) }
        }
        return Array(buffer[window])
    }

    /// Removes the bytes before `index` from the window. An index outside the window is moved to its nearer end.
    public mutating func consume(to index: Int) {
        window = min(max(index, window.lowerBound), window.upperBound)..<window.upperBound
    }

    /// Removes the window up to an index and returns its bytes in the buffer's own memory. The rest of the window is
    /// copied to the memory of `spare`.
    package mutating func takeBytes(upTo end: Int, leaving spare: consuming [UInt8]) -> [UInt8] {
        let end = min(max(end, window.lowerBound), window.upperBound)
        var bytes = spare
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: buffer[end..<window.upperBound])
        swap(&bytes, &buffer)
        bytes.removeSubrange(end...)
        bytes.removeSubrange(..<window.lowerBound)
        base += end
        window = 0..<buffer.count
        return bytes
    }

    /// Reads more bytes after the window.
    ///
    /// The window moves to the start of the buffer, so indices into the buffer change. If another array shares the
    /// buffer, the buffer is copied. Damaged gzip data causes one error, after everything that could be decompressed;
    /// then the source is at its end.
    ///
    /// - Returns: `false` at the end of the input.
    /// - Throws: `FileError` if reading fails.
    public mutating func fill() throws(FileError) -> Bool {
        guard !isAtEnd else { return false }
        if let error = exchange(&postponed, with: nil) {
            isAtEnd = true
            throw error
        }
        // The bytes in the window were read last: a reader calls `fill()` only if it found no record end in them.
        if window.lowerBound > 0 || window.isEmpty { readBeforeWindow = readBeforeFill }
        readBeforeFill = feed.bytesRead
        slide()
        if window.count >= room { room *= 2 }
        buffer.reserveCapacity(room)
        isAtEnd = true
        if try feed.read(upTo: room - window.count, into: &buffer) { isAtEnd = false }
        if var spool {
            try spool.append(buffer.span.extracting(window.upperBound..<buffer.count), of: name)
            self.spool = spool
        }
        window = 0..<buffer.count
        return !isAtEnd
    }

    /// The next `fill()` throws the same error again. Otherwise, a reader could mistake the window for the end of the
    /// file.
    package mutating func postpone(_ error: FileError) {
        postponed = error
        isAtEnd = false
    }

    /// Starts again at the first byte of the file, with an empty window.
    package mutating func rewind() throws(FileError) {
        postponed = nil
        try feed.rewind()
        spool = nil
        buffer.removeAll(keepingCapacity: true)
        (window, base, isAtEnd) = (0..<0, 0, false)
        (readBeforeFill, readBeforeWindow) = (0, 0)
    }

    /// Moves the window to the start of the buffer.
    private mutating func slide() {
        guard window.lowerBound > 0 else { return }
        base += window.lowerBound
        buffer.removeSubrange(..<window.lowerBound)
        window = 0..<buffer.count
    }
}

/// An open file that several sources can read from the start, even if its name is reused for a different file.
///
/// Use one source at a time, because they share the file's position.
package final class HeldFile: Sendable {
    private let file: FileDescriptor
    private let opened: FileStatus

    /// Opens a file. Returns `nil` for files that are not regular, because these can be read only once.
    package init?(path: LocalPath) throws(FileError) {
        let file = try FileDescriptor(reading: path, accepting: .anyFile)
        let status = try file.status()
        guard status.kind == .regular else { return nil }
        self.file = file
        opened = status
    }

    /// Returns a source for the complete file. The source must not outlive this object.
    package func source(blockSize: Int) throws(FileError) -> ByteSource {
        try file.rewind()
        return try ByteSource(FileDescriptor(borrowing: file.number, name: file.name), opened, blockSize)
    }
}
