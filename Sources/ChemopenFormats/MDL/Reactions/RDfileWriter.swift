import ChemopenBytes
import ChemopenModel

/// Writes RD files: the inverse of `RDfileReader`.
public struct RDfileWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var date: Text?
    private var hasHead = false
    /// Whether the last copied record lacks a line end.
    private var lacksLineEnd = false

    private static let besideData = Features(.fieldHeaders, .columnTypes, .unknown)

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
    }

    /// Stores the date of the input file, if it has one.
    ///
    /// A date is never generated, because the same input must produce the same output.
    ///
    /// - Throws: No error. `RecordWriter` declares `WriteError` for other formats.
    public mutating func begin(_ header: SheetHeader) throws(WriteError) {
        date = header.extensions.first { $0.name == RDfileHead.dateName && $0.type == RDfileHead.type }?.content
    }

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try record.validate()
        closeRecord()
        let start = sink.bytes.count
        writeHead()
        var report = WriteReport()
        switch record.subject {
        case .none where !record.registry.isEmpty:
            writeRegistry(record.registry)
        case .none:
            try writeMolecule(Molecule(), record.registry, &report)
        case .molecule(let molecule):
            try writeMolecule(molecule, record.registry, &report)
        case .reaction(let reaction):
            sink.bytes.append("$RFMT")
            if !record.registry.isEmpty { sink.bytes.append(Ascii.blank) }
            writeRegistry(record.registry)
            var writer = ReactionWriter(options, keepsConditions: true)
            try writer.write(reaction, to: &sink.bytes)
            report = writer.report
        }
        for number in record.registry where !RDRecordStart.readsBack(number) {
            report.losses.note(.registryNumbers, "blanks, line breaks and keywords in a number")
        }
        report.losses.note(Self.besideData, of: record, keeping: .rdfile)
        writeKeptLines(of: record, from: start, &report)
        if case .reaction(let reaction) = record.subject {
            let texts = RDDataWriter(options, takesStructures: false)
            try texts.write(reaction.arrowAsFields, to: &sink.bytes, &report)
        }
        try RDDataWriter(options).write(record.fields, to: &sink.bytes, &report)
        if options.carriageReturns { sink.bytes.endLinesInCarriageReturns(from: start) }
        try sink.handOn()
        return report
    }

    /// Writes preserved lines after the structure at `start`, if they would be read back unchanged there.
    private mutating func writeKeptLines(of record: borrowing Record, from start: Int, _ report: inout WriteReport) {
        let texts = record.verbatim.filter { $0.dialect == .rdfile }.map(\.text)
        if texts.isEmpty { return }
        let end = sink.bytes.count
        for text in texts { sink.bytes.appendLines(text) }
        if readsBack(texts, behind: record, from: start) { return }
        sink.bytes.removeLast(sink.bytes.count - end)
        for text in texts { report.losses.note(Verbatim(.rdfile, text)) }
    }

    private func readsBack(_ texts: [Text], behind record: borrowing Record, from start: Int) -> Bool {
        let text = start..<sink.bytes.count
        var lines = LineCursor(text, of: sink.bytes.span)
        var starts = 0
        while let line = lines.next(in: sink.bytes.span) {
            if RDRecordStart.begins(line, sink.bytes.span) { starts += 1 }
        }
        var reader = RDRecordReader(LineCursor(text, of: sink.bytes.span), firstLine: 1)
        var again = Record()
        var columns = FieldColumns()
        do throws(Fault) { try reader.read(sink.bytes, into: &again, columns: &columns) } catch { return false }
        return starts == 1 && again.fields.isEmpty && again.verbatim.map(\.text) == texts.flatMap(\.lines)
            && again.reaction?.components.count == record.reaction?.components.count
            && (again.subject == .none) == (record.subject == .none && !record.registry.isEmpty)
    }

    private mutating func writeHead() {
        if hasHead { return }
        hasHead = true
        if !options.isPiece { sink.bytes.append("$RDFILE 1\n") }
        guard let date else { return }
        sink.bytes.append("$DATM    ")
        // A NUL is written as a blank, and readers ignore blanks around the date.
        sink.bytes.appendOneLine(date.bytes.drop { $0 <= Ascii.blank })
        while let last = sink.bytes.last, last <= Ascii.blank { sink.bytes.removeLast() }
        sink.bytes.append(Ascii.lineFeed)
    }

    private mutating func writeMolecule(
        _ molecule: Molecule, _ registry: [Record.RegistryNumber], _ report: inout WriteReport
    ) throws(WriteError) {
        sink.bytes.append("$MFMT")
        if !registry.isEmpty { sink.bytes.append(Ascii.blank) }
        writeRegistry(registry)
        var writer = MolfileWriter(options)
        try writer.write(molecule, to: &sink.bytes)
        report = writer.report
    }

    private mutating func writeRegistry(_ registry: [Record.RegistryNumber]) {
        for (index, number) in registry.enumerated() {
            if index > 0 { sink.bytes.append(Ascii.blank) }
            switch (number.isOfReaction, number.isInternal) {
            case (false, true): sink.bytes.append("$MIREG ")
            case (false, false): sink.bytes.append("$MEREG ")
            case (true, true): sink.bytes.append("$RIREG ")
            case (true, false): sink.bytes.append("$REREG ")
            }
            sink.bytes.appendOneLine(number.number.trimmed.bytes)
        }
        sink.bytes.append(Ascii.lineFeed)
    }

    // MARK: Copying

    /// Copies the bytes of records.
    ///
    /// The bytes may begin with the header of their file. If the output has no header yet, this header is used;
    /// otherwise, it is omitted.
    ///
    /// - Throws: `WriteError` if the sink cannot write the bytes.
    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        closeRecord()
        let span = bytes.span
        var lines = LineCursor(0..<span.count, of: span)
        var head = lines
        while let line = lines.next(in: span), RDfileHead.isLine(line, span) {
            if span.range(line, begins: "$DATM") { date = nil }
            head = lines
        }
        let start = head.position
        if hasHead {
            // A reaction can omit the `$RFMT` line only at the beginning of a file.
            while let line = head.peek(in: span), line.isEmpty { _ = head.next(in: span) }
            if let line = head.peek(in: span), span.range(line, begins: "$RXN") { sink.bytes.append("$RFMT\n") }
            sink.bytes.append(contentsOf: bytes[start...])
        } else {
            let isHeaded = beginsFile || span.range(0..<span.count, begins: "$RDFILE")
            if !isHeaded { writeHead() }
            sink.bytes.append(contentsOf: bytes)
        }
        hasHead = true
        lacksLineEnd = !bytes.isEmpty && !span.endsLine(at: span.count - 1)
        try sink.handOn()
    }

    /// Copies the remaining bytes, which may be the header of a file without records.
    ///
    /// - Throws: `WriteError` if the sink cannot write the bytes.
    public mutating func copy(rest bytes: [UInt8]) throws(WriteError) {
        hasHead = true
        sink.bytes.append(contentsOf: bytes)
        try sink.handOn()
    }

    private mutating func closeRecord() {
        if lacksLineEnd { sink.bytes.append(Ascii.lineFeed) }
        lacksLineEnd = false
    }

    public mutating func finish() throws(WriteError) {
        if !options.isPiece { writeHead() }
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}

extension Text {
    /// The lines that are not blank.
    fileprivate var lines: [Text] {
        bytes.split(separator: Ascii.lineFeed).filter { $0.contains { $0 > Ascii.blank } }.map { Text(bytes: $0) }
    }
}

extension Reaction {
    /// The kind of the arrow and the texts at it, as data fields.
    fileprivate var arrowAsFields: Fields {
        var fields = Fields()
        if let arrow, arrow != .forward { fields.append(RDDataReader.arrow, Text(arrow.name)) }
        for text in steps.flatMap(\.conditions) { fields.append(RDDataReader.conditions, text) }
        return fields
    }
}
