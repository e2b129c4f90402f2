/// A destination for bytes: a file, standard output, a device or memory.
///
/// Files are written atomically. The bytes are stored next to the target, flushed to the disk and renamed by
/// `commit()`. If a sink is destroyed without `commit()`, it leaves no file, and an existing file is unchanged.
///
///     var sink = try ByteSink(path: "b.sdf.gz")
///     for record in records {
///         write(record, to: &sink.bytes)
///         try sink.flushIfLarge()
///     }
///     try sink.commit()
public struct ByteSink: ~Copyable, Sendable {
    /// Bytes that have not been written yet. Append your output here.
    public var bytes: [UInt8] = []

    private var outlet: Outlet
    /// A mark that, if set, makes `commit()` publish the file under a different name because it is incomplete.
    package var partMark: PartMark?

    /// The number of pending bytes above which `flushIfLarge()` writes them.
    @usableFromInline static let blockSize = 48 * 1024

    /// Creates a sink that collects all bytes in `bytes`.
    public init() {
        outlet = Outlet(.memory, packing: nil)
    }

    /// Writes to a file, or to standard output if the path is `-`.
    ///
    /// The new file gets the permissions of the replaced file, and a symbolic link to it remains valid. Named pipes and
    /// devices are written directly.
    ///
    /// - Parameter path: if it ends in `.gz`, the output is compressed.
    /// - Parameter replacing: whether the file may exist.
    /// - Parameter gzipLevel: from 1 (fast) to 9 (small).
    /// - Throws: `FileError` if the file exists and must not be replaced, or cannot be written.
    public init(path: LocalPath, replacing: Bool = false, gzipLevel: Int = 6) throws(FileError) {
        outlet = try Outlet.open(path, replacing: replacing, gzipLevel: gzipLevel)
        // Unused capacity costs nothing, but growing the array later would store the bytes twice.
        bytes.reserveCapacity(2 * Self.blockSize)
    }

    /// Writes to a file that is compressed or not, regardless of its name. If `packing` is `nil`, the name decides.
    package init(path: LocalPath, replacing: Bool, packing: Bool?) throws(FileError) {
        outlet = try Outlet.open(path, replacing: replacing, gzipLevel: 6, packing: packing)
    }

    /// Writes to a file with a text path.
    ///
    /// - Throws: `FileError` if the file exists and must not be replaced, or cannot be written.
    public init(path: String, replacing: Bool = false) throws(FileError) {
        try self.init(path: LocalPath(path), replacing: replacing)
    }

    /// Writes the pending bytes if there are many. A sink in memory ignores the call.
    ///
    /// - Throws: `FileError` if the bytes cannot be written.
    @inlinable
    public mutating func flushIfLarge() throws(FileError) {
        if bytes.count > Self.blockSize { try flush() }
    }

    /// Writes all pending bytes. A sink in memory ignores the call.
    ///
    /// - Throws: `FileError` if the bytes cannot be written.
    public mutating func flush() throws(FileError) {
        guard !outlet.isMemory else { return }
        try outlet.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes all pending bytes and then more bytes. A sink in memory appends them.
    package mutating func hand(_ more: [UInt8]) throws(FileError) {
        if outlet.isMemory { return bytes.append(copying: more.span) }
        try flush()
        try outlet.write(more)
    }

    /// Whether the sink can overwrite earlier bytes: only an uncompressed file can.
    package var canGoBack: Bool { outlet.canGoBack }

    /// Overwrites the first bytes of the file. Returns `false` if the destination does not support it.
    package mutating func overwrite(_ beginning: [UInt8]) throws(FileError) -> Bool {
        guard outlet.canGoBack else { return false }
        try flush()
        try outlet.overwrite(beginning)
        return true
    }

    /// The attributes of the replaced file that cannot be preserved, as text. They are known when the sink is created.
    package var unkept: [String] { outlet.unkept }

    /// Removes temporary files that killed runs of the program have left next to a file.
    package static func sweep(beside path: LocalPath) {
        if !path.isDash { StagedFile.sweep(beside: path) }
    }

    /// Writes all bytes and moves the file to its path. The sink accepts no more bytes for that file.
    ///
    /// If it fails, only the previous file remains.
    ///
    /// - Throws: `FileError` if the bytes cannot be written or the file cannot be moved.
    public mutating func commit() throws(FileError) {
        guard !outlet.isMemory else { return }
        var finished = exchange(&outlet, with: Outlet(.memory, packing: nil))
        if partMark?.isSet == true { finished.move(toSuffix: PartMark.suffix) }
        try finished.finish(bytes)
        bytes.removeAll(keepingCapacity: true)
        if finished.isStream { outlet = finished }
    }
}

/// A mark that the creator of a sink can set if its input has failed, even if a writer owns the sink.
package final class PartMark: Sendable {
    private let state = Guarded(false)

    /// The suffix for the name of an incomplete file.
    package static let suffix: LocalPath = ".partial"

    package init() {}

    package var isSet: Bool { state.change { $0 } }

    package func set() { state.change { $0 = true } }
}

/// Writes bytes to a file atomically.
///
/// - Parameter packing: whether to compress the file; if `nil`, the name decides.
package func writeFile(
    _ bytes: [UInt8], to path: LocalPath, replacing: Bool, packing: Bool? = nil
) throws(FileError) {
    var sink = try ByteSink(path: path, replacing: replacing, packing: packing)
    sink.bytes = bytes
    try sink.commit()
}

/// The output side of a sink, with optional compression.
struct Outlet: ~Copyable, Sendable {
    enum Destination: ~Copyable, Sendable {
        case memory
        case stream(FileDescriptor)
        case file(StagedFile)
    }

    private var destination: Destination
    private var deflate: Deflate?
    private var packed: [UInt8] = []

    init(_ destination: consuming Destination, packing deflate: consuming Deflate?) {
        self.destination = destination
        self.deflate = deflate
    }

    static func open(
        _ path: LocalPath, replacing: Bool, gzipLevel: Int, packing: Bool? = nil
    ) throws(FileError) -> Outlet {
        if path.isDash || path == "/dev/stdout" {
            return Outlet(.stream(FileDescriptor(borrowing: 1, name: "standard output")), packing: nil)
        }
        let isPacked = packing ?? path.hasSuffix(".gz")
        let deflate = isPacked ? Deflate(level: Int32(min(max(gzipLevel, 1), 9))) : nil
        if isPacked && deflate == nil { throw FileError(path, .noMemory) }
        switch fileKind(path) {
        case .fifo, .device, .socket:
            return Outlet(.stream(try FileDescriptor(writingThrough: path)), packing: deflate)
        default:
            return Outlet(.file(try StagedFile.open(path, replacing: replacing)), packing: deflate)
        }
    }

    var isMemory: Bool {
        switch destination {
        case .memory: true
        default: false
        }
    }

    var isStream: Bool {
        switch destination {
        case .stream: true
        default: false
        }
    }

    var unkept: [String] {
        switch destination {
        case .file(let file): file.unkept
        default: []
        }
    }

    var canGoBack: Bool {
        switch destination {
        case .file: deflate == nil
        default: false
        }
    }

    func overwrite(_ beginning: [UInt8]) throws(FileError) {
        switch destination {
        case .file(let file): try file.overwrite(beginning.span)
        default: break
        }
    }

    /// Makes `finish` publish a file under the name of its target plus a suffix.
    mutating func move(toSuffix suffix: LocalPath) {
        switch exchange(&destination, with: .memory) {
        case .file(var file):
            file.move(toSuffix: suffix)
            destination = .file(file)
        case .stream(let file): destination = .stream(file)
        case .memory: break
        }
    }

    mutating func write(_ bytes: [UInt8]) throws(FileError) {
        if deflate == nil {
            try send(bytes)
        } else {
            try pack(bytes, isLast: false)
        }
    }

    /// Writes the last bytes and publishes a file under its name.
    mutating func finish(_ bytes: [UInt8]) throws(FileError) {
        if deflate == nil {
            try send(bytes)
        } else {
            try pack(bytes, isLast: true)
            deflate = nil
        }
        if isStream { return }
        try Self.publish(exchange(&destination, with: .memory))
    }

    private static func publish(_ destination: consuming Destination) throws(FileError) {
        switch consume destination {
        case .file(var file): try file.publish()
        default: break
        }
    }

    private func send(_ bytes: [UInt8]) throws(FileError) {
        switch destination {
        case .memory: break
        case .stream(let file): try file.write(bytes.span)
        case .file(let file): try file.write(bytes.span)
        }
    }

    /// Compresses the bytes and writes complete blocks, or everything at the end.
    private mutating func pack(_ bytes: [UInt8], isLast: Bool) throws(FileError) {
        var position = 0
        var isPending = true
        while isPending {
            isPending = Self.pack(bytes.span, from: &position, isLast: isLast, by: &deflate, into: &packed)
            if isLast || packed.count >= ByteSink.blockSize {
                try send(packed)
                packed.removeAll(keepingCapacity: true)
            }
        }
    }

    private static func pack(
        _ bytes: Span<UInt8>, from position: inout Int, isLast: Bool, by deflate: inout Deflate?,
        into packed: inout [UInt8]
    ) -> Bool {
        var isPending = false
        packed.append(addingCapacity: ByteSink.blockSize) { output in
            isPending = deflate?.pack(bytes, from: &position, isLast: isLast, into: &output) ?? false
        }
        return isPending
    }
}
