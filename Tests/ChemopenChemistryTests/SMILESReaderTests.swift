import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("SMILES reader")
struct SMILESReaderTests {
    private func written(_ smiles: String) throws -> String {
        var text = SMILESText()
        text.append(try Molecule(smiles: smiles))
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "writes each input in its normal form",
        arguments: [
            ("CCO", "CCO"), ("C(C)(C)C", "C(C)(C)C"), ("C1CC1", "C1CC1"), ("C=1CC=1", "C=1CC1"), ("C%12CC%12", "C1CC1"),
            ("C%(123)CC%(123)", "C1CC1"), ("C1.C1", "CC"), ("C(.O)C", "CC.O"), ("[CH4]", "C"), ("[CH3][CH3]", "CC"),
            ("c1ccccc1", "C1=CC=CC=C1"), ("c1ccccc1c1ccccc1", "C1=CC=CC=C1C1=CC=CC=C1"), ("[nH]1cccc1", "N1C=CC=C1"),
            ("[NH4+].[Cl-]", "[NH4+].[Cl-]"), ("[O--]", "[O-2]"), ("[13CH3][2H]", "[13CH3][2H]"), ("[H]C", "C"),
            ("[CH3]", "[CH3]"), ("[Na]", "[Na]"), ("[C:1]", "[C:1]"), ("[*H2]", "[*H2]"), ("N->[Pt]", "[NH3]->[Pt]"),
            ("[Pt]<-N", "[Pt]<-[NH3]"), ("C~C", "[CH4]~[CH4]"), ("[C]$[C]", "C$C"), ("CN(=O)=O", "C[N](=O)=O"),
            ("CCl(C)C", "C[Cl](C)C"), ("O=S(=O)(O)O", "O=S(=O)(O)O"), ("F/C=C/F", "F/C=C/F"),
            (#"C(/F)=C\Cl"#, #"C(/F)=C\Cl"#), (#"F\C=C\F"#, "F/C=C/F"), ("F/C=C/1.Cl1", "F/C=C/Cl"),
            ("N[C@](F)(Cl)Br", "N[C@](F)(Cl)Br"), ("[C@TH2](F)(Cl)(Br)I", "[C@@](F)(Cl)(Br)I"),
            ("[C@@]1(F)(Cl)CCO1", "[C@@]1(F)(Cl)CCO1"), ("[H][C@](F)(Cl)Br", "[C@H](F)(Cl)Br"),
            ("C[S@](=O)CC", "C[S@](=O)CC"), ("[H]/N=C/C", "[H]/N=C/C"),
        ])
    func written(_ smiles: String, _ expected: String) throws {
        let text = try written(smiles)
        #expect(text == expected)
        #expect(try written(text) == text)
    }

    @Test("supports the largest numbers of the model, so every output can be read")
    func extremes() throws {
        var chance = SystemRandomNumberGenerator()
        for element in ["C", "N", "*", "Fe", "H"] {
            for _ in 0..<200 {
                var drawn = Drawn(element).molecule
                var atom = drawn.atoms[0]
                atom.charge = [.min, .max, -1, 0, 1, -999, 1000].randomElement(using: &chance) ?? 0
                atom.isotope = [0, 1, 999, .max].randomElement(using: &chance) ?? 0
                atom.mapNumber = [0, 1, .max].randomElement(using: &chance) ?? 0
                atom.hydrogens = .fixed([0, 1, 2, 9, 99, 100, HydrogenCount.most].randomElement(using: &chance) ?? 0)
                drawn.atoms[0] = atom
                var text = SMILESText()
                text.append(drawn)
                let smiles = String(decoding: text.bytes, as: UTF8.self)
                let molecule = try Molecule(smiles: smiles)
                #expect(molecule.atoms[0].charge == atom.charge, "\(smiles)")
                #expect(molecule.atoms[0].isotope == atom.isotope, "\(smiles)")
                #expect(molecule.atoms[0].mapNumber == atom.mapNumber, "\(smiles)")
                #expect(molecule.hydrogenCounts()[0] == atom.hydrogens.fixed, "\(smiles)")
            }
        }
    }

    @Test("reads one bond between two atoms, and counts repeated bonds as lost")
    func repeatedBonds() throws {
        for bonds in ["0-1 0=1 1-2", "0-1 1=0 1-2", "0-1 1-2 0-1 0-1"] {
            var text = SMILESText()
            text.append(Drawn("C N C", bonds).molecule)
            #expect(text.repeatedBonds == bonds.split(separator: " ").count - 2)
            let molecule = try Molecule(smiles: String(decoding: text.bytes, as: UTF8.self))
            #expect(molecule.bonds.map(\.order) == [.single, .single])
        }
    }

    @Test("counts a dative bond as a bond of an acceptor without brackets, but not of a donor")
    func dativeBonds() throws {
        for (smiles, counts) in [
            ("[NH3]->N", [3, 2]), ("N<-[NH3]", [2, 3]), ("[NH3]->B", [3, 2]), ("CC->O", [3, 3, 1]),
            ("[NH3]->c1ccccc1", [3, 0, 1, 1, 1, 1, 1]), ("[NH3]->[NH3]", [3, 3]),
        ] {
            let molecule = try Molecule(smiles: smiles)
            #expect(molecule.hydrogenCounts() == counts, "\(smiles)")
        }
    }

    @Test("uses the implicit hydrogen rule if it produces the same count, and fixes other counts")
    func hydrogens() throws {
        let molecule = try Molecule(smiles: "C[C@H](F)[NH3+].[Na].[nH]1cccc1.C~C")
        #expect(
            molecule.atoms.map(\.hydrogens.fixed)
                == [nil, nil, nil, nil, 0, nil, nil, nil, nil, nil, 4, 4])
        #expect(molecule.hydrogenCounts() == [3, 1, 0, 3, 0, 1, 1, 1, 1, 1, 4, 4])
        #expect(molecule.flags == .withoutCoordinates)
        #expect(try Molecule(smiles: "[CH2]").atoms[0].radical == .unpaired(2))
    }

    @Test("reports unsupported features, and reads the rest")
    func doubts() throws {
        var reader = SMILESReader()
        for (text, range) in [
            ("[Co@OH12](F)(Cl)(Br)O", 3..<8), ("C[C@]C", 3..<4), ("F/CCl", 1..<2), (#"F/C(\Cl)=C/F"#, 1..<2),
            ("C |foo:1|", 3..<8), ("C |^9:0,$a$|", 3..<7), ("C |^1:0|", 3..<7),
        ] {
            try reader.read(text)
            #expect(reader.doubts.map(\.range) == [range], "\(text)")
        }
        try reader.read("c1ccnc1")
        #expect(reader.doubts.count == 1)
        #expect(reader.molecule.bonds.allSatisfy { $0.order == .aromatic })
    }

    @Test(
        "reports the range of an error",
        arguments: [
            ("C(C", 1..<2), ("C)C", 1..<2), ("C1CC", 1..<2), ("C==C", 1..<2), ("=C", 0..<1), ("C=", 1..<2),
            ("C.", 1..<2),
            (".C", 0..<1), ("C()C", 1..<3), ("C(1)C1", 2..<3), ("C11", 2..<3), ("C1C1", 3..<4), ("C12CCC12", 7..<8),
            ("C-1CC=1", 6..<7), ("[C", 0..<1), ("[]", 1..<2), ("[Xx]", 1..<2), ("[CH", 0..<1), ("[C+32768]", 2..<8),
            ("[70000C]", 1..<6), ("[C:]", 3..<4), ("x", 0..<1), ("CC>C", 0..<4), ("C>C>C>C", 5..<6), ("C%1", 1..<3),
            ("C<C", 1..<2), ("C C", 1..<3), ("[C@SP4]", 2..<6),
        ])
    func refused(_ text: String, _ range: Range<Int>) {
        var reader = SMILESReader()
        let error = #expect(throws: SMILESError.self) { try reader.read(text) }
        #expect(error?.range == range, "\(text): \(error?.description ?? "")")
    }

    @Test("assigns the components of a reaction by their position around the arrows")
    func reactions() throws {
        var reader = SMILESReader()
        try reader.read("C.O>[Pd]>CO.[Na+].[Cl-] |f:4.5|")
        let reaction = try #require(reader.reaction)
        #expect(reaction.reactants.map(\.molecule.atoms.count) == [1, 1])
        #expect(reaction.agents.map(\.molecule.atoms.count) == [1])
        #expect(reaction.products.map(\.molecule.atoms.count) == [2, 2])
        #expect(throws: SMILESError.self) { try Molecule(smiles: "C>>C") }
    }

    @Test("reads the atom properties of CX extensions")
    func extensions() throws {
        let molecule = try Molecule(smiles: "C[C@H](F)* |$;a;;_R2$,(0,0;1,0;1,1;2,0),&2:1,s:2:1,u:0|")
        #expect(molecule.atoms.map(\.position.x) == [0, 1, 1, 2])
        #expect(molecule.flags == [])
        #expect(Array(molecule.notes(onAtom: 0)) == [.unsaturated])
        #expect(Array(molecule.notes(onAtom: 1)) == [.alias("a")])
        #expect(Array(molecule.notes(onAtom: 2)) == [.substitutionCount(1)])
        #expect(Array(molecule.notes(onAtom: 3)) == [.rgroups([2])])
        #expect(molecule.extras.contents.stereoGroups == [StereoGroup(.racemic, number: 2, atoms: [1])])
        let linked = try Molecule(smiles: "C1CCCCC1 |LN:1:2.4|").extras.contents.linkNodes
        #expect(linked == [LinkNode(atom: 1, repeats: 2, to: 4, neighbors: [0, 2])])
        let anywhere = try Molecule(smiles: "C*.CCC |m:1:2.4|")
        #expect(Array(anywhere.notes(onBond: 0)) == [.endpoints(atoms: [2, 4], any: true)])
    }

    private func extended(_ smiles: String, canonical: Bool = false) throws -> String {
        var reader = SMILESReader()
        try reader.read(smiles)
        #expect(reader.doubts.isEmpty, "\(smiles): \(reader.doubts)")
        var text = SMILESText()
        text.isCanonical = canonical
        text.appendExtended(reader.molecule)
        text.appendExtensions()
        #expect(text.extensions.unsaid.isEmpty, "\(smiles): \(text.extensions.unsaid)")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "writes the CX extensions that it reads",
        arguments: [
            "CC* |$;;_R12$|", "** |$A_e;Q_e$|", "*** |$M_p;XH_p;Pol_p$|", "*C |$Gly;$|", "*C |$odd_p_p;_R1_p$|",
            "CC |$Me&#59;&#36;&#124;;$|", "CC |$_AV:1.5;é&#32;&#10;$|", "CC |$a;$,$_AV:;b$|", "[Cu] |^1:0|",
            "[CH2] |^3:0|",
            "[CH2] |^4:0|", "C[C@H](F)[C@H](F)[C@H](F)C |a:5,&1:1,o2:3|", "C1CCCCC1 |LN:1:2.4.0.2|",
            "*C.C1=CC=CC=C1 |m:0:2.3.4|", "CC(O)C |rb:0:*,s:1:3,2:0,u:1|", "CCO |SgD:0,1:name:a&#44;b&#10;c:like:kg::|",
            "*CC* |$end;;;$,Sg:n:1,2:n:ht:::|", "CC.O |Sg:c:0,1:1::::,Sg:c:2:2::::,Sg:mix:0,1,2:::::,SgH:2:0.1|",
            "CCC |Sg:alt:0,1:x:eu:::,Sg:gen:2::hh:::|",
        ])
    func sameExtensions(_ smiles: String) throws {
        #expect(try extended(smiles) == smiles)
        let canonical = try extended(smiles, canonical: true)
        #expect(try extended(canonical, canonical: true) == canonical)
    }

    @Test("accepts other notations of CX extensions")
    func otherExtensions() throws {
        #expect(try extended("*C |$star_e;$|") == "*C")
        #expect(try extended("CCC |Sg:n:1:n:ht:0,:1,::(1,2)|") == "CCC |Sg:n:1:n:ht:::|")
        #expect(try extended("CCC |SgD:1:a:b:::t:(1,2),SgD:0:c:d|") == "CCC |SgD:1:a:b::::,SgD:0:c:d::::|")
        let unit = try Molecule(smiles: "CCC |Sg:n:1:n:ht|").extras.contents.sgroups
        #expect(unit.first?.bonds == [0, 1])
    }

    @Test("canonical extensions are the same for all atom orders")
    func canonicalExtensions() throws {
        for texts in [
            ["*CC* |$_R1;;;_R2$|", "*CC* |$_R2;;;_R1$|"], ["CCCC |SgD:0,1:a:b::::|", "CCCC |SgD:3,2:a:b::::|"],
            ["C1CCCCC1 |LN:1:2.4.0.2|", "C1CCCCC1 |LN:5:2.4.4.0|"],
            ["C[C@H](F)[C@H](F)C |&1:1,o1:3|", "C[C@@H](F)[C@@H](F)C |&4:3,o5:1|"],
            ["C[C@H](F)[C@H](F)C |o5:1,o1:3|", "C[C@@H](F)[C@@H](F)C |o1:3,o2:1|"],
            ["C[C@H](F)[C@H](F)[C@H](F)C |o3:1,o1:3,o2:5|", "C[C@H](F)[C@H](F)[C@H](F)C |o1:1,o2:3,o3:5|"],
        ] {
            let canonical = try Set(texts.map { try extended($0, canonical: true) })
            #expect(canonical.count == 1, "\(canonical)")
        }
    }

    @Test("reports each feature that CX extensions cannot represent")
    func unsaidExtensions() throws {
        var molecule = try Molecule(smiles: "*CC(N)* |LN:1:1.2,$;;;;_R1$|")
        molecule.extras.contents.linkNodes[0].neighbors = [2]
        molecule.extras.contents.sgroups = [Sgroup(.abbreviation)]
        molecule.addNote(.rgroups([1, 2]), toAtom: 0)
        molecule.addNote(.alias("x"), toAtom: 0)
        molecule.addNote(.alias("y"), toAtom: 1)
        molecule.addNote(.alias("_R3"), toAtom: 2)
        var text = SMILESText()
        text.appendExtended(molecule)
        text.appendExtensions()
        #expect(String(decoding: text.bytes, as: UTF8.self) == "*CC(N)* |$;y;;;_R1$|")
        #expect(text.extensions.unsaid.map(\.feature) == [.rgroups, .aliases, .aliases, .linkNodes, .sgroups])
    }

    @Test("converts centers to wedges if there are coordinates, and adds no geometry")
    func drawn() throws {
        let places = "|(0,0;1,1;2,0;2,2;0,2)|"
        for smiles in ["C[C@](F)(Cl)Br", "C[C@@](F)(Cl)Br"] {
            let molecule = try Molecule(smiles: "\(smiles) \(places)")
            #expect(molecule.bonds.contains { $0.mark == .up || $0.mark == .down })
            #expect(try written("\(smiles) \(places)") == smiles)
        }
        let open = "|(0,0;1,0.5;2,0.5;3,0)|"
        #expect(try written("FC=CF \(open)") == "FC=CF")
        #expect(try written(#"F/C=C\F "# + open) == #"F/C=C\F"#)
    }

    @Test("reads or rejects random mutations, and preserves every molecule that it reads")
    func changed() throws {
        let seeds = [
            "C[C@@H](N)C(=O)O", "c1cc2c(cc1)[nH]cc2", #"F/C=C\C=C/Cl"#, "[13CH3:2][N+](C)(C)[O-]", "C%10CC(C1)C%10C1",
            "CC.O>[Pd]>CO |f:1.2,$a;b$|", "C1CC1* |$;;;_R1$,(0,0,1;1,,2;2,0;3,4,5),^1:0,&1:0,LN:1:2.3,m:3:0|",
            "CCO* |$;a;;M_p$,$_AV:;1$,SgD:0:n:v::::,Sg:n:1:n:ht:::,SgH:1:0,u:2,s:1:2|",
        ]
        let bytes = Array("CNOcn[]()=#123%+-@H/\\.:*>|$;,^&fLSgD_p0 ".utf8)
        var state: UInt64 = 9
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var reader = SMILESReader()
        var text = SMILESText()
        for _ in 0..<20_000 {
            var changed = Array(seeds[next(seeds.count)].utf8)
            for _ in 0...next(3) {
                let place = next(changed.count)
                switch next(3) {
                case 0: changed[place] = bytes[next(bytes.count)]
                case 1: changed.insert(bytes[next(bytes.count)], at: place)
                default: changed.remove(at: place)
                }
            }
            let smiles = String(decoding: changed, as: UTF8.self)
            guard (try? reader.read(smiles)) != nil, reader.reaction == nil else { continue }
            text.removeAll()
            text.appendExtended(reader.molecule)
            text.appendExtensions()
            let once = String(decoding: text.bytes, as: UTF8.self)
            if once.isEmpty { continue }
            let counts = reader.molecule.hydrogenCounts().reduce(0, +)
            let hasForm = reader.doubts.isEmpty
            try reader.read(once)
            if hasForm { #expect(reader.molecule.hydrogenCounts().reduce(0, +) == counts, "\(smiles)") }
            text.removeAll()
            text.appendExtended(reader.molecule)
            text.appendExtensions()
            #expect(String(decoding: text.bytes, as: UTF8.self) == once, "\(smiles)")
        }
    }

    @Test("supports lines of any length and depth")
    func large() throws {
        let count = 100_000
        let chain = String(repeating: "C(", count: count) + "O" + String(repeating: ")", count: count)
        #expect(try Molecule(smiles: chain).atoms.count == count + 1)
        let rings = String(repeating: "c1ccccc1", count: 10_000)
        #expect(try Molecule(smiles: rings).formula.description == "C60000H40002")
    }
}
