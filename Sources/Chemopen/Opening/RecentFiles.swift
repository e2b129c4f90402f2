import ChemopenBytes
import ChemopenDesktop
import ChemopenFormats
import ChemopenModel

/// The list of recently opened files. It is a DataSheet in the user's data directory that only the user can read and
/// that can be opened like any other sheet.
///
///     let recent = RecentFiles(in: .current)
///     try recent.add(["/home/anna/a.mol"], OpenContext(note: "look at this"))
///     for entry in try recent.entries() { print(entry.opened, entry.path, entry.note) }
public struct RecentFiles: Sendable {
    /// The path of the sheet. It exists only after a file was added.
    public let sheet: LocalPath
    /// The settings file, which contains `off` if the list is disabled.
    private let switchFile: LocalPath
    private let session: SessionEnvironment

    /// The maximum number of files.
    static let most = 100
    /// The maximum number of atoms in a stored structure. For larger ones, only the path is stored.
    private static let mostAtoms = 500
    /// The maximum number of structures of a file. Each structure has its own row.
    private static let mostStructures = 50

    /// Creates the list of a session's user.
    public init(in session: SessionEnvironment) {
        self.session = session
        sheet = session.dataHome.appending("chemopen/recent.ds")
        switchFile = session.configHome.appending("chemopen/recent")
    }

    /// A recently opened file.
    public struct Entry: Sendable, Hashable {
        /// The path of the file.
        public let path: LocalPath
        /// The URL from which the file was downloaded, or the program that sent it; empty if both are unknown.
        public let origin: String
        /// The local time when the file was last opened, such as `2026-11-23 13:45`.
        public let opened: String
        /// The note from the sender.
        public let note: String
    }

    // MARK: Settings

    /// Whether opened files are added to the list.
    public var areKept: Bool {
        (try? readFile(switchFile))?.starts(with: "off".utf8) != true
    }

    /// Enables or disables the list. Disabling it also deletes the list.
    ///
    /// - Throws: `OpenError` if the settings file cannot be written.
    public func keep(_ areKept: Bool) throws(OpenError) {
        try OpenError.writing(switchFile.shown) { () throws(FileError) in
            try deleteFile(switchFile)
            if areKept { return }
            try makeFolders(switchFile.folder)
            try writePrivateFile(Array("off\n".utf8), to: switchFile)
        }
        if !areKept { try clear() }
    }

    /// Deletes the list.
    ///
    /// - Throws: `OpenError` if the sheet cannot be deleted.
    public func clear() throws(OpenError) {
        try OpenError.writing(sheet.shown) { () throws(FileError) in
            guard fileKind(sheet.folder) != .missing else { return }
            let lock = try lockFolder(sheet.folder)
            defer { closeDescriptor(lock) }
            try deleteFile(sheet)
        }
    }

    // MARK: Sheet

    /// Adds files as the most recent ones, unless the list is disabled. Temporary files and files in unknown formats
    /// are ignored.
    ///
    /// - Throws: `OpenError` if the sheet cannot be read or written.
    public func add(_ paths: [LocalPath], _ delivery: OpenContext = OpenContext()) throws(OpenError) {
        guard areKept else { return }
        let new = paths.flatMap { rows(of: $0.absolute(from: currentFolder()), delivery) }
        guard !new.isEmpty else { return }
        let lock = try OpenError.writing(sheet.shown) { () throws(FileError) in
            try makeFolders(sheet.folder)
            return try lockFolder(sheet.folder)
        }
        defer { closeDescriptor(lock) }
        // The list may have been disabled while waiting for the lock.
        guard areKept else { return }
        var table = try read()
        if new.contains(where: { $0.fields[Self.record] != nil }),
            !table.header.columns.contains(where: { $0.name == Self.record })
        {
            table.header.columns.append(Column(Self.record))
        }
        let names = Set(new.map { $0.text(Self.file) })
        table.rows = new + table.rows.filter { !names.contains($0.text(Self.file)) }
        var files: Set<String> = []
        table.rows.removeAll { row in
            files.insert(row.text(Self.file))
            return files.count > Self.most
        }
        try write(table)
    }

    /// Reads the list.
    ///
    /// - Returns: The files, the most recent first.
    /// - Throws: `OpenError` if the sheet cannot be read.
    public func entries() throws(OpenError) -> [Entry] {
        var files: Set<String> = []
        return try read().rows.compactMap { row in
            let name = row.text(Self.file)
            guard files.insert(name).inserted else { return nil }
            return Entry(
                path: LocalPath(uri: name) ?? LocalPath(name), origin: row.text(Self.origin),
                opened: row.text(Self.opened), note: row.text(Self.note))
        }
    }

    private static let name: Text = "Name"
    private static let file: Text = "File"
    private static let origin: Text = "Origin"
    private static let opened: Text = "Opened"
    private static let note: Text = "Note"
    private static let record: Text = "Record"

    /// Returns a row for each structure of a file, or one row without a structure.
    private func rows(of path: LocalPath, _ delivery: OpenContext) -> [Record] {
        guard path != sheet, !PrivateFolder.holds(path, in: session), fileKind(path) == .regular,
            var stream = try? readUnknown(path: path)
        else { return [] }
        let fetched = attachedText("user.xdg.origin.url", of: path) ?? ""
        let cells = [
            (Self.file, path.plainText ?? path.uri), (Self.origin, fetched.isEmpty ? delivery.sender : fetched),
            (Self.opened, localTime(currentTime())), (Self.note, delivery.note),
        ]
        func row(_ molecule: Molecule?, _ name: String, _ number: Int?) -> Record {
            var row = Record()
            if let molecule { row.subject = .molecule(molecule) }
            for (column, value) in [(Self.name, name)] + cells where !value.isEmpty {
                row.fields.append(column, Text(value))
            }
            if let number { row.fields.append(Self.record, Text("\(number)")) }
            return row
        }
        var found: [(molecule: Molecule, number: Int)] = []
        var count = 0
        while found.count < Self.mostStructures, let record = try? stream.next() {
            count += 1
            guard case .molecule(let molecule) = record.subject, 1...Self.mostAtoms ~= molecule.atoms.count else {
                continue
            }
            found.append((molecule, count))
        }
        if count <= 1 { return [row(found.first?.molecule, path.name.shown, nil)] }
        if found.isEmpty { return [row(nil, path.name.shown, nil)] }
        return found.map { molecule, number in
            let title = molecule.name.isEmpty ? "" : ": \(molecule.name.shown)"
            return row(molecule, "\(path.name.shown) (\(number))\(title)", number)
        }
    }

    /// Reads the sheet, including any columns that the user has added.
    private func read() throws(OpenError) -> DataSheet {
        var table = DataSheet()
        if fileKind(sheet) != .missing {
            do throws(ReadError) {
                var stream = try readUnknown(Source(found: sheet))
                while let row = try stream.next() { table.rows.append(row) }
                table.header = stream.header
            } catch {
                throw OpenError(.unreadable, "\(error) (use chemopen recent clear to start a new list)")
            }
        } else {
            table.header.title = "Recently opened"
            table.header.columns = [Column("Molecule", .molecule)]
            table.header.subjectColumn = 0
            table.header.hasAllColumns = true
        }
        for name in [Self.name, Self.file, Self.origin, Self.opened, Self.note] {
            let isThere = table.header.columns.contains { $0.name == name }
            if !isThere { table.header.columns.append(Column(name)) }
        }
        return table
    }

    /// Replaces the sheet atomically. The caller has locked the directory. A temporary file from an interrupted run is
    /// deleted first.
    private func write(_ table: DataSheet) throws(OpenError) {
        var header = table.header
        header.rowCount = table.rows.count
        // Losses are not reported because the files themselves are unchanged.
        var losses: [Loss] = []
        let bytes = try Handoff.bytes(of: table.rows, header, as: .dataSheet, WriteOptions(), &losses)
        let staged = sheet.folder.appending(".recent.ds")
        try OpenError.writing(sheet.shown) { () throws(FileError) in
            try deleteFile(staged)
            try writePrivateFile(bytes, to: staged)
            try renameEntry(staged, to: sheet)
        }
    }
}

extension Record {
    fileprivate func text(_ name: Text) -> String {
        fields[name]?.value.string ?? ""
    }
}

extension LocalPath {
    /// The path as text if a table cell preserves it exactly, else `nil`.
    fileprivate var plainText: String? {
        guard let text, let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, first == "/" else {
            return nil
        }
        return last == " " || text.unicodeScalars.contains(where: \.steersDisplay) ? nil : text
    }
}
