import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("Directional bonds of SMILES")
struct SMILESDirectionsTests {
    private func text(_ molecule: Molecule, isCanonical: Bool = false) -> (smiles: String, unsaid: Int) {
        var text = SMILESText()
        text.isCanonical = isCanonical
        text.append(molecule)
        return (String(decoding: text.bytes, as: UTF8.self), text.unsaidGeometries)
    }

    /// Whether a molecule contains every geometry that another molecule specifies.
    private func has(_ molecule: Molecule, allOf other: Molecule) -> Bool {
        var search = SubstructureSearch(SMARTSPattern(exactly: other))
        return search.finds(in: molecule)
    }

    /// Writes a molecule and reads it again.
    private func readBack(_ molecule: Molecule) throws -> (molecule: Molecule, isWhole: Bool) {
        let (smiles, unsaid) = text(molecule)
        #expect(DirectionJudge.contradictions(in: smiles) == 0, "\(smiles)")
        var reader = SMILESReader()
        try reader.read(smiles)
        #expect(reader.doubts.isEmpty, "\(smiles): \(reader.doubts)")
        let back = reader.takeMolecule()
        #expect(has(molecule, allOf: back), "\(smiles) states a geometry that the molecule does not have")
        if unsaid == 0 { #expect(has(back, allOf: molecule), "\(smiles) lacks a geometry") }
        return (back, unsaid == 0)
    }

    @Test("branched polyenes, imines and oximes preserve each geometry in any atom order", arguments: 0..<4)
    func acyclic(_ seed: UInt64) throws {
        var dice = SeededNumbers(seed: seed)
        for _ in 0..<40 {
            let polyene = Polyene(size: Int.random(in: 6...18, using: &dice), rings: 0, openShare: 0, using: &dice)
            var canonical: Set<String> = []
            for _ in 0..<3 {
                let molecule = polyene.shuffled(using: &dice)
                let (back, isWhole) = try readBack(molecule)
                #expect(isWhole)
                for form in [molecule, back] { canonical.insert(text(form, isCanonical: true).smiles) }
            }
            #expect(canonical.count == 1, "\(canonical)")
            for smiles in canonical { #expect(DirectionJudge.contradictions(in: smiles) == 0, "\(smiles)") }
        }
    }

    @Test(
        "an unspecified double bond stays unspecified, and directions in rings are consistent",
        arguments: 0..<4)
    func openAndCyclic(_ seed: UInt64) throws {
        var dice = SeededNumbers(seed: seed &+ 1000)
        var (all, whole) = (0, 0)
        for round in 0..<60 {
            let polyene = Polyene(
                size: Int.random(in: 8...22, using: &dice), rings: round % 3, openShare: round % 2 * 3, using: &dice)
            for _ in 0..<3 {
                let (_, isWhole) = try readBack(polyene.shuffled(using: &dice))
                all += 1
                whole += isWhole ? 1 : 0
            }
        }
        // Geometries that cannot be represented are counted; they are rare.
        #expect(whole * 20 > all * 19, "\(whole) of \(all)")
    }

    @Test(
        "a branch at a specified double bond has the remaining direction",
        arguments: [
            (#"C/C=C(\C(=C/C=C)\C=C\N)/Cl"#, 3), (#"C/C=C/C(=C\C=C)/C=C/N"#, 3), (#"F/C=C(/C(F)=C)C=C\Cl"#, 1),
            (#"C/C=N/N=C(/C)\C=C\C"#, 3), (#"C/C=C\C(\C=C/C)=N/O"#, 3),
        ])
    func literal(_ smiles: String, _ count: Int) throws {
        let (back, isWhole) = try readBack(try Molecule(smiles: smiles))
        #expect(isWhole)
        let geometries = back.bonds.indices.count { back.notes(onBond: $0).contains { $0.geometry != nil } }
        #expect(geometries == count)
    }

    @Test("a hydrogen is written explicitly only to leave a double bond open or to avoid a contradiction in a ring")
    func hydrogens() throws {
        // The central double bond has no geometry, but both of its neighbors do.
        var middle = Drawn("C C C C C C C C", "0-1 1=2 2-3 3=4 4-5 5=6 6-7").molecule
        middle.addNote(.geometry(BondNote.Geometry(0, 3, isTrans: true)), toBond: 1)
        middle.addNote(.geometry(BondNote.Geometry(4, 7, isTrans: true)), toBond: 5)
        #expect(try readBack(middle).isWhole)
        #expect(text(middle).smiles.contains("[H]"))
        // Five cis double bonds in a ring of ten atoms: each single bond is adjacent to two of them.
        var ring = Drawn.ring("C C C C C C C C C C", "=-=-=-=-=-")
        for place in stride(from: 0, to: 10, by: 2) {
            let geometry = BondNote.Geometry((place + 9) % 10, (place + 2) % 10, isTrans: false)
            ring.addNote(.geometry(geometry), toBond: place)
        }
        #expect(try readBack(ring).isWhole)
        #expect(text(ring).smiles.contains("[H]"))
    }
}
