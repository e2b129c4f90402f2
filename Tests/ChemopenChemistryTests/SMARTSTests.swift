import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("SMARTS")
struct SMARTSTests {
    @Test(
        "each atom primitive matches the expected number of atoms",
        arguments: [
            ("*", Drawn.glycine, 5), ("A", Drawn.glycine, 5), ("a", Drawn.benzene, 6), ("a", Drawn.glycine, 0),
            ("C", Drawn.glycine, 2), ("c", Drawn.benzene, 6), ("[#6]", Drawn.benzene, 6), ("N", Drawn.glycine, 1),
            ("[D1]", Drawn.glycine, 3), ("[D]", Drawn.glycine, 3), ("[D{2-3}]", Drawn.glycine, 2),
            ("[X4]", Drawn.glycine, 1), ("[v4]", Drawn.glycine, 2), ("[H2]", Drawn.glycine, 2),
            ("[H1]", Drawn.glycine, 1), ("[h]", Drawn.glycine, 3), ("[!H0]", Drawn.glycine, 3),
            ("[R]", Drawn.naphthalene, 10), ("[R2]", Drawn.naphthalene, 2), ("[r6]", Drawn.naphthalene, 10),
            ("[r5]", Drawn.pyrrole, 5), ("[k6]", Drawn.naphthalene, 10), ("[x3]", Drawn.naphthalene, 2),
            ("[R3]", Drawn.cubane, 8), ("[+]", Drawn.salt, 1), ("[-1]", Drawn.salt, 1), ("[+0]", Drawn.glycine, 5),
            ("[Na+]", Drawn.salt, 1), ("[nH]", Drawn.pyrrole, 1), ("[n;H0]", Drawn.pyrrole, 0),
            ("[^2]", Drawn.benzene, 6), ("[^3]", Drawn.cyclohexane, 6), ("[13C]", Drawn("13C C", "0-1").molecule, 1),
            ("[2H]", Drawn("C 2H", "0-1").molecule, 1), ("[H]", Drawn("C H", "0-1").molecule, 0),
            ("[H+]", Drawn("H+").molecule, 1), ("[z1]", Drawn.glycine, 1), ("[z2]", Drawn.glycine, 1),
            ("[d2]", Drawn.glycine, 1), ("[C,N]", Drawn.glycine, 3), ("[C,N;H2]", Drawn.glycine, 2),
            ("[C&H2]", Drawn.glycine, 1), ("[!#6]", Drawn.glycine, 3), ("[!!#6]", Drawn.glycine, 2),
            ("[#6,#7;!D1]", Drawn.glycine, 2), ("[$(O=C)]", Drawn.glycine, 1), ("[$(C[$(N)])]", Drawn.glycine, 1),
            ("[!$(O=C);#8]", Drawn.glycine, 1),
        ])
    func atoms(_ pattern: String, _ molecule: Molecule, _ expected: Int) throws {
        #expect(try count(pattern, in: molecule) == expected)
    }

    @Test(
        "each bond primitive matches or not as expected",
        arguments: [
            ("C-C", Drawn.benzene, false), ("c:c", Drawn.benzene, true), ("c-c", Drawn.benzene, false),
            ("cc", Drawn.benzene, true), ("C=O", Drawn.aceticAcid, true), ("C#O", Drawn.aceticAcid, false),
            ("C~O", Drawn.aceticAcid, true), ("C@C", Drawn.cyclohexane, true), ("C!@C", Drawn.cyclohexane, false),
            ("C-,=O", Drawn.aceticAcid, true), ("C!-O", Drawn.aceticAcid, true), ("C!-C", Drawn.aceticAcid, false),
            ("C#N", Drawn("C N", "0#1").molecule, true), ("N->[Pt]", Drawn("N Pt", "0>1").molecule, true),
            ("N<-[Pt]", Drawn("N Pt", "0>1").molecule, false), ("[Pt]<-N", Drawn("N Pt", "0>1").molecule, true),
            ("C-,=;@C", Drawn.cyclohexane, true), ("C=&@C", Drawn.cyclohexane, false),
        ])
    func bonds(_ pattern: String, _ molecule: Molecule, _ expected: Bool) throws {
        #expect(try finds(pattern, in: molecule) == expected)
    }

    @Test(
        "a bond without a symbol is single or aromatic, at any position",
        arguments: [
            "[#6][#6][#7]", "[$([#6][#6][#7])]", "*1*****1", "[#6,#7][#6,#7][#7]", "[#6]([#6])[#7]", "[#7;D2][!#1]",
            "[#6]%10[#6][#6][#6][#6][#7]%10", "[$([#7]1[#6][#6][#6][#6][#6]1)]", "[#7;!$([#7]=[#6])]",
            "[#7][#6]=,:[#6]",
        ])
    func impliedBonds(_ pattern: String) throws {
        #expect(try finds(pattern, in: Molecule(smiles: "C1=CC=CN=C1")))
        #expect(try finds(pattern, in: Molecule(smiles: "c1ccncc1")))
        #expect(try !finds(pattern, in: Molecule(smiles: "C=CC=N")))
    }

    @Test(
        "a hydrogen in a pattern matches explicit and implicit hydrogens",
        arguments: [
            ("[H]O", ["CO", "CO[H]", "CO[2H]"], ["COC"]), ("[#1]-[#8]", ["CO"], ["COC", "C=O"]),
            ("[H]c", ["c1ccccc1"], ["CC", "Fc1c(F)c(F)c(F)c(F)c1F"]),
            ("[H]C([H])[H]", ["CC", "[H]C([H])([H])C"], ["C1CC1"]),
            ("[$(O[H])]", ["CO"], ["COC"]), ("[2H]C[H]", ["[2H]C"], ["[2H]C(F)(F)F"]), ("[H][H]", ["[H][H]"], ["C"]),
            ("[C@]([H])(F)(Cl)Br", ["[C@H](F)(Cl)Br", "[C@]([H])(F)(Cl)Br"], ["[C@@H](F)(Cl)Br"]),
            ("F[C@@]([H])(Cl)Br", ["F[C@@H](Cl)Br"], ["F[C@H](Cl)Br"]), ("[H]N=C", ["CC=N", "C/C=N/[H]"], ["CC=NC"]),
        ])
    func hydrogensOfPatterns(_ pattern: String, _ found: [String], _ missed: [String]) throws {
        for smiles in found { #expect(try finds(pattern, in: Molecule(smiles: smiles)), "\(smiles)") }
        for smiles in missed { #expect(try !finds(pattern, in: Molecule(smiles: smiles)), "\(smiles)") }
    }

    @Test("a pattern finds the same matches with and without explicit aromaticity of its atoms", arguments: 0..<4)
    func questionsForAromaticity(_ seed: UInt64) throws {
        var dice = SeededNumbers(seed: seed)
        let molecules = try [
            "Cc1ccncc1", "C=CC=CC", "c1ccc2[nH]ccc2c1", "CC(=O)Nc1ccc(O)cc1", "C1=CCCCC1", "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
            "C1CCNCC1", "OC1=CC=CC2=C1C=CO2", "CC(N)=NC", "c1ccc(cc1)-c1ccccn1",
        ].map { try Molecule(smiles: $0) }
        for _ in 0..<60 {
            let pieces = Self.piece(of: molecules[Int.random(in: molecules.indices, using: &dice)], using: &dice)
            for molecule in molecules {
                let found = try finds(pieces.plain, in: molecule)
                #expect(try found == finds(pieces.asking, in: molecule), "\(pieces.plain)")
            }
        }
    }

    /// Returns a random fragment as a pattern without bond symbols, and the same with atoms marked as aliphatic or
    /// aromatic.
    private static func piece(of molecule: Molecule, using dice: inout SeededNumbers) -> (plain: String, asking: String)
    {
        var atoms = [Int.random(in: molecule.atoms.indices, using: &dice)]
        var patterns: [(plain: String, asking: String)] = []
        while patterns.count < Int.random(in: 2...7, using: &dice), let atom = atoms.last {
            let number = molecule.atoms[atom].element.rawValue
            let test = ["#\(number)", "#\(number),#7", "!#1", "$([#\(number)]*)"].randomElement(using: &dice) ?? "*"
            patterns.append(("[\(test)]", "[\(test);a,A]"))
            let ways = molecule.bonds.compactMap { bond -> Int? in
                guard Int(bond.from) == atom || Int(bond.to) == atom else { return nil }
                let other = Int(bond.from) == atom ? Int(bond.to) : Int(bond.from)
                return atoms.contains(other) ? nil : other
            }
            guard let next = ways.randomElement(using: &dice) else { break }
            atoms.append(next)
        }
        let (plain, asking) = (patterns.map(\.plain).joined(), patterns.map(\.asking).joined())
        return Bool.random(using: &dice) ? (plain, asking) : ("[$(\(plain))]", "[$(\(asking))]")
    }

    @Test(
        "branches, rings and components are supported",
        arguments: [
            ("CC(=O)O", Drawn.aceticAcid, true), ("C1CCCCC1", Drawn.cyclohexane, true),
            ("C1CCCC1", Drawn.cyclohexane, false), ("c1ccc2ccccc2c1", Drawn.naphthalene, true),
            ("C%10CCCCC%10", Drawn.cyclohexane, true), ("C%(100)CCCCC%(100)", Drawn.cyclohexane, true),
            ("C1CCCCC-1", Drawn.cyclohexane, true), ("C=1CCCCC1", Drawn.cyclohexane, false),
            ("[Na+].[Cl-]", Drawn.salt, true), ("([Na+]).([Cl-])", Drawn.salt, true),
            ("([Na+].[Cl-])", Drawn.salt, false), ("(N.O)", Drawn.glycine, true), ("(N).(O)", Drawn.glycine, false),
            ("O.O", Drawn.glycine, true), ("O.O.O", Drawn.glycine, false), ("[C:1][N:2]", Drawn.glycine, true),
        ])
    func graphs(_ pattern: String, _ molecule: Molecule, _ expected: Bool) throws {
        #expect(try finds(pattern, in: molecule) == expected)
    }

    @Test(
        "an error is reported with its position",
        arguments: [
            ("", 0..<0, "expected a pattern with an atom"),
            ("CC(", 2..<3, "expected a ) that closes this branch, found \"(\""),
            ("C)", 1..<2, "expected a ( before this ), found \")\""),
            ("C1CC", 1..<2, "expected a second digit that closes this ring, found \"1\""),
            ("C=", 1..<2, "expected an atom after the bond, found \"=\""),
            ("[C", 0..<1, "expected a ] that closes this atom, found \"[\""),
            ("[C&]", 3..<4, "expected a property of the atom, found \"]\""),
            ("[C?]", 2..<3, "expected a property of the atom or ], found \"?\""),
            ("[$(CC]", 1..<3, "expected a ) that closes this $(, found \"$(\""),
            ("C>N", 1..<2, "expected two > between reactants, agents and products, found 1"),
            ("C(>>N)", 2..<3, "expected the > of a reaction outside of parentheses, found \">\""),
            ("CQ", 1..<2, "expected an atom, a bond or a branch, found \"Q\""),
            ("C%1", 1..<3, "expected two digits after %, found \"%1\""),
            ("[D{3-2}]", 2..<7, "expected a range in ascending order, found \"{3-2}\""),
            ("[#200]", 2..<5, "expected a number of at most 118, found \"200\""),
        ])
    func faults(_ pattern: String, _ range: Range<Int>, _ message: String) {
        let error = #expect(throws: SMARTSError.self) { try SMARTSPattern(pattern) }
        #expect(error?.range == range)
        #expect(error?.message == message)
    }

    @Test("nested patterns have a depth limit")
    func nesting() {
        let deep = String(repeating: "[$(C", count: 100) + String(repeating: ")]", count: 100)
        #expect(throws: SMARTSError.self) { try SMARTSPattern(deep) }
        #expect(throws: SMARTSError.self) { try SMARTSPattern(String(repeating: "C", count: 5000)) }
        #expect(throws: Never.self) {
            try SMARTSPattern(String(repeating: "C(", count: 500) + "C" + String(repeating: ")C", count: 500))
        }
    }

    @Test("random patterns are read or rejected, without a crash")
    func madeUp() {
        let letters = Array("CcNnO[]()$!&,;@=#-~:.%0123+HDXRrvx*Aa{}^/\\<>?")
        var state: UInt64 = 88_172_645_463_325_252
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int(state % 12) + 1 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                text.append(letters[Int(state % UInt64(letters.count))])
            }
            guard let pattern = try? SMARTSPattern(text) else { continue }
            var search = SubstructureSearch(pattern)
            _ = search.finds(in: Drawn.glycine)
            _ = search.finds(in: Drawn.naphthalene)
        }
    }

    @Test("a search that exceeds its limit stops with an error")
    func steps() throws {
        let side = 12
        var molecule = Molecule()
        for _ in 0..<side * side { molecule.atoms.append(Atom(.silicon)) }
        for place in 0..<side * side {
            if place % side < side - 1 { molecule.bonds.append(Bond(place, place + 1)) }
            if place < side * (side - 1) { molecule.bonds.append(Bond(place, place + side)) }
        }
        // A square lattice has no ring with an odd number of atoms.
        let ring = "[Si]1" + String(repeating: "[Si]", count: 29) + "[Si]1"
        var search = SubstructureSearch(try SMARTSPattern(ring))
        let isFound = search.finds(in: molecule)
        #expect(!isFound)
        #expect(search.gaveUp)
    }

    @Test("a wedge distinguishes mirror images")
    func centers() throws {
        var molecule = Drawn("C F Cl Br", "0-1 0-2 0-3").molecule
        for (index, position) in [(0.0, 0.0), (0.0, 1.0), (-0.9, -0.5), (0.9, -0.5)].enumerated() {
            molecule.atoms[index].position = Position(position.0, position.1)
        }
        #expect(try !finds("[C@H](F)(Cl)Br", in: molecule))
        #expect(try finds("[C@?H](F)(Cl)Br", in: molecule))
        molecule.bonds[0].mark = .up
        let found = [
            try finds("[C@](F)(Cl)Br", in: molecule), try finds("[C@@](F)(Cl)Br", in: molecule),
            try finds("F[C@H](Cl)Br", in: molecule), try finds("F[C@@H](Cl)Br", in: molecule),
        ]
        #expect(found == [true, false, true, false])
        molecule.bonds[0].mark = .down
        #expect(try finds("F[C@@H](Cl)Br", in: molecule))
    }

    @Test("the positions at a double bond distinguish cis and trans")
    func doubleBonds() throws {
        var molecule = Drawn("F C C Cl", "0-1 1=2 2-3").molecule
        for (index, position) in [(0.0, 0.0), (1.0, 0.5), (2.0, 0.5), (3.0, 0.0)].enumerated() {
            molecule.atoms[index].position = Position(position.0, position.1)
        }
        #expect(try finds(#"F/C=C\Cl"#, in: molecule))
        #expect(try !finds("F/C=C/Cl", in: molecule))
        molecule.atoms[3].position.y = 1
        #expect(try finds("F/C=C/Cl", in: molecule))
        molecule.bonds[1].mark = .either
        #expect(try !finds("F/C=C/Cl", in: molecule))
    }
}

@Suite("Rings and aromaticity")
struct PerceptionTests {
    @Test(
        "the number of aromatic atoms matches RDKit",
        arguments: [
            (Drawn.benzene, 6), (Drawn.pyrrole, 5), (Drawn.naphthalene, 10), (Drawn.cyclohexane, 0),
            (Drawn.ring("C C C C C C", "::::::"), 6), (Drawn.ring("O C C C C", "-=-=-"), 5),
            (Drawn.ring("C C C C C", "-=-=-"), 0), (Drawn.ring("C- C C C C", "-=-=-"), 5),
            (Drawn.ring("C C C C C C C C", "=-=-=-=-"), 0), (Drawn.ring("C+ C C C C C C", "-=-=-=-"), 7),
            (Drawn("C C C C C C O", "0-1 1=2 2-3 3-4 4=5 5-0 0=6").molecule, 0),
            (Drawn("N C C C C C O", "0-1 1=2 2-3 3=4 4-5 5-0 5=6").molecule, 6),
            (Drawn.ring("N+ C C C C C", "=-=-=-"), 6), (Drawn.ring("B C C C C", "-=-=-"), 0),
        ])
    func aromatic(_ molecule: Molecule, _ expected: Int) throws {
        #expect(try count("a", in: molecule) == expected)
    }

    @Test(
        "a hydrogen at the beginning of a recursive pattern matches explicit and implicit hydrogens",
        arguments: ["[$([H]O)]", "[$([#1]-[#8])]", "[H]O", "O[H]", "[#1]-[#8]", "[$(O[H])]", "[H]OC"])
    func hydrogensOfRecursions(_ pattern: String) throws {
        for (smiles, isFound) in [("CO", true), ("[H]OC", true), ("COC", false), ("CN[H]", false)] {
            var search = SubstructureSearch(try SMARTSPattern(pattern))
            #expect(try search.finds(in: Molecule(smiles: smiles)) == isFound, "\(smiles)")
        }
    }

    @Test("explicit hydrogens count like implicit ones")
    func drawnHydrogens() throws {
        let methane = Drawn("C H H H H", "0-1 0-2 0-3 0-4").molecule
        #expect(try count("[CH4]", in: methane) == 1)
        #expect(try count("*", in: methane) == 1)
        #expect(try count("[H][H]", in: Drawn("H H", "0-1").molecule) == 2)
    }

    @Test("all drawings of a nitro group are equivalent")
    func nitro() throws {
        #expect(try finds("[N+](=O)[O-]", in: Drawn("C N O O", "0-1 1=2 1=3").molecule))
        #expect(try finds("[N+](=O)[O-]", in: Drawn("C N+ O O-", "0-1 1=2 1-3").molecule))
        #expect(try finds("N=[N+]=[N-]", in: Drawn("C N N N", "0-1 1=2 2#3").molecule))
    }

    @Test("rings of a large lattice are found within the limit for every atom")
    func lattice() throws {
        let side = 60
        var molecule = Molecule()
        for _ in 0..<side * side { molecule.atoms.append(Atom(.silicon)) }
        for place in 0..<side * side {
            if place % side < side - 1 { molecule.bonds.append(Bond(place, place + 1)) }
            if place < side * (side - 1) { molecule.bonds.append(Bond(place, place + side)) }
        }
        #expect(try count("[r4]", in: molecule) == side * side)
    }
}
