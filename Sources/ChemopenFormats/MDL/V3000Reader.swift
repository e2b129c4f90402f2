import ChemopenBytes
import ChemopenModel

extension MolfileReader {
    mutating func readV3000(_ bytes: Span<UInt8>) throws(Fault) {
        throw Fault(line: currentLine, expected: "V2000")
    }
}
