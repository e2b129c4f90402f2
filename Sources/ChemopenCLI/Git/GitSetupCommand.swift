import Chemopen

/// `chemopen git-setup`: git compares, shows and merges chemical files through this program.
enum GitSetupCommand: Command {
    static let name = "git-setup"
    static let summary = "let git compare, show and merge chemical files record by record"
    static let usage = "chemopen git-setup [options]"
    static let example = "chemopen git-setup --user"
    static let options: [Option] = [.forUser, .remove]
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
            for line in try arguments.has(.remove) ? setup.remove() : setup.install() { terminal.print(line) }
            return .done
        } catch {
            terminal.tell(.error, error.message)
            return .unwritable
        }
    }
}

extension Option {
    static let forUser = Option("--user", help: "for all repositories of the user, not only for this one")
    static let remove = Option("--remove", help: "take back what git-setup has written")
}
