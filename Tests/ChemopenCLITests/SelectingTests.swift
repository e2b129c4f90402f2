import Chemopen
import Testing

@testable import ChemopenCLI

@Suite("Selection options")
struct SelectingTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(
            record("one", ("ID", "1"), element: "O") + record("two", ("ID", "2"), element: "N")
                + record("three", ("ID", "3"), element: "N"), at: "a.sdf")
        try chemopen.put(record("other", ("ID", "0")), at: "other.sdf")
        try chemopen.put("ID,X\n1,a\n2,b\n3,c\n", at: "table.csv")
    }

    /// Returns the titles of the records that a command selects.
    private func titles(_ name: String, _ options: [String]) throws -> [String] {
        let words =
            switch name {
            case "convert": options + ["a.sdf", "--force", "b.sdf"]
            case "depict": options + ["--to", "svg", "--output", "b.svg", "--force", "--caption", "NONE", "a.sdf"]
            case "edit": options + ["--set", "NOTE=x", "--output", "b.sdf", "--force", "a.sdf"]
            case "grep": options + ["-n", "*", "a.sdf"]
            case "copy": options + ["--dry-run", "a.sdf"]
            case "view": options + ["-f", "-O", "a.html", "a.sdf"]
            case "browse", "open": options + ["--json", "a.sdf"]
            case "bench": options + ["--rounds", "1", "a.sdf"]
            case "diff": options + ["--key", "title", "a.sdf", "other.sdf"]
            case "sort": options + ["-k", "record", "-f", "-O", "b.sdf", "a.sdf"]
            case "uniq": options + ["--by", "record", "-f", "-O", "b.sdf", "a.sdf"]
            case "join": options + ["--on", "ID", "-f", "-O", "b.sdf", "a.sdf", "table.csv"]
            case "select": options + ["--rename", "ID=NUMBER", "-f", "-O", "b.sdf", "a.sdf"]
            case "split": options + ["-n", "9", "-f", "-O", "parts", "a.sdf"]
            case "sample": options + ["9", "-f", "-O", "b.sdf", "a.sdf"]
            case "head", "tail": options + ["-f", "-O", "b.sdf", "a.sdf"]
            default: options + ["a.sdf"]
            }
        if name == "history" { try commit() }
        let request = #"{"request":"ROOT","columns":["SUMMARY_HEADER"]}"#
        let outcome = try chemopen([name] + words, input: name == "browse" ? request : "")
        var told = outcome.output
        let isCopy = ["convert", "sort", "uniq", "join", "select", "sample", "head", "tail"].contains(name)
        if isCopy { told = try chemopen("info", "b.sdf").output }
        if name == "split" { told = outcome.status == 1 ? "" : try chemopen("info", "parts/a-0001.sdf").output }
        if name == "stats" { return [1, 2].filter { told.contains("SDfile, \($0) record") }.map { "\($0)" } }
        if name == "check" { return told.contains("1 record,") ? ["1"] : told.contains("2 records,") ? ["2"] : [] }
        if name == "bench" {
            return [1, 2].filter { told.contains("a.sdf: \($0) chosen of 3 records,") }.map { "\($0)" }
        }
        if name == "view" { told = chemopen.text("a.html") ?? "" }
        if name == "depict" || name == "copy" { return [outcome.status == 0 ? "drawn" : "none"] }
        let separators = ["grep": (":", "\n"), "edit": ("(", ")"), "diff": (" ", "\n"), "history": ("(", ")")]
        let isJSON = ["view", "browse", "open"].contains(name)
        let separator = separators[name] ?? (isJSON ? ("\"", "\"") : ("  ", " "))
        return ["one", "two", "three"].filter { told.contains(separator.0 + $0 + separator.1) }
    }

    /// Commits the file to a repository.
    private func commit() throws {
        if chemopen.text(".git/HEAD") != nil { return }
        let line = "git init -q && git add a.sdf && git -c user.name=Ann -c user.email=ann@example.org commit -qm first"
        #expect(try chemopen.shell(line).status == 0)
    }

    @Test("each command with a selection option has all of them, and selects the same records")
    func alike() throws {
        var names: [String] = []
        for command in allCommands where command.options.contains(.condition) {
            names.append(command.name)
            for option in Option.selecting { #expect(command.options.contains(option), "\(command.name)") }
        }
        #expect(
            Set(names) == [
                "open", "info", "convert", "grep", "view", "browse", "depict", "copy", "check", "edit", "bench", "diff",
                "history", "sort", "uniq", "join", "select", "split", "sample", "head", "tail", "stats",
            ])
        let choices: [([String], [String])] = [
            (["--records", "2-"], ["two", "three"]), (["--where", "ID > 1 and title ~ w"], ["two"]),
            (["--smarts", "[#8]"], ["one"]), (["--smarts", "[#7]", "--records", "1-2"], ["two"]),
            (["--where", "ID = 9"], []),
        ]
        for name in names {
            for (options, wanted) in choices {
                let expected =
                    switch name {
                    case "check", "bench", "stats": wanted.isEmpty ? [] : ["\(wanted.count)"]
                    case "depict", "copy": [wanted.isEmpty ? "none" : "drawn"]
                    default: wanted
                    }
                #expect(try titles(name, options) == expected, "\(name) \(options)")
            }
        }
    }

    @Test(
        "a selection without a match exits with status 1 and an explanation",
        arguments: ["info", "check", "depict", "copy", "bench", "history"])
    func nothing(_ name: String) throws {
        for (options, why) in [
            (["--where", "IDD = 1"], "no record has a field \"IDD\"; did you mean \"ID\"?"),
            (["--records", "7"], "there is no record 7; the last is 3"),
            (["--where", "mass > 500"], "0 of 3 records are selected"),
        ] {
            if name == "history" { try commit() }
            let outcome = try chemopen([name] + options + ["a.sdf"])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("chemopen: warning: \(why)\n"), "\(outcome.errors)")
        }
        let refused = try chemopen(name, "--where", "ID <", "a.sdf")
        #expect(refused.status == 2)
        #expect(refused.errors.hasPrefix("chemopen: error: --where: expected a number"))
    }

    @Test("an output without records is read as such in each multi-record format")
    func withoutRecords() throws {
        for format in FormatRegistry.standard.all
        where format.isWritable && format.makeReader != nil && format.supportedFeatures.contains(.severalRecords) {
            let file = "none.\(format.extensions.first ?? format.id)"
            let made = try chemopen("convert", "--where", "ID = 9", "a.sdf", file)
            #expect(made.status == 1, "\(file)")
            let outcome = try chemopen("info", file)
            #expect(outcome.status == 0, "\(file): \(outcome.errors)")
            #expect(outcome.output.hasSuffix("0 records\n"), "\(file): \(outcome.output)")
        }
    }

    @Test("suggestions ignore case and include computed properties")
    func nearNames() throws {
        try chemopen.put(record("one", ("LogP", "1"), ("CAS", "50-00-0"), ("MASS", "30")), at: "names.sdf")
        let cases = [
            ("logpp = 1", "LogP"), ("LGOP = 1", "LogP"), ("Mas > 1", "mass"), ("MAS > 1", "MASS"),
            ("Titel ~ o", "title"),
        ]
        for (condition, near) in cases {
            let outcome = try chemopen("info", "--where", condition, "names.sdf")
            #expect(outcome.errors.contains("did you mean \"\(near)\"?"), "\(condition): \(outcome.errors)")
        }
    }

    @Test("a table row without a title uses the Name column")
    func namesOfRows() throws {
        #expect(try chemopen("convert", "a.sdf", "a.ds").status == 0)
        #expect(try chemopen("grep", "-n", "N", "a.ds").output == "2:two\n3:three\n")
        let found = try chemopen("info", "--where", "title ~ w", "a.ds").output
        #expect(found.contains("    2  two "))
        #expect(found.hasSuffix("1 record\n"))
        // The structure itself is printed without the row's title.
        #expect(
            try chemopen("info", "--json", "--where", "title = one", "a.ds").output.contains(#""title":"","atoms""#))
    }

    @Test("info --count counts the selected records")
    func count() throws {
        #expect(try chemopen("info", "--count", "--where", "ID > 1", "a.sdf").output == "2\n")
        #expect(try chemopen("info", "--count", "a.sdf").output == "3\n")
    }

    @Test("a page contains only the selected records, and an empty selection is explained")
    func page() throws {
        let made = try chemopen("view", "--where", "ID > 1", "--limit", "1", "-O", "one.html", "a.sdf")
        #expect(made.status == 0)
        #expect(
            made.errors == "chemopen: note: one.html shows the first 1 of 2 chosen records (use --limit for more)\n")
        let page = try #require(chemopen.text("one.html"))
        #expect(page.contains("\"two\"") && !page.contains("\"one\"") && !page.contains("\"three\""))
        #expect(page.contains("2 chosen of 3 records"))
        let typo = try chemopen("view", "--where", "IDD = 1", "-O", "none.html", "a.sdf")
        #expect(typo.status == 1)
        #expect(
            typo.errors == """
                chemopen: warning: no record has a field "IDD"; did you mean "ID"?
                chemopen: warning: 0 of 3 records are selected

                """)
        let refused = try chemopen("view", "--smarts", "C(", "-O", "c.html", "a.sdf")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("\nC(\n"))
    }

    @Test("commands that start another program reject a query structure from standard input")
    func structureFromStandardInput() throws {
        for command in ["view", "open"] {
            let outcome = try chemopen(command, "--substructure", "-", "a.sdf", input: record("N", element: "N"))
            #expect(outcome.status == 2)
            #expect(
                outcome.errors.contains(
                    "--substructure requires a file here because standard input can be read only once\n"))
        }
        #expect(
            try chemopen("info", "--count", "--substructure", "-", "a.sdf", input: record("N", element: "N")).output
                == "2\n")
    }

    @Test("open --save-as saves only the selected records, and no file if there is no match")
    func saved() throws {
        let saved = try chemopen("open", "--save-as", "rdf", "--where", "title = two", "a.sdf")
        #expect(saved.output.hasSuffix("/a.rdf has 1 record\n"))
        let none = try chemopen("open", "--save-as", "smi", "--smarts", "[Br]", "a.sdf")
        #expect(none.status == 1)
        #expect(none.errors == "chemopen: error: a.sdf: 0 of 3 records are selected\n")
        #expect(!chemopen.names.contains("a.smi"))
    }

    @Test(
        "with several files, a missing field is reported once, and only if all files lack it",
        arguments: [
            ["info"], ["info", "--count"], ["check"], ["grep", "-c", "*"], ["bench", "-n1"],
            ["view", "-f", "-O", "a.html"],
            ["depict", "-f", "-O", "a.svg"],
        ])
    func severalFiles(_ command: [String]) throws {
        try chemopen.put(record("four", ("NUMBER", "4")), at: "b.sdf")
        let found = try chemopen(command + ["--where", "NUMBER = 4", "a.sdf", "b.sdf"])
        #expect(found.errors.isEmpty && found.status == 0)
        let none = try chemopen(command + ["--where", "NUMER = 4", "a.sdf", "b.sdf"])
        let told = none.errors.split(separator: "\n").filter { !$0.contains("to draw") }
        #expect(
            told == [
                "chemopen: warning: no record has a field \"NUMER\"; did you mean \"NUMBER\"?",
                "chemopen: warning: 0 of 4 records are selected",
            ])
        #expect(none.status == 1)
        if command.last == "--count" { #expect(found.output == "0 a.sdf\n1 b.sdf\n") }
    }

    @Test(
        "a broken record outside the selected numbers is not reported",
        arguments: ["info", "check", "grep", "depict"])
    func unaskedRecord(_ name: String) throws {
        try chemopen.put(record("bad", x: "0.0x00") + record("good"), at: "b.sdf")
        let words = ["grep": ["-c", "C"], "depict": ["-f", "-O", "b.svg"]][name] ?? []
        let outcome = try chemopen([name] + words + ["--records", "2", "b.sdf"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let whole = try chemopen([name] + words + ["b.sdf"])
        #expect((whole.output + whole.errors).contains("b.sdf:5"))
    }

    @Test("a missing query file is reported as missing if the argument looks like a file name")
    func missingStructure() throws {
        let messages = [
            (["--substructure", "query.mol"], "query.mol: no such file"),
            (["--exact", "/no/query"], "/no/query: no such file"),
            (["--exact", ""], "expected a file or a SMILES to search for"),
            (["--exact", "CX"], "neither a file nor a valid SMILES: expected an atom, a bond or a branch"),
        ]
        for (words, message) in messages {
            let outcome = try chemopen(["info"] + words + ["a.sdf"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.hasPrefix("chemopen: error: \(message)\n"), "\(outcome.errors)")
        }
        #expect(try chemopen("info", "--count", "--exact", "C", "a.sdf").output == "0\n")
    }
}
