import Chemopen

/// `chemopen git-setup`: git compares, shows and merges chemical files through this program.
enum GitSetupCommand: Command {
    static let name = "git-setup"
    static let summary = "let git compare, show and merge chemical files record by record"
    static let usage = "chemopen git-setup [options]"
    static let example = "chemopen git-setup --user"
    static let options: [Option] = [.forUser, .remove, .json]
    static let remarks = [
        "It writes the drivers into the configuration of the repository around the current folder, and",
        "for each type of file a line into its info/attributes; with --user into those of the user.",
        "Drivers and attributes that are set already stay as they are, and are told.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.isEmpty else { throw UsageError("git-setup takes no file") }
        guard let git = Git(forUser: arguments.has(.forUser)) else {
            terminal.tell(.error, "there is no program git")
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
            for (key, value) in kept { terminal.print("kept: \(key) = \(value)") }
            terminal.print(
                removes
                    ? "git knows nothing of chemopen any more"
                    : "git compares, shows and merges chemical files through chemopen; see \(setup.attributes.shown)")
            return .done
        } catch {
            terminal.tell(.error, error.message)
            return .unwritable
        }
    }

    /// The outcome as a line of JSON; there is no file of attributes where the drivers were taken back.
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
    static let forUser = Option("--user", help: "for all repositories of the user, not only for this one")
    static let remove = Option("--remove", help: "take back what git-setup has written")
}
