import ChemopenChemistry
import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Lines of SMILES")
struct SMILESLinesTests {
    @Test("a first line longer than the examined prefix is detected at any cut")
    func longLine() {
        let unit = "C1CC(C[C@@H](N)%10)C=2C1=CC=CC=2[13CH2]%10"
        for extra in 0..<unit.utf8.count {
            let line = String(repeating: "C", count: extra) + String(repeating: unit, count: 3000)
            let bytes = Array(line.utf8)
            #expect(Format.smiles.sniff(Head(bytes, isWhole: true)) == .possible, "\(extra)")
        }
        let branches = String(repeating: "C(", count: 40_000)
        #expect(Format.smiles.sniff(Head(Array(branches.utf8), isWhole: true)) == .possible)
        let words = String(repeating: "Conversation", count: 10_000)
        #expect(Format.smiles.sniff(Head(Array(words.utf8), isWhole: true)) == .no)
        // In a complete file, the branch must be closed.
        #expect(Format.smiles.sniff(Head(Array("C1CC(".utf8), isWhole: true)) == .no)
    }

    @Test("an aromatic bond outside rings cannot be written, and is reported")
    func aromaticBonds() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon), Atom(.carbon)]
        molecule.bonds = [Bond(0, 1, .aromatic)]
        let losses = try write(molecule, as: .smiles).losses
        #expect(losses.contains { $0.feature == .aromaticBonds })
        let ring = try write(Molecule(smiles: "c1ccccc1"), as: .smiles).losses
        #expect(ring.isEmpty)
        var aromatic = try Molecule(smiles: "c1ccccc1")
        for place in aromatic.bonds.indices { aromatic.bonds[place].order = .aromatic }
        #expect(try !write(aromatic, as: .smiles).losses.contains { $0.feature == .aromaticBonds })
    }

    @Test("hydrogens with a query for no hydrogens are counted on their neighbors, even in the first output")
    func askedHydrogens() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon), Atom(.hydrogen), Atom(.hydrogen), Atom(.oxygen)]
        molecule.bonds = [Bond(0, 1), Bond(0, 2), Bond(0, 3)]
        for place in molecule.atoms.indices { molecule.addNote(.hydrogenQuery(0), toAtom: place) }
        let first = try write(molecule, as: .smiles).text
        #expect(first == "CO\n")
        let again = try write(read(first, as: .smiles).molecule, as: .smiles).text
        #expect(again == first)
    }
}
