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
        case proposals = "PROPOSALS"
        case statistics = "STATISTICS"
        case pattern = "PATTERN"
        case export = "EXPORT"
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
    /// A condition that all listed records satisfy, in addition to the searched text.
    var condition = ""
    var sort: [SortTerm] = []
    var isDescending = false
    /// A pattern whose matches are highlighted in pictures.
    var highlight: SMARTSPattern?
    /// Whether the atoms that differ from those of the first entity are highlighted in pictures.
    var compares = false
    /// The fields and computed facts of statistics; `nil` for all fields.
    var fields: [String]?
    var facts: [String] = []
    /// The ID of the format to export.
    var format = ""
    var isDark = false
    /// The format of pictures; `nil` for the default of each column.
    var pictures: PictureForm.Format?
    /// The requested preferences; `nil` for those that every client needs.
    var keys: [String]?
    /// The level of the listed records.
    var level = Level.all
    /// Whether the request names a page of a long list.
    var isPaged = true
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
    /// The proposal to accept or to refuse.
    var accepted: String?
    var refused: String?
    /// Whether to compute a new layout of a sketch.
    var cleans = false
    /// The formats in which to return a sketch.
    var forms: [String] = []
    /// Whether to wait for a complete answer. If not, the answer contains the results so far.
    var isPatient = true

    /// The level of the listed records in the relation that a mapping defines.
    enum Level: String, Sendable, CaseIterable {
        /// All records.
        case all
        /// Records without a parent.
        case top
        /// Records whose parent does not exist.
        case orphans
    }

    static let usualCount = 100
    static let largestCount = 1000
    /// The maximum number of rows of a list without pages.
    static let mostUnpaged = 100_000

    /// The reason why a request is refused.
    struct Fault: Error, Sendable {
        enum Kind: Sendable {
            /// The request is not valid.
            case invalid
            /// The rights of the reader or the mapping do not permit it.
            case forbidden
            /// It is based on a state that is no longer current.
            case conflict
        }

        /// The current state of a record, and the parts that differ from the state on which a request is based.
        struct Current: Sendable {
            let id: String
            let reference: String
            let parts: [RecordChange.PartChange]
        }

        let message: String
        var kind = Kind.invalid
        var current: Current?

        static func forbidden(_ message: String) -> Fault { Fault(message: message, kind: .forbidden) }

        static func conflict(_ message: String, _ current: Current?) -> Fault {
            Fault(message: message, kind: .conflict, current: current)
        }
    }

    /// Whether the request can change files.
    var changesFiles: Bool { kind == .change && (edits != nil || (undo ?? accepted ?? refused) != nil) }

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
        if kind == .root || kind == .search, !members.has(.count), !members.has(.first) {
            (isPaged, count) = (false, Self.mostUnpaged)
        }
        pictures = try members.value(of: .pictures) { $0.string.flatMap(PictureForm.Format.init) }
        level = try members.value(of: .level) { $0.string.flatMap(Level.init) } ?? .all
        keys = try members.names(of: .keys)
        if kind.arguments.contains(.searchtext) {
            text = try members.text(isRequired: kind == .search)
            domain = try members.domain()
        }
        if kind == .pattern { text = try members.text(isRequired: entities.isEmpty) }
        condition = try members.value(of: .condition, \.string) ?? ""
        isDescending = try members.value(of: .descending) { $0.bool } ?? false
        sort = try members.sort(isDescending)
        highlight = try members.highlight()
        compares = try members.value(of: .compares) { $0.bool } ?? false
        fields = try members.names(of: .fields)
        facts = try members.facts()
        format = try members.value(of: .format, \.string) ?? ""
        if kind == .export, format.isEmpty { throw Fault(message: "EXPORT requires \"format\"") }
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
        accepted = try members.value(of: .accept, \.string)
        refused = try members.value(of: .refuse, \.string)
        cleans = try members.value(of: .clean) { $0.bool } ?? false
        let names = try members.value(of: .forms) { $0.array?.map(\.string) } ?? []
        forms = names.compactMap { $0 }
        if forms.count != names.count { throw Fault(message: "\"forms\" must be \(Argument.forms.expectation)") }
    }

    /// The columns of the answer.
    var answeredColumns: [EntityColumn] {
        columns ?? EntityColumn.usual(of: kind)
    }

    var style: Picture.Style { Picture.Style(isDark ? .dark : .light) }

    var pictureForm: PictureForm { PictureForm(style: style, format: pictures) }
}

extension BrowseRequest {
    /// The arguments of requests, with the names of their JSON members.
    enum Argument: String, CaseIterable {
        case request, requestKey, id, entities, category, changedsince, columns, count, text, searchtext, domain,
            searchdomain, sort
        case descending, dark, wait, since, until, author, edits, undo, accept, refuse, clean, forms, highlight,
            compares, fields, facts, format, pictures, level, keys
        case first = "from"
        case condition = "where"

        /// A description of the valid values.
        var expectation: String {
            switch self {
            case .request, .requestKey: "one of " + Kind.allCases.map(\.rawValue).joined(separator: ", ")
            case .id: "a string or a number"
            case .edits: "an array of edits"
            case .undo: "the token of an earlier CHANGE"
            case .accept, .refuse: "a PROPOSAL of PROPOSALS"
            case .forms: "an array of format IDs, such as mol"
            case .clean: "true or false"
            case .entities, .changedsince: #"an array of {"PERM_ID","REFCON"}"#
            case .category: "the REFCON of a category, as NAVIGATION returns it"
            case .columns, .fields, .facts, .keys: "an array of names"
            case .pictures: PictureForm.Format.allCases.map(\.rawValue).joined(separator: " or ")
            case .level: "one of " + Level.allCases.map(\.rawValue).joined(separator: ", ")
            case .first, .count: "a non-negative integer"
            case .text, .searchtext, .since, .until, .author, .format: "a string"
            case .sort: #"a sort key, or an array of sort keys and {"key","descending"}"#
            case .condition: "a condition such as MASS < 500"
            case .highlight: "a SMARTS pattern"
            case .domain, .searchdomain: "null, or a search domain of CLIENT_PREFS or its key"
            case .descending, .dark, .wait, .compares: "true or false"
            }
        }
    }
}

extension BrowseRequest.Kind {
    /// The arguments that the request supports. Other arguments are rejected because ignoring them would hide mistakes.
    var arguments: Set<BrowseRequest.Argument> {
        switch self {
        case .preferences: [.request, .requestKey, .id, .entities, .category, .keys, .wait]
        case .navigation: [.request, .requestKey, .id, .changedsince, .columns, .dark, .pictures, .wait]
        case .root:
            [
                .request, .requestKey, .id, .entities, .category, .changedsince, .columns, .first, .count, .sort,
                .descending, .dark, .pictures, .level, .wait, .condition, .highlight,
            ]
        case .drill:
            [
                .request, .requestKey, .id, .entities, .changedsince, .columns, .first, .count, .dark, .pictures, .wait,
            ]
        case .detail:
            [
                .request, .requestKey, .id, .entities, .changedsince, .columns, .dark, .pictures, .wait, .highlight,
                .compares,
            ]
        case .changes: [.request, .requestKey, .id, .entities, .first, .count, .since, .until, .author, .dark, .wait]
        case .sketch: [.request, .requestKey, .id, .entities, .text, .edits, .clean, .forms, .wait]
        case .change: [.request, .requestKey, .id, .entities, .edits, .undo, .accept, .refuse, .dark, .wait]
        case .proposals: [.request, .requestKey, .id, .wait]
        case .search: Self.root.arguments.union([.text, .searchtext, .domain, .searchdomain])
        case .statistics:
            [
                .request, .requestKey, .id, .entities, .category, .text, .searchtext, .domain, .searchdomain,
                .condition,
                .fields, .facts, .wait,
            ]
        case .pattern: [.request, .requestKey, .id, .entities, .text, .searchtext, .dark]
        case .export: [.request, .requestKey, .id, .entities, .format]
        }
    }

    /// Whether the request requires at least one entity.
    var needsEntities: Bool { self == .drill || self == .detail || self == .changes || self == .export }
}

/// The members of a request by name. A `null` member is treated as missing.
private struct RequestMembers {
    typealias Argument = BrowseRequest.Argument
    typealias Fault = BrowseRequest.Fault

    private let members: [String: JSONValue]

    init(_ json: JSONValue) {
        members = (json.object ?? [:]).filter { $0.value != .null }
    }

    func has(_ argument: Argument) -> Bool { members[argument.rawValue] != nil }

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
            guard let text = entity["PERM_ID"]?.string ?? entity.string, let id = EntityID(text: text) else {
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
            guard let id = entity["PERM_ID"]?.string, EntityID(text: id) != nil,
                let reference = entity["REFCON"]?.string
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

    func text(isRequired: Bool) throws(Fault) -> String {
        let name = try oneOf(.searchtext, .text)
        guard let text = try value(of: name, \.string) else {
            if !isRequired { return "" }
            let kind = try kind()
            let hint = kind == .pattern ? "\"text\" or \"entities\"" : "\"searchtext\""
            throw Fault(message: "\(kind.rawValue) requires \(hint)")
        }
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

    /// Returns the sort keys. Keys after `number` have no effect because no two records have the same number.
    func sort(_ isDescending: Bool) throws(Fault) -> [SortTerm] {
        guard let json = try value(of: .sort, { $0.string != nil || $0.array != nil ? $0 : nil }) else { return [] }
        if let key = json.string {
            if key.isEmpty || key == "number", !isDescending { return [] }
            return [SortTerm(key: try sortKey(key.isEmpty ? "number" : key), isDescending: isDescending)]
        }
        var terms: [SortTerm] = []
        for item in json.array ?? [] {
            guard let key = item.string ?? item["key"]?.string, terms.count < SortTerm.most else {
                throw Fault(message: "\"sort\" must be \(Argument.sort.expectation), at most \(SortTerm.most)")
            }
            let turned = item["descending"]?.bool ?? isDescending
            terms.append(SortTerm(key: try sortKey(key), isDescending: turned))
        }
        if terms.count == 1, terms[0] == SortTerm(key: .number, isDescending: false) { return [] }
        return terms
    }

    private func sortKey(_ key: String) throws(Fault) -> SortKey {
        if let sort = SortKey(key) { return sort }
        let names = ["number", "name", "formula", "mass"] + ComputedFields.names.map { "fact:" + $0 }
        throw Fault(message: "there is no sort key \(key)" + suggestion(for: key, among: names))
    }

    func highlight() throws(Fault) -> SMARTSPattern? {
        guard let text = try value(of: .highlight, \.string), !text.isEmpty else { return nil }
        do throws(SMARTSError) {
            return try SMARTSPattern(text)
        } catch {
            throw Fault(message: "\"highlight\" is not a valid SMARTS pattern: \(error.message)")
        }
    }

    func names(of argument: Argument) throws(Fault) -> [String]? {
        guard let names = try value(of: argument, { $0.array?.map(\.string) }) else { return nil }
        let known = names.compactMap { $0 }
        guard known.count == names.count else {
            throw Fault(message: "\"\(argument.rawValue)\" must be \(argument.expectation)")
        }
        return known
    }

    func facts() throws(Fault) -> [String] {
        let names = try names(of: .facts) ?? []
        do throws(ComputedFields.UnknownName) {
            _ = try ComputedFields(names)
        } catch {
            let hint = suggestion(for: error.name, among: ComputedFields.names)
            throw Fault(message: "there is no computed fact \(error.name)\(hint)")
        }
        return names
    }
}
