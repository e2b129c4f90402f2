import Foundation
import Testing

@testable import ChemopenBrowse

/// The history of a file and of its records, as a client of the protocol receives it.
@Suite(
    "Changes",
    .enabled("there is no git on this machine") { FileManager.default.isExecutableFile(atPath: "/usr/bin/git") })
struct ChangesTests {
    private let desk: BrowseDesk
    private let path: String

    /// Creates three commits of three records, and changes a field without a commit.
    init() throws {
        desk = try BrowseDesk()
        path = try desk.put(Self.file("1"), at: "r/a.sdf")
        try git("init -q -b main")
        try commit("first", "Ann")
        try desk.put(Self.file("2"), at: "r/a.sdf")
        try commit("second <b>", "Bob")
        try desk.put(Self.file("2", "N"), at: "r/a.sdf")
        try commit("third", "Ann")
        try desk.put(Self.file("now", "N"), at: "r/a.sdf")
    }

    private static func file(_ mass: String, _ symbol: String = "C") -> String {
        record("one", ["C"]) + record("two", ["C", symbol], bonds: 1, fields: [("MASS", mass)]) + record("", ["O"])
    }

    private func git(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "git \(line)"]
        process.currentDirectoryURL = URL(fileURLWithPath: desk.folder + "/r")
        process.environment = ["HOME": desk.folder, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "git \(line)")
    }

    private func commit(_ message: String, _ author: String) throws {
        try git("add a.sdf")
        try git("-c user.name=\(author) -c user.email=\(author)@example.org commit -qm '\(message)'")
    }

    /// Returns the selected columns of a response.
    private func told(_ service: BrowseService, _ request: String, _ columns: String...) throws -> [[String]] {
        let answer = try #require(JSONValue(Array(service.answer(request).utf8)))
        #expect(answer["error"] == nil)
        let headers = try #require(answer["headers"]?.array).compactMap(\.string)
        return try #require(answer["rows"]?.array).map { row in
            columns.compactMap { name in headers.firstIndex(of: name).flatMap { row.array?[$0].string } }
        }
    }

    private func ids(_ service: BrowseService) throws -> [String] {
        let answer = try #require(JSONValue(Array(service.answer(#"{"request":"ROOT"}"#).utf8)))
        return try #require(answer["rows"]?.array).compactMap { $0.array?.first?.string }
    }

    private func request(_ id: String, _ more: String = "") -> String {
        #"{"request":"CHANGES","entities":[{"PERM_ID":"\#(id)"}]\#(more)}"#
    }

    @Test("the commits of a record are sorted newest first, even if it was edited later or has no title")
    func ofRecord() throws {
        let service = desk.browse(path)
        try service.serving {
            let ids = try ids(service)
            #expect(
                try told(service, request(ids[1]), "MESSAGE", "AUTHOR", "CHANGE", "NAME")
                    == [
                        ["third", "Ann", "changed", "two"], ["second <b>", "Bob", "changed", "two"],
                        ["first", "Ann", "inserted", "two"],
                    ])
            #expect(try told(service, request(ids[2]), "MESSAGE", "CHANGE") == [["first", "inserted"]])
            #expect(try told(service, request(ids[1], #","author":"bob""#), "MESSAGE") == [["second <b>"]])
            #expect(try told(service, request(ids[1], #","since":"2035-01-01""#), "MESSAGE") == [])
            #expect(try told(service, request(ids[1], #","from":1,"count":1"#), "MESSAGE") == [["second <b>"]])
        }
    }

    @Test("a change lists the parts that differ, and both structures as pictures")
    func parts() throws {
        let service = desk.browse(path)
        let answer = service.answer(request(try ids(service)[1]))
        #expect(answer.contains(#"[{"part":"field MASS","before":"1","after":"2"}]"#))
        let rows = try #require(JSONValue(Array(answer.utf8))?["rows"]?.array)
        let drawn = rows.map { row in ["BEFORE", "AFTER"].filter { row.array?.last?[$0]?["width"] != nil } }
        #expect(drawn == [["BEFORE", "AFTER"], [], ["AFTER"]])
    }

    @Test("a file lists the changes of all its records; a file outside a repository has an explanatory note instead")
    func ofFile() throws {
        let other = try desk.put(Self.file("1"), at: "elsewhere/b.sdf")
        let service = desk.browse(path, other)
        try service.serving {
            let files = try told(service, #"{"request":"NAVIGATION"}"#, "PERM_ID")
            #expect(try told(service, request(files[0][0]), "MESSAGE").count == 5)
            #expect(try told(service, request(files[1][0]), "MESSAGE") == [])
            #expect(service.answer(request(files[1][0])).contains(#""note":""#))
            #expect(service.answer(#"{"request":"CHANGES"}"#).contains("error"))
            #expect(service.answer(request(files[0][0], #","columns":["NAME"]"#)).contains("does not support"))
        }
    }
}
