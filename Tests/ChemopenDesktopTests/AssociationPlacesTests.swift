import Foundation
import Testing

/// The lists of associations in all their places, answered as GIO answers.
@Suite(
    "mimeapps.list, beside GIO", .serialized,
    .enabled(if: Desk.has("gio", "update-desktop-database"), "gio or update-desktop-database is not installed"))
struct AssociationPlacesTests {
    private static let type = "chemical/x-mdl-molfile"
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private let session = ["XDG_CURRENT_DESKTOP": "Mine:GNOME"]

    /// The program that GIO opens the type with, which must be the one told here.
    private func defaultOfBoth() throws -> String {
        let line = try desk.run("gio", ["mime", Self.type], with: session).lines.first ?? ""
        let theirs = line.contains(": ") ? line.split(separator: " ").last.map(String.init) ?? "" : "none"
        let ours = try desk.chemopen("handlers", "default", Self.type, with: session).output
        #expect(ours == "\(Self.type): \(theirs)\n")
        return theirs
    }

    @Test("of all places that name a default, the one that the specification puts first counts")
    func places() throws {
        let folders = ["base/applications", "data/applications", "xdg", "config"]
        let files = ["mimeapps.list", "gnome-mimeapps.list", "mine-mimeapps.list"]
        var places = folders.flatMap { folder in files.map { folder + "/" + $0 } }
        places.insert("base/applications/defaults.list", at: 0)
        for (index, place) in places.enumerated() {
            try desk.addRecorder("program\(index)", types: ["chemical/x-other"])
            try desk.put("[Default Applications]\n\(Self.type)=program\(index).desktop;\n", at: place)
            #expect(try defaultOfBoth() == "program\(index).desktop", "\(place)")
        }
    }

    @Test("a default that is missing or cannot start is passed over, and so is one that is a path")
    func unusable() throws {
        for name in ["two", "three"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.put(
            "[Desktop Entry]\nType=Application\nName=x\nExec=recorder\nTryExec=nowhere\n",
            at: "base/applications/two.desktop")
        let ids = "gone.desktop;two.desktop;/etc/x.desktop;three.desktop;"
        try desk.put("[Default Applications]\n\(Self.type)=\(ids)\n", at: "config/mimeapps.list")
        #expect(try defaultOfBoth() == "three.desktop")
    }

    @Test("an entry that the user has marked as deleted is gone, where GIO goes on to that of the system")
    func deleted() throws {
        for name in ["one", "two"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.put("[Desktop Entry]\nType=Application\nName=x\nHidden=true\n", at: "data/applications/one.desktop")
        try desk.put("[Default Applications]\n\(Self.type)=one.desktop;two.desktop;\n", at: "config/mimeapps.list")
        let ours = try desk.chemopen("handlers", "default", Self.type, with: session).output
        #expect(ours == "\(Self.type): two.desktop\n")
    }

    @Test("what the user has removed is offered no more, and what is added comes before what is registered")
    func removed() throws {
        for name in ["a", "b", "c"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.addRecorder("z", types: [])
        #expect(try defaultOfBoth() == "a.desktop")
        try desk.put("[Removed Associations]\n\(Self.type)=a.desktop;\n", at: "config/mimeapps.list")
        #expect(try defaultOfBoth() == "b.desktop")
        try desk.put("[Removed Associations]\n\(Self.type)=b.desktop;\n", at: "xdg/mimeapps.list")
        #expect(try defaultOfBoth() == "c.desktop")
        try desk.put("[Added Associations]\n\(Self.type)=z.desktop;\n", at: "data/applications/mimeapps.list")
        #expect(try defaultOfBoth() == "z.desktop")
        try desk.put(ethanol, at: "files/a.mol")
        let lines = try desk.chemopen("open", "--list", "a.mol", with: session).lines
        #expect(lines.count == 4)
        #expect(lines[1].contains("z.desktop") && lines[2].contains("c.desktop") && lines[3].contains("Viewer"))
    }

    @Test("a default that is also removed")
    func contradiction() throws {
        for name in ["a", "b"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.put(
            "[Default Applications]\n\(Self.type)=b.desktop;\n[Removed Associations]\n\(Self.type)=b.desktop;\n",
            at: "config/mimeapps.list")
        _ = try defaultOfBoth()
    }
}
