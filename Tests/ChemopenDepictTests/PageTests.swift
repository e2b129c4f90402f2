import Chemopen
import TestFolders
import Testing

@testable import ChemopenDepict

@Suite("Pages of drawings")
struct PageTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Returns the pages of a document with the specified content.
    private func pages(_ content: String, settings: String = "") throws -> [Page] {
        let document = """
            <?xml version="1.0"?><CDXML LineWidth="1" BoldWidth="3" HashSpacing="2" \(settings)>\
            <fonttable><font id="3" charset="utf-8" name="Times New Roman"/>\
            <font id="4" charset="utf-8" name="Symbol"/></fonttable>\
            <colortable><color r="1" g="1" b="1"/><color r="0" g="0" b="0"/><color r="1" g="0" b="0"/></colortable>\
            \(content)</CDXML>
            """
        return try Page.all(of: Source(folder.put(document, at: "a.cdxml"))) ?? []
    }

    /// Returns the marks on a page with their positions.
    private func marks(_ content: String, settings: String = "") throws -> [Picture.Mark] {
        let page = try #require(try pages("<page>\(content)</page>", settings: settings).first)
        var painter = PagePainter(Picture.Style())
        for thing in page.things { painter.paint(thing) }
        return painter.marks
    }

    private func letters(_ content: String) throws -> [Picture.Letters] {
        try marks(content).compactMap { if case .letters(let letters) = $0 { letters } else { nil } }
    }

    private func strokes(_ content: String) throws -> [[Picture.Point]] {
        try marks(content).compactMap { if case .stroke(let stroke) = $0 { stroke.points } else { nil } }
    }

    private func fills(_ content: String) throws -> [[Picture.Point]] {
        try marks(content).compactMap { if case .fill(let points, _) = $0 { points } else { nil } }
    }

    // MARK: Text

    @Test("text starts at its position, with the font, size, face, color and script of each run")
    func runs() throws {
        let found = try letters(
            """
            <t p="100 50"><s font="3" size="12" face="1">28</s><s size="12" face="2" color="4">R</s>\
            <s size="12" face="64">a</s><s size="12" face="32">x</s><s font="4" size="12">b</s></t>
            """)
        #expect(found.map(\.text) == ["28", "R", "a", "x", "β"])
        #expect(found[0].start == Picture.Point(100, 50))
        #expect(found[0].face.family == .serif && found[0].face.isBold && !found[0].face.isItalic)
        #expect(found[1].face.isItalic && found[1].ink == .color(Picture.Color(255, 0, 0)))
        #expect(found.map(\.script) == [.normal, .normal, .raised, .lowered, .normal])
        #expect(found.map(\.size) == [12, 12, 9, 9, 12])
        #expect(found[1].start.x == found[0].start.x + found[0].width)
    }

    @Test("in a formula, only digits are subscript and charges superscript")
    func formulas() throws {
        let found = try letters(#"<t p="0 0"><s size="10" face="96">2 Pd(PPh3)4, NH4+ 90 C</s></t>"#)
        let spelled = found.map { letters in
            letters.script == .normal ? letters.text : (letters.script == .raised ? "^" : "_") + letters.text
        }
        #expect(spelled == ["2 Pd(PPh", "_3", ")", "_4", ", NH", "_4", "^+", " 90 C"])
    }

    @Test("lines break where the file specifies it, with the specified spacing and alignment")
    func lines() throws {
        let found = try letters(
            """
            <t p="100 50" BoundingBox="80 42.8 120 70" Justification="Center" LineStarts="4 8 13">\
            <s size="10" face="0">one\ntwo three</s></t>
            """)
        #expect(found.map(\.text) == ["one", "two ", "three"])
        #expect(found.map(\.start.y) == [50, 58.9, 67.8])
        for letters in found { #expect(abs(letters.start.x + letters.width / 2 - 100) < 0.001) }
        let right = try letters(#"<t p="100 50" Justification="Right"><s size="10">two</s></t>"#)
        #expect(abs(right[0].start.x + right[0].width - 100) < 0.001)
    }

    @Test("a label that grows to the left is reversed by groups, and a label that grows upwards has two lines")
    func labels() throws {
        func label(_ attributes: String, _ text: String) throws -> String {
            try letters(
                """
                <fragment><n id="1" p="100 100" Element="7"><t p="104 104" \(attributes)>\
                <s size="10" face="96">\(text)</s></t></n></fragment>
                """
            ).map(\.text).joined(separator: "|")
        }
        #expect(try label(#"LabelJustification="Left""#, "CO2Me") == "CO|2|Me")
        #expect(try label(#"LabelJustification="Right" Justification="Right""#, "CO2Me") == "MeO|2|C")
        #expect(try label(#"Justification="Right""#, "N(CH3)2") == "(CH|3|)|2|N")
        let mass = #"</s><s size="10" face="64">18</s><s size="10" face="96">"#
        #expect(try label(#"Justification="Right""#, mass + "OH") == "H|18|O")
        #expect(try label(#"LabelAlignment="Above" LineStarts="2 3""#, "NH") == "H|N")
        #expect(try label(#"LabelAlignment="Below" LineStarts="2 3""#, "NH") == "N|H")
        #expect(try label(#"LabelAlignment="Left" LineStarts="3""#, "NH") == "NH")
    }

    @Test("invisible text and the structure inside an abbreviation are not drawn")
    func hidden() throws {
        let found = try letters(
            """
            <t p="1 1" Visible="no"><s size="10">no</s></t>\
            <fragment><n id="1" p="9 9" NodeType="Fragment"><fragment><n id="2" p="9 9" Element="8"/></fragment>\
            <t p="5 13"><s size="10">Boc</s></t></n></fragment>
            """)
        #expect(found.map(\.text) == ["Boc"])
    }

    // MARK: Structures

    @Test("atoms have their positions, bonds end at labels, and second lines are on the specified side")
    func structure() throws {
        let found = try strokes(
            """
            <fragment><n id="1" p="10 50"/><n id="2" p="30 50"/><n id="3" p="50 50" Element="8"><t p="46 54">\
            <s size="10">O</s></t></n><b B="1" E="2" Order="2" DoublePosition="Right"/><b B="2" E="3"/></fragment>
            """)
        #expect(found.count == 3)
        #expect(found[0] == [Picture.Point(10, 50), Picture.Point(30, 50)])
        #expect(found[1].allSatisfy { abs($0.y - 47.408) < 0.001 })
        #expect(found[2].first == Picture.Point(30, 50))
        #expect(found[2][1].x > 40 && found[2][1].x < 46)
    }

    @Test(
        "a bond that crosses over another leaves a gap in it, independent of their order in the file",
        arguments: [(2, 1), (1, 2), (0, 0)])
    func crossings(_ z: (first: Int, second: Int)) throws {
        let found = try strokes(
            """
            <fragment><n id="1" p="10 50"/><n id="2" p="90 50"/><n id="3" p="50 10"/><n id="4" p="50 90"/>\
            <b id="5" B="1" E="2" Z="\(z.first)" CrossingBonds="6"/>\
            <b id="6" B="3" E="4" Z="\(z.second)" CrossingBonds="5"/></fragment>
            """)
        let (level, upright) = (found.filter { $0[0].y == $0[1].y }, found.filter { $0[0].x == $0[1].x })
        #expect(found.count == 3)
        let (whole, cut) = z.first > z.second ? (level, upright) : (upright, level)
        #expect(whole.count == 1)
        // The line is one point wide, and the margin is the default for drawings that do not specify it.
        let reaches = cut.flatMap { $0 }.map { abs($0.x - 50) + abs($0.y - 50) }.sorted()
        #expect(reaches.count == 4 && abs(reaches[0] - reaches[1]) < 0.001 && reaches[2] == 40)
        #expect(reaches[0] > 1 && reaches[0] < 4)
    }

    @Test("bonds that claim to cross but do not, or that cross themselves, have no gap")
    func claimedCrossings() throws {
        let found = try strokes(
            """
            <fragment><n id="1" p="10 50"/><n id="2" p="90 50"/><n id="3" p="10 90"/><n id="4" p="90 90"/>\
            <b id="5" B="1" E="2" CrossingBonds="6 5 7 99"/><b id="6" B="3" E="4" CrossingBonds="5 5"/>\
            <b id="7" B="1" E="3" CrossingBonds="5"/></fragment>
            """)
        #expect(found.count == 3)
    }

    @Test("only highlighted atoms and bonds have a colored band in the background")
    func highlights() throws {
        let found = try marks(
            """
            <fragment><n id="1" p="10 50" highlightColor="4"/><n id="2" p="30 50" highlightColor="4"/>\
            <n id="3" p="50 50"/>\
            <b B="1" E="2" highlightColor="4"/><b B="2" E="3"/></fragment>
            """)
        let red = Picture.Ink.color(Picture.Color(255, 0, 0))
        let fills = found.prefix(3).compactMap { if case .fill(let points, red) = $0 { points } else { nil } }
        #expect(fills.map(\.count) == [4, 24, 24])
        #expect(fills[0].allSatisfy { $0.x >= 10 && $0.x <= 30 && abs(abs($0.y - 50) - 2.88) < 0.001 })
        #expect(found.dropFirst(3).allSatisfy { if case .stroke = $0 { true } else { false } })
    }

    @Test("the label of a bracket is at its lower corner if it has no valid position, and otherwise at that position")
    func bracketTexts() throws {
        func start(_ place: String, name: String = "bracketusage", _ more: String = "") throws -> Picture.Point? {
            try letters(
                """
                <graphic BoundingBox="200 80 200 20" GraphicType="Bracket" BracketType="Square">\
                <objecttag Name="\(name)"><t p="\(place)"><s size="10">n</s></t></objecttag>\(more)</graphic>
                """
            ).first?.start
        }
        #expect(try start("203 82") == .init(203, 82))
        #expect(try start("203 20") == .init(203, 20))
        #expect(try start("0 0") == .init(202.8, 82.5))
        #expect(try start("540 710") == .init(202.8, 82.5))
        #expect(try start("540 710", name: "other") == .init(540, 710))
        let unseen = #"<objecttag Name="parameterizedBracketLabel" Visible="no"><t p="260 85"><s>n</s></t></objecttag>"#
        #expect(try start("0 0", unseen) == .init(260, 85))
        #expect(try start("203 82", unseen) == .init(203, 82))
    }

    // MARK: Arrows

    private func arrow(_ attributes: String) -> String {
        #"<arrow Head3D="100 50 0" Tail3D="20 50 0" HeadSize="1000" ArrowheadCenterSize="800" ArrowheadWidth="300" \#(attributes)/>"#
    }

    @Test("an arrow leads from its tail to its head, with its arrowheads")
    func arrows() throws {
        let full = try fills(arrow(#"ArrowheadHead="Full""#))
        #expect(full == [[.init(100, 50), .init(90, 47), .init(92, 50), .init(90, 53)]])
        #expect(
            try fills(arrow(#"ArrowheadHead="Full" ArrowheadTail="Full""#)).map(\.first) == [
                .init(100, 50), .init(20, 50),
            ])
        #expect(try fills(arrow(#"ArrowheadHead="HalfLeft""#)) == [[.init(100, 50), .init(90, 47), .init(92, 50)]])
        #expect(try fills(arrow(#"ArrowheadHead="HalfRight""#)) == [[.init(100, 50), .init(90, 53), .init(92, 50)]])
        #expect(try strokes(arrow("")) == [[.init(20, 50), .init(100, 50)]])
        #expect(
            try strokes(arrow(#"ArrowheadHead="Full" ArrowheadType="Angle""#)).contains([
                .init(90, 47), .init(100, 50), .init(90, 53),
            ]))
    }

    @Test("an arrowhead that consists of two barbs has visible lines")
    func barbs() throws {
        let barbs =
            #"<arrow Head3D="100 50 0" Tail3D="20 50 0" HeadSize="1000" ArrowheadCenterSize="25" ArrowheadWidth="300" "#
        let full = try strokes(barbs + #"ArrowheadHead="Full"/>"#)
        #expect(full.first == [.init(90, 47), .init(100, 50), .init(90, 53)])
        #expect(try strokes(barbs + #"ArrowheadHead="HalfLeft"/>"#).first == [.init(90, 47), .init(100, 50)])
        #expect(try strokes(barbs + #"ArrowheadHead="HalfRight"/>"#).first == [.init(90, 53), .init(100, 50)])
    }

    @Test("an equilibrium arrow has two opposite lines, and a retrosynthetic arrow has two lines and an open head")
    func doubleArrows() throws {
        let both = arrow(#"ArrowheadHead="HalfLeft" ArrowheadTail="HalfLeft" ArrowShaftSpacing="400""#)
        #expect(try fills(both).map(\.first) == [.init(100, 48), .init(20, 52)])
        let retro = try strokes(arrow(#"ArrowheadHead="Full" ArrowheadType="Angle" ArrowShaftSpacing="400""#))
        #expect(retro.count == 3)
        #expect(retro.prefix(2).map(\.first?.y) == [48, 52])
        #expect(retro[2][1] == .init(100, 50))
    }

    @Test("a no-go arrow is crossed out, and a dipole has a plus sign at its tail")
    func signs() throws {
        let plain = try strokes(arrow(#"ArrowheadHead="Full""#)).count
        #expect(try strokes(arrow(#"ArrowheadHead="Full" NoGo="Cross""#)).count == plain + 2)
        #expect(try strokes(arrow(#"ArrowheadHead="Full" NoGo="Hash""#)).count == plain + 2)
        let dipole = try strokes(arrow(#"ArrowheadHead="Full" Dipole="yes""#))
        #expect(dipole.count == plain + 1)
        #expect(dipole[plain].allSatisfy { $0.x > 20 && $0.x < 30 })
    }

    @Test("an arc has the specified ends, and an older graphic of the same arrow is not drawn")
    func arcs() throws {
        let arc = try strokes(
            #"<arrow id="7" Head3D="100 50 0" Tail3D="60 90 0" Center3D="60 50 0" AngularSize="90"/>"#)
        let ends = try #require(arc.first)
        #expect((ends[0] - Picture.Point(60, 90)).length < 0.001)
        #expect((ends[ends.count - 1] - Picture.Point(100, 50)).length < 0.001)
        #expect(ends.allSatisfy { abs(($0 - Picture.Point(60, 50)).length - 40) < 0.001 })
        let twice =
            #"<graphic SupersededBy="7" GraphicType="Line" ArrowType="FullHead" BoundingBox="100 50 20 50"/>"#
            + #"<arrow id="7" Head3D="100 50 0" Tail3D="20 50 0" ArrowheadHead="Full"/>"#
        #expect(try fills(twice).count == 1)
        #expect(try fills(#"<graphic GraphicType="Line" ArrowType="FullHead" BoundingBox="100 50 20 50"/>"#).count == 1)
    }

    @Test(
        "an older arrow with two lines has a default spacing",
        arguments: ["Equilibrium", "Hollow", "RetroSynthetic"])
    func olderDoubleArrow(type: String) throws {
        let line = #"<graphic GraphicType="Line" ArrowType="\#(type)" BoundingBox="100 50 20 50"/>"#
        let page = try #require(try pages("<page>\(line)</page>").first)
        let spacings = page.things.compactMap { if case .arrow(let arrow) = $0 { arrow.spacing } else { nil } }
        #expect(spacings.count == 1)
        #expect(spacings.allSatisfy { $0 > 1 })
    }

    @Test("a node without a label is drawn in its color, with its complete charge")
    func unlabeledNode() throws {
        let node = #"<n id="1" p="10 10" Element="26" NumHydrogens="0" Charge="16" color="4"/>"#
        let found = try letters("<fragment>\(node)</fragment>")
        #expect(found.map(\.text).joined() == "Fe16+")
        #expect(found.allSatisfy { $0.ink == .color(Picture.Color(255, 0, 0)) })
    }

    // MARK: Shapes

    private func box(_ points: [Picture.Point]) -> [Double] {
        [
            points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0, points.map(\.x).max() ?? 0,
            points.map(\.y).max() ?? 0,
        ]
    }

    @Test(
        "lines, boxes, ovals, curves and frames have the specified position",
        arguments: [
            (#"<graphic GraphicType="Line" BoundingBox="20 10 60 40"/>"#, [20.0, 10, 60, 40]),
            (#"<graphic GraphicType="Rectangle" BoundingBox="60 40 20 10"/>"#, [20, 10, 60, 40]),
            (
                #"<graphic GraphicType="Rectangle" RectangleType="RoundEdge Dashed" BoundingBox="60 40 20 10"/>"#,
                [20, 10, 60, 40]
            ),
            (#"<graphic GraphicType="Oval" OvalType="Circle" BoundingBox="50 30 40 30"/>"#, [30, 20, 50, 40]),
            (
                #"<graphic GraphicType="Oval" Center3D="40 30 0" MajorAxisEnd3D="60 30 0" MinorAxisEnd3D="40 25 0" BoundingBox="0 0 9 9"/>"#,
                [20, 25, 60, 35]
            ),
            (
                #"<graphic GraphicType="Bracket" BracketType="SquarePair" LipSize="40" BoundingBox="20 10 60 40"/>"#,
                [20, 10, 60, 40]
            ),
            (#"<curve CurvePoints="0 0 20 10 30 10 40 40 60 40 90 90"/>"#, [20, 10, 60, 40]),
            (
                #"<tlcplate TopLeft="20 10" TopRight="60 10" BottomRight="60 40" BottomLeft="20 40"/>"#,
                [20, 10, 60, 40]
            ),
            (#"<table><page BoundsInParent="20 10 60 40"/></table>"#, [20, 10, 60, 40]),
        ])
    func shapes(_ thing: String, _ stated: [Double]) throws {
        let points = try strokes(thing).flatMap { $0 }
        for (one, other) in zip(box(points), stated) { #expect(abs(one - other) < 0.05) }
    }

    @Test("the text of a table cell has the position of the cell")
    func cells() throws {
        let found = try letters(
            #"<table><page BoundsInParent="20 10 60 40"><t p="5 6"><s size="9">1</s></t></page></table>"#)
        #expect(found.first?.start == Picture.Point(25, 16))
    }

    @Test(
        "each symbol and each orbital is drawn",
        arguments: [
            "LonePair", "Electron", "RadicalCation", "RadicalAnion", "CirclePlus", "CircleMinus", "Dagger",
            "DoubleDagger",
            "Plus", "Minus", "Racemic", "Absolute", "Relative", "LonePairBar",
        ].map { #"SymbolType="\#($0)" GraphicType="Symbol""# }
            + ["s", "oval", "lobe", "p", "hybridPlus", "dz2Minus", "dxy", "pShaded", "dxyFilled"].map {
                #"OrbitalType="\#($0)" GraphicType="Orbital""#
            })
    func symbols(_ attributes: String) throws {
        let marks = try marks(#"<graphic \#(attributes) BoundingBox="50 30 40 30"/>"#)
        #expect(!marks.isEmpty)
        var all = Box.empty
        for mark in marks { all.add(mark.box) }
        #expect(all.left > 25 && all.right < 56 && all.top > 15 && all.bottom < 45)
    }

    @Test("filled shapes cover the objects below them, in the Z order of the file")
    func order() throws {
        let page = try pages(
            """
            <page><graphic Z="9" GraphicType="Rectangle" RectangleType="Filled" BoundingBox="0 0 9 9"/>\
            <t Z="2" p="1 8"><s size="9">x</s></t></page>
            """)
        guard case .text? = page.first?.things.first, case .shape? = page.first?.things.last else {
            Issue.record("expected the text below the box")
            return
        }
    }

    // MARK: Pictures, pages

    @Test("a picture is embedded unchanged, and an unsupported picture is reported and drawn as a frame with its name")
    func pictures() throws {
        let pages = try pages(
            """
            <page><embeddedobject BoundingBox="10 20 40 60" PNG="89504E470D0A"/>\
            <embeddedobject BoundingBox="50 20 90 60" CompressedEnhancedMetafile="AAAA"/><spectrum/></page>
            """)
        let page = try #require(pages.first)
        let svg = String(decoding: try #require(Picture(of: page)).svg(), as: UTF8.self)
        #expect(
            svg.contains(#"width="30" height="40" preserveAspectRatio="none" href="data:image/png;base64,iVBORw0K"/>"#))
        #expect(svg.contains(">EMF</text>"))
        #expect(page.undrawn == [Page.UnsupportedItem("embeddedobject (EMF)", 1), Page.UnsupportedItem("spectrum", 1)])
    }

    @Test("a text above the length limit is truncated with a note, and a text at the limit is not")
    func longTexts() throws {
        for (count, names) in [(65_536, []), (65_537, ["end of a text of more than 65536 letters"])] {
            let letters = String(repeating: "é", count: count)
            let pages = try pages("<page><t p=\"10 20\"><s>\(letters)</s></t></page>")
            let page = try #require(pages.first)
            #expect(page.undrawn.map(\.name) == names)
            let texts = page.things.compactMap { if case .text(let text) = $0 { text } else { nil } }
            #expect(texts.flatMap(\.lines).map { $0.runs.reduce(0) { $0 + $1.text.count } } == [65_536])
        }
    }

    @Test("each page is a separate picture, and an empty page has no picture")
    func severalPages() throws {
        let pages = try pages(#"<page><t p="1 8"><s size="9">x</s></t></page><page/>"#)
        #expect(pages.map { Picture(of: $0)?.title } == ["x", nil])
        let molfile = try folder.put("\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n", at: "a.mol")
        #expect(try Page.all(of: Source(molfile)) == nil)
    }

    @Test("CDX and CDXML of a drawing produce the same picture", arguments: Pair.all)
    private func spellings(_ pair: Pair) throws {
        func painted(_ name: String) throws -> [String] {
            try (Page.all(of: Source(name)) ?? []).map { page in
                Picture(of: page).map { String(decoding: $0.svg(), as: UTF8.self) } ?? ""
            }
        }
        #expect(try painted(pair.binary) == painted(pair.xml))
    }

    // MARK: Hostile pages

    @Test("invalid positions and extreme sizes produce a valid picture")
    func places() throws {
        for value in ["NaN", "1e300", "-1e12", "99999999999"] {
            let page = try #require(
                try pages(
                    """
                    <page><t p="\(value) 5"><s size="\(value)">x</s></t><t p="1 5"><s size="\(value)">y</s></t>\
                    <arrow Head3D="\(value) 0 0" Tail3D="0 0 0" ArrowheadHead="Full" HeadSize="9999999"/>\
                    <arrow Head3D="9 0 0" Tail3D="0 0 0" AngularSize="\(value)" ArrowheadHead="Full"/>\
                    <graphic GraphicType="Rectangle" BoundingBox="0 0 \(value) 9"/>\
                    <curve CurvePoints="0 0 1 1 \(value) 2 3 3 4 4 5 5"/>\
                    <fragment><n id="1" p="\(value) 1"/><n id="2" p="2 2"/><b B="1" E="2"/><b B="2" E="2"/></fragment></page>
                    """, settings: #"BondLength="\#(value)""#
                ).first)
            let picture = Picture(of: page)
            #expect((picture?.width ?? 1).isFinite && (picture?.height ?? 1) < 300_000)
        }
    }

    @Test("the cost of a page is linear in its content")
    func growing() {
        let things = [
            #"<t p="5 5"><s size="9">x</s></t>"#,
            #"<graphic GraphicType="Symbol" BoundingBox="50 30 40 30"/>"#,
            #"<fragment><n id="1" p="5 5" NodeType="ExternalConnectionPoint" ExternalConnectionType="Wavy"/></fragment>"#,
            #"<group><table><page BoundsInParent="0 0 9 9"/></table></group>"#,
        ]
        for thing in things {
            let factor = growth(from: 200) { count in
                let all = String(repeating: thing, count: count)
                let page = try? pages("<page>\(all)</page>").first
                _ = page.flatMap { Picture(of: $0)?.marks.count }
            }
            #expect(factor < 9)
        }
    }

    @Test("deeply nested groups are drawn on the same page")
    func depth() throws {
        let deep = 200
        let nested = String(repeating: "<group>", count: deep) + #"<t p="5 5"><s size="9">x</s></t>"#
        let page = try pages("<page>\(nested)\(String(repeating: "</group>", count: deep))</page>").first
        #expect(page?.things.count == 1)
    }
}

/// A fixture in both CDX and CDXML.
private struct Pair: CustomTestStringConvertible {
    let binary: String
    let xml: String

    var testDescription: String { binary.split(separator: "/").last.map(String.init) ?? binary }

    static let all: [Pair] = {
        let spelled = Set((try? Fixtures.paths(in: "cdxml")) ?? [])
        return ((try? Fixtures.paths(in: "cdx")) ?? []).compactMap { binary in
            let name = binary.split(separator: "/").last?.split(separator: ".").first ?? ""
            let xml = "\(Fixtures.folder)/cdxml/\(name).cdxml"
            return spelled.contains(xml) ? Pair(binary: binary, xml: xml) : nil
        }
    }()
}
