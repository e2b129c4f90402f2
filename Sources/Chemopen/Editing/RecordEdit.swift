/// An edit of a record.
public enum RecordEdit: Sendable, Hashable {
    /// A field gets a value: the first of its name, or else a further one.
    case set(Text, Text)
    /// The molecule or reaction gets a title.
    case setTitle(Text)
    /// All fields of a name go.
    case unset(Text)
    /// A part becomes as it is in another record.
    case take(RecordPart, from: Record)

    func apply(to record: inout Record) {
        switch self {
        case .set(let name, let value):
            if record.fields[name]?.value == value { return }
            let header = record.fields[name]?.header
            record.fields[name] = Field(name, value, header: header)
        case .setTitle(let title):
            if case .none = record.subject { record.subject = .molecule(Molecule()) }
            record.setName(title.bytes[...])
        case .unset(let name): record.fields.removeAll(named: name)
        case .take(let part, let other): record.take(part, from: other, isOlder: true)
        }
    }

    /// Why a format has no place for what the edit writes; `nil` where it has one.
    func refusal(in format: Format) -> String? {
        switch self {
        case .setTitle where !format.holds.contains(.names): "\(format.described) has no place for a title"
        case .set where !format.holds.contains(.fields): "\(format.described) has no place for data fields"
        default: nil
        }
    }
}
