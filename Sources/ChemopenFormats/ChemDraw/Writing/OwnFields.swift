import ChemopenModel

extension OwnStatement {
    /// Returns the statements about a complete molecule, for data without objects in its fragment.
    static func fields(of molecule: Molecule, _ losses: inout [Loss]) -> [Text] {
        let contents = molecule.extras.contents
        losses.note(.rgroups, "in the structure of an abbreviation", count: contents.rgroups.count)
        losses.note(.templates, count: contents.templates.count)
        let stereo = contents.stereoGroups.count { $0.kind != .absolute && $0.bonds.isEmpty }
        losses.note(.stereoGroups, "with atoms of another group, or without a number", count: stereo)
        var kept: [Text] = []
        for verbatim in contents.verbatim where !keptDialects.contains(verbatim.dialect) {
            if verbatim.dialect == .chemDraw {
                let atom = if case .atom(let atom) = verbatim.owner { atom } else { Int32(-1) }
                kept.append(text(.kept, [Text("\(atom &+ 1)"), verbatim.text]))
            } else {
                losses.note(verbatim)
            }
        }
        return kept
            + terms.flatMap { term in
                term.fields(molecule) { _ in Text() }.map { ForeignFields.text(Text("\(term.tag)"), $0) }
            }
    }

    private static let terms = MoleculeTerm.all.filter { !isObject.contains($0.feature) }

    private static let keptDialects: [Verbatim.Dialect] = [.v2000, .v3000, .v2000Text]

    /// The features that have properties or objects.
    private static let isObject = Features(.chiralFlag, .rgroups, .templates)

    /// Returns the unknown content that a statement preserves.
    static func verbatim(_ statement: Text, atoms: Int) -> Verbatim? {
        guard let values = values(of: statement, .kept), values.count == 2, let atom = number(values[0]),
            0...atoms ~= atom
        else { return nil }
        return Verbatim(.chemDraw, of: atom == 0 ? .molecule : .atom(Int32(clamping: atom - 1)), values[1])
    }

    /// Returns the statement of an R-group whose members are in an alternative group.
    static func statement(of group: RGroup, in alternatives: UInt32) -> Text {
        var values = [Text("\(group.number)"), Text("\(alternatives)")]
        if let logic = group.logic {
            values += [Text("\(logic.requires)"), logic.restIsHydrogen ? "rest" : "", logic.occurrence]
        }
        return text(.rgroup, values)
    }

    /// Returns the R-group without its members, and the ID of the alternative group that contains them.
    static func rgroup(_ statement: Text) -> (group: RGroup, alternatives: UInt32)? {
        guard let values = values(of: statement, .rgroup), values.count == 2 || values.count == 5,
            let number = number(values[0]), let id = self.number(values[1]).flatMap({ UInt32(exactly: $0) })
        else { return nil }
        var group = RGroup(number)
        if values.count == 5 {
            var logic = RGroup.Logic()
            logic.requires = Int32(clamping: self.number(values[2]) ?? 0)
            logic.restIsHydrogen = values[3] == "rest"
            logic.occurrence = values[4]
            group.logic = logic
        }
        return (group, id)
    }
}
