import Chemopen

/// Changes of files by `CHANGE`.
///
/// A change names the state that it is based on: the `REFCON` of the file or of the record, which contains a fingerprint
/// of its bytes. The file is locked, read again and compared with that state. If the record has been
/// changed by an earlier request, the changes of both are merged unless they concern the same part, so a change never
/// overwrites another one.
struct FileChanges {
    private typealias Fault = BrowseRequest.Fault

    let service: BrowseService

    /// The author of a change, and the reader who accepted it if it was a proposal.
    struct Origin {
        let author: String
        var acceptedBy: String?
    }

    /// Edits of a record or of the list of records in a file.
    struct Change {
        let id: EntityID
        /// The `REFCON` of the entity.
        let reference: String?
        let operations: [RecordOperation]
    }

    private static let deleted = "the record has been deleted or changed in the meantime; load it again"

    /// Answers a `CHANGE` request.
    func answer(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) {
        guard service.allowsChanges else {
            throw Fault(message: "CHANGE is supported only in the viewer and by chemopen serve")
        }
        if [request.undo, request.accepted, request.refused].count(where: { $0 != nil }) > 0 {
            guard request.entities.isEmpty, request.edits == nil else {
                throw Fault(message: "\"undo\", \"accept\" and \"refuse\" cannot be combined with other changes")
            }
            if let token = request.undo { return try undo(token, to: &json) }
            return try Proposals(service).decide(request, to: &json)
        }
        guard request.entities.count == 1, let id = request.entities.first else {
            throw Fault(message: "CHANGE requires one entity")
        }
        let file = try target(id)
        guard let edits = request.edits else { return writeSupport(of: id, in: file, to: &json) }
        guard !edits.isEmpty else { throw Fault(message: "CHANGE requires at least one edit") }
        let change = Change(
            id: id, reference: request.references[id.text], operations: try RecordOperation.list(edits))
        try permit(change.operations, in: file)
        if let reader = service.reader, reader.right == .propose {
            // A proposal that cannot be applied now is refused at once.
            let (made, _, _, _) = try apply(change, to: file)
            return try Proposals(service).add(made, request, file, by: reader, to: &json)
        }
        try make(change, in: file, by: service.reader.map { Origin(author: $0.name) }, to: &json)
    }

    /// Returns the file that an entity belongs to. New records of a category are added to its first file.
    private func target(_ id: EntityID) throws(BrowseRequest.Fault) -> BrowsedFile {
        if id.isRecord {
            guard case .found(let file, _) = service.locate(id, isPatient: true) else {
                throw .conflict(Self.deleted, nil)
            }
            return file
        }
        if let file = service.category(id, isPatient: false)?.members.first?.file { return file }
        return try service.file(id)
    }

    /// Checks whether the reader can change a file in this way.
    func permit(_ operations: [RecordOperation], in file: BrowsedFile) throws(BrowseRequest.Fault) {
        guard let reader = service.reader else {
            guard file.isOwnFile else {
                throw Fault(message: "\(file.name) is not a local file and cannot be changed")
            }
            return
        }
        if reader.right == .read { throw .forbidden("your token permits only reading") }
        if let reason = file.servedRefusal { throw .forbidden(reason) }
        for operation in operations {
            if let fault = file.permittedChanges.refusal(of: operation) { throw fault }
        }
    }

    /// Makes changes, and answers with the result.
    func make(
        _ change: Change, in file: BrowsedFile, by origin: Origin?, to json: inout JSON
    ) throws(BrowseRequest.Fault) {
        let (made, collection, losses, isMerged) = try apply(change, to: file)
        try save(made, of: file, collection, by: origin, to: &json)
        if isMerged { json.field("merged", true) }
        if !losses.isEmpty { json.field("losses", losses.map { "\($0)" }) }
    }

    // MARK: Edits

    private typealias Applied = (changes: ChangeSet, collection: RecordCollection, losses: [Loss], isMerged: Bool)

    /// Applies edits to the current state of a file, which stays locked until the returned collection is released.
    private func apply(_ change: Change, to file: BrowsedFile) throws(BrowseRequest.Fault) -> Applied {
        var collection = try file.editableCollection()
        // The lock may have waited for another program.
        service.refresh(file)
        if service.reader != nil { service.recorder?.commitOtherChanges(of: file.path, named: file.name) }
        if change.id.isRecord { return try edit(change, file, collection) }
        var losses: [Loss] = []
        let changes = try insert(change, file, &collection, &losses)
        return (changes, collection, losses, false)
    }

    private func insert(
        _ change: Change, _ file: BrowsedFile, _ collection: inout RecordCollection, _ losses: inout [Loss]
    ) throws(BrowseRequest.Fault) -> ChangeSet {
        // Appended records do not depend on the state of the file.
        let dependsOnState = service.reader == nil || change.operations.contains { $0.hasPlace }
        if dependsOnState {
            guard let reference = change.reference else {
                throw Fault(message: "a change of a file requires its REFCON")
            }
            guard reference == file.stateName else {
                throw .conflict("\(file.name) has been changed in the meantime; load it again", nil)
            }
        }
        var changes = ChangeSet()
        for operation in change.operations {
            do throws(Conversion.Failure) {
                switch operation {
                case .insert(let record, let number): changes.add(try collection.insert([record], at: number, &losses))
                case .undelete(let key):
                    changes.add(try FileHistory(file.path).undelete(key, in: &collection).changes)
                default: throw .impossible("a file supports only insert and undelete; the other edits require a record")
                }
            } catch {
                throw Fault(message: error.reason)
            }
        }
        return changes
    }

    private func edit(
        _ change: Change, _ file: BrowsedFile, _ collection: RecordCollection
    ) throws(BrowseRequest.Fault) -> Applied {
        let id = change.id
        guard id.parts.isEmpty else { throw Fault(message: "a part cannot be changed; change its record") }
        guard let fingerprint = change.reference?.split(separator: ".").last.map({ String($0) }) else {
            throw Fault(message: "a change of a record requires its REFCON")
        }
        // The record keeps its name when it changes or moves.
        guard case .found(let found, let place) = service.locate(id, isPatient: true), found.id == file.id,
            case .record(let record)? = file.entity(place, as: id)?.kind,
            (try? collection.holds(record.bytes, at: record.number)) == true
        else { throw .conflict(Self.deleted, nil) }
        let number = record.number
        var edited = collection
        if record.fingerprint == fingerprint {
            do throws(Conversion.Failure) {
                return (try Self.edit(change.operations, record: number, in: &edited), edited, [], false)
            } catch {
                throw Fault(message: error.reason)
            }
        }
        let versions = service.changeLog.change { $0.versions(from: fingerprint, in: file.id) }
        guard let (base, now) = versions, let now else { throw .conflict(Self.deleted, nil) }
        let isDeletion = change.operations.contains { if case .delete = $0 { true } else { false } }
        // A deletion would remove the other change as well.
        var conflicts = isDeletion ? RecordChange.parts(from: base, to: now) : []
        var changes = ChangeSet()
        do throws(Conversion.Failure) {
            if isDeletion, conflicts.isEmpty {
                changes = try Self.edit(change.operations, record: number, in: &edited)
            } else if !isDeletion {
                (changes, conflicts) = try edited.edit(record: number, from: base) {
                    scratch throws(Conversion.Failure) in
                    try Self.edit(change.operations, record: number, in: &scratch)
                }
            }
        } catch {
            throw Fault(message: error.reason)
        }
        guard conflicts.isEmpty else {
            let names = conflicts.map { "\($0.part)" }.joined(separator: ", ")
            let entity = file.wait(forRecords: number).count >= number ? file.entities([number - 1]).first : nil
            throw .conflict(
                "\(names) has been changed in the meantime; load the record again",
                entity.map { BrowseRequest.Fault.Current(id: $0.id.text, reference: $0.reference, parts: conflicts) })
        }
        return (changes, edited, [], true)
    }

    private static func edit(
        _ operations: [RecordOperation], record number: Int, in collection: inout RecordCollection
    ) throws(Conversion.Failure) -> ChangeSet {
        var changes = ChangeSet()
        for (place, operation) in operations.enumerated() {
            switch operation {
            case .edit(let edits): changes.add(try collection.edit(record: number, edits))
            case .structure(let edits): changes.add(try collection.edit(record: number, structure: edits))
            case .delete:
                guard operations.count == 1 else { throw .impossible("delete cannot be combined with other edits") }
                // An unreadable record could not be restored.
                if try collection.record(number) == nil {
                    throw .impossible("record \(number) is unreadable and cannot be deleted here")
                }
                changes.add(try collection.delete(records: [number]))
            case .insert, .undelete:
                throw .impossible("edit \(place + 1): \(operation.name) requires a file, not a record")
            }
        }
        return changes
    }

    private func undo(_ token: String, to json: inout JSON) throws(BrowseRequest.Fault) {
        let entry = service.changeLog.change { $0.entry(token) }
        guard let entry, entry.reader == service.reader?.name else {
            throw Fault(
                message: "these changes can no longer be undone here (see chemopen history and chemopen undelete)")
        }
        guard let file = service.files.first(where: { $0.id == entry.file }) else {
            throw Fault(message: "there is no file \(entry.file)")
        }
        try permit([], in: file)
        if let reader = service.reader, reader.right < .write { throw .forbidden("your token does not permit changes") }
        var collection = try file.editableCollection()
        let changes: ChangeSet
        do throws(Conversion.Failure) {
            changes = try collection.revert(saved: entry.changes)
        } catch {
            throw .conflict(error.reason, nil)
        }
        try save(changes, of: file, collection, by: service.reader.map { Origin(author: $0.name) }, to: &json)
        service.changeLog.change { $0.remove(token) }
    }

    private func save(
        _ changes: ChangeSet, of file: BrowsedFile, _ collection: RecordCollection, by origin: Origin?,
        to json: inout JSON
    ) throws(BrowseRequest.Fault) {
        var note: String?
        if !changes.isEmpty {
            do throws(Conversion.Failure) {
                try collection.save()
            } catch {
                throw Fault(message: error.reason)
            }
            service.refresh(file)
            if let origin {
                note = service.recorder?.record(
                    changes, of: file.path, named: file.name, by: origin.author, acceptedBy: origin.acceptedBy)
            }
        }
        let reader = service.reader?.name
        let token = changes.isEmpty ? nil : service.changeLog.change { $0.add(changes, of: file.id, by: reader) }
        write(changes, of: file, to: &json)
        json.field("category", file.stateName)
        if let token { json.field("undo", token) }
        if let note { json.field("note", "the change is saved, but not recorded in git: \(note)") }
    }

    // MARK: Answers

    private func write(_ changes: ChangeSet, of file: BrowsedFile, to json: inout JSON) {
        json.field("headers", ["PERM_ID", "REFCON", "CHANGE", "RECORD", "NAME", "PARTS"])
        json.key("rows")
        json.array { json in
            for change in changes.changes {
                let number = change.after?.number ?? change.before?.number ?? 0
                var entity: Entity?
                if change.after != nil, file.wait(forRecords: number).count >= number {
                    entity = file.entities([number - 1]).first
                }
                json.array { json in
                    json.string(entity?.id.text ?? "")
                    json.string(entity?.reference ?? "")
                    json.string(change.kind.rawValue)
                    json.number(number)
                    json.string(change.name)
                    json.parts(change.parts)
                }
            }
        }
        json.field("total", changes.changes.count)
        json.field("complete", true)
    }

    /// Writes the edits that an entity supports, without reading its file again.
    private func writeSupport(of id: EntityID, in file: BrowsedFile, to json: inout JSON) {
        var supported: [String] = []
        var note = ""
        let reader = service.reader
        if let reason = reader == nil ? (file.isOwnFile ? nil : "\(file.name) is not a local file") : file.servedRefusal
        {
            note = reason
        } else if reader?.right == .read {
            note = "your token permits only reading"
        } else if let format = file.view.content?.format {
            let features = format.supportedFeatures
            if !format.isWritable || format.hasCommonPages {
                note = "records of \(format.name) cannot be edited"
            } else if !id.isRecord {
                if features.contains(.severalRecords) { supported += ["insert", "undelete"] }
            } else if id.parts.isEmpty, let entity = service.find(id) {
                if features.contains(.fields) { supported += ["set", "unset"] }
                if features.contains(.names) { supported.append("title") }
                switch entity.subject {
                case .reaction: break
                case .molecule, .none: if features.contains(.molecules) { supported.append("structure") }
                }
                if features.contains(.severalRecords) { supported.append("delete") }
            }
        } else {
            note = "\(file.name) cannot be read"
        }
        if reader != nil { supported = supported.filter(file.permittedChanges.mayPermit) }
        // Only a file in a repository has deleted records.
        if supported.contains("undelete"), ChangeRecorder.problem(in: file.path.folder) != nil {
            supported.removeAll { $0 == "undelete" }
        }
        json.field("edits", supported)
        if let reader {
            file.permittedChanges.writeFields(to: &json)
            json.field("proposes", reader.right == .propose)
        }
        json.field("complete", true)
        if !note.isEmpty { json.field("note", note) }
    }
}

extension Conversion.Failure {
    /// The reason as text.
    var reason: String {
        switch self {
        case .read(let error): error.description
        case .write(let error): error.description
        case .impossible(let reason): reason
        case .stopped, .cancelled: "the change was cancelled"
        }
    }
}

extension JSON {
    /// The length beyond which text is truncated, with a note.
    private static let longestText = 2000

    /// Writes the changed parts of a record with their previous and new content.
    mutating func parts(_ parts: [RecordChange.PartChange]) {
        array { json in
            for part in parts.prefix(200) {
                json.object { json in
                    json.field("part", part.part.description)
                    let (before, after) = VisiblePair.cut(part.before, part.after, length: Self.longestText)
                    if let before { json.field("before", before) }
                    if let after { json.field("after", after) }
                }
            }
        }
    }
}
