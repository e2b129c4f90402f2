import ChemopenBytes
import ChemopenModel

extension MolfileWriter {
    /// Adds the header and the connection table as V2000.
    mutating func writeV2000(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
    }
}
