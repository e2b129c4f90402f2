import Chemopen
import Foundation
import Testing

/// The program with handlers that record their arguments.
@Suite("chemopen open", .serialized)
struct OpeningTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    @Test("if the only program reads molfiles, every type is converted to a molfile")
    func convertsForTheOnlyProgram() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        for format in Format.all {
            let file = try desk.sample(of: format, named: "caffeine.\(format.id)")
            let outcome = try desk.chemopen("open", "--with", "molview", file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let started = try desk.started()
            #expect(started.count == 1, "\(format.id)")
            if format.id != "mol" { #expect(started.first?.contains("/run/chemopen/") == true) }
            let info = try desk.chemopen("info", "--json", desk.root + "/seen.mol")
            #expect(info.output.contains("\"format\":\"mol\""), "\(format.id): \(info.output)")
            #expect(!info.output.contains("\"atoms\":0,"), "\(format.id)")
        }
    }

    @Test("a program that reads only V2000 gets a private copy in V2000")
    func olderVersion() throws {
        try desk.addRecorder("avogadro2", "recorder %f", types: ["chemical/x-cml"])
        let file = try desk.put(ethanolV3000, at: "files/new.mol")
        #expect(try desk.chemopen("open", "--with", "avogadro2", file).status == 0)
        let line = try #require(try desk.started().first)
        #expect(line.hasPrefix("[\(desk.root)/run/chemopen/") && line.hasSuffix("/new.mol]"))
        #expect(desk.text("seen.mol").contains(" V2000\n"))
        let copy = String(line.dropFirst().dropLast())
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let folder = (copy as NSString).deletingLastPathComponent
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }

    @Test("a program that shows one record opens a file of many records with a note, and a record can be selected")
    func manyRecords() throws {
        try desk.addRecorder("avogadro2", "recorder %f", types: [])
        let record = { (name: String) in ethanol.replacing("ethanol", with: name) + "$$$$\n" }
        let file = try desk.put((1...1200).map { record("number \($0)") }.joined(), at: "files/many.sdf")
        let first = "  1  Viewer: the built-in viewer, which shows the complete file"
        #expect(try desk.chemopen("open", "--list", file).lines.dropFirst().first == first)
        let outcome = try desk.chemopen("open", "--with", "avogadro2", file)
        #expect(outcome.errors.contains("has 1,200 records, and avogadro2 for tests will show only the first"))
        #expect(try desk.started() == ["[\(file)]"])
        try desk.chemopen("open", "--with", "avogadro2", "--records", "17", file)
        _ = try desk.started()
        #expect(desk.text("seen.sdf") == record("number 17"))
        try desk.chemopen("open", "--with", "avogadro2", "--where", "title ~ 119 and record > 1191", file)
        _ = try desk.started()
        #expect(desk.text("seen.sdf") == (1192...1199).map { record("number \($0)") }.joined())
    }

    @Test("a started program inherits no open file from the caller, so a script that waits for it can end")
    func descriptors() throws {
        try desk.put("#!/bin/sh\necho /proc/self/fd/[3-9]* > \"$DESK/open\"\n", at: "bin/holder", isProgram: true)
        try desk.addRecorder("holder", "holder %f", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/a.mol")
        let line = "exec 7>held; \(Desk.quotedProgram) open --wait --with holder a.mol"
        #expect(try desk.run("sh", ["-c", line]).status == 0)
        #expect(!desk.text("open").contains("/7"))
    }

    @Test("files are grouped by program, and an invalid file does not affect the others")
    func groups() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/a.mol")
        try desk.put(ethanol, at: "files/b.mol")
        try desk.put("nothing chemical\n", at: "files/c.mol")
        let outcome = try desk.chemopen(
            "open", "a.mol", "c.mol", "file://\(desk.root.replacing(" ", with: "%20"))/files/b.mol")
        #expect(outcome.status == 3)
        let message = "unknown file format (use --from to specify it)"
        #expect(outcome.errors == "chemopen: error: c.mol: \(message)\n")
        #expect(try desk.started() == ["[\(desk.root)/files/a.mol][\(desk.root)/files/b.mol]"])
    }

    @Test("standard input is passed on as a file with the right extension")
    func standardInput() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        let file = try desk.put(ethanol, at: "files/a")
        try desk.run("sh", ["-c", "'\(Desk.program)' open - < '\(file)'"])
        #expect(try desk.started().first?.hasSuffix("/input.mol]") == true)
        #expect(desk.text("seen.mol") == ethanol)
    }

    @Test("an empty structure in standard input or a selected record is reported, and no file is created")
    func emptyStructure() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile", "chemical/x-mdl-sdfile"])
        let empty = "empty\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
        try desk.put(empty, at: "files/a")
        try desk.put(ethanol + "$$$$\n" + empty + "$$$$\n", at: "files/two.sdf")
        let piped = try desk.run("sh", ["-c", "\(Desk.quotedProgram) open - < a"])
        #expect(piped.status == 1)
        #expect(piped.errors == "chemopen: error: standard input: contains no structure to open\n")
        let chosen = try desk.chemopen("open", "--records", "2", "--with", "molview", "two.sdf")
        #expect(chosen.status == 1)
        #expect(chosen.errors == "chemopen: error: two.sdf: the selected records contain no structure\n")
        let beyond = try desk.chemopen("open", "--records", "3", "--with", "molview", "two.sdf")
        #expect(
            beyond.errors
                == "chemopen: error: two.sdf: there is no record 3; the last is 2; 0 of 2 records are selected\n")
        #expect(desk.text("started") == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.root + "/run/chemopen") == [])
    }

    @Test("if no program can open a file, a note is printed, and the viewer opens it")
    func noProgram() throws {
        try desk.addBrowser()
        try desk.put(ethanol, at: "files/a.mol")
        let outcome = try desk.chemopen("open", "--wait", "a.mol")
        let note = "chemopen: note: a.mol: no installed program shows the complete file, so the viewer opens it\n"
        #expect(outcome.errors.hasPrefix(note))
        #expect(!desk.text("page").isEmpty)
        #expect(!(try desk.chemopen("open", "--wait", "--view", "a.mol").errors.contains(note)))
    }

    @Test("standard input has this name in messages, and temporary paths are never shown")
    func nameOfStandardInput() throws {
        try desk.put(ethanol, at: "files/a.mol")
        for (file, status) in [("a.mol", 0), ("/dev/null", 3), ("/etc/passwd", 3)] {
            let line = "\(Desk.quotedProgram) open - < \(file)"
            let outcome = try desk.run("sh", ["-c", line], with: ["DISPLAY": ""])
            #expect(outcome.status == status)
            #expect(!(outcome.output + outcome.errors).contains("/run/chemopen"))
            #expect(outcome.output.contains("C2H6O") == (status == 0))
            #expect(outcome.errors.hasPrefix("chemopen: error: standard input: ") == (status != 0))
        }
    }

    @Test("unreadable, unrecognized and empty files have different errors")
    func failures() throws {
        try desk.put("", at: "files/empty.mol")
        try desk.put("hello\n", at: "files/text.mol")
        try desk.put(ethanol.replacing("    1.0000    0.0000    0.0000 C", with: "nonsense"), at: "files/broken.mol")
        #expect(try desk.chemopen("open", "none.mol").errors == "chemopen: error: none.mol: no such file\n")
        #expect(try desk.chemopen("open", "text.mol").status == 3)
        #expect(try desk.chemopen("open", "empty.mol").errors == "chemopen: error: empty.mol: is empty\n")
        let broken = try desk.chemopen("open", "broken.mol")
        #expect(broken.status == 1 && broken.errors.contains("is an MDL Molfile, but no record in it can be read"))
        try desk.run("mkfifo", ["pipe.mol"])
        #expect(
            try desk.chemopen("open", "pipe.mol").errors
                == "chemopen: error: pipe.mol: is a pipe or a device, not a file\n")
        #expect(try desk.chemopen("open", "/dev/null").status == 3)
        #expect(try desk.chemopen("open", ".").errors == "chemopen: error: .: is a directory\n")
        #expect(try desk.chemopen("open", "https://localhost:1/a.mol").status == 3)
    }

    @Test("without a display, the file is shown in the terminal")
    func noDisplay() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/a.mol")
        let outcome = try desk.chemopen("a.mol", with: ["DISPLAY": ""])
        #expect(outcome.output == (try desk.chemopen("info", "a.mol").output))
        #expect(desk.text("started") == "")
    }

    // MARK: Hostile names and entries

    @Test("a file with any name is passed on under that name, without executing anything else")
    func names() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        for name in [
            "-rf.mol", "a b.mol", "it's.mol", "say \"x\".mol", "$(touch evil).mol", "`touch evil`.mol",
            "a;touch evil;.mol",
            "%f%U.mol", "a|b&c.mol", "#?*.mol", "~.mol", "file:x.mol", "é漢.mol", "\u{1B}[31m.mol",
        ] {
            try desk.put(ethanol, at: "files/" + name)
            let outcome = try desk.chemopen("open", "--", name)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try desk.started() == ["[\(desk.root)/files/\(name)]"])
            #expect(!outcome.errors.contains("\u{1B}") && !outcome.output.contains("\u{1B}"))
        }
        #expect(!FileManager.default.fileExists(atPath: desk.root + "/files/evil"))
    }

    @Test("a name with invalid UTF-8 or a line end is passed on byte for byte")
    func bytes() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        let file = try desk.put(ethanol, at: "files/a.mol")
        let line =
            "n=$(printf 'x\\377\\ny.mol'); cp '\(file)' \"$n\"; '\(Desk.program)' open --wait \"$n\" && cmp \"$n\" \"$DESK/seen.mol\""
        #expect(try desk.run("sh", ["-c", line]).status == 0)
        #expect(FileManager.default.contents(atPath: desk.root + "/started")?.contains(0xFF) == true)
    }

    @Test("a copy preserves a name with invalid UTF-8, and its printed form is valid shell syntax")
    func bytesOfCopies() throws {
        try desk.addRecorder("sketch", types: ["chemical/x-sketchel"])
        let file = try desk.put(ethanol, at: "files/a.mol")
        let start = "n=$(printf 'q\\351.mol'); cp '\(file)' \"$n\"; cd .; "
        let line = start + "\(Desk.quotedProgram) open --wait --with sketch \"$n\""
        #expect(try desk.run("sh", ["-c", line]).status == 0)
        let started = FileManager.default.contents(atPath: desk.root + "/started") ?? Data()
        #expect(started.suffix(8) == Data([0x2F, 0x71, 0xE9] + Array(".el]\n".utf8)))
        let shown = try desk.run("sh", ["-c", start + "\(Desk.quotedProgram) open --dry-run --with sketch \"$n\""])
        #expect(shown.output.contains("q\\351.el'\n") && !shown.output.contains("/proc/"))
        let json = try desk.run("sh", ["-c", start + "\(Desk.quotedProgram) open --json --dry-run \"$n\""])
        #expect(json.output.hasPrefix(#"{"file":"q\\xE9.mol","#))
    }

    @Test("the viewer opens a file with invalid UTF-8 in its name")
    func bytesForViewer() throws {
        try desk.addBrowser()
        let file = try desk.put(ethanol, at: "files/a.mol")
        let line = "n=$(printf 'q\\351.mol'); cp '\(file)' \"$n\"; \(Desk.quotedProgram) open --wait \"$n\""
        let outcome = try desk.run("sh", ["-c", line])
        #expect(!desk.text("page").isEmpty)
        #expect(!outcome.errors.contains("no such file"))
        #expect(outcome.errors.hasPrefix("chemopen: note: q\\xE9.mol: no installed program shows the complete file"))
    }

    @Test("an entry that is malformed, needs a shell or refers to a relative path is never executed")
    func hostileEntries() throws {
        for (id, exec) in [
            ("semicolon", "recorder %f; touch \(desk.root)/evil"), ("quoted", "sh -c \"recorder %f\""),
            ("unknown", "recorder %z %f"),
            ("relative", "./recorder %f"),
        ] { try desk.addRecorder(id, exec, types: ["chemical/x-mdl-molfile"]) }
        try desk.put(ethanol, at: "files/a.mol")
        try desk.put(
            "[Desktop Entry]\nType=Application\nName=x\nExec=recorder %f\nMimeType=chemical/x-mdl-molfile;\n",
            at: "files/here.desktop")
        try desk.put(
            "[Default Applications]\nchemical/x-mdl-molfile=\(desk.root)/files/here.desktop;../here.desktop;\n",
            at: "config/mimeapps.list")
        let outcome = try desk.chemopen("open", "--list", "a.mol")
        #expect(
            outcome.output
                == "a.mol: MDL Molfile V2000\n  1  Viewer: the built-in viewer, which shows the complete file\n")
        #expect(try desk.chemopen("open", "--with", "semicolon", "a.mol").status == 2)
        #expect(desk.text("started") == "" && !FileManager.default.fileExists(atPath: desk.root + "/evil"))
    }

    @Test("a program that would only return the file to chemopen is never selected")
    func loops() throws {
        for (id, exec) in [("again", "chemopen %F"), ("asks", "xdg-open %f"), ("env", "env A=1 chemopen open %F")] {
            try desk.addRecorder(id, exec, types: ["chemical/x-mdl-molfile"])
        }
        try desk.chemopen("install", "--default")
        try desk.put(ethanol, at: "files/a.mol")
        #expect(try desk.chemopen("open", "--list", "a.mol").lines.count == 2)
        #expect(try desk.chemopen("open", "--with", "again", "a.mol").status == 2)
    }

    @Test(
        "a program that unexpectedly returns the file to chemopen is started once", arguments: ["exec ", ""])
    func unforeseenLoops(_ exec: String) throws {
        try desk.addRecorder("again", "again %F", types: ["chemical/x-mdl-molfile"])
        try desk.put(
            "#!/bin/sh\necho again >> \"$DESK/started\"\nsleep 0.2\n\(exec)chemopen open --wait \"$@\" >> \"$DESK/shown\"\n",
            at: "bin/again", isProgram: true)
        try desk.addBrowser()
        try desk.put(ethanol, at: "files/a.mol")
        try desk.chemopen("open", "--wait", "a.mol")
        #expect(desk.text("started") == "again\n")
        // A private page redirects the browser to the viewer, because the viewer's address is a secret.
        #expect(desk.text("page").hasPrefix("file:///") && desk.text("page").hasSuffix("/chemopen.html\n"))
    }

    @Test("the viewer opens files without a program: several files in one page, and standard input")
    func viewer() throws {
        try desk.addBrowser()
        try desk.put(ethanol, at: "files/a.mol")
        try desk.put(ethanol, at: "files/b.mol")
        let command = try desk.chemopen("open", "--dry-run", "a.mol").output
        #expect(command == "chemopen view -- '\(desk.root)/files/a.mol'\n")
        try desk.chemopen("open", "--wait", "a.mol", "b.mol")
        #expect(desk.text("page").split(separator: "\n").count == 1)
        #expect(try desk.run("sh", ["-c", "'\(Desk.program)' open --wait - < a.mol"]).status == 4)
        #expect(desk.text("page").split(separator: "\n").count == 2)
        #expect(try desk.chemopen("open", "--view", "--json", "a.mol").output.contains("\"kind\":\"molecule\""))
    }

    @Test("--dry-run --json prints the exact arguments and starts no program")
    func dryRun() throws {
        try desk.addRecorder("molview", "recorder \"a b\" %F", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/x y.mol")
        let outcome = try desk.chemopen("open", "--dry-run", "--json", "x y.mol")
        #expect(outcome.output.contains("\"commands\":[[\"recorder\",\"a b\",\"\(desk.root)/files/x y.mol\"]]"))
        #expect(outcome.output.contains("\"handler\":\"molview.desktop\""))
        #expect(
            try desk.chemopen("open", "--dry-run", "x y.mol").output == "recorder 'a b' '\(desk.root)/files/x y.mol'\n")
        #expect(desk.text("started") == "")
    }

    // MARK: Registering

    @Test("handlers adds, prefers, removes and lists programs")
    func handlers() throws {
        try desk.addRecorder("unused", types: ["application/x-unused"])
        let added = try desk.chemopen(
            "handlers", "add", "--command", "recorder --mine %F", "--name", "Mine", "mine", "sdf")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try desk.chemopen("handlers", "list", "sdf").output.contains("* Mine [mine.desktop]: registered\n"))
        try desk.chemopen("handlers", "default", "sdf", "unused")
        #expect(
            try desk.chemopen("handlers", "default", "sdf").output.contains("chemical/x-mdl-sdfile: unused.desktop\n"))
        try desk.chemopen("handlers", "default", "sdf", "-")
        #expect(try desk.chemopen("handlers", "remove", "mine").status == 0)
        #expect(!(try desk.chemopen("handlers", "list", "sdf").output.contains("Mine")))
        #expect(desk.text("data/applications/mine.desktop") == "")
        #expect(try desk.chemopen("handlers", "add", "--command", "no-such-program %F", "x", "sdf").status == 5)
        #expect(try desk.chemopen("handlers", "default", "sdf", "unusd").errors.contains("did you mean \"unused\"?"))
    }

    @Test("doctor reports each problem and a command that fixes it")
    func doctor() throws {
        let before = try desk.chemopen("doctor")
        #expect(before.status == 1)
        #expect(before.output.contains("chemopen install\n"))
        #expect(before.lines.count <= 10)
        try desk.chemopen("install")
        try desk.put("[Default Applications]\nchemical/x-mdl-molfile=gone.desktop;\n", at: "config/mimeapps.list")
        let lost = try desk.chemopen("doctor").output
        #expect(lost.contains("gone.desktop is the default for .mol, but cannot be used: it is not installed"))
        #expect(lost.contains("chemopen handlers default mol -\n"))
    }

    @Test(
        "the commands that doctor suggests fix all problems",
        .enabled(
            if: Desk.has("update-mime-database", "update-desktop-database", "xdg-open", "mimetype"),
            "a tool is not installed"))
    func remedies() throws {
        try desk.addBaseTypes()
        try desk.put("[Default Applications]\nchemical/x-cdx=gone.desktop;\n", at: "config/mimeapps.list")
        var rounds = 0
        while try desk.chemopen("doctor").status != 0, rounds < 5 {
            let lines = try desk.chemopen("doctor").lines
            #expect(lines.count <= 10)
            for line in lines where line.hasPrefix("      ") && !line.contains("apt-get") {
                #expect(try desk.run("sh", ["-c", line]).status == 0, "\(line)")
            }
            rounds += 1
            // In the second round, the databases are missing.
            if rounds == 1 {
                try FileManager.default.removeItem(atPath: desk.root + "/data/mime/mime.cache")
                try FileManager.default.removeItem(atPath: desk.root + "/data/mime/globs2")
            }
        }
        #expect(rounds < 5)
        #expect(try desk.chemopen("doctor").output.hasSuffix("no problems found\n"))
    }

    @Test("a remote address is read through its mount point, and other addresses are not requested")
    func mounted() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/far.mol")
        try desk.put(
            "#!/bin/sh\necho asked >> \"$DESK/asked\"\necho \"local path: $DESK/files/far.mol\"\n", at: "bin/gio",
            isProgram: true)
        #expect(try desk.chemopen("open", "smb://server/far.mol").status == 3)
        try desk.put("", at: "run/gvfs/mounted")
        #expect(try desk.chemopen("open", "smb://server/far.mol").status == 0)
        #expect(try desk.started().first?.hasSuffix("/far.mol]") == true)
        #expect(desk.text("asked") == "asked\n")
        #expect(try desk.chemopen("open", "https://localhost:1/far.mol").status == 3)
        #expect(desk.text("asked") == "asked\n")
    }

    @Test(
        "a file with download attributes shows its source address and its declared type",
        .enabled(if: Desk.has("python3"), "python3 is not installed"))
    func fetched() throws {
        let file = try desk.put(ethanol, at: "files/a.mol")
        let notes = "import os, sys; os.setxattr(sys.argv[1], 'user.xdg.origin.url', b'https://example.org/a.mol')"
        // Some file systems for temporary files do not support attributes.
        guard try desk.run("python3", ["-c", notes, file]).status == 0 else { return }
        let outcome = try desk.chemopen("open", "--dry-run", file)
        #expect(outcome.errors.contains("note: \(file): downloaded from https://example.org/a.mol\n"))
    }
}
