import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Page content outside records")
struct DrawingRemainderTests {
    private func told(_ page: String) throws -> [[Text]] {
        let drawing = "<CDXML BondLength=\"30\"><page id=\"1\">\(page)</page></CDXML>"
        return try Reading.all(Array(drawing.utf8), by: DrawingReader.self).records.map { $0.verbatim.map(\.text) }
    }

    private let acid = """
        <fragment id="10"><n id="11" p="100 100"/><n id="12" p="130 100" Element="8"/><b id="13" B="11" E="12"/></fragment>
        """
    private let ester = """
        <fragment id="20"><n id="21" p="300 100"/><n id="22" p="330 100" Element="7"/><b id="23" B="21" E="22"/></fragment>
        """

    @Test("free shapes are reported by kind and count, once, with the first record of the page")
    func shapes() throws {
        let shapes = """
            <graphic id="30" GraphicType="Line" BoundingBox="0 0 9 9"/><graphic id="31" GraphicType="Line"/>
            <graphic id="32" GraphicType="Oval"/><graphic id="33" GraphicType="Orbital"/><graphic id="34" GraphicType="Arc"/>
            <graphic id="35" GraphicType="Bracket"/><curve id="36"/><embeddedobject id="37"/><splitter id="38"/>
            """
        #expect(
            try told(acid + ester + shapes) == [
                [
                    "passed over: 1 × object curve", "passed over: 1 × object embeddedobject",
                    "passed over: 1 × object graphic Arc", "passed over: 1 × object graphic Bracket",
                    "passed over: 2 × object graphic Line", "passed over: 1 × object graphic Orbital",
                    "passed over: 1 × object graphic Oval", "passed over: 1 × object splitter",
                ], [],
            ])
    }

    @Test("arrows, plus signs and texts of a step belong to its record, and a symbol repeats the charge of its node")
    func step() throws {
        let step = """
            <graphic id="40" GraphicType="Line" ArrowType="FullHead" SupersededBy="41"/>
            <arrow id="41" ArrowheadHead="Full" Head3D="280 100 0" Tail3D="150 100 0"/>
            <graphic id="42" GraphicType="Symbol" SymbolType="Plus"/><t id="43"><s>heat</s></t>
            <graphic id="44" GraphicType="Symbol" SymbolType="CircleMinus"><represent attribute="Charge" object="12"/></graphic>
            <scheme><step ReactionStepReactants="10" ReactionStepProducts="20" ReactionStepArrows="40"
            ReactionStepPlusses="42" ReactionStepObjectsAboveArrow="43"/></scheme>
            """
        #expect(try told(acid + ester + step) == [[]])
    }

    @Test("an arrow without a reaction is reported, and so is its annotation")
    func looseArrow() throws {
        let arrow = """
            <arrow id="41" ArrowheadHead="Full" Head3D="280 400 0" Tail3D="150 400 0"><annotation Keyword="a" Content="b"/></arrow>
            """
        #expect(try told(acid + arrow) == [["passed over: 1 × object annotation", "passed over: 1 × object arrow"]])
    }

    @Test("a loss has the number of the skipped objects")
    func losses() throws {
        var losses: [Loss] = []
        losses.note(Verbatim(.chemDraw, passedOver: "object graphic Line", count: 12))
        losses.note(Verbatim(.chemDraw, "passed over: by whom"))
        #expect(losses == [Loss(.unknown, "object graphic Line", count: 12), Loss(.unknown, "passed over: by whom")])
    }

    @Test("every unused shape is reported, with the count of its elements or objects")
    func property() throws {
        for (name, bytes) in WholeDrawingTests.drawings {
            guard let text = WholeDrawing.inCDXML(bytes), let tokens = CDXMLTokens(text.bytes) else { continue }
            var expected: [String: Int] = [:]
            for case .start(let element, let attributes) in tokens.tokens {
                func value(_ name: String) -> String? {
                    attributes.first { $0.isCalled(name) }.map { String(decoding: $0.value, as: UTF8.self) }
                }
                let element = String(decoding: element, as: UTF8.self)
                if element == "curve" || element == "embeddedobject" || element.hasPrefix("tlc") {
                    expected["object \(element)", default: 0] += 1
                } else if element == "graphic", let type = value("GraphicType"),
                    ["Rectangle", "Oval", "Orbital", "Arc"].contains(type), value("SupersededBy") == nil
                {
                    expected["object graphic \(type)", default: 0] += 1
                }
            }
            let records = try Reading.all(bytes, by: DrawingReader.self).records
            var told: [Loss] = []
            for record in records { for verbatim in record.verbatim { told.note(verbatim) } }
            for (object, count) in expected {
                let tally = told.first { $0.detail.string == object }?.count
                #expect(tally == count, "\(name): \(object)")
            }
        }
    }

    @Test("each object of the tree is either used or reported, but not both")
    func exact() throws {
        for (name, bytes) in WholeDrawingTests.drawings {
            let records = try Reading.all(bytes, by: DrawingReader.self).records
            var told: [Loss] = []
            for record in records { for verbatim in record.verbatim { told.note(verbatim) } }
            // An arrow of a step is not reported, and a reported arrow does not belong to a record.
            let arrows = told.first { $0.detail == "object arrow" }?.count ?? 0
            let made = records.count { $0.reaction != nil }
            guard let text = WholeDrawing.inCDXML(bytes), let tokens = CDXMLTokens(text.bytes) else { continue }
            let all = tokens.tokens.count { token in
                if case .start(let element, _) = token { element.elementsEqual("arrow".utf8) } else { false }
            }
            #expect(arrows <= all && (made > 0 || arrows == all), "\(name): \(arrows) of \(all) arrows told")
        }
    }
}
