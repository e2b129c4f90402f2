import ChemopenBytes
import Testing

@Suite("Checksums")
struct ZlibTests {
    @Test("the CRC-32 matches the published values")
    func checksum() {
        for (text, sum) in [("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082)]
            as [(String, UInt32)]
        {
            #expect(cyclicChecksum(of: Array(text.utf8).span) == sum)
        }
    }
}
