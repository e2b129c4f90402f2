/// Three versions of one record, of which two were made from the third, become one.
///
/// A structure is one value, and so are the values of all fields of one name: whoever changed it alone is right.
struct RecordMerge {
    /// The record with the changes of both.
    private(set) var record: Record
    /// The structure is that of the other version, not ours.
    private(set) var takesStructureOfTheirs = false
    /// The parts that both changed, each in another way: `structure`, `field MASS`.
    private(set) var conflicts: [String] = []

    init(_ base: Record, _ ours: Record, _ theirs: Record) {
        record = ours
        if let subject = pick("structure", base.subject, ours.subject, theirs.subject) {
            takesStructureOfTheirs = ours.subject != subject
            record.subject = subject
        }
        if let registry = pick("registry numbers", base.registry, ours.registry, theirs.registry) {
            record.registry = registry
        }
        if let verbatim = pick("lines of other kinds", base.verbatim, ours.verbatim, theirs.verbatim) {
            record.verbatim = verbatim
        }
        mergeFields(base.fields, ours.fields, theirs.fields)
    }

    /// The version that changed; nothing where both did.
    private mutating func pick<Value: Equatable>(_ part: String, _ base: Value, _ ours: Value, _ theirs: Value)
        -> Value?
    {
        if ours == theirs || theirs == base { return ours }
        if ours == base { return theirs }
        conflicts.append(part)
        return nil
    }

    private mutating func mergeFields(_ base: Fields, _ ours: Fields, _ theirs: Fields) {
        let (old, mine, other) = (Self.byName(base), Self.byName(ours), Self.byName(theirs))
        var isFixed = true
        var taken: [Text: [Field]] = [:]
        for name in Set(old.keys).union(mine.keys).union(other.keys) {
            let (first, second, third) = (old[name] ?? [], mine[name] ?? [], other[name] ?? [])
            guard
                let fields = pick(
                    "field \(name.shown)", first.map(Part.init), second.map(Part.init), third.map(Part.init))
            else { continue }
            if fields != second.map(Part.init) {
                taken[name] = third
                isFixed = false
            }
        }
        conflicts.sort()
        if isFixed { return }
        var fields = Fields()
        fields.columns = ours.columns
        for field in ours {
            guard let others = taken[field.name] else {
                fields.append(field)
                continue
            }
            // The first of a name stands for all.
            for other in others { fields.append(other) }
            taken[field.name] = []
        }
        for field in theirs where taken[field.name]?.isEmpty == false { fields.append(field) }
        record.fields = fields
    }

    /// What of a field counts, whatever its column's number.
    private struct Part: Equatable {
        let (value, header): (Text, Text?)
        let structure: Fields.Structure?

        init(_ field: Field) {
            (value, header, structure) = (field.value, field.header, field.structure)
        }
    }

    private static func byName(_ fields: Fields) -> [Text: [Field]] {
        Dictionary(grouping: fields, by: \.name)
    }
}
