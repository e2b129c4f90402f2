import Chemopen
import Foundation
import Testing

/// A user clicks a file in a file manager and sees no terminal.
@Suite("A click in a file manager", .serialized)
struct ClickTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    /// Replaces a program with a script that records its arguments and exits with a status.
    private func addNoter(_ name: String, status: Int = 0) throws {
        try desk.put(
            "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; done >> \"$DESK/told\"\nexit \(status)\n",
            at: "bin/\(name)", isProgram: true)
    }

    // MARK: Other files

    /// Files of other programs with extensions that chemopen uses, and their content.
    private static let lookalikes: [(name: String, text: String)] = {
        let texts = [
            ("world.sdf", "<?xml version=\"1.0\"?>\n<sdf version=\"1.6\"><world name=\"default\"/></sdf>\n"),
            ("timing.sdf", "(DELAYFILE (SDFVERSION \"3.0\"))\n"), ("data.sdf", "\u{1}\u{f}\u{3}\u{0}SQL CE\u{0}"),
            ("game.ds", "\u{0}\u{1}\u{2}NITRO\u{0}"), ("notes.ds", "just notes\n"),
            ("index.cdx", "\u{0}\u{4}\u{0}\u{0}FoxPro\u{0}"),
            ("web.cdx", " CDX N b a m s k r M S V g\ncom,example)/ 2020\n"),
            ("mean.rd", "\\name{mean}\n\\title{Mean}\n"), ("init.el", ";;; init.el\n(setq a 1)\n"),
            (
                "graph.rdf",
                "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>\n"
            ),
        ]
        return texts + texts.map { ($0.0.uppercased(), $0.1) }
    }()

    @Test(
        "a file that only has an extension of chemopen opens in the program that opened it before the installation",
        .enabled(
            if: Desk.has("gio", "update-mime-database", "update-desktop-database"), "a tool is not installed"))
    func lookalikes() throws {
        try desk.addBaseTypes()
        for (id, type) in [
            ("editor", "text/plain"), ("tree", "application/xml"), ("hex", "application/octet-stream"),
            ("lisp", "text/x-emacs-lisp"), ("web", "application/rdf+xml"),
        ] { try desk.addRecorder(id, "recorder --\(id) %F", types: [type]) }
        var before: [String: [String]] = [:]
        for (name, text) in Self.lookalikes {
            before[name] = try opened(try desk.put(text, at: "files/" + name))
        }
        try desk.chemopen("install")
        for (name, _) in Self.lookalikes {
            #expect(try opened(desk.root + "/files/" + name) == before[name], "\(name)")
        }
    }

    private func opened(_ path: String) throws -> [String] {
        try desk.run("gio", ["open", path])
        return try desk.started()
    }

    @Test("a file that no program opens and that is not chemical is reported")
    func nobodyElse() throws {
        try addNoter("gdbus")
        try desk.put("nothing chemical\n", at: "files/a.mol")
        #expect(try desk.chemopen("open", "--clicked", "a.mol").status == 3)
        #expect(desk.text("told").contains("a.mol: unknown file format"))
    }

    // MARK: Messages

    @Test("a file that a program shows only in part is reported, in one notification for all files")
    func losses() throws {
        try addNoter("gdbus")
        try desk.addRecorder("avogadro2", "recorder %f", types: [])
        try desk.put(ethanol + "$$$$\n" + ethanol + "$$$$\n", at: "files/a.sdf")
        try desk.put(ethanol + "$$$$\n" + ethanol + "$$$$\n", at: "files/b.sdf")
        try desk.chemopen("open", "--clicked", "--with", "avogadro2", "a.sdf", "b.sdf")
        _ = try desk.started()
        let told = desk.text("told")
        #expect(told.split(separator: "org.freedesktop.Notifications.Notify").count == 2)
        for name in ["a.sdf", "b.sdf"] {
            #expect(
                told.contains(
                    "\(name): this MDL SDfile has 2 records, and avogadro2 for tests will show only the first"))
        }
        // There is no notification without a click.
        try FileManager.default.removeItem(atPath: desk.root + "/told")
        try desk.chemopen("open", "--with", "avogadro2", "a.sdf")
        #expect(desk.text("told") == "")
    }

    @Test("without a notification service, a message appears in a dialog, or in an HTML page")
    func otherWays() throws {
        try desk.put("nothing chemical\n", at: "files/a.mol")
        try addNoter("gdbus", status: 1)
        try addNoter("zenity")
        try desk.chemopen("open", "--clicked", "a.mol")
        #expect(desk.text("told").contains("\n--error\n"))
        #expect(desk.text("told").contains("a.mol: unknown file format"))
        try addNoter("zenity", status: 5)
        try desk.put("#!/bin/sh\ncat \"$1\" > \"$DESK/shown\"\n", at: "bin/xdg-open", isProgram: true)
        try desk.chemopen("open", "--clicked", "a.mol")
        #expect(desk.text("shown").contains("<p>a.mol: unknown file format"))
    }

    @Test("a note that the program cannot show is reported")
    func unsentNote() throws {
        try desk.addRecorder("avogadro2", "recorder %f", types: [])
        try desk.put(ethanol, at: "files/a.mol")
        let outcome = try desk.chemopen("open", "--with", "avogadro2", "--note", "look", "a.mol")
        let told = "a.mol: the note is not passed to avogadro2 for tests; only the viewer shows notes"
        #expect(outcome.errors.contains(told))
        #expect(try desk.chemopen("open", "--save-as", "sdf", "--note", "look", "a.mol").status == 2)
    }

    @Test("browsers that support it show the viewer in a window without an address bar", arguments: [true, false])
    func appWindow(isSupported: Bool) throws {
        let name = isSupported ? "chromium" : "firefox"
        let program = "#!/bin/sh\necho \"${0##*/} $1\" > \"$DESK/window\"\nexit 3\n"
        for name in [name, "xdg-open"] { try desk.put(program, at: "bin/\(name)", isProgram: true) }
        let entry = "Name=Browser\nExec=\(name) %U\nMimeType=x-scheme-handler/http;\n"
        try desk.put("[Desktop Entry]\nType=Application\n" + entry, at: "data/applications/browser.desktop")
        try desk.put("[Default Applications]\nx-scheme-handler/http=browser.desktop\n", at: "config/mimeapps.list")
        try desk.put(ethanol, at: "files/a.mol")
        try desk.chemopen("open", "--view", "--wait", "a.mol")
        let start = isSupported ? "chromium --app=file:///" : "xdg-open file:///"
        #expect(desk.text("window").hasPrefix(start), "\(desk.text("window"))")
    }

    @Test("without a file, the viewer shows the recent files, if there are any")
    func recentFiles() throws {
        try desk.addBrowser()
        try desk.put(ethanol, at: "files/a.mol")
        #expect(try desk.chemopen("view").status == 2)
        try desk.chemopen("view", "a.mol")
        // The browser cannot be started, but there was a page for it.
        #expect(try desk.chemopen("view").status == 4)
        #expect(desk.text("page").split(separator: "\n").count == 2)
    }

    @Test("a missing browser for the viewer is reported")
    func noBrowser() throws {
        try addNoter("gdbus")
        try desk.put("#!/bin/sh\nexit 3\n", at: "bin/xdg-open", isProgram: true)
        try desk.put(ethanol, at: "files/a.mol")
        #expect(try desk.chemopen("open", "--clicked", "--view", "--wait", "a.mol").status == 4)
        #expect(desk.text("told").contains("a.mol: no browser could be started"))
    }

    @Test("drawing programs that show everything come first, then other such programs, the viewer, and the rest")
    func order() throws {
        try desk.addRecorder("avogadro2", "recorder %f", types: [])
        try desk.addRecorder("xdrawchem", "recorder %f", types: [])
        try desk.put(ethanol, at: "files/flat.mol")
        let names = try desk.chemopen("open", "--list", "flat.mol").lines.dropFirst().map { line in
            line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        }
        #expect(names == ["xdrawchem", "avogadro2", "Viewer:"])
        try desk.put(ethanol + "$$$$\n" + ethanol + "$$$$\n", at: "files/two.sdf")
        #expect(try desk.chemopen("open", "--list", "two.sdf").lines[1].contains("Viewer"))
    }

    @Test("“Convert to” selects a file name that is free")
    func takenName() throws {
        try desk.put(ethanol, at: "files/a.mol")
        for _ in 0..<3 {
            #expect(
                try desk.chemopen("open", "--clicked", "--save-as", "sdf", "a.mol", with: ["DISPLAY": ""]).status == 0)
        }
        for name in ["a.sdf", "a (2).sdf", "a (3).sdf"] { #expect(!desk.text("files/" + name).isEmpty) }
        #expect(try desk.chemopen("open", "--save-as", "sdf", "a.mol").status == 5)
    }

    // MARK: Conversion for programs

    @Test(
        "a program that can read a type after conversion is listed in the desktop's menus while it is installed",
        .enabled(if: Desk.has("gio", "update-desktop-database"), "a tool is not installed"))
    func bridges() throws {
        try desk.addBaseTypes()
        for (id, types) in [
            ("avogadro2", []), ("molview", ["chemical/x-mdl-molfile"]), ("editor", ["text/plain"]),
        ] { try desk.addRecorder(id, "recorder %F", types: types) }
        try desk.chemopen("install")
        let types = Format.all.flatMap { $0.typeDescriptions.map(\.type) }
        for type in types {
            let shown = try desk.run("gio", ["mime", type]).output
            #expect(shown.contains("\tchemopen.via-avogadro2.desktop\n"), "\(type)")
            #expect(shown.contains("\tchemopen.via-molview.desktop\n") == (type != "chemical/x-mdl-molfile"), "\(type)")
            #expect(!shown.contains("via-editor"))
            #expect(shown.hasPrefix("Default application for “\(type)”: "))
        }
        #expect(try desk.run("gio", ["mime", "chemical/x-cdx"]).lines[0].hasSuffix(": chemopen.desktop"))
        // A removed program loses its menu entry; a new program gets an entry on request.
        try desk.put(ethanolSketch, at: "files/a.el")
        try desk.run("gio", ["launch", desk.root + "/data/applications/chemopen.via-molview.desktop", "a.el"])
        #expect(try desk.started().first?.hasSuffix("/a.mol]") == true)
        try FileManager.default.removeItem(atPath: desk.root + "/base/applications/molview.desktop")
        try desk.addRecorder("pymol", "recorder %F", types: [])
        #expect(try desk.chemopen("handlers", "refresh").status == 0)
        let after = try desk.run("gio", ["mime", "chemical/x-cdx"]).output
        #expect(after.contains("via-pymol") && !after.contains("via-molview"))
        try desk.chemopen("handlers", "add", "--command", "recorder --own %F", "own", "mol")
        #expect(try desk.run("gio", ["mime", "chemical/x-cdx"]).output.contains("via-own"))
        if Desk.has("desktop-file-validate") {
            for id in ["avogadro2", "pymol", "own"] {
                let entry = "\(desk.root)/data/applications/chemopen.via-\(id).desktop"
                let outcome = try desk.run("desktop-file-validate", [entry])
                #expect(outcome.output + outcome.errors == "")
            }
        }
        try desk.chemopen("uninstall")
        #expect(try desk.everything().keys.filter { $0.contains("via-") }.isEmpty)
        #expect(try desk.chemopen("handlers", "refresh").status == 4)
    }

    @Test("a program that opened a type only by alphabetical order, and cannot read it, does not remain its default")
    func accidentalDefault() throws {
        try desk.addRecorder("gchem3d-0.14", "recorder %F", types: ["chemical/x-mdl-molfile"])
        try desk.addRecorder("gchempaint-0.14", "recorder %F", types: ["chemical/x-cdx"])
        try desk.chemopen("install")
        #expect(desk.text("config/mimeapps.list") == "")
    }
}
