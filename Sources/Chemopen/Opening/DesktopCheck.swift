import ChemopenDesktop

/// A result of checking the desktop.
public struct Finding: Sendable {
    /// The severity of a result.
    public enum Kind: String, Sendable {
        /// Working, possible to improve, or not working.
        case fine, advice, problem
    }

    /// The severity.
    public let kind: Kind
    /// The description.
    public let text: String
    /// The command that fixes the problem.
    public let remedy: String?

    package init(_ kind: Kind, _ text: String, mend remedy: String? = nil) {
        self.kind = kind
        self.text = text
        self.remedy = remedy
    }
}

/// Finds problems that prevent files from opening with a double click. Each problem is reported with the command that
/// fixes it.
public struct DesktopCheck: Sendable {
    private let registry: HandlerRegistry
    private let session: SessionEnvironment

    /// Creates a check of the desktop that the registry describes.
    public init(_ registry: HandlerRegistry) {
        self.registry = registry
        session = registry.session
    }

    /// Checks the programs, the installation, the type database, the default programs and the desktop entries.
    ///
    /// - Returns: The results, including those for working parts.
    public func findings(formats: FormatRegistry = .standard) -> [Finding] {
        let signed = Array(formats).filter { $0.signature != nil }
        guard let entry = registry.location(of: DesktopPackage.entryID) else {
            return programs() + [
                Finding(
                    .problem, "chemopen is not installed on this desktop; files open in it only on request",
                    mend: "chemopen install")
            ]
        }
        if let error = registry.unusable[DesktopPackage.entryID] {
            return programs() + [
                Finding(.problem, "chemopen's desktop entry cannot be used: \(error)", mend: "chemopen install")
            ]
        }
        return programs() + database(signed, entry.folder.folder) + defaults(signed, entry.folder) + thumbnails()
            + entries()
    }

    // MARK: Programs

    private static let wanted = [
        ("update-mime-database", "shared-mime-info", "no file type can be added"),
        ("update-desktop-database", "desktop-file-utils", "file managers do not see added programs"),
        ("xdg-open", "xdg-utils", "many programs cannot open files"),
        ("mimetype", "libfile-mimeinfo-perl", "xdg-open treats molecules as plain text outside a desktop session"),
    ]

    private func programs() -> [Finding] {
        var findings: [Finding] = []
        if !session.isGraphical {
            findings.append(Finding(.advice, "there is no graphical session, so \"open\" prints the same as \"info\""))
        } else if Dialog(in: session) == nil {
            findings.append(
                Finding(
                    .advice, "no program is installed that can show questions and messages",
                    mend: "sudo apt-get install zenity"))
        }
        let missing = Self.wanted.filter { session.program($0.0) == nil }
        if !missing.isEmpty {
            let why = missing.map { "without \($0.0) \($0.2)" }.joined(separator: ", ")
            let packages = missing.map(\.1).joined(separator: " ")
            findings.append(
                Finding(.problem, "programs are not installed: \(why)", mend: "sudo apt-get install \(packages)"))
        }
        return findings
    }

    // MARK: Types

    /// - Parameter folder: The data directory in which this program is installed.
    private func database(_ formats: [Format], _ folder: LocalPath) -> [Finding] {
        let database = TypeDatabase(session)
        var stale = database.stale
        var unknown: [String] = []
        var shared: [String] = []
        for format in formats {
            for suffix in format.extensions {
                let globs = database.types(forExtension: suffix)
                if !globs.contains(where: { format.mimeTypes.contains($0.type) }) {
                    unknown.append(".\(suffix)")
                } else if let first = globs.first, !format.mimeTypes.contains(first.type) {
                    shared.append(".\(suffix)")
                }
            }
        }
        var findings: [Finding] = []
        if !shared.isEmpty {
            let names = shared.joined(separator: " ")
            findings.append(
                Finding(
                    .fine, "\(names) are also used by other file types; chemical files are detected from their content")
            )
        }
        let own = folder.appending("mime")
        if !unknown.isEmpty, !stale.contains(own) { stale.append(own) }
        for folder in stale {
            findings.append(
                Finding(
                    .problem,
                    "the type database in \(folder.shown) is older than its packages"
                        + (unknown.isEmpty ? "" : ", and lacks \(unknown.joined(separator: " "))"),
                    mend: "update-mime-database \(folder.typed)"))
        }
        return findings
    }

    // MARK: Handlers

    /// - Parameter folder: The directory of desktop entries in which this program is installed.
    private func defaults(_ formats: [Format], _ folder: LocalPath) -> [Finding] {
        var opened = Groups()
        var missing = Groups()
        var unread = Groups()
        var unopened: [Format] = []
        for format in formats {
            for id in registry.missingDefaults(for: format.mimeType) { missing.add(format, to: id) }
            guard let handler = registry.effectiveHandler(for: format.mimeType) else {
                unopened.append(format)
                continue
            }
            let reads = handler.known.map { known in
                known.readings.contains { format.mimeTypes.contains($0.type) }
            }
            if reads == false { unread.add(format, to: handler.name) } else { opened.add(format, to: handler.name) }
        }
        var findings = opened.all.map { Finding(.fine, "\($0.formats.told) opens in \($0.name)") }
        for (id, formats) in missing.all {
            let why = registry.unusable[id]?.description ?? "it is not installed"
            findings.append(
                Finding(
                    .problem, "\(id) is the default for \(formats.told), but cannot be used: \(why)",
                    mend: formats.commands { "chemopen handlers default \($0) -" }))
        }
        for (name, formats) in unread.all {
            findings.append(
                Finding(
                    .problem, "\(name) is used for \(formats.told), but cannot read it",
                    mend: formats.commands { "chemopen handlers default \($0) chemopen" }))
        }
        if !unopened.isEmpty {
            findings.append(
                Finding(
                    .problem, "no program opens \(unopened.told) because the index of desktop entries lacks chemopen's",
                    mend: "update-desktop-database \(folder.typed)"))
        }
        return findings
    }

    /// KDE uses thumbnails from its own plugins only.
    private func thumbnails() -> [Finding] {
        guard session.desktops.contains("kde") else { return [] }
        return [Finding(.advice, "Dolphin shows no thumbnails of these files because it uses only its own plugins")]
    }

    private func entries() -> [Finding] {
        let unusable = registry.unusable.sorted { $0.key < $1.key }.filter {
            registry.location(of: $0.key) != nil && $0.key != DesktopPackage.entryID
        }
        guard let first = unusable.first else { return [] }
        let rest = unusable.count > 1 ? "; \(unusable.count - 1) more entries are unusable" : ""
        return [Finding(.advice, "\(first.key) cannot be used: \(first.value)\(rest)")]
    }
}

extension LocalPath {
    /// The path, quoted for a shell if necessary.
    fileprivate var typed: String {
        let isPlain = shown.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/-_.+".utf8.contains(byte)
        }
        return isPlain ? shown : shown.inSingleQuotes
    }
}

/// Formats grouped by a name, in the order of first occurrence.
private struct Groups {
    private(set) var all: [(name: String, formats: [Format])] = []

    mutating func add(_ format: Format, to name: String) {
        if let place = all.firstIndex(where: { $0.name == name }) {
            all[place].formats.append(format)
        } else {
            all.append((name, [format]))
        }
    }
}

extension [Format] {
    /// The extensions of the formats for display.
    fileprivate var told: String { map { ".\($0.extensions.first ?? $0.id)" }.joined(separator: " ") }

    /// Returns a shell command line with one command for each format.
    fileprivate func commands(_ command: (String) -> String) -> String {
        map { command($0.id) }.joined(separator: " && ")
    }
}

/// A check of single files: their format and the program that opens them.
public struct FileCheck: Sendable {
    private let opening: FileOpener

    /// Creates a check of files for the desktop that the registry describes.
    public init(_ registry: HandlerRegistry, among formats: FormatRegistry = .standard) {
        opening = FileOpener(registry, among: formats)
    }

    /// Checks the format of a file and finds the program that would open it.
    ///
    /// - Returns: The results, or the problem that prevents reading the file.
    public func findings(for path: LocalPath) -> [Finding] {
        let file: ReceivedFile
        do throws(OpenError) {
            file = try ReceivedFile(path, ReadOptions(among: opening.formats))
        } catch {
            return [Finding(.problem, error.description)]
        }
        let format = file.survey.format
        var findings = [
            Finding(
                .fine, "\(file.name): is \(format.described), detected from \(file.identification.evidence.rawValue)")
        ]
        let suffix = fileExtension(path)
        if let glob = TypeDatabase(opening.registry.session).types(forExtension: suffix).first,
            !format.mimeTypes.contains(glob.type)
        {
            let isShared = format.extensions.contains(suffix)
            findings.append(
                Finding(
                    isShared ? .fine : .advice, "\(file.name): a desktop detects it as \(glob.type) from its name",
                    mend: isShared ? nil : "rename it to .\(format.extensions.first ?? "")"))
        }
        if let choice = opening.plan(for: file).choices.first {
            findings.append(
                Finding(.fine, "\(file.name): opens in \(choice.handler?.name ?? "the viewer"): \(choice.reason)"))
        }
        return findings
    }
}
