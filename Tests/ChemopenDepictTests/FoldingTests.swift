import ChemopenModel
import Testing

@testable import ChemopenDepict

@Suite("Folded and hidden content")
struct FoldingTests {
    /// Returns a molecule with three units between two chlorines. Two of the units have the same positions as the
    /// first.
    private func multiple() -> Molecule {
        var molecule = Molecule(
            [
                ("Cl", -1, 0), ("C", 0, 0), ("O", 1, 0), ("C", 0, 0), ("O", 1, 0), ("C", 0, 0), ("O", 1, 0),
                ("Br", 2, 0),
            ],
            [Bond(0, 1), Bond(1, 2), Bond(2, 3), Bond(3, 4), Bond(4, 5), Bond(5, 6), Bond(6, 7)])
        var sgroup = Sgroup(.multiple)
        sgroup.atoms = [1, 2, 3, 4, 5, 6]
        sgroup.parentAtoms = [1, 2]
        sgroup.label = "3"
        molecule.extras.contents.sgroups = [sgroup]
        return molecule
    }

    @Test("a multiple group is drawn once, with both of its external bonds")
    func copies() {
        let folded = Folding.multiples(of: multiple())
        #expect(folded.atoms.map(\.element) == [.chlorine, .carbon, .oxygen, .bromine])
        #expect(folded.bonds.map { [$0.from, $0.to] } == [[0, 1], [1, 2], [2, 3]])
        #expect(folded.hydrogenCounts() == [0, 2, 0, 0])
    }

    @Test("a multiple group with copies at different positions is drawn unchanged")
    func apart() {
        var molecule = multiple()
        molecule.atoms[5].position.y = 1
        #expect(Folding.multiples(of: molecule) == molecule)
    }

    private func named(_ names: [String]) -> Molecule {
        var molecule = Molecule([("C", 0, 0), ("C", 1, 0), ("O", 2, 0)], [Bond(0, 1), Bond(1, 2)])
        for (index, name) in names.enumerated() { molecule.addNote(.alias(Text(name)), toAtom: index) }
        return molecule
    }

    private func texts(of molecule: Molecule) -> [String] {
        MoleculeSketch(drawing: molecule, Picture.Style())?.labels.flatMap { $0.letters.map(\.text) } ?? []
    }

    @Test("a hydrogen that would overlap another label becomes implicit, like the other hydrogens of its carbon")
    func crowded() {
        var molecule = Molecule(
            [
                ("C", 0, 0), ("C", 1, 0), ("H", 0.5, 0.9), ("H", 0.65, 0.85), ("H", -0.5, -0.9), ("H", 1.5, -0.9),
                ("O", 2, 0.5),
            ], [Bond(0, 1), Bond(0, 2), Bond(1, 3), Bond(0, 4), Bond(1, 5), Bond(1, 6)])
        #expect(texts(of: molecule).sorted() == ["H", "H", "H", "O"])
        molecule.bonds[1].mark = .up
        #expect(texts(of: molecule).sorted() == ["H", "H", "H", "O"])
        molecule.bonds[2].mark = .up
        #expect(texts(of: molecule).count { $0 == "H" } == 5)
    }

    @Test("identical labels at the same position are drawn once")
    func upon() {
        let molecule = Molecule(
            [("B", 0, 0), ("N", 1, 0), ("B", 0, 0), ("B", 3, 0)], [Bond(0, 1), Bond(1, 2), Bond(1, 3)])
        #expect(texts(of: molecule).count { $0.hasPrefix("B") } == 2)
    }

    @Test("atom names of the Protein Data Bank are not labels, but other names are")
    func names() {
        #expect(Picture(of: named(["CAU", "CA1", "OXT"])).letters("CAU") == nil)
        for names in [["CAU", "CF3", "Boc"], ["CO2H"], ["CAU"]] {
            #expect(Folding.atomNames(of: named(names)) == named(names))
        }
    }

    @Test(
        "only a label that is a formula can be reversed",
        arguments: [
            ("CAQ", false), ("OAF", false), ("CAB", false), ("OXT", false), ("CO2Et", true), ("NHBoc", true),
            ("CF3", true),
            ("A", true), ("CX3", true), ("Q", true),
        ])
    func turned(_ label: String, _ isTurnable: Bool) {
        #expect(LabelText(label).isTurnable == isTurnable)
    }

    @Test("the R-group site of a variable attachment preserves its position and its bond")
    func attachment() throws {
        var molecule = Molecule(
            [("C", 0, 0), ("C", 1, 0), ("C", 0.5, 0.8), ("*", 0.5, 0.3), ("R#", 0.5, -1.5)],
            [Bond(0, 1), Bond(1, 2), Bond(2, 0), Bond(3, 4)])
        molecule.addNote(.rgroups([2]), toAtom: 4)
        molecule.addNote(.endpoints(atoms: [0, 1, 2], any: true), toBond: 3)
        let sketch = try #require(MoleculeSketch(drawing: molecule, Picture.Style()))
        #expect(sketch.severalEnds[3]?.center == 3)
        #expect(Picture(of: molecule).letters("R") != nil)
    }

    @Test("pictures in a grid have the same bond length and a gap between them")
    func sheet() {
        let pictures = [Picture(width: 300, height: 20), Picture(width: 100, height: 20)].map { picture in
            var picture = picture
            picture.marks = [.stroke(.init([.init(0, 10), .init(picture.width, 10)], width: 1))]
            return picture
        }
        let sheet = Picture(sheetOf: pictures, columns: 2)
        let widths = sheet.marks.map { $0.box.width - 1 }
        #expect(abs(widths[0] - 200) < 1 && abs(widths[1] - 200.0 / 3) < 1)
        #expect(sheet.marks[1].box.left - sheet.marks[0].box.right > 14)
    }
}
