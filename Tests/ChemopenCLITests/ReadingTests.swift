import Testing

@testable import ChemopenCLI

@Suite("Input options")
struct ReadingTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    /// The commands that read files. Commands that call git read from a repository instead.
    static let commands: [String] = names(where: { $0 != .nothing }).filter { !NameTests.underGit.contains($0) }
    static let commandsByHydrogens: [String] = names(where: { $0 == .hydrogens })

    private static func names(where isWanted: (Reading) -> Bool) -> [String] {
        var names: [String] = []
        for command in allCommands where isWanted(command.reading) { names.append(command.name) }
        return names
    }

    /// Returns the exit status of a command for a file in which no record has the fields that `run` names.
    private static func statusWithoutFields(_ name: String) -> Int32 { ["join", "select"].contains(name) ? 1 : 0 }

    /// Runs a command on a file, with additional arguments before its own.
    private func run(_ name: String, _ words: [String] = [], on file: String) throws -> Program.Outcome {
        let (own, input): ([String], String) =
            switch name {
            case "browse": (["--json", file], #"{"request":"ROOT","columns":["SUMMARY"]}"#)
            case "copy": (["--dry-run", file], "")
            case "convert": (["--force", file, "out.el"], "")
            case "depict": (["--to", "txt", file], "")
            case "diff": ([file, file], "")
            case "edit": (["--records", "2", "--set", "NOTE=x", file], "")
            case "grep": (["[Na]", file], "")
            case "join": ([file, "table.csv", "--on", "NAME"], "")
            case "open": (["--list", file], "")
            case "sample": (["1", file], "")
            case "select": (["--drop", "NOTE", file], "")
            case "sort": (["-k", "mass", file], "")
            case "split": (["--number", "1", "--force", "--output", "parts", file], "")
            case "thumbnail": ([file, "out.png"], "")
            case "view": (["--force", "--output", "out.html", file], "")
            default: ([file], "")
            }
        try chemopen.put("NAME,KIND\nsodium,metal\n", at: "table.csv")
        return try chemopen([name] + words + own, input: input)
    }

    /// The first record is broken, and longer than the first block of the file.
    private var oddFile: String {
        String(repeating: "Dear Sir or Madam\n", count: 4000) + "$$$$\n" + record("sodium", element: "Na")
    }

    @Test("every command that reads has --from, and suggests it for unknown content", arguments: commands)
    func from(_ name: String) throws {
        try chemopen.put(oddFile, at: "odd.txt")
        let unknown = try run(name, on: "odd.txt")
        #expect(unknown.status == 3)
        #expect(unknown.errors.contains(" (use --from to specify it)\n"))
        let known = try run(name, ["--from", "sdf"], on: "odd.txt")
        #expect(known.status <= 1, "\(known.errors)")
        #expect(!known.errors.contains("--from"))
        let wrong = try run(name, ["--from", "sdff"], on: "odd.txt")
        #expect(wrong.status == 2)
        #expect(wrong.errors.hasPrefix("chemopen: error: unknown format: \"sdff\"; did you mean \"sdf\"?\n"))
    }

    @Test("an empty file is reported as empty, without a suggestion of --from", arguments: commands)
    func nothing(_ name: String) throws {
        try chemopen.put("", at: "a.mol")
        let outcome = try run(name, on: "a.mol")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains(" empty\n") && !outcome.errors.contains("--from"))
    }

    @Test(
        "every command that uses implicit hydrogens counts them according to --valence", arguments: commandsByHydrogens)
    func valence(_ name: String) throws {
        try chemopen.put(record("sodium", element: "Na"), at: "a.sdf")
        for year in ["2009", "2017"] {
            let outcome = try run(name, ["--valence", year], on: "a.sdf")
            #expect(outcome.status <= Self.statusWithoutFields(name), "\(outcome.errors)")
            let told = outcome.output + (name == "view" ? chemopen.text("out.html") ?? "" : "")
            if ["info", "depict", "browse", "view"].contains(name) {
                #expect((told.contains("HNa") || told.contains("NaH")) == (year == "2009"))
            }
            if name == "convert" { #expect(chemopen.text("out.el")?.contains(",e1,") == (year == "2009")) }
        }
        #expect(try run(name, ["--valence", "2020"], on: "a.sdf").status == 2)
    }

    @Test("every command that shows records decodes text according to --encoding", arguments: commandsByHydrogens)
    func encoding(_ name: String) throws {
        // `глюкоза` in KOI8-R. A shell writes the bytes to the file.
        try chemopen.put(record("@", ("NAME", "@"), element: "Na"), at: "utf8.sdf")
        _ = try chemopen.shell("sed \"s/@/$(printf '\\307\\314\\300\\313\\317\\332\\301')/\" utf8.sdf >a.sdf")
        let outcome = try run(name, ["--encoding", "koi8-r"], on: "a.sdf")
        #expect(outcome.status <= Self.statusWithoutFields(name), "\(outcome.errors)")
        let written = name == "view" ? chemopen.text("out.html") ?? "" : ""
        if ["info", "view", "textconv", "depict", "grep"].contains(name) {
            #expect((outcome.output + written).contains("глюкоза"))
        }
        let wrong = try run(name, ["--encoding", "koi8r"], on: "a.sdf")
        let unknown = try run(name, ["--encoding", "koi-8r"], on: "a.sdf")
        #expect(unknown.status == 2 && wrong.status != 3)
        #expect(
            unknown.errors.hasPrefix("chemopen: error: unknown encoding \"koi-8r\"; did you mean \"KOI8-R\"?"))
    }

    @Test("text that is invalid in the encoding is an error with its position, and a copy notes that it is in UTF-8")
    func foreignText() throws {
        try chemopen.put("C a\nC µ\n", at: "a.smi")
        let wrong = try chemopen("convert", "--encoding", "ISO-2022-JP", "a.smi", "out.sdf")
        #expect(wrong.status != 0)
        #expect(wrong.errors.contains("a.smi: line 2 is not ISO-2022-JP at byte 6 of the file; specify its encoding"))
        let copy = try chemopen("convert", "--encoding", "latin1", "a.smi", "out.smi")
        #expect(copy.errors == "chemopen: note: the text is written in UTF-8\n")
        #expect(chemopen.text("out.smi") == "C a\nC Âµ\n")
        _ = try chemopen("convert", "--encoding", "utf-8", "a.smi", "utf8.smi")
        #expect(chemopen.text("utf8.smi") == "C a\nC µ\n")
    }

    @Test("text in another encoding is reported if it must become UTF-8, with a hint to use --encoding")
    func foreignReport() throws {
        _ = try chemopen.shell("printf 'C \\203\\117\\n' >a.smi")
        let outcome = try chemopen("convert", "a.smi", "a.ds")
        let hint =
            "foreign encoding (1, in record 1); guessed as Windows-1252 or escaped (use --encoding to specify its encoding)\n"
        #expect(outcome.errors.contains(hint))
        #expect(try chemopen("convert", "--force", "--encoding", "sjis", "a.smi", "a.ds").errors == "")
        #expect(chemopen.text("a.ds")?.contains("グ") == true)
    }

    @Test("identify reports that the format was specified, not detected")
    func identify() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        let outcome = try chemopen("identify", "--from", "mol", "a.sdf")
        #expect(outcome.output == "a.sdf: MDL Molfile V2000, chemical/x-mdl-molfile, detected by request\n")
    }

    @Test("the command that open --dry-run prints contains the input options")
    func showsCommand() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        let outcome = try chemopen("open", "--view", "--dry-run", "--from", "mol", "--valence", "2017", "a.sdf")
        #expect(outcome.output.contains(" --from mol --valence 2017 -- "))
    }
}
