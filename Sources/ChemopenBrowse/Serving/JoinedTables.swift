import Chemopen

/// A table whose fields are shown with the records of a collection that have the same key.
final class JoinedTable: Sendable {
    private let table: FieldTable

    fileprivate init(_ table: FieldTable) {
        self.table = table
    }

    /// The names of the fields.
    var names: [Text] { table.names }

    /// Whether the key is computed from the structure.
    var needsStructures: Bool { table.key.readsStructure }

    /// Returns a record with the fields of its row. Its own fields have priority.
    func joined(_ record: BrowsedRecord) -> BrowsedRecord {
        guard case .success(var content) = record.content else { return record }
        let fields = table.fields(for: content)
        if fields.isEmpty { return record }
        for field in fields { content.fields.append(field.name, field.value) }
        var record = record
        record.content = .success(content)
        return record
    }
}

/// The tables of a served directory, which are read again when they change.
final class JoinedTables: Sendable {
    private struct Known: Sendable {
        let join: Mapping.Join
        let identity: FileIdentity
        let table: JoinedTable?
        let problem: String?
    }

    private let known = Guarded<[LocalPath: Known]>([:])

    /// Returns the table of a mapping.
    ///
    /// - Parameters:
    ///   - folder: the directory of the collection, which contains the table.
    ///   - root: the served directory.
    ///   - problem: receives the reason why the table cannot be used.
    func table(_ join: Mapping.Join, in folder: LocalPath, of root: LocalPath, _ problem: inout String?) -> JoinedTable?
    {
        let path = folder.appending(LocalPath(join.table))
        guard let resolved = resolvedPath(path), resolved.hasPrefix(root.appending("")), fileKind(resolved) == .regular,
            let identity = FileIdentity(resolved)
        else {
            problem = "there is no table \"\(join.table)\""
            return nil
        }
        if let known = known.change({ $0[folder] }), known.join == join, known.identity == identity {
            problem = known.problem
            return known.table
        }
        var table: JoinedTable?
        do throws(Conversion.Failure) {
            let wanted = join.fields?.map { Text($0) }
            table = JoinedTable(try FieldTable(Source(resolved), on: Text(join.key), adding: wanted))
        } catch {
            problem = error.reason
        }
        let read = Known(join: join, identity: identity, table: table, problem: problem)
        known.change { $0[folder] = read }
        return table
    }
}
