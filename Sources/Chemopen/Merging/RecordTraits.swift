/// The content of a record as hashes, by which the record is recognized in another version of its file.
struct RecordTraits {
    /// The structure without its title; `nil` if the record has none.
    let structure: Int?
    /// The title; `nil` if the record has none.
    let title: Int?
    /// The fields, each as its name and value, in ascending order.
    let fields: [Int]
    /// The numbers of atoms and bonds.
    let size: [Int]
    let isReadable: Bool
    /// An earlier merge marked the record as a version of a conflict.
    let isMarked: Bool

    /// - Parameter record: the record; `nil` if it cannot be read.
    init(_ record: Record?) {
        isReadable = record != nil
        title = record?.title.flatMap { $0.isEmpty ? nil : $0.hashValue }
        // An empty cell of a table says nothing.
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

    /// The title and the structure; `nil` without a structure.
    var identity: Int? { structure.map { [title ?? 0, $0].hashValue } }

    /// All fields as one; `nil` without a field.
    var allFields: Int? { fields.isEmpty ? nil : fields.hashValue }

    func hasStructure(of other: RecordTraits) -> Bool { structure != nil && structure == other.structure }

    /// Whether at least half of the fields are the same.
    func hasFieldsLike(_ other: RecordTraits) -> Bool {
        let common = commonFields(other)
        return common > 0 && 2 * common >= min(fields.count, other.fields.count)
    }

    /// Whether the records are the same one beyond reasonable doubt, if their positions agree.
    func isCertainly(_ other: RecordTraits) -> Bool {
        guard isReadable, other.isReadable else { return false }
        return hasFieldsLike(other) || hasStructure(of: other) && (fields.isEmpty || other.fields.isEmpty)
    }

    /// The evidence that the records are the same one; 0 if there is none.
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
    /// A hash that records have in common that say the same.
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
