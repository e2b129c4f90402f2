import Chemopen

/// The answer to a client's first request: the refresh interval, search domains, sort keys and columns.
struct Preferences {
    private let fields: [String]
    /// Whether all records have been read to find field names.
    let isComplete: Bool
    /// The search domains, if the mappings of all files define them.
    private var mappedDomains: [Mapping.Domain]?
    private var refreshInterval: Int?
    /// The requested keys.
    private let keys: [String]
    /// The reader of a server.
    private let reader: Reader?

    /// The version of the protocol.
    private static let version = 2
    /// The keys that every client needs.
    private static let usualKeys = ["ROOT_SET_REFRESH_INTERVAL", "SEARCH_DOMAINS", "READER"]
    static let allKeys = usualKeys + ["SORT_KEYS", "COLUMNS", "FACTS", "FORMATS"]
    /// The maximum number of search domains, which clients show in a menu.
    private static let mostDomains = 50

    /// Collects the preferences of files, and waits for the names of all fields if the request does.
    init(of files: [BrowsedFile], _ request: BrowseRequest, for reader: Reader? = nil) {
        keys = request.keys ?? Self.usualKeys
        self.reader = reader
        for file in files where request.isPatient { file.waitForFields() }
        let views = files.map(\.view)
        isComplete = views.allSatisfy(\.hasAllFields)
        var known: Set<Text> = []
        fields = views.flatMap(\.fields).filter { known.insert($0).inserted }.map(\.string)
        refreshInterval = files.compactMap { $0.mapping?.refreshInterval }.min()
        let mapped = files.compactMap { $0.mapping?.domains }
        if mapped.count == files.count, !files.isEmpty {
            var known: Set<SearchDomain> = []
            mappedDomains = mapped.joined().filter { known.insert($0.domain).inserted }
        }
    }

    /// Writes the preferences as a table of keys and values.
    func write(to json: inout JSON) {
        let keys = [("number", "File order"), ("name", "Name"), ("formula", "Formula"), ("mass", "Mass")]
        var domains = [SearchDomain.all, .name, .formula].map { (key: $0.key, label: $0.label) }
        if !fields.isEmpty { domains.append((SearchDomain.condition.key, SearchDomain.condition.label)) }
        let own = Set(keys.map(\.1) + domains.map(\.label))
        let named = fields.map { (key: "field:" + $0, label: own.contains($0) ? $0 + " (field)" : $0) }
        let offered = mappedDomains.map { $0.map { (key: $0.domain.key, label: $0.label) } } ?? domains + named
        let rows: [(String, (inout JSON) -> Void)] = [
            ("ROOT_SET_REFRESH_INTERVAL", { $0.number(refreshInterval ?? (isComplete ? 5 : 1)) }),
            ("SEARCH_DOMAINS", { $0.choices(Array(offered.prefix(Self.mostDomains))) }),
            ("SORT_KEYS", { $0.choices(keys + named) }),
            ("COLUMNS", { $0.choices(fields.map { (EntityColumn.property($0).name, $0) }) }),
            ("FACTS", { $0.facts() }), ("FORMATS", { $0.formats() }),
        ]
        json.field("headers", ["KEY", "VALUE"])
        json.key("rows")
        json.array { json in
            for (key, write) in rows where self.keys.contains(key) { json.row(key, write) }
            if let reader, self.keys.contains("READER") { json.row("READER") { $0.rights(of: reader) } }
        }
        json.field("version", Self.version)
        json.field("complete", isComplete)
        if offered.count > Self.mostDomains {
            json.field(
                "note",
                "only the first \(Self.mostDomains) of \(offered.count) search domains are listed; use field:NAME "
                    + "for the others")
        }
    }
}

extension JSON {
    fileprivate mutating func row(_ key: String, _ value: (inout JSON) -> Void) {
        array { json in
            json.string(key)
            value(&json)
        }
    }

    /// Writes the computed facts that can be requested as columns.
    fileprivate mutating func facts() {
        array { json in
            for fact in ComputedFields.descriptions {
                json.object { json in
                    json.field("key", "FACT:" + fact.name)
                    json.field("label", fact.name)
                    json.field("number", fact.kind != .string)
                    json.field("meaning", fact.meaning)
                }
            }
        }
    }

    /// Writes a reader's own name and rights.
    fileprivate mutating func rights(of reader: Reader) {
        object { json in
            json.field("name", reader.name)
            json.field("right", reader.right.rawValue)
            if let collections = reader.collections { json.field("collections", collections) }
            if let until = reader.until { json.field("until", until) }
        }
    }

    /// Writes the formats of exported records.
    fileprivate mutating func formats() {
        array { json in
            for format in Format.all + Format.toldByName where format.isWritable {
                json.object { json in
                    json.field("key", format.id)
                    json.field("label", format.name)
                    json.field("extension", format.extensions.first ?? format.id)
                }
            }
        }
    }

    fileprivate mutating func choices(_ choices: [(key: String, label: String)]) {
        array { json in
            for choice in choices {
                json.object { json in
                    json.field("key", choice.key)
                    json.field("label", choice.label)
                }
            }
        }
    }
}
