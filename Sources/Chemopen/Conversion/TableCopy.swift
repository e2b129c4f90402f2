extension Conversion {
    /// Copies a table byte for byte, including comments, if each of its rows is selected and the header is therefore
    /// still correct.
    ///
    /// Files in formats that Chemopen cannot write, and drawings, are copied in the same way. A drawing is rewritten
    /// with all objects on its pages if its text must change.
    ///
    /// Whether all rows are selected is known only at the end of the file, so the file is read first and copied
    /// afterwards.
    ///
    /// - Returns: The summary, or `nil` if the rows must be written again; in that case no event was reported and no
    ///   output written.
    func copyTable(
        _ input: Source, of inputs: ConversionInputs, to output: Output,
        _ tell: @escaping (Event, LocalPath) -> Void, _ progress: @escaping (Progress) -> Void
    ) throws(Failure) -> Summary? {
        let path: LocalPath?
        switch output {
        case .file(let file): path = file
        case .discard: path = nil
        case .directory: return nil
        }
        var events = 0
        let first = ConversionRun(
            self, of: inputs, rejectsPath: nil, tell: { _, _ in events += 1 }, progress: progress)
        guard let format = try first.formatTakenWhole(input) else { return nil }
        var rewritten: RewrittenFile?
        if !copiesText(of: format) {
            rewritten = try target.rewrite?(first.allBytes(of: input))
            if rewritten == nil { return nil }
        }
        let run = ConversionRun(self, of: inputs, rejectsPath: nil, tell: tell, progress: progress)
        if events > 0 {
            _ = try run.formatTakenWhole(input)
        } else {
            run.summary = first.summary
        }
        if let losses = rewritten?.losses, !losses.isEmpty { run.noteLosses(losses, ofFile: input) }
        if let path { try run.copy(input, rewritten, into: try sink(path)) }
        run.summary.written = run.summary.read
        return run.summary
    }
}

extension ConversionRun {
    /// Reads an input completely. Returns its format if all of its records can be read and are selected.
    fileprivate func formatTakenWhole(_ input: Source) throws(Conversion.Failure) -> Format? {
        // The error is reported later, when the input is converted.
        guard let stream = try? inputs.records(of: input, ReadOptions(among: conversion.reading.formats)) else {
            return nil
        }
        let format = stream.format
        var rows = RowCount()
        do throws(Conversion.Failure) {
            return try carry(stream, of: input, into: &rows) ? format : nil
        } catch {
            // The next pass writes the records before the error.
            if case .read = error, conversion.errorPolicy == .keep { return nil }
            throw error
        }
    }

    /// Returns the decompressed bytes of an input.
    fileprivate func allBytes(of input: Source) throws(Conversion.Failure) -> [UInt8] {
        var source = try inputs.source(of: input)
        do throws(FileError) {
            return try source.allBytes { !conversion.isCancelled }
        } catch {
            throw .read(ReadError(error))
        }
    }

    /// Writes an input to a file: the rewritten text, or its decompressed bytes.
    fileprivate func copy(
        _ input: Source, _ rewritten: RewrittenFile?, into sink: consuming ByteSink
    ) throws(Conversion.Failure) {
        var sink = sink
        var source = try inputs.source(of: input)
        var isCancelled = conversion.isCancelled
        do throws(FileError) {
            if let rewritten, !isCancelled {
                sink.bytes += rewritten.bytes
                return try sink.commit()
            }
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

/// An output that only counts the rows.
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
