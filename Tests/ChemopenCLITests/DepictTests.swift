import Foundation
import Testing

@Suite("depict and thumbnail")
struct DepictTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(record("one", ("ID", "a")) + record("two", ("ID", "b"), element: "N"), at: "two.sdf")
    }

    @Test("the extension of OUT selects SVG or PNG")
    func formats() throws {
        #expect(try chemopen("depict", "--records", "1", "two.sdf", "-O", "one.svg").status == 0)
        #expect(chemopen.text("one.svg")?.hasPrefix("<svg xmlns=") == true)
        #expect(try chemopen("depict", "--size", "40x30", "two.sdf", "one.png").status == 0)
        let png = try #require(FileManager.default.contents(atPath: chemopen.folder + "/one.png"))
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(png[16..<24]) == [0, 0, 0, 40, 0, 0, 0, 30])
    }

    @Test("several records are drawn as a grid with their titles or a field")
    func sheet() throws {
        let titles = try chemopen("depict", "two.sdf", "-O", "-")
        #expect(titles.output.contains(">one</text>") && titles.output.contains(">two</text>"))
        let fields = try chemopen("depict", "--caption", "ID", "--to", "svg", "two.sdf")
        #expect(fields.output.contains(">a</text>") && fields.output.contains(">b</text>"))
    }

    @Test("without OUT, each record is drawn as text")
    func text() throws {
        let outcome = try chemopen("depict", "two.sdf")
        let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines == ["1  one", "CH₄", "2  two", "NH₃"])
    }

    /// A page with a text, a structure, an arrow and a picture that cannot be drawn.
    private static let page = """
        <CDXML><page><t p="10 20"><s size="10" face="1">28</s></t><fragment><n id="1" p="40 40"/><n id="2" p="60 40"/>\
        <b B="1" E="2"/></fragment><arrow Head3D="99 60 0" Tail3D="19 60 0" ArrowheadHead="Full"/><spectrum/></page>\
        <page><t p="1 9"><s size="10">second</s></t></page><page/></CDXML>
        """

    @Test("--page draws the selected pages unchanged, and reports objects that are not drawn")
    func pages() throws {
        try chemopen.put(Self.page, at: "a.cdxml")
        let first = try chemopen("depict", "--page", "--records", "1", "a.cdxml", "-O", "-")
        #expect(
            first.output.contains(#"font-weight="bold" textLength="11.12" lengthAdjust="spacingAndGlyphs">28</text>"#))
        #expect(first.output.components(separatedBy: "<path").count == 4)
        #expect(first.errors == "chemopen: note: a.cdxml: page 1: not drawn: 1 × spectrum\n")
        let all = try chemopen("depict", "--page", "a.cdxml", "--to", "svg")
        #expect(all.output.contains(">a.cdxml: page 2</text>") && all.output.contains(">second</text>"))
        #expect(all.errors.hasSuffix("chemopen: note: a.cdxml: page 3: the page is empty\n"))
        let text = try chemopen("depict", "--page", "--records", "2", "a.cdxml")
        #expect(text.output.contains("second"))
        try chemopen.put(#"<CDXML><page><fragment><n id="1"/><n id="2"/></fragment></page></CDXML>"#, at: "b.cdxml")
        let records = try chemopen("depict", "--page", "b.cdxml")
        #expect(
            records.output.contains("laid out (no coordinates)")
                && records.errors.contains("b.cdxml: not drawn: 2 × atom without coordinates"))
        #expect(try chemopen("depict", "--page", "--size", "60x40", "a.cdxml", "-O", "a.png").status == 0)
    }

    @Test("on a terminal, the page of a drawing precedes its records, unless records are selected")
    func pageFirst() throws {
        let text = #"<t p="10 20"><s size="10">A + B</s></t>"#
        try chemopen.put(
            "<CDXML><page>\(text)<fragment><n id=\"1\" p=\"9 60\"/></fragment></page></CDXML>", at: "a.cdxml")
        let lines = try chemopen("depict", "a.cdxml").output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.contains("A + B") == true)
        let heading = try #require(lines.firstIndex { $0.hasPrefix("1  ") })
        #expect(heading > 0 && lines[heading - 1].isEmpty && lines[heading + 1].contains("CH₄"))
        #expect(try chemopen("depict", "--records", "1", "a.cdxml").output.hasPrefix("1  "))
    }

    @Test("the thumbnail of a drawing shows its first page that is not empty")
    func thumbnailOfPage() throws {
        try chemopen.put(
            "<CDXML><page/><page><t p=\"1 9\"><s size=\"10\">only text</s></t></page></CDXML>", at: "a.cdxml")
        #expect(try chemopen("thumbnail", "a.cdxml", "a.png", "64").status == 0)
        let png = try #require(FileManager.default.contents(atPath: chemopen.folder + "/a.png"))
        #expect(Array(png[16..<24]) == [0, 0, 0, 64, 0, 0, 0, 32])
    }

    @Test("terminal graphics protocols receive the picture as base 64 PNG")
    func graphics() throws {
        let kitty = try chemopen("depict", "--graphics", "kitty", "--records", "1", "two.sdf")
        #expect(kitty.output.contains("\u{1B}_Ga=T,f=100,m=0;iVBORw0KGgo"))
        let iterm = try chemopen("depict", "--graphics", "iterm", "--records", "1", "two.sdf")
        #expect(iterm.output.contains("\u{1B}]1337;File=inline=1;size="))
    }

    @Test("an existing picture is overwritten only with --force")
    func replacing() throws {
        try chemopen.put("old", at: "a.svg")
        let outcome = try chemopen("depict", "two.sdf", "-O", "a.svg")
        #expect(outcome.status == 5)
        #expect(outcome.errors == "chemopen: error: a.svg: already exists (use --force to overwrite)\n")
        #expect(chemopen.text("a.svg") == "old")
        #expect(try chemopen("depict", "--force", "two.sdf", "-O", "a.svg").status == 0)
    }

    @Test(
        "a failure to draw is reported",
        arguments: [
            (["depict", "two.sdf", "-O", "a.gif"], 2, "a.gif does not end with .svg or .png (use --to"),
            (["depict", "--size", "3", "two.sdf"], 2, "--size requires a width and a height from 8 to 20000"),
            (["depict", "--records", "7", "two.sdf", "-O", "a.svg"], 1, "there is no record to draw"),
            (["depict", "none.mol", "-O", "a.svg"], 3, "none.mol: no such file"),
            (
                ["depict", "--page", "two.sdf", "-O", "a.svg"], 1,
                "two.sdf: has no pages (omit --page to draw its records)"
            ),
            (
                ["depict", "--page", "--color", "two.sdf"], 2,
                "--page cannot be combined with --color, which applies to records"
            ),
            (
                ["depict", "--page", "--smarts", "C", "two.sdf"], 2,
                "--page cannot be combined with filters other than --records"
            ),
            (["thumbnail", "two.sdf"], 2, "thumbnail requires an input, an output and optionally a size"),
            (["thumbnail", "none.mol", "a.png"], 3, "none.mol: no such file"),
        ])
    func errors(_ words: [String], _ status: Int32, _ message: String) throws {
        let outcome = try chemopen.shell("chemopen " + words.joined(separator: " "))
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("chemopen: error: " + message))
        #expect(chemopen.text("a.svg") == nil && chemopen.text("a.png") == nil)
    }

    @Test("without the drawing program next to it, PNG output fails with a single message, and SVG output succeeds")
    func alone() throws {
        // A program that this process has written could still be open in a child process of another test.
        let copy = "cp '\(Program.path)' ./alone"
        let outcome = try chemopen.shell("\(copy); ./alone depict two.sdf -O a.png; ./alone depict two.sdf -O a.svg")
        #expect(
            outcome.errors.hasPrefix("chemopen: error: PNG requires the program chemopen-draw next to this one, at /"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(chemopen.text("a.svg") != nil && chemopen.text("a.png") == nil)
    }

    @Test("a thumbnail has the metadata of the specification and the requested size")
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

    @Test("a thumbnail is created from a URI and from a gzipped file")
    func thumbnailOfURI() throws {
        let path = Program.testData + "/sdf/vitamins.sdf.gz"
        #expect(try chemopen("thumbnail", "file://" + path, "t.png").status == 0)
        #expect(FileManager.default.fileExists(atPath: chemopen.folder + "/t.png"))
    }
}
