/// A file whose records are read several times; the bytes of a pipe are kept in memory.
struct RereadFile {
    let path: LocalPath
    let format: Format
    let options: ReadOptions
    private var pipe: [UInt8]?

    /// - Parameter named: the format to read, whatever the content shows.
    init(_ path: LocalPath, as named: Format?, _ options: ReadOptions) throws(ReadError) {
        self.path = path
        self.options = options
        do throws(FileError) {
            if path.isDash || fileKind(path) == .fifo {
                var source = try ByteSource(path: path)
                while try source.fill() {
                    if source.isSwollen { throw FileError(path, .tooLarge) }
                }
                pipe = Array(source.buffer[source.window])
            }
        } catch {
            throw ReadError(error)
        }
        var source = try Self.source(path, pipe)
        format = try source.identified(as: named, among: options.knownFormats).found.format
    }

    private static func source(_ path: LocalPath, _ pipe: [UInt8]?) throws(ReadError) -> ByteSource {
        guard let pipe else { return try .open(path) }
        do throws(FileError) {
            return try ByteSource(pipe, name: path)
        } catch {
            throw ReadError(error)
        }
    }

    /// The records from the first on.
    func records(skippingStructures: Bool = false) throws(ReadError) -> RecordStream {
        var options = options
        options.skipsStructures = skippingStructures
        return try .reopen(Self.source(path, pipe), as: format, options)
    }
}
