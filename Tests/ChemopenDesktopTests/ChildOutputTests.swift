import ChemopenBytes
import Foundation
import Glibc
import TestFolders
import Testing

@testable import ChemopenDesktop

/// Output of programs that end, fail or leave descriptors open.
@Suite("The output of a program", .timeLimit(.minutes(1)))
struct ChildOutputTests {
    private func start(_ line: String, to descriptor: Int32) throws -> ChildProcess {
        try spawn(
            "/bin/sh", ["sh", "-c", line].map { Array($0.utf8) }, environment: [Array("PATH=/usr/bin:/bin".utf8)],
            in: "/",
            streams: .printing(to: descriptor))
    }

    @Test("ends with the program, even if another process holds the other end of its pipe open")
    func heldOpen() throws {
        for (line, output) in [("echo one; echo two", "one\ntwo\n"), ("true", ""), ("sleep 0.3; echo late", "late\n")] {
            let ends = try makePipe()
            let child = try start(line, to: ends.writing)
            #expect(try readToEnd(ends.reading, of: child, limit: 1 << 20) == Array(output.utf8))
            #expect(child.wait() == 0)
            for end in [ends.reading, ends.writing] { closeDescriptor(end) }
        }
    }

    @Test("is read up to its limit, and the exit status remains available")
    func limit() throws {
        let ends = try makePipe()
        let child = try start("head -c 300000 /dev/zero; exit 7", to: ends.writing)
        closeDescriptor(ends.writing)
        #expect(try readToEnd(ends.reading, of: child, limit: 300_001).count == 300_000)
        while !child.hasEnded { sleepMilliseconds(5) }
        #expect(child.hasEnded)
        #expect(child.wait() == 7)
        closeDescriptor(ends.reading)
        let more = try makePipe()
        let endless = try start("exec cat /dev/zero", to: more.writing)
        closeDescriptor(more.writing)
        #expect(try readToEnd(more.reading, of: endless, limit: 100_000).count == 100_000)
        #expect(!endless.hasEnded)
        closeDescriptor(more.reading)
        endless.end()
    }

    @Test("that cannot be read is an error, not an empty output")
    func failure() throws {
        let ends = try makePipe()
        let child = try start("true", to: ends.writing)
        // A directory cannot be read as a file.
        let folder = try openDirectory("/")
        #expect(throws: FileError.self) { try readToEnd(folder, of: child, limit: 100) }
        for end in [ends.reading, ends.writing, folder] { closeDescriptor(end) }
        child.end()
    }
}
