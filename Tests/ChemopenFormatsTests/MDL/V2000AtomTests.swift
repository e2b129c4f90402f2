import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 atom line")
struct V2000AtomTests {
    private func atom(_ line: String, properties: [String] = []) throws -> ReadRecord {
        try read(V2000.molfile(atoms: [line], properties: properties))
    }

    // Positions.

    @Test("has three coordinates of ten columns, with or without spaces between them")
    func touchingCoordinates() throws {
        let apart = try atom("   -1.2345   10.2345    0.5000 C   0  0")
        #expect(apart.atoms[0].position == Position(-1.2345, 10.2345, 0.5))
        let touching = try atom("-9999.9999-1234.567899999.9999 C   0  0")
        #expect(touching.atoms[0].position == Position(-9999.9999, -1234.5678, 99999.9999))
        #expect(touching.issues.isEmpty)
    }

    @Test("is read by columns for any position of the decimal point")
    func otherDecimals() throws {
        let five = try atom("   1.50000  -0.25000   0.00000 C   0  0")
        #expect(five.atoms[0].position == Position(1.5, -0.25, 0))
        let whole = try atom("         2        -3         0 C   0  0")
        #expect(whole.atoms[0].position == Position(2, -3, 0))
    }

    @Test("may have a blank z coordinate, and exponents")
    func blankHeight() throws {
        let blank = try atom("    1.5000   -2.5000           C   0  0")
        #expect(blank.atoms[0].position == Position(1.5, -2.5, 0))
        #expect(blank.doubtfulLines == [])
        let exponents = try atom("   1.0E-02  -2.5e+01   0.0E+00 C   0  0")
        #expect(exponents.atoms[0].position == Position(0.01, -25, 0))
        #expect(exponents.doubtfulLines == [])
    }

    // Codes.

    @Test("stores charges as codes in reverse order", arguments: zip(0...7, [0, 3, 2, 1, 0, -1, -2, -3]))
    func chargeCodes(code: Int, charge: Int16) throws {
        let reading = try atom(V2000.atom("N", charge: code))
        #expect(reading.atoms[0].charge == charge)
        #expect(reading.atoms[0].radical == (code == 4 ? .doublet : .none))
        #expect(reading.issues.isEmpty)
    }

    @Test("ignores charge codes above 7 with a warning", arguments: [8, 9, 12, 999])
    func chargeCodesAboveSeven(code: Int) throws {
        let reading = try atom(V2000.atom("N", charge: code))
        #expect(reading.atoms[0].charge == 0)
        #expect(reading.atoms[0].radical == .none)
        #expect(reading.toldLines == [5])
    }

    @Test(
        "uses valence 15 for zero, and 0 for the default rule",
        arguments: [(0, nil), (1, 1), (4, 4), (14, 14), (15, 0)])
    func valences(code: Int, valence: Int?) throws {
        let reading = try atom(V2000.atom("C", valence: code))
        #expect(reading.molecule.valence(ofAtom: 0) == valence)
        #expect(reading.molecule.hydrogenCounts() == [valence ?? 4])
    }

    @Test(
        "has mass differences relative to the rounded atomic weight, not to the most common isotope",
        arguments: [
            ("Br", 1, 81), ("Br", -1, 79), ("Sn", 1, 120), ("Cu", -1, 63), ("Ag", -1, 107), ("Pt", -2, 193),
            ("Cl", 2, 37),
            ("C", 1, 13), ("H", 1, 2), ("Ni", -1, 58), ("Zn", 1, 66), ("Se", 1, 80), ("Hg", -3, 198), ("Pb", 4, 211),
            ("Pd", 1, 107),
        ] as [(String, Int, UInt16)])
    func massDifferences(symbol: String, difference: Int, isotope: UInt16) throws {
        let reading = try atom(V2000.atom(symbol, massDifference: difference))
        #expect(reading.atoms[0].isotope == isotope)
        #expect(reading.atoms[0].element == ChemicalElement(symbol: symbol))
        #expect(reading.issues.isEmpty)
    }

    @Test("preserves the parity as written", arguments: 0...3)
    func parity(code: Int) throws {
        let reading = try atom(V2000.atom("C", at: "    0.0000    0.0000    0.0000", parity: code))
        #expect(reading.atoms[0].marks.parity == code)
    }

    @Test("has a hydrogen query for a minimum, which does not change the hydrogens of the molecule")
    func hydrogenQuery() throws {
        let none = try atom(V2000.atom("C", hydrogens: 1))
        #expect(none.notes(0) == [.hydrogenQuery(0)])
        #expect(none.atoms[0].hydrogens == .unstated)
        #expect(none.molecule.hydrogenCounts() == [4])
        let two = try atom(V2000.atom("C", hydrogens: 3))
        #expect(two.notes(0) == [.hydrogenQuery(2)])
        #expect(try atom(V2000.atom("C", hydrogens: 0)).notes(0) == [])
    }

    @Test("has marks for stereo care, inversion, retention and exact change")
    func marks() throws {
        #expect(try atom(V2000.atom(care: 1)).atoms[0].marks == .stereoCare)
        #expect(try atom(V2000.atom(inversion: 1)).atoms[0].marks == .inverts)
        #expect(try atom(V2000.atom(inversion: 2)).atoms[0].marks == .retains)
        #expect(try atom(V2000.atom(exactChange: 1)).atoms[0].marks == .exactChange)
        #expect(try atom(V2000.atom()).atoms[0].marks == [])
    }

    @Test("has its map number in columns 61 to 63", arguments: [0, 1, 42, 999])
    func mapNumber(number: Int32) throws {
        #expect(try atom(V2000.atom(map: Int(number))).atoms[0].mapNumber == number)
    }

    @Test("can contain every field at once, each in its columns")
    func allFields() throws {
        let line = "    1.0000    2.0000    3.0000 Cl -3  7  1  3  1 15  1  2  3999  2  1"
        let reading = try atom(line)
        var expected = Atom(.chlorine, at: Position(1, 2, 3))
        expected.isotope = 32
        expected.charge = -3
        expected.mapNumber = 999
        expected.marks = [.stereoCare, .retains, .exactChange, .hasNotes]
        expected.marks.parity = 1
        #expect(reading.atoms == [expected])
        #expect(
            Set(reading.notes(0)) == [
                .hydrogenQuery(2), .valence(0), .fixedHydrogens(1), .componentType(2), .componentNumber(3),
            ])
        #expect(reading.issues.isEmpty)
    }

    // Length.

    @Test("may end anywhere after the symbol", arguments: 32...69)
    func shortLine(length: Int) throws {
        let reading = try atom(String(V2000.atom("N", charge: 3, map: 7).prefix(length)))
        #expect(reading.symbols == ["N"])
        #expect(reading.atoms[0].charge == (length >= 39 ? 1 : 0))
        #expect(reading.atoms[0].mapNumber == (length >= 63 ? 7 : 0))
        #expect(reading.doubtfulLines == [])
    }

    @Test("is not read beyond column 69")
    func extraText() throws {
        let reading = try atom(V2000.atom("N", charge: 3) + "  7  shift 12.5 ppm")
        #expect(reading.atoms[0].charge == 1)
        #expect(reading.symbols == ["N"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("is rejected with the columns of an invalid charge")
    func chargeIsNoNumber() throws {
        let line = "    1.0000    0.0000    0.0000 C   0  x  0  0"
        let error = try #require(readAll(V2000.molfile(atoms: [V2000.atom(), line]), as: .molfile).first?.error)
        #expect(error.kind == .broken)
        #expect(error.record == 1)
        #expect(error.line == 6)
        #expect(error.columns == 37..<40)
        #expect(error.found == "  x")
    }

    @Test("is rejected with the columns of an invalid coordinate")
    func coordinateIsNoNumber() throws {
        let line = "    1.0000    around    0.0000 C   0  0  0  0"
        let error = try #require(readAll(V2000.molfile(atoms: [line]), as: .molfile).first?.error)
        #expect(error.line == 5)
        #expect(error.columns == 11..<21)
        #expect(error.found == "    around")
    }

    // Symbols.

    @Test("accepts D and T for hydrogen of mass 2 and 3, independent of the mass difference")
    func heavyHydrogen() throws {
        for (symbol, mass) in [("D", UInt16(2)), ("T", 3)] {
            for difference in [0, 1, 2] {
                let reading = try atom(V2000.atom(symbol, massDifference: difference))
                #expect(reading.atoms[0].element == .hydrogen)
                #expect(reading.atoms[0].isotope == mass)
                #expect(reading.symbols == [symbol])
            }
        }
    }

    @Test("accepts CL and BR of old programs")
    func capitals() throws {
        #expect(try atom(V2000.atom("CL")).atoms[0].element == .chlorine)
        #expect(try atom(V2000.atom("BR")).atoms[0].element == .bromine)
        #expect(try atom(V2000.atom("CL")).molecule.symbol(ofAtom: 0) == "Cl")
    }

    @Test("reads two capitals as a group, not as a metal", arguments: ["CO", "NO", "CN", "OS", "HO", "AC", "PO"])
    func groups(symbol: String) throws {
        let reading = try atom(V2000.atom(symbol))
        #expect(reading.atoms[0].element == .none)
        #expect(reading.symbols == [symbol])
    }

    @Test(
        "reads Co, No, Cn, Os, Ho, Ac and Po as elements", arguments: ["Co", "No", "Cn", "Os", "Ho", "Ac", "Po", "Og"])
    func properlySpelled(symbol: String) throws {
        let reading = try atom(V2000.atom(symbol))
        #expect(reading.atoms[0].element.symbol == symbol)
        #expect(reading.molecule.labels == [])
        #expect(reading.issues.isEmpty)
    }

    @Test(
        "accepts lowercase element symbols with a warning",
        arguments: [("c", "C"), ("cl", "Cl"), ("br", "Br"), ("na", "Na")])
    func smallLetters(spelled: String, symbol: String) throws {
        let reading = try atom(V2000.atom(spelled))
        #expect(reading.atoms[0].element.symbol == symbol)
        #expect(reading.toldLines == [5])
    }

    @Test(
        "ignores spaces on both sides of a symbol",
        arguments: [("  C", "C"), (" C ", "C"), (" Cl", "Cl"), (" R#", "R#")])
    func blanksAroundSymbol(spelled: String, symbol: String) throws {
        let reading = try atom("    1.0000    0.0000    0.0000 \(spelled) 0  0")
        #expect(reading.symbols == [symbol])
        #expect(reading.doubtfulLines == [])
    }

    @Test(
        "preserves other symbols as labels",
        arguments: [
            "R#", "R", "L", "A", "Q", "X", "M", "AH", "QH", "XH", "MH", "*", "LP", "Du", "Lp", "Xx", "Any", "Pol",
            "Mod", "Ph", "Me", "COO", "Zz",
        ])
    func labels(symbol: String) throws {
        let reading = try atom(V2000.atom(symbol))
        #expect(reading.atoms[0].element == .none)
        #expect(reading.symbols == [symbol])
    }

    @Test("reads the number in R1 to R99 as an R-group number", arguments: [1, 7, 32, 99])
    func numberedSite(number: Int32) throws {
        let reading = try atom(V2000.atom("R\(number)"))
        #expect(reading.atoms[0].element == .none)
        #expect(reading.notes(0) == [.rgroups([number])])
    }

    @Test("preserves charge, isotope and map number of an atom without an element")
    func pseudoAtom() throws {
        let reading = try atom(V2000.atom("*", charge: 5, map: 3), properties: ["M  ISO  1   1  11"])
        #expect(reading.atoms[0].charge == -1)
        #expect(reading.atoms[0].mapNumber == 3)
        #expect(reading.atoms[0].isotope == 11)
        #expect(reading.atoms[0].element == .none)
    }

    @Test("is an atom without a label if the symbol is blank, with a warning")
    func emptySymbol() throws {
        let reading = try atom(V2000.atom("   "))
        #expect(reading.atoms.count == 1)
        #expect(reading.atoms[0].element == .none)
        #expect(reading.toldLines == [5])
    }

    @Test("shares a label between atoms")
    func sharedLabel() throws {
        let reading = try read(V2000.molfile(atoms: [V2000.atom("Pol"), V2000.atom("Ph"), V2000.atom("Pol")]))
        #expect(reading.molecule.labels == ["Pol", "Ph"])
        #expect(reading.symbols == ["Pol", "Ph", "Pol"])
    }
}
