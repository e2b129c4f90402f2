import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("OLE compound files")
struct CompoundFileTests {
    private static let none: UInt32 = 0xFFFF_FFFF
    private static let end: UInt32 = 0xFFFF_FFFE

    /// Returns a file whose sector table is referenced by the last of several lists.
    ///
    /// The stream `CONTENTS` uses large sectors, because the limit for small streams is 0.
    private func file(lists: Int, name: String = "CONTENTS", content: [UInt8]) -> [UInt8] {
        // Sector 0 is the table, 1 the directory, 2 and 3 the content; the lists follow.
        var head = CompoundFile.signature + [UInt8](repeating: 0, count: 512 - 8)
        func put(_ value: UInt32, _ place: Int, in bytes: inout [UInt8]) {
            for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte))) }
        }
        head[30] = 9
        head[32] = 6
        put(1, 48, in: &head)
        put(Self.none, 60, in: &head)
        put(lists == 0 ? Self.end : 4, 68, in: &head)
        for place in 0..<109 { put(lists == 0 && place == 0 ? 0 : Self.none, 76 + 4 * place, in: &head) }
        var table = [UInt8](repeating: 0xFF, count: 512)
        put(Self.end, 4, in: &table)
        put(3, 8, in: &table)
        put(Self.end, 12, in: &table)
        var directory = [UInt8](repeating: 0, count: 512)
        for (place, unit) in name.utf16.enumerated() { directory[2 * place] = UInt8(truncatingIfNeeded: unit) }
        directory[64] = UInt8(2 * name.utf16.count + 2)
        directory[66] = 2
        put(2, 116, in: &directory)
        put(UInt32(content.count), 120, in: &directory)
        var bytes = head + table + directory + content
        bytes += [UInt8](repeating: 0, count: 512 * 5 - bytes.count)
        for number in 0..<lists {
            var list = [UInt8](repeating: 0xFF, count: 512)
            if number == lists - 1 { put(0, 0, in: &list) }
            put(number == lists - 1 ? Self.end : UInt32(5 + number), 508, in: &list)
            bytes += list
        }
        // The reader visits at most as many lists as there are sectors.
        return bytes + [UInt8](repeating: 0, count: 512 * 127 * (lists + 1))
    }

    private let content = (0..<900).map { UInt8(truncatingIfNeeded: $0) }

    @Test("a stream is found by its name, independent of the list that refers to the sector table", arguments: 0..<4)
    func lists(_ count: Int) {
        let file = file(lists: count, content: content)
        #expect(CompoundFile(file[...])?.stream(named: "CONTENTS") == content)
        #expect(CompoundFile(file[...])?.stream(named: "CONTENT") == nil)
    }

    @Test("a cycle of sector lists ends")
    func circle() {
        var bytes = file(lists: 2, content: content)
        // The second list refers to the first list.
        for (place, byte) in [4, 0, 0, 0].enumerated() { bytes[512 * 6 + 508 + place] = UInt8(byte) }
        #expect(CompoundFile(bytes[...])?.stream(named: "CONTENTS") == content)
    }

    @Test("a container without a drawing is rejected with offset 0")
    func noDrawing() throws {
        let reading = try Reading.all(file(lists: 0, name: "OTHER", content: content), by: DrawingReader.self)
        #expect(reading.errors.map(\.offset) == [0])
        #expect(reading.errors.map(\.expected) == ["a drawing in the OLE container; CONTENTS is missing"])
    }
}
