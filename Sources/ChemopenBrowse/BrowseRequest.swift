import Chemopen

/// What is asked of the service, in one line of JSON.
struct BrowseRequest: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case preferences = "CLIENT_PREFS"
        case navigation = "NAVIGATION"
        case root = "ROOT"
        case drill = "DRILL"
        case detail = "DETAIL"
        case search = "SEARCH"
    }

    /// An entity as the client names it.
    struct Reference: Sendable {
        let id: EntityID
    }

    let kind: Kind
    var entities: [Reference] = []
    var columns: [EntityColumn]?
    /// Which rows of a long list.
    var first = 0
    var count = Self.usualCount
    var text = ""
    var domain = SearchDomain.all
    var sort: SortKey?
    var isDescending = false
    var isDark = false
    /// An answer comes when it is there, or, with this, at once with what there is.
    var isPatient = true

    static let usualCount = 100
    static let largestCount = 1000

    /// Why a request is none.
    struct Fault: Error, Sendable {
        let message: String
    }

    init(_ json: JSONValue) throws(Fault) {
        guard let name = json["request"]?.string, let kind = Kind(rawValue: name) else {
            let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(message: "\"request\" has to be one of \(names)")
        }
        self.kind = kind
        for entity in json["entities"]?.array ?? [] {
            guard let text = entity["PERM_ID"]?.string ?? entity.string, let id = EntityID(text) else {
                throw Fault(message: "an entity has to have a PERM_ID as an answer gave it")
            }
            entities.append(Reference(id: id))
        }
        if let names = json["columns"]?.array {
            var columns: [EntityColumn] = []
            for name in names {
                guard let name = name.string, let column = EntityColumn(name) else {
                    throw Fault(message: "there is no column \(name.string ?? "of that kind")")
                }
                columns.append(column)
            }
            self.columns = EntityColumn.completed(columns)
        }
        first = json["from"]?.count ?? 0
        count = min(json["count"]?.count ?? Self.usualCount, Self.largestCount)
        text = json["text"]?.string ?? ""
        if let key = json["domain"]?.string {
            guard let domain = SearchDomain(key) else { throw Fault(message: "there is no search domain \(key)") }
            self.domain = domain
        }
        if let key = json["sort"]?.string, !key.isEmpty, key != "number" {
            guard let sort = SortKey(key) else { throw Fault(message: "there is no order by \(key)") }
            self.sort = sort
        }
        isDescending = json["descending"]?.bool ?? false
        isDark = json["dark"]?.bool ?? false
        isPatient = json["wait"]?.bool ?? true
    }

    /// The columns to answer.
    var answeredColumns: [EntityColumn] {
        columns ?? (kind == .detail ? EntityColumn.ofDetails : EntityColumn.ofLists)
    }

    var style: Picture.Style { Picture.Style(isDark ? .dark : .light) }
}
