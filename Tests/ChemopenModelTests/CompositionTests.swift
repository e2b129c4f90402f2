import ChemopenModel
import Testing

@Suite("Composition")
struct CompositionTests {
    @Test("the formula is in Hill order and includes implicit hydrogens")
    func hillOrder() {
        #expect(Molecule(["Br", "C", "Cl"], bonds: [Bond(0, 1), Bond(1, 2)]).formula == "CH2BrCl")
        #expect(Molecule(["S", "O"], bonds: [Bond(0, 1)]).formula == "H2OS")
        #expect(Molecule(["O", "Na", "Cl", "C"]).formula == "CH8ClNaO")
        #expect(Molecule(["Na", "Cl"], bonds: [Bond(0, 1)]).formula == "ClNa")
        #expect(Molecule().formula.isEmpty)
    }

    @Test("atoms without an element are omitted")
    func labels() {
        #expect(Molecule(["C", "R#", "Pol"], bonds: [Bond(0, 1), Bond(0, 2)]).formula == "CH2")
    }

    @Test("a formula contains the number of atoms for each element")
    func counts() {
        let formula = Molecule(["C", "C", "O"], bonds: [Bond(0, 1), Bond(1, 2)]).composition().formula
        #expect(formula[.hydrogen] == 6)
        #expect(formula[.nitrogen] == 0)
        #expect(formula.entries.map(\.element) == [.carbon, .hydrogen, .oxygen])
    }

    @Test("the average mass of benzene is 78.114, and its monoisotopic mass 78.04695")
    func masses() {
        let benzene = Molecule.aromaticRing("C", "C", "C", "C", "C", "C")
        #expect(abs(benzene.mass - 78.114) < 1e-9)
        #expect(abs(benzene.monoisotopicMass - 78.046950192) < 1e-6)
    }

    @Test("the monoisotopic mass of an ion does not include its missing electrons")
    func electrons() {
        var ion = Molecule(["Na"])
        let mass = ion.monoisotopicMass
        ion.atoms[0].hydrogens = .fixed(0)
        ion.atoms[0].charge = 1
        #expect(abs(ion.monoisotopicMass - 22.989_220_7) < 1e-6)
        #expect(abs(ion.mass - ChemicalElement.sodium.averageMass) < 1e-12)
        ion.atoms[0].charge = -1
        #expect(abs(ion.monoisotopicMass - 22.990_317_9) < 1e-6)
        #expect(mass > 0)
    }

    @Test("a specified isotope contributes its own mass, or its mass number if the mass is unknown")
    func isotopes() {
        var molecule = Molecule(["C", "H", "H", "C"], bonds: [Bond(0, 1), Bond(0, 2), Bond(0, 3)])
        molecule.atoms[0].isotope = 13
        molecule.atoms[1].isotope = 2
        molecule.atoms[2].isotope = 2
        #expect(molecule.formula == "C2H6")
        #expect(molecule.isotopes.map(\.key) == ["13C", "2H"])
        #expect(molecule.isotopes.map(\.count) == [1, 2])
        #expect(abs(molecule.mass - (13.00335484 + 12.011 + 2 * 2.014101778 + 4 * 1.008)) < 1e-9)
        molecule.atoms[3].isotope = 99
        #expect(abs(molecule.mass - (13.00335484 + 99 + 2 * 2.014101778 + 4 * 1.008)) < 1e-9)
        #expect(molecule.isotopes.map(\.key) == ["13C", "99C", "2H"])
    }

    @Test("charges and unpaired electrons are summed, including those of labels")
    func chargesAndRadicals() {
        var molecule = Molecule(["N", "O", "Pol"])
        molecule.atoms[0].charge = 1
        molecule.atoms[1].charge = -2
        molecule.atoms[2].charge = 3
        molecule.atoms[0].radical = .doublet
        molecule.atoms[2].radical = .triplet
        #expect(molecule.totalCharge == 2)
        #expect(molecule.unpairedElectrons == 3)
    }
}
