import TestFolders
import Testing

@testable import ChemopenBytes

@Suite("System calls")
struct SystemCallsTests {
    @Test("the first matching byte is found within its range only")
    func scan() {
        let bytes = Array("a\nbc\nd".utf8)
        #expect(firstIndex(of: 10, in: bytes.span, from: 0, to: 6) == 1)
        #expect(firstIndex(of: 10, in: bytes.span, from: 2, to: 6) == 4)
        #expect(firstIndex(of: 10, in: bytes.span, from: 2, to: 4) == nil)
        #expect(firstIndex(of: 10, in: bytes.span, from: 5, to: 600) == nil)
        #expect(firstIndex(of: 10, in: bytes.span, from: 4, to: 2) == nil)
        #expect(firstIndex(of: 10, in: [UInt8]().span, from: 0, to: 0) == nil)
    }

    @Test("a directory is created once, listed in order, and never replaces a file")
    func folders() throws {
        let folder = try TestFolder()
        try makeFolder(LocalPath(folder.path("out")))
        try makeFolder(LocalPath(folder.path("out")))
        try folder.put("", at: "out/b")
        try folder.put("", at: "out/a")
        #expect(try folderEntries(LocalPath(folder.path("out"))) == ["a", "b"])
        #expect(throws: FileError(folder.path("out/a"), .notDirectory)) {
            try makeFolder(LocalPath(folder.path("out/a")))
        }
        #expect(throws: FileError(folder.path("no/out"), .folderNotFound)) {
            try makeFolder(LocalPath(folder.path("no/out")))
        }
        #expect(throws: FileError(folder.path("no"), .notFound)) { try folderEntries(LocalPath(folder.path("no"))) }
    }

    @Test("file kinds are distinguished")
    func kinds() throws {
        let folder = try TestFolder()
        #expect(fileKind(LocalPath(folder.path)) == .directory)
        #expect(fileKind(LocalPath(try folder.put("", at: "file"))) == .regular)
        #expect(fileKind(LocalPath(folder.path("none"))) == .missing)
        #expect(fileKind(LocalPath(folder.path("file/none"))) == .missing)
        #expect(fileKind("/dev/null") == .device)
    }

    @Test("a small file is read completely, and a file above the limit is rejected")
    func smallFiles() throws {
        let folder = try TestFolder()
        let path = try folder.put("12345", at: "file")
        #expect(try readFile(LocalPath(path), limit: 5) == Array("12345".utf8))
        #expect(throws: FileError(path, .tooLarge)) { try readFile(LocalPath(path), limit: 4) }
    }

    @Test("clocks advance and the memory use is reported")
    func measures() {
        let start = monotonicNanoseconds()
        #expect(monotonicNanoseconds() >= start)
        #expect(processCPUNanoseconds() > 0)
        #expect(peakResidentBytes() > 100_000)
        #expect(processorCount() >= 1)
        #expect(environment("CHEMOPEN_SURELY_UNSET") == nil)
        #expect(!isTerminal(-1))
        #expect(terminalWidth(-1) == nil)
    }
}
