import Chemopen
import Foundation
import Testing

@testable import ChemopenDepict

/// The directory of a corpus, if the environment specifies it.
private let corpusFolder: String? = ProcessInfo.processInfo.environment["CHEMOPEN_CORPUS"].flatMap { path in
    FileManager.default.fileExists(atPath: path) ? path : nil
}

@Suite("Layout of drawings")
struct LayoutTests {
    @Test("a charge is on the other side of its atom, or above it, if a bond is in its usual position")
    func charges() throws {
        let oxide = Molecule([("O", 0, 0), ("C", 1, 0.6), ("C", 2, 0)], [Bond(0, 1), Bond(1, 2)]).charged([0: -1])
        let minus = try #require(Picture(of: oxide).letters("\u{2212}"))
        let oxygen = try #require(Picture(of: oxide).letters("O"))
        #expect(minus.box.right <= oxygen.box.left + 0.01)
        let between = Molecule(
            [("C", -1, 0.6), ("N", 0, 0), ("C", 1, 0.6), ("C", 0, -1), ("C", -2, 0), ("C", 2, 0)],
            [Bond(0, 1, .double), Bond(1, 2), Bond(1, 3), Bond(0, 4), Bond(2, 5)]
        ).charged([1: 1])
        let plus = try #require(Picture(of: between).letters("+"))
        let nitrogen = try #require(Picture(of: between).letters("N"))
        #expect(abs(plus.box.center.x - nitrogen.box.center.x) < 0.1 && plus.box.bottom < nitrogen.box.top)
    }

    @Test("a charge with enough space is superscript after the symbol")
    func usual() throws {
        let oxide = Molecule([("C", 0, 0.6), ("C", 1, 0), ("O", 2, 0.6)], [Bond(0, 1), Bond(1, 2)]).charged([2: -1])
        let picture = Picture(of: oxide)
        let minus = try #require(picture.letters("\u{2212}"))
        #expect(abs(minus.start.x - (try #require(picture.letters("O")).box.right)) < 0.1)
    }

    @Test(
        "bonds are lengthened if their labels would overlap",
        arguments: [
            Molecule([("As", 0, 0), ("Se", 1, 0)], [Bond(0, 1, .double)]).charged([0: -1, 1: -1]),
            Molecule([("P", 0, 0), ("R20", -1, 0.6), ("C", 1, 0)], [Bond(0, 1), Bond(0, 2)]),
            Molecule([("O", 0, 0), ("Na", 0.9, 0)]).charged([0: -1, 1: 1]),
        ])
    func stretch(_ molecule: Molecule) throws {
        let layout = try #require(Layout(of: molecule))
        #expect(layout.overlaps.isEmpty && layout.crossings.isEmpty)
        #expect(Picture(of: molecule).strokes.count >= molecule.bonds.count)
    }

    @Test("all molecules of a reaction have the same bond length, even if the labels of only one are crowded")
    func reaction() throws {
        let crowded = Molecule([("As", 0, 0), ("Se", 1, 0), ("C", -0.5, 0.86)], [Bond(0, 1, .double), Bond(0, 2)])
        let plain = Molecule([("C", 0, 0), ("C", 0.86, 0.5), ("C", 1.72, 0)], [Bond(0, 1), Bond(1, 2)])
        let own = try #require(Layout(of: crowded)).sketch.stretch
        #expect(own > 1.1 && own < 1.8)
        let step = Reaction.Step(reactants: [.init(crowded)], products: [.init(plain)])
        let lengths = Picture(of: Reaction(step)).strokes.map { ($0.points[1] - $0.points[0]).length }
        #expect(lengths.contains { abs($0 - 14.4 * own) < 0.1 })
    }

    @Test("the hydrogens of an atom leave space for its open bond")
    func openBond() throws {
        var amine = Molecule([("C", -0.86, 0.5), ("N", 0, 0)], [Bond(0, 1)])
        amine.addNote(.attachmentPoint(first: true, second: false), toAtom: 1)
        let picture = Picture(of: amine)
        let (nitrogen, hydrogen) = (try #require(picture.letters("N")), try #require(picture.letters("H")))
        #expect(abs(nitrogen.box.center.x - hydrogen.box.center.x) < 1 && hydrogen.box.top > nitrogen.box.bottom)
        #expect(picture.crossings.isEmpty)
    }

    @Test("a 3D molecule is rotated slightly if one atom would hide another")
    func hidden() throws {
        var molecule = Molecule(
            [("C", 0, 0), ("C", 1.5, 0), ("C", 3, 0), ("N", 4.5, 0), ("O", 1.5, 0), ("S", 1.5, 0)],
            [Bond(0, 1), Bond(1, 2), Bond(2, 3), Bond(1, 4), Bond(1, 5)])
        molecule.flags = .threeDimensional
        molecule.atoms[1].position.y = 0.6
        molecule.atoms[3].position.y = 0.6
        molecule.atoms[4].position = Position(1.5, 1.2, 1.2)
        molecule.atoms[5].position = Position(1.5, 1.2, -1.2)
        let layout = try #require(Layout(of: molecule))
        #expect(layout.overlaps.isEmpty && layout.given == 0)
    }

    @Test("the label of a bracket leaves space for the next bracket")
    func brackets() throws {
        var molecule = Molecule(
            [("C", 0, 0), ("C", 1, 0.5), ("C", 2, 0), ("C", 3, 0.5)], [Bond(0, 1), Bond(1, 2), Bond(2, 3)])
        molecule.extras.contents.sgroups = [(0, 1, -0.4, 1.3), (2, 3, 1.5, 3.4)].map { first, last, left, right in
            var group = Sgroup(.repeatingUnit)
            group.atoms = [Int32(first), Int32(last)]
            group.brackets = [
                .init(from: Position(left, -0.5), to: Position(left, 1)),
                .init(from: Position(right, 1), to: Position(right, -0.5)),
            ]
            return group
        }
        let picture = Picture(of: molecule)
        #expect(picture.letters.count == 2)
        #expect(picture.crossings.isEmpty)
        let boxes = picture.strokes.filter { $0.points.count == 4 }.map { Picture.Mark.stroke($0).box }
        for letters in picture.letters { #expect(!boxes.contains { $0.overlaps(letters.box) }) }
    }

    @Test("two groups with the same brackets have their texts one below the other")
    func sameBrackets() throws {
        var molecule = Molecule([("C", 0, 0), ("C", 1, 0.5)], [Bond(0, 1)])
        molecule.extras.contents.sgroups = [Sgroup.Kind.mixture, .component].map { kind in
            var group = Sgroup(kind)
            group.atoms = [0, 1]
            return group
        }
        let picture = Picture(of: molecule)
        let (first, second) = (try #require(picture.letters("mix")), try #require(picture.letters("c")))
        #expect(!first.box.overlaps(second.box))
    }

    @Test("no label of any fixture overlaps another label or a bond of another atom")
    func fixtures() throws {
        for folder in Format.all.map(\.id) {
            for path in try Fixtures.paths(in: folder) {
                guard var records = try? readUnknown(path: path) else { continue }
                while let record = try? records.next() {
                    // Larger molecules test the size, not the layout.
                    for molecule in record.drawnMolecules where molecule.atoms.count < 500 {
                        guard let layout = Layout(of: molecule), !layout.sketch.frame.isProjected else { continue }
                        #expect(layout.overlaps.isEmpty && layout.crossings.isEmpty, "\(path)")
                    }
                }
            }
        }
    }

    @Test(
        "almost no label in the corpus overlaps another",
        .enabled(if: corpusFolder != nil, "no corpus found; set CHEMOPEN_CORPUS"))
    func corpus() throws {
        let folder = try #require(corpusFolder)
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
        var tally = LayoutTally()
        for path in paths where !path.contains("/bad/") { tally.count(folder, path) }
        let report = tally.lines.joined(separator: "\n")
        if let output = ProcessInfo.processInfo.environment["CHEMOPEN_LAYOUT_REPORT"] {
            try report.write(toFile: output, atomically: true, encoding: .utf8)
        }
        // At most one molecule in a hundred: some have atoms or bonds that are too close for any free position.
        #expect(tally.spoilt * 100 <= tally.molecules, "\(report)")
    }
}

/// The results for many files.
private struct LayoutTally {
    private(set) var molecules = 0
    /// The number of molecules drawn in their plane that contain an overlap.
    private(set) var spoilt = 0
    private(set) var lines: [String] = []

    private static let mostRecords = 200

    mutating func count(_ folder: String, _ path: String) {
        guard var stream = try? readUnknown(path: folder + "/" + path) else { return }
        for number in 1...Self.mostRecords {
            let record: Record?
            do { record = try stream.next() } catch {
                if case .file = error.kind { return }
                continue
            }
            guard let record else { return }
            for molecule in record.drawnMolecules { count(molecule, "\(path)\t\(number)") }
        }
    }

    private mutating func count(_ molecule: Molecule, _ name: String) {
        guard let layout = Layout(of: molecule) else { return }
        molecules += 1
        let isProjected = layout.sketch.frame.isProjected
        if !isProjected, !layout.overlaps.isEmpty || !layout.crossings.isEmpty { spoilt += 1 }
        let kind = isProjected ? "in space" : "flat"
        if layout.given > 0 { lines.append("given\t\(name)\t\(kind)\t\(layout.given)") }
        for (one, other) in layout.overlaps {
            lines.append("overlap\t\(name)\t\(kind)\t\(layout.words(one))\t\(layout.words(other))")
        }
        for (bond, atom) in layout.crossings {
            let ends = layout.sketch.molecule.bonds[bond]
            lines.append("crossing\t\(name)\t\(kind)\t\(layout.words(atom))\t\(ends.from + 1)-\(ends.to + 1)")
        }
    }
}

extension Layout {
    /// Returns the label of an atom with its number.
    fileprivate func words(_ atom: Int) -> String {
        sketch.labels[atom].letters.map(\.text).joined() + "#\(atom + 1)"
    }
}

extension Molecule {
    fileprivate func charged(_ charges: [Int: Int16]) -> Molecule {
        var molecule = self
        for (atom, charge) in charges { molecule.atoms[atom].charge = charge }
        return molecule
    }
}

extension Record {
    /// The molecules in a picture of the record or of its row.
    fileprivate var drawnMolecules: [Molecule] {
        let own: [Molecule] =
            switch subject {
            case .none: []
            case .molecule(let molecule): [molecule]
            case .reaction(let reaction): reaction.components.map(\.molecule)
            }
        return own
            + fields.flatMap { field -> [Molecule] in
                switch field.cell {
                case .molecule(let molecule): [molecule]
                case .reaction(let reaction): reaction.components.map(\.molecule)
                default: []
                }
            }
    }
}
