/// A window over bytes that come from a file, a pipe or memory.
///
/// Gzip is told by its content and unpacked on the way, several members included. A reader looks at what is in view,
/// says how far it has come, and asks for more when a record is not complete:
///
///     var source = try ByteSource(path: "a.sdf.gz")
///     repeat {
///         let bytes = source.buffer
///         let end = endOfLastRecord(in: bytes.span, source.window)
///         source.consume(to: end)
///     } while try source.fill()
///
/// Memory stays at one block as long as records are smaller than a block.
public struct ByteSource: ~Copyable, Sendable {
    /// The path as it was given, or the name given for bytes in memory.
    public let path: LocalPath
    /// The bytes in view: only those in `window` mean anything.
    public private(set) var buffer: [UInt8]
    /// The unread part of `buffer`.
    public private(set) var window: Range<Int>
    /// Nothing will come behind the window.
    public private(set) var isAtEnd: Bool
    /// The bytes are unpacked from gzip.
    public let isCompressed: Bool
    /// How large the file on disk is; nil for a pipe or a device.
    public let size: Int?

    /// The bytes are those of a file on disk that was opened here, and can be had once more.
    package private(set) var canRewind = false
    /// The text is converted to UTF-8, or known to be in no other encoding than its format has.
    package private(set) var isDecoded = false
    /// The bytes in view are those of the file, unpacked and unconverted.
    package var isVerbatim: Bool { !isCompressed && !isConverted }
    private var isConverted = false
    /// Keeps what comes into view, as it comes, until the file is begun anew.
    private var spool: Spool?
    private var feed: ByteFeed
    /// How many bytes may be in view; doubled when a record is larger.
    private var room: Int
    /// The place of `buffer[0]` in the whole.
    private var base: Int
    /// How many bytes were taken from the file before the last `fill()`, and before the one that brought the first byte
    /// in view.
    private var readBeforeFill = 0
    private var readBeforeWindow = 0
    /// How many bytes were in view from the start.
    private var bytesInMemory = 0
    /// The error that the next `fill()` fails with.
    private var postponed: FileError?

    /// Enough that asking the system costs next to nothing, and little enough to stay in the processor's cache.
    public static let blockSize = 64 * 1024

    /// Opens a file, a named pipe or a device; `-` is standard input.
    ///
    /// Nothing is in view before the first `fill()`.
    public init(path: LocalPath, blockSize: Int = ByteSource.blockSize) throws(FileError) {
        try self.init(path: path, named: path, blockSize: blockSize)
    }

    /// Opens a file whose path is text.
    public init(path: String, blockSize: Int = ByteSource.blockSize) throws(FileError) {
        try self.init(path: LocalPath(path), blockSize: blockSize)
    }

    /// - Parameter name: the path that errors name, where `path` itself means nothing to anybody.
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
        let feed = try ByteFeed.begin(ByteFeed.Origin(file))
        let size = status.kind == .regular ? status.size : nil
        self.init(feed, name: name, size: size, blockSize: blockSize, offset: 0)
        canRewind = size != nil && !path.isDash
    }

    /// Reads a file that somebody else closes, from the place where it stands.
    init(_ file: consuming FileDescriptor, _ size: Int, _ blockSize: Int) throws(FileError) {
        let name = file.name
        self.init(
            try ByteFeed.begin(ByteFeed.Origin(file)), name: name, size: size, blockSize: blockSize, offset: 0)
        canRewind = true
    }

    /// Opens a named pipe that somebody writes to, or begins to write to within so many milliseconds.
    package init(pipe path: LocalPath, patience milliseconds: Int32) throws(FileError) {
        let file = try FileDescriptor(readingPipe: path, patience: milliseconds)
        let feed = try ByteFeed.begin(ByteFeed.Origin(file))
        guard feed.bytesRead > 0 else { throw FileError(path, .nobodyWrites) }
        self.init(feed, name: path, size: nil, blockSize: ByteSource.blockSize, offset: 0)
    }

    /// Reads a file, a pipe or a socket that is open and that somebody else closes, from where it has come to.
    package init(descriptor number: Int32, name: LocalPath) throws(FileError) {
        let file = FileDescriptor(borrowing: number, name: name)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(name, .isDirectory) }
        let size = status.kind == .regular ? status.size : nil
        self.init(
            try ByteFeed.begin(ByteFeed.Origin(file)), name: name, size: size, blockSize: ByteSource.blockSize,
            offset: 0)
    }

    /// Reads the bytes that a function brings: it appends as many as it likes, and none at the end.
    package init(
        name: LocalPath, bringing bring: @escaping @Sendable (inout OutputSpan<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        let feed = try ByteFeed.begin(ByteFeed.Origin(name: name, bring))
        self.init(feed, name: name, size: nil, blockSize: ByteSource.blockSize, offset: 0)
    }

    /// Reads a file on disk that is not packed from one of its bytes on.
    package init(path: LocalPath, from offset: Int) throws(FileError) {
        let file = try FileDescriptor(reading: path, accepting: .anyFile)
        let status = try file.status()
        guard status.kind != .directory else { throw FileError(path, .isDirectory) }
        try file.move(to: offset)
        let size = status.kind == .regular ? status.size : nil
        self.init(
            ByteFeed(plain: ByteFeed.Origin(file)), name: path, size: size, blockSize: ByteSource.blockSize,
            offset: offset)
    }

    /// Looks at bytes in memory; `offset` is the place of the first one in the whole.
    ///
    /// Plain bytes are in view at once, without a copy.
    public init(_ bytes: [UInt8], name: LocalPath = "memory", offset: Int = 0) throws(FileError) {
        let isPacked = bytes.starts(with: [0x1f, 0x8b])
        let feed = try ByteFeed.begin(ByteFeed.Origin(isPacked ? bytes : [], name: name))
        self.init(feed, name: name, size: bytes.count, blockSize: ByteSource.blockSize, offset: offset)
        if !isPacked {
            buffer = bytes
            window = 0..<bytes.count
            isAtEnd = true
            bytesInMemory = bytes.count
        }
    }

    /// Looks at bytes in memory under a name that is text.
    public init(_ bytes: [UInt8], name: String, offset: Int = 0) throws(FileError) {
        try self.init(bytes, name: LocalPath(name), offset: offset)
    }

    /// Hands bytes in memory out block by block, as a file of these bytes would.
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

    /// The path as people see it.
    public var name: String { path.shown }

    /// Where `buffer[window.lowerBound]` stands in the whole, counted in unpacked bytes.
    public var offset: Int { base + window.lowerBound }

    /// How many bytes were taken from the file so far; with `size`, how far reading has come.
    public var bytesRead: Int { bytesInMemory + feed.bytesRead }

    /// Whether so many unpacked bytes are out of all proportion to the packed ones that they come from: more than
    /// `mostSwollen`, and more than a hundredfold.
    package static func isSwollen(_ unpacked: Int, from packed: Int) -> Bool {
        unpacked > mostSwollen && unpacked / 100 > packed
    }

    /// So many bytes are unpacked, from however few, before a record is called swollen.
    package static let mostSwollen = 16 << 20

    /// Whether the bytes in view are packed out of all proportion, so that few bytes of a file may ask for any memory.
    package var isSwollen: Bool {
        isCompressed && Self.isSwollen(window.count, from: feed.bytesRead - readBeforeWindow)
    }

    /// Converts the text from an encoding to UTF-8: the unread bytes in view, and those that come. Offsets are those of the
    /// converted text. A file whose beginning declares its encoding stays as it is, and so does one that was converted.
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

    /// Keeps what is in view, and what comes into view from here on.
    package mutating func keep(in spool: Spool?) throws(FileError) {
        var spool = spool
        try spool?.append(buffer.span.extracting(window), of: name)
        self.spool = spool
    }

    /// The source with its text converted from an encoding to UTF-8.
    package consuming func decoded(from encoding: CharacterEncoding?) throws(FileError) -> ByteSource {
        try decode(from: encoding)
        return self
    }

    /// All bytes that are left, unpacked; those so far where it is not to go on.
    package mutating func allBytes(while goesOn: () -> Bool = { true }) throws(FileError) -> [UInt8] {
        while try fill(), goesOn() {
            if isSwollen { throw FileError(path, .tooLarge) }
        }
        return Array(buffer[window])
    }

    /// Takes the bytes before `index` out of view. An index outside of the window is moved to its nearer end.
    public mutating func consume(to index: Int) {
        window = min(max(index, window.lowerBound), window.upperBound)..<window.upperBound
    }

    /// Takes the window up to an index out, in the buffer's own memory; the rest stays in view, in the memory of `spare`.
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

    /// Brings more bytes in behind the window; false when nothing more comes.
    ///
    /// The window moves to the front of the buffer, so indices into it change. An array that still shares the buffer
    /// costs a copy. Damaged gzip data is told once, after all that could be unpacked; then the source is at its end.
    public mutating func fill() throws(FileError) -> Bool {
        guard !isAtEnd else { return false }
        if let error = exchange(&postponed, with: nil) {
            isAtEnd = true
            throw error
        }
        // The bytes left in view came with the last ones: a reader asks for more where it has seen no end in them.
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

    /// Lets the next `fill()` fail again with an error that the last one had, so that a reader does not take the bytes in
    /// view for the end of the file.
    package mutating func postpone(_ error: FileError) {
        postponed = error
        isAtEnd = false
    }

    /// Begins anew with the first byte of the file; nothing is in view then, as at first.
    package mutating func rewind() throws(FileError) {
        postponed = nil
        try feed.rewind()
        spool = nil
        buffer.removeAll(keepingCapacity: true)
        (window, base, isAtEnd) = (0..<0, 0, false)
        (readBeforeFill, readBeforeWindow) = (0, 0)
    }

    /// Moves the window to the front of the buffer.
    private mutating func slide() {
        guard window.lowerBound > 0 else { return }
        base += window.lowerBound
        buffer.removeSubrange(..<window.lowerBound)
        window = 0..<buffer.count
    }
}

/// A file that stays open, so that each source over it reads the same bytes from the first one on, whatever lies under
/// its name by then.
///
/// One source at a time, since they share the place in the file.
package final class HeldFile: Sendable {
    private let file: FileDescriptor
    private let size: Int

    /// Opens a file; `nil` where it is no regular file and its bytes can be had only once.
    package init?(path: LocalPath) throws(FileError) {
        let file = try FileDescriptor(reading: path, accepting: .anyFile)
        let status = try file.status()
        guard status.kind == .regular else { return nil }
        self.file = file
        size = status.size
    }

    /// A source over the whole file. It must not outlive the file.
    package func source(blockSize: Int) throws(FileError) -> ByteSource {
        try file.rewind()
        return try ByteSource(FileDescriptor(borrowing: file.number, name: file.name), size, blockSize)
    }
}
