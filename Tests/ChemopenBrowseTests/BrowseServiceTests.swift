import Chemopen
import Foundation
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

    @Test("NAVIGATION returns the files with the requested columns after the two fixed ones")
    func navigation() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        let answer = service.serving {
            service.answer(#"{"request":"NAVIGATION","columns":["CATEGORY","SUMMARY_HEADER","ROOT_LEVEL"],"id":7}"#)
        }
        let row = try #require(JSONValue(Array(answer.utf8))?["rows"]?.array?.first?.array)
        let (file, reference) = (try #require(row[0].string), try #require(row[1].string))
        #expect(reference.hasPrefix(file + "."))
        #expect(
            answer == #"{"id":7,"headers":["PERM_ID","REFCON","CATEGORY","SUMMARY_HEADER","ROOT_LEVEL"],"#
                + #""rows":[["\#(file)","\#(reference)","MDL SDfile","a.sdf",true]],"total":1,"complete":true}"#)
    }

    @Test("large responses contain each text once and the requested number of records, and form valid JSON")
    func collection() throws {
        let fragments = (1...40).map { number in
            "<fragment id=\"\(number * 10)\"><n id=\"\(number * 10 + 1)\" p=\"\(number * 30) 9\"/></fragment>"
        }
        let drawing = "<?xml version=\"1.0\"?><CDXML><page>\(fragments.joined())</page></CDXML>"
        let paths = [try desk.put(solvents, at: "a.sdf"), try desk.put(drawing, at: "b.cdxml")]
        let service = BrowseService(paths, in: desk.session)
        let (json, collection) = service.serving { service.collection(limit: 30) }
        #expect(collection.count == 30 && collection.total == 43)
        let value = try #require(JSONValue(json))
        let pages = try #require(value["pages"]?.array)
        let headers = try #require(pages.first?["records"]?["headers"]?.array)
        let place = try #require(headers.firstIndex(of: .string("TEXT")))
        let texts = pages.flatMap { $0["records"]?["rows"]?.array ?? [] }.map { $0.array?[place] }
        #expect(texts.count == 30)
        #expect(texts[3] == .string(drawing))
        #expect(texts[4...].allSatisfy { $0 == .number(3) })
        #expect(texts[..<3].allSatisfy { $0?.string?.hasSuffix("$$$$\n") == true })
        #expect(value["total"] == .number(43))
    }

    @Test("a file that fails during indexing is reported in its record list and at the end")
    func failing() throws {
        let row = "<Row id=\"1\"><Cell id=\"1\">a</Cell></Row>"
        let header = "<Header nrows=\"1\" ncols=\"1\"><Column id=\"1\" name=\"a\" type=\"string\"/></Header>"
        let path = try desk.put("<DataSheet>\(header)<Content>\(row)<Row id=\"2\"><Cell id=\"1\">b", at: "a.ds")
        let service = desk.browse(path)
        service.serving {
            let answer = JSONValue(Array(service.answer(#"{"request":"ROOT"}"#).utf8))
            let note = "a.ds: expected well-formed XML: extra content at the end of the document"
            #expect(answer?["note"]?.string == note)
            #expect(service.laterFailures.map { "a.ds: \($0.error.message)" } == [note])
        }
    }

    @Test("reading several rows with one read of the table header has the same result as reading them separately")
    func rowsOfWideTable() throws {
        let count = 300
        let columns = (1...count).map { "<Column id=\"\($0)\" name=\"c\($0)\" type=\"string\"/>" }.joined()
        let rows = (1...count).map { "<Row id=\"\($0)\"><Cell id=\"\($0)\">v\($0)</Cell></Row>\n" }.joined()
        let header = "<Header nrows=\"\(count)\" ncols=\"\(count)\">\(columns)</Header>"
        let sheet = "<DataSheet>\(header)<Content>\(rows)</Content></DataSheet>"
        let file = BrowsedFile(LocalPath(try desk.put(sheet, at: "a.ds")), in: desk.session)
        file.makeIndex { true }
        let together = file.records(0..<count)
        #expect(together.count == count)
        for number in [1, 2, 150, count] {
            let alone = try #require(file.record(number))
            #expect(alone.record == together[number - 1].record)
            #expect(alone.bytes == together[number - 1].bytes && alone.number == together[number - 1].number)
            #expect(alone.record?.fields.map(\.value) == [Text("v\(number)")])
        }
    }

    @Test("ROOT returns a page of records, by number or sorted, with missing values last")
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

    @Test("DRILL returns parts and their parts, and DETAIL returns a part by its identifier")
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
        "SEARCH uses the requested domain",
        arguments: [
            ("DRINK", "all", ["ethanol"]), ("an", "name", ["ethanol", "methane"]), ("OH6C2", "formula", ["ethanol"]),
            ("C", "formula", ["methane"]), ("BP < 0", "condition", ["methane"]), ("foo", "field:USE", ["saline"]),
            ("nothing", "all", []), ("C2H6O", "all", ["ethanol"]), ("C2H6", "all", ["ethanol"]), ("C2H", "all", []),
            ("C2H6O", "name", []), ("OH6C2", "all", []),
        ])
    func search(_ text: String, _ domain: String, _ expected: [String]) throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        service.serving {
            let answer = service.answer(
                #"{"request":"SEARCH","text":"\#(text)","domain":"\#(domain)","columns":["SUMMARY_HEADER"]}"#)
            #expect(Set(rows(answer).map { $0[0] }) == Set(expected))
        }
    }

    @Test("CLIENT_PREFS waits for the index and lists every field of the files")
    func preferences() throws {
        let late = record("late", ["C"], fields: [("LAST", "1")])
        let path = try desk.put(solvents + String(repeating: record("a", ["C"]), count: 300) + late, at: "a.sdf")
        let service = desk.browse(path)
        let keys = ["ROOT_SET_REFRESH_INTERVAL", "SEARCH_DOMAINS", "SORT_KEYS", "COLUMNS", "FACTS", "FORMATS"]
        let answer = service.serving { service.answer(#"{"request":"CLIENT_PREFS","keys":\#(keys)}"#) }
        func choices(_ prefix: String) -> String {
            ["BP", "USE", "LAST"].map { #"{"key":"\#(prefix)\#($0)","label":"\#($0)"}"# }.joined(separator: ",")
        }
        #expect(
            answer.hasPrefix(
                #"{"headers":["KEY","VALUE"],"rows":[["ROOT_SET_REFRESH_INTERVAL",5],["SEARCH_DOMAINS",["#
                    + #"{"key":"all","label":"All fields"},{"key":"name","label":"Name"},"#
                    + #"{"key":"formula","label":"Formula"},{"key":"condition","label":"Condition"},"#
                    + choices("field:") + #"]],["SORT_KEYS",[{"key":"number","label":"File order"},"#
                    + #"{"key":"name","label":"Name"},{"key":"formula","label":"Formula"},{"key":"mass","label":"Mass"},"#
                    + choices("field:") + #"]],["COLUMNS",["# + choices("PROPERTY:") + #"]],["FACTS",["#))
        #expect(answer.contains(#"{"key":"FACT:mass","label":"mass","number":true"#))
        #expect(answer.contains(#"{"key":"sdf","label":"MDL SDfile","extension":"sdf"}"#))
        #expect(answer.hasSuffix(#","complete":true}"#))
    }

    @Test("an impatient client receives the domains that need no field, marked as incomplete")
    func hastyPreferences() throws {
        let file = BrowsedFile(LocalPath(try desk.put(solvents, at: "a.sdf")), in: desk.session)
        var json = JSON()
        let request = try BrowseRequest(
            #require(JSONValue(Array(#"{"request":"CLIENT_PREFS","wait":false}"#.utf8))))
        json.object { Preferences(of: [file], request).write(to: &$0) }
        let answer = String(decoding: json.bytes, as: UTF8.self)
        #expect(answer.contains(#"["SEARCH_DOMAINS",[{"key":"all","label":"All fields"},{"key":"name""#))
        #expect(!answer.contains("field:") && answer.hasSuffix(#""complete":false}"#))
    }

    @Test("a sheet has the columns of its header even if no row has a value in them")
    func columnsOfSheet() throws {
        let columns = (1...200).map { #"<Column id="\#($0)" name="C\#($0)" type="string"/>"# }.joined()
        let content = #"<Row id="1"><Cell id="1">x</Cell></Row><Row id="2"><Cell id="150">y</Cell></Row>"#
        let other = try desk.put(solvents, at: "a.sdf")
        let sheet =
            #"<DataSheet><Header nrows="2" ncols="200">\#(columns)</Header><Content>\#(content)</Content></DataSheet>"#
        let service = desk.browse(try desk.put(sheet, at: "a.ds"), other)
        try service.serving {
            let file = try #require(ids(service.answer(#"{"request":"NAVIGATION"}"#)).first)
            let entities = #""entities":[{"PERM_ID":"\#(file)"}]"#
            let answer = service.answer(#"{"request":"CLIENT_PREFS","keys":["COLUMNS"],\#(entities)}"#)
            #expect(answer.components(separatedBy: #"{"key":"PROPERTY:C"#).count - 1 == 200)
            #expect(!answer.contains("BP"))
            let all = (1...200).map { #""PROPERTY:C\#($0)""# }.joined(separator: ",")
            let root = service.answer(#"{"request":"ROOT",\#(entities),"columns":[\#(all)]}"#)
            #expect(rows(root).map { $0.filter { !$0.isEmpty } } == [["x"], ["y"]])
            #expect(rows(root).map { $0.firstIndex { !$0.isEmpty } } == [0, 149])
        }
    }

    @Test("a changed file is detected: old identifiers are missing, and new records are returned")
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

    @Test("hostile text is escaped as JSON, and an unreadable record shows its error")
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
        "an invalid request returns an error",
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

    @Test(
        "an unsupported request returns a specific error message",
        arguments: [
            (
                #"{"request":"SERCH"}"#,
                #""request" must be one of CLIENT_PREFS, NAVIGATION, ROOT, DRILL, DETAIL, SEARCH, CHANGES, SKETCH, CHANGE, PROPOSALS, STATISTICS, PATTERN, EXPORT"#
            ),
            (#"{"request":"ROOT","requestKey":"ROOT"}"#, #""request" and "requestKey" cannot be combined"#),
            (
                #"{"request":"SEARCH","serchtext":"x"}"#,
                #"SEARCH does not support "serchtext"; did you mean "searchtext"?"#
            ),
            (#"{"request":"SEARCH"}"#, #"SEARCH requires "searchtext""#),
            (#"{"request":"SEARCH","searchtext":5}"#, #""searchtext" must be a string"#),
            (#"{"request":"SEARCH","searchtext":"x","text":"y"}"#, #""searchtext" and "text" cannot be combined"#),
            (
                #"{"request":"SEARCH","searchtext":"x","searchdomain":{"label":"Name"}}"#,
                #""searchdomain" must be null, or a search domain of CLIENT_PREFS or its key"#
            ),
            (
                #"{"request":"SEARCH","searchtext":"x","searchdomain":"nmae"}"#,
                #"there is no search domain nmae; did you mean "name"?"#
            ),
            (
                #"{"request":"SEARCH","searchtext":"BP > 5 and BP < x","searchdomain":"condition"}"#,
                "expected a number or a date such as 2024-01-31 after <, found x"
            ),
            (#"{"request":"ROOT","text":"x"}"#, #"ROOT does not support "text""#),
            (#"{"request":"ROOT","count":-1}"#, #""count" must be a non-negative integer"#),
            (#"{"request":"ROOT","from":1.5}"#, #""from" must be a non-negative integer"#),
            (#"{"request":"ROOT","count":"10"}"#, #""count" must be a non-negative integer"#),
            (#"{"request":"ROOT","wait":"no"}"#, #""wait" must be true or false"#),
            (#"{"request":"ROOT","sort":"masss"}"#, #"there is no sort key masss; did you mean "mass"?"#),
            (#"{"request":"ROOT","columns":["SUMARY"]}"#, #"there is no column SUMARY; did you mean "SUMMARY"?"#),
            (#"{"request":"ROOT","columns":"SUMMARY"}"#, #""columns" must be an array of names"#),
            (#"{"request":"ROOT","category":"nobody.1.2s"}"#, "there is no file nobody"),
            (
                #"{"request":"ROOT","category":5}"#,
                #""category" must be the REFCON of a category, as NAVIGATION returns it"#
            ),
            (#"{"request":"ROOT","category":"x","entities":[]}"#, #""entities" and "category" cannot be combined"#),
            (#"{"request":"DRILL"}"#, #"DRILL requires "entities""#),
            (#"{"request":"DETAIL","entities":null}"#, #"DETAIL requires "entities""#),
            (
                #"{"request":"DETAIL","entities":[{"PERMID":"x"}]}"#,
                "an entity must have a PERM_ID from a previous answer"
            ),
            (
                #"{"request":"DETAIL","entities":[{"PERM_ID":"x","REFKON":"y"}]}"#,
                #"an entity has no "REFKON"; did you mean "REFCON"?"#
            ),
            (
                #"{"request":"SEARCH","searchtext":"x","entities":["r-1"]}"#,
                "SEARCH requires files, not r-1"
            ),
            (#"{"request":"CLIENT_PREFS","columns":["KEY"]}"#, #"CLIENT_PREFS does not support "columns""#),
            (#"{"request":"ROOT","id":[1]}"#, #""id" must be a string or a number"#),
        ])
    func refused(_ request: String, _ message: String) throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        service.serving {
            let json = JSONValue(Array(service.answer(request).utf8))
            #expect(json?["error"]?.string == message)
        }
    }

    @Test("a condition on an unknown field adds a note to the empty result")
    func missingField() throws {
        let service = desk.browse(try desk.put(solvents, at: "a.sdf"))
        service.serving {
            let ask = #"{"request":"SEARCH","searchdomain":"condition","columns":[],"searchtext":"#
            #expect(
                service.answer(ask + #""BPP < 5"}"#).hasSuffix(
                    #""rows":[],"total":0,"complete":true,"note":"no record has a field \"BPP\"; did you mean \"BP\"?"}"#
                ))
            #expect(service.answer(ask + #""BP < -500"}"#).hasSuffix(#""rows":[],"total":0,"complete":true}"#))
        }
    }

    @Test("a search by condition matches the same records as a selection in a conversion, with the same warnings")
    func conditionsAgree() throws {
        let doubtful = record("doubt", ["C"], fields: [("N", "x")]).replacing("0999 V2000", with: "0999      ")
        let text = record("one", ["C"], fields: [("N", "5")]) + doubtful + record("three", ["N"], fields: [("N", "7")])
        let path = LocalPath(try desk.put(text, at: "agree.sdf"))
        let service = desk.browse(path.shown)
        service.serving {
            for condition in [
                "version = V2000", "problem exists", "not problem exists", "N < 6", "NN = 1 and MM exists",
                "record > 1",
                "file ~ agree", "NN exists", "N = 5 or NN is empty", "atoms = 1",
            ] {
                var conversion = Conversion(to: .sdfile)
                guard let criteria = try? RecordFilter(condition) else { continue }
                conversion.selection.conditions = [criteria]
                guard let summary = try? conversion.run([path], to: .discard) else { continue }
                let expected = summary.choice.remarks(
                    on: conversion.selection, taken: max(1, summary.read), isWhole: true, sawAll: true)
                let answer = service.answer(
                    #"{"request":"SEARCH","searchdomain":"condition","columns":[],"searchtext":"\#(condition)"}"#)
                let note = expected.remarks.map(\.text).joined(separator: "; ").replacing("\"", with: "\\\"")
                #expect(
                    answer.hasSuffix(
                        #""total":\#(summary.read),"complete":true"# + (note.isEmpty ? "}" : #","note":"\#(note)"}"#)),
                    "\(condition): \(answer)")
            }
        }
    }

    @Test(
        "a search skips a record without reading it only if the record cannot match",
        arguments: ["sdf", "rdf", "ds", "datasheet", "lenient", "dirty"])
    func prefilter(_ folder: String) throws {
        for file in ChemicalFile.folders where file.path.hasSuffix("/" + folder) {
            for path in file.files.map(\.path) {
                let browsed = BrowsedFile(LocalPath(path), in: desk.session)
                browsed.makeIndex { true }
                let count = min(browsed.index.count, 40)
                let all = browsed.records(0..<count).compactMap(\.record)
                let fields = all.prefix(3).flatMap { $0.fields.prefix(3) }
                let texts = Set(
                    fields.flatMap { [$0.name.string, $0.value.string, "\($0.name.string) ~ "] }
                        + all.prefix(3).map(\.title.string))
                for text in texts {
                    for domain in [SearchDomain.all, .name, .condition] {
                        guard let query = try? SearchQuery(text, in: domain), !text.trimmingBlanks.isEmpty else {
                            continue
                        }
                        func hits(_ bytes: SoughtBytes?) -> [Int] {
                            var hits: [Int] = []
                            var choice = SelectionStatistics(of: query.selection)
                            browsed.read(0..<count, holding: bytes) { number, record in
                                if query.fits(record, in: browsed.path, &choice) { hits.append(number) }
                                return true
                            }
                            return hits
                        }
                        #expect(hits(query.bytes) == hits(nil), "\(path): \(text) in \(domain.key)")
                    }
                }
            }
        }
    }

    @Test("a file received from another program shows only its latest delivery")
    func delivered() throws {
        let desk = try BrowseDesk()
        let path = LocalPath(try desk.put(record("one", ["C"]), at: "a.sdf"))
        let properties = { (service: BrowseService) in
            service.files.flatMap { Entity($0).properties }.filter { $0.group == .delivery }
                .map { "\($0.name): \($0.value)" }
        }
        let service = BrowseService([path], delivered: OpenContext(note: "first"), in: desk.session)
        #expect(properties(service) == ["note: first"])
        let added = service.add([path], delivered: OpenContext(startID: "pcmanfm-17-host-chemopen-0_TIME5"))
        #expect(added.first == service.files.first?.id)
        #expect(service.files.count == 1)
        #expect(properties(service) == ["sent by: pcmanfm"])
        #expect(properties(BrowseService([path], in: desk.session)) == [])
    }
}
