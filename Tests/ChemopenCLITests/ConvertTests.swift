import Foundation
import Testing

@Suite("convert")
struct ConvertTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    @Test("converting to the same format copies records byte for byte, and --rewrite writes them again")
    func copies() throws {
        let text = record("methane").replacing("V2000", with: "v2000") + record("water", element: "O")
        try chemopen.put(text, at: "a.sdf")
        #expect(try chemopen("convert", "a.sdf", "b.sdf").status == 0)
        #expect(chemopen.text("b.sdf") == text)
        #expect(try chemopen("convert", "--rewrite", "a.sdf", "c.sdf").status == 0)
        #expect(chemopen.text("c.sdf")?.contains("v2000") == false)
        #expect(try chemopen("diff", "a.sdf", "c.sdf").output == "")
    }

    @Test("an existing file is overwritten only with --force; otherwise, it stays unchanged")
    func existing() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        try chemopen.put("mine", at: "b.sdf")
        let outcome = try chemopen("convert", "a.sdf", "b.sdf")
        #expect(outcome.status == 5)
        #expect(outcome.errors == "chemopen: error: b.sdf: already exists (use --force to overwrite)\n")
        #expect(chemopen.text("b.sdf") == "mine")
        #expect(try chemopen("convert", "--force", "a.sdf", "b.sdf").status == 0)
        #expect(chemopen.text("b.sdf") == record("methane"))
    }

    @Test("several inputs, including standard input, are combined into one output")
    func severalInputs() throws {
        try chemopen.put(record("a"), at: "a.sdf")
        let outcome = try chemopen("convert", "-o", "sdf", "a.sdf", "-", "-", input: record("b"))
        #expect(outcome.output == record("a") + record("b"))
    }

    @Test("a large file produces the same sheet from a file or a pipe, even if its last record adds a column")
    func largeSheet() throws {
        let long = String(repeating: "text ", count: 400)
        let text = (1...5000).map { record("", ("N", "\($0)"), ("Long", long)) }.joined()
        try chemopen.put(text + record("late", ("Late", "1")), at: "a.sdf")
        let outcome = try chemopen.shell(
            """
            chemopen convert a.sdf a.ds && cat a.sdf | chemopen convert - b.ds && chemopen convert -o ds a.sdf - > c.ds
            cmp a.ds b.ds && cmp a.ds c.ds && head -c 500 a.ds | grep -o '<Header.*>'
            """)
        #expect(outcome.output == "<Header nrows=\"5001\" ncols=\"5\">\n")
    }

    @Test("an unreadable input does not affect the other inputs, for any output, and sets the exit status")
    func badInput() throws {
        try chemopen.put(record("a"), at: "a.sdf")
        try chemopen.put("<?xml version=\"1.0\"?><DataSheet><Header>&none;</Header></DataSheet>", at: "bad.ds")
        for place in 0...2 {
            var inputs = ["a.sdf", "a.sdf"]
            inputs.insert(["bad.ds", "missing.sdf", "bad.ds"][place], at: place)
            for format in ["sdf", "rdf", "ds"] {
                let line = "chemopen convert --to \(format) -O \(place).\(format) \(inputs.joined(separator: " "))"
                let outcome = try chemopen.shell(line + "; echo $?")
                #expect(outcome.output.hasPrefix("3\n"))
                #expect(try chemopen.shell("chemopen check \(place).\(format)").status == 0)
            }
            #expect(chemopen.text("\(place).sdf") == record("a") + record("a"))
        }
        let none = try chemopen("convert", "--to", "sdf", "-O", "none.sdf", "bad.ds", "missing.sdf")
        #expect(none.status == 3)
        #expect(none.errors.hasSuffix("there is no record to write, so no output was created\n"))
        let stopped = try chemopen("convert", "--on-error", "stop", "--to", "sdf", "-O", "none.sdf", "a.sdf", "bad.ds")
        #expect(stopped.status == 1)
        #expect(chemopen.text("none.sdf") == nil)
    }

    @Test("a record with an extreme gzip compression ratio is skipped, and its neighbors are read")
    func swollen() throws {
        try chemopen.put(record("a"), at: "a.sdf")
        let outcome = try chemopen.shell(
            """
            { cat a.sdf; sed '$d' a.sdf; echo '>  <F>'; head -c 40000000 /dev/zero | tr '\\0' x; printf '\\n\\n$$$$\\n'; cat a.sdf; } \\
                | gzip -1 > b.sdf.gz
            chemopen convert b.sdf.gz b.sdf; echo $?; cmp a.sdf a.sdf && cat a.sdf a.sdf | cmp - b.sdf && echo same
            """)
        #expect(outcome.output == "1\nsame\n")
        #expect(outcome.errors.contains("a record that gzip compresses less than a hundredfold"))
    }

    @Test("exceeding the file size limit of the process is reported, and no partial file remains")
    func fileLimit() throws {
        try chemopen.put((1...3000).map { record("r\($0)") }.joined(), at: "a.sdf")
        let outcome = try chemopen.shell("ulimit -f 64; chemopen convert --rewrite a.sdf b.sdf")
        #expect(outcome.status == 5)
        #expect(outcome.errors.hasPrefix("chemopen: error: b.sdf: "))
        #expect(try chemopen.shell("ls -A").output.contains("b.sdf") == false)
    }

    @Test("records are selected by number and by their fields")
    func chosen() throws {
        let text = (1...5).map { record("r\($0)", ("Mol Weight", "\($0 * 100)"), ("ID", "X\($0)")) }.joined()
        try chemopen.put(text, at: "a.sdf")
        func titles(_ options: String...) throws -> [String] {
            let line = "chemopen convert -o sdf " + options.joined(separator: " ") + " a.sdf - | grep '^r[0-9]$'"
            return try chemopen.shell(line).output.split(separator: "\n").map(String.init)
        }
        #expect(try titles("--records 1,3-4") == ["r1", "r3", "r4"])
        #expect(try titles("--where 'Mol Weight > 90'", "--where 'Mol Weight<=200'") == ["r1", "r2"])
        #expect(try titles("--where '\"ID\" ~ 5'") == ["r5"])
        #expect(try titles("--records 2-", "--where 'ID != X3'") == ["r2", "r4", "r5"])
        #expect(try titles("--where 'MISSING != 1'") == [])
    }

    @Test(
        "an invalid condition is rejected, with a caret under the error",
        arguments: [
            ("MASS < abc", "expected a number or a date such as 2024-01-31 after <, found abc", "       ^^^"),
            (
                "MASS < 300 and MASS >> 200", "unknown operator >> (quote a text that starts like this)",
                "                    ^^"
            ),
            (
                "MASS < 300 g",
                "expected \"and\", \"or\" or the end after 300, found g; use number(MASS) for values with units",
                "           ^"
            ),
            (
                "MASS",
                "expected one of = != < <= > >= ~ ~* in between exists is after the field name, found the end",
                "    ^"
            ),
        ])
    func conditions(_ condition: String, _ message: String, _ mark: String) throws {
        try chemopen.put(record("a", ("MASS", "250")), at: "a.sdf")
        let outcome = try chemopen("convert", "--where", condition, "a.sdf", "b.sdf")
        #expect(outcome.status == 2)
        let note = "chemopen: note: run chemopen convert --help for help\n"
        #expect(outcome.errors == "chemopen: error: --where: \(message)\n\(condition)\n\(mark)\n\(note)")
        #expect(chemopen.names == ["a.sdf"])
    }

    @Test(
        "a selection without a match explains the reason and writes a file without records",
        arguments: [
            (
                ["--where", "MASSE < 500"],
                ["no record has a field \"MASSE\"; did you mean \"MASS\"?", "0 of 3 records are selected"]
            ), (["--where", "\"mass\" < 500"], ["no record has a field \"mass\"; did you mean \"MASS\"?"]),
            (["--where", "MASS > 500", "--where", "LATE = 1"], ["0 of 3 records are selected"]),
            (["--where", "QQQQQQQQ = 1"], ["no record has a field \"QQQQQQQQ\""]),
            (["--records", "500"], ["there is no record 500; the last is 3", "0 of 3 records are selected"]),
            (["--records", "4-6,9-"], ["there is no record 4-6,9-; the last is 3"]),
        ], ["1", "2"])
    func nothing(_ case: ([String], [String]), _ threads: String) throws {
        let (options, messages) = `case`
        let text = record("a", ("MASS", "250")) + record("b", ("MASS", "300")) + record("c", ("LATE", "1"))
        try chemopen.put(text, at: "a.sdf")
        let line = options.map { "'\($0)'" }.joined(separator: " ")
        for (suffix, format) in [
            ("sdf", "MDL SDfile"), ("rdf", "MDL RDfile"), ("ds", "XML DataSheet"), ("sdf.gz", "MDL SDfile"),
        ] {
            let outcome = try chemopen.shell("chemopen convert -j \(threads) \(line) a.sdf none.\(suffix)")
            #expect(outcome.status == 1)
            for message in messages { #expect(outcome.errors.contains("chemopen: warning: \(message)\n")) }
            let again = try chemopen("info", "none.\(suffix)")
            #expect(again.status == 0)
            #expect(again.output == "none.\(suffix): \(format)\n0 records\n")
        }
        let file = try chemopen.shell("chemopen convert \(line) a.sdf none.mol")
        #expect(file.status == 1)
        #expect(file.errors.hasSuffix("chemopen: error: there is no record to write, so no output was created\n"))
        #expect(!chemopen.names.contains("none.mol"))
    }

    @Test("the kind in a condition has the values of info --json, and an unknown value is reported with the valid ones")
    func kinds() throws {
        try chemopen.put(record("a") + ">  <ID>\n7\n\n$$$$\n", at: "a.sdf")
        #expect(try chemopen("info", "--json", "a.sdf").output.contains("\"kind\":\"data\""))
        #expect(try chemopen("info", "--where", "kind = data", "--count", "a.sdf").output.hasPrefix("1"))
        let never = try chemopen("info", "--where", "kind = date", "--count", "a.sdf")
        #expect(
            never.errors.contains(
                "warning: kind cannot be \"date\", only molecule, reaction or data; did you mean \"data\"?"))
        #expect(never.status == 1)
    }

    @Test("a selection with matches reports missing record numbers and succeeds")
    func some() throws {
        try chemopen.put(record("a", ("MASS", "250")) + record("b"), at: "a.sdf")
        let outcome = try chemopen("convert", "--records", "1-100,205", "--where", "MASS > 5", "a.sdf", "b.sdf")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "chemopen: note: there is no record 205; the last is 2\n")
        #expect(chemopen.text("b.sdf") == record("a", ("MASS", "250")))
    }

    @Test("values that are not numbers are reported if a condition compares them", arguments: ["1", "3"])
    func oddValues(_ threads: String) throws {
        let values = ["1,234.5", "2000", "", "> 5000", "7"]
        try chemopen.put(values.map { record("a", ("MW", $0)) }.joined(), at: "a.sdf")
        let outcome = try chemopen("convert", "-j", threads, "--where", "MW > 1000", "a.sdf", "b.sdf")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors
                == "chemopen: note: MW is not a number in 2 records, which are not selected; found \"1,234.5\"\n")
        #expect(chemopen.text("b.sdf") == record("a", ("MW", "2000")))
        #expect(try chemopen("convert", "--where", "MW = 7", "a.sdf", "c.sdf").errors == "")
    }

    @Test("--split-by with an unknown field prints a warning and numbers the files")
    func splitByNothing() throws {
        try chemopen.put(record("a", ("MASS", "250")) + record("b"), at: "a.sdf")
        let outcome = try chemopen("convert", "--split", "n", "--split-by", "MASSE", "a.sdf")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "chemopen: warning: no record has a field \"MASSE\"; did you mean \"MASS\"?\n")
        #expect(try chemopen.shell("ls n").output == "a-000001.sdf\na-000002.sdf\n")
    }

    @Test("an empty file is a table without records if its extension says so, but not a file of a single record")
    func emptyFiles() throws {
        for name in ["a.sdf", "a.SD", "a.mol", "a.ds", "a"] { try chemopen.put("", at: name) }
        #expect(try chemopen("info", "a.sdf", "a.SD").status == 0)
        #expect(try chemopen("identify", "a.sdf").output.contains("detected by name"))
        #expect(try chemopen("convert", "a.sdf", "b.rdf").status == 0)
        #expect(chemopen.text("b.rdf")?.hasPrefix("$RDFILE 1\n") == true)
        for name in ["a.mol", "a.ds", "a"] {
            let outcome = try chemopen("info", name)
            #expect(outcome.status == 3)
            #expect(outcome.errors == "chemopen: error: \(name): the file is empty\n")
        }
    }

    @Test("a broken record is skipped with a warning, --on-error keep saves it verbatim, and stop writes no output")
    func brokenRecords() throws {
        let bad = record("bad", x: "0.0x00")
        try chemopen.put(record("a") + bad + record("b"), at: "a.sdf")
        let skipped = try chemopen("convert", "a.sdf", "b.sdf")
        #expect(skipped.status == 1)
        #expect(skipped.errors.hasSuffix("chemopen: warning: 1 of 3 records could not be read\n"))
        #expect(chemopen.text("b.sdf") == record("a") + record("b"))
        #expect(try chemopen("convert", "--on-error", "keep", "a.sdf", "c.sdf").status == 1)
        #expect(chemopen.text("c.sdf.rejects") == bad)
        #expect(try chemopen("convert", "--on-error", "stop", "a.sdf", "d.sdf").status == 1)
        #expect(chemopen.names == ["a.sdf", "b.sdf", "c.sdf", "c.sdf.rejects"])
    }

    @Test("the Name column is a loss only if it differs from the title of the written file")
    func namesOfRows() throws {
        try chemopen.put(record("water", ("ID", "7"), element: "O"), at: "a.sdf")
        #expect(try chemopen("convert", "a.sdf", "a.ds").status == 0)
        for name in ["a.mol", "a.el"] {
            let outcome = try chemopen("convert", "a.ds", name)
            #expect(!outcome.errors.contains("Name"), "\(outcome.errors)")
            #expect(outcome.errors.contains("stores no data fields (ID);"), "\(outcome.errors)")
        }
        #expect(chemopen.text("a.mol")?.hasPrefix("water\n") == true)
        try chemopen.put(record("water", ("Name", "ice"), element: "O"), at: "b.sdf")
        #expect(try chemopen("convert", "b.sdf", "b.mol").errors.contains("data fields (Name)"))
    }

    @Test("losses are printed, reported, and an error with --strict")
    func losses() throws {
        try chemopen.put(record("water", ("ID", "7"), element: "O"), at: "a.sdf")
        let outcome = try chemopen("convert", "--report", "report.jsonl", "a.sdf", "a.mol")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "chemopen: note: MDL Molfile stores no data fields (ID)\n")
        #expect(
            chemopen.text("report.jsonl") == """
                {"file":"a.sdf","record":1,"kind":"loss","feature":"fields","detail":"ID","count":1}

                """)
        #expect(try chemopen("convert", "--strict", "--force", "a.sdf", "a.mol").status == 1)
        let dry = try chemopen("convert", "--dry-run", "a.sdf", "b.mol")
        #expect(
            dry.errors == "chemopen: note: MDL Molfile stores no data fields (ID); use --report FILE for the list\n")
        #expect(chemopen.names == ["a.mol", "a.sdf", "report.jsonl"])
    }

    @Test("several records do not fit into a single-record file, and the error message suggests options")
    func oneRecordFormat() throws {
        try chemopen.put(record("a") + record("b", element: "O"), at: "a.sdf")
        let outcome = try chemopen("convert", "a.sdf", "a.mol")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--records 1"))
        #expect(outcome.errors.contains("--split DIR"))
        #expect(chemopen.names == ["a.sdf"])
        #expect(try chemopen("convert", "--records", "2", "a.sdf", "a.mol").status == 0)
        #expect(chemopen.text("a.mol") == record("b", element: "O").replacing("$$$$\n", with: ""))
    }

    @Test("--split writes one file for each record, with a safe name from its number or a field")
    func split() throws {
        try chemopen.put(
            record("a", ("ID", "x/y:z")) + record("b", ("ID", "../up")) + record("c", ("ID", "x/y:z")) + record("d"),
            at: "in.sdf")
        #expect(try chemopen("convert", "--split", "n", "in.sdf").status == 0)
        #expect(try chemopen("convert", "--split", "f", "--split-by", "ID", "in.sdf").status == 0)
        let list = try chemopen.shell("ls n f").output
        #expect(
            list == """
                f:
                _up.sdf
                in-000004.sdf
                x_y_z-2.sdf
                x_y_z.sdf

                n:
                in-000001.sdf
                in-000002.sdf
                in-000003.sdf
                in-000004.sdf

                """)
        #expect(chemopen.text("n/in-000002.sdf") == record("b", ("ID", "../up")))
    }

    @Test("a reaction becomes its components in a molecule format, but a molecule does not become a reaction")
    func reactions() throws {
        let molecule = record("part").replacing("$$$$\n", with: "")
        try chemopen.put("$RXN\nesterification\n\n\n  1  1\n$MOL\n\(molecule)$MOL\n\(molecule)", at: "a.rxn")
        #expect(try chemopen("convert", "a.rxn", "a.sdf").status == 0)
        let json = try chemopen("info", "--json", "a.sdf").output.split(separator: "\n")
        #expect(json.count == 2)
        #expect(
            json.last?.hasSuffix(
                #""fields":{"RXN:NUMBER":"1","RXN:NAME":"esterification","RXN:ROLE":"product","RXN:PLACE":"1"}}"#)
                == true)
        let refused = try chemopen("convert", "a.sdf", "b.rxn")
        #expect(refused.status == 2)
        #expect(refused.errors == "chemopen: error: record 1 is a molecule, but an MDL RXNfile stores only reactions\n")
    }

    @Test("a molecule too large for V2000 is written as V3000 with a note; --v2000 and --v3000 override the version")
    func versions() throws {
        let atom = "    0.0000    0.0000    0.0000 C   0  0\n"
        let lines = (1...1001).map { "M  V30 \($0) C 0 0 0 0\n" }.joined()
        try chemopen.put(
            "big\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 1001 0 0 0 0\nM  V30 BEGIN ATOM\n"
                + lines + "M  V30 END ATOM\nM  V30 END CTAB\nM  END\n", at: "big.mol")
        try chemopen.put("small\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n\(atom)M  END\n", at: "small.mol")
        let outcome = try chemopen("convert", "big.mol", "small.mol", "both.sdf")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("big.mol: note: written as V3000: record 1 (more than 999 atoms)\n"))
        #expect(chemopen.text("both.sdf")?.contains("V2000") == true)
        #expect(try chemopen("convert", "--v3000", "small.mol", "new.mol").status == 0)
        #expect(chemopen.text("new.mol")?.contains("M  V30 COUNTS 1 0") == true)
    }

    @Test("four threads write the same bytes and print the same messages as one")
    func threads() throws {
        let text = (1...8000).map { record("molecule \($0)", ("ID", "\($0)"), x: $0 % 3000 == 0 ? "0.0x00" : "1.0000") }
            .joined()
        try chemopen.put(text, at: "a.sdf")
        for options in [[], ["--rewrite"], ["--where", "ID > 4000"]] {
            let one = try chemopen.shell(
                "chemopen convert --force \(options.map { "'\($0)'" }.joined(separator: " ")) a.sdf one.sdf")
            let four = try chemopen.shell(
                "chemopen convert --force -j4 \(options.map { "'\($0)'" }.joined(separator: " ")) a.sdf four.sdf")
            #expect(four.status == 1)
            #expect(four.errors == one.errors)
            #expect(chemopen.text("four.sdf") == chemopen.text("one.sdf"))
        }
    }

    @Test("a large file uses several threads by default, with the same result as one thread")
    func usualThreads() throws {
        let note = String(repeating: "long ", count: 200)
        let text = (1...4000).map { record("molecule \($0)", ("NOTE", note), x: $0 % 900 == 0 ? "0.0x00" : "1.0000") }
            .joined()
        #expect(text.utf8.count > 4_000_000)
        try chemopen.put(text, at: "a.sdf")
        for command in [
            "convert --force a.sdf -O out.smi", "convert --force --smarts C a.sdf -O out.sdf", "grep -c C a.sdf",
        ] {
            let usual = try chemopen.shell("chemopen \(command); cat out.*; rm -f out.*")
            let alone = try chemopen.shell("chemopen \(command) -j 1; cat out.*; rm -f out.*")
            #expect(usual.output == alone.output && usual.errors == alone.errors && !usual.output.isEmpty)
        }
    }

    @Test("--gzip-level changes the size of a compressed output, but not its content")
    func gzipLevels() throws {
        try chemopen.put((1...400).map { record("number \($0 * 7919 % 1000)") }.joined(), at: "a.sdf")
        func size() throws -> Int { Int(try chemopen.shell("stat -c %s a.sdf.gz").output.dropLast()) ?? 0 }
        var sizes: [Int] = []
        for level in ["1", "6", "9"] {
            #expect(try chemopen("convert", "-f", "--gzip-level", level, "a.sdf", "a.sdf.gz").status == 0)
            #expect(try chemopen.shell("gzip -dc a.sdf.gz | cmp - a.sdf").output == "")
            sizes.append(try size())
        }
        #expect(sizes[0] > sizes[1] && sizes[0] > sizes[2])
        #expect(try chemopen("convert", "-f", "a.sdf", "a.sdf.gz").status == 0)
        #expect(try size() == sizes[1])
        #expect(try chemopen("convert", "-f", "--gzip-level", "10", "a.sdf", "a.sdf.gz").status == 2)
    }

    @Test("an output name that ends in .gz is compressed, and reads the same as the uncompressed file")
    func gzip() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        #expect(try chemopen("convert", "a.sdf", "a.sdf.gz").status == 0)
        #expect(try chemopen.shell("gzip -dc a.sdf.gz").output == record("methane"))
        #expect(try chemopen("diff", "a.sdf", "a.sdf.gz").status == 0)
    }

    @Test("the Name column of a sheet becomes the Name column of a text table without loss")
    func columnOfNames() throws {
        let columns = [
            "<Column id=\"1\" name=\"Molecule\" type=\"molecule\"/>",
            "<Column id=\"2\" name=\"Name\" type=\"string\"/>",
        ]
        let cells = ["<Cell id=\"1\">SketchEl!(1,0)\nC=0,0;0,0,i4\n!End</Cell>", "<Cell id=\"2\">methane</Cell>"]
        try chemopen.put(
            "<DataSheet><Header nrows=\"1\" ncols=\"2\">\(columns.joined())</Header><Content><Row id=\"1\">\(cells.joined())"
                + "</Row></Content></DataSheet>", at: "a.ds")
        let outcome = try chemopen("convert", "a.ds", "a.csv")
        #expect(chemopen.text("a.csv") == "SMILES,Name\nC,methane\n")
        #expect(outcome.errors == "")
    }

    @Test(
        "on a terminal, the number of written records and the name of the output are printed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
    func summary() throws {
        try chemopen.put(record("one", ("ID", "1")) + record("two", ("ID", "2")), at: "two.sdf")
        for (line, told) in [
            ("convert two.sdf a.rdf", "2 records written to a.rdf"),
            ("convert --where 'ID = 2' two.sdf b.rdf", "1 of 2 records written to b.rdf"),
            ("convert --split parts --to mol two.sdf", "2 records written to parts"),
            ("convert --dry-run two.sdf", "2 records would be written"),
            ("depict two.sdf -O a.svg", "2 records drawn in a.svg"),
            ("view two.sdf -O a.html", "2 records written to a.html"),
        ] {
            let outcome = try chemopen.shell("NO_COLOR=1 script -qec \"'\(Program.path)' \(line)\" typed")
            #expect(outcome.output.contains("chemopen: note: \(told)\r\n"), "\(outcome.output)")
        }
        #expect(try chemopen("convert", "--force", "two.sdf", "a.rdf").errors.isEmpty)
    }

    @Test("SMILES output has a structure and its title on each line, and other data is reported as lost")
    func smiles() throws {
        try chemopen.put(record("methane") + record("water", element: "O"), at: "two.sdf")
        let outcome = try chemopen("convert", "two.sdf", "two.smi")
        #expect(outcome.status == 0)
        #expect(chemopen.text("two.smi") == "C\tmethane\nO\twater\n")
        try chemopen.put("OCC\tethanol\nC1=CC=CC=C1C\n", at: "other.smi")
        #expect(try chemopen("convert", "--canonical", "other.smi", "canonical.smi").status == 0)
        try chemopen.put("C(C)O\tethanol\nCc1ccccc1\n", at: "other.smi")
        #expect(try chemopen("convert", "--canonical", "other.smi", "again.smi").status == 0)
        #expect(chemopen.text("canonical.smi") == chemopen.text("again.smi"))
        #expect(try chemopen("convert", "--canonical", "other.smi", "again.sdf").status == 2)
        #expect(try chemopen("convert", "two.smi", "back.sdf").status == 0)
        #expect(try chemopen("info", "--where", "atoms = 1", "back.sdf").output.contains("water"))
    }

    @Test(
        "if the address space is too small for many threads, fewer threads write the same output",
        arguments: [90, 120, 400])
    func fewThreads(megabytes: Int) throws {
        try chemopen.put(String(repeating: record("methane", ("F", "x")), count: 3000), at: "a.sdf")
        let options = "--rewrite --force a.sdf"
        #expect(try chemopen.shell("chemopen convert \(options) one.sdf").status == 0)
        let limit = "ulimit -v \(megabytes * 1024)"
        let outcome = try chemopen.shell("\(limit) && chemopen convert -j 4 \(options) many.sdf")
        // The loader itself may run out of memory.
        if outcome.status == 127 { return }
        #expect(outcome.status == 0)
        #expect(chemopen.text("many.sdf") == chemopen.text("one.sdf"))
    }

    @Test("a table has the requested columns in the requested order, and the other columns are not reported as lost")
    func chosenColumns() throws {
        try chemopen.put("CCO\tethanol\nO\twater\n", at: "a.smi")
        let options = ["--compute", "formula,atoms", "--columns", "formula,SMILES"]
        #expect(try chemopen(["convert"] + options + ["a.smi", "a.csv"]).errors == "")
        #expect(chemopen.text("a.csv") == "formula,SMILES\nC2H6O,CCO\nH2O,O\n")
        try chemopen.put("SMILES,Name,A,B\nC,one,1,\nN,two,,2\n", at: "b.csv")
        #expect(try chemopen("convert", "--columns", "B,Name", "b.csv", "b.tsv").errors == "")
        #expect(chemopen.text("b.tsv") == "B\tName\n\tone\n2\ttwo\n")
        let wrong = try chemopen("convert", "--columns", "B,MASS", "b.csv", "c.csv")
        #expect(wrong.status != 0)
        #expect(wrong.errors.contains(#"no column is named "MASS"; the first columns are SMILES, Name, A, B"#))
        #expect(chemopen.text("c.csv") == nil)
        for (columns, target) in [("A", "a.sdf"), ("A,A", "d.csv"), ("A,,B", "d.csv")] {
            #expect(try chemopen("convert", "--columns", columns, "b.csv", target).status == 2)
        }
    }
}
