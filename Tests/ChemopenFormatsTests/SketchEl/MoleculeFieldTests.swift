import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Molecule properties in SketchEl")
struct MoleculeFieldTests {
    /// Changes of a molecule that SketchEl stores as fields of the first atom.
    private static let sayings: [(name: String, say: @Sendable (inout Molecule) -> Void)] = [
        ("title", { $0.name = "a, title" }), ("title of several lines", { $0.name = "a\nb\\" }),
        ("chiral flag", { $0.flags.insert(.chiral) }), ("comment", { $0.comment = "c" }),
        ("name of the table", { $0.extras.contents.tableName = "t" }),
        ("keyword", { $0.extras.contents.keywords = [.init("KEY", "1")] }),
        ("R-group", { $0.extras.contents.rgroups = [RGroup(1)] }),
        (
            "all",
            {
                $0.name = "n"
                $0.comment = "c"
                $0.flags.insert(.chiral)
            }
        ),
    ]

    private static var plain: Molecule {
        var molecule = Molecule()
        molecule.hydrogenRule = .sketchEl
        molecule.atoms = (0..<4).map { Atom(.carbon, at: Position(Double($0))) }
        molecule.bonds = [Bond(0, 1), Bond(1, 2), Bond(2, 3)]
        return molecule
    }

    /// A molecule with its first atoms in a SketchEl abbreviation.
    private static var abbreviated: Molecule {
        var molecule = plain
        var group = Sgroup(.abbreviation)
        group.label = "Et"
        group.atoms = [0, 1]
        group.bonds = [1]
        molecule.extras.contents.sgroups = [group]
        return molecule
    }

    private func read(_ bytes: [UInt8]) throws -> Molecule? {
        try Reading.all(bytes, by: SketchElReader.self).records.first?.molecule
    }

    @Test("are preserved if the first atoms are drawn or in an abbreviation", arguments: sayings.indices)
    func comesBack(_ index: Int) throws {
        let (name, say) = Self.sayings[index]
        for start in [Self.plain, Self.abbreviated] {
            var molecule = start
            say(&molecule)
            let bare = try read(try Writing.all([Record(start)], by: SketchElWriter.self).text)
            let writing = try Writing.all([Record(molecule)], by: SketchElWriter.self)
            var expected = try #require(bare)
            say(&expected)
            #expect(try read(writing.text) == expected, "\(name)")
            #expect(writing.losses.isEmpty, "\(name)")
        }
    }

    @Test("include the title in a field of the first atom")
    func title() throws {
        var molecule = Molecule()
        molecule.hydrogenRule = .sketchEl
        molecule.atoms = [Atom(.oxygen, at: Position(0))]
        molecule.name = "water"
        let writing = try Writing.all([Record(molecule)], by: SketchElWriter.self)
        let text = "SketchEl!(1,0)\nO=0.0000,0.0000;0,0,i2,yMDL_TITLE:water\n!End\n"
        #expect(writing.string == text)
        #expect(try read(Array(text.utf8))?.name == "water")
    }

    @Test("remain fields in another notation: a title without text, or in two values")
    func oddTitles() throws {
        for field in ["yMDL_TITLE", "yMDL_TITLE:", "yMDL_TITLE:a\\002Cb", "yMDL_TITLES:a"] {
            let text = "SketchEl!(1,0)\nO=0.0000,0.0000;0,0,i2,\(field)\n!End\n"
            let molecule = try #require(try read(Array(text.utf8)))
            #expect(molecule.name.isEmpty)
            #expect(try Writing.all([Record(molecule)], by: SketchElWriter.self).string == text)
        }
    }

    @Test("are reported as lost without an atom")
    func withoutAtoms() throws {
        var molecule = Molecule()
        molecule.name = "nothing"
        let writing = try Writing.all([Record(molecule)], by: SketchElWriter.self)
        #expect(writing.losses.contains { $0.feature == .names })
    }

    @Test("include an incomplete attachment order, preserved verbatim")
    func oddAttachments() throws {
        let field = #"yMDL_SCSR_ATTCHORD:2\002CAl\002C3"#
        let atoms = "C=0.0000,0.0000;0,0,i3,\(field)\nC=1.0000,0.0000;0,0,i2\nC=2.0000,0.0000;0,0,i3\n"
        let text = "SketchEl!(3,2)\n\(atoms)1-2=1,0\n2-3=1,0\n!End\n"
        let molecule = try #require(try readAll(text, as: .sketchEl).first?.reading?.record.molecule)
        #expect(Array(molecule.notes(onAtom: 0)) == [AtomNote.transientField("yMDL_SCSR_ATTCHORD:2,Al,3")])
        #expect(try write(molecule, as: .sketchEl).text == text)
    }
}
