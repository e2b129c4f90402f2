import Chemopen
import Foundation
import Testing

@testable import ChemopenBrowse

@Suite("Operation of a server")
struct OperationTests {
    private let desk: BrowseDesk

    init() throws {
        desk = try BrowseDesk()
        try desk.put(record("water", ["O"]), at: "served/water.sdf")
    }

    private var tokens: LocalPath { LocalPath("\(desk.folder)/config/readers") }

    private func check(_ folder: String = "served", at address: String? = nil) -> ServeCheck {
        ServeCheck(LocalPath("\(desk.folder)/\(folder)"), tokens: tokens, at: address)
    }

    private func addReader(_ name: String, token: String) throws {
        var readers = try Readers(tokens)
        try readers.add(Reader(name), token: token, on: "2026-01-31")
    }

    @Test("the times of the last requests survive a restart, and those of revoked tokens are deleted")
    func lastSeen() throws {
        try addReader("anna", token: "one")
        try addReader("Bo Berg", token: "two")
        let seen = LastSeen(beside: tokens)
        let file = "\(tokens.shown).seen"
        try seen.store(keeping: try Readers(tokens).list)
        #expect(!FileManager.default.fileExists(atPath: file), "without requests there is nothing to write")
        for time in 1...1000 { seen.note("one", at: time) }
        seen.note("two", at: 7)
        #expect(!FileManager.default.fileExists(atPath: file), "a request writes no file")
        var readers = try Readers(tokens)
        try seen.store(keeping: readers.list)
        #expect(readers.list.map { LastSeen(beside: tokens).time(of: $0) } == [1000, 7])
        let bo = readers.list[1]
        try readers.withdraw("Bo Berg")
        seen.note("one", at: 2000)
        try seen.store(keeping: readers.list)
        let again = LastSeen(beside: tokens)
        #expect(again.time(of: readers.list[0]) == 2000 && again.time(of: bo) == nil)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text == "\(SHA256.digits(of: "one")) 2000\n", "the file contains no token")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try desk.put("damaged \u{0}\n1 2 3\n\(String(repeating: "a", count: 64)) x\n", at: "config/readers.seen")
        #expect(LastSeen(beside: tokens).time(of: readers.list[0]) == nil)
    }

    @Test("a correct configuration has no problems")
    func goodConfiguration() throws {
        try addReader("anna", token: "one")
        for address in [nil, "https://chem.example.org", "http://localhost:8017", "http://127.0.0.1"] {
            let check = check(at: address)
            #expect(check.problems == [])
            #expect(check.files == 1 && check.readers == 1)
        }
    }

    @Test("each mistake in the configuration is a problem with a hint")
    func problems() throws {
        let noReader = "\(tokens.shown) lists no readers; use chemopen serve --add NAME to add one"
        #expect(check().problems.map(\.text) == [noReader])
        try addReader("anna", token: "one")
        func only(_ check: ServeCheck) -> ServeCheck.Problem? { check.problems.count == 1 ? check.problems[0] : nil }
        let missing = only(check("srved"))
        #expect(missing?.isFatal == true && missing?.text.hasSuffix("create it, mount it or correct the path") == true)
        #expect(only(check("served/water.sdf"))?.isFatal == true)
        for address in ["chem.example.org", "https://", "https://chem.example.org/team", "ftp://chem.example.org"] {
            #expect(only(check(at: address))?.isFatal == true, "\(address)")
        }
        for address in ["http://chem.example.org", "http://localhost.example.org"] {
            let problem = only(check(at: address))
            #expect(problem?.isFatal == false && problem?.text.contains("use a proxy with https") == true)
        }
        try desk.put(#"{"lable":"Vitamins"}"#, at: "served/vitamins/mapping.json")
        let mapping = only(check())
        #expect(mapping?.isFatal == false && mapping?.text.contains("vitamins/mapping.json") == true)
        try FileManager.default.removeItem(atPath: "\(desk.folder)/served/vitamins")
        try FileManager.default.createDirectory(atPath: "\(desk.folder)/empty", withIntermediateDirectories: true)
        #expect(only(check("empty"))?.text.contains("contains no chemical files") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tokens.shown)
        #expect(only(check())?.text.contains("run chmod 600") == true)
    }

    @Test("a server listens only on this machine, and its public address has no path")
    func addresses() {
        for (text, place) in [
            ("8017", ListenPlace.loopback(8017)), ("127.0.0.1:80", .loopback(80)), ("localhost:1", .loopback(1)),
            ("unix:/run/a", .socket("/run/a")),
        ] { #expect(ListenPlace(LocalPath(text)) == place) }
        for text in ["", "0.0.0.0:80", "[::]:80", "example.org:80", "70000", "unix:", "-1"] {
            #expect(ListenPlace(LocalPath(text)) == nil, "\(text)")
        }
        #expect(ListenPlace.origin("HTTPS://Chem.Example.org/") == "https://chem.example.org")
        #expect(ListenPlace.origin("https://chem.example.org:8443") == "https://chem.example.org:8443")
    }
}
