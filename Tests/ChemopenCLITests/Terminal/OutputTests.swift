import Chemopen
import Foundation
import Testing

@testable import ChemopenCLI

@Suite("Output for people")
struct OutputTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    @Test("each command is in one group of the help, and commands for programs only in the list of all")
    func groups() throws {
        let listed = Help.groups(all: true).flatMap { $0.commands.map { $0.name } }
        #expect(listed.sorted() == allCommands.map { $0.name }.sorted())
        #expect(Help.groups(all: true).first?.commands.map { $0.name } == ["info", "convert", "grep", "view", "open"])
        let hidden = allCommands.filter { $0.group == .programs }.map { $0.name }
        #expect(hidden.sorted() == ["browse", "textconv", "thumbnail"])
        let (page, all) = (try chemopen("--help").output, try chemopen("help", "all").output)
        for name in hidden {
            #expect(!page.contains("\n  \(name) "))
            #expect(all.contains("\n  \(name) "))
            #expect(try chemopen(name, "--help").status == 0)
        }
    }

    @Test("info --columns prints the chosen fields with their types, from a file and from a pipe")
    func columns() throws {
        let text =
            record("one", ("pIC50", "8.60"), ("N", "12"), ("Series", "A")) + record("two", ("pIC50", "7"), ("N", "-3"))
            + record("three", ("Series", "a long\nvalue"), ("N", "5"))
        try chemopen.put(text, at: "a.sdf")
        let expected = """
                   name   pIC50        N  Series
                           real  integer  text
                1  one     8.60       12  A
                2  two        7       -3
                3  three               5  a long / value
            3 records

            """
        let outcome = try chemopen("info", "--columns", "pIC50,N,Series", "a.sdf")
        #expect(outcome.output == "a.sdf: MDL SDfile\n" + expected)
        #expect(outcome.errors.isEmpty)
        let piped = try chemopen("info", "--columns", "pIC50,N,Series", "-", input: text)
        #expect(piped.output == "-: MDL SDfile\n" + expected)
        let chosen = try chemopen("info", "--columns", "N", "--where", "N > 0", "a.sdf").output
        #expect(chosen.contains("    1  one         12\n    3  three        5\n2 records"))
    }

    @Test("info --columns reports columns that no record has, and suggests a similar one")
    func absentColumns() throws {
        try chemopen.put(record("one", ("pIC50", "8.60")), at: "a.sdf")
        let outcome = try chemopen("info", "--columns", "PIC50", "a.sdf")
        #expect(outcome.errors == "chemopen: warning: no record has a field \"PIC50\"; did you mean \"pIC50\"?\n")
        #expect(try chemopen("info", "--columns", "pIC50", "--json", "a.sdf").status == 2)
        #expect(try chemopen("info", "--columns", "pIC50,,N", "a.sdf").status == 2)
    }

    @Test("a column has a number type only if each value is such a number")
    func types() {
        for (values, kind) in [
            (["1", "-2", "+3"], "integer"), (["1", "2.5"], "real"), (["1e3"], "real"), (["1", "x"], "text"),
            (["0x10"], "text"), (["nan"], "text"), (["1,5"], "text"), (["12345678901234567890"], "real"),
            (["-"], "text"),
        ] {
            let kinds = values.map { ShownFieldTable.Kind($0) }
            #expect(kinds.dropFirst().reduce(kinds[0]) { $1.joined(with: $0) }.rawValue == kind, "\(values)")
        }
    }

    @Test("a hit on a terminal shows the SMILES of its record, and highlights the matched atoms only")
    func hits() throws {
        let path = LocalPath(Program.testData + "/sdf/vitamins.sdf.gz")
        for pattern in ["C(=O)[OH]", "[#7]", "[#6;R]~[#6;R]", "[R]"] {
            var stream = try readUnknown(Source(path))
            var search = SubstructureSearch(try SMARTSPattern(pattern))
            var lines = HitLine([search.pattern])
            while let record = try stream.next() {
                guard case .molecule(let molecule) = record.subject else { continue }
                var smiles = SMILESText()
                smiles.append(molecule)
                let line = lines.smiles(of: record)
                #expect(line.text == String(decoding: smiles.bytes, as: UTF8.self))
                let atoms = Set(search.matches(in: molecule).flatMap { $0 })
                // A highlighted letter starts an atom, except for the second letter of Cl and Br and letters in brackets.
                let shown = line.parts.filter { $0.style == .hit }.map(\.text).joined()
                let outside = shown.replacing(/\[[^\]]*\]/, with: "C").filter(\.isLetter)
                #expect(outside.count == atoms.count, "\(pattern): \(line.text)")
                for columns in [20, 40, 80] {
                    let window = HitLine.window(of: line, columns: columns)
                    #expect(window.width <= columns)
                    #expect(atoms.isEmpty || window.parts.contains { $0.style == .hit })
                    #expect(
                        lines.line(record, number: 7, title: record.shownName, in: "a.sdf", columns: columns).width
                            <= columns)
                }
            }
        }
    }

    @Test("--color always colors redirected output, and an invalid value is an error")
    func colors() throws {
        try chemopen.put(record("one") + record("bad", x: "0.0x00"), at: "a.sdf")
        for words in [["info", "a.sdf"], ["check", "a.sdf"], ["info", "--help"], ["--help"]] {
            let plain = try chemopen(words)
            let colored = try chemopen(["--color", "always"] + words)
            #expect(colored.status == plain.status)
            #expect(!(plain.output + plain.errors).contains("\u{1B}"))
            #expect((colored.output + colored.errors).contains("\u{1B}["))
            let sequences = /\u{1B}\[[0-9;]*m/
            #expect(colored.output.replacing(sequences, with: "") == plain.output)
            #expect(colored.errors.replacing(sequences, with: "") == plain.errors)
        }
        for words in [["--color", "often", "info", "a.sdf"], ["info", "--color=often", "a.sdf"], ["--color"]] {
            let outcome = try chemopen(words)
            #expect(outcome.status == 2)
            #expect(outcome.errors.hasPrefix("chemopen: error: --color requires auto, always, never, not "))
        }
        #expect(try chemopen("info", "--color", "never", "a.sdf").output == chemopen("info", "a.sdf").output)
    }
}
