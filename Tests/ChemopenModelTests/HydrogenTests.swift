import ChemopenModel
import Testing

@Suite("Implicit hydrogens")
struct HydrogenTests {
    @Test("complete carbon and oxygen")
    func ethanol() {
        let ethanol = Molecule(["C", "C", "O"], bonds: [Bond(0, 1), Bond(1, 2)])
        #expect(ethanol.hydrogenCounts() == [3, 2, 1])
    }

    @Test("follow the rule of the molecule: only the MDL rule adds them to boron and silicon")
    func rules() {
        var atoms = Molecule(["C", "N", "O", "S", "P", "B", "Si", "Cl", "Na", "Fe"])
        #expect(atoms.hydrogenCounts() == [4, 3, 2, 2, 3, 3, 4, 1, 1, 0])
        atoms.hydrogenRule = .sketchEl
        #expect(atoms.hydrogenCounts() == [4, 3, 2, 2, 3, 0, 0, 0, 0, 0])
    }

    @Test("use a fixed count for any element and bonds")
    func fixed() {
        var methyltin = Molecule(["Sn", "C", "*"], bonds: [Bond(0, 1)])
        methyltin.atoms[0].hydrogens = .fixed(2)
        methyltin.atoms[1].hydrogens = .fixed(0)
        methyltin.atoms[2].hydrogens = .fixed(5)
        #expect(methyltin.hydrogenCounts() == [2, 0, 5])
    }

    @Test("complete a specified valence, without subtracting a radical")
    func statedValence() {
        var methyl = Molecule(["C", "S", "O"], bonds: [Bond(1, 2, .double)])
        methyl.addNote(.valence(3), toAtom: 0)
        methyl.atoms[0].radical = .doublet
        methyl.addNote(.valence(4), toAtom: 1)
        methyl.addNote(.valence(0), toAtom: 2)
        #expect(methyl.hydrogenCounts() == [3, 2, 0])
    }

    @Test("count a dative bond in a specified valence only at its acceptor")
    func receivedBonds() {
        var cisplatin = Molecule(
            ["N", "N", "Cl", "Cl", "Pt"], bonds: [Bond(0, 4, .dative), Bond(1, 4, .dative), Bond(2, 4), Bond(3, 4)])
        cisplatin.addNote(.valence(4), toAtom: 4)
        cisplatin.addNote(.valence(3), toAtom: 0)
        #expect(cisplatin.hydrogenCounts() == [3, 3, 0, 0, 0])
        cisplatin.bonds[0].turn()
        #expect(cisplatin.hydrogenCounts() == [2, 3, 0, 0, 1])
    }

    @Test(
        "are not added to nitrogen, chlorine and bromine if a bond to a metal exceeds the valence by one",
        arguments: [
            ("N", [1, 1, 1], 0), ("N", [2, 1], 0), ("N", [1, 1], 0), ("N", [1], 1), ("N", [], 2), ("Cl", [1], 0),
            ("Br", [1], 0), ("Cl", [], 0), ("O", [1, 1], 0), ("P", [1, 1, 1], 1), ("S", [1, 1], 1), ("I", [1], 1),
        ])
    func bondsToMetals(element: String, others: [Int], hydrogens: Int) {
        var complex = Molecule([element, "Zn"], bonds: [Bond(0, 1)])
        for order in others { complex = complex.adding("C", to: 0, order == 1 ? .single : .double) }
        #expect(complex.hydrogenCounts()[0] == hydrogens)
    }

    @Test("follow the usual rule next to nonmetals, and next to a double bond to a metal")
    func bondsToNoMetals() {
        for other in ["B", "Si", "Ge", "As", "Te", "H", "*"] {
            let ammonium = Molecule(["N", other, "C", "C", "C"], bonds: (1...4).map { Bond(0, $0) })
            #expect(ammonium.hydrogenCounts()[0] == 1)
        }
        let imide = Molecule(["N", "Ti", "C", "C"], bonds: [Bond(0, 1, .double), Bond(0, 2), Bond(0, 3)])
        #expect(imide.hydrogenCounts()[0] == 1)
    }

    @Test("are absent on metals in the MDL rule of 2017, and unchanged on other elements")
    func ruleOf2017() {
        var atoms = Molecule(["C", "N", "Na", "Mg", "Sn", "Al", "Pb", "B"])
        #expect(atoms.hydrogenCounts() == [4, 3, 1, 2, 2, 3, 2, 3])
        atoms.countHydrogens(by: .restricted2017)
        #expect(atoms.hydrogenRule == .mdl2017)
        #expect(atoms.hydrogenCounts() == [4, 3, 0, 0, 0, 0, 0, 3])
        atoms.countHydrogens(by: .ladder2009)
        #expect(atoms.hydrogenRule == .mdl)
        atoms.hydrogenRule = .sketchEl
        atoms.countHydrogens(by: .restricted2017)
        #expect(atoms.hydrogenRule == .sketchEl)
    }

    @Test("follow a changed MDL rule also in nested molecules")
    func ruleOfPieces() {
        let sodium = Molecule(["Na"])
        var molecule = Molecule(["C"])
        molecule.extras.contents.rgroups = [RGroup(1)]
        molecule.extras.contents.rgroups[0].members = [sodium]
        molecule.extras.contents.abbreviations = [Abbreviation(atom: 0, molecule: sodium)]
        molecule.countHydrogens(by: .restricted2017)
        let contents = molecule.extras.contents
        #expect(contents.rgroups[0].members.map(\.hydrogenRule) == [.mdl2017])
        #expect(contents.abbreviations.map(\.molecule.hydrogenRule) == [.mdl2017])
    }

    @Test("use MRV_IMPLICIT_H only for an atom with an aromatic bond")
    func implicitHydrogens() {
        func imidazole(_ orders: [Bond.Order]) -> Molecule {
            var ring = Molecule(
                ["N", "C", "N", "C", "C"], bonds: orders.enumerated().map { Bond($0, ($0 + 1) % 5, $1) })
            var group = Sgroup(.data)
            var data = Sgroup.Data()
            data.fieldName = "MRV_IMPLICIT_H"
            data.values = ["IMPL_H1"]
            group.data = data
            group.atoms = [2]
            ring.extras.contents.sgroups = [group]
            return ring
        }
        #expect(imidazole([.single, .double, .single, .double, .single]).hydrogenCounts() == [1, 1, 0, 1, 1])
        #expect(imidazole(Array(repeating: .aromatic, count: 5)).hydrogenCounts() == [0, 1, 1, 1, 1])
    }

    @Test("decrease by one for each unpaired electron")
    func radicals() {
        var carbons = Molecule(["C", "C", "C"])
        carbons.atoms[0].radical = .doublet
        carbons.atoms[1].radical = .singlet
        carbons.atoms[2].radical = .triplet
        #expect(carbons.hydrogenCounts() == [3, 2, 2])
    }

    @Test(
        "ignore bonds of order zero, dative bonds and hydrogen bonds",
        arguments: [
            Bond.Order.zero, .dative, .hydrogen,
        ])
    func weakBonds(order: Bond.Order) {
        let amineBorane = Molecule(["N", "B"], bonds: [Bond(0, 1, order)])
        #expect(amineBorane.hydrogenCounts() == [3, 3])
    }

    @Test(
        "are unknown next to a query bond, and counted as zero",
        arguments: [
            Bond.Order.singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any,
        ])
    func queryBonds(order: Bond.Order) {
        let query = Molecule(["C", "C", "C"], bonds: [Bond(0, 1, order), Bond(1, 2)])
        #expect(query.hydrogenCounts() == [0, 0, 3])
    }

    @Test("ignore query conditions of an atom that has an element")
    func queryAtoms() {
        var query = Molecule(["C", "C"], bonds: [Bond(0, 1)])
        query.addNote(.hydrogenQuery(1), toAtom: 0)
        query.addNote(.substitutionCount(2), toAtom: 0)
        query.addNote(.unsaturated, toAtom: 1)
        #expect(query.hydrogenCounts() == [3, 3])
    }

    @Test("are absent on labels, and the bond to a label counts at its neighbor")
    func labels() {
        let query = Molecule(["C", "R#", "A"], bonds: [Bond(0, 1), Bond(0, 2)])
        #expect(query.hydrogenCounts() == [2, 0, 0])
    }

    @Test("are unaffected by a bond that several atoms share")
    func multicenterBond() {
        var complex = Molecule(["C", "C", "*", "Pt"], bonds: [Bond(0, 1, .double), Bond(2, 3)])
        complex.addNote(.endpoints(atoms: [0, 1], any: false), toBond: 1)
        #expect(complex.hydrogenCounts() == [2, 2, 0, 0])
    }

    @Test(
        "are absent if the bonds complete the valence exactly",
        arguments: [(ChemicalElement.carbon, 4), (.nitrogen, 3), (.oxygen, 2), (.sulfur, 2), (.chlorine, 1)])
    func filled(_ element: ChemicalElement, _ sum: Int) {
        #expect(Atom(element).plainHydrogens(bondOrderSum: sum) == 0)
        #expect(Atom(element).plainHydrogens(bondOrderSum: sum + 1) == nil)
    }
}
