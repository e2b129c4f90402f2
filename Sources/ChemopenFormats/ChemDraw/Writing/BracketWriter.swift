import ChemopenBytes
import ChemopenModel

/// Draws the brackets of Sgroups for other programs. Chemopen reads Sgroups from the statements of the fragment
/// instead, so the drawn brackets are marked as a copy.
struct BracketWriter {
    let molecule: Molecule
    let place: MoleculePlace
    let made: FragmentWriter.Made

    func write(to page: inout DrawnPage) {
        if molecule.extras.isEmpty || !place.isDrawn { return }
        for group in molecule.extras.contents.sgroups {
            guard let usage = DrawingBrackets.usage(of: group), group.brackets.count == 2, !group.atoms.isEmpty else {
                continue
            }
            let graphic = writeGraphic(around: group, to: &page)
            page.drawing.open(.bracketedGroup, id: page.takeIDs(1))
            page.drawing.set(.bracketUsage, integer: Self.isSpelledOut(group) ? 0 : usage)
            page.drawing.set(.bracketedObjects, .identifiers(group.atoms.sorted().map { made.id(ofAtom: Int($0)) }))
            describe(group, to: &page)
            page.drawing.open(.bracketAttachment, id: page.takeIDs(1))
            page.drawing.set(.graphicID, integer: Int(graphic))
            for bond in group.bonds { writeCrossing(bond, of: Set(group.atoms), to: &page) }
            page.drawing.close()
            page.drawing.close()
        }
    }

    /// Whether all copies of a multiple group are drawn. ChemDraw's multiple-group brackets would repeat their
    /// content.
    private static func isSpelledOut(_ group: Sgroup) -> Bool {
        group.kind == .multiple && group.atoms.count > group.parentAtoms.count
    }

    /// Writes one graphic for the pair of brackets, and returns its ID.
    private func writeGraphic(around group: Sgroup, to page: inout DrawnPage) -> UInt32 {
        let id = page.takeIDs(1)
        page.drawing.open(.graphic, id: id)
        let corners = group.brackets.flatMap { [place.position($0.start), place.position($0.end)] }
        page.drawing.set(.boundingBox, box: DrawnBox(around: corners))
        page.setZ()
        let isBracket = 6
        page.drawing.set(.graphicType, integer: isBracket)
        page.drawing.set(.bracketType, integer: group.bracketStyle == .round ? 0 : 1)
        var statement = OwnStatement()
        statement.isBracket = true
        page.say(statement)
        page.drawing.close()
        return id
    }

    private func describe(_ group: Sgroup, to page: inout DrawnPage) {
        if Self.isSpelledOut(group) { return }
        if group.kind == .multiple {
            if let count = Numeral.whole(group.label.bytes.span, 0..<group.label.bytes.count) {
                page.drawing.set(.repeatCount, real: Double(count))
            }
        } else if !group.label.isEmpty {
            page.drawing.set(.repeatLabel, .text(page.sound(group.label)))
        }
        switch group.connectivity {
        // Head to tail is the default.
        case "HH": page.drawing.set(.repeatPattern, integer: 1)
        case "EU": page.drawing.set(.repeatPattern, integer: 2)
        default: break
        }
        if 1...0x7FFF ~= group.componentNumber {
            page.drawing.set(.componentOrder, integer: Int(group.componentNumber))
        }
    }

    private func writeCrossing(_ index: Int32, of atoms: Set<Int32>, to page: inout DrawnPage) {
        guard molecule.bonds.indices.contains(Int(index)) else { return }
        let bond = molecule.bonds[Int(index)]
        page.drawing.open(.crossingBond, id: page.takeIDs(1))
        page.drawing.set(.bondID, integer: Int(made.id(ofBond: Int(index))))
        page.drawing.set(
            .innerAtomID, integer: Int(made.id(ofAtom: Int(atoms.contains(bond.from) ? bond.from : bond.to))))
        page.drawing.close()
    }
}
