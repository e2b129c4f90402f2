/// A transfer of records from one reader to one output. It selects, modifies, and writes or copies records, and reports
/// events.
///
/// It works the same way for complete files and for blocks.
struct RecordTransfer {
    let conversion: Conversion
    let format: Format
    /// The features that the target format supports.
    private let supportedFeatures: Features
    /// Whether molecules with 3D coordinates are laid out.
    private let flattens: Bool
    /// Whether the source format can express configurations that the target can express only in a form that other
    /// programs do not read without coordinates.
    private let mayHideStereo: Bool
    private(set) var read = 0
    private(set) var unreadable = 0
    private(set) var isCutShort = false
    /// Whether all records up to the end of the file were selected.
    private(set) var isWhole = false
    private var selector: RecordSelector
    private var record = Record()
    /// Converts the rows of a table to records.
    private var rows: RowsAsRecords?
    /// Whether the first record was examined to see if the input is a table.
    private var knowsRows = false
    /// Whether the losses of the table header were reported.
    private var isHeaderTold = false
    private var text: [UInt8] = []
    /// The molecules of a drawing, if they are combined into one record.
    private var drawing: JoinedDrawing?

    init(_ conversion: Conversion, from format: Format, of input: LocalPath) {
        self.conversion = conversion
        self.format = format
        supportedFeatures = conversion.target.supportedFeatures
        flattens = conversion.flattens(from: format)
        // A format that can express coordination stereo can express all configurations without coordinates.
        mayHideStereo =
            supportedFeatures.contains(.parities) && !supportedFeatures.contains(.coordinationStereo)
            && format.supportedFeatures.contains(.coordinationStereo)
        selector = RecordSelector(conversion.selection, from: input)
    }

    var choice: SelectionStatistics { selector.choice }

    /// Transfers all records of a stream. `tick` is called after each record is read.
    mutating func run<Output: RecordOutput & ~Copyable>(
        _ stream: inout RecordStream, into output: inout Output, tell: (Conversion.Event) -> Void,
        tick: (borrowing RecordStream, Int) -> Void
    ) throws(Conversion.Failure) {
        try carry(&stream, into: &output, tell: tell, tick: tick)
        selector.finish(stream, namesFiles: !Output.isOneFile)
        guard let whole = drawing?.takeWhole() else { return }
        record = whole.record
        if !whole.losses.isEmpty { tell(.lost(whole.losses, record: whole.place.record)) }
        let computed = conversion.computes
        try write(at: whole.place, Self.header(of: stream, computed), into: &output, tell)
    }

    private mutating func carry<Output: RecordOutput & ~Copyable>(
        _ stream: inout RecordStream, into output: inout Output, tell: (Conversion.Event) -> Void,
        tick: (borrowing RecordStream, Int) -> Void
    ) throws(Conversion.Failure) {
        let copies = conversion.copies(format)
        if Output.isOneFile, conversion.joinsMolecules(of: format) { drawing = JoinedDrawing() }
        let computed = conversion.computes
        let last = conversion.selection.numbers?.last ?? .max
        // Bytes between two records are copied only if both records are copied.
        var isWithoutGap = Output.isOneFile && output.written == 0
        var takesAll = true
        while stream.place.record < last, output.wantsMore {
            if conversion.isCancelled { throw .cancelled }
            let isRecord: Bool
            do throws(ReadError) {
                isRecord = try stream.read(into: &record)
                for issue in stream.issues where issue.severity == .doubt { tell(.doubtful(issue, stream.place)) }
            } catch {
                try refuse(error, in: stream, tell)
                (isWithoutGap, takesAll) = (false, false)
                continue
            }
            guard isRecord else {
                isWhole = takesAll
                if copies, isWithoutGap {
                    text.removeAll(keepingCapacity: true)
                    stream.copyBytesBetweenRecords(to: &text)
                    output.take(rest: text)
                }
                // A table without rows still has a header.
                if !isHeaderTold, stream.header.hasAllColumns {
                    try begin(Self.header(of: stream, computed), &output, tell)
                }
                return
            }
            tick(stream, read)
            guard selector.takes(record, of: stream) else {
                (isWithoutGap, takesAll) = (false, false)
                continue
            }
            read += 1
            computed?.add(to: &record)
            if drawing?.take(record, at: stream.place, to: conversion.target) == true { continue }
            if copies {
                text.removeAll(keepingCapacity: true)
                if isWithoutGap { stream.copyBytesBetweenRecords(to: &text) }
                isWithoutGap = Output.isOneFile
                stream.copyRecordBytes(to: &text)
                try begin(Self.header(of: stream, computed), &output, tell)
                try output.copy(text, of: record, at: stream.place)
            } else {
                try write(at: stream.place, Self.header(of: stream, computed), into: &output, tell)
            }
        }
        if conversion.isCancelled { throw .cancelled }
    }

    private static func header(of stream: borrowing RecordStream, _ computed: ComputedFields?) -> SheetHeader {
        computed?.added(to: stream.header) ?? stream.header
    }

    private mutating func refuse(
        _ error: ReadError, in stream: borrowing RecordStream, _ tell: (Conversion.Event) -> Void
    ) throws(Conversion.Failure) {
        switch error.kind {
        case .file:
            if conversion.isCancelled { throw .cancelled }
            isCutShort = true
            throw .read(error)
        case .unrecognized:
            isCutShort = true
            tell(.failed(error))
        case .broken, .tooLarge:
            for issue in stream.issues where issue.severity == .doubt { tell(.doubtful(issue, stream.place)) }
            if let numbers = conversion.selection.numbers, !numbers.contains(stream.place.record) { return }
            unreadable += 1
            tell(.unreadable(UnreadableRecord(error, in: stream)))
        }
        if conversion.errorPolicy == .stop { throw .stopped }
    }

    // MARK: Writing

    private mutating func write<Output: RecordOutput & ~Copyable>(
        at place: RecordPlace, _ header: @autoclosure () -> SheetHeader, into output: inout Output,
        _ tell: (Conversion.Event) -> Void
    ) throws(Conversion.Failure) {
        if !knowsRows {
            knowsRows = true
            let header = header()
            if header.hasAllColumns { rows = RowsAsRecords(header, to: conversion.target) }
        }
        rows?.prepare(&record, row: place.record)
        if conversion.expandsAbbreviations {
            record.expandAbbreviations()
        } else if !supportedFeatures.contains(.abbreviations), supportedFeatures.contains(.sgroups) {
            record.expandAbbreviations(asGroups: true)
        }
        if conversion.laysOut {
            layOut(at: place, tell)
        } else if flattens, record.subject.isInSpace {
            flatten(at: place, tell)
        }
        if mayHideStereo { noteHiddenStereo(at: place, tell) }
        switch record.subject {
        case .molecule where !supportedFeatures.contains(.molecules):
            throw .impossible(
                "record \(place.record) is a molecule, but \(conversion.target.described) stores only reactions")
        case .reaction(let reaction) where !supportedFeatures.contains(.reactions):
            let parts = reaction.componentRecords(
                of: record, number: place.record, withFields: supportedFeatures.contains(.fields))
            if !parts.losses.isEmpty { tell(.lost(parts.losses, record: place.record)) }
            if !parts.records.isEmpty { try begin(header(), &output, tell) }
            for (index, part) in parts.records.enumerated() {
                report(try output.write(part, at: place, part: index + 1), place.record, tell)
            }
        default:
            try begin(header(), &output, tell)
            report(try output.write(record, at: place, part: 0), place.record, tell)
        }
    }

    private mutating func layOut(at place: RecordPlace, _ tell: (Conversion.Event) -> Void) {
        // The subject is moved out of the record to avoid a copy of the molecule.
        var subject = Record.Subject.none
        swap(&subject, &record.subject)
        let remarks = subject.layOut()
        swap(&subject, &record.subject)
        if remarks.contains(.unshown) { tell(.doubtful(Issue(line: 0, Self.unshown), place)) }
        guard remarks.contains(.failed) else { return }
        let message = "cannot compute a layout; the record's own coordinates are used"
        tell(.doubtful(Issue(line: 0, message), place))
    }

    private static let unshown = "the layout cannot show a configuration; it is left open in the drawing"

    /// Replaces 3D coordinates with a drawing, because other programs derive no configurations from a projection.
    private mutating func flatten(at place: RecordPlace, _ tell: (Conversion.Event) -> Void) {
        guard LayoutProgram.shared.isThere else {
            let message = "drawn as a projection without wedges; \(LayoutProgram.name) is not installed"
            return tell(.doubtful(Issue(line: 0, message), place))
        }
        var subject = Record.Subject.none
        swap(&subject, &record.subject)
        let remarks = subject.layOut()
        swap(&subject, &record.subject)
        if remarks.contains(.unshown) { tell(.doubtful(Issue(line: 0, Self.unshown), place)) }
        if remarks.contains(.flattened) {
            tell(.lost([Loss(.heights, "written as a drawing with wedges (use --no-layout)")], record: place.record))
        }
        if remarks.contains(.failed) {
            tell(.doubtful(Issue(line: 0, "cannot compute a layout; drawn as a projection without wedges"), place))
        }
    }

    /// Reports the configurations of a record without coordinates.
    private func noteHiddenStereo(at place: RecordPlace, _ tell: (Conversion.Event) -> Void) {
        let count = record.subject.undrawnParities
        if count == 0 { return }
        let detail: Text = "written without coordinates (use --layout)"
        tell(.lost([Loss(.parities, detail, count: count)], record: place.record))
    }

    /// Starts the output. Before the first record, reports the losses of the table header.
    private mutating func begin<Output: RecordOutput & ~Copyable>(
        _ header: @autoclosure () -> SheetHeader, _ output: inout Output, _ tell: (Conversion.Event) -> Void
    ) throws(Conversion.Failure) {
        if isHeaderTold { return try output.begin(header()) }
        isHeaderTold = true
        let header = header()
        try output.begin(header)
        if !header.hasAllColumns { return }
        let losses = header.losses(convertingTo: conversion.target, besides: output.header)
        if !losses.isEmpty { tell(.lost(losses, record: 0)) }
    }

    private func report(_ report: WriteReport, _ number: Int, _ tell: (Conversion.Event) -> Void) {
        if !report.losses.isEmpty { tell(.lost(report.losses, record: number)) }
        if !report.reason.isEmpty { tell(.version(report.version, reason: report.reason, record: number)) }
    }
}

extension Format {
    /// The format's name with the correct article, such as "an SDfile". Some acronyms start with the sound of a vowel,
    /// such as SDfile.
    public var described: String {
        let isAcronym = name.prefix(2).allSatisfy(\.isUppercase)
        return ((isAcronym ? "AEFHILMNORSX" : "AEIOU").contains(name.first ?? " ") ? "an " : "a ") + name
    }
}

extension Record.Subject {
    /// Calls `body` for each molecule.
    private func forEachMolecule(_ body: (borrowing Molecule) -> Void) {
        switch self {
        case .none: break
        case .molecule(let molecule): body(molecule)
        case .reaction(let reaction): for component in reaction.components { body(component.molecule) }
        }
    }

    /// Whether a molecule has 3D coordinates.
    fileprivate var isInSpace: Bool {
        var found = false
        forEachMolecule { if CoordinateKind(of: $0) == .inSpace { found = true } }
        return found
    }

    /// The number of configurations of atoms in molecules without coordinates.
    fileprivate var undrawnParities: Int {
        var count = 0
        forEachMolecule { molecule in
            guard molecule.flags.contains(.withoutCoordinates) else { return }
            count += molecule.atoms.count { 1...2 ~= $0.marks.parity }
        }
        return count
    }
}
