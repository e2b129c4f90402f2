import Foundation
import Testing

@testable import ChemopenCLI

@Suite("Usage errors and exit status")
struct UsageTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(record("methane"), at: "one.sdf")
        try chemopen.put(record("methane") + record("bad", x: "0.0x00") + record("water", element: "O"), at: "bad.sdf")
        try chemopen.put("Dear Sir or Madam\n", at: "letter.txt")
    }

    @Test("an unknown option is rejected with the nearest known option")
    func unknownOption() throws {
        let outcome = try chemopen("info", "--cuont", "one.sdf")
        #expect(outcome.status == 2)
        #expect(
            outcome.errors == """
                chemopen: error: there is no option --cuont; did you mean --count?
                chemopen: note: run chemopen info --help for help

                """)
    }

    @Test(
        "a former option name is rejected with its current name",
        arguments: [
            ("depict", "--ground", "--background"), ("diff", "--most", "--limit"), ("serve", "--withdraw", "--revoke"),
        ])
    func renamedOption(_ command: String, _ old: String, _ new: String) throws {
        let outcome = try chemopen(command, old, "x")
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("chemopen: error: there is no option \(old); use \(new)\n"))
    }

    @Test(
        "an invalid address of a server is rejected with the help of chemopen serve",
        arguments: [
            ["--listen", "0.0.0.0:80", "."], ["--listen", "unix:", "."], ["--listen", "unix:/tmp/socket", "."],
            ["--address", "chem.example.org", "."], ["--check", "--add", "anna"], ["--no-log", "--list"],
        ])
    func addressesOfServers(_ words: [String]) throws {
        let outcome = try chemopen(["serve"] + words)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("chemopen serve --help") && !outcome.errors.contains("chemopen-view"))
    }

    @Test("a message shortens a long input, and preserves its end")
    func longInput() throws {
        let long = String(repeating: "x", count: 100_000)
        for words in [
            ["info", "--where", "a = '\(long)", "one.sdf"], ["info", "--where", "\(long) <", "one.sdf"],
            ["info", "--where", String(repeating: "(", count: 100_000), "one.sdf"], ["info", "--\(long)", "one.sdf"],
            ["info", "--offline", "https://example.org/\(long)"], ["info", long],
            ["convert", "one.sdf", "a.\(long)"], ["convert", "--to", long, "one.sdf", "a"], [long],
        ] {
            let outcome = try chemopen(words)
            #expect(outcome.status != 0)
            #expect(outcome.errors.utf8.count < 20_000 && outcome.errors.utf8.count > 10, "\(words[0])")
        }
        let marked = try chemopen("info", "--where", "a = 1 and \(long) = 2)", "one.sdf")
        #expect(marked.errors.contains("^"))
    }

    @Test("progress is shown with NO_COLOR, but not on a dumb terminal")
    func progress() {
        #expect(Terminal.allowed(noColor: nil, kind: "xterm") == (true, true))
        #expect(Terminal.allowed(noColor: "", kind: nil) == (true, true))
        #expect(Terminal.allowed(noColor: "1", kind: "xterm") == (false, true))
        #expect(Terminal.allowed(noColor: nil, kind: "dumb") == (false, false))
    }

    @Test("options of obabel and names of other compression formats are rejected with the equivalent command")
    func othersHabits() throws {
        for (words, answer) in [
            (["-xt"], "no option -x; obabel's -x: not available"), (["-x3"], "no option -x3; obabel's -x3: --v3000"),
            (["-ocan"], #"unknown format: "can"; instead: smi and --canonical"#),
            (["-oinchikey"], #"unknown format: "inchikey"; instead: --compute inchi,inchikey"#),
        ] {
            let outcome = try chemopen(["convert"] + words + ["one.sdf", "-"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains(answer), "\(outcome.errors)")
        }
        let inline = try chemopen("convert", "-:CCO", "-O", "a.sdf")
        #expect(inline.errors.contains("obabel's -:: echo CCO | chemopen convert --from smi - b.sdf\n"))
        let nameless = try chemopen("one.sdf", "-O", "a.rdf")
        #expect(nameless.errors.hasPrefix("chemopen: error: there is no option -O; chemopen convert supports it\n"))
        let caseless = try chemopen("grep", "-i", "CO", "one.sdf")
        #expect(caseless.errors.hasPrefix("chemopen: error: unknown format: \"CO\"\n"))
        let folder = try chemopen("grep", "C", ".")
        #expect(folder.errors == "chemopen: error: .: is a directory (use -r to search it)\n")
        let picture = try chemopen("convert", "one.sdf", "one.png")
        #expect(picture.errors.contains("no format has the extension .png; instead: chemopen depict"))
    }

    /// Returns the command line that an error message suggests.
    private func lineInstead(_ outcome: Program.Outcome) -> String? {
        let first = outcome.errors.split(separator: "\n").first.map(String.init) ?? ""
        return first.components(separatedBy: " it, run: ").dropFirst().first
    }

    @Test(
        "an output name that ends in .bz2 or .xz is rejected with a command line that works",
        .enabled(if: ["bzip2", "xz"].allSatisfy(onThePath), "bzip2 or xz is not installed"),
        arguments: [
            "convert one.sdf 'two of.rdf.bz2'", "convert --to rdf -O 'two of.rdf.bz2' one.sdf",
            "convert --on-error keep one.sdf 'two of.rdf.bz2'", "edit --title x -O 'two of.rdf.bz2' one.sdf",
            "merge one.sdf one.sdf one.sdf -O 'two of.rdf.bz2'",
        ])
    func packedOutput(_ line: String) throws {
        let refused = try chemopen.shell("chemopen " + line)
        #expect(refused.status == 2)
        #expect(
            refused.errors.hasPrefix(
                "chemopen: error: two of.rdf.bz2 would not be compressed; only .gz is supported; to compress it, run: ")
        )
        #expect(chemopen.names.sorted() == ["bad.sdf", "letter.txt", "one.sdf"])
        let instead = try #require(lineInstead(refused))
        #expect(try chemopen.shell(instead).status == 0, "\(instead)")
        let unpacked = try chemopen.shell("bzip2 -dc 'two of.rdf.bz2' | chemopen info --count -")
        #expect(unpacked.output == "1\n", "\(instead)")
    }

    @Test(
        "an input compressed by another program is rejected with a command line that works",
        .enabled(if: ["bzip2", "xz"].allSatisfy(onThePath), "bzip2 or xz is not installed"),
        arguments: [
            (
                "info --where 'title ~ me' 'a b.sdf.bz2'",
                "bzip2 -dc 'a b.sdf.bz2' | chemopen info --where 'title ~ me' -"
            ),
            ("convert 'a b.sdf.bz2' out.rdf", "bzip2 -dc 'a b.sdf.bz2' | chemopen convert - out.rdf"),
            ("view -O page.html c.sdf.xz", "xz -dc c.sdf.xz | chemopen view -O page.html -"),
            ("grep --substructure c.sdf.xz one.sdf", "xz -dc c.sdf.xz | chemopen grep --substructure - one.sdf"),
            ("info --json d.smi.xz", "xz -dc d.smi.xz | chemopen info --from smi --json -"),
            ("edit --title x c.sdf.xz", "xz -dk c.sdf.xz && chemopen edit --title x c.sdf"),
            (
                "bench -n1 c.sdf.xz -- -e.sdf.xz",
                "xz -dk c.sdf.xz && xz -dk ./-e.sdf.xz && chemopen bench -n1 c.sdf -- -e.sdf"
            ),
            ("diff c.sdf.xz c.sdf.xz", "xz -dk c.sdf.xz && chemopen diff c.sdf c.sdf"),
            (
                "edit --title x one.sdf.xz",
                "xz -dc one.sdf.xz > one-unpacked.sdf && chemopen edit --title x one-unpacked.sdf"
            ),
        ])
    func packedInput(_ line: String, _ instead: String) throws {
        let made = try chemopen.shell(
            """
            bzip2 -c one.sdf > 'a b.sdf.bz2' && xz -c one.sdf > c.sdf.xz && echo CCO | xz -c > d.smi.xz
            cp c.sdf.xz ./-e.sdf.xz && cp c.sdf.xz one.sdf.xz
            """)
        #expect(made.status == 0)
        let refused = try chemopen.shell("chemopen " + line)
        #expect(refused.status == 3 || line.hasPrefix("grep"))
        #expect(lineInstead(refused) == instead)
        #expect(try chemopen.shell(instead).status == 0, "\(instead)")
    }

    /// Whether a program is installed.
    private static func onThePath(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + name)
    }

    @Test("an unknown command is rejected with the nearest known command")
    func unknownCommand() throws {
        let outcome = try chemopen("conver", "one.sdf", "two.sdf")
        #expect(outcome.status == 2)
        #expect(
            outcome.errors == "chemopen: error: there is no command and no file \"conver\"; did you mean \"convert\"?\n"
        )
    }

    @Test("an unknown format is rejected with the nearest known format")
    func unknownFormat() throws {
        let outcome = try chemopen("convert", "-o", "sdff", "one.sdf", "-")
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("chemopen: error: unknown format: \"sdff\"; did you mean \"sdf\"?\n"))
    }

    @Test(
        "a missing file, a directory and a text file are rejected with one line each",
        arguments: [
            ("missing.sdf", "missing.sdf: no such file"),
            (".", ".: is a directory"),
            ("letter.txt", "letter.txt: unknown file format (use --from to specify it)"),
        ])
    func inputs(_ name: String, _ message: String) throws {
        for command in ["info", "check"] {
            let outcome = try chemopen(command, name)
            #expect(outcome.status == 3)
            #expect(outcome.errors == "chemopen: error: \(message)\n")
            #expect(outcome.output == "")
        }
        #expect(try chemopen("convert", name, "out.sdf").status == 3)
        #expect(chemopen.names == ["bad.sdf", "letter.txt", "one.sdf"])
    }

    @Test("all inputs are reported, and the exit status is the highest")
    func severalInputs() throws {
        let outcome = try chemopen("info", "--count", "bad.sdf", "missing.sdf", "one.sdf")
        #expect(outcome.status == 3)
        #expect(outcome.output == "2 bad.sdf\n1 one.sdf\n")
    }

    @Test("a file name that starts with a dash is an operand after --")
    func dashes() throws {
        try chemopen.put(record("methane"), at: "-x.sdf")
        #expect(try chemopen("info", "--count", "--", "-x.sdf").output == "1\n")
    }

    @Test(
        "option values are accepted in all common notations",
        arguments: [
            ["-o", "sdf"], ["-osdf"], ["--to", "sdf"], ["--to=sdf"],
        ])
    func spellings(_ option: [String]) throws {
        let line = "chemopen convert \(option.joined(separator: " ")) one.sdf -"
        #expect(try chemopen.shell(line).output == record("methane"))
    }

    @Test("an option with a single value is rejected if it is repeated in any spelling, except --where")
    func twice() throws {
        for command in allCommands {
            for option in command.allOptions where option.value != nil && !option.isRepeatable {
                let outcome = try chemopen(command.name, option.name, "a", "\(option.name)=b", "one.sdf")
                #expect(outcome.status == 2, "\(command.name) \(option.name)")
                #expect(
                    outcome.errors.hasPrefix("chemopen: error: \(option.name) is specified twice: \"a\" and \"b\"\n"))
            }
        }
        // A field that no record has is not a usage error.
        #expect(try chemopen("convert", "--where", "A=1", "--where", "A=2", "--to", "sdf", "one.sdf", "-").status == 1)
        #expect(chemopen.names == ["bad.sdf", "letter.txt", "one.sdf"])
    }

    @Test("the report and the output must be different files")
    func reportAsOutput() throws {
        let outcome = try chemopen("convert", "--force", "--report", "a.rdf", "one.sdf", "a.rdf")
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("chemopen: error: --report and the output are the same file, a.rdf\n"))
    }

    @Test("bench rejects input that cannot be read several times")
    func benchOfPipes() throws {
        let outcome = try chemopen.shell("mkfifo pipe; chemopen bench pipe")
        #expect(outcome.status == 3)
        #expect(outcome.errors == "chemopen: error: pipe: is a named pipe, not a file\n")
        #expect(try chemopen("bench", "-").status == 2)
    }

    @Test("a closed pipe ends the program without an error message")
    func closedPipe() throws {
        try chemopen.put(String(repeating: record("methane"), count: 3000), at: "many.sdf")
        for command in ["info many.sdf", "info --json many.sdf", "check many.sdf", "convert -o rdf many.sdf -"] {
            let outcome = try chemopen.shell("{ chemopen \(command); echo status $? >&2; } | head -c 1")
            #expect(outcome.errors == "status 0\n")
        }
    }

    @Test(
        "a full disk is reported as a write error", arguments: ["info one.sdf", "convert -o sdf one.sdf -"])
    func fullDisk(_ command: String) throws {
        let outcome = try chemopen.shell("chemopen \(command) > /dev/full")
        #expect(outcome.status == 5)
        #expect(outcome.errors == "chemopen: error: standard output: no space left on the device\n")
    }
}
