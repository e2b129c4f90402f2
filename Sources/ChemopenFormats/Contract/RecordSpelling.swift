import ChemopenBytes
import ChemopenModel

/// A format as it spells one record, whole and by itself. `FrameWriter` makes the writer of it.
///
///     let format = plain.written(by: FrameWriter<XYZSpelling>.self)
public protocol RecordSpelling: SendableMetatype {
    /// A spelling that has written nothing.
    init(_ options: WriteOptions)

    /// Refuses a second record, for a format whose files hold one; `nil` where a file holds several.
    static var refusalOfSecond: String? { get }

    /// Adds the head of a table, for a format that has one.
    mutating func begin(_ header: SheetHeader, to bytes: inout [UInt8])

    /// Adds a record, in lines that end in LF, and tells what there was no place for. A record that is refused adds
    /// nothing.
    mutating func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport
}

extension RecordSpelling {
    /// There is no head.
    public mutating func begin(_ header: SheetHeader, to bytes: inout [UInt8]) {}
}

/// Writes records one behind the other, each as its format spells it: the inverse of `FrameReader`.
public struct FrameWriter<Spelling: RecordSpelling>: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private var spelling: Spelling
    private let hasCarriageReturns: Bool
    private var isBegun = false
    /// The head, until something is written: it may stand among the bytes that are copied.
    private var head: [UInt8] = []
    /// The record copied last ends without a line end.
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
        try record.refuseImpossible()
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
