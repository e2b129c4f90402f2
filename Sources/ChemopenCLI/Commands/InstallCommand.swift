import Chemopen

extension Option {
    static let system = Option("--system", help: "for all users, in /usr/local/share")
    static let prefix = Option("--prefix", path: "DIR", help: "in DIR/share")
    static let takeOver = Option(
        "--default", help: "make chemopen the default program for all its types")
    static let files = Option("--files", path: "DIR", help: "only write the files to DIR, as they are in the sources")
    static let staging = Option(
        "--staging", path: "DIR", help: "for packagers: only write all files to DIR/usr/share")
}

/// `chemopen install`: registers the types and this program with the desktop.
enum InstallCommand: Command {
    static let name = "install"
    static let group = CommandGroup.desktop
    static let summary = "register the file types with this desktop and open them with chemopen"
    static let usage = "chemopen install [options]"
    static let example = "chemopen install"
    static let options: [Option] = [.system, .prefix, .takeOver, .files, .staging, .json]
    static let remarks = [
        "File types, desktop entries, menus, icons, the manual page and shell completions are installed in",
        "your own directories; no special rights are needed. A program that runs from its build directory",
        "is copied to ~/.local/bin. If a program already opens a type, it stays the default. To remove",
        "everything, use chemopen uninstall.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        if let operand = arguments.operands.first {
            throw UsageError("unexpected argument: \"\(operand.shown)\"")
        }
        let session = SessionEnvironment.current
        let target = try arguments.installationTarget()
        let onlyWrites = arguments.path(of: .files) != nil || arguments.path(of: .staging) != nil
        if arguments.has(.json), onlyWrites { throw UsageError("--json cannot be combined with --files and --staging") }
        do {
            if let folder = arguments.path(of: .files) {
                try write(DesktopPackage.ofAllFormats(among: arguments.formats), into: folder)
                return .done
            }
            if let folder = arguments.path(of: .staging) {
                var package = DesktopPackage.ofAllFormats(among: arguments.formats)
                package.additions = additions(zsh: "vendor-completions")
                try package.write(below: folder.appending("usr/share"))
                return .done
            }
            let registry = HandlerRegistry(session, program: OpenRequest.ownProgram)
            var package = localPackage(of: arguments.formats, for: target, registry, on: terminal)
            for program in ProgramPlace(for: target, in: session)?.copied ?? [] {
                package.programs.append((program.name, try readProgram(program)))
            }
            let report = try Installation(package, for: target, in: session).install(
                arguments.has(.takeOver) ? .takeOver : .keep(ownIDs: registry.ownIDs))
            if arguments.has(.json) {
                terminal.write(line(of: report, package, target.dataFolder(session)))
            } else {
                tell(report, package, target.dataFolder(session), on: terminal)
            }
            return .done
        } catch {
            terminal.tell(.error, "\(error)")
            return .unwritable
        }
    }

    /// Returns the package for this machine. Its entries start this program, and it includes entries of programs that
    /// receive converted files.
    fileprivate static func localPackage(
        of formats: FormatRegistry, for target: InstallationTarget, _ registry: HandlerRegistry, on terminal: Terminal
    ) -> DesktopPackage {
        let isElsewhere = if case .prefix = target { true } else { false }
        let place = ProgramPlace(for: target, in: registry.session)
        var package =
            isElsewhere
            ? DesktopPackage.ofAllFormats(among: formats)
            : .startingThisProgram(at: place, among: formats, registry)
        package.additions = additions(zsh: "site-functions")
        package.isForUser = target == .user
        if !isElsewhere, let place, place.name == nil {
            terminal.tell(
                .warning,
                "the path of the program is not UTF-8, so desktop entries use its name; put it into a directory in PATH"
            )
        }
        return package
    }

    /// Writes the files for the directory `handlers` of the sources.
    private static func write(_ package: DesktopPackage, into folder: LocalPath) throws(FileError) {
        for file in package.files + [package.metadata] {
            let path = folder.appending(LocalPath(file.sourceName))
            try makeFolders(path.folder)
            try writeFile(file.bytes, to: path, replacing: true)
        }
    }

    /// Returns the manual page and the shell completions.
    private static func additions(zsh folder: String) -> [DesktopPackage.File] {
        let completion = Completion(commands: allCommands)
        return [
            .init(path: "man/man1/chemopen.1", text: ManualPage.text(of: allCommands)),
            .init(path: "bash-completion/completions/chemopen", text: completion.bash),
            .init(path: "zsh/\(folder)/_chemopen", text: completion.zsh),
            .init(path: "fish/vendor_completions.d/chemopen.fish", text: completion.fish),
        ]
    }

    /// Formats the report as a line of JSON.
    private static func line(
        of report: Installation.Report, _ package: DesktopPackage, _ folder: LocalPath
    ) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("folder", folder)
            json.field("types", package.types.map(\.name))
            json.field("files", report.files.map(\.shown))
            if !package.programs.isEmpty { json.field("programs", LocalPath(package.programPath).folder) }
            json.objects("kept", of: report.kept) { json, kept in
                json.field("type", kept.type)
                json.field("id", kept.id)
            }
            json.missing(report)
        }
        json.endLine()
        return json.bytes
    }

    private static func tell(
        _ report: Installation.Report, _ package: DesktopPackage, _ folder: LocalPath, on terminal: Terminal
    ) {
        terminal.print("\(package.types.count) types, \(report.files.count) files in \(folder.shown)")
        if !package.programs.isEmpty {
            terminal.print("the programs are in \(LocalPath(package.programPath).folder.shown)")
        }
        for line in report.kept { terminal.print("\(line.type) is still opened by \(line.id)") }
        for (program, why) in report.missing {
            terminal.tell(.warning, "\(program) \(why); the desktop may not notice the changes until you run it")
        }
        if package.program.contains(where: { " \"'\\$`".contains($0) }) {
            terminal.tell(
                .warning,
                "the path of the program must be quoted, which xdg-open does not support: \(package.program)")
        }
    }
}

/// `chemopen uninstall`: removes the files that `install` added.
enum UninstallCommand: Command {
    static let name = "uninstall"
    static let group = CommandGroup.desktop
    static let summary = "remove everything that install added"
    static let usage = "chemopen uninstall [options]"
    static let example = "chemopen uninstall --prefix /opt/chemopen"
    static let options: [Option] = [.system, .prefix, .json]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        if let operand = arguments.operands.first {
            throw UsageError("unexpected argument: \"\(operand.shown)\"")
        }
        let target = try arguments.installationTarget()
        do throws(InstallationError) {
            let registry = HandlerRegistry(.current, program: OpenRequest.ownProgram)
            let package = InstallCommand.localPackage(of: arguments.formats, for: target, registry, on: terminal)
            let installation = Installation(package, for: target, in: .current)
            let found = try installation.uninstall()
            if arguments.has(.json) {
                terminal.write(line(of: found))
                return .done
            }
            guard let report = found else {
                terminal.print("no installation found")
                return .done
            }
            terminal.print("\(report.files.count) files removed")
            for path in report.left {
                terminal.tell(.note, "\(path.shown): not removed because it was changed or not written by chemopen")
            }
            for (program, why) in report.missing { terminal.tell(.warning, "\(program) \(why)") }
            return .done
        } catch {
            terminal.tell(.error, "\(error)")
            return .unwritable
        }
    }

    /// Formats the report as a line of JSON; `nil` means that no installation exists.
    private static func line(of report: Installation.Report?) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("files", report?.files.map(\.shown) ?? [])
            json.field("left", report?.left.map(\.shown) ?? [])
            json.missing(report)
        }
        json.endLine()
        return json.bytes
    }
}

extension JSON {
    /// Prints the programs that should have updated a database.
    fileprivate mutating func missing(_ report: Installation.Report?) {
        objects("missing", of: report?.missing ?? []) { json, missing in
            json.field("program", missing.program)
            json.field("reason", missing.why)
        }
    }
}

extension Arguments {
    fileprivate func installationTarget() throws(UsageError) -> InstallationTarget {
        guard let folder = path(of: .prefix) else { return has(.system) ? .system : .user }
        if has(.system) { throw UsageError("--system and --prefix cannot be combined") }
        return .prefix(folder.absolute(from: currentFolder()))
    }
}
