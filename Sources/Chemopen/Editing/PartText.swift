/// The parts of a record as text for users.
struct PartText {
    private let record: Record

    private init(_ record: Record) {
        self.record = record
    }

    /// Returns a part of two versions of a record as texts that differ, because the parts differ.
    ///
    /// - Returns: The complete texts, or `nil` for a version without the part.
    static func texts(of part: RecordPart, in old: Record, _ new: Record) -> (before: String?, after: String?) {
        let (one, other) = (PartText(old), PartText(new))
        let texts = (one.text(of: part), other.text(of: part))
        guard let before = texts.0, let after = texts.1, before == after else { return texts }
        if part == .structure {
            let differences = Comparison(tolerance: 0).differences(old.onlyStructure, new.onlyStructure)
            let details = (
                differences.compactMap { one in one.first.map { "\(one.subject) \($0)" } },
                differences.compactMap { one in one.second.map { "\(one.subject) \($0)" } }
            )
            if details.0 != details.1 {
                return (([before] + details.0).joined(separator: ", "), ([after] + details.1).joined(separator: ", "))
            }
        }
        let exact = (one.exactText(of: part), other.exactText(of: part))
        if exact.0 != exact.1 { return exact }
        // The records differ only in content that has no textual form, such as the name of the program that wrote the
        // record.
        return (before, after + " (written differently)")
    }

    /// Returns a part as text for users, or `nil` if the record does not have the part.
    private func text(of part: RecordPart) -> String? {
        switch part {
        case .title: return record.title.map(\.string)
        case .structure:
            if case .none = record.subject { return nil }
            return record.structureWords.joined(separator: ", ")
        case .registry:
            let numbers = record.registry.map(\.number.string)
            return numbers.isEmpty ? nil : numbers.joined(separator: ", ")
        case .otherLines:
            let lines = record.verbatim.map(\.text.string)
            return lines.isEmpty ? nil : lines.joined(separator: "\n")
        case .field(let name):
            let values = record.fields.filter { $0.name == name }.map(\.value.string)
            return values.isEmpty ? nil : values.joined(separator: "\n")
        }
    }

    /// Returns a part with the bytes that are not valid UTF-8, with the headers of its fields, and with the number of
    /// its values.
    private func exactText(of part: RecordPart) -> String? {
        switch part {
        case .title: return record.title?.exact
        case .structure: return text(of: part)
        case .registry:
            return record.registry.map { "\($0.number.exact) (\($0.isInternal ? "internal" : "external"))" }.joined(
                separator: ", ")
        case .otherLines: return record.verbatim.map(\.text.exact).joined(separator: "\n")
        case .field(let name):
            let values = record.fields.filter { $0.name == name }.map { field in
                field.value.exact + (field.header.map { " (header \($0.exact))" } ?? "")
            }
            return values.joined(separator: values.count > 1 ? "\n(next value)\n" : "")
        }
    }
}

extension Record {
    /// Whether a part has the same meaning in a version of another format.
    func hasSameMeaning(as other: Record, in part: RecordPart) -> Bool {
        switch part {
        case .structure: return Comparison().differences(onlyStructure, other.onlyStructure).isEmpty
        case .otherLines: return true
        case .title:
            // The title of a row may be in a column.
            return (title ?? "").inUTF8 == (other.title ?? "").inUTF8 || title == nil || other.title == nil
        case .registry: return registry.map(\.number) == other.registry.map(\.number)
        case .field(let name):
            let values = [self, other].map { record in
                record.fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value.inUTF8)
            }
            if name == SheetHeader.titleName, values.contains([]) {
                return (title ?? other.title)?.inUTF8 == (values[0] + values[1]).first
            }
            return values[0] == values[1]
        }
    }

    /// The structure without its title and fields.
    var onlyStructure: Record {
        var record = Record()
        record.subject = subject
        record.setName([])
        return record
    }

    /// The structure as text: a SMILES, and a token that identifies the drawing because different drawings have the
    /// same SMILES.
    package var structureWords: [String] {
        var line = Record()
        line.subject = subject
        guard var writer = try? Format.smiles.makeWriter(ByteSink(), WriteOptions()),
            (try? writer.write(line)) != nil
        else { return [] }
        let smiles = writer.takeBytes().prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") && $0 != 0x09 }
        guard !smiles.isEmpty else { return [] }
        return [String(decoding: smiles, as: UTF8.self), "drawing " + Fingerprint(drawingText).text]
    }
}

extension Text {
    /// The text with escapes such as `\xB5` for bytes that are not valid UTF-8.
    fileprivate var exact: String {
        if isUTF8 { return string }
        return bytes.map { byte in
            byte < 0x80 ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
