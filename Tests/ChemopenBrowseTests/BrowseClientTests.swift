import Chemopen
import ChemopenDesktop
import Foundation
import Testing

@testable import ChemopenBrowse

/// A running program with an address on its first line of output.
private final class Running {
    private let process = Process()
    let address: String

    init(_ words: [String], _ folder: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(helperProgram("chemopen")).shown)
        process.arguments = words
        process.environment = ["HOME": folder, "XDG_RUNTIME_DIR": folder, "PATH": "/usr/bin:/bin"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        address = String(decoding: line, as: UTF8.self)
    }

    func wait() { process.waitUntilExit() }

    deinit { process.terminate() }
}

@Suite("Client of the browse protocol", .timeLimit(.minutes(5)))
struct BrowseClientTests {
    private let desk: BrowseDesk
    private let path: String
    private static let first =
        record("ethanol", ["C", "C", "O"], bonds: 2, fields: [("BP", "78")])
        + record("methane", ["C"], fields: [("BP", "-162")])
    private static let salt = record("salt", ["Na", "Cl"])

    init() throws {
        desk = try BrowseDesk()
        path = try desk.put(Self.first + Self.salt, at: "team/a.sdf")
    }

    /// Returns clients of a server and of local files, with the programs that must run as long as they are used.
    private func clients() throws -> (clients: [BrowseClient], programs: [Running]) {
        let tokens = ["--tokens", "\(desk.folder)/readers"]
        let added = try Running(["serve", "--add", "anna"] + tokens, desk.folder)
        added.wait()
        let server = try Running(["serve", "--listen", "127.0.0.1:0", "\(desk.folder)/team"] + tokens, desk.folder)
        let clients = [
            BrowseClient(files: [LocalPath(path)]), try BrowseClient(server.address, token: added.address),
        ]
        return (clients, [added, server])
    }

    @Test("lists, pages, searches, parts and details are the same from a server and from files")
    func reads() async throws {
        let (clients, programs) = try clients()
        for client in clients {
            let file = try #require(try await client.categories().rows.first)
            let columns = ["SUMMARY_HEADER", "PROPERTY:BP"]
            let page = try await client.records(of: file, from: 1, count: 1, columns: columns)
            #expect(page.rows.map(\.title) == ["methane"] && page.total == 3 && page.isComplete)
            #expect(page.rows[0].values["PROPERTY:BP"] == "-162")
            let sorted = try await client.records(sortedBy: "field:BP", descending: true, where: "BP exists")
            #expect(sorted.rows.map(\.title) == ["ethanol", "methane"])
            #expect(try await client.search("C2H6O", in: "formula").rows.map(\.title) == ["ethanol"])
            let hits = try await client.search("salt").rows
            #expect(hits.map(\.summary) == ["NaCl, 2 atoms, 0 bonds"] || hits.map(\.title) == ["salt"])
            #expect(try await client.children(of: hits).rows.count == hits[0].children.count)
            let details = try await client.details(of: page.rows).rows
            #expect(details[0].properties.contains(.init(group: "data", name: "BP", value: "-162")))
            #expect(try await client.preferences()["ROOT_SET_REFRESH_INTERVAL"]?.count != nil)
            #expect(try await client.send(["request": "STATISTICS"])["records"]?.count == 3)
        }
        _ = programs
    }

    @Test("a request that is not valid or not permitted is refused with the server's reason")
    func refusals() async throws {
        let (clients, programs) = try clients()
        for client in clients {
            let error = await #expect(throws: BrowseError.self) { try await client.records(where: "BP <") }
            #expect(error?.kind == .refused && error?.response["error"]?.string == error?.description)
            let record = try #require(try await client.records(count: 1).rows.first)
            let denied = await #expect(throws: BrowseError.self) { try await client.change(record, [.set("BP", "79")]) }
            #expect(denied?.kind == .refused)
        }
        let stranger = try BrowseClient(programs[1].address, token: "wrong")
        let error = await #expect(throws: BrowseError.self) { try await stranger.categories() }
        #expect(error?.kind == .refused && error?.description.hasPrefix("access denied") == true)
        #expect(throws: BrowseError.self) { try BrowseClient("http://example.org") }
        #expect(throws: BrowseError.self) { try BrowseClient(programs[1].address, token: "a\nb") }
        let nowhere = try BrowseClient("http://127.0.0.1:1/", token: "x")
        let absent = await #expect(throws: BrowseError.self) { try await nowhere.categories() }
        #expect(absent?.kind == .unavailable)
    }

    @Test("edits of a file in the viewer are saved, undone, and refused for a state that has changed")
    func changes() async throws {
        let viewer = try Running(["view", "--no-browser", path], desk.folder)
        let client = try BrowseClient(viewer.address)
        let record = try await client.records(count: 1).rows[0]
        let saved = try await client.change(record, [.set("BP", "79"), .title("alcohol")])
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("alcohol\n\n"))
        let stale = await #expect(throws: BrowseError.self) { try await client.change(record, [.delete]) }
        #expect(stale?.kind == .refused)
        let token = try #require(saved.undo)
        _ = try await client.undo(token)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.first + Self.salt)
        let file = try await client.categories().rows[0]
        let added = try await client.change(
            file, [.insert("neon", fields: [("BP", "-246")], structure: [["op": "add_atom", "element": "Ne"]])])
        #expect(added.rows.count == 1)
        #expect(try await client.search("neon").rows.map(\.title) == ["neon"])
    }

    @Test("followed changes name the added, changed and removed records")
    func events() async throws {
        let (clients, programs) = try clients()
        for client in clients {
            try replace(with: Self.first + Self.salt)
            // The server may not have noticed this yet.
            while try await client.records(count: 1).rows.first?.title != "ethanol" {
                try await Task.sleep(for: .milliseconds(50))
            }
            let events = try await client.follow(every: .milliseconds(100))
            let changed = Self.first.replacingOccurrences(of: "ethanol", with: "alcohol")
            try replace(with: changed + Self.salt + record("neon", ["Ne"]))
            var found: Set<String> = []
            var iterator = events.makeAsyncIterator()
            while found.count < 2, let event = try await iterator.next() {
                if event.category != nil { found.insert("\(event.kind) \(event.entity.title)") }
            }
            #expect(found == ["changed alcohol", "added neon"])
            try replace(with: changed + Self.salt)
            while let event = try await iterator.next() {
                if event.kind == .removed {
                    #expect(event.entity.title == "neon")
                    break
                }
            }
        }
        _ = programs
    }

    /// Replaces the file in one step, so that it is never missing.
    private func replace(with text: String) throws {
        let path = try desk.put(text, at: "saved.sdf")
        #expect(unsafe rename(path, "\(desk.folder)/team/a.sdf") == 0)
    }

    @Test("a cancelled task ends its request, and the client can be used again")
    func cancellation() async throws {
        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(silent) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(silent, address, size) == 0 && listen(silent, 5) == 0
                    && getsockname(silent, address, &size) == 0
            }
        }
        #expect(isBound)
        let client = try BrowseClient("http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))", token: "x")
        for _ in 0..<2 {
            let task = Task { try await client.categories() }
            try await Task.sleep(for: .milliseconds(300))
            task.cancel()
            let result = await task.result
            let error = #expect(throws: BrowseError.self) { try result.get() }
            #expect(error?.kind == .cancelled)
        }
    }
}
