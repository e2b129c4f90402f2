import Chemopen
import TestFolders
import Testing

@testable import ChemopenDepict

@Suite("Hostile drawings")
struct HostileTests {
    private func isSound(_ picture: Picture) -> Bool {
        let bounds = [picture.width, picture.height]
        let points = picture.strokes.flatMap(\.points) + picture.letters.map(\.start) + picture.fills.flatMap { $0 }
        return bounds.allSatisfy { $0.isFinite && $0 > 0 && $0 < 50_000 }
            && points.allSatisfy { $0.x.isFinite && $0.y.isFinite }
    }

    @Test(
        "invalid or extreme positions produce a picture of limited size",
        arguments: [
            Double.nan, .infinity, -.infinity, 1e300, 1e-300,
        ])
    func positions(_ value: Double) {
        let molecule = Molecule([("C", 0, 0), ("O", value, 1), ("N", 1, value)], [Bond(0, 1), Bond(1, 2, .double)])
        #expect(isSound(Picture(of: molecule)))
    }

    @Test("if all atoms have the same position, the picture describes them in text")
    func onePoint() {
        let molecule = Molecule([("C", 2, 2), ("O", 2, 2)], [Bond(0, 1)])
        let picture = Picture(of: molecule)
        #expect(picture.strokes.isEmpty)
        #expect(picture.letters.map(\.text) == ["CH4O", "2 atoms, 1 bond, no coordinates", "1 CH3   – 2", "2 OH"])
    }

    @Test("bonds to missing atoms and to the same atom are ignored")
    func bonds() {
        let molecule = Molecule([("C", 0, 0), ("O", 1, 0)], [Bond(0, 0), Bond(0, 99), Bond(0, 1)])
        #expect(Picture(of: molecule).strokes.count == 1)
    }

    @Test("an empty molecule and an empty reaction are drawn as a text")
    func nothing() {
        #expect(Picture(of: Molecule()).words == "no structure")
        #expect(Picture(of: Reaction()).words == "no structure")
    }

    @Test("contracted groups, and long lines across labels, take linear time")
    func crowd() {
        let groups = growth(from: 1500) { count in
            var molecule = chain(count)
            for index in 0..<count {
                var sgroup = Sgroup(.abbreviation)
                sgroup.atoms = [Int32(index)]
                sgroup.label = "Me"
                molecule.extras.contents.sgroups.append(sgroup)
            }
            _ = molecule.contractingAbbreviations()
        }
        #expect(groups < 9)
        let lines = growth(from: 6000) { count in
            var molecule = chain(count)
            // A step that is coprime to the count connects each atom to a distant atom.
            for place in molecule.bonds.indices {
                molecule.bonds[place] = Bond(place * 2791 % count, (place + 1) * 2791 % count)
            }
            _ = Picture(of: molecule)
        }
        #expect(lines < 9)
    }

    private func chain(_ count: Int) -> Molecule {
        var molecule = Molecule()
        for index in 0..<count {
            molecule.atoms.append(
                Atom(index % 3 == 0 ? .nitrogen : .carbon, at: Position(Double(index % 141), Double(index / 141))))
            if index > 0 { molecule.bonds.append(Bond(index - 1, index, index % 2 == 0 ? .double : .single)) }
        }
        return molecule
    }

    private func star(_ count: Int) -> Molecule {
        var molecule = Molecule([("N", 0, 0)])
        for index in 1...count {
            molecule.atoms.append(Atom(.oxygen, at: Position(Double(index % 71), Double(index / 71) + 1)))
            molecule.bonds.append(Bond(0, index, .double))
        }
        return molecule
    }

    @Test("twenty thousand atoms and a star of five thousand bonds can be drawn")
    func largeMolecules() {
        #expect(isSound(Picture(of: chain(20_000))))
        #expect(isSound(Picture(of: star(5000))))
    }

    @Test("the drawing time is linear in the number of atoms")
    func growingWork() {
        let chains = growth(from: 2000) { _ = Picture(of: chain($0)) }
        #expect(chains < 10)
        // Below a few hundred bonds at an atom, each bond is compared with all others.
        let stars = growth(from: 600) { _ = Picture(of: star($0)) }
        #expect(stars < 10)
    }

    @Test("labels of any length and with any characters stay on one line")
    func labels() {
        let long = String(repeating: "Q", count: 10_000)
        let picture = Picture(of: Molecule([("C", 0, 0), (long, 1, 0)], [Bond(0, 1)]))
        #expect(picture.width < 1000)
        let odd = Picture(of: Molecule([("a\n<script>\u{0}", 0, 0)]))
        #expect(!String(decoding: odd.svg(), as: UTF8.self).contains("<script>"))
    }
}
