import TestFolders
import Testing

@testable import ChemopenBytes

@Suite("Local path")
struct LocalPathTests {
    @Test("a file: address of this machine becomes a path, with any byte in it")
    func addresses() {
        #expect(LocalPath(uri: "file:///a%20b%FF.mol")?.bytes == Array("/a b".utf8) + [0xFF] + Array(".mol".utf8))
        #expect(LocalPath(uri: "file://localhost/a")?.bytes == Array("/a".utf8))
        #expect(LocalPath(uri: "FILE:/a")?.bytes == Array("/a".utf8))
        #expect(LocalPath("/a b'%#?.mol").uri == "file:///a%20b%27%25%23%3F.mol")
    }

    @Test(
        "a remote or malformed address is not a local path",
        arguments: ["http://a/b", "file://host/a", "file:a", "file:///a%2", "file:///a%zz", "file:///%00"])
    func others(_ uri: String) {
        #expect(LocalPath(uri: uri) == nil)
    }

    private static let odd: [LocalPath] = [
        LocalPath(bytes: Array("q".utf8) + [0xE9] + Array(".sdf".utf8)), LocalPath(bytes: [0xFF]), "a\nb", "-x", "é漢",
        "a\\b", "q\\xE9.sdf", "q\\\\xE9.sdf", LocalPath(bytes: [0x5C, 0xE9]), LocalPath(bytes: [0xE9, 0x5C, 0x78]),
        LocalPath(bytes: [0xE2, 0x82]), LocalPath(bytes: [0xED, 0xA0, 0x80]), LocalPath(bytes: [0xC0, 0xAF]), "",
    ]

    @Test("a path is shown unchanged, except that invalid UTF-8 bytes are shown in hexadecimal")
    func shown() {
        #expect(
            Self.odd.map(\.shown) == [
                "q\\xE9.sdf", "\\xFF", "a\nb", "-x", "é漢", "a\\b", "q\\\\xE9.sdf", "q\\\\\\\\xE9.sdf",
                "\\\\\\xE9", "\\xE9\\\\x", "\\xE2\\x82", "\\xED\\xA0\\x80", "\\xC0\\xAF", "",
            ])
        #expect("\(FileError(Self.odd[0], .notFound))" == "q\\xE9.sdf: no such file")
    }

    /// Returns the path for its displayed text, by the rule in the comment on `shown`.
    private func path(shownAs text: String) -> LocalPath {
        guard text.contains("\\x") else { return LocalPath(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            if rest.popFirst() == UInt8(ascii: "\\") {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
        }
        return LocalPath(bytes: bytes)
    }

    @Test("distinct paths are shown differently, because the path can be recovered from its displayed text")
    func distinct() {
        let letters: [UInt8] = Array("\\xE9/é".utf8) + [0xE9, 0xFF, 0x80]
        let random = (0..<5000).map { _ in
            LocalPath(bytes: (0..<Int.random(in: 0...8)).map { _ in letters.randomElement() ?? 0 })
        }
        for path in Self.odd + random { #expect(self.path(shownAs: path.shown) == path, "\(path.bytes)") }
    }

    @Test("interpolation of a path preserves its bytes")
    func literals() {
        let path = Self.odd[0]
        let made: LocalPath = "a/\(path).\("gz")\(7)"
        #expect(made.bytes == Array("a/".utf8) + path.bytes + Array(".gz7".utf8))
        #expect(LocalPath("\(path)") == path)
    }

    @Test("components and suffixes are compared byte by byte")
    func parts() {
        let path = LocalPath(bytes: Array("/a/".utf8) + [0xFF])
        #expect(path.name.bytes == [0xFF])
        #expect(path.folder == "/a")
        #expect(("x" as LocalPath).folder == "." && ("/x" as LocalPath).folder == "/")
        #expect(("x" as LocalPath).absolute(from: "/a") == "/a/x" && ("/x" as LocalPath).absolute(from: "/a") == "/x")
        #expect(("/" as LocalPath).appending("x") == "/x")
        #expect(("a.gz" as LocalPath).hasSuffix(".gz") && !("gz" as LocalPath).hasSuffix(".gz"))
    }

    // MARK: Files

    private func write(_ text: String, to path: LocalPath) throws(FileError) {
        var sink = try ByteSink(path: path)
        sink.bytes = Array(text.utf8)
        try sink.commit()
    }

    @Test("a file is read and listed under the name that it was written to, whatever its bytes")
    func files() throws {
        let folder = try TestFolder()
        let paths = Self.odd.filter { !$0.bytes.isEmpty && !$0.bytes.contains(UInt8(ascii: "/")) }
        for (number, path) in paths.enumerated() {
            try write("\(number)", to: LocalPath(folder.path).appending(path))
        }
        #expect(try folderEntries(LocalPath(folder.path)) == paths.sorted())
        for (number, path) in paths.enumerated() {
            let whole = LocalPath(folder.path).appending(path)
            #expect(try readFile(whole) == Array("\(number)".utf8))
            #expect(fileKind(whole) == .regular)
            var source = try ByteSource(path: whole)
            _ = try source.fill()
            #expect(Array(source.buffer[source.window]) == Array("\(number)".utf8))
            #expect(source.path == whole)
            #expect(throws: FileError(whole, .alreadyExists)) { try write("", to: whole) }
        }
    }

    @Test("a path with a zero byte is not found, even if its first part exists")
    func zeroByte() throws {
        let folder = try TestFolder()
        try folder.put("a", at: "a")
        let path = LocalPath(folder.path("a\0b"))
        #expect(fileKind(path) == .missing)
        #expect(throws: FileError(path, .notFound)) { _ = try ByteSource(path: path) }
        #expect(throws: FileError(path, .notFound)) { try write("b", to: path) }
        #expect(folder.names == ["a"])
    }
}
