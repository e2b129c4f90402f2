import Foundation
import Testing

/// diff, log, blame, merge, rebase, cherry-pick and stash of git, with this program as its driver.
@Suite(
    "Git drivers",
    .enabled("there is no git on this machine") { FileManager.default.isExecutableFile(atPath: "/usr/bin/git") })
struct GitTests {
    let chemopen: Program

    /// Creates a repository with one commit of five records.
    init() throws {
        chemopen = try Program()
        try chemopen.put("[user]\n\tname = n\n\temail = n@example.org\n", at: "config")
        try chemopen.put(base.joined(), at: "r/a.sdf")
        #expect(try git("git init -q -b main && git add . && git commit -qm base").status == 0)
    }

    private let base = (1...5).map { record("m\($0)", ("ID", "\($0)"), ("MASS", "\($0).5")) }

    /// Runs a shell command line in the repository, isolated from the user's configuration.
    private func git(_ line: String) throws -> Program.Outcome {
        let settings =
            "export HOME=\"$PWD\" XDG_CONFIG_HOME=\"$PWD\" GIT_CONFIG_GLOBAL=\"$PWD/config\" GIT_CONFIG_NOSYSTEM=1"
        return try chemopen.shell("\(settings); cd r; \(line)")
    }

    /// Commits a version of the file on a new branch that starts at the first commit.
    private func commit(_ records: [String], on branch: String) throws {
        #expect(try git("git checkout -q -b \(branch) main").status == 0)
        try chemopen.put(records.joined(), at: "r/a.sdf")
        #expect(try git("git commit -qam \(branch)").status == 0)
    }

    private func changed(_ place: Int, _ old: String, _ new: String) -> [String] {
        var records = base
        records[place] = records[place].replacing(old, with: new)
        return records
    }

    @Test("diff, log and blame show records and fields")
    func shown() throws {
        #expect(try git("chemopen git-setup").status == 0)
        try commit(changed(1, "2.5", "2.75"), on: "other")
        #expect(
            try git("git diff main other").output
                == "changed file a.sdf\nrecord 2: field MASS: \"2.5\", then \"2.75\"\n")
        let log = try git("git log -p -1 --format=%s").output
        #expect(log.contains("\n-  MASS: 2.5\n+  MASS: 2.75\n"))
        #expect(!log.contains("V2000"))
        let blame = try git("git blame -s a.sdf | grep -c '^[0-9a-f^]* *[0-9]*) *m[1-5] | C | drawing '")
        #expect(blame.output == "5\n")
    }

    @Test(
        "merge, rebase and cherry-pick combine changes of a record",
        arguments: ["git merge -q -m m theirs", "git rebase -q theirs", "git cherry-pick theirs"])
    func merged(_ command: String) throws {
        #expect(try git("chemopen git-setup").status == 0)
        try commit(changed(1, "2.5", "2.75") + [record("ours")], on: "theirs")
        try commit(changed(1, "\n2\n", "\ntwo\n") + [record("theirs")], on: "ours")
        #expect(try git(command).status == 0)
        let merged = try #require(chemopen.text("r/a.sdf"))
        #expect(merged.contains("two\n\n") && merged.contains("2.75\n\n"))
        #expect(merged.contains("\nours\n") && merged.contains("\ntheirs\n"))
        let outcome = try git("chemopen check a.sdf")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("7 records"))
    }

    @Test("stash pop combines the restored change with another change")
    func stash() throws {
        #expect(try git("chemopen git-setup").status == 0)
        try commit(changed(0, "1.5", "1.75"), on: "other")
        try chemopen.put(changed(0, "1.5", "1.75").joined().replacing("\n5\n", with: "\nfive\n"), at: "r/a.sdf")
        #expect(try git("git stash -q && git checkout -q main && git merge -q other && git stash pop -q").status == 0)
        #expect(chemopen.text("r/a.sdf")?.contains("\nfive\n") == true)
    }

    @Test("conflicting changes stop the merge with the file, record and field, and both versions stay in the file")
    func conflict() throws {
        #expect(try git("chemopen git-setup").status == 0)
        try commit(changed(1, "2.5", "2.75"), on: "theirs")
        try commit(changed(1, "2.5", "2.25"), on: "ours")
        let outcome = try git("git merge -q -m m theirs")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("a.sdf: error: conflict: record 2 of ours (m2): field MASS changed in both\n"))
        #expect(try git("git status --short").output.hasPrefix("UU a.sdf\n"))
        let text = try #require(chemopen.text("r/a.sdf"))
        #expect(text.split(separator: "<MergeConflict>", omittingEmptySubsequences: false).count == 3)
    }

    @Test("existing settings are preserved, and --remove leaves no settings of this program")
    func setup() throws {
        let before = chemopen.text("r/.git/config")
        try chemopen.put("*.sdf diff=mine\n", at: "r/.git/info/attributes")
        #expect(
            try git("git config merge.chemopen.driver other && chemopen git-setup").output.hasPrefix(
                "not changed: merge.chemopen.driver = other\n"))
        #expect(try git("git check-attr diff merge -- x.sdf").output == "x.sdf: diff: mine\nx.sdf: merge: chemopen\n")
        #expect(try git("git check-attr diff -- x.el.gz").output == "x.el.gz: diff: chemopen\n")
        #expect(try git("chemopen git-setup --remove && git config --unset merge.chemopen.driver").status == 0)
        #expect(chemopen.text("r/.git/info/attributes") == "*.sdf diff=mine\n")
        #expect(chemopen.text("r/.git/config")?.replacing("[merge \"chemopen\"]\n", with: "") == before)
        #expect(try git("chemopen git-setup --user && cd .. && chemopen git-setup").status == 5)
        #expect(chemopen.text("git/attributes")?.hasPrefix("# chemopen git-setup: begin\n") == true)
    }
}
