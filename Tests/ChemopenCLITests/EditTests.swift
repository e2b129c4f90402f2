import Foundation
import Testing

@Suite("edit")
struct EditTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
        try chemopen.put(base.joined(), at: "a.sdf")
    }

    private let base = (1...3).map { record("m\($0)", ("ID", "\($0)"), ("MASS", "\($0).5")) }

    @Test("a record is found by its title or a key, and its changes are printed")
    func byKey() throws {
        let outcome = try chemopen("edit", "--record", "m2", "--set", "MASS=2.75", "--unset", "ID", "a.sdf")
        #expect(
            outcome.output
                == "record 2 (m2): field ID: removed \"2\"\nrecord 2 (m2): field MASS: \"2.5\", now \"2.75\"\n")
        #expect(outcome.status == 0)
        let edited = base[1].replacing("> <ID>\n2\n\n", with: "").replacing("2.5", with: "2.75")
        #expect(chemopen.text("a.sdf") == base[0] + edited + base[2])
        #expect(
            try chemopen("edit", "--record", "3", "--key", "ID", "--delete", "a.sdf").output
                == "record 3 (m3): deleted\n")
        #expect(chemopen.text("a.sdf") == base[0] + edited)
        #expect(try chemopen("edit", "--record", "m9", "--delete", "a.sdf").status == 1)
        #expect(try chemopen("edit", "--record", "3", "--delete", "a.sdf").status == 1)
        #expect(try chemopen("edit", "--record", "2", "--delete", "a.sdf").output == "record 2 (m2): deleted\n")
    }

    @Test("conditions and numbers select several records, and a compressed file stays compressed")
    func several() throws {
        #expect(try chemopen("convert", "a.sdf", "a.sdf.gz").status == 0)
        #expect(try chemopen("edit", "--where", "MASS > 2", "--set", "NOTE=large", "a.sdf.gz").status == 0)
        #expect(try chemopen.shell("gzip -t a.sdf.gz && zcat a.sdf.gz | grep -c large").output == "2\n")
        #expect(try chemopen("edit", "--records", "2-3", "--move", "1", "-O", "b.sdf", "a.sdf").status == 0)
        #expect(chemopen.text("b.sdf") == base[1] + base[2] + base[0])
        #expect(chemopen.text("a.sdf") == base.joined())
        #expect(try chemopen("edit", "--records", "1", "--delete", "-O", "b.sdf", "a.sdf").status == 5)
    }

    @Test("records of another file are inserted, and losses are reported")
    func insert() throws {
        try chemopen.put(base[0].replacing("m1", with: "new"), at: "new.sdf")
        #expect(
            try chemopen("edit", "--insert", "new.sdf", "--move", "2", "a.sdf").output == "record 2 (new): inserted\n")
        #expect(chemopen.text("a.sdf") == base[0] + base[0].replacing("m1", with: "new") + base[1] + base[2])
        #expect(try chemopen("convert", "new.sdf", "a.ds").status == 0)
        let outcome = try chemopen("edit", "--insert", "new.sdf", "a.ds")
        #expect(outcome.errors.contains("left out: origins"))
        #expect(try chemopen("info", "--count", "a.ds").output.contains("2"))
    }

    @Test("a change in JSON contains the complete record before and after")
    func json() throws {
        let outcome = try chemopen("edit", "--record", "m1", "--set", "ID=one", "--json", "a.sdf")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(json["record"] as? Int == 1)
        #expect(json["change"] as? String == "changed")
        #expect(json["before"] as? String == base[0])
        #expect(json["after"] as? String == base[0].replacing("> <ID>\n1", with: "> <ID>\none"))
        let part = try #require((json["parts"] as? [[String: Any]])?.first)
        #expect(part["part"] as? String == "field ID")
        #expect(part["before"] as? String == "1")
        #expect(part["after"] as? String == "one")
    }

    @Test("a result that may be unexpected is stored with a warning")
    func warnings() throws {
        let twice = record("twice", ("X", "1"), ("X", "2"))
        try chemopen.put(twice, at: "twice.sdf")
        let first = try chemopen("edit", "--set", "X=5", "twice.sdf")
        #expect(first.errors.contains("the field X occurs 2 times; only the first one was set"))
        #expect(chemopen.text("twice.sdf") == record("twice", ("X", "5"), ("X", "2")))
        let (title, line) = (String(repeating: "x", count: 81), String(repeating: "y", count: 201))
        #expect(try chemopen("edit", "--record", "m1", "--title", title, "a.sdf").errors.contains("81 characters"))
        #expect(
            try chemopen("edit", "--record", "m2", "--set", "N=a\n\(line)", "a.sdf").errors.contains("201 characters"))
        let (short, wide) = (String(repeating: "x", count: 80), String(repeating: "é", count: 200))
        let fitting = try chemopen("edit", "--record", "m3", "--title", short, "--set", "N=\(wide)", "a.sdf")
        #expect(fitting.errors == "")
        _ = try chemopen.shell(
            "chemopen convert a.sdf t.ds && sed -i 's/name=\"ID\" type=\"[a-z]*\"/name=\"ID\" type=\"real\"/' t.ds")
        let typed = try chemopen("edit", "--records", "1", "--set", "ID=abc", "t.ds")
        #expect(typed.status == 0)
        #expect(typed.errors.contains("not a valid value of the column ID, whose type is real"))
        #expect(try chemopen("edit", "--records", "1", "--set", "ID=7.5", "t.ds").errors == "")
    }

    @Test("--set uses the longest existing name that ends before an equals sign")
    func equalsSigns() throws {
        try chemopen.put(record("m", ("A=B", "1"), ("A", "2")), at: "names.sdf")
        _ = try chemopen("edit", "--set", "A=B=new", "names.sdf")
        #expect(chemopen.text("names.sdf") == record("m", ("A=B", "new"), ("A", "2")))
        _ = try chemopen("edit", "--set", "A=C=new", "names.sdf")
        #expect(chemopen.text("names.sdf") == record("m", ("A=B", "new"), ("A", "C=new")))
    }

    @Test("records without coordinates are inserted with a warning, and laid out with --layout")
    func layouts() throws {
        try chemopen.put("CCO ethanol\nCCN\n", at: "new.smi")
        _ = try chemopen.shell("chemopen convert --layout new.smi drawn.sdf")
        let bare = try chemopen("edit", "--insert", "new.smi", "drawn.sdf")
        #expect(bare.errors.contains("2 records without coordinates"))
        #expect(bare.errors.contains("use --layout"))
        let laidOut = try chemopen("edit", "--insert", "new.smi", "--layout", "drawn.sdf")
        #expect(!laidOut.errors.contains("without coordinates"))
        #expect(try chemopen.shell("chemopen diff --records 1,5 drawn.sdf drawn.sdf").output == "")
        #expect(try chemopen("edit", "--layout", "--records", "1", "--delete", "drawn.sdf").status == 2)
    }

    @Test("--records 1 selects the first line of JSON Lines", arguments: 1...2)
    func firstLine(_ count: Int) throws {
        try chemopen.put((1...count).map { record("m\($0)") }.joined(), at: "in.sdf")
        _ = try chemopen.shell("chemopen convert in.sdf lines.jsonl")
        #expect(
            try chemopen("edit", "--records", "1", "--set", "A=1", "lines.jsonl").output
                == "record 1 (m1): field A: added \"1\"\n")
        #expect(
            try chemopen.shell("chemopen convert --records 1 --to sdf lines.jsonl - | grep -c M..END").output == "1\n")
    }

    @Test("an invalid request exits with status 2, and the file and its mode stay unchanged")
    func refusals() throws {
        try chemopen.put(base[0] + base[0], at: "twins.sdf")
        for words in [
            ["--set", "A=1", "a.sdf"], ["--record", "m1", "a.sdf"], ["--record", "m1", "--set", "A", "a.sdf"],
            ["--record", "m1", "--set", "A=1", "twins.sdf"], ["--records", "1", "--delete", "--set", "A=1", "a.sdf"],
            ["--records", "1", "--move", "9", "a.sdf"], ["--insert", "a.sdf", "--records", "1", "a.sdf"],
        ] {
            #expect(try chemopen(["edit"] + words).status == 2, "\(words)")
        }
        #expect(chemopen.text("a.sdf") == base.joined())
        #expect(
            try chemopen.shell("chmod 640 a.sdf; chemopen edit --record m1 --set A=1 a.sdf >.x; stat -c %a a.sdf")
                .output == "640\n")
    }
}
