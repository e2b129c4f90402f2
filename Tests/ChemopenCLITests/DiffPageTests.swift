import Testing

/// `diff --html` writes an HTML page.
@Suite("diff --html")
struct DiffPageTests {
    @Test("writes the page to the requested output, and overwrites a file only with --force")
    func written() throws {
        let chemopen = try Program()
        try chemopen.put(record("m1", ("MASS", "1")), at: "a.sdf")
        try chemopen.put(record("m1", ("MASS", "2"), element: "N"), at: "b.sdf")
        let page = try chemopen("diff", "--html", "a.sdf", "b.sdf")
        #expect(page.status == 1)
        #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.contains("<p>1 changed</p>"))
        #expect(try chemopen("diff", "--html", "-O", "p.html", "a.sdf", "b.sdf").output == "")
        #expect(chemopen.text("p.html") == page.output)
        #expect(try chemopen("diff", "--html", "-O", "p.html", "a.sdf", "a.sdf").status == 5)
        #expect(try chemopen("diff", "--html", "-f", "-O", "p.html", "a.sdf", "a.sdf").status == 0)
        #expect(chemopen.text("p.html")?.contains("No differences.") == true)
    }

    @Test("options that apply only to a page are rejected without --html")
    func usage() throws {
        let chemopen = try Program()
        try chemopen.put(record("m1"), at: "a.sdf")
        for words in [["--limit", "3"], ["-O", "x"], ["--force"], ["--html", "--json"]] {
            #expect(try chemopen(["diff"] + words + ["a.sdf", "a.sdf"]).status == 2, "\(words)")
        }
        #expect(chemopen.names == ["a.sdf"])
    }
}
