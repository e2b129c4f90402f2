/// The inputs of a conversion, which may read them several times.
///
/// The format of each input is detected only once, pipes are stored in memory, and a single file stays open.
final class ConversionInputs {
    let sources: [Source]
    private let conversion: Conversion
    private var formats: [Source: Format] = [:]
    private var pipes: [Source: [UInt8]] = [:]
    private var file: HeldFile?

    init(_ sources: [Source], of conversion: Conversion) {
        self.sources = sources
        self.conversion = conversion
    }

    /// Opens the records of an input in the requested or the detected format.
    func records(of input: Source, _ options: ReadOptions) throws(Conversion.Failure) -> RecordStream {
        try records(of: input, in: try source(of: input), options)
    }

    func records(
        of input: Source, in source: consuming ByteSource, _ options: ReadOptions
    ) throws(Conversion.Failure) -> RecordStream {
        do throws(ReadError) {
            if let format = conversion.source { return try .open(source, as: format, options) }
            if let format = formats[input] { return try .reopen(source, as: format, options) }
            let stream = try RecordStream.open(source, declaredAs: input.declaredType, options)
            formats[input] = stream.format
            return stream
        } catch {
            throw .read(error)
        }
    }

    /// Returns the format of a source, or `nil` if it is unknown or the beginning cannot be read.
    func format(of input: Source, in source: inout ByteSource) -> Format? {
        let (head, failure) = source.peekHead()
        if failure != nil { return nil }
        let format =
            conversion.source ?? formats[input]
            ?? identify(
                head, named: input.name, declaredAs: input.declaredType, among: conversion.reading.knownFormats)?.format
        formats[input] = format
        return format
    }

    /// The only input, if its file can be copied or rewritten as a complete file.
    var inputTakenWhole: Source? {
        guard conversion.copiesWholeFiles, sources.count == 1, let input = sources.first,
            var source = try? source(of: input), let format = format(of: input, in: &source),
            conversion.copiesText(of: format) || conversion.rewritesWholeFile(of: format)
        else { return nil }
        return input
    }

    /// Opens an input at its first byte.
    func source(of input: Source) throws(Conversion.Failure) -> ByteSource {
        let encoding = conversion.reading.encoding
        let isCancelled = { [conversion] in conversion.isCancelled }
        let blockSize = conversion.threads > 1 ? BlockCutter.blockSize : ByteSource.blockSize
        do throws(FileError) {
            if conversion.copiesWholeFiles {
                if input.comesOnce {
                    return try ByteSource(try bytes(ofPipe: input), name: input.name).decoded(from: encoding)
                }
                if sources.count == 1, file == nil, let path = input.path { file = try HeldFile(path: path) }
                if let file { return try file.source(blockSize: blockSize).decoded(from: encoding) }
            }
            return try input.open(blockSize: blockSize, shouldCancel: isCancelled).decoded(from: encoding)
        } catch  where error == .cancelled(input.name) {
            throw .cancelled
        } catch {
            throw .read(ReadError(error))
        }
    }

    /// Returns all bytes of an input that can be read only once.
    private func bytes(ofPipe input: Source) throws(FileError) -> [UInt8] {
        if let bytes = pipes[input] { return bytes }
        var source = try input.open()
        // The caller checks for cancellation before the first record.
        let bytes = try source.allBytes { !conversion.isCancelled }
        pipes[input] = bytes
        return bytes
    }
}
