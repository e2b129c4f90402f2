/// A short checksum of bytes. Collisions are unlikely (FNV-1a, 64 bits, mixed at the end).
package struct Fingerprint: Sendable, Hashable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(_ bytes: [UInt8]) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state ^= state >> 32
        state = state &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
    }

    /// The checksum as ten letters and digits.
    package var text: String {
        let text = String(state & 0x3_FFFF_FFFF_FFFF, radix: 36)
        return String(repeating: "0", count: max(0, 10 - text.count)) + text
    }
}
