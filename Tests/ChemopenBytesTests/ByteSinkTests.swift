import TestFolders
import Testing

@testable import ChemopenBytes

private func write(_ text: String, to path: String, replacing: Bool = false) throws(FileError) {
    var sink = try ByteSink(path: path, replacing: replacing)
    sink.bytes.append(contentsOf: text.utf8)
    try sink.commit()
}

@Suite("Byte sink")
struct ByteSinkTests {
    @Test("a committed file contains the bytes, and no other file is left in the directory")
    func commit() throws {
        let folder = try TestFolder()
        try write("hello\n", to: folder.path("a.txt"))
        #expect(folder.text("a.txt") == "hello\n")
        #expect(folder.names == ["a.txt"])
    }

    @Test("without a commit, no file appears even after many writes")
    func noCommit() throws {
        let folder = try TestFolder()
        do {
            var sink = try ByteSink(path: folder.path("a.txt"))
            sink.bytes.append(contentsOf: repeatElement(0x41, count: 200_000))
            try sink.flushIfLarge()
            #expect(sink.bytes.isEmpty)
            sink.bytes.append(0x42)
            try sink.flushIfLarge()
            #expect(sink.bytes == [0x42])
        }
        #expect(folder.names == [])
    }

    @Test("an existing file is not overwritten by default")
    func existing() throws {
        let folder = try TestFolder()
        let path = try folder.put("old", at: "a.txt")
        #expect(throws: FileError(path, .alreadyExists)) { try write("new", to: path) }
        #expect(folder.text("a.txt") == "old")
    }

    @Test("a file that appears during writing is not overwritten by default")
    func raced() throws {
        let folder = try TestFolder()
        var sink = try ByteSink(path: folder.path("a.txt"))
        let path = try folder.put("first", at: "a.txt")
        #expect(throws: FileError(path, .alreadyExists)) { try sink.commit() }
        #expect(folder.text("a.txt") == "first")
        #expect(folder.names == ["a.txt"])
    }

    @Test("the old file exists until the commit, and the new file gets its permissions")
    func replacing() throws {
        let folder = try TestFolder()
        let path = try folder.put("old", at: "a.txt")
        try folder.setMode(0o640, of: "a.txt")
        do {
            var sink = try ByteSink(path: path, replacing: true)
            sink.bytes.append("half")
            try sink.flush()
            #expect(folder.text("a.txt") == "old")
        }
        #expect(folder.text("a.txt") == "old")
        try write("new", to: path, replacing: true)
        #expect(folder.text("a.txt") == "new")
        #expect(try folder.mode(of: "a.txt") == 0o640)
        #expect(folder.names == ["a.txt"])
    }

    @Test("temporary files of killed processes are deleted; files in use and files of other programs stay")
    func leftovers() throws {
        let folder = try TestFolder()
        try folder.put("left", at: ".chemopen-1abc")
        try folder.put("in use", at: ".chemopen-2abc")
        for name in [".chemopen-", ".chemopen-ABC-", ".chemopen-0123456789abcd", ".chemopen-a.sdf", "chemopen-1"] {
            try folder.put("theirs", at: name)
        }
        try folder.link(".chemopen-3", to: ".chemopen-a.sdf")
        let used = try FileDescriptor(reading: LocalPath(folder.path(".chemopen-2abc")))
        let isClaimed = used.claim()
        #expect(isClaimed)
        ByteSink.sweep(beside: LocalPath(folder.path("a.txt")))
        #expect(folder.text(".chemopen-1abc") == nil)
        #expect(folder.text(".chemopen-2abc") == "in use")
        #expect(folder.names.count == 7)
        _ = used.setMode(0o600)
    }

    @Test("a file that is being written survives the cleanup of temporary files")
    func sweptWhileWriting() throws {
        let folder = try TestFolder()
        let path = LocalPath(folder.path("a.txt"))
        do {
            var staged = try StagedFile.open(path, replacing: false, avoidingUnnamed: true)
            ByteSink.sweep(beside: path)
            try staged.write(Array("text".utf8).span)
            try staged.publish()
        }
        #expect(folder.text("a.txt") == "text")
        #expect(folder.names == ["a.txt"])
    }

    @Test("replacing a file with several hard links warns that the other names refer to the old content")
    func hardLinks() throws {
        let folder = try TestFolder()
        let path = try folder.put("old", at: "a.txt")
        #expect(try ByteSink(path: path, replacing: true).unkept == [])
        try linkFile(LocalPath(path), to: LocalPath(folder.path("b.txt")), as: "b.txt")
        #expect(
            try ByteSink(path: path, replacing: true).unkept
                == ["its other hard links, which still have the old content"])
    }

    @Test("a symbolic link refers to the new file after a replacement")
    func links() throws {
        let folder = try TestFolder()
        try folder.put("old", at: "real.txt")
        try folder.link("link.txt", to: "real.txt")
        #expect(throws: FileError(folder.path("link.txt"), .alreadyExists)) {
            try write("new", to: folder.path("link.txt"))
        }
        try write("new", to: folder.path("link.txt"), replacing: true)
        #expect(folder.text("real.txt") == "new")
        #expect(linkTarget(LocalPath(folder.path("link.txt"))) == "real.txt")
        try folder.link("dangling.txt", to: "later.txt")
        try write("made", to: folder.path("dangling.txt"))
        #expect(folder.text("later.txt") == "made")
        try folder.link("loop", to: "loop")
        #expect(throws: FileError.self) { try write("never", to: folder.path("loop")) }
    }

    @Test("a file name that ends in .gz is compressed, in blocks or at once")
    func packed() throws {
        let folder = try TestFolder()
        let path = folder.path("a.gz")
        var sink = try ByteSink(path: path)
        var expected: [UInt8] = []
        for number in 0..<60_000 {
            sink.bytes.appendPadded(number &* 7919 % 100_003, width: 8)
            expected.appendPadded(number &* 7919 % 100_003, width: 8)
            try sink.flushIfLarge()
        }
        try sink.commit()
        var source = try ByteSource(path: path)
        #expect(source.isCompressed == true)
        var all: [UInt8] = []
        while try source.fill() {
            all.append(contentsOf: source.buffer[source.window])
            source.consume(to: source.window.upperBound)
        }
        #expect(all == expected)
    }

    @Test("an empty compressed file is an empty gzip member")
    func emptyPacked() throws {
        let folder = try TestFolder()
        try write("", to: folder.path("a.gz"))
        var source = try ByteSource(path: folder.path("a.gz"))
        #expect(source.isCompressed == true)
        #expect(try !source.fill())
    }

    @Test("an in-memory sink collects all bytes")
    func memory() throws {
        var sink = ByteSink()
        sink.bytes.append(contentsOf: repeatElement(0x41, count: 100_000))
        try sink.flushIfLarge()
        try sink.commit()
        #expect(sink.bytes.count == 100_000)
    }

    @Test("a full device is reported with and without compression")
    func fullDevice() throws {
        #expect(throws: FileError("/dev/full", .noSpace)) { try write("a", to: "/dev/full") }
        let folder = try TestFolder()
        try folder.link("full.gz", to: "/dev/full")
        #expect(throws: FileError(folder.path("full.gz"), .noSpace)) { try write("a", to: folder.path("full.gz")) }
        #expect(fileKind("/dev/full") == .device)
    }

    @Test("a device is written directly, even if files may not be replaced")
    func device() throws {
        try write("gone", to: "/dev/null")
        #expect(fileKind("/dev/null") == .device)
    }

    @Test("a directory and a missing directory are reported as different errors")
    func folders() throws {
        let folder = try TestFolder()
        #expect(throws: FileError(folder.path, .isDirectory)) { try write("a", to: folder.path, replacing: true) }
        let lost = folder.path("none/a.txt")
        #expect(throws: FileError(lost, .folderNotFound)) { try write("a", to: lost) }
        #expect(throws: FileError("", .notFound)) { try write("a", to: "") }
    }

    @Test("the start of a file can be overwritten later, unless the file is compressed or a stream")
    func overwriting() throws {
        let folder = try TestFolder()
        var sink = try ByteSink(path: folder.path("a.txt"))
        sink.bytes.append(contentsOf: "rows: 10, \(String(repeating: "x", count: 200_000))".utf8)
        try sink.flushIfLarge()
        sink.bytes.append(contentsOf: " and more".utf8)
        let isRight = try sink.overwrite(Array("rows: 12".utf8))
        #expect(isRight)
        sink.bytes.append(contentsOf: ", end".utf8)
        try sink.commit()
        #expect(folder.text("a.txt") == "rows: 12, \(String(repeating: "x", count: 200_000)) and more, end")
        for path in [folder.path("a.txt.gz"), "/dev/null"] {
            var other = try ByteSink(path: path)
            other.bytes.append(0x41)
            let isOther = try other.overwrite([0x42])
            #expect(!isOther)
        }
        var memory = ByteSink()
        let isInMemory = try memory.overwrite([0x42])
        #expect(!isInMemory)
    }

    @Test("without support for unnamed files, the named temporary file is equally private and atomic")
    func namedTemporary() throws {
        let folder = try TestFolder()
        for replacing in [false, true] {
            var staged = try StagedFile.open(
                LocalPath(folder.path("a.txt")), replacing: replacing, avoidingUnnamed: true)
            try staged.write("\(replacing)".utf8.span)
            #expect(folder.names.contains { $0.hasPrefix(".chemopen-") })
            try staged.publish()
        }
        #expect(folder.text("a.txt") == "true")
        do { _ = try StagedFile.open(LocalPath(folder.path("b.txt")), replacing: false, avoidingUnnamed: true) }
        #expect(folder.names == ["a.txt"])
    }
}
