/// The streams of an OLE compound file, in which other programs embed drawings.
///
/// The file is divided into sectors; for each sector, a table contains the next sector of its chain. Streams of less
/// than 4096 bytes are stored in small sectors inside one long stream. No chain is followed for more steps than there
/// are sectors.
struct CompoundFile {
    static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    private let bytes: ArraySlice<UInt8>
    private let sectorSize: Int
    private let smallSectorSize: Int
    private let smallStreamLimit: Int
    private var table: [UInt32] = []
    private var smallTable: [UInt32] = []
    private var directory: [UInt8] = []

    /// Creates the reader, or returns nil if the header is invalid.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 512, bytes.starts(with: Self.signature) else { return nil }
        self.bytes = bytes
        let sectorShift = Int(Self.word(bytes, 30))
        let smallShift = Int(Self.word(bytes, 32))
        guard (7...16).contains(sectorShift), (2...sectorShift).contains(smallShift) else { return nil }
        sectorSize = 1 << sectorShift
        smallSectorSize = 1 << smallShift
        smallStreamLimit = Int(Self.long(bytes, 56))
        readTable()
        directory = chain(from: Self.long(bytes, 48))
        let smallSectors = chain(from: Self.long(bytes, 60))
        smallTable = stride(from: 0, to: smallSectors.count - 3, by: 4).map { Self.long(smallSectors[...], $0) }
    }

    /// Returns the content of the first stream with a name, or nil if there is none.
    func stream(named name: String) -> [UInt8]? {
        let wanted = Array(name.utf16)
        for entry in stride(from: 0, to: directory.count - 127, by: 128) {
            let item = directory[entry..<entry + 128]
            let length = Int(Self.word(item, 64)) / 2 - 1
            guard length == wanted.count, item[entry + 66] == 2 else { continue }
            guard (0..<length).allSatisfy({ Self.word(item, 2 * $0) == wanted[$0] }) else { continue }
            let size = Int(Self.long(item, 120))
            let first = Self.long(item, 116)
            let content = size < smallStreamLimit ? smallChain(from: first) : chain(from: first)
            return Array(content.prefix(size))
        }
        return nil
    }

    /// Reads the sector table. The header lists the first 109 sectors of the table, and a chain of sectors lists the
    /// others.
    private mutating func readTable() {
        var sectors: [UInt32] = (0..<109).map { Self.long(bytes, 76 + 4 * $0) }
        var next = Self.long(bytes, 68)
        var left = sectorCount
        while let list = sector(next), left > 0 {
            for place in stride(from: 0, to: list.count - 7, by: 4) { sectors.append(Self.long(list, place)) }
            next = Self.long(list, list.count - 4)
            left -= 1
        }
        for number in sectors.prefix(sectorCount) {
            guard let content = sector(number) else { continue }
            for place in stride(from: 0, to: content.count - 3, by: 4) { table.append(Self.long(content, place)) }
        }
    }

    private var sectorCount: Int { bytes.count / sectorSize }

    /// Returns the bytes of a sector; the last one can be truncated.
    private func sector(_ number: UInt32) -> ArraySlice<UInt8>? {
        let start = bytes.startIndex + (Int(number) + 1) * sectorSize
        guard start < bytes.endIndex else { return nil }
        return bytes[start..<min(start + sectorSize, bytes.endIndex)]
    }

    private func chain(from first: UInt32) -> [UInt8] {
        var content: [UInt8] = []
        var number = first
        for _ in 0...sectorCount {
            guard let part = sector(number) else { break }
            content += part
            guard table.indices.contains(Int(number)) else { break }
            number = table[Int(number)]
        }
        return content
    }

    /// Returns a small stream, which is stored inside the stream of the directory's first entry.
    private func smallChain(from first: UInt32) -> [UInt8] {
        guard directory.count >= 128 else { return [] }
        let room = chain(from: Self.long(directory[..<128], 116))
        var content: [UInt8] = []
        var number = Int(first)
        for _ in 0...room.count / smallSectorSize {
            let start = number * smallSectorSize
            guard start < room.count, smallTable.indices.contains(number) else { break }
            content += room[start..<min(start + smallSectorSize, room.count)]
            number = Int(smallTable[number])
        }
        return content
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt16 {
        let at = bytes.startIndex + place
        guard place >= 0, at + 2 <= bytes.endIndex else { return 0 }
        return UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
    }

    private static func long(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
        UInt32(word(bytes, place)) | UInt32(word(bytes, place + 2)) << 16
    }
}
