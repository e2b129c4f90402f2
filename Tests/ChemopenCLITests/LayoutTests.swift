import Foundation
import Testing

@Suite("Layout")
struct LayoutTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put("C[C@H](N)C(=O)O alanine\nF/C=C/F trans\nCC=CC either\n", at: "a.smi")
        try chemopen.put(Self.space, at: "space.mol")
    }

    /// A stereo center with 3D coordinates.
    private static let space = """
        in space
          made 3D

          5  4  0  0  0  0  0  0  0  0999 V2000
            0.0000    0.0000    0.0000 C   0  0
            0.0000    0.0000    1.3000 F   0  0
            1.5000    0.0000   -0.6000 Cl  0  0
           -0.9000    1.5000   -0.6000 Br  0  0
           -0.5000   -0.8000   -0.3000 H   0  0
          1  2  1  0
          1  3  1  0
          1  4  1  0
          1  5  1  0
        M  END

        """

    @Test("a structure without coordinates is drawn with a small caption that mentions the layout")
    func drawn() throws {
        let picture = try chemopen("depict", "a.smi", "-O", "-").output
        #expect(picture.components(separatedBy: ">laid out (no coordinates)</text>").count == 4)
        #expect(!picture.contains("atoms, "))
        let text = try chemopen("depict", "a.smi").output
        #expect(text.components(separatedBy: "laid out (no coordinates)\n").count == 4)
        let words = try chemopen("depict", "--no-layout", "a.smi", "-O", "-").output
        #expect(words.contains("6 atoms, 5 bonds, no coordinates") && !words.contains("laid out"))
    }

    @Test("a stereo center with 3D coordinates is drawn with a wedge")
    func space() throws {
        #expect(
            try chemopen("depict", "space.mol", "-O", "-").output.contains(">laid out (from 3D coordinates)</text>"))
        #expect(!(try chemopen("depict", "--no-layout", "space.mol", "-O", "-").output.contains("laid out")))
        #expect(try chemopen("convert", "--layout", "space.mol", "flat.mol").status == 0)
        let lines = try #require(chemopen.text("flat.mol")).components(separatedBy: "\n")
        let bonds = lines.filter { $0.count == 21 }
        #expect(bonds.count == 4)
        #expect(bonds.filter { $0.hasSuffix("  1  1  0  0  0") || $0.hasSuffix("  1  6  0  0  0") }.count == 1)
    }

    @Test("files receive a layout only with --layout, and their canonical SMILES stays the same")
    func converted() throws {
        #expect(try chemopen("convert", "a.smi", "plain.sdf").status == 0)
        #expect(chemopen.text("plain.sdf")?.contains("    0.0000    0.0000    0.0000 F") == true)
        #expect(try chemopen("convert", "--layout", "a.smi", "a.sdf").errors == "")
        #expect(chemopen.text("a.sdf")?.contains("    0.0000    0.0000    0.0000 F") == false)
        let before = try chemopen("convert", "--canonical", "a.smi", "-o", "smi", "-O", "-").output
        let after = try chemopen("convert", "--canonical", "a.sdf", "-o", "smi", "-O", "-").output
        #expect(before == after && before.contains("@"))
        // An existing drawing is unchanged to the last digit.
        #expect(try chemopen("convert", "--layout", "a.sdf", "b.sdf").status == 0)
        func atoms(_ name: String) -> [String] {
            (chemopen.text(name) ?? "").components(separatedBy: "\n").filter { $0.contains("0.0000 ") }
        }
        #expect(atoms("a.sdf") == atoms("b.sdf") && atoms("a.sdf").count == 14)
    }

    @Test("every atom of a large cage has its own position")
    func cage() throws {
        let cage =
            "c12c3c4c5c1c6c7c8c2c9c1c3c2c3c4c4c%10c5c5c6c6c7c7c%11c8c9c8c9c1c2c1c2c3c4c3c4c%10c5c5c6c7c6c7c%11c8c9c8c1c2c3c4c5c6c78"
        try chemopen.put(cage + "\n", at: "cage.smi")
        #expect(try chemopen("convert", "--layout", "cage.smi", "cage.mol").status == 0)
        let lines = try #require(chemopen.text("cage.mol")).components(separatedBy: "\n")
        let atoms = lines.filter { $0.contains(" C   0") }
        #expect(atoms.count == 54 && Set(atoms.map { $0.prefix(20) }).count == 54)
    }

    @Test("without the layout program next to it, structures are drawn unchanged, and file output is rejected")
    func alone() throws {
        let copy = "cp '\(Program.path)' ./alone; ./alone "
        let drawn = try chemopen.shell(copy + "depict a.smi space.mol -O a.svg; cat a.svg")
        #expect(drawn.output.components(separatedBy: ">no layout could be computed</text>").count == 5)
        let converted = try chemopen.shell(copy + "convert --layout a.smi a.sdf")
        #expect(converted.status == 2 && chemopen.text("a.sdf") == nil)
        #expect(converted.errors.contains("--layout requires the program chemopen-layout, which is not installed"))
    }
}
