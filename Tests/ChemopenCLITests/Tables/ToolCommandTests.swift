import Foundation
import Testing

@testable import ChemopenCLI

@Suite("Commands that sort, choose and summarize records")
struct ToolCommandTests {
    let chemopen: Program

    private static let records: [(title: String, mass: String, series: String)] = [
        ("d", "30.5", "x"), ("a", "4", "y"), ("c", "n/a", "x"), ("b", "4.0", "x"), ("e", "100", "z"),
    ]

    init() throws {
        chemopen = try Program()
        let text = Self.records.map { record($0.title, ("MASS", $0.mass), ("Series", $0.series)) }.joined()
        try chemopen.put(text + record("f"), at: "a.sdf")
    }

    private func titles(_ words: String...) throws -> String {
        let outcome = try chemopen(words)
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { $0 == 0 || lines[$0 - 1] == "$$$$" }
        return starts.map { String(lines[$0]) }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test("sort compares text or numbers, by several keys, in both directions")
    func sort() throws {
        #expect(try titles("sort", "-k", "title", "a.sdf") == "a b c d e f")
        #expect(try titles("sort", "-k", "title", "-r", "a.sdf") == "f e d c b a")
        #expect(try titles("sort", "-k", "MASS", "a.sdf") == "e d a b c f")
        #expect(try titles("sort", "-k", "MASS", "-n", "a.sdf") == "a b d e c f")
        #expect(try titles("sort", "-k", "MASS", "-nr", "a.sdf") == "e d a b c f")
        #expect(try titles("sort", "-k", "Series", "-k", "MASS:nr", "a.sdf") == "d b c a e f")
        #expect(try titles("sort", "-k", "Series:r", "-k", "title", "a.sdf") == "e a b c d f")
        #expect(try titles("sort", "-k", "mass", "a.sdf") == "d a c b e f")
    }

    @Test("sort reports values that it cannot order")
    func sortRemarks() throws {
        let numbers = try chemopen("sort", "-k", "MASS", "-n", "a.sdf")
        #expect(numbers.status == 0)
        #expect(numbers.errors.contains("1 record without MASS, at the end"))
        #expect(numbers.errors.contains("1 record in which MASS is not a number, after the others"))
        let text = try chemopen("sort", "-k", "MASS", "--records", "1-2", "a.sdf")
        #expect(text.errors.contains("all values of MASS are numbers, but were compared as text (use -n)"))
        let nothing = try chemopen("sort", "-k", "MAS", "a.sdf")
        #expect(nothing.status == 1)
        #expect(try chemopen("sort", "a.sdf").status == 2)
    }

    @Test("uniq writes the first, repeated or single records of each kind")
    func uniq() throws {
        #expect(try titles("uniq", "a.sdf") == "d")
        #expect(try titles("uniq", "--by", "Series", "a.sdf") == "d a e f")
        #expect(try titles("uniq", "--by", "Series", "-d", "a.sdf") == "d")
        #expect(try titles("uniq", "--by", "Series", "-u", "a.sdf") == "a e f")
        #expect(try titles("uniq", "--by", "Series", "-n", "2", "a.sdf") == "d a c e f")
        let counted = try chemopen("uniq", "--by", "Series", "-c", "a.sdf")
        let counts = counted.output.components(separatedBy: "<Occurrences>\n").dropFirst().map { $0.prefix(1) }
        #expect(counts == ["3", "1", "1", "1"])
        #expect(counted.errors.contains("1 record without Series, which equal no other record"))
        #expect(try chemopen("uniq", "-d", "-u", "a.sdf").status == 2)
    }

    @Test("head, tail and sample count from either end")
    func ends() throws {
        #expect(try titles("head", "-n", "2", "a.sdf") == "d a")
        #expect(try titles("head", "-n", "-2", "a.sdf") == "d a c b")
        #expect(try titles("head", "-n", "0", "a.sdf") == "")
        #expect(try titles("tail", "-n", "2", "a.sdf") == "e f")
        #expect(try titles("tail", "-n", "+5", "a.sdf") == "e f")
        #expect(try titles("head", "-n", "3", "--where", "Series = x", "a.sdf") == "d c b")
        #expect(try titles("sample", "9", "--seed", "5", "a.sdf") == "d a c b e f")
        let sample = try chemopen("sample", "3", "--seed", "5", "a.sdf").output
        #expect(try chemopen("sample", "3", "--seed", "5", "a.sdf").output == sample)
        #expect(try chemopen("sample", "a.sdf").status == 2)
    }

    @Test("join reports the keys that occur twice or never")
    func join() throws {
        try chemopen.put("Series,Target\nx,EGFR\ny,\"K, L\"\nx,other\nq,none\n", at: "t.csv")
        let outcome = try chemopen("join", "--on", "Series", "a.sdf", "t.csv", "-O", "b.sdf")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("t.csv: warning: 1 row ignored, because an earlier row has the same key: \"x\""))
        #expect(outcome.errors.contains("t.csv: note: 1 row with keys that no record has: \"q\""))
        #expect(outcome.errors.contains("a.sdf: note: 1 record with keys that are not in the table: \"z\""))
        #expect(outcome.errors.contains("a.sdf: note: 1 record without Series"))
        #expect(
            outcome.errors.contains(
                "a.sdf: note: 2 records with a key of an earlier record; they have the same row: \"x\""))
        let text = try #require(chemopen.text("b.sdf"))
        #expect(text.components(separatedBy: "<Target>\nEGFR\n").count == 4)
        #expect(text.components(separatedBy: "<Target>\nK, L\n").count == 2)
        let unknown = try chemopen("join", "--on", "Serie", "a.sdf", "t.csv")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("t.csv has no column \"Serie\"; did you mean \"Series\"?"))
    }

    @Test("select keeps, removes and renames")
    func select() throws {
        let kept = try chemopen("select", "--fields", "MASS", "a.sdf").output
        #expect(!kept.contains("Series") && kept.contains("<MASS>"))
        let renamed = try chemopen("select", "--drop", "MASS", "--rename", "Series=Group", "a.sdf").output
        #expect(!renamed.contains("MASS") && renamed.contains("<Group>") && !renamed.contains("Series"))
        let missing = try chemopen("select", "--drop", "NOTE", "a.sdf")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("no record has a field \"NOTE\""))
        #expect(missing.output == chemopen.text("a.sdf"))
        let clash = try chemopen("select", "--rename", "MASS=Series", "a.sdf")
        #expect(clash.status == 1)
    }

    @Test("split names its files by number or value, and removes them after an error")
    func split() throws {
        #expect(try chemopen("split", "-n", "4", "a.sdf", "-O", "n").status == 0)
        #expect(
            try chemopen("info", "--count", "n/a-0001.sdf", "n/a-0002.sdf").output == "4 n/a-0001.sdf\n2 n/a-0002.sdf\n"
        )
        #expect(try chemopen("split", "--by", "Series", "a.sdf", "-O", "s").status == 0)
        #expect(try chemopen.shell("ls s | tr '\\n' ' '").output == "a-none.sdf x.sdf y.sdf z.sdf ")
        try chemopen.put("mine", at: "kept/z.sdf")
        #expect(try chemopen("split", "--by", "Series", "a.sdf", "-O", "kept").status == 5)
        #expect(try chemopen.shell("ls kept; cat kept/z.sdf").output == "z.sdf\nmine")
    }

    @Test("stats prints a line for each field")
    func stats() throws {
        try chemopen.put(record("bad", x: "0.0x00") + record("a", ("N", "1")) + record("a", ("N", "1")), at: "bad.sdf")
        let outcome = try chemopen("stats", "a.sdf")
        #expect(
            outcome.output == """
                a.sdf: MDL SDfile, 6 records
                field   filled  type   distinct  min  median  max
                MASS         5  mixed         4    4   17.25  100  █   ▄          ▄
                Series       5  text          3    x            z  60 % x
                duplicates: 0 records
                unreadable: 0 records

                """)
        let bad = try chemopen("stats", "bad.sdf")
        #expect(bad.status == 1)
        #expect(bad.output.hasSuffix("duplicates: 1 record\nunreadable: 1 record\n"))
    }

    @Test("a broken record is reported and left out, and the others are written")
    func broken() throws {
        try chemopen.put(record("a") + record("bad", x: "0.0x00") + record("c"), at: "bad.sdf")
        for words in [["sort", "-k", "title:r"], ["tail"], ["sample", "9"], ["uniq", "--by", "title"]] {
            let outcome = try chemopen(words + ["bad.sdf"])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("1 of 3 records could not be read and is left out"), "\(words)")
            #expect(outcome.output.components(separatedBy: "$$$$").count == 3)
        }
    }

    @Test("an input that ends early replaces no file, and an existing file needs --force")
    func atomic() throws {
        #expect(try chemopen.shell("gzip -c a.sdf > a.sdf.gz; head -c 100 a.sdf.gz > cut.sdf.gz").status == 0)
        try chemopen.put("mine", at: "out.sdf")
        let commands = [
            ["sort", "-k", "title"], ["head", "-n", "100"], ["tail"], ["uniq", "--by", "title"], ["sample", "3"],
            ["select", "--drop", "MASS"],
        ]
        for words in commands {
            #expect(try chemopen(words + ["-f", "-O", "out.sdf", "cut.sdf.gz"]).status == 3, "\(words)")
            #expect(try chemopen(words + ["-O", "out.sdf", "a.sdf"]).status == 5, "\(words)")
            #expect(chemopen.text("out.sdf") == "mine")
        }
        #expect(try chemopen("sort", "-k", "title", "-f", "-O", "a.sdf", "a.sdf").status == 0)
        #expect(try titles("head", "a.sdf") == "a b c d e f")
    }

    @Test("pipes and compressed files give the same output as the file")
    func pipes() throws {
        for words in ["sort -k MASS -n", "tail -n 2", "uniq --by Series", "sample 3 --seed 1", "head -n 3", "uniq -c"] {
            let runs = [
                "chemopen \(words) a.sdf > one.sdf 2> /dev/null",
                "cat a.sdf | chemopen \(words) - > two.sdf 2> /dev/null",
                "gzip -c a.sdf > g.sdf.gz", "chemopen \(words) g.sdf.gz > three.sdf 2> /dev/null",
                "cmp one.sdf two.sdf && cmp one.sdf three.sdf",
            ]
            let outcome = try chemopen.shell(runs.joined(separator: "; "))
            #expect(outcome.status == 0, "\(words): \(outcome.output)")
        }
        // An endless input ends when the last record has been read.
        #expect(
            try chemopen.shell("while :; do cat a.sdf || exit; done | chemopen head -n 100 - | grep -c M..END").output
                == "100\n")
    }

    @Test("inputs in other formats are refused with a hint")
    func formats() throws {
        #expect(try chemopen("convert", "a.sdf", "b.jsonl").status == 0)
        let mixed = try chemopen("sort", "-k", "title", "a.sdf", "b.jsonl")
        #expect(mixed.status == 2)
        #expect(mixed.errors.contains("use chemopen convert to give all inputs the same format"))
        let other = try chemopen("sort", "-k", "title", "a.sdf", "-O", "b.rdf")
        #expect(other.status == 2)
        #expect(other.errors.contains("use chemopen convert to change the format"))
        let drawing = try chemopen("head", Program.testData + "/cdx/methanol.cdx")
        #expect(drawing.status == 2)
        #expect(drawing.errors.contains("share its pages"))
    }
}
