import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 writer")
struct V2000WriterTests {
    /// Returns C=N without other properties.
    private func imine() -> Molecule {
        var molecule = Molecule()
        molecule.name = "imine"
        molecule.atoms = [
            Atom(.carbon, at: Position(1.5, -0.25)), Atom(.nitrogen, at: Position(-10.1234, 99999.9999)),
        ]
        molecule.bonds = [Bond(0, 1, .double)]
        return molecule
    }

    private func v2000(_ molecule: Molecule) throws -> WrittenText {
        try write(molecule, as: .molfile, .version(.v2000))
    }

    // Complete files.

    @Test("writes every column, and a program line if there is none")
    func plain() throws {
        let writing = try write(imine())
        #expect(
            writing.text
                == lines(
                    "imine", "  CHEMOPEN          2D", "", "  2  1  0  0  0  0  0  0  0  0999 V2000",
                    "    1.5000   -0.2500    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0",
                    "  -10.123499999.9999    0.0000 N   0  0  0  0  0  0  0  0  0  0  0  0", "  1  2  2  0  0  0  0",
                    "M  END"))
        #expect(writing.reports.map(\.version) == ["V2000"])
        #expect(writing.losses == [])
    }

    @Test("writes charges in both forms, and radicals and isotopes in property lines")
    func charges() throws {
        var molecule = imine()
        molecule.atoms[0].charge = -3
        molecule.atoms[0].radical = .doublet
        molecule.atoms[1].charge = 4
        molecule.atoms[1].isotope = 15
        molecule.atoms[1].position = Position(0, 0, 1)
        molecule.flags = [.chiral, .threeDimensional]
        #expect(
            try write(molecule).lines.dropFirst() == [
                "  CHEMOPEN          3D", "", "  2  1  0  0  1  0  0  0  0  0999 V2000",
                "    1.5000   -0.2500    0.0000 C   0  7  0  0  0  0  0  0  0  0  0  0",
                "    0.0000    0.0000    1.0000 N   0  0  0  0  0  0  0  0  0  0  0  0", "  1  2  2  0  0  0  0",
                "M  CHG  2   1  -3   2   4",
                "M  RAD  1   1   2", "M  ISO  1   2  15", "M  END", "",
            ])
    }

    @Test("writes at most eight pairs in a line")
    func manyPairs() throws {
        var molecule = Molecule()
        molecule.atoms = (0..<10).map { Atom(.sodium, at: Position(Double($0))) }
        for index in molecule.atoms.indices { molecule.atoms[index].charge = 1 }
        #expect(
            try write(molecule).lines.filter { $0.hasPrefix("M  CHG") } == [
                "M  CHG  8   1   1   2   1   3   1   4   1   5   1   6   1   7   1   8   1",
                "M  CHG  2   9   1  10   1",
            ])
    }

    @Test("writes all codes of atoms and bonds in their columns")
    func codes() throws {
        let text = V2000.molfile(
            atoms: [
                V2000.atom("C", hydrogens: 3, care: 1, valence: 15, map: 999, inversion: 2, exactChange: 1),
                V2000.atom("N", valence: 14, map: 1, inversion: 1),
            ], bonds: [V2000.bond(2, 1, 1, stereo: 6, topology: 2, center: -1)])
        let writing = try rewrite(text)
        #expect(writing.lines[4] == "    1.0000    0.0000    0.0000 C   0  0  0  3  1 15  0  0  0999  2  1")
        #expect(writing.lines[5] == "    1.0000    0.0000    0.0000 N   0  0  0  0  0 14  0  0  0  1  1  0")
        #expect(writing.lines[6] == "  2  1  1  6  0  2 -1")
    }

    @Test("writes each bond type and mark with its MDL number")
    func bonds() throws {
        let bonds = [
            V2000.bond(1, 2, 1, stereo: 1), V2000.bond(2, 3, 1, stereo: 4), V2000.bond(3, 4, 2, stereo: 3),
            V2000.bond(4, 5, 3),
            V2000.bond(5, 6, 4), V2000.bond(6, 7, 5), V2000.bond(7, 8, 6), V2000.bond(8, 9, 7), V2000.bond(9, 10, 8),
        ]
        let text = V2000.molfile(atoms: Array(repeating: V2000.atom(), count: 10), bonds: bonds)
        #expect(Array(try rewrite(text).lines[14..<23]) == bonds)
    }

    // Headings.

    @Test("preserves the program line and corrects only its dimension code")
    func programLine() throws {
        let text = V2000.molfile().split(separator: "\n", omittingEmptySubsequences: false)
        func withLine(_ line: String) throws -> String {
            let text = (["title", Substring(line)] + text.dropFirst(2)).joined(separator: "\n")
            return try rewrite(text).lines[1]
        }
        #expect(try withLine("AMPROGRAM 01022603042D 1   1.00000") == "AMPROGRAM 01022603042D 1   1.00000")
        #expect(try withLine("AMPROGRAM 0102260304   1   1.00000") == "AMPROGRAM 0102260304   1   1.00000")
        #expect(try withLine("  x") == "  x")
    }

    @Test(
        "inserts a space before a title that looks like a separator or a header",
        arguments: [("$$$$", " $$$$"), ("> <x>", " > <x>"), ("$$$$ 1", " $$$$ 1")])
    func dangerousTitle(title: String, line: String) throws {
        var molecule = imine()
        molecule.name = Text(title)
        #expect(try write(molecule).lines[0] == line)
        #expect(try write(molecule, as: .sdfile).lines[0] == line)
    }

    @Test("writes a title in one line")
    func titleWithLineEnd() throws {
        var molecule = imine()
        molecule.name = "two\nlines\rand\u{1}more"
        let writing = try write(molecule)
        #expect(writing.lines[0] == "two lines and more")
        #expect(writing.lines[3].hasSuffix("V2000"))
    }

    @Test("writes a long title completely, with any bytes")
    func longTitle() throws {
        var molecule = imine()
        molecule.name = Text(bytes: Array(repeating: 0xB5, count: 300))
        #expect(try Array(write(molecule).bytes.prefix(301)) == Array(repeating: 0xB5, count: 300) + [0x0A])
    }

    @Test("ends lines in CR LF on request")
    func carriageReturns() throws {
        var options = WriteOptions()
        options.carriageReturns = true
        let bytes = try write(imine(), as: .sdfile, options).bytes
        for place in bytes.indices where bytes[place] == 0x0A { #expect(bytes[place - 1] == 0x0D) }
        #expect(bytes.suffix(6) == Array("$$$$\r\n".utf8)[...])
    }

    // Coordinates.

    @Test("writes zero without a sign")
    func negativeZero() throws {
        var molecule = imine()
        molecule.atoms[0].position = Position(-0.0, -0.00004, 0)
        #expect(try v2000(molecule).lines[4].hasPrefix("    0.0000    0.0000    0.0000 "))
    }

    @Test("rounds to four decimals if V2000 is required, and reports it")
    func rounding() throws {
        var molecule = imine()
        molecule.atoms[0].position = Position(1.23456, -9.99996, 0.00005)
        let writing = try v2000(molecule)
        #expect(
            writing.lines[4].hasPrefix("    1.2346  -10.0000    0.0001 ")
                || writing.lines[4].hasPrefix("    1.2346  -10.0000    0.0000 "))
        #expect(writing.losses.map(\.feature) == [.precision])
    }

    // Symbols.

    @Test("writes D and T as hydrogen with a mass")
    func heavyHydrogen() throws {
        let writing = try rewrite(V2000.molfile(atoms: [V2000.atom("D"), V2000.atom("T")]))
        #expect(writing.lines[4].dropFirst(31).prefix(5) == "H   0")
        #expect(writing.lines[5].dropFirst(31).prefix(5) == "H   0")
        #expect(writing.lines[6] == "M  ISO  2   1   2   2   3")
    }

    @Test("writes R-group sites as R# with their numbers", arguments: ["R#", "R1"])
    func sites(symbol: String) throws {
        let properties = symbol == "R#" ? ["M  RGP  1   1   1"] : []
        let writing = try rewrite(V2000.molfile(atoms: [V2000.atom(symbol)], properties: properties))
        #expect(writing.lines[4].dropFirst(31).prefix(3) == "R# ")
        #expect(writing.lines[5] == "M  RGP  1   1   1")
    }

    @Test("writes a label of up to three letters as the symbol", arguments: ["Pol", "LP", "X", "*", "A", "COO", "CO"])
    func shortLabels(label: String) throws {
        let writing = try rewrite(V2000.molfile(atoms: [V2000.atom(label)]))
        #expect(writing.lines[4] == V2000.atom(label))
        #expect(writing.lines[5] == "M  END")
    }

    @Test("writes a longer label as an alias of * if V2000 is required")
    func longLabel() throws {
        var molecule = imine()
        molecule.atoms[0].element = .none
        molecule.setLabel("Boc-Ala", ofAtom: 0)
        let lines = try v2000(molecule).lines
        #expect(lines[4].dropFirst(31).prefix(3) == "*  ")
        #expect(lines[7...] == ["A    1", "Boc-Ala", "M  END", ""])
    }

    @Test("writes an element list with padding, without the old list block")
    func elementList() throws {
        let text = V2000.molfile(
            counts: V2000.counts(1, 0, lists: 1), atoms: [V2000.atom("L")], properties: ["  1 T    2   7   8"])
        let writing = try rewrite(text)
        #expect(writing.lines[3...] == [V2000.counts(1, 0), V2000.atom("L"), "M  ALS   1  2 T N   O   ", "M  END", ""])
    }

    // Hydrogens.

    @Test("writes the valence if a reader would count other hydrogens")
    func valences() throws {
        var molecule = Molecule()
        molecule.atoms = [
            Atom(.sodium, at: Position(1)), Atom(.carbon, at: Position(2)), Atom(.carbon, at: Position(3)),
        ]
        molecule.atoms[0].hydrogens = .fixed(0)
        molecule.atoms[1].hydrogens = .fixed(2)
        let writing = try write(molecule)
        #expect(writing.lines[4].dropFirst(48).prefix(3) == " 15")
        #expect(writing.lines[5].dropFirst(48).prefix(3) == "  2")
        let again = try read(writing.text)
        #expect(again.molecule.hydrogenCounts() == [0, 2, 4])
    }

    // Versions.

    @Test("writes V2000 up to 999 atoms and V3000 above, with the reason")
    func manyAtoms() throws {
        var molecule = Molecule()
        molecule.atoms = (0..<999).map { Atom(.helium, at: Position(Double($0))) }
        let most = try write(molecule)
        #expect(most.reports.map(\.version) == ["V2000"])
        #expect(try read(most.text).molecule == molecule.with(origin: most.lines[1]))
        molecule.atoms.append(Atom(.helium))
        let more = try write(molecule)
        #expect(more.reports.map(\.version) == ["V3000"])
        #expect(more.reports[0].reason.isEmpty == false)
        #expect(more.losses == [])
    }

    /// Changes of a molecule that V2000 cannot represent, each with the feature that is lost if V2000 is required.
    private static let beyondV2000: [(Feature, @Sendable (inout Molecule) -> Void)] = [
        (.stereoGroups, { $0.extras.contents.stereoGroups = [StereoGroup(.racemic, number: 1, atoms: [0])] }),
        (.stereoGroups, { $0.extras.contents.stereoGroups = [StereoGroup(.relative, number: 1, atoms: [0])] }),
        (.collections, { $0.extras.contents.collections = [AtomCollection("USER/mine")] }),
        (.mapNumbers, { $0.atoms[0].mapNumber = 1000 }),
        (.multicenterBonds, { $0.addNote(.endpoints(atoms: [0, 1], any: false), toBond: 0) }),
        (.templates, { $0.addNote(.templateClass("AA"), toAtom: 0) }),
        (
            .linkNodes,
            { $0.extras.contents.linkNodes = [LinkNode(atom: 1, repeats: 1, to: 2, neighbors: [0, 1, 0, 1])] }
        ),
    ]

    @Test(
        "features beyond V2000 are written as V3000, or lost if V2000 is required",
        arguments: beyondV2000.indices)
    func beyond(place: Int) throws {
        let (feature, change) = Self.beyondV2000[place]
        var molecule = imine()
        change(&molecule)
        let free = try write(molecule)
        #expect(free.reports.map(\.version) == ["V3000"], "\(feature)")
        #expect(free.reports[0].reason.isEmpty == false, "\(feature)")
        let forced = try v2000(molecule)
        #expect(forced.reports.map(\.version) == ["V2000"], "\(feature)")
        #expect(forced.losses.contains { $0.feature == feature }, "\(feature)")
        #expect(try read(forced.text).atoms.count == 2, "\(feature)")
    }

    @Test("charges above 15 and coordinates that exceed their columns are written as V3000, or clamped with a note")
    func wideNumbers() throws {
        for change in [
            { $0.atoms[0].charge = 16 }, { $0.atoms[0].charge = -16 }, { $0.atoms[0].position.x = 100_000 },
            { $0.atoms[0].position.y = -10_000 },
        ] as [(inout Molecule) -> Void] {
            var molecule = imine()
            change(&molecule)
            #expect(try write(molecule).reports.map(\.version) == ["V3000"])
            let forced = try v2000(molecule)
            let again = try read(forced.text)
            #expect(again.symbols == ["C", "N"])
            #expect(again.molecule.atoms[0] == molecule.atoms[0] || !forced.losses.isEmpty)
        }
    }

    @Test(
        "a link without neighbors repeats up to 999 times, and a higher count is reported",
        arguments: [0, 4, 999, 1000])
    func repeats(maximum: Int) throws {
        var molecule = imine()
        molecule.extras.contents.linkNodes = [LinkNode(atom: 1, repeats: 1, to: maximum, neighbors: [])]
        let writing = try v2000(molecule)
        #expect(writing.losses == (maximum > 999 ? [Loss(.linkNodes, "repeats beyond 999")] : []))
        #expect(try read(writing.text).extras.linkNodes.map(\.maximum) == [Int32(min(999, maximum))])
    }

    @Test("keywords of a V3000 table are reported as lost by name, except a registry number")
    func tableKeywords() throws {
        var molecule = imine()
        molecule.extras.contents.keywords = [.init("WEATHER", "rain"), .init("REGNO", "7")]
        #expect(try v2000(molecule).losses == [Loss(.unknown, "WEATHER")])
    }

    @Test("dative and hydrogen bonds are written as V3000", arguments: [Bond.Order.dative, .hydrogen])
    func dativeBonds(order: Bond.Order) throws {
        var molecule = imine()
        molecule.bonds[0].order = order
        #expect(try write(molecule).reports.map(\.version) == ["V3000"])
    }

    @Test("zero-order bonds are written as single bonds with property lines for their order")
    func zeroOrderBonds() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.boron, at: Position(1)), Atom(.nitrogen, at: Position(2))]
        molecule.atoms[0].hydrogens = .fixed(3)
        molecule.atoms[1].hydrogens = .fixed(3)
        molecule.bonds = [Bond(0, 1, .zero)]
        molecule.hydrogenRule = .sketchEl
        let writing = try write(molecule)
        #expect(writing.reports.map(\.version) == ["V2000"])
        #expect(writing.lines[6] == "  1  2  1  0  0  0  0")
        #expect(writing.lines[7...] == ["M  ZBO  1   1   0", "M  HYD  2   1   3   2   3", "M  END", ""])
        #expect(writing.losses == [])
        let again = try read(writing.text)
        #expect(again.bonds == molecule.bonds)
        #expect(again.molecule.hydrogenCounts() == [3, 3])
    }

    // Stability.

    /// A molecule with an example of every V2000 feature.
    private let everything = V2000.molfile(
        title: " everything ",
        counts: V2000.counts(6, 5, chiral: 1),
        atoms: [
            V2000.atom("R#", at: "    0.0000    0.0000    0.0000"),
            V2000.atom("C", at: "    1.0000    0.5000    0.0000", parity: 1, valence: 4),
            V2000.atom("N", at: "    2.0000    0.0000    0.0000", charge: 3, map: 4),
            V2000.atom("L", at: "    3.0000    0.5000    0.0000"),
            V2000.atom("Pol", at: "    4.0000    0.0000    0.0000"),
            V2000.atom("O", at: "    5.0000    0.5000    0.0000", hydrogens: 2),
        ],
        bonds: [
            V2000.bond(1, 2, stereo: 1), V2000.bond(2, 3, 2, stereo: 3), V2000.bond(3, 4, 8),
            V2000.bond(4, 5, 4, topology: 1), V2000.bond(5, 6, center: 12),
        ],
        properties: [
            "A    2", "alias", "A    3", "", "V    6 value of an atom", "M  CHG  1   3   1", "M  RAD  1   6   2",
            "M  ISO  1   2  13",
            "M  RBC  1   2   3", "M  SUB  1   2  -2", "M  UNS  1   2   1", "M  RGP  2   1   1   1   2",
            "M  APO  1   6   1",
            "M  ALS   4  2 F N   O   ", "M  AAL   1  1   2   1", "M  LIN  1   3   4   2   4",
            "M  LOG  1   1   0   1   >0",
            "M  STY  3   1 SUP   2 SRU   3 DAT", "M  SLB  3   1   1   2   2   3   3", "M  SCN  1   2 HT ",
            "M  SPL  1   1   2",
            "M  SBT  1   2   1", "M  SDS EXP  1   1", "M  SAL   1  2   5   6", "M  SBL   1  1   4", "M  SMT   1 PolO",
            "M  SCL   1 CHEM",
            "M  SAP   1  1   5   4 Al", "M  SBV   1   4    0.5000    0.5000", "M  SAL   2  2   2   3",
            "M  SBL   2  2   1   3",
            "M  SDI   2  4    0.5000   -0.5000    0.5000    1.0000",
            "M  SDI   2  4    2.5000    1.0000    2.5000   -0.5000", "M  SMT   2 n",
            "M  SAL   3  1   3", "M  SDT   3 pKa                           N units               MQ>=",
            "M  SDD   3     1.2500   -0.7500    DAU   ALL  1       5", "M  SED   3 4.75", "M  SED   3 second",
            "M  XYZ  1   1   7", "G    1  2",
            "group", "S  SKP  1", "skipped", "M  REG 4711",
        ])

    @Test("a file survives a round trip without loss")
    func roundTrip() throws {
        let first = try read(everything)
        #expect(first.doubtfulLines == [])
        let writing = try rewrite(everything)
        #expect(writing.losses == [])
        #expect(writing.reports.map(\.version) == ["V2000"])
        var second = try read(writing.text).molecule
        #expect(second.origin == "  CHEMOPEN          2D")
        second.origin = first.molecule.origin
        #expect(second.extras.contents.sgroups == first.extras.sgroups)
        #expect(second.extras.contents.atomNotes == first.extras.atomNotes)
        #expect(second == first.molecule)
    }

    @Test("a second round trip produces the same bytes")
    func secondPass() throws {
        let once = try rewrite(everything).text
        #expect(try rewrite(once).text == once)
        let sdfile = try rewrite(once + "> <x> (3)\n a\n \nb\n\n>  <x>\n\n$$$$\n", as: .sdfile).text
        #expect(try rewrite(sdfile, as: .sdfile).text == sdfile)
    }

    @Test(
        "long Sgroup data are continued after 69 columns, and read back completely",
        arguments: [0, 1, 68, 69, 70, 138, 139, 200, 500])
    func longData(length: Int) throws {
        var molecule = imine()
        var sgroup = Sgroup(.data)
        sgroup.number = 1
        sgroup.atoms = [0]
        var data = Sgroup.Data()
        data.fieldName = "note"
        data.values = [Text(String((0..<length).map { $0 % 7 == 3 ? " " : "x" })), "end"]
        if data.values[0].bytes.last == 0x20 { data.values[0].bytes[length - 1] = 0x78 }
        sgroup.data = data
        molecule.extras.contents.sgroups = [sgroup]
        let writing = try v2000(molecule)
        #expect(writing.lines.allSatisfy { $0.utf8.count <= 80 })
        #expect(try read(writing.text).extras.sgroups == [sgroup])
    }

    @Test("a field name that is too long for V2000 is reported or written as V3000")
    func longFieldName() throws {
        var molecule = imine()
        var sgroup = Sgroup(.data)
        sgroup.number = 1
        sgroup.atoms = [0]
        sgroup.data = Sgroup.Data()
        sgroup.data?.fieldName = "a name of much more than thirty characters"
        sgroup.data?.values = ["1"]
        molecule.extras.contents.sgroups = [sgroup]
        let writing = try write(molecule)
        #expect(try read(writing.text).extras.sgroups == [sgroup])
        #expect(try v2000(molecule).losses.isEmpty == false)
    }

    @Test("a molfile contains one molecule without data")
    func oneMolecule() throws {
        #expect(throws: WriteError.self) { _ = try write([Record(imine()), Record(imine())], as: .molfile) }
        var record = Record(imine())
        record.fields.append("x", "1")
        let writing = try write([record], as: .molfile)
        #expect(writing.losses.contains { $0.feature == .fields })
        #expect(writing.lines.suffix(2) == ["M  END", ""])
    }
}

extension Molecule {
    fileprivate func with(origin: String) -> Molecule {
        var molecule = self
        molecule.origin = Text(origin)
        return molecule
    }
}
