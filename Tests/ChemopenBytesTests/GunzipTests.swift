import Testing

@testable import ChemopenBytes

/// Both gzip libraries must behave the same for their callers.
@Suite("Decompression by ISA-L and by zlib")
struct GunzipTests {
    private struct NoMemory: Error {}

    private struct Outcome: Equatable {
        var bytes: [UInt8] = []
        var members = 0
        var isDamaged = false
        var taken = 0
    }

    /// Decompresses with limited blocks of input and output.
    private func unpack(_ packed: [UInt8], isFast: Bool, input: Int, room: Int) throws -> Outcome {
        guard var gunzip = Gunzip(isFast: isFast) else { throw NoMemory() }
        var outcome = Outcome()
        var buffer: [UInt8] = []
        var position = 0
        var isEnded = false
        while !isEnded {
            let end = min(packed.count, position + input)
            let before = (position, buffer.count)
            var result = Gunzip.Outcome.damaged
            buffer.append(addingCapacity: room) { output in
                result = gunzip.unpack(Array(packed[..<end]).span, from: &position, into: &output)
            }
            switch result {
            case .goesOn:
                // The input ends inside a member.
                isEnded = (position, buffer.count) == before && end == packed.count
                outcome.isDamaged = isEnded
            case .endOfMember:
                outcome.members += 1
                gunzip.startMember()
                isEnded = position == packed.count
            case .damaged:
                outcome.isDamaged = true
                isEnded = true
            }
        }
        outcome.bytes = buffer
        outcome.taken = position
        return outcome
    }

    /// Returns a gzip member of some bytes.
    private func packed(_ bytes: [UInt8], level: Int32 = 6) throws -> [UInt8] {
        guard var deflate = Deflate(level: level) else { throw NoMemory() }
        var packed: [UInt8] = []
        var position = 0
        var isPending = true
        while isPending {
            packed.append(addingCapacity: 4096) { output in
                isPending = deflate.pack(bytes.span, from: &position, isLast: true, into: &output)
            }
        }
        return packed
    }

    @Test("both return the same bytes for any block size of input and output")
    func cuts() throws {
        var chance = SystemRandomNumberGenerator()
        for size in [0, 1, 5, 100, 3000, 70_000, 300_000] {
            let text = (0..<size).map { UInt8(truncatingIfNeeded: 32 + ($0 * $0 / 7) % 60) }
            let noise = (0..<size / 10).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
            let file = try packed(text) + packed(noise, level: 1) + packed([]) + packed(text, level: 9)
            let whole = Outcome(bytes: text + noise + text, members: 4, isDamaged: false, taken: file.count)
            for _ in 0..<20 {
                let input = Int.random(in: 1...max(1, file.count / (size > 10_000 ? 20 : 1)), using: &chance) + 7
                let room = Int.random(in: 1...max(1, size), using: &chance) + (size > 10_000 ? 500 : 0)
                #expect(try unpack(file, isFast: true, input: input, room: room) == whole, "\(size) \(input) \(room)")
                #expect(try unpack(file, isFast: false, input: input, room: room) == whole)
            }
        }
    }

    @Test("both detect the same damage, and return the same bytes before it")
    func damage() throws {
        var chance = SystemRandomNumberGenerator()
        let text = (0..<20_000).map { UInt8(truncatingIfNeeded: 32 + ($0 * $0 / 7) % 60) }
        let file = try packed(text) + packed(text)
        for _ in 0..<1000 {
            var damaged = file
            let place = Int.random(in: 0..<file.count, using: &chance)
            switch Int.random(in: 0..<3, using: &chance) {
            case 0: damaged.removeLast(file.count - place)
            case 1: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
            default: damaged.insert(0x5A, at: place)
            }
            let fast = try unpack(damaged, isFast: true, input: 16_384, room: 65_536)
            let plain = try unpack(damaged, isFast: false, input: 16_384, room: 65_536)
            #expect(fast.bytes.starts(with: plain.bytes), "byte \(place)")
            // Only zlib may reject an unused bit of the header. Both verify the checksum.
            #expect(fast == plain || plain.isDamaged, "byte \(place)")
            #expect(fast.isDamaged || [text + text, text, []].contains(fast.bytes), "byte \(place)")
        }
    }
}
