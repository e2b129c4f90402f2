import Chemopen

/// An error of a request to a `BrowseClient`.
public struct BrowseError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Kind: Sendable, Hashable {
        /// The server refused the request: it is not valid or not permitted, or someone else has changed the record.
        case refused
        /// There is no response: the network or the server is down, or a program is not installed.
        case unavailable
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of the error.
    public let kind: Kind
    /// The message of the server or the client.
    public let description: String
    /// The response, if the server sent one. It can contain the current state.
    public let response: JSONValue

    init(_ kind: Kind, _ description: String, _ response: JSONValue = .null) {
        self.kind = kind
        self.description = description
        self.response = response
    }
}

/// The rows of a response.
public struct BrowsePage: Sendable {
    /// The entities.
    public let rows: [BrowseEntity]
    /// The number of all rows, as far as it is known.
    public let total: Int
    /// Whether `total` is final.
    public let isComplete: Bool
    /// The requested entities that no longer exist, by their `PERM_ID`.
    public let missing: [String]
    /// A note for the user, such as the reason why there are no hits.
    public let note: String?
    /// The token that undoes a change.
    public let undo: String?
    /// The complete response.
    public let response: JSONValue

    init(_ response: JSONValue) {
        let headers = response["headers"]?.array?.map { $0.string ?? "" } ?? []
        rows = (response["rows"]?.array ?? []).map { row in
            BrowseEntity(values: Dictionary(zip(headers, row.array ?? [])) { first, _ in first })
        }
        total = response["total"]?.count ?? rows.count
        isComplete = response["complete"]?.bool ?? true
        missing = response["missing"]?.array?.compactMap(\.string) ?? []
        note = response["note"]?.string
        undo = response["undo"]?.string
        self.response = response
    }
}

/// A category, a file, a record or a part of a record, with the requested columns.
public struct BrowseEntity: Sendable, Hashable {
    /// The values by column.
    public let values: [String: JSONValue]

    /// A property of an entity.
    public struct Property: Sendable, Hashable {
        /// The group, such as `data` for the fields of a record.
        public let group: String
        /// The name.
        public let name: String
        /// The value.
        public let value: String
    }

    private func text(_ column: String) -> String { values[column]?.string ?? "" }

    /// The permanent identifier, `PERM_ID`.
    public var id: String { text("PERM_ID") }
    /// The opaque reference, `REFCON`.
    public var reference: String { text("REFCON") }
    /// The first line in a list.
    public var title: String { text("SUMMARY_HEADER") }
    /// The second line in a list.
    public var summary: String { text("SUMMARY") }
    /// The group of the entity.
    public var category: String { text("CATEGORY") }
    /// The readable name, such as `a.sdf#17`.
    public var identifier: String { text("IDENTIFIER") }
    /// The identifiers of the children.
    public var children: [String] { values["CHILDREN"]?.array?.compactMap(\.string) ?? [] }

    /// The properties: data fields in file order, then computed values and warnings. Only `details(of:)` returns them.
    public var properties: [Property] {
        (values["PROPERTIES"]?.array ?? []).map { property in
            Property(
                group: property["group"]?.string ?? "", name: property["name"]?.string ?? "",
                value: property["value"]?.string ?? "")
        }
    }

    /// The entity in a request.
    var key: JSONValue { ["PERM_ID": .string(id), "REFCON": .string(reference)] }
}

/// An edit of a record or a file.
public struct BrowseEdit: Sendable, Hashable {
    /// The edit in a request.
    public let json: JSONValue

    /// Creates an edit from JSON, as the protocol describes it.
    public init(_ json: JSONValue) { self.json = json }

    /// Returns an edit that sets the first field with a name, or adds it.
    public static func set(_ field: String, _ value: String) -> BrowseEdit {
        BrowseEdit(["op": "set", "field": .string(field), "value": .string(value)])
    }

    /// Returns an edit that removes all fields with a name.
    public static func unset(_ field: String) -> BrowseEdit { BrowseEdit(["op": "unset", "field": .string(field)]) }

    /// Returns an edit that sets the title.
    public static func title(_ title: String) -> BrowseEdit { BrowseEdit(["op": "title", "value": .string(title)]) }

    /// Returns an edit of atoms and bonds, as the protocol describes them.
    public static func structure(_ edits: [JSONValue]) -> BrowseEdit {
        BrowseEdit(["op": "structure", "edits": .array(edits)])
    }

    /// Returns an edit that deletes the record.
    public static var delete: BrowseEdit { BrowseEdit(["op": "delete"]) }

    /// Returns an edit that adds a record to a file, at the end or with a number.
    public static func insert(
        _ title: String, at number: Int? = nil, fields: [(name: String, value: String)] = [],
        structure: [JSONValue] = []
    ) -> BrowseEdit {
        var members: [String: JSONValue] = ["op": "insert", "title": .string(title), "structure": .array(structure)]
        members["fields"] = .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
        members["at"] = number.map { .number(Double($0)) }
        return BrowseEdit(.object(members))
    }
}
