import ChemopenModel
import Testing

@Suite("Edits of atoms and bonds")
struct StructureEditTests {
    /// A chain of five atoms.
    private let chain = Molecule(["C", "N", "O", "S", "P"], bonds: (0..<4).map { Bond($0, $0 + 1) })

    @Test("indices refer to the unedited molecule, and added atoms follow its last atom")
    func indices() {
        var molecule = chain
        var ring = AtomEdit(element: .carbon)
        (ring.x, ring.y) = (1, 2)
        let reason = molecule.apply([
            .deleteAtom(1), .addBond(from: 5, to: 4, BondEdit(order: .double)), .addAtom(ring), .deleteBond(2),
            .setAtom(3, AtomEdit(element: .oxygen)),
        ])
        #expect(reason == nil)
        #expect(molecule.atoms.map(\.element) == [.carbon, .oxygen, .oxygen, .phosphorus, .carbon])
        #expect(molecule.bonds == [Bond(2, 3), Bond(4, 3, .double)])
        #expect(molecule.atoms[4].position == Position(1, 2))
    }

    @Test(
        "an impossible edit changes nothing",
        arguments: [
            [StructureEdit.setAtom(5, AtomEdit())], [.deleteAtom(-1)], [.setBond(4, BondEdit())], [.deleteBond(9)],
            [.addBond(from: 0, to: 0, BondEdit())], [.addBond(from: 0, to: 5, BondEdit())],
            [.addBond(from: 1, to: 0, BondEdit())], [.addAtom(AtomEdit())],
            [.deleteAtom(0), .addBond(from: 2, to: 4, BondEdit()), .addBond(from: 4, to: 2, BondEdit())],
        ])
    func impossible(edits: [StructureEdit]) {
        var molecule = chain
        #expect(molecule.apply(edits) != nil)
        #expect(molecule == chain)
    }

    @Test("a bond can replace a deleted one between the same atoms")
    func replacement() {
        var molecule = chain
        #expect(molecule.apply([.deleteBond(0), .addBond(from: 1, to: 0, BondEdit(order: .triple))]) == nil)
        #expect(molecule.bonds.last == Bond(1, 0, .triple))
        #expect(molecule.bonds.count == 4)
    }

    @Test("a new symbol replaces the label and the list of elements, and unused labels disappear")
    func symbols() {
        var molecule = chain
        molecule.setLabel("A", ofAtom: 0)
        molecule.setLabel("Q", ofAtom: 1)
        molecule.addNote(.elementList(ElementList(["N", "O"])), toAtom: 0)
        molecule.addNote(.value("kept"), toAtom: 0)
        var label = AtomEdit()
        label.label = "R"
        #expect(molecule.apply([.setAtom(0, AtomEdit(element: .nitrogen)), .setAtom(2, label)]) == nil)
        #expect(molecule.labels == ["Q", "R"])
        #expect((0..<3).map { molecule.symbol(ofAtom: $0) } == ["N", "Q", "R"])
        #expect(molecule.atoms[2].element == .none)
        #expect(Array(molecule.notes(onAtom: 0)) == [.value("kept")])
    }

    @Test("an edit preserves the parities of atoms that it does not affect")
    func parities() {
        var molecule = chain
        for index in molecule.atoms.indices { molecule.atoms[index].marks.parity = 1 }
        #expect(molecule.apply([.setBond(0, BondEdit(mark: .up)), .setAtom(4, AtomEdit(element: .carbon))]) == nil)
        #expect(molecule.atoms.map(\.marks.parity) == [0, 0, 1, 1, 1])
        var move = AtomEdit()
        move.x = 3
        #expect(molecule.apply([.setAtom(3, move)]) == nil)
        #expect(molecule.atoms.map(\.marks.parity) == [0, 0, 0, 0, 0])
    }
}
