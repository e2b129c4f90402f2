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

    @Test("-q prints no output, -h and -H determine the names of files, and -e can specify several patterns")
    func habits() throws {
        let found = try chemopen("grep", "-q", "O", "all.sdf")
        #expect(found.status == 0 && found.output.isEmpty)
        #expect(try chemopen("grep", "-q", "N", "all.sdf").status == 1)
        #expect(try chemopen("grep", "-q", "O", "folder/water.sdf", "nowhere.sdf").status == 0)
        #expect(try chemopen("grep", "-q", "N", "nowhere.sdf").status == 3)
        #expect(try chemopen("grep", "-H", "-n", "O", "all.sdf").output == "all.sdf:2:water\n")
        #expect(try chemopen("grep", "-H", "-c", "O", "all.sdf").output == "all.sdf:1\n")
        #expect(try chemopen("grep", "-hn", "O", "all.sdf", "folder/water.sdf").output == "2:water\n1:water\n")
        #expect(try chemopen("grep", "-n", "-e", "O", "-e", "C", "all.sdf").output == "1:methane\n2:water\n4:ethane\n")
        #expect(try chemopen("grep", "-n", "-e", "[$(O)]", "-e", "[$(N)]", "all.sdf").output == "2:water\n")
        #expect(try chemopen("grep", "-n", "-v", "-e", "O", "all.sdf").output == "1:methane\n4:ethane\n")
        #expect(try chemopen("grep", "--help").output.contains("-h, --no-filename"))
    }

    @Test(
        "standard input is read as SMILES if its first lines leave no doubt",
        arguments: [
            ("CCO a\nCCN b\n", "1:a\n"), ("# list\n\nCCO a\n", "1:a\n"), ("CCO\ta\n", "1:a\n"),
            ("CCO a\nDear b\n", ""), ("C\nO\n", ""), ("CCO a\nCC( b\n", ""), ("CCO,a\nCCN,b\n", ""),
            ("a\tb\tc\nCCO\t1\t2\n", ""), ("CCO>>CC=O a\n", "1:a\n"),
        ])
    func pipe(_ text: String, _ found: String) throws {
        let outcome = try chemopen("grep", "-n", "O", "-", input: text)
        #expect(outcome.output == found)
        #expect(outcome.status == (found.isEmpty ? 3 : 0))
        try chemopen.put(text, at: "list.txt")
        #expect(try chemopen("grep", "-n", "O", "list.txt").status == 3)
    }

    @Test("an enantiomer finds its racemate only with --racemates")
    func racemates() throws {
        try chemopen.put("C[C@H](O)CC one\nC[C@@H](O)CC |&1:1| both\nCC(O)CC any\n", at: "all.smi")
        #expect(try chemopen("grep", "-n", "--exact", "C[C@H](O)CC", "all.smi").output == "1:one\n")
        let loose = try chemopen("grep", "-n", "--racemates", "--exact", "C[C@H](O)CC", "all.smi")
        #expect(loose.output == "1:one\n2:both\n")
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
