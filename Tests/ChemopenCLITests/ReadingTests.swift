import Testing

@testable import ChemopenCLI

@Suite("Options of reading")
struct ReadingTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    /// Those that ask git read what a repository has.
    static let commands: [String] = names(where: { $0 != .nothing }).filter { !NameTests.underGit.contains($0) }
    static let commandsByHydrogens: [String] = names(where: { $0 == .hydrogens })

    private static func names(where isWanted: (Reading) -> Bool) -> [String] {
        var names: [String] = []
        for command in allCommands where isWanted(command.reading) { names.append(command.name) }
        return names
    }

    /// The command at work on a file, with words before its own.
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
            case "open": (["--list", file], "")
            case "thumbnail": ([file, "out.png"], "")
            case "view": (["--force", "--output", "out.html", file], "")
            default: ([file], "")
            }
        return try chemopen([name] + words + own, input: input)
    }

    /// The first record is broken, and so long that its end is not in the beginning of the file.
    private var oddFile: String {
        String(repeating: "Dear Sir or Madam\n", count: 4000) + "$$$$\n" + record("sodium", element: "Na")
    }

    @Test("every command that reads has --from, and names it where the content looks like nothing", arguments: commands)
    func from(_ name: String) throws {
        try chemopen.put(oddFile, at: "odd.txt")
        let unknown = try run(name, on: "odd.txt")
        #expect(unknown.status == 3)
        #expect(unknown.errors.contains("; --from names its format\n"))
        let known = try run(name, ["--from", "sdf"], on: "odd.txt")
        #expect(known.status <= 1, "\(known.errors)")
        #expect(!known.errors.contains("--from"))
        let wrong = try run(name, ["--from", "sdff"], on: "odd.txt")
        #expect(wrong.status == 2)
        #expect(wrong.errors.hasPrefix("chemopen: error: no format is called \"sdff\"; did you mean \"sdf\"?\n"))
    }

    @Test("an empty file is told so, and --from is no remedy", arguments: commands)
    func nothing(_ name: String) throws {
        try chemopen.put("", at: "a.mol")
        let outcome = try run(name, on: "a.mol")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains(" empty\n") && !outcome.errors.contains("--from"))
    }

    @Test("every command that goes by hydrogens counts them by the rule of --valence", arguments: commandsByHydrogens)
    func valence(_ name: String) throws {
        try chemopen.put(record("sodium", element: "Na"), at: "a.sdf")
        for year in ["2009", "2017"] {
            let outcome = try run(name, ["--valence", year], on: "a.sdf")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let told = outcome.output + (name == "view" ? chemopen.text("out.html") ?? "" : "")
            if ["info", "depict", "browse", "view"].contains(name) {
                #expect((told.contains("HNa") || told.contains("NaH")) == (year == "2009"))
            }
            if name == "convert" { #expect(chemopen.text("out.el")?.contains(",e1,") == (year == "2009")) }
        }
        #expect(try run(name, ["--valence", "2020"], on: "a.sdf").status == 2)
    }

    @Test("identify says that the format was named, and not told")
    func identify() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        let outcome = try chemopen("identify", "--from", "mol", "a.sdf")
        #expect(outcome.output == "a.sdf: MDL Molfile V2000, chemical/x-mdl-molfile, told by request\n")
    }

    @Test("the command that open would run says how to read")
    func showsCommand() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        let outcome = try chemopen("open", "--view", "--dry-run", "--from", "mol", "--valence", "2017", "a.sdf")
        #expect(outcome.output.contains(" --from mol --valence 2017 -- "))
    }
}
