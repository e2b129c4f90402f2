import Foundation
import Glibc
import TestFolders
import Testing

@testable import ChemopenBytes

/// Paths at which another user has put something other than a file. A test that waits for ever fails by its time limit.
@Suite("A file is opened", .timeLimit(.minutes(1)))
struct FileOpeningTests {
    private func pipe(in folder: TestFolder) -> LocalPath {
        let path = LocalPath(folder.path("pipe"))
        #expect(unsafe mkfifo(path.cString, 0o666) == 0)
        return path
    }

    @Test("only if it is a regular file, and without waiting")
    func refusesOthers() throws {
        let folder = try TestFolder()
        let pipe = pipe(in: folder)
        try folder.link("link", to: "pipe")
        #expect(throws: FileError(pipe, .isNamedPipe)) { try readFile(pipe) }
        #expect(throws: FileError(LocalPath(folder.path("link")), .isNamedPipe)) {
            try readFile(LocalPath(folder.path("link")))
        }
        #expect(throws: FileError("/dev/zero", .notRegular)) { try readFile("/dev/zero") }
        #expect(throws: FileError(LocalPath(folder.path), .isDirectory)) { try readFile(LocalPath(folder.path)) }
        #expect(throws: FileError(pipe, .isNamedPipe)) { try RandomAccessFile(pipe) }
        #expect(throws: FileError(pipe, .notDirectory)) { try folderEntries(pipe) }
        #expect(throws: FileError(pipe, .isNamedPipe)) {
            _ = try ByteSource(path: pipe, named: pipe, accepting: .regularFile)
        }
        #expect(openToOverwrite(pipe) == nil)
    }

    @Test("as a pipe if a person has named it, and then waits for its writer")
    func readsPipes() throws {
        let folder = try TestFolder()
        let pipe = pipe(in: folder)
        let read = withThread {
            usleep(50_000)
            guard let number = try? openForWriting(through: pipe) else { return }
            usleep(50_000)
            try? writeAll(Array("one\ntwo\n".utf8), to: number)
            close(number)
        } _: { _ in
            try? readFile(pipe, accepting: .anyFile)
        }
        #expect(read == Array("one\ntwo\n".utf8))
        // A writer that says nothing ends the waiting.
        let nothing = withThread {
            usleep(50_000)
            if let number = try? openForWriting(through: pipe) { close(number) }
        } _: { _ in
            try? readFile(pipe, accepting: .anyFile)
        }
        #expect(nothing == [])
    }

    @Test("so that its descriptor waits for bytes again and is closed in other programs")
    func flags() throws {
        let folder = try TestFolder()
        let number = try openForReading(LocalPath(folder.put("x", at: "file")))
        defer { close(number) }
        #expect(fcntl(number, F_GETFL) & O_NONBLOCK == 0)
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
