import Chemopen
import Foundation
import Testing

/// The real tools of a desktop, on a private one.
@Suite("On a desktop", .serialized)
struct DesktopEndToEndTests {
    private static let hasDatabases = Desk.has("update-mime-database", "update-desktop-database")

    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    // MARK: Types

    @Test(
        "xdg-mime, gio and mimetype know a file of each type, by its name and without one",
        .enabled(if: hasDatabases, "shared-mime-info or desktop-file-utils is not installed"))
    func types() throws {
        try desk.addBaseTypes()
        #expect(try desk.chemopen("install").status == 0)
        for format in Format.all {
            let named = try desk.sample(of: format, named: "named." + format.id)
            // A molfile and an SD file of one molecule begin alike; other programs read what is registered for either.
            let bare = try desk.sample(of: format, named: "bare-" + format.id)
            try expect(format.mimeType, of: named)
            try expect(format.mimeType, of: bare)
        }
    }

    private func expect(_ type: String, of file: String) throws {
        let name = (file as NSString).lastPathComponent
        if Desk.has("gio") {
            let output = try desk.run("gio", ["info", "-a", "standard::content-type", file]).output
            #expect(output.contains("standard::content-type: \(type)\n"), "gio: \(name)")
        }
        if Desk.has("mimetype") {
            #expect(try desk.run("mimetype", ["-b", file]).output == type + "\n", "mimetype: \(name)")
        }
        if Desk.has("xdg-mime", "mimetype") {
            #expect(try desk.run("xdg-mime", ["query", "filetype", file]).output == type + "\n", "xdg-mime: \(name)")
        }
    }

    @Test(
        "Emacs Lisp and RDF/XML keep their types, and so do gzipped Lisp files and manual pages of R",
        .enabled(if: hasDatabases && Desk.has("gio", "mimetype"), "a tool is not installed"))
    func lookalikes() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        let rdf = "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>\n"
        for (name, text, type) in [
            ("a.el", ";;; a.el --- a\n(defun a () 1)\n", "text/x-emacs-lisp"), ("b.rdf", rdf, "application/rdf+xml"),
            ("a.el.gz", "x", "application/gzip"),
        ] {
            let path = try desk.put(text, at: "files/" + name)
            if name.hasSuffix(".gz") {
                try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]).write(
                    to: URL(fileURLWithPath: path))
            }
            let output = try desk.run("gio", ["info", "-a", "standard::content-type", path]).output
            #expect(output.contains("content-type: \(type)\n"), "gio: \(name)")
            #expect(try desk.run("mimetype", ["-b", path]).output == type + "\n", "mimetype: \(name)")
        }
        let page = try desk.put("\\name{mean}\n", at: "files/mean.Rd")
        #expect(!(try desk.run("gio", ["info", "-a", "standard::content-type", page]).output.contains("chemical/")))
    }

    @Test(
        "xdg-open and gio open start chemopen on a file of each type",
        .enabled(if: hasDatabases && Desk.has("gio", "xdg-open", "mimetype"), "a tool is not installed"))
    func opens() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        // From here on, what is found under the name chemopen writes down its arguments.
        try desk.addRecorder("unused", types: ["application/x-unused"])
        try FileManager.default.removeItem(atPath: desk.root + "/bin/chemopen")
        try FileManager.default.createSymbolicLink(
            atPath: desk.root + "/bin/chemopen", withDestinationPath: desk.root + "/bin/recorder")
        for format in Format.all {
            let file = try desk.sample(of: format, named: "with space.\(format.id)")
            try desk.run("xdg-open", [file])
            #expect(try desk.started() == ["[open][\(file)]"], "xdg-open, \(format.id)")
            try desk.run("gio", ["open", file])
            #expect(try desk.started() == ["[open][\(file)]"], "gio open, \(format.id)")
        }
    }

    @Test(
        "uninstall leaves everything byte for byte as it was before install, and twice installed is once installed",
        .enabled(if: hasDatabases, "shared-mime-info or desktop-file-utils is not installed"), arguments: [false, true])
    func uninstall(hasOwnThings: Bool) throws {
        try desk.addBaseTypes()
        if hasOwnThings {
            try desk.addRecorder("mine", types: ["chemical/x-mdl-molfile", "chemical/x-own"], in: "data")
            try desk.put("# mine\n[Default Applications]\ntext/plain=mine.desktop", at: "config/mimeapps.list")
            try desk.put(
                """
                <?xml version="1.0"?>
                <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
                <mime-type type="chemical/x-own"><comment>own</comment><glob pattern="*.own"/></mime-type></mime-info>
                """, at: "data/mime/packages/own.xml")
            try desk.run("update-mime-database", [desk.root + "/data/mime"])
        }
        let before = try desk.everything()
        try desk.chemopen("install")
        let once = try desk.everything()
        #expect(once.count > before.count)
        try desk.chemopen("install")
        #expect(try desk.everything().keys.sorted() == once.keys.sorted())
        #expect(try desk.chemopen("uninstall").status == 0)
        let after = try desk.everything()
        #expect(after.keys.sorted() == before.keys.sorted())
        for (name, content) in before { #expect(after[name] == content, "\(name)") }
        #expect(try desk.chemopen("uninstall").output == "nothing is installed there\n")
    }

    @Test(
        "a program that opened a type goes on opening it, and install --default takes the types over",
        .enabled(if: hasDatabases && Desk.has("gio"), "a tool is not installed"))
    func otherHandlers() throws {
        try desk.addBaseTypes()
        try desk.addRecorder("other", types: ["chemical/x-mdl-molfile"])
        #expect(try desk.chemopen("install").output.contains("chemical/x-mdl-molfile stays with other.desktop\n"))
        #expect(desk.text("config/mimeapps.list") == "[Default Applications]\nchemical/x-mdl-molfile=other.desktop;\n")
        #expect(try defaultOf("chemical/x-mdl-molfile") == "other.desktop")
        #expect(try defaultOf("chemical/x-mdl-sdfile") == "chemopen.desktop")
        try desk.chemopen("install", "--default")
        #expect(try defaultOf("chemical/x-mdl-molfile") == "chemopen.desktop")
        // What the user has set since is not undone.
        try desk.chemopen("handlers", "default", "rxn", "other")
        try desk.chemopen("uninstall")
        #expect(desk.text("config/mimeapps.list").contains("chemical/x-mdl-rxnfile=other.desktop;\n"))
        #expect(!desk.text("config/mimeapps.list").contains("chemopen"))
    }

    private func defaultOf(_ type: String) throws -> String? {
        try desk.run("gio", ["mime", type]).lines.first?.split(separator: " ").last.map(String.init)
    }

    @Test(
        "the entries and the description are valid",
        .enabled(if: Desk.has("desktop-file-validate") || Desk.has("appstreamcli"), "no validator is installed"))
    func valid() throws {
        try desk.chemopen("install", "--prefix", desk.root + "/prefix")
        let share = desk.root + "/prefix/share"
        if Desk.has("desktop-file-validate") {
            for id in ["chemopen", "chemopen.viewer"] {
                let outcome = try desk.run("desktop-file-validate", ["\(share)/applications/\(id).desktop"])
                #expect(outcome.output + outcome.errors == "")
            }
        }
        if Desk.has("appstreamcli") {
            let outcome = try desk.run(
                "appstreamcli", ["validate", "--no-net", "\(share)/metainfo/chemopen.metainfo.xml"])
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }

    // MARK: Files

    @Test("where the only program reads molfiles, every type arrives there as a molfile")
    func convertsForTheOnlyProgram() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        for format in Format.all {
            let file = try desk.sample(of: format, named: "caffeine.\(format.id)")
            let outcome = try desk.chemopen("open", file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let started = try desk.started()
            #expect(started.count == 1, "\(format.id)")
            if format.id != "mol" { #expect(started.first?.contains("/run/chemopen/") == true) }
            let info = try desk.chemopen("info", "--json", desk.root + "/seen.mol")
            #expect(info.output.contains("\"format\":\"mol\""), "\(format.id): \(info.output)")
            #expect(!info.output.contains("\"atoms\":0,"), "\(format.id)")
        }
    }

    @Test("a program that is known to read V2000 only gets V2000, in a private copy")
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

    @Test("a file of many records is handed to a program that shows one, and that is said; another can be chosen")
    func manyRecords() throws {
        try desk.addRecorder("avogadro2", "recorder %f", types: [])
        let record = { (name: String) in ethanol.replacing("ethanol", with: name) + "$$$$\n" }
        let file = try desk.put((1...1200).map { record("number \($0)") }.joined(), at: "files/many.sdf")
        let outcome = try desk.chemopen("open", file)
        #expect(outcome.errors.contains("has 1,200 records, and avogadro2 for tests will show the first"))
        #expect(try desk.started() == ["[\(file)]"])
        try desk.chemopen("open", "--records", "17", file)
        _ = try desk.started()
        #expect(desk.text("seen.sdf") == record("number 17"))
    }

    @Test("files are grouped by program, none is dropped, and a bad one does not stop the others")
    func groups() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/a.mol")
        try desk.put(ethanol, at: "files/b.mol")
        try desk.put("nothing chemical\n", at: "files/c.mol")
        let outcome = try desk.chemopen(
            "open", "a.mol", "c.mol", "file://\(desk.root.replacing(" ", with: "%20"))/files/b.mol")
        #expect(outcome.status == 3)
        #expect(outcome.errors == "chemopen: error: c.mol: does not look like any chemical format known here\n")
        #expect(try desk.started() == ["[\(desk.root)/files/a.mol][\(desk.root)/files/b.mol]"])
    }

    @Test("standard input is handed on as a file with the right extension")
    func standardInput() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        let file = try desk.put(ethanol, at: "files/a")
        try desk.run("sh", ["-c", "'\(Desk.program)' open - < '\(file)'"])
        #expect(try desk.started().first?.hasSuffix("/input.mol]") == true)
        #expect(desk.text("seen.mol") == ethanol)
    }

    @Test("what cannot be read, what is not recognised and what is empty are told apart")
    func failures() throws {
        try desk.put("", at: "files/empty.mol")
        try desk.put("hello\n", at: "files/text.mol")
        try desk.put(ethanol.replacing("    1.0000    0.0000    0.0000 C", with: "nonsense"), at: "files/broken.mol")
        #expect(try desk.chemopen("open", "none.mol").errors == "chemopen: error: none.mol: no such file\n")
        #expect(try desk.chemopen("open", "text.mol").status == 3)
        #expect(try desk.chemopen("open", "empty.mol").errors == "chemopen: error: empty.mol: is empty\n")
        let broken = try desk.chemopen("open", "broken.mol")
        #expect(broken.status == 1 && broken.errors.contains("is an MDL Molfile, and nothing in it can be read"))
        try desk.run("mkfifo", ["pipe.mol"])
        #expect(
            try desk.chemopen("open", "pipe.mol").errors
                == "chemopen: error: pipe.mol: is a pipe or a device, and no file\n")
        #expect(try desk.chemopen("open", "/dev/null").status == 3)
        #expect(try desk.chemopen("open", ".").errors == "chemopen: error: .: is a folder\n")
        #expect(try desk.chemopen("open", "https://example.org/a.mol").status == 3)
    }

    @Test("without windows, the file is shown in the terminal")
    func noDisplay() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        try desk.put(ethanol, at: "files/a.mol")
        let outcome = try desk.chemopen("a.mol", with: ["DISPLAY": ""])
        #expect(outcome.output == (try desk.chemopen("info", "a.mol").output))
        #expect(desk.text("started") == "")
    }

    // MARK: Hostile names and entries

    @Test("a file of any name is handed on under that name, and nothing else runs")
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

    @Test("a name that is no UTF-8, or has a line end, is handed on byte for byte")
    func bytes() throws {
        try desk.addRecorder("molview", types: ["chemical/x-mdl-molfile"])
        let file = try desk.put(ethanol, at: "files/a.mol")
        let line =
            "n=$(printf 'x\\377\\ny.mol'); cp '\(file)' \"$n\"; '\(Desk.program)' open --wait \"$n\" && cmp \"$n\" \"$DESK/seen.mol\""
        #expect(try desk.run("sh", ["-c", line]).status == 0)
        #expect(FileManager.default.contents(atPath: desk.root + "/started")?.contains(0xFF) == true)
    }

    @Test("an entry that is broken, or written for a shell, or lies beside the file, is never run")
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
                == "a.mol: MDL Molfile V2000\n  1  Viewer: the built-in viewer, where no program can take it\n")
        #expect(try desk.chemopen("open", "--with", "semicolon", "a.mol").status == 2)
        #expect(desk.text("started") == "" && !FileManager.default.fileExists(atPath: desk.root + "/evil"))
    }

    @Test("a program that would only hand the file back is never chosen")
    func loops() throws {
        for (id, exec) in [("again", "chemopen %F"), ("asks", "xdg-open %f"), ("env", "env A=1 chemopen open %F")] {
            try desk.addRecorder(id, exec, types: ["chemical/x-mdl-molfile"])
        }
        try desk.chemopen("install", "--default")
        try desk.put(ethanol, at: "files/a.mol")
        #expect(try desk.chemopen("open", "--list", "a.mol").lines.count == 2)
        #expect(try desk.chemopen("open", "--with", "again", "a.mol").status == 2)
    }

    @Test("a program that hands its file back, in a way that cannot be foreseen, is asked once", arguments: ["exec ", ""])
    func unforeseenLoops(_ exec: String) throws {
        try desk.addRecorder("again", "again %F", types: ["chemical/x-mdl-molfile"])
        try desk.put(
            "#!/bin/sh\necho again >> \"$DESK/started\"\nsleep 0.2\n\(exec)chemopen open --wait \"$@\" >> \"$DESK/shown\"\n",
            at: "bin/again", isProgram: true)
        try desk.put(ethanol, at: "files/a.mol")
        try desk.chemopen("open", "--wait", "a.mol")
        #expect(desk.text("started") == "again\n")
        #expect(desk.text("shown").contains("a.mol: MDL Molfile"))
    }

    @Test(
        "a double click in a file manager hands the file to chemopen",
        .enabled(if: Desk.has("pcmanfm", "xvfb-run", "xdotool", "update-mime-database"), "a tool is not installed"))
    func doubleClick() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        try desk.addRecorder("unused", types: ["application/x-unused"])
        try FileManager.default.removeItem(atPath: desk.root + "/bin/chemopen")
        try FileManager.default.createSymbolicLink(
            atPath: desk.root + "/bin/chemopen", withDestinationPath: desk.root + "/bin/recorder")
        let file = try desk.put(ethanol, at: "clicks/a.mol")
        // The icon is the only one; where it lies depends on fonts, so a few places are tried.
        let script = """
            pcmanfm "$DESK/clicks" > /dev/null 2>&1 & manager=$!
            for n in 1 2 3 4 5 6 7 8 9 10; do
                sleep 1
                window=$(xdotool search --onlyvisible --name clicks | tail -n 1)
                [ -n "$window" ] && break
            done
            for place in "230 110" "250 130" "220 100" "260 150" "60 60" "80 90"; do
                sleep 1
                [ -e "$DESK/started" ] && break
                xdotool mousemove --window "$window" $place click --repeat 2 --delay 80 1
            done
            sleep 2
            kill $manager
            """
        let hidden = ["XDG_DATA_DIRS": desk.root + "/base:/usr/share"]
        try desk.run("xvfb-run", ["-a", "-s", "-screen 0 1000x700x24", "sh", "-c", script], with: hidden)
        #expect(try desk.started().first == "[open][\(file)]")
    }

    @Test("--dry-run --json tells the exact words and starts nothing")
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

    @Test("handlers adds, prefers and removes programs, and lists them")
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

    @Test("doctor names what is amiss and the command that mends it")
    func doctor() throws {
        let before = try desk.chemopen("doctor")
        #expect(before.status == 1)
        #expect(before.output.contains("chemopen install\n"))
        try desk.put("[Default Applications]\nchemical/x-mdl-molfile=gone.desktop;\n", at: "config/mimeapps.list")
        let lost = try desk.chemopen("doctor").output
        #expect(
            lost.contains(
                "gone.desktop is the default for chemical/x-mdl-molfile and cannot be used: it is not installed"))
        #expect(lost.contains("chemopen handlers default mol -\n"))
    }
}
