import ChemopenBytes
import ChemopenModel

extension MolfileWriter {
    /// Adds the header and the connection table as V3000.
    mutating func writeV3000(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
    }

    /// Adds the connection table alone, from `BEGIN CTAB` to `END CTAB`.
    mutating func writeCtabV3000(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
    }
}
