import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 property block")
struct V2000PropertyTests {
    /// Reads a molecule of unconnected carbons with property lines, which start in line 5 + `atoms`.
    private func carbons(_ count: Int, charges: [Int] = [], _ properties: String...) throws -> ReadRecord {
        let atoms = (0..<count).map { V2000.atom(charge: charges.indices.contains($0) ? charges[$0] : 0) }
        return try read(V2000.molfile(atoms: atoms, properties: properties))
    }

    // Charges, radicals, isotopes.

    @Test("M  CHG overrides every charge and radical code of the atom lines, whether the line lists the atom or not")
    func chargesVoidCodes() throws {
        let reading = try carbons(4, charges: [5, 3, 4, 1], "M  CHG  1   2  -2")
        #expect(reading.atoms.map(\.charge) == [0, -2, 0, 0])
        #expect(reading.atoms.map(\.radical) == [.none, .none, .none, .none])
    }

    @Test("M  RAD also overrides every charge and radical code")
    func radicalsVoidCodes() throws {
        let reading = try carbons(3, charges: [5, 4, 0], "M  RAD  1   3   2")
        #expect(reading.atoms.map(\.charge) == [0, 0, 0])
        #expect(reading.atoms.map(\.radical) == [.none, .none, .doublet])
    }

    @Test("M  ISO does not override charges, and other lines override no codes")
    func isotopesKeepCharges() throws {
        let reading = try carbons(2, charges: [5, 4], "M  ISO  1   1  13", "M  SUB  1   1   2")
        #expect(reading.atoms.map(\.charge) == [-1, 0])
        #expect(reading.atoms.map(\.radical) == [.none, .doublet])
        #expect(reading.atoms.map(\.isotope) == [13, 0])
    }

    @Test("M  ISO overrides every mass difference, and reports a change")
    func isotopesVoidDifferences() throws {
        let atoms = [V2000.atom(massDifference: 1), V2000.atom("N"), V2000.atom("Br", massDifference: -1)]
        let reading = try read(V2000.molfile(atoms: atoms, properties: ["M  ISO  1   2  15"]))
        #expect(reading.atoms.map(\.isotope) == [0, 15, 0])
        #expect(!reading.issues.isEmpty)
        let agreed = [V2000.atom(massDifference: 1), V2000.atom("N", massDifference: 1)]
        let same = try read(V2000.molfile(atoms: agreed, properties: ["M  ISO  2   1  13   2  15"]))
        #expect(same.atoms.map(\.isotope) == [13, 15])
        #expect(same.issues.isEmpty)
    }

    @Test("M  ISO does not change D and T")
    func isotopesAndDeuterium() throws {
        let atoms = [V2000.atom("D"), V2000.atom("T"), V2000.atom("C")]
        let reading = try read(V2000.molfile(atoms: atoms, properties: ["M  ISO  1   3  14"]))
        #expect(reading.atoms.map(\.isotope) == [2, 3, 14])
    }

    @Test("lines of the same kind accumulate, and the last value for an atom is used")
    func severalLines() throws {
        let reading = try carbons(
            3, "M  CHG  2   1   1   2  -1", "M  CHG  2   3   2   1   0", "M  ISO  1   2  13", "M  ISO  1   2   0")
        #expect(reading.atoms.map(\.charge) == [0, -1, 2])
        #expect(reading.atoms.map(\.isotope) == [0, 0, 0])
        #expect(reading.doubtfulLines == [])
    }

    @Test("a line can have eight entries or more")
    func manyEntries() throws {
        let entries = (1...10).map { V2000.column($0, 4) + V2000.column($0 - 5, 4) }
        let eight = try carbons(10, "M  CHG  8" + entries[..<8].joined(), "M  CHG  2" + entries[8...].joined())
        #expect(eight.atoms.map(\.charge) == [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5])
        #expect(eight.issues.isEmpty)
        let ten = try carbons(10, "M  CHG 10" + entries.joined())
        #expect(ten.atoms.map(\.charge) == [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5])
    }

    @Test("a value may extend into the separating space")
    func wideValues() throws {
        let reading = try carbons(2, "M  CHG  2   1-100   2 100")
        #expect(reading.atoms.map(\.charge) == [-100, 100])
        #expect(reading.doubtfulLines == [])
    }

    @Test(
        "a radical code specifies the multiplicity",
        arguments: [(0, .none, 0), (1, .singlet, 2), (2, .doublet, 1), (3, .triplet, 2)] as [(Int, Radical, Int)])
    func radicals(code: Int, radical: Radical, unpaired: Int) throws {
        let reading = try carbons(1, "M  RAD  1   1   \(code)")
        #expect(reading.atoms[0].radical == radical)
        #expect(reading.molecule.unpairedElectrons == unpaired)
        #expect(reading.issues.isEmpty)
    }

    @Test("a radical code above 3 is preserved as a multiplicity with a warning")
    func highRadical() throws {
        let reading = try carbons(1, "M  RAD  1   1   4")
        #expect(reading.atoms[0].radical.unpairedElectrons == 3)
        #expect(reading.atoms[0].radical.mdlCode == 4)
        #expect(reading.toldLines == [6])
    }

    // Names and lines of text.

    @Test("an alias is text for an atom and changes no other property")
    func alias() throws {
        let reading = try carbons(2, "A    2", "OMe", "M  CHG  1   2   1")
        #expect(reading.notes(1) == [.alias("OMe")])
        #expect(reading.symbols == ["C", "C"])
        #expect(reading.atoms.map(\.charge) == [0, 1])
        #expect(reading.issues.isEmpty)
    }

    @Test(
        "the line after an alias is its text, whatever it contains",
        arguments: ["", "M  END", "M  CHG  1   1   1", "A    1", "S  SKP  9"])
    func aliasText(text: String) throws {
        let reading = try carbons(2, "A    2", text, "M  CHG  1   2   1")
        #expect(reading.notes(1) == [.alias(Text(text))])
        #expect(reading.atoms.map(\.charge) == [0, 1])
    }

    @Test("the value of an atom is the text from column 8")
    func atomValue() throws {
        let reading = try carbons(2, "V    2 pKa 4.75  ", "V    1")
        #expect(reading.notes(1) == [.value("pKa 4.75  ")] || reading.notes(1) == [.value("pKa 4.75")])
        #expect(reading.atoms.count == 2)
    }

    @Test("a group abbreviation is preserved with its line of text")
    func groupAbbreviation() throws {
        let text = V2000.chain(2, properties: ["G    1  2", "M  CHG  1   1   1", "M  CHG  1   2  -1"])
        let reading = try read(text)
        #expect(reading.atoms.map(\.charge) == [0, -1])
        #expect(reading.extras.verbatim.map(\.text) == ["G    1  2\nM  CHG  1   1   1"])
        #expect(try rewrite(text).text.contains("\nG    1  2\nM  CHG  1   1   1\n"))
    }

    @Test("S  SKP skips lines with any content")
    func skip() throws {
        let reading = try carbons(2, "S  SKP  3", "M  CHG  1   1   1", "M  END", "$$$$", "M  CHG  1   2  -1")
        #expect(reading.atoms.map(\.charge) == [0, -1])
        #expect(reading.doubtfulLines == [])
    }

    @Test(
        "S  SKP with an excessive, negative or invalid number skips no line, with a warning",
        arguments: ["S  SKP999", "S  SKP-99", "S  SKPabc"])
    func impossibleSkip(line: String) throws {
        let reading = try carbons(2, line, "M  CHG  1   2  -1")
        #expect(reading.atoms.map(\.charge) == [0, -1])
        #expect(reading.toldLines.contains(7))
    }

    // R-groups.

    @Test("an R-group site may have several numbers, including 0 and 128")
    func rgroupNumbers() throws {
        let atoms = [V2000.atom("R#"), V2000.atom("R#"), V2000.atom("R#")]
        let reading = try read(V2000.molfile(atoms: atoms, properties: ["M  RGP  4   1   2   1   5   2   0   3 128"]))
        #expect(reading.notes(0) == [.rgroups([2, 5])])
        #expect(reading.notes(1) == [.rgroups([0])])
        #expect(reading.notes(2) == [.rgroups([128])])
        #expect(reading.symbols == ["R#", "R#", "R#"])
    }

    @Test("M  APO marks attachment points: first, second, both")
    func attachmentPoints() throws {
        let reading = try carbons(3, "M  APO  2   1   1   2   2", "M  APO  1   3   3")
        #expect(reading.notes(0) == [.attachmentPoint(first: true, second: false)])
        #expect(reading.notes(1) == [.attachmentPoint(first: false, second: true)])
        #expect(reading.notes(2) == [.attachmentPoint(first: true, second: true)])
        #expect(reading.issues.isEmpty)
    }

    @Test("M  AAL specifies the order of a site's neighbors")
    func attachmentOrder() throws {
        let atoms = [V2000.atom("R#"), V2000.atom(), V2000.atom()]
        let text = V2000.molfile(
            atoms: atoms, bonds: [V2000.bond(1, 2), V2000.bond(1, 3)],
            properties: ["M  RGP  1   1   1", "M  AAL   1  2   3   1   2   2"])
        let reading = try read(text)
        #expect(
            reading.notes(0) == [
                .rgroups([1]), .attachmentOrder([.init(neighbor: 2, point: "1"), .init(neighbor: 1, point: "2")]),
            ])
        #expect(reading.issues.isEmpty)
    }

    @Test("M  LOG specifies the logic of an R-group")
    func logic() throws {
        let reading = try carbons(1, "M  LOG  1   1   2   1   >0,<3", "M  LOG  1   4   0   0   1-3")
        var first = RGroup(1)
        first.logic = RGroup.Logic()
        first.logic?.requires = 2
        first.logic?.restIsHydrogen = true
        first.logic?.occurrence = ">0,<3"
        var second = RGroup(4)
        second.logic = RGroup.Logic()
        second.logic?.occurrence = "1-3"
        #expect(reading.extras.rgroups == [first, second])
    }

    // Zero-order bonds.

    @Test("M  ZBO, M  ZCH and M  HYD override bond orders, charges and hydrogens")
    func zeroOrderBonds() throws {
        let atoms = [V2000.atom("B", charge: 5), V2000.atom("N", charge: 3), V2000.atom("C")]
        let properties = [
            "M  CHG  2   1  -1   2   1", "M  ZBO  1   1   0", "M  ZCH  2   1   0   2   0", "M  HYD  2   1   3   2   3",
        ]
        let reading = try read(V2000.molfile(atoms: atoms, bonds: [V2000.bond(1, 2)], properties: properties))
        #expect(reading.bonds == [Bond(0, 1, .zero)])
        #expect(reading.atoms.map(\.charge) == [0, 0, 0])
        #expect(reading.atoms.map(\.hydrogens) == [.fixed(3), .fixed(3), .unstated])
        #expect(reading.molecule.hydrogenRule == .sketchEl)
        #expect(reading.molecule.hydrogenCounts() == [3, 3, 4])
        #expect(reading.issues.isEmpty)
    }

    @Test(
        "any of the three lines selects SketchEl's hydrogen rule",
        arguments: ["M  ZBO  1   1   0", "M  ZCH  1   1   0", "M  HYD  1   1   0"])
    func oneExtensionLine(line: String) throws {
        let atoms = [V2000.atom("Na"), V2000.atom("N")]
        let reading = try read(V2000.molfile(atoms: atoms, bonds: [V2000.bond(1, 2)], properties: [line]))
        #expect(reading.molecule.hydrogenRule == .sketchEl)
        #expect(reading.molecule.hydrogenCounts()[0] == 0)
    }

    @Test("M  ZCH and M  CHG can be in any order")
    func trueChargeFirst() throws {
        let reading = try carbons(2, "M  ZCH  1   1   0", "M  CHG  2   1   1   2  -1")
        #expect(reading.atoms.map(\.charge) == [0, -1])
    }

    @Test("M  ZBO may specify orders of four and more")
    func higherOrders() throws {
        let text = V2000.chain(2, properties: ["M  ZBO  1   1   4"])
        #expect(try read(text).bonds == [Bond(0, 1, .quadruple)])
    }

    // Unknown lines.

    @Test(
        "an unknown line is preserved and written back",
        arguments: [
            "M  XYZ  1   1   7", "M  PXA   1    1.0000    2.0000    3.0000 H   label",
            "M  MRV SMA   1 [#6;H1]",
            "M  ZZC   1 label of an atom", "M  ZPA  2   1   1   2", "M  ZRI  2   1   1   2", "M  ZAR  2   1   1   2",
        ])
    func unknownLine(line: String) throws {
        let text = V2000.chain(2, properties: [line, "M  CHG  1   2   1"])
        let reading = try read(text)
        #expect(reading.extras.verbatim == [Verbatim(.v2000, Text(line))])
        #expect(reading.atoms.map(\.charge) == [0, 1])
        #expect(reading.doubtfulLines == [])
        #expect(try rewrite(text).lines.filter { $0 == line }.count == 1)
    }

    @Test("a registry number is REGNO in V3000, and is written back as its line")
    func registryNumber() throws {
        let text = V2000.chain(2, properties: ["M  REG 4711"])
        let reading = try read(text)
        #expect(reading.extras.keywords == [.init("REGNO", "4711")])
        #expect(try rewrite(text).lines.contains("M  REG 4711"))
        #expect(writeV3000(reading.molecule).text.contains("COUNTS 2 1 0 0 0 REGNO=4711"))
    }

    @Test("texts on the drawing are preserved, and reported if they are not written")
    func drawingTexts() throws {
        var lines = V2000.chain(1).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[3].replaceSubrange(
            lines[3].index(lines[3].startIndex, offsetBy: 15)..<lines[3].index(lines[3].startIndex, offsetBy: 18),
            with: "  1")
        lines.insert(contentsOf: ["    1.0000    2.0000", "a text"], at: 5)
        let reading = try read(lines.joined(separator: "\n"))
        #expect(reading.extras.verbatim == [Verbatim(.v2000Text, "    1.0000    2.0000\na text")])
        let writing = try write([Record(reading.molecule)], as: .molfile)
        #expect(writing.losses.map(\.feature) == [.unknown])
    }

    @Test("3D features are preserved with all their lines")
    func features3D() throws {
        let features = ["M  $3D  3", "M  $3D -8  1  1", "M  $3D   2    1.5000", "M  $3D   1   2"]
        let text = V2000.chain(2, properties: features + ["M  CHG  1   2   1"])
        let reading = try read(text)
        #expect(reading.extras.verbatim.flatMap { $0.text.string.split(separator: "\n").map(String.init) } == features)
        #expect(reading.atoms[1].charge == 1)
        let written = try rewrite(text).lines
        #expect(written.filter { $0.hasPrefix("M  $3D") } == features)
    }

    @Test("Stext entries of two lines each are skipped")
    func stext() throws {
        let text = V2000.molfile(
            counts: V2000.counts(1, 0, texts: 2),
            properties: [
                "    1.0000    2.0000", "M  CHG  1   1   1", "    3.0000    4.0000", "M  END", "M  CHG  1   1  -1",
            ])
        let reading = try read(text)
        #expect(reading.atoms.map(\.charge) == [-1])
    }

    @Test("announced drawing texts cause a remark, and a warning if fewer are present")
    func texts() throws {
        let text = ["    1.0000    2.0000", "a text"]
        let counts = { V2000.counts(1, 0, texts: $0) }
        let whole = try read(V2000.molfile(counts: counts(1), properties: text))
        #expect(whole.issues.map(\.severity) == [.remark])
        let short = try read(V2000.molfile(counts: counts(2), properties: text))
        #expect(short.issues.map(\.severity) == [.doubt])
        let long = try read(V2000.molfile(counts: counts(1), properties: text + text))
        #expect(long.extras.verbatim.map(\.dialect) == [.v2000Text, .v2000, .v2000])
        #expect(long.doubtfulLines == [8, 9])
    }

    @Test("notes of an atom are in the order of their lines")
    func orderOfNotes() throws {
        let reading = try carbons(1, "A    1", "first", "M  APO  1   1   1", "A    1", "second")
        let notes = reading.record.molecule?.extras.contents.atomNotes.map(\.note) ?? []
        let aliases = notes.indices.filter { if case .alias = notes[$0] { true } else { false } }
        #expect(notes.count == 3)
        #expect(aliases == [0, 2])
    }
}
