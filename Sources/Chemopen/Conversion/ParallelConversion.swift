/// The result of converting one block of a file on a thread. Its bytes follow those of the previous blocks.
///
/// The block uses the same reader and writer as a complete file. Its record and line numbers start at the beginning of
/// the block; `moved` converts them to numbers in the file.
struct ConvertedBlock: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The bytes after the last record, and whether the first record is the first one of the file. Used only if records
    /// are copied.
    private(set) var rest: [UInt8] = []
    private(set) var beginsFile = false
    private(set) var events: [Conversion.Event] = []
    /// The number of records and lines in the block.
    private(set) var records = 0
    private(set) var lines = 0
    /// The offsets of the start and the end of the block in the file.
    let start: Int
    let end: Int
    private(set) var read = 0
    private(set) var unreadable = 0
    private(set) var written = 0
    private(set) var choice: SelectionStatistics
    private(set) var failure: Conversion.Failure?

    init(_ block: RecordBlock, _ conversion: Conversion, _ format: Format) {
        start = block.offset
        end = block.offset + block.bytes.count
        choice = SelectionStatistics(of: conversion.selection)
        do throws(Conversion.Failure) {
            try run(block, conversion, format)
        } catch {
            failure = error
        }
    }

    private mutating func run(_ block: RecordBlock, _ conversion: Conversion, _ format: Format) throws(Conversion
        .Failure)
    {
        var stream = try Self.open(block, format, conversion.reading)
        var options = conversion.writing
        options.isPiece = true
        var output = try SingleOutput.open(ByteSink(), conversion.target, options)
        var transfer = RecordTransfer(conversion, from: format, of: "")
        defer {
            records = stream.place.record
            lines = stream.place.line - 1
            read = transfer.read
            unreadable = transfer.unreadable
            written = output.written
            choice = transfer.choice
        }
        try transfer.run(&stream, into: &output, tell: { events.append($0) }, tick: { _, _ in })
        beginsFile = output.beginsFile
        rest = output.takeRest()
        try output.finish()
        bytes = output.takeBytes()
    }

    private static func open(
        _ block: RecordBlock, _ format: Format, _ options: ReadOptions
    ) throws(Conversion.Failure) -> RecordStream {
        let source: ByteSource
        do throws(FileError) {
            source = try ByteSource(block.bytes, name: block.name, offset: block.offset)
        } catch {
            throw .read(ReadError(error))
        }
        do throws(ReadError) {
            return try .open(source, as: format, options.ofConvertedText)
        } catch {
            throw .read(error)
        }
    }
}

extension Conversion.Event {
    /// Returns the event with the record and line numbers of the complete file.
    func moved(behindRecords records: Int, lines: Int) -> Conversion.Event {
        switch self {
        case .unreadable(var record):
            record.move(behindRecords: records, lines: lines)
            return .unreadable(record)
        case .doubtful(var issue, var place):
            if issue.line > 0 { issue.line += lines }
            place.record += records
            place.line += lines
            return .doubtful(issue, place)
        case .lost(let losses, let record):
            return .lost(losses, record: record + records)
        case .version(let version, let reason, let record):
            return .version(version, reason: reason, record: record + records)
        case .failed:
            return self
        }
    }
}
