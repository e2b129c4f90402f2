import TestFolders
import Testing

@testable import ChemopenBytes

/// `one\ntwo\n` and `three\n` as gzip(1) packs them.
private let packedOneTwo: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0xcf, 0x4b, 0xe5, 0x2a, 0x29, 0xcf, 0xe7, 0x02,
    0x00, 0xe6, 0x0b, 0xba, 0x12, 0x08, 0x00, 0x00, 0x00,
]
private let packedThree: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x2b, 0xc9, 0x28, 0x4a, 0x4d, 0xe5, 0x02, 0x00, 0xd8,
    0xc5, 0x46, 0xff, 0x06, 0x00, 0x00, 0x00,
]

/// Reads to the end, taking all that is in view each time.
private func text(_ source: consuming ByteSource) throws(FileError) -> String {
    var all: [UInt8] = []
    repeat {
        all.append(contentsOf: source.buffer[source.window])
        source.consume(to: source.window.upperBound)
    } while try source.fill()
    return String(decoding: all, as: UTF8.self)
}

@Suite("A byte source")
struct ByteSourceTests {
    @Test("a file is the same bytes, whatever the size of a block", arguments: [1, 2, 3, 7, 13, 14, 15, 4096])
    func blockSizes(blockSize: Int) throws {
        let folder = try TestFolder()
        let plain = try folder.put("one\ntwo\nthree\n", at: "plain")
        let packed = try folder.put(packedOneTwo + packedThree, at: "packed")
        #expect(try text(ByteSource(path: plain, blockSize: blockSize)) == "one\ntwo\nthree\n")
        #expect(try text(ByteSource(path: packed, blockSize: blockSize)) == "one\ntwo\nthree\n")
    }

    @Test("a file can be had once more from its first byte, a pipe cannot")
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

    @Test("a source knows its name, its size, and how far it has come")
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

    @Test("what is not consumed stays in view while the window grows")
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

    @Test("memory stays at one block while records are smaller")
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

    @Test("consuming outside of the window stops at its ends")
    func consumeIsClamped() throws {
        var source = try ByteSource(Array("abc".utf8), offset: 100)
        source.consume(to: 2)
        source.consume(to: 1)
        #expect(source.offset == 102)
        source.consume(to: 99)
        #expect(source.offset == 103)
        #expect(source.window.isEmpty)
    }

    @Test("plain bytes in memory are in view at once and end there")
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

    @Test("gzip in memory is unpacked")
    func packedMemory() throws {
        #expect(try text(ByteSource(packedThree)) == "three\n")
    }

    @Test("an empty file and a file of one byte are plain", arguments: ["", "\u{1f}"])
    func tinyFiles(content: String) throws {
        let folder = try TestFolder()
        #expect(try text(ByteSource(path: folder.put(content, at: "tiny"))) == content)
    }

    @Test(
        "zeros and garbage behind the last gzip member are padding",
        arguments: [[0], [0, 0, 0, 0], [0x1f], [7, 8, 9]])
    func trailingBytes(padding: [UInt8]) throws {
        #expect(try text(ByteSource(packedThree + padding)) == "three\n")
        #expect(try text(ByteSource(inBlocksOf: 1, packedOneTwo + padding)) == "one\ntwo\n")
    }

    @Test("a gzip stream cut anywhere gives what it held, then says that it is damaged", arguments: 2..<28)
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

    @Test("a second member cut short is damage, not padding")
    func truncatedSecondMember() {
        #expect(throws: FileError("memory", .damagedGzip)) {
            try text(ByteSource(packedThree + packedOneTwo.dropLast(3)))
        }
    }

    @Test("a wrong checksum is told behind all the bytes")
    func wrongChecksum() throws {
        var bytes = packedThree
        bytes[20] ^= 1
        var source = try ByteSource(bytes)
        #expect(try source.fill())
        #expect(source.buffer[source.window].elementsEqual("three\n".utf8))
        #expect(throws: FileError("memory", .damagedGzip)) { try source.fill() }
    }

    @Test("what cannot be read is refused by name")
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
