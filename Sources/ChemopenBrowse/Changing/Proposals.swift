import Chemopen

/// Changes that readers propose. Each one is a file in `.chemopen/proposals` of the served directory until a reader with
/// the right `write` accepts or refuses it.
struct Proposals {
    typealias Fault = BrowseRequest.Fault

    /// A proposed change of a record or file.
    struct Proposal {
        let id: String
        let author: String
        let date: String
        /// The path of the file in the served directory.
        let file: String
        let entity: EntityID
        let reference: String?
        let edits: [JSONValue]
        /// The change of each record as text, when it was proposed.
        let lines: [String]
    }

    private let service: BrowseService
    private let folder: LocalPath

    private static let most = 1000
    private static let mostOfOne = 100
    private static let largest = 1 << 20

    init(_ service: BrowseService) throws(Fault) {
        guard let served = service.folder else { throw Fault(message: "only chemopen serve has proposals") }
        self.service = service
        folder = served.path.appending(".chemopen").appending("proposals")
    }

    // MARK: Requests

    /// Answers a `PROPOSALS` request.
    func list(to json: inout JSON) {
        let proposals = visible()
        json.field("headers", ["PROPOSAL", "DATE", "AUTHOR", "PERM_ID", "FILE", "EDITS", "CHANGES"])
        json.key("rows")
        json.array { json in
            for proposal in proposals {
                json.array { json in
                    for text in [proposal.id, proposal.date, proposal.author, proposal.entity.text, proposal.file] {
                        json.string(text)
                    }
                    json.array { json in for edit in proposal.edits { json.value(edit) } }
                    json.array { json in for line in proposal.lines { json.string(line) } }
                }
            }
        }
        json.field("total", proposals.count)
        json.field("complete", true)
    }

    /// Stores a proposal.
    ///
    /// - Parameter changes: the changes that it would make now.
    func add(
        _ changes: ChangeSet, _ request: BrowseRequest, _ file: BrowsedFile, by reader: Reader, to json: inout JSON
    ) throws(Fault) {
        let names = names()
        let own = names.lazy.compactMap { read($0) }.count { $0.author == reader.name }
        guard names.count < Self.most, own < Self.mostOfOne, let entity = request.entities.first else {
            throw Fault(message: "there are too many pending proposals")
        }
        let id = String(Secret().text.prefix(16))
        let lines = changes.changes.map(\.description)
        var text = JSON()
        text.object { json in
            json.field("author", reader.name)
            json.field("date", localTime(currentTime()))
            json.field("file", file.name)
            json.field("entity", entity.text)
            if let reference = request.references[entity.text] { json.field("reference", reference) }
            json.key("edits")
            json.array { json in for edit in request.edits ?? [] { json.value(edit) } }
            json.field("changes", lines)
        }
        do throws(FileError) {
            for place in [folder.folder, folder] where EntryStatus(place)?.isFolder != true {
                _ = try makePrivateFolder(place)
            }
            try writePrivateFile(text.bytes, to: path(id))
        } catch {
            throw Fault(message: "the proposal cannot be stored: \(error.reason)")
        }
        service.recorder?.note("proposal \(id) by \(reader.name): \(file.name): " + lines.joined(separator: "; "))
        json.field("headers", ["PERM_ID", "REFCON", "CHANGE", "RECORD", "NAME", "PARTS"])
        json.field("rows", [String]())
        json.field("total", 0)
        json.field("complete", true)
        json.field("category", file.stateName)
        json.field("proposal", id)
        json.field("note", "the change is proposed; a reader with the right to write can accept it")
    }

    /// Accepts or refuses a proposal.
    func decide(_ request: BrowseRequest, to json: inout JSON) throws(Fault) {
        let id = request.accepted ?? request.refused ?? ""
        guard let reader = service.reader, let proposal = visible().first(where: { $0.id == id }),
            let file = service.files.first(where: { $0.name == proposal.file })
        else { throw Fault(message: "there is no proposal \(id)") }
        guard reader.right == .write || request.accepted == nil && reader.name == proposal.author else {
            throw .forbidden("your token does not permit this")
        }
        if request.accepted != nil {
            let operations = try RecordOperation.list(proposal.edits)
            let changes = FileChanges(service: service)
            try changes.permit(operations, in: file)
            try changes.make(
                FileChanges.Change(id: proposal.entity, reference: proposal.reference, operations: operations),
                in: file,
                by: FileChanges.Origin(author: proposal.author, acceptedBy: reader.name), to: &json)
        } else {
            json.field("headers", [String]())
            json.field("rows", [String]())
            json.field("total", 0)
            json.field("complete", true)
            service.recorder?.note("proposal \(id) by \(proposal.author): refused by \(reader.name)")
        }
        removeEntry(path(id))
    }

    // MARK: Files

    private func path(_ id: String) -> LocalPath { folder.appending(LocalPath(id + ".json")) }

    private func names() -> [String] {
        guard EntryStatus(folder)?.isFolder == true, EntryStatus(folder.folder)?.isFolder == true else { return [] }
        return ((try? folderEntries(folder)) ?? []).filter { $0.hasSuffix(".json") }.map {
            String($0.shown.dropLast(5))
        }
    }

    /// Returns the proposals that the reader can see: with the right to write all of its collections, otherwise its own.
    private func visible() -> [Proposal] {
        guard let reader = service.reader else { return [] }
        let files = Set(service.files.map(\.name))
        return names().compactMap { read($0) }.filter { proposal in
            files.contains(proposal.file) && (reader.right == .write || proposal.author == reader.name)
        }.sorted { ($0.date, $0.id) < ($1.date, $1.id) }
    }

    private func read(_ id: String) -> Proposal? {
        let path = path(id)
        guard EntryStatus(path)?.isRegular == true, let bytes = try? readFile(path, limit: Self.largest),
            let json = JSONValue(bytes), let author = json["author"]?.string, let date = json["date"]?.string,
            let file = json["file"]?.string, let entity = json["entity"]?.string.flatMap({ EntityID(text: $0) }),
            let edits = json["edits"]?.array
        else { return nil }
        return Proposal(
            id: id, author: author, date: date, file: file, entity: entity, reference: json["reference"]?.string,
            edits: edits, lines: json["changes"]?.array?.compactMap(\.string) ?? [])
    }
}

extension JSON {
    /// Writes a parsed value. Its nesting is limited by the parser.
    fileprivate mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .number(let number):
            if let whole = Int(exactly: number) { self.number(whole) } else { self.number(number) }
        case .string(let text): string(text)
        case .array(let values): array { json in for value in values { json.value(value) } }
        case .object(let members):
            object { json in
                for name in members.keys.sorted() {
                    json.key(text: Text(name))
                    if let member = members[name] { json.value(member) }
                }
            }
        }
    }
}
