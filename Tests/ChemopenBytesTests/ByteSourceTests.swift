import TestFolders
import Testing

@testable import ChemopenBytes

/// `one\ntwo\n` and `three\n`, compressed by gzip(1).
private let packedOneTwo: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0xcf, 0x4b, 0xe5, 0x2a, 0x29, 0xcf, 0xe7, 0x02,
    0x00, 0xe6, 0x0b, 0xba, 0x12, 0x08, 0x00, 0x00, 0x00,
]
private let packedThree: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x2b, 0xc9, 0x28, 0x4a, 0x4d, 0xe5, 0x02, 0x00, 0xd8,
    0xc5, 0x46, 0xff, 0x06, 0x00, 0x00, 0x00,
]

/// Reads to the end, and consumes the complete window after each read.
private func text(_ source: consuming ByteSource) throws(FileError) -> String {
    var all: [UInt8] = []
    repeat {
        all.append(contentsOf: source.buffer[source.window])
        source.consume(to: source.window.upperBound)
    } while try source.fill()
    return String(decoding: all, as: UTF8.self)
}

@Suite("Byte source")
struct ByteSourceTests {
    @Test("a file has the same bytes for every block size", arguments: [1, 2, 3, 7, 13, 14, 15, 4096])
    func blockSizes(blockSize: Int) throws {
        let folder = try TestFolder()
        let plain = try folder.put("one\ntwo\nthree\n", at: "plain")
        let packed = try folder.put(packedOneTwo + packedThree, at: "packed")
        #expect(try text(ByteSource(path: plain, blockSize: blockSize)) == "one\ntwo\nthree\n")
        #expect(try text(ByteSource(path: packed, blockSize: blockSize)) == "one\ntwo\nthree\n")
    }

    @Test("a file can be read again from its start, and a pipe cannot")
    func rewinding() throws {
        let folder = try TestFolder()
        for bytes in [Array("one\ntwo\nthree\n".utf8), packedOneTwo + packedThree] {
            var source = try ByteSource(path: folder.put(bytes, at: "a"), blockSize: 5)
            _ = try source.fill()
            source.consume(to: 3)
            _ = try source.fill()
            let canRewind = source.canRewind
            #expect(canRewind)
            try source.rewind()
            #expect(try text(source) == "one\ntwo\nthree\n")
        }
        let device = try ByteSource(path: "/dev/null")
        let canRewind = device.canRewind
        #expect(!canRewind)
    }

    @Test("a source reports its name, its size and its position")
    func progress() throws {
        let folder = try TestFolder()
        let path = try folder.put(packedOneTwo, at: "a.gz")
        var source = try ByteSource(path: path)
        #expect(source.name == path)
        #expect(source.isCompressed == true)
        #expect(source.size == 28)
        #expect(try source.fill())
        #expect(source.window.count == 8)
        #expect(source.bytesRead == 28)
        #expect(try !source.fill())
        #expect(source.isAtEnd == true)
    }

    @Test("bytes that are not consumed stay in the window when it grows")
    func growingWindow() throws {
        var source = try ByteSource(inBlocksOf: 2, Array("abcdefghij".utf8))
        #expect(try source.fill())
        #expect(source.buffer[source.window].elementsEqual("ab".utf8))
        source.consume(to: source.window.lowerBound + 1)
        while source.window.count < 9, try source.fill() {}
        #expect(source.buffer[source.window].elementsEqual("bcdefghij".utf8))
        #expect(source.offset == 1)
        source.consume(to: source.window.lowerBound + 4)
        #expect(source.offset == 5)
        #expect(try !source.fill())
        #expect(source.buffer[source.window].elementsEqual("fghij".utf8))
        #expect(source.offset == 5)
    }

    @Test("memory use stays at one block if records are smaller")
    func boundedMemory() throws {
        var source = try ByteSource(inBlocksOf: 1000, [UInt8](repeating: 0x41, count: 1_000_000))
        var total = 0
        while try source.fill() {
            total += source.window.count
            #expect(source.buffer.capacity < 2000)
            source.consume(to: source.window.upperBound)
        }
        #expect(total == 1_000_000)
    }

    @Test("consuming a position outside the window stops at its bounds")
    func consumeIsClamped() throws {
        var source = try ByteSource(Array("abc".utf8), offset: 100)
        source.consume(to: 2)
        source.consume(to: 1)
        #expect(source.offset == 102)
        source.consume(to: 99)
        #expect(source.offset == 103)
        #expect(source.window.isEmpty)
    }

    @Test("uncompressed bytes in memory are available at once")
    func memory() throws {
        var source = try ByteSource(Array("abc".utf8), name: "block 7", offset: 40)
        #expect(source.buffer == Array("abc".utf8))
        #expect(source.window == 0..<3)
        #expect(source.offset == 40)
        #expect(source.isAtEnd == true)
        #expect(source.name == "block 7")
        #expect(source.bytesRead == 3)
        #expect(try !source.fill())
        #expect(source.window == 0..<3)
    }

    @Test("gzip data in memory is decompressed")
    func packedMemory() throws {
        #expect(try text(ByteSource(packedThree)) == "three\n")
    }

    @Test("an empty file and a file of one byte are not gzip", arguments: ["", "\u{1f}"])
    func tinyFiles(content: String) throws {
        let folder = try TestFolder()
        #expect(try text(ByteSource(path: folder.put(content, at: "tiny"))) == content)
    }

    @Test(
        "zeros and garbage after the last gzip member are padding",
        arguments: [[0], [0, 0, 0, 0], [0x1f], [7, 8, 9]])
    func trailingBytes(padding: [UInt8]) throws {
        #expect(try text(ByteSource(packedThree + padding)) == "three\n")
        #expect(try text(ByteSource(inBlocksOf: 1, packedOneTwo + padding)) == "one\ntwo\n")
    }

    @Test("a truncated gzip stream returns its content and then reports the damage", arguments: 2..<28)
    func truncated(count: Int) throws {
        var source = try ByteSource(Array(packedOneTwo.prefix(count)))
        var all: [UInt8] = []
        let error = #expect(throws: FileError.self) {
            while try source.fill() {
                all.append(contentsOf: source.buffer[source.window])
                source.consume(to: source.window.upperBound)
            }
        }
        #expect(error == FileError("memory", .damagedGzip))
        #expect("one\ntwo\n".utf8.starts(with: all))
        #expect(count < 20 || all.count == 8)
        #expect(try !source.fill())
    }

    @Test("a truncated second gzip member is damage, not padding")
    func truncatedSecondMember() {
        #expect(throws: FileError("memory", .damagedGzip)) {
            try text(ByteSource(packedThree + packedOneTwo.dropLast(3)))
        }
    }

    @Test("a wrong checksum is reported after all bytes are returned")
    func wrongChecksum() throws {
        var bytes = packedThree
        bytes[20] ^= 1
        var source = try ByteSource(bytes)
        #expect(try source.fill())
        #expect(source.buffer[source.window].elementsEqual("three\n".utf8))
        #expect(throws: FileError("memory", .damagedGzip)) { try source.fill() }
    }

    @Test("an unreadable file is reported with its path")
    func refused() throws {
        let folder = try TestFolder()
        let missing = folder.path("missing.sdf")
        #expect(throws: FileError(missing, .notFound)) { _ = try ByteSource(path: missing) }
        #expect(throws: FileError(folder.path, .isDirectory)) { _ = try ByteSource(path: folder.path) }
        #expect(FileError("missing.sdf", .notFound).description == "missing.sdf: no such file")
    }

    @Test("a device is read as a stream without a size")
    func device() throws {
        let source = try ByteSource(path: "/dev/null")
        #expect(source.size == nil)
        #expect(try text(source) == "")
    }
}
