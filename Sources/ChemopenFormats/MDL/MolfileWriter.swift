import ChemopenBytes
import ChemopenModel

/// Writes molfiles, from the title to `M  END`: the inverse of `MolfileReader`.
struct MolfileWriter {
    let options: WriteOptions
    /// What the molecules written so far held and their version has no place for.
    var report = WriteReport()

    init(_ options: WriteOptions) {
        self.options = options
    }

    /// Adds a molecule to the output, in the version that the options ask for or that its content needs.
    mutating func write(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
        let reason = options.version == .v2000 ? nil : V3000Need.reason(for: molecule)
        if options.version == .v3000 || (options.version == .asNeeded && reason != nil) {
            report.version = "V3000"
            if options.version == .asNeeded { report.reason = reason ?? "" }
            writeV3000(molecule, to: &output)
        } else {
            if report.version.isEmpty { report.version = "V2000" }
            writeV2000(molecule, to: &output)
        }
    }
}

/// Whether a molecule can be said in V2000.
enum V3000Need {
    /// What it holds that V2000 has no place for; `nil` where there is nothing.
    static func reason(for molecule: borrowing Molecule) -> String? {
        if molecule.atoms.count > 999 { return "more than 999 atoms" }
        if molecule.bonds.count > 999 { return "more than 999 bonds" }
        return nil
    }
}
