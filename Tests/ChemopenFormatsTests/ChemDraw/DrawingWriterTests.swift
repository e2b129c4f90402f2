import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("ChemDraw writer")
struct DrawingWriterTests {
    private static let formats = [Format.cdxml, .cdx]

    private func records(_ bytes: [UInt8], as format: Format) throws -> [Record] {
        try readAll(bytes, as: format).compactMap { $0.reading?.record }
    }

    private func text(_ records: [Record]) throws -> String { try write(records, as: .cdxml).text }

    /// Returns a molecule from the symbols of its atoms. A symbol that is not an element becomes a label.
    private func molecule(_ symbols: [String], _ bonds: [Bond]) -> Molecule {
        var molecule = Molecule()
        for symbol in symbols {
            molecule.atoms.append(Atom(ChemicalElement(symbol: symbol) ?? .none))
            if ChemicalElement(symbol: symbol) == nil {
                molecule.setLabel(Text(symbol), ofAtom: molecule.atoms.count - 1)
            }
        }
        molecule.bonds = bonds
        return molecule
    }

    private var methanol: Molecule {
        var molecule = molecule(["C", "O"], [Bond(0, 1)])
        molecule.atoms[0].position = Position(0, 0)
        molecule.atoms[1].position = Position(1.5, 0)
        molecule.name = "wood spirit"
        return molecule
    }

    @Test("a molecule moved along one axis is moved back along it")
    func movedAlong() throws {
        let written = try text([Record(methanol)])
        let start = try #require(written.firstRange(of: "moved&quot;:[")).upperBound
        let end = try #require(written[start...].firstIndex(of: "]"))
        func places(movedBy shift: String) throws -> [[Int]] {
            let changed = String(written[..<start]) + shift + written[end...]
            let atoms = try #require(try records(Array(changed.utf8), as: .cdxml).first?.molecule?.atoms)
            return atoms.map { [Int(($0.position.x * 10_000).rounded()), Int(($0.position.y * 10_000).rounded())] }
        }
        let both = try places(movedBy: "10000,20000")
        #expect(try places(movedBy: "10000,0") == both.map { [$0[0], $0[1] + 20_000] })
        #expect(try places(movedBy: "0,20000") == both.map { [$0[0] + 10_000, $0[1]] })
    }

    @Test("a component with the name of a page label stays a component", arguments: formats)
    func namedLikeLabel(format: Format) throws {
        let words = ["1", "A", "2a", "12", "B"]
        let reaction = Reaction(
            Reaction.Step(reactants: words.map { .init(molecule([$0], [])) }, products: [.init(methanol)]))
        let read = try records(write([Record(reaction)], as: format).bytes, as: format)
        #expect(read.count == 1)
        #expect(read.first?.reaction?.reactants.map { $0.molecule.symbol(ofAtom: 0) } == words.map { Text($0) })
    }

    @Test("a name that is not UTF-8 is converted to UTF-8, and is stable afterwards", arguments: formats)
    func foreignName(format: Format) throws {
        var named = molecule(["C", "O"], [Bond(0, 1)])
        named.setLabel(Text(bytes: [0x52, 0xE9]), ofAtom: 0)
        let first = try write([Record(named)], as: format).bytes
        let read = try records(first, as: format)
        #expect(read.first?.molecule?.symbol(ofAtom: 0) == "Ré")
        #expect(try write(read, as: format).bytes == first)
    }

    @Test("a molecule is a fragment with labels at its heteroatoms and its name below, with bonds of 14.4 points")
    func plain() throws {
        let text = try text([Record(methanol)])
        #expect(text.contains("<n id=\"3\" p=\"46.0003 46.0003\"/>"))
        #expect(text.contains("<n id=\"4\" p=\"60.4003 46.0003\" Element=\"8\" NumHydrogens=\"1\">"))
        #expect(text.contains("<s font=\"3\" size=\"10\" color=\"0\" face=\"96\">OH</s>"))
        #expect(text.contains("<b id=\"5\" B=\"3\" E=\"4\"/>"))
        #expect(text.contains(">wood spirit</s>"))
    }

    @Test("a label is on the side without a bond, with its characters in the order that ChemDraw stores")
    func turned() throws {
        var molecule = methanol
        molecule.atoms[1].position = Position(-1.5, 0)
        #expect(
            try text([Record(molecule)]).contains(
                "LabelAlignment=\"Right\"><s font=\"3\" size=\"10\" color=\"0\" face=\"96\">OH</s>"))
    }

    @Test("the label of an isotope has its hydrogens and its charge after the superscript mass")
    func chargesOfIsotopes() throws {
        for (charge, label) in [(Int16(1), "NH4+"), (-1, "NH4-"), (2, "NH42+"), (-3, "NH43-"), (0, "NH4")] {
            var atom = Atom(.nitrogen, at: Position(0))
            (atom.isotope, atom.charge, atom.hydrogens) = (15, charge, .fixed(4))
            var molecule = Molecule()
            molecule.atoms = [atom]
            let runs = try text([Record(molecule)]).split(separator: "</s>").map { $0.split(separator: ">").last }
            #expect(Array(runs.prefix(2)) == ["15", Substring(label)])
        }
    }

    @Test("a label is on the other side if a bond of other atoms is in the way")
    func clearOfBonds() throws {
        for (x, side) in [(0.8, "Right"), (-0.8, "Left"), (8, "Left")] {
            var molecule = molecule(["C", "O", "C", "C"], [Bond(0, 1), Bond(2, 3)])
            let places = [Position(0, 1.5), Position(0, 0), Position(x, -1), Position(x, 1)]
            for (index, place) in places.enumerated() { molecule.atoms[index].position = place }
            #expect(try text([Record(molecule)]).contains("LabelAlignment=\"\(side)\"><s"))
        }
    }

    @Test("a bond that passes the outside corner of a label is not in its way")
    func bondsPastCorners() throws {
        for (from, to, side) in [
            (Position(0.2, 1.3), Position(2, -0.2), "Left"), (Position(2, -0.2), Position(0.2, 1.3), "Left"),
            (Position(0.2, 0.9), Position(2, -0.6), "Right"), (Position(2, -0.6), Position(0.2, 0.9), "Right"),
        ] {
            var molecule = molecule(["C", "O", "C", "C"], [Bond(0, 1), Bond(2, 3)])
            let places = [Position(0, 1.5), Position(0, 0), from, to]
            for (index, place) in places.enumerated() { molecule.atoms[index].position = place }
            #expect(try text([Record(molecule)]).contains("LabelAlignment=\"\(side)\"><s"))
        }
    }

    @Test(
        "the number of hydrogens is written for each label, and is read as fixed only if it was fixed",
        arguments: formats
    )
    func hydrogensBesideLabels(_ format: Format) throws {
        for stated in [HydrogenCount.unstated, .fixed(0), .fixed(1), .fixed(2)] {
            var molecule = methanol
            molecule.atoms[1].hydrogens = stated
            let bytes = try write([Record(molecule)], as: format).bytes
            #expect(try records(bytes, as: format) == [Record(molecule)])
            if format.id == "cdxml" {
                let count = stated.fixed ?? 1
                #expect(String(decoding: bytes, as: UTF8.self).contains("NumHydrogens=\"\(count)\""))
            }
        }
    }

    @Test("the maximum number of hydrogens is restored, and a larger number is invalid")
    func tooManyHydrogens() throws {
        var molecule = methanol
        molecule.atoms[1].hydrogens = .fixed(127)
        let text = try text([Record(molecule)])
        #expect(try Reading.all(text, by: DrawingReader.self).issues.isEmpty)
        let more = text.replacing("hydrogens&quot;:127", with: "hydrogens&quot;:200")
        let reading = try Reading.all(more, by: DrawingReader.self)
        #expect(reading.records == [Record(molecule)])
    }

    @Test("a valence with more hydrogens than a node supports is written without their number", arguments: formats)
    func largeValence(_ format: Format) throws {
        let lines = [
            "COUNTS 5 5 1 0 0", "BEGIN ATOM", "1 C 1.276 0 0 0", "2 C 0.3943 1.2135 0 0", "3 C -1.0323 0.75 0 0",
            "4 N -1.0323 -0.75 0 0", "5 C 0.3943 -1.2135 0 0 VAL=99", "END ATOM", "BEGIN BOND", "1 4 1 2", "2 4 2 3",
            "3 4 3 4", "4 4 4 5", "5 4 5 1", "END BOND", "BEGIN SGROUP",
            "1 DAT 0 ATOMS=(1 4) FIELDNAME=MRV_IMPLICIT_H FIELDDATA=IMPL_H1", "END SGROUP",
        ]
        let molecule = try readMolfile(v3000Molfile(lines.joined(separator: "\n"))).molecule
        let first = try write([Record(molecule)], as: format).bytes
        let read = try records(first, as: format)
        #expect(read.first?.molecule?.atoms[4].hydrogens == .unstated)
        #expect(try write(read, as: format).bytes == first)
    }

    @Test("brackets around all copies of a group do not add more copies")
    func spelledOutCopies() throws {
        var chain = molecule(["O", "C", "C", "O"], [Bond(0, 1), Bond(1, 2), Bond(2, 3)])
        for index in chain.atoms.indices { chain.atoms[index].position = Position(1.5 * Double(index), 0) }
        var copies = Sgroup(.multiple)
        copies.label = "2"
        copies.atoms = [1, 2]
        copies.parentAtoms = [1]
        copies.brackets = [0.75, 3.75].map { .init(from: Position($0, -1), to: Position($0, 1)) }
        chain.extras.contents.sgroups = [copies]
        #expect(try !text([Record(chain)]).contains("RepeatCount"))
        chain.extras.contents.sgroups[0].parentAtoms = [1, 2]
        #expect(try text([Record(chain)]).contains("BracketUsage=\"MultipleGroup\" BracketedObjectIDs"))
        #expect(try text([Record(chain)]).contains("RepeatCount=\"2\""))
    }

    /// Returns a horizontal double bond with optional carbons above or below its ends.
    private func double(_ ends: [(atom: Int, y: Double)]) -> Molecule {
        var molecule = molecule(["C", "C"], [Bond(0, 1, .double)])
        molecule.atoms[1].position = Position(1.5, 0)
        for (atom, y) in ends {
            molecule.bonds.append(Bond(atom, molecule.atoms.count))
            molecule.atoms.append(Atom(.carbon))
            molecule.atoms[molecule.atoms.count - 1].position = Position(atom == 0 ? -0.75 : 2.25, y)
        }
        return molecule
    }

    @Test("the second line of a double bond is on the side with more neighbors, or centered at the end of a chain")
    func sides() throws {
        func side(_ ends: (atom: Int, y: Double)...) throws -> Substring? {
            let text = try text([Record(double(ends))])
            let bond = try #require(text.split(separator: "<b ").first { $0.contains("Order=\"2\"") })
            return bond.split(separator: "DoublePosition=\"").dropFirst().first?.prefix { $0 != "\"" }
        }
        #expect(try side() == "Center")
        #expect(try side((0, 1.3)) == "Center")
        #expect(try side((0, 1.3), (0, -1.3)) == "Center")
        #expect(try side((0, 1.3), (1, -1.3)) == "Center")
        #expect(try side((0, 1.3), (1, 1.3)) == "Right")
        #expect(try side((0, -1.3), (1, -1.3)) == "Left")
        #expect(try side((0, 1.3), (0, -1.3), (1, -1.3)) == "Left")
    }

    @Test(
        "query conditions of an atom use ChemDraw properties if they exist",
        arguments: [
            (AtomNote.hydrogenQuery(0), "ImplicitHydrogens=\"yes\""),
            (.ringBondCount(-1), "RingBondCount=\"NoRingBonds\""),
            (.ringBondCount(-2), "RingBondCount=\"AsDrawn\""), (.ringBondCount(2), "RingBondCount=\"SimpleRing\""),
            (.ringBondCount(3), "RingBondCount=\"Fusion\""), (.ringBondCount(4), "RingBondCount=\"SpiroOrHigher\""),
            (.substitutionCount(1), "SubstituentsExactly=\"1\""), (.substitutionCount(6), "SubstituentsExactly=\"6\""),
            (.unsaturated, "UnsaturatedBonds=\"MustBePresent\""),
        ])
    func conditions(note: AtomNote, property: String) throws {
        var molecule = methanol
        molecule.addNote(note, toAtom: 0)
        let text = try text([Record(molecule)])
        #expect(text.contains(" \(property)"))
    }

    @Test(
        "a center in a stereo group has the kind of the group",
        arguments: [(StereoGroup.Kind.relative, "Or"), (.racemic, "And")])
    func stereoGroups(kind: StereoGroup.Kind, name: String) throws {
        var molecule = methanol
        molecule.extras.contents.stereoGroups = [StereoGroup(kind, number: 3, atoms: [0])]
        let text = try text([Record(molecule)])
        #expect(text.contains("EnhancedStereoType=\"\(name)\" EnhancedStereoGroupNum=\"3\""))
    }

    @Test("the record after a reaction has the usual distance from it")
    func besideReaction() throws {
        let reaction = Reaction(Reaction.Step(reactants: [.init(methanol)], products: [.init(methanol)]))
        let text = try text([Record(reaction), Record(methanol)])
        let left = text.split(separator: "<fragment ").dropFirst().map {
            $0.split(separator: "BoundingBox=\"")[1].prefix { $0 != " " }
        }
        #expect(left == ["46", "203.6", "349.2"])
    }

    @Test("a pair of brackets preserves its position")
    func brackets() throws {
        let record = try records(Fixture("mol/sgroup-sru-ht-v2000.mol").bytes, as: .molfile)
        let text = try text(record)
        #expect(
            text.contains(
                "BoundingBox=\"51.75 39.28 77.66 74.32\" Z=\"2\" GraphicType=\"Bracket\" BracketType=\"SquarePair\""))
    }

    @Test("the document specifies the size of labels and captions")
    func textSizes() throws {
        let head = try #require(try text([Record(methanol)]).split(separator: "<page").first)
        #expect(head.contains("LabelFont=\"3\" LabelSize=\"10\" LabelFace=\"96\""))
        #expect(head.contains("CaptionFont=\"3\" CaptionSize=\"10\""))
    }

    @Test("both encodings have the same content for every file of every format")
    func twoSpellings() throws {
        for fixture in FixtureFolderTests.all {
            let original = try records(fixture.bytes, as: fixture.format)
            let read = try Self.formats.map { try records(write(original, as: $0).bytes, as: $0) }
            #expect(read[0] == read[1], "\(fixture.testDescription)")
        }
    }

    @Test("all written records are read back in order, with their names and fields")
    func order() throws {
        for fixture in FixtureFolderTests.all {
            let original = try records(fixture.bytes, as: fixture.format)
            let read = try records(write(original, as: .cdxml).bytes, as: .cdxml)
            #expect(read.map(\.name) == original.map { Text($0.name.string) }, "\(fixture.testDescription)")
            #expect(read.map { $0.molecule == nil } == original.map { $0.molecule == nil })
        }
    }

    @Test("all ids in a file are unique, for any number of pages")
    func ids() throws {
        let records = Array(repeating: Record(methanol), count: 5000)
        let bytes = try write(records, as: .cdxml).bytes
        let drawing = try CDXMLStream.read(bytes)
        let ids = drawing.objects.map(\.id).filter { $0 != 0 }
        #expect(Set(ids).count == ids.count)
        #expect(drawing.objects.count { $0.kind == .page } > 1)
        let farthest = drawing.objects.indices.compactMap { drawing.position(.position, of: $0)?.y }.max() ?? 0
        #expect(farthest < 32_767)
        #expect(try self.records(bytes, as: .cdxml).count == records.count)
    }

    @Test("a condition without a drawable character is omitted and reported", arguments: formats)
    func emptyConditions(format: Format) throws {
        var step = Reaction.Step(reactants: [.init(methanol)], products: [.init(methanol)])
        step.conditions = ["heat", "\u{1}\u{4}", ""]
        let written = try write([Record(Reaction(step))], as: format)
        #expect(written.losses.map(\.detail) == ["without printable characters"])
        let read = try records(written.bytes, as: format)
        #expect(read.first?.reaction?.steps.map(\.conditions) == [["heat"]])
    }

    @Test("a reaction has its arrow, agents above it, conditions below it, and its atom map", arguments: formats)
    func reaction(_ format: Format) throws {
        var product = methanol
        product.name = "product"
        product.atoms[1].mapNumber = 7
        var reactant = methanol
        reactant.atoms[1].mapNumber = 7
        var step = Reaction.Step(
            reactants: [.init(reactant), .init(methanol)], agents: [.init(methanol)], products: [.init(product)])
        step.conditions = ["Pd/C\n2 h", "80 °C"]
        step.arrow = .equilibrium
        var reaction = Reaction(step)
        reaction.name = "step 1"
        var record = Record(reaction)
        record.fields.append("Yield", "80 %")
        let again = try records(write([record], as: format).bytes, as: format)
        #expect(again == [record])
        guard format.id == "cdxml" else { return }
        let text = try text([record])
        #expect(text.contains("ArrowheadHead=\"HalfLeft\" ArrowheadTail=\"HalfLeft\""))
        #expect(text.contains("SymbolType=\"Plus\""))
        #expect(text.contains("<annotation id=\"") && text.contains("Keyword=\"Yield\" Content=\"80 %\"/>"))
    }

    @Test(
        "a style drawing determines the settings, and the molecule stays the same",
        arguments: formats)
    func style(_ format: Format) throws {
        let style = """
            <CDXML BondLength="30" LineWidth="1.5" BoldWidth="4" LabelFont="7" LabelSize="14" LabelFace="1" CaptionFont="9"
            CaptionSize="18" CaptionFace="2" ChainAngle="100"><fonttable><font id="7" charset="iso-8859-1" name="Courier"/>
            </fonttable><colortable><color r="1" g="0" b="0"/></colortable><page id="1"/></CDXML>
            """
        var named = methanol
        named.name = "wood spirit"
        var options = WriteOptions()
        options.style = Array(style.utf8)
        var writer = try format.makeWriter(ByteSink(), options)
        _ = try writer.write(Record(named))
        try writer.finish()
        let bytes = writer.takeBytes()
        #expect(try records(bytes, as: format) == [Record(named)])
        let drawing =
            format.id == "cdx" ? try CDXStream.read(bytes, isWhole: true) : try CDXMLStream.read(bytes, isWhole: true)
        let settings = PageSettings(of: drawing)
        #expect(abs(settings.bondLength - 30) < 0.001 && settings.lineWidth == 1.5 && settings.boldWidth == 4)
        #expect(settings.fonts == [7: "Courier"])
        #expect(settings.label.face == 0x61 && settings.label.size == 14)
        // The document has no font 9.
        #expect(settings.caption.font == 7 && settings.caption.face == 2 && settings.caption.size == 18)
        guard format.id == "cdxml" else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("<s font=\"7\" size=\"14\" color=\"0\" face=\"97\">OH</s>"))
        #expect(text.contains("<s font=\"7\" size=\"18\" color=\"0\" face=\"2\">wood spirit</s>"))
        #expect(text.contains("BondLength=\"30\"") && text.contains("ChainAngle=\"100\""))
    }

    @Test("the mass of an isotope is superscript, and the element symbol is at the atom", arguments: formats)
    func isotopes(_ format: Format) throws {
        var labeled = methanol
        labeled.atoms[0].isotope = 13
        labeled.atoms[1].isotope = 18
        let bytes = try write([Record(labeled)], as: format).bytes
        #expect(try records(bytes, as: format) == [Record(labeled)])
        guard format.id == "cdxml" else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        func run(_ face: Int, _ letters: String) -> String {
            "<s font=\"3\" size=\"10\" color=\"0\" face=\"\(face)\">\(letters)</s>"
        }
        #expect(text.contains(">" + run(64, "13") + run(96, "CH3") + "<"))
        #expect(text.contains(">" + run(64, "18") + run(96, "OH") + "<"))
    }

    @Test(
        "names without a generic nickname in ChemDraw are nicknames, and are never read as carbon", arguments: formats)
    func pseudoAtoms(_ format: Format) throws {
        var bead = molecule(["Pol", "O"], [Bond(0, 1)])
        bead.atoms[1].position = Position(1.5, 0)
        let bytes = try write([Record(bead)], as: format).bytes
        #expect(try records(bytes, as: format) == [Record(bead)])
        guard format.id == "cdxml" else { return }
        #expect(String(decoding: bytes, as: UTF8.self).contains("NodeType=\"Nickname\""))
    }

    @Test("a style that is not a drawing is rejected with an error")
    func noStyle() throws {
        var options = WriteOptions()
        options.style = Array("water".utf8)
        #expect(throws: WriteError.self) { _ = try Format.cdxml.makeWriter(ByteSink(), options) }
    }

    @Test(
        "bonds that are too short for labels are drawn longer, and read back with their original length",
        arguments: formats)
    func shortBonds(_ format: Format) throws {
        var small = methanol
        small.atoms[0].position = Position(1.2345, -0.4321)
        small.atoms[1].position = Position(1.9489, -0.0196)
        let bytes = try write([Record(small)], as: format).bytes
        #expect(try records(bytes, as: format) == [Record(small)])
        let drawing = format.id == "cdx" ? try CDXStream.read(bytes) : try CDXMLStream.read(bytes)
        let places = drawing.objects.indices.compactMap { drawing.position(.position, of: $0) }
        #expect(places.map(\.x).max()! - places.map(\.x).min()! > 10)
    }

    @Test("an arrow of every kind is read back as the same kind", arguments: formats)
    func arrows(_ format: Format) throws {
        let records = Reaction.Arrow.allCases.map { kind in
            var step = Reaction.Step(reactants: [.init(methanol)], products: [.init(methanol)])
            step.arrow = kind
            return Record(Reaction(step))
        }
        let again = try self.records(write(records, as: format).bytes, as: format)
        #expect(again.map(\.reaction?.arrow) == Reaction.Arrow.allCases)
        #expect(again == records)
    }

    @Test(
        "an abbreviation is a label with its fragment inside, rotated to the position of the label", arguments: formats)
    func abbreviation(_ format: Format) throws {
        var molecule = molecule(["C", "OMe"], [Bond(0, 1)])
        molecule.atoms[0].position = Position(0, 0)
        molecule.atoms[1].position = Position(0, 1.5)
        var piece = self.molecule(["*", "O", "C"], [Bond(1, 2), Bond(0, 1)])
        for index in piece.atoms.indices { piece.atoms[index].position = Position(Double(index) * 1.5, 0) }
        molecule.extras.contents.abbreviations = [Abbreviation(atom: 1, molecule: piece)]
        let read = try #require(try records(write([Record(molecule)], as: format).bytes, as: format).first?.molecule)
        let inner = try #require(read.extras.contents.abbreviations.first?.molecule)
        #expect(read.symbol(ofAtom: 1) == "OMe")
        #expect(inner.atoms.map(\.position) == [Position(0, 0), Position(0, 1.5), Position(0, 3)])
    }

    @Test("a fragment preserves its size if its label is far from the neighbor", arguments: formats)
    func farAbbreviation(_ format: Format) throws {
        var molecule = molecule(["C", "OMe"], [Bond(0, 1)])
        molecule.atoms[1].position = Position(0, 230)
        var piece = self.molecule(["*", "O", "C"], [Bond(1, 2), Bond(0, 1)])
        for index in piece.atoms.indices { piece.atoms[index].position = Position(Double(index) * 1.5, 0) }
        molecule.extras.contents.abbreviations = [Abbreviation(atom: 1, molecule: piece)]
        let first = try write([Record(molecule)], as: format).bytes
        #expect(try write(records(first, as: format), as: format).bytes == first)
    }

    @Test("an annotation that counts atoms is ignored with a warning after the drawing was edited")
    func outdated() throws {
        var molecule = methanol
        var group = Sgroup(.generic)
        group.atoms = [0, 1]
        molecule.extras.contents.sgroups = [group]
        let drawn = try text([Record(molecule)])
        let read = try readAll(Array(drawn.utf8), as: .cdxml).compactMap(\.reading)
        #expect(read.first?.extras.sgroups.map(\.atoms) == [[0, 1]])
        let changed = drawn.replacing("<b id=\"5\"", with: "<n id=\"90\" p=\"80 46\"/><b id=\"5\"")
        let again = try #require(try readAll(Array(changed.utf8), as: .cdxml).first?.reading)
        #expect(again.extras.sgroups.isEmpty)
        #expect(again.issues.map(\.message).contains { $0.contains("statements with their numbers are ignored") })
    }

    @Test("a field with the name of an internal annotation stays a field", arguments: formats)
    func ownKeyword(_ format: Format) throws {
        var record = Record(methanol)
        record.fields.append("Chemopen", "label:Xy")
        record.fields.append("", "no name")
        record.fields.append("a\nb", "1\r\n2")
        #expect(try records(write([record], as: format).bytes, as: format).first?.fields == record.fields)
    }

    @Test("content wider than a CDX page is rejected with an error")
    func wide() throws {
        let record = Record(Reaction(.init(reactants: (0..<400).map { _ in .init(methanol) })))
        #expect(throws: WriteError.self) { try write([record], as: .cdx) }
        #expect(try records(write([record], as: .cdxml).bytes, as: .cdxml) == [record])
    }

    @Test("an atom that is in two stereo groups stays in both", arguments: formats)
    func twoGroups(_ format: Format) throws {
        var molecule = methanol
        let groups = [StereoGroup(.racemic, number: 1, atoms: [0]), StereoGroup(.relative, number: 2, atoms: [0])]
        molecule.extras.contents.stereoGroups = groups
        let written = try write(molecule, as: format)
        #expect(written.losses.isEmpty)
        #expect(try records(written.bytes, as: format).map { $0.molecule?.extras.contents.stereoGroups } == [groups])
    }

    @Test("notes on a bond of order zero are preserved", arguments: formats)
    func notesOnZeroBond(_ format: Format) throws {
        var molecule = methanol
        molecule.bonds[0].order = .zero
        molecule.addNote(.field("xNOTE:a"), toBond: 0)
        molecule.addNote(.transientField("yKEPT"), toBond: 0)
        let back = try records(write([Record(molecule)], as: format).bytes, as: format)
        let notes = back.first?.molecule.map { Array($0.notes(onBond: 0)) }
        #expect(notes == [.field("xNOTE:a"), .transientField("yKEPT")])
    }

    @Test(
        "text and positions are stable when written again",
        arguments: formats, [Text(bytes: [0x80]), Text(bytes: [0x67, 0xF6]), "a\r\nb", "5 µm, 3 €"])
    func settled(_ format: Format, _ title: Text) throws {
        for far in [0, 65_535.5, -2_147_483_648, 1e300] {
            var molecule = double([(0, 1), (1, 1)])
            molecule.name = title
            molecule.atoms[3].position = Position(far, 1)
            let first = try write([Record(molecule)], as: format).bytes
            #expect(try write(records(first, as: format), as: format).bytes == first)
        }
    }

    @Test("a color table starts with white and black, and the arrow of a reaction has a head of the usual size")
    func usualSettings() throws {
        let reaction = Reaction(Reaction.Step(reactants: [.init(methanol)], products: [.init(methanol)]))
        let text = try text([Record(reaction)])
        let white = try #require(text.range(of: "<color r=\"1\" g=\"1\" b=\"1\"/>"))
        let black = try #require(text.range(of: "<color r=\"0\" g=\"0\" b=\"0\"/>"))
        #expect(white.upperBound <= black.lowerBound)
        #expect(text.components(separatedBy: "<color ").count == 9)
        #expect(text.contains("LineWidth=\"0.6\" BoldWidth=\"2\" MarginWidth=\"1.6\" HashSpacing=\"2.5\""))
        #expect(text.contains("HeadSize=\"1000\" ArrowheadCenterSize=\"875\" ArrowheadWidth=\"250\""))
    }
}
