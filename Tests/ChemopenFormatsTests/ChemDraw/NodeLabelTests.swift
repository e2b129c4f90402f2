import ChemopenChemistry
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Labels in drawings")
struct NodeLabelTests {
    private func reading(_ page: String) throws -> Reading {
        let drawing = "<CDXML BondLength=\"14.4\"><page id=\"1\">\(page)</page></CDXML>"
        return try Reading.all(Array(drawing.utf8), by: DrawingReader.self)
    }

    /// Returns a chain of two carbons that ends at a node with a label.
    private func chain(_ label: String, _ attributes: String = "", order: Int = 1) -> String {
        """
        <fragment id="2"><n id="3" p="10 10"/><n id="4" p="22.5 17.2"/><n id="5" p="35 10" \(attributes)>
        <t p="35 10"><s>\(label)</s></t></n><b B="3" E="4"/><b B="4" E="5" Order="\(order)"/></fragment>
        """
    }

    private func label(alone label: String) -> String {
        "<fragment id=\"2\"><n id=\"5\" p=\"35 10\" NodeType=\"Unspecified\"><t p=\"35 10\"><s>\(label)</s></t></n></fragment>"
    }

    private func molecule(_ page: String) throws -> (molecule: Molecule, issues: [ChemopenFormats.Issue]) {
        let reading = try reading(page)
        try #require(reading.records.count == 1)
        return (try #require(reading.records[0].molecule), reading.issues)
    }

    /// Returns the canonical SMILES, which is the same for the same structure.
    private func canonical(_ molecule: Molecule) -> String {
        var text = SMILESText()
        text.isCanonical = true
        text.append(molecule.expandingAbbreviations())
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "the label of a group is an abbreviation with its atoms",
        arguments: [
            ("OTs", "CCOS(=O)(=O)c1ccc(C)cc1"), ("TsO", "CCOS(=O)(=O)c1ccc(C)cc1"), ("CO2Et", "CCC(=O)OCC"),
            ("EtO2C", "CCC(=O)OCC"), ("N(Me)2", "CCN(C)C"), ("NMe2", "CCN(C)C"), ("Me2N", "CCN(C)C"),
            ("COOH", "CCC(=O)O"), ("HOOC", "CCC(=O)O"), ("CHO", "CCC=O"), ("OHC", "CCC=O"), ("NPhth", ""),
            ("NHBoc", "CCNC(=O)OC(C)(C)C"), ("BocHN", "CCNC(=O)OC(C)(C)C"), ("CF3", "CCC(F)(F)F"),
            ("F3C", "CCC(F)(F)F"), ("NO2", "CC[N+](=O)[O-]"), ("O2N", "CC[N+](=O)[O-]"), ("CN", "CCC#N"),
            ("SO2NH2", "CCS(N)(=O)=O"), ("CH2CH2OH", "CCCCO"), ("(CH2)3OH", "CCCCCO"), ("C(CH3)3", "CCC(C)(C)C"),
            ("PPh3+", "CC[P+](c1ccccc1)(c1ccccc1)c1ccccc1"), ("CO2-", "CCC(=O)[O-]"), ("B(OH)2", "CCB(O)O"),
            ("OSiMe3", "CCO[Si](C)(C)C"), ("SiMe2tBu", "CC[Si](C)(C)C(C)(C)C"), ("N3", "CCN=[N+]=[N-]"),
            ("CONHMe", "CCC(=O)NC"), ("PO(OMe)2", "CCP(=O)(OC)OC"), ("P(O)(OEt)2", "CCP(=O)(OCC)OCC"),
            ("(EtO)2OP", "CCP(=O)(OCC)OCC"), ("CH=CH2", "CCC=C"), ("MeOCH2", "CCCOC"), ("¹³CH₃", "CC[13CH3]"),
            ("Bpin", "CCB1OC(C)(C)C(C)(C)O1"), ("CO₂⁻", "CCC(=O)[O-]"), ("NiPr2", "CCN(C(C)C)C(C)C"),
            ("Oi-Pr", "CCOC(C)C"),
            ("PtBu2", "CCP(C(C)(C)C)C(C)(C)C"), ("SnBu3", "CC[Sn](CCCC)(CCCC)CCCC"), ("O2NCH2", "CCC[N+](=O)[O-]"),
        ])
    func groups(_ label: String, _ smiles: String) throws {
        for attributes in ["", "NodeType=\"Unspecified\"", "NodeType=\"Nickname\"", "Element=\"6\""] {
            let (molecule, issues) = try molecule(chain(label, attributes))
            if label == "NPhth" {
                // Two bonds of the nitrogen lead to the group, the third to the chain.
                #expect(molecule.expandingAbbreviations().formula == "C10H9NO2")
            } else {
                #expect(canonical(molecule) == canonical(try Molecule(smiles: smiles)), "\(label) \(attributes)")
            }
            #expect(issues.isEmpty, "\(label) \(attributes)")
        }
    }

    @Test("the atoms of an expanded label are a bond length apart, at the position of the label")
    func places() throws {
        for label in ["OTs", "NPhth", "Fmoc", "OTBDPS", "CO2tBu", "Pbf", "Bpin"] {
            let expanded = try molecule(chain(label)).molecule.expandingAbbreviations()
            for bond in expanded.bonds {
                let (one, other) = (expanded.atoms[Int(bond.from)].position, expanded.atoms[Int(bond.to)].position)
                let (x, y) = (one.x - other.x, one.y - other.y)
                #expect(abs((x * x + y * y).squareRoot() - 1.5) < 0.02, "\(label)")
            }
            for (index, atom) in expanded.atoms.enumerated() {
                for other in expanded.atoms[..<index] {
                    let (x, y) = (atom.position.x - other.position.x, atom.position.y - other.position.y)
                    #expect((x * x + y * y).squareRoot() > 0.3, "\(label)")
                }
            }
        }
    }

    @Test(
        "the label of an element becomes that element",
        arguments: [
            ("O", "CCO"), ("NH2", "CCN"), ("H2N", "CCN"), ("O-", "CC[O-]"), ("NH3+", "CC[NH3+]"), ("Cl", "CCCl"),
            ("D", "CC[2H]"), ("13CH3", "CC[13CH3]"), ("18OH", "CC[18OH]"), ("CH3", "CCC"), ("H3C", "CCC"),
            ("C", "CCC"), ("Me", "CCC"),
        ])
    func elements(_ label: String, _ smiles: String) throws {
        let (molecule, _) = try molecule(chain(label))
        #expect(molecule.atoms.count == 3 && molecule.extras.contents.abbreviations.isEmpty)
        if label != "13CH3" { #expect(canonical(molecule) == canonical(try Molecule(smiles: smiles)), "\(label)") }
    }

    @Test("the label of a compound contains all of its atoms")
    func compounds() throws {
        for (label, formula) in [
            ("TEA", "C6H15N"), ("MeOH", "CH4O"), ("HCl", "ClH"), ("H2O", "H2O"), ("Et3N", "C6H15N"), ("K2CO3", "CK2O3"),
            ("PhCHO", "C7H6O"), ("Boc2O", "C10H18O5"), ("CH2Cl2", "CH2Cl2"), ("Water", "H2O"), ("Et2O", "C4H10O"),
            ("AcOH", "C2H4O2"),
        ] {
            let (molecule, issues) = try molecule(self.label(alone: label))
            #expect(molecule.expandingAbbreviations().formula == formula, "\(label)")
            #expect(issues.isEmpty)
        }
    }

    @Test("groups in brackets share the bond that is drawn to them")
    func branches() throws {
        let page = """
            <fragment id="2"><n id="3" p="10 10"/><n id="4" p="22.5 17.2" Element="15"/><n id="6" p="22 30" Element="8"/>
            <n id="5" p="35 10" NodeType="Unspecified"><t p="35 10"><s>(OEt)2</s></t></n>
            <b B="3" E="4"/><b B="4" E="6" Order="2"/><b B="4" E="5"/></fragment>
            """
        let (molecule, issues) = try molecule(page)
        #expect(canonical(molecule) == canonical(try Molecule(smiles: "CP(=O)(OCC)OCC")))
        #expect(issues.isEmpty)
        #expect(try reading(chain("(OEt)5")).issues.count == 1)
    }

    @Test(
        "an unknown label is an atom with that name, with a warning",
        arguments: [
            "Foo", "or", "L1", "12, 98%", "(CH2)n", "CO", "CONH", "Gly", "H1", "X12", "SOMe", "Qq", "O(", "C9",
            "pinCNCH2",
        ])
    func names(_ label: String) throws {
        let (molecule, issues) = try molecule(chain(label))
        #expect(molecule.symbol(ofAtom: 2) == Text(label))
        #expect(molecule.atoms[2].element == .none)
        #expect(issues.count == 1, "\(issues)")
        #expect(issues.first?.found == Text(label))
    }

    @Test("an unknown label leaves the element of the node if it contains the element symbol")
    func statedElements() throws {
        let (molecule, issues) = try molecule(chain("IIII", "Element=\"53\""))
        #expect(molecule.atoms[2].element == .iodine && issues.count == 1)
        #expect(try reading(chain("Foo", "Element=\"53\"")).records[0].molecule?.symbol(ofAtom: 2) == "Foo")
        #expect(try reading(chain("FeII", "Element=\"26\"")).issues.isEmpty)
    }

    @Test("a star, a variable and an R-group site are detected by their names")
    func variables() throws {
        for (label, symbol) in [("*", "*"), ("R", "R"), ("X", "X"), ("A", "A"), ("R1", "R#"), ("R12", "R#")] {
            let (molecule, issues) = try molecule(chain(label))
            #expect(molecule.symbol(ofAtom: 2) == Text(symbol))
            #expect(issues.isEmpty)
        }
    }

    @Test("a label with other hydrogens, mass or charge than its node is reported")
    func contradictions() throws {
        #expect(try reading(chain("OH", "Element=\"8\" NumHydrogens=\"0\"")).issues.count == 1)
        #expect(try reading(chain("N+", "Element=\"7\"")).issues.count == 1)
        #expect(try reading(chain("13CH3", "Element=\"6\"")).issues.count == 1)
        #expect(try reading(chain("OH", "Element=\"8\" NumHydrogens=\"1\"")).issues.isEmpty)
        #expect(try reading(chain("N+H3", "Element=\"7\" NumHydrogens=\"3\" Charge=\"1\"")).issues.isEmpty)
    }

    @Test("the acid of a salt is a component of the adjacent molecule")
    func salts() throws {
        func page(_ label: String) -> String {
            chain("NH2", "Element=\"7\" NumHydrogens=\"2\"")
                + """
                <fragment id="20"><n id="21" p="60 12" NodeType="Unspecified"><t p="60 12"><s>\(label)</s></t></n></fragment>
                """
        }
        for label in ["•HCl", "· HCl", "x HCl", ".HCl"] {
            let (molecule, issues) = try molecule(page(label))
            #expect(molecule.formula == "C2H8ClN", "\(label)")
            #expect(issues.isEmpty)
        }
        #expect(try molecule(page("•2HCl")).molecule.formula == "C2H9Cl2N")
        #expect(try molecule(page("•H2O")).molecule.formula == "C2H9NO")
        let unknown = try reading(page("• zHCl"))
        #expect(unknown.records.map { $0.molecule?.formula } == ["C2H7N"])
        #expect(unknown.records[0].fields["Salt"]?.value == "• zHCl")
        #expect(unknown.issues.count == 1)
    }

    @Test("a variable drawn next to a reaction is not a reactant, and is reported")
    func loneVariables() throws {
        func lone(_ id: Int, _ x: Int, _ label: String) -> String {
            """
            <fragment id="\(id)"><n id="\(id + 1)" p="\(x) 60" NodeType="GenericNickname" GenericNickname="R">
            <t p="\(x) 60"><s>\(label)</s></t></n></fragment>
            """
        }
        let page = """
            <fragment id="2"><n id="3" p="10 10"/><n id="4" p="24 10" Element="8"/><b B="3" E="4"/></fragment>
            <fragment id="12"><n id="13" p="110 10"/><n id="14" p="124 10" Element="16"/><b B="13" E="14"/></fragment>
            \(lone(30, 12, "1R–"))\(lone(40, 20, "2R–"))\(lone(50, 112, "1R–"))
            <arrow id="60" ArrowheadHead="Full" ArrowheadType="Solid" Head3D="90 10 0" Tail3D="50 10 0"/>
            <scheme id="70"><step id="71" ReactionStepReactants="2 30 40" ReactionStepProducts="12 50"
            ReactionStepArrows="60"/></scheme>
            """
        let reading = try reading(page)
        let reaction = try #require(reading.records.first?.reaction)
        #expect(reaction.reactants.map(\.molecule.formula) == ["CH4O"])
        #expect(reaction.products.map(\.molecule.formula) == ["CH4S"])
        #expect(reading.records[0].fields["Reactants"]?.value == "1R–")
        #expect(reading.issues.count == 2)
    }

    @Test("a page with many labels is read quickly")
    func manyLabels() throws {
        let nodes = (0..<3000).map { number in
            let label = "(OCH2)\(number % 13 + 2)(CO2)\(number / 13 % 13 + 2)(NMe)\(number / 169 + 2)"
            return """
                <n id="\(number + 10)" p="\(number) 10" NodeType="Unspecified"><t><s>\(label)</s></t></n>
                """
        }
        let clock = ContinuousClock()
        let time = try clock.measure {
            _ = try reading("<fragment id=\"2\">\(nodes.joined())</fragment>")
        }
        #expect(time < .seconds(60))
    }
}
