/// An edit of a record.
public enum RecordEdit: Sendable, Hashable {
    /// Sets the value of the first field with a name, or adds a field.
    case set(Text, Text)
    /// Sets the title of the molecule or reaction.
    case setTitle(Text)
    /// Removes all fields with a name.
    case unset(Text)
    /// Replaces a part with that of another record.
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

    /// Returns the reason why a format cannot represent the edited value, or `nil` if it can.
    func refusal(in format: Format) -> String? {
        switch self {
        case .setTitle where !format.supportedFeatures.contains(.names): "\(format.described) cannot store a title"
        case .set where !format.supportedFeatures.contains(.fields): "\(format.described) cannot store data fields"
        default: nil
        }
    }
}
