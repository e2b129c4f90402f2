import ChemopenBytes
import ChemopenDesktop
import ChemopenFormats
import ChemopenModel

/// The files that were opened last: a DataSheet in the user's data folder, which only the user can read and which opens like
/// any other.
///
///     let recent = RecentFiles(in: .current)
///     try recent.add(["/home/anna/a.mol"], Delivery(note: "look at this"))
///     for entry in try recent.entries() { print(entry.opened, entry.path, entry.note) }
public struct RecentFiles: Sendable {
    /// Where the sheet lies; it is there once something has been kept.
    public let sheet: LocalPath
    /// Says `off` where nothing is to be kept.
    private let switchFile: LocalPath
    private let session: Surroundings

    /// The earlier ones are forgotten.
    static let most = 100
    /// Larger structures are kept by their file alone.
    private static let mostAtoms = 500

    /// Those of a session's user.
    public init(in session: Surroundings) {
        self.session = session
        sheet = session.dataHome.appending("chemopen/recent.ds")
        switchFile = session.configHome.appending("chemopen/recent")
    }

    /// A file that was opened.
    public struct Entry: Sendable, Hashable {
        /// Where the file was.
        public let path: LocalPath
        /// The address from which it was fetched, else the program that sent it; empty where neither is known.
        public let origin: String
        /// When it was opened last, by the user's clock: `2026-11-23 13:45`.
        public let opened: String
        /// The sender's words.
        public let note: String
    }

    // MARK: The switch

    /// Whether files that are opened are kept here.
    public var areKept: Bool {
        (try? readFile(switchFile))?.starts(with: "off".utf8) != true
    }

    /// Begins or ends to keep files; with the end, those that were kept go.
    public func keep(_ areKept: Bool) throws(OpenError) {
        try OpenError.writing(switchFile.shown) { () throws(FileError) in
            try deleteFile(switchFile)
            if areKept { return }
            try makeFolders(switchFile.folder)
            try writePrivateFile(Array("off\n".utf8), to: switchFile)
        }
        if !areKept { try clear() }
    }

    /// Forgets all.
    public func clear() throws(OpenError) {
        try OpenError.writing(sheet.shown) { () throws(FileError) in
            guard fileKind(sheet.folder) != .missing else { return }
            let lock = try lockFolder(sheet.folder)
            defer { closeDescriptor(lock) }
            try deleteFile(sheet)
        }
    }

    // MARK: The sheet

    /// Keeps files as those that were opened last, unless that is switched off. Files that do not stay are left out, and those
    /// that are not chemical.
    public func add(_ paths: [LocalPath], _ delivery: Delivery = Delivery()) throws(OpenError) {
        guard areKept else { return }
        let new = paths.compactMap { row(of: $0.absolute(from: currentFolder()), delivery) }
        guard !new.isEmpty else { return }
        let lock = try OpenError.writing(sheet.shown) { () throws(FileError) in
            try makeFolders(sheet.folder)
            return try lockFolder(sheet.folder)
        }
        defer { closeDescriptor(lock) }
        // It may have been switched off meanwhile.
        guard areKept else { return }
        var table = try read()
        let names = Set(new.map { $0.text(Self.file) })
        table.rows = Array((new + table.rows.filter { !names.contains($0.text(Self.file)) }).prefix(Self.most))
        try write(table)
    }

    /// The files, the one that was opened last in front.
    public func entries() throws(OpenError) -> [Entry] {
        try read().rows.map { row in
            let name = row.text(Self.file)
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

    private func row(of path: LocalPath, _ delivery: Delivery) -> Record? {
        guard path != sheet, !PrivateFolder.holds(path, in: session), fileKind(path) == .regular,
            var stream = try? readUnknown(path: path)
        else { return nil }
        let first = try? stream.next()
        var row = Record()
        if case .molecule(let molecule)? = first?.subject, molecule.atoms.count <= Self.mostAtoms,
            (try? stream.pass()) == false
        {
            row.subject = .molecule(molecule)
        }
        let fetched = attachedText("user.xdg.origin.url", of: path) ?? ""
        let cells = [
            (Self.name, path.name.shown), (Self.file, path.plainText ?? path.uri),
            (Self.origin, fetched.isEmpty ? delivery.sender : fetched), (Self.opened, localTime(currentTime())),
            (Self.note, delivery.note),
        ]
        for (name, value) in cells where !value.isEmpty { row.fields.append(name, Text(value)) }
        return row
    }

    /// The sheet, with the columns that somebody may have added.
    private func read() throws(OpenError) -> DataSheet {
        var table = DataSheet()
        if fileKind(sheet) != .missing {
            do throws(ReadError) {
                var stream = try readUnknown(Source(found: sheet))
                while let row = try stream.next() { table.rows.append(row) }
                table.header = stream.header
            } catch {
                throw OpenError(.unreadable, "\(error); chemopen recent clear begins it anew")
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

    /// Puts the sheet in the place of the one before. Nobody else writes meanwhile, and a killed run leaves a file that the
    /// next one takes away.
    private func write(_ table: DataSheet) throws(OpenError) {
        var header = table.header
        header.rowCount = table.rows.count
        // Losses are not told: the files themselves stay whole.
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
    /// The path where a cell of a table gives it back as it is.
    fileprivate var plainText: String? {
        guard let text, let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, first == "/" else {
            return nil
        }
        return last == " " || text.unicodeScalars.contains(where: \.steersDisplay) ? nil : text
    }
}
