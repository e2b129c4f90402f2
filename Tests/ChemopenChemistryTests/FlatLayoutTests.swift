import ChemopenModel
import Testing

@testable import ChemopenChemistry

@Suite("Layout of structures without 2D coordinates")
struct FlatLayoutTests {
    private func canonical(_ molecule: Molecule) -> String {
        var text = SMILESText()
        text.isCanonical = true
        text.append(molecule)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    static let stereo = [
        "C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", "F/C=C/F", "F/C=C\\F", "C/C(F)=C(/Cl)Br", "C[C@](F)(Cl)Br", "CC=CC",
        "O[C@H]([C@@H](O)C)[C@H](F)Cl", "C[S@](=O)CC", "C[P@](CC)CCC", "F/C=C/C=C\\F", "[H]/N=C/C", "C/C=N/O",
        "O[C@H]1CCCC[C@@H]1N", "C[C@@H]1CC[C@H](C)CC1", "C1C[C@@H]2CC[C@H]1C2", "[2H][C@H](F)Cl",
    ]

    @Test("the drawing represents the same structure as the SMILES", arguments: stereo)
    func roundTrip(_ smiles: String) throws {
        let molecule = try Molecule(smiles: smiles)
        let layout = try #require(FlatLayout(of: molecule, hidesHydrogens: false))
        let drawing = try #require(layout.plainDrawing())
        #expect(!drawing.flags.contains(.withoutCoordinates) && CoordinateKind(of: drawing) == .drawn)
        #expect(canonical(drawing) == canonical(molecule))
        let again = drawing.atoms.map(\.position)
        #expect(Set(again).count == again.count)
    }

    @Test("the drawing of a 3D structure represents the same configuration", arguments: [1.0, -1.0])
    func space(_ side: Double) throws {
        var molecule = Drawn("C F Cl Br H", "0-1 0-2 0-3 0-4").molecule
        let places = [(0.0, 0.0, 0.0), (0, 0, 1), (0.9, 0, -0.3), (-0.5, 0.8, -0.3), (-0.5, -0.8, -0.3)]
        for (index, place) in places.enumerated() {
            molecule.atoms[index].position = Position(place.0, place.1, side * place.2)
        }
        #expect(CoordinateKind(of: molecule) == .inSpace)
        for hides in [false, true] {
            let layout = try #require(FlatLayout(of: molecule, hidesHydrogens: hides))
            let drawing = try #require(layout.plainDrawing())
            #expect(drawing.atoms.count == (hides ? 4 : 5))
            #expect(canonical(drawing) == canonical(molecule))
            #expect(drawing.bonds.count { $0.mark != .none } == 1)
        }
    }

    @Test("an unknown geometry is drawn as unknown, and small heights do not make a drawing 3D")
    func standing() throws {
        let butene = try Molecule(smiles: "CC=CC")
        #expect(CoordinateKind(of: butene) == .unplaced)
        let layout = try #require(FlatLayout(of: butene, hidesHydrogens: true))
        let drawing = try #require(layout.plainDrawing())
        #expect(drawing.bonds.map(\.mark) == [.none, .either, .none])
        var flat = drawing
        flat.atoms[0].position.z = 0.01
        #expect(CoordinateKind(of: flat) == .drawn)
        flat.flags.insert(.threeDimensional)
        #expect(CoordinateKind(of: flat) == .inSpace)
        #expect(CoordinateKind(of: try Molecule(smiles: "C")) == .drawn)
    }

    @Test("the layout request contains each bonded pair once, and an invalid response produces no drawing")
    func question() throws {
        var molecule = try Molecule(smiles: "F/C=C/Cl")
        molecule.bonds.append(Bond(1, 0))
        molecule.bonds.append(Bond(1, 77))
        let layout = try #require(FlatLayout(of: molecule, hidesHydrogens: false))
        let text = String(decoding: layout.question, as: UTF8.self)
        #expect(text == "4 3 9 0 6 0 6 0 17 0 0 1 1 0 0 0 1 2 2 0 3 2 2 3 1 0 0 0\n")
        for answer in ["", "1 2 3", "0 0 0 0 0 0 0 0", "1 2 3 4 5 6 7 x"] {
            #expect(layout.drawing(Array(answer.utf8)) == nil)
        }
        #expect(layout.drawing(Array("0 0 1000 0 1500 900 2500 900 ".utf8)) != nil)
    }
}
