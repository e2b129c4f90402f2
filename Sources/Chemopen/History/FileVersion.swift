/// A version of a file with the locations and keys of its records. An adjacent version is parsed only at the positions
/// where it differs.
struct FileVersion: Sendable {
    private(set) var bytes: [UInt8]
    let records: [Range<Int>]
    /// The hash of each record's key, or of its bytes if it has no key.
    let keys: [UInt64]
    let reading: VersionReading
    /// The parsed file, if it is a table. Tables are not read in pieces.
    private let text: FileText?
    /// The records of a drawing, which share the bytes of the file; `nil` for other files.
    private let drawn: [Record?]?
    var sharesBytes: Bool { drawn != nil }

    /// Creates the version in which the file does not exist.
    init(without reading: VersionReading) {
        (bytes, records, keys, self.reading, text, drawn) = ([], [], [], reading, nil, nil)
    }

    init(_ bytes: [UInt8], _ reading: VersionReading) throws(Conversion.Failure) {
        self.bytes = bytes
        self.reading = reading
        text =
            reading.format.table == nil ? nil : try FileText(reading.path, bytes, as: reading.format, reading.options)
        let cut = try reading.cut(bytes)
        keys = cut.keys
        records = text?.records ?? cut.records
        drawn = cut.sharesBytes && cut.records.count > 1 ? reading.records(in: bytes, count: cut.records.count) : nil
    }

    /// Reads a version that is mostly identical to another one.
    ///
    /// - Returns: The version, and the indices of the records that may differ in both versions. Unchanged neighbors are
    ///   included, to match each record with the one at the same position.
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

    /// Returns the format that the path indicates, if the version has another one.
    static func otherFormat(_ reading: VersionReading, than path: LocalPath, _ formats: FormatRegistry) -> Format? {
        guard let format = formats.format(ofName: path), format.id != reading.format.id else { return nil }
        return reading.format.extensions.contains(fileExtension(path)) ? nil : format
    }

    private init(_ bytes: [UInt8], _ records: [Range<Int>], _ keys: [UInt64], _ reading: VersionReading) {
        (self.bytes, self.records, self.keys, self.reading) = (bytes, records, keys, reading)
        (text, drawn) = (nil, nil)
    }

    /// Returns the record at an index with its number and its bytes.
    func version(_ place: Int) -> RecordChange.Version {
        if let drawn { return RecordChange.Version(number: place + 1, bytes: bytes, record: drawn[place]) }
        var bytes = Array(self.bytes[records[place]])
        // The header lines of the file are not part of the first record.
        if place == 0, text == nil { bytes.removeFirst(reading.format.lengthOfHead(bytes.span)) }
        var record: Record?
        if let text {
            record = (try? text.records([place]))?[place]
            reading.prepare(&record, text.header, row: place + 1)
        } else {
            record = reading.records(in: bytes, count: 1)[0]
        }
        return RecordChange.Version(number: place + 1, bytes: bytes, record: record)
    }

    /// Moves the buffer out of a version that is no longer needed.
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

/// The way to read the versions of a file.
struct VersionReading: Sendable {
    let path: LocalPath
    private(set) var format: Format
    let options: ReadOptions
    /// The key that identifies a record, or `nil` if its bytes do.
    let key: RecordKey?
    let hash = KeyedHash()
    /// The format of the latest version. Rows of older tables are converted to its records.
    private let target: Format

    init(path: LocalPath, format: Format, options: ReadOptions, key: RecordKey?) {
        (self.path, self.format, self.options, self.key, target) = (path, format, options, key, format)
    }

    /// Returns how to read the versions before the file was converted to another format.
    func redetected(_ bytes: [UInt8], as path: LocalPath) throws(Conversion.Failure) -> VersionReading {
        var reading = self
        do throws(ReadError) {
            reading.format = try RereadFile(Source(bytes, named: path), as: nil, options).format
        } catch {
            throw .read(error)
        }
        return reading
    }

    /// Converts a row of a table to a record of the latest format.
    func prepare(_ record: inout Record?, _ header: SheetHeader, row: Int) {
        guard target.id != format.id, var rows = RowsAsRecords(header, to: target), var converted = record else {
            return
        }
        rows.prepare(&converted, row: row)
        record = converted
    }

    func hash(of value: [UInt8]) -> UInt64 { max(1, hash(value.span)) }

    /// Finds the records in some bytes and the key of each record.
    func cut(
        _ bytes: [UInt8]
    ) throws(Conversion.Failure) -> (records: [Range<Int>], keys: [UInt64], sharesBytes: Bool) {
        if bytes.isEmpty { return ([], [], false) }
        do throws(ReadError) {
            let file = try RereadFile(Source(bytes, named: path), as: format, options)
            let cut = try RecordCut(file, by: key, hash, as: target.id == format.id ? nil : target)
            return (cut.records, cut.keys, cut.sharesBytes)
        } catch {
            throw .read(error)
        }
    }

    /// Reads the first records of some bytes; `nil` for records that are missing or cannot be read.
    func records(in bytes: [UInt8], count: Int) -> [Record?] {
        guard let source = try? ByteSource(bytes), var stream = try? RecordStream.open(source, as: format, options)
        else { return Array(repeating: nil, count: count) }
        var records: [Record?] = []
        for _ in 0..<count { records.append(try? stream.next()) }
        return records
    }
}
