import ChemopenModel
import Testing

@testable import ChemopenFormats

/// The encodings of the drawings in `TestData`: `methanol` is `cdx/methanol.cdx` and `cdxml/methanol.cdxml`.
enum DrawingSpelling: String, CaseIterable {
    case cdx, cdxml

    func reading(_ name: String) throws -> Reading {
        try Reading.all(try Fixture("\(rawValue)/\(name).\(rawValue)").bytes, by: DrawingReader.self)
    }

    func molecule(_ name: String) throws -> Molecule {
        let reading = try reading(name)
        return try #require(reading.records.first?.molecule)
    }

    /// Returns a molecule with two unknown labels: `Xyz`, and `Ar`, which is also an element symbol.
    static func unknownLabels() throws -> Molecule {
        let text = String(decoding: try Fixture("cdxml/nickname-without-content.cdxml").bytes, as: UTF8.self)
        let drawing = text.replacing(">Boc<", with: ">Xyz<").replacing(">Ac<", with: ">Ar<")
        let reading = try Reading.all(Array(drawing.utf8), by: DrawingReader.self)
        return try #require(reading.records.first?.molecule)
    }
}

@Suite("ChemDraw molecules")
struct DrawingMoleculeTests {
    @Test("both encodings have the same records")
    func pairs() throws {
        let names = Fixture.all(in: "cdx").map { String($0.testDescription.dropFirst(4).dropLast(4)) }
        let pairs = names.filter { (try? Fixture("cdxml/\($0).cdxml").bytes) != nil }
        #expect(pairs.count > 25)
        for name in pairs {
            let binary = try DrawingSpelling.cdx.reading(name)
            let text = try DrawingSpelling.cdxml.reading(name)
            #expect(binary.records == text.records, "\(name)")
            #expect(binary.errors.isEmpty && text.errors.isEmpty, "\(name)")
        }
    }

    @Test("a bond is 1.5 Å long and y points up, and the original bond length is in the comment")
    func scale() throws {
        let methanol = try DrawingSpelling.cdx.molecule("methanol")
        #expect(methanol.atoms.map(\.element) == [.carbon, .oxygen])
        #expect(methanol.atoms.map(\.position) == [Position(5, -5), Position(6.3, -5.75)])
        #expect(methanol.comment == "by hand, bond length 30 pt")
        let odd = try DrawingSpelling.cdx.molecule("bond-length-at-odds")
        #expect(odd.atoms[0].position == Position(4.9972, -4.9972))
    }

    @Test("without a stated bond length, the scale is that of the median bond", arguments: [1, 2, 4097, 9000])
    func medianScale(_ count: Int) throws {
        var state: UInt64 = 7
        let lengths = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 54) / 16 + 1
        }
        var text = "<CDXML><page><fragment>"
        for (place, length) in lengths.enumerated() {
            let (begin, end) = (2 * place + 1, 2 * place + 2)
            text += "<n id=\"\(begin)\" p=\"0 \(place)\"/><n id=\"\(end)\" p=\"\(length) \(place)\"/>"
            text += "<b B=\"\(begin)\" E=\"\(end)\"/>"
        }
        let reading = try Reading.all(Array((text + "</fragment></page></CDXML>").utf8), by: DrawingReader.self)
        let median = lengths.sorted()[count / 2]
        let shown = median == median.rounded() ? "\(Int(median))" : "\(median)"
        #expect(reading.records.first?.molecule?.comment == Text("bond length \(shown) pt"))
    }

    @Test("a positive height in a drawing points toward the viewer", arguments: DrawingSpelling.allCases)
    func space(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("space")
        #expect(molecule.flags.contains(.threeDimensional))
        #expect(molecule.atoms[1].position == Position(6.3, -5.75, 0.75))
    }

    @Test(
        "a specified number of hydrogens is exact, and an unlabeled carbon has implicit hydrogens",
        arguments: DrawingSpelling.allCases)
    func hydrogens(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("charges")
        #expect(molecule.atoms.map(\.hydrogens) == [.fixed(3), .unstated, .unstated, .fixed(0), .fixed(0)])
        #expect(molecule.hydrogenCounts() == [3, 2, 0, 0, 0])
        #expect(molecule.atoms.map(\.charge) == [1, 0, 0, -1, 0])
    }

    @Test("isotopes become mass numbers, and radicals have their multiplicity", arguments: DrawingSpelling.allCases)
    func isotopes(_ spelling: DrawingSpelling) throws {
        let reading = try spelling.reading("isotopes-radicals")
        let first = try #require(reading.records[0].molecule)
        #expect(first.atoms.map(\.isotope) == [13, 2, 0])
        #expect(first.atoms[2].radical == .doublet)
        #expect(reading.records[1].molecule?.atoms[0].radical == .singlet)
    }

    @Test("a wedge starts at its narrow end, independent of the bond direction", arguments: DrawingSpelling.allCases)
    func wedges(_ spelling: DrawingSpelling) throws {
        for (name, mark) in [
            ("wedge-begin", Bond.Mark.up), ("wedge-end", .up), ("wedge-hashed", .down), ("wavy", .either),
        ] {
            let bond = try spelling.molecule(name).bonds[2]
            #expect([bond.from, bond.to] == [0, 3], "\(name)")
            #expect(bond.mark == mark, "\(name)")
        }
    }

    @Test(
        "a stereo center without a wedge gets an equivalent wedge", arguments: DrawingSpelling.allCases
    )
    func centerWithoutWedge(_ spelling: DrawingSpelling) throws {
        // Seen from the bromine, which is drawn above, fluorine, chlorine and the hydrogen run clockwise.
        let molecule = try spelling.molecule("centre-without-wedge")
        #expect(molecule.bonds.map(\.mark) == [.up, .none, .none])
        #expect(molecule.bonds[0].from == 0)
    }

    @Test("an abbreviation without a position uses the attachment position of its fragment")
    func abbreviationWithoutPlace() throws {
        let reading = try Reading.all(
            """
            <CDXML BondLength="30"><page><fragment><n id="11" p="100 100"/><n id="12" NodeType="Fragment">
            <fragment><n id="31" Element="8" p="126 115"/><n id="32" p="152 100"/>
            <n id="33" NodeType="ExternalConnectionPoint"/><b B="33" E="31"/><b B="31" E="32"/></fragment>
            <t><s>OMe</s></t></n><b B="11" E="12"/></fragment></page></CDXML>
            """, by: DrawingReader.self)
        let molecule = try #require(reading.records.first?.molecule)
        #expect(molecule.symbol(ofAtom: 1) == "OMe")
        #expect(molecule.atoms[1].position == Position(6.3, -5.75))
    }

    @Test("an abbreviation with one bond is an atom with an attached molecule", arguments: DrawingSpelling.allCases)
    func abbreviation(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("abbreviation")
        #expect(molecule.atoms.count == 2)
        #expect(molecule.symbol(ofAtom: 1) == "OMe")
        let abbreviation = try #require(molecule.extras.contents.abbreviations.first)
        #expect(abbreviation.atom == 1)
        #expect(abbreviation.molecule.atoms.map(\.element) == [.none, .oxygen, .carbon])
        #expect(abbreviation.molecule.symbol(ofAtom: 0) == "*")
        #expect(molecule.formula == "C2H6O")
    }

    @Test("an abbreviation with two bonds is expanded, with its bonds assigned by the bond order list")
    func abbreviationOfTwoBonds() throws {
        let molecule = try DrawingSpelling.cdx.molecule("abbreviation-two-bonds")
        let group = try #require(molecule.extras.contents.sgroups.first)
        #expect(group.label == "C(O)S")
        #expect(group.atoms == [1, 2, 3])
        #expect(molecule.atoms.map(\.element) == [.nitrogen, .carbon, .oxygen, .sulfur, .fluorine])
        let outer = molecule.bonds.suffix(2).map { [$0.from, $0.to] }
        #expect(outer == [[0, 1], [3, 4]])
    }

    @Test("if the attachment atom is ambiguous, the label is preserved with a warning")
    func ambiguousAbbreviation() throws {
        let reading = try DrawingSpelling.cdx.reading("abbreviation-ambiguous")
        let molecule = try #require(reading.records.first?.molecule)
        #expect(molecule.symbol(ofAtom: 1) == "Xy")
        #expect(molecule.bonds.count == 2)
        #expect(reading.issues.count == 1)
        #expect(reading.issues.first?.message.contains("the atom to join is not specified") == true)
    }

    @Test("unknown labels stay labels and never become an element")
    func labels() throws {
        let molecule = try DrawingSpelling.unknownLabels()
        #expect(molecule.symbol(ofAtom: 1) == "Xyz")
        #expect(molecule.symbol(ofAtom: 2) == "*")
        #expect(molecule.extras.contents.sgroups.map(\.label) == ["Xyz", "Ar"])
        #expect(molecule.extras.contents.sgroups.map(\.atoms) == [[1], [2]])
        #expect(molecule.atoms.map(\.element) == [.carbon, .none, .none])
    }

    @Test("known labels without a definition are abbreviations", arguments: DrawingSpelling.allCases)
    func knownLabels(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("nickname-without-content")
        #expect(molecule.extras.contents.abbreviations.map { molecule.symbol(ofAtom: Int($0.atom)) } == ["Boc", "Ac"])
        #expect(molecule.expandingAbbreviations().formula == "C8H14O3")
    }

    @Test("R1 is an R-group site, and X and Ar are variables", arguments: DrawingSpelling.allCases)
    func variables(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("rgroups")
        #expect((1...3).map { molecule.symbol(ofAtom: $0) } == ["R#", "X", "*"])
        #expect(Array(molecule.notes(onAtom: 1)) == [.rgroups([1])])
        #expect(molecule.extras.contents.sgroups.map(\.label) == ["Ar"])
        #expect(molecule.extras.contents.sgroups.map(\.atoms) == [[3]])
    }

    @Test("an alternative group is an R-group with its members", arguments: DrawingSpelling.allCases)
    func alternatives(_ spelling: DrawingSpelling) throws {
        let reading = try spelling.reading("alternatives")
        #expect(reading.records.count == 1)
        let group = try #require(reading.records[0].molecule?.extras.contents.rgroups.first)
        #expect(group.number == 2)
        #expect(group.members.map { $0.atoms.map(\.element) } == [[.carbon], [.chlorine]])
        #expect(Array(group.members[0].notes(onAtom: 0)) == [.attachmentPoint(first: true, second: false)])
    }

    @Test("element lists preserve their negation", arguments: DrawingSpelling.allCases)
    func elementLists(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("element-lists")
        #expect(Array(molecule.notes(onAtom: 1)) == [.elementList(ElementList(["F", "Cl"]))])
        #expect(Array(molecule.notes(onAtom: 2)) == [.elementList(ElementList(excluding: true, ["O"]))])
    }

    @Test(
        "a bond to a complete ring refers to all ring atoms, and a bond to several atoms to any of them",
        arguments: DrawingSpelling.allCases)
    func attachments(_ spelling: DrawingSpelling) throws {
        let haptic = try spelling.molecule("haptic")
        #expect(haptic.atoms.count == 7)
        #expect(Array(haptic.notes(onBond: 5)) == [.endpoints(atoms: [0, 1, 2, 3, 4], any: false)])
        let variable = try spelling.molecule("variable-attachment")
        #expect(Array(variable.notes(onBond: 2)) == [.endpoints(atoms: [0, 1], any: true)])
    }

    @Test("bond orders are preserved, and dative bonds start at the donor", arguments: DrawingSpelling.allCases)
    func orders(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("bond-orders")
        #expect(
            molecule.bonds.map(\.order) == [.triple, .aromatic, .any, .singleOrDouble, .hydrogen, .dative, .zero])
        #expect(molecule.bonds[5].from == 6)
        #expect(Array(molecule.notes(onBond: 4)) == [.display("Dash")])
        #expect(Array(molecule.notes(onBond: 6)) == [.keyword(name: "Order", value: "0.5")])
    }

    @Test("enhanced stereo becomes stereo groups", arguments: DrawingSpelling.allCases)
    func stereoGroups(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("enhanced-stereo")
        #expect(
            molecule.extras.contents.stereoGroups
                == [StereoGroup(.absolute, atoms: [1]), StereoGroup(.racemic, number: 2, atoms: [3])])
        #expect(molecule.flags.contains(.chiral))
    }

    @Test("a bond is in a ring if its ends stay connected without it")
    func rings() {
        var draft = MoleculeDraft()
        draft.atoms = Array(repeating: Atom(.carbon), count: 7)
        draft.bonds = [Bond(3, 2), Bond(0, 1), Bond(1, 2), Bond(2, 0), Bond(3, 4), Bond(4, 3), Bond(5, 6)]
        #expect(RingBonds.find(DrawnNeighbors(draft.bonds, among: 7)) == [false, true, true, true, true, true, false])
    }

    @Test("brackets with a meaning become Sgroups", arguments: DrawingSpelling.allCases)
    func brackets(_ spelling: DrawingSpelling) throws {
        let unit = try #require(try spelling.molecule("polymer").extras.contents.sgroups.first)
        #expect(unit.kind == .repeatingUnit)
        #expect(unit.atoms == [1, 2])
        #expect(unit.bonds == [0, 2])
        #expect(unit.label == "m")
        #expect(unit.connectivity == "HH")
        #expect(
            unit.brackets == [
                .init(from: Position(5.65, -6.25), to: Position(5.65, -4.5)),
                .init(from: Position(8.25, -4.5), to: Position(8.25, -6.25)),
            ])
        let multiple = try #require(try spelling.molecule("multiple-group").extras.contents.sgroups.first)
        #expect(multiple.kind == .multiple)
        #expect(multiple.label == "3")
    }

    @Test("a link node preserves its range", arguments: DrawingSpelling.allCases)
    func links(_ spelling: DrawingSpelling) throws {
        let molecule = try spelling.molecule("link-node")
        #expect(molecule.extras.contents.linkNodes == [LinkNode(atom: 1, repeats: 1, to: 4, neighbors: [0, 2])])
    }

    private func records(_ body: String) throws -> [Record] {
        let text = "<CDXML BondLength=\"30\"><page>" + body + "</page></CDXML>"
        return try Reading.all(Array(text.utf8), by: DrawingReader.self).records
    }

    @Test("a racemic or relative fragment has a field for it", arguments: ["Racemic", "Relative"])
    func stereochemistry(_ word: String) throws {
        let records = try records("<fragment \(word)=\"yes\"><n id=\"1\" p=\"0 0\"/></fragment>")
        #expect(records.map { $0.fields["Stereochemistry"]?.value.string } == [word.lowercased()])
    }

    @Test("all stereo centers of a group are collected, for any number of groups")
    func gatheredCenters() throws {
        func center(_ id: Int, _ kind: String) -> String {
            "<n id=\"\(id)\" p=\"\(id * 30) 0\" EnhancedStereoType=\"\(kind)\" EnhancedStereoGroupNum=\"1\"/>"
        }
        let two = try records("<fragment>\(center(1, "And"))\(center(2, "And"))</fragment>")
        #expect(
            two.first?.molecule?.extras.contents.stereoGroups == [StereoGroup(.racemic, number: 1, atoms: [0, 1])])
    }

    @Test(
        "a neighbor at the same position as the stereo center does not determine its wedge",
        arguments: [("85 74", 1), ("100 100", 0)])
    func neighborOnCenter(oxygen: String, wedges: Int) throws {
        let records = try records(
            """
            <fragment><n id="1" p="100 100" Element="15" NumHydrogens="1" HDot="yes"/><n id="2" p="130 100"/>\
            <n id="3" p="85 126"/><n id="4" p="\(oxygen)" Element="8"/>\
            <b id="5" B="1" E="2"/><b id="6" B="1" E="3"/><b id="7" B="1" E="4" Order="2"/></fragment>
            """)
        #expect(records.first?.molecule?.bonds.filter { $0.mark != .none }.count == wedges)
    }

    @Test(
        "a query for no further hydrogens is read only for an atom without explicit hydrogens",
        arguments: [("NumHydrogens=\"1\" Charge=\"-1\"", 1, false), ("", 0, true), ("NumHydrogens=\"0\"", 0, true)])
    func noFurtherHydrogens(stated: String, hydrogens: Int, isQuery: Bool) throws {
        let records = try records(
            """
            <fragment><n id="1" p="0 0" \(stated) ImplicitHydrogens="yes"/><n id="2" p="30 0"/><n id="3" p="0 30"/>\
            <b B="1" E="2"/><b B="1" E="3"/></fragment>
            """)
        let molecule = try #require(records.first?.molecule)
        #expect(molecule.notes(onAtom: 0).contains(.hydrogenQuery(0)) == isQuery)
        if !stated.isEmpty { #expect(molecule.hydrogenCounts()[0] == hydrogens) }
    }

    @Test("two bonds to the only atom of an abbreviation share one attachment point")
    func oneAttachment() throws {
        let records = try records(
            """
            <fragment><n id="1" p="0 0"/><n id="2" p="60 0"/>\
            <n id="3" p="30 0" NodeType="Nickname"><fragment><n id="4" p="30 0"/>\
            <n id="5" p="20 0" NodeType="ExternalConnectionPoint"/><n id="6" p="40 0" NodeType="ExternalConnectionPoint"/>\
            <b id="7" B="4" E="5"/><b id="8" B="4" E="6"/></fragment><t><s>X</s></t></n>\
            <b id="9" B="1" E="3"/><b id="10" B="3" E="2"/></fragment>
            """)
        let group = records.first?.molecule?.extras.contents.sgroups.first
        #expect(group?.label == "X")
        #expect(group?.attachments.count == 1)
    }
}
