/// A run of a tool. It reads the inputs and writes the output.
final class ToolRun {
    let tool: RecordTool
    var summary = RecordTool.Summary()
    private let tell: (Conversion.Event, LocalPath) -> Void
    private let progress: (Conversion.Progress) -> Void
    /// The format of the inputs and the output, after the first input was opened.
    private(set) var format: Format?
    /// The header of the first input, if it is a table, and its bytes.
    private(set) var header = SheetHeader()
    private(set) var head: [UInt8] = []
    private var firstName: LocalPath = ""
    private var hasHead = false
    /// The first input, if it was opened to detect its format.
    var openedFirst: ToolInput?

    init(
        _ tool: RecordTool, tell: @escaping (Conversion.Event, LocalPath) -> Void,
        progress: @escaping (Conversion.Progress) -> Void
    ) {
        self.tool = tool
        self.tell = tell
        self.progress = progress
        summary.choice = SelectionStatistics(of: tool.selection)
    }

    var isCancelled: Bool { tool.shouldCancel?() == true || Task.isCancelled }

    // MARK: Reading

    /// Opens an input and checks that its records can be copied to the same output as those of the previous inputs.
    func open(_ source: Source, keepsBytes: Bool, to path: LocalPath?) throws(Conversion.Failure) -> ToolInput {
        var reading = tool.reading
        reading.shouldCancel = tool.shouldCancel
        let input = try ToolInput(source, as: tool.source, reading) { keepsBytes || $0.isSheet }
        let found = input.format
        let shown = source.name.shown
        if found.hasCommonPages {
            throw .impossible(
                "\(shown): records of \(found.described) drawing share its pages and cannot be copied one by one "
                    + "(use chemopen convert to write them to an SDfile first)")
        }
        if !found.isWritable { throw .impossible("\(shown): \(found.name) cannot be written") }
        if let format, format.id != found.id {
            throw .impossible(
                "\(shown) is \(found.described), but \(firstName.shown) is \(format.described) "
                    + "(use chemopen convert to give all inputs the same format)")
        }
        if format == nil, let path, !path.isDash, let other = tool.reading.knownFormats.format(ofName: path),
            other.id != found.id, other.id != tool.reading.knownFormats.format(ofName: source.name)?.id
        {
            throw .impossible(
                "\(path.shown): the output has the format of the input, \(found.name) "
                    + "(use chemopen convert to change the format)")
        }
        if format == nil { firstName = source.name }
        format = found
        return input
    }

    /// Reads the selected records of an input in order.
    ///
    /// - Parameter take: Receives each record and returns whether to continue.
    /// - Returns: Whether the input was read to its end.
    @discardableResult
    func read(
        _ input: ToolInput, skippingStructures: Bool, skipped: () -> Void = {},
        rest: (borrowing RecordStream) throws(Conversion.Failure) -> Void = { _ throws(Conversion.Failure) in },
        take: (inout Record, borrowing RecordStream) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) -> Bool {
        var stream = try input.records(skippingStructures: skippingStructures && !tool.selection.readsStructures)
        var selector = RecordSelector(tool.selection, from: input.name)
        let size = stream.size
        var record = Record()
        var goesOn = true
        var isAtEnd = false
        var isFirst = true
        while goesOn, !selector.isFinished(stream) {
            if isCancelled { throw .cancelled }
            let isRecord: Bool
            do throws(ReadError) {
                isRecord = try stream.read(into: &record)
            } catch {
                if isFirst { try takeHead(stream, of: input) }
                isFirst = false
                try refuse(error, in: stream, of: input)
                skipped()
                continue
            }
            for issue in stream.issues where issue.severity == .doubt {
                tell(.doubtful(issue, stream.place), input.name)
            }
            if isFirst { try takeHead(stream, of: input) }
            isFirst = false
            guard isRecord else {
                isAtEnd = true
                break
            }
            progress(
                Conversion.Progress(
                    input: input.name, bytesRead: stream.bytesRead, size: size, records: summary.read))
            guard selector.takes(record, of: stream) else {
                skipped()
                continue
            }
            summary.read += 1
            goesOn = try take(&record, stream)
        }
        if isCancelled { throw .cancelled }
        if isAtEnd { try rest(stream) }
        selector.finish(stream)
        summary.choice.add(selector.choice)
        return isAtEnd
    }

    /// The context for computed values of the last record in a stream.
    static func context(_ stream: borrowing RecordStream, _ input: ToolInput) -> RecordFilter.Context {
        var context = RecordFilter.Context()
        context.place = stream.place
        context.file = input.name
        return context
    }

    private func refuse(
        _ error: ReadError, in stream: borrowing RecordStream, of input: ToolInput
    ) throws(Conversion.Failure) {
        switch error.kind {
        case .file, .unrecognized:
            if isCancelled { throw .cancelled }
            throw .read(error)
        case .broken, .tooLarge:
            if let numbers = tool.selection.numbers, !numbers.contains(stream.place.record) { return }
            summary.unreadable += 1
            tell(.unreadable(UnreadableRecord(error, in: stream)), input.name)
        }
    }

    /// Stores the header of the first file, and compares the columns of further tables with it.
    private func takeHead(_ stream: borrowing RecordStream, of input: ToolInput) throws(Conversion.Failure) {
        let isTable = stream.header.hasAllColumns
        if !hasHead {
            hasHead = true
            if isTable { header = stream.header }
            if stream.format.isSheet { return }
            if stream.format.parts == nil || stream.format.hasLineNotation {
                stream.copyBytesBetweenRecords(to: &head)
            } else if stream.place.offset == 0, stream.place.record > 0 {
                stream.copyRecordBytes(to: &head)
                head.removeSubrange(stream.format.lengthOfHead(head.span)...)
            }
            return
        }
        if !isTable { return }
        let names = (header.columns.map(\.name), stream.header.columns.map(\.name))
        if names.0 != names.1 {
            throw .impossible(
                "\(input.name.shown) has other columns than \(firstName.shown) "
                    + "(use chemopen convert to combine them in one table)")
        }
    }

    // MARK: Writing

    /// Opens the output.
    func sink(_ path: LocalPath, _ format: Format) throws(Conversion.Failure) -> ByteSink {
        var conversion = Conversion(to: format)
        conversion.overwritesExistingFiles = tool.overwritesExistingFiles
        let sink = try conversion.sink(path)
        summary.unkept += sink.unkept.map { "\(path.shown): \($0)" }
        return sink
    }

    /// Opens the output for copies of records.
    func output(_ path: LocalPath) throws(Conversion.Failure) -> CopiedRecords {
        guard let format else { throw .impossible("there is no input") }
        return CopiedRecords(try SingleOutput.open(try sink(path, format), format, WriteOptions()))
    }
}

extension Format {
    /// Whether rows must be copied within the text of a complete table, because a header counts them.
    var isSheet: Bool { needsColumns && !hasLineNotation }
}

/// An output that receives copies of records.
struct CopiedRecords: ~Copyable {
    private var output: SingleOutput
    /// The header of a table, and its bytes. They are written before the first record.
    private var header = SheetHeader()
    private var head: [UInt8] = []

    init(_ output: consuming SingleOutput) {
        self.output = output
    }

    var written: Int { output.written }

    /// Sets the header of a table before the first record.
    mutating func begin(_ header: SheetHeader, _ head: [UInt8]) {
        (self.header, self.head) = (header, head)
    }

    /// Copies a record.
    ///
    /// - Parameter lead: The bytes before the record, which may include the header of its file.
    /// - Parameter isFirst: Whether the record is the first of its file and the lead is everything before it.
    mutating func copy(_ bytes: [UInt8], lead: [UInt8] = [], isFirst: Bool = false) throws(Conversion.Failure) {
        try output.begin(header)
        let isHeaded = output.written == 0 && !head.isEmpty && lead.isEmpty && !isFirst
        let text = isHeaded ? head + bytes : lead.isEmpty ? bytes : lead + bytes
        // If there are no bytes before them, the output treats the bytes as the beginning of a file.
        var place = RecordPlace()
        place.offset = isFirst || isHeaded ? 0 : 1
        place.length = text.count
        try output.copy(text, of: Record(), at: place)
    }

    /// Sets the bytes after the last record of a file.
    mutating func take(rest: [UInt8]) { output.take(rest: rest) }

    mutating func finish() throws(Conversion.Failure) {
        try output.begin(header)
        try output.finish()
    }
}
