/// Where the records of a conversion go.
protocol RecordOutput: ~Copyable {
    /// All records go into one file.
    static var isOneFile: Bool { get }
    /// Further records are of use.
    var wantsMore: Bool { get }
    /// How many records have come.
    var written: Int { get }
    /// The head of the table that the records go into, once it is begun; nothing is lost of the table itself.
    var header: SheetHeader { get }
    /// Tells what is known of the table, before the first record.
    mutating func begin(_ header: @autoclosure () -> SheetHeader) throws(Conversion.Failure)
    /// Writes a record, or with a `part` above 0 one of the records that it became.
    mutating func write(_ record: Record, at place: RecordPlace, part: Int) throws(Conversion.Failure) -> WriteReport
    /// Writes the bytes of a record as they stand.
    mutating func copy(_ text: [UInt8], of record: Record, at place: RecordPlace) throws(Conversion.Failure)
    /// Takes the bytes behind the last record of a file all of whose records are copied.
    mutating func take(rest: [UInt8])
}

extension RecordOutput where Self: ~Copyable {
    var wantsMore: Bool { true }
    var header: SheetHeader { SheetHeader() }

    mutating func take(rest: [UInt8]) {}
}

/// Nowhere: only what the records are is noted, for a format that must know it before the first.
struct SurveyOutput: RecordOutput, ~Copyable {
    static let isOneFile = true
    private(set) var survey: ColumnSurvey
    /// No record has come that stands as far behind as is of interest.
    private(set) var wantsMore = true
    private let limit: Int
    var written: Int { survey.rows }

    /// - Parameter limit: how many bytes of the file are to be looked through; `nil` for all.
    init(for format: Format, upTo limit: Int?) {
        survey = ColumnSurvey(for: format)
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

/// One file for all records, or memory.
struct SingleOutput: RecordOutput, ~Copyable {
    static let isOneFile = true
    let format: Format
    private let holdsSeveral: Bool
    private var writer: any RecordWriter & ~Copyable
    private var hasBegun = false
    private(set) var written = 0
    /// The first bytes are the first of a file that is copied.
    private(set) var beginsFile = false
    /// The bytes behind the last record of the file copied last. Another record takes their place.
    private var rest: [UInt8] = []
    /// The output is not wanted.
    private let isDiscarded: Bool
    /// The survey of all records, where the format asks for it, and the header that follows from it.
    private var survey: ColumnSurvey?
    private(set) var header = SheetHeader()
    /// The header assumed for all records, where only the first were looked through.
    private var foreseen: ForeseenHeader?

    private init(_ writer: consuming any RecordWriter & ~Copyable, _ format: Format, isDiscarded: Bool) {
        self.writer = writer
        self.format = format
        holdsSeveral = format.holds.contains(.severalRecords)
        self.isDiscarded = isDiscarded
    }

    static func open(
        _ sink: consuming ByteSink, _ format: Format, _ options: WriteOptions, isDiscarded: Bool = false
    ) throws(Conversion.Failure) -> SingleOutput {
        guard let makeWriter = format.makeWriter else {
            throw .impossible("\(format.name) is read here, but not written; only a whole file of it is copied")
        }
        do throws(WriteError) {
            return SingleOutput(try makeWriter(sink, options), format, isDiscarded: isDiscarded)
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

    /// Takes what a first pass over the records has found.
    mutating func prepare(for survey: ColumnSurvey) {
        header = survey.header
        self.survey = survey
    }

    /// Takes what is assumed of all records; one that it does not fit is not written, and none behind it.
    mutating func prepare(for foreseen: ForeseenHeader) {
        header = foreseen.header
        self.foreseen = foreseen
    }

    var wantsMore: Bool { endOfForeseen == nil }

    /// Where the first record stands that was not foreseen.
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
        // The bytes may reach back over a head to the beginning of their file.
        let isFirst = text.count == place.offset + place.length
        if written == 0 { beginsFile = isFirst }
        let isInMidst = written > 0 && isFirst
        try makeRoom()
        try copy(isInMidst ? text.withoutByteOrderMark : text, beginsFile: isFirst)
    }

    /// Takes what was made of a block of records.
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
                "\(format.described) holds one record, and there are more; "
                    + "choose one with --records 1, or write each into a file of its own with --split DIR")
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

    /// Puts the header right that was foreseen; `false` where there is no room for it in the place of the one written.
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
    /// Notes what a reaction has and a sheet's rows have no place for.
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
    /// The bytes without the mark that some editors put before the first line: in the midst of a file it is none.
    fileprivate var withoutByteOrderMark: [UInt8] {
        starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
    }
}
