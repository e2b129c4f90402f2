import Foundation
import Testing

@Suite("Conversion of drawings")
struct DrawingConvertTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        let atoms = { (id: Int, x: Int) in
            """
            <fragment id="\(id)"><n id="\(id + 1)" p="\(x) 100"/><n id="\(id + 2)" p="\(x + 30) 100" Element="8"/>
            <b id="\(id + 3)" B="\(id + 1)" E="\(id + 2)"/></fragment>
            """
        }
        try chemopen.put(
            "<CDXML BondLength=\"30\"><page id=\"1\">\(atoms(10, 100))\(atoms(20, 300))</page></CDXML>", at: "a.cdxml")
    }

    @Test("all molecules of a page are written together into a single-record file, with a note")
    func joined() throws {
        let outcome = try chemopen("convert", "a.cdxml", "a.mol")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("2 molecules of the drawing, written as one"))
        let lines = chemopen.text("a.mol")?.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines?.count { $0.hasPrefix("  4  2 ") } == 1)
        #expect(lines?.filter { $0.contains(" O  ") }.map { $0.prefix(10) } == ["    6.5000", "   16.5000"])
    }

    @Test("a complete drawing is copied byte for byte")
    func copied() throws {
        let drawing = try #require(chemopen.text("a.cdxml"))
        #expect(try chemopen("convert", "a.cdxml", "copy.cdxml").status == 0)
        #expect(chemopen.text("copy.cdxml") == drawing)
    }

    @Test("a complete drawing preserves other objects in the other format and back; a partial one reports them")
    func whole() throws {
        let drawing = try #require(chemopen.text("a.cdxml"))
        let shape = "<graphic id=\"90\" BoundingBox=\"1 2 3 4\" GraphicType=\"Rectangle\"/></page>"
        try chemopen.put(drawing.replacingOccurrences(of: "</page>", with: shape), at: "b.cdxml")
        #expect(try chemopen("convert", "b.cdxml", "b.cdx").errors == "")
        #expect(try chemopen("convert", "b.cdx", "c.cdxml").errors == "")
        #expect(try chemopen("convert", "--rewrite", "b.cdxml", "d.cdxml").errors == "")
        #expect(chemopen.text("c.cdxml")?.contains("GraphicType=\"Rectangle\"") == true)
        #expect(chemopen.text("d.cdxml") == chemopen.text("c.cdxml"))
        let part = try chemopen("convert", "--records", "1", "b.cdxml", "e.cdxml")
        #expect(part.errors.contains("left out: unknown object graphic Rectangle (1, in record 1)"))
        #expect(chemopen.text("e.cdxml")?.contains("Rectangle") == false)
    }

    @Test("--style restyles a complete drawing, and is rejected if the style or the output is not a drawing")
    func style() throws {
        try chemopen.put("<CDXML BondLength=\"20\" LineWidth=\"3\"><page id=\"1\"/></CDXML>", at: "style.cdxml")
        for output in ["b.cdxml", "b.cdx"] {
            #expect(try chemopen("convert", "--style", "style.cdxml", "a.cdxml", output).status == 0)
            #expect(try chemopen("convert", "-f", output, "c.cdxml").status == 0)
            let text = try #require(chemopen.text("c.cdxml"))
            #expect(text.contains("BondLength=\"20\"") && text.contains("LineWidth=\"3\""))
            #expect(try chemopen("diff", output, "a.cdxml").status == 0)
        }
        try chemopen.put("water", at: "style.txt")
        let refused = try chemopen("convert", "--style", "style.txt", "a.cdxml", "d.cdxml")
        #expect(refused.status == 2 && refused.errors.contains("drawing, not style.txt"))
        let other = try chemopen("convert", "--style", "style.cdxml", "a.cdxml", "d.sdf")
        #expect(other.status == 2 && other.errors.contains("--style applies only to CDX and CDXML"))
    }

    @Test("selected molecules, or those of several drawings, are drawn again at the same position")
    func drawn() throws {
        for (words, count) in [(["--records", "1"], 1), (["--rewrite"], 2), (["a.cdxml"], 4)] {
            #expect(try chemopen(["convert", "-f"] + words + ["a.cdxml", "part.cdxml"]).status == 0)
            #expect(try chemopen("convert", "-f", "part.cdxml", "part.sdf").status == 0)
            let lines = chemopen.text("part.sdf")?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            #expect(lines.count { $0 == "$$$$" } == count)
            #expect(lines.count { $0.hasPrefix("    6.5000   -5.0000") } == (count + 1) / 2)
        }
    }

    @Test("a selected molecule, or one split into its own file, is written separately")
    func apart() throws {
        #expect(try chemopen("convert", "--records", "2", "a.cdxml", "b.mol").status == 0)
        #expect(chemopen.text("b.mol")?.contains("\n  2  1  0") == true)
        #expect(try chemopen("convert", "-o", "mol", "--split", "folder", "a.cdxml").status == 0)
        #expect(chemopen.text("folder/a-000001.mol")?.contains("\n  2  1  0") == true)
        #expect(chemopen.text("folder/a-000002.mol")?.contains("\n  2  1  0") == true)
    }
}
