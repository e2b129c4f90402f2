/// The inputs of a conversion, which may read them several times: the format of each is told once, a pipe is kept in
/// memory, and a sole file stays open.
final class ConversionInputs {
    let paths: [LocalPath]
    private let conversion: Conversion
    private var formats: [LocalPath: Format] = [:]
    private var pipes: [LocalPath: [UInt8]] = [:]
    private var file: HeldFile?

    init(_ paths: [LocalPath], of conversion: Conversion) {
        self.paths = paths
        self.conversion = conversion
    }

    /// The records of an input from the first on, in the format that was asked for, or else the one that it shows.
    func records(of path: LocalPath, _ options: ReadOptions) throws(Conversion.Failure) -> RecordStream {
        try records(of: path, in: try source(of: path), options)
    }

    func records(
        of path: LocalPath, in source: consuming ByteSource, _ options: ReadOptions
    ) throws(Conversion.Failure) -> RecordStream {
        do throws(ReadError) {
            if let format = conversion.source { return try .open(source, as: format, options) }
            if let format = formats[path] { return try .reopen(source, as: format, options) }
            let stream = try RecordStream.open(source, options)
            formats[path] = stream.format
            return stream
        } catch {
            throw .read(error)
        }
    }

    /// The format of a source whose beginning is sound; `nil` where that cannot be told.
    func format(of path: LocalPath, in source: inout ByteSource) -> Format? {
        let (head, failure) = source.peekHead()
        if failure != nil { return nil }
        let format =
            conversion.source ?? formats[path]
            ?? identify(head, named: path, among: conversion.reading.knownFormats)?.format
        formats[path] = format
        return format
    }

    /// The bytes of an input from the first on.
    func source(of path: LocalPath) throws(Conversion.Failure) -> ByteSource {
        let blockSize = conversion.threads > 1 ? BlockCutter.blockSize : ByteSource.blockSize
        do throws(FileError) {
            guard conversion.copiesWholeFiles else { return try ByteSource(path: path, blockSize: blockSize) }
            if path.isDash || fileKind(path) == .fifo {
                return try ByteSource(try bytes(ofPipe: path), name: path)
            }
            if paths.count == 1, file == nil { file = try HeldFile(path: path) }
            if let file { return try file.source(blockSize: blockSize) }
            return try ByteSource(path: path, blockSize: blockSize)
        } catch {
            throw .read(ReadError(error))
        }
    }

    /// All bytes of an input that can be read only once.
    private func bytes(ofPipe path: LocalPath) throws(FileError) -> [UInt8] {
        if let bytes = pipes[path] { return bytes }
        var source = try ByteSource(path: path)
        // The run looks for that before the first record.
        let bytes = try source.allBytes { !conversion.isCancelled }
        pipes[path] = bytes
        return bytes
    }
}
