/// Statistics about the records of a file: the data fields, unreadable records and duplicates.
///
///     let statistics = try FileStatistics(of: Source("a.sdf"))
///     print(statistics.records, statistics.duplicates ?? 0)
///     for field in statistics.fields.fields { print(field.name, field.kind) }
public struct FileStatistics: Sendable {
    /// The format of the file.
    public let format: Format
    /// The statistics of the data fields.
    public private(set) var fields = FieldStatistics()
    /// The number of readable records in the selection.
    public private(set) var records = 0
    /// The number of unreadable records.
    public private(set) var unreadable = 0
    /// The number of records with the same bytes as an earlier record, or `nil` for drawings, whose records share their
    /// bytes.
    public private(set) var duplicates: Int?
    /// The error that ended the file early.
    public private(set) var failure: ReadError?
    /// Statistics about the selection of records.
    public private(set) var choice: SelectionStatistics

    private static let hash = KeyedHash()

    /// Reads a file.
    ///
    /// - Parameter computed: Values to compute and treat as fields.
    /// - Parameter tell: Receives an event for each unreadable record and each warning.
    /// - Parameter progress: Receives frequent progress reports.
    /// - Throws: `ReadError` if the file cannot be opened or its format is unknown.
    public init(
        of source: Source, as format: Format? = nil, _ selection: RecordSelection = RecordSelection(),
        computing computed: ComputedFields? = nil, _ options: ReadOptions = ReadOptions(),
        tell: (Conversion.Event) -> Void = { _ in }, progress: (Conversion.Progress) -> Void = { _ in }
    ) throws(ReadError) {
        var options = options
        options.skipsStructures = !selection.readsStructures && computed == nil
        var bytes = try source.openToRead(options)
        let found = try bytes.identified(
            as: format, declaredAs: source.declaredType, among: options.knownFormats
        ).format
        self.format = found
        var stream = try RecordStream.reopen(bytes, as: found, options)
        var selector = RecordSelector(selection, from: source.name)
        choice = selector.choice
        var seen = CountTable(isSet: true)
        var record = Record()
        var text: [UInt8] = []
        let size = stream.size
        duplicates = stream.sharesBytes ? nil : 0
        while !selector.isFinished(stream) {
            do throws(ReadError) {
                let isRecord = try stream.read(into: &record)
                for issue in stream.issues where issue.severity == .doubt { tell(.doubtful(issue, stream.place)) }
                guard isRecord else { break }
            } catch {
                switch error.kind {
                case .file, .unrecognized: failure = error
                case .broken, .tooLarge:
                    if let numbers = selection.numbers, !numbers.contains(stream.place.record) { continue }
                    unreadable += 1
                    tell(.unreadable(UnreadableRecord(error, in: stream)))
                    continue
                }
                break
            }
            guard selector.takes(record, of: stream) else { continue }
            records += 1
            computed?.add(to: &record)
            fields.take(record)
            progress(
                Conversion.Progress(input: source.name, bytesRead: stream.bytesRead, size: size, records: records))
            if duplicates == nil { continue }
            text.removeAll(keepingCapacity: true)
            stream.copyRecordBytes(to: &text)
            if seen.add(Self.hash(text.span.extracting(Self.content(text, found)))) > 1 { duplicates? += 1 }
        }
        selector.finish(stream)
        choice = selector.choice
    }

    /// Returns the part of a record's bytes that equal records share: without the number of a row, and without the
    /// last line end, which may be missing at the end of a file.
    private static func content(_ text: [UInt8], _ format: Format) -> Range<Int> {
        var end = text.count
        while end > 0, text[end - 1] <= Ascii.blank { end -= 1 }
        guard format.isSheet else { return 0..<end }
        let start = text.firstIndex(of: Ascii.greater) ?? 0
        return min(start, end)..<end
    }
}
