import Chemopen
import Foundation
import Testing

/// Menu entries of a file manager other than opening.
@Suite("Menu of a file manager", .serialized)
struct FileManagerMenuTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
    }

    /// Replaces zenity with a script that selects a line, and counts its dialogs.
    private func addChooser(_ line: Int) throws {
        let chooser = "#!/bin/sh\n[ \"$1\" = --list ] && echo x >> \"$DESK/asked\"\necho \(line)\n"
        try desk.put(chooser, at: "bin/zenity", isProgram: true)
        try desk.put("#!/bin/sh\nexit 1\n", at: "bin/gdbus", isProgram: true)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: desk.root + "/files")) ?? []).sorted()
    }

    @Test("contains the entries of Dolphin, Thunar, PCManFM and Nautilus only while the program is installed")
    func installed() throws {
        let before = try desk.everything()
        try desk.chemopen("install")
        let menus = [
            "kio/servicemenus/chemopen.desktop", "Thunar/sendto/chemopen-convert.desktop",
            "Thunar/sendto/chemopen-edit.desktop", "file-manager/actions/chemopen-edit.desktop",
            "nautilus/scripts/Chemopen/Edit in…",
            "Thunar/sendto/chemopen-copy.desktop", "Thunar/sendto/chemopen-sheet.desktop",
            "file-manager/actions/chemopen-convert.desktop", "file-manager/actions/chemopen-copy.desktop",
            "file-manager/actions/chemopen-sheet.desktop", "nautilus/scripts/Chemopen/Convert to…",
            "nautilus/scripts/Chemopen/Copy as…", "nautilus/scripts/Chemopen/Thumbnail sheet",
        ]
        for name in menus {
            let path = desk.root + "/data/" + name
            #expect(desk.text("data/" + name).contains("open --clicked --"), "\(name)")
            let isProgram = name.hasPrefix("kio/") || name.hasPrefix("nautilus/")
            #expect(FileManager.default.isExecutableFile(atPath: path) == isProgram, "\(name)")
        }
        for type in Format.all.flatMap({ $0.typeDescriptions.map(\.type) }) {
            for name in menus where name.hasSuffix(".desktop") {
                #expect(desk.text("data/" + name).contains("\(type);"), "\(name): \(type)")
            }
        }
        try desk.chemopen("uninstall")
        #expect(try desk.everything() == before)
    }

    @Test("starts the program on all files with any name from its scripts")
    func scripts() throws {
        try desk.put(ethanol, at: "files/a b.mol")
        try desk.put(ethanol, at: "files/c'd.mol")
        try addChooser(1)
        try desk.chemopen("install")
        let script = desk.root + "/data/nautilus/scripts/Chemopen/Convert to…"
        #expect(try desk.run(script, ["a b.mol", "c'd.mol"]).status == 0)
        #expect(names == ["a b.el", "a b.mol", "c'd.el", "c'd.mol"])
        #expect(desk.text("asked") == "x\n")
    }

    @Test("“Convert to…” prompts for the format once, and selects a free file name", arguments: [1, 2])
    func convert(line: Int) throws {
        let suffix = try #require(Format.all.filter { $0.isWritable }[line - 1].extensions.first)
        try addChooser(line)
        try desk.put(ethanol, at: "files/a.mol")
        for _ in 0..<2 {
            #expect(try desk.chemopen("open", "--clicked", "--save-as", "ask", "a.mol").status == 0)
        }
        #expect(names == ["a (2).\(suffix)", "a.\(suffix)", "a.mol"].sorted())
        try desk.put("#!/bin/sh\nexit 1\n", at: "bin/zenity", isProgram: true)
        #expect(try desk.chemopen("open", "--clicked", "--save-as", "ask", "a.mol").status == 0)
        #expect(names.count == 3)
    }

    @Test("“Copy as…” reports a missing clipboard")
    func copyNowhere() throws {
        try desk.put(ethanol, at: "files/a.mol")
        try desk.put("#!/bin/sh\nexit 1\n", at: "bin/gdbus", isProgram: true)
        let outcome = try desk.chemopen("open", "--copy-as", "sdf", "a.mol", with: ["DISPLAY": ""])
        #expect(outcome.status == 4 && outcome.errors.contains("no clipboard"), "\(outcome.errors)")
    }

    @Test("“Thumbnail sheet” draws all structures next to the first file, with a new name each time")
    func sheet() throws {
        try desk.put(ethanol + "$$$$\n" + ethanol + "$$$$\n", at: "files/two.sdf")
        for _ in 0..<2 {
            #expect(
                try desk.chemopen("open", "--clicked", "--sheet", "two.sdf", with: ["DISPLAY": ""]).status == 0)
        }
        let stems = names.map { $0.split(separator: ".")[0] }
        #expect(stems == ["two (2)", "two", "two"])
    }

    @Test("“Edit in…” prompts for the program and the record, and merges what the program saves")
    func edit() throws {
        // The first dialog selects the first editor, the second one the second record.
        let chooser = "#!/bin/sh\n[ \"$1\" = --list ] && echo x >> \"$DESK/asked\"\nwc -l < \"$DESK/asked\"\n"
        try desk.put(chooser, at: "bin/zenity", isProgram: true)
        try desk.put("#!/bin/sh\nexit 1\n", at: "bin/gdbus", isProgram: true)
        let editor = "#!/bin/sh\nsed 's/ O  / N  /' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n"
        try desk.put(editor, at: "bin/sketcher", isProgram: true)
        let entry =
            "[Desktop Entry]\nType=Application\nName=Sketcher\nExec=sketcher %f\nMimeType=chemical/x-mdl-molfile;\n"
        try desk.put(entry, at: "data/applications/sketcher.desktop")
        try desk.put(ethanol + "$$$$\n" + ethanol + "$$$$\n", at: "files/two.sdf")
        let outcome = try desk.chemopen("open", "--clicked", "--edit-in", "ask", "two.sdf")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let records = desk.text("files/two.sdf").components(separatedBy: "$$$$\n")
        #expect(records[0] == ethanol && records[1] == ethanol.replacingOccurrences(of: " O  ", with: " N  "))
        let edits = desk.root + "/data/chemopen/edits"
        #expect(try FileManager.default.contentsOfDirectory(atPath: edits).isEmpty)
        let named = try desk.chemopen("open", "--edit-in", "sketchr", "two.sdf")
        #expect(named.status == 4 && named.errors.contains("sketcher"), "\(named.errors)")
    }

    @Test("two actions at the same time are rejected")
    func oneWish() throws {
        try desk.put(ethanol, at: "files/a.mol")
        #expect(try desk.chemopen("open", "--save-as", "sdf", "--sheet", "a.mol").status == 2)
    }
}
