/// A part of a record by which it is found again in another file.
enum RecordKey: Sendable, Hashable {
    /// The title of the molecule or reaction.
    case title
    /// The value of the field of that name.
    case field(Text)

    /// The bytes of the key in a record; nothing where it has none.
    func value(in record: borrowing Record) -> [UInt8]? {
        switch self {
        case .title:
            guard let title = record.title, !title.isEmpty else { return nil }
            return title.inUTF8.bytes
        case .field(let name):
            guard let field = record.fields[name], !field.value.isEmpty else { return nil }
            return field.value.inUTF8.bytes
        }
    }

    /// The key that a person names, `title` or else a field; without it those that may tell the records of a file apart.
    static func candidates(in file: RereadFile, named name: Text?) throws(ReadError) -> [RecordKey] {
        guard let name else { return candidates(in: try file.records(skippingStructures: true)) }
        return [name == "title" ? .title : .field(name)]
    }

    /// The keys that may tell the records of a file apart, the title first: fields in which each of the first records has
    /// a value of its own, among the first fifty. A number with a decimal point is a measure and no name.
    private static func candidates(in records: consuming RecordStream) -> [RecordKey] {
        let (most, enough, mostFields) = (4, 1000, 50)
        var seen: [Text: Set<Text>] = [:]
        var names: [Text] = []
        var count = 0
        while count < enough {
            guard let record = try? records.next() else { break }
            count += 1
            if count == 1 { names = record.fields.prefix(mostFields).map(\.name) }
            names.removeAll { name in
                guard let value = record.fields[name]?.value, !value.isEmpty, !value.isDecimal else { return true }
                return !seen[name, default: []].insert(value).inserted
            }
            if names.isEmpty { break }
        }
        return [.title] + names.prefix(most - 1).map { .field($0) }
    }
}

extension Record {
    /// The title of the molecule or reaction; nothing where there is neither.
    var title: Text? {
        switch subject {
        case .molecule(let molecule): molecule.name
        case .reaction(let reaction): reaction.name
        case .none: nil
        }
    }
}

extension Text {
    /// Whether it is a number with a decimal point.
    fileprivate var isDecimal: Bool {
        bytes.contains(Ascii.point) && Numeral.decimal(bytes.span, 0..<bytes.count) != nil
    }
}

extension SheetHeader {
    /// The column in which a sheet has the titles of records.
    static let titleName: Text = "Name"
}
