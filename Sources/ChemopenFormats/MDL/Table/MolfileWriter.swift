import ChemopenBytes
import ChemopenModel

/// Writes molfiles, from the title to `M  END`: the inverse of `MolfileReader`.
struct MolfileWriter {
    let options: WriteOptions
    /// The parts of the molecules written so far that their version has no place for.
    var report = WriteReport()

    init(_ options: WriteOptions) {
        self.options = options
    }

    /// Adds a molecule to the output, in the version that the options ask for or that its content needs.
    ///
    /// Most of what asks for V3000 shows at once; the rest is met on the way, and the way is then taken back.
    mutating func write(_ molecule: borrowing Molecule, to output: inout [UInt8]) throws(WriteError) {
        if options.version == .v2000 { try molecule.checkFitsV2000() }
        if let drawn = drawn(molecule) {
            writeAsItIs(drawn, meantBy: drawn.plainestRule, to: &output)
        } else {
            writeAsItIs(molecule, meantBy: molecule.plainestRule, to: &output)
        }
    }

    /// The molecule as MDL's formats draw it; `nil` where it is drawn so already.
    mutating func drawn(_ molecule: borrowing Molecule) -> Molecule? {
        if let noted = LabelledSites.noted(in: molecule) { return drawn(noted) ?? noted }
        guard let drawn = DrawnMolecule(molecule) else { return nil }
        report.losses.note(drawn.losses)
        return drawn.molecule
    }

    /// - Parameter rule: the one by which the hydrogens are meant; the molecule's own, or one that says the same.
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

    /// Returns why the molecule cannot be V2000, and has added nothing then.
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
    /// V2000 has three columns for the number of an atom: beyond 999 its bonds would join other atoms.
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
        WriteError(.impossible, "V2000 counts to 999 and there are \(content); V3000 can hold them")
    }
}

extension Molecule {
    /// MDL's rule where it counts the hydrogens as the molecule's own does, which needs no words then; else its own.
    fileprivate var plainestRule: HydrogenRule { hydrogenRule == .mdl || isAlikeByAllRules ? .mdl : hydrogenRule }
}
