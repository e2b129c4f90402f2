import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 bond line")
struct V2000BondTests {
    /// Reads a bond between two carbons, in line 7.
    private func bond(_ line: String) throws -> ReadRecord {
        try read(V2000.molfile(atoms: [V2000.atom(), V2000.atom()], bonds: [line]))
    }

    @Test("a bond to a missing atom is not reported as misaligned if it has the right columns")
    func columnsHold() throws {
        let bonds = [V2000.bond(1, 2), V2000.bond(1, 9), V2000.bond(12, 34)]
        let reading = try read(V2000.molfile(atoms: [V2000.atom(), V2000.atom()], bonds: bonds))
        #expect(reading.bonds.count == 1)
        #expect(reading.issues.count == 2)
        #expect(!reading.issues.contains { $0.message.contains("split at blanks") })
    }

    @Test(
        "has a type from 1 to 10",
        arguments: zip(
            1...10,
            [
                .single, .double, .triple, .aromatic, .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any,
                .dative, .hydrogen,
            ]
                as [Bond.Order]))
    func types(code: Int, order: Bond.Order) throws {
        let reading = try bond(V2000.bond(1, 2, code))
        #expect(reading.bonds == [Bond(0, 1, order)])
        #expect(reading.doubtfulLines == [])
    }

    @Test("has order zero for type 0, and any order for a type above 10, both with a warning")
    func oddTypes() throws {
        let zero = try bond(V2000.bond(1, 2, 0))
        #expect(zero.bonds == [Bond(0, 1, .zero)])
        #expect(zero.toldLines == [7])
        for code in [11, 15, 99, 999] {
            let high = try bond(V2000.bond(1, 2, code))
            #expect(high.bonds == [Bond(0, 1, .any)])
            #expect(high.toldLines == [7])
        }
    }

    @Test(
        "has a stereo code: up 1, either 4, down 6, and 3 on a double bond",
        arguments: [
            (1, 0, .none), (1, 1, .up), (1, 4, .either), (1, 6, .down), (2, 0, .none), (2, 3, .either),
            (4, 1, .up), (9, 6, .down),
        ] as [(Int, Int, Bond.Mark)])
    func stereo(type: Int, code: Int, mark: Bond.Mark) throws {
        let reading = try bond(V2000.bond(1, 2, type, stereo: code))
        #expect(reading.bonds[0].mark == mark)
        #expect(reading.issues.isEmpty)
    }

    @Test("has the same unspecified stereo for codes 3 and 4, and may have wedges on double bonds")
    func stereoOnOtherBonds() throws {
        for (type, code, mark) in [(2, 4, .either), (1, 3, .either), (2, 1, .up), (2, 6, .down)]
            as [(Int, Int, Bond.Mark)]
        {
            let reading = try bond(V2000.bond(1, 2, type, stereo: code))
            #expect(reading.bonds[0].mark == mark, "type \(type), stereo \(code)")
            #expect(reading.doubtfulLines == [], "type \(type), stereo \(code)")
        }
    }

    @Test("has no stereo for an unknown code, with a warning", arguments: [2, 5, 7, 99])
    func unknownStereo(code: Int) throws {
        let reading = try bond(V2000.bond(1, 2, stereo: code))
        #expect(reading.bonds == [Bond(0, 1)])
        #expect(reading.toldLines == [7])
    }

    @Test("has a wedge that is narrow at the first atom")
    func wedgeDirection() throws {
        let reading = try bond(V2000.bond(2, 1, stereo: 1))
        #expect(reading.bonds[0].from == 1)
        #expect(reading.bonds[0].to == 0)
    }

    @Test("has a topology")
    func topology() throws {
        #expect(try bond(V2000.bond(1, 2, topology: 0)).bonds[0].traits == [])
        #expect(try bond(V2000.bond(1, 2, topology: 1)).bonds[0].traits == .inRing)
        #expect(try bond(V2000.bond(1, 2, topology: 2)).bonds[0].traits == .inChain)
    }

    @Test("preserves the reacting center", arguments: [-1, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 20] as [Int8])
    func reactingCenter(code: Int8) throws {
        let reading = try bond(V2000.bond(1, 2, center: Int(code)))
        #expect(reading.bonds[0].reactingCenter == code)
        #expect(reading.doubtfulLines == [])
    }

    @Test("may end after the type", arguments: [9, 12, 15, 18, 21])
    func shortLine(length: Int) throws {
        let reading = try bond(String(V2000.bond(1, 2, 2, stereo: 3, topology: 1, center: 4).prefix(length)))
        #expect(reading.bonds[0].order == .double)
        #expect(reading.bonds[0].mark == (length >= 12 ? .either : .none))
        #expect(reading.bonds[0].traits == (length >= 18 ? .inRing : []))
        #expect(reading.bonds[0].reactingCenter == (length >= 21 ? 4 : 0))
        #expect(reading.issues.isEmpty)
    }

    @Test("may have adjacent atom numbers of three digits")
    func touchingNumbers() throws {
        let atoms = Array(repeating: V2000.atom(), count: 101)
        let reading = try read(V2000.molfile(atoms: atoms, bonds: ["101100  2", "  1101  1"]))
        #expect(reading.bonds == [Bond(100, 99, .double), Bond(0, 100)])
        #expect(reading.issues.isEmpty)
    }

    @Test(
        "is dropped with a warning if it is invalid, and the others are preserved",
        arguments: ["  2  2  1", "  9  1  1", "  0  1  1", " -1  1  1", "  3  1  1"])
    func impossible(line: String) throws {
        let atoms = [V2000.atom(), V2000.atom("N"), V2000.atom("O")]
        let reading = try read(V2000.molfile(atoms: atoms, bonds: ["  1  3  2", line, "  2  3  1"]))
        #expect(reading.bonds == [Bond(0, 2, .double), Bond(1, 2)])
        #expect(reading.doubtfulLines == [9])
        #expect(reading.atoms.count == 3)
    }

    @Test("is counted in bond numbers even if it was dropped")
    func numbersBehindDroppedBond() throws {
        let properties = [
            "M  STY  1   1 SUP", "M  SAL   1  1   3", "M  SBL   1  2   1   3", "M  SMT   1 X", "M  ZBO  1   3   0",
        ]
        let atoms = [V2000.atom(), V2000.atom(), V2000.atom()]
        let reading = try read(
            V2000.molfile(
                atoms: atoms, bonds: [V2000.bond(1, 2), V2000.bond(1, 1), V2000.bond(2, 3)], properties: properties))
        #expect(reading.bonds == [Bond(0, 1), Bond(1, 2, .zero)])
        #expect(reading.extras.sgroups.map(\.bonds) == [[0, 1]])
        #expect(reading.doubtfulLines == [9])
    }

    @Test("is removed from an Sgroup if it was dropped")
    func droppedBondInSgroup() throws {
        let properties = ["M  STY  1   1 SUP", "M  SAL   1  1   2", "M  SBL   1  2   1   2", "M  SMT   1 X"]
        let bonds = [V2000.bond(1, 1), V2000.bond(1, 2)]
        let reading = try read(
            V2000.molfile(atoms: [V2000.atom(), V2000.atom()], bonds: bonds, properties: properties))
        #expect(reading.bonds == [Bond(0, 1)])
        #expect(reading.extras.sgroups.allSatisfy { $0.bonds == [0] })
        #expect(reading.doubtfulLines.contains(7))
    }

    @Test("is rejected with the columns of an invalid atom number")
    func noNumber() throws {
        let text = V2000.molfile(atoms: [V2000.atom(), V2000.atom()], bonds: ["  1  2  1  0", "  1  ?  1  0"])
        let error = try #require(readAll(text, as: .molfile).first?.error)
        #expect(error.line == 8)
        #expect(error.columns == 4..<7)
        #expect(error.found == "  ?")
    }
}
