/// A part of a record that identifies it in another file.
enum RecordKey: Sendable, Hashable {
    /// The title of the molecule or reaction.
    case title
    /// The value of the field with this name.
    case field(Text)

    /// Returns the bytes of the key in a record, or `nil` if the record does not have it.
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

    /// Returns the key with a name, `title` or a field. Without a name, returns the keys that may identify the records
    /// of a file.
    static func candidates(in file: RereadFile, named name: Text?) throws(ReadError) -> [RecordKey] {
        guard let name else { return candidates(in: try file.records(skippingStructures: true)) }
        return [name == "title" ? .title : .field(name)]
    }

    /// Returns the keys that may identify the records of a file: the title, and fields with a unique value in each of
    /// the first records. Only the first fifty fields are considered. A number with a decimal point is a measurement
    /// and not an identifier.
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
    /// The title of the molecule or reaction, or `nil` if the record has no structure.
    var title: Text? {
        switch subject {
        case .molecule(let molecule): molecule.name
        case .reaction(let reaction): reaction.name
        case .none: nil
        }
    }
}

extension Text {
    /// Whether the text is a number with a decimal point.
    fileprivate var isDecimal: Bool {
        bytes.contains(Ascii.point) && Numeral.decimal(bytes.span, 0..<bytes.count) != nil
    }
}

extension SheetHeader {
    /// The column for the titles of records in a sheet.
    static let titleName: Text = "Name"
}
