import Testing

@Suite("grep")
struct GrepTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(
            record("methane") + record("water", element: "O") + record("bad", x: "0.0x00") + record("ethane"),
            at: "all.sdf")
        try chemopen.put(record("water", element: "O"), at: "folder/water.sdf")
        try chemopen.put("Dear Sir or Madam\n", at: "folder/letter.txt")
    }

    @Test("matching records are printed verbatim, and with -v the other records")
    func records() throws {
        let outcome = try chemopen("grep", "O", "all.sdf")
        #expect(outcome.status == 0)
        #expect(outcome.output == record("water", element: "O"))
        #expect(try chemopen("grep", "-v", "O", "all.sdf").output == record("methane") + record("ethane"))
    }

    @Test("-n prints numbers and titles, -c counts, -l lists files, and -m stops early")
    func shows() throws {
        #expect(try chemopen("grep", "-n", "C", "all.sdf").output == "1:methane\n4:ethane\n")
        #expect(try chemopen("grep", "-n", "-m", "1", "C", "all.sdf").output == "1:methane\n")
        #expect(try chemopen("grep", "-c", "C", "all.sdf").output == "2\n")
        #expect(
            try chemopen("grep", "-c", "O", "all.sdf", "folder/water.sdf").output == "all.sdf:1\nfolder/water.sdf:1\n")
        #expect(try chemopen("grep", "-l", "C", "all.sdf", "folder/water.sdf").output == "all.sdf\n")
        #expect(try chemopen("grep", "-n", "-j", "2", "C", "all.sdf").output == "1:methane\n4:ethane\n")
    }

    @Test("--substructure uses a drawn structure as the pattern, and --exact matches a complete SMILES")
    func drawn() throws {
        try chemopen.put("CCO\tethanol\nOCCC\tpropanol\nCC=O\tethanal\n", at: "all.smi")
        try chemopen.put("OCC\n", at: "query.smi")
        #expect(
            try chemopen("grep", "-n", "--substructure", "query.smi", "all.smi").output == "1:ethanol\n2:propanol\n")
        #expect(try chemopen("grep", "-n", "-v", "--substructure", "query.smi", "all.smi").output == "3:ethanal\n")
        #expect(try chemopen("grep", "-n", "--exact", "OCC", "all.smi").output == "1:ethanol\n")
        #expect(try chemopen("grep", "-n", "--exact", "query.smi", "all.smi").output == "1:ethanol\n")
        #expect(try chemopen("convert", "--exact", "C(=O)C", "all.smi", "one.smi").status == 0)
        #expect(chemopen.text("one.smi") == "CC=O\tethanal\n")
        #expect(try chemopen("grep", "--exact", "C(", "all.smi").status == 2)
        #expect(try chemopen("grep", "--substructure", "all.smi", "all.smi").status == 2)
    }

    @Test("-r searches directories and skips other files")
    func folders() throws {
        let outcome = try chemopen("grep", "-r", "-n", "O", "folder")
        #expect(outcome.status == 0)
        #expect(outcome.output == "folder/water.sdf:1:water\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test("the exit status shows whether a record matched")
    func status() throws {
        #expect(try chemopen("grep", "-c", "N", "folder/water.sdf").status == 1)
        #expect(try chemopen("grep", "N", "nowhere.sdf").status == 3)
        #expect(try chemopen("grep", "N").status == 2)
    }

    @Test("an error in a pattern is shown with a caret")
    func faults() throws {
        let outcome = try chemopen("grep", "C(=O", "all.sdf")
        #expect(outcome.status == 2)
        #expect(
            outcome.errors == """
                chemopen: error: the pattern: expected a ) that closes this branch, found "("
                C(=O
                 ^
                chemopen: note: run chemopen grep --help for help

                """)
    }

    @Test("the molecule of a single-record file is printed as an SD record")
    func molfile() throws {
        let text = record("water", element: "O")
        try chemopen.put(String(text.dropLast(5)), at: "water.mol")
        let outcome = try chemopen("grep", "O", "water.mol")
        #expect(outcome.output.hasSuffix("M  END\n$$$$\n"))
        #expect(try chemopen("convert", "--smarts", "O", "all.sdf", "-").output == text)
        #expect(try chemopen("convert", "--smarts", "N", "all.sdf", "-").status == 1)
    }
}
