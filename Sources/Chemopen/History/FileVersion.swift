/// A version of a file as the bytes of its records and the key of each, so that a neighbouring version is looked into only
/// where it differs.
struct FileVersion: Sendable {
    private(set) var bytes: [UInt8]
    let records: [Range<Int>]
    /// The hash of the key of each record, or of its bytes where it has none.
    let keys: [UInt64]
    let reading: VersionReading
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

    /// A version that is mostly like another one.
    ///
    /// - Returns: the version, and the places of the records that may differ, here and there. Beside these stand records that
    ///   do not, so that no record is held for one of another place.
    static func beside(
        _ other: FileVersion, _ bytes: [UInt8]
    ) throws(Conversion.Failure) -> (version: FileVersion, own: [Int], others: [Int]) {
        if let nextRecordEnd = other.reading.format.nextRecordEnd, other.text == nil {
            var walk = SharedRuns(bytes, other)
            try walk.run(nextRecordEnd)
            return (FileVersion(bytes, walk.records, walk.keys, other.reading), walk.changed, walk.changedThere)
        }
        let version = try FileVersion(bytes, other.reading)
        return (version, Array(version.records.indices), Array(other.records.indices))
    }

    private init(_ bytes: [UInt8], _ records: [Range<Int>], _ keys: [UInt64], _ reading: VersionReading) {
        (self.bytes, self.records, self.keys, self.reading) = (bytes, records, keys, reading)
        text = nil
    }

    /// A record by its place, with its number and its bytes.
    func version(_ place: Int) -> RecordChange.Version {
        var bytes = Array(self.bytes[records[place]])
        // The lines that head the file are no part of its first record.
        if place == 0, text == nil { bytes.removeFirst(reading.format.lengthOfHead(bytes.span)) }
        let record: Record?
        if let text {
            record = (try? text.records([place]))?[place]
        } else {
            record = reading.record(in: bytes)
        }
        return RecordChange.Version(number: place + 1, bytes: bytes, record: record)
    }

    /// Takes the memory of the bytes out, of a version that is done with.
    mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
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

    func hash(of value: [UInt8]) -> UInt64 { max(1, hash(value.span)) }

    /// Finds the records in some bytes, and the key of each.
    func cut(_ bytes: [UInt8]) throws(Conversion.Failure) -> (records: [Range<Int>], keys: [UInt64]) {
        if bytes.isEmpty { return ([], []) }
        do throws(ReadError) {
            let cut = try RecordCut(RereadFile(Source(bytes, named: path), as: format, options), by: key, hash)
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
