/// A version of a file as the bytes of its records and the key of each, so that a neighbouring version is looked into only
/// where it differs.
struct FileVersion: Sendable {
    let bytes: [UInt8]
    let records: [Range<Int>]
    /// The hash of the key of each record, or of its bytes where it has none.
    let keys: [UInt64]
    private let reading: VersionReading
    /// For a table, which is not read piece by piece.
    private let text: FileText?

    /// A file that is not there.
    init(without reading: VersionReading) {
        (bytes, records, keys, self.reading, text) = ([], [], [], reading, nil)
    }

    init(_ bytes: [UInt8], _ reading: VersionReading) throws(Conversion.Failure) {
        self.bytes = bytes
        self.reading = reading
        text =
            reading.format.table == nil ? nil : try FileText(reading.path, bytes, as: reading.format, reading.options)
        let cut = try reading.cut(bytes)
        keys = cut.keys
        records = text?.records ?? cut.records
    }

    /// A version that is like another one at the beginning and at the end.
    ///
    /// - Returns: the version, and the places of the records between, here and there.
    static func beside(
        _ other: FileVersion, _ bytes: [UInt8]
    ) throws(Conversion.Failure) -> (version: FileVersion, own: Range<Int>, others: Range<Int>) {
        let reading = other.reading
        if reading.areIndependent, let frame = SharedEnds(bytes, other) {
            let slice = Array(bytes[frame.start..<frame.end])
            let cut = try reading.cut(slice)
            let distance = bytes.count - other.bytes.count
            let version = FileVersion(
                bytes,
                other.records[..<frame.first] + cut.records.map { $0.moved(by: frame.start) }
                    + other.records[frame.last...].map { $0.moved(by: distance) },
                other.keys[..<frame.first] + cut.keys + other.keys[frame.last...], reading)
            return (version, frame.first..<frame.first + cut.records.count, frame.first..<frame.last)
        }
        let version = try FileVersion(bytes, reading)
        return (version, 0..<version.records.count, 0..<other.records.count)
    }

    private init(
        _ bytes: [UInt8], _ records: some Sequence<Range<Int>>, _ keys: some Sequence<UInt64>, _ reading: VersionReading
    ) {
        (self.bytes, self.records, self.keys, self.reading) = (bytes, Array(records), Array(keys), reading)
        text = nil
    }

    /// A record by its place, with its number and its bytes.
    func version(_ place: Int) -> RecordChange.Version {
        var bytes = Array(self.bytes[records[place]])
        // The lines that head the file are no part of its first record.
        if place == 0, text == nil, let parts = reading.format.parts?(bytes.span) { bytes.removeFirst(parts.start) }
        let record: Record?
        if let text {
            record = (try? text.records([place]))?[place]
        } else {
            record = reading.record(in: bytes)
        }
        return RecordChange.Version(number: place + 1, bytes: bytes, record: record)
    }

    func holdsSame(_ place: Int, as other: Int, of version: FileVersion) -> Bool {
        let (one, another) = (records[place], version.records[other])
        return one.count == another.count
            && commonPrefix(bytes.span.extracting(one), version.bytes.span.extracting(another)) == one.count
    }
}

/// How the versions of a file are read.
struct VersionReading: Sendable {
    let path: LocalPath
    let format: Format
    let options: ReadOptions
    /// The key by which a record is found again; `nil` where it is its bytes.
    let key: RecordKey?
    let hash = KeyedHash()

    /// Whether a run of records is a file of its own.
    var areIndependent: Bool { format.lastRecordEnd != nil }

    func hash(of value: [UInt8]) -> UInt64 { max(1, hash(value.span)) }

    /// Finds the records in some bytes, and the key of each.
    func cut(_ bytes: [UInt8]) throws(Conversion.Failure) -> (records: [Range<Int>], keys: [UInt64]) {
        if bytes.isEmpty { return ([], []) }
        do throws(ReadError) {
            let cut = try RecordCut(RereadFile(path, bytes: bytes, as: format, options), by: key, hash)
            return (cut.records, cut.keys)
        } catch {
            throw .read(error)
        }
    }

    func record(in bytes: [UInt8]) -> Record? {
        guard let source = try? ByteSource(bytes), var records = try? RecordStream.open(source, as: format, options)
        else { return nil }
        return try? records.next()
    }
}

/// The bytes that two versions share at either end, in whole records.
private struct SharedEnds {
    /// The part of the version that is not shared.
    let start: Int
    let end: Int
    /// The records of the other version that are not shared.
    let first: Int
    let last: Int

    /// Bytes of a shared part that belong to a record beside it, as far as they say where it ends.
    private static let margin = 64

    /// `nil` where nothing is shared.
    init?(_ bytes: [UInt8], _ other: FileVersion) {
        let before = commonPrefix(bytes.span, other.bytes.span)
        let isSame = before == bytes.count && before == other.bytes.count
        let most = min(bytes.count, other.bytes.count) - before
        let behind = isSame ? 0 : min(most, commonSuffix(bytes.span, other.bytes.span))
        var first = other.records.partitioningIndex { $0.upperBound + Self.margin > before }
        var last = other.records.partitioningIndex {
            $0.lowerBound >= other.bytes.count - behind + Self.margin
        }
        if isSame { (first, last) = (other.records.count, other.records.count) }
        if first == 0, last == other.records.count { return nil }
        self.first = first
        self.last = max(first, last)
        start = first == 0 ? 0 : other.records[first - 1].upperBound
        let distance = bytes.count - other.bytes.count
        // A record with nothing before it but what is shared begins where it does there.
        end =
            self.last == other.records.count
            ? bytes.count : max(start, other.records[self.last].lowerBound + distance)
    }
}

extension Range<Int> {
    fileprivate func moved(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
