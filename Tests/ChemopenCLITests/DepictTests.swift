import Foundation
import Testing

@Suite("Depict and thumbnail")
struct DepictTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(record("one", ("ID", "a")) + record("two", ("ID", "b"), element: "N"), at: "two.sdf")
    }

    @Test("SVG or PNG, by the extension of OUT")
    func formats() throws {
        #expect(try chemopen("depict", "--records", "1", "two.sdf", "-O", "one.svg").status == 0)
        #expect(chemopen.text("one.svg")?.hasPrefix("<svg xmlns=") == true)
        #expect(try chemopen("depict", "--size", "40x30", "two.sdf", "one.png").status == 0)
        let png = try #require(FileManager.default.contents(atPath: chemopen.folder + "/one.png"))
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(png[16..<24]) == [0, 0, 0, 40, 0, 0, 0, 30])
    }

    @Test("several records make a sheet with their titles, or with a field")
    func sheet() throws {
        let titles = try chemopen("depict", "two.sdf", "-O", "-")
        #expect(titles.output.contains(">one</text>") && titles.output.contains(">two</text>"))
        let fields = try chemopen("depict", "--caption", "ID", "--to", "svg", "two.sdf")
        #expect(fields.output.contains(">a</text>") && fields.output.contains(">b</text>"))
    }

    @Test("without OUT each record is drawn in characters")
    func text() throws {
        let outcome = try chemopen("depict", "two.sdf")
        let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines == ["1  one", "CH₄", "2  two", "NH₃"])
    }

    @Test("in a terminal's own graphics the picture goes as PNG in Base64")
    func graphics() throws {
        let kitty = try chemopen("depict", "--graphics", "kitty", "--records", "1", "two.sdf")
        #expect(kitty.output.contains("\u{1B}_Ga=T,f=100,m=0;iVBORw0KGgo"))
        let iterm = try chemopen("depict", "--graphics", "iterm", "--records", "1", "two.sdf")
        #expect(iterm.output.contains("\u{1B}]1337;File=inline=1;size="))
    }

    @Test("an existing picture is replaced with --force alone")
    func replacing() throws {
        try chemopen.put("old", at: "a.svg")
        let outcome = try chemopen("depict", "two.sdf", "-O", "a.svg")
        #expect(outcome.status == 5)
        #expect(outcome.errors == "chemopen: error: a.svg: exists already; --force replaces it\n")
        #expect(chemopen.text("a.svg") == "old")
        #expect(try chemopen("depict", "--force", "two.sdf", "-O", "a.svg").status == 0)
    }

    @Test(
        "what cannot be drawn is told",
        arguments: [
            (["depict", "two.sdf", "-O", "a.gif"], 2, "a.gif ends neither in .svg nor in .png; --to names the format"),
            (["depict", "--size", "3", "two.sdf"], 2, "--size needs a width and a height from 8 to 20000"),
            (["depict", "--records", "7", "two.sdf", "-O", "a.svg"], 1, "there is no record to be drawn"),
            (["depict", "none.mol", "-O", "a.svg"], 3, "none.mol: no such file"),
            (["thumbnail", "two.sdf"], 2, "thumbnail needs a file, the name of the picture, and perhaps a size"),
            (["thumbnail", "none.mol", "a.png"], 3, "none.mol: no such file"),
        ])
    func errors(_ words: [String], _ status: Int32, _ message: String) throws {
        let outcome = try chemopen.shell("chemopen " + words.joined(separator: " "))
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("chemopen: error: " + message))
        #expect(chemopen.text("a.svg") == nil && chemopen.text("a.png") == nil)
    }

    @Test("without the drawing program beside it, PNG fails with one message and SVG goes on")
    func alone() throws {
        // A program that this process itself had written could still be open in another test's child.
        let copy = "cp '\(Program.path)' ./alone"
        let outcome = try chemopen.shell("\(copy); ./alone depict two.sdf -O a.png; ./alone depict two.sdf -O a.svg")
        #expect(outcome.errors.hasPrefix("chemopen: error: PNG needs the program chemopen-draw beside this one, at /"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(chemopen.text("a.svg") != nil && chemopen.text("a.png") == nil)
    }

    @Test("a thumbnail carries what the specification asks for, and has the size that was asked for")
    func thumbnail() throws {
        #expect(try chemopen("thumbnail", "two.sdf", "t.png", "64").status == 0)
        let png = try #require(FileManager.default.contents(atPath: chemopen.folder + "/t.png"))
        #expect(max(png[19], png[23]) == 64)
        for keyword in [
            "Thumb::URI\0file://", "Thumb::MTime\0", "Thumb::Mimetype\0chemical/x-mdl-sdfile", "Software\0",
        ] {
            #expect(png.range(of: Data(("tEXt" + keyword).utf8)) != nil, "\(keyword)")
        }
        let size = chemopen.text("two.sdf")?.utf8.count ?? 0
        #expect(png.range(of: Data("tEXtThumb::Size\0\(size)".utf8)) != nil)
    }

    @Test("a thumbnail is made of a URI, and of a gzipped file")
    func thumbnailOfURI() throws {
        let path = Program.testData + "/sdf/vitamins.sdf.gz"
        #expect(try chemopen("thumbnail", "file://" + path, "t.png").status == 0)
        #expect(FileManager.default.fileExists(atPath: chemopen.folder + "/t.png"))
    }
}
