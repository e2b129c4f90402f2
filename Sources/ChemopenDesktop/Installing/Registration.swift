import ChemopenBytes

/// Changes the registrations of programs for MIME types, for this user only.
///
/// It changes only the user's own `mimeapps.list` and entries, not entries that other programs installed.
public struct Registration: Sendable {
    private let session: SessionEnvironment
    private let listPath: LocalPath

    /// Creates a registration for the user of a session.
    public init(in session: SessionEnvironment) {
        self.session = session
        listPath = session.configHome.appending("mimeapps.list")
    }

    /// Makes a program the default for types.
    ///
    /// - Parameter id: the program's entry; `nil` removes the default.
    /// - Throws: a `FileError` if the list cannot be read or written.
    public func setDefault(_ id: String?, for types: [String]) throws(FileError) {
        try change { list in
            for type in types {
                list.set(id.map { [$0] } ?? [], for: type, in: .defaults)
                if let id { list.remove(id, for: type, in: .removed) }
            }
        }
    }

    /// Adds a program to the programs offered for types.
    ///
    /// - Throws: a `FileError` if the list cannot be read or written.
    public func add(_ id: String, to types: [String]) throws(FileError) {
        try change { list in
            for type in types {
                list.remove(id, for: type, in: .removed)
                list.prepend(id, for: type, in: .added)
            }
        }
    }

    /// Removes a program from the programs offered for types.
    ///
    /// - Parameter claiming: the types that the program's entry claims. These need an explicit removal in the list.
    /// - Throws: a `FileError` if the list cannot be read or written.
    public func remove(_ id: String, from types: [String], claiming: [String]) throws(FileError) {
        try change { list in
            for type in types {
                list.remove(id, for: type, in: .defaults)
                list.remove(id, for: type, in: .added)
                if claiming.contains(type) { list.prepend(id, for: type, in: .removed) }
            }
        }
    }

    private func change(_ body: (inout AssociationFile) -> Void) throws(FileError) {
        let current = try readFileIfThere(listPath)
        var list = AssociationFile(current ?? [])
        body(&list)
        if list.bytes == current ?? [] { return }
        try makeFolders(session.configHome)
        try writeFile(list.bytes, to: listPath, replacing: true)
    }

    // MARK: Entries of the user's own

    /// Returns whether an entry was created by `makeEntry`.
    ///
    /// - Returns: `false` also if the entry cannot be read.
    public func isOwnEntry(_ id: String) -> Bool {
        (try? readFile(path(id))).map(KeyFile.init)?["Desktop Entry", "X-Chemopen-Added"] == "true"
    }

    /// Registers a command as a program.
    ///
    /// - Parameter command: the `Exec` line of the new entry.
    /// - Throws: a `RegistrationError` if the ID or the command is not valid, or if the entry cannot be written.
    public func makeEntry(_ id: String, name: String, command: String, types: [String]) throws(RegistrationError) {
        guard MimeApps.isEntryName(id), !id.hasPrefix(".") else {
            throw RegistrationError("not a valid name of a desktop entry: \"\(id)\"")
        }
        let text = """
            [Desktop Entry]
            Version=1.1
            Type=Application
            Name=\(KeyFile.escaped(name))
            Exec=\(KeyFile.escaped(command))
            NoDisplay=true
            MimeType=\(types.map { $0 + ";" }.joined())
            X-Chemopen-Added=true

            """
        do throws(EntryError) {
            let entry = try DesktopEntry(Array(text.utf8), id: id, location: path(id))
            try entry.checkUsable(in: session)
        } catch {
            throw RegistrationError("\(command): \(error)")
        }
        do throws(FileError) {
            guard EntryStatus(path(id)) == nil || isOwnEntry(id) else { throw FileError(path(id), .alreadyExists) }
            try makeFolders(path(id).folder)
            try writeFile(Array(text.utf8), to: path(id), replacing: true)
        } catch {
            throw RegistrationError("\(error)")
        }
        updateIndex()
    }

    /// Removes an entry that `makeEntry` created. Other entries are left unchanged.
    public func removeEntry(_ id: String) {
        guard isOwnEntry(id) else { return }
        ChemopenDesktop.removeEntry(path(id))
        updateIndex()
    }

    private func path(_ id: String) -> LocalPath {
        session.dataHome.appending("applications/\(id)")
    }

    private func updateIndex() {
        guard let program = session.program("update-desktop-database") else { return }
        _ = runProgram(program, [session.dataHome.appending("applications")])
    }
}

/// The reason why a program could not be registered.
public struct RegistrationError: Error, Sendable, CustomStringConvertible {
    /// The reason as text.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
