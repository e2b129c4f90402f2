/// The content of a record as hashes that identify it in another version of its file.
struct RecordTraits {
    /// The structure without its title, or `nil` if the record has no structure.
    let structure: Int?
    /// The title, or `nil` if the record has no title.
    let title: Int?
    /// The hashes of the fields' names and values, in ascending order.
    let fields: [Int]
    /// The numbers of atoms and bonds.
    let size: [Int]
    let isReadable: Bool
    /// Whether the record is a version from a conflict in an earlier merge.
    let isMarked: Bool

    /// - Parameter record: The record, or `nil` if it is unreadable.
    init(_ record: Record?) {
        isReadable = record != nil
        title = record?.title.flatMap { $0.isEmpty ? nil : $0.hashValue }
        // An empty cell of a table is equivalent to a missing field.
        fields = record?.fields.filter { !$0.value.isEmpty }.map { [$0.name, $0.value].hashValue }.sorted() ?? []
        isMarked = record?.fields[FileMerge.markField] != nil
        let molecules: [Molecule] =
            switch record?.subject {
            case .molecule(let molecule): [molecule]
            case .reaction(let reaction): reaction.components.map(\.molecule)
            default: []
            }
        size = molecules.flatMap { [$0.atoms.count, $0.bonds.count] }
        let isEmpty = molecules.allSatisfy(\.atoms.isEmpty)
        structure = isEmpty ? nil : record?.content(of: .structure).hashValue
    }

    /// The title and the structure, or `nil` if there is no structure.
    var identity: Int? { structure.map { [title ?? 0, $0].hashValue } }

    /// The hash of all fields, or `nil` if there are no fields.
    var allFields: Int? { fields.isEmpty ? nil : fields.hashValue }

    func hasStructure(of other: RecordTraits) -> Bool { structure != nil && structure == other.structure }

    /// Whether at least half of the fields are equal.
    func hasFieldsLike(_ other: RecordTraits) -> Bool {
        let common = commonFields(other)
        return common > 0 && 2 * common >= min(fields.count, other.fields.count)
    }

    /// Whether the records are certainly the same, provided that their positions agree.
    func isCertainly(_ other: RecordTraits) -> Bool {
        guard isReadable, other.isReadable else { return false }
        return hasFieldsLike(other) || hasStructure(of: other) && (fields.isEmpty || other.fields.isEmpty)
    }

    /// Returns a score for the similarity of the records, or 0 if they are not similar.
    func likeness(_ other: RecordTraits) -> Int {
        guard isReadable, other.isReadable else { return 1 }
        let hasSameSize = size == other.size && (structure != nil || fields.isEmpty && other.fields.isEmpty)
        guard hasSameSize || hasFieldsLike(other) else { return 0 }
        let structure = hasStructure(of: other) ? 1000 : 0
        return structure + 10 * commonFields(other) + (title != nil && title == other.title ? 5 : 1)
    }

    private func commonFields(_ other: RecordTraits) -> Int {
        var (one, another, common) = (0, 0, 0)
        while one < fields.count, another < other.fields.count {
            let (field, otherField) = (fields[one], other.fields[another])
            if field == otherField { common += 1 }
            if field <= otherField { one += 1 }
            if otherField <= field { another += 1 }
        }
        return common
    }
}

extension Record {
    /// A hash of the content. Records with equal content have the same hash.
    var contentHash: UInt64 {
        var hasher = Hasher()
        for part in [RecordPart.title, .structure, .registry, .otherLines] { hasher.combine(content(of: part)) }
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(PartContent.FieldContent(field))
        }
        return max(1, UInt64(bitPattern: Int64(hasher.finalize())))
    }
}
