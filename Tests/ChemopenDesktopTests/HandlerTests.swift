import ChemopenBytes
import Testing

@testable import ChemopenDesktop

@Suite("Handler created in code")
struct HandlerTests {
    private func commands(_ handler: Handler, _ files: [LocalPath]) throws -> [[String]] {
        let session = SessionEnvironment(["PATH": "/bin:/usr/bin", "DISPLAY": ":0"])
        return try Launch(handler, on: files, in: session).commands.map { Array($0.words.dropFirst()) }
    }

    @Test("passes its arguments unchanged, followed by the files separately or together")
    func words() throws {
        var handler = try Handler(id: "mine", name: "Mine", command: ["sh", "-x %f \"a\""], opening: ["a/b"])
        #expect(handler.id == "mine.desktop" && handler.types == ["a/b"])
        let separate = [["-x %f \"a\"", "/a b"], ["-x %f \"a\"", "/c"]]
        #expect(try commands(handler, ["/a b", "/c"]) == separate)
        handler = try Handler(id: "mine", name: "Mine", command: ["sh"], opening: [], takesSeveralFiles: true)
        #expect(try commands(handler, ["/a b", "/c"]) == [["/a b", "/c"]])
    }

    @Test("precedes installed programs")
    func registered() throws {
        var registry = HandlerRegistry(SessionEnvironment(["HOME": "/nonexistent", "XDG_DATA_DIRS": "/nonexistent"]))
        registry.register(try Handler(id: "mine", name: "Mine", command: ["sh"], opening: ["a/b"]))
        #expect(registry.candidates(for: "a/b").map(\.handler.id) == ["mine.desktop"])
        #expect(registry.handler("mine")?.name == "Mine")
    }

    @Test("rejects a command without a program", arguments: [[], [""], ["./x"], ["A=1"]])
    func refused(command: [String]) {
        #expect(throws: EntryError.self) { try Handler(id: "x", name: "X", command: command, opening: []) }
    }
}
