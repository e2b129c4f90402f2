import ChemopenModel
import Testing

@Suite("Hydrogens that are not drawn")
struct HydrogenTests {
    @Test("fill carbon and oxygen up")
    func ethanol() {
        let ethanol = Molecule(["C", "C", "O"], bonds: [Bond(0, 1), Bond(1, 2)])
        #expect(ethanol.hydrogenCounts() == [3, 2, 1])
    }

    @Test("follow the rule that the molecule names: only MDL's gives boron and silicon any")
    func rules() {
        var atoms = Molecule(["C", "N", "O", "S", "P", "B", "Si", "Cl", "Na", "Fe"])
        #expect(atoms.hydrogenCounts() == [4, 3, 2, 2, 3, 3, 4, 1, 1, 0])
        atoms.hydrogenRule = .sketchEl
        #expect(atoms.hydrogenCounts() == [4, 3, 2, 2, 3, 0, 0, 0, 0, 0])
    }

    @Test("give way to a fixed count, whatever the element and the bonds")
    func fixed() {
        var methyltin = Molecule(["Sn", "C", "*"], bonds: [Bond(0, 1)])
        methyltin.atoms[0].hydrogens = .fixed(2)
        methyltin.atoms[1].hydrogens = .fixed(0)
        methyltin.atoms[2].hydrogens = .fixed(5)
        #expect(methyltin.hydrogenCounts() == [2, 0, 5])
    }

    @Test("fill a stated valence up, from which no radical is taken")
    func statedValence() {
        var methyl = Molecule(["C", "S", "O"], bonds: [Bond(1, 2, .double)])
        methyl.addNote(.valence(3), toAtom: 0)
        methyl.atoms[0].radical = .doublet
        methyl.addNote(.valence(4), toAtom: 1)
        methyl.addNote(.valence(0), toAtom: 2)
        #expect(methyl.hydrogenCounts() == [3, 2, 0])
    }

    @Test("lose one for each unpaired electron")
    func radicals() {
        var carbons = Molecule(["C", "C", "C"])
        carbons.atoms[0].radical = .doublet
        carbons.atoms[1].radical = .singlet
        carbons.atoms[2].radical = .triplet
        #expect(carbons.hydrogenCounts() == [3, 2, 2])
    }

    @Test(
        "do not see bonds of order zero, dative bonds and hydrogen bonds",
        arguments: [
            Bond.Order.zero, .dative, .hydrogen,
        ])
    func weakBonds(order: Bond.Order) {
        let amineBorane = Molecule(["N", "B"], bonds: [Bond(0, 1, order)])
        #expect(amineBorane.hydrogenCounts() == [3, 3])
    }

    @Test(
        "are unknown beside a query bond, and so none",
        arguments: [
            Bond.Order.singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any,
        ])
    func queryBonds(order: Bond.Order) {
        let query = Molecule(["C", "C", "C"], bonds: [Bond(0, 1, order), Bond(1, 2)])
        #expect(query.hydrogenCounts() == [0, 0, 3])
    }

    @Test("do not mind what a query asks of an atom that has an element")
    func queryAtoms() {
        var query = Molecule(["C", "C"], bonds: [Bond(0, 1)])
        query.addNote(.hydrogenQuery(1), toAtom: 0)
        query.addNote(.substitutionCount(2), toAtom: 0)
        query.addNote(.unsaturated, toAtom: 1)
        #expect(query.hydrogenCounts() == [3, 3])
    }

    @Test("are none on labels, and the label's bond counts at its neighbour")
    func labels() {
        let query = Molecule(["C", "R#", "A"], bonds: [Bond(0, 1), Bond(0, 2)])
        #expect(query.hydrogenCounts() == [2, 0, 0])
    }

    @Test("stay on the atoms that one bond ends at together")
    func multicentreBond() {
        var complex = Molecule(["C", "C", "*", "Pt"], bonds: [Bond(0, 1, .double), Bond(2, 3)])
        complex.addNote(.endpoints(atoms: [0, 1], any: false), toBond: 1)
        #expect(complex.hydrogenCounts() == [2, 2, 0, 0])
    }
}
