import Foundation
import Glibc
import TestFolders
import Testing

@testable import ChemopenBytes

/// Paths at which another user has put an entry that is not a file. The time limit ends a test that waits forever.
@Suite("Opening a file", .timeLimit(.minutes(1)))
struct FileOpeningTests {
    private func pipe(in folder: TestFolder) -> LocalPath {
        let path = LocalPath(folder.path("pipe"))
        #expect(unsafe mkfifo(path.cString, 0o666) == 0)
        return path
    }

    @Test("rejects an entry that is not a regular file, without waiting")
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

    @Test("opens a pipe that the user specified, and waits for its writer")
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
        // A writer that closes the pipe without output ends the wait.
        let nothing = withThread {
            usleep(50_000)
            if let number = try? openForWriting(through: pipe) { close(number) }
        } _: { _ in
            try? readFile(pipe, accepting: .anyFile)
        }
        #expect(nothing == [])
    }

    @Test("returns a descriptor that blocks on reads and is closed in child processes")
    func flags() throws {
        let folder = try TestFolder()
        let number = try openForReading(LocalPath(folder.put("x", at: "file")))
        defer { close(number) }
        #expect(fcntl(number, F_GETFL) & O_NONBLOCK == 0)
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
