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
