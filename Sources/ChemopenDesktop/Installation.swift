import ChemopenBytes

/// Puts a package in its place and takes it away again.
///
/// Nobody's default is taken over: where a type had a program that the desktop opened it with, that program is written
/// down as the default, as the user's folders would otherwise come before those of the system.
public struct Installation: Sendable {
    /// For whom it is installed.
    public let target: InstallationTarget
    /// The surroundings that say where.
    public let session: Surroundings
    private let dataFolder: LocalPath
    private let recordPath: LocalPath

    /// An installation for a user, for all, or below a folder.
    public init(_ target: InstallationTarget, in session: Surroundings) {
        self.target = target
        self.session = session
        dataFolder = target.dataFolder(session)
        recordPath = InstallationRecord.path(for: target, session)
    }

    /// Whether the package is there.
    public var isInstalled: Bool { InstallationRecord(at: recordPath) != nil }

    /// The result of an installation.
    public struct Report: Sendable {
        /// The files that were written.
        public var files: [LocalPath] = []
        /// Defaults that were written down: a type, and the program that keeps it.
        public var kept: [(type: String, id: String)] = []
        /// Programs that should have updated a database and are not installed, or failed.
        public var missing: [String] = []
    }

    // MARK: Install

    /// - Parameter takesOver: the types are to be opened by this program from now on, whatever opened them before.
    public func install(_ package: DesktopPackage, takesOver: Bool, ownIDs: Set<String>) throws(FileError) -> Report {
        var record = InstallationRecord(at: recordPath) ?? InstallationRecord()
        let registry = HandlerRegistry(session)
        var files = package.files + package.additions
        if !target.isForUser { files.append(package.metadata) }
        for path in record.files where !files.contains(where: { dataFolder.appending(LocalPath($0.path)) == path }) {
            removeEntry(path)
        }
        var report = Report()
        for generated in Self.databases.map({ dataFolder.appending(LocalPath($0)) }) where record.files.isEmpty {
            if EntryStatus(generated) == nil { record.generated.append(generated) }
        }
        let stateFolders = try makeFolders(recordPath.folder)
        record.folders += stateFolders.filter { !record.folders.contains($0) }
        record.files = []
        for file in files {
            let path = dataFolder.appending(LocalPath(file.path))
            record.folders += try makeFolders(path.folder)
            try replaceFile(path, with: Array(file.text.utf8))
            record.files.append(path)
        }
        report.files = record.files
        if let listPath = target.listPath(session) {
            try setDefaults(in: listPath, package, registry, &record, takesOver: takesOver, ownIDs: ownIDs)
            report.kept = record.defaults.filter { !ownIDs.contains($0.id) }
        }
        try record.write(to: recordPath)
        report.missing = updateDatabases()
        return report
    }

    /// Files that the desktop's programs make of what is installed.
    private static let databases =
        ["applications/mimeinfo.cache"]
        + [
            "XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic", "mime.cache",
            "subclasses",
            "treemagic", "types", "version",
        ].map { "mime/" + $0 }

    private func setDefaults(
        in listPath: LocalPath, _ package: DesktopPackage, _ registry: HandlerRegistry,
        _ record: inout InstallationRecord,
        takesOver: Bool, ownIDs: Set<String>
    ) throws(FileError) {
        let current = try? readFile(listPath)
        var list = AssociationFile(current ?? [])
        var added: [(type: String, id: String)] = []
        for type in package.types.map(\.type) {
            if takesOver {
                list.prepend(DesktopPackage.entryID, for: type, in: .defaults)
                added.append((type, DesktopPackage.entryID))
            } else if registry.defaultHandler(for: type) == nil, let handler = registry.effectiveHandler(for: type),
                !ownIDs.contains(handler.id)
            {
                list.set([handler.id], for: type, in: .defaults)
                added.append((type, handler.id))
            }
        }
        guard !added.isEmpty, list.bytes != current ?? [] else { return }
        record.folders += try makeFolders(listPath.folder)
        try replaceFile(listPath, with: list.bytes)
        // A second installation undoes to the state before the first.
        if record.listAfter == nil || record.listAfter != current { record.listBefore = current }
        record.listAfter = list.bytes
        record.listPath = listPath
        record.defaults += added.filter { line in !record.defaults.contains { $0.type == line.type && $0.id == line.id }
        }
    }

    // MARK: Uninstall

    /// Takes away what was installed; `nil` where nothing was.
    public func uninstall() throws(FileError) -> Report? {
        guard let record = InstallationRecord(at: recordPath) else { return nil }
        var report = Report()
        let types = typesDefined(by: record)
        for file in record.files where file.isAbsolute {
            if removeEntry(file) { report.files.append(file) }
        }
        try restoreList(record)
        report.missing = updateDatabases()
        removeLeftovers(types)
        removeGenerated(record)
        InstallationRecord.remove(at: recordPath)
        // Whatever makes a folder useful to somebody else keeps it in place.
        for folder in record.folders.sorted(by: { $0.bytes.count > $1.bytes.count }) { removeEmptyFolder(folder) }
        return report
    }

    /// The types that the installed package describes.
    private func typesDefined(by record: InstallationRecord) -> [String] {
        guard let path = record.files.first(where: { $0.hasSuffix("mime/packages/chemopen.xml") }),
            let bytes = try? readFile(path)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "<mime-type type=\"").dropFirst().compactMap {
            $0.split(separator: "\"").first.map(String.init)
        }
    }

    private func restoreList(_ record: InstallationRecord) throws(FileError) {
        guard let listPath = record.listPath, let current = try? readFile(listPath) else { return }
        if current == record.listAfter {
            if let before = record.listBefore {
                try replaceFile(listPath, with: before)
            } else {
                removeEntry(listPath)
            }
            return
        }
        // Changed since: only lines that are still as they were added go.
        var list = AssociationFile(current)
        for line in record.defaults {
            let ids = list.ids(for: line.type, in: .defaults)
            if ids == [line.id] || line.id == DesktopPackage.entryID {
                list.remove(line.id, for: line.type, in: .defaults)
            }
        }
        if list.isBlank, record.listBefore == nil {
            removeEntry(listPath)
        } else if list.bytes != current {
            try replaceFile(listPath, with: list.bytes)
        }
    }

    /// The database's program leaves the files of types behind that no package describes any more.
    private func removeLeftovers(_ types: [String]) {
        let folder = dataFolder.appending("mime")
        let known = (try? readFile(folder.appending("types"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = Set(known.split(separator: "\n"))
        var media: Set<String> = []
        for type in types where !lines.contains(type[...]) && !type.contains("..") {
            removeEntry(folder.appending("\(type).xml"))
            media.insert(String(type.prefix { $0 != "/" }))
        }
        for name in media { removeEmptyFolder(folder.appending(LocalPath(name))) }
    }

    /// Removes the files generated where there were none before, unless files of others need them.
    private func removeGenerated(_ record: InstallationRecord) {
        let isBare: (LocalPath) -> Bool = { (try? folderEntries(dataFolder.appending($0)))?.isEmpty ?? true }
        let hasEntries = ((try? folderEntries(dataFolder.appending("applications"))) ?? []).contains {
            $0 != "mimeinfo.cache" && $0 != "mimeapps.list" && $0 != "defaults.list"
        }
        for path in record.generated {
            let isNeeded = path.hasSuffix("mimeinfo.cache") ? hasEntries : !isBare("mime/packages")
            if !isNeeded { removeEntry(path) }
        }
    }

    // MARK: Databases

    /// Lets the desktop's programs take notice; the names of those that are missing or failed.
    private func updateDatabases() -> [String] {
        var missing: [String] = []
        let jobs = [
            ("update-mime-database", ["mime"], true), ("update-desktop-database", ["applications"], true),
            ("gtk-update-icon-cache", ["-f", "-t", "icons/hicolor"], hasIconCache),
        ]
        for (name, words, isWanted) in jobs where isWanted {
            let folder = dataFolder.appending(LocalPath(words.last ?? ""))
            guard EntryStatus(folder)?.isFolder == true else { continue }
            guard let program = session.program(name),
                runProgram(program, words.dropLast().map { LocalPath($0) } + [folder]) != nil
            else {
                missing.append(name)
                continue
            }
        }
        return missing
    }

    private var hasIconCache: Bool {
        EntryStatus(dataFolder.appending("icons/hicolor/icon-theme.cache")) != nil
    }
}
