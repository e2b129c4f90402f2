import Chemopen

extension Option {
    static let calledAs = Option("--name", path: "NAME", help: "the name of the file in messages")
}

/// `chemopen merge`: two versions of a file into one, record by record.
enum MergeCommand: Command {
    static let name = "merge"
    static let summary = "merge two versions of a file that were made of a third one"
    static let usage = "chemopen merge [options] BASE OURS THEIRS"
    static let example = "chemopen merge -O merged.sdf base.sdf ours.sdf theirs.sdf"
    static let options: [Option] = [.key, .output, .force, .calledAs, .from]
    static let remarks = [
        "The outcome goes into OURS, or into OUT. Records are found again as diff finds them; what one",
        "side alone has changed counts, fields one by one, a structure as a whole. Where both have",
        "changed the same, the file gets both versions, marked in the field MergeConflict, and the exit",
        "status is 1. It is what git asks of a merge driver: chemopen git-setup makes it one.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 3 else { throw UsageError("merge takes three files, as in: \(example)") }
        let files = arguments.operands
        var merge = FileMerge(
            base: files[0], ours: files[1], theirs: files[2], as: try arguments.format(of: .from),
            try arguments.readOptions())
        merge.key = arguments.value(of: .key).map { Text($0) }
        let target = arguments.path(of: .output) ?? files[1]
        do throws(Conversion.Failure) {
            let merged = try merge.merged()
            let replaces = arguments.path(of: .output) == nil || arguments.has(.force)
            try writeWholeFile(merged.bytes, to: target, replacing: replaces)
            let name = (arguments.path(of: .calledAs) ?? target).shown
            for conflict in merged.conflicts { terminal.tell(.error, of: name, "conflict: \(conflict)") }
            return merged.conflicts.isEmpty ? .done : .incomplete
        } catch {
            return terminal.tell(error)
        }
    }
}
