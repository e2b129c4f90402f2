import Chemopen

/// The answer to a client's first question: how often to come again, and what can be searched, sorted by and shown.
struct Preferences {
    private let fields: [String]
    /// The files have been read to their ends for the names of their fields.
    let isComplete: Bool
    /// Where the mappings of all files say so, these domains and no others.
    private var mappedDomains: [Mapping.Domain]?
    private var refreshInterval: Int?

    /// - Parameter isPatient: waits for the names of all fields.
    init(of files: [BrowsedFile], isPatient: Bool) {
        for file in files where isPatient { file.waitForFields() }
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

    /// The answer, a table of keys and values.
    func write(to json: inout JSON) {
        let named = fields.map { (key: "field:" + $0, label: $0) }
        var domains = [SearchDomain.all, .name, .formula].map { (key: $0.key, label: $0.label) }
        if !fields.isEmpty { domains.append((SearchDomain.condition.key, SearchDomain.condition.label)) }
        let keys = [("number", "File order"), ("name", "Name"), ("formula", "Formula"), ("mass", "Mass")]
        let offered = mappedDomains.map { $0.map { (key: $0.domain.key, label: $0.label) } } ?? domains + named
        json.field("headers", ["KEY", "VALUE"])
        json.key("rows")
        json.array { json in
            json.row("ROOT_SET_REFRESH_INTERVAL") { $0.number(refreshInterval ?? (isComplete ? 5 : 1)) }
            json.row("SEARCH_DOMAINS") { $0.choices(offered) }
            json.row("SORT_KEYS") { $0.choices(keys + named) }
            json.row("COLUMNS") { $0.choices(fields.map { (EntityColumn.property($0).name, $0) }) }
        }
        json.field("complete", isComplete)
    }
}

extension JSON {
    fileprivate mutating func row(_ key: String, _ value: (inout JSON) -> Void) {
        array { json in
            json.string(key)
            value(&json)
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
