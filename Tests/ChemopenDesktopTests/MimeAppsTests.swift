import TestFolders
import Testing

@testable import ChemopenDesktop

@Suite("Association lists")
struct MimeAppsTests {
    private func file(_ text: String) -> KeyFile { KeyFile(Array(text.utf8)) }

    private func layer(
        _ list: String = "", desktop: String? = nil, old: String? = nil, cache: String? = nil
    ) -> MimeApps.Layer {
        MimeApps.Layer(
            folder: "/x", desktopLists: desktop.map { [file($0)] } ?? [], list: file(list), oldDefaults: old.map(file),
            claims: cache.map { MimeApps.claims(file($0)) })
    }

    @Test("the user's list precedes the system's, and the list of the desktop precedes the general list")
    func precedence() {
        let apps = MimeApps(layers: [
            layer("[Default Applications]\na/b=user.desktop;\n", desktop: "[Default Applications]\na/b=mine.desktop\n"),
            layer(
                "[Default Applications]\na/b=system.desktop;user.desktop;\n",
                old: "[Default Applications]\na/b=old.desktop\n"),
        ])
        #expect(apps.defaults(for: "a/b") == ["mine.desktop", "user.desktop", "system.desktop", "old.desktop"])
    }

    @Test("a removed association is removed from later lists only")
    func removed() {
        let apps = MimeApps(layers: [
            layer(
                "[Added Associations]\na/b=x.desktop;\n[Removed Associations]\na/b=y.desktop;\n",
                cache: "[MIME Cache]\na/b=z.desktop;\n"),
            layer(
                "[Added Associations]\na/b=y.desktop;\n[Removed Associations]\na/b=x.desktop;\n",
                cache: "[MIME Cache]\na/b=y.desktop;w.desktop;\n"),
        ])
        #expect(apps.associations(of: "a/b") == ["x.desktop", "z.desktop", "w.desktop"])
    }

    @Test("added and removed associations and the second default are used as in GIO, although xdg-mime ignores them")
    func unlikeXdgMime() {
        let apps = MimeApps(layers: [
            layer(
                "[Default Applications]\na/b=gone.desktop;second.desktop;\n[Added Associations]\na/b=added.desktop;\n"),
            layer(cache: "[MIME Cache]\na/b=first.desktop;\n"),
        ])
        #expect(apps.defaults(for: "a/b") == ["gone.desktop", "second.desktop"])
        #expect(apps.associations(of: "a/b") == ["added.desktop", "first.desktop"])
    }

    @Test("long lists and files with many groups take linear time")
    func longLists() {
        let lists = growth(from: 3000) { count in
            let ids = (0..<count).map { "x\($0).desktop;" }.joined()
            let apps = MimeApps(layers: [
                layer(
                    "[Default Applications]\na/b=\(ids)\n[Added Associations]\na/b=\(ids)\n",
                    cache: "[MIME Cache]\na/b=\(ids)\n")
            ])
            #expect(apps.defaults(for: "a/b").count == count)
            #expect(apps.associations(of: "a/b").count == count)
        }
        #expect(lists < 9)
        let groups = growth(from: 3000) { count in
            #expect(file((0..<count).map { "[G\($0)]\nkey=1\n" }.joined()).groups.count == count)
        }
        #expect(groups < 9)
    }

    @Test("an entry is referenced by its id, never by a path")
    func paths() {
        let apps = MimeApps(layers: [
            layer("[Default Applications]\na/b=../../evil.desktop;/tmp/evil.desktop;evil;good.desktop;\n")
        ])
        #expect(apps.defaults(for: "a/b") == ["good.desktop"])
    }
}

@Suite("Association list of the user")
struct AssociationFileTests {
    private func changed(_ text: String, _ change: (inout AssociationFile) -> Void) -> String {
        var file = AssociationFile(Array(text.utf8))
        change(&file)
        return String(decoding: file.bytes, as: UTF8.self)
    }

    @Test("only the affected lines change")
    func lines() {
        let text =
            "# mine\n\n[Added Associations]\nx/y=z.desktop;\n\n[Default Applications]\na/b=old.desktop;\nc/d=keep.desktop\n\n[Odd]\nfoo\n"
        #expect(
            changed(text) { $0.set(["new.desktop"], for: "a/b", in: .defaults) }
                == text.replacing("old.desktop", with: "new.desktop"))
        #expect(
            changed(text) { $0.set(["e.desktop"], for: "e/f", in: .defaults) }
                == text.replacing("c/d=keep.desktop\n", with: "c/d=keep.desktop\ne/f=e.desktop;\n"))
        #expect(
            changed(text) { $0.set([], for: "x/y", in: .added) }
                == text.replacing("[Added Associations]\nx/y=z.desktop;\n\n", with: ""))
    }

    @Test(
        "adding and removing an association restores the file",
        arguments: ["", "[Default Applications]\na/b=c.desktop;\n", "[Other]\nx=y\n"])
    func undone(_ text: String) {
        let after = changed(text) {
            $0.set(["v.desktop"], for: "e/f", in: .defaults)
            $0.set([], for: "e/f", in: .defaults)
        }
        #expect(after == text)
    }

    @Test("a file without a final line end is continued on a new line")
    func noLastNewline() {
        #expect(
            changed("[Default Applications]\na/b=c.desktop") { $0.set(["d.desktop"], for: "e/f", in: .defaults) }
                == "[Default Applications]\na/b=c.desktop\ne/f=d.desktop;\n")
    }
}
