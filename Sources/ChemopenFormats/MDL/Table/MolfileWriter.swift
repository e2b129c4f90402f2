import ChemopenBytes
import ChemopenModel

/// Writes molfiles, from the title to `M  END`: the inverse of `MolfileReader`.
struct MolfileWriter {
    let options: WriteOptions
    /// The losses of all molecules that were written, and the version.
    var report = WriteReport()

    init(_ options: WriteOptions) {
        self.options = options
    }

    /// Appends a molecule, in the version that the options specify or that its content requires.
    ///
    /// Most content that requires V3000 is found in advance. The rest is found while V2000 is written; if it occurs,
    /// the output is discarded and written again.
    mutating func write(_ molecule: borrowing Molecule, to output: inout [UInt8]) throws(WriteError) {
        if options.version == .v2000 { try molecule.checkFitsV2000() }
        if let drawn = drawn(molecule) {
            writeAsItIs(drawn, meantBy: drawn.plainestRule, to: &output)
        } else {
            writeAsItIs(molecule, meantBy: molecule.plainestRule, to: &output)
        }
    }

    /// Returns the molecule in the drawing conventions of the MDL formats; `nil` if it already follows them.
    mutating func drawn(_ molecule: borrowing Molecule) -> Molecule? {
        if let noted = LabeledSites.noted(in: molecule) { return drawn(noted) ?? noted }
        guard let drawn = DrawnMolecule(molecule) else { return nil }
        report.losses.note(drawn.losses)
        return drawn.molecule
    }

    /// Writes a molecule without converting it.
    ///
    /// - Parameter rule: The rule that determines the hydrogens: the molecule's own, or one with the same result.
    private mutating func writeAsItIs(
        _ molecule: borrowing Molecule, meantBy rule: Molecule.HydrogenRule, to output: inout [UInt8]
    ) {
        var reason: V3000Need?
        if options.version == .asNeeded {
            reason = V3000Need(molecule)
            if reason == nil {
                reason = writeV2000(molecule, meantBy: rule, to: &output)
            }
        } else if options.version == .v2000 {
            _ = writeV2000(molecule, meantBy: rule, to: &output)
        }
        if options.version == .v3000 || reason != nil {
            report.version = "V3000"
            if let reason { report.reason = reason.text }
            var meant = copy molecule
            meant.hydrogenRule = rule
            var writer = V3000Writer()
            writer.write(meant, to: &output)
            report.losses.note(writer.losses)
        } else if report.version.isEmpty {
            report.version = "V2000"
        }
    }

    /// Writes V2000, or returns the reason if this is impossible and leaves the output unchanged.
    private mutating func writeV2000(
        _ molecule: borrowing Molecule, meantBy rule: Molecule.HydrogenRule, to output: inout [UInt8]
    ) -> V3000Need? {
        let start = output.count
        var writer = V2000Writer(options)
        if let reason = writer.write(molecule, meantBy: rule, to: &output) {
            output.removeLast(output.count - start)
            return reason
        }
        report.losses.note(writer.losses)
        return nil
    }
}

extension Molecule {
    /// Throws an error if there are more than 999 atoms or bonds, because V2000 has three columns for these numbers.
    borrowing func checkFitsV2000() throws(WriteError) {
        if atoms.count > 999 { throw .beyondV2000("\(atoms.count) atoms") }
        if bonds.count > 999 { throw .beyondV2000("\(bonds.count) bonds") }
        if extras.isEmpty { return }
        for group in extras.contents.rgroups {
            for member in group.members { try member.checkFitsV2000() }
        }
    }
}

extension WriteError {
    static func beyondV2000(_ content: String) -> WriteError {
        WriteError(.impossible, "V2000 is limited to 999, but there are \(content); use V3000")
    }
}

extension Molecule {
    /// The rule of the molecule, or MDL's rule if it gives the same hydrogens, because MDL's rule needs no statements.
    fileprivate var plainestRule: HydrogenRule { hydrogenRule == .mdl || isAlikeByAllRules ? .mdl : hydrogenRule }
}
