import Chemopen
import Foundation
import Testing

@testable import ChemopenBrowse

@Suite("Changes that a mapping permits")
struct PermittedChangesTests {
    private func changes(_ json: String) throws -> PermittedChanges {
        try Mapping(Array(#"{"changes":\#(json)}"#.utf8)).changes
    }

    @Test("values are valid if an independent judge accepts them")
    func values() throws {
        let permitted = try changes(
            #"""
            {"fields":[{"name":"N","kind":"number","min":-5,"max":1000},{"name":"D","kind":"date","min":"2020-02-29"},
             {"name":"C","kind":"choice","values":["new","a b"]},{"name":"T","max":4}, "FREE"]}
            """#)
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd"
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789-+.eE xnab\nö")
        for number in 0..<20_000 {
            var value = String((0..<Int.random(in: 0...10, using: &random)).map { _ in letters.randomElement() ?? "0" })
            // Values that look like those of each kind.
            switch number % 4 {
            case 1: value = "\(Int.random(in: -9...1200, using: &random))" + ["", ".5", "e1"][number % 3]
            case 2:
                let (month, day) = (Int.random(in: 0...13, using: &random), Int.random(in: 0...32, using: &random))
                value = String(format: "%04d-%02d-%02d", Int.random(in: 2018...2026, using: &random), month, day)
            case 3: value = ["new", "a b", "a", "New"][number / 4 % 4]
            default: break
            }
            let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
            let isNumber =
                text.range(of: #"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"#, options: .regularExpression) != nil
            let number =
                isNumber ? NSString(string: text).doubleValue : .nan
            let date = format.date(from: text)
            let expected: [(String, Bool)] = [
                ("N", text.isEmpty || -5...1000 ~= number),
                ("D", text.isEmpty || date.map { format.string(from: $0) == text && text >= "2020-02-29" } == true),
                ("C", text.isEmpty || ["new", "a b"].contains(value)), ("T", text.isEmpty || value.count <= 4),
                ("FREE", true),
            ]
            for (name, isValid) in expected {
                let fault = permitted.refusal(of: .edit([.set(Text(name), Text(value))]))
                #expect((fault == nil) == isValid, "\(name) \(value.debugDescription)")
            }
        }
    }

    @Test("nothing is permitted by default, and each member permits one kind of change")
    func members() throws {
        let operations: [(String, RecordOperation)] = [
            ("title", .edit([.setTitle("x")])), ("structure", .structure([])), ("delete", .delete),
            ("insert", .insert(Record(), at: nil)), ("fields", .edit([.set("A", "x")])),
            ("fields", .edit([.unset("A")])),
        ]
        let members = ["title": "true", "structure": "true", "delete": "true", "insert": "true", "fields": #"["A"]"#]
        for permitted in [nil] + members.keys.sorted() {
            let json = permitted.map { #"{"\#($0)":\#(members[$0] ?? "")}"# } ?? "{}"
            let changes = try changes(json)
            #expect(changes.isEmpty == (permitted == nil))
            for (name, operation) in operations {
                let fault = changes.refusal(of: operation)
                #expect((fault == nil) == (name == permitted), "\(json) \(name)")
                #expect(fault == nil || fault?.kind == .forbidden)
            }
        }
        let strict = try changes(#"{"fields":[{"name":"A","required":true},"B"],"insert":true}"#)
        var record = Record()
        #expect(strict.refusal(of: .insert(record, at: nil))?.message == "a new record requires the field A")
        record.fields.append(Field("A", "x"))
        #expect(strict.refusal(of: .insert(record, at: nil)) == nil)
        record.fields.append(Field("C", "x"))
        #expect(strict.refusal(of: .insert(record, at: nil))?.kind == .forbidden)
        #expect(strict.refusal(of: .edit([.unset("A")])) != nil && strict.refusal(of: .edit([.unset("B")])) == nil)
    }

    @Test(
        "a mistake in the specification is explained",
        arguments: [
            (#"{"field":[]}"#, #"did you mean "fields"?"#), (#"{"title":1}"#, "true or false"),
            (#"{"fields":["A","A"]}"#, "listed twice"), (#"{"fields":[{"kind":"text"}]}"#, "a name"),
            (#"{"fields":[{"name":"A","kind":"int"}]}"#, "text, number, date or choice"),
            (#"{"fields":[{"name":"A","kind":"choice"}]}"#, "values"),
            (#"{"fields":[{"name":"A","values":["x"]}]}"#, "values"),
            (#"{"fields":[{"name":"A","kind":"number","min":"1"}]}"#, "a number"),
            (#"{"fields":[{"name":"A","kind":"date","max":"2026-02-30"}]}"#, "a date"),
            (#"{"fields":[{"name":"A","requird":true}]}"#, #"did you mean "required"?"#), ("[]", "an object"),
        ])
    func mistakes(json: String, message: String) throws {
        let fault = #expect(throws: Mapping.Fault.self) { try changes(json) }
        #expect(fault?.message.contains(message) == true, "\(fault?.message ?? "")")
    }
}
