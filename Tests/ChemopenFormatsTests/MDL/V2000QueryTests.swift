import ChemopenFormats
import ChemopenModel
import Testing

@Suite("V2000 queries")
struct V2000QueryTests {
    private func carbons(_ count: Int, _ properties: String...) throws -> ReadRecord {
        try read(V2000.molfile(atoms: Array(repeating: V2000.atom(), count: count), properties: properties))
    }

    private func list(_ properties: String..., legacy: [String] = [], lists: Int = 0) throws -> ReadRecord {
        try read(
            V2000.molfile(
                counts: V2000.counts(2, 1, lists: lists), atoms: [V2000.atom("L"), V2000.atom()],
                bonds: [V2000.bond(1, 2)],
                properties: legacy + properties))
    }

    @Test("ring bond and substituent counts are preserved, and 0 means no condition", arguments: [-2, -1, 0, 2, 3, 4])
    func counts(value: Int) throws {
        let ring = try carbons(2, "M  RBC  1   2" + V2000.column(value, 4))
        #expect(ring.notes(1) == (value == 0 ? [] : [.ringBondCount(value)]))
        let substituents = try carbons(2, "M  SUB  1   2" + V2000.column(value, 4))
        #expect(substituents.notes(1) == (value == 0 ? [] : [.substitutionCount(value)]))
    }

    @Test("an atom may have to be unsaturated")
    func unsaturated() throws {
        let reading = try carbons(2, "M  UNS  2   1   1   2   0")
        #expect(reading.notes(0) == [.unsaturated])
        #expect(reading.notes(1) == [])
    }

    @Test("M  ALS lists elements, including A and Q")
    func elementList() throws {
        let plain = try list("M  ALS   1  3 F C   N   Cl  ")
        #expect(plain.notes(0) == [.elementList(ElementList(["C", "N", "Cl"]))])
        #expect(plain.atoms[0].element == .none)
        #expect(plain.issues.isEmpty)
        let excluding = try list("M  ALS   1  2 T A   Q   ")
        #expect(excluding.notes(0) == [.elementList(ElementList(excluding: true, ["A", "Q"]))])
    }

    @Test("trailing spaces of a list may be missing")
    func trimmedList() throws {
        let reading = try list("M  ALS   1  3 F C   N   O")
        #expect(reading.notes(0) == [.elementList(ElementList(["C", "N", "O"]))])
        #expect(reading.doubtfulLines == [])
    }

    @Test("a list of sixteen elements is read completely")
    func longList() throws {
        let symbols = ["C", "N", "O", "F", "P", "S", "Cl", "Br", "I", "B", "Si", "Se", "Te", "As", "Ge", "Sn"]
        let entries = symbols.map { $0 + String(repeating: " ", count: 4 - $0.count) }.joined()
        #expect(
            try list("M  ALS   1 16 F " + entries).notes(0) == [.elementList(ElementList(symbols.map { Text($0) }))])
    }

    @Test("a list with fewer elements than announced is read with a warning")
    func shortList() throws {
        let reading = try list("M  ALS   1  9 F N   O   ")
        #expect(reading.notes(0) == [.elementList(ElementList(["N", "O"]))])
        #expect(reading.toldLines == [8])
    }

    @Test(
        "lines of the old list block are detected by their form, independent of the counts line",
        arguments: [0, 1, 2, 30, 999])
    func legacyList(announced: Int) throws {
        let reading = try list(legacy: ["  1 F    3   6   7   8"], lists: announced)
        #expect(reading.notes(0) == [.elementList(ElementList(["C", "N", "O"]))])
        #expect(reading.bonds.count == 1)
        let excluding = try list(legacy: ["  1 T    2  17  35"], lists: announced)
        #expect(excluding.notes(0) == [.elementList(ElementList(excluding: true, ["Cl", "Br"]))])
    }

    @Test("a line of the old list block may be empty")
    func emptyLegacyList() throws {
        let reading = try list(legacy: ["  1 F    0"])
        #expect(reading.notes(0) == [.elementList(ElementList([]))])
        #expect(reading.issues.isEmpty)
    }

    @Test("M  ALS overrides the old list block")
    func bothLists() throws {
        let reading = try list("M  ALS   1  2 T Cl  Br  ", legacy: ["  1 F    3   6   7   8"], lists: 1)
        #expect(reading.notes(0) == [.elementList(ElementList(excluding: true, ["Cl", "Br"]))])
    }

    @Test("link atoms have a repeat count and their neighbors in the chain")
    func linkAtoms() throws {
        let reading = try read(V2000.chain(5, properties: ["M  LIN  2   2   4   1   3   4   2   3   0"]))
        #expect(
            reading.extras.linkNodes == [
                LinkNode(atom: 1, repeats: 1, to: 4, neighbors: [0, 2]),
                LinkNode(atom: 3, repeats: 1, to: 2, neighbors: [2]),
            ])
        #expect(reading.issues.isEmpty)
    }

    @Test(
        "entries for missing atoms are dropped with a warning",
        arguments: [
            "M  RBC  1   9   2", "M  SUB  1   0   2", "M  UNS  1  -1   1", "M  RGP  1   9   1", "M  APO  1   9   1",
            "M  LIN  1   9   4   1   2", "M  ALS   9  1 F C   ", "M  AAL   9  1   1   1", "M  HYD  1   9   1",
            "M  ZCH  1   9   1",
            "M  ZBO  1   9   0", "M  ISO  1   9  13", "M  RAD  1   9   2", "M  CHG  1   9   1",
        ])
    func missingAtoms(line: String) throws {
        let reading = try read(V2000.chain(2, properties: [line]))
        #expect(reading.atoms.map(\.charge) == [0, 0])
        #expect(reading.extras.atomNotes == [])
        #expect(reading.extras.linkNodes == [])
        #expect(reading.doubtfulLines == [8])
    }

    @Test("the root of an R-group file is read with its members")
    func rgroupFile() throws {
        let root = V2000.molfile(
            title: "", atoms: [V2000.atom("R#"), V2000.atom("N")], bonds: [V2000.bond(1, 2)],
            properties: ["M  RGP  1   1   1"])
        let table = root.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "\n")
        let member = V2000.counts(1, 0) + "\n" + V2000.atom("O") + "\nM  APO  1   1   1\nM  END\n"
        let text =
            "$MDL  REV  1 0101700000\n$MOL\n$HDR\nroot\n\n\n$END HDR\n$CTAB\n" + table
            + "$END CTAB\n$RGP\n   1\n$CTAB\n"
            + member + "$END CTAB\n$END RGP\n$END MOL\n"
        let reading = try read(text)
        #expect(reading.molecule.name == "root")
        #expect(reading.symbols == ["R#", "N"])
        #expect(reading.notes(0) == [.rgroups([1])])
        #expect(reading.extras.rgroups.map(\.number) == [1])
        #expect(reading.extras.rgroups.first?.members.map(\.atoms.count) == [1])
        #expect(reading.extras.rgroups.first?.members.first?.atoms.first?.element == .oxygen)
    }
}
