import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

/// Returns the SketchEl writer's output for a molecule.
private func text(_ molecule: Molecule) -> String {
    var writer = SketchElMoleculeWriter()
    var output: [UInt8] = []
    writer.write(molecule, to: &output)
    return String(decoding: output, as: UTF8.self)
}

private func losses(_ molecule: Molecule) -> [Loss] {
    var writer = SketchElMoleculeWriter()
    var output: [UInt8] = []
    writer.write(molecule, to: &output)
    return writer.losses
}

/// Converts the molecule of a molfile to SketchEl and back.
private func throughSketchEl(_ molecule: Molecule) throws -> Molecule {
    var reader = SketchElMoleculeReader()
    let bytes = Array(text(molecule).utf8)
    try reader.read(0..<bytes.count, of: bytes.span)
    var molecule = reader.molecule
    let counts = molecule.hydrogenCounts()
    molecule.hydrogenRule = .mdl
    #expect(molecule.hydrogenCounts() == counts)
    return molecule
}

@Suite("SketchEl writer")
struct SketchElWriterTests {
    @Test("a file in the normal form is preserved byte for byte", arguments: Fixture.all(in: "el"))
    func stable(_ fixture: Fixture) throws {
        let reading = try Reading.all(try fixture.bytes, by: SketchElReader.self)
        let writing = try Writing.all(reading.records, by: SketchElWriter.self)
        if !fixture.path.contains("elements") { #expect(writing.text == (try fixture.bytes)) }
        let again = try Reading.all(writing.text, by: SketchElReader.self)
        #expect(again.records == reading.records)
        #expect(try Writing.all(again.records, by: SketchElWriter.self).text == writing.text)
        #expect(writing.losses.isEmpty)
    }

    @Test("a small negative number preserves its sign, and a very large number is written completely")
    func coordinates() {
        var molecule = Molecule()
        molecule.hydrogenRule = .sketchEl
        molecule.atoms = [
            Atom(.oxygen, at: Position(-0.000_01, 123_456.75)), Atom(.neon, at: Position(0.00005, -9.99995)),
        ]
        #expect(text(molecule).contains("O=-0.0000,123456.7500;0,0,i2\nNe="))
        #expect(losses(molecule) == [Loss(.precision, "more than four decimals", count: 3)])
    }

    @Test("hydrogens in the MDL rule but not in the SketchEl rule are fixed")
    func hydrogensOfMolfiles() {
        var molecule = Molecule()
        molecule.atoms = [Atom(.chlorine, at: Position(1, 0)), Atom(.carbon), Atom(.silicon)]
        molecule.bonds = [Bond(1, 2)]
        #expect(text(molecule).contains("Cl=1.0000,0.0000;0,0,e1\nC=0.0000,0.0000;0,0,i3\nSi=0.0000,0.0000;0,0,e3\n"))
    }

    @Test("atom and bond properties of molfiles are stored in fields and read back")
    func foreignMarks() throws {
        var molecule = Molecule()
        for place in 0..<6 { molecule.atoms.append(Atom(.carbon, at: Position(Double(place), 1))) }
        molecule.bonds = (0..<6).map { Bond($0, ($0 + 1) % 6, .aromatic) }
        molecule.atoms[0].marks.parity = 2
        molecule.addNote(.alias("a, b=c"), toAtom: 0)
        molecule.addNote(.attachmentPoint(first: true, second: true), toAtom: 1)
        molecule.addNote(.ringBondCount(-2), toAtom: 2)
        molecule.bonds[0].reactingCenter = 4
        molecule.bonds[1].traits.insert(.inRing)
        molecule.extras.contents.stereoGroups = [StereoGroup(.racemic, number: 3, atoms: [1, 4])]
        #expect(losses(molecule).isEmpty)
        #expect(try throughSketchEl(molecule) == molecule)
    }

    @Test("groups of atoms are preserved with all properties")
    func sgroups() throws {
        var molecule = Molecule()
        for place in 0..<4 { molecule.atoms.append(Atom(.carbon, at: Position(Double(place), 1))) }
        molecule.bonds = (0..<3).map { Bond($0, $0 + 1) }
        var unit = Sgroup(.repeatingUnit)
        unit.number = 1
        unit.atoms = [1, 2]
        unit.bonds = [0, 2]
        unit.label = "n"
        unit.connectivity = "HT"
        var data = Sgroup(.data)
        data.number = 2
        data.atoms = [3]
        data.data = Sgroup.Data()
        data.data?.fieldName = "pKa, 25 °C"
        data.data?.values = ["4,7", "second line"]
        data.data?.units = "none"
        data.brackets = [.init(from: Position(0.5, 1), to: Position(0.5, 2.25))]
        molecule.extras.contents.sgroups = [unit, data]
        let back = try throughSketchEl(molecule)
        #expect(Set(back.extras.contents.sgroups) == Set(molecule.extras.contents.sgroups))
        #expect(text(molecule).contains(",xPOLYMER:1:2:ht\n"))
    }

    @Test("a hundred of the longest fast lines are preserved")
    func longestLines() throws {
        var molecule = Molecule()
        molecule.hydrogenRule = .sketchEl
        var atom = Atom(.chlorine, at: Position(-9999.9998, -9999.9998))
        atom.charge = -9
        atom.radical = .unpaired(9)
        atom.hydrogens = .fixed(9)
        molecule.atoms = Array(repeating: atom, count: 100)
        molecule.bonds = (1..<100).map { Bond(0, $0) }
        let line = "Cl=-9999.9998,-9999.9998;-9,9,e9\n"
        let atoms = "SketchEl!(100,99)\n" + String(repeating: line, count: 100)
        #expect(text(molecule).hasPrefix(atoms + "1-2=1,0\n1-3=1,0\n"))
        #expect(try throughSketchEl(molecule).atoms.map(\.position) == molecule.atoms.map(\.position))
    }

    @Test("overlapping and interleaved groups are preserved")
    func mixedGroups() throws {
        var molecule = Molecule()
        for place in 0..<6 { molecule.atoms.append(Atom(.carbon, at: Position(Double(place), 1))) }
        let members: [[Int32]] = [[0, 2, 4], [1, 3, 5], [0, 1, 2, 3]]
        for (place, atoms) in members.enumerated() {
            var group = Sgroup(.data)
            group.number = Int32(place + 1)
            group.atoms = atoms
            group.data = Sgroup.Data()
            group.data?.fieldName = "name"
            group.data?.values = [Text("value \(place)")]
            molecule.extras.contents.sgroups.append(group)
        }
        #expect(try throughSketchEl(molecule).extras.contents.sgroups == molecule.extras.contents.sgroups)
    }

    @Test("an expanded abbreviation becomes one atom, and gets its atoms back in order")
    func abbreviations() throws {
        var molecule = Molecule()
        for place in 0..<4 { molecule.atoms.append(Atom(.carbon, at: Position(Double(place), 1))) }
        molecule.atoms[1].element = .oxygen
        molecule.bonds = [Bond(0, 1), Bond(1, 2), Bond(2, 3, .double)]
        var group = Sgroup(.abbreviation)
        group.label = "OMe"
        group.atoms = [0, 1]
        group.bonds = [1]
        molecule.extras.contents.sgroups = [group]
        #expect(text(molecule).hasPrefix("SketchEl!(3,2)\nOMe=1.0000,1.0000;0,0,i0,a"))
        var reader = SketchElMoleculeReader()
        let bytes = Array(text(molecule).utf8)
        try reader.read(0..<bytes.count, of: bytes.span)
        var drawn = try #require(DrawnMolecule(reader.molecule)?.molecule)
        drawn.hydrogenRule = .mdl
        #expect(drawn == molecule)
    }

    @Test("an abbreviation stays expanded if another group refers to a bond by its number")
    func abbreviationBesideNumbers() throws {
        var molecule = Molecule()
        for place in 0..<5 { molecule.atoms.append(Atom(.carbon, at: Position(Double(place), 1))) }
        molecule.bonds = [Bond(0, 1), Bond(1, 2), Bond(2, 3), Bond(3, 4)]
        var group = Sgroup(.abbreviation)
        group.label = "Et"
        group.atoms = [0, 1]
        group.bonds = [1]
        var data = Sgroup(.data)
        data.atoms = [3, 4]
        data.bonds = [3]
        data.data = Sgroup.Data()
        data.data?.fieldName = "name"
        data.data?.values = ["value"]
        molecule.extras.contents.sgroups = [group, data]
        for place in 0..<2 { molecule.extras.contents.sgroups[place].number = Int32(place + 1) }
        #expect(try throughSketchEl(molecule).extras.contents.sgroups == molecule.extras.contents.sgroups)
    }

    @Test("a singlet, the chiral flag and a comment are preserved as fields")
    func moleculeFields() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.hydrogen)]
        molecule.atoms[0].isotope = 2
        molecule.setLabel("D", ofAtom: 0)
        molecule.atoms[0].radical = .singlet
        molecule.flags = .chiral
        molecule.comment = "a, b"
        #expect(losses(molecule).isEmpty)
        #expect(text(molecule).contains("H=0.0000,0.0000;0,2,i0,m2,yMDL_REST:{\"chiral\":true"), "\(text(molecule))")
        #expect(text(molecule).contains(",yMDL_SINGLET\n"))
        let again = try throughSketchEl(molecule)
        #expect(again.atoms[0].radical == .singlet && again.flags.contains(.chiral) && again.comment == "a, b")
        #expect(again.extras.isEmpty)
    }

    @Test("an aromatic mark that does not match the drawing remains a mark")
    func marksOfOthers() throws {
        let text = Array("SketchEl!(2,1)\nC=0,0;0,0\nC=1,0;0,0\n1-2=1,0,yAROMATIC\n!End".utf8)
        var reader = SketchElMoleculeReader()
        try reader.read(0..<text.count, of: text.span)
        let molecule = reader.molecule
        #expect(molecule.bonds[0].order == .single)
        #expect(Array(molecule.notes(onBond: 0)) == [.transientField("yAROMATIC")])
    }

    @Test("a file contains one molecule")
    func oneMolecule() {
        #expect(throws: WriteError.self) { try Writing.all([Record(), Record()], by: SketchElWriter.self) }
        #expect(throws: WriteError.self) { try Writing.all([Record(Reaction())], by: SketchElWriter.self) }
    }
}
