import Chemopen
import Synchronization

/// A client of the browse protocol: it reads, searches, changes and follows the collections of a server, the files in a
/// viewer, or local files.
///
///     let client = try BrowseClient("https://chem.example.org")
///     for category in try await client.categories().rows { print(category.title) }
///     for hit in try await client.search("ascorbic").rows { print(hit.title, hit.summary) }
///
/// The client runs `chemopen-fetch`, which uses the network, or `chemopen browse`; this process opens no socket. Several
/// tasks can use a client at once. If a task is cancelled, its request ends.
public final class BrowseClient: Sendable {
    private enum Place: Sendable {
        case server(Address, token: String?)
        case files([LocalPath])
    }

    private let place: Place
    /// The running programs without a request.
    private let idle = Guarded<[LineProgram]>([])
    private static let mostIdle = 4
    private static let longestReply = 512 << 20

    /// Creates a client for a server, such as `https://chem.example.org`, or for the address of a viewer's page.
    ///
    /// - Parameter token: The token of a reader; `nil` uses the one that `chemopen login` has stored in the keyring.
    /// - Throws: `BrowseError` if the address or the token is not valid.
    public init(_ address: String, token: String? = nil) throws(BrowseError) {
        if token?.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) == true {
            throw BrowseError(.refused, "the token contains a blank or a control character")
        }
        do throws(Address.Refusal) {
            place = .server(try Address(address), token: token)
        } catch {
            // The message does not contain the address because it may contain a password.
            throw BrowseError(.refused, "the address \(error.description)")
        }
    }

    /// Creates a client for local files. They are read-only.
    public init(files: [LocalPath]) { place = .files(files) }

    /// Whether the data is on this machine, so checking for changes often costs little.
    private var isLocal: Bool {
        switch place {
        case .server(let address, _): address.isOfThisMachine
        case .files: true
        }
    }

    // MARK: Requests

    /// Sends any request of the protocol.
    ///
    ///     let client = try BrowseClient("https://chem.example.org")
    ///     let answer = try await client.send(["request": "STATISTICS", "facts": ["mass"]])
    ///     print(answer["rows"]?.array?.count ?? 0)
    ///
    /// - Returns: The response, which can be incomplete if its member `complete` is `false`.
    /// - Throws: `BrowseError` if the request is refused, if there is no response, or if the task is cancelled.
    public func send(_ request: JSONValue) async throws(BrowseError) -> JSONValue {
        let line = Array((request.text + "\n").utf8)
        let result: Result<JSONValue, BrowseError> = await onOwnThread { signal in
            Result { () throws(BrowseError) in try self.answer(to: line) { signal.isSet.load(ordering: .relaxed) } }
        }
        return try result.get()
    }

    private func answer(to line: [UInt8], _ isCancelled: @escaping () -> Bool) throws(BrowseError) -> JSONValue {
        if isCancelled() { throw BrowseError(.cancelled, "the request was cancelled") }
        let program: LineProgram
        if let known = idle.change({ $0.popLast() }) { program = known } else { program = try start() }
        let reply: [UInt8]?
        do throws(FileError) {
            reply = try program.answer(to: line, isCancelled)
        } catch {
            if isCancelled() { throw BrowseError(.cancelled, "the request was cancelled") }
            throw BrowseError(.unavailable, "the response cannot be read: \(error.explanation)")
        }
        guard let reply else { throw BrowseError(.unavailable, "the program ended without a response") }
        let response = try response(reply)
        // A program that failed or was cancelled ends when it is released.
        idle.change { if $0.count < Self.mostIdle { $0.append(program) } }
        if let message = response["error"]?.string { throw BrowseError(.refused, message, response) }
        return response
    }

    private func start() throws(BrowseError) -> LineProgram {
        do throws(FetchProgram.Missing) {
            switch place {
            case .server(let address, let token):
                let program = LineProgram(try FetchProgram.start(), longest: Self.longestReply)
                program.tell("address \(address.text)\n" + (token.map { "token \($0)\n" } ?? "") + "browse\n")
                return program
            case .files(let files):
                guard let path = helperProgram("chemopen") else {
                    throw FetchProgram.Missing("browsing local files requires the program chemopen")
                }
                let words: [LocalPath] =
                    ["chemopen", "browse", "--json", "--"] + files.map { $0.absolute(from: currentFolder()) }
                do throws(FileError) {
                    let started = try StartedProgram(path, words.map(\.bytes), environment: currentEnvironment)
                    return LineProgram(started, longest: Self.longestReply)
                } catch {
                    throw FetchProgram.Missing("chemopen cannot be started: \(error.explanation)")
                }
            }
        } catch {
            throw BrowseError(.unavailable, error.description)
        }
    }

    /// Parses a reply: the response of `chemopen browse`, or a line of `chemopen-fetch`.
    private func response(_ reply: [UInt8]) throws(BrowseError) -> JSONValue {
        var json = reply
        if case .server = place {
            let space = reply.firstIndex(of: UInt8(ascii: " ")) ?? reply.endIndex
            let rest = Array(reply[space...].dropFirst())
            switch String(decoding: reply[..<space], as: UTF8.self) {
            case "response": json = rest
            case "offline": throw BrowseError(.unavailable, String(decoding: rest, as: UTF8.self))
            default: throw BrowseError(.refused, String(decoding: rest, as: UTF8.self))
            }
        }
        guard let response = JSONValue(json), response.object != nil else {
            throw BrowseError(.unavailable, "the response is not of the browse protocol")
        }
        return response
    }

    /// Sends a request for a table and repeats it until the rows are complete.
    func page(_ members: [String: JSONValue]) async throws(BrowseError) -> BrowsePage {
        while true {
            let page = BrowsePage(try await send(.object(members)))
            if page.isComplete || page.rows.count >= members["count"]?.count ?? .max { return page }
            try await Self.sleep(milliseconds: 200)
        }
    }

    private static func sleep(milliseconds: Int) async throws(BrowseError) {
        do {
            try await Task.sleep(for: .milliseconds(milliseconds))
        } catch {
            throw BrowseError(.cancelled, "the request was cancelled")
        }
    }

    // MARK: Reading

    /// Returns the preferences of the server by their key, such as `SEARCH_DOMAINS`.
    ///
    /// - Throws: `BrowseError` as `send` does.
    public func preferences() async throws(BrowseError) -> [String: JSONValue] {
        let keys = JSONValue.array(Preferences.allKeys.map { .string($0) })
        let rows = try await send(["request": "CLIENT_PREFS", "keys": keys, "wait": false])["rows"]?.array ?? []
        let pairs = rows.compactMap { row in row.array.flatMap { $0.count == 2 ? ($0[0].string ?? "", $0[1]) : nil } }
        return Dictionary(pairs) { _, last in last }
    }

    /// Returns the categories, or the files if there are no categories.
    ///
    /// - Throws: `BrowseError` as `send` does.
    public func categories() async throws(BrowseError) -> BrowsePage { try await page(["request": "NAVIGATION"]) }

    /// Returns a page of the records of a category, or of all categories.
    ///
    ///     let client = try BrowseClient("https://chem.example.org")
    ///     let first = try await client.records(count: 10, sortedBy: "mass", where: "mass < 500")
    ///
    /// - Parameters:
    ///   - columns: The columns of the rows, such as `SUMMARY` or `PROPERTY:CAS`; `nil` for the default columns.
    ///   - key: The sort key, such as `field:CAS`; `nil` for the order of the file.
    ///   - condition: A condition that all records satisfy.
    /// - Throws: `BrowseError` as `send` does.
    public func records(
        of category: BrowseEntity? = nil, from first: Int = 0, count: Int = 100, columns: [String]? = nil,
        sortedBy key: String? = nil, descending: Bool = false, where condition: String? = nil
    ) async throws(BrowseError) -> BrowsePage {
        var members: [String: JSONValue] = ["request": "ROOT", "descending": .bool(descending)]
        members["from"] = .number(Double(first))
        members["count"] = .number(Double(count))
        members["category"] = category.map { .string($0.reference) }
        members["columns"] = columns.map { .array($0.map { .string($0) }) }
        members["sort"] = key.map { .string($0) }
        members["where"] = condition.map { .string($0) }
        return try await page(members)
    }

    /// Returns a page of the records that contain a text.
    ///
    /// - Parameter domain: The key of a search domain, such as `formula` or `condition`; `nil` searches everything.
    /// - Throws: `BrowseError` as `send` does.
    public func search(
        _ text: String, in domain: String? = nil, from first: Int = 0, count: Int = 100, columns: [String]? = nil
    ) async throws(BrowseError) -> BrowsePage {
        var members: [String: JSONValue] = ["request": "SEARCH", "searchtext": .string(text)]
        members["from"] = .number(Double(first))
        members["count"] = .number(Double(count))
        members["searchdomain"] = domain.map { .string($0) }
        members["columns"] = columns.map { .array($0.map { .string($0) }) }
        return try await page(members)
    }

    /// Returns the children of entities, and their children.
    ///
    /// - Throws: `BrowseError` as `send` does.
    public func children(of entities: [BrowseEntity]) async throws(BrowseError) -> BrowsePage {
        try await page(["request": "DRILL", "entities": .array(entities.map(\.key))])
    }

    /// Returns entities with their pictures and properties.
    ///
    /// - Throws: `BrowseError` as `send` does.
    public func details(of entities: [BrowseEntity]) async throws(BrowseError) -> BrowsePage {
        try await page(["request": "DETAIL", "entities": .array(entities.map(\.key))])
    }

    // MARK: Changes

    /// Changes a record, or inserts records into a file. All edits are saved, or none.
    ///
    ///     let client = try BrowseClient("https://chem.example.org")
    ///     let record = try await client.search("ascorbic").rows[0]
    ///     let saved = try await client.change(record, [.set("BP", "553"), .title("vitamin C")])
    ///     if let token = saved.undo { _ = try await client.undo(token) }
    ///
    /// - Returns: The changed records, and a token for `undo`.
    /// - Throws: `BrowseError` if someone else has changed the record in the meantime, or if changes are not permitted.
    public func change(_ entity: BrowseEntity, _ edits: [BrowseEdit]) async throws(BrowseError) -> BrowsePage {
        let members: [String: JSONValue] = [
            "request": "CHANGE", "entities": .array([entity.key]), "edits": .array(edits.map(\.json)),
        ]
        return BrowsePage(try await send(.object(members)))
    }

    /// Restores the state before a change.
    ///
    /// - Returns: The restored records, and a token that repeats the change.
    /// - Throws: `BrowseError` if the records have been changed again.
    public func undo(_ token: String) async throws(BrowseError) -> BrowsePage {
        BrowsePage(try await send(["request": "CHANGE", "undo": .string(token)]))
    }

    /// Follows changes of categories and records that anyone makes after this call.
    ///
    ///     let client = try BrowseClient("https://chem.example.org")
    ///     for try await event in try await client.follow() { print(event.kind, event.entity.title) }
    ///
    /// - Parameter interval: How often to check. By default, twice a second if the data is on this machine, otherwise as
    ///   often as the server requests.
    /// - Throws: `BrowseError` if the present state cannot be read.
    public func follow(every interval: Duration? = nil) async throws(BrowseError) -> BrowseEvents {
        var seconds = 0.5
        if interval == nil, !isLocal {
            seconds = max(1, try await preferences()["ROOT_SET_REFRESH_INTERVAL"]?.number ?? 5)
        }
        var watch = BrowseWatch(self)
        _ = try await watch.look()
        return BrowseEvents(watch: watch, interval: interval ?? .seconds(seconds))
    }
}

/// A running program that returns a line for each line that it reads. It ends when this value is released.
private final class LineProgram: Sendable {
    private let program: StartedProgram
    private let lines: Guarded<ProgramLines>

    init(_ program: StartedProgram, longest: Int) {
        self.program = program
        lines = Guarded(ProgramLines(program.output, longest: longest))
    }

    /// Writes lines. If the program has ended, its missing output is the error.
    func tell(_ text: String) { try? writeAll(Array(text.utf8), to: program.input) }

    func answer(to line: [UInt8], _ isCancelled: @escaping () -> Bool) throws(FileError) -> [UInt8]? {
        try? writeAll(line, to: program.input)
        return try lines.change { lines in
            Result { () throws(FileError) in try lines.next(isCancelled) }
        }.get()
    }

    deinit {
        closeDescriptor(program.input)
        program.process.end()
        closeDescriptor(program.output)
    }
}
