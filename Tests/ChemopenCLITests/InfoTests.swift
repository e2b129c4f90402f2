import Testing

@Suite("info, identify, check, diff")
struct InfoTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    @Test("info --json prints all properties of a molecule on one line")
    func json() throws {
        try chemopen.put(record("water", ("ID", "7"), ("NAME", "\"aqua\""), ("NAME", "eau"), element: "O"), at: "a.sdf")
        let outcome = try chemopen("info", "--json", "a.sdf")
        #expect(
            outcome.output == """
                {"file":"a.sdf","record":1,"kind":"molecule","format":"sdf","version":"V2000","title":"water",\
                "atoms":1,"bonds":0,"elements":{"O":1},"formula":"H2O","mass":18.015,"charge":0,"isotopes":{},\
                "radicals":0,"orders":{},"hydrogens":[2],"dimensions":2,"features":{"sgroups":0,"stereo_groups":0,\
                "abbreviations":0,"query_atoms":0,"query_bonds":0,"map_numbers":0,"unknown":0},\
                "fields":{"ID":"7","NAME":["\\"aqua\\"","eau"]}}

                """)
        #expect(outcome.status == 0)
    }

    @Test("an unreadable record is a separate JSON object, and the other records are read")
    func brokenRecord() throws {
        try chemopen.put(record("methane") + record("bad", x: "0.0x00") + record("water", element: "O"), at: "a.sdf")
        let outcome = try chemopen("info", "--json", "a.sdf")
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 1)
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix(#"{"file":"a.sdf","record":2,"kind":"error","line":12,"offset":"#))
        #expect(
            outcome.errors == """
                a.sdf:12:1: error: expected an atom line: x, y, z and a symbol, found "    0.0x00"
                    0.0x00    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
                ^^^^^^^^^^
                a.sdf: note: record 2, "bad"; reading continues after it

                """)
    }

    @Test("info without options prints one line for each record")
    func plain() throws {
        try chemopen.put(record("water", ("ID", "7"), element: "O"), at: "a.sdf")
        #expect(
            try chemopen("a.sdf").output == """
                a.sdf: MDL SDfile
                    1  water                     H2O               1 atom, 0 bonds, V2000, 1 field
                1 record

                """)
    }

    @Test("control characters in a title are not sent to the terminal")
    func controlCharacters() throws {
        try chemopen.put(record("red \u{1B}[31m\u{9B}2J \u{202E}"), at: "a.sdf")
        #expect(try chemopen("info", "a.sdf").output.contains("red ·[31m·2J ·"))
        #expect(try chemopen("info", "--json", "a.sdf").output.contains(#""title":"red \u001b[31m\u009b2J "#))
    }

    @Test("standard input is read like a file")
    func standardInput() throws {
        #expect(try chemopen("info", "--count", "-", input: record("a") + record("b")).output == "2\n")
    }

    @Test("counting with two threads finds the same records, errors and lines as with one")
    func countOnThreads() throws {
        var text = ""
        for number in 1...6000 { text += record("molecule \(number)", x: number % 2500 == 0 ? "0.0x00" : "1.0000") }
        try chemopen.put(text, at: "a.sdf")
        let one = try chemopen("info", "--count", "a.sdf")
        let two = try chemopen("info", "--count", "-j2", "a.sdf")
        #expect(one.output == "5998\n")
        #expect(one.errors.contains("a.sdf:17498:1: error:"))
        #expect(two.output == one.output)
        #expect(two.errors == one.errors)
        #expect(two.status == 1)
    }

    @Test("counting many files with several threads prints the same counts and errors, in the order of the files")
    func countManyFiles() throws {
        for place in 1...40 {
            try chemopen.put(String(repeating: record("a"), count: place % 5 + 1), at: "\(100 + place).sdf")
        }
        try chemopen.put("no molecule", at: "107.sdf")
        let one = try chemopen.shell("chemopen info --count *.sdf missing.sdf")
        let two = try chemopen.shell("chemopen info --count -j2 *.sdf missing.sdf")
        #expect(one.output.hasPrefix("2 101.sdf\n3 102.sdf\n"))
        #expect(one.errors.contains("107.sdf: "))
        #expect(two.output == one.output)
        #expect(two.errors == one.errors)
        #expect(two.status == one.status)
    }

    @Test("identify detects the type by content, and warns if the name suggests another type")
    func identify() throws {
        try chemopen.put(record("water", element: "O"), at: "a.mol")
        let outcome = try chemopen("identify", "a.mol")
        #expect(outcome.output == "a.mol: MDL SDfile V2000, chemical/x-mdl-sdfile, detected by content\n")
        #expect(
            outcome.errors == "chemopen: warning: a.mol: is named like an MDL Molfile, but is an MDL SDfile\n")
        let json = try chemopen("identify", "--json", "a.mol").output
        #expect(json.hasPrefix(#"{"file":"a.mol","format":"sdf","name":"MDL SDfile","version":"V2000","#))
        #expect(json.hasSuffix("\"named_as\":\"mol\"}\n"))
    }

    @Test("check prints each problem with its line and exits with status 1; a valid file exits with 0")
    func check() throws {
        try chemopen.put(record("methane") + record("bad", x: "0.0x00"), at: "bad.sdf")
        try chemopen.put(record("methane"), at: "good.sdf")
        let bad = try chemopen("check", "bad.sdf")
        #expect(bad.output.hasPrefix("bad.sdf:12:1: error: expected an atom line"))
        #expect(bad.output.hasSuffix("\nbad.sdf: 1 record, 1 problem\n"))
        #expect(bad.status == 1)
        let good = try chemopen("check", "good.sdf")
        #expect(good.output == "good.sdf: 1 record, no problems\n")
        #expect(good.status == 0)
    }

    @Test("check counts deviations that every reader accepts, lists them with --remarks, and succeeds")
    func remarks() throws {
        let field = record("methane", ("ID", "7"))
        let tolerated: [(String, String, String)] = [
            ("CR LF", field.replacing("\n", with: "\r\n"), "lines end in CR or CR LF"),
            ("no last line end", String(field.dropLast()), "the last line has no line end"),
            (
                "an empty line before the data", field.replacing("M  END\n", with: "M  END\n\n"),
                "an empty line precedes"
            ),
            ("no $$$$", field.replacing("$$$$\n", with: ""), "the last $$$$ is missing"),
            ("no $$$$ after an open value", field.replacing("\n\n$$$$\n", with: "\n"), "the last $$$$ is missing"),
            ("a line of blanks", field.replacing("\n\n$$$$\n", with: "\n \n$$$$\n"), "a line of blanks ends the value"),
        ]
        for (what, text, message) in tolerated {
            try chemopen.put(text, at: "a.sdf")
            let quiet = try chemopen("check", "a.sdf")
            #expect(quiet.output == "a.sdf: 1 record, no problems, 1 remark (use --remarks to list it)\n", "\(what)")
            #expect(quiet.status == 0, "\(what)")
            let listed = try chemopen("check", "--remarks", "a.sdf")
            #expect(listed.output.contains(": remark: \(message)") && listed.status == 0, "\(what)")
            #expect(listed.output.hasSuffix("a.sdf: 1 record, no problems, 1 remark\n"), "\(what)")
            #expect(try chemopen("check", "--json", "a.sdf").output.isEmpty)
            let json = try chemopen("check", "--json", "--remarks", "a.sdf")
            #expect(json.output.contains("\"kind\":\"remark\"") && json.status == 0, "\(what)")
        }
    }

    @Test("check warns if the file may be truncated inside a value")
    func cutOff() throws {
        let field = record("methane", ("ID", "7"))
        for text in [String(field.dropLast("\n\n$$$$\n".count)), field + String(field.dropLast("\n$$$$\n".count))] {
            try chemopen.put(text, at: "a.sdf")
            let outcome = try chemopen("check", "a.sdf")
            #expect(outcome.output.contains(": warning: the file ends within a value") && outcome.status == 1)
        }
    }

    @Test("diff prints chemical differences")
    func diff() throws {
        try chemopen.put(record("water", ("ID", "7"), element: "O"), at: "a.sdf")
        try chemopen.put(
            record("aqua", ("ID", "8"), ("NEW", "1"), element: "S", x: "0.5000") + record("more"), at: "b.sdf")
        let outcome = try chemopen("diff", "--tolerance", "1", "a.sdf", "b.sdf")
        #expect(
            outcome.output == """
                record 1: title: "water", then "aqua"
                record 1: atom 1 symbol: "O", then "S"
                record 1: field ID: "7", then "8"
                record 1: field NEW: only in the second: "1"
                record 2: inserted: more

                """)
        #expect(outcome.status == 1)
        #expect(try chemopen("diff", "a.sdf", "a.sdf").status == 0)
        #expect(
            try chemopen("diff", "--json", "--tolerance", "1", "b.sdf", "a.sdf").output.hasSuffix(
                #"{"record":2,"change":"deleted","what":"record","first":"more"}"# + "\n"))
        // A structure whose atoms are all at the origin has no coordinates.
        try chemopen.put(record("water", x: "1.0000"), at: "c.sdf")
        try chemopen.put(record("water", x: "1.5000"), at: "d.sdf")
        #expect(try chemopen("diff", "c.sdf", "d.sdf").output == "record 1: atom 1 position: 1 0 0, then 1.5 0 0\n")
    }

    @Test(
        "diff with a selection shows records that match in either file, with the usual content",
        arguments: [
            (["--where", "ID = 1"], ["record 1"]), (["--where", "MASS > 5"], ["record 2", "record 4"]),
            (["--records", "3-4"], ["record 3", "record 4"]), (["--smarts", "O"], ["record 1", "record 3"]),
            (["--where", "NEW exists"], ["record 2"]), (["--where", "ID exists"], (1...4).map { "record \($0)" }),
        ])
    func chosenDifferences(_ words: [String], _ told: [String]) throws {
        let one = [
            record("a", ("ID", "1"), element: "O"), record("b", ("ID", "2"), ("MASS", "3")), record("c", ("ID", "3")),
        ]
        let other = [
            record("a", ("ID", "1")), record("b", ("ID", "2"), ("MASS", "7"), ("NEW", "1")),
            record("c", ("ID", "3"), element: "O"), record("d", ("ID", "4"), ("MASS", "9"), element: "N"),
        ]
        try chemopen.put(one.joined(), at: "a.sdf")
        try chemopen.put(other.joined(), at: "b.sdf")
        func lines(_ words: [String]) throws -> [Substring] {
            try chemopen(["diff"] + words + ["a.sdf", "b.sdf"]).output.split(separator: "\n")
        }
        let chosen = try lines(words)
        #expect(chosen == (try lines([]).filter { line in told.contains { line.hasPrefix($0 + ":") } }))
        #expect(Set(chosen.map { String($0.prefix(8)) }) == Set(told))
    }

    @Test("diff prints a note if no record matches the selection, and does not report the files as equal")
    func noChosenDifferences() throws {
        try chemopen.put(record("a", ("ID", "1")), at: "a.sdf")
        let outcome = try chemopen("diff", "--where", "ID = 2", "a.sdf", "a.sdf")
        #expect(outcome.errors.contains("0 of 2 records are selected"))
        #expect(outcome.status == 1)
        #expect(try chemopen("diff", "--where", "ID = 1", "a.sdf", "a.sdf").status == 0)
        let unknown = try chemopen("diff", "--where", "IDD = 1", "a.sdf", "a.sdf")
        #expect(unknown.errors.contains(#"no record has a field "IDD"; did you mean "ID"?"#))
        #expect(unknown.status == 1)
    }

    @Test("the seven or nine arguments of git are two versions of a file, and the exit status is always 0")
    func gitDiff() throws {
        try chemopen.put(record("water", ("ID", "7")), at: "a.sdf")
        try chemopen.put(record("water", ("ID", "8")), at: "b.sdf")
        let (old, new) = (["a.sdf", "1111111", "100644"], ["b.sdf", "2222222", "100644"])
        func told(_ words: [String]) throws -> String {
            let outcome = try chemopen(words)
            #expect(outcome.status == 0)
            return outcome.output
        }
        #expect(
            try told(["diff", "x.sdf"] + old + new)
                == "changed file x.sdf\nrecord 1: field ID: \"7\", then \"8\"\n")
        #expect(
            try told(["diff", "x.sdf"] + old + new + ["y.sdf", "similarity index 90%\n"])
                == "x.sdf is now y.sdf\nrecord 1: field ID: \"7\", then \"8\"\n")
        #expect(try told(["diff", "x.sdf", "/dev/null", ".", "."] + new) == "new file x.sdf\n")
        #expect(try told(["diff", "x.sdf"] + old + ["/dev/null", ".", "."]) == "deleted file x.sdf\n")
    }

    @Test("merge reads a version from standard input, which can be read only once")
    func mergeFromPipe() throws {
        let (base, added) = (record("a") + record("b"), record("c"))
        try chemopen.put(base, at: "base.sdf")
        try chemopen.put(base + added, at: "ours.sdf")
        let outcome = try chemopen("merge", "-O", "out.sdf", "base.sdf", "ours.sdf", "-", input: record("b"))
        #expect(outcome.status == 0)
        #expect(chemopen.text("out.sdf") == record("b") + added)
    }
}
