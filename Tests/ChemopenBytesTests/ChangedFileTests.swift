import Foundation
import Glibc
import TestFolders
import Testing

@testable import ChemopenBytes

/// Files that another program changes while they are read, and paths whose status the system cannot determine.
@Suite("A file that changes while it is read")
struct ChangedFileTests {
    private static let size = 100_000

    enum Change: CaseIterable {
        case cut, emptied, overwritten, replacedInPlace, appended

        var isNoticed: Bool { self != .appended }

        func make(at path: String) throws {
            let number = try #require(openToOverwrite(LocalPath(path)))
            defer { close(number) }
            switch self {
            case .cut: #expect(ftruncate(number, off_t(ChangedFileTests.size / 2)) == 0)
            case .emptied: #expect(ftruncate(number, 0) == 0)
            case .overwritten: try writeAll(Array("other".utf8), to: number)
            case .replacedInPlace:
                #expect(ftruncate(number, 0) == 0)
                try writeAll([UInt8](repeating: 0x42, count: ChangedFileTests.size), to: number)
            case .appended:
                lseek(number, 0, SEEK_END)
                try writeAll(Array("more".utf8), to: number)
            }
            // The clock of the file system may be too coarse to show the change.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 9)], ofItemAtPath: path)
        }
    }

    private func makeFile(in folder: TestFolder) throws -> String {
        try folder.put([UInt8](repeating: 0x41, count: Self.size), at: "a")
    }

    @Test("is not treated as read to its end, unless bytes were only appended", arguments: Change.allCases)
    func noticed(change: Change) throws {
        let folder = try TestFolder()
        let path = try makeFile(in: folder)
        for blockSize in [1000, 16 * 1024, 99_999, 100_000, 200_000] {
            _ = try makeFile(in: folder)
            var source = try ByteSource(path: path, blockSize: blockSize)
            #expect(try source.fill())
            try change.make(at: path)
            var failure: FileError?
            do throws(FileError) {
                while try source.fill() { source.consume(to: source.window.upperBound) }
            } catch {
                failure = error
            }
            #expect(failure == (change.isNoticed ? FileError(path, .changedWhileRead) : nil), "\(blockSize)")
            if let failure { #expect(failure.isLostContent) }
        }
    }

    @Test("is also detected in the second of two passes", arguments: Change.allCases)
    func secondPass(change: Change) throws {
        let folder = try TestFolder()
        let path = try makeFile(in: folder)
        let held = try #require(try HeldFile(path: LocalPath(path)))
        func pass() throws(FileError) -> Int {
            var source = try held.source(blockSize: 4096)
            return try source.allBytes().count
        }
        #expect(try pass() == Self.size)
        try change.make(at: path)
        if change.isNoticed {
            #expect(throws: FileError(path, .changedWhileRead)) { try pass() }
        } else {
            #expect(try pass() == Self.size + 4)
        }
    }

    @Test("is also detected if it is a small file that is read at once", arguments: Change.allCases)
    func wholeFile(change: Change) throws {
        let folder = try TestFolder()
        let path = try makeFile(in: folder)
        var isChanged = false
        let read = { () throws(FileError) in
            try readFile(LocalPath(path)) {
                if !isChanged { #expect(throws: Never.self) { try change.make(at: path) } }
                isChanged = true
                return true
            }
        }
        if change.isNoticed {
            #expect(throws: FileError(path, .changedWhileRead)) { try read() }
        } else {
            #expect(try read().count == Self.size + 4)
        }
    }

    @Test("is not treated as missing if the system cannot determine its status")
    func unknown() throws {
        let folder = try TestFolder()
        try folder.link("loop", to: "loop")
        let path = LocalPath(folder.path("loop"))
        #expect(throws: FileError.self) { try FileUpdate(path).read() }
        #expect(throws: FileError.self) { try FileUpdate(path, isLocked: true) }
        #expect(throws: FileError.self) { try writeFile([1], to: path, replacing: true) }
        let missing = LocalPath(folder.path("missing"))
        #expect(try FileUpdate(missing).read() == [])
        let below = LocalPath(try folder.put("x", at: "file") + "/x")
        #expect(try statusIfPresent(below) == nil)
        #expect(folder.names == ["file", "loop"])
    }
}
