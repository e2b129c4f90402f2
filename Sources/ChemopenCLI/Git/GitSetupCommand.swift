import Chemopen

/// `chemopen git-setup`: sets up git to compare, show and merge chemical files with this program.
enum GitSetupCommand: Command {
    static let name = "git-setup"
    static let group = CommandGroup.edit
    static let summary = "set up git to compare, show and merge chemical files record by record"
    static let usage = "chemopen git-setup [options]"
    static let example = "chemopen git-setup --user"
    static let options: [Option] = [.forUser, .remove, .json]
    static let remarks = [
        "Writes the drivers to the configuration of the repository in the current directory, and one line",
        "per file type to its info/attributes; with --user, to your own configuration and attributes.",
        "Existing drivers and attributes stay unchanged and are reported.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.isEmpty else { throw UsageError("git-setup does not accept a file") }
        guard let git = Git(forUser: arguments.has(.forUser)) else {
            terminal.tell(.error, "git is not installed")
            return .usage
        }
        do throws(GitSetup.Failure) {
            let setup = try GitSetup(git, formats: arguments.formats.all, program: OpenRequest.ownProgram)
            let removes = arguments.has(.remove)
            if removes { try setup.remove() }
            let kept = removes ? [] : try setup.install()
            if arguments.has(.json) {
                terminal.write(line(kept, removes ? nil : setup.attributes))
                return .done
            }
            for (key, value) in kept { terminal.print("not changed: \(key) = \(value)") }
            terminal.print(
                removes
                    ? "removed the settings of chemopen from git"
                    : "git now uses chemopen to compare, show and merge chemical files; see \(setup.attributes.shown)")
            return .done
        } catch {
            terminal.tell(.error, error.message)
            return .unwritable
        }
    }

    /// Formats the result as a line of JSON. After a removal, the attributes file does not exist.
    private static func line(_ kept: [(key: String, value: String)], _ attributes: LocalPath?) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.field("set", attributes != nil)
            if let attributes { json.field("attributes", attributes) }
            json.objects("kept", of: kept) { json, setting in
                json.field("key", setting.key)
                json.field("value", setting.value)
            }
        }
        json.endLine()
        return json.bytes
    }
}

extension Option {
    static let forUser = Option("--user", help: "set up all repositories of this user, not only this one")
    static let remove = Option("--remove", help: "remove the settings that git-setup wrote")
}
