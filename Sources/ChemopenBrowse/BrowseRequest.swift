import Chemopen

/// A request to the service, parsed from one line of JSON.
struct BrowseRequest: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case preferences = "CLIENT_PREFS"
        case navigation = "NAVIGATION"
        case root = "ROOT"
        case drill = "DRILL"
        case detail = "DETAIL"
        case search = "SEARCH"
        case changes = "CHANGES"
        case sketch = "SKETCH"
        case change = "CHANGE"
    }

    let kind: Kind
    /// The requested entities. If there are none, lists contain all files.
    var entities: [EntityID] = []
    var columns: [EntityColumn]?
    /// The entities that the client already has: their `REFCON` by `PERM_ID`. Unchanged entities are left out of the
    /// answer.
    var known: [String: String] = [:]
    /// The first row and the number of rows of a long list.
    var first = 0
    var count = Self.usualCount
    var text = ""
    var domain = SearchDomain.all
    var sort: SortKey?
    var isDescending = false
    var isDark = false
    /// The period and author of commits, in a form that git understands.
    var since: String?
    var until: String?
    var author: String?
    /// The `REFCON` of each requested entity, by `PERM_ID`.
    var references: [String: String] = [:]
    /// The edits of a record, a file or a sketch, or `nil` if the request has none.
    var edits: [JSONValue]?
    /// The token of changes to undo.
    var undo: String?
    /// Whether to compute a new layout of a sketch.
    var cleans = false
    /// The formats in which to return a sketch.
    var forms: [String] = []
    /// Whether to wait for a complete answer. If not, the answer contains the results so far.
    var isPatient = true

    static let usualCount = 100
    static let largestCount = 1000

    /// The reason why a request is not valid.
    struct Fault: Error, Sendable {
        let message: String
    }

    init(_ json: JSONValue) throws(Fault) {
        let members = RequestMembers(json)
        kind = try members.kind()
        try members.refuseOthers(than: kind.arguments)
        _ = try members.value(of: .id) { $0.string != nil || $0.number != nil ? $0 : nil }
        entities = try members.entities(of: kind)
        columns = try members.columns()
        known = try members.known()
        first = try members.value(of: .first) { $0.count } ?? 0
        count = min(try members.value(of: .count) { $0.count } ?? Self.usualCount, Self.largestCount)
        if kind == .search {
            text = try members.text()
            domain = try members.domain()
        }
        sort = try members.sort()
        isDescending = try members.value(of: .descending) { $0.bool } ?? false
        isDark = try members.value(of: .dark) { $0.bool } ?? false
        since = try members.value(of: .since, \.string)
        until = try members.value(of: .until, \.string)
        author = try members.value(of: .author, \.string)
        isPatient = try members.value(of: .wait) { $0.bool } ?? true
        guard kind == .sketch || kind == .change else { return }
        if kind == .sketch { text = try members.value(of: .text, \.string) ?? "" }
        references = try members.references()
        edits = try members.value(of: .edits, \.array)
        undo = try members.value(of: .undo, \.string)
        cleans = try members.value(of: .clean) { $0.bool } ?? false
        let names = try members.value(of: .forms) { $0.array?.map(\.string) } ?? []
        forms = names.compactMap { $0 }
        if forms.count != names.count { throw Fault(message: "\"forms\" must be \(Argument.forms.expectation)") }
    }

    /// The columns of the answer.
    var answeredColumns: [EntityColumn] {
        columns ?? (kind == .detail ? EntityColumn.ofDetails : EntityColumn.ofLists)
    }

    var style: Picture.Style { Picture.Style(isDark ? .dark : .light) }
}

extension BrowseRequest {
    /// The arguments of requests, with the names of their JSON members.
    enum Argument: String, CaseIterable {
        case request, requestKey, id, entities, category, changedsince, columns, count, text, searchtext, domain,
            searchdomain, sort
        case descending, dark, wait, since, until, author, edits, undo, clean, forms
        case first = "from"

        /// A description of the valid values.
        var expectation: String {
            switch self {
            case .request, .requestKey: "one of " + Kind.allCases.map(\.rawValue).joined(separator: ", ")
            case .id: "a string or a number"
            case .edits: "an array of edits"
            case .undo: "the token of an earlier CHANGE"
            case .forms: "an array of format IDs, such as mol"
            case .clean: "true or false"
            case .entities, .changedsince: #"an array of {"PERM_ID","REFCON"}"#
            case .category: "the REFCON of a category, as NAVIGATION returns it"
            case .columns: "an array of names"
            case .first, .count: "a non-negative integer"
            case .text, .searchtext, .sort, .since, .until, .author: "a string"
            case .domain, .searchdomain: "null, or a search domain of CLIENT_PREFS or its key"
            case .descending, .dark, .wait: "true or false"
            }
        }
    }
}

extension BrowseRequest.Kind {
    /// The arguments that the request supports. Other arguments are rejected because ignoring them would hide mistakes.
    var arguments: Set<BrowseRequest.Argument> {
        switch self {
        case .preferences: [.request, .requestKey, .id, .entities, .category, .wait]
        case .navigation: [.request, .requestKey, .id, .changedsince, .columns, .dark, .wait]
        case .root:
            [
                .request, .requestKey, .id, .entities, .category, .changedsince, .columns, .first, .count, .sort,
                .descending, .dark, .wait,
            ]
        case .drill: [.request, .requestKey, .id, .entities, .changedsince, .columns, .first, .count, .dark, .wait]
        case .detail: [.request, .requestKey, .id, .entities, .changedsince, .columns, .dark, .wait]
        case .changes: [.request, .requestKey, .id, .entities, .first, .count, .since, .until, .author, .dark, .wait]
        case .sketch: [.request, .requestKey, .id, .entities, .text, .edits, .clean, .forms, .wait]
        case .change: [.request, .requestKey, .id, .entities, .edits, .undo, .dark, .wait]
        case .search: Self.root.arguments.union([.text, .searchtext, .domain, .searchdomain])
        }
    }

    /// Whether the request requires at least one entity.
    var needsEntities: Bool { self == .drill || self == .detail || self == .changes }
}

/// The members of a request by name. A `null` member is treated as missing.
private struct RequestMembers {
    typealias Argument = BrowseRequest.Argument
    typealias Fault = BrowseRequest.Fault

    private let members: [String: JSONValue]

    init(_ json: JSONValue) {
        members = (json.object ?? [:]).filter { $0.value != .null }
    }

    private func has(_ argument: Argument) -> Bool { members[argument.rawValue] != nil }

    /// Returns the value of a member, or `nil` if it does not exist.
    func value<Value>(of argument: Argument, _ read: (JSONValue) -> Value?) throws(Fault) -> Value? {
        guard let json = members[argument.rawValue] else { return nil }
        guard let value = read(json) else {
            throw Fault(message: "\"\(argument.rawValue)\" must be \(argument.expectation)")
        }
        return value
    }

    /// Returns the one of two alternative members that is present.
    private func oneOf(_ one: Argument, _ other: Argument) throws(Fault) -> Argument {
        if has(one), has(other) {
            throw Fault(message: "\"\(one.rawValue)\" and \"\(other.rawValue)\" cannot be combined")
        }
        return has(other) ? other : one
    }

    func refuseOthers(than known: Set<Argument>) throws(Fault) {
        let names = known.map(\.rawValue).sorted()
        for name in members.keys.sorted() where !names.contains(name) {
            let kind = members[Argument.request.rawValue] ?? members[Argument.requestKey.rawValue]
            let what = "\(kind?.string ?? "the request") does not support \"\(name)\""
            throw Fault(message: what + suggestion(for: name, among: names))
        }
    }

    func kind() throws(Fault) -> BrowseRequest.Kind {
        let name = try oneOf(.request, .requestKey)
        guard let kind = try value(of: name, { $0.string.flatMap(BrowseRequest.Kind.init) }) else {
            throw Fault(message: "\"\(name.rawValue)\" must be \(name.expectation)")
        }
        return kind
    }

    func entities(of kind: BrowseRequest.Kind) throws(Fault) -> [EntityID] {
        if has(.entities), has(.category) { _ = try oneOf(.entities, .category) }
        if let category = try value(of: .category, { $0.string.flatMap(EntityID.init(category:)) }) {
            return [category]
        }
        guard let list = try value(of: .entities, \.array) else {
            if kind.needsEntities { throw Fault(message: "\(kind.rawValue) requires \"entities\"") }
            return []
        }
        var entities: [EntityID] = []
        for entity in list {
            guard let text = entity["PERM_ID"]?.string ?? entity.string, let id = EntityID(text) else {
                throw Fault(message: "an entity must have a PERM_ID from a previous answer")
            }
            for name in (entity.object ?? [:]).keys.sorted() where EntityColumn(name) == nil {
                throw Fault(message: "an entity has no \"\(name)\"" + EntityColumn.suggestion(for: name))
            }
            entities.append(id)
        }
        return entities
    }

    /// Returns the `REFCON` of each requested entity that has one.
    func references() throws(Fault) -> [String: String] {
        var references: [String: String] = [:]
        for entity in try value(of: .entities, \.array) ?? [] {
            if let id = entity["PERM_ID"]?.string, let reference = entity["REFCON"]?.string {
                references[id] = reference
            }
        }
        return references
    }

    func known() throws(Fault) -> [String: String] {
        guard let list = try value(of: .changedsince, \.array) else { return [:] }
        var known: [String: String] = [:]
        for entity in list {
            guard let id = entity["PERM_ID"]?.string, EntityID(id) != nil, let reference = entity["REFCON"]?.string
            else {
                throw Fault(message: "\"changedsince\" must be \(Argument.changedsince.expectation)")
            }
            known[id] = reference
        }
        return known
    }

    func columns() throws(Fault) -> [EntityColumn]? {
        guard let names = try value(of: .columns, { $0.array?.map(\.string) }) else { return nil }
        var columns: [EntityColumn] = []
        for name in names {
            guard let name else { throw Fault(message: "\"columns\" must be \(Argument.columns.expectation)") }
            guard let column = EntityColumn(name) else {
                throw Fault(message: "there is no column \(name)" + EntityColumn.suggestion(for: name))
            }
            columns.append(column)
        }
        return EntityColumn.completed(columns)
    }

    func text() throws(Fault) -> String {
        let name = try oneOf(.searchtext, .text)
        guard let text = try value(of: name, \.string) else { throw Fault(message: "SEARCH requires \"searchtext\"") }
        return text
    }

    func domain() throws(Fault) -> SearchDomain {
        let name = try oneOf(.searchdomain, .domain)
        guard let key = try value(of: name, { $0.string ?? $0["key"]?.string }) else { return .all }
        guard let domain = SearchDomain(key) else {
            let names = ["all", "name", "formula", "condition"]
            throw Fault(message: "there is no search domain \(key)" + suggestion(for: key, among: names))
        }
        return domain
    }

    func sort() throws(Fault) -> SortKey? {
        guard let key = try value(of: .sort, \.string), !key.isEmpty, key != "number" else { return nil }
        guard let sort = SortKey(key) else {
            let names = ["number", "name", "formula", "mass"]
            throw Fault(message: "there is no sort key \(key)" + suggestion(for: key, among: names))
        }
        return sort
    }
}
