import ChemopenFormats
import ChemopenModel
import Foundation
import Testing

@Suite("ChemDraw schemes and text")
struct DrawingReactionTests {
    @Test(
        "a step is a reaction with agents and conditions, and other molecules follow",
        arguments: DrawingSpelling.allCases)
    func step(_ spelling: DrawingSpelling) throws {
        let records = try spelling.reading("reaction").records
        #expect(records.count == 2)
        let reaction = try #require(records[0].reaction)
        #expect(reaction.reactants.map(\.molecule.formula) == ["CH4O"])
        #expect(reaction.agents.map(\.molecule.formula) == ["ClH"])
        #expect(reaction.products.map(\.molecule.formula) == ["CH3Cl"])
        #expect(reaction.steps[0].conditions == ["Pd/C\n2 h"])
        #expect(records[1].molecule?.formula == "ClH")
    }

    @Test(
        "the product of a step can be the reactant of the next, and a group can be a hydrochloride",
        arguments: DrawingSpelling.allCases)
    func steps(_ spelling: DrawingSpelling) throws {
        let records = try spelling.reading("reaction-steps").records
        #expect(records.map { $0.reaction?.reactants.count } == [1, 1])
        #expect(records.map { $0.reaction?.products.map(\.molecule.formula) } == [["CH4O"], ["CH5ClO"]])
        #expect(records.map { $0.fields["Step"]?.value } == ["1 of 2", "2 of 2"])
    }

    @Test("a drawing truncated inside a group of a step is reported as broken")
    func openGroup() throws {
        let page = String(decoding: try Fixture("cdxml/reaction-steps.cdxml").bytes, as: UTF8.self)
        let parts = page.split(separator: "</group>")
        let open = Array("\(parts[0])<group>\(parts[1])".utf8)
        let reading = try Reading.all(open, by: DrawingReader.self)
        #expect(reading.records.isEmpty)
        #expect(reading.errors.map(\.line) == [34])
    }

    @Test("pairs of the atom map are numbered", arguments: DrawingSpelling.allCases)
    func map(_ spelling: DrawingSpelling) throws {
        let reaction = try #require(try spelling.reading("reaction-map").records.first?.reaction)
        #expect(reaction.reactants[0].molecule.atoms.map(\.mapNumber) == [1, 2])
        #expect(reaction.products[0].molecule.atoms.map(\.mapNumber) == [1, 2])
    }

    @Test("an arrow between two molecules is a reaction marked as inferred", arguments: DrawingSpelling.allCases)
    func inferred(_ spelling: DrawingSpelling) throws {
        let reading = try spelling.reading("reaction-inferred")
        let record = try #require(reading.records.first)
        #expect(reading.records.count == 1)
        #expect(record.reaction?.steps[0].conditions == ["heat"])
        #expect(record.fields["Inferred"] != nil)
        #expect(reading.issues.map(\.message) == ["no step is declared; the reaction is inferred from the arrow"])
    }

    /// Three molecules: two in a row, and a third below the second.
    private static let threeMolecules = [(10, 100, 100), (20, 300, 100), (30, 300, 300)].map { id, x, y in
        """
        <fragment id="\(id)"><n id="\(id + 1)" p="\(x) \(y)"/><n id="\(id + 2)" p="\(x + 30) \(y)" Element="8"/>
        <b id="\(id + 3)" B="\(id + 1)" E="\(id + 2)"/></fragment>
        """
    }.joined()

    private func reactions(_ page: String) throws -> [Record] {
        let drawing = "<CDXML BondLength=\"30\"><page id=\"1\">\(Self.threeMolecules)\(page)</page></CDXML>"
        return try Reading.all(Array(drawing.utf8), by: DrawingReader.self).records.filter { $0.reaction != nil }
    }

    private static let step = """
        <arrow id="40" ArrowheadHead="Full" Head3D="280 100 0" Tail3D="150 100 0"/>
        <scheme><step ReactionStepReactants="10" ReactionStepProducts="20" ReactionStepArrows="40"/></scheme>
        """

    @Test("an arrow to the next row that is not in the scheme is also a reaction, marked as inferred")
    func turns() throws {
        let records = try reactions(
            Self.step + "<arrow id=\"41\" ArrowheadHead=\"Full\" Head3D=\"310 270 0\" Tail3D=\"310 130 0\"/>")
        #expect(records.count == 2)
        #expect(records[0].fields["Inferred"] == nil)
        #expect(records[1].fields["Inferred"]?.value == "from the drawing: the file declares no step for the arrow")
        #expect(records[1].reaction?.reactants.count == 1 && records[1].reaction?.products.count == 1)
    }

    @Test("an object at the arrow of a step is not the start of another arrow")
    func startsAtNoAgent() throws {
        let step = """
            <arrow id="40" ArrowheadHead="Full" Head3D="280 100 0" Tail3D="150 100 0"/>
            <scheme><step ReactionStepReactants="10" ReactionStepObjectsAboveArrow="20" ReactionStepArrows="40"/></scheme>
            <arrow id="41" ArrowheadHead="Full" Head3D="310 270 0" Tail3D="310 130 0"/>
            """
        #expect(try reactions(step).count == 1)
    }

    @Test(
        "the kind of an arrow depends on its no-go sign, heads and lines, or on its older type",
        arguments: [
            ("", .forward), ("NoGo=\"Cross\"", .crossed), ("NoGo=\"Hash\"", .hashed), ("Dipole=\"yes\"", .dipole),
            ("NoGo=\"Cross\" ArrowheadTail=\"Full\"", .crossed), ("ArrowheadTail=\"Full\"", .resonance),
            ("ArrowheadTail=\"HalfLeft\" ArrowShaftSpacing=\"300\"", .equilibrium),
            ("ArrowheadTail=\"Full\" ArrowShaftSpacing=\"300\" ArrowEquilibriumRatio=\"100\"", .equilibrium),
            (
                "ArrowheadTail=\"Full\" ArrowShaftSpacing=\"300\" ArrowEquilibriumRatio=\"200\"",
                .equilibriumToProducts
            ),
            (
                "ArrowheadTail=\"Full\" ArrowShaftSpacing=\"300\" ArrowEquilibriumRatio=\"40\"",
                .equilibriumToReactants
            ),
            ("ArrowheadType=\"Hollow\"", .hollow), ("ArrowheadType=\"Angle\"", .forward),
            ("ArrowheadType=\"Angle\" ArrowShaftSpacing=\"300\"", .retrosynthetic),
            ("ArrowType=\"RetroSynthetic\"", .retrosynthetic), ("ArrowType=\"Equilibrium\"", .equilibrium),
            ("ArrowType=\"Resonance\"", .resonance), ("ArrowType=\"NoGo\"", .crossed),
        ] as [(String, Reaction.Arrow)])
    func kinds(_ signs: String, _ kind: Reaction.Arrow) throws {
        let step = Self.step.replacingOccurrences(of: "<arrow", with: "<arrow \(signs)")
        let record = try #require(try reactions(step).first)
        #expect(record.reaction?.arrow == kind)
        #expect(record.fields.isEmpty)
    }

    @Test("an arrow outside a scheme is a reaction of its kind, unless it is a dipole")
    func inferredKinds() throws {
        for (signs, kind) in [("NoGo=\"Cross\"", Reaction.Arrow.crossed), ("ArrowheadTail=\"Full\"", .resonance)] {
            let arrow = "<arrow ArrowheadHead=\"Full\" \(signs) Head3D=\"280 100 0\" Tail3D=\"150 100 0\"/>"
            #expect(try reactions(arrow).map(\.reaction?.arrow) == [kind])
        }
        let dipole = "<arrow ArrowheadHead=\"Full\" Dipole=\"yes\" Head3D=\"280 100 0\" Tail3D=\"150 100 0\"/>"
        #expect(try reactions(dipole).isEmpty)
    }

    @Test("a text that a step references both directly and through its group is one condition")
    func conditionsOnce() throws {
        let page = """
            <group id="50"><t id="51" p="200 90"><s>heat</s></t><t id="52" p="200 110"><s>2 h</s></t></group>
            <arrow id="40" ArrowheadHead="Full" Head3D="280 100 0" Tail3D="150 100 0"/>
            <scheme><step ReactionStepReactants="10" ReactionStepProducts="20" ReactionStepArrows="40"
            ReactionStepObjectsBelowArrow="50 51 52"/></scheme>
            """
        #expect(try reactions(page).first?.reaction?.steps.map(\.conditions) == [["heat", "2 h"]])
    }

    /// Adds an atom with a text as the second reactant of a step. Returns the number of reactants, and the text
    /// field.
    private func secondReactant(_ element: String, _ text: String) throws -> (count: Int?, told: Text?) {
        let page = """
            <fragment id="60"><n id="61" p="50 100" \(element)><t p="50 100"><s>\(text)</s></t></n></fragment>
            <arrow id="40" ArrowheadHead="Full" Head3D="280 100 0" Tail3D="150 100 0"/>
            <scheme><step ReactionStepReactants="10 60" ReactionStepProducts="20" ReactionStepArrows="40"/></scheme>
            """
        let record = try #require(try reactions(page).first)
        return (record.reaction?.reactants.count, record.fields["Reactants"]?.value)
    }

    @Test(
        "page labels drawn as atoms are not reactants, and are reported",
        arguments: ["1a", "12, 98%", "3:", "A", "A)", "A +", "– H2O", "-CO2", "(2)"])
    func labels(_ text: String) throws {
        let (count, told) = try secondReactant("NodeType=\"Unspecified\"", text)
        #expect(count == 1)
        #expect(told?.string == text)
    }

    @Test("an element symbol without the expected hydrogens is a label")
    func letters() throws {
        #expect(try secondReactant("Element=\"5\"", "B").count == 1)
        #expect(try secondReactant("Element=\"5\"", "BH3").count == 2)
        #expect(try secondReactant("Element=\"26\"", "Fe").count == 2)
    }

    @Test("a reaction side that consists of a label preserves it")
    func onlyALabel() throws {
        let page = """
            <fragment id="60"><n id="61" p="50 100" NodeType="Unspecified"><t p="50 100"><s>13, 88%</s></t></n></fragment>
            <arrow id="40" ArrowheadHead="Full" Head3D="280 100 0" Tail3D="150 100 0"/>
            <scheme><step ReactionStepReactants="60" ReactionStepProducts="20" ReactionStepArrows="40"/></scheme>
            """
        #expect(try reactions(page).first?.reaction?.reactants.map { $0.molecule.symbol(ofAtom: 0) } == ["13, 88%"])
    }

    @Test(
        "a label that may be a compound is a reactant", arguments: ["R", "X", "Nu", "R1", "Ph", "2H2O", "base", "Y–H"])
    func noLabels(_ text: String) throws {
        #expect(try secondReactant("NodeType=\"Unspecified\"", text).count == 2)
    }

    @Test(
        "a caption is the name of the molecule above it, and distant text stays with the page",
        arguments: DrawingSpelling.allCases)
    func caption(_ spelling: DrawingSpelling) throws {
        let record = try #require(try spelling.reading("caption").records.first)
        #expect(record.molecule?.name == "compound 12")
        #expect(record.fields["Caption"]?.value == "compound 12")
        #expect(record.fields["Text"]?.value == "a note in a far corner")
    }

    @Test("names, annotations, tags and properties are data of their molecule", arguments: DrawingSpelling.allCases)
    func data(_ spelling: DrawingSpelling) throws {
        let record = try #require(try spelling.reading("names-and-data").records.first)
        #expect(record.molecule?.name == "wood spirit")
        #expect(record.fields["CAS"]?.value == "67-56-1")
        #expect(record.fields["Batch"]?.value == "B-7")
        #expect(record.fields["Molecular Weight"]?.value == "32.04")
        #expect(record.fields.count == 3)
    }

    @Test("molecules are read from groups and from every page, in order", arguments: DrawingSpelling.allCases)
    func pages(_ spelling: DrawingSpelling) throws {
        let records = try spelling.reading("groups-and-pages").records
        #expect(records.map { $0.molecule?.formula } == ["CH4O", "ClH"])
    }

    @Test("a drawing without a molecule is a record without a structure", arguments: DrawingSpelling.allCases)
    func words(_ spelling: DrawingSpelling) throws {
        let reading = try spelling.reading("no-molecules")
        #expect(reading.records.map(\.subject) == [.none])
        #expect(reading.records[0].fields["Text"]?.value == "only words")
        #expect(reading.errors.isEmpty)
    }

    @Test("skipped content is counted and preserved", arguments: DrawingSpelling.allCases)
    func passedOver(_ spelling: DrawingSpelling) throws {
        let record = try #require(try spelling.reading("passed-over").records.first)
        #expect(record.verbatim == [Verbatim(.chemDraw, "passed over: 2 × object curve")])
    }

    @Test("an old arrow of any kind makes a reaction", arguments: [1, 2, 4, 8, 16, 32, 64])
    func oldArrows(_ type: Int) throws {
        func fragment(_ id: Int, _ x: Int) -> String {
            "<fragment id=\"\(id)\"><n id=\"\(id + 1)\" p=\"\(x) 100\"/></fragment>"
        }
        let kinds = [
            1: "HalfHead", 2: "FullHead", 4: "Resonance", 8: "Equilibrium", 16: "Hollow", 32: "RetroSynthetic",
            64: "NoGo",
        ]
        let text =
            "<CDXML BondLength=\"30\"><page>\(fragment(1, 50))\(fragment(3, 250))"
            + "<graphic id=\"9\" BoundingBox=\"180 100 100 100\" GraphicType=\"Line\" ArrowType=\"\(kinds[type] ?? "")\"/>"
            + "</page></CDXML>"
        let reading = try Reading.all(Array(text.utf8), by: DrawingReader.self)
        #expect(reading.records.first?.reaction != nil)
    }

    /// Reads a drawing of single-atom molecules and of arrows to the right, with bonds of 30 points.
    private func reactions(
        _ atoms: [(element: Int, x: Int, y: Int)], _ arrows: [(tail: Int, head: Int, y: Int)], _ more: String = ""
    ) throws -> Reading {
        let fragments = atoms.enumerated().map { place, atom in
            "<fragment id=\"\(10 * place + 10)\">"
                + "<n id=\"\(10 * place + 11)\" p=\"\(atom.x) \(atom.y)\" Element=\"\(atom.element)\"/></fragment>"
        }
        let drawn = arrows.map {
            "<arrow Head3D=\"\($0.head) \($0.y) 0\" Tail3D=\"\($0.tail) \($0.y) 0\" ArrowheadHead=\"Full\"/>"
        }
        let page = "<page id=\"2\">\(fragments.joined())\(drawn.joined())\(more)</page>"
        return try Reading.all(
            Array("<CDXML BondLength=\"30\">\(page)</CDXML>".utf8), by: DrawingReader.self)
    }

    @Test(
        "a group that is a salt or contains a lone atom is one compound, unless it contains a plus sign",
        arguments: [
            ("Element=\"11\" Charge=\"1\"", "Element=\"8\" Charge=\"-1\"", "", ["HNaO"]),
            ("Element=\"26\" NumHydrogens=\"0\"", "Element=\"7\"", "", ["FeH3N"]),
            ("", "Element=\"7\"", "<b B=\"21\" E=\"22\"/>", ["C2H6", "H4N2"]),
            ("Element=\"11\" Charge=\"1\"", "Element=\"8\" Charge=\"-1\"", "+", ["Na", "HO"]),
        ])
    func compounds(_ one: String, _ other: String, _ more: String, _ formulas: [String]) throws {
        let plus = more == "+" ? "<t id=\"9\" p=\"20 50\"><s>+</s></t>" : ""
        let second = more.hasPrefix("<b") ? "<n id=\"22\" p=\"70 50\" \(other)/>\(more)" : ""
        let first = second.isEmpty ? "" : "<n id=\"12\" p=\"10 80\"/><b B=\"11\" E=\"12\"/>"
        let text = """
            <CDXML BondLength="30"><page id="1"><group id="2">
            <fragment id="10"><n id="11" p="10 50" \(one)/>\(first)</fragment>\(plus)
            <fragment id="20"><n id="21" p="40 50" \(other)/>\(second)</fragment></group>
            <fragment id="30"><n id="31" p="300 50"/></fragment>
            <scheme><step ReactionStepReactants="2" ReactionStepProducts="30"/></scheme></page></CDXML>
            """
        let records = try Reading.all(text, by: DrawingReader.self).records
        #expect(records.count == 1)
        #expect(records.first?.reaction?.reactants.map(\.molecule.formula) == formulas)
    }

    @Test("arrows on one line share the molecules between them, and a molecule above an arrow belongs only to it")
    func arrowsInARow() throws {
        let atoms = [(6, 50), (7, 150), (8, 300), (9, 450), (17, 600)].map { (element: $0, x: $1, y: 1000) }
        let reading = try reactions(atoms, [(100, 200, 1000), (400, 500, 1000)])
        let found = reading.records.compactMap(\.reaction)
        #expect(found.map { $0.reactants.map(\.molecule.formula) } == [["CH4"], ["H2O"]])
        #expect(found.map { $0.agents.map(\.molecule.formula) } == [["H3N"], ["FH"]])
        #expect(found.map { $0.products.map(\.molecule.formula) } == [["H2O"], ["ClH"]])
    }

    @Test("text up to three bond lengths from an arrow is a condition, unless it is empty")
    func conditions() throws {
        let words = [
            "<t id=\"90\" p=\"150 1090\" BoundingBox=\"140 1070 160 1100\"><s>near</s></t>",
            "<t id=\"91\" p=\"150 890\" BoundingBox=\"140 880 160 910\"><s>far</s></t>",
            "<t id=\"92\" p=\"150 1090\" BoundingBox=\"140 1070 160 1100\"><s></s></t>",
        ]
        let reading = try reactions([(6, 50, 1000), (7, 250, 1000)], [(100, 200, 1000)], words.joined())
        #expect(reading.records.first?.reaction?.steps.map(\.conditions) == [["near"]])
    }

    @Test("text far from any molecule belongs to the first reaction of its page, even if that is inferred")
    func wordsOfThePage() throws {
        func page(_ id: Int, _ more: String) -> String {
            let fragments = [50, 250].map { "<fragment><n id=\"\(id + $0)\" p=\"\($0) 100\"/></fragment>" }.joined()
            return
                "<page id=\"\(id)\">\(fragments)<arrow Head3D=\"200 100 0\" Tail3D=\"100 100 0\" ArrowheadHead=\"Full\"/>"
                + "\(more)</page>"
        }
        let words = "<t p=\"900 9000\"><s>a note</s></t>"
        let text = "<CDXML BondLength=\"30\">\(page(1000, ""))\(page(2000, words))</CDXML>"
        let records = try Reading.all(text, by: DrawingReader.self).records
        #expect(records.map { $0.reaction != nil } == [true, true])
        #expect(records.map { $0.fields["Text"]?.value } == [nil, "a note"])
    }

    @Test("an arrow may be shorter than a point if the bonds are even shorter")
    func smallDrawing() throws {
        let text = """
            <CDXML BondLength="0.2"><page id="1"><fragment id="2"><n id="3" p="5 4"/></fragment>
            <fragment id="4"><n id="5" p="5 6"/></fragment>
            <arrow Head3D="5 5.4 0" Tail3D="5 4.6 0" ArrowheadHead="Full"/></page></CDXML>
            """
        let reaction = try #require(try Reading.all(text, by: DrawingReader.self).records.first?.reaction)
        #expect(reaction.reactants.count == 1 && reaction.products.count == 1)
    }

    @Test("text in a fragment, in a group or on the page belongs to the molecule, and text in a bracket does not")
    func wordsAround() throws {
        func caption(_ before: String, _ after: String) throws -> Text? {
            let text =
                "<CDXML BondLength=\"30\"><page><fragment><n id=\"1\" p=\"0 0\"/>\(before.isEmpty ? "" : before)</fragment>"
                + "\(after)</page></CDXML>"
            return try Reading.all(Array(text.utf8), by: DrawingReader.self).records.first?.fields["Caption"]?.value
        }
        let word = "<t p=\"0 20\" BoundingBox=\"0 12 20 22\"><s>water</s></t>"
        #expect(try caption(word, "") == "water")
        #expect(try caption("", word) == "water")
        #expect(try caption("", "<geometry>\(word)</geometry>") == nil)
    }
}
