import ChemopenBytes
import ChemopenModel

/// A member of a JSON object: its key, its type, and its representation in the model.
///
/// A new member needs only a row in a form: the writer, the reader and the schema iterate over the rows. Rows are
/// classes to make copies cheap, like the rows of the tables of terms.
final class JSONTerm<Owner: Sendable>: Sendable {
    let key: StaticString
    private let makeShape: @Sendable () -> JSONShape
    let write: @Sendable (Owner, inout JSON) -> Void
    let read: @Sendable (inout JSONCursor, inout Owner) throws(Fault) -> Void

    init(
        _ key: StaticString, _ shape: @escaping @autoclosure @Sendable () -> JSONShape,
        write: @escaping @Sendable (Owner, inout JSON) -> Void,
        read: @escaping @Sendable (inout JSONCursor, inout Owner) throws(Fault) -> Void
    ) {
        self.key = key
        makeShape = shape
        self.write = write
        self.read = read
    }

    /// The type of the value, which only the schema needs.
    var shape: JSONShape { makeShape() }

    convenience init<Value: JSONCoded>(
        _ key: StaticString, get: @escaping @Sendable (Owner) -> Value,
        set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.init(key, Value.shape) { owner, json in
            let value = get(owner)
            guard value.isSaid else { return }
            json.key(key)
            value.write(to: &json)
        } read: { json, owner throws(Fault) in
            set(&owner, try Value.read(&json))
        }
    }

    /// Creates a member for a number that is omitted if it is 0.
    convenience init(
        _ key: StaticString, in range: ClosedRange<Int>, get: @escaping @Sendable (Owner) -> Int,
        set: @escaping @Sendable (inout Owner, Int) -> Void
    ) {
        self.init(key, .whole) { owner, json in
            let value = get(owner)
            if value != 0 { json.field(key, value) }
        } read: { json, owner throws(Fault) in
            set(&owner, try json.integer(in: range))
        }
    }

    convenience init<Value: JSONCoded>(_ key: StaticString, _ path: WritableKeyPath<Owner, Value> & Sendable) {
        self.init(key, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }
}

/// The members of an object, in writing order.
struct JSONForm<Owner: Sendable>: Sendable {
    let terms: [JSONTerm<Owner>]

    init(_ terms: [JSONTerm<Owner>]) {
        self.terms = terms
    }

    /// Returns the form with only these keys.
    func only(_ keys: Set<String>) -> JSONForm { JSONForm(terms.filter { keys.contains($0.key.description) }) }

    /// Returns the form without some keys.
    func except(_ keys: Set<String>) -> JSONForm { JSONForm(terms.filter { !keys.contains($0.key.description) }) }

    func write(_ owner: Owner, to json: inout JSON) {
        json.object { json in
            for term in terms { term.write(owner, &json) }
        }
    }

    func read(_ json: inout JSONCursor, into owner: inout Owner) throws(Fault) {
        // Usually, keys are in the order of the rows.
        var expected = 0
        try json.object { json, name throws(Fault) in
            guard let place = place(of: name, in: json, from: expected) else { return try json.pass(unknown: name) }
            expected = place + 1
            try terms[place].read(&json, &owner)
        }
    }

    private func place(of name: JSONName, in json: JSONCursor, from expected: Int) -> Int? {
        for place in expected..<max(expected, terms.count) where json.isName(name, terms[place].key) { return place }
        for place in 0..<min(expected, terms.count) where json.isName(name, terms[place].key) { return place }
        return nil
    }
}

/// A part of the model that is written as a JSON object.
protocol JSONObject: JSONCoded {
    /// The name of the object in the schema.
    static var schemaName: String { get }
    static var form: JSONForm<Self> { get }
    /// The object before its first member is read.
    static var blank: Self { get }
}

extension JSONObject {
    static var shape: JSONShape { .object(schemaName) }

    func write(to json: inout JSON) { Self.form.write(self, to: &json) }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Self {
        var object = blank
        try form.read(&json, into: &object)
        return object
    }
}
