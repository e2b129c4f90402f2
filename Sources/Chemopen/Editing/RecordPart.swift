/// A part of a record that is edited, merged and reverted as one value.
public enum RecordPart: Sendable, Hashable, CustomStringConvertible {
    /// The title of the molecule or reaction.
    case title
    /// The molecule or reaction without its title.
    case structure
    /// The registry numbers of an RD record.
    case registry
    /// Lines that belong to no other part.
    case otherLines
    /// All fields with a name.
    case field(Text)

    /// The name of the part, such as `structure` or `field MASS`.
    public var description: String {
        switch self {
        case .title: "title"
        case .structure: "structure"
        case .registry: "registry numbers"
        case .otherLines: "lines of other kinds"
        case .field(let name): "field \(name.visible)"
        }
    }
}

/// The content of a part of a record, for comparison.
enum PartContent: Hashable {
    case none
    case texts([Text])
    case structure(Record.Subject)
    case registry([Record.RegistryNumber])
    case lines([Verbatim])
    case fields([FieldContent])

    /// The properties of a field that matter for a comparison, without its column index.
    struct FieldContent: Hashable {
        let (value, header): (Text, Text?)
        let structure: Fields.Structure?

        init(_ field: Field) {
            (value, header, structure) = (field.value, field.header, field.structure)
        }
    }
}

extension Record {
    /// Returns the parts of all records, in the order of the records.
    static func parts(of records: [Record]) -> [RecordPart] {
        var parts: [RecordPart] = [.title, .structure, .registry, .otherLines]
        var known: Set<Text> = []
        for record in records {
            for field in record.fields where known.insert(field.name).inserted { parts.append(.field(field.name)) }
        }
        return parts
    }

    /// Returns the content of a part.
    func content(of part: RecordPart) -> PartContent {
        switch part {
        case .title: return title.map { .texts([$0]) } ?? .none
        case .structure:
            if case .none = subject { return .none }
            var bare = Record()
            bare.subject = subject
            bare.setName([])
            return .structure(bare.subject)
        case .registry: return .registry(registry)
        case .otherLines: return .lines(verbatim)
        case .field(let name): return .fields(fields.filter { $0.name == name }.map(PartContent.FieldContent.init))
        }
    }

    /// Whether all parts of two records are equal.
    func says(_ other: Record) -> Bool {
        self == other
            || fields.elementsEqual(other.fields, by: Self.areSame)
                && [.title, .structure, .registry, .otherLines].allSatisfy { content(of: $0) == other.content(of: $0) }
    }

    private static func areSame(_ one: Field, _ other: Field) -> Bool {
        one.name == other.name && PartContent.FieldContent(one) == PartContent.FieldContent(other)
    }

    /// Whether a field is equal to a field of another record, except for its column index.
    func hasSameField(_ place: Int, as other: Int, of record: Record) -> Bool {
        Self.areSame(fields[place], record.fields[other])
    }

    /// Replaces a part with that of another version of the record.
    ///
    /// - Parameter isOlder: Whether the other version is older. If it is, its fields are inserted before fields that
    ///   are new in this record.
    mutating func take(_ part: RecordPart, from other: Record, isOlder: Bool = false) {
        switch part {
        case .title: if let name = other.title { setName(name.bytes[...]) }
        case .structure:
            let name = title
            subject = other.subject
            if let name { setName(name.bytes[...]) }
        case .registry: registry = other.registry
        case .otherLines: verbatim = other.verbatim
        case .field(let name): takeFields(named: name, from: other, isOlder: isOlder)
        }
    }

    /// Replaces the fields with a name. The new fields are inserted at the position of the first replaced field, or for
    /// a new name, at the same position as in the other record.
    private mutating func takeFields(named name: Text, from other: Record, isOlder: Bool) {
        let taken = other.fields.filter { $0.name == name }
        if let place = fields.firstIndex(where: { $0.name == name }) {
            let behind = fields[place...].filter { $0.name != name }
            return replaceFields(Array(fields[..<place]) + taken + behind)
        }
        guard let first = other.fields.firstIndex(where: { $0.name == name }) else { return }
        let names = Set(fields.map(\.name))
        let place: Int
        if isOlder, let neighbor = other.fields[..<first].last(where: { names.contains($0.name) }) {
            place = (fields.lastIndex { $0.name == neighbor.name } ?? -1) + 1
        } else if let neighbor = other.fields[first...].first(where: { names.contains($0.name) }) {
            place = fields.firstIndex { $0.name == neighbor.name } ?? 0
        } else {
            place = isOlder ? 0 : fields.count
        }
        replaceFields(Array(fields[..<place]) + taken + Array(fields[place...]))
    }

    private mutating func replaceFields(_ list: [Field]) {
        fields.replaceSubrange(0..<fields.count, with: list)
    }
}
