import Foundation
import Testing

/// Git merges two edits of a file with this program as its merge driver.
@Suite(
    "Merges in git",
    .enabled("there is no git on this machine") { FileManager.default.isExecutableFile(atPath: "/usr/bin/git") })
struct MergeCaseTests {
    private static let commands = ["merge", "rebase", "cherry-pick", "stash-pop"]

    /// A script that runs each command on its own branch, and prints its status, the messages and the merged file.
    private static let script = """
        export HOME="$PWD" XDG_CONFIG_HOME="$PWD" GIT_CONFIG_GLOBAL="$PWD/config" GIT_CONFIG_NOSYSTEM=1
        put() { case $1 in *.gz) gzip -nc ../$2 > $1;; *) cat ../$2 > $1;; esac; }
        take() { case $1 in *.gz) gzip -dc $1;; *) cat $1;; esac; }
        check() { chemopen check $F 2>&1 | sed -E 's/(:[0-9]+)+:/:/; s/[0-9]+ records?/records/' | sort -u; }
        mkdir r; cd r; git init -q -b main; chemopen git-setup > /dev/null
        put $F base; git add .; git commit -qm base; check > ../checked
        git checkout -q -b theirs; put $F theirs; git add .; git commit -qm theirs --allow-empty; check >> ../checked
        git checkout -q -b ours main; put $F ours; git add .; git commit -qm ours --allow-empty; check >> ../checked
        try() {
            git checkout -q -f $1; branch=$2; shift 2
            git checkout -q -B try-$branch
            "$@" > ../words 2>&1; echo $? > ../status-$branch
            grep -o 'conflict: .*' ../words > ../told-$branch
            take $F > ../file-$branch
            check > ../checked-$branch
            git rebase --abort 2> /dev/null; git cherry-pick --abort 2> /dev/null; git reset -q --hard
        }
        try ours merge git merge -q -m m theirs
        try theirs rebase git rebase -q ours
        try ours cherry-pick git cherry-pick --allow-empty --keep-redundant-commits theirs
        git checkout -q main; put $F theirs; git stash -q 2> /dev/null
        try ours stash-pop git stash pop -q
        """

    private func run(_ row: MergeCase) throws -> Program {
        let chemopen = try Program()
        try chemopen.put("[user]\n\tname = n\n\temail = n@example.org\n", at: "config")
        try chemopen.put(row.base, at: "base")
        try chemopen.put(row.ours, at: "ours")
        try chemopen.put(row.theirs, at: "theirs")
        _ = try chemopen.shell("F=\(row.name)\n" + Self.script)
        return chemopen
    }

    private func check(_ row: MergeCase) throws {
        let files = try run(row)
        // If one side equals the base, there are no changes to stash.
        let commands = row.theirs == row.base ? ["merge"] : Self.commands
        for command in commands {
            let told = try #require(files.text("told-\(command)"))
            let file = try #require(files.text("file-\(command)"))
            let comment = Comment("\(row.title): \(command)")
            switch row.outcome {
            case .both: Issue.record("the case has no expected result")
            case .file(let expected):
                #expect(told == "", comment)
                #expect(file == expected, comment)
                #expect(files.text("status-\(command)") == "0\n", comment)
            case .conflict(let expected, let marks):
                #expect(told == expected + "\n", comment)
                let marked = ["ours: ", "theirs: "].map { file.components(separatedBy: $0).count - 1 }
                #expect(marked.reduce(0, +) == marks, comment)
                #expect(files.text("status-\(command)") == "1\n", comment)
            }
            // The merge adds no new warning.
            let (found, known) = (lines("checked-\(command)", files), lines("checked", files))
            #expect(found.subtracting(known) == [], comment)
        }
    }

    private func lines(_ name: String, _ files: Program) -> Set<Substring> {
        Set((files.text(name) ?? "not checked").split(separator: "\n"))
    }

    @Test("changed records of SD files are merged as expected", arguments: MergeCase.sdfiles)
    func records(_ row: MergeCase) throws { try check(row) }

    @Test(
        "changed reactions, tables, line formats and single-record files are merged as expected",
        arguments: MergeCase.others)
    func others(_ row: MergeCase) throws { try check(row) }
}
