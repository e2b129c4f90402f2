import Chemopen

/// The changes that readers of a server can make in a collection, as its mapping specifies them. By default, none.
struct PermittedChanges: Sendable, Hashable {
    /// A field that can be changed, with the valid values.
    struct Field: Sendable, Hashable {
        enum Kind: String, Sendable, CaseIterable {
            case text, number, date, choice
        }

        let name: String
        var kind = Kind.text
        /// The least and greatest number or date, or the maximum number of characters of a text.
        var least: JSONValue?
        var greatest: JSONValue?
        /// The values of a choice.
        var values: [String] = []
        /// Whether the value cannot be empty or removed.
        var isRequired = false
    }

    /// The fields that can be changed, in the order of the form.
    var fields: [Field] = []
    var title = false
    var structure = false
    var insert = false
    var delete = false

    var isEmpty: Bool { self == PermittedChanges() }

    /// Returns whether some edits with a name can be permitted.
    func mayPermit(_ name: String) -> Bool {
        switch name {
        case "set", "unset": !fields.isEmpty
        case "title": title
        case "structure": structure
        case "insert": insert
        case "delete": delete
        default: insert || delete
        }
    }

    /// Returns the reason why a reader cannot make a change, or `nil` if it is permitted.
    func refusal(of operation: RecordOperation) -> BrowseRequest.Fault? {
        switch operation {
        case .edit(let edits): edits.lazy.compactMap { refusal(of: $0) }.first
        case .structure: structure ? nil : .forbidden("the structures of this collection cannot be changed here")
        case .delete: delete ? nil : .forbidden("the records of this collection cannot be deleted here")
        case .undelete: delete || insert ? nil : .forbidden("deleted records cannot be restored here")
        case .insert(let record, _): refusal(ofInserting: record)
        }
    }

    private func refusal(of edit: RecordEdit) -> BrowseRequest.Fault? {
        switch edit {
        case .set(let name, let value): refusal(of: name.string, value.string)
        case .unset(let name): refusal(of: name.string, "")
        case .setTitle: title ? nil : .forbidden("the titles of this collection cannot be changed here")
        case .take: .forbidden("this change is not supported here")
        }
    }

    private func refusal(of name: String, _ value: String) -> BrowseRequest.Fault? {
        guard let field = fields.first(where: { $0.name == name }) else {
            let hint = suggestion(for: name, among: fields.map(\.name))
            return .forbidden("the field \"\(name)\" cannot be changed here" + hint)
        }
        return field.expectation(for: value).map { expected in
            BrowseRequest.Fault(message: "\(name) must be \(expected), not \"\(value)\"")
        }
    }

    private func refusal(ofInserting record: Record) -> BrowseRequest.Fault? {
        guard insert else { return .forbidden("records cannot be added to this collection here") }
        for field in record.fields {
            if let refusal = refusal(of: field.name.string, field.value.string) { return refusal }
        }
        let missing = fields.first { $0.isRequired && record.fields[Text($0.name)] == nil }
        return missing.map { BrowseRequest.Fault(message: "a new record requires the field \($0.name)") }
    }
}

// MARK: Values

extension PermittedChanges.Field {
    /// Returns a description of the valid values if a value is not valid. An empty value is valid if the field is not
    /// required.
    func expectation(for value: String) -> String? {
        let text = value.trimmingBlanks
        if text.isEmpty { return isRequired ? expected : nil }
        let isValid: Bool =
            switch kind {
            case .text: greatest?.count.map { value.count <= $0 } ?? true
            case .number: Self.number(text).map { least?.number ?? $0 <= $0 && greatest?.number ?? $0 >= $0 } ?? false
            case .date:
                CalendarDay.days(text) != nil && least?.string ?? text <= text && greatest?.string ?? text >= text
            case .choice: values.contains(value)
            }
        return isValid ? nil : expected
    }

    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ Ascii.isDigit($0) || "+-.eE".utf8.contains($0) }), let number = Double(text) else {
            return nil
        }
        return number.isFinite ? number : nil
    }

    private var expected: String {
        let words: String =
            switch kind {
            case .text: "text"
            case .number: "a number"
            case .date: "a date such as 2027-01-31"
            case .choice: "one of " + values.joined(separator: ", ")
            }
        if kind == .text { return words + (greatest?.count.map { " of at most \($0) characters" } ?? "") }
        switch (least?.shown, greatest?.shown) {
        case (let least?, let greatest?): return "\(words) from \(least) to \(greatest)"
        case (let least?, nil): return "\(words), at least \(least)"
        case (nil, let greatest?): return "\(words), at most \(greatest)"
        case (nil, nil): return words
        }
    }
}

extension JSON {
    fileprivate mutating func limit(_ name: StaticString, _ value: JSONValue?) {
        if let number = value?.number { field(name, number) }
        if let text = value?.string { field(name, text) }
    }
}

extension JSONValue {
    /// A number or a text as a message shows it.
    fileprivate var shown: String? {
        number.map { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" } ?? string
    }
}

// MARK: JSON

extension PermittedChanges {
    private static let members = ["fields", "title", "structure", "insert", "delete"]

    /// Parses the member `changes` of a mapping.
    ///
    /// - Throws: a `Mapping.Fault` that describes the expected value.
    init(_ json: JSONValue) throws(Mapping.Fault) {
        guard let members = json.object else { throw Mapping.Fault(message: "\"changes\" must be an object") }
        for name in members.keys.sorted() where !Self.members.contains(name) {
            let hint = suggestion(for: name, among: Self.members)
            throw Mapping.Fault(message: "\"changes\" has no member \"\(name)\"" + hint)
        }
        func flag(_ name: String) throws(Mapping.Fault) -> Bool {
            guard let value = members[name], value != .null else { return false }
            guard let flag = value.bool else { throw Mapping.Fault(message: "\"\(name)\" must be true or false") }
            return flag
        }
        (title, structure) = (try flag("title"), try flag("structure"))
        (insert, delete) = (try flag("insert"), try flag("delete"))
        guard let list = members["fields"], list != .null else { return }
        guard let values = list.array else {
            throw Mapping.Fault(message: #""fields" must be an array of {"name","kind"}"#)
        }
        for value in values {
            let field = try Field(value)
            if fields.contains(where: { $0.name == field.name }) {
                throw Mapping.Fault(message: "the field \"\(field.name)\" is listed twice")
            }
            fields.append(field)
        }
    }

    /// Writes the fields for a form.
    func writeFields(to json: inout JSON) {
        json.key("fields")
        json.array { json in
            for field in fields {
                json.object { json in
                    json.field("name", field.name)
                    json.field("kind", field.kind.rawValue)
                    json.limit("min", field.least)
                    json.limit("max", field.greatest)
                    if !field.values.isEmpty { json.field("values", field.values) }
                    if field.isRequired { json.field("required", true) }
                }
            }
        }
    }
}

extension PermittedChanges.Field {
    private static let members = ["name", "kind", "min", "max", "values", "required"]

    fileprivate init(_ json: JSONValue) throws(Mapping.Fault) {
        guard let name = json["name"]?.string ?? json.string, !name.isEmpty else {
            throw Mapping.Fault(message: #"a field must be a name or an object with "name""#)
        }
        self.init(name: name)
        func fault(_ member: String, _ expected: String) -> Mapping.Fault {
            Mapping.Fault(message: "field \"\(name)\": \"\(member)\" must be \(expected)")
        }
        let given = (json.object ?? [:]).filter { $0.value != .null }
        for member in given.keys.sorted() where !Self.members.contains(member) {
            let hint = suggestion(for: member, among: Self.members)
            throw Mapping.Fault(message: "field \"\(name)\" has no member \"\(member)\"" + hint)
        }
        if let word = given["kind"] {
            guard let kind = word.string.flatMap(Kind.init) else { throw fault("kind", "text, number, date or choice") }
            self.kind = kind
        }
        if let flag = given["required"] {
            guard let isRequired = flag.bool else { throw fault("required", "true or false") }
            self.isRequired = isRequired
        }
        (least, greatest) = (given["min"], given["max"])
        for (member, limit) in [("min", least), ("max", greatest)] {
            guard let limit else { continue }
            switch kind {
            case .number where limit.number == nil: throw fault(member, "a number")
            case .date where limit.string.flatMap(CalendarDay.days) == nil: throw fault(member, "a date")
            case .text where member == "min" || limit.count == nil: throw fault(member, "absent, or \"max\" a length")
            case .choice: throw fault(member, "absent because the field has \"values\"")
            default: break
            }
        }
        let values = given["values"]?.array?.compactMap(\.string) ?? []
        guard values.count == given["values"]?.array?.count ?? 0, values.isEmpty != (kind == .choice) else {
            throw fault("values", "an array of strings, for the kind \"choice\" only")
        }
        self.values = values
    }
}
