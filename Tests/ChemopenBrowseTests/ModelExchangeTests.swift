import Foundation
import Testing

@testable import ChemopenBrowse

/// An exchange in the form that the protocol's model defines. The client knows only the model.
@Suite("Model exchange")
struct ModelExchangeTests {
    private let desk: BrowseDesk
    private let service: BrowseService

    init() throws {
        desk = try BrowseDesk()
        let solvents = record("ethanol", ["C", "C", "O"], bonds: 2, fields: [("BP", "78")])
        let salts = record("saline", ["Na", "Cl"], fields: [("USE", "food")]) + record("methane", ["C"])
        service = desk.browse(try desk.put(solvents, at: "solvents.sdf"), try desk.put(salts, at: "salts.sdf"))
    }

    private typealias Row = [String: JSONValue]

    private func ask(_ request: String) throws -> [Row] {
        let answer = try #require(JSONValue(Array(service.answer(request).utf8)))
        #expect(answer["error"] == nil)
        let headers = try #require(answer["headers"]?.array).compactMap(\.string)
        return try #require(answer["rows"]?.array).map { row in
            let values = try #require(row.array)
            #expect(values.count == headers.count)
            return Dictionary(uniqueKeysWithValues: zip(headers, values))
        }
    }

    /// Returns the entities as a client sends them: two opaque texts each.
    private func entities(_ rows: [Row]) -> String {
        let entities = rows.map { row in
            #"{"PERM_ID":"\#(row["PERM_ID"]?.string ?? "")","REFCON":"\#(row["REFCON"]?.string ?? "")"}"#
        }
        return "[" + entities.joined(separator: ",") + "]"
    }

    private func texts(_ rows: [Row], _ column: String) -> [String?] { rows.map { $0[column]?.string } }

    private func hasColumns(_ rows: [Row], _ names: String) -> Bool {
        rows.allSatisfy { row in names.split(separator: " ").allSatisfy { row[String($0)] != nil } }
    }

    @Test("a client requests preferences, categories, root data, children and details in turn")
    func startAndWalk() throws {
        try service.serving {
            let preferences = try ask(#"{"request":"CLIENT_PREFS"}"#)
            let values = Dictionary(
                uniqueKeysWithValues: preferences.compactMap { row in row["KEY"]?.string.map { ($0, row["VALUE"]) } })
            #expect(values["ROOT_SET_REFRESH_INTERVAL"]??.number == 5)
            let domains = try #require(values["SEARCH_DOMAINS"]??.array)
            #expect(domains.first?["key"]?.string == "all" && domains.first?["label"]?.string == "All fields")

            let categories = try ask(#"{"requestKey":"NAVIGATION"}"#)
            #expect(texts(categories, "SUMMARY_HEADER") == ["solvents.sdf", "salts.sdf"])
            #expect(hasColumns(categories, "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY ROOT_LEVEL"))

            let roots = try categories.map { category in
                try ask(#"{"request":"ROOT","category":"\#(category["REFCON"]?.string ?? "")"}"#)
            }
            #expect(roots.map { texts($0, "SUMMARY_HEADER") } == [["ethanol"], ["saline", "methane"]])
            #expect(hasColumns(roots[1], "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY CHILDREN ROOT_LEVEL"))
            let again = try ask(#"{"request":"ROOT","entities":\#(entities([roots[1][1], roots[0][0]]))}"#)
            #expect(texts(again, "SUMMARY_HEADER") == ["methane", "ethanol"])

            let children = try ask(#"{"request":"DRILL","entities":\#(entities([roots[1][0]]))}"#)
            #expect(children.map { $0["PERM_ID"] } == roots[1][0]["CHILDREN"]?.array)
            #expect(hasColumns(children, "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY CHILDREN"))

            let details = try ask(#"{"request":"DETAIL","entities":\#(entities(roots[0]))}"#)
            #expect(hasColumns(details, "PERM_ID REFCON SUMMARY_HEADER SUMMARY IDENTIFIER IMAGES PROPERTIES"))
            let image = try #require(details[0]["IMAGES"]?["MARQUEE"]?["DATA"])
            let isPixels = image["FORMAT"]?.string == "PNG"
            let picture = try #require(image["BASE64"]?.string.flatMap { Data(base64Encoded: $0) })
            let start = isPixels ? Array("PNG".utf8) : Array("<svg ".utf8)
            #expect((isPixels ? picture.dropFirst() : picture).starts(with: start))
            #expect(details[0]["IMAGES"]?["TILED"] == .array([]))
        }
    }

    @Test("a search in a domain of the preferences, or in all domains if it is null, returns rows in the form of DRILL")
    func search() throws {
        try service.serving {
            func titles(_ domain: String, _ text: String) throws -> [String?] {
                let found = try ask(#"{"request":"SEARCH","searchtext":"\#(text)","searchdomain":\#(domain)}"#)
                #expect(hasColumns(found, "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY CHILDREN"))
                return texts(found, "SUMMARY_HEADER")
            }
            #expect(try titles("null", "FOOD") == ["saline"])
            #expect(try titles(#"{"key":"name","label":"Name"}"#, "ane") == ["methane"])
            #expect(try titles(#"{"key":"field:BP","label":"BP"}"#, "8") == ["ethanol"])
            #expect(try titles("null", "zzz-not-there") == [])
            let old = try ask(#"{"request":"SEARCH","text":"8","domain":"field:BP"}"#)
            #expect(texts(old, "SUMMARY_HEADER") == ["ethanol"])
        }
    }

    @Test("in the earlier form, a picture is an address, and an entity without a category is not at the top level")
    func earlierForm() throws {
        let desk = try BrowseDesk()
        try desk.put(#"{"category":"{USE}"}"#, at: "served/mapping.json")
        try desk.put(
            record("saline", ["Na", "Cl"], fields: [("USE", "food")]) + record("methane", ["C"]), at: "served/a.sdf")
        let service = BrowseService(
            serving: try #require(ServedFolder("\(desk.folder)/served")), in: desk.session)
        #expect(service.lookAround() == [])
        try service.serving {
            let answer = service.answer(#"{"requestKey":"NAVIGATION"}"#)
            let category = try #require(JSONValue(Array(answer.utf8))?["rows"]?.array?.first?.array)
            #expect(category[3].string == "food")
            let root = #"{"request":"ROOT","columns":["CATEGORY","SUMMARY_HEADER","IMAGE_URL","ROOT_LEVEL"]"#
            let all = rows(service.answer(root + "}"))
            #expect(all.map { [$0[0], $0[1], $0[3]] } == [["food", "saline", "true"], ["", "methane", ""]])
            let beginning = "data:image/svg+xml;base64,"
            #expect(all[0][2].hasPrefix(beginning))
            let picture = try #require(Data(base64Encoded: String(all[0][2].dropFirst(beginning.count))))
            #expect(String(decoding: picture, as: UTF8.self).hasPrefix("<svg "))
            let food = root + #","category":"\#(category[1].string ?? "")"}"#
            #expect(rows(service.answer(food)).map { $0[1] } == ["saline"])
        }
    }

    @Test("entities that the client already has are omitted, and deleted ones are listed")
    func changedSince() throws {
        try service.serving {
            let categories = try ask(#"{"request":"NAVIGATION"}"#)
            let known = entities(categories)
            #expect(try ask(#"{"request":"NAVIGATION","changedsince":\#(known)}"#).isEmpty)
            let roots = try ask(#"{"request":"ROOT"}"#)
            let again = try ask(#"{"request":"ROOT","changedsince":\#(entities([roots[0], roots[2]]))}"#)
            #expect(texts(again, "SUMMARY_HEADER") == ["saline"])
            try desk.put(record("ethane", ["C", "C"], bonds: 1), at: "solvents.sdf")
            let changed = try ask(#"{"request":"NAVIGATION","changedsince":\#(known)}"#)
            #expect(texts(changed, "SUMMARY_HEADER") == ["solvents.sdf"])
            let old = known.replacing("[{\"PERM_ID\":\"", with: "[{\"PERM_ID\":\"gone")
            #expect(service.answer(#"{"request":"NAVIGATION","changedsince":\#(old)}"#).contains(#""missing":["gone"#))
        }
    }

    @Test(
        "a request with an unknown member or value returns an error with the reason",
        arguments: [
            "", "[]", "{", "null", #""ROOT""#, "{}", #"{"request":7}"#, #"{"request":"root"}"#, #"{"request":"ROOTS"}"#,
            #"{"request":"ROOT","requestKey":"ROOT"}"#, #"{"requestkey":"ROOT"}"#,
            #"{"request":"CLIENT_PREFS","sort":"name"}"#,
            #"{"request":"CLIENT_PREFS","columns":[]}"#, #"{"request":"NAVIGATION","entities":[]}"#,
            #"{"request":"NAVIGATION","categroy":"x"}"#, #"{"request":"ROOT","from":-1}"#,
            #"{"request":"ROOT","count":"ten"}"#, #"{"request":"ROOT","count":1.5}"#,
            #"{"request":"ROOT","entities":{}}"#,
            #"{"request":"ROOT","entities":[7]}"#, #"{"request":"ROOT","entities":[{}]}"#,
            #"{"request":"ROOT","entities":[{"PERM_ID":"a-b"}]}"#,
            #"{"request":"ROOT","entities":[{"PERM_ID":"nowhere"}]}"#,
            #"{"request":"ROOT","entities":[{"PERM_ID":"a","REFCONS":"b"}]}"#,
            #"{"request":"ROOT","entities":[],"category":"a"}"#, #"{"request":"ROOT","category":7}"#,
            #"{"request":"ROOT","category":""}"#, #"{"request":"ROOT","category":"nowhere.1"}"#,
            #"{"request":"ROOT","sort":"colour"}"#, #"{"request":"ROOT","descending":"yes"}"#,
            #"{"request":"ROOT","columns":"SUMMARY"}"#, #"{"request":"ROOT","columns":["SUMARY"]}"#,
            #"{"request":"ROOT","columns":[7]}"#, #"{"request":"ROOT","changedsince":"yesterday"}"#,
            #"{"request":"ROOT","changedsince":[{"PERM_ID":"a"}]}"#, #"{"request":"DRILL"}"#, #"{"request":"DETAIL"}"#,
            #"{"request":"DETAIL","entities":null}"#, #"{"request":"DETAIL","entities":[{"PERM_ID":"a-0-x"}]}"#,
            #"{"request":"SEARCH"}"#, #"{"request":"SEARCH","searchtext":7}"#,
            #"{"request":"SEARCH","searchtext":"a","text":"b"}"#,
            #"{"request":"SEARCH","searchtext":"a","searchdomain":7}"#,
            #"{"request":"SEARCH","searchtext":"a","searchdomain":{"label":"Name"}}"#,
            #"{"request":"SEARCH","searchtext":"a","searchdomain":"colour"}"#,
            #"{"request":"SEARCH","searchText":"a"}"#, #"{"request":"ROOT","id":[1]}"#,
            #"{"request":"ROOT","wait":"no"}"#,
        ])
    func refusal(_ request: String) throws {
        service.serving {
            let answer = JSONValue(Array(service.answer(request).utf8))
            #expect(answer?["error"]?.string?.isEmpty == false)
            #expect(answer?["rows"] == nil)
        }
    }

    @Test("base 64 output matches Foundation", arguments: 0..<9)
    func base(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 97 + 200) }
        #expect(base64(bytes) == Data(bytes).base64EncodedString())
    }
}
