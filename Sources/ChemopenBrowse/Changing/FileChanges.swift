import Chemopen

/// Changes of files by `CHANGE`.
///
/// A change names the state that it is based on: the `REFCON` of the record or the file. The file is locked, read again and compared with that state, so a change never
/// overwrites the change of another program.
struct FileChanges {
    private typealias Fault = BrowseRequest.Fault

    let service: BrowseService

    private static let stale = BrowseRequest.Fault(
        message: "the record has been changed or deleted in the meantime; load it again")

    /// Answers a `CHANGE` request.
    func answer(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) {
        guard service.allowsChanges, !service.isShared else {
            throw Fault(message: "CHANGE is supported only in the viewer for local files")
        }
        if let token = request.undo {
            guard request.entities.isEmpty, request.edits == nil else {
                throw Fault(message: "\"undo\" cannot be combined with other changes")
            }
            return try undo(token, to: &json)
        }
        guard request.entities.count == 1, let id = request.entities.first else {
            throw Fault(message: "CHANGE requires one entity")
        }
        let file: BrowsedFile
        if id.isRecord {
            guard case .found(let found, _) = service.locate(id, isPatient: true) else { throw Self.stale }
            file = found
        } else {
            file = try service.file(id)
        }
        guard let edits = request.edits else { return writeSupport(of: id, in: file, to: &json) }
        guard !edits.isEmpty else { throw Fault(message: "CHANGE requires at least one edit") }
        guard file.isOwnFile else {
            throw Fault(message: "\(file.name) is not a local file and cannot be changed")
        }
        let operations = try RecordOperation.list(edits)
        var collection = try file.editableCollection()
        // The lock may have waited for another program.
        service.refreshFiles()
        var losses: [Loss] = []
        let changes =
            !id.isRecord
            ? try insert(operations, request.references[id.text], file, &collection, &losses)
            : try edit(id, request.references[id.text], operations, file, &collection)
        try save(changes, of: file, collection, losses, to: &json)
    }

    // MARK: Edits

    private func insert(
        _ operations: [RecordOperation], _ reference: String?, _ file: BrowsedFile,
        _ collection: inout RecordCollection, _ losses: inout [Loss]
    ) throws(BrowseRequest.Fault) -> ChangeSet {
        guard let reference else { throw Fault(message: "a change of a file requires its REFCON") }
        guard reference == file.stateName else {
            throw Fault(message: "\(file.name) has been changed in the meantime; load it again")
        }
        var changes = ChangeSet()
        for operation in operations {
            guard case .insert(let record, let number) = operation else {
                throw Fault(message: "a file supports only the edit insert; the others require a record")
            }
            do throws(Conversion.Failure) {
                changes.add(try collection.insert([record], at: number, &losses))
            } catch {
                throw Fault(message: error.reason)
            }
        }
        return changes
    }

    private func edit(
        _ id: EntityID, _ reference: String?, _ operations: [RecordOperation], _ file: BrowsedFile,
        _ collection: inout RecordCollection
    ) throws(BrowseRequest.Fault) -> ChangeSet {
        guard id.parts.isEmpty else { throw Fault(message: "a part cannot be changed; change its record") }
        guard let reference else { throw Fault(message: "a change of a record requires its REFCON") }
        // The position can have changed, but not the bytes.
        guard case .record(let record)? = service.find(id, isPatient: true)?.kind,
            reference.split(separator: ".").last.map({ $0 == record.fingerprint }) ?? false
        else { throw Self.stale }
        var changes = ChangeSet()
        do throws(Conversion.Failure) {
            guard try collection.holds(record.bytes, at: record.number) else { return try failStale() }
            for (place, operation) in operations.enumerated() {
                switch operation {
                case .edit(let edits): changes.add(try collection.edit(record: record.number, edits))
                case .structure(let edits): changes.add(try collection.edit(record: record.number, structure: edits))
                case .delete:
                    guard operations.count == 1 else { throw .impossible("delete cannot be combined with other edits") }
                    // An unreadable record could not be restored.
                    if record.record == nil {
                        throw .impossible("record \(record.number) is unreadable and cannot be deleted here")
                    }
                    changes.add(try collection.delete(records: [record.number]))
                case .insert: throw .impossible("edit \(place + 1): insert requires a file, not a record")
                }
            }
        } catch {
            throw Fault(message: error.reason)
        }
        return changes
    }

    private func failStale() throws(Conversion.Failure) -> ChangeSet {
        throw .impossible(Self.stale.message)
    }

    private func undo(_ token: String, to json: inout JSON) throws(BrowseRequest.Fault) {
        guard let entry = service.changeLog.change({ $0.entry(token) }) else {
            throw Fault(
                message: "these changes can no longer be undone here (see chemopen history and chemopen undelete)")
        }
        guard let file = service.files.first(where: { $0.id == entry.file }) else {
            throw Fault(message: "there is no file \(entry.file)")
        }
        var collection = try file.editableCollection()
        let changes: ChangeSet
        do throws(Conversion.Failure) {
            changes = try collection.revert(saved: entry.changes)
        } catch {
            throw Fault(message: error.reason)
        }
        try save(changes, of: file, collection, [], to: &json)
        service.changeLog.change { $0.remove(token) }
    }

    private func save(
        _ changes: ChangeSet, of file: BrowsedFile, _ collection: RecordCollection, _ losses: [Loss],
        to json: inout JSON
    ) throws(BrowseRequest.Fault) {
        if !changes.isEmpty {
            do throws(Conversion.Failure) {
                try collection.save()
            } catch {
                throw Fault(message: error.reason)
            }
            service.refreshFiles()
        }
        let token = changes.isEmpty ? nil : service.changeLog.change { $0.add(changes, of: file.id) }
        write(changes, of: file, to: &json)
        json.field("category", file.stateName)
        if let token { json.field("undo", token) }
        if !losses.isEmpty { json.field("losses", losses.map { "\($0)" }) }
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
                    json.parts(of: change)
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
        if !file.isOwnFile {
            note = "\(file.name) is not a local file"
        } else if let format = file.view.content?.format {
            let features = format.supportedFeatures
            if !format.isWritable || format.hasCommonPages {
                note = "records of \(format.name) cannot be edited"
            } else if !id.isRecord {
                if features.contains(.severalRecords) { supported.append("insert") }
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
        json.field("edits", supported)
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
    mutating func parts(of change: RecordChange) {
        array { json in
            for part in change.parts.prefix(200) {
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
