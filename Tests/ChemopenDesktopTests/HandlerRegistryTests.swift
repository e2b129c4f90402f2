import ChemopenBytes
import Foundation
import TestFolders
import Testing

@testable import ChemopenDesktop

@Suite("Handler registry")
struct HandlerRegistryTests {
    private let root: TestFolder
    private let session: SessionEnvironment

    init() throws {
        root = try TestFolder()
        session = SessionEnvironment([
            "HOME": root.path, "XDG_DATA_HOME": root.path + "/user", "XDG_DATA_DIRS": root.path + "/system",
            "XDG_CONFIG_HOME": root.path + "/config", "XDG_CONFIG_DIRS": root.path + "/xdg", "PATH": "/usr/bin:/bin",
            "XDG_RUNTIME_DIR": root.path + "/run", "XDG_CURRENT_DESKTOP": "Mine:GNOME",
        ])
        for folder in ["user/applications", "system/applications/vendor", "config", "system/mime", "run"] {
            try root.makeFolder(folder)
        }
    }

    private func put(_ text: String, _ name: String) throws {
        try root.put(text, at: name)
    }

    private func entry(_ name: String, _ types: String, _ more: String = "") throws {
        try put("[Desktop Entry]\nType=Application\nName=\(name)\nExec=sh %F\nMimeType=\(types)\n\(more)", name)
    }

    private func ids(_ type: String) -> [String] {
        HandlerRegistry(session).candidates(for: type).map(\.handler.id)
    }

    @Test("the id of an entry is its path with dashes, and an entry of the user hides that of the system")
    func identity() throws {
        try entry("system/applications/vendor/one.desktop", "a/b;")
        try entry("system/applications/two.desktop", "a/b;")
        try entry("system/applications/three.desktop", "a/b;")
        try put("[Desktop Entry]\nType=Application\nName=x\nHidden=true\n", "user/applications/two.desktop")
        try entry("user/applications/three.desktop", "c/d;")
        #expect(ids("a/b") == ["vendor-one.desktop"])
    }

    @Test("a MIME cache overrides the types in the entries, as in other launchers")
    func index() throws {
        try entry("system/applications/one.desktop", "a/b;")
        try entry("system/applications/two.desktop", "a/b;")
        try put("[MIME Cache]\na/b=two.desktop;gone.desktop;\n", "system/applications/mimeinfo.cache")
        #expect(ids("a/b") == ["two.desktop"])
    }

    @Test("the list of the current desktop sets the default, and a missing program is skipped")
    func desktopList() throws {
        for name in ["one", "two", "three"] { try entry("system/applications/\(name).desktop", "a/b;") }
        try put("[Default Applications]\na/b=one.desktop\n", "config/mimeapps.list")
        try put("[Default Applications]\na/b=gone.desktop;three.desktop;\n", "config/gnome-mimeapps.list")
        let registry = HandlerRegistry(session)
        #expect(registry.effectiveHandler(for: "a/b")?.id == "three.desktop")
        #expect(registry.missingDefaults(for: "a/b") == ["gone.desktop"])
        #expect(ids("a/b").first == "three.desktop")
    }

    @Test("programs for a parent type come last")
    func parents() throws {
        try put("chemical/x-own text/plain\n", "system/mime/subclasses")
        try entry("system/applications/editor.desktop", "text/plain;")
        try entry("system/applications/view.desktop", "chemical/x-own;")
        let candidates = HandlerRegistry(session).candidates(for: "chemical/x-own")
        #expect(candidates.map(\.handler.id) == ["view.desktop", "editor.desktop"])
        #expect(candidates.last?.standing == .opens("text/plain"))
    }

    @Test("a known program without registered types follows those with them, and a removed association stays removed")
    func known() throws {
        try entry("system/applications/jmol.desktop", "")
        try entry("system/applications/view.desktop", "chemical/x-cdx;")
        #expect(ids("chemical/x-cdx") == ["view.desktop", "jmol.desktop"])
        try put("[Removed Associations]\nchemical/x-cdx=jmol.desktop;view.desktop;\n", "config/mimeapps.list")
        #expect(ids("chemical/x-cdx") == [])
    }

    @Test("a program can be registered with a method call")
    func registered() throws {
        var registry = HandlerRegistry(session)
        let text = "[Desktop Entry]\nType=Application\nName=Mine\nExec=sh %F\nMimeType=a/b;\n"
        registry.register(Handler(try DesktopEntry(Array(text.utf8), id: "mine.desktop", location: "")))
        #expect(registry.candidates(for: "a/b").map(\.handler.id) == ["mine.desktop"])
    }

    @Test("a directory of private copies is deleted unless a copy was changed")
    func privateFolder() throws {
        let folder = try PrivateFolder(in: session)
        try writePrivateFile([1], to: folder.path.appending("a.mol"))
        try folder.seal()
        folder.remove()
        #expect(EntryStatus(folder.path) == nil)

        let edited = try PrivateFolder(in: session)
        try writePrivateFile([1], to: edited.path.appending("a.mol"))
        try edited.seal()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: edited.path.appending("a.mol").shown)
        edited.remove()
        #expect(EntryStatus(edited.path.appending("a.mol")) != nil)
    }

    @Test("a directory of private copies older than a day is deleted by the next run, without following links")
    func sweep() throws {
        let old = try PrivateFolder(in: session)
        try put("mine", "precious")
        try writePrivateFile([1], to: old.path.appending("a.mol"))
        try old.seal()
        try FileManager.default.createSymbolicLink(
            atPath: old.path.appending("link").shown, withDestinationPath: root.path + "/precious")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -25 * 3600)], ofItemAtPath: old.path.shown)
        _ = try PrivateFolder(in: session)
        #expect(EntryStatus(old.path.appending("a.mol")) == nil)
        #expect(EntryStatus(LocalPath(root.path + "/precious")) != nil)
    }

    @Test("a symbolic link in place of the directory for private copies is rejected")
    func planted() throws {
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/run/chemopen", withDestinationPath: root.path + "/config")
        #expect(throws: Error.self) { try PrivateFolder(in: session) }
    }
}
