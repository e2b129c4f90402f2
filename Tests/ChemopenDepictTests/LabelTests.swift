import Chemopen
import Testing

@testable import ChemopenDepict

@Suite("Labels")
struct LabelTests {
    @Test(
        "hydrogens are on the side without a bond",
        arguments: [(1.0, 0.0, "OH"), (-1.0, 0.0, "HO"), (0.5, 0.87, "OH"), (-0.5, -0.87, "HO"), (0.0, 1.0, "OH")])
    func hydrogens(_ x: Double, _ y: Double, _ expected: String) {
        let picture = Picture(of: Molecule([("C", 0, 0), ("O", x, y)], [Bond(0, 1)]))
        #expect(picture.words == expected)
    }

    @Test("hydrogens of an atom with bonds to the left and right are above or below it")
    func hydrogensAbove() throws {
        let amine = Molecule([("C", -0.87, -0.5), ("N", 0, 0), ("C", 0.87, -0.5)], [Bond(0, 1), Bond(1, 2)])
        let picture = Picture(of: amine)
        let nitrogen = try #require(picture.letters("N"))
        let hydrogen = try #require(picture.letters("H"))
        #expect(hydrogen.box.bottom < nitrogen.box.top)
        #expect(abs(hydrogen.box.center.x - nitrogen.box.center.x) < 0.01)
    }

    @Test(
        "single atoms have their usual formula",
        arguments: [
            ("O", "H_2O"), ("N", "NH_3"), ("Cl", "HCl"), ("C", "CH_4"), ("H", "H_2"),
        ])
    func alone(_ symbol: String, _ expected: String) {
        var molecule = Molecule([(symbol, 0, 0)])
        if symbol == "H" { molecule.atoms[0].hydrogens = .fixed(1) }
        #expect(Picture(of: molecule).words == expected)
    }

    @Test("a charge is superscript, a mass number precedes its symbol, and an unpaired electron is a dot")
    func marks() {
        var molecule = Molecule([("N", 0, 0)])
        molecule.atoms[0].charge = 1
        #expect(Picture(of: molecule).words == "NH_4^+")
        molecule.atoms[0].isotope = 15
        #expect(Picture(of: molecule).words == "^15NH_4^+")
        var methyl = Molecule([("C", 0, 0)])
        methyl.atoms[0].radical = .doublet
        #expect(Picture(of: methyl).words == "CH_3^•")
        var oxide = Molecule([("O", 0, 0)])
        oxide.atoms[0].charge = -2
        #expect(Picture(of: oxide).words == "O^2−")
    }

    @Test("a carbon with bonds has a label only if it is charged or the center of an allene")
    func corners() {
        #expect(Picture(of: .benzene).letters.isEmpty)
        let allene = Molecule([("C", -1, 0), ("C", 0, 0), ("C", 1, 0)], [Bond(0, 1, .double), Bond(1, 2, .double)])
        #expect(Picture(of: allene).words == "C")
        var cation = Molecule([("C", -0.87, 0), ("C", 0, 0.5), ("C", 0.87, 0)], [Bond(0, 1), Bond(1, 2)])
        cation.atoms[1].charge = 1
        #expect(Picture(of: cation).letters("C") != nil)
    }

    @Test(
        "an abbreviation is reversed if its first letter would not be at the bond",
        arguments: [
            ("CO2Et", "CO_2Et", "EtO_2C"), ("OMe", "OMe", "MeO"), ("NO2", "NO_2", "O_2N"), ("CF3", "CF_3", "F_3C"),
            ("OTBDMS", "OTBDMS", "TBDMSO"), ("(CF2)4H", "(CF_2)_4H", "H(CF_2)_4"), ("SO3-", "SO_3^−", "^−O_3S"),
            ("P|Ph{3}", "PPh_3", "Ph_3P"), ("{^i}Pr", "^iPr", "^iPr"), ("Ala86", "Ala86", "Ala86"),
        ])
    func abbreviations(_ label: String, _ onTheRight: String, _ onTheLeft: String) {
        let right = Molecule([("C", 0, 0), (label, 1, 0)], [Bond(0, 1)])
        #expect(Picture(of: right).words == onTheRight)
        let left = Molecule([("C", 0, 0), (label, -1, 0)], [Bond(0, 1)])
        #expect(Picture(of: left).words == onTheLeft)
    }

    @Test("an unknown label preserves its character order and ends at the bond")
    func unknownWords() throws {
        let picture = Picture(of: Molecule([("C", 0, 0), ("Protein", -1, 0)], [Bond(0, 1)]))
        let letters = try #require(picture.letters("Protein") ?? picture.letters.first)
        #expect(picture.words == "Protein")
        #expect(letters.start.x + picture.letters.reduce(0) { $0 + $1.width } <= picture.width)
        #expect(picture.crossings.isEmpty)
    }

    @Test("the number of an R-group is superscript, and lists and sites are written out")
    func queries() {
        #expect(Picture(of: Molecule([("R1", 0, 0)])).words == "R^1")
        var list = Molecule([("C", 0, 0), ("L", 1, 0)], [Bond(0, 1)])
        list.addNote(.elementList(ElementList(excluding: true, ["N", "O"])), toAtom: 1)
        #expect(Picture(of: list).words == "![N,O]")
        var site = Molecule([("C", 0, 0), ("R#", 1, 0)], [Bond(0, 1)])
        site.addNote(.rgroups([2]), toAtom: 1)
        #expect(Picture(of: site).words == "R^2")
    }

    @Test("map numbers and stereo groups are next to their atoms and do not overlap")
    func notes() throws {
        var molecule = Molecule.benzene
        for index in molecule.atoms.indices { molecule.atoms[index].mapNumber = Int32(index + 1) }
        molecule.extras.contents.stereoGroups = [StereoGroup(.relative, number: 1, atoms: [0])]
        let picture = Picture(of: molecule)
        #expect(Set(picture.letters.map(\.text)) == ["1", "2", "3", "4", "5", "6", "or1"])
        #expect(picture.letters.allSatisfy { $0.ink == .note })
        #expect(picture.crossings.isEmpty)
        for (place, one) in picture.letters.enumerated() {
            for other in picture.letters.dropFirst(place + 1) { #expect(!one.box.overlaps(other.box)) }
        }
    }

    @Test("a contracted abbreviation is drawn as its label, and an expanded abbreviation as its atoms")
    func contraction() {
        var molecule = Molecule(
            [("C", 0, 0), ("C", 1, 0), ("F", 2, 0), ("F", 1, 1), ("F", 1, -1)],
            [Bond(0, 1), Bond(1, 2), Bond(1, 3), Bond(1, 4)])
        var group = Sgroup(.abbreviation)
        group.label = "CF3"
        group.atoms = [1, 2, 3, 4]
        molecule.extras.contents.sgroups = [group]
        #expect(Picture(of: molecule).words == "CF_3")
        group.isExpanded = true
        molecule.extras.contents.sgroups = [group]
        #expect(Picture(of: molecule).letters.count == 3)
    }
}
