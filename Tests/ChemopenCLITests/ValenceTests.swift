import Testing

@Suite("--valence")
struct ValenceTests {
    let chemopen: Program

    init() throws {
        chemopen = try Program()
    }

    @Test("--valence 2017 adds no hydrogens to metals in all commands that count them")
    func ruleOf2017() throws {
        try chemopen.put(record("sodium", element: "Na"), at: "a.sdf")
        #expect(try chemopen("info", "--json", "a.sdf").output.contains(#""formula":"HNa""#))
        #expect(try chemopen("info", "--json", "--valence", "2009", "a.sdf").output.contains(#""formula":"HNa""#))
        #expect(try chemopen("info", "--json", "--valence", "2017", "a.sdf").output.contains(#""formula":"Na""#))
        #expect(try chemopen("depict", "--to", "txt", "a.sdf").output.contains("NaH"))
        #expect(!(try chemopen("depict", "--valence", "2017", "--to", "txt", "a.sdf").output.contains("NaH")))
        #expect(try chemopen("diff", "--valence", "2017", "a.sdf", "a.sdf").status == 0)
    }

    @Test("--valence 2017 is stored in the output by every thread, even if records could be copied")
    func writtenDown() throws {
        try chemopen.put(record("sodium", element: "Na") + record("methane"), at: "a.sdf")
        for (name, options) in [("b.sdf", []), ("c.sdf", ["-j", "2"]), ("d.el", ["--records", "1"])] {
            let words = ["convert", "--valence", "2017"] + options + ["a.sdf", name]
            #expect(try chemopen.shell("chemopen " + words.joined(separator: " ")).status == 0)
            #expect(try chemopen("info", "--json", name).output.contains(#""formula":"Na""#))
        }
        #expect(chemopen.text("b.sdf") == chemopen.text("c.sdf"))
        #expect(try chemopen("convert", "a.sdf", "e.sdf").status == 0)
        #expect(chemopen.text("e.sdf") == chemopen.text("a.sdf"))
    }

    @Test("--valence accepts 2009 and 2017")
    func otherYears() throws {
        try chemopen.put(record("methane"), at: "a.sdf")
        let outcome = try chemopen("info", "--valence", "2020", "a.sdf")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--valence accepts 2009 or 2017, not \"2020\""))
    }

    @Test("deuterium and tritium are hydrogen isotopes before and after conversion", arguments: ["D", "T"])
    func deuterium(symbol: String) throws {
        try chemopen.put(record("ion", element: symbol), at: "a.sdf")
        for (name, option) in [("b.sdf", "--v2000"), ("c.sdf", "--v3000"), ("d.ds", "--rewrite")] {
            let written = try chemopen("convert", "--rewrite", option, "a.sdf", name)
            #expect(written.status == 0 && !written.errors.contains("labels"))
            if name == "d.ds" { continue }
            let outcome = try chemopen("diff", "a.sdf", name)
            #expect(outcome.output == "" && outcome.status == 0)
            let facts = [try chemopen("info", "--json", "a.sdf").output, try chemopen("info", "--json", name).output]
            for fact in facts {
                #expect(fact.contains(#""elements":{"H":1}"#))
                #expect(fact.contains(symbol == "D" ? #""isotopes":{"2H":1}"# : #""isotopes":{"3H":1}"#))
            }
        }
    }
}
