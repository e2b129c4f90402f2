/// A destination for the records of a conversion.
protocol RecordOutput: ~Copyable {
    /// Whether all records are written to one file.
    static var isOneFile: Bool { get }
    /// Whether further records are useful.
    var wantsMore: Bool { get }
    /// The number of records received.
    var written: Int { get }
    /// The header of the output table after it was started. Data in this header is not a loss.
    var header: SheetHeader { get }
    /// Receives the header of the input table, before the first record.
    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure)
    /// Writes a record. If `part` is above 0, the record is one of several that replace one record of the input.
    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport
    /// Writes the bytes of a record verbatim.
    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure)
    /// Receives the bytes after the last record of a file if all of its records are copied.
    mutating func take(rest: [UInt8])
}

extension RecordOutput where Self: ~Copyable {
    var wantsMore: Bool { true }
    var header: SheetHeader { SheetHeader() }

    mutating func take(rest: [UInt8]) {}
}

/// An output that only surveys the records, for a format that needs its header before the first record.
struct SurveyOutput: RecordOutput, ~Copyable {
    static let isOneFile = true
    private(set) var survey: ColumnTypeInference
    /// Whether the limit has not been reached yet.
    private(set) var wantsMore = true
    private let limit: Int
    var written: Int { survey.rows }

    /// - Parameter limit: The number of bytes of the file to inspect, or `nil` for all.
    init(for format: Format, upTo limit: Int?) {
        survey = ColumnTypeInference(for: format)
        self.limit = limit ?? .max
    }

    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure) {
        if survey.rows == 0 { survey.take(header()) }
    }

    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport {
        survey.take(record)
        if place.offset >= limit { wantsMore = false }
        return WriteReport()
    }

    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure) {}
}

/// An output to one file or to memory.
struct SingleOutput: RecordOutput, ~Copyable {
    static let isOneFile = true
    let format: Format
    private let holdsSeveral: Bool
    private var writer: any RecordWriter & ~Copyable
    private var hasBegun = false
    private(set) var written = 0
    /// Whether the first bytes of the output are the first bytes of a copied file.
    private(set) var beginsFile = false
    /// The bytes after the last record of the last copied file. They are dropped if another record follows.
    private var rest: [UInt8] = []
    /// Whether the output is discarded.
    private let isDiscarded: Bool
    /// The survey of all records, if the format requires one, and the resulting header.
    private var survey: ColumnTypeInference?
    private(set) var header = SheetHeader()
    /// The provisional header, if only the first records were inspected.
    private var foreseen: ProvisionalHeader?

    private init(_ writer: consuming any RecordWriter & ~Copyable, _ format: Format, isDiscarded: Bool) {
        self.writer = writer
        self.format = format
        holdsSeveral = format.supportedFeatures.contains(.severalRecords)
        self.isDiscarded = isDiscarded
    }

    static func open(
        _ sink: consuming ByteSink, _ format: Format, _ options: WriteOptions, isDiscarded: Bool = false
    ) throws(Conversion.Failure) -> SingleOutput {
        guard format.isWritable else {
            throw .impossible("\(format.name) cannot be written, only copied as a complete file")
        }
        do throws(WriteError) {
            return SingleOutput(try format.makeWriter(sink, options), format, isDiscarded: isDiscarded)
        } catch {
            throw .write(error)
        }
    }

    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure) {
        if hasBegun { return }
        hasBegun = true
        if survey == nil, foreseen == nil { self.header = header() }
        do throws(WriteError) {
            try writer.begin(self.header)
        } catch {
            throw .write(error)
        }
    }

    /// Uses the result of a first pass over all records.
    mutating func prepare(for survey: ColumnTypeInference) {
        header = survey.header
        self.survey = survey
    }

    /// Uses a provisional header. Neither the first record that does not match it nor any record after it is written.
    mutating func prepare(for foreseen: ProvisionalHeader) {
        header = foreseen.header
        self.foreseen = foreseen
    }

    var wantsMore: Bool { endOfForeseen == nil }

    /// The offset of the first record that does not match the provisional header.
    var endOfForeseen: Int? { foreseen?.end }

    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport {
        if foreseen?.fits(record, at: place) == false { return WriteReport() }
        try makeRoom()
        do throws(WriteError) {
            var report = WriteReport()
            if let survey, survey.hasReactions, case .reaction = record.subject {
                for row in survey.rows(of: record, in: header) { report.losses.note(try writer.write(row).losses) }
                record.noteLossesAsRows(in: &report.losses)
            } else {
                report = try writer.write(record)
            }
            if isDiscarded { _ = writer.takeBytes() }
            return report
        } catch {
            throw .write(error)
        }
    }

    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure) {
        // If the record is the first, the bytes start at the beginning of its file and include any header.
        let isFirst = text.count == place.offset + place.length
        if written == 0 { beginsFile = isFirst }
        let isInMidst = written > 0 && isFirst
        try makeRoom()
        try copy(isInMidst ? text.withoutByteOrderMark : text, beginsFile: isFirst)
    }

    /// Appends a converted block.
    mutating func copy(_ block: ConvertedBlock) throws(Conversion.Failure) {
        if block.written > 0 {
            try begin(SheetHeader())
            rest = []
            let isInMidst = written > 0 && block.start == 0
            try copy(isInMidst ? block.bytes.withoutByteOrderMark : block.bytes, beginsFile: block.beginsFile)
            written += block.written
        }
        take(rest: block.rest)
    }

    mutating func take(rest: [UInt8]) {
        self.rest = rest
    }

    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    private mutating func copy(_ text: [UInt8], beginsFile: Bool) throws(Conversion.Failure) {
        do throws(WriteError) {
            try writer.copy(text, beginsFile: beginsFile)
            if isDiscarded { _ = writer.takeBytes() }
        } catch {
            throw .write(error)
        }
    }

    private mutating func makeRoom() throws(Conversion.Failure) {
        if written > 0, !holdsSeveral {
            throw .impossible(
                "\(format.described) stores only one record; "
                    + "use --records 1 to choose one, or --split DIR to write each record to its own file")
        }
        written += 1
        if !rest.isEmpty { rest = [] }
    }

    mutating func finish() throws(Conversion.Failure) {
        do throws(WriteError) {
            if !rest.isEmpty { try writer.copy(rest: takeRest()) }
            try writer.finish()
        } catch {
            throw .write(error)
        }
    }

    /// Corrects a provisional header. Returns `false` if the new header does not fit into the space of the old one.
    mutating func settleHeader() throws(Conversion.Failure) -> Bool {
        guard let foreseen, foreseen.finalHeader != foreseen.header else { return true }
        do throws(WriteError) {
            return try writer.replaceHeader(by: foreseen.finalHeader)
        } catch {
            throw .write(error)
        }
    }

    mutating func takeBytes() -> [UInt8] {
        writer.takeBytes()
    }
}

extension Record {
    /// Adds the losses of a reaction that is written as rows of a sheet.
    fileprivate func noteLossesAsRows(in losses: inout [Loss]) {
        guard case .reaction(let reaction) = subject else { return }
        let blank = reaction.components.count {
            $0.molecule.atoms.isEmpty && $0.molecule.name.isEmpty && $0.name.isEmpty
        }
        losses.note(.recordsWithoutStructure, "components with neither structure nor name", count: blank)
        losses.note(Features(.origins, .unknown), of: reaction)
        losses.note(Features(.unknown), of: self)
        for component in reaction.components { losses.note(Features(.comments, .origins), of: component) }
        losses.noteSecondNames(of: reaction)
    }
}

extension [UInt8] {
    /// The bytes without a byte order mark, which is valid only at the beginning of a file.
    fileprivate var withoutByteOrderMark: [UInt8] {
        starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
    }
}
