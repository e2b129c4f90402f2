import ChemopenModel
import Testing

@Suite("Aromatic bonds")
struct KekuleTests {
    @Test("benzene has three double bonds and a hydrogen on each carbon")
    func benzene() {
        let benzene = Molecule.aromaticRing("C", "C", "C", "C", "C", "C")
        #expect(benzene.kekuleForm() == [true, false, true, false, true, false])
        #expect(benzene.hydrogenCounts() == [1, 1, 1, 1, 1, 1])
    }

    @Test(
        "aromatic rings have the usual number of hydrogens",
        arguments: [
            ("pyridine", .aromaticRing("N", "C", "C", "C", "C", "C"), "C5H5N"),
            ("pyridazine", .aromaticRing("N", "N", "C", "C", "C", "C"), "C4H4N2"),
            ("pyrrole", .aromaticRing("N", "C", "C", "C", "C"), "C4H5N"),
            ("imidazole", .aromaticRing("N", "C", "N", "C", "C"), "C3H4N2"),
            ("tetrazole", .aromaticRing("C", "N", "N", "N", "N"), "CH2N4"),
            ("furan", .aromaticRing("O", "C", "C", "C", "C"), "C4H4O"),
            ("thiophene", .aromaticRing("S", "C", "C", "C", "C"), "C4H4S"),
            ("phosphole", .aromaticRing("P", "C", "C", "C", "C"), "C4H5P"),
            ("phosphinine", .aromaticRing("P", "C", "C", "C", "C", "C"), "C5H5P"),
            ("silabenzene", .aromaticRing("Si", "C", "C", "C", "C", "C"), "C5H6Si"),
            ("borole", .aromaticRing("B", "C", "C", "C", "C"), "C4H5B"),
            ("borabenzene", .aromaticRing("B", "C", "C", "C", "C", "C"), "C5H5B"),
            ("N-methylpyrrole", .aromaticRing("N", "C", "C", "C", "C").adding("C", to: 0), "C5H7N"),
            ("pyridine N-oxide", .aromaticRing("N", "C", "C", "C", "C", "C").adding("O", to: 0, .double), "C5H5NO"),
            ("2-pyridone", .aromaticRing("C", "N", "C", "C", "C", "C").adding("O", to: 0, .double), "C5H5NO"),
            ("cyclopentadienyl", .aromaticRing("C", "C", "C", "C", "C"), "C5H5"),
            ("methylcyclopentadienyl", .aromaticRing("C", "C", "C", "C", "C").adding("C", to: 0), "C6H7"),
            ("S-methylthiabenzene", .aromaticRing("S", "C", "C", "C", "C", "C").adding("C", to: 0), "C6H8S"),
        ] as [(String, Molecule, String)])
    func ring(name: String, molecule: Molecule, formula: String) {
        #expect(molecule.formula == formula)
    }

    @Test(
        "a charge determines whether its atom has a double bond, a hydrogen or neither",
        arguments: [
            ("tropylium", .aromaticRing("C", "C", "C", "C", "C", "C", "C").charged(1), "C7H7"),
            ("cyclopropenium", .aromaticRing("C", "C", "C").charged(1), "C3H3"),
            ("cyclopentadienide", .aromaticRing("C", "C", "C", "C", "C").charged(-1), "C5H5"),
            ("phenyl anion", .aromaticRing("C", "C", "C", "C", "C", "C").charged(-1), "C6H5"),
            ("phenyl cation", .aromaticRing("C", "C", "C", "C", "C", "C").charged(1), "C6H5"),
            ("pyrrolide", .aromaticRing("N", "C", "C", "C", "C").charged(-1), "C4H4N"),
            ("pyridinium", .aromaticRing("N", "C", "C", "C", "C", "C").charged(1), "C5H6N"),
            ("pyrylium", .aromaticRing("O", "C", "C", "C", "C", "C").charged(1), "C5H5O"),
            ("thiopyrylium", .aromaticRing("S", "C", "C", "C", "C", "C").charged(1), "C5H5S"),
            ("boratabenzene", .aromaticRing("B", "C", "C", "C", "C", "C").charged(-1), "C5H6B"),
        ] as [(String, Molecule, String)])
    func ion(name: String, molecule: Molecule, formula: String) {
        #expect(molecule.formula == formula)
    }

    @Test("fused rings share their double bonds")
    func fusedRings() {
        let perimeter = (0..<10).map { ($0, ($0 + 1) % 10) }
        #expect(Molecule.aromaticCarbons(10, perimeter + [(0, 5)]).formula == "C10H8")
        #expect(Molecule.aromaticCarbons(10, perimeter + [(0, 4)]).formula == "C10H8")
        var indole = Molecule.aromaticCarbons(9, (0..<9).map { ($0, ($0 + 1) % 9) } + [(3, 8)])
        indole.atoms[0] = Atom(.nitrogen)
        #expect(indole.formula == "C8H7N")
        #expect(indole.hydrogenCounts() == [1, 1, 1, 0, 1, 1, 1, 1, 0])
    }

    @Test("a fixed hydrogen of an indazole stays on its nitrogen", arguments: [0, 1])
    func fixedHydrogen(place: Int) {
        var pyrazole = Molecule.aromaticRing("N", "N", "C", "C", "C")
        pyrazole.atoms[place].hydrogens = .fixed(1)
        #expect(pyrazole.hydrogenCounts() == [1 - place, place, 1, 1, 1])
    }

    @Test("the hydrogen of an imidazole stays on the nitrogen in Marvin's data", arguments: [0, 2])
    func hydrogenInData(place: Int) {
        var imidazole = Molecule.aromaticRing("N", "C", "N", "C", "C")
        var sgroup = Sgroup(.data)
        sgroup.atoms = [Int32(place)]
        var data = Sgroup.Data()
        data.fieldName = "MRV_IMPLICIT_H"
        data.values = ["IMPL_H1"]
        sgroup.data = data
        imidazole.extras.contents.sgroups = [sgroup]
        #expect(imidazole.hydrogenCounts() == [place == 0 ? 1 : 0, 1, place == 2 ? 1 : 0, 1, 1])
    }

    @Test("a specified valence of three is valid for the nitrogen of pyrrole and of pyridine")
    func statedValence() {
        var pyrrole = Molecule.aromaticRing("N", "C", "C", "C", "C")
        pyrrole.addNote(.valence(3), toAtom: 0)
        #expect(pyrrole.hydrogenCounts() == [1, 1, 1, 1, 1])
        var pyridine = Molecule.aromaticRing("N", "C", "C", "C", "C", "C")
        pyridine.addNote(.valence(3), toAtom: 0)
        #expect(pyridine.hydrogenCounts() == [0, 1, 1, 1, 1, 1])
    }

    @Test("an atom of any type has a double bond if carbon needs it, and no hydrogens")
    func wildcards() {
        #expect(Molecule.aromaticRing("*", "C", "C", "C", "C", "C").hydrogenCounts() == [0, 1, 1, 1, 1, 1])
        #expect(Molecule.aromaticRing("A", "C", "C", "C", "C").hydrogenCounts() == [0, 1, 1, 1, 1])
    }

    @Test("buckminsterfullerene has thirty double bonds and no hydrogens")
    func fullerene() {
        let fullerene = Molecule.aromaticCarbons(60, fullereneBonds)
        #expect(fullerene.kekuleForm().count { $0 } == 30)
        #expect(fullerene.formula == "C60")
    }

    @Test("an acene of five thousand rings has the correct formula")
    func acene() {
        let rings = 5_000
        let length = 2 * rings + 1
        var bonds: [(Int, Int)] = []
        for place in 1..<length {
            bonds.append((place - 1, place))
            bonds.append((length + place - 1, length + place))
        }
        for place in stride(from: 0, to: length, by: 2) { bonds.append((place, length + place)) }
        let acene = Molecule.aromaticCarbons(2 * length, bonds)
        #expect(acene.formula == "C20002H10004")
    }

    @Test("a chain of five thousand three-membered rings has at most one double bond for each pair of atoms")
    func triangles() {
        let bonds = (0..<10_000).flatMap { [($0, $0 + 1), ($0, $0 + 2)] }
        let chain = Molecule.aromaticCarbons(10_002, bonds)
        #expect(chain.kekuleForm().count { $0 } < 5_002)
    }

    @Test("bonds to missing atoms, bonds to the same atom, and repeated bonds do no harm")
    func nonsense() {
        var molecule = Molecule.aromaticCarbons(4, [(0, 1), (1, 0), (0, 0), (2, 9), (-1, 3), (2, 3)])
        molecule.bonds[2] = Bond(0, 0, .double)
        #expect(molecule.kekuleForm() == [true, false, false, false, false, true])
        #expect(molecule.hydrogenCounts() == [1, 1, 2, 2])
    }
}

/// The edges of a truncated icosahedron.
private let fullereneBonds: [(Int, Int)] = [
    (0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 6), (2, 10), (3, 7), (3, 11), (4, 8), (4, 12), (5, 9), (5, 13), (6, 7),
    (6, 14), (7, 15), (8, 9), (8, 16), (9, 17), (10, 12), (10, 18), (11, 13), (11, 19), (12, 20), (13, 21), (14, 22),
    (14, 23), (15, 22), (15, 24), (16, 25), (16, 27), (17, 26), (17, 27), (18, 23), (18, 28), (19, 24), (19, 29),
    (20, 25), (20, 30), (21, 26), (21, 31), (22, 32), (23, 33), (24, 34), (25, 35), (26, 36), (27, 37), (28, 30),
    (28, 38), (29, 31), (29, 39), (30, 40), (31, 41), (32, 42), (32, 43), (33, 38), (33, 42), (34, 39), (34, 43),
    (35, 40), (35, 44), (36, 41), (36, 45), (37, 44), (37, 45), (38, 46), (39, 47), (40, 48), (41, 49), (42, 50),
    (43, 51), (44, 52), (45, 53), (46, 48), (46, 54), (47, 49), (47, 55), (48, 56), (49, 57), (50, 51), (50, 54),
    (51, 55), (52, 53), (52, 56), (53, 57), (54, 58), (55, 59), (56, 58), (57, 59), (58, 59),
]
