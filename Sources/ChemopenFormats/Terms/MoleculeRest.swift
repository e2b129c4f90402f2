import ChemopenModel

/// Data about the complete molecule that have no line in SketchEl's text, stored in a field of the first atom.
///
///     yMDL_REST:{"chiral":true}
enum MoleculeRest {
    private static let tag: StaticString = "yMDL_REST"

    /// Returns the field; nil if it would be empty.
    static func field(of molecule: Molecule) -> Text? {
        if !isSaid(by: molecule) { return nil }
        var rest = molecule
        if !rest.extras.isEmpty {
            // All other data are fields of their atoms.
            rest.extras.contents.stereoGroups.removeAll { $0.kind != .absolute && $0.bonds.isEmpty }
            rest.extras.contents.verbatim.removeAll { !dialects.contains($0.dialect) }
            rest.extras.contents.sgroups = []
        }
        return Remainder.text(of: rest, form).map { ForeignFields.text(Text("\(tag)"), [$0]) }
    }

    private static let form = JSONForm<Molecule>(
        MoleculeForm.form.only(["chiral"]).terms + MoleculeForm.rest.except(["name", "origin", "sgroups"]).terms)

    /// The dialects whose lines are preserved.
    private static let dialects: [Verbatim.Dialect] = [.v2000, .v3000, .v2000Text]

    /// Whether a molecule has such data.
    static func isSaid(by molecule: borrowing Molecule) -> Bool {
        if molecule.flags.contains(.chiral) || !molecule.heading.lines.comment.isEmpty { return true }
        if molecule.extras.isEmpty { return false }
        let contents = molecule.extras.contents
        return !contents.tableName.isEmpty || !contents.keywords.isEmpty || !contents.collections.isEmpty
            || !contents.linkNodes.isEmpty || !contents.rgroups.isEmpty || !contents.templates.isEmpty
            || !contents.stereoGroups.isEmpty || contents.verbatim.contains { $0.dialect != .sketchEl }
    }

    /// Adds the content of a field to a molecule; returns false if the field has no such content, or refers to missing
    /// objects.
    static func take(_ field: Text, into molecule: inout Molecule) -> Bool {
        guard let values = ForeignFields.values(of: field, tag: tag), values.count == 1 else { return false }
        var read = molecule
        let groups = molecule.extras.contents.stereoGroups
        guard Remainder.take(values[0], into: &read, form), !LooseEnds.are(in: read) else { return false }
        if read.extras.contents.stereoGroups != groups {
            let said = read.extras.contents.stereoGroups
            // Absolute centers come first, as in most files.
            read.extras.contents.stereoGroups =
                said.filter { $0.kind == .absolute } + groups + said.filter { $0.kind != .absolute }
        }
        molecule = read
        return true
    }

    /// The data that a molecule without atoms loses.
    static func losses(of molecule: Molecule) -> [Loss] {
        var account = FeatureInventory(
            of: Features(
                .chiralFlag, .comments, .unknown, .stereoGroups, .collections, .linkNodes, .rgroups, .templates),
            isReport: true)
        account.take(molecule)
        return account.losses
    }
}
