import Chemopen
import Foundation
import TestFolders
import Testing

@testable import ChemopenBrowse

/// Tests the requests of the workbench: statistics, sorting by several keys, filters, patterns and exports.
@Suite("Workbench")
struct WorkbenchTests {
    private let desk: BrowseDesk

    init() throws {
        desk = try BrowseDesk()
    }

    /// Numbers that look random but are the same in each run.
    private struct Numbers {
        var state: UInt64 = 42

        mutating func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }

    private struct Row {
        var number: Int
        var activity: Double
        var solubility: String
        var series: String
        var day: String
    }

    private func rows(_ count: Int) -> [Row] {
        var numbers = Numbers()
        return (1...count).map { number in
            let activity = Double(numbers.next(800)) / 100 - 1
            let solubility = numbers.next(10) == 0 ? ">200" : "\(numbers.next(200))"
            let day = String(format: "2024-%02d-%02d", 1 + numbers.next(12), 1 + numbers.next(28))
            return Row(
                number: number, activity: activity, solubility: solubility, series: ["A", "B", "C"][numbers.next(3)],
                day: day)
        }
    }

    private func text(_ rows: [Row]) -> String {
        rows.map { row in
            record(
                "r\(row.number)", row.number.isMultiple(of: 3) ? ["C", "N"] : ["C", "C", "O"], bonds: 1,
                fields: [
                    ("ACT", "\(row.activity)"), ("SOL", row.solubility), ("SERIES", row.series), ("DAY", row.day),
                ])
        }.joined()
    }

    private func object(_ answer: String) -> JSONValue { JSONValue(Array(answer.utf8)) ?? .null }

    /// Returns the rows of a response as dictionaries.
    private func table(_ answer: String) -> [[String: JSONValue]] {
        let json = object(answer)
        let headers = json["headers"]?.array?.compactMap(\.string) ?? []
        return (json["rows"]?.array ?? []).map { row in
            Dictionary(zip(headers, row.array ?? [])) { first, _ in first }
        }
    }

    private func names(_ answer: String) -> [String] { table(answer).compactMap { $0["SUMMARY_HEADER"]?.string } }

    @Test("statistics count each value once, in bins that contain it", arguments: [7, 511, 512, 513, 3000])
    func statistics(_ count: Int) throws {
        let rows = rows(count)
        let service = desk.browse(try desk.put(text(rows), at: "a.sdf"))
        let answer = service.serving { service.answer(#"{"request":"STATISTICS","facts":["atoms"]}"#) }
        let columns = Dictionary(table(answer).map { ($0["NAME"]?.string ?? "", $0) }) { first, _ in first }
        let activity = try #require(columns["field:ACT"])
        #expect(activity["KIND"]?.string == "number" && activity["NUMBERS"]?.count == count)
        #expect(activity["MIN"]?.number == rows.map(\.activity).min())
        #expect(activity["MAX"]?.number == rows.map(\.activity).max())
        let bins = try #require(activity["BINS"])
        let (first, width) = (try #require(bins["first"]?.number), try #require(bins["width"]?.number))
        let counts = (bins["counts"]?.array ?? []).compactMap(\.number)
        for (place, found) in counts.enumerated() {
            // Values at a boundary belong to the upper bin, despite rounding errors.
            let low = (first + Double(place)) * width - 1e-9
            let high = (first + Double(place) + 1) * width - 1e-9
            #expect(Double(rows.count { low <= $0.activity && $0.activity < high }) == found)
        }
        #expect(counts.reduce(0, +) == Double(count) && counts.count <= 320)
        let solubility = try #require(columns["field:SOL"])
        let odd = rows.count { $0.solubility == ">200" }
        #expect(solubility["OTHERS"]?.count == odd)
        #expect(odd == 0 || solubility["EXAMPLE"]?.string == ">200")
        let series = try #require(columns["field:SERIES"])
        #expect(series["KIND"]?.string == "category")
        for value in series["VALUES"]?.array ?? [] {
            #expect(value.array?.last?.count == rows.count { $0.series == value.array?.first?.string })
        }
        let days = try #require(columns["field:DAY"])
        #expect(days["KIND"]?.string == "date")
        let inDays = (days["DATES"]?["counts"]?.array ?? []).compactMap(\.number).reduce(0, +)
        #expect(inDays == Double(count))
        #expect(columns["fact:atoms"]?["MAX"]?.number == 3)
    }

    @Test(
        "the histogram of values of any size is complete, and its widths are nested", arguments: [0.001, 1, 1e9, 1e-12])
    func bins(_ size: Double) throws {
        var numbers = Numbers()
        var bins = ColumnSurvey.Bins()
        var values: [Double] = []
        for round in 0..<2000 {
            let value = (Double(numbers.next(1_000_000)) - 300_000) * size * (round < 1000 ? 0.001 : 1)
            values.append(value)
            bins.add(value)
        }
        let all = bins.complete
        #expect(all.counts.reduce(0, +) == values.count && all.counts.count <= ColumnSurvey.Bins.most)
        let digits = "\(all.width)".filter { "123456789".contains($0) }.first
        #expect(digits == "1" || digits == "2" || digits == "9")
    }

    @Test("statistics with a condition count the same records as the search")
    func statisticsOfHits() throws {
        let rows = rows(700)
        let service = desk.browse(try desk.put(text(rows), at: "a.sdf"))
        service.serving {
            let answer = service.answer(
                #"{"request":"STATISTICS","where":"ACT >= 3 and contains('N')","fields":["SERIES"]}"#)
            let hits = rows.filter { $0.activity >= 3 && $0.number.isMultiple(of: 3) }
            let values = table(answer).first?["VALUES"]?.array ?? []
            for value in values {
                #expect(value.array?.last?.count == hits.count { $0.series == value.array?.first?.string })
            }
            #expect(object(answer)["records"]?.count == hits.count)
        }
    }

    @Test("several sort keys order like a stable sort by each of them, with their own directions")
    func sorting() throws {
        let rows = rows(300)
        let service = desk.browse(try desk.put(text(rows), at: "a.sdf"))
        service.serving {
            for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
                let sort =
                    #"[{"key":"field:SERIES","descending":\#(first)},{"key":"field:ACT","descending":\#(second)}]"#
                let answer = service.answer(
                    #"{"request":"ROOT","count":1000,"columns":["SUMMARY_HEADER"],"sort":\#(sort)}"#)
                let expected = rows.sorted { one, other in
                    if one.series != other.series { return (one.series < other.series) != first }
                    if one.activity != other.activity { return (one.activity < other.activity) != second }
                    return one.number < other.number
                }
                #expect(names(answer) == expected.map { "r\($0.number)" })
            }
            let facts = service.answer(
                #"{"request":"ROOT","count":2,"columns":["SUMMARY_HEADER","FACT:atoms"],"sort":"fact:atoms","descending":true}"#
            )
            #expect(table(facts).map { $0["FACT:atoms"]?.string } == ["3", "3"])
        }
    }

    @Test("a search combines its text with a condition, and ROOT accepts a condition too")
    func combined() throws {
        let rows = rows(200)
        let service = desk.browse(try desk.put(text(rows), at: "a.sdf"))
        service.serving {
            let search = #""where":"ACT between 2 and 5","columns":["SUMMARY_HEADER"],"count":1000"#
            let expected = rows.filter { (2...5).contains($0.activity) }.map { "r\($0.number)" }
            #expect(names(service.answer(#"{"request":"ROOT",\#(search)}"#)) == expected)
            #expect(
                names(service.answer(#"{"request":"SEARCH","searchtext":"r1","searchdomain":"name",\#(search)}"#))
                    == expected.filter { $0.hasPrefix("r1") })
            let wrong = service.answer(#"{"request":"ROOT","where":"contains('c1')"}"#)
            #expect(object(wrong)["error"]?.string?.hasPrefix("invalid SMARTS pattern in contains()") == true)
        }
    }

    @Test(
        "scanning a file for a search returns the same records as reading them one by one",
        arguments: ["sdf", "rdf", "lenient", "dirty", "smi"])
    func scan(_ folder: String) throws {
        for file in ChemicalFile.folders where file.path.hasSuffix("/" + folder) {
            for path in file.files.map(\.path) {
                let browsed = BrowsedFile(LocalPath(path), in: desk.session)
                browsed.makeIndex { true }
                let count = min(browsed.index.count, 40)
                func all(_ read: ((Int, BrowsedRecord) -> Bool) -> Void) -> [String] {
                    var found: [String] = []
                    read { number, record in
                        let fields =
                            record.record.map { $0.fields.map { "\($0.name.string)=\($0.value.string)" } } ?? ["-"]
                        found.append("\(number) \(record.record?.title.string ?? "-") \(fields)")
                        return true
                    }
                    return found
                }
                let expected = all { browsed.read(0..<count, holding: nil, $0) }
                #expect(
                    all { browsed.scan(0..<count, holding: nil, skippingStructures: false, $0) } == expected, "\(path)")
            }
        }
    }

    @Test("matching atoms are highlighted only in pictures of records that contain the pattern")
    func highlights() throws {
        let service = desk.browse(try desk.put(text(rows(6)), at: "a.sdf"))
        service.serving {
            func pictures(_ more: String) -> [Int] {
                table(service.answer(#"{"request":"ROOT","columns":["IMAGES.MARQUEE"]\#(more)}"#)).map {
                    $0["IMAGES.MARQUEE"]?["DATA"]?["BASE64"]?.string?.count ?? 0
                }
            }
            let (plain, marked) = (pictures(""), pictures(#","highlight":"N""#))
            for place in plain.indices {
                #expect((marked[place] > plain[place]) == (place + 1).isMultiple(of: 3))
            }
        }
    }

    @Test(
        "an export of hits or numbers is the same as a conversion with --records",
        arguments: ["sdf", "smi", "csv", "ds"])
    func exports(_ format: String) throws {
        let rows = rows(400)
        let path = try desk.put(text(rows), at: "a.sdf")
        let service = desk.browse(path)
        try service.serving {
            let hits = rows.filter { $0.activity > 4 }.map(\.number)
            let target = try #require(FormatRegistry.standard[format])
            var conversion = Conversion(to: target)
            conversion.selection.numbers = RecordNumbers(hits.map { "\($0)" }.joined(separator: ","))
            let expected = desk.folder + "/expected." + format
            _ = try conversion.run([LocalPath(path)], to: .file(LocalPath(expected)))
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: expected)))
            let list = hits.map { "\($0)" }.joined(separator: ",")
            for request in [#""where":"ACT > 4""#, #""numbers":"\#(list)""#] {
                let file = ids(service.answer(#"{"request":"NAVIGATION","columns":[]}"#))[0]
                let body = #"{"entities":[{"PERM_ID":"\#(file)"}],"format":"\#(format)",\#(request)}"#
                let records = try service.export(Array(body.utf8)).get()
                #expect(records.bytes(0..<records.size) == bytes, "\(request)")
                let check = try service.export(Array((body.dropLast() + #","check":true}"#).utf8)).get()
                #expect(check.size == 0)
                #expect(JSONValue(check.account)?["records"]?.count == hits.count)
            }
        }
    }

    @Test("EXPORT returns records as text, with the losses, and a fact with a line for each record")
    func exportedText() throws {
        let service = desk.browse(try desk.put(text(rows(3)), at: "a.sdf"))
        service.serving {
            let all = ids(service.answer(#"{"request":"ROOT","columns":[]}"#))
            let entities = all.map { #"{"PERM_ID":"\#($0)"}"# }.joined(separator: ",")
            func export(_ format: String) -> JSONValue {
                object(service.answer(#"{"request":"EXPORT","entities":[\#(entities)],"format":"\#(format)"}"#))
            }
            #expect(export("smi")["text"]?.string?.split(separator: "\n").count == 3)
            #expect(export("smi")["losses"]?.array?.isEmpty == false)
            #expect(export("sdf")["text"]?.string == text(rows(3)))
            #expect(export("atoms")["text"]?.string == "3\n3\n2\n")
            #expect(export("mol")["error"]?.string == "a file in MDL Molfile can contain only one record")
            #expect(export("smii")["error"]?.string?.hasPrefix("there is no format \"smii\" to write") == true)
        }
    }

    @Test(
        "PATTERN converts any notation to SMARTS",
        arguments: [
            ("C1=CC=NC=C1", "c1ccncc1"), ("C(=O)[OH]", "C(=O)[OH]"), ("[#7]~[R]", "[#7]~[R]"), ("c1ccccc1", "c1ccccc1"),
        ])
    func patterns(_ text: String, _ expected: String) throws {
        let service = desk.browse(try desk.put(self.text(rows(3)), at: "a.sdf"))
        service.serving {
            #expect(object(service.answer(#"{"request":"PATTERN","text":"\#(text)"}"#))["smarts"]?.string == expected)
            let third = ids(service.answer(#"{"request":"ROOT","columns":[]}"#))[2]
            let like = service.answer(#"{"request":"PATTERN","entities":[{"PERM_ID":"\#(third)"}]}"#)
            #expect(object(like)["smarts"]?.string == "CN")
            let wrong = object(service.answer(#"{"request":"PATTERN","text":"c1ccx"}"#))
            #expect(wrong["error"]?.string?.hasPrefix("not a valid SMARTS pattern: ") == true)
        }
    }
}
