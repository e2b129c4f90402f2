/// Where bytes go: a file, standard output, a device, or memory.
///
/// A file is whole or absent. It is written beside its target, flushed to the disk and put in its place by `commit()`;
/// a sink that goes out of use without it leaves nothing behind, and an existing file as it was.
///
///     var sink = try ByteSink(path: "b.sdf.gz")
///     for record in records {
///         write(record, to: &sink.bytes)
///         try sink.flushIfLarge()
///     }
///     try sink.commit()
public struct ByteSink: ~Copyable, Sendable {
    /// Bytes that were not handed on yet: writers append here.
    public var bytes: [UInt8] = []

    private var outlet: Outlet
    /// Says that the file is only a part of what it was to be, and is published next to its target.
    package var partMark: PartMark?

    /// How many pending bytes are handed on together.
    @usableFromInline static let blockSize = 48 * 1024

    /// Keeps all bytes in memory: they stay in `bytes`.
    public init() {
        outlet = Outlet(.memory, packing: nil)
    }

    /// Writes to a file, which must not exist unless `replacing`; `-` is standard output.
    ///
    /// A name that ends in `.gz` is packed, at a level from 1, fast, to 9, small. A replaced file hands its permissions on,
    /// and a link goes on pointing to it. Named pipes and devices are written straight through.
    public init(path: LocalPath, replacing: Bool = false, gzipLevel: Int = 6) throws(FileError) {
        outlet = try Outlet.open(path, replacing: replacing, gzipLevel: gzipLevel)
        // Room that is not used costs nothing; growing on the way would hold the bytes twice.
        bytes.reserveCapacity(2 * Self.blockSize)
    }

    /// The same, packed or not whatever the name says; `nil` where it does say so.
    package init(path: LocalPath, replacing: Bool, packing: Bool?) throws(FileError) {
        outlet = try Outlet.open(path, replacing: replacing, gzipLevel: 6, packing: packing)
    }

    /// Writes to a file whose path is text.
    public init(path: String, replacing: Bool = false) throws(FileError) {
        try self.init(path: LocalPath(path), replacing: replacing)
    }

    /// Hands the pending bytes on when there are many; memory keeps them.
    @inlinable
    public mutating func flushIfLarge() throws(FileError) {
        if bytes.count > Self.blockSize { try flush() }
    }

    /// Hands all pending bytes on; memory keeps them.
    public mutating func flush() throws(FileError) {
        guard !outlet.isMemory else { return }
        try outlet.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Hands all pending bytes on, and these behind them; memory keeps them all.
    package mutating func hand(_ more: [UInt8]) throws(FileError) {
        if outlet.isMemory { return bytes.append(copying: more.span) }
        try flush()
        try outlet.write(more)
    }

    /// Whether what was written can still be changed: that of a file that is not packed.
    package var canGoBack: Bool { outlet.canGoBack }

    /// Puts bytes over those that the file begins with; `false` where nobody can go back.
    package mutating func overwrite(_ beginning: [UInt8]) throws(FileError) -> Bool {
        guard outlet.canGoBack else { return false }
        try flush()
        try outlet.overwrite(beginning)
        return true
    }

    /// The attributes of the replaced file that cannot be kept, in words; known from the beginning.
    package var unkept: [String] { outlet.unkept }

    /// Removes what killed runs of the program have left beside a file.
    package static func sweep(beside path: LocalPath) {
        if !path.isDash { StagedFile.sweep(beside: path) }
    }

    /// Hands all bytes on and puts the file in its place. The file takes no more bytes after that.
    ///
    /// When it fails, nothing is left behind but what stood there before.
    public mutating func commit() throws(FileError) {
        guard !outlet.isMemory else { return }
        var finished = exchange(&outlet, with: Outlet(.memory, packing: nil))
        if partMark?.isSet == true { finished.move(toSuffix: PartMark.suffix) }
        try finished.finish(bytes)
        bytes.removeAll(keepingCapacity: true)
        if finished.isStream { outlet = finished }
    }
}

/// A mark that whoever has made a sink sets when its input has failed, though a writer owns the sink by then.
package final class PartMark: Sendable {
    private let state = Guarded(false)

    /// The suffix of a file that is only a part of what it was to be.
    package static let suffix: LocalPath = ".partial"

    package init() {}

    package var isSet: Bool { state.change { $0 } }

    package func set() { state.change { $0 = true } }
}

/// Puts bytes into a file, whole or not at all.
///
/// - Parameter packing: `nil` where the name says so.
package func writeFile(
    _ bytes: [UInt8], to path: LocalPath, replacing: Bool, packing: Bool? = nil
) throws(FileError) {
    var sink = try ByteSink(path: path, replacing: replacing, packing: packing)
    sink.bytes = bytes
    try sink.commit()
}

/// The way out of a sink, packed or plain.
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

    /// Lets `finish` publish a file under its target's name with a suffix.
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

    /// Writes the last bytes and, to a file, gives it its name.
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

    /// Packs the bytes and writes whatever fills a block, or all of it at the end.
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
