import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("SMILES")
struct SMILESTests {
    private func smiles(_ molecule: Molecule) -> String {
        var text = SMILESText()
        text.append(molecule)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "a molecule is spelled as",
        arguments: [
            (Drawn.aceticAcid, "CC(=O)O"), (Drawn.glycine, "NCC(=O)O"), (Drawn.benzene, "C1=CC=CC=C1"),
            (Drawn.salt, "[Na+].[Cl-]"), (Drawn("13C 2H", "0-1").molecule, "[13CH3][2H]"),
            (Drawn("C H H H H", "0-1 0-2 0-3 0-4").molecule, "C"), (Drawn("C N", "0#1").molecule, "C#N"),
            (Drawn("N Pt", "0>1").molecule, "[NH3]->[Pt]"), (Drawn("C * C", "0-1 1-2").molecule, "C*C"),
            (Drawn("N+ C C C C", "0-1 0-2 0-3 0-4").molecule, "[N+](C)(C)(C)C"), (Drawn("Fe++").molecule, "[Fe+2]"),
        ])
    func spelled(_ molecule: Molecule, _ expected: String) {
        #expect(smiles(molecule) == expected)
    }

    @Test("a wedge becomes a centre, and its direction decides which")
    func centre() {
        var molecule = Drawn("C F Cl Br", "0-1 0-2 0-3").molecule
        for (index, position) in [(0.0, 0.0), (0.0, 1.0), (-0.9, -0.5), (0.9, -0.5)].enumerated() {
            molecule.atoms[index].position = Position(position.0, position.1)
        }
        #expect(smiles(molecule) == "C(F)(Cl)Br")
        molecule.bonds[0].mark = .up
        let up = smiles(molecule)
        molecule.bonds[0].mark = .down
        #expect([up, smiles(molecule)] == ["[C@@H](F)(Cl)Br", "[C@H](F)(Cl)Br"])
    }

    @Test("positions at a double bond become directions")
    func doubleBond() {
        var molecule = Drawn("F C C Cl", "0-1 1=2 2-3").molecule
        for (index, position) in [(0.0, 0.0), (1.0, 0.5), (2.0, 0.5), (3.0, 0.0)].enumerated() {
            molecule.atoms[index].position = Position(position.0, position.1)
        }
        #expect(smiles(molecule) == #"F/C=C\Cl"#)
        molecule.atoms[3].position.y = 1
        #expect(smiles(molecule) == "F/C=C/Cl")
        molecule.bonds[1].mark = .either
        #expect(smiles(molecule) == "FC=CCl")
    }

    @Test("a long chain and many rings are spelled without a bound on their depth")
    func large() {
        var molecule = Molecule()
        let count = 100_000
        for _ in 0..<count { molecule.atoms.append(Atom(.carbon)) }
        for place in 1..<count { molecule.bonds.append(Bond(place - 1, place)) }
        #expect(smiles(molecule).count == count)
        for place in stride(from: 0, to: 300, by: 2) { molecule.bonds.append(Bond(place, count - 1 - place)) }
        #expect(smiles(molecule).contains("%(101)"))
    }
}
