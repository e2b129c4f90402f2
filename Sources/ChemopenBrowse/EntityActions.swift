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

    /// Opens a private copy of an entity in a program.
    ///
    /// - Parameter request: `{"PERM_ID":"…","program":"avogadro2.desktop"}`.
    /// - Returns: a JSON object with the program's name and the losses, or with an `error`.
    public func open(_ request: [UInt8]) -> [UInt8] {
        var json = JSON()
        do throws(EntityError) {
            let asked = JSONValue(request)
            let entities = try entities(asked)
            let registry = HandlerRegistry(.current)
            guard let name = asked?["program"]?.string, let handler = registry.handler(name),
                !registry.ownIDs.contains(handler.id)
            else { throw EntityError(message: "there is no such program") }
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
            }
        } catch {
            json.object { $0.field("error", error.message) }
        }
        return json.bytes
    }

    private func entity(_ json: JSONValue?) throws(EntityError) -> Entity {
        guard let text = json?["PERM_ID"]?.string, let id = EntityID(text), let entity = find(id) else {
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
            guard let text = one.string, let id = EntityID(text), let entity = find(id) else {
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
