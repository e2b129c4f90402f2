extension Conversion {
    /// Converts the inputs, one behind the other, into one output.
    ///
    /// `tell` hears what comes up, with the name of the input; `progress` is called often. An output that cannot be
    /// whole is not there, nor is one of an input that could not be read to its end.
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
        case .folder(let folder, let nameField):
            var files = try SplitOutput(self, into: folder, nameField: nameField)
            for input in inputs.sources {
                files.stem = fileStem(input.fileName)
                do throws(Failure) {
                    try run.carryRecords(of: input, into: &files)
                } catch {
                    try run.pass(over: input, error)
                }
            }
            run.summary.written = files.written
            if let nameField, files.written > 0, !files.hasNames { run.summary.choice.miss(nameField) }
            run.summary.unkept = files.unkept
        case .file(let path):
            let sink = try sink(path)
            run.summary.unkept = sink.unkept.map { "\(path.shown): \($0)" }
            _ = try run.fill(try .open(run.marked(sink), target, writing))
        case .nothing:
            _ = try run.fill(try .open(ByteSink(), target, writing, isDiscarded: true))
        }
        try run.finishRejects()
        return run.summary
    }

    /// Converts files.
    public func run(
        _ inputs: [LocalPath], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        try run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts files whose paths are text.
    public func run(
        _ inputs: [String], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        try run(inputs.map { Source($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts into a table, whose header depends on all records.
    ///
    /// Of a large file only the first records are looked through, at the others as they are written. Where a record
    /// comes that was not foreseen, it all begins anew with as much again looked through; what was told is not told again.
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
            throw .write(WriteError(.file(error), "\(error); --split writes into a folder"))
        }
        ByteSink.sweep(beside: path)
        do throws(FileError) {
            return try ByteSink(path: path, replacing: replaces, gzipLevel: gzipLevel)
        } catch {
            throw .write(WriteError(error))
        }
    }
}

extension Conversion.Output {
    fileprivate var rejectsPath: LocalPath? {
        switch self {
        case .file(let path): path.isDash ? nil : "\(path).rejects"
        case .folder(let folder, _): folder.appending("rejects")
        case .nothing: nil
        }
    }
}

/// A conversion under way: goes through the inputs and keeps the books.
final class ConversionRun {
    let conversion: Conversion
    let inputs: ConversionInputs
    var summary = Conversion.Summary()
    /// Where records go that could not be read.
    private let rejects: SideFile?
    private let tell: (Conversion.Event, LocalPath) -> Void
    private let progress: (Conversion.Progress) -> Void
    /// How many events there were, and how many of them were told by another run before.
    private(set) var told = 0
    private let alreadyTold: Int
    /// The losses of the input so far, if there are any.
    private var report: LossReport?
    private var reading: ReadOptions
    /// An input failed while it was read.
    private var hasLostContent = false
    private let partMark = PartMark()

    init(
        _ conversion: Conversion, of inputs: ConversionInputs, rejectsPath: LocalPath?, alreadyTold: Int = 0,
        tell: @escaping (Conversion.Event, LocalPath) -> Void, progress: @escaping (Conversion.Progress) -> Void
    ) {
        self.conversion = conversion
        self.inputs = inputs
        reading = conversion.reading
        summary.choice = RecordChoice(of: conversion.selection)
        let path = conversion.errorPolicy == .keep ? rejectsPath : nil
        rejects = path.map { SideFile($0, replacing: conversion.replaces) }
        self.alreadyTold = alreadyTold
        self.tell = tell
        self.progress = progress
    }

    /// A sink for the run, which is published next to its target if an input fails while it is read.
    func marked(_ sink: consuming ByteSink) -> ByteSink {
        sink.partMark = partMark
        return sink
    }

    /// Fills one file, which is put in place if there is anything to put there.
    ///
    /// With a limit, only so many bytes are looked through for the header of a table. Returns where the first record
    /// stands that could not be foreseen by that, `.max` for the number of records; there is no output then.
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
            summary.unreadable == 0 && !summary.isCutShort && conversion.target.holds.contains(.severalRecords)
        guard output.written > 0 || isWhole else {
            // An input that failed before its first record leaves nothing to keep.
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

    /// Carries an input over record by record.
    func carryRecords<Output: RecordOutput & ~Copyable>(
        of input: Source, into output: inout Output
    ) throws(Conversion.Failure) {
        try carry(try inputs.records(of: input, reading), of: input, into: &output)
    }

    /// Carries an input over on several threads where it can be cut into blocks.
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

    /// Carries the records of a stream over. Returns whether all of its records were taken.
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

    /// Reads all inputs once for what the target must know before the first record, or the beginning of one. Nothing is
    /// told of them yet but what ends it all.
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
                // An input that failed once has failed, even if the second pass can read it.
                hasLostContent = hasLostContent || run.hasLostContent
                try hasLostContent ? pass(over: input, error) : run.pass(over: input, error)
            }
        }
        if output.wantsMore {
            target.prepare(for: output.survey)
        } else if let state, let size = state.size,
            let foreseen = ForeseenHeader(output.survey, partOfAll: Double(state.bytesRead) / Double(max(1, size)))
        {
            target.prepare(for: foreseen)
        } else {
            try survey(upTo: nil, for: &target)
        }
    }

    /// Goes on behind an input that cannot be opened, or is of no format, where there are others: it costs only itself. One
    /// that fails while it is read ends it all, unless the records before the error are to be kept.
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

// MARK: Books

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

    /// Notes what a file lost as a whole; it counts with the first record.
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

    /// Puts the file of the records that could not be read in its place.
    func finishRejects() throws(Conversion.Failure) {
        do throws(FileError) {
            try rejects?.commit()
        } catch {
            throw .write(WriteError(error))
        }
    }
}
