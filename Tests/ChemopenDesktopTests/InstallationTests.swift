import Chemopen
import Foundation
import Testing

/// Installation and removal on a shared desktop. `Tests/Desktop/faults` makes each system call fail.
@Suite("Installation")
struct InstallationTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    /// Checks the names of the user's files and directories, and the content of the files.
    private func expectAsBefore(_ before: [String: Data], _ where: SourceLocation = #_sourceLocation) throws {
        let after = try desk.everything()
        #expect(after.keys.sorted() == before.keys.sorted(), sourceLocation: `where`)
        for (name, content) in before { #expect(after[name] == content, "\(name)", sourceLocation: `where`) }
    }

    @Test(
        "a foreign file or link at a target path is left unchanged, and the installation stops",
        arguments: [
            "applications/chemopen.desktop", "mime/packages/chemopen.xml", "icons/hicolor/scalable/apps/chemopen.svg",
        ])
    func foreignFile(_ name: String) throws {
        try desk.put("my own\n", at: "data/" + name)
        let before = try desk.everything()
        let outcome = try desk.chemopen("install")
        #expect(outcome.status == 5)
        let path = desk.root + "/data/" + name
        #expect(outcome.errors == "chemopen: error: \(path): already exists and was not written by chemopen\n")
        try expectAsBefore(before)
        try FileManager.default.removeItem(atPath: path)
        try desk.put("secret\n", at: "files/secret")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: desk.root + "/files/secret")
        #expect(try desk.chemopen("install").status == 5)
        #expect(desk.text("files/secret") == "secret\n")
    }

    @Test("a file that replaced an installed file stays after uninstall, with a note")
    func replacedFile() throws {
        try desk.chemopen("install")
        let path = try desk.put("my own\n", at: "data/mime/packages/chemopen.xml")
        let outcome = try desk.chemopen("uninstall")
        #expect(outcome.status == 0)
        // If desktop tools are missing, other lines report that.
        let told = outcome.errors.split(separator: "\n").filter { !$0.hasSuffix("is not installed") }
        #expect(told == ["chemopen: note: \(path): not removed because it was changed or not written by chemopen"])
        #expect(desk.text("data/mime/packages/chemopen.xml") == "my own\n")
        #expect(!FileManager.default.fileExists(atPath: desk.root + "/data/applications/chemopen.desktop"))
    }

    @Test("uninstall removes later lines with its ids from all lists, and preserves other lines")
    func linesOfOthers() throws {
        let mine = "[Default Applications]\ntext/plain=mine.desktop;\n"
        try desk.put(mine, at: "config/mimeapps.list")
        try desk.chemopen("install")
        try desk.put(
            """
            [Default Applications]
            text/plain=mine.desktop;
            chemical/x-mdl-sdfile=chemopen.desktop;
            chemical/x-cdx=other.desktop;chemopen.viewer.desktop;

            [Added Associations]
            chemical/x-mdl-sdfile=chemopen.desktop;other.desktop;

            [Removed Associations]
            chemical/x-cdx=chemopen.desktop;

            """, at: "config/mimeapps.list")
        try desk.put("[Added Associations]\ntext/plain=chemopen.desktop;\n", at: "data/applications/mimeapps.list")
        try desk.put("[Default Applications]\ntext/plain=chemopen.desktop;x.desktop;\n", at: "config/kde-mimeapps.list")
        try desk.chemopen("uninstall")
        #expect(
            desk.text("config/mimeapps.list") == """
                [Default Applications]
                text/plain=mine.desktop;
                chemical/x-cdx=other.desktop;

                [Added Associations]
                chemical/x-mdl-sdfile=other.desktop;

                """)
        #expect(desk.text("config/kde-mimeapps.list") == "[Default Applications]\ntext/plain=x.desktop;\n")
        #expect(!FileManager.default.fileExists(atPath: desk.root + "/data/applications/mimeapps.list"))
    }

    @Test(
        "uninstall also removes associations that gio added",
        .enabled(if: Desk.has("gio", "update-desktop-database"), "a tool is not installed"))
    func linesOfGIO() throws {
        let before = try desk.everything()
        try desk.chemopen("install")
        try desk.run("gio", ["mime", "chemical/x-mdl-sdfile", "chemopen.desktop"])
        #expect(desk.text("config/mimeapps.list").contains("chemopen.desktop"))
        try desk.chemopen("handlers", "default", "mol", "chemopen")
        try desk.chemopen("uninstall")
        try expectAsBefore(before)
    }

    @Test("an installation of release 0.1.0 is upgraded, and its files are removed with the new version")
    func formerRelease() throws {
        try desk.put("[Default Applications]\nchemical/x-cdx=mine.desktop;\n", at: "config/mimeapps.list")
        try desk.put(
            "[Desktop Entry]\nType=Application\nName=Chemopen\nExec=chemopen open %F\nTryExec=chemopen\n",
            at: "data/applications/chemopen.desktop")
        try desk.put("old\n", at: "data/icons/hicolor/scalable/mimetypes/chemical-x-old.svg")
        try desk.put("", at: "state/chemopen/installed.list-before")
        let list = "config/mimeapps.list"
        try desk.put(desk.text(list), at: "state/chemopen/installed.list-after")
        try desk.put(
            """
            file \(desk.root)/data/applications/chemopen.desktop
            file \(desk.root)/data/icons/hicolor/scalable/mimetypes/chemical-x-old.svg
            folder \(desk.root)/data/icons
            folder \(desk.root)/data/icons/hicolor
            folder \(desk.root)/data/icons/hicolor/scalable
            folder \(desk.root)/data/icons/hicolor/scalable/mimetypes
            folder \(desk.root)/data/applications
            folder \(desk.root)/state
            folder \(desk.root)/state/chemopen
            list \(desk.root)/\(list)
            default chemical/x-cdx mine.desktop

            """, at: "state/chemopen/installed")
        #expect(try desk.chemopen("install").status == 0)
        let names = try desk.everything().keys
        #expect(!names.contains("data/icons/hicolor/scalable/mimetypes/chemical-x-old.svg"))
        #expect(!names.contains("state/chemopen/installed.list-before"))
        #expect(try desk.chemopen("uninstall").status == 0)
        #expect(try desk.everything().keys.sorted() == ["config/mimeapps.list"])
        #expect(desk.text(list) == "")
    }

    @Test("files of an interrupted run of release 0.1.0 are detected and removed without a record of them")
    func lostRecord() throws {
        let before = try desk.everything()
        try desk.chemopen("install")
        try FileManager.default.removeItem(atPath: desk.root + "/state/chemopen/installed")
        let outcome = try desk.chemopen("uninstall")
        #expect(outcome.status == 0 && outcome.output.hasSuffix(" files removed\n"))
        let files = try desk.everything().filter { !$0.value.isEmpty }
        #expect(files.keys.filter { $0.contains("chemopen") || $0.contains("chemical") }.isEmpty)
        #expect(before.isEmpty)
    }

    @Test("an unreadable list, or a file in place of the state directory, causes an error before any change")
    func unreadable() throws {
        try FileManager.default.createDirectory(
            atPath: desk.root + "/config/mimeapps.list", withIntermediateDirectories: true)
        var before = try desk.everything()
        #expect(try desk.chemopen("install").status == 5)
        try expectAsBefore(before)
        try FileManager.default.removeItem(atPath: desk.root + "/config/mimeapps.list")
        try desk.put("", at: "state")
        before = try desk.everything()
        #expect(try desk.chemopen("install").errors == "chemopen: error: \(desk.root)/state: is not a directory\n")
        try expectAsBefore(before)
    }

    @Test("install from the build directory copies the programs to the user's bin directory and uses the copies")
    func programs() throws {
        let before = try desk.everything()
        let path = ["PATH": "/usr/bin:/bin"]
        #expect(try desk.chemopen("install", with: path).status == 0)
        let program = desk.root + "/home/.local/bin/chemopen"
        #expect(FileManager.default.isExecutableFile(atPath: program))
        for (name, content) in try desk.everything() where !name.hasPrefix("home/.local/bin/") {
            #expect(!String(decoding: content, as: UTF8.self).contains("/.build/"), "\(name)")
        }
        #expect(
            desk.text("data/dbus-1/services/arpa.home.chemopen.viewer.service").contains("Exec=\"\(program)\" view"))
        // A later installation by the installed program preserves the files.
        #expect(try desk.run(program, ["install"], with: path).status == 0)
        #expect(FileManager.default.fileExists(atPath: program))
        #expect(try desk.run(program, ["uninstall"], with: path).status == 0)
        try expectAsBefore(before)
    }
}
