/// The content of a file, as far as the choice of a program depends on it.
public struct Survey: Sendable {
    /// The format of the file.
    public var format: Format
    /// The highest version of the format that was met, where there are several.
    public var version = ""
    /// All that was met and that some format has no place for.
    public var features = Features()
    /// How many records were read.
    public var records = 0
    /// How many records could not be read.
    public var unreadable = 0
    /// There may be more records than were counted.
    public var isCutShort = false
    /// The number of the first record with atoms in it; `nil` where there is none.
    public var firstStructure: Int?

    /// As much of a file is looked through; in what is behind it, little is new.
    static let limit = 64 * 1024 * 1024

    /// A survey that has seen no record.
    public init(_ format: Format) {
        self.format = format
    }

    /// Looks through records that are at hand.
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
                "\(name): is \(format.described), and "
                    + (first == nil ? "holds no record" : "nothing in it can be read") + why)
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
    /// There is something to draw.
    var hasAtoms: Bool {
        switch subject {
        case .none: false
        case .molecule(let molecule): !molecule.atoms.isEmpty
        case .reaction(let reaction): reaction.components.contains { !$0.molecule.atoms.isEmpty }
        }
    }
}
