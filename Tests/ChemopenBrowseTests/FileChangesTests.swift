import Chemopen
import Foundation
import Testing

@testable import ChemopenBrowse

@Suite("Changes of files")
struct FileChangesTests {
    let desk: BrowseDesk
    let text: String
    let path: String
    let service: BrowseService

    init() throws {
        desk = try BrowseDesk()
        text =
            record("ethanol", ["C", "C", "O"], bonds: 2, fields: [("BP", "78"), ("USE", "drink")])
            + record("methane", ["C"], fields: [("BP", "-162")])
            + record("saline", ["Na", "Cl"], fields: [("USE", "Food")])
        path = try desk.put(text, at: "a.sdf")
        service = BrowseService([LocalPath(path)], allowingChanges: true, in: desk.session)
    }

    private var now: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Returns an entity as a request contains it: a record, or the file for 0.
    private func entity(_ number: Int) throws -> String {
        let kind = number == 0 ? "NAVIGATION" : "ROOT"
        let answer = service.answer(#"{"request":"\#(kind)","columns":[]}"#)
        let rows = try #require(JSONValue(Array(answer.utf8))?["rows"]?.array)
        let row = try #require(rows[max(0, number - 1)].array)
        return #"{"PERM_ID":"\#(row[0].string ?? "")","REFCON":"\#(row[1].string ?? "")"}"#
    }

    private func change(_ entity: String, _ edits: String) throws -> JSONValue {
        let answer = service.answer(#"{"request":"CHANGE","entities":[\#(entity)],"edits":[\#(edits)]}"#)
        return try #require(JSONValue(Array(answer.utf8)))
    }

    private func undo(_ answer: JSONValue) throws -> JSONValue {
        let token = try #require(answer["undo"]?.string)
        return try #require(JSONValue(Array(service.answer(#"{"request":"CHANGE","undo":"\#(token)"}"#).utf8)))
    }

    @Test(
        "a change of a field, the title or the structure changes only its lines, and undo restores the bytes",
        arguments: [
            (#"{"op":"set","field":"BP","value":"79"}"#, "78\n", "79\n"),
            (#"{"op":"unset","field":"USE"}"#, "> <USE>\ndrink\n\n", ""),
            (#"{"op":"title","value":"alcohol"}"#, "ethanol\n", "alcohol\n"),
            (
                #"{"op":"structure","edits":[{"op":"set_atom","atom":1,"element":"N"}]}"#,
                "    1.0000    0.0000    0.0000 C   0  0\n",
                "    1.0000    0.0000    0.0000 N   0  0\n"
            ),
            (
                #"{"op":"structure","edits":[{"op":"set_bond","bond":0,"order":"double"}]}"#, "  1  2  1  0\n",
                "  1  2  2  0\n"
            ),
            (
                #"{"op":"structure","edits":[{"op":"delete_atom","atom":2}]}"#,
                "  3  2  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
                    + "    1.0000    0.0000    0.0000 C   0  0\n    2.0000    0.0000    0.0000 O   0  0\n"
                    + "  1  2  1  0\n  2  3  1  0\n",
                "  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
                    + "    1.0000    0.0000    0.0000 C   0  0\n  1  2  1  0\n"
            ),
        ])
    func edits(edit: String, old: String, new: String) throws {
        try service.serving {
            let answer = try change(try entity(1), edit)
            #expect(answer["error"] == nil)
            let place = try #require(text.range(of: old))
            #expect(now == text.replacingCharacters(in: place, with: new))
            // The row has the new identity of the record.
            let id = try #require(answer["rows"]?.array?.first?.array?.first?.string)
            #expect(try entity(1).contains(id))
            let undone = try undo(answer)
            #expect(undone["error"] == nil && now == text)
            _ = try undo(undone)
            #expect(now == text.replacingCharacters(in: place, with: new))
        }
    }

    @Test("records can be inserted and deleted, and undo restores the bytes")
    func lists() throws {
        try service.serving {
            let deleted = try change(try entity(2), #"{"op":"delete"}"#)
            #expect(now == text.replacingOccurrences(of: record("methane", ["C"], fields: [("BP", "-162")]), with: ""))
            #expect(try undo(deleted)["error"] == nil && now == text)
            let atom = #"{"op":"add_atom","element":"O","x":1,"y":2}"#
            let inserted = try change(
                try entity(0),
                #"{"op":"insert","at":2,"title":"water","fields":[{"name":"BP","value":"100"}],"structure":[\#(atom)]}"#
            )
            #expect(inserted["rows"]?.array?.first?.array?[3] == .number(2))
            #expect(now.contains("water") && now.contains(">  <BP>\n100\n"))
            #expect(try undo(inserted)["error"] == nil && now == text)
        }
    }

    @Test("a change of an outdated record or file is refused, and the file stays as another program wrote it")
    func stale() throws {
        try service.serving {
            let (record, file) = (try entity(1), try entity(0))
            let done = try change(record, #"{"op":"set","field":"BP","value":"79"}"#)
            #expect(try change(record, #"{"op":"set","field":"BP","value":"80"}"#)["error"] != nil)
            #expect(try change(file, #"{"op":"insert","title":"x"}"#)["error"] != nil)
            let other = now.replacingOccurrences(of: "79", with: "81")
            try desk.put(other, at: "a.sdf")
            #expect(try undo(done)["error"] != nil)
            #expect(now == other)
            // Other users can still edit and move records that nobody has changed.
            let third = try entity(3)
            #expect(try change(third, #"{"op":"set","field":"USE","value":"none"}"#)["error"] == nil)
        }
    }

    @Test("changes of different parts that are based on the same state are merged, and of the same part refused")
    func merges() throws {
        try service.serving {
            let record = try entity(1)
            #expect(try change(record, #"{"op":"set","field":"BP","value":"79"}"#)["merged"] == nil)
            let atom = #"{"op":"structure","edits":[{"op":"set_atom","atom":1,"element":"N"}]}"#
            for edit in [#"{"op":"set","field":"USE","value":"fuel"}"#, #"{"op":"title","value":"x"}"#, atom] {
                #expect(try change(record, edit)["merged"] == .bool(true))
            }
            let expected = text.replacingOccurrences(of: "78\n", with: "79\n").replacingOccurrences(
                of: "drink", with: "fuel"
            )
            .replacingOccurrences(of: "ethanol\n", with: "x\n")
            .replacingOccurrences(of: "1.0000    0.0000    0.0000 C ", with: "1.0000    0.0000    0.0000 N ")
            #expect(now == expected)
            let refused = try change(
                record, #"{"op":"set","field":"BP","value":"80"},{"op":"set","field":"NEW","value":"1"}"#)
            let part = try #require(refused["current"]?["PARTS"]?.array?.first)
            #expect(
                part["part"]?.string == "field BP" && part["before"]?.string == "78" && part["after"]?.string == "79")
            #expect(try change(record, #"{"op":"delete"}"#)["current"]?["PARTS"]?.array?.count == 4)
            #expect(now == expected)
        }
    }

    @Test("a service that does not allow changes refuses them")
    func readOnly() throws {
        let service = BrowseService([LocalPath(path)], in: desk.session)
        service.serving {
            let answer = service.answer(#"{"request":"CHANGE","entities":["x"],"edits":[]}"#)
            #expect(answer == #"{"error":"CHANGE is supported only in the viewer and by chemopen serve"}"#)
        }
        #expect(now == text)
    }

    @Test(
        "an invalid change is refused and explained",
        arguments: [
            (#"{"op":"sett","field":"BP","value":"1"}"#, "there is no edit \"sett\""),
            (#"{"op":"set","field":"BP"}"#, "set requires \"value\": a string"),
            (#"{"op":"set","field":"","value":"1"}"#, "a field requires a name"),
            (#"{"op":"delete","at":1}"#, "delete does not support \"at\""),
            (#"{"op":"structure","edits":[{"op":"set_atom","atom":7,"charge":1}]}"#, "record 1: there is no atom 7"),
            (
                #"{"op":"structure","edits":[{"op":"set_atom","atom":-1}]}"#,
                "set_atom: \"atom\" must be an index from 0"
            ),
            (#"{"op":"structure","edits":[{"op":"set_bond","bond":0,"order":"fat"}]}"#, "must be the order of a bond"),
            (#"{"op":"insert","title":"x"}"#, "insert requires a file, not a record"),
            (#"{"op":"set","field":"BP","value":"1"},{"op":"delete"}"#, "delete cannot be combined"),
        ])
    func invalid(edit: String, message: String) throws {
        try service.serving {
            let error = try change(try entity(1), edit)["error"]?.string
            #expect(error?.contains(message) == true, "\(error ?? "")")
        }
        #expect(now == text)
    }

    @Test("CHANGE without edits returns the edits that an entity supports")
    func support() throws {
        try service.serving {
            func names(_ entity: String) -> [String] {
                let answer = service.answer(#"{"request":"CHANGE","entities":[\#(entity)]}"#)
                return (JSONValue(Array(answer.utf8))?["edits"]?.array ?? []).compactMap(\.string)
            }
            let (record, file) = (try entity(1), try entity(0))
            #expect(names(record) == ["set", "unset", "title", "structure", "delete"])
            #expect(names(file) == ["insert"])
        }
    }

    @Test("SKETCH applies edits without saving them, and returns a layout and other formats")
    func sketch() throws {
        try service.serving {
            let edits = #"[{"op":"add_atom","element":"F"},{"op":"add_bond","from":1,"to":3}]"#
            let answer = service.answer(
                #"{"request":"SKETCH","entities":[\#(try entity(1))],"edits":\#(edits),"forms":["smi","mol"]}"#)
            let json = try #require(JSONValue(Array(answer.utf8)))
            #expect(json["structure"]?["atoms"]?.array?.count == 4)
            #expect(json["formula"]?.string == "C2H5FO")
            #expect(
                json["forms"]?["smi"]?.string?.hasPrefix("CC(F)O") == true
                    || json["forms"]?["smi"]?.string?.isEmpty == false)
            #expect(json["forms"]?["mol"]?.string?.contains("V2000") == true)
            let other = service.answer(#"{"request":"SKETCH","text":"c1ccccc1"}"#)
            let ring = try #require(JSONValue(Array(other.utf8)))
            #expect(ring["structure"]?["atoms"]?.array?.count == 6 && ring["placed"] != nil)
            #expect(service.answer(#"{"request":"SKETCH","text":"c1cc"}"#).contains("error"))
            #expect(service.answer(#"{"request":"SKETCH"}"#).contains(#""structure":{"#))
        }
        #expect(now == text)
    }
}
