import ChemopenModel
import Testing

@Suite("Implicit hydrogens by rule")
struct ValenceLadderTests {
    /// An atom with its expected number of hydrogens.
    struct Drawn: CustomTestStringConvertible {
        let element: ChemicalElement
        var charge = 0
        var bonds = 0
        var unpaired = 0
        let hydrogens: Int

        var testDescription: String {
            "\(element), charge \(charge), bonds \(bonds), unpaired \(unpaired): \(hydrogens) H"
        }
    }

    @Test(
        "MDL: hydrogens complete the smallest valence that fits the bonds",
        arguments: [
            Drawn(element: .nitrogen, charge: 1, bonds: 3, hydrogens: 1),
            Drawn(element: .sulfur, bonds: 3, hydrogens: 1),
            Drawn(element: .phosphorus, bonds: 4, hydrogens: 1),
            Drawn(element: .nitrogen, bonds: 4, hydrogens: 1),
            Drawn(element: .chlorine, bonds: 2, hydrogens: 1),
            Drawn(element: .carbon, charge: -1, hydrogens: 3),
            Drawn(element: .boron, charge: -1, hydrogens: 4),
            Drawn(element: .sodium, hydrogens: 1),
            Drawn(element: .tin, hydrogens: 2),
            Drawn(element: .iron, hydrogens: 0),
            Drawn(element: .carbon, bonds: 5, hydrogens: 0),
            Drawn(element: .oxygen, charge: 1, bonds: 3, hydrogens: 0),
        ])
    func mdl(_ atom: Drawn) {
        #expect(mdlHydrogens(on: atom, by: .ladder2009) == atom.hydrogens)
    }

    @Test(
        "MDL: unpaired electrons replace hydrogens",
        arguments: [
            Drawn(element: .carbon, bonds: 1, unpaired: 1, hydrogens: 2),
            Drawn(element: .carbon, unpaired: 2, hydrogens: 2),
            Drawn(element: .oxygen, bonds: 1, unpaired: 1, hydrogens: 0),
            Drawn(element: .oxygen, bonds: 1, unpaired: 2, hydrogens: 0),
        ])
    func radicals(_ atom: Drawn) {
        #expect(mdlHydrogens(on: atom, by: .ladder2009) == atom.hydrogens)
    }

    @Test("MDL: valences of the p block depend on the outer electrons minus the charge")
    func pBlock() {
        let none: [Int] = []
        #expect(ladders(of: .boron) == [[1], [2], [3], [4], [3, 5], [2], [1]])
        #expect(ladders(of: .carbon) == [[1], [2], [3], [4], [3, 5], [2], [1]])
        #expect(ladders(of: .fluorine) == [[1], [2], [3], [4], [3, 5], [2], [1]])
        #expect(ladders(of: .sulfur) == [[1], [2], [3], [4], [3, 5], [2, 4, 6], [1, 3, 5, 7]])
        #expect(ladders(of: .gallium) == [[1], none, [3], [4], [3, 5], [2, 4, 6], [1, 3, 5, 7]])
        #expect(ladders(of: .bromine) == [[1], none, [3], [4], [3, 5], [2, 4, 6], [1, 3, 5, 7]])
        #expect(ladders(of: .indium) == [[1], none, [3], [2, 4], [3, 5], [2, 4, 6], [1, 3, 5, 7]])
        #expect(ladders(of: .astatine) == [[1], none, [3], [2, 4], [3, 5], [2, 4, 6], [1, 3, 5, 7]])
        #expect(ladders(of: .thallium) == [none, none, [1, 3], [2, 4], [3, 5], [2, 4, 6], [1, 3, 5, 7]])
    }

    @Test("MDL: 38 neutral elements have a list of valences")
    func neutralLadders() {
        var text = ""
        for element in (UInt8(1)...118).compactMap(ChemicalElement.init(rawValue:)) {
            let rungs = MDLValence.ladder(of: element, charge: 0).rungs
            if !rungs.isEmpty { text += "\(element)" + rungs.map(String.init).joined() + " " }
        }
        #expect(
            text == """
                H1 Li1 Be2 B3 C4 N35 O2 F1 Na1 Mg2 Al3 Si4 P35 S246 Cl1357 K1 Ca2 Ga3 Ge4 As35 Se246 Br1357 \
                Rb1 Sr2 In3 Sn24 Sb35 Te246 I1357 Cs1 Ba2 Tl13 Pb24 Bi35 Po246 At1357 Fr1 Ra2 \

                """)
    }

    @Test("MDL: outside the p block, the only charge with a valence is a single charge on an alkaline earth metal")
    func sBlock() {
        let charges = [-2, -1, 0, 1, 2]
        #expect(charges.map { MDLValence.ladder(of: .sodium, charge: $0).rungs } == [[], [], [1], [], []])
        #expect(charges.map { MDLValence.ladder(of: .magnesium, charge: $0).rungs } == [[], [], [2], [1], []])
        #expect(charges.map { MDLValence.ladder(of: .hydrogen, charge: $0).rungs } == [[], [], [1], [], []])
        #expect(charges.map { MDLValence.ladder(of: .neon, charge: $0).rungs } == [[], [], [], [], []])
        #expect(charges.map { MDLValence.ladder(of: .nihonium, charge: $0).rungs } == [[], [], [], [], []])
    }

    @Test(
        "MDL: in the rule of 2017, metals have no hydrogens except aluminate with four",
        arguments: [
            Drawn(element: .sodium, hydrogens: 0),
            Drawn(element: .magnesium, bonds: 1, hydrogens: 0),
            Drawn(element: .aluminium, hydrogens: 0),
            Drawn(element: .aluminium, charge: -1, hydrogens: 4),
            Drawn(element: .tin, hydrogens: 0),
            Drawn(element: .antimony, bonds: 2, hydrogens: 0),
            Drawn(element: .carbon, bonds: 1, hydrogens: 3),
            Drawn(element: .tellurium, bonds: 1, hydrogens: 1),
            Drawn(element: .boron, bonds: 2, hydrogens: 1),
        ])
    func restricted(_ atom: Drawn) {
        #expect(mdlHydrogens(on: atom, by: .restricted2017) == atom.hydrogens)
    }

    @Test(
        "SketchEl: only C, N, O, S and P have hydrogens, with one valence each",
        arguments: [
            Drawn(element: .carbon, hydrogens: 4),
            Drawn(element: .carbon, charge: 1, bonds: 2, hydrogens: 1),
            Drawn(element: .carbon, charge: -1, bonds: 2, hydrogens: 1),
            Drawn(element: .nitrogen, charge: 1, hydrogens: 4),
            Drawn(element: .nitrogen, bonds: 4, hydrogens: 0),
            Drawn(element: .oxygen, charge: -1, bonds: 1, hydrogens: 0),
            Drawn(element: .oxygen, charge: 1, bonds: 2, hydrogens: 1),
            Drawn(element: .phosphorus, bonds: 1, hydrogens: 2),
            Drawn(element: .sulfur, bonds: 1, hydrogens: 1),
            Drawn(element: .sulfur, bonds: 6, hydrogens: 0),
            Drawn(element: .carbon, bonds: 1, unpaired: 1, hydrogens: 2),
            Drawn(element: .boron, hydrogens: 0),
            Drawn(element: .silicon, hydrogens: 0),
            Drawn(element: .chlorine, hydrogens: 0),
            Drawn(element: .selenium, hydrogens: 0),
        ])
    func sketchEl(_ atom: Drawn) {
        let hydrogens = SketchElHydrogens.count(
            on: atom.element, charge: atom.charge, bondOrderSum: atom.bonds, unpairedElectrons: atom.unpaired)
        #expect(hydrogens == atom.hydrogens)
    }

    @Test("extreme numbers do not trap", arguments: [Int.min, Int.max])
    func extremes(_ number: Int) {
        for element: ChemicalElement in [.carbon, .nitrogen, .sodium, .none] {
            #expect(
                MDLValence.hydrogens(on: element, charge: number, bondOrderSum: number, unpairedElectrons: number) == 0)
            #expect(
                MDLValence.hydrogens(on: element, charge: 0, bondOrderSum: 0, unpairedElectrons: Int.max) == 0)
            #expect(
                SketchElHydrogens.count(on: element, charge: Int.min, bondOrderSum: Int.max, unpairedElectrons: number)
                    == 0)
        }
    }

    @Test(
        "programs agree on organic atoms, common ions and transition metals, and on no unusual valence",
        arguments: [
            ("C", 0, 2, true), ("C", 1, 3, true), ("N", 1, 4, true), ("O", -1, 1, true), ("S", 0, 6, true),
            ("S", 0, 3, false), ("N", 0, 5, true), ("N", 0, 4, false), ("Cl", -1, 0, true), ("Cl", 1, 2, false),
            ("Na", 0, 0, false), ("Na", 0, 1, true), ("Na", 1, 0, true), ("Mg", 0, 1, false), ("Al", 0, 3, true),
            ("Sn", 0, 0, false), ("Sn", 2, 0, true), ("Ga", 1, 0, false), ("Cs", -1, 0, false), ("Fe", 0, 0, true),
            ("Pt", 2, 4, true),
            ("Xe", 0, 0, true), ("Xe", 0, 2, false), ("O", -2, 0, false), ("H", 1, 0, true),
        ])
    func agreement(symbol: String, charge: Int, sum: Int, isAgreed: Bool) throws {
        let element = try #require(ChemicalElement(symbol: symbol))
        #expect(MDLValence.isAgreedUpon(element, charge: charge, bondOrderSum: sum) == isAgreed)
    }

    private func mdlHydrogens(on atom: Drawn, by rule: MDLValenceRule) -> Int {
        MDLValence.hydrogens(
            on: atom.element, charge: atom.charge, bondOrderSum: atom.bonds, unpairedElectrons: atom.unpaired,
            rule: rule)
    }

    /// Returns the valences of a p block element for 1, 2 … 7 remaining outer electrons.
    private func ladders(of element: ChemicalElement) -> [[Int]] {
        let outerElectrons: [ChemicalElement: Int] = [
            .boron: 3, .carbon: 4, .fluorine: 7, .sulfur: 6, .gallium: 3, .bromine: 7, .indium: 3, .astatine: 7,
            .thallium: 3,
        ]
        return (1...7).map { left in
            MDLValence.ladder(of: element, charge: (outerElectrons[element] ?? 0) - left).rungs
        }
    }
}
