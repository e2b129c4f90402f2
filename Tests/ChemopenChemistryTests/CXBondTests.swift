import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("Bonds in CX extensions")
struct CXBondTests {
    private func read(_ smiles: String) throws -> SMILESReader {
        var reader = SMILESReader()
        try reader.read(smiles)
        return reader
    }

    private func written(_ smiles: String) throws -> String {
        var text = SMILESText()
        text.appendExtended(try read(smiles).molecule)
        text.appendExtensions()
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "dative, zero-order and hydrogen bonds, and the geometries of ring bonds, are read and written",
        arguments: [
            ("N[Pt](N)(Cl)Cl |C:0.0,2.1|", "[NH3]->[Pt](<-[NH3])(Cl)Cl"), ("CN(C)(C)B |C:1.3|", "C[N](C)(C)->B"),
            ("[Fe]C |Z:0|", "[Fe]~[CH4] |Z:0|"), ("C~[Fe] |Z:0|", "[CH4]~[Fe] |Z:0|"), ("C~[Fe]", "[CH4]~[Fe]"),
            ("O1CCO[H]1 |H:4.3|", "O1CC[OH]~[H]1 |H:4.3|"), ("O.[Na]Cl.C=C |Z:0|", "O.[Na]~[ClH].C=C |Z:0|"),
            ("C1CCCC=CCCC1 |t:4|", "C1CCC/C=C/CCC1"), ("C1CCCC=CCCC1 |c:4|", "C1CCC/C=C\\CCC1"),
            ("C1CCCC=CCCC1 |ctu:4|", "C1CCCC=CCCC1 |ctu:4|"), ("C1CCC=CCCC=CC1 |c:3,t:7|", "C1CC/C=C\\CC/C=C/C1"),
            ("CC(F)=C(Cl)C |t:2|", "C/C(/F)=C(/Cl)\\C"), ("C/C=C/C |t:1|", "C/C=C/C"),
            ("C1CC2CC(C1)C=CCCCCCC2 |t:7|", "C1CC2CC(C1)/C=C/CCCCCC2"),
        ])
    func kinds(_ smiles: String, _ expected: String) throws {
        #expect(try read(smiles).doubts.isEmpty)
        #expect(try written(smiles) == expected)
        #expect(try written(expected) == expected)
    }

    @Test(
        "an extension that does not fit its bond is preserved verbatim and reported",
        arguments: [
            "CC |Z:1|", "CC |C:2.0|", "C=C |Z:0|", "c1ccccc1 |Z:0|", "CC |C:0.|", "CC |t:0|", "CC |c:7|",
            "C/C=C/C |c:1|",
            "CNC |lp:1:1|", "CCO |atomProp:0.p.v|", "CC |C:1.1|", "CC=CC |c:1,1|",
        ])
    func misfits(_ smiles: String) throws {
        let reader = try read(smiles)
        #expect(reader.doubts.count == 1)
        #expect(reader.molecule.extras.contents.verbatim.count == 1)
        #expect(reader.molecule.extras.contents.verbatim.first?.dialect == .cxsmiles)
    }

    @Test("the geometry of a double bond that no direction can express is written as an extension")
    func unsaid() throws {
        // Each single bond is next to two double bonds, so the directions of one ring depend on each other.
        for count in [8, 10, 12] {
            for choice in 0..<1 << (count / 2) {
                var molecule = Molecule()
                for atom in 0..<count {
                    molecule.atoms.append(Atom(.carbon))
                    molecule.bonds.append(Bond(atom, (atom + 1) % count, atom % 2 == 0 ? .double : .single))
                }
                molecule.flags = .withoutCoordinates
                for bond in stride(from: 0, to: count, by: 2) {
                    let geometry = BondNote.Geometry(
                        (bond + count - 1) % count, (bond + 2) % count, isTrans: choice & 1 << (bond / 2) != 0)
                    molecule.addNote(.geometry(geometry), toBond: bond)
                }
                var text = SMILESText()
                text.appendExtended(molecule)
                text.appendExtensions()
                #expect(text.unsaidGeometries == 0)
                let back = try read(String(decoding: text.bytes, as: UTF8.self))
                #expect(back.doubts.isEmpty)
                var (one, other) = (SMILESText(), SMILESText())
                (one.isCanonical, other.isCanonical) = (true, true)
                one.appendExtended(molecule)
                one.appendExtensions()
                other.appendExtended(back.molecule)
                other.appendExtensions()
                #expect(one.bytes == other.bytes, "\(String(decoding: text.bytes, as: UTF8.self))")
            }
        }
    }
}
