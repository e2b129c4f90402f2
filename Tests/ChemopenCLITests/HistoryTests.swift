import Foundation
import Testing

/// The history of a file in git, and the commands that restore from it.
@Suite(
    "history",
    .enabled("there is no git on this machine") { FileManager.default.isExecutableFile(atPath: "/usr/bin/git") })
struct HistoryTests {
    let chemopen: Program

    /// Creates four commits: five records, a changed mass, a deleted record, and a renamed file with two more
    /// changes.
    init() throws {
        chemopen = try Program()
        try chemopen.put("[user]\n\tname = Ann\n\temail = ann@example.org\n", at: "config")
        try commit(base, "first", "git init -q -b main && git add .")
        try commit(edited(1, "2.5", "2.75"), "mass")
        try commit(without3, "m3 goes")
        #expect(try git("git mv a.sdf 'b c.sdf'").status == 0)
        last[0] = last[0].replacing("\n1\n", with: "\none\n")
        try chemopen.put((last + [record("m6", ("ID", "6"))]).joined(), at: "r/b c.sdf")
        #expect(try git("git commit -qam 'one and m6'").status == 0)
        last.append(record("m6", ("ID", "6")))
    }

    private let base = (1...5).map { record("m\($0)", ("ID", "\($0)"), ("MASS", "\($0).5")) }
    private var last: [String] = []

    private func edited(_ place: Int, _ old: String, _ new: String) -> [String] {
        var records = base
        records[place] = records[place].replacing(old, with: new)
        return records
    }

    private var without3: [String] {
        mutating get {
            last = edited(1, "2.5", "2.75")
            last.remove(at: 2)
            return last
        }
    }

    private func commit(_ records: [String], _ message: String, _ before: String = "true") throws {
        try chemopen.put(records.joined(), at: "r/a.sdf")
        #expect(try git("\(before) && git commit -qam '\(message)'").status == 0)
    }

    /// Runs a shell command line in the repository, isolated from the user's configuration.
    private func git(_ line: String) throws -> Program.Outcome {
        let settings =
            "export HOME=\"$PWD\" XDG_CONFIG_HOME=\"$PWD\" GIT_CONFIG_GLOBAL=\"$PWD/config\" GIT_CONFIG_NOSYSTEM=1"
        return try chemopen.shell("\(settings); cd r; \(line)")
    }

    /// Returns the lines of a history without the hashes and dates of the commits.
    private func told(_ words: String) throws -> [String] {
        try git("chemopen history \(words)").output.split(separator: "\n").map { line in
            line.hasPrefix(" ") ? String(line) : line.components(separatedBy: " ").dropFirst(2).joined(separator: " ")
        }
    }

    @Test("each commit lists its records, newest first, across a renamed file")
    func whole() throws {
        #expect(
            try told("'b c.sdf'") == [
                "Ann: one and m6", "  record 1 (m1): field ID: \"1\", now \"one\"", "  record 5 (m6): inserted",
                "Ann: m3 goes", "  record 3 (m3): deleted",
                "Ann: mass", "  record 2 (m2): field MASS: \"2.5\", now \"2.75\"",
                "Ann: first", "  record 1 (m1): inserted", "  record 2 (m2): inserted", "  record 3 (m3): inserted",
                "  record 4 (m4): inserted", "  record 5 (m5): inserted",
            ])
    }

    @Test("options filter by record, field, author and deletion, also in a bare clone and a linked work tree")
    func chosen() throws {
        let mass = ["Ann: mass", "  record 2 (m2): field MASS: \"2.5\", now \"2.75\""]
        let first = ["Ann: first", "  record 2 (m2): inserted"]
        #expect(try told("--record m2 --field MASS 'b c.sdf'") == mass + first)
        #expect(try told("--record 2 --key ID 'b c.sdf'") == mass + first)
        #expect(try told("--record 2 'b c.sdf'") == mass + first)
        #expect(try told("--deleted 'b c.sdf'") == ["Ann: m3 goes", "  record 3 (m3): deleted"])
        #expect(try told("--where 'MASS = 2.75' 'b c.sdf'") == mass)
        #expect(try told("--where 'MASS = 2.5' 'b c.sdf'") == mass + first)
        #expect(try told("--smarts C --where 'ID = 2' 'b c.sdf'") == mass + first)
        let none = try git("chemopen history --where 'MAS = 2.75' 'b c.sdf'")
        #expect(none.errors.contains(#"no record has a field "MAS""#))
        #expect(none.status == 1)
        #expect(try git("chemopen history --by nobody 'b c.sdf'").status == 1)
        #expect(try git("chemopen history --since 2035-01-01 'b c.sdf'").status == 1)
        #expect(try git("git clone -q --bare . ../bare && git worktree add -q ../tree").status == 0)
        #expect(try told("--record m2 '../bare/b c.sdf'") == mass + first)
        #expect(try told("--record m2 '../tree/b c.sdf'") == mass + first)
        let json = try git("chemopen history --record m3 --deleted --json 'b c.sdf'").output
        let change = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(change["author"] as? String == "Ann")
        #expect(change["before"] as? String == base[2])
    }

    @Test("a submodule, a subdirectory, and a file whose name looks like an option have their own history")
    func elsewhere() throws {
        let first = ["Ann: first", "  record 2 (m2): inserted"]
        let mass = ["Ann: mass", "  record 2 (m2): field MASS: \"2.5\", now \"2.75\""]
        let outer =
            "git init -q ../outer && cd ../outer && git -c protocol.file.allow=always submodule --quiet add ../r sub"
        #expect(try git("\(outer) && git commit -qm outer").status == 0)
        #expect(try told("--record m2 '../outer/sub/b c.sdf'") == mass + first)
        try chemopen.put(record("z", ("OTHER", "z")), at: "r/deep/er/--all.sdf")
        #expect(try git("git add deep && git commit -qm below").status == 0)
        #expect(try told("deep/er/--all.sdf") == ["Ann: below", "  record 1 (z): inserted"])
        #expect(try git("git mv deep/er/--all.sdf x.sdf && git commit -qm up && chemopen history x.sdf").status == 0)
        #expect(try told("--record z x.sdf") == ["Ann: below", "  record 1 (z): inserted"])
    }

    @Test("a merge commit lists only changes that neither parent has")
    func merges() throws {
        let (left, right) = (last.map { $0.replacing("\n5\n", with: "\nfive\n") }, last + [record("m7")])
        #expect(try git("git checkout -q -b left").status == 0)
        try chemopen.put(left.joined(), at: "r/b c.sdf")
        #expect(try git("git commit -qam left && git checkout -q -b right main").status == 0)
        try chemopen.put(right.joined(), at: "r/b c.sdf")
        #expect(try git("git commit -qam right && git merge -q --no-commit left 2> /dev/null; true").status == 0)
        let both = left + [record("m7")]
        try chemopen.put(both.joined(), at: "r/b c.sdf")
        #expect(try git("git commit -qam clean && git checkout -q -b more").status == 0)
        let tell = [
            "Ann: right", "  record 6 (m7): inserted", "Ann: left", "  record 4 (m5): field ID: \"5\", now \"five\"",
        ]
        #expect(try Set(told("--since 2000-01-01 'b c.sdf'").prefix(4)) == Set(tell))
        // Merges again, with a change that is in neither parent.
        #expect(
            try git("git checkout -q right && git reset -q --hard HEAD~1 && git merge -q --no-commit left; true").status
                == 0)
        try chemopen.put(both.joined().replacing("2.75", with: "666"), at: "r/b c.sdf")
        #expect(try git("git commit -qam evil").status == 0)
        let evil = ["Ann: evil", "  record 2 (m2): field MASS: \"2.75\", now \"666\""]
        #expect(try told("'b c.sdf'").prefix(2) == evil[...])
        #expect(try told("--record m2 'b c.sdf'").prefix(2) == evil[...])
        #expect(try git("chemopen revert HEAD 'b c.sdf' && grep -c 2.75 'b c.sdf'").output.hasSuffix("\n1\n"))
    }

    @Test("undelete restores the exact bytes at their old position, and commits only with --commit")
    func undelete() throws {
        #expect(try git("chemopen undelete --record m3 'b c.sdf'").output == "record 3 (m3): inserted\n")
        #expect(chemopen.text("r/b c.sdf") == (last[..<2] + [base[2]] + last[2...]).joined())
        #expect(try git("git log --oneline | wc -l").output == "4\n")
        #expect(try git("chemopen undelete --record m3 'b c.sdf'").status == 2)
        let revert = try git("chemopen restore --to HEAD --commit 'b c.sdf'")
        #expect(revert.status == 2)
        #expect(try git("chemopen restore --to HEAD~1 --record m1 --commit -m 'one was 1' 'b c.sdf'").status == 0)
        #expect(try git("git log -1 --format='%an %s' && git status --short").output == "Ann one was 1\n")
    }

    @Test("revert undoes a commit completely or in part, and preserves later changes")
    func revert() throws {
        #expect(
            try git("chemopen revert HEAD~2 'b c.sdf'").output == "record 2 (m2): field MASS: \"2.75\", now \"2.5\"\n")
        #expect(
            try git("chemopen revert --record m1 HEAD 'b c.sdf'").output
                == "record 1 (m1): field ID: \"one\", now \"1\"\n")
        #expect(try git("chemopen revert HEAD~1 'b c.sdf'").output == "record 3 (m3): inserted\n")
        #expect(try git("chemopen revert --record m6 HEAD 'b c.sdf'").output == "record 6 (m6): deleted\n")
        #expect(chemopen.text("r/b c.sdf") == base.joined())
        #expect(
            try git("chemopen edit --record m2 --set MASS=9 'b c.sdf' && chemopen revert HEAD~2 'b c.sdf'").status == 2)
    }

    @Test("restore returns a field, a record or a file to its state in a commit, also for compressed files")
    func restore() throws {
        let first = "$(git rev-list --max-parents=0 HEAD)"
        #expect(
            try git("chemopen restore --to \(first) --record m2 --field MASS 'b c.sdf'").output
                == "record 2 (m2): field MASS: \"2.75\", now \"2.5\"\n")
        #expect(try git("chemopen restore --to \(first) 'b c.sdf'").status == 0)
        #expect(chemopen.text("r/b c.sdf") == base.joined())
        let packed = "gzip -c 'b c.sdf' > p.sdf.gz && git add p.sdf.gz && git commit -qm packed"
        #expect(try git("\(packed) && chemopen edit --record m4 --delete p.sdf.gz && git commit -qam gone").status == 0)
        #expect(try told("--deleted p.sdf.gz") == ["Ann: gone", "  record 4 (m4): deleted"])
        #expect(try git("chemopen undelete --record m4 p.sdf.gz && zcat p.sdf.gz | cmp - 'b c.sdf'").status == 0)
    }

    @Test("a record is found by its current number if no record has that title")
    func numbers() throws {
        let records = ["a", "b"].map { record($0, ("MASS", "0")) }
        try chemopen.put(records.joined(), at: "r/n.sdf")
        #expect(try git("git add n.sdf && git commit -qm numbers").status == 0)
        try chemopen.put((records[..<1] + [record("b", ("MASS", "9"))]).joined(), at: "r/n.sdf")
        #expect(try git("git commit -qam nine").status == 0)
        let line = "record 2 (b): field MASS: \"9\", now \"0\"\n"
        #expect(try git("chemopen revert --record 2 HEAD n.sdf").output == line)
        #expect(try git("git checkout -q n.sdf; chemopen restore --to HEAD~1 --record 2 n.sdf").output == line)
        #expect(try git("chemopen restore --to HEAD~1 --record 3 n.sdf").status == 2)
        #expect(chemopen.text("r/n.sdf") == records.joined())
    }

    @Test("restoring the first record of an RD file preserves the file header")
    func headOfRDfile() throws {
        let head = "$RDFILE 1\n$DATM    01/01/26 10:00\n"
        let records = (1...3).map { number in
            "$MFMT\n" + record("m\(number)").replacing("$$$$\n", with: "") + "$DTYPE ID\n$DATUM \(number)\n"
        }
        let (all, without) = (head + records.joined(), head + records[1...].joined())
        try chemopen.put(all, at: "r/h.rdf")
        #expect(try git("git add h.rdf && git commit -qm head").status == 0)
        #expect(try git("chemopen edit --record m1 --delete h.rdf && git commit -qam gone").status == 0)
        #expect(chemopen.text("r/h.rdf") == without)
        for command in [
            "undelete --record m1", "revert HEAD", "restore --to HEAD~1 --record m1", "restore --to HEAD~1",
        ] {
            #expect(try git("git checkout -q h.rdf && chemopen \(command) h.rdf").status == 0)
            #expect(chemopen.text("r/h.rdf") == all, "\(command)")
        }
        #expect(try git("git checkout -q h.rdf && chemopen edit --record m3 --move 1 h.rdf").status == 0)
        #expect(chemopen.text("r/h.rdf") == head + records[2] + records[1])
        #expect(try git("chemopen check h.rdf").status == 0)
    }

    @Test("a shallow clone reports missing older commits, and does not list its records as inserted")
    func shallow() throws {
        #expect(try git("git clone -q --depth 2 \"file://$PWD\" ../shallow").status == 0)
        let history = try git("cd ../shallow && chemopen history 'b c.sdf'")
        #expect(history.errors.contains("the clone is shallow, so older commits are missing"))
        #expect(history.output.contains("record 5 (m6): inserted"))
        #expect(!history.output.contains("(m2): inserted"))
    }

    @Test("history, undelete and restore include commits before a conversion and a compression")
    func converted() throws {
        let convert = "chemopen convert 'b c.sdf' 'b c.rdf' && git rm -q 'b c.sdf' && git add . && git commit -qm rdf"
        #expect(try git("\(convert) && gzip 'b c.rdf' && git add -A && git commit -qm gz").status == 0)
        let wanted = [
            "Ann: one and m6", "  record 1 (m1): field ID: \"1\", now \"one\"", "  record 5 (m6): inserted",
            "Ann: m3 goes", "  record 3 (m3): deleted",
            "Ann: mass", "  record 2 (m2): field MASS: \"2.5\", now \"2.75\"",
        ]
        #expect(try told("'b c.rdf.gz'").prefix(wanted.count) == wanted[...])
        #expect(try git("chemopen history 'b c.rdf.gz'").errors == "")
        #expect(try git("chemopen undelete --record m3 'b c.rdf.gz'").output == "record 3 (m3): inserted\n")
        #expect(
            try git("chemopen restore --to HEAD~5 --record m2 'b c.rdf.gz'").output
                == "record 2 (m2): field MASS: \"2.75\", now \"2.5\"\n")
        let whole = try git("chemopen restore --to HEAD~4 'b c.rdf.gz'")
        #expect(whole.status == 2)
        #expect(whole.errors.contains("in another format"))
    }

    @Test("--until also works before a rename, and --commits selects a range")
    func ranges() throws {
        let old = "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z git commit -q --amend --no-edit"
        #expect(
            try git("git rebase -q --root --exec '\(old)' && git mv 'b c.sdf' z.sdf && git commit -qm z").status == 0)
        #expect(try told("--until 2021-01-01 z.sdf").first == "Ann: one and m6")
        #expect(
            try told("--commits HEAD~3.. z.sdf").filter { !$0.hasPrefix(" ") } == [
                "Ann: one and m6", "Ann: m3 goes",
            ])
        let unknown = try git("chemopen history --commits nowhere.. z.sdf")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("git does not know the commits"))
        #expect(try git("chemopen history --commits=--output=y z.sdf").status == 2)
    }

    @Test("one page shows the commits of a range with pictures before and after")
    func page() throws {
        let page = try git("chemopen history --commits HEAD~2.. --html 'b c.sdf'").output
        #expect(page.components(separatedBy: "<h2 class=\"group\">").count == 3)
        #expect(page.components(separatedBy: "<section").count == 4)
        #expect(page.contains("1 changed, 1 inserted, 1 deleted, in 2 commits"))
        #expect(page.contains("<svg") && !page.contains("<script"))
        #expect(try git("chemopen history --html --json 'b c.sdf'").status == 2)
        #expect(try git("chemopen history -O page.html 'b c.sdf'").status == 2)
        #expect(
            try git("chemopen history --html -O page.html 'b c.sdf' && grep -c '</section>' page.html").output == "9\n")
    }

    @Test("a deleted record is also found by its number, and a deleted file is restored without --record")
    func deleted() throws {
        #expect(try git("chemopen undelete --record 3 'b c.sdf'").output == "record 3 (m3): inserted\n")
        #expect(try git("git checkout -q . && git rm -q 'b c.sdf' && git commit -qm gone").status == 0)
        let record = try git("chemopen undelete --record m1 'b c.sdf'")
        #expect(record.status == 2)
        #expect(record.errors.contains("was deleted in commit"))
        #expect(try git("chemopen undelete 'b c.sdf'").status == 0)
        #expect(chemopen.text("r/b c.sdf") == last.joined())
        #expect(try git("chemopen undelete 'b c.sdf'").status == 2)
        #expect(try git("rm 'b c.sdf'; chemopen restore --to HEAD~1 'b c.sdf'").status == 0)
        #expect(chemopen.text("r/b c.sdf") == last.joined())
    }

    @Test("records return to a table without rows", arguments: ["csv", "ds"])
    func emptyTables(_ id: String) throws {
        let make = "chemopen convert a.sdf t.\(id) && git add . && git commit -qm table"
        try chemopen.put(base.joined(), at: "r/a.sdf")
        #expect(try git("\(make) && cp t.\(id) all.\(id)").status == 0)
        #expect(try git("chemopen edit --records 1-5 --delete t.\(id) && git commit -qam none").status == 0)
        for line in ["check t.\(id)", "history t.\(id)", "merge -O m.\(id) all.\(id) t.\(id) all.\(id)"] {
            #expect(try git("chemopen \(line)").status == 0, "\(line)")
        }
        #expect(
            try git("chemopen undelete --key ID --record 3 t.\(id) && chemopen info t.\(id) | tail -1").output
                .hasSuffix("1 record\n"))
        #expect(try git("git checkout -q t.\(id) && chemopen revert HEAD t.\(id) && cmp t.\(id) all.\(id)").status == 0)
        #expect(try git("git checkout -q t.\(id) && chemopen edit --insert a.sdf t.\(id)").status == 0)
        #expect(try git("chemopen info t.\(id) | tail -1").output == "5 records\n")
    }

    @Test("a change without another text is visible in history, textconv and --json")
    func visibleChanges() throws {
        let values = [
            "a\tb", "a·b", "a\\tb", String(repeating: "y", count: 90), String(repeating: "y", count: 89) + "z",
        ]
        var texts: Set<String> = []
        for (place, value) in values.enumerated() {
            try chemopen.put(record("v", ("NOTE", value)), at: "r/v.sdf")
            #expect(try git("git add v.sdf && git commit -qm v\(place)").status == 0)
            texts.insert(try git("chemopen textconv v.sdf").output)
        }
        #expect(texts.count == values.count)
        for line in try told("v.sdf") where line.contains(", now ") {
            let parts = line.components(separatedBy: "NOTE: ").last?.components(separatedBy: ", now ") ?? []
            #expect(Set(parts).count == 2, "\(line)")
        }
        let json = try git("chemopen history --json --commits HEAD~1.. v.sdf").output
        #expect(json.contains(values[3]) && json.contains(values[4]))
    }

    @Test("no program that the repository configures is executed")
    func hostile() throws {
        try chemopen.put("#!/bin/sh\necho \"$0 $*\" >> \"$EVIL\"\nexit 1\n", at: "evil")
        let keys = [
            "core.fsmonitor", "core.pager", "pager.log", "pager.history", "core.editor", "core.sshCommand",
            "core.askPass",
            "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
            "filter.evil.process", "merge.evil.driver", "gpg.program", "gpg.ssh.program", "credential.helper",
            "uploadpack.packObjectsHook", "core.alternateRefsCommand", "core.gitProxy", "trailer.evil.command",
        ]
        let hooks = [
            "pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change", "post-checkout",
            "pre-auto-gc", "fsmonitor-watchman", "prepare-commit-msg",
        ]
        let evil = keys.map { "git config \($0) \"$OUT/evil\"" } + hooks.map { "cp ../evil .git/hooks/\($0)" }
        let lines =
            ["export OUT=\"$(cd .. && pwd)\"; chmod +x ../evil"] + evil + [
                "git config alias.log '!evil'", "git config alias.cat-file '!evil'",
                "git config log.showSignature true",
                "git config commit.gpgSign true", "git config core.hooksPath .git/hooks",
                "git config remote.o.url 'ext::sh -c evil% x'", "git config remote.o.promisor true",
                "git config extensions.partialClone o", "git config core.repositoryFormatVersion 1",
                "printf '* diff=evil merge=evil filter=evil\\n' > .git/info/attributes",
                "cp 'b c.sdf' ./--output=x.sdf; cp 'b c.sdf' ':(exclude)a.sdf'",
            ]
        #expect(try git(lines.joined(separator: "\n")).errors == "")
        let calls = [
            "history 'b c.sdf'", "history --record m2 --json 'b c.sdf'", "history ./--output=x.sdf",
            "history -- './:(exclude)a.sdf'", "undelete --record m3 'b c.sdf'", "revert HEAD 'b c.sdf'",
            "restore --to=--output=y 'b c.sdf'", "restore --to HEAD 'b c.sdf'",
            "restore --to HEAD~1 --record m1 --commit -m evil 'b c.sdf'",
            "revert --record m2 HEAD~2 --commit -m evil 'b c.sdf'",
        ]
        for call in calls {
            let outcome = try git("export EVIL=\"$PWD/../ran\" PATH=\"$PWD/..:$PATH\"; chemopen \(call)")
            #expect(chemopen.text("ran") == nil, "\(call): \(outcome.errors)")
        }
        #expect(try git("chemopen restore --to HEAD~2 'b c.sdf'; ls").output.contains("b c.sdf"))
        // Git would fetch a missing object from the remote that the repository configures.
        #expect(
            try git(
                "rm -rf .git/objects/pack; find .git/objects -type f -name '????????????*' | sort | head -n 8 | xargs rm -f"
            ).status == 0)
        _ = try git("export EVIL=\"$PWD/../ran\" PATH=\"$PWD/..:$PATH\"; chemopen history 'b c.sdf'")
        #expect(chemopen.text("ran") == nil)
        #expect(!chemopen.names.contains("y"))
        // Git itself would have executed them.
        _ = try git("export EVIL=\"$PWD/../ran\"; git -c extensions.partialClone= status; git diff; git log -1 -p")
        #expect(chemopen.text("ran") != nil)
    }

    /// The records of a drawing share the bytes of the file.
    @Test("the history of a drawing lists each of its records, and only those that changed")
    func drawings() throws {
        let lines = [
            "cp -r \(Program.testData)/cdxml \(Program.testData)/cdx .; git add . && git commit -qm all",
            "for file in cdxml/* cdx/*; do",
            "inserted=$(chemopen history --json \"$file\" 2>/dev/null | wc -l)",
            "read=$(chemopen info --json \"$file\" 2>/dev/null | wc -l)",
            "[ \"$inserted\" = \"$read\" ] || [ $read = 0 ] || echo \"$file $inserted $read\"; done",
        ]
        #expect(try git(lines.joined(separator: "\n")).output == "")
        _ = try git("sed -i 's/id=\"12\" p=\"126 115\"/id=\"12\" p=\"126 125\"/' cdxml/list-of-documents.cdxml")
        #expect(try git("git commit -qam moved").status == 0)
        let changes = try told("cdxml/list-of-documents.cdxml")
        let starts = ["Ann: moved", "  record 1", "Ann: all", "  record 1", "  record 2"]
        #expect(changes.map { String($0.prefix(10)) } == starts)
        #expect(changes[1].hasPrefix("  record 1 (CH4O): structure: "))
    }
}
