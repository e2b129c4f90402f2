import Chemopen

extension Record {
    /// The title of the record: the name of its structure, a field named `Name`, or the first field with a short value.
    var title: Text {
        let name: Text =
            switch subject {
            case .none: Text()
            case .molecule(let molecule): molecule.name
            case .reaction(let reaction): reaction.name
            }
        if name.bytes.contains(where: { $0 > 0x20 }) { return name }
        let longest = 80
        let values = fields.lazy.filter { field in
            if case .molecule = field.cell { return false }
            if case .reaction = field.cell { return false }
            return field.value.bytes.count <= longest && field.value.bytes.contains { $0 > 0x20 }
                && !field.value.bytes.contains(0x0A)
        }
        return (values.first { $0.name == "Name" } ?? values.first)?.value ?? Text()
    }
}

extension String {
    /// The text without whitespace at both ends.
    package var trimmingBlanks: String {
        var text = self[...].drop { $0.isWhitespace }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
