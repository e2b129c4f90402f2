/// A source that is read several times. If its bytes can be read only once, they are stored in memory.
struct RereadFile: Sendable {
    let format: Format
    var options: ReadOptions
    private let source: Source

    /// - Parameter named: The format to read, or `nil` to detect it.
    init(_ origin: Source, as named: Format?, _ options: ReadOptions) throws(ReadError) {
        var bytes = try origin.openToRead(options)
        do throws(FileError) {
            if origin.comesOnce {
                source = Source(try bytes.allBytes(), named: origin.name)
                bytes = try source.open()
                self.options = options.ofConvertedText
            } else {
                source = origin
                self.options = options
            }
        } catch {
            throw ReadError(error)
        }
        format = try bytes.identified(as: named, declaredAs: origin.declaredType, among: options.knownFormats)
            .format
    }

    /// The name in messages.
    var path: LocalPath { source.name }

    /// Opens the records from the beginning.
    func records(skippingStructures: Bool = false) throws(ReadError) -> RecordStream {
        var options = options
        options.skipsStructures = skippingStructures
        return try .reopen(try source.openToRead(options), as: format, options)
    }
}
