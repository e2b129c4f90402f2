extension Conversion {
    /// Converts the inputs, one after the other, to one output.
    ///
    /// If the output cannot be completed, or an input cannot be read completely, no output file is left.
    ///
    /// - Parameter tell: Receives events with the name of the input.
    /// - Parameter progress: Receives frequent progress reports.
    /// - Returns: The counts and the losses.
    /// - Throws: `Failure` if there is no output.
    public func run(
        _ inputs: [Source], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        if let problem = selection.problem ?? computes?.problem { throw .impossible(problem) }
        let inputs = ConversionInputs(inputs, of: self)
        if let input = inputs.inputTakenWhole, let copy = try copyTable(input, of: inputs, to: output, tell, progress) {
            return copy
        }
        if target.needsColumns, case .file(let path) = output {
            return try makeTable(path, of: inputs, tell: tell, progress: progress)
        }
        let run = ConversionRun(self, of: inputs, rejectsPath: output.rejectsPath, tell: tell, progress: progress)
        switch output {
        case .directory(let folder, let nameField):
            var files = try SplitOutput(self, into: folder, nameField: nameField)
            do throws(Failure) {
                for input in inputs.sources { try run.split(input, into: &files) }
            } catch {
                files.removeFiles()
                throw error
            }
            run.summary.written = files.written
            if let nameField, files.written > 0, !files.hasNames { run.summary.choice.miss(nameField) }
            run.summary.unkept = files.unkept
        case .file(let path):
            let sink = try sink(path)
            run.summary.unkept = sink.unkept.map { "\(path.shown): \($0)" }
            _ = try run.fill(try .open(run.marked(sink), target, writing))
        case .discard:
            _ = try run.fill(try .open(ByteSink(), target, writing, isDiscarded: true))
        }
        try run.finishRejects()
        return run.summary
    }

    /// Converts files.
    ///
    /// - Returns: The counts and the losses.
    /// - Throws: `Failure` if there is no output.
    public func run(
        _ inputs: [LocalPath], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        try run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts files. The paths are strings.
    ///
    /// - Returns: The counts and the losses.
    /// - Throws: `Failure` if there is no output.
    public func run(
        _ inputs: [String], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        try run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts the inputs to a table. Its header depends on all records.
    ///
    /// In a large file, only the first records are inspected in advance and the others while they are written. If a
    /// record does not match the header, the conversion starts again and inspects at least twice as many bytes. Events
    /// that were reported are not repeated.
    private func makeTable(
        _ path: LocalPath, of inputs: ConversionInputs, tell: @escaping (Event, LocalPath) -> Void,
        progress: @escaping (Progress) -> Void
    ) throws(Failure) -> Summary {
        var limit: Int? = firstLook
        var told = 0
        while true {
            let run = ConversionRun(
                self, of: inputs, rejectsPath: Output.file(path).rejectsPath, alreadyTold: told, tell: tell,
                progress: progress)
            let sink = try sink(path)
            run.summary.unkept = sink.unkept.map { "\(path.shown): \($0)" }
            if !sink.canGoBack || errorPolicy == .stop || inputs.sources.count > 1 || !writing.columns.isEmpty
                || inputs.sources.contains(where: { !$0.isRegularFile })
            {
                limit = nil
            }
            guard let end = try run.fill(.open(run.marked(sink), target, writing), lookingAhead: limit) else {
                try run.finishRejects()
                return run.summary
            }
            told = run.told
            limit = end > .max / 2 ? nil : max(end, limit ?? 0, 1) * 2
        }
    }

    func sink(_ path: LocalPath) throws(Failure) -> ByteSink {
        if !path.isDash, fileKind(path) == .directory {
            let error = FileError(path, .isDirectory)
            throw .write(WriteError(.file(error), "\(error) (use --split to write into a directory)"))
        }
        ByteSink.sweep(beside: path)
        do throws(FileError) {
            return try ByteSink(path: path, replacing: overwritesExistingFiles, gzipLevel: gzipLevel)
        } catch {
            throw .write(WriteError(error))
        }
    }
}

extension Conversion.Output {
    fileprivate var rejectsPath: LocalPath? {
        switch self {
        case .file(let path): path.isDash ? nil : "\(path).rejects"
        case .directory(let folder, _): folder.appending("rejects")
        case .discard: nil
        }
    }
}

/// A conversion in progress. It processes the inputs and collects the results.
final class ConversionRun {
    let conversion: Conversion
    let inputs: ConversionInputs
    var summary = Conversion.Summary()
    /// The file for unreadable records.
    private let rejects: SideFile?
    private let tell: (Conversion.Event, LocalPath) -> Void
    private let progress: (Conversion.Progress) -> Void
    /// The number of events, and the number that an earlier run has already reported.
    private(set) var told = 0
    private let alreadyTold: Int
    /// The losses of the current input, if any.
    private var report: LossReport?
    private var reading: ReadOptions
    /// Whether an input failed while it was being read.
    private var hasLostContent = false
    private let partMark = PartMark()

    init(
        _ conversion: Conversion, of inputs: ConversionInputs, rejectsPath: LocalPath?, alreadyTold: Int = 0,
        tell: @escaping (Conversion.Event, LocalPath) -> Void, progress: @escaping (Conversion.Progress) -> Void
    ) {
        self.conversion = conversion
        self.inputs = inputs
        reading = conversion.reading
        summary.choice = SelectionStatistics(of: conversion.selection)
        let path = conversion.errorPolicy == .keep ? rejectsPath : nil
        rejects = path.map { SideFile($0, replacing: conversion.overwritesExistingFiles) }
        self.alreadyTold = alreadyTold
        self.tell = tell
        self.progress = progress
    }

    /// Marks a sink. If an input fails, the sink's file is published next to its target.
    func marked(_ sink: consuming ByteSink) -> ByteSink {
        sink.partMark = partMark
        return sink
    }

    /// Fills one output file and publishes it, unless there are no records to write.
    ///
    /// - Parameter limit: The number of bytes to inspect for the header of a table, or `nil` for all.
    /// - Returns: `nil` if the output is complete. Otherwise the offset of the first record that does not match the
    ///   header, or `.max` if only the number of rows does not fit; the output is then discarded.
    func fill(
        _ output: consuming SingleOutput, lookingAhead limit: Int? = nil
    ) throws(Conversion.Failure) -> Int? {
        if conversion.target.needsColumns { try survey(upTo: limit, for: &output) }
        for input in inputs.sources {
            do throws(Conversion.Failure) {
                if conversion.threads > 1 {
                    try carryBlocks(of: input, into: &output)
                } else {
                    try carryRecords(of: input, into: &output)
                }
            } catch {
                try pass(over: input, error)
            }
        }
        if let end = output.endOfForeseen { return end }
        summary.written = output.written
        let isWhole =
            summary.unreadable == 0 && !summary.isCutShort
            && conversion.target.supportedFeatures.contains(.severalRecords)
        guard output.written > 0 || isWhole else {
            // If an input failed before its first record, there is no record to save.
            if hasLostContent, let error = summary.failures.first { throw .read(error) }
            summary.hasOutput = false
            return nil
        }
        try output.begin(SheetHeader())
        guard try output.settleHeader() else { return .max }
        if hasLostContent {
            summary.isPart = true
            partMark.set()
        }
        try output.finish()
        return nil
    }

    /// Converts an input to a separate file for each record.
    fileprivate func split(_ input: Source, into files: inout SplitOutput) throws(Conversion.Failure) {
        files.stem = fileStem(input.fileName)
        do throws(Conversion.Failure) {
            try carryRecords(of: input, into: &files)
        } catch {
            try pass(over: input, error)
        }
    }

    /// Converts an input record by record.
    func carryRecords<Output: RecordOutput & ~Copyable>(
        of input: Source, into output: inout Output
    ) throws(Conversion.Failure) {
        try carry(try inputs.records(of: input, reading), of: input, into: &output)
    }

    /// Converts an input on several threads if it can be split into blocks.
    private func carryBlocks(of input: Source, into output: inout SingleOutput) throws(Conversion.Failure) {
        var source = try inputs.source(of: input)
        if let format = inputs.format(of: input, in: &source), conversion.canRunInBlocks(format),
            let lastRecordEnd = format.lastRecordEnd
        {
            let size = source.size
            return try carry(BlockCutter(source, lastRecordEnd), of: input, size, format, into: &output)
        }
        try carry(try inputs.records(of: input, in: source, reading), of: input, into: &output)
    }

    /// Converts the records of a stream. Returns whether all records were selected.
    @discardableResult
    func carry<Output: RecordOutput & ~Copyable>(
        _ stream: consuming RecordStream, of input: Source, into output: inout Output
    ) throws(Conversion.Failure) -> Bool {
        var transfer = RecordTransfer(conversion, from: stream.format, of: input.name)
        let size = stream.size
        defer { add(transfer, of: input) }
        do throws(Conversion.Failure) {
            try run(&transfer, &stream, of: input, size, into: &output)
        } catch {
            if transfer.isCutShort { hasLostContent = true }
            throw error
        }
        if let failure = rejects?.failure { throw .write(WriteError(failure)) }
        return transfer.isWhole
    }

    private func run<Output: RecordOutput & ~Copyable>(
        _ transfer: inout RecordTransfer, _ stream: inout RecordStream, of input: Source, _ size: Int?,
        into output: inout Output
    ) throws(Conversion.Failure) {
        try transfer.run(&stream, into: &output) { event in
            note(event, input)
        } tick: { stream, records in
            progress(Conversion.Progress(input: input.name, bytesRead: stream.bytesRead, size: size, records: records))
        }
    }

    /// Reads all inputs once, up to a limit, to find the table's header. Reports only events that end the run.
    private func survey(upTo limit: Int?, for target: inout SingleOutput) throws(Conversion.Failure) {
        var state: Conversion.Progress?
        let run = ConversionRun(conversion, of: inputs, rejectsPath: nil) { [conversion, tell] event, input in
            guard conversion.errorPolicy == .stop else { return }
            switch event {
            case .unreadable, .failed: tell(event, input)
            case .doubtful, .lost, .version: break
            }
        } progress: { [progress] in
            state = $0
            progress($0)
        }
        run.reading.skipsStructures = !conversion.selection.readsStructures && conversion.computes == nil
        var output = SurveyOutput(for: conversion.target, upTo: limit)
        for input in inputs.sources {
            do throws(Conversion.Failure) {
                try run.carryRecords(of: input, into: &output)
            } catch {
                // An input that failed in the first pass counts as failed even if the second pass can read it.
                hasLostContent = hasLostContent || run.hasLostContent
                try hasLostContent ? pass(over: input, error) : run.pass(over: input, error)
            }
        }
        if output.wantsMore {
            target.prepare(for: output.survey)
        } else if let state, let size = state.size,
            let foreseen = ProvisionalHeader(output.survey, partOfAll: Double(state.bytesRead) / Double(max(1, size)))
        {
            target.prepare(for: foreseen)
        } else {
            try survey(upTo: nil, for: &target)
        }
    }

    /// Skips an input that cannot be opened or has an unknown format if there are other inputs. If an input fails while
    /// it is being read, the run ends unless the policy is `.keep`.
    fileprivate func pass(over input: Source, _ failure: Conversion.Failure) throws(Conversion.Failure) {
        guard case .read(let error) = failure else { throw failure }
        if case .file(let file) = error.kind, file.isLostContent { hasLostContent = true }
        guard hasLostContent ? conversion.errorPolicy == .keep : inputs.sources.count > 1 else { throw failure }
        if summary.failures.contains(error) { return }
        note(.failed(error), input)
        summary.failures.append(error)
        summary.isCutShort = true
        if conversion.errorPolicy == .stop { throw .stopped }
    }
}

// MARK: Blocks

extension ConversionRun {
    private func carry(
        _ cutter: consuming BlockCutter, of input: Source, _ size: Int?, _ format: Format,
        into output: inout SingleOutput
    ) throws(Conversion.Failure) {
        let conversion = self.conversion
        var failure: Conversion.Failure?
        var records = 0
        var lines = 0
        let error = forEachBlock(of: cutter, threads: conversion.threads) { block in
            ConvertedBlock(block, conversion, format)
        } take: { block in
            for event in block.events { note(event.moved(behindRecords: records, lines: lines), input) }
            records += block.records
            lines += block.lines
            summary.read += block.read
            summary.unreadable += block.unreadable
            summary.choice.add(block.choice)
            do throws(Conversion.Failure) {
                if let failure = block.failure { throw failure }
                if let failure = rejects?.failure { throw .write(WriteError(failure)) }
                try output.copy(block)
            } catch {
                failure = error
                return false
            }
            progress(Conversion.Progress(input: input.name, bytesRead: block.end, size: size, records: summary.read))
            if conversion.isCancelled { failure = .cancelled }
            return failure == nil
        }
        if failure == nil, let error {
            hasLostContent = true
            failure = .read(ReadError(error))
        }
        close(input)
        if let failure { throw failure }
    }
}

// MARK: Reports

extension ConversionRun {
    private func note(_ event: Conversion.Event, _ input: Source) {
        switch event {
        case .lost(let losses, let record):
            if report == nil { report = LossReport() }
            report?.add(losses, inRecord: record)
        case .version(let version, let reason, let record):
            if report == nil { report = LossReport() }
            report?.add(version: version, because: reason, inRecord: record)
        case .unreadable(let record): rejects?.append(record.text)
        case .doubtful, .failed: break
        }
        told += 1
        if told > alreadyTold { tell(event, input.name) }
    }

    /// Records the losses of a complete file. They are assigned to the first record.
    func noteLosses(_ losses: [Loss], ofFile input: Source) {
        note(.lost(losses, record: 1), input)
        close(input)
    }

    private func add(_ transfer: RecordTransfer, of input: Source) {
        summary.read += transfer.read
        summary.unreadable += transfer.unreadable
        summary.choice.add(transfer.choice)
        summary.isCutShort = summary.isCutShort || transfer.isCutShort
        close(input)
    }

    private func close(_ input: Source) {
        if let report, !report.isEmpty || !report.versions.isEmpty { summary.reports.append((input.name, report)) }
        report = nil
    }

    /// Publishes the file with the unreadable records.
    func finishRejects() throws(Conversion.Failure) {
        do throws(FileError) {
            try rejects?.commit()
        } catch {
            throw .write(WriteError(error))
        }
    }
}
