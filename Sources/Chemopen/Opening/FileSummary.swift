/// A summary of a file's content, for the choice of a program.
public struct FileSummary: Sendable {
    /// The format of the file.
    public var format: Format
    /// The highest version of the format in the file, if the format has several.
    public var version = ""
    /// The features in the file that some formats do not support.
    public var features = Features()
    /// The number of records read.
    public var records = 0
    /// The number of unreadable records.
    public var unreadable = 0
    /// Whether there may be further records.
    public var isCutShort = false
    /// The number of the first record with atoms, or `nil` if there is no such record.
    public var firstStructure: Int?

    /// The number of bytes to inspect. The rest of a file rarely contains additional features.
    static let limit = 64 * 1024 * 1024

    /// Creates a summary without records.
    public init(_ format: Format) {
        self.format = format
    }

    /// Creates a summary of records in memory.
    public init(_ records: [Record], as format: Format) {
        self.init(format)
        for record in records { add(record, number: self.records + 1) }
    }

    init(
        of source: consuming ByteSource, as format: Format, name: String, _ reading: ReadOptions = ReadOptions(),
        limit: Int = Self.limit
    ) throws(OpenError) {
        self.init(format)
        var first: ReadError?
        do throws(ReadError) {
            var stream = try RecordStream.open(source, as: format, reading)
            var record = Record()
            while true {
                do throws(ReadError) {
                    guard try stream.read(into: &record) else { break }
                    add(record, number: stream.place.record)
                    if version < stream.place.version { version = stream.place.version }
                } catch {
                    unreadable += 1
                    if first == nil { first = error }
                    if case .file = error.kind { isCutShort = true }
                }
                if stream.place.offset > limit {
                    isCutShort = true
                    break
                }
            }
        } catch {
            first = error
        }
        if records == 0 {
            let why = first.map { ": \($0.message)" + ($0.line > 0 ? " in line \($0.line)" : "") } ?? ""
            throw OpenError(
                .empty,
                "\(name): is \(format.described), but "
                    + (first == nil ? "contains no record" : "no record in it can be read") + why)
        }
    }

    private mutating func add(_ record: Record, number: Int) {
        records += 1
        features.formUnion(record.features)
        if records > 1 { features.insert(Features(.severalRecords)) }
        if firstStructure == nil, record.hasAtoms { firstStructure = number }
    }
}

extension Record {
    /// Whether the record has atoms to draw.
    var hasAtoms: Bool {
        switch subject {
        case .none: false
        case .molecule(let molecule): !molecule.atoms.isEmpty
        case .reaction(let reaction): reaction.components.contains { !$0.molecule.atoms.isEmpty }
        }
    }
}
