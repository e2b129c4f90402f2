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
        "a molecule is written as the expected text",
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

    @Test("a wedge becomes a stereo center with the corresponding chirality")
    func center() {
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

    @Test("an unpaired electron without a free valence and a negative class are omitted")
    func unsaid() {
        var molecule = Drawn("O C O H *", "0=1 1-2 1-3 2-4").molecule
        for index in molecule.atoms.indices { molecule.atoms[index].radical = .doublet }
        molecule.atoms[2].mapNumber = -2
        molecule.atoms[3].isotope = 0
        #expect(smiles(molecule) == "O=CO*")
        #expect(smiles(Drawn("C", "").molecule) == "C")
        var methyl = Drawn("C", "").molecule
        methyl.atoms[0].radical = .doublet
        #expect(smiles(methyl) == "[CH3]")
        // Three hydrogens leave room for one electron, despite the radical of the molecule.
        methyl.atoms[0].hydrogens = .fixed(3)
        for (radical, isUnsaid) in [(Radical.doublet, false), (.triplet, true), (.unpaired(3), true)] {
            methyl.atoms[0].radical = radical
            var text = SMILESText()
            text.append(methyl)
            #expect(String(decoding: text.bytes, as: UTF8.self) == "[CH3]")
            #expect(text.unsaid == (isUnsaid ? Features(.radicals) : []))
        }
    }

    @Test("positions at a double bond become directional bonds")
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

    @Test("canonical SMILES is the same for all atom orders, even for highly symmetric molecules")
    func canonical() throws {
        for smiles in [
            "CC(=O)Oc1ccccc1C(=O)O", "C[C@H](N)C(=O)O", #"F/C=C\C=C\Cl"#, "C12C3C4C1C5C2C3C45", "CC(C)(C)C(C)(C)C",
            "O[C@H]1[C@@H](O)[C@H](O)[C@@H](O)[C@H](O)[C@@H]1O", "C[C@H]1CC[C@@H](C)CC1", "C1CC2CC1CC2",
            "[Na+].[Cl-].O.O",
            "c1ccc2c(c1)ccc1ccccc12", "C[N+](=O)[O-]", "CC(C)=C(C)C", #"C/C=C/C(/C=C/C)O"#, "C[C@H](O)C(O)[C@H](C)O",
            "[NH3]->[Pt](<-[NH3])(Cl)Cl", "[2H]C([2H])C", "[CH3:1]C[CH3:2]", "C1CCC1.C1CCC1",
            #"C/C(/C)=C/1\CC/C(/CC1)=C(/C)\C"#,
            // Three arms of two rings each: no local difference shows which atom next to the second ring has no
            // configuration.
            "C[C@@H]1CC[C@@H](CC1)[C@H]1CC[C@H](CC1)C[C@H](C[C@@H]1CCC(CC1)[C@@H]1CC[C@@H](C)CC1)C[C@H]1CC[C@H](CC1)[C@H]1CC[C@H](C)CC1",
            "C[C@H]1CC[C@H](CC1)[C@H]1CC[C@H](CC1)CC[C@@H]1CC[C@H](CC1)[C@H]1CC[C@@H](C)CC1",
        ] {
            let molecule = try Molecule(smiles: smiles)
            var texts = Set<String>()
            for turn in 0..<24 { texts.insert(canonical(try shuffled(molecule, turn))) }
            #expect(texts.count == 1, "\(smiles): \(texts.sorted())")
            let again = try Molecule(smiles: texts.first ?? "")
            #expect(canonical(again) == texts.first)
        }
    }

    @Test("canonical SMILES sorts equal components by the extension data of their atoms")
    func canonicalParts() throws {
        let molecule = try Molecule(smiles: "[CH2].[CH2].[CH2].C[CH2] |^3:1,^4:0,2|")
        var texts = Set<String>()
        for turn in 0..<24 {
            var text = SMILESText()
            text.isCanonical = true
            text.appendExtended(try shuffled(molecule, turn))
            text.appendExtensions()
            texts.insert(String(decoding: text.bytes, as: UTF8.self))
        }
        #expect(texts.count == 1, "\(texts.sorted())")
        #expect(texts.first?.contains("|^3:") == true)
    }

    @Test("canonical SMILES is the same for all atom orders of a drawing, however distorted it is")
    func crooked() throws {
        var state: UInt64 = 7
        func next(below count: UInt64) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double((state >> 33) % count)
        }
        var known = 0
        for drawing in 0..<160 {
            // Each end of the double bond has two neighbors, which may be on the same side or in line with the bond.
            var molecule = Drawn("F C C Cl Br N C O S", "0-1 1=2 2-3 1-4 2-5 5-6 6-7 6-8").molecule
            for index in molecule.atoms.indices {
                let height = drawing % 4 == 3 ? next(below: 3) : 0
                molecule.atoms[index].position = Position(next(below: 5), next(below: 5), height)
            }
            molecule.bonds[6].mark = drawing % 2 == 0 ? .up : .none
            var texts = Set<String>()
            for turn in 0..<6 { texts.insert(canonical(try shuffled(molecule, turn))) }
            #expect(texts.count == 1, "\(molecule.atoms.map(\.position)): \(texts.sorted())")
            known += texts.contains { $0.contains("/") } ? 1 : 0
        }
        #expect(20...140 ~= known)
    }

    @Test("two neighbors on one side of a double bond specify no geometry, and one in line with it is ignored")
    func oneSide() {
        var molecule = Drawn("F C C Cl Br", "0-1 1=2 2-3 2-4").molecule
        for (index, position) in [(0.0, 1.0), (0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (4.0, 0.0)].enumerated() {
            molecule.atoms[index].position = Position(position.0, position.1)
        }
        #expect(smiles(molecule) == #"F/C=C(\Cl)/Br"#)
        molecule.atoms[4].position = Position(2.5, 1)
        #expect(smiles(molecule) == "FC=C(Cl)Br")
    }

    @Test("positions specify no configuration for an atom with two equivalent neighbors")
    func alikeInSpace() {
        var molecule = Drawn("C C C C F F F", "0-1 1-2 1-3 3-4 3-5 3-6").molecule
        let positions = [
            (-0.58, 1.17, -0.35), (-0.07, -0.01, 0.47), (-0.82, -1.21, -0.04), (1.42, -0.05, 0.17),
            (1.70, -0.24, -1.16), (1.87, 1.24, 0.49), (2.10, -0.93, 0.97),
        ]
        for (index, place) in positions.enumerated() {
            molecule.atoms[index].position = Position(place.0, place.1, place.2)
        }
        #expect(smiles(molecule) == "CC(C)C(F)(F)F")
        molecule.atoms[5].element = .chlorine
        molecule.atoms[6].element = .bromine
        #expect(smiles(molecule) == "CC(C)[C@@](F)(Cl)Br")
    }

    @Test(
        "canonical SMILES omits configurations of atoms that are not stereo centers",
        arguments: [
            ("C[C@@H](C)[C@](F)(F)F", "CC(C)C(F)(F)F", true), (#"F/C=C(\C)C"#, "FC=C(C)C", true),
            ("[O-][S@@](=O)(=O)OC", "[O-]S(=O)(=O)OC", true),
            ("c1ccccc1[C@H](F)c1ccccc1", "c1ccccc1C(F)c1ccccc1", true),
            ("O=C1CC[C@@H](C)CC1", "O=C1CCC(C)CC1", true), (#"F/C=C1\CCCCC1"#, "FC=C1CCCCC1", true),
            // Far from equivalent neighbors, or across a ring, a configuration may still be significant.
            ("C[C@H](O)[C@H](F)[C@@H](C)O", "C[C@H](O)[C@@H](F)[C@@H](C)O", false),
            ("C[C@H]1CC[C@@H](C)CC1", "C[C@H]1CC[C@H](C)CC1", false),
            ("C[C@H](O)[C@@H](C)O", "C[C@H](O)[C@H](C)O", false),
            ("O=C1CCC[C@]12CCCC2=O", "O=C1CCC[C@@]12CCCC2=O", false), ("C[C@H](F)O", "CC(F)O", false),
            // Atom map numbers distinguish neighbors, near or far.
            ("C[C@H](F)[CH3:1]", "CC(F)[CH3:1]", false), ("CC[C@H](F)C[CH3:1]", "CC[C@@H](F)C[CH3:1]", false),
        ])
    func idle(_ one: String, _ other: String, areSame: Bool) throws {
        let texts = try [one, other].map { canonical(try Molecule(smiles: $0)) }
        #expect((texts[0] == texts[1]) == areSame, "\(texts)")
    }

    @Test("if a molecule is too symmetric, its SMILES is not canonical and is reported as such")
    func bounded() throws {
        var molecule = Molecule()
        let count = 8_000
        for _ in 0..<count { molecule.atoms.append(Atom(.carbon)) }
        for place in molecule.atoms.indices { molecule.bonds.append(Bond(place, (place + 1) % count)) }
        var text = SMILESText()
        text.isCanonical = true
        text.append(molecule)
        #expect(text.uncanonical == 1)
        #expect(text.bytes.count == count + 2)
    }

    private func canonical(_ molecule: Molecule) -> String {
        var text = SMILESText()
        text.isCanonical = true
        text.append(molecule)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Returns the molecule from a text that starts at another atom and uses another traversal order.
    private func shuffled(_ molecule: Molecule, _ turn: Int) throws -> Molecule {
        var order = Array(molecule.atoms.indices)
        var state = UInt64(turn)
        for place in order.indices.reversed().dropLast() {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            order.swapAt(place, Int(state >> 33) % (place + 1))
        }
        var other = molecule
        other.arrange(atoms: order, bonds: Array(molecule.bonds.indices.reversed()))
        // Parities depend on the order of the atoms.
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        for (index, atom) in molecule.atoms.enumerated() where atom.marks.parity != 0 {
            let moved = molecule.neighbors(ofAtom: index).sorted().compactMap { places[$0] }
            let inversions = moved.indices.reduce(0) { sum, place in
                sum + moved[(place + 1)...].count { $0 < moved[place] }
            }
            if inversions % 2 == 1 { other.atoms[places[index] ?? 0].marks.parity = 3 - atom.marks.parity }
        }
        return other
    }

    @Test("a reused writer produces the same text as a new one")
    func memory() {
        var dice = SystemRandomNumberGenerator()
        let elements = [ChemicalElement.carbon, .carbon, .carbon, .nitrogen, .oxygen, .hydrogen, .sulfur, .none]
        for isCanonical in [false, true] {
            var reused = SMILESText()
            reused.isCanonical = isCanonical
            for _ in 0..<400 {
                var molecule = Molecule()
                let count = Int.random(in: 1...30, using: &dice)
                for _ in 0..<count {
                    let (x, y) = (Double.random(in: -9...9, using: &dice), Double.random(in: -9...9, using: &dice))
                    molecule.atoms.append(Atom(elements[Int.random(in: 0..<8, using: &dice)], at: Position(x, y)))
                }
                for place in 1..<count + Int.random(in: 1...4, using: &dice) {
                    let to = place < count ? place : Int.random(in: 0..<count, using: &dice)
                    let from = Int.random(in: max(0, to - 4)...max(0, to - 1), using: &dice)
                    let order = [Bond.Order.single, .single, .double, .aromatic][Int.random(in: 0..<4, using: &dice)]
                    var bond = Bond(from, to, order)
                    if Int.random(in: 0..<8, using: &dice) == 0 { bond.mark = .up }
                    molecule.bonds.append(bond)
                }
                var alone = SMILESText()
                alone.isCanonical = isCanonical
                alone.appendExtended(molecule)
                reused.removeAll()
                reused.appendExtended(molecule)
                #expect(reused.bytes == alone.bytes && reused.order == alone.order, "\(molecule)")
                #expect(reused.repeatedBonds == alone.repeatedBonds)
                #expect(reused.unsaidGeometries == alone.unsaidGeometries)
            }
        }
    }

    @Test(
        "a hydrogen with a map number or its own hydrogens is written as an atom",
        arguments: [
            "[CH3:1][H:3]", "C[HH8]", "[H:1]O[H:2]", "[C@](F)(Cl)(Br)[H:1]", "[C@@]([H:1])(F)(Cl)Br",
            "F[C@]([H:1])(Cl)Br", #"[H:1]/C(/F)=C(/F)\[H:2]"#, "[H:1]N=C",
        ])
    func numberedHydrogens(_ text: String) throws {
        #expect(smiles(try Molecule(smiles: text)) == text)
        let plain = text.replacing("[H:1]", with: "[H]").replacing("[H:2]", with: "[H]")
        #expect(!smiles(try Molecule(smiles: plain)).contains("[H]"))
    }

    @Test(
        "a hydrogen on a nitrogen with a double bond is implicit, unless it defines a geometry",
        arguments: [
            ("[H]N=C(N)N", "N=C(N)N"), ("CC(C)=N[H]", "CC(C)=N"), ("[H]/N=C(/C)C", "N=C(C)C"), ("[H]N=CC", "N=CC"),
            ("[H]N=[N+]=[N-]", "N=[N+]=[N-]"), ("[H]/N=C/C", "[H]/N=C/C"), ("[H]/N=C(/N)C", #"[H]/N=C(/N)\C"#),
            ("[H]/N=N/[H]", "[H]/N=N/[H]"), ("[2H]N=CC", "[2H]N=CC"), ("[H+].N=C", "[H+].N=C"),
            ("[2H][H]", "[2HH]"), ("[H][H+]", "[HH+]"), ("[H][H]", "[H][H]"), ("[2H][3H]", "[2H][3H]"),
        ])
    func imineHydrogens(_ text: String, _ expected: String) throws {
        let molecule = try Molecule(smiles: text)
        #expect(smiles(molecule) == expected)
        var search = SubstructureSearch(try SMARTSPattern(exactly: Molecule(smiles: expected)))
        let isFound = search.finds(in: molecule)
        #expect(isFound)
    }

    @Test("ring closures follow the order of the text, so the text is stable when read and written again")
    func orderOfRings() throws {
        // The sixth atom has its bond to the seventh before the bond back to the first.
        let fused = Drawn(
            "C C C C C C C C C C", "0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9=0 5-0"
        ).molecule
        #expect(smiles(fused) == "C1=2CCCCC1CCCC2")
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let count = Int.random(in: 3...14, using: &dice)
            var bonds = Set((1..<count).map { [Int.random(in: max(0, $0 - 3)..<$0, using: &dice), $0] })
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                let ends = [Int.random(in: 0..<count, using: &dice), Int.random(in: 0..<count, using: &dice)]
                if ends[0] != ends[1] { bonds.insert(ends.sorted()) }
            }
            var molecule = Molecule()
            molecule.atoms = [Atom](repeating: Atom(.carbon), count: count)
            molecule.bonds = bonds.shuffled(using: &dice).map { Bond($0[0], $0[1]) }
            let text = smiles(molecule)
            #expect(smiles(try Molecule(smiles: text)) == text)
        }
    }

    @Test("a long chain and many rings are written without a depth limit")
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
