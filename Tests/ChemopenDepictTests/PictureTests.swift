import Chemopen
import Testing

@testable import ChemopenDepict

@Suite("Pictures")
struct PictureTests {
    private let methanol = Molecule([("C", 0, 0), ("O", 1, 0)], [Bond(0, 1)])

    @Test("SVG output contains lines and text without external resources")
    func svg() {
        var molecule = methanol
        molecule.name = "a <b> & \"c\""
        let text = String(decoding: Picture(of: molecule).svg(), as: UTF8.self)
        #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""))
        #expect(text.contains("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"))
        #expect(text.contains("<path d=\"M5.3 8.58L14.21 8.58\" stroke=\"#000000\" stroke-width=\"0.6\"/>"))
        #expect(text.contains(">O</text>"))
        #expect(!text.contains("id=") && !text.contains("<style") && !text.contains("href"))
    }

    @Test("lines in an HTML page have the text color, and lines on a dark background are light")
    func themes() {
        let inherited = String(decoding: Picture(of: methanol, style: .init(.inherited)).svg(), as: UTF8.self)
        #expect(inherited.contains("stroke=\"currentColor\""))
        let dark = Picture(of: methanol, style: .init(.dark)).palette
        #expect(dark.color(of: .line) == Picture.Color(0xF2, 0xF2, 0xF2))
        #expect(dark.color(of: .element(.oxygen)) != dark.color(of: .line))
    }

    @Test(
        "every color is readable on a light and on a dark background", arguments: [Picture.Palette.Theme.light, .dark])
    func contrast(_ theme: Picture.Palette.Theme) throws {
        var palette = Picture.Palette()
        palette.theme = theme
        palette.hasColors = true
        let ground = theme == .light ? 1.0 : 0.012
        for number in UInt8(1)...118 {
            let element = try #require(ChemicalElement(rawValue: number))
            let light = try #require(palette.color(of: .element(element))).luminance
            #expect((max(light, ground) + 0.05) / (min(light, ground) + 0.05) > 4.5, "\(element.symbol)")
        }
    }

    @Test("a Braille drawing has its labels as letters")
    func terminal() throws {
        let picture = try #require(TerminalPicture(of: Record(methanol), columns: 80))
        #expect(picture.lines.joined(separator: "\n").contains("OH"))
        #expect(picture.lines.contains { $0.unicodeScalars.contains { 0x2801...0x28FF ~= $0.value } })
        let narrow = try #require(TerminalPicture(of: Record(.benzene), columns: 20))
        #expect(narrow.lines.allSatisfy { $0.unicodeScalars.count <= 22 })
    }

    @Test("the input of the drawing program contains all marks")
    func notation() throws {
        var molecule = methanol
        molecule.bonds[0].mark = .up
        let picture = Picture(of: molecule, style: .init(.light, hasColors: true))
        let lines = PaintNotation.bytes(of: picture).split(separator: 10).compactMap { PaintNotation.line($0) }
        #expect(lines.count == picture.marks.count + 1)
        guard case .letters(let letters, let color) = lines[2] else {
            Issue.record("expected letters in the third line")
            return
        }
        #expect(letters.text == "O" && letters.size == 10 && color == Picture.Color(0xC9, 0x1D, 0x1D))
        #expect(PaintNotation.line(Array("S 60".utf8)[...]) == nil)
        #expect(PaintNotation.line(Array("X".utf8)[...]) == nil)
    }

    @Test("V2000 and V3000 of the same molecule produce the same picture")
    func versions() throws {
        for path in try Fixtures.paths(in: "mol") where path.hasSuffix("-v2000.mol") {
            let other = path.replacing("-v2000.mol", with: "-v3000.mol")
            guard var one = try? readUnknown(path: path), var two = try? readUnknown(path: other),
                let first = try one.next(), let second = try two.next(), first.molecule == second.molecule
            else { continue }
            #expect(Picture(of: first) == Picture(of: second), "\(path)")
        }
    }

    @Test("queries, groups and stereo of a molfile are drawn the same from fields of a SketchEl file")
    func fields() throws {
        let molfile = """


            0  0  0     0  0            999 V3000
            M  V30 BEGIN CTAB
            M  V30 COUNTS 6 5 1 0 0
            M  V30 BEGIN ATOM
            M  V30 1 C 0 0 0 0
            M  V30 2 [N,O] 1.3 0.75 0 0
            M  V30 3 C 2.6 0 0 0 HCOUNT=1
            M  V30 4 Pt 3.9 0.75 0 0
            M  V30 5 N 5.2 0 0 0
            M  V30 6 C 2.6 -1.5 0 0 CLASS=AA SEQID=3
            M  V30 END ATOM
            M  V30 BEGIN BOND
            M  V30 1 5 1 2
            M  V30 2 8 2 3
            M  V30 3 1 3 4 RXCTR=4
            M  V30 4 9 5 4
            M  V30 5 1 3 6
            M  V30 END BOND
            M  V30 BEGIN SGROUP
            M  V30 1 SRU 0 ATOMS=(1 3) XBONDS=(3 2 3 5) LABEL=n CONNECT=HT -
            M  V30 BRKXYZ=(9 1.9 -0.4 0 1.9 0.5 0 0 0 0) BRKXYZ=(9 3.2 0.5 0 3.2 -0.4 0 0 0 0)
            M  V30 END SGROUP
            M  V30 BEGIN COLLECTION
            M  V30 MDLV30/STERAC1 ATOMS=(1 3)
            M  V30 END COLLECTION
            M  V30 END CTAB
            M  END
            """
        var writer = try Format.sketchEl.makeWriter(ByteSink(), WriteOptions())
        try writer.begin(SheetHeader())
        let record = try #require(try Record.read(molfile))
        _ = try writer.write(record)
        try writer.finish()
        let sketchEl = String(decoding: writer.takeBytes(), as: UTF8.self)
        let first = try #require(Record.read(molfile).flatMap { Picture(of: $0) })
        let second = try #require(Record.read(sketchEl).flatMap { Picture(of: $0) })
        for word in ["[N,O]", "(H1)", "&1", "S/D", "n", "ht", "C", "3"] { #expect(first.letters(word) != nil) }
        #expect(first.elements == second.elements)
    }

    @Test("every molfile that SketchEl can represent produces the same picture in both formats")
    func sketchEl() throws {
        let drawn: Set<Feature> = [
            .rgroups, .linkNodes, .collections, .stereoGroups, .sgroups, .radicalMultiplicity, .precision,
        ]
        var compared = 0
        for path in try Fixtures.paths(in: "mol") {
            guard var records = try? readUnknown(path: path), let record = try records.next(),
                let molecule = record.molecule, !molecule.flags.contains(.withoutCoordinates)
            else { continue }
            var writer = try Format.sketchEl.makeWriter(ByteSink(), WriteOptions())
            try writer.begin(SheetHeader())
            let losses = try writer.write(record).losses
            try writer.finish()
            if losses.contains(where: { drawn.contains($0.feature) }) { continue }
            let text = String(decoding: writer.takeBytes(), as: UTF8.self)
            let other = try #require(try Record.read(text))
            #expect(Picture(of: record)?.elements == Picture(of: other)?.elements, "\(path)")
            compared += 1
        }
        #expect(compared > 20)
    }

    @Test("CDX and CDXML of the same drawing produce the same picture")
    func drawings() throws {
        var compared = 0
        for path in try Fixtures.paths(in: "cdx") {
            let other = path.replacing("/cdx/", with: "/cdxml/") + "ml"
            guard var one = try? readUnknown(path: path), var two = try? readUnknown(path: other) else { continue }
            while let first = try one.next(), let second = try two.next() {
                #expect(Picture(of: first)?.marks == Picture(of: second)?.marks, "\(path)")
                compared += 1
            }
        }
        #expect(compared > 20)
    }

    @Test("a reaction has its components in a row, with agents above the arrow and conditions below it")
    func reaction() throws {
        var step = Reaction.Step(
            reactants: [.init(Molecule([("N", 0, 0)])), .init(Molecule([("O", 0, 0)]))],
            agents: [.init(Molecule([("Pd", 0, 0)]))], products: [.init(Molecule([("S", 0, 0)]))])
        step.conditions = ["reflux"]
        let picture = Picture(of: Reaction(step))
        let places = try ["N", "+", "O", "Pd", "S", "reflux"].map { try #require(picture.letters($0)) }
        let centers = places.map(\.box.center)
        #expect(centers[0].x < centers[1].x && centers[1].x < centers[2].x && centers[2].x < centers[3].x)
        #expect(centers[3].x < centers[4].x)
        let head = try #require(picture.fills.first)
        #expect(centers[3].y < head[0].y && head[0].y < centers[5].y)
        #expect(places[3].box.right < centers[4].x && centers[2].x < places[3].box.left)
    }

    @Test("each kind of arrow has its own drawing")
    func arrows() {
        let pictures = Reaction.Arrow.allCases.map { kind in
            var step = Reaction.Step(
                reactants: [.init(Molecule([("N", 0, 0)]))], products: [.init(Molecule([("O", 0, 0)]))])
            step.arrow = kind
            return Picture(of: Reaction(step))
        }
        #expect(Set(pictures.map(\.marks)).count == pictures.count)
        #expect(pictures.map(\.fills.count) == [1, 2, 2, 2, 2, 0, 0, 1, 1, 1])
        #expect(pictures.map(\.strokes.count) == [1, 2, 2, 2, 1, 3, 1, 3, 3, 2])
        #expect(pictures[7].title == "H3N ↛ H2O")
    }

    @Test("the text at an arrow preserves its lines")
    func lines() throws {
        var step = Reaction.Step(
            reactants: [.init(Molecule([("N", 0, 0)]))], products: [.init(Molecule([("O", 0, 0)]))])
        step.conditions = ["Pd/C, 2 eq\n\n24 h"]
        let picture = Picture(of: Reaction(step))
        let first = try #require(picture.letters("Pd/C, 2 eq"))
        let second = try #require(picture.letters("24 h"))
        #expect(first.box.center.y < second.box.center.y)
    }

    @Test("a 3D molecule is projected onto the plane with its largest extent")
    func space() throws {
        var molecule = Molecule([("C", 0, 0), ("C", 0, 0), ("O", 0, 0)], [Bond(0, 1), Bond(1, 2)])
        molecule.flags = .threeDimensional
        molecule.atoms[1].position = Position(0, 0, 1.5)
        molecule.atoms[2].position = Position(0, 0.9, 2.6)
        let picture = Picture(of: molecule)
        #expect(picture.strokes.count == 2)
        #expect(picture.strokes.allSatisfy { ($0.points[1] - $0.points[0]).length > 4 })
    }

    @Test("brackets surround their group and have its labels")
    func brackets() throws {
        var molecule = Molecule(
            [("C", -1, 0), ("C", 0, 0.5), ("C", 1, 0), ("C", 2, 0.5)], [Bond(0, 1), Bond(1, 2), Bond(2, 3)])
        var group = Sgroup(.repeatingUnit)
        group.atoms = [1, 2]
        group.label = "n"
        group.connectivity = "HT"
        group.brackets = [
            .init(from: Position(-0.5, -0.5), to: Position(-0.5, 1)),
            .init(from: Position(1.5, 1), to: Position(1.5, -0.5)),
        ]
        molecule.extras.contents.sgroups = [group]
        let picture = Picture(of: molecule)
        let brackets = picture.strokes.filter { $0.points.count == 4 }.sorted { $0.points[1].x < $1.points[1].x }
        #expect(brackets.count == 2)
        #expect(brackets[0].points[0].x > brackets[0].points[1].x)
        #expect(brackets[1].points[0].x < brackets[1].points[1].x)
        let below = try #require(picture.letters("n"))
        let above = try #require(picture.letters("ht"))
        #expect(below.start.x > brackets[1].points[1].x && below.start.y > above.start.y)
    }
}

extension Picture.Color {
    /// The relative luminance according to the Web Content Accessibility Guidelines.
    fileprivate var luminance: Double {
        let parts = [red, green, blue].map { part in
            let value = Double(part) / 255
            // Approximates the sRGB curve by a power of 2.2, which is the square times the fifth root.
            var root = value > 0 ? 0.5 : 0.0
            for _ in 0..<40 where value > 0 {
                root -= (root * root * root * root * root - value) / (5 * root * root * root * root)
            }
            return value * value * root
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
