import ChemopenBytes

/// Installs and uninstalls a package, completely or not at all.
///
/// Existing default programs do not change. Entries in the user's directories would override those of the system, so
/// the current default program of each type is recorded explicitly. Programs that are first only alphabetically and are
/// known not to read the type are not recorded.
///
/// The record of all files is written first. If a change fails, the previous ones are undone. If that fails too or the
/// process is interrupted, `uninstall` removes the files in the record.
public struct Installation: Sendable {
    /// The target: one user, all users, or a staging directory.
    public let target: InstallationTarget
    /// The session that determines the directories.
    public let session: SessionEnvironment
    private let package: DesktopPackage
    private let dataFolder: LocalPath
    private let place: RecordPlace

    /// Creates an installation of a package for a target.
    public init(_ package: DesktopPackage, for target: InstallationTarget, in session: SessionEnvironment) {
        self.package = package
        self.target = target
        self.session = session
        dataFolder = target.dataFolder(session)
        place = RecordPlace(for: target, session)
    }

    /// The result of an installation.
    public struct Report: Sendable {
        /// The files that were written or removed.
        public var files: [LocalPath] = []
        /// The defaults that were recorded: a type and the program that still opens it.
        public var kept: [(type: String, id: String)] = []
        /// Files at this program's paths that another program wrote or that someone changed.
        public var left: [LocalPath] = []
        /// Programs that should have updated a database, with the reason for the failure: "is not installed".
        public var missing: [(program: String, why: String)] = []
        /// The error if one of these programs could not be started.
        var unstarted: FileError?

        fileprivate mutating func add(_ outcome: DatabaseUpdate) {
            missing = outcome.missing
            unstarted = outcome.unstarted
        }
    }

    /// The files of the package with their target paths.
    private var files: [PlacedFile] {
        placed(package.files + package.additions + (target.isForUser ? [] : [package.metadata])) + programs
    }

    private var programs: [PlacedFile] {
        guard let folder = target.programFolder(session) else { return [] }
        return package.programs.map { PlacedFile(folder.appending($0.name), $0.bytes, isProgram: true) }
    }

    private func placed(_ files: [DesktopPackage.File]) -> [PlacedFile] {
        files.map { PlacedFile(dataFolder.appending(LocalPath($0.path)), $0.bytes, isProgram: $0.isProgram) }
    }

    // MARK: Install

    /// The treatment of existing default programs.
    public enum Defaults: Sendable {
        /// Existing defaults continue to open the types.
        case keep(ownIDs: Set<String>)
        /// This program becomes the default for the types.
        case takeOver
    }

    /// Installs the package. If that fails, nothing is changed.
    ///
    /// - Returns: the installed files and the recorded defaults.
    /// - Throws: an `InstallationError` that names the file.
    public func install(_ defaults: Defaults) throws(InstallationError) -> Report {
        do throws(FileError) {
            let former = try place.read()
            let programFolder = target.programFolder(session)
            // Programs of an earlier installation stay if this package contains none.
            let plan = try InstallationPlan(
                files, over: former, keeping: { package.programs.isEmpty && $0.folder == programFolder },
                recognized: package.isOwn, listPath: target.listPath(session), recordFolder: place.path.folder)
            if let foreign = plan.foreign { throw FileError(foreign, .alreadyExists) }
            var record = plan.record
            for file in Self.databases.map({ dataFolder.appending(LocalPath($0)) }) {
                if try EntryStatus.find(file) == nil, !record.generated.contains(file) { record.generated.append(file) }
            }
            let list = try changedList(&record, defaults)
            try apply(plan, list, record, former)
            var report = Report(files: files.map(\.path))
            report.kept = record.defaults.filter { !DesktopPackage.isOwnID($0.id) }.map { ($0.type, $0.id) }
            report.add(updateDatabases())
            return report
        } catch {
            throw InstallationError(error)
        }
    }

    /// Recreates only the entries through which other programs receive converted files.
    ///
    /// - Returns: `false` if there is no installation.
    /// - Throws: an `InstallationError` if a file cannot be changed.
    public func refreshBridges() throws(InstallationError) -> Bool {
        do throws(FileError) {
            guard let former = try place.read() else { return false }
            let plan = try InstallationPlan(
                placed(package.bridgeFiles), over: former, keeping: { !ConversionEntry.isID($0.name.shown) },
                recognized: package.isOwn, listPath: nil, recordFolder: place.path.folder)
            if let foreign = plan.foreign { throw FileError(foreign, .alreadyExists) }
            try apply(plan, nil, plan.record, former)
            _ = updateDatabases()
            return true
        } catch {
            throw InstallationError(error)
        }
    }

    /// Applies a plan. The association list is last because it is a single file, whose change need not be undone.
    private func apply(
        _ plan: InstallationPlan, _ list: [UInt8]?, _ record: InstallationRecord, _ former: InstallationRecord?
    ) throws(FileError) {
        var union = former ?? InstallationRecord()
        union.note(record)
        union.list = record.list
        try place.write(union)
        var changes = FileChanges()
        do throws(FileError) {
            try place.settle()
            for path in plan.stale { try changes.remove(path) }
            for file in plan.written {
                try changes.makeFolder(file.path.folder)
                try changes.write(file)
            }
            if let list, let path = record.list?.path {
                try changes.makeFolder(path.folder)
                try writeFile(list, to: path, replacing: true)
            }
        } catch {
            if changes.undo() {
                if let former { try? place.write(former) } else { try? place.remove(union) }
            }
            throw error
        }
        for file in union.files { removeEntry(FileChanges.aside(file.path)) }
        // If this fails, the larger record is still valid, because it only lists files that do not exist.
        try? place.write(record)
    }

    /// Files that the desktop's programs generate from the installed files.
    private static let databases =
        ["applications/mimeinfo.cache"]
        + [
            "XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic", "mime.cache",
            "subclasses", "treemagic", "types", "version",
        ].map { "mime/" + $0 }

    /// Returns the new content of the association list and adds it to the record. Returns `nil` if the list does not
    /// change.
    private func changedList(
        _ record: inout InstallationRecord, _ defaults: Defaults
    ) throws(FileError) -> [UInt8]? {
        guard let path = target.listPath(session) else { return nil }
        let registry = HandlerRegistry(session)
        let current = try readFileIfThere(path)
        var list = AssociationFile(current ?? [])
        for (old, new) in DesktopPackage.formerIDs { list.rename(old, to: new) }
        for type in package.types.map(\.type) {
            guard let id = newDefault(of: type, defaults, registry) else { continue }
            list.prepend(id, for: type, in: .defaults)
            record.noteDefault(id, for: type)
        }
        // Uninstalling after a second installation restores the state before the first.
        let isAsLeft = record.list?.after != nil && record.list?.after == current.map(InstallationRecord.digest)
        if record.list?.path != path || !isAsLeft {
            let cleaned = current.map { cleanedList($0, record.defaults) }
            record.list = .init(path: path, before: cleaned)
        }
        let isChanged = list.bytes != current ?? []
        if isChanged { record.list?.after = InstallationRecord.digest(list.bytes) }
        return isChanged ? list.bytes : nil
    }

    /// Returns the program to record as the default of a type.
    private func newDefault(of type: String, _ defaults: Defaults, _ registry: HandlerRegistry) -> String? {
        switch defaults {
        case .takeOver: return DesktopPackage.entryID
        case .keep(let ownIDs):
            guard registry.defaultHandler(for: type) == nil, let handler = registry.effectiveHandler(for: type),
                !ownIDs.contains(handler.id), !DesktopPackage.isOwnID(handler.id), handler.known?.reads(type) != false
            else { return nil }
            return handler.id
        }
    }

    // MARK: Uninstall

    /// Removes the installed files.
    ///
    /// If the record is lost, removes the files and the list entries that are recognized.
    ///
    /// - Returns: the removed files, or `nil` if there was no installation.
    /// - Throws: an `InstallationError` if a file cannot be removed.
    public func uninstall() throws(InstallationError) -> Report? {
        do throws(FileError) {
            let found = try place.read()
            let record = found ?? InstallationRecord()
            var report = Report()
            let types = typesDefined()
            try removeFiles(record, &report)
            let hasCleaned = try cleanLists(record)
            guard found != nil || hasCleaned || !report.files.isEmpty else { return nil }
            report.add(updateDatabases())
            // The record is preserved, so that you can uninstall again.
            if let error = report.unstarted { throw error }
            try removeLeftovers(types)
            try removeGenerated(record)
            let recordFolder: LocalPath = "\(place.path.folder)/"
            for folder in record.folders.sorted(by: { $0.bytes.count > $1.bytes.count })
            where !recordFolder.hasPrefix("\(folder)/") {
                try deleteFolderIfEmpty(folder)
            }
            try place.remove(record)
            return report
        } catch {
            throw InstallationError(error)
        }
    }

    private func removeFiles(_ record: InstallationRecord, _ report: inout Report) throws(FileError) {
        var paths: [LocalPath] = []
        let entries = dataFolder.appending("applications")
        let names = try EntryStatus.find(entries) == nil ? [] : folderEntries(entries)
        let bridges = names.filter { ConversionEntry.isID($0.shown) }.map { entries.appending($0) }
        let retired = DesktopPackage.formerFiles.map { dataFolder.appending(LocalPath($0)) }
        for path in record.files.map(\.path) + files.map(\.path) + bridges + retired
        where path.isAbsolute && !paths.contains(path) {
            paths.append(path)
        }
        for folder in Set(paths.map(\.folder)) { sweepLeftovers(in: folder) }
        for path in paths {
            if record.files.contains(where: { $0.path == path }) { try deleteFile(FileChanges.aside(path)) }
            guard let status = try EntryStatus.find(path) else { continue }
            var isOwn = try record.owns(path)
            if !isOwn, status.isRegular, let bytes = try readFileIfThere(path) { isOwn = package.isOwn(bytes, path) }
            if isOwn {
                try deleteFile(path)
                report.files.append(path)
            } else {
                report.left.append(path)
            }
        }
    }

    /// Removes this program's entries from all association lists. Returns whether there were any.
    private func cleanLists(_ record: InstallationRecord) throws(FileError) -> Bool {
        var paths = try target.allLists(session)
        if let path = record.list?.path, !paths.contains(path) { paths.append(path) }
        var hasCleaned = false
        for path in paths {
            sweepLeftovers(in: path.folder)
            guard let current = try readFileIfThere(path) else { continue }
            let own = record.list?.path == path ? record.list : nil
            let isAsLeft = own?.after != nil && own?.after == InstallationRecord.digest(current)
            let bytes =
                isAsLeft ? own?.before ?? [] : cleanedList(current, own == nil ? [] : record.defaults)
            if bytes == current { continue }
            hasCleaned = true
            if own?.before == nil, AssociationFile(bytes).isBlank {
                try deleteFile(path)
            } else {
                try writeFile(bytes, to: path, replacing: true)
            }
        }
        return hasCleaned
    }

    /// Returns a list without this program's entries, regardless of who added them. Defaults that this program recorded
    /// for other programs are removed too if they are unchanged.
    private func cleanedList(_ bytes: [UInt8], _ defaults: [InstallationRecord.DefaultLine]) -> [UInt8] {
        var list = AssociationFile(bytes)
        for line in defaults where list.ids(for: line.type, in: .defaults) == [line.id] {
            list.remove(line.id, for: line.type, in: .defaults)
        }
        list.removeAll(where: DesktopPackage.isOwnID)
        return list.bytes
    }

    /// Returns the types that the installed package describes, followed by those of this package.
    private func typesDefined() -> [String] {
        let path = dataFolder.appending("mime/packages/chemopen.xml")
        let text = (try? readFile(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let installed = text.parts(between: "<mime-type type=\"").dropFirst().compactMap {
            $0.split(separator: "\"").first.map(String.init)
        }
        return installed + package.types.map(\.type).filter { !installed.contains($0) }
    }

    /// Removes files of types that no package describes any more. `update-mime-database` does not delete them.
    private func removeLeftovers(_ types: [String]) throws(FileError) {
        let folder = dataFolder.appending("mime")
        let known = try readFileIfThere(folder.appending("types")) ?? []
        let lines = Set(String(decoding: known, as: UTF8.self).split(separator: "\n"))
        var media: Set<String> = []
        for type in types where !lines.contains(type[...]) && !type.holds("..") {
            try deleteFile(folder.appending("\(type).xml"))
            media.insert(String(type.prefix { $0 != "/" }))
        }
        for name in media { try deleteFolderIfEmpty(folder.appending(LocalPath(name))) }
    }

    /// Removes generated files that did not exist before the installation, unless other packages need them.
    private func removeGenerated(_ record: InstallationRecord) throws(FileError) {
        let isBare: (LocalPath) -> Bool = { (try? folderEntries(dataFolder.appending($0)))?.isEmpty ?? true }
        let hasEntries = ((try? folderEntries(dataFolder.appending("applications"))) ?? []).contains {
            $0 != "mimeinfo.cache" && $0 != "mimeapps.list" && $0 != "defaults.list"
        }
        for path in record.generated {
            let isNeeded = path.hasSuffix("mimeinfo.cache") ? hasEntries : !isBare("mime/packages")
            if !isNeeded { try deleteFile(path) }
        }
    }

    // MARK: Databases

    /// Runs the desktop's programs that update its databases.
    private func updateDatabases() -> DatabaseUpdate {
        var outcome = DatabaseUpdate()
        let jobs = [
            ("update-mime-database", ["mime"], true), ("update-desktop-database", ["applications"], true),
            ("gtk-update-icon-cache", ["-f", "-t", "icons/hicolor"], hasIconCache),
        ]
        for (name, words, isWanted) in jobs where isWanted {
            let folder = dataFolder.appending(LocalPath(words.last ?? ""))
            let found: LocalPath?
            do throws(FileError) {
                guard try EntryStatus.find(folder, followingLinks: true)?.isFolder == true else { continue }
                found = try session.findProgram(name)
            } catch {
                outcome.unstarted = error
                continue
            }
            guard let program = found else {
                outcome.missing.append((name, "is not installed"))
                continue
            }
            do throws(FileError) {
                let words = words.dropLast().map { LocalPath($0) } + [folder]
                if try startProgram(program, words) == nil {
                    outcome.missing.append((name, "failed on \(folder.shown)"))
                }
            } catch {
                outcome.missing.append((name, "could not be started: \(error.explanation)"))
                outcome.unstarted = error
            }
        }
        reloadServices()
        return outcome
    }

    /// Makes the session bus search for activatable programs again. The bus does not notice new directories.
    private func reloadServices() {
        guard target.isForUser, session.hasRunningBus, let gdbus = session.program("gdbus") else { return }
        let words = [
            "call", "--session", "--timeout", "5", "--dest", "org.freedesktop.DBus", "--object-path",
            "/org/freedesktop/DBus", "--method", "org.freedesktop.DBus.ReloadConfig",
        ]
        _ = runProgram(gdbus, words.map { LocalPath($0) })
    }

    private var hasIconCache: Bool {
        EntryStatus(dataFolder.appending("icons/hicolor/icon-theme.cache")) != nil
    }
}

/// The database programs that failed, with the reasons.
private struct DatabaseUpdate {
    var missing: [(program: String, why: String)] = []
    var unstarted: FileError?
}

extension InstallationRecord {
    fileprivate mutating func noteDefault(_ id: String, for type: String) {
        let line = DefaultLine(type: type, id: id)
        if !defaults.contains(line) { defaults.append(line) }
    }
}

/// The reason why an installation failed or a file could not be removed.
public struct InstallationError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ error: FileError) {
        description = "\(error)" + (error.reason == .alreadyExists ? " and was not written by chemopen" : "")
    }
}
