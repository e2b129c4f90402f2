extension Conversion {
    /// Converts the inputs, one behind the other, into one output.
    ///
    /// `tell` hears what comes up, with the name of the input; `progress` is called often. An output that cannot be
    /// whole is not there.
    public func run(
        _ inputs: [LocalPath], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        var spools: [LocalPath: [UInt8]] = [:]
        if let copy = try copyTable(inputs, to: output, spools: &spools, tell: tell, progress: progress) { return copy }
        if target.needsColumns, case .file(let path) = output {
            return try run(inputs, intoTable: path, spools: spools, tell: tell, progress: progress)
        }
        let run = ConversionRun(self, rejectsPath: output.rejectsPath, tell: tell, progress: progress)
        run.spools = spools
        switch output {
        case .folder(let folder, let nameField):
            var files = try SplitOutput(self, into: folder, nameField: nameField)
            for input in inputs {
                files.stem = fileStem(input)
                do throws(Failure) {
                    try run.convert(input, into: &files)
                } catch {
                    try run.pass(over: input, of: inputs.count, error)
                }
            }
            run.summary.written = files.written
            if let nameField, files.written > 0, !files.hasNames { run.summary.choice.miss(nameField) }
            run.summary.unkept = files.unkept
        case .file(let path):
            let sink = try sink(path)
            run.summary.unkept = sink.unkept.map { "\(path.shown): \($0)" }
            _ = try run.convert(inputs, into: try .open(sink, target, writing))
        case .nothing:
            _ = try run.convert(inputs, into: try .open(ByteSink(), target, writing, isDiscarded: true))
        }
        try run.finishRejects()
        return run.summary
    }

    /// Converts inputs whose paths are text.
    public func run(
        _ inputs: [String], to output: Output, tell: @escaping (Event, LocalPath) -> Void = { _, _ in },
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(Failure) -> Summary {
        try run(inputs.map { LocalPath($0) }, to: output, tell: tell, progress: progress)
    }

    /// Converts into a table, whose header depends on all records.
    ///
    /// Of a large file only the first records are looked through, at the others as they are written. Where a record
    /// comes that was not foreseen, it all begins anew with as much again looked through; what was told is not told again.
    private func run(
        _ inputs: [LocalPath], intoTable path: LocalPath, spools: [LocalPath: [UInt8]],
        tell: @escaping (Event, LocalPath) -> Void, progress: @escaping (Progress) -> Void
    ) throws(Failure) -> Summary {
        var limit: Int? = firstLook
        var told = 0
        while true {
            let run = ConversionRun(
                self, rejectsPath: Output.file(path).rejectsPath, alreadyTold: told, tell: tell, progress: progress)
            run.spools = spools
            let sink = try sink(path)
            run.summary.unkept = sink.unkept.map { "\(path.shown): \($0)" }
            if !sink.canGoBack || errorPolicy == .stop || inputs.count > 1
                || inputs.contains(where: { fileKind($0) != .regular })
            {
                limit = nil
            }
            guard let end = try run.convert(inputs, into: .open(sink, target, writing), lookingAhead: limit) else {
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
            return try ByteSink(path: path, replacing: replaces)
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
    var summary = Conversion.Summary()
    /// Where records go that could not be read.
    private let rejects: SideFile?
    private let tell: (Conversion.Event, LocalPath) -> Void
    private let progress: (Conversion.Progress) -> Void
    /// How many events there were, and how many of them were told by another run before.
    private(set) var told = 0
    private let alreadyTold: Int
    private var report = LossReport()
    private var reading: ReadOptions
    /// Pipes that are read twice, by name.
    var spools: [LocalPath: [UInt8]] = [:]

    init(
        _ conversion: Conversion, rejectsPath: LocalPath?, alreadyTold: Int = 0,
        tell: @escaping (Conversion.Event, LocalPath) -> Void, progress: @escaping (Conversion.Progress) -> Void
    ) {
        self.conversion = conversion
        reading = conversion.reading
        summary.choice = RecordChoice(of: conversion)
        let path = conversion.errorPolicy == .keep ? rejectsPath : nil
        rejects = path.map { SideFile($0, replacing: conversion.replaces) }
        self.alreadyTold = alreadyTold
        self.tell = tell
        self.progress = progress
    }

    /// Converts into one file, which is put in place if there is anything to put there.
    ///
    /// With a limit, only so many bytes are looked through for the header of a table. Returns where the first record
    /// stands that could not be foreseen by that, `.max` for the number of records; there is no output then.
    func convert(
        _ inputs: [LocalPath], into output: consuming SingleOutput, lookingAhead limit: Int? = nil
    ) throws(Conversion.Failure) -> Int? {
        if conversion.target.needsColumns { try survey(inputs, upTo: limit, for: &output) }
        for input in inputs {
            do throws(Conversion.Failure) {
                try convert(input, inBlocksInto: &output)
            } catch {
                try pass(over: input, of: inputs.count, error)
            }
        }
        if let end = output.endOfForeseen { return end }
        summary.written = output.written
        let isWhole =
            summary.unreadable == 0 && !summary.isCutShort && conversion.target.holds.contains(.severalRecords)
        guard output.written > 0 || isWhole else {
            summary.hasOutput = false
            return nil
        }
        try output.begin(SheetHeader())
        guard try output.settleHeader() else { return .max }
        try output.finish()
        return nil
    }

    /// Converts one input record by record.
    func convert<Output: RecordOutput & ~Copyable>(_ input: LocalPath, into output: inout Output) throws(Conversion
        .Failure)
    {
        let source = try open(input)
        let stream: RecordStream
        do throws(ReadError) {
            stream = try conversion.open(source, reading)
        } catch {
            throw .read(error)
        }
        try convert(stream, of: input, into: &output)
    }

    /// Converts the records of a stream. Returns whether all of its records were taken.
    @discardableResult
    func convert<Output: RecordOutput & ~Copyable>(
        _ stream: consuming RecordStream, of input: LocalPath, into output: inout Output
    ) throws(Conversion.Failure) -> Bool {
        var transfer = RecordTransfer(conversion, from: stream.format)
        let size = stream.size
        defer { add(transfer, of: input) }
        try transfer.run(&stream, into: &output) { event in
            note(event, input)
        } tick: { stream, records in
            progress(Conversion.Progress(input: input, bytesRead: stream.bytesRead, size: size, records: records))
        }
        if let failure = rejects?.failure { throw .write(WriteError(failure)) }
        return transfer.isWhole
    }

    /// Converts one input on several threads where that was asked for and can be.
    private func convert(_ input: LocalPath, inBlocksInto output: inout SingleOutput) throws(Conversion.Failure) {
        guard conversion.threads > 1 else { return try convert(input, into: &output) }
        var source = try open(input)
        let (head, failure) = source.peekHead()
        let format = conversion.source ?? identify(head, named: input)?.format
        if failure == nil, let format, conversion.canRunInBlocks(format), let lastRecordEnd = format.lastRecordEnd {
            let size = source.size
            try convert(BlockCutter(source, lastRecordEnd), of: input, size, format, into: &output)
            return
        }
        let stream: RecordStream
        do throws(ReadError) {
            if let format {
                stream = try .open(source, as: format, reading)
            } else {
                stream = try .open(source, reading)
            }
        } catch {
            throw .read(error)
        }
        try convert(stream, of: input, into: &output)
    }

    /// Reads all inputs once for what the target must know before the first record, or the beginning of one. Nothing is
    /// told of them yet but what ends it all.
    private func survey(
        _ inputs: [LocalPath], upTo limit: Int?, for target: inout SingleOutput
    ) throws(Conversion.Failure) {
        var state: Conversion.Progress?
        let run = ConversionRun(conversion, rejectsPath: nil) { [conversion, tell] event, input in
            guard conversion.errorPolicy == .stop else { return }
            switch event {
            case .unreadable, .failed: tell(event, input)
            case .doubtful, .lost, .version: break
            }
        } progress: { [progress] in
            state = $0
            progress($0)
        }
        run.reading.skipsStructures = true
        run.spools = spools
        var output = SurveyOutput(upTo: limit)
        for input in inputs {
            do throws(Conversion.Failure) {
                try run.convert(input, into: &output)
            } catch {
                try run.pass(over: input, of: inputs.count, error)
            }
        }
        spools = run.spools
        if output.wantsMore {
            target.prepare(for: output.survey)
        } else if let state, let size = state.size,
            let foreseen = ForeseenHeader(output.survey, partOfAll: Double(state.bytesRead) / Double(max(1, size)))
        {
            target.prepare(for: foreseen)
        } else {
            try survey(inputs, upTo: nil, for: &target)
        }
    }

    /// Goes on behind an input that cannot be opened, or is of no format, where there are others: it costs only itself.
    fileprivate func pass(
        over input: LocalPath, of count: Int, _ failure: Conversion.Failure
    ) throws(Conversion.Failure) {
        guard case .read(let error) = failure, count > 1 else { throw failure }
        note(.failed(error), input)
        summary.failures.append(error)
        summary.isCutShort = true
        if conversion.errorPolicy == .stop { throw .stopped }
    }

    /// All bytes of an input that can be read only once.
    private func spool(_ input: LocalPath) throws(FileError) -> [UInt8] {
        if let bytes = spools[input] { return bytes }
        var source = try ByteSource(path: input)
        while try source.fill() {
            if source.isSwollen { throw FileError(input, .tooLarge) }
        }
        let bytes = Array(source.buffer[source.window])
        spools[input] = bytes
        return bytes
    }

    func open(_ input: LocalPath) throws(Conversion.Failure) -> ByteSource {
        do throws(FileError) {
            let isReadTwice = conversion.target.needsColumns
            if isReadTwice, input.isDash || fileKind(input) == .fifo {
                return try ByteSource(try spool(input), name: input)
            }
            return try ByteSource(
                path: input, blockSize: conversion.threads > 1 ? BlockCutter.blockSize : ByteSource.blockSize)
        } catch {
            throw .read(ReadError(error))
        }
    }
}

// MARK: Blocks

extension ConversionRun {
    private func convert(
        _ cutter: consuming BlockCutter, of input: LocalPath, _ size: Int?, _ format: Format,
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
            progress(Conversion.Progress(input: input, bytesRead: block.end, size: size, records: summary.read))
            if conversion.cancels?() == true { failure = .cancelled }
            return failure == nil
        }
        if failure == nil, let error {
            note(.failed(ReadError(error)), input)
            summary.isCutShort = true
            if conversion.errorPolicy == .stop { failure = .stopped }
        }
        close(input)
        if let failure { throw failure }
    }
}

// MARK: Books

extension ConversionRun {
    private func note(_ event: Conversion.Event, _ input: LocalPath) {
        switch event {
        case .lost(let losses, let record): report.add(losses, inRecord: record)
        case .version(let version, let reason, let record):
            report.add(version: version, because: reason, inRecord: record)
        case .unreadable(let record): rejects?.append(record.text)
        case .doubtful, .failed: break
        }
        told += 1
        if told > alreadyTold { tell(event, input) }
    }

    private func add(_ transfer: RecordTransfer, of input: LocalPath) {
        summary.read += transfer.read
        summary.unreadable += transfer.unreadable
        summary.choice.add(transfer.choice)
        summary.isCutShort = summary.isCutShort || transfer.isCutShort
        close(input)
    }

    private func close(_ input: LocalPath) {
        if !report.isEmpty || !report.versions.isEmpty { summary.reports.append((input, report)) }
        report = LossReport()
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
