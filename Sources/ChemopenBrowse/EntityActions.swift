import Chemopen

/// Actions on a record: saving it in a format, and opening it in a program.
///
/// Requests identify the entity as in the browse protocol, with the format or program as another member:
/// `{"PERM_ID":"…"}`.
extension BrowseService {
    /// Saves an entity.
    ///
    /// - Parameter request: `{"PERM_ID":"…","format":"mol"}`; the format `svg` saves its picture.
    /// - Returns: the file, or the reason why it cannot be saved.
    public func save(_ request: [UInt8]) -> Result<SavedEntity, EntityError> {
        do throws(EntityError) {
            let json = JSONValue(request)
            let entity = try entity(json)
            let id = json?["format"]?.string ?? ""
            if id == "svg" {
                guard let picture = entity.picture(Picture.Style(), .long) else {
                    throw EntityError(message: "there is no structure to draw")
                }
                return .success(
                    SavedEntity(
                        name: "\(entity.fileStem).svg", mimeType: "image/svg+xml", bytes: picture.svg(), losses: []))
            }
            guard let format = entity.saveFormats.first(where: { $0.id == id }) else {
                throw EntityError(message: "this cannot be saved as \"\(id)\"")
            }
            return .success(try entity.saved(as: format))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the programs and formats for an entity.
    ///
    /// With `PERM_IDS`, an array, the programs open several records at once.
    ///
    /// - Returns: JSON in this form: `{"programs":[{"id","name","reason"}],"formats":[{"id","name"}]}`.
    public func programs(_ request: [UInt8]) -> [UInt8] {
        var json = JSON()
        do throws(EntityError) {
            try entities(JSONValue(request)).writeChoices(to: &json)
        } catch {
            json.object { $0.field("error", error.message) }
        }
        return json.bytes
    }

    /// Opens a private copy of an entity in a program. If the entity is a record of a file that can be edited, the
    /// structure that the program saves is merged into the file.
    ///
    /// - Parameter request: `{"PERM_ID":"…","program":"avogadro2.desktop"}`.
    /// - Returns: a JSON object with the program's name, the losses of the copy and whether saved copies are merged
    ///   (`merges`), or with an `error`.
    public func open(_ request: [UInt8]) -> [UInt8] {
        var json = JSON()
        do throws(EntityError) {
            let asked = JSONValue(request)
            let entities = try entities(asked)
            let registry = HandlerRegistry(.current)
            guard let name = asked?["program"]?.string, let handler = registry.handler(name),
                !registry.ownIDs.contains(handler.id)
            else { throw EntityError(message: "there is no such program") }
            if entities.count == 1, let entity = entities.first, let losses = edit(entity, in: handler, registry) {
                json.object { json in
                    json.field("opened", handler.name)
                    json.field("losses", losses.map { $0.feature.name })
                    json.field("merges", true)
                }
                return json.bytes
            }
            let handoff = try entities.handoff()
            let losses: [Loss]
            do throws(OpenError) {
                losses = try handoff.open(in: handler, registry).losses
            } catch {
                throw EntityError(message: error.description)
            }
            json.object { json in
                json.field("opened", handler.name)
                json.field("losses", losses.map { $0.feature.name })
                json.field("merges", false)
            }
        } catch {
            json.object { $0.field("error", error.message) }
        }
        return json.bytes
    }

    /// Opens a copy of a record in a program, and merges what the program saves into the file.
    ///
    /// - Returns: the losses of the copy, or `nil` if the record cannot be edited in this way.
    private func edit(_ entity: Entity, in handler: Handler, _ registry: HandlerRegistry) -> [Loss]? {
        guard case .record(let record) = entity.kind, !entity.file.isServed, fileKind(entity.file.path) == .regular,
            let session = try? EditSession(of: entity.file.path, record: record.number, for: handler, registry)
        else { return nil }
        guard let launch = try? FileOpener(registry).launch(handler, on: [session.copy]),
            let running = try? launch.start()
        else {
            session.close()
            return nil
        }
        let (losses, copy) = (session.losses, session.copy)
        onThread { [session] in
            var session = session
            session.watch(running.children) { result in
                let message: UserNotification
                switch result {
                case .success(let merged) where merged.kept.isEmpty: return
                case .success(let merged):
                    message = UserNotification(
                        "The saved structure was merged", "Kept: " + merged.kept.prefix(5).joined(separator: ", "),
                        isError: false)
                case .failure(let error):
                    message = UserNotification(
                        "The saved structure was not merged", "\(error)\nIt remains in \(copy.shown)",
                        isError: true)
                }
                _ = message.show(in: registry.session)
            }
            session.close()
        }
        return losses
    }

    private func entity(_ json: JSONValue?) throws(EntityError) -> Entity {
        guard let text = json?["PERM_ID"]?.string, let id = EntityID(text: text), let entity = find(id) else {
            throw EntityError(message: "the record no longer exists")
        }
        return entity
    }

    /// Returns the entity of a request, or several of them.
    private func entities(_ json: JSONValue?) throws(EntityError) -> [Entity] {
        guard let list = json?["PERM_IDS"]?.array else { return [try entity(json)] }
        guard list.count <= BrowseRequest.largestCount else {
            throw EntityError(message: "at most \(BrowseRequest.largestCount) records can be opened at once")
        }
        var found: [Entity] = []
        for one in list {
            guard let text = one.string, let id = EntityID(text: text), let entity = find(id) else {
                throw EntityError(message: "the record no longer exists")
            }
            found.append(entity)
        }
        return found
    }
}

extension [Entity] {
    /// Writes the programs that can open the entities, and the formats in which the first one can be saved.
    fileprivate func writeChoices(to json: inout JSON) throws(EntityError) {
        guard let entity = first else { throw EntityError(message: "there is no record to open") }
        let formats = entity.saveFormats
        let choices = (try? handoff())?.plan(HandlerRegistry(.current)).choices ?? []
        json.object { json in
            json.key("programs")
            json.array { json in
                for choice in choices {
                    guard let handler = choice.handler else { continue }
                    json.object { json in
                        json.field("id", handler.id)
                        json.field("name", handler.name)
                        json.field("reason", choice.reason)
                    }
                }
            }
            json.key("formats")
            json.array { json in
                for format in formats {
                    json.object { json in
                        json.field("id", format.id)
                        json.field("name", format.name)
                        json.field("file", "\(entity.fileStem).\(format.extensions.first ?? "out")")
                    }
                }
                if entity.picture(Picture.Style()) != nil {
                    json.object { json in
                        json.field("id", "svg")
                        json.field("name", "SVG picture")
                        json.field("file", "\(entity.fileStem).svg")
                    }
                }
            }
        }
    }

    /// Returns a transfer of the entities to another program.
    fileprivate func handoff() throws(EntityError) -> Handoff {
        let records = compactMap(\.asRecord)
        guard let entity = first, !records.isEmpty else {
            throw EntityError(message: "there is no record to open")
        }
        do throws(OpenError) {
            let name = records.count == 1 ? entity.fileStem : "\(records.count)-records"
            return try Handoff(records, named: name)
        } catch {
            throw EntityError(message: error.description)
        }
    }
}

extension Source {
    /// Creates a source that contains an entity of a service as a file. The bytes are created each time they are read.
    ///
    ///     let service = BrowseService(["a.sdf"])
    ///     let source = Source(entity: "a1b2-1-0", of: service, as: .molfile)
    ///     _ = try Conversion(to: .sketchEl).run([source], to: .file("one.el"))
    public init(entity id: String, of service: BrowseService, as format: Format) {
        let name = LocalPath("\(id).\(format.extensions.first ?? format.id)")
        var request = JSON()
        request.object { json in
            json.field("PERM_ID", id)
            json.field("format", format.id)
        }
        self.init(named: name) { [bytes = request.bytes] () throws(FileError) in
            switch service.save(bytes) {
            case .success(let saved): return saved.bytes
            case .failure(let error): throw FileError(name, .notFetched(error.message))
            }
        }
    }
}
