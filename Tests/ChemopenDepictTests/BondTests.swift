import Chemopen
import Testing

@testable import ChemopenDepict

@Suite("Bonds")
struct BondTests {
    private func picture(_ order: Bond.Order, _ mark: Bond.Mark = .none, _ atoms: [(String, Double, Double)]) -> Picture
    {
        var bond = Bond(0, 1, order)
        bond.mark = mark
        return Picture(of: Molecule(atoms, [bond]))
    }

    private static let ethane: [(String, Double, Double)] = [("C", 0, 0), ("C", 1, 0)]

    @Test(
        "a bond is 14.4 points long and 0.6 points wide for any unit in the file", arguments: [0.825, 1.54, 40])
    func size(_ length: Double) throws {
        let picture = Picture(of: Molecule([("C", 0, 0), ("C", length, 0)], [Bond(0, 1)]))
        let stroke = try #require(picture.strokes.first)
        #expect(abs((stroke.points[1] - stroke.points[0]).length - 14.4) < 0.001)
        #expect(stroke.width == 0.6)
    }

    @Test("the second line of a double bond in a ring is inside the ring")
    func ring() throws {
        let picture = Picture(of: .benzene)
        let center = Picture.Point(picture.width / 2, picture.height / 2)
        let distances = picture.strokes.map { ($0.points[0].midpoint(to: $0.points[1]) - center).length }
        #expect(picture.strokes.count == 9)
        #expect(distances.count { abs($0 - 12.47) < 0.05 } == 6)
        #expect(distances.count { abs($0 - (12.47 - 2.59)) < 0.05 } == 3)
    }

    @Test("the second line of a bond shared by two rings is in the aromatic ring")
    func fusedRings() throws {
        // Indane: the bond that both rings share is a double bond.
        var molecule = Molecule.benzene
        for (x, y) in [(1.82, 0.81), (2.4, 0.0), (1.82, -0.81)] {
            molecule.atoms.append(Atom(.carbon, at: Position(x, y)))
        }
        molecule.bonds = [
            Bond(0, 1), Bond(1, 2, .double), Bond(2, 3), Bond(3, 4, .double), Bond(4, 5), Bond(5, 0, .double),
            Bond(1, 6),
            Bond(6, 7), Bond(7, 8), Bond(8, 2),
        ]
        let sketch = try #require(MoleculeSketch(of: molecule, Picture.Style()))
        #expect(sketch.sideOfDoubleBond(1, searchesRings: true) == .right)
    }

    @Test("the two lines of a carbonyl are on both sides of the axis and meet the lines of the neighbors")
    func carbonyl() throws {
        let acetone = Molecule(
            [("C", -0.87, -0.5), ("C", 0, 0), ("C", 0.87, -0.5), ("O", 0, 1)],
            [Bond(0, 1), Bond(1, 2), Bond(1, 3, .double)])
        let picture = Picture(of: acetone)
        let lines = picture.strokes.filter { abs($0.points[0].x - $0.points[1].x) < 0.001 }
        #expect(lines.count == 2)
        let axis = try #require(picture.letters("O")).box.center.x
        #expect(abs(lines[0].points[0].x + lines[1].points[0].x - 2 * axis) < 0.01)
        #expect(abs(abs(lines[0].points[0].x - lines[1].points[0].x) - 2.592) < 0.001)
    }

    @Test("the second line in an open chain is on the side with more neighbors, independent of the bond direction")
    func chain() {
        let atoms: [(String, Double, Double)] = [("C", 0, 0), ("C", 0.87, 0.5), ("C", 1.73, 0), ("C", 2.6, 0.5)]
        let one = Molecule(atoms, [Bond(0, 1), Bond(1, 2, .double), Bond(2, 3)])
        let other = Molecule(atoms, [Bond(0, 1), Bond(2, 1, .double), Bond(2, 3)])
        let lines = [one, other].map { molecule in
            Set(Picture(of: molecule).strokes.map { Set($0.points.map { Point($0) }) })
        }
        #expect(lines[0] == lines[1])
    }

    /// A point rounded to a hundredth.
    private struct Point: Hashable {
        var x: Int
        var y: Int

        init(_ point: Picture.Point) {
            x = Int((point.x * 100).rounded())
            y = Int((point.y * 100).rounded())
        }
    }

    @Test("a wedge is narrow at the first atom of the bond")
    func wedge() throws {
        let picture = picture(.single, .up, Self.ethane)
        let points = try #require(picture.fills.first)
        let narrow = points.filter { $0.x < picture.width / 2 }
        let wide = points.filter { $0.x > picture.width / 2 }
        #expect(abs(narrow[0].y - narrow[1].y) < 0.7)
        #expect(abs(wide[0].y - wide[1].y) == 3)
    }

    @Test("a hashed wedge widens from the first atom of the bond, with 2.4 points between its lines")
    func hashes() throws {
        let picture = picture(.single, .down, Self.ethane)
        let heights = picture.strokes.sorted { $0.points[0].x < $1.points[0].x }.map { stroke in
            abs(stroke.points[0].y - stroke.points[1].y)
        }
        #expect(heights.count == 7)
        #expect(heights == heights.sorted())
        #expect(abs(heights[6] - 3) < 0.001)
    }

    @Test("an unspecified stereo bond is wavy, and an unspecified double bond is crossed")
    func either() throws {
        let wave = try #require(picture(.single, .either, Self.ethane).strokes.first)
        #expect(wave.points.count > 20)
        let crossed = picture(.double, .either, Self.ethane).strokes
        #expect(crossed.count == 2)
        #expect(crossed[0].points[0].y == crossed[1].points[1].y)
    }

    @Test("other bond types are visually distinct")
    func kinds() {
        #expect(picture(.triple, .none, Self.ethane).strokes.count == 3)
        #expect(picture(.zero, .none, Self.ethane).strokes.allSatisfy { $0.dashes.first == 0 })
        #expect(picture(.any, .none, Self.ethane).strokes.allSatisfy { $0.dashes == [2.4, 1.8] })
        #expect(picture(.aromatic, .none, Self.ethane).strokes.count { !$0.dashes.isEmpty } == 1)
        #expect(picture(.singleOrDouble, .none, Self.ethane).words == "S/D")
    }

    @Test("a dative bond is an arrow to the acceptor")
    func dative() throws {
        let picture = picture(.dative, .none, [("N", 0, 0), ("B", 1, 0)])
        let head = try #require(picture.fills.first)
        let nitrogen = try #require(picture.letters("N"))
        let boron = try #require(picture.letters("B"))
        #expect(head.allSatisfy { $0.x > nitrogen.box.right && $0.x < boron.box.left })
        #expect(head[0].x == head.map(\.x).max())
    }

    @Test("a bond to a complete ring ends at its center")
    func multicenter() {
        var molecule = Molecule.benzene
        molecule.atoms += [Atom(.none, at: Position(0, 0)), Atom(.chromium, at: Position(0, 3))]
        molecule.setLabel("*", ofAtom: 6)
        molecule.bonds.append(Bond(6, 7))
        molecule.addNote(.endpoints(atoms: [0, 1, 2, 3, 4, 5], any: false), toBond: 6)
        let picture = Picture(of: molecule)
        #expect(picture.words == "Cr")
        let middle = Picture.Point(picture.width / 2, picture.height - 5 - 14.4)
        #expect(picture.strokes.contains { $0.points.contains { ($0 - middle).length < 0.5 } })
    }

    @Test("no bond line in any fixture crosses a label", arguments: Format.all.map(\.id))
    func fixtures(_ folder: String) throws {
        for path in try Fixtures.paths(in: folder) {
            var records = try readUnknown(path: path)
            while let record = try? records.next() {
                guard let picture = Picture(of: record) else { continue }
                #expect(picture.crossings.isEmpty, "\(path)")
            }
        }
    }
}
