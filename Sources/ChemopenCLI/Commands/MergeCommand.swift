import Chemopen

extension Option {
    static let calledAs = Option("--name", path: "NAME", help: "name of the file in messages")
}

/// `chemopen merge`: merges two versions of a file record by record.
enum MergeCommand: Command {
    static let name = "merge"
    static let group = CommandGroup.edit
    static let summary = "merge two versions of a file that have a common base"
    static let usage = "chemopen merge [options] BASE OURS THEIRS"
    static let example = "chemopen merge -O merged.sdf base.sdf ours.sdf theirs.sdf"
    static let options: [Option] = [.key, .output, .force, .calledAs, .json, .from]
    static let remarks = [
        "The result is written to OURS, or to OUT. Records are matched as in diff. Changes of one side are",
        "applied: fields one by one, a structure as one unit; all other bytes stay unchanged. If both sides",
        "changed the same part, the file contains both versions, marked in the field MergeConflict, and the",
        "exit status is 1. A compressed file stays compressed. git can use the command as a merge driver;",
        "see git-setup.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 3 else { throw UsageError("merge requires three files, as in: \(example)") }
        let files = arguments.operands
        let name = arguments.path(of: .calledAs)
        // Git passes temporary files, and their names do not reveal the format.
        let named = name.flatMap { FormatRegistry(arguments.formats.toldByName).format(ofName: $0) }
        var merge = FileMerge(
            base: files[0], ours: files[1], theirs: files[2], as: try arguments.format(of: .from) ?? named,
            try arguments.readOptions())
        merge.key = arguments.value(of: .key).map { Text($0) }
        let output = arguments.path(of: .output)
        if arguments.has(.json), output?.isDash == true {
            throw UsageError("--json and OUT would both use standard output (use --output to specify a file)")
        }
        try arguments.refusePacked(output, on: terminal)
        do throws(Conversion.Failure) {
            let merged = try merge.merged()
            if let output {
                try writeWholeFile(merged.bytes, to: output, replacing: arguments.has(.force))
            } else {
                try merged.save(inPlaceOf: files[1])
            }
            let shown = (name ?? output ?? files[1]).shown
            if merged.isWrittenAnew { terminal.tell(.note, of: shown, "the entire table was rewritten") }
            for remark in merged.remarks { terminal.tell(.note, of: shown, remark) }
            for conflict in merged.conflicts {
                terminal.tell(.error, of: shown, "conflict: \(conflict)")
                guard arguments.has(.json) else { continue }
                var json = JSON()
                json.object { json in
                    json.field("file", shown)
                    json.field("kind", "conflict")
                    json.field("record", conflict.record)
                    json.field("reason", conflict.reason)
                }
                json.endLine()
                terminal.write(json.bytes)
            }
            return merged.conflicts.isEmpty ? .done : .incomplete
        } catch {
            return terminal.tell(error)
        }
    }
}
