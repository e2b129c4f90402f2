import Foundation
import Testing

/// Association lists in all locations, compared with GIO.
@Suite(
    "mimeapps.list compared with GIO", .serialized,
    .enabled(if: Desk.has("gio", "update-desktop-database"), "gio or update-desktop-database is not installed"))
struct AssociationPlacesTests {
    private static let type = "chemical/x-mdl-molfile"
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private let session = ["XDG_CURRENT_DESKTOP": "Mine:GNOME"]

    /// Returns the default program of GIO for the type, and checks that chemopen returns the same program.
    private func defaultOfBoth() throws -> String {
        let line = try desk.run("gio", ["mime", Self.type], with: session).lines.first ?? ""
        let theirs = line.contains(": ") ? line.split(separator: " ").last.map(String.init) ?? "" : "none"
        let ours = try desk.chemopen("handlers", "default", Self.type, with: session).output
        #expect(ours == "\(Self.type): \(theirs)\n")
        return theirs
    }

    @Test("the first default in the order of the specification is used")
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

    @Test("a default is skipped if it is missing, cannot start or is a path")
    func unusable() throws {
        for name in ["two", "three"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.put(
            "[Desktop Entry]\nType=Application\nName=x\nExec=recorder\nTryExec=nowhere\n",
            at: "base/applications/two.desktop")
        let ids = "gone.desktop;two.desktop;/etc/x.desktop;three.desktop;"
        try desk.put("[Default Applications]\n\(Self.type)=\(ids)\n", at: "config/mimeapps.list")
        #expect(try defaultOfBoth() == "three.desktop")
    }

    @Test("an entry that the user marked as deleted is ignored, while GIO uses the entry of the system")
    func deleted() throws {
        for name in ["one", "two"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.put("[Desktop Entry]\nType=Application\nName=x\nHidden=true\n", at: "data/applications/one.desktop")
        try desk.put("[Default Applications]\n\(Self.type)=one.desktop;two.desktop;\n", at: "config/mimeapps.list")
        let ours = try desk.chemopen("handlers", "default", Self.type, with: session).output
        #expect(ours == "\(Self.type): two.desktop\n")
    }

    @Test("an association that the user removed is not offered, and added associations precede registered ones")
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

    @Test("a default that is also a removed association has the same effect as in GIO")
    func contradiction() throws {
        for name in ["a", "b"] { try desk.addRecorder(name, types: [Self.type]) }
        try desk.put(
            "[Default Applications]\n\(Self.type)=b.desktop;\n[Removed Associations]\n\(Self.type)=b.desktop;\n",
            at: "config/mimeapps.list")
        _ = try defaultOfBoth()
    }
}
