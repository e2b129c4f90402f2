import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

/// Returns a V3000 molfile with the lines of a CTAB, which have no `M  V30 ` prefix.
func v3000Molfile(_ lines: String, behind: String = "", title: String = "title") -> [UInt8] {
    let body = ("BEGIN CTAB\n" + lines + "\nEND CTAB" + (behind.isEmpty ? "" : "\n" + behind)).split(
        separator: "\n", omittingEmptySubsequences: false)
    let text = body.map { "M  V30 \($0)\n" }.joined()
    return Array(
        "\(title)\n  Program            2D\ncomment\n  0  0  0     0  0            999 V3000\n\(text)M  END\n".utf8)
}

/// Three atoms and two bonds: ethanol.
let ethanolLines = """
    COUNTS 3 2 0 0 0
    BEGIN ATOM
    1 C -1.299 -0.25 0 0
    2 C 0 0.5 0 0
    3 O 1.299 -0.25 0 0
    END ATOM
    BEGIN BOND
    1 1 1 2
    2 1 2 3
    END BOND
    """

/// Reads a molfile, and returns the molecule with its warnings.
func readMolfile(_ bytes: [UInt8]) throws -> (molecule: Molecule, issues: [ChemopenFormats.Issue]) {
    var reader = MolfileReader(LineCursor(0..<bytes.count, of: bytes.span), firstLine: 1, into: Molecule())
    try reader.read(bytes)
    return (reader.molecule, reader.issues)
}

@Suite("V3000 reader")
struct V3000ReaderTests {
    @Test("reads atom numbers in any order and with gaps")
    func labels() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                """
                COUNTS 3 2 1 0 0
                BEGIN ATOM
                31 C -1 0 0 0
                4 C 0 0 0 0
                1000 O 1 0 0 0
                END ATOM
                BEGIN BOND
                900 1 31 4
                2 2 4 1000
                END BOND
                BEGIN SGROUP
                1 SUP 0 ATOMS=(2 4 1000) XBONDS=(1 900) LABEL=CO
                END SGROUP
                """))
        #expect(issues.isEmpty)
        #expect(molecule.bonds == [Bond(0, 1), Bond(1, 2, .double)])
        #expect(molecule.extras.contents.sgroups[0].atoms == [1, 2])
        #expect(molecule.extras.contents.sgroups[0].bonds == [0])
        #expect(molecule.extras.contents.atomNumbers.isEmpty)
    }

    @Test("reads atom numbers that start at 2")
    func numbersFromTwo() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                """
                COUNTS 2 1 0 0 0
                BEGIN ATOM
                2 C 0 0 0 0
                3 O 1 0 0 0
                END ATOM
                BEGIN BOND
                1 1 2 3
                END BOND
                """))
        #expect(issues.isEmpty)
        #expect(molecule.bonds == [Bond(0, 1)])
    }

    @Test(
        "finds an Sgroup by its number, independent of the order",
        arguments: [[1, 2], [5, 6], [2, 1], [0, 2, 3], [0, 2, 1], [1, 1, 2], [3, 7, 2]])
    func sgroupNumbers(_ numbers: [Int]) throws {
        for parent in numbers.dropLast() where parent > 0 {
            var block = numbers.dropLast().map { "\n\($0) GEN 0 ATOMS=(1 1)" }.joined()
            block += "\n\(numbers.last ?? 0) GEN 0 ATOMS=(1 2) PARENT=\(parent)"
            let lines = ethanolLines.replacing("COUNTS 3 2 0", with: "COUNTS 3 2 \(numbers.count)")
            let (molecule, _) = try readMolfile(v3000Molfile(lines + "\nBEGIN SGROUP\(block)\nEND SGROUP"))
            let place = try #require(numbers.firstIndex(of: parent))
            #expect(molecule.extras.contents.sgroups.map(\.parent).last == Int32(place))
        }
    }

    @Test("ignores a mass of 0, and accepts a name with an equals sign after other punctuation")
    func massAndName() throws {
        let lines = ethanolLines.replacing("2 C 0 0.5 0 0", with: "2 C 0 0.5 0 0 MASS=13 MASS=0")
            .replacing("3 O ", with: "3 R-X=Y ")
        let (molecule, issues) = try readMolfile(v3000Molfile(lines))
        #expect(molecule.atoms.map(\.isotope) == [0, 13, 0])
        #expect(molecule.symbol(ofAtom: 2) == "R-X=Y")
        #expect(issues.isEmpty)
    }

    @Test("preserves numbers to which unknown text may refer")
    func foreignNumbers() throws {
        let (molecule, _) = try readMolfile(
            v3000Molfile(
                "COUNTS 1 0 0 1 0\nBEGIN ATOM\n7 C 0 0 0 0\nEND ATOM\nBEGIN OBJ3D\n1 -7 6 p BASIS=(1 7)\nEND OBJ3D"))
        #expect(molecule.extras.contents.atomNumbers == [7])
        #expect(
            molecule.extras.contents.verbatim == [Verbatim(.v3000, "BEGIN OBJ3D\n1 -7 6 p BASIS=(1 7)\nEND OBJ3D")])
    }

    @Test("continues a line in the next, even inside a token")
    func continuation() throws {
        let lines = ethanolLines.replacing("3 O 1.299 -0.25 0 0", with: "3 O 1.-\n299 -\n-0.25 0 0 CHG=-\n-1")
        let (molecule, issues) = try readMolfile(v3000Molfile(lines))
        #expect(issues.isEmpty)
        #expect(molecule.atoms[2].position == Position(1.299, -0.25, 0))
        #expect(molecule.atoms[2].charge == -1)
    }

    @Test("accepts a value that ends in the dash at the end of its line")
    func dashAtEnd() throws {
        let block = "\nBEGIN SGROUP\n1 SUP 0 ATOMS=(1 3) LABEL=O-\nEND SGROUP"
        let (molecule, issues) = try readMolfile(
            v3000Molfile(ethanolLines.replacing("COUNTS 3 2 0", with: "COUNTS 3 2 1") + block))
        #expect(molecule.extras.contents.sgroups[0].label == "O-")
        #expect(
            issues.map(\.message) == [
                "the line ends in -, but the next one ends the block; read without a continuation"
            ])
    }

    @Test("reads every keyword of an atom")
    func atomKeywords() throws {
        let keys = "CHG=-1 RAD=2 CFG=1 MASS=18 VAL=-1 HCOUNT=-1 STBOX=1 INVRET=2 EXACHG=1 SUBST=-2 UNSAT=1 RBCNT=4"
        let more = "ATTCHPT=-1 RGROUPS=(2 1 12) ATTCHORD=(2 2 Al) SEQID=7 SEQNAME=\"chain A\" COLOUR=\"sea blue\""
        let (molecule, issues) = try readMolfile(
            v3000Molfile(ethanolLines.replacing("3 O 1.299 -0.25 0 0", with: "3 O 1.299 -0.25 0 5 \(keys) \(more)")))
        let atom = molecule.atoms[2]
        #expect(issues.isEmpty)
        #expect(atom.mapNumber == 5)
        #expect(atom.charge == -1)
        #expect(atom.radical == .doublet)
        #expect(atom.isotope == 18)
        #expect(atom.marks.parity == 1)
        #expect(atom.marks.isSuperset(of: [.stereoCare, .retains, .exactChange, .hasNotes]))
        #expect(
            Array(molecule.notes(onAtom: 2)) == [
                .valence(0), .hydrogenQuery(0), .substitutionCount(-2), .unsaturated, .ringBondCount(4),
                .attachmentPoint(first: true, second: true), .rgroups([1, 12]),
                .attachmentOrder([.init(neighbor: 1, point: "Al")]), .sequenceNumber(7), .sequenceName("chain A"),
                .keyword(name: "COLOUR", value: "\"sea blue\""),
            ])
    }

    @Test(
        "reads an element list in every notation",
        arguments: [("[C,N]", false), ("NOT[C,N]", true), ("NOT [C, N]", true), ("\"NOT [C,N]\"", true)])
    func lists(type: String, isExcluding: Bool) throws {
        let lines = ethanolLines.replacing("3 O ", with: "3 \(type) ")
        let (molecule, issues) = try readMolfile(v3000Molfile(lines))
        #expect(issues.isEmpty)
        #expect(Array(molecule.notes(onAtom: 2)) == [.elementList(ElementList(excluding: isExcluding, ["C", "N"]))])
        #expect(molecule.symbol(ofAtom: 2) == "L")
    }

    @Test("does not read a template name as an element")
    func templateNames() throws {
        let (molecule, _) = try readMolfile(
            v3000Molfile("COUNTS 1 0 0 0 0\nBEGIN ATOM\n1 P 0 0 0 0 CLASS=PHOSPHATE\nEND ATOM"))
        #expect(molecule.atoms[0].element == .none)
        #expect(molecule.symbol(ofAtom: 0) == "P")
    }

    @Test("reads every keyword of a bond")
    func bondKeywords() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                ethanolLines.replacing(
                    "2 1 2 3", with: "2 9 2 3 CFG=3 TOPO=2 RXCTR=4 STBOX=1 ENDPTS=(2 1 2) ATTACH=ANY DISP=COORD W=(1 2)"
                )))
        let bond = molecule.bonds[1]
        #expect(issues.isEmpty)
        #expect(bond.order == .dative)
        #expect(bond.mark == .down)
        #expect(bond.reactingCenter == 4)
        #expect(bond.traits == [.hasNotes, .inChain, .stereoCare])
        #expect(
            Array(molecule.notes(onBond: 1)) == [
                .display("COORD"), .keyword(name: "W", value: "(1 2)"), .endpoints(atoms: [0, 1], any: true),
            ])
    }

    @Test("applies defaults to all Sgroups that do not override them")
    func defaults() throws {
        let (molecule, _) = try readMolfile(
            v3000Molfile(
                ethanolLines + """

                    BEGIN SGROUP
                    DEFAULT CLASS=CHEM ESTATE=E
                    1 SUP 0 ATOMS=(1 1) LABEL=Me
                    2 SUP 0 ATOMS=(1 3) LABEL=OH CLASS=LINKER
                    END SGROUP
                    """))
        let sgroups = molecule.extras.contents.sgroups
        #expect(sgroups.map(\.templateClass) == ["CHEM", "LINKER"])
        #expect(sgroups.map(\.isExpanded) == [true, true])
    }

    @Test("reads the blocks after the bonds in any order")
    func orderOfBlocks() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                ethanolLines.replacing("COUNTS 3 2 0", with: "COUNTS 3 2 1") + #"""

                    BEGIN COLLECTION
                    MDLV30/STERAC1 ATOMS=(1 2)
                    "USER/my site" SGROUPS=(1 5)
                    END COLLECTION
                    BEGIN SGROUP
                    5 DAT 0 ATOMS=(1 3) FIELDNAME=x FIELDDATA="a ""b""" FIELDDATA=c
                    END SGROUP
                    LINKNODE 1 4 2 2 1 2 3
                    """#))
        let contents = molecule.extras.contents
        #expect(issues.isEmpty)
        #expect(contents.stereoGroups == [StereoGroup(.racemic, number: 1, atoms: [1])])
        #expect(contents.collections.map(\.name) == ["USER/my site"])
        #expect(contents.collections[0].sgroups == [0])
        #expect(contents.sgroups[0].data?.values == ["a \"b\"", "c"])
        #expect(contents.linkNodes == [LinkNode(atom: 1, repeats: 1, to: 4, neighbors: [0, 2])])
    }

    @Test("reads members of an R-group as separate molecules")
    func rgroups() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                ethanolLines,
                behind: """
                    BEGIN RGROUP 3
                    RLOGIC 2 1 >0
                    BEGIN CTAB fluoro
                    COUNTS 1 0 0 0 0
                    BEGIN ATOM
                    1 F 0 0 0 0 ATTCHPT=1
                    END ATOM
                    END CTAB
                    END RGROUP
                    """))
        let group = try #require(molecule.extras.contents.rgroups.first)
        #expect(issues.isEmpty)
        #expect(molecule.atoms.count == 3)
        #expect(group.number == 3)
        #expect(group.logic?.requires == 2)
        #expect(group.logic?.restIsHydrogen == true)
        #expect(group.logic?.occurrence == ">0")
        #expect(group.members.map { $0.symbol(ofAtom: 0) } == ["F"])
        #expect(group.members[0].name == "fluoro")
    }

    @Test("reads zero-order bonds and hydrogens from their data Sgroups")
    func zeroOrder() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                """
                COUNTS 2 1 3 0 0
                BEGIN ATOM
                1 N 0.75 0 0 0 CHG=1
                2 B -0.75 0 0 0 CHG=-1
                END ATOM
                BEGIN BOND
                1 1 1 2
                END BOND
                BEGIN SGROUP
                1 DAT 0 ATOMS=(2 1 2) XBONDS=(1 1) FIELDNAME=ZBO
                2 DAT 0 ATOMS=(2 1 2) FIELDNAME=HYD FIELDDATA="3;3"
                3 DAT 0 ATOMS=(2 1 2) FIELDNAME=ZCH FIELDDATA="0;0"
                END SGROUP
                """))
        #expect(issues.isEmpty)
        #expect(molecule.bonds[0].order == .zero)
        #expect(molecule.atoms.map(\.hydrogens) == [.fixed(3), .fixed(3)])
        #expect(molecule.atoms.map(\.charge) == [0, 0])
        #expect(molecule.hydrogenRule == .sketchEl)
        #expect(molecule.extras.contents.sgroups.isEmpty)
    }
}

@Suite("V3000 deviations")
struct V3000ToleranceTests {
    @Test(
        "are read completely, with a warning",
        arguments: [
            ("M  V30 END CTAB\n", ""), ("M  END\n", ""), ("M  V30 END ATOM\n", ""), ("M  V30 END BOND\n", ""),
            ("M  V30 COUNTS 3 2 0 0 0\n", ""), ("COUNTS 3 2", "COUNTS 999999999 -2"),
            ("M  V30 BEGIN BOND\n", "# a comment\nM  V30 BEGIN BOND\n"), ("M  V30 ", "M V30 "), ("M  END", "M END"),
        ])
    func told(part: String, replacement: String) throws {
        let text = String(decoding: v3000Molfile(ethanolLines), as: UTF8.self)
        let (molecule, issues) = try readMolfile(Array(text.replacing(part, with: replacement).utf8))
        #expect(molecule.atoms.map(\.element) == [.carbon, .carbon, .oxygen])
        #expect(molecule.bonds == [Bond(0, 1), Bond(1, 2)])
        #expect(!issues.isEmpty)
    }

    @Test(
        "are read without a warning if they are harmless",
        arguments: [("\n", "\r\n"), (" 1 ", "   1\t"), ("BEGIN", "Begin")])
    func silent(part: String, replacement: String) throws {
        let text = String(decoding: v3000Molfile(ethanolLines), as: UTF8.self)
        let (molecule, issues) = try readMolfile(Array(text.replacing(part, with: replacement).utf8))
        #expect(molecule.bonds == [Bond(0, 1), Bond(1, 2)])
        #expect(issues.isEmpty)
    }

    @Test("are rejected if no valid content can be read")
    func refused() {
        let fault = #expect(throws: Fault.self) {
            try readMolfile(v3000Molfile(ethanolLines.replacing("3 O 1.299", with: "3 O twelve")))
        }
        #expect(fault?.line == 9)
        #expect(fault?.columns == 11..<17)
        #expect(throws: Fault.self) { try readMolfile(v3000Molfile("BEGIN CTAB\nEND CTAB")) }
    }

    @Test("an invalid bond is dropped, and the other bonds preserve their Sgroups")
    func droppedBonds() throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(
                ethanolLines.replacing("1 1 1 2", with: "7 1 1 9\n8 1 1 1\n1 1 1 2").replacing(
                    "3 2 0 0", with: "3 4 1 0")
                    + "\nBEGIN SGROUP\n1 SUP 0 ATOMS=(1 3) XBONDS=(2 2 8) LABEL=OH\nEND SGROUP"))
        #expect(molecule.bonds == [Bond(0, 1), Bond(1, 2)])
        #expect(molecule.extras.contents.sgroups[0].bonds == [1])
        #expect(issues.count == 3)
    }

    @Test("a bond preserves its keywords if a later bond is dropped")
    func keywordsBeforeFaultyBond() throws {
        let lines = ethanolLines.replacing("1 1 1 2", with: "1 1 1 2 WEATHER=rain")
            .replacing("2 1 2 3", with: "2 1 2 3 ATTACH=ANY\n3 1 2 2")
        let (molecule, issues) = try readMolfile(v3000Molfile(lines.replacing("COUNTS 3 2", with: "COUNTS 3 3")))
        #expect(molecule.bonds.count == 2)
        #expect(Array(molecule.notes(onBond: 0)) == [.keyword(name: "WEATHER", value: "rain")])
        #expect(Array(molecule.notes(onBond: 1)) == [.keyword(name: "ATTACH", value: "ANY")])
        #expect(issues.map(\.message).contains("ATTACH requires ENDPTS; preserved verbatim"))
    }

    @Test("an Sgroup cannot be its own ancestor")
    func cycle() throws {
        let block = "\nBEGIN SGROUP\n1 GEN 0 ATOMS=(1 1) PARENT=2\n2 GEN 0 ATOMS=(1 2) PARENT=1\nEND SGROUP"
        let (molecule, issues) = try readMolfile(
            v3000Molfile(ethanolLines.replacing("COUNTS 3 2 0", with: "COUNTS 3 2 2") + block))
        #expect(molecule.extras.contents.sgroups.compactMap(\.parent).count == 1)
        #expect(issues.count == 1)
    }

    @Test("an unknown block is preserved with any content, and its missing end is added")
    func unknownBlock() throws {
        let (molecule, issues) = try readMolfile(v3000Molfile(ethanolLines + "\nBEGIN WEATHER 3\nBEGIN RAIN\n1 2"))
        #expect(
            molecule.extras.contents.verbatim
                == [Verbatim(.v3000, "BEGIN WEATHER 3\nBEGIN RAIN\n1 2\nEND RAIN\nEND WEATHER")])
        #expect(issues.count == 1)
    }

    @Test("a line that ends a block that is not open is preserved with a warning")
    func otherEnd() throws {
        let block = "BEGIN WEATHER\nEND RAIN\n1 2\nEND WEATHER"
        let (molecule, issues) = try readMolfile(v3000Molfile(ethanolLines + "\n" + block))
        #expect(molecule.extras.contents.verbatim == [Verbatim(.v3000, Text(block))])
        #expect(issues.map(\.message).last == "the line does not match the open block; preserved verbatim")
    }

    @Test("a value continued over a hundred thousand lines is read quickly")
    func longChain() throws {
        let value = String(repeating: "abcdefgh-\n", count: 100_000) + "end"
        let block = "\nBEGIN SGROUP\n1 DAT 0 ATOMS=(1 1) FIELDNAME=x FIELDDATA=\(value)\nEND SGROUP"
        let (molecule, _) = try readMolfile(v3000Molfile(ethanolLines + block))
        #expect(molecule.extras.contents.sgroups[0].data?.values.first?.bytes.count == 800_003)
    }

    @Test("an unclosed list extends to the end of its line", arguments: ["(2 1 2", "(2 1 2 ", "(3 1 2"])
    func openList(_ list: String) throws {
        let lines = ethanolLines.replacing("COUNTS 3 2 0", with: "COUNTS 3 2 1")
        let (molecule, issues) = try readMolfile(
            v3000Molfile(lines + "\nBEGIN SGROUP\n1 SUP 0 LABEL=Et ATOMS=\(list)\nEND SGROUP"))
        #expect(molecule.extras.contents.sgroups.map(\.atoms) == [[0, 1]])
        #expect(issues.count == 1)
    }

    @Test(
        "a bond to several atoms includes all of them by default, with a warning",
        arguments: [
            ("ATTACH=ANY", true, 0), ("ATTACH=ALL", false, 0), ("attach=any", true, 0), ("", false, 1),
            ("ATTACH=SOME", false, 1),
        ])
    func multicenter(attach: String, isAny: Bool, doubts: Int) throws {
        let (molecule, issues) = try readMolfile(
            v3000Molfile(ethanolLines.replacing("2 1 2 3", with: "2 1 2 3 ENDPTS=(2 1 2) \(attach)")))
        #expect(Array(molecule.notes(onBond: 1)) == [.endpoints(atoms: [0, 1], any: isAny)])
        #expect(issues.count == doubts)
    }

    @Test(
        "a label with an equals sign after other punctuation is not a keyword",
        arguments: ["N-C=O", "*=O", "-=-"])
    func labelWithEquals(_ label: String) throws {
        let (molecule, _) = try readMolfile(v3000Molfile(ethanolLines.replacing("3 O", with: "3 \(label)")))
        #expect(molecule.labels == [Text(label)])
    }

    @Test("only an identifier before an equals sign is a keyword")
    func plainKeys() throws {
        let lines = ["COUNTS 1 0 0 0 0", "BEGIN ATOM", "1 C 0 0 0 0 A_1=2 a-b=1 MASS=13", "END ATOM", "END CTAB"]
        let file =
            "a\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n"
            + lines.map { "M  V30 \($0)\n" }.joined() + "M  END\n"
        let molecule = try read(file).molecule
        #expect(
            Array(molecule.notes(onAtom: 0)) == [.keyword(name: "A_1", value: "2"), .keyword(name: "", value: "a-b=1")])
        #expect(molecule.atoms[0].isotope == 13)
    }
}
