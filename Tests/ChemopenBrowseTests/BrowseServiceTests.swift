import Testing

@testable import ChemopenBrowse

@Suite("Browse protocol")
struct BrowseServiceTests {
    let desk: BrowseDesk
    let solvents: String

    init() throws {
        desk = try BrowseDesk()
        solvents =
            record("ethanol", ["C", "C", "O"], bonds: 2, fields: [("BP", "78"), ("USE", "drink")])
            + record("methane", ["C"], fields: [("BP", "-162")])
            + record("saline", ["Na", "Cl"], fields: [("USE", "Food")])
    }

    @Test("NAVIGATION answers the files, with the columns asked for behind the two that are always there")
    func navigation() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        let answer = service.serving {
            service.answer(#"{"request":"NAVIGATION","columns":["CATEGORY","SUMMARY_HEADER","ROOT_LEVEL"],"id":7}"#)
        }
        let file = try #require(ids(answer).first)
        let size = String(solvents.utf8.count, radix: 36)
        #expect(
            answer == #"{"id":7,"headers":["PERM_ID","REFCON","CATEGORY","SUMMARY_HEADER","ROOT_LEVEL"],"#
                + #""rows":[["\#(file)","1.\#(size)","MDL SDfile","a.sdf",true]],"total":1,"complete":true}"#)
    }

    @Test("ROOT answers a page of records, by number or put in order, those without a value last")
    func root() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        service.serving {
            let all = service.answer(#"{"request":"ROOT","columns":["SUMMARY_HEADER","SUMMARY","IDENTIFIER"]}"#)
            #expect(
                rows(all) == [
                    ["ethanol", "C2H6O, 3 atoms, 2 bonds", "a.sdf#1"], ["methane", "CH4, 1 atom, 0 bonds", "a.sdf#2"],
                    ["saline", "ClH2Na, 2 atoms, 0 bonds", "a.sdf#3"],
                ])
            func order(_ sort: String) -> [String] {
                rows(service.answer(#"{"request":"ROOT","columns":["SUMMARY_HEADER"],"sort":\#(sort)}"#)).map { $0[0] }
            }
            #expect(order(#""field:BP""#) == ["methane", "ethanol", "saline"])
            #expect(order(#""field:BP","descending":true"#) == ["ethanol", "methane", "saline"])
            #expect(order(#""mass""#) == ["methane", "ethanol", "saline"])
            #expect(order(#""name","from":1,"count":1"#) == ["methane"])
        }
    }

    @Test("DRILL answers parts and their parts, and DETAIL a part by its name")
    func drill() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        try service.serving {
            let saline = try #require(ids(service.answer(#"{"request":"ROOT"}"#)).last)
            let parts = service.answer(
                #"{"request":"DRILL","entities":[{"PERM_ID":"\#(saline)"}],"columns":["CATEGORY","SUMMARY_HEADER"]}"#)
            #expect(rows(parts).map { $0[0] } == ["fragment", "fragment"])
            #expect(ids(parts) == [saline + "/f1", saline + "/f2"])
            let detail = service.answer(
                #"{"request":"DETAIL","entities":[{"PERM_ID":"\#(saline)/f2"}],"columns":["IDENTIFIER","CHILDREN"]}"#)
            #expect(rows(detail) == [["a.sdf#3/f2", "[]"]])
        }
    }

    @Test(
        "SEARCH looks where it is told",
        arguments: [
            ("DRINK", "all", ["ethanol"]), ("an", "name", ["ethanol", "methane"]), ("OH6C2", "formula", ["ethanol"]),
            ("C", "formula", ["methane"]), ("BP < 0", "condition", ["methane"]), ("foo", "field:USE", ["saline"]),
            ("nothing", "all", []),
        ])
    func search(_ text: String, _ domain: String, _ expected: [String]) throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        service.serving {
            let answer = service.answer(
                #"{"request":"SEARCH","text":"\#(text)","domain":"\#(domain)","columns":["SUMMARY_HEADER"]}"#)
            #expect(Set(rows(answer).map { $0[0] }) == Set(expected))
        }
    }

    @Test("domains are offered when the index is ready, one for each field")
    func preferences() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        let early = service.answer(#"{"request":"CLIENT_PREFS"}"#)
        #expect(early.contains(#""SEARCH_DOMAINS""#))
        let ready = service.serving {
            _ = service.answer(#"{"request":"SEARCH","text":"x"}"#)
            return service.answer(#"{"request":"CLIENT_PREFS"}"#)
        }
        #expect(ready.contains(#"[{"key":"all","label":"All fields"},{"key":"name","label":"Name"}"#))
        #expect(ready.contains(#"{"key":"field:BP","label":"BP"},{"key":"field:USE","label":"USE"}"#))
    }

    @Test("a changed file is noticed: what was named before is missing, what is there now is answered")
    func change() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        try service.serving {
            let old = ids(service.answer(#"{"request":"ROOT"}"#))
            try desk.put(record("water", ["O"]) + record("methane", ["C"], fields: [("BP", "-162")]), at: "a.sdf")
            let now = service.answer(#"{"request":"ROOT","columns":["SUMMARY_HEADER"]}"#)
            #expect(rows(now) == [["water"], ["methane"]])
            let first = service.answer(#"{"request":"DETAIL","entities":[{"PERM_ID":"\#(old[0])"}],"columns":[]}"#)
            #expect(first.hasSuffix(#""rows":[],"total":0,"complete":true,"missing":["\#(old[0])"]}"#))
            let second = service.answer(#"{"request":"DETAIL","entities":[{"PERM_ID":"\#(old[1])"}],"columns":[]}"#)
            #expect(ids(second) == [old[1]])
        }
    }

    @Test("hostile text comes as text of JSON, and a record that cannot be read says why")
    func hostile() throws {
        let title = "</script>\u{7}\"<b>"
        let broken = record("x", ["C"]).replacing("  1  0  0", with: " -1  x  0")
        let service = desk.browse(try desk.put(record(title, ["C"]) + broken, at: "a.sdf"))
        service.serving {
            let answer = service.answer(#"{"request":"ROOT","columns":["SUMMARY_HEADER","SUMMARY","TEXT"]}"#)
            #expect(answer.contains(#""</script>\u0007\"<b>""#))
            #expect(rows(answer)[1][1].hasPrefix("cannot be read: expected"))
            #expect(rows(answer)[1][2] == broken)
        }
    }

    @Test(
        "what is no request is answered by an error",
        arguments: [
            "", "[]", "{", #"{"request":"ALL"}"#, #"{"request":"ROOT","columns":["SIZE"]}"#,
            #"{"request":"DETAIL","entities":[{"PERM_ID":"nobody-1-x"}]}"#,
            #"{"request":"SEARCH","text":"x","domain":"y"}"#, #"{"request":"SEARCH","text":"x","domain":"condition"}"#,
            String(repeating: "[", count: 100_000),
        ])
    func errors(_ request: String) throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        service.serving { #expect(service.answer(request).hasPrefix(#"{"error":""#)) }
    }
}
