import ChemopenModel
import Testing

@Suite("Molecule as a graph")
struct NeighborTests {
    @Test("atoms and bonds are added separately, with correct neighbors and hydrogens")
    func building() {
        var ethanol = Molecule()
        let first = ethanol.addAtom(Atom(.carbon))
        let second = ethanol.addAtom(Atom(.carbon), bondedTo: first)
        let third = ethanol.addAtom(Atom(.oxygen), bondedTo: second)
        #expect(ethanol.bonds == [Bond(0, 1), Bond(1, 2)])
        #expect(ethanol.neighbors(ofAtom: second) == [first, third])
        #expect(ethanol.neighbors() == [[1], [0, 2], [1]])
        #expect(ethanol.bonds(ofAtom: second) == [0, 1])
        #expect(ethanol.bond(between: third, and: second) == 1)
        #expect(ethanol.bond(between: first, and: third) == nil)
        #expect((0..<3).map { ethanol.hydrogens(onAtom: $0) } == [3, 2, 1])
        #expect(ethanol.validationError == nil)
    }

    @Test("an atom index out of range has no bonds and is ignored")
    func outside() {
        var methane = Molecule(["C"])
        #expect(methane.neighbors(ofAtom: 7).isEmpty && methane.bonds(ofAtom: -1).isEmpty)
        #expect(methane.hydrogens(onAtom: 1) == 0)
        #expect(methane.addBond(0, 1) == nil && methane.addBond(0, 0) == nil && methane.addBond(-1, 0) == nil)
        methane.removeAtoms([5])
        methane.removeBonds([0])
        #expect(methane == Molecule(["C"]))
    }

    @Test("a bond is not added twice")
    func twice() {
        var ethane = Molecule(["C", "C"], bonds: [Bond(0, 1)])
        #expect(ethane.addBond(1, 0, .double) == nil)
        #expect(ethane.bonds == [Bond(0, 1)])
    }

    @Test("notes and groups follow their atoms and bonds when an atom is inserted")
    func inserting() {
        var molecule = Molecule(["C", "N", "O"], bonds: [Bond(0, 1), Bond(1, 2)])
        molecule.addNote(.alias("here"), toAtom: 1)
        molecule.addNote(.endpoints(atoms: [0, 2], any: true), toBond: 0)
        var group = Sgroup(.data)
        group.atoms = [2]
        molecule.extras.contents.sgroups = [group]
        molecule.insertAtom(Atom(.sulfur), at: 1)
        #expect(molecule.atoms.map(\.element) == [.carbon, .sulfur, .nitrogen, .oxygen])
        #expect(molecule.bonds == [Bond(0, 2, .single), Bond(2, 3)].map { $0 }.enumerated().map { noted($1, $0 == 0) })
        #expect(molecule.extras.contents.atomNotes == [Indexed(2, .alias("here"))])
        #expect(molecule.extras.contents.bondNotes == [Indexed(0, .endpoints(atoms: [0, 3], any: true))])
        #expect(molecule.extras.contents.sgroups.map(\.atoms) == [[3]])
        molecule.insertAtom(Atom(.iodine), at: 99)
        #expect(molecule.atoms.last?.element == .iodine)
    }

    private func noted(_ bond: Bond, _ isNoted: Bool) -> Bond {
        var bond = bond
        if isNoted { bond.traits.insert(.hasNotes) }
        return bond
    }

    @Test("transient notes are removed when an atom or a bond is added")
    func untilEdited() {
        var molecule = Molecule(["C", "C"], bonds: [])
        molecule.atoms[0].marks.parity = 1
        molecule.addNote(.transientField("yAROMATIC"), toAtom: 1)
        molecule.addNote(.field("xKEPT"), toAtom: 1)
        molecule.extras.contents.atomNumbers = [10, 20]
        molecule.addBond(0, 1)
        #expect(molecule.extras.contents.atomNotes == [Indexed(1, .field("xKEPT"))])
        #expect(molecule.extras.contents.atomNumbers.isEmpty)
        #expect(molecule.atoms[0].marks.parity == 0)
    }

    @Test("a bond to a missing atom and an invalid coordinate are reported at any depth")
    func impossible() {
        var molecule = Molecule(["C", "C", "C"], bonds: [Bond(0, 1), Bond(1, 2)])
        #expect(Record(molecule).validationError == nil)
        molecule.bonds.append(Bond(0, 99))
        #expect(molecule.validationError == "bond 3 refers to atom 100, but the last atom is 3")
        molecule.bonds.removeLast()
        molecule.atoms[1].position.y = .infinity
        #expect(molecule.validationError == "atom 2 has an invalid coordinate: inf")
        molecule.atoms[1].position.y = .greatestFiniteMagnitude
        molecule.atoms[1].position.x = .greatestFiniteMagnitude
        #expect(molecule.validationError == nil)

        var broken = Molecule(["C"])
        broken.atoms[0].position.x = .nan
        var record = Record(Reaction(Reaction.Step(reactants: [.init(molecule)], agents: [.init(broken)])))
        #expect(record.validationError == "atom 1 has an invalid coordinate: nan")
        record = Record(molecule)
        record.fields.append("PART", broken)
        #expect(record.validationError == #"in field "PART": atom 1 has an invalid coordinate: nan"#)
        molecule.extras.contents.rgroups = [RGroup(7)]
        molecule.extras.contents.rgroups[0].members = [broken]
        #expect(molecule.validationError == "in R7: atom 1 has an invalid coordinate: nan")
    }
}
