import ChemopenDesktop

/// A transfer of molecules, reactions or rows of a sheet to another program, as in "Open with…".
///
///     let handoff = try Handoff([Record(molecule)], named: "caffeine")
///     let registry = HandlerRegistry(.current)
///     for choice in handoff.plan(registry).choices { print(choice.handler?.name ?? "viewer", choice.reason) }
///     try handoff.open(in: registry.handler("avogadro2"), registry)
public struct Handoff: Sendable {
    /// The records to transfer.
    public let records: [Record]
    /// The header of the table if the records are rows.
    public let header: SheetHeader
    /// The name to display in the program. It is used as a file name, without unsafe characters.
    public let name: String
    /// A summary of the content, for the choice of a program.
    public let survey: FileSummary
    private let formats: FormatRegistry

    /// Creates a transfer of records.
    ///
    /// - Parameter formats: The known formats. The writable format with the fewest losses determines the MIME type.
    /// - Throws: `OpenError` if there is no structure to transfer.
    public init(
        _ records: [Record], header: SheetHeader = SheetHeader(), named name: String,
        among formats: FormatRegistry = .standard
    ) throws(OpenError) {
        guard records.contains(where: \.hasAtoms) else { throw OpenError(.empty, "there is no structure to open") }
        self.records = records
        self.header = header
        self.name = name
        self.formats = formats
        let writable = formats.filter { $0.isWritable }
        guard let any = writable.first else { throw OpenError(.noProgram, "no format can be written") }
        let features = FileSummary(records, as: any).features
        let fitting = writable.filter { !features.contains(.molecules) || $0.supportedFeatures.contains(.molecules) }
        let best = fitting.min {
            features.subtracting($0.supportedFeatures).list.count
                < features.subtracting($1.supportedFeatures).list.count
        }
        survey = FileSummary(records, as: best ?? any)
    }

    /// Finds the programs that can open the records.
    ///
    /// - Returns: The programs, the best first.
    public func plan(_ registry: HandlerRegistry, _ preferences: OpenPlan.Preferences = OpenPlan.Preferences())
        -> OpenPlan
    {
        let opening = FileOpener(registry, among: formats)
        let name = OpenPlan.Name(suffix: survey.format.extensions.first ?? "")
        return OpenPlan(
            for: survey, named: name, candidates: opening.candidates(for: survey.format), formats: formats,
            preferences)
    }

    /// Writes a private file in a type that the program accepts, and starts the program with it.
    ///
    /// - Parameter handler: The program, or `nil` for the best one.
    /// - Returns: The data that the file cannot represent, and the running program. The file exists as long as the
    ///   program runs.
    /// - Throws: `OpenError` if no program accepts the records or the program cannot be started.
    @discardableResult
    public func open(in handler: Handler?, _ registry: HandlerRegistry) throws(OpenError) -> (
        losses: [Loss], running: Launch.Running
    ) {
        var preferences = OpenPlan.Preferences()
        preferences.handler = handler
        let choice = plan(registry, preferences).choices.first { $0.handler != nil }
        guard let choice, let program = choice.handler else {
            throw OpenError(
                .noProgram,
                handler.map { "\($0.name) cannot open \(survey.format.described)" } ?? "no program can open it")
        }
        var copy = OpenPlan.Copy(format: survey.format)
        if case .convert(let wanted, _) = choice.action { copy = wanted }
        let (files, losses) = try write(copy, registry.session)
        let launch = try FileOpener(registry).launch(program, on: files)
        do throws(LaunchError) {
            return (losses, try launch.start())
        } catch {
            throw OpenError(.noProgram, "\(error)")
        }
    }

    /// Writes the private files, with one file for each structure if the format stores only one record.
    func write(_ copy: OpenPlan.Copy, _ session: SessionEnvironment) throws(OpenError) -> (
        files: [LocalPath], losses: [Loss]
    ) {
        let safe = safeFileName(LocalPath(name))
        let stem = safe.bytes.isEmpty ? "structure" : safe
        let suffix = copy.format.extensions.first ?? "out"
        let isOneFile = copy.format.supportedFeatures.contains(.severalRecords)
        let parts = records.filter { isOneFile || $0.hasAtoms }
        var options = WriteOptions()
        options.version = copy.version
        var losses: [Loss] = []
        var lots: [[UInt8]] = []
        for lot in isOneFile ? [parts] : parts.map({ [$0] }) {
            lots.append(try Self.bytes(of: lot, header, as: copy.format, options, &losses))
        }
        let files = try OpenError.writing("the file for the program") { () throws(FileError) in
            let folder = try PrivateFolder(in: session)
            var files: [LocalPath] = []
            for (index, bytes) in lots.enumerated() {
                let path: LocalPath = "\(folder.path)/\(stem)\(index > 0 ? "-\(index + 1)" : "").\(suffix)"
                try writePrivateFile(bytes, to: path)
                files.append(path)
            }
            try folder.seal()
            return files
        }
        return (files, losses)
    }

    /// Returns a file with the records as bytes.
    static func bytes(
        of records: [Record], _ header: SheetHeader, as format: Format, _ options: WriteOptions,
        _ losses: inout [Loss]
    ) throws(OpenError) -> [UInt8] {
        var output = try output(format, options)
        try fill(&output, with: records, header, &losses)
        return output.takeBytes()
    }

    private static func output(_ format: Format, _ options: WriteOptions) throws(OpenError) -> SingleOutput {
        do throws(Conversion.Failure) {
            return try SingleOutput.open(ByteSink(), format, options)
        } catch {
            throw error.opening(format.name)
        }
    }

    private static func fill(
        _ output: inout SingleOutput, with records: [Record], _ header: SheetHeader, _ losses: inout [Loss]
    ) throws(OpenError) {
        do throws(Conversion.Failure) {
            try output.begin(header)
            for (index, record) in records.enumerated() {
                var place = RecordPlace()
                place.record = index + 1
                for loss in try output.write(record, at: place, part: 0).losses {
                    losses.note(loss.feature, loss.detail, count: loss.count)
                }
            }
            try output.finish()
        } catch {
            throw error.opening("the structure")
        }
    }
}
