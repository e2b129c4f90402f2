import Testing

@Suite("Conversion of structures in fields")
struct StructureFieldTests {
    private let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    private static let counts = "  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
    /// Two atoms, with a program line and more decimals than a sheet stores.
    private static let solvent = """
        solvent
          Program01010100002D

          2  1  0  0  0  0            999 V2000
            0.0000    0.0000    0.0000 C   0  0
            1.2990    0.7500    0.0000 O   0  0
          1  2  1  0
        M  END

        """

    private func file(_ value: String, _ other: String = "1") -> String {
        "$RDFILE 1\n$DATM    01/01/26 00:00\n$MFMT\n\n\n\n\(Self.counts)$DTYPE SOLVENT\n$DATUM \(value)"
            + "$DTYPE NOTE\n$DATUM \(other)\n"
    }

    private func data(_ name: String) throws -> String {
        let text = try #require(chemopen.text(name))
        // An empty line in a value becomes a line with a space in an SD file.
        let start = try #require(text.firstRange(of: "$DTYPE"))
        return String(text[start.lowerBound...]).replacing("\n \n", with: "\n\n")
    }

    @Test(
        "a structure in an RD file field survives a conversion to a sheet, SD or JSON Lines and back",
        arguments: ["ds", "sdf", "jsonl", "ds.gz"])
    func comeBack(through format: String) throws {
        let text = file("$MFMT\n" + Self.solvent, "a]]>b")
        try chemopen.put(text, at: "a.rdf")
        #expect(try chemopen("convert", "a.rdf", "b.\(format)").status == 0)
        #expect(try chemopen("convert", "b.\(format)", "c.rdf").status == 0)
        #expect(try data("c.rdf") == data("a.rdf"))
        #expect(try chemopen("check", "b.\(format)").status == 0)
        // The same conversion again, with the result as the input.
        #expect(try chemopen("convert", "c.rdf", "d.\(format)").status == 0)
        #expect(try chemopen("convert", "--rewrite", "b.\(format)", "e.\(format)").status == 0)
        if format != "ds.gz" { #expect(chemopen.text("e.\(format)") == chemopen.text("b.\(format)")) }
    }

    @Test("if a structure in a sheet was edited, the original text stored after it is dropped with a note")
    func editedCell() throws {
        try chemopen.put(file("$MFMT\n" + Self.solvent), at: "a.rdf")
        #expect(try chemopen("convert", "a.rdf", "b.ds").status == 0)
        let sheet = try #require(chemopen.text("b.ds"))
        #expect(sheet.contains("!End\n$MFMT\nsolvent\n"))
        try chemopen.put(
            sheet.replacing("O=1.2990", with: "N=1.2990").replacing("0,0,i1\n1-2", with: "0,0,i2\n1-2"), at: "b.ds")
        let back = try chemopen("convert", "b.ds", "c.rdf")
        #expect(back.errors.contains("ignored the text after the molecule, which describes a different molecule"))
        let text = try data("c.rdf")
        #expect(
            text.hasPrefix("$DTYPE SOLVENT\n$DATUM $MFMT\n") && text.contains(" N   0") && !text.contains("Program"))
    }

    @Test("a second structure column of a sheet becomes SMILES in a table, and survives an SD file as structures")
    func secondColumn() throws {
        try chemopen.put(file("$MFMT\n" + Self.solvent), at: "a.rdf")
        #expect(try chemopen("convert", "a.rdf", "a.ds").status == 0)
        // Without the original text.
        var sheet = try #require(chemopen.text("a.ds"))
        let start = try #require(sheet.firstRange(of: "$MFMT"))
        let end = try #require(sheet.firstRange(of: "M  END"))
        sheet.removeSubrange(start.lowerBound..<end.upperBound)
        try chemopen.put(sheet, at: "b.ds")
        let table = try chemopen("convert", "b.ds", "b.csv")
        #expect(chemopen.text("b.csv")?.contains("CO") == true)
        #expect(table.errors.contains("structures in fields written as SMILES"))
        #expect(try chemopen("convert", "b.ds", "b.sdf").status == 0)
        #expect(chemopen.text("b.sdf")?.contains("SketchEl") == false)
        #expect(try chemopen("convert", "b.sdf", "c.ds").status == 0)
        #expect(chemopen.text("c.ds")?.contains("type=\"molecule\"") == true)
        #expect(chemopen.text("c.ds")?.contains("<![CDATA[SketchEl!(2,1)\nC=0.0000,0.0000;0,0,i3\nO=") == true)
        #expect(try chemopen("convert", "b.ds", "b.rdf").status == 0)
        #expect(try data("b.rdf").hasPrefix("$DTYPE SOLVENT\n$DATUM $MFMT\n"))
    }
}
