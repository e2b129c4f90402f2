import Chemopen
import Foundation
import Testing

@testable import ChemopenBrowse

@Suite("Served directory")
struct ServingTests {
    private let desk: BrowseDesk
    private let service: BrowseService

    init() throws {
        desk = try BrowseDesk()
        try desk.put(
            """
            {"label":"Solvents","files":["*.sdf"],"category":"{USE}","header":"{CODE}","summary":"{#formula}, b.p. {BP}",
             "children":"none","images":"none","domains":["name",{"key":"field:CODE","label":"Code"}],"refresh":60}
            """, at: "served/solvents/mapping.json")
        let alcohols =
            record("ethanol", ["C", "C", "O"], bonds: 2, fields: [("USE", "clean"), ("CODE", "S-1"), ("BP", "78")])
            + record("methanol", ["C", "O"], bonds: 1, fields: [("USE", "fuel"), ("CODE", "S-2")])
            + record("unknown", ["C", "Na"])
        try desk.put(alcohols, at: "served/solvents/alcohols.sdf")
        let others = record("acetone", ["C", "C", "C", "O"], bonds: 2, fields: [("USE", "clean"), ("CODE", "S-9")])
        try desk.put(others, at: "served/solvents/others.sdf")
        try desk.put("not shown", at: "served/solvents/notes.txt")
        try desk.put(record("salt", ["Na", "Cl"]), at: "served/plain.sdf")
        try desk.put(record("secret", ["U"]), at: "outside.sdf")
        service = BrowseService(serving: try #require(ServedFolder("\(desk.folder)/served")), in: desk.session)
    }

    private func header(_ name: String) -> String { #""columns":["SUMMARY_HEADER","\#(name)"]"# }

    private func category(_ name: String) throws -> String {
        let answer = service.answer(#"{"request":"NAVIGATION","columns":["SUMMARY_HEADER"]}"#)
        let rows = try #require(JSONValue(Array(answer.utf8))?["rows"]?.array).compactMap(\.array)
        return try #require(rows.first { $0[2].string == name }?[1].string)
    }

    @Test("statistics, filters, patterns and exports work for a category and its readers")
    func workbench() throws {
        #expect(service.lookAround() == [])
        try service.serving {
            let answers = SharedAnswers(service)
            func ask(_ request: String) -> JSONValue {
                JSONValue(answers.answer(Array(request.utf8), to: Reader("anna")).json) ?? .null
            }
            let (clean, fuel) = (try category("clean"), try category("fuel"))
            for (name, count, codes) in [(clean, 2, ["S-1", "S-9"]), (fuel, 1, ["S-2"])] {
                let statistics = ask(#"{"request":"STATISTICS","category":"\#(name)","fields":["CODE"]}"#)
                #expect(statistics["records"]?.count == count)
                let values = statistics["rows"]?.array?.first?.array?.last?.array ?? []
                #expect(values.compactMap { $0.array?.first?.string }.sorted() == codes)
            }
            let filtered = ask(
                #"{"request":"ROOT","category":"\#(clean)","where":"contains('CCO')","columns":["SUMMARY_HEADER"]}"#)
            #expect(filtered["rows"]?.array?.compactMap { $0.array?.last?.string } == ["S-1"])
            let id = filtered["rows"]?.array?.first?.array?.first?.string ?? ""
            let exported = ask(#"{"request":"EXPORT","entities":[{"PERM_ID":"\#(id)"}],"format":"smi"}"#)
            #expect(exported["text"]?.string == "CCO ethanol\n" || exported["text"]?.string == "CCO\tethanol\n")
            #expect(ask(#"{"request":"PATTERN","entities":[{"PERM_ID":"\#(id)"}]}"#)["smarts"]?.string == "CCO")
        }
    }

    @Test("a mapping defines categories, lists, children and search domains")
    func mapping() throws {
        #expect(service.lookAround() == [])
        try service.serving {
            let navigation = #"{"request":"NAVIGATION","columns":["CATEGORY","SUMMARY_HEADER","SUMMARY"]}"#
            #expect(
                rows(service.answer(navigation)) == [
                    ["MDL SDfile", "plain.sdf", "1 record"], ["Solvents", "clean", "2 records"],
                    ["Solvents", "fuel", "1 record"],
                ])
            let clean = try category("clean")
            let root = service.answer(#"{"request":"ROOT","category":"\#(clean)",\#(header("SUMMARY"))}"#)
            #expect(rows(root) == [["S-1", "C2H6O, b.p. 78"], ["S-9", "C3H10O, b.p."]])
            let second = #"{"request":"ROOT","category":"\#(clean)","from":1,"count":1,\#(header("CATEGORY"))}"#
            #expect(rows(service.answer(second)) == [["S-9", "clean"]])
            let children = rows(service.answer(#"{"request":"ROOT",\#(header("CHILDREN"))}"#))
            #expect(children.filter { $0[1] != "[]" }.map { $0[0] } == ["salt"])
            let found =
                #"{"request":"SEARCH","searchtext":"anol","searchdomain":"name","category":"\#(clean)","#
                + header("IDENTIFIER") + "}"
            #expect(rows(service.answer(found)) == [["S-1", "solvents/alcohols.sdf#1"]])
            let sorted =
                #"{"request":"ROOT","category":"\#(clean)","sort":"name","descending":true,"# + header("CATEGORY") + "}"
            #expect(rows(service.answer(sorted)).map { $0[0] } == ["S-1", "S-9"])
            let preferences = service.answer(#"{"request":"CLIENT_PREFS","category":"\#(clean)"}"#)
            #expect(preferences.contains(#"["ROOT_SET_REFRESH_INTERVAL",60]"#))
            let domains = #"[{"key":"name","label":"Name"},{"key":"field:CODE","label":"Code"}]"#
            #expect(preferences.contains(#"["SEARCH_DOMAINS",\#(domains)]"#))
        }
    }

    @Test("records are children of the record that they reference, at any depth and even in a cycle")
    func relation() throws {
        let mapping = #"{"children":{"parent":"{PARENT}","key":"{ID}"},"images":"{PICTURE}"}"#
        try desk.put(mapping, at: "served/tree/mapping.json")
        let tree: [(name: String, fields: [(String, String)])] = [
            ("root", [("ID", "1"), ("PICTURE", "https://example.org/1.png")]),
            ("branch", [("ID", "2"), ("PARENT", "1"), ("PICTURE", "javascript:alert(1)")]),
            ("leaf", [("ID", "3"), ("PARENT", "2")]), ("other", [("ID", "4")]),
            ("egg", [("ID", "5"), ("PARENT", "6")]), ("hen", [("ID", "6"), ("PARENT", "5")]),
            ("twig", [("ID", "7"), ("PARENT", "1")]),
        ]
        try desk.put(tree.map { record($0.name, ["C"], fields: $0.fields) }.joined(), at: "served/tree/tree.sdf")
        #expect(service.lookAround() == [])
        try service.serving {
            let file = try category("tree/tree.sdf")
            let columns = #""columns":["SUMMARY_HEADER","CHILDREN","ROOT_LEVEL","IMAGES.MARQUEE","IMAGE_URL"]"#
            let answer = service.answer(#"{"request":"ROOT","category":"\#(file)",\#(columns)}"#)
            let known = Dictionary(uniqueKeysWithValues: zip(rows(answer).map { $0[0] }, ids(answer)))
            func below(_ names: String...) -> String {
                "[" + names.compactMap { known[$0] }.joined(separator: ",") + "]"
            }
            #expect(rows(answer).map { $0[0] } == tree.map(\.name))
            #expect(
                rows(answer).map { $0[1] } == [
                    below("branch", "twig"), below("leaf"), "[]", "[]", below("hen"), below("egg"), "[]",
                ])
            #expect(rows(answer).map { $0[2] } == ["true", "", "", "true", "", "", ""])
            #expect(answer.contains(#"{"URL":"https://example.org/1.png","DATA":{"#))
            #expect(!answer.contains("javascript"))
            for (name, depths) in [("root", ["branch", "leaf", "twig"]), ("egg", ["hen", "egg"]), ("leaf", [])] {
                let id = try #require(known[name])
                let drill = #"{"request":"DRILL","entities":["\#(id)"],"columns":["SUMMARY_HEADER"]}"#
                #expect(rows(service.answer(drill)).map { $0[0] } == depths)
            }
        }
    }

    @Test("children are found in other files, and records without their parent are at the top level and listed")
    func relatives() throws {
        let mapping = #"{"category":"{KIND}","children":{"parent":"{PARENT}","key":"{ID}"}}"#
        try desk.put(mapping, at: "served/lots/mapping.json")
        try desk.put(record("P1", ["C"], fields: [("ID", "1"), ("KIND", "compound")]), at: "served/lots/a.sdf")
        let lot = record("L1", ["C"], fields: [("PARENT", "1"), ("KIND", "lot")])
        let sample = record("S1", ["C"], fields: [("PARENT", "9"), ("KIND", "sample")])
        try desk.put(lot + sample, at: "served/lots/b.sdf")
        #expect(service.lookAround() == [])
        try service.serving {
            let columns = #""columns":["SUMMARY_HEADER","ROOT_LEVEL"]}"#
            let navigation = rows(service.answer(#"{"request":"NAVIGATION",\#(columns)"#)).map { $0[0] }
            #expect(navigation.suffix(2) == ["compound", "sample"] && !navigation.contains("lot"))
            let orphans = service.answer(#"{"request":"ROOT","level":"orphans",\#(columns)"#)
            #expect(rows(orphans) == [["S1", "true"]])
            let compound = try category("compound")
            let parent = try #require(ids(service.answer(#"{"request":"ROOT","category":"\#(compound)"}"#)).first)
            let drill = service.answer(#"{"request":"DRILL","entities":["\#(parent)"],\#(columns)"#)
            #expect(rows(drill) == [["L1", ""]])
            let top = rows(service.answer(#"{"request":"ROOT","level":"top",\#(columns)"#)).map { $0[0] }
            #expect(top.contains("P1") && top.contains("S1") && !top.contains("L1"))
        }
    }

    @Test("a deleted file is missing, and the rows of the others are returned")
    func missingFiles() throws {
        #expect(service.lookAround() == [])
        try service.serving {
            let root = #"{"request":"ROOT","columns":["SUMMARY_HEADER"]}"#
            let old = ids(service.answer(root))
            let file = try category("plain.sdf").prefix(10)
            try FileManager.default.removeItem(atPath: "\(desk.folder)/served/plain.sdf")
            #expect(service.lookAround() == [])
            let named = old.map { "\"\($0)\"" }.joined(separator: ",")
            for request in ["DETAIL", "DRILL", "ROOT"] {
                let answer = service.answer(#"{"request":"\#(request)","entities":[\#(named)],"columns":[]}"#)
                #expect(answer.hasSuffix(#""missing":["\#(old[0])"]}"#))
            }
            let answer = service.answer(#"{"request":"ROOT","entities":["\#(file)"],"columns":[]}"#)
            #expect(answer.hasSuffix(#""missing":["\#(file)"]}"#))
        }
    }

    @Test("added, deleted and changed files are detected, and so is a changed mapping")
    func changes() throws {
        #expect(service.lookAround() == [])
        try service.serving {
            let old = try category("clean")
            try desk.put(record("water", ["O"], fields: [("USE", "clean")]), at: "served/solvents/others.sdf")
            try desk.put(record("new", ["N"]), at: "served/second/new.sdf")
            try FileManager.default.removeItem(atPath: "\(desk.folder)/served/plain.sdf")
            #expect(service.lookAround() == [])
            #expect(try category("clean") != old)
            let columns = #""columns":["SUMMARY_HEADER"]}"#
            let navigation = #"{"request":"NAVIGATION",\#(columns)"#
            #expect(rows(service.answer(navigation)) == [["second/new.sdf"], ["clean"], ["fuel"]])
            let category = try category("clean")
            let root = service.answer(#"{"request":"ROOT","category":"\#(category)",\#(columns)"#)
            #expect(rows(root) == [["S-1"], ["water"]])
            try desk.put(#"{"hedaer":"{CODE}"}"#, at: "served/solvents/mapping.json")
            let message = try #require(service.lookAround().first)
            #expect(message.contains(#"there is no member "hedaer"; did you mean "header"?"#))
            #expect(rows(service.answer(navigation)) == [["second/new.sdf"]])
        }
    }

    @Test("a symbolic link out of the directory is not served, and responses contain no local paths")
    func links() throws {
        let (link, target) = ("\(desk.folder)/served/link.sdf", "\(desk.folder)/outside.sdf")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(service.lookAround() == ["link.sdf leads out of the directory and is not served"])
        service.serving {
            let all = service.answer(#"{"request":"ROOT","columns":["IDENTIFIER","PROPERTIES","TEXT"]}"#)
            #expect(all.contains("salt") && !all.contains("secret"))
            #expect(!service.answer(#"{"request":"NAVIGATION"}"#).contains(desk.folder))
        }
    }

    @Test(
        "a mapping with an unknown member or value is rejected",
        arguments: [
            ("[]", "one object"), ("{\"labels\":\"x\"}", "did you mean \"label\"?"), ("{\"label\":7}", "a string"),
            ("{\"files\":\"a\"}", "array of names"), ("{\"files\":[\"../a\"]}", "without a slash"),
            ("{\"category\":\"{USE\"}", "braces"), ("{\"category\":\"USE}\"}", "braces"),
            ("{\"header\":\"{#formla}\"}", "#formula"), ("{\"children\":\"all\"}", "parts, none"),
            ("{\"children\":{\"parent\":\"{A}\"}}", "key"),
            ("{\"images\":\"big\"}", "structure, page, none"), ("{\"domains\":[]}", "search domains"),
            ("{\"domains\":[\"colour\"]}", "field:NAME"), ("{\"refresh\":0}", "seconds"),
            ("{\"refresh\":\"1\"}", "seconds"),
        ])
    func faults(_ text: String, _ told: String) {
        let fault = #expect(throws: Mapping.Fault.self) { try Mapping(Array(text.utf8)) }
        #expect(fault?.message.contains(told) == true)
    }

    @Test(
        "a pattern must match the complete name",
        arguments: [
            ("*.sdf", "a.sdf", true), ("*.sdf", "a.sdf.gz", false), ("a?c*", "abc", true), ("a?c*", "ac", false),
            ("*", "", true), ("", "a", false), ("*a*b*", "xaybz", true), ("*a*b", "ab b", true), ("a*a", "a", false),
        ])
    func patterns(_ pattern: String, _ name: String, _ fits: Bool) {
        #expect(isMatch(Array(pattern.utf8)[...], Array(name.utf8)[...]) == fits)
    }

    @Test("the SHA-256 digest matches FIPS 180-4")
    func digests() {
        #expect(SHA256.digits(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.digits(of: "") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(SHA256.digits(of: two) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        let long = String(repeating: "a", count: 1_000_000)
        #expect(SHA256.digits(of: long) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("a token identifies its reader until it is revoked, and the list does not contain it")
    func readers() throws {
        let file = "\(desk.folder)/config/chemopen/readers"
        let path = LocalPath(file)
        try FileManager.default.createDirectory(atPath: "\(desk.folder)/config", withIntermediateDirectories: true)
        var readers = try Readers(path)
        try readers.add(Reader("anna"), token: "one", on: "2026-01-31")
        try readers.add(Reader("Bo Berg"), token: "two", on: "2026-02-01")
        #expect(throws: Readers.Failure.self) { try readers.add(Reader("anna"), token: "three", on: "2026-02-01") }
        #expect(throws: Readers.Failure.self) { try readers.add(Reader("a\nb"), token: "three", on: "2026-02-01") }
        var again = try Readers(path)
        #expect(again.reader(forToken: "two", on: "2030-01-01")?.name == "Bo Berg")
        #expect(again.reader(forToken: "on", on: "2030-01-01") == nil)
        try again.withdraw("anna")
        #expect(try Readers(path).list.map(\.name) == ["Bo Berg"])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains("two") && text.contains(SHA256.digits(of: "two")))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        #expect(throws: Readers.Failure.self) { try Readers(path) }
    }

    @Test("a token grants its rights until its last day, and a reader with two tokens can use both")
    func rights() throws {
        let file = "\(desk.folder)/readers"
        let old = SHA256.digits(of: "old")
        try desk.put("\(old) 2026-01-31 Bo Berg\n", at: "readers")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        var readers = try Readers(LocalPath(file))
        let first = try #require(readers.list.first)
        #expect((first.name, first.right, first.collections, first.until) == ("Bo Berg", .read, nil, nil))
        var reader = Reader("anna")
        (reader.right, reader.collections, reader.until) = (.write, ["lots", "a;b %2 ö"], "2027-01-31")
        try readers.add(reader, token: "one", on: "2026-02-01")
        readers = try Readers(LocalPath(file))
        var found = try #require(readers.reader(forToken: "one", on: "2027-01-31"))
        (found.since, found.digest) = ("", "")
        #expect(found == reader)
        #expect(readers.reader(forToken: "one", on: "2027-02-01") == nil)
        try readers.rotate("anna", token: "two", on: "2026-03-01") { $0.until = "2028-01-31" }
        #expect(throws: Readers.Failure.self) { try readers.rotate("anna", token: "three", on: "2026-03-01") }
        readers = try Readers(LocalPath(file))
        for token in ["one", "two"] { #expect(readers.reader(forToken: token, on: "2026-03-01")?.right == .write) }
        try readers.withdraw("anna", onlyOld: true)
        #expect(throws: Readers.Failure.self) { try readers.withdraw("anna", onlyOld: true) }
        #expect(readers.reader(forToken: "one", on: "2026-03-01") == nil)
        #expect(readers.reader(forToken: "two", on: "2027-06-01")?.collections == reader.collections)
        for (until, collections) in [
            ("2026-02-30", ["a"]), ("2025-01-01", ["a"]), ("2027-01-31", []), ("2027-01-31", ["a\nb"]),
        ] {
            (reader.until, reader.collections) = (until, collections)
            let wrong = Reader("bo")
            let rights = reader
            #expect(throws: Readers.Failure.self) {
                var one = wrong
                (one.until, one.collections) = (rights.until, rights.collections)
                try readers.add(one, token: "x", on: "2026-03-01")
            }
        }
        for line in [
            "\(old) 2026-01-31;all Bo", "\(old) 2026-01-31;until=x Bo", "\(old) 2026-01-31", "x 2026-01-31 Bo",
        ] {
            #expect(Reader(line: line) == nil, "\(line)")
        }
    }

    @Test("a collection that a reader may not see is in no response")
    func invisible() throws {
        #expect(service.lookAround() == [])
        try service.serving {
            let answers = SharedAnswers(service)
            var reader = Reader("anna")
            func ask(_ request: String) -> String {
                String(decoding: answers.answer(Array(request.utf8), to: reader).json, as: UTF8.self)
            }
            let all = ask(#"{"request":"ROOT","columns":["SUMMARY_HEADER"]}"#)
            let categories = ask(#"{"request":"NAVIGATION","columns":["SUMMARY_HEADER"]}"#)
            #expect(ids(all).count == 5 && ids(categories).count == 3)
            let hidden = zip(ids(all), rows(all)).filter { $0.1 != ["salt"] }.map(\.0) + [try category("clean")]
            for (collections, names) in [
                (["."], ["salt"]), (["solvents"], ["S-1", "S-2", "unknown", "S-9"]), (["Solvents"], []),
            ] {
                reader.collections = collections
                #expect(
                    rows(ask(#"{"request":"ROOT","columns":["SUMMARY_HEADER"]}"#)).flatMap { $0 }.sorted()
                        == names.sorted())
                let preferences = ask(#"{"request":"CLIENT_PREFS"}"#)
                #expect(preferences.contains("CODE") == names.contains("S-1"))
                #expect(
                    preferences.contains(
                        #"["READER",{"name":"anna","right":"read","collections":["\#(collections[0])"]}]"#))
                #expect(answers.paths(for: reader).contains("/file/plain.sdf") == names.contains("salt"))
                let found = ask(#"{"request":"SEARCH","searchtext":"S-1","columns":["SUMMARY_HEADER"]}"#)
                #expect(rows(found).isEmpty != names.contains("S-1"))
            }
            reader.collections = ["."]
            for id in hidden {
                for request in [
                    "DETAIL", "DRILL", "ROOT", "STATISTICS", "EXPORT", "CHANGES", "SKETCH", "CHANGE", "CLIENT_PREFS",
                ] {
                    let more = request == "EXPORT" ? #","format":"smi""# : ""
                    let answer = ask(#"{"request":"\#(request)","entities":[{"PERM_ID":"\#(id)"}]\#(more)}"#)
                    #expect(
                        !answer.contains("S-") && !answer.contains("clean") && ids(answer).isEmpty,
                        "\(request) \(answer)")
                }
                guard case .missing = answers.content(at: .entity(id), for: reader) else {
                    Issue.record("\(id)")
                    continue
                }
            }
            for file in ["solvents/alcohols.sdf", "solvents/mapping.json"] {
                guard case .missing = answers.content(at: .file(file), for: reader) else {
                    Issue.record("\(file)")
                    continue
                }
            }
        }
    }

    @Test("a mapping joins a table: its fields are shown, searched and sorted, and follow its changes")
    func joins() throws {
        let mapping =
            #"{"files":["*.sdf"],"header":"{NAME}","join":{"table":"names.csv","key":"CODE=ID","fields":["NAME","BP"]}}"#
        try desk.put(mapping, at: "served/solvents/mapping.json")
        try desk.put("ID,NAME,BP,OTHER\nS-1,spirit,1,x\nS-9,dimethyl ketone,56,y\n", at: "served/solvents/names.csv")
        #expect(service.lookAround() == [])
        try service.serving {
            func names(_ request: String) -> [[String]] {
                rows(
                    service.answer(
                        #"{"request":\#(request),"columns":["SUMMARY_HEADER","PROPERTY:BP","PROPERTY:OTHER"]}"#))
            }
            // The record's own BP has priority.
            #expect(names(#""SEARCH","searchtext":"S-1""#) == [["spirit", "78", ""]])
            #expect(names(#""SEARCH","searchtext":"dimethyl ketone""#) == [["dimethyl ketone", "56", ""]])
            #expect(names(#""ROOT","where":"BP < 60""#) == [["dimethyl ketone", "56", ""]])
            let preferences = service.answer(#"{"request":"CLIENT_PREFS","keys":["COLUMNS"]}"#)
            #expect(preferences.contains("PROPERTY:NAME") && !preferences.contains("OTHER"))
            try desk.put("ID,NAME,BP\nS-1,alcohol,1\n", at: "served/solvents/names.csv")
            #expect(service.lookAround() == [])
            #expect(names(#""SEARCH","searchtext":"S-1""#).map { $0[0] } == ["alcohol"])
            try desk.put("IDS,NAME\n", at: "served/solvents/names.csv")
            #expect(service.lookAround().first?.contains(#"no column "ID""#) == true)
            #expect(names(#""SEARCH","searchtext":"S-1""#).count == 1)
        }
    }

    @Test("a reader with too many concurrent requests receives a retry time, while other readers are admitted")
    func load() {
        let load = Load()
        let second: UInt64 = 1_000_000_000
        // This request stays open during the test.
        #expect(load.admit("greedy", cost: 0, at: second) == .admitted(wait: 0))
        var admitted = 0
        while load.admit("greedy", cost: 3, at: second) == .admitted(wait: 0) {
            load.leave("greedy")
            admitted += 1
        }
        #expect(admitted == 40)
        #expect(load.admit("greedy", cost: 60, at: second) == .refused(seconds: 2))
        #expect(load.admit("modest", cost: 3, at: second) == .admitted(wait: 0))
        #expect(load.admit("greedy", cost: 3, at: 2 * second) == .admitted(wait: 0))
        for _ in 0..<5 { #expect(load.admit("modest", cost: 1, at: second) == .admitted(wait: 0)) }
        #expect(load.admit("modest", cost: 1, at: second) == .refused(seconds: 1), "at most six requests at a time")
    }

    @Test(
        "a reader who sends requests one after the other waits but is never rejected",
        arguments: 1...9)
    func patient(_ cost: Int) {
        let load = Load()
        let (begin, milliseconds): (UInt64, UInt64) = (7_000_000_000, 1_000_000)
        var now = begin
        for count in 0..<1000 {
            guard case .admitted = load.admit("anna", cost: 1, at: now),
                case .admitted(let wait) = load.charge("anna", Double(cost), at: now)
            else {
                Issue.record("request \(count) is rejected")
                return
            }
            now += UInt64(wait) * milliseconds
            load.leave("anna")
        }
        // The limit is 120 points at first, plus 30 per second.
        let seconds = Double(now - begin) / 1e9
        let most = 1000 * Double(1 + cost)
        #expect(seconds >= (most - 120) / 30 - 1e-6 && seconds < (most - 120) / 30 + 2)
        #expect(load.admit("anna", cost: 46, at: now) == .refused(seconds: 2), "more than a single wait allows")
        now += 1000 * milliseconds
        #expect([533, 534].map { .admitted(wait: $0) }.contains(load.admit("anna", cost: 46, at: now)))
    }

    @Test("waiting requests are admitted in order of arrival")
    func turns() {
        let load = Load()
        let (isOpen, done) = (Guarded(false), Guarded([Int]()))
        for number in 0..<40 {
            onThread {
                _ = load.working {
                    isOpen.wait { $0 ? () : nil }
                    done.change { $0.append(number) }
                }
            }
            while load.countInside <= number { sleepMilliseconds(1) }
        }
        isOpen.change { $0 = true }
        let order = done.wait { $0.count == 40 ? $0 : nil }
        // Four requests run at the same time, so a waiting request starts when all but three of the previous requests
        // are finished.
        #expect(order.sorted() == Array(0..<40))
        #expect(order.enumerated().allSatisfy { place, number in place >= number - 3 })
    }

    @Test("a cached row serves later readers until the file changes")
    func kept() throws {
        #expect(service.lookAround() == [])
        let kept = try #require(service.kept)
        try service.serving {
            _ = try category("clean")
            let request = #"{"request":"ROOT","columns":["SUMMARY_HEADER","IMAGES.MARQUEE","TEXT"]}"#
            let answer = service.answer(request)
            #expect(kept.bytes == 0)
            #expect(service.answer(request) == answer)
            let bytes = kept.bytes
            #expect(bytes > 0)
            #expect(service.answer(request) == answer)
            let part = #"{"request":"ROOT","from":1,"count":2,"columns":["SUMMARY_HEADER","IMAGES.MARQUEE","TEXT"]}"#
            #expect(ids(service.answer(part)) == Array(ids(answer)[1...2]))
            #expect(kept.bytes == bytes)
            let named = ids(answer).map { "\"\($0)\"" }.joined(separator: ",")
            let details = #"{"request":"DETAIL","entities":[\#(named)],"columns":["SUMMARY_HEADER","TEXT"]}"#
            let first = service.answer(details)
            #expect(ids(first) == ids(answer))
            #expect(service.answer(details) == first && kept.bytes > bytes)
            #expect(service.answer(details) == first)
            let salt = ids(answer)[0]
            let drill = #"{"request":"DRILL","entities":["\#(salt)"]}"#
            #expect(ids(service.answer(drill)) == [salt + "/f1", salt + "/f2"])
            try desk.put(record("brine", ["Na", "Cl", "O"]), at: "served/plain.sdf")
            #expect(service.lookAround() == [])
            _ = try category("clean")
            #expect(rows(service.answer(request)).map { $0[0] } == ["brine", "S-1", "S-2", "unknown", "S-9"])
            #expect(service.answer(details).contains(#""missing":["#))
        }
    }

    @Test("the row cache has a size limit, and frequently used rows stay in it")
    func room() {
        let kept = KeptRows()
        func row(_ size: Int) -> KeptRows.Row {
            KeptRows.Row(id: "a", reference: "b", json: Array(repeating: 0, count: size))
        }
        let wanted = KeptRows.Key(generation: 1, number: -1, form: 1)
        for _ in 0..<2 { kept.keep([(wanted, row(1000))]) }
        for number in 0..<1000 {
            let key = KeptRows.Key(generation: 1, number: number, form: 1)
            for _ in 0..<2 { kept.keep([(key, row(100_000))]) }
            #expect(kept.rows([wanted, key]).allSatisfy { $0 != nil })
            #expect(kept.bytes < 17 << 20)
        }
        #expect(kept.rows([KeptRows.Key(generation: 1, number: 0, form: 1)])[0] == nil)
        let bytes = kept.bytes
        for _ in 0..<2 { kept.keep([(KeptRows.Key(generation: 2, number: 0, form: 1), row(1 << 19))]) }
        #expect(kept.bytes == bytes)
    }

    @Test("rows of outdated file states are discarded")
    func oldRows() {
        let kept = KeptRows()
        for generation in 0..<50 {
            for number in 0..<20 {
                let key = KeptRows.Key(generation: generation, number: number, form: 1)
                for _ in 0..<2 {
                    kept.keep([(key, KeptRows.Row(id: "a", reference: "b", json: Array(repeating: 0, count: 50_000)))])
                }
            }
            kept.keepOnly([generation, generation - 1])
            #expect(kept.bytes <= 2 * 20 * 50_200)
            #expect(kept.rows([KeptRows.Key(generation: generation, number: 3, form: 1)])[0] != nil)
            #expect(kept.rows([KeptRows.Key(generation: generation - 2, number: 3, form: 1)])[0] == nil)
        }
    }

    @Test("responses to many readers are limited, and rejected requests receive a retry time")
    func shares() throws {
        #expect(service.lookAround() == [])
        try service.serving {
            let answers = SharedAnswers(service)
            func ask(_ request: String) -> SharedAnswer { answers.answer(Array(request.utf8), to: Reader("anna")) }
            _ = try category("clean")
            let found = ask(#"{"request":"SEARCH","searchtext":"ethanol","columns":["SUMMARY_HEADER"]}"#)
            #expect(found.outcome == .answered && found.secondsToRetry == nil)
            #expect(rows(String(decoding: found.json, as: UTF8.self)) == [["S-1"], ["S-2"]])
            #expect(ask(#"{"request":"ROOTS"}"#).outcome == .refused)
            #expect(ask(#"{"request":"CHANGES","entities":["a"]}"#).outcome == .refused)
            #expect(ask(#"{"request":"CHANGE","entities":["a"],"edits":[{"op":"delete"}]}"#).outcome == .refused)
            let salt = ids(String(decoding: ask(#"{"request":"SEARCH","searchtext":"salt"}"#).json, as: UTF8.self))[0]
            #expect(
                ask(#"{"request":"CHANGE","entities":["\#(salt)"],"edits":[{"op":"delete"}]}"#).outcome == .forbidden)
            #expect(ask(#"{"request":"SKETCH","text":"CCO"}"#).outcome == .answered)
            let many = Array(repeating: #""a-1-x""#, count: 201).joined(separator: ",")
            #expect(ask(#"{"request":"DETAIL","entities":[\#(many)]}"#).outcome == .refused)
        }
    }
}
