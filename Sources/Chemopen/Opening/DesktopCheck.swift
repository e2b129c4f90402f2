import ChemopenDesktop

/// Something about this desktop that is worth telling.
public struct Finding: Sendable {
    /// How grave a finding is.
    public enum Kind: String, Sendable {
        /// All is well; something could be better; something does not work.
        case fine, advice, problem
    }

    /// How grave it is.
    public let kind: Kind
    /// The finding in words.
    public let text: String
    /// The command that mends it.
    public let remedy: String?

    init(_ kind: Kind, _ text: String, mend remedy: String? = nil) {
        self.kind = kind
        self.text = text
        self.remedy = remedy
    }
}

/// Looks for what keeps a double click from working.
public struct DesktopCheck: Sendable {
    private let registry: HandlerRegistry
    private let session: Surroundings

    /// A check of the desktop whose programs are in a registry.
    public init(_ registry: HandlerRegistry) {
        self.registry = registry
        session = registry.session
    }

    /// Looks at the programs, the installation, the database of types, the defaults and the entries.
    public func findings(formats: FormatRegistry = .standard) -> [Finding] {
        programs() + installation() + database(formats) + defaults(formats) + entries()
    }

    // MARK: Programs

    private func programs() -> [Finding] {
        let wanted = [
            ("update-mime-database", "shared-mime-info", "without it no type can be added"),
            ("update-desktop-database", "desktop-file-utils", "without it file managers do not see added programs"),
            ("xdg-open", "xdg-utils", "many programs open files through it"),
            (
                "mimetype", "libfile-mimeinfo-perl",
                "without it xdg-open takes molecules for plain text where no desktop runs"
            ),
        ]
        var findings: [Finding] = []
        if !session.isGraphical {
            findings.append(Finding(.advice, "there is no graphical session: open prints what info prints"))
        } else if Dialog(in: session) == nil {
            findings.append(
                Finding(.advice, "no program can show questions and messages", mend: "sudo apt-get install zenity"))
        }
        for (program, package, why) in wanted where session.program(program) == nil {
            findings.append(
                Finding(.problem, "\(program) is not installed: \(why)", mend: "sudo apt-get install \(package)"))
        }
        return findings
    }

    // MARK: Types

    private func installation() -> [Finding] {
        if registry.location(of: DesktopPackage.entryID) != nil {
            if let error = registry.unusable[DesktopPackage.entryID] {
                return [Finding(.problem, "chemopen's own entry cannot be used: \(error)", mend: "chemopen install")]
            }
            return [Finding(.fine, "chemopen is installed on this desktop")]
        }
        return [
            Finding(
                .problem, "chemopen is not installed on this desktop: it knows the files only when asked",
                mend: "chemopen install")
        ]
    }

    private func database(_ formats: FormatRegistry) -> [Finding] {
        let database = TypeDatabase(session)
        var findings = database.stale.map {
            Finding(
                .problem, "the database of types in \($0.shown) is older than its packages",
                mend: "update-mime-database \($0.shown)")
        }
        for format in formats where format.signature != nil {
            for suffix in format.extensions {
                let globs = database.types(forExtension: suffix)
                guard let first = globs.first else {
                    findings.append(
                        Finding(
                            .problem, ".\(suffix) has no type: files open as plain text or not at all",
                            mend: "chemopen install"))
                    continue
                }
                if format.mimeTypes.contains(first.type) { continue }
                if globs.contains(where: { format.mimeTypes.contains($0.type) }) {
                    findings.append(
                        Finding(
                            .fine,
                            ".\(suffix) belongs to \(first.type), and files that are \(format.described) are told by their content"
                        ))
                } else {
                    findings.append(
                        Finding(.problem, ".\(suffix) belongs to \(first.type) only", mend: "chemopen install"))
                }
            }
        }
        return findings
    }

    // MARK: Handlers

    private func defaults(_ formats: FormatRegistry) -> [Finding] {
        formats.flatMap { format -> [Finding] in
            let type = format.mimeType
            var findings: [Finding] = []
            for id in registry.missingDefaults(for: type) {
                findings.append(
                    Finding(
                        .problem,
                        "\(id) is the default for \(type) and cannot be used: \(registry.unusable[id]?.description ?? "it is not installed")",
                        mend: "chemopen handlers default \(format.id) -"))
            }
            guard let handler = registry.effectiveHandler(for: type) else {
                return findings + [Finding(.problem, "nobody opens \(type)", mend: "chemopen install")]
            }
            if let known = handler.known, !known.readings.contains(where: { format.mimeTypes.contains($0.type) }) {
                findings.append(
                    Finding(
                        .problem, "\(handler.name) is opened for \(type), and does not read it",
                        mend: "chemopen handlers default \(format.id) chemopen"))
            } else {
                findings.append(Finding(.fine, "\(type) is opened with \(handler.name)"))
            }
            return findings
        }
    }

    private func entries() -> [Finding] {
        registry.unusable.sorted { $0.key < $1.key }.filter {
            registry.location(of: $0.key) != nil && $0.key != DesktopPackage.entryID
        }.map {
            Finding(.advice, "\($0.key) cannot be used: \($0.value)")
        }
    }
}

/// Tells what happens to one file.
public struct FileCheck: Sendable {
    private let opening: Opening

    /// A check of files on the desktop whose programs are in a registry.
    public init(_ registry: HandlerRegistry, among formats: FormatRegistry = .standard) {
        opening = Opening(registry, among: formats)
    }

    /// Tells what a file is, and what would open it.
    public func findings(for path: LocalPath) -> [Finding] {
        let file: ReceivedFile
        do throws(OpenError) {
            file = try ReceivedFile(path, ReadOptions(among: opening.formats))
        } catch {
            return [Finding(.problem, error.description)]
        }
        let format = file.survey.format
        var findings = [
            Finding(.fine, "\(file.name): is \(format.described), told by \(file.identification.evidence.rawValue)")
        ]
        let suffix = fileExtension(path)
        if let glob = TypeDatabase(opening.registry.session).types(forExtension: suffix).first,
            !format.mimeTypes.contains(glob.type)
        {
            let isShared = format.extensions.contains(suffix)
            findings.append(
                Finding(
                    isShared ? .fine : .advice, "\(file.name): by its name a desktop takes it for \(glob.type)",
                    mend: isShared ? nil : "rename it to .\(format.extensions.first ?? "")"))
        }
        if let choice = opening.plan(for: file).choices.first {
            findings.append(
                Finding(.fine, "\(file.name): opens in \(choice.handler?.name ?? "the viewer"): \(choice.reason)"))
        }
        return findings
    }
}
