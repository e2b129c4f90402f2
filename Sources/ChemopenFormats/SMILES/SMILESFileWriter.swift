import ChemopenBytes
import ChemopenChemistry
import ChemopenModel

/// Writes SMILES files: a structure, a tab and the title to a line.
public struct SMILESFileWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let lineEnd: String
    private var text = SMILESText()
    private let held = Format.smiles.holds

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        lineEnd = options.carriageReturns ? "\r\n" : "\n"
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try record.refuseImpossible()
        var report = WriteReport()
        text.print(record)
        let title = record.name
        sink.bytes.append(contentsOf: text.bytes)
        if !title.isEmpty {
            sink.bytes.append(UInt8(ascii: "\t"))
            let isOneLine = !title.bytes.contains { $0 < 0x20 }
            if !isOneLine { report.losses.note(.names, "written on one line") }
            for byte in title.bytes { sink.bytes.append(byte < 0x20 ? Ascii.blank : byte) }
        }
        sink.bytes.append(contentsOf: lineEnd.utf8)
        report.losses.note(record, beyond: held)
        text.noteLosses(in: &report.losses)
        try sink.handOn()
        return report
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        sink.bytes.append(contentsOf: bytes)
        if bytes.last.map({ $0 != Ascii.lineFeed }) ?? false { sink.bytes.append(Ascii.lineFeed) }
        try sink.handOn()
    }

    public mutating func finish() throws(WriteError) {
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}
