import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 Sgroups")
struct V2000SgroupTests {
    /// Reads a chain of four carbons with three bonds. The property lines start in line 12.
    private func chain(_ properties: String...) throws -> ReadRecord {
        try read(V2000.chain(4, properties: properties))
    }

    @Test("an abbreviation has atoms, crossing bonds, a label and further data")
    func abbreviation() throws {
        let reading = try chain(
            "M  STY  1   7 SUP", "M  SLB  1   7  42", "M  SAL   7  2   3   4", "M  SBL   7  1   2", "M  SMT   7 Et",
            "M  SCL   7 AA", "M  SDS EXP  1   7", "M  SBV   7   2    1.0000   -0.5000")
        var expected = Sgroup(.abbreviation)
        expected.number = 7
        expected.identifier = 42
        expected.atoms = [2, 3]
        expected.bonds = [1]
        expected.label = "Et"
        expected.templateClass = "AA"
        expected.isExpanded = true
        expected.bondVectors = [.init(bond: 1, vector: Position(1, -0.5))]
        #expect(reading.extras.sgroups == [expected])
        #expect(reading.issues.isEmpty)
    }

    @Test("a repeating unit has brackets, connectivity and a subscript")
    func repeatingUnit() throws {
        let reading = try chain(
            "M  STY  1   1 SRU", "M  SCN  1   1 HT ", "M  SAL   1  2   2   3", "M  SBL   1  2   1   3", "M  SMT   1 n",
            "M  SDI   1  4    1.5000   -1.0000    1.5000    1.0000",
            "M  SDI   1  4    3.5000    1.0000    3.5000   -1.0000",
            "M  SBT  1   1   1", "M  CRS   1  2   1   3")
        var expected = Sgroup(.repeatingUnit)
        expected.number = 1
        expected.connectivity = "HT"
        expected.atoms = [1, 2]
        expected.bonds = [0, 2]
        expected.label = "n"
        expected.brackets = [
            .init(from: Position(1.5, -1), to: Position(1.5, 1)), .init(from: Position(3.5, 1), to: Position(3.5, -1)),
        ]
        expected.bracketStyle = .round
        expected.bondCorrespondence = [0, 2]
        #expect(reading.extras.sgroups == [expected])
        #expect(reading.issues.isEmpty)
    }

    @Test("a bracket with a truncated last coordinate is read, and a bracket without it is dropped with a warning")
    func cutBracket() throws {
        let line = "M  SDI   1  4    1.5000   -1.0000    1.5000"
        let short = try chain("M  STY  1   1 SRU", line + "1")
        #expect(short.extras.sgroups.map(\.brackets) == [[.init(from: Position(1.5, -1), to: Position(1.5, 1))]])
        #expect(short.issues.isEmpty)
        let cut = try chain("M  STY  1   1 SRU", line)
        #expect(cut.extras.sgroups.map(\.brackets) == [[]])
        #expect(cut.issues.map(\.message) == ["a bracket needs two ends with two coordinates each; omitted"])
    }

    @Test("M  SBT 0 specifies square brackets, and a missing line no style")
    func bracketStyle() throws {
        let reading = try chain("M  STY  2   1 SRU   2 SRU", "M  SBT  1   1   0")
        #expect(reading.extras.sgroups.map(\.bracketStyle) == [.square, nil])
    }

    @Test("a multiple group has the atoms of one unit and a multiplier")
    func multipleGroup() throws {
        let reading = try chain(
            "M  STY  1   1 MUL", "M  SAL   1  3   2   3   4", "M  SPA   1  1   2", "M  SBL   1  1   1", "M  SMT   1 3")
        #expect(reading.extras.sgroups[0].kind == .multiple)
        #expect(reading.extras.sgroups[0].atoms == [1, 2, 3])
        #expect(reading.extras.sgroups[0].parentAtoms == [1])
        #expect(reading.extras.sgroups[0].label == "3")
    }

    @Test("a copolymer has a subtype, and a component has a number")
    func subtypeAndOrder() throws {
        let reading = try chain(
            "M  STY  2   1 COP   2 COM", "M  SST  1   1 ALT", "M  SNC  1   2 256", "M  SAL   2  1   1")
        #expect(reading.extras.sgroups[0].subtype == "ALT")
        #expect(reading.extras.sgroups[1].componentNumber == 256)
    }

    @Test("lists in several lines accumulate")
    func longLists() throws {
        let first = "M  SAL   1 15" + (1...15).map { V2000.column($0, 4) }.joined()
        let text = V2000.chain(18, properties: ["M  STY  1   1 GEN", first, "M  SAL   1  3  16  17  18"])
        #expect(try read(text).extras.sgroups[0].atoms == (0...17).map { Int32($0) })
    }

    @Test("Sgroup numbers need not be consecutive, and a line can have eight")
    func numbers() throws {
        let reading = try chain(
            "M  STY  8   9 GEN   2 GEN  33 GEN   1 GEN 100 GEN   5 GEN   6 GEN 999 GEN", "M  SMT 999 last",
            "M  SMT   9 first")
        #expect(reading.extras.sgroups.map(\.number) == [9, 2, 33, 1, 100, 5, 6, 999])
        #expect(reading.extras.sgroups.map(\.label) == ["first", "", "", "", "", "", "", "last"])
    }

    @Test("all fifteen kinds are supported")
    func kinds() throws {
        let codes = [
            "SUP", "MUL", "SRU", "MON", "MER", "COP", "CRO", "MOD", "GRA", "COM", "MIX", "FOR", "DAT", "ANY", "GEN",
        ]
        for code in codes {
            let reading = try chain("M  STY  1   1 \(code)", "M  SAL   1  1   1")
            #expect(reading.extras.sgroups.map(\.kind) == [Sgroup.Kind(Text(code))])
            #expect(reading.doubtfulLines == [])
        }
    }

    @Test("attachment points have an atom, a leaving atom and a name")
    func attachments() throws {
        let reading = try chain(
            "M  STY  1   1 SUP", "M  SAL   1  3   1   2   3", "M  SMT   1 X",
            "M  SAP   1  3   1   4 Al   2   0 Br   3   3 Cx")
        #expect(
            reading.extras.sgroups[0].attachments == [
                .init(atom: 0, leaving: 3, identifier: "Al"), .init(atom: 1, identifier: "Br"),
                .init(atom: 2, leaving: 2, identifier: "Cx"),
            ])
        #expect(reading.issues.isEmpty)
    }

    @Test(
        "the last attachment point may be truncated",
        arguments: ["M  SAP   1  1   2   4 1", "M  SAP   1  1   2   4", "M  SAP   1  1   2"])
    func cutAttachment(line: String) throws {
        let reading = try chain("M  STY  1   1 SUP", "M  SAL   1  1   2", "M  SMT   1 X", line)
        let attachment = try #require(reading.extras.sgroups.first?.attachments.first)
        #expect(attachment.atom == 1)
        #expect(attachment.leaving == (line.count >= 21 ? 3 : nil))
        #expect(attachment.identifier == (line.hasSuffix(" 1") ? "1" : ""))
    }

    // Parents.

    @Test("a child may precede the definition of its parent")
    func parentLater() throws {
        let reading = try chain(
            "M  STY  2   5 SRU   3 SRU", "M  SPL  1   5   3", "M  SAL   5  1   1", "M  SAL   3  2   1   2")
        #expect(reading.extras.sgroups.map(\.parent) == [1, nil])
        let before = try chain("M  STY  1   5 SRU", "M  SPL  1   5   3", "M  STY  1   3 SRU", "M  SAL   3  2   1   2")
        #expect(before.extras.sgroups.map(\.parent) == [1, nil])
    }

    @Test("a cycle of parents is broken with a warning")
    func parentCycle() throws {
        let reading = try chain("M  STY  3   1 GEN   2 GEN   3 GEN", "M  SPL  3   1   2   2   3   3   1")
        #expect(reading.atoms.count == 4)
        #expect(!reading.doubtfulLines.isEmpty)
        let sgroups = reading.extras.sgroups
        for start in sgroups.indices {
            var steps = 0
            var place: Int? = start
            while let here = place, steps <= sgroups.count {
                place = sgroups[here].parent.map(Int.init)
                steps += 1
            }
            #expect(steps <= sgroups.count)
        }
    }

    // Data.

    @Test("attached data have a name, a type, units, a query and a display")
    func data() throws {
        let reading = try chain(
            "M  STY  1   1 DAT", "M  SAL   1  1   2",
            "M  SDT   1 pKa                           N units               MQ>=",
            "M  SDD   1     1.2500   -0.7500    DAU   ALL  1       5", "M  SED   1 4.75")
        let data = try #require(reading.extras.sgroups.first?.data)
        #expect(data.fieldName == "pKa")
        #expect(data.fieldType == "N")
        #expect(data.units == "units")
        #expect(data.queryType == "MQ")
        #expect(data.queryOperator == ">=")
        #expect(data.display == "    1.2500   -0.7500    DAU   ALL  1       5")
        #expect(data.values == ["4.75"])
        #expect(reading.issues.isEmpty)
    }

    @Test("a field description may end after its name")
    func shortDescription() throws {
        let reading = try chain("M  STY  1   1 DAT", "M  SAL   1  1   2", "M  SDT   1 a name", "M  SED   1 x")
        let data = try #require(reading.extras.sgroups.first?.data)
        #expect(data.fieldName == "a name")
        #expect(data.fieldType == "")
        #expect(data.units == "")
        #expect(data.values == ["x"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("continued data are joined without a space, and preserve trailing spaces")
    func continuedData() throws {
        let filled = String(repeating: "a", count: 60) + "         "
        let reading = try chain(
            "M  STY  1   1 DAT", "M  SAL   1  1   2", "M  SDT   1 note", "M  SCD   1 " + filled, "M  SCD   1 bc",
            "M  SED   1 d e",
            "M  SED   1 second value")
        #expect(reading.extras.sgroups.first?.data?.values == [Text(filled + "bcd e"), "second value"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("unfinished data are preserved with a warning")
    func openData() throws {
        let reading = try chain("M  STY  1   1 DAT", "M  SAL   1  1   2", "M  SDT   1 note", "M  SCD   1 half of")
        #expect(reading.atoms.count == 4)
        #expect(!reading.doubtfulLines.isEmpty)
    }

    // Damage.

    @Test(
        "an invalid Sgroup is reported and never affects the molecule",
        arguments: [
            ["M  STY  1   1 SUP", "M  SAL   1  2   1  99", "M  SMT   1 X"],
            ["M  STY  1   1 SUP", "M  SAL   1  1   1", "M  SBL   1  1  88"],
            ["M  SAL   1  1   1"],
            ["M  SMT   5 X"],
            ["M  STY  1   1 SUP", "M  STY  1   1 DAT", "M  SAL   1  1   1"],
            ["M  STY  1   1 SUP", "M  SAL   1 15   1   2"],
            ["M  STY  1   1 SRU", "M  SDI   1  4    1.5000    1.0"],
            ["M  STY  1   1 GEN", "M  SPL  1   1   1"],
            ["M  STY  1   1 GEN", "M  SPL  1   1   9"],
            ["M  STY  1   0 GEN", "M  SAL   0  1   1"],
            ["M  STY  1   x GEN"],
            ["M  STY  1   1 ZZZ"],
            ["M  STY  1   1 SUP", "M  SAP   1  1   x   y Al"],
            ["M  STY  1   1 SUP", "M  SAP   1  1  77   0 Al"],
            ["M  STY  1   1 SUP", "M  SAP   1  1   1  77 Al"],
            ["M  STY  1   1 MUL", "M  SPA   1  1  50"],
            ["M  STY  1   1 SUP", "M  SBV   1  44    1.0000    1.0000"],
            ["M  STY  1   1 SRU", "M  CRS   1  2   1  44"],
            ["M  STY  1   1 SUP", "M  SDS EXP  1   3"],
        ])
    func damaged(properties: [String]) throws {
        let reading = try read(V2000.chain(4, properties: properties + ["M  CHG  1   4  -1"]))
        #expect(reading.atoms.map(\.charge) == [0, 0, 0, -1])
        #expect(reading.bonds == [Bond(0, 1), Bond(1, 2), Bond(2, 3)])
        #expect(!reading.doubtfulLines.isEmpty)
        let atoms = reading.extras.sgroups.flatMap { $0.atoms + $0.parentAtoms + $0.attachments.map(\.atom) }
        #expect(atoms.allSatisfy { (0..<4).contains($0) })
        let bonds = reading.extras.sgroups.flatMap { $0.bonds + $0.bondCorrespondence + $0.bondVectors.map(\.bond) }
        #expect(bonds.allSatisfy { (0..<3).contains($0) })
    }

    @Test(
        "truncated lines are read or reported",
        arguments: [
            "M  STY", "M  STY  1", "M  STY  1   1", "M  SAL", "M  SAL   1", "M  SAL   1  2", "M  SBL   1  1", "M  SMT",
            "M  SMT   1",
            "M  SDI   1", "M  SBV   1", "M  CRS   1", "M  SCL   1", "M  SAP   1", "M  SPL  1", "M  SNC  1", "M  SBT  1",
            "M  SDT",
            "M  SDT   1", "M  SDD", "M  SDD   1", "M  SCD", "M  SCD   1", "M  SED", "M  SED   1", "M  SDS",
            "M  SDS EXP", "M  SST  1",
            "M  SLB  1", "M  SCN  1", "M  SPA   1",
        ])
    func cutLine(line: String) throws {
        let reading = try read(V2000.chain(4, properties: ["M  STY  1   1 DAT", line, "M  CHG  1   4  -1"]))
        #expect(reading.atoms.map(\.charge) == [0, 0, 0, -1])
    }

    @Test("two hundred and fifty nested Sgroups are read")
    func deepParents() throws {
        var properties: [String] = []
        for number in 1...250 { properties.append("M  STY  1" + V2000.column(number, 4) + " GEN") }
        for number in 1...249 {
            properties.append("M  SPL  1" + V2000.column(number, 4) + V2000.column(number + 1, 4))
        }
        let reading = try read(V2000.chain(4, properties: properties))
        #expect(reading.extras.sgroups.count == 250)
        #expect(reading.extras.sgroups.last?.parent == nil)
        #expect(reading.extras.sgroups.dropLast().map(\.parent) == (1...249).map { Int32($0) })
    }
}
