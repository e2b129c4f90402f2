import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Data Sgroups with a chemical meaning")
struct DataSgroupTests {
    /// A data Sgroup on a chain of three atoms. The first bond of the chain may have any type.
    struct Saying: Sendable, CustomTestStringConvertible {
        var field: String
        var value: String
        var atoms: [Int]
        var bonds: [Int] = []
        var order = 1

        var testDescription: String { "\(field) \(value)" }

        var v2000: String {
            func numbers(_ list: [Int]) -> String { list.map { V2000.column($0, 4) }.joined() }
            var lines = ["M  STY  1   1 DAT", "M  SAL   1\(V2000.column(atoms.count))\(numbers(atoms))"]
            if !bonds.isEmpty { lines.append("M  SBL   1\(V2000.column(bonds.count))\(numbers(bonds))") }
            lines.append("M  SDT   1 \(field)")
            if !value.isEmpty { lines.append("M  SED   1 \(value)") }
            return V2000.molfile(
                atoms: ["N", "C", "B"].map { V2000.atom($0) }, bonds: [V2000.bond(1, 2, order), V2000.bond(2, 3)],
                properties: lines)
        }

        var v3000: String {
            let bondList =
                bonds.isEmpty ? "" : " XBONDS=(\(bonds.count) \(bonds.map(String.init).joined(separator: " ")))"
            let data = value.isEmpty ? "" : " FIELDDATA=\"\(value)\""
            let list = atoms.map(String.init).joined(separator: " ")
            let table = [
                "BEGIN CTAB", "COUNTS 3 2 1 0 0", "BEGIN ATOM", "1 N 1 0 0 0", "2 C 1 0 0 0", "3 B 1 0 0 0", "END ATOM",
                "BEGIN BOND", "1 \(order) 1 2", "2 1 2 3", "END BOND", "BEGIN SGROUP",
                "1 DAT 0 ATOMS=(\(atoms.count) \(list))\(bondList) FIELDNAME=\(field)\(data)", "END SGROUP", "END CTAB",
            ]
            return "title\n\n\n  0  0  0     0  0            999 V3000\n" + table.map { "M  V30 \($0)\n" }.joined()
                + "M  END\n"
        }
    }

    private static let sayings = [
        Saying(field: "ZBO", value: "", atoms: [1, 2], bonds: [1]),
        Saying(field: "ZBO", value: "4", atoms: [1, 2], bonds: [1]),
        Saying(field: "HYD", value: "0;3", atoms: [1, 2]), Saying(field: "ZCH", value: "1;-1", atoms: [1, 3]),
        Saying(field: "MRV_IMPLICIT_H", value: "IMPL_H1", atoms: [2], order: 4),
        Saying(field: "MRV_COORDINATE_BOND_TYPE", value: "1", atoms: [1, 2], order: 8),
        Saying(field: "MRV_COORDINATE_BOND_TYPE", value: "2", atoms: [2, 3]),
        Saying(field: "MRV_COORDINATE_BOND_TYPE", value: "7", atoms: [2, 3]),
        Saying(field: "MDL_ALIAS", value: "Boc", atoms: [2]), Saying(field: "ZCH", value: "x", atoms: [1]),
    ]

    @Test("have the same meaning in V2000 and V3000", arguments: sayings)
    func sameMeaning(_ saying: Saying) throws {
        let (old, new) = (try read(saying.v2000), try read(saying.v3000))
        #expect(old.molecule.atoms == new.molecule.atoms)
        #expect(old.molecule.bonds == new.molecule.bonds)
        #expect(old.molecule.hydrogenCounts() == new.molecule.hydrogenCounts())
        #expect(old.extras.atomNotes == new.extras.atomNotes)
        #expect(old.issues.map(\.message) == new.issues.map(\.message))
    }

    @Test("survive both versions, and are stable when written again", arguments: sayings)
    func roundTrip(_ saying: Saying) throws {
        let meant = try read(saying.v2000).molecule
        for version in [WriteOptions.Version.asNeeded, .v2000, .v3000] {
            let written = try settled(saying.v2000, as: .molfile, version)
            let again = try read(written.text).molecule
            #expect(again.bonds == meant.bonds && again.hydrogenCounts() == meant.hydrogenCounts(), "\(version)")
            #expect(again.atoms.map(\.charge) == meant.atoms.map(\.charge))
        }
    }

    @Test("make a bond of type any dative, and V2000 preserves the drawn type")
    func coordination() throws {
        let saying = Self.sayings[5]
        #expect(try read(saying.v2000).bonds[0].order == .dative)
        let written = try rewrite(saying.v2000)
        #expect(written.reports.map(\.version) == ["V2000"] && written.losses == [])
        #expect(written.text.contains("\n  1  2  8  0  0  0  0\n"))
        #expect(written.text.contains("M  SDT   1 MRV_COORDINATE_BOND_TYPE\n"))
    }

    @Test("refer to the right bond after another bond was dropped")
    func leftOutBond() throws {
        let text = V2000.molfile(
            atoms: ["N", "C", "B"].map { V2000.atom($0) },
            bonds: [V2000.bond(1, 1), V2000.bond(1, 2), V2000.bond(2, 3, 8)],
            properties: [
                "M  STY  1   1 DAT", "M  SAL   1  2   2   3", "M  SDT   1 MRV_COORDINATE_BOND_TYPE", "M  SED   1 3",
            ])
        #expect(try read(text).bonds.map(\.order) == [.single, .dative])
        #expect(try read(settled(text).text).bonds.map(\.order) == [.single, .dative])
    }

    @Test("a label R6 becomes an R-group site in both versions, from any source")
    func sites() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon, at: Position(0)), Atom(.none, at: Position(1))]
        molecule.bonds = [Bond(0, 1)]
        molecule.setLabel("R6", ofAtom: 1)
        for version in [WriteOptions.Version.v2000, .v3000] {
            let written = try write(molecule, as: .molfile, .version(version))
            #expect(written.text.contains(version == .v2000 ? "M  RGP  1   2   6\n" : "2 R# 1 0 0 0 RGROUPS=(1 6)\n"))
            #expect(try write(read(written.text).molecule, as: .molfile, .version(version)).text == written.text)
        }
    }
}
