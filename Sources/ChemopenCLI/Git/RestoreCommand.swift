import Chemopen

extension Option {
    static let toCommit = Option("--to", value: "COMMIT", help: "the commit to restore from")
    static let commit = Option("--commit", help: "commit only this file; use -m for the message")
    static let message = Option("--message", "-m", value: "TEXT", help: "commit message")

    /// The options of commands that restore earlier content.
    fileprivate static let restoring: [Option] = [.record, .key, .historyField, .commit, .message, .json]
}

/// `chemopen restore`: restores a file, a record or a field from a commit.
enum RestoreCommand: Command {
    static let name = "restore"
    static let group = CommandGroup.edit
    static let summary = "restore a file, a record or a field from a git commit"
    static let usage = "chemopen restore --to COMMIT [options] FILE"
    static let example = "chemopen restore --to HEAD~3 --record CHEMBL25 --field MASS kinases.sdf"
    static let moreExamples = [
        "chemopen restore --to HEAD kinases.sdf",
        "chemopen restore --to v1.0 --record 3 --commit -m 'Restore record 3' kinases.sdf",
    ]
    static let options: [Option] = [.toCommit] + Option.restoring
    static let reading = Reading.records
    static let takesPipe = false
    static let remarks = [
        "A record is restored byte for byte; a deleted one returns to its old position. All other bytes of",
        "FILE stay unchanged. The file is written atomically. It is committed only with --commit.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard let commit = arguments.value(of: .toCommit) else {
            throw UsageError("restore requires a commit, as in: \(example)")
        }
        let work = try HistoryWork(arguments, terminal)
        if work.request.parts != nil, work.request.value == nil {
            throw UsageError("--field requires --record")
        }
        return work.run { history, path throws(Conversion.Failure) in
            guard let value = work.request.value else {
                return try history.restoreFile(to: commit)
            }
            if let failure = history.missingFile() { throw failure }
            var file = try work.request.collection(path)
            let changes = try history.restore(value, only: work.request.parts, to: commit, in: &file)
            if !changes.isEmpty { try file.save() }
            return changes
        }
    }
}

/// `chemopen undelete`: restores a deleted record.
enum UndeleteCommand: Command {
    static let name = "undelete"
    static let group = CommandGroup.edit
    static let summary = "restore a record or a file that a git commit deleted"
    static let usage = "chemopen undelete [--record KEY] [options] FILE"
    static let example = "chemopen undelete --record CHEMBL25 kinases.sdf"
    static let moreExamples = [
        "chemopen undelete kinases.sdf",
        "chemopen undelete --record 3 --commit -m 'Restore record 3' kinases.sdf",
        "chemopen undelete --key CAS --record 50-81-7 kinases.sdf",
    ]
    static let options: [Option] = [.record, .key, .commit, .message, .json]
    static let reading = Reading.records
    static let takesPipe = false
    static let remarks = [
        "The record is restored byte for byte, to its old position. To list deleted records, use history",
        "--deleted. A number is the record's number before it was deleted. Without --record, the file is",
        "restored if a commit has deleted it. It is committed only with --commit.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let work = try HistoryWork(arguments, terminal)
        return work.run { history, path throws(Conversion.Failure) in
            guard let value = work.request.value else { return try history.undeleteFile().changes }
            if let failure = history.missingFile() { throw failure }
            var file = try work.request.collection(path)
            let changes = try history.undelete(value, in: &file).changes
            try file.save()
            return changes
        }
    }
}

/// `chemopen revert`: undoes the changes of a commit.
enum RevertCommand: Command {
    static let name = "revert"
    static let group = CommandGroup.edit
    static let summary = "undo the changes of a git commit in a file, a record or a field"
    static let usage = "chemopen revert [options] COMMIT FILE"
    static let example = "chemopen revert --record CHEMBL25 4f2a91c kinases.sdf"
    static let moreExamples = [
        "chemopen revert HEAD kinases.sdf",
        "chemopen revert --field MASS --commit -m 'Undo the masses' HEAD~2 kinases.sdf",
    ]
    static let options: [Option] = Option.restoring
    static let reading = Reading.records
    static let takesPipe = false
    static let remarks = [
        "Later changes to other parts stay. If the same part of a record was changed again, nothing is",
        "undone. The file is committed only with --commit.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 2, let commit = arguments.operands.first else {
            throw UsageError("revert requires a commit and a file, as in: \(example)")
        }
        let work = try HistoryWork(arguments, terminal)
        return work.run { history, path throws(Conversion.Failure) in
            if let failure = history.missingFile() { throw failure }
            var file = try work.request.collection(path)
            let changes = try history.revert(
                commit.shown, record: work.request.value, only: work.request.parts, in: &file
            ).changes
            if !changes.isEmpty { try file.save() }
            return changes
        }
    }
}

/// A command that restores earlier content and can commit it.
private struct HistoryWork {
    let request: HistoryRequest
    private let path: LocalPath
    private let message: String?
    private let printsJSON: Bool
    private let terminal: Terminal

    init(_ arguments: Arguments, _ terminal: Terminal) throws(UsageError) {
        request = try HistoryRequest(arguments)
        guard let path = arguments.operands.last else { throw UsageError("no file specified") }
        self.path = path
        message = arguments.value(of: .message)
        if arguments.has(.commit) != (message != nil) {
            throw UsageError("--commit and -m must be used together, as in: --commit -m 'the mass was right'")
        }
        printsJSON = arguments.has(.json)
        self.terminal = terminal
    }

    func run(
        _ work: (FileHistory, LocalPath) throws(Conversion.Failure) -> ChangeSet
    ) -> ExitStatus {
        do throws(Conversion.Failure) {
            let history = try request.history(of: path)
            let changes = try work(history, path)
            var teller = ChangeReporter(printsJSON: printsJSON, terminal)
            for change in changes.changes { teller.tell(change) }
            if changes.isEmpty {
                terminal.tell(.note, of: path.shown, "no change is necessary")
            } else if let message {
                terminal.tell(.note, of: path.shown, "committed as \(try history.commit(message).prefix(12))")
            }
            return .done
        } catch {
            return terminal.tell(error)
        }
    }
}
