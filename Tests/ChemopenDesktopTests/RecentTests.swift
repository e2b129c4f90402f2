import Chemopen
import Foundation
import TestFolders
import Testing

@testable import ChemopenDesktop

@Suite("List of recent files")
struct RecentTests {
    private let desk: Desk
    private let recent: RecentFiles

    init() throws {
        desk = try Desk()
        recent = RecentFiles(in: SessionEnvironment(desk.variables))
        try desk.addRecorder("avogadro2", "recorder %f", types: [])
    }

    private func names() throws -> [String] {
        try recent.entries().map { $0.path.name.shown }
    }

    private func put(_ name: String, _ text: String = ethanol) throws -> LocalPath {
        LocalPath(try desk.put(text, at: "files/" + name))
    }

    // MARK: Content of the list

    @Test("lists each file once, newest first, with the note of its sender")
    func list() throws {
        for name in ["a.mol", "b.mol"] { _ = try put(name) }
        for name in ["a.mol", "b.mol"] { try desk.chemopen("open", "--with", "avogadro2", name) }
        try desk.chemopen("open", "--with", "avogadro2", "--note", "look", "a.mol")
        #expect(try names() == ["a.mol", "b.mol"])
        #expect(try recent.entries()[0].note == "look")
        let lines = try desk.chemopen("recent").lines
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix("  \(desk.root)/files/a.mol  look"))
        #expect(try desk.chemopen("recent", "--json").lines[1].hasPrefix("{\"file\":\"\(desk.root)/files/b.mol\","))
    }

    @Test("shows the program that sent a file")
    func sender() throws {
        try recent.add([try put("a.mol")], OpenContext(startID: "thunar/chemopen/17-0-host_TIME5"))
        #expect(try recent.entries()[0].origin == "thunar")
    }

    @Test("is a sheet with the structures of files, each structure in a row")
    func sheet() throws {
        try recent.add([try put("one.mol"), try put("two.sdf", ethanol + "$$$$\n" + ethanol + "$$$$\n")])
        var stream = try readUnknown(path: recent.sheet)
        #expect(stream.format.id == "ds")
        #expect(try stream.next()?.molecule?.atoms.count == 3)
        for number in 1...2 {
            let record = try #require(try stream.next())
            #expect(record.molecule?.atoms.count == 3)
            #expect(record.fields["Record"]?.value.string == "\(number)")
        }
        let names: [Text] = ["Molecule", "Name", "File", "Origin", "Opened", "Note", "Record"]
        #expect(stream.header.columns.map(\.name) == names)
        #expect(EntryStatus(recent.sheet)?.mode == 0o600)
    }

    @Test("contains only the last hundred files")
    func most() throws {
        let paths = try (0..<130).map { try put("\($0).mol") }
        try recent.add(Array(paths[..<90]))
        try recent.add(Array(paths[90...]))
        #expect(try names() == (Array(90..<130) + Array(0..<60)).map { "\($0).mol" })
    }

    @Test(
        "preserves any file name and note",
        arguments: [
            "a b.mol", " a.mol ", "two\nlines.mol", "a\t.mol", "&amp; <b>]]>.mol", "file:x.mol", "β \u{202e}.mol",
            "\u{1}.mol", "100%25.mol",
        ])
    func anyName(name: String) throws {
        let path = try put(name)
        try recent.add([path], OpenContext(note: "with \(name)"))
        try recent.add([path], OpenContext(note: "again"))
        #expect(try recent.entries().map(\.path) == [path])
    }

    @Test("excludes private copies, other files, and the list itself")
    func leftOut() throws {
        try recent.add([try put("a.mol")])
        let copies = try PrivateFolder(in: SessionEnvironment(desk.variables))
        let copy = copies.path.appending("copy.mol")
        try writePrivateFile(Array(ethanol.utf8), to: copy)
        try recent.add([copy, try put("text.mol", "nothing chemical\n"), recent.sheet, "/dev/null", "/nowhere.mol"])
        #expect(try names() == ["a.mol"])
    }

    // MARK: Concurrent processes

    @Test("loses no entry if many processes open files at once")
    func atOnce() throws {
        for number in 0..<12 { _ = try put("\(number).mol") }
        let line = "for n in 0 1 2 3 4 5 6 7 8 9 10 11; do chemopen open --with avogadro2 $n.mol & done; wait"
        try desk.run("sh", ["-c", line])
        #expect(Set(try names()) == Set((0..<12).map { "\($0).mol" }))
    }

    @Test("preserves columns and values that the user added to the sheet")
    func addedColumn() throws {
        try recent.add([try put("a.mol")])
        let text = desk.text("data/chemopen/recent.ds")
        let widened = text.replacing("</Header>", with: "<Column id=\"7\" name=\"Mine\" type=\"string\"/></Header>")
            .replacing("</Row>", with: "<Cell id=\"7\">kept</Cell></Row>")
        try desk.put(widened, at: "data/chemopen/recent.ds")
        try recent.add([try put("b.mol")])
        #expect(try names() == ["b.mol", "a.mol"])
        #expect(desk.text("data/chemopen/recent.ds").contains("[kept]"))
    }

    @Test("stays unchanged if it is unreadable, and is created again after it is cleared")
    func damaged() throws {
        try desk.put("no sheet\n", at: "data/chemopen/recent.ds")
        _ = try put("a.mol")
        let outcome = try desk.chemopen("open", "--with", "avogadro2", "a.mol")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("cannot add the files to the recent files"))
        #expect(desk.text("data/chemopen/recent.ds") == "no sheet\n")
        let list = try desk.chemopen("recent")
        #expect(list.status == 3)
        #expect(list.errors.contains("use chemopen recent clear to start a new list"))
        #expect(try desk.chemopen("recent", "clear").status == 0)
        try desk.chemopen("open", "--with", "avogadro2", "a.mol")
        #expect(try names() == ["a.mol"])
    }

    // MARK: Turning it off

    @Test("stores no entries and deletes all when it is turned off")
    func off() throws {
        let path = try put("a.mol")
        try recent.add([path])
        #expect(try desk.chemopen("recent", "off").status == 0)
        #expect(fileKind(recent.sheet) == .missing)
        try desk.chemopen("open", "--with", "avogadro2", "a.mol")
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.root + "/data/chemopen") == [])
        #expect(try desk.chemopen("recent").errors.contains("the list is turned off"))
        #expect(try desk.chemopen("recent", "on").status == 0)
        try recent.add([path])
        #expect(try names() == ["a.mol"])
        #expect(try desk.chemopen("recent", "no").status == 2)
    }
}
