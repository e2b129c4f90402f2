extension Conversion {
    /// Copies a table byte for byte, comments and all, where every row of it is taken: then its header fits. So is a file
    /// of a format that is read and not written.
    ///
    /// A row is known to be taken once the whole file is read; so the file is read first and copied after that. Returns
    /// `nil`, with nothing told and nothing written, where the rows have to be written anew.
    func copyTable(
        _ inputs: ConversionInputs, to output: Output, tell: @escaping (Event, LocalPath) -> Void,
        progress: @escaping (Progress) -> Void
    ) throws(Failure) -> Summary? {
        guard copiesWholeFiles, inputs.paths.count == 1, let input = inputs.paths.first else { return nil }
        let path: LocalPath?
        switch output {
        case .file(let file): path = file
        case .nothing: path = nil
        case .folder: return nil
        }
        var events = 0
        let first = ConversionRun(
            self, of: inputs, rejectsPath: nil, tell: { _, _ in events += 1 }, progress: progress)
        if try !first.takesWhole(input) { return nil }
        let run = ConversionRun(self, of: inputs, rejectsPath: nil, tell: tell, progress: progress)
        if events > 0 {
            _ = try run.takesWhole(input)
        } else {
            run.summary = first.summary
        }
        if let path { try run.copy(input, into: try sink(path)) }
        run.summary.written = run.summary.read
        return run.summary
    }
}

extension ConversionRun {
    /// Reads an input to its end. Returns whether it is a table of the target's format whose rows can all be read and
    /// are all chosen.
    fileprivate func takesWhole(_ input: LocalPath) throws(Conversion.Failure) -> Bool {
        // An input that cannot be read is told when it is converted.
        guard let stream = try? inputs.records(of: input, ReadOptions(among: conversion.reading.formats)),
            conversion.copiesText(of: stream.format)
        else { return false }
        var rows = RowCount()
        return try carry(stream, of: input, into: &rows)
    }

    /// Copies the bytes of an input, unpacked, into a file.
    fileprivate func copy(_ input: LocalPath, into sink: consuming ByteSink) throws(Conversion.Failure) {
        var sink = sink
        var source = try inputs.source(of: input)
        var isCancelled = false
        do throws(FileError) {
            repeat {
                isCancelled = conversion.isCancelled
                if isCancelled { break }
                sink.bytes.append(contentsOf: source.buffer[source.window])
                source.consume(to: source.window.upperBound)
                try sink.flushIfLarge()
            } while try source.fill()
            sink.bytes.append(contentsOf: source.buffer[source.window])
            if !isCancelled { try sink.commit() }
        } catch {
            throw .write(WriteError(error))
        }
        if isCancelled { throw .cancelled }
    }
}

/// Nowhere: the rows are only counted.
private struct RowCount: RecordOutput, ~Copyable {
    static let isOneFile = true
    private(set) var written = 0
    private(set) var header = SheetHeader()

    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure) {
        if written == 0 { self.header = header() }
    }

    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport {
        written += 1
        return WriteReport()
    }

    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure) {
        written += 1
    }
}
