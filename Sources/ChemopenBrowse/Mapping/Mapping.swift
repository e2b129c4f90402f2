import Chemopen

/// The presentation of a collection, as its `mapping.json` specifies it: the categories, the columns of lists and the
/// search domains.
struct Mapping: Sendable, Hashable {
    /// The picture of a record.
    enum Images: Sendable, Hashable {
        case structure, page, none
        /// An external picture. The record contains its address. The address is passed to the client; the server never
        /// downloads it.
        case elsewhere(Template)

        fileprivate static let words = ["structure": Images.structure, "page": .page, "none": .none]
    }

    /// The child entities of a record.
    enum Children: Sendable, Hashable {
        case parts, none
        /// The records of the same file that refer to it as their parent.
        case records(Relation)

        fileprivate static let words = ["parts": Children.parts, "none": .none]
    }

    /// A parent relation: the child's `parent` equals the parent's `key`.
    struct Relation: Sendable, Hashable {
        let parent: Template
        let key: Template
    }

    /// A table whose fields are added to the records with the same key.
    struct Join: Sendable, Hashable {
        /// The name of the file in the directory of the collection.
        let table: String
        /// The field that both have, or `KEY=COLUMN`.
        let key: String
        /// The columns to add; `nil` for all.
        let fields: [String]?
    }

    /// The text that identifies a record, from which its permanent ID is derived. `nil` uses its title.
    var key: Template?
    /// The name of the collection.
    var label = ""
    /// File name patterns with `*` and `?`. `nil` includes all readable files.
    var files: [String]?
    /// The category of a record; records with equal text belong together. `nil` uses the files as categories.
    var category: Template?
    var header: Template?
    var summary: Template?
    var children = Children.parts
    var images = Images.structure
    var domains: [Domain]?
    /// The changes that readers can make.
    var changes = PermittedChanges()
    var join: Join?
    /// The name of the subdirectory for new files.
    var drop: String?
    /// The time in seconds after which a client should check for changes.
    var refreshInterval: Int?

    /// A search domain with a label.
    struct Domain: Sendable, Hashable {
        let domain: SearchDomain
        let label: String
    }

    var relation: Relation? {
        if case .records(let relation) = children { relation } else { nil }
    }

    /// Whether all records must be read to determine categories or parents.
    var groupsRecords: Bool { category != nil || relation != nil }

    static let fileName: LocalPath = "mapping.json"
}

// MARK: Reading

extension Mapping {
    /// The reason why a mapping is not valid.
    struct Fault: Error, Sendable {
        let message: String
    }

    private enum Member: String, CaseIterable {
        case key, label, files, category, header, summary, children, images, domains, changes, drop, join, refresh
    }

    init(_ bytes: [UInt8]) throws(Fault) {
        guard let members = JSONValue(bytes)?.object else { throw Fault(message: "expected one object of JSON") }
        for name in members.keys.sorted() {
            guard let member = Member(rawValue: name), let value = members[name] else {
                let names = Member.allCases.map(\.rawValue)
                throw Fault(message: "there is no member \"\(name)\"" + suggestion(for: name, among: names))
            }
            if value != .null { try take(value, as: member) }
        }
    }

    private mutating func take(_ value: JSONValue, as member: Member) throws(Fault) {
        func fault(_ expectation: String) -> Fault { Fault(message: "\"\(member.rawValue)\" must be \(expectation)") }
        func template(_ value: JSONValue? = value) throws(Fault) -> Template {
            guard let text = value?.string else { throw fault(#"a text such as "{NAME}""#) }
            do throws(Template.Fault) {
                return try Template(text)
            } catch {
                throw fault(error.expectation)
            }
        }
        switch member {
        case .key:
            let text = try template()
            if text.readsPosition { throw fault("a text without {#number} and {#file}, which can change") }
            key = text
        case .label:
            guard let text = value.string else { throw fault("a string") }
            label = text
        case .files:
            let names = value.array?.compactMap(\.string) ?? []
            let isPlain = names.allSatisfy { !$0.isEmpty && !$0.contains("/") }
            guard let array = value.array, array.count == names.count, isPlain else {
                throw fault("an array of names without a slash")
            }
            files = names
        case .category: category = try template()
        case .header: header = try template()
        case .summary: summary = try template()
        case .children:
            if let members = value.object, members.keys.sorted() == ["key", "parent"] {
                let parent = try template(members["parent"])
                children = .records(Relation(parent: parent, key: try template(members["key"])))
            } else if let word = value.string.flatMap({ Children.words[$0] }) {
                children = word
            } else {
                throw fault(#"one of parts, none, or {"parent":"{PARENT}","key":"{ID}"}"#)
            }
        case .images:
            if let word = value.string.flatMap({ Images.words[$0] }) {
                images = word
            } else if value.string?.contains("{") == true {
                images = .elsewhere(try template())
            } else {
                throw fault(#"one of structure, page, none, or an address such as "{PICTURE}""#)
            }
        case .domains:
            guard let values = value.array, !values.isEmpty else { throw fault("an array of search domains") }
            var domains: [Domain] = []
            for value in values {
                let key = value.string ?? value["key"]?.string ?? ""
                guard let domain = SearchDomain(key) else {
                    throw fault(#"an array of all, name, formula, condition or field:NAME, or {"key","label"}"#)
                }
                domains.append(Domain(domain: domain, label: value["label"]?.string ?? domain.label))
            }
            self.domains = domains
        case .changes: changes = try PermittedChanges(value)
        case .join:
            let fields = value["fields"]?.array?.compactMap(\.string)
            guard let members = value.object, Set(members.keys).isSubset(of: ["table", "key", "fields"]),
                let table = members["table"]?.string, !table.isEmpty, !table.contains("/"),
                let key = members["key"]?.string, !key.isEmpty, members["fields"]?.array?.count == fields?.count
            else { throw fault(#"an object such as {"table":"assay.csv","key":"CAS","fields":["IC50"]}"#) }
            join = Join(table: table, key: key, fields: fields)
        case .drop:
            guard let name = value.string, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
                throw fault("the name of a directory, without a slash")
            }
            drop = name
        case .refresh:
            guard let seconds = value.count, 1...86_400 ~= seconds else {
                throw fault("a number of seconds from 1 to 86400")
            }
            refreshInterval = seconds
        }
    }
}
