import ChemopenFormats
import ChemopenModel
import Testing

/// Hydrogens and charges next to zero-order bonds, of components and members, must be stable after the first write.
@Suite("Stable output: hydrogens and charges")
struct SecondHydrogensTests {
    @Test("charges for other readers next to a zero-order bond are preserved, without a valence")
    func drawnCharges() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom("N"), V2000.atom("B"), V2000.atom("C")],
            bonds: [V2000.bond(1, 2), V2000.bond(1, 3)],
            properties: [
                "M  CHG  2   1   1   2  -1", "M  ZBO  1   1   0", "M  ZCH  2   1   0   2   0", "M  HYD  1   2   3",
            ])
        let molecule = try read(file).molecule
        #expect(molecule.atoms.map(\.charge) == [0, 0, 0])
        #expect(molecule.hydrogenCounts() == [2, 3, 3])
        let written = try settled(file).lines
        #expect(
            written.dropFirst(4).prefix(2) == [
                V2000.atom("N", charge: 3), V2000.atom("B", charge: 5),
            ])
        #expect(
            written.suffix(6) == [
                "M  CHG  2   1   1   2  -1", "M  ZBO  1   1   0", "M  ZCH  2   1   0   2   0", "M  HYD  1   2   3",
                "M  END", "",
            ])
        let v3000 = try settled(file, .v3000)
        #expect(v3000.text.contains("1 N 1 0 0 0 CHG=1\n"))
        #expect(try read(v3000.text).molecule.hydrogenCounts() == [2, 3, 3])
    }

    /// Atoms without the hydrogens of the MDL rule.
    private var counted: Molecule {
        var molecule = Molecule()
        molecule.hydrogenRule = .sketchEl
        molecule.atoms = [Atom(.nitrogen), Atom(.chlorine), Atom(.boron), Atom(.iron)]
        molecule.atoms[0].hydrogens = .fixed(2)
        molecule.bonds = [Bond(1, 3, .zero)]
        return molecule
    }

    @Test(
        "the hydrogens of a reaction's components are preserved for any hydrogen rule",
        arguments: [WriteOptions.Version.asNeeded, .v2000, .v3000])
    func hydrogensInReactions(_ version: WriteOptions.Version) throws {
        let step = Reaction.Step(reactants: [.init(counted)], products: [.init(counted)])
        let text = try write([Record(Reaction(step))], as: .rxnfile, .version(version)).text
        let reaction = try #require(try read(text, as: .rxnfile).record.reaction)
        #expect(reaction.components.map { $0.molecule.hydrogenCounts() } == [[2, 0, 0, 0], [2, 0, 0, 0]])
    }

    @Test("the hydrogens of an R-group member are preserved if the root has another hydrogen rule")
    func hydrogensInRGroups() throws {
        for isCounted in [true, false] {
            var root = Molecule()
            root.atoms = [Atom(.chlorine), Atom(.none), Atom(.chlorine)]
            root.setLabel("R#", ofAtom: 1)
            root.addNote(.rgroups([1]), toAtom: 1)
            root.bonds = [Bond(0, 1)]
            root.hydrogenRule = isCounted ? .mdl : .sketchEl
            var member = counted
            if !isCounted {
                member = Molecule()
                member.atoms = [Atom(.chlorine), Atom(.boron)]
            }
            var group = RGroup(1)
            group.members = [member]
            root.extras.contents.rgroups = [group]
            let back = try read(try write(root, as: .molfile, .version(.v3000)).text).molecule
            #expect(back.hydrogenCounts() == root.hydrogenCounts())
            let members = back.extras.contents.rgroups.flatMap(\.members)
            #expect(members.map { $0.hydrogenCounts() } == [member.hydrogenCounts()])
        }
    }

    @Test("attached data named HYD specify the hydrogens of all atoms in V3000")
    func hydrogensOfData() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom("N"), V2000.atom("Cl")], bonds: [],
            properties: [
                "M  STY  1   1 DAT", "M  SAL   1  1   1", "M  SDT   1 HYD",
                "M  SDD   1     0.0000    0.0000    DR    ALL  1       1", "M  SED   1 4",
            ])
        #expect(try read(try settled(file, .v3000).text).molecule.hydrogenCounts() == [4, 0])
    }

    @Test("a charge that only V3000 supports is preserved, with the adjacent hydrogens")
    func largeCharge() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.iron), Atom(.boron)]
        molecule.atoms[0].charge = 20
        let written = try write(molecule, as: .molfile, .version(.v2000)).text
        #expect(written.contains("M  CHG  1   1  15\n") && written.contains("M  ZCH  1   1  20\n"))
        let again = try read(written).molecule
        #expect(again.atoms[0].charge == 20)
        #expect(again.hydrogenCounts() == [0, 3])
        _ = try settled(written, .v2000)
    }

    @Test("a charge that exceeds three columns is clamped with a note", arguments: [-32_768, 32_767])
    func chargeBeyondColumns(_ charge: Int) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.iron)]
        molecule.atoms[0].charge = Int16(charge)
        let written = try write(molecule, as: .molfile, .version(.v2000))
        #expect(try read(written.text).molecule.atoms[0].charge == (charge < 0 ? -99 : 999))
        #expect(written.losses.contains { $0.detail.string.contains("beyond three columns") })
        _ = try settled(written.text, .v2000)
    }
}
