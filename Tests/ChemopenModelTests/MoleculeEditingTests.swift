import ChemopenModel
import Testing

@Suite("Editing a molecule")
struct MoleculeEditingTests {
    /// A chain of five atoms.
    private let chain = Molecule(["C", "N", "O", "S", "P"], bonds: (0..<4).map { Bond($0, $0 + 1) })

    @Test("removing atoms removes their bonds and renumbers the rest")
    func removal() {
        var molecule = chain
        molecule.removeAtoms([1, 99, -1])
        #expect(molecule.atoms.map(\.element) == [.carbon, .oxygen, .sulfur, .phosphorus])
        #expect(molecule.bonds == [Bond(1, 2), Bond(2, 3)])
    }

    @Test("removing bonds preserves their atoms")
    func bondRemoval() {
        var molecule = chain
        molecule.removeBonds([0, 3, 7])
        #expect(molecule.atoms.count == 5)
        #expect(molecule.bonds == [Bond(1, 2), Bond(2, 3)])
    }

    @Test("notes follow their atoms and bonds, and are removed with them")
    func notes() {
        var molecule = chain
        molecule.addNote(.alias("gone"), toAtom: 1)
        molecule.addNote(.alias("here"), toAtom: 3)
        molecule.addNote(.display("Dash"), toBond: 3)
        molecule.addNote(.display("gone"), toBond: 0)
        molecule.addNote(.endpoints(atoms: [1, 2], any: true), toBond: 2)
        molecule.removeAtoms([1])
        #expect(molecule.extras.contents.atomNotes == [Indexed(2, .alias("here"))])
        #expect(
            molecule.extras.contents.bondNotes == [
                Indexed(0, .endpoints(atoms: [1], any: true)), Indexed(1, .display("Dash")),
            ])
        #expect(molecule.atoms.map { $0.marks.contains(.hasNotes) } == [false, false, true, false])
    }

    @Test("the geometry of a double bond follows its neighbors, and is removed with a neighbor or its bond")
    func geometries() {
        var molecule = chain
        molecule.bonds[2].order = .double
        molecule.addNote(.geometry(BondNote.Geometry(1, 4, isTrans: true)), toBond: 2)
        func left(_ change: (inout Molecule) -> Void) -> [BondNote.Geometry] {
            var changed = molecule
            change(&changed)
            return changed.extras.contents.bondNotes.compactMap(\.note.geometry)
        }
        #expect(left { $0.removeAtoms([0]) } == [BondNote.Geometry(0, 3, isTrans: true)])
        #expect(left { $0.insertAtom(Atom(.carbon), at: 2) } == [BondNote.Geometry(1, 5, isTrans: true)])
        #expect(left { $0.append(chain) } == [BondNote.Geometry(1, 4, isTrans: true)])
        #expect(
            left {
                $0 = chain
                $0.append(molecule)
            } == [BondNote.Geometry(6, 9, isTrans: true)])
        #expect(left { $0.removeBonds([0]) } == [BondNote.Geometry(1, 4, isTrans: true)])
        for gone in [1, 4] { #expect(left { $0.removeAtoms([gone]) } == []) }
        for gone in [1, 2, 3] { #expect(left { $0.removeBonds([gone]) } == []) }
    }

    @Test("transient notes are removed by an edit, and the mark with the last note")
    func transientNotes() {
        var molecule = chain
        molecule.addNote(.transientField("yAROMATIC"), toAtom: 4)
        molecule.addNote(.field("xKEPT"), toAtom: 3)
        molecule.addNote(.transientField("yZERO_DATIVE"), toBond: 3)
        molecule.removeAtoms([0])
        #expect(molecule.extras.contents.atomNotes == [Indexed(2, .field("xKEPT"))])
        #expect(molecule.extras.contents.bondNotes.isEmpty)
        #expect(molecule.atoms[3].marks.isEmpty)
    }

    @Test("Sgroups lose removed atoms and bonds, disappear when empty, and preserve their parents")
    func sgroups() {
        var molecule = chain
        var gone = Sgroup(.data)
        gone.atoms = [0]
        var parent = Sgroup(.repeatingUnit)
        parent.atoms = [1, 2, 3]
        parent.bonds = [0, 3]
        parent.bondCorrespondence = [0, 3, 3, 3]
        parent.attachments = [.init(atom: 1, leaving: 0), .init(atom: 0)]
        parent.bondVectors = [.init(bond: 0, vector: nil), .init(bond: 3, vector: Position(1, 1))]
        var child = Sgroup(.data)
        child.atoms = [0, 2]
        child.parent = 1
        molecule.extras.contents.sgroups = [gone, parent, child]
        molecule.removeAtoms([0])
        let sgroups = molecule.extras.contents.sgroups
        #expect(sgroups.map(\.atoms) == [[0, 1, 2], [1]])
        #expect(sgroups[0].bonds == [2])
        #expect(sgroups[0].bondCorrespondence == [2, 2])
        #expect(sgroups[0].attachments == [.init(atom: 0, leaving: nil)])
        #expect(sgroups[0].bondVectors == [.init(bond: 2, vector: Position(1, 1))])
        #expect(sgroups[1].parent == 0)
    }

    @Test("groups, collections, link nodes, preserved lines and numbers follow their atoms")
    func groups() {
        var molecule = chain
        var highlight = AtomCollection(AtomCollection.highlightName)
        highlight.atoms = [0]
        var site = AtomCollection("USER/site")
        site.atoms = [0, 4]
        site.bonds = [0, 3]
        molecule.extras.contents.stereoGroups = [
            StereoGroup(.absolute, atoms: [0]), StereoGroup(.racemic, number: 1, atoms: [0, 2]),
        ]
        molecule.extras.contents.collections = [highlight, site]
        molecule.extras.contents.linkNodes = [
            LinkNode(atom: 2, repeats: 1, to: 4, neighbors: [1, 3]),
            LinkNode(atom: 0, repeats: 1, to: 2, neighbors: [1]),
        ]
        molecule.extras.contents.verbatim = [
            Verbatim(.v2000, of: .atom(0), "gone"), Verbatim(.v2000, of: .bond(3), "kept"), Verbatim(.v2000, "all"),
        ]
        molecule.extras.contents.atomNumbers = [10, 20, 30, 40, 50]
        molecule.extras.contents.bondNumbers = [1, 3, 5, 7]
        molecule.removeAtoms([0])
        let contents = molecule.extras.contents
        #expect(contents.stereoGroups == [StereoGroup(.racemic, number: 1, atoms: [1])])
        #expect(contents.collections.map(\.name) == ["USER/site"])
        #expect(contents.collections.map(\.atoms) == [[3]])
        #expect(contents.collections.map(\.bonds) == [[2]])
        #expect(contents.linkNodes == [LinkNode(atom: 1, repeats: 1, to: 4, neighbors: [0, 2])])
        #expect(contents.verbatim == [Verbatim(.v2000, of: .bond(2), "kept"), Verbatim(.v2000, "all")])
        #expect(contents.atomNumbers == [20, 30, 40, 50])
        #expect(contents.bondNumbers == [3, 5, 7])
    }

    @Test("a collection refers to its Sgroups by their new indices, and is removed with the last of them")
    func collectedSgroups() {
        var molecule = chain
        molecule.extras.contents.sgroups = ([0, 2, 3] as [Int32]).map { atom in
            var sgroup = Sgroup(.data)
            sgroup.atoms = [atom]
            return sgroup
        }
        molecule.extras.contents.collections = ([[0, 2], [0]] as [[Int32]]).map { sgroups in
            var collection = AtomCollection("USER/site")
            collection.sgroups = sgroups
            return collection
        }
        molecule.removeAtoms([0])
        #expect(molecule.extras.contents.sgroups.map(\.atoms) == [[1], [2]])
        #expect(molecule.extras.contents.collections.map(\.sgroups) == [[1]])
    }

    @Test("only the exact name makes a collection a highlight")
    func highlight() {
        #expect(AtomCollection("MDLV30/HILITE").isHighlight)
        #expect(!AtomCollection("USER/HILITE").isHighlight)
    }

    @Test("an atom that loses a neighbor loses its parity")
    func parity() {
        var molecule = chain
        for index in molecule.atoms.indices { molecule.atoms[index].marks.parity = 2 }
        molecule.removeAtoms([0])
        #expect(molecule.atoms.map(\.marks.parity) == [0, 2, 2, 2])
    }

    @Test("another molecule is appended with its labels, notes and groups")
    func append() {
        var one = Molecule(["C", "R#"], bonds: [Bond(0, 1)])
        one.extras.contents.stereoGroups = [StereoGroup(.relative, number: 1, atoms: [0])]
        var other = Molecule(["Pol", "R#", "O"], bonds: [Bond(1, 2, .double)])
        other.addNote(.rgroups([3]), toAtom: 1)
        var sgroup = Sgroup(.generic)
        sgroup.atoms = [0, 2]
        sgroup.bonds = [0]
        other.extras.contents.sgroups = [sgroup]
        other.extras.contents.stereoGroups = [StereoGroup(.relative, number: 1, atoms: [2])]
        one.append(other)
        #expect(one.atoms.indices.map { one.symbol(ofAtom: $0) } == ["C", "R#", "Pol", "R#", "O"])
        #expect(one.labels == ["R#", "Pol"])
        #expect(one.bonds == [Bond(0, 1), Bond(3, 4, .double)])
        #expect(Array(one.notes(onAtom: 3)) == [.rgroups([3])])
        #expect(one.extras.contents.sgroups.map(\.atoms) == [[2, 4]])
        #expect(one.extras.contents.sgroups.map(\.bonds) == [[1]])
        #expect(
            one.extras.contents.stereoGroups == [
                StereoGroup(.relative, number: 1, atoms: [0]), StereoGroup(.relative, number: 2, atoms: [4]),
            ])
    }

    @Test("a molecule with another hydrogen rule preserves its hydrogens, fixed if the rules disagree")
    func appendingAnotherRule() {
        var molecule = Molecule(["Si"])
        var other = Molecule(["Si", "C"])
        other.hydrogenRule = .sketchEl
        molecule.append(other)
        #expect(molecule.hydrogenCounts() == [4, 0, 4])
        #expect(molecule.atoms.map(\.hydrogens) == [.unstated, .fixed(0), .unstated])
    }

    @Test("appending to an empty molecule copies flags and hydrogen rule")
    func appendingToNothing() {
        var other = chain
        other.flags = [.chiral, .threeDimensional]
        other.hydrogenRule = .sketchEl
        var molecule = Molecule()
        molecule.append(other)
        #expect(molecule == other)
    }

    @Test("numbers from a file stay with their atoms and bonds")
    func ownNumbers() {
        var molecule = chain
        molecule.extras.contents.atomNumbers = [10, 20, 30, 40, 50]
        molecule.extras.contents.bondNumbers = [1, 2, 3, 9]
        molecule.removeAtoms([1])
        #expect(molecule.extras.contents.atomNumbers == [10, 30, 40, 50])
        #expect(molecule.extras.contents.bondNumbers == [3, 9])
    }

    @Test("after each edit, marks show which atoms and bonds have notes")
    func marks() {
        let edits: [(inout Molecule) -> Void] = [
            { $0.removeAtoms([0]) }, { $0.removeAtoms([4]) }, { $0.removeBonds([0]) }, { $0.append($0) },
            { $0.addAtom(Atom(.carbon, at: Position(9)), bondedTo: 4) }, { $0.addBond(0, 4) },
            { $0.insertAtom(Atom(.carbon, at: Position(9)), at: 2) },
        ]
        for (number, edit) in edits.enumerated() {
            for atom in chain.atoms.indices {
                for note in [AtomNote.transientField("yOLD"), .field("xKEPT"), .alias("a")] {
                    var molecule = chain
                    molecule.addNote(note, toAtom: atom)
                    molecule.addNote(.transientField("yOLD"), toBond: atom % 4)
                    edit(&molecule)
                    let contents = molecule.extras.contents
                    for index in molecule.atoms.indices {
                        let isNoted = contents.atomNotes.contains { $0.index == index }
                        #expect(molecule.atoms[index].marks.contains(.hasNotes) == isNoted, "edit \(number)")
                    }
                    for index in molecule.bonds.indices {
                        let isNoted = contents.bondNotes.contains { $0.index == index }
                        #expect(molecule.bonds[index].traits.contains(.hasNotes) == isNoted, "edit \(number)")
                    }
                }
            }
        }
    }
}
