import Foundation
import Testing

@Suite("InChI")
struct InChITests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(
            "C[C@H](N)C(=O)O alanine\nF/C=C/F trans\nC* site\n[2H]OC.[Na+].[Cl-] mixture\nCCO>>CC=O oxidation\n",
            at: "a.smi")
    }

    private static let alanine = "QNAYBMKLOCPYGJ-REOHCLBHSA-N"

    @Test("InChI and InChIKey are computed as table columns on request")
    func columns() throws {
        #expect(try chemopen("convert", "--compute", "inchi,inchikey", "a.smi", "a.csv").errors == "")
        let expected = """
            SMILES,Name,inchi,inchikey
            C[C@H](N)C(=O)O,alanine,"InChI=1S/C3H7NO2/c1-2(4)3(5)6/h2H,4H2,1H3,(H,5,6)/t2-/m0/s1",\(Self.alanine)
            F/C=C/F,trans,InChI=1S/C2H2F2/c3-1-2-4/h1-2H/b2-1+,WFLOTYSKFUPZQB-OWOJBTEDSA-N
            C*,site,,
            [2H]OC.[Na+].[Cl-],mixture,"InChI=1S/CH4O.ClH.Na/c1-2;;/h2H,1H3;1H;/q;;+1/p-1/i2D;;",JNYIQRMXGCWKOU-AIIYCECHSA-M
            CCO>>CC=O,oxidation,"InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3
            InChI=1S/C2H4O/c1-2-3/h2H,1H3","LFQSCWFLJHTTHZ-UHFFFAOYSA-N
            IKHGUXGNUITLKF-UHFFFAOYSA-N"

            """
        #expect(chemopen.text("a.csv")?.replacing("\r\n", with: "\n") == expected)
    }

    @Test("InChI is omitted if the library would misread an isotope")
    func isotopes() throws {
        try chemopen.put("[113CH4] far\n[300CH4] beyond\n[112CH4] near\n[14CH4] known\n", at: "b.smi")
        let table = try chemopen("convert", "--compute", "inchi", "b.smi", "b.csv")
        #expect(table.status == 0)
        let text = chemopen.text("b.csv")?.replacing("\r\n", with: "\n")
        #expect(
            text == """
                SMILES,Name,inchi
                [113CH4],far,
                [300CH4],beyond,
                [112CH4],near,InChI=1S/CH4/h1H4/i1+100
                [14CH4],known,InChI=1S/CH4/h1H4/i1+2

                """)
    }

    @Test("a computed value becomes a field in any format, replaces an existing field, and appears in info")
    func fields() throws {
        #expect(try chemopen("convert", "--compute", "inchikey,mass,elements.C", "a.smi", "a.sdf").status == 0)
        let text = try #require(chemopen.text("a.sdf"))
        #expect(text.contains(">  <inchikey>\n\(Self.alanine)\n\n>  <mass>\n89.094\n\n>  <elements.C>\n3\n"))
        #expect(try chemopen("convert", "--compute", "inchikey", "a.sdf", "b.sdf").status == 0)
        let again = try #require(chemopen.text("b.sdf"))
        #expect(again.components(separatedBy: Self.alanine).count == 2)
        let told = try chemopen("info", "--json", "--compute", "inchikey", "--records", "1", "a.smi").output
        #expect(told.contains("\"fields\":{\"inchikey\":\"\(Self.alanine)\"}"))
        #expect(!(try chemopen("info", "--json", "a.smi").output.contains("inchikey")))
    }

    @Test("InChI and InChIKey can be used in conditions")
    func conditions() throws {
        let found = try chemopen("info", "--where", "inchikey = \(Self.alanine)", "a.smi")
        #expect(found.status == 0 && found.output.contains("alanine") && !found.output.contains("trans"))
        #expect(try chemopen("info", "--count", "--where", "inchi is empty", "a.smi").output == "1\n")
    }

    @Test("an unknown computed value is reported with the known ones, and so is a missing helper program")
    func refused() throws {
        let unknown = try chemopen("convert", "--compute", "inchkey", "a.smi", "a.csv")
        #expect(unknown.status == 2 && unknown.errors.contains("not \"inchkey\"; did you mean \"inchikey\"?"))
        #expect(try chemopen("info", "--compute", "file", "a.smi").status == 2)
        let alone = try chemopen.shell(
            "cp '\(Program.path)' ./alone; ./alone info --where 'inchi exists' a.smi")
        #expect(alone.status == 2)
        #expect(
            alone.errors.contains("inchi and inchikey require the program chemopen-inchi, which is not installed ("))
    }
}
