import ChemopenModel
import Testing

@Suite("Abbreviations")
struct AbbreviationTests {
    /// Placeholder, carbon, oxygen, carbon: an acetyl group, drawn along the x axis.
    private static let acetyl: Molecule = {
        var acetyl = Molecule(["*", "C", "O", "C"], bonds: [Bond(0, 1), Bond(1, 2, .double), Bond(1, 3)])
        acetyl.hydrogenRule = .sketchEl
        acetyl.atoms[2].position = Position(1, 1)
        acetyl.atoms[3].position = Position(2, 0)
        return acetyl
    }()

    /// Returns a carbon with an abbreviation to its right.
    private static func carbon(with label: String, for piece: Molecule, _ bond: Bond = Bond(0, 1)) -> Molecule {
        var molecule = Molecule(["C", label], bonds: [bond])
        molecule.hydrogenRule = .sketchEl
        molecule.extras.contents.abbreviations = [Abbreviation(atom: 1, molecule: piece)]
        return molecule
    }

    @Test("are replaced with their atoms, which follow all others")
    func expansion() {
        let acetone = Self.carbon(with: "Ac", for: Self.acetyl).expandingAbbreviations()
        #expect(acetone.atoms.map(\.element) == [.carbon, .carbon, .oxygen, .carbon])
        #expect(acetone.bonds == [Bond(0, 1), Bond(1, 2, .double), Bond(1, 3)])
        #expect(acetone.hydrogenCounts() == [3, 0, 0, 3])
        #expect(acetone.extras.isEmpty)
    }

    @Test("can be expanded as nested Sgroups with their labels")
    func groups() {
        var inner = Molecule(["*", "C", "Me"], bonds: [Bond(0, 1), Bond(1, 2)])
        inner.extras.contents.abbreviations = [
            Abbreviation(atom: 2, molecule: Molecule(["*", "C"], bonds: [Bond(0, 1)]))
        ]
        var propane = Self.carbon(with: "Et", for: inner)
        #expect(propane.expandAbbreviations(asGroups: true).isEmpty)
        #expect(propane.atoms.map(\.element) == [.carbon, .carbon, .carbon])
        let groups = propane.extras.contents.sgroups
        #expect(groups.map(\.label) == ["Et", "Me"])
        #expect(groups.map(\.atoms) == [[1, 2], [2]])
        #expect(groups.map(\.bonds) == [[0], [1]])
        #expect(groups.map(\.parent) == [nil, 0])
    }

    @Test("count as their atoms in formula and mass, and as one atom in the drawing")
    func composition() {
        let acetone = Self.carbon(with: "Ac", for: Self.acetyl)
        #expect(acetone.atoms.count == 2)
        #expect(acetone.formula == "C3H6O")
        #expect(abs(acetone.mass - 58.08) < 1e-9)
    }

    @Test("use the bond order of the fragment instead of the drawn order")
    func order() {
        var oxo = Molecule(["*", "O"], bonds: [Bond(0, 1, .double)])
        oxo.hydrogenRule = .sketchEl
        #expect(Self.carbon(with: "O", for: oxo).formula == "CH2O")
    }

    @Test("attach a chelate with all bonds of its placeholder")
    func chelate() {
        var chelate = Molecule(["*", "O", "C", "O"])
        chelate.bonds = [Bond(0, 1), Bond(1, 2), Bond(2, 3), Bond(3, 0, .zero)]
        let expanded = Self.carbon(with: "chel", for: chelate).expandingAbbreviations()
        #expect(expanded.bonds == [Bond(0, 1), Bond(1, 2), Bond(2, 3), Bond(0, 3, .zero)])
    }

    @Test("move and rotate the fragment to the position of the label")
    func geometry() {
        var molecule = Self.carbon(with: "Ac", for: Self.acetyl)
        molecule.atoms[0].position = Position(5, 5)
        molecule.atoms[1].position = Position(5, 7)
        let positions = molecule.expandingAbbreviations().atoms.map(\.position)
        #expect(positions == [Position(5, 5), Position(5, 6), Position(4, 6), Position(5, 7)])
    }

    @Test("preserve the dimensions of the molecule independent of the fragment")
    func dimensions() {
        for flags in [[], .withoutCoordinates, .threeDimensional] as [Molecule.Flags] {
            for pieceFlags in [[], .withoutCoordinates, .threeDimensional, .chiral] as [Molecule.Flags] {
                var piece = Self.acetyl
                piece.flags = pieceFlags
                var molecule = Self.carbon(with: "Ac", for: piece)
                molecule.flags = flags
                #expect(molecule.expandingAbbreviations().flags == flags)
            }
        }
    }

    @Test("preserve a wedge that starts at the neighbor")
    func wedge() {
        var from = Bond(0, 1)
        from.mark = .up
        #expect(Self.carbon(with: "Ac", for: Self.acetyl, from).expandingAbbreviations().bonds[0].mark == .up)
        var towards = Bond(1, 0)
        towards.mark = .up
        #expect(Self.carbon(with: "Ac", for: Self.acetyl, towards).expandingAbbreviations().bonds[0].mark == .none)
    }

    @Test("preserve the display style of the label's bond, and a wedge style only if it starts at the neighbor")
    func look() {
        for (bond, name, isKept) in [
            (Bond(0, 1), "Bold", true), (Bond(1, 0), "Dash", true), (Bond(0, 1), "HollowWedgeBegin", true),
            (Bond(1, 0), "HollowWedgeBegin", false),
        ] {
            var molecule = Self.carbon(with: "Ac", for: Self.acetyl, bond)
            molecule.addNote(.display(Text(name)), toBond: 0)
            let notes = Array(molecule.expandingAbbreviations().notes(onBond: 0))
            #expect(notes == (isKept ? [.display(Text(name))] : []), "\(name)")
        }
    }

    @Test("drop the charge, radical, isotope and hydrogens of the label, but use its map number")
    func labelProperties() {
        var piece = Self.acetyl
        piece.atoms[3].mapNumber = 8
        var molecule = Self.carbon(with: "Ac", for: piece)
        molecule.atoms[1].charge = 2
        molecule.atoms[1].radical = .doublet
        molecule.atoms[1].isotope = 13
        molecule.atoms[1].hydrogens = .fixed(4)
        molecule.atoms[1].mapNumber = 7
        #expect(molecule.formula == "C3H6O")
        #expect(molecule.totalCharge == 0)
        #expect(molecule.unpairedElectrons == 0)
        #expect(molecule.isotopes.isEmpty)
        #expect(molecule.expandingAbbreviations().atoms.map(\.mapNumber) == [0, 7, 0, 0])
    }

    @Test("apply polymer marks of the label to all atoms of the fragment, and drop other notes")
    func polymerMarks() {
        var molecule = Self.carbon(with: "Ac", for: Self.acetyl)
        molecule.addNote(.field("xPOLYMER:1:2"), toAtom: 1)
        molecule.addNote(.field("xNOTE"), toAtom: 1)
        let expanded = molecule.expandingAbbreviations()
        #expect(expanded.notes(onAtom: 0).isEmpty)
        for atom in 1...3 { #expect(Array(expanded.notes(onAtom: atom)) == [.field("xPOLYMER:1:2")]) }
    }

    @Test("can be nested")
    func nested() {
        var outer = Molecule(["*", "O", "Ac"], bonds: [Bond(0, 1), Bond(1, 2)])
        outer.extras.contents.abbreviations = [Abbreviation(atom: 2, molecule: Self.acetyl)]
        #expect(Self.carbon(with: "OAc", for: outer).formula == "C3H6O2")
    }

    @Test("are expanded up to fifty levels deep")
    func tooDeep() {
        var piece = Molecule(["*", "C"], bonds: [Bond(0, 1)])
        for _ in 0..<50 {
            var outer = Molecule(["*", "C", "X"], bonds: [Bond(0, 1), Bond(1, 2)])
            outer.extras.contents.abbreviations = [Abbreviation(atom: 2, molecule: piece)]
            piece = outer
        }
        var molecule = Self.carbon(with: "X", for: piece)
        let left = molecule.expandAbbreviations()
        #expect(left == [UnexpandedAbbreviation(atom: 51, reason: .tooDeep)])
        #expect(molecule.symbol(ofAtom: 51) == "X")
        #expect(molecule.extras.contents.abbreviations.map(\.atom) == [51])
    }

    @Test("remain labels without mass unless they have exactly one neighbor", arguments: [0, 2])
    func neighbors(count: Int) {
        var molecule = Molecule(["Ac", "C", "C"], bonds: (0..<count).map { Bond(0, $0 + 1) })
        molecule.extras.contents.abbreviations = [Abbreviation(atom: 0, molecule: Self.acetyl)]
        let before = molecule
        #expect(molecule.expandAbbreviations() == [UnexpandedAbbreviation(atom: 0, reason: .neighbors(count))])
        #expect(molecule == before)
        #expect(molecule.formula == (count == 0 ? "C2H8" : "C2H6"))
    }

    @Test("stay labels if they have no placeholder, while others are expanded")
    func noPlaceholder() {
        var molecule = Self.carbon(with: "Bad", for: Molecule(["C", "C"], bonds: [Bond(0, 1)])).adding("Ac", to: 0)
        molecule.extras.contents.abbreviations.append(Abbreviation(atom: 2, molecule: Self.acetyl))
        #expect(molecule.expandAbbreviations() == [UnexpandedAbbreviation(atom: 1, reason: .noPlaceholder)])
        #expect(molecule.atoms.count == 5)
        #expect(molecule.symbol(ofAtom: 1) == "Bad")
        #expect(molecule.formula == "C3H5O")
    }

    @Test("may have their placeholder at any index")
    func placeholderLast() {
        let piece = Molecule(["O", "*"], bonds: [Bond(0, 1)])
        #expect(Self.carbon(with: "OH", for: piece).formula == "CH4O")
    }

    @Test("are expanded one after the other if they are bonded to each other")
    func bondedToOneAnother() {
        var molecule = Molecule(["Ac", "Ac"], bonds: [Bond(0, 1)])
        molecule.extras.contents.abbreviations = [0, 1].map { Abbreviation(atom: $0, molecule: Self.acetyl) }
        #expect(molecule.formula == "C4H6O2")
    }

    @Test("rotate the fragment for any bond length", arguments: [0.5, 1, 20])
    func turn(_ length: Double) {
        var piece = Molecule(["*", "C", "O"], bonds: [Bond(0, 1), Bond(1, 2)])
        piece.atoms[1].position = Position(0, length)
        piece.atoms[2].position = Position(0, 2 * length)
        var molecule = Self.carbon(with: "X", for: piece)
        molecule.atoms[1].position = Position(length, 0)
        let expanded = molecule.expandingAbbreviations()
        #expect(
            expanded.atoms.map(\.position)
                == [molecule.atoms[0].position, Position(length, 0), Position(2 * length, 0)])
    }
}
