import ChemopenBytes
import ChemopenModel

/// A format that writes each record independently of the others. `LineRecordWriter` turns it into a writer.
///
///     let format = plain.written(by: LineRecordWriter<XYZSpelling>.self)
public protocol LineRecordFormatter: SendableMetatype {
    /// Creates a formatter for a new file.
    init(_ options: WriteOptions)

    /// The error message for a second record if a file can contain only one, or `nil` if a file can contain several.
    static var refusalOfSecond: String? { get }

    /// Appends the header of a table, if the format has one.
    mutating func begin(_ header: SheetHeader, to bytes: inout [UInt8])

    /// Appends a record, with lines that end in LF. If the record is rejected, appends no bytes.
    ///
    /// - Returns: the content that the format cannot represent, and the version used.
    /// - Throws: `WriteError` if the record cannot be written.
    mutating func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport
}

extension LineRecordFormatter {
    /// The default implementation ignores the header, because most formats have no header.
    public mutating func begin(_ header: SheetHeader, to bytes: inout [UInt8]) {}
}

/// A writer for a format that writes each record independently, the inverse of `LineRecordReader`.
public struct LineRecordWriter<Spelling: LineRecordFormatter>: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private var spelling: Spelling
    private let hasCarriageReturns: Bool
    private var isBegun = false
    /// The header until it is written. It is dropped if the copied bytes include it.
    private var head: [UInt8] = []
    /// Whether the last copied record lacks a line end.
    private var isOpen = false

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        spelling = Spelling(options)
        hasCarriageReturns = options.carriageReturns
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {
        spelling.begin(header, to: &head)
        if hasCarriageReturns { head.endLinesInCarriageReturns(from: 0) }
    }

    private mutating func writeHead() {
        sink.bytes += head
        head = []
    }

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try record.validate()
        try refuseSecond()
        writeHead()
        closeLine()
        let start = sink.bytes.count
        let report = try spelling.write(record, to: &sink.bytes)
        isBegun = true
        if hasCarriageReturns { sink.bytes.endLinesInCarriageReturns(from: start) }
        try sink.handOn()
        return report
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        try refuseSecond()
        isBegun = true
        if beginsFile { head = [] } else { writeHead() }
        closeLine()
        sink.bytes.append(contentsOf: bytes)
        isOpen = bytes.last.map { $0 != Ascii.lineFeed && $0 != Ascii.carriageReturn } ?? false
        try sink.handOn()
    }

    public mutating func copy(rest bytes: [UInt8]) throws(WriteError) {
        if !isBegun { head = [] }
        closeLine()
        sink.bytes.append(contentsOf: bytes)
    }

    private func refuseSecond() throws(WriteError) {
        if isBegun, let refusal = Spelling.refusalOfSecond { throw WriteError(.impossible, refusal) }
    }

    private mutating func closeLine() {
        if isOpen { sink.bytes.append(hasCarriageReturns ? "\r\n" : "\n") }
        isOpen = false
    }

    public mutating func finish() throws(WriteError) {
        writeHead()
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}
