import Chemopen
import Foundation
import Testing

/// The real desktop tools on a private desktop.
@Suite("On a desktop", .serialized)
struct DesktopEndToEndTests {
    private static let hasDatabases = Desk.has("update-mime-database", "update-desktop-database")

    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    // MARK: Types

    @Test(
        "xdg-mime, gio and mimetype detect a file of each type with and without its extension",
        .enabled(if: hasDatabases, "shared-mime-info or desktop-file-utils is not installed"))
    func types() throws {
        try desk.addBaseTypes()
        #expect(try desk.chemopen("install").status == 0)
        for format in Format.all {
            let named = try desk.sample(of: format, named: "named." + format.id)
            // A molfile and an SD file with one molecule have the same start, so other programs accept either type.
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
        "Emacs Lisp and RDF/XML preserve their types, and so do gzipped Lisp files and R manual pages",
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
        "a file without an extension is detected even if it starts with a byte order mark",
        .enabled(if: hasDatabases, "shared-mime-info or desktop-file-utils is not installed"))
    func byteOrderMarks() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        for format in Format.all where format.id != "cdx" {
            let path = try desk.sample(of: format, named: "marked-" + format.id)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try desk.put("\u{FEFF}" + text.drop { $0 == "\u{FEFF}" }, at: "files/marked-" + format.id)
            try expect(format.mimeType, of: path)
        }
    }

    @Test(
        "other files that mention or contain chemical formats preserve their types",
        .enabled(if: hasDatabases && Desk.has("gio", "mimetype"), "a tool is not installed"))
    func strangers() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        for (name, text) in [
            ("script", "#!/bin/sh\ncat <<END\n" + ethanol + "END\n"),
            ("python", "#!/usr/bin/env python3\nprint( + ethanol + )\n"),
            ("page", "<!DOCTYPE html>\n<html><body>\n<DataSheet >\n<CDXML>\n</body></html>\n"),
            ("document", "<?xml version=\"1.0\"?>\n<!-- no <CDXML> and no\n<DataSheet > -->\n<notes/>\n"),
            ("mail", "From: a@example.org\nSubject: V2000\n\n> is it V2000\n> or V3000?\n" + ethanol + "$$$$\n"),
            ("prose", "$RXN files and $RFMT lines are V2000 or V3000, they say.\n> <\n$$$$\n"),
            ("letter", "Dear all,\n\nour files are V2000 now, and will be V3000.\n\n> <NAME> is what it was.\n"),
        ] {
            let path = try desk.put(text, at: "files/" + name)
            let output = try desk.run("gio", ["info", "-a", "standard::content-type", path]).output
            #expect(!output.contains("chemical/"), "gio: \(name): \(output)")
            #expect(!(try desk.run("mimetype", ["-b", path]).output.contains("chemical/")), "mimetype: \(name)")
        }
    }

    @Test(
        "an extension claimed by another package stays with it, and chemical content is still detected",
        .enabled(if: hasDatabases && Desk.has("gio"), "a tool is not installed"))
    func otherOwners() throws {
        try desk.addBaseTypes()
        let others = ["sdf", "ds", "cdx", "rd", "el", "rdf"].map { suffix in
            "<mime-type type=\"application/x-other-\(suffix)\"><comment>other</comment>"
                + "<sub-class-of type=\"text/plain\"/><glob pattern=\"*.\(suffix)\"/></mime-type>"
        }
        try desk.put(
            "<?xml version=\"1.0\"?>\n<mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n"
                + others.joined() + "</mime-info>\n", at: "base/mime/packages/other.xml")
        try desk.run("update-mime-database", [desk.root + "/base/mime"])
        try desk.chemopen("install")
        for suffix in ["sdf", "ds", "cdx", "rd", "el", "rdf"] {
            let path = try desk.put("other\n", at: "files/a." + suffix)
            let output = try desk.run("gio", ["info", "-a", "standard::content-type", path]).output
            let wanted = ["el": "text/x-emacs-lisp", "rdf": "application/rdf+xml"][suffix]
            let isOther = output.contains("application/x-other-\(suffix)\n") || wanted.map(output.contains) == true
            #expect(isOther, "\(output)")
        }
    }

    @Test(
        "xdg-open and gio open start chemopen for a file of each type",
        .enabled(if: hasDatabases && Desk.has("gio", "xdg-open", "mimetype"), "a tool is not installed"))
    func opens() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        // From here on, the command chemopen only records its arguments.
        try desk.addRecorder("unused", types: ["application/x-unused"])
        try FileManager.default.removeItem(atPath: desk.root + "/bin/chemopen")
        try FileManager.default.createSymbolicLink(
            atPath: desk.root + "/bin/chemopen", withDestinationPath: desk.root + "/bin/recorder")
        for format in Format.all {
            let file = try desk.sample(of: format, named: "with space.\(format.id)")
            try desk.run("xdg-open", [file])
            #expect(try desk.started() == ["[open][--clicked][\(file)]"], "xdg-open, \(format.id)")
            try desk.run("gio", ["open", file])
            #expect(try desk.started() == ["[open][--clicked][\(file)]"], "gio open, \(format.id)")
        }
    }

    @Test(
        "uninstall restores everything byte for byte, and a second install has no further effect",
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
        #expect(try desk.chemopen("uninstall").output == "no installation found\n")
    }

    @Test(
        "a program that opened a type remains its default, and install --default replaces it",
        .enabled(if: hasDatabases && Desk.has("gio"), "a tool is not installed"))
    func otherHandlers() throws {
        try desk.addBaseTypes()
        try desk.addRecorder("other", types: ["chemical/x-mdl-molfile"])
        #expect(
            try desk.chemopen("install").output.contains("chemical/x-mdl-molfile is still opened by other.desktop\n"))
        #expect(desk.text("config/mimeapps.list") == "[Default Applications]\nchemical/x-mdl-molfile=other.desktop;\n")
        #expect(try defaultOf("chemical/x-mdl-molfile") == "other.desktop")
        #expect(try defaultOf("chemical/x-mdl-sdfile") == "chemopen.desktop")
        try desk.chemopen("install", "--default")
        #expect(try defaultOf("chemical/x-mdl-molfile") == "chemopen.desktop")
        // A default that the user has set since then is not changed.
        try desk.chemopen("handlers", "default", "rxn", "other")
        try desk.chemopen("uninstall")
        #expect(desk.text("config/mimeapps.list").contains("chemical/x-mdl-rxnfile=other.desktop;\n"))
        #expect(!desk.text("config/mimeapps.list").contains("chemopen"))
    }

    private func defaultOf(_ type: String) throws -> String? {
        try desk.run("gio", ["mime", type]).lines.first?.split(separator: " ").last.map(String.init)
    }

    @Test(
        "the desktop entries and the metadata are valid",
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

    @Test(
        "a double click in a file manager opens the file with chemopen",
        .enabled(if: Desk.has("pcmanfm", "xvfb-run", "xdotool", "update-mime-database"), "a tool is not installed"))
    func doubleClick() throws {
        try desk.addBaseTypes()
        try desk.chemopen("install")
        try desk.addRecorder("unused", types: ["application/x-unused"])
        try FileManager.default.removeItem(atPath: desk.root + "/bin/chemopen")
        try FileManager.default.createSymbolicLink(
            atPath: desk.root + "/bin/chemopen", withDestinationPath: desk.root + "/bin/recorder")
        let file = try desk.put(ethanol, at: "clicks/a.mol")
        // The only icon has a position that depends on fonts, so the script tries several positions.
        let script = """
            pcmanfm "$DESK/clicks" > /dev/null 2>&1 & manager=$!
            for n in $(seq 30); do
                sleep 1
                window=$(xdotool search --onlyvisible --name clicks | tail -n 1)
                [ -n "$window" ] && break
            done
            for round in 1 2 3 4; do
                for place in "230 110" "250 130" "220 100" "260 150" "60 60" "80 90"; do
                    sleep 1
                    grep -qs "^.open" "$DESK/started" && break 2
                    xdotool mousemove --window "$window" $place click --repeat 2 --delay 80 1
                done
            done
            sleep 2
            kill $manager
            """
        let hidden = ["XDG_DATA_DIRS": desk.root + "/base:/usr/share"]
        try desk.run("xvfb-run", ["-a", "-s", "-screen 0 1000x700x24", "sh", "-c", script], with: hidden)
        // The file manager also requests thumbnails.
        let started = try desk.started()
        #expect(started.first { !$0.hasPrefix("[thumbnail]") } == "[open][--clicked][\(file)]")
    }

    @Test("a thumbnail is written into the file that the caller has already opened, as tumbler requires")
    func heldThumbnail() throws {
        try desk.put(ethanol, at: "files/a.mol")
        let thumbnail = "\(Desk.quotedProgram) thumbnail a.mol a.png 128"
        let line = ": > a.png; exec 7< a.png; \(thumbnail); head -c 4 <&7 | tail -c 3"
        #expect(try desk.run("sh", ["-c", line]).output == "PNG")
    }

    // MARK: Programs that are installed

    @Test(
        "avogadro2 and pymol receive content that they can read, with a suitable name, and report no error",
        .enabled(if: Desk.has("xvfb-run", "xdotool", "pgrep"), "a tool is not installed"),
        arguments: [("avogadro2", "Avogadro", "new.mol", ethanolV3000), ("pymol", "PyMOL", "new.el", ethanolSketch)]
            .filter { Desk.has($0.0) })
    func realProgram(_ program: String, _ title: String, _ name: String, _ text: String) throws {
        try desk.put(text, at: "files/" + name)
        let script = """
            \(Desk.quotedProgram) open --wait --with \(program) \(name) &
            for n in $(seq 40); do
                sleep 1
                [ -n "$(xdotool search --onlyvisible --name \(title))" ] && break
            done
            sleep 5
            for window in $(xdotool search --onlyvisible --name .); do xdotool getwindowname $window; done > "$DESK/windows"
            cp "$DESK"/run/chemopen/*/new.mol "$DESK/seen.mol"
            for process in $(pgrep -f "$DESK/run/chemopen/"); do
                tr '\\0' '\\n' < /proc/$process/cmdline > "$DESK/words"
                kill $process
            done
            """
        let hidden = ["XDG_DATA_DIRS": desk.root + "/base:/usr/share"]
        try desk.run("xvfb-run", ["-a", "-s", "-screen 0 1000x700x24", "sh", "-c", script], with: hidden)
        #expect(desk.text("seen.mol").contains("  3  2  0") && desk.text("seen.mol").contains(" V2000\n"))
        let word = try #require(desk.text("words").split(separator: "\n").last)
        #expect(word.hasPrefix(desk.root + "/run/chemopen/") && word.hasSuffix("/new.mol"))
        let windows = desk.text("windows")
        #expect(windows.contains(title) && !windows.lowercased().contains("error"), "\(windows)")
    }
}
