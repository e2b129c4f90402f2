/// A file whose records are read several times; the bytes of a pipe, or those that are at hand, are kept in memory.
struct RereadFile: Sendable {
    let path: LocalPath
    let format: Format
    var options: ReadOptions
    private let bytes: [UInt8]?

    /// - Parameters:
    ///   - bytes: those of the file, where they have been read already.
    ///   - named: the format to read, whatever the content shows.
    init(_ path: LocalPath, bytes: [UInt8]? = nil, as named: Format?, _ options: ReadOptions) throws(ReadError) {
        self.path = path
        self.options = options
        var bytes = bytes
        do throws(FileError) {
            if bytes == nil, path.isDash || fileKind(path) == .fifo {
                var source = try ByteSource(path: path)
                bytes = try source.allBytes()
            }
        } catch {
            throw ReadError(error)
        }
        self.bytes = bytes
        var source = try Self.source(path, bytes)
        format = try source.identified(as: named, among: options.knownFormats).found.format
    }

    private static func source(_ path: LocalPath, _ bytes: [UInt8]?) throws(ReadError) -> ByteSource {
        guard let bytes else { return try .open(path) }
        do throws(FileError) {
            return try ByteSource(bytes, name: path)
        } catch {
            throw ReadError(error)
        }
    }

    /// The records from the first on.
    func records(skippingStructures: Bool = false) throws(ReadError) -> RecordStream {
        var options = options
        options.skipsStructures = skippingStructures
        return try .reopen(Self.source(path, bytes), as: format, options)
    }
}
