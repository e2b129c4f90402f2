import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Hydrogens in molfiles")
struct HydrogenStatementTests {
    /// Returns a V3000 molfile of atoms (`N 0 0 0 0`) and bonds (`9 1 2`).
    private func v3000(_ atoms: [String], _ bonds: [String]) -> String {
        let atomLines = atoms.enumerated().map { "M  V30 \($0 + 1) \($1)" }
        let bondLines = bonds.enumerated().map { "M  V30 \($0 + 1) \($1)" }
        let head = ["title", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB"]
        let counts = "M  V30 COUNTS \(atoms.count) \(bonds.count) 0 0 0"
        let blocks =
            ["M  V30 BEGIN ATOM"] + atomLines + ["M  V30 END ATOM", "M  V30 BEGIN BOND"] + bondLines
            + ["M  V30 END BOND", "M  V30 END CTAB", "M  END"]
        return (head + [counts] + blocks).map { $0 + "\n" }.joined()
    }

    /// Returns the valence column of each atom line.
    private func valences(_ written: WrittenText, _ atoms: Int) -> [String] {
        written.lines.dropFirst(4).prefix(atoms).map { String($0.dropFirst(48).prefix(3)) }
    }

    private func carbene() -> Molecule {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon, at: Position(1)), Atom(.chlorine, at: Position(2)), Atom(.chlorine)]
        molecule.bonds = [Bond(0, 1), Bond(0, 2)]
        molecule.atoms[0].hydrogens = .fixed(0)
        return molecule
    }

    // MARK: Read

    @Test("a valence counts the dative bonds to its atom: cisplatin has six hydrogens")
    func cisplatin() throws {
        let file = v3000(
            ["N -1 0 0 0", "Pt 0 0 0 0 VAL=4", "Cl 1 0 0 0", "Cl 0 1 0 0", "N 0 -1 0 0"],
            ["9 1 2", "1 2 3", "1 2 4", "9 5 2"])
        let molecule = try read(file).molecule
        #expect(molecule.formula == "Cl2H6N2Pt")
        for version in [WriteOptions.Version.v2000, .v3000] {
            #expect(try read(write(molecule, as: .molfile, .version(version)).text).molecule.formula == "Cl2H6N2Pt")
        }
        #expect(try read(write(molecule, as: .sketchEl).text, as: .sketchEl).molecule.formula == "Cl2H6N2Pt")
    }

    @Test("imines on a metal, drawn with single bonds, have no hydrogens on nitrogen")
    func imines() throws {
        // Two C=N-C arms of an ethylene bridge, both nitrogens on zinc.
        let symbols = ["Zn", "N", "C", "C", "N", "C", "C"]
        let file = V2000.molfile(
            atoms: symbols.map { V2000.atom($0) },
            bonds: [
                V2000.bond(1, 2), V2000.bond(1, 5), V2000.bond(2, 3), V2000.bond(3, 4), V2000.bond(4, 5),
                V2000.bond(2, 6, 2), V2000.bond(5, 7, 2),
            ])
        #expect(try read(file).molecule.hydrogenCounts() == [0, 0, 2, 2, 0, 2, 2])
        let sketched = try write(try read(file).molecule, as: .sketchEl)
        #expect(try read(sketched.text, as: .sketchEl).molecule.hydrogenCounts() == [0, 0, 2, 2, 0, 2, 2])
        // Other readers would give each nitrogen a fifth valence, so a valence of four is written.
        let back = try write(try read(sketched.text, as: .sketchEl).molecule)
        #expect(try read(back.text).molecule.hydrogenCounts() == [0, 0, 2, 2, 0, 2, 2])
    }

    @Test("IMPL_H1 is ignored for an atom with double bonds, and used for an aromatic bond", arguments: [1, 2])
    func leftOverData(version: Int) throws {
        let data = [
            "M  STY  1   1 DAT", "M  SAL   1  1   3", "M  SDT   1 MRV_IMPLICIT_H",
            "M  SDD   1     0.0000    0.0000    DR    ALL  0       0", "M  SED   1 IMPL_H1",
        ]
        func ring(_ orders: [Int]) -> String {
            V2000.molfile(
                atoms: ["N", "C", "N", "C", "C"].map { V2000.atom($0) },
                bonds: orders.enumerated().map { V2000.bond($0 + 1, ($0 + 1) % 5 + 1, $1) }, properties: data)
        }
        for (orders, counts) in [([1, 2, 1, 2, 1], [1, 1, 0, 1, 1]), ([4, 4, 4, 4, 4], [0, 1, 1, 1, 1])] {
            var text = ring(orders)
            if version == 2 { text = try rewrite(text, as: .molfile, .version(.v3000)).text }
            let written = try rewrite(text, as: .molfile, .version(.v2000))
            #expect(try read(text).molecule.hydrogenCounts() == counts)
            #expect(try read(written.text).molecule.hydrogenCounts() == counts)
            #expect(valences(written, 5) == Array(repeating: "  0", count: 5))
            #expect(!written.text.contains("M  HYD"))
        }
    }

    // MARK: Written

    @Test("dichlorocarbene has a valence and no M  HYD, from any source format")
    func dichlorocarbene() throws {
        let sketched = lines(
            "SketchEl!(3,2)", "C=0,0;0,0,e0", "Cl=1,0;0,0,i0", "Cl=0,1;0,0,i0", "1-2=1,0", "1-3=1,0", "!End")
        for molecule in [carbene(), try read(sketched, as: .sketchEl).molecule] {
            let written = try write(molecule)
            #expect(valences(written, 3) == ["  2", "  0", "  0"])
            #expect(!written.text.contains("M  HYD") && written.losses == [])
            #expect(try read(written.text).molecule.hydrogenCounts() == [0, 0, 0])
            let v3000 = try write(molecule, as: .molfile, .version(.v3000)).text
            #expect(v3000.contains("1 C ") && v3000.contains(" VAL=2\n") && !v3000.contains("HYD"))
            #expect(try read(v3000).molecule.hydrogenCounts() == [0, 0, 0])
        }
    }

    @Test("bare metals of a drawing are written without hydrogens by their valence only")
    func bareMetals() throws {
        var molecule = Molecule()
        for (place, element) in [ChemicalElement.sodium, .magnesium, .tin, .iron, .carbon].enumerated() {
            molecule.atoms.append(Atom(element, at: Position(Double(place))))
            molecule.atoms[place].hydrogens = .fixed(element == .carbon ? 4 : 0)
        }
        let written = try write(molecule)
        #expect(valences(written, 5) == [" 15", " 15", " 15", "  0", "  0"])
        #expect(!written.text.contains("M  HYD"))
    }

    @Test("a sodium atom that is drawn without hydrogens has no hydrogens in a molfile")
    func drawnSodium() throws {
        let drawing = """
            <CDXML BondLength="30"><page id="1"><fragment id="2">
            <n id="3" p="10 10" Element="11" NumHydrogens="0"><t p="10 10"><s font="3">Na</s></t></n>
            </fragment></page></CDXML>
            """
        let written = try write(try read(drawing, as: .cdxml).molecule)
        #expect(valences(written, 1) == [" 15"] && !written.text.contains("M  HYD"))
        #expect(try read(written.text).molecule.formula == "Na")
    }

    @Test("a metal from SketchEl has an explicit valence even if the MDL rule agrees, because programs differ")
    func contestedHydrogens() throws {
        let text = lines("SketchEl!(2,0)", "Mg=0,0;0,0,e2", "Si=1,0;0,0,e4", "!End")
        let written = try write(try read(text, as: .sketchEl).molecule)
        #expect(valences(written, 2) == ["  2", "  0"])
        let again = try write(try read(written.text).molecule, as: .sketchEl).text
        #expect(
            again.contains("Mg=0.0000,0.0000;0,0,e2,yMDL_EXPLICIT_VALENCE:2\n")
                && again.contains("Si=1.0000,0.0000;0,0,e4\n"))
    }

    @Test("a hydrogen on an aromatic nitrogen is written as a data Sgroup in both versions", arguments: [true, false])
    func aromaticHydrogen(isV3000: Bool) throws {
        var pyrrole = Molecule()
        for place in 0..<5 { pyrrole.atoms.append(Atom(place == 0 ? .nitrogen : .carbon, at: Position(Double(place)))) }
        pyrrole.bonds = (0..<5).map { Bond($0, ($0 + 1) % 5, .aromatic) }
        pyrrole.atoms[0].hydrogens = .fixed(1)
        let written = try write(pyrrole, as: .molfile, .version(isV3000 ? .v3000 : .v2000))
        #expect(written.text.contains("MRV_IMPLICIT_H") && written.text.contains("IMPL_H1"))
        #expect(!written.text.contains("HYD"))
        let again = try read(written.text)
        #expect(again.molecule.hydrogenCounts() == [1, 1, 1, 1, 1])
        #expect(try write(again.molecule, as: .molfile, .version(isV3000 ? .v3000 : .v2000)).text == written.text)
    }

    @Test("M  HYD is written next to a bond of order zero, and otherwise only if it was read")
    func hydrogenLines() throws {
        var complex = carbene()
        complex.atoms.append(Atom(.iron, at: Position(4)))
        complex.bonds.append(Bond(0, 3, .zero))
        #expect(try write(complex).lines.suffix(4) == ["M  ZBO  1   3   0", "M  HYD  1   1   0", "M  END", ""])
        let file = V2000.molfile(
            atoms: [V2000.atom("B"), V2000.atom("C")], bonds: [V2000.bond(1, 2)], properties: ["M  HYD  1   1   2"])
        #expect(try rewrite(file).lines.suffix(3) == ["M  HYD  1   1   2", "M  END", ""])
        // In SketchEl's format, it is an ordinary number.
        let sketched = try write(try read(file).molecule, as: .sketchEl).text
        let back = try write(try read(sketched, as: .sketchEl).molecule)
        #expect(!back.text.contains("M  HYD"))
        #expect(try read(back.text).molecule.hydrogenCounts() == [2, 3])
    }

    @Test("hydrogens on a label or next to a query bond cannot be written, and are reported")
    func unsaid() throws {
        var query = Molecule()
        query.atoms = [Atom(.none), Atom(.carbon, at: Position(1)), Atom(.carbon, at: Position(2))]
        query.setLabel("X", ofAtom: 0)
        query.atoms[0].hydrogens = .fixed(2)
        query.atoms[1].hydrogens = .fixed(1)
        query.bonds = [Bond(1, 2, .any)]
        for version in [WriteOptions.Version.v2000, .v3000] {
            let written = try write(query, as: .molfile, .version(version))
            #expect(written.losses.map(\.feature) == [.hydrogenCounts])
            #expect(written.losses.map(\.count) == [2])
            #expect(!written.text.contains("HYD"))
        }
    }

    @Test("a valence above 14 requires V3000")
    func largeValence() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.uranium)]
        molecule.atoms[0].hydrogens = .fixed(16)
        let written = try write(molecule)
        #expect(written.reports.map(\.version) == ["V3000"])
        #expect(try read(written.text).molecule.hydrogenCounts() == [16])
        #expect(try write(molecule, as: .molfile, .version(.v2000)).losses.map(\.feature) == [.valences])
    }
}
