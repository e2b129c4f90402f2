import ChemopenChemistry
import ChemopenModel
import Testing

@Suite("Pattern from a drawing")
struct DrawnPatternTests {
    private func finds(_ query: Molecule, _ smiles: String) throws -> Bool {
        var search = SubstructureSearch(try SMARTSPattern(drawn: query))
        return search.finds(in: try Molecule(smiles: smiles))
    }

    private func query(_ smiles: String, _ change: (inout Molecule) -> Void = { _ in }) throws -> Molecule {
        var molecule = try Molecule(smiles: smiles)
        change(&molecule)
        return molecule
    }

    @Test("matches larger structures, because implicit hydrogens may be any substituent")
    func continued() throws {
        let acid = try query("CC(=O)O")
        #expect(try finds(acid, "CC(=O)O"))
        #expect(try finds(acid, "CCCC(=O)OC"))
        #expect(try !finds(acid, "CCC=O"))
        #expect(try finds(query("C1=CC=CC=C1"), "Cc1ccccc1"))
        #expect(try !finds(query("CC=C"), "c1ccccc1"))
        #expect(try !finds(query("C1CCCCC1"), "c1ccccc1"))
    }

    @Test("requires the charge, isotope, explicit hydrogens and wedges of the drawing")
    func stated() throws {
        #expect(try finds(query("[O-]C"), "[O-]CC"))
        #expect(try !finds(query("[O-]C"), "OCC"))
        #expect(try !finds(query("[13CH3]C"), "CCC"))
        #expect(try finds(query("[H]OC"), "OCC"))
        #expect(try !finds(query("[H]OC"), "COC"))
        #expect(try finds(query("C[C@H](F)O"), "CC[C@H](F)O"))
        #expect(try !finds(query("C[C@H](F)O"), "CC[C@@H](F)O"))
        #expect(try !finds(query(#"F/C=C/Cl"#), #"F/C=C\Cl"#))
    }

    /// Returns a carbon with sites of R1, which have these members.
    private func scaffold(
        sites: Int = 1, _ members: [String], _ logic: RGroup.Logic? = nil
    ) throws -> Molecule {
        var molecule = try Molecule(smiles: sites == 1 ? "C*" : "*C*")
        for atom in molecule.atoms.indices where molecule.atoms[atom].element == .none {
            molecule.setLabel("R#", ofAtom: atom)
            molecule.addNote(.rgroups([1]), toAtom: atom)
        }
        var group = RGroup(1)
        group.logic = logic
        for smiles in members {
            var member = try Molecule(smiles: smiles)
            member.addNote(.attachmentPoint(first: true, second: false), toAtom: 0)
            group.members.append(member)
        }
        molecule.extras.contents.rgroups = [group]
        return molecule
    }

    @Test(
        "the site of an R-group matches only its members",
        arguments: [
            (["Cl"], "CCl CCCl", "CBr CC C"), (["Cl", "Br"], "CCl CBr", "CF CC"), (["CC"], "CCC", "CC CCl"),
            (["C(=O)O"], "CC(=O)O CC(=O)OC", "CC=O CO"), ([], "CCl CC", "C"),
        ])
    func members(_ members: [String], _ yes: String, _ no: String) throws {
        let query = try scaffold(members)
        for smiles in yes.split(separator: " ") { #expect(try finds(query, String(smiles)), "\(smiles)") }
        for smiles in no.split(separator: " ") { #expect(try !finds(query, String(smiles)), "\(smiles)") }
    }

    @Test(
        "the occurrence of an R-group and the hydrogens at its other sites are conditions",
        arguments: [
            (">0", false, "CCl ClCCl CC(Cl)Cl", "C CBr"), ("2", false, "ClCCl ClC(Cl)Cl", "CCl ClCBr"),
            ("0", false, "C CCl CBr", "O"), (">1", false, "ClCCl", "CCl"), ("<2", false, "C CCl ClCCl", "O"),
            ("1", true, "CCl CCCl", "C CC(Cl)(C)C CBr"), ("0", true, "C CC BrCBr", "ClC(Cl)(Cl)Cl BrC(Br)Br"),
            ("0,2", true, "C ClCCl", "FC(F)(F)F"), ("1-2", false, "CCl ClCCl", "CBr"),
        ])
    func occurrences(_ text: String, _ rest: Bool, _ yes: String, _ no: String) throws {
        var logic = RGroup.Logic()
        logic.occurrence = Text(text)
        logic.restIsHydrogen = rest
        let query = try scaffold(sites: 2, ["Cl"], logic)
        for smiles in yes.split(separator: " ") { #expect(try finds(query, String(smiles)), "\(smiles)") }
        for smiles in no.split(separator: " ") { #expect(try !finds(query, String(smiles)), "\(smiles)") }
    }

    @Test("R-groups without a site are ignored, unknown occurrences and too many combinations are errors")
    func limits() throws {
        var query = try scaffold(["Cl"])
        var other = RGroup(2)
        other.members = [try Molecule(smiles: "F")]
        query.extras.contents.rgroups.append(other)
        #expect(try finds(query, "CCl") && !finds(query, "CBr"))
        query.extras.contents.rgroups[0].logic = RGroup.Logic()
        query.extras.contents.rgroups[0].logic?.requires = 2
        #expect(try finds(query, "CCl"))
        for occurrence in [">-1", "x", "1-", "3-2", "2"] {
            query.extras.contents.rgroups[0].logic?.occurrence = Text(occurrence)
            #expect(throws: DrawnPatternError.self, "\(occurrence)") { try SMARTSPattern(drawn: query) }
        }
        var crowded = try scaffold(["F", "Cl", "Br", "I", "O", "N", "S", "P"])
        for _ in 0..<4 {
            let atom = crowded.atoms.count
            crowded.atoms.append(Atom(.none))
            crowded.setLabel("R#", ofAtom: atom)
            crowded.addNote(.rgroups([1]), toAtom: atom)
            crowded.bonds.append(Bond(0, atom))
        }
        #expect(throws: DrawnPatternError.self) { try SMARTSPattern(drawn: crowded) }
    }

    @Test("applies its atom lists, query atoms, query bonds and counts")
    func questions() throws {
        let list = try query("C*") { $0.addNote(.elementList(ElementList(["N", "O"])), toAtom: 1) }
        #expect(try finds(list, "CO") && finds(list, "CN") && !finds(list, "CF"))
        let others = try query("C*") { $0.addNote(.elementList(ElementList(excluding: true, ["N", "O"])), toAtom: 1) }
        #expect(try finds(others, "CF") && !finds(others, "CO"))
        for (label, yes, no) in [
            ("Q", "CO", "CC"), ("X", "CCl", "CO"), ("M", "C[Zn]", "CO"), ("A", "CC", "C"), ("R#", "CO", "C"),
        ] {
            let asked = try query("C*") { $0.setLabel(Text(label), ofAtom: 1) }
            #expect(try finds(asked, yes) && !finds(asked, no), "\(label)")
        }
        let bond = try query("CC") { $0.bonds[0].order = .singleOrDouble }
        #expect(try finds(bond, "C=C") && finds(bond, "CC") && !finds(bond, "C#C"))
        let inRing = try query("CC") { $0.bonds[0].traits.insert(.inRing) }
        #expect(try finds(inRing, "C1CC1") && !finds(inRing, "CCC"))
        let inChain = try query("CC") { $0.bonds[0].traits.insert(.inChain) }
        #expect(try finds(inChain, "CC1CC1") && !finds(inChain, "C1CC1"))
        let asDrawn = try query("CO") { $0.addNote(.substitutionCount(-2), toAtom: 0) }
        #expect(try finds(asDrawn, "CO") && !finds(asDrawn, "CCO"))
        let unsaturated = try query("CO") { $0.addNote(.unsaturated, toAtom: 0) }
        #expect(try finds(unsaturated, "C=CO") && !finds(unsaturated, "CCO"))
        let chain = try query("CO") { $0.addNote(.ringBondCount(-1), toAtom: 0) }
        #expect(try finds(chain, "CCO") && !finds(chain, "C1CC1O"))
    }

    @Test(
        "aromatic rings are detected even if query bonds are attached to them",
        arguments: [Bond.Order.singleOrDouble, .singleOrAromatic, .any])
    func queryBondsAtRings(_ order: Bond.Order) throws {
        for (ring, place, found) in [
            ("C1=CC=CC=C1O", 6, "Oc1ccccc1"), ("C1=COC(C)=C1", 4, "Cc1occc1"), ("C1=CC=CN1C", 5, "Cn1cccc1"),
            ("C1=CC=C2C=CC=CC2=C1C", 10, "Cc1cccc2ccccc12"), ("CC1=CC=NC=C1", 0, "Cc1ccncc1"),
        ] {
            let asked = try query(ring) { molecule in
                let bond = molecule.bonds.firstIndex { Int($0.from) == place || Int($0.to) == place }
                if let bond, molecule.bonds[bond].order == .single { molecule.bonds[bond].order = order }
            }
            #expect(asked.bonds.contains { $0.order == order })
            #expect(try finds(asked, found), "\(ring) with \(order)")
            #expect(try !finds(asked, "CC1CCCCC1"))
        }
        // A ring that is not aromatic stays so.
        let quinone = try query("O=C1C=CC(O)C=C1") { $0.bonds[5].order = order }
        #expect(try !finds(quinone, "Oc1ccc(O)cc1"))
    }

    @Test("is rejected if it contains an unsupported query feature")
    func refused() throws {
        #expect(throws: DrawnPatternError.self) { try SMARTSPattern(drawn: Molecule()) }
        let named = try query("C*") { $0.setLabel("Pol", ofAtom: 1) }
        #expect(throws: DrawnPatternError.self) { try SMARTSPattern(drawn: named) }
        for linked in [
            "CCC |LN:1:1.65|", "CC(C)C |LN:1:1.3|", "CCC |LN:0:1.3|", "CCC |LN:1:4.3|", "CCCC |LN:1:1.9,LN:2:1.9|",
        ] {
            #expect(throws: DrawnPatternError.self, "\(linked)") { try SMARTSPattern(drawn: query(linked)) }
        }
    }

    @Test("a link node matches each number of repetitions in its range, and no other")
    func linked() throws {
        let chain = try query("FCCl |LN:1:2.4|")
        for (count, isFound) in [(1, false), (2, true), (3, true), (4, true), (5, false)] {
            #expect(try finds(chain, "F" + String(repeating: "C", count: count) + "Cl") == isFound, "\(count)")
        }
        let ring = try query("C1CO1 |LN:1:1.3|")
        for (smiles, isFound) in [("C1CO1", true), ("C1CCO1", true), ("C1CCCO1", true), ("C1CCCCO1", false)] {
            #expect(try finds(ring, smiles) == isFound, "\(smiles)")
        }
        let two = try query("FC*Cl |LN:1:1.2,LN:2:1.2|") {
            $0.addNote(.elementList(ElementList(["N", "O"])), toAtom: 2)
        }
        for (smiles, isFound) in [("FCOCl", true), ("FCCONCl", true), ("FCCOOOCl", false), ("FCCSCl", false)] {
            #expect(try finds(two, smiles) == isFound, "\(smiles)")
        }
        let unsaturated = try query("FCC |LN:1:1.2|") { $0.addNote(.unsaturated, toAtom: 2) }
        #expect(try finds(unsaturated, "FCCC=C") && finds(unsaturated, "FCC=C") && !finds(unsaturated, "FCCC"))
    }

    @Test("an exact search matches only the same molecule, in any atom order and Kekulé form")
    func exact() throws {
        for (one, same, others) in [
            ("CCO", "OCC", ["CCCO", "CC", "CC[O-]", "CC=O", "CCO.O"]),
            ("CC1=CC=CC=C1", "Cc1ccccc1", ["Cc1ccccc1C", "CC1CCCCC1"]),
            ("C[C@H](N)C(=O)O", "N[C@@H](C)C(=O)O", ["C[C@@H](N)C(=O)O"]),
            ("[Na+].[Cl-]", "[Cl-].[Na+]", ["[Na+]", "[Na]Cl"]),
            ("C[N+](=O)[O-]", "CN(=O)=O", ["CN=O"]),
        ] {
            var search = SubstructureSearch(try SMARTSPattern(exactly: Molecule(smiles: one)))
            #expect(search.finds(in: try Molecule(smiles: same)), "\(one)")
            for other in others { #expect(!search.finds(in: try Molecule(smiles: other)), "\(one) in \(other)") }
        }
    }
}
