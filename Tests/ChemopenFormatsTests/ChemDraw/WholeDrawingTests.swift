import ChemopenBytes
import ChemopenModel
import Foundation
import Testing

@testable import ChemopenFormats

@Suite("Complete drawings, rewritten")
struct WholeDrawingTests {
    private let page = """
        <?xml version="1.0" encoding="UTF-8" ?>
        <!DOCTYPE CDXML SYSTEM "http://www.cambridgesoft.com/xml/cdxml.dtd" >
        <CDXML BondLength="14.4" LabelFont="3" LabelSize="9.5" LabelFace="96" CaptionJustification="Center">
        <colortable>
        <color r="1" g="0.5" b="0"/>
        </colortable>
        <fonttable>
        <font id="3" charset="iso-8859-1" name="Arial"/>
        </fonttable>
        <page id="1" BoundingBox="0 0 540 720">
        <fragment id="2">
        <n id="3" p="100.25 50.01" Element="8" Charge="-1" NumHydrogens="0"/>
        <n id="4" p="114.65 50.01"/>
        <b id="5" B="3" E="4" Order="1.5" Display="WedgeBegin"/>
        </fragment>
        <graphic id="6" BoundingBox="10 10 20 20" GraphicType="Rectangle" RectangleType="RoundEdge Shadow"/>
        <graphic id="7" GraphicType="Symbol" SymbolType="CircleMinus">
        <represent attribute="Charge" object="3"/>
        </graphic>
        <curve id="8" CurvePoints="1 2 3.5 4 5 6.25" Closed="yes"/>
        <t id="9" p="200 60" LineStarts="4 9"><s font="3" size="9.5" color="0">80 °C, </s>\
        <s font="3" size="9.5" color="2" face="32">α &amp; β</s></t>
        <arrow id="10" Head3D="300 50 0" Tail3D="250 50 0" NoGo="Cross" Dipole="no"/>
        <embeddedobject id="11" PNG="89504E47" CompressedEnhancedMetafile="AQIDBA=="/>
        </page>
        </CDXML>

        """

    @Test("each encoding expresses all content of the other: shapes, runs, fonts, colors, pictures and more")
    func across() throws {
        let binary = try #require(WholeDrawing.inCDX(Array(page.utf8)))
        #expect(binary.losses == [])
        let text = try #require(WholeDrawing.inCDXML(binary.bytes))
        #expect(text.losses == [])
        #expect(String(decoding: text.bytes, as: UTF8.self) == page)
    }

    @Test(
        "a drawing written from records is rewritten unchanged, and so is a rewritten drawing",
        arguments: ["mol", "sdf", "rxn", "rdf", "el", "ds", "cdx", "cdxml"])
    func again(folder: String) throws {
        let format = try #require(Format.all.first { $0.extensions.contains(folder) })
        for fixture in Fixture.all(in: folder) {
            guard let outcomes = try? readAll(fixture.bytes, as: format) else { continue }
            let records = outcomes.compactMap { $0.reading?.record }
            if records.isEmpty { continue }
            let text = try write(records, as: .cdxml).bytes
            #expect(WholeDrawing.inCDXML(text)?.bytes == text, "\(fixture.testDescription)")
            let binary = try write(records, as: .cdx).bytes
            #expect(WholeDrawing.inCDX(binary)?.bytes == binary, "\(fixture.testDescription)")
            guard folder.hasPrefix("cdx"), let whole = WholeDrawing.inCDXML(try fixture.bytes) else { continue }
            #expect(WholeDrawing.inCDXML(whole.bytes)?.bytes == whole.bytes, "\(fixture.testDescription)")
        }
    }

    @Test(
        "a number or enumeration value has the size of its property in CDX",
        arguments: [
            (#"<b id="4" B="2" E="3" EndExternalNum="2"/>"#, [0x12, 0x06, 1, 0, 2]),
            (#"<b id="4" B="2" E="3" BeginExternalNum="-1"/>"#, [0x11, 0x06, 1, 0, 0xFF]),
            (#"<constraint id="4" ConstraintType="Angle"/>"#, [0x83, 0x0B, 1, 0, 2]),
            (#"<embeddedobject id="4" UncompressedWindowsMetafileSize="7"/>"#, [0x6B, 0x0A, 4, 0, 7, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func widths(object: String, item: [UInt8]) throws {
        let drawing =
            #"<CDXML><page id="1"><fragment id="5"><n id="2"/><n id="3"/>"# + object + "</fragment></page></CDXML>"
        let made = try #require(WholeDrawing.inCDX(Array(drawing.utf8)))
        let end: [UInt8] = [0, 0]
        #expect(made.bytes.indices.contains { made.bytes[$0...].starts(with: item + end) })
    }

    @Test(
        "a text is encoded in the character set of its font",
        arguments: [("iso-8859-1", [0xE9]), ("x-mac-roman", [0x8E]), ("utf-8", [0xC3, 0xA9])] as [(String, [UInt8])])
    func characterSets(name: String, letter: [UInt8]) throws {
        let drawing =
            #"<CDXML><fonttable><font id="3" charset="\#(name)" name="Arial"/></fonttable><page id="1">"#
            + #"<t id="2"><s font="3" size="10">é!</s></t></page></CDXML>"#
        let made = try #require(WholeDrawing.inCDX(Array(drawing.utf8)))
        let oneStyle: [UInt8] = [1, 0, 0, 0, 3, 0, 0, 0, 200, 0, 0, 0]
        let text = [0x00, 0x07, UInt8(oneStyle.count + letter.count + 1), 0] + oneStyle + letter + [UInt8(ascii: "!")]
        #expect(made.bytes.indices.contains { made.bytes[$0...].starts(with: text) })
    }

    @Test("an XML name starts with a letter and continues with letters, digits and some punctuation")
    func names() {
        for first in ["A", "Z", "_", "a", "z", "À", "Ö", "Ø", "ö", "ø", "ÿ", "\u{37F}", "\u{200C}", "語", "\u{EFFFF}"] {
            #expect(XMLText.isName(Array(first.utf8)) && XMLText.isName(Array(("x" + first).utf8)), "\(first)")
        }
        for later in ["-", ".", "0", "9", "·", "\u{300}", "\u{203F}"] {
            #expect(!XMLText.isName(Array(later.utf8)) && XMLText.isName(Array(("x" + later).utf8)), "\(later)")
        }
        for none in ["", "@", "[", "`", "{", ":", "×", "÷", "\u{37E}", "\u{200B}", "\u{2190}", "\u{F0000}", " "] {
            #expect(
                !XMLText.isName(Array(none.utf8)) && !XMLText.isName(Array(("x" + none + "x").utf8)) || none.isEmpty)
        }
    }

    @Test("rewriting in the same encoding preserves unknown names and data")
    func same() throws {
        let unknown = try Fixture("cdx/unknown-tags.cdx").bytes
        let binary = try #require(WholeDrawing.inCDX(unknown))
        #expect(binary.bytes == unknown && binary.losses == [])
        let names = try Fixture("cdxml/unknown-names.cdxml").bytes
        let text = try #require(WholeDrawing.inCDXML(names))
        let written = String(decoding: text.bytes, as: UTF8.self)
        #expect(text.losses == [])
        #expect(written.contains("Mood=\"fair &amp; dry\"") && written.contains("Spin=\"left\""))
        #expect(written.contains("<hologram id=\"60\" Name=\"A\">\n<layer id=\"63\">a &lt; b</layer>\n</hologram>"))
    }

    @Test("data that XML cannot represent is reported, and data that CDX cannot represent uses user tags")
    func withoutWords() throws {
        let text = try #require(WholeDrawing.inCDXML(try Fixture("cdx/unknown-tags.cdx").bytes))
        let told = text.losses.map { "\($0.count) × \($0.detail)" }.sorted()
        #expect(told == ["1 × object 8099", "1 × property 0456", "1 × property 0835"])
        let names = try #require(WholeDrawing.inCDXML(try Fixture("cdxml/unknown-names.cdxml").bytes))
        let binary = try #require(WholeDrawing.inCDX(names.bytes))
        #expect(binary.losses == [])
        #expect(WholeDrawing.inCDXML(binary.bytes)?.bytes == names.bytes)
    }

    @Test("a font size in CDX is a multiple of a twentieth of a point, and rounding is reported")
    func sizes() throws {
        let drawing = "<CDXML><page id=\"1\"><t id=\"2\"><s size=\"8.66667\">a</s></t></page></CDXML>"
        let made = try #require(WholeDrawing.inCDX(Array(drawing.utf8)))
        #expect(made.losses == [Loss(.precision, "written in twentieths of a point")])
    }

    @Test("the documents of a list are merged in CDX with a note")
    func list() throws {
        let bytes = try Fixture("cdxml/list-of-documents.cdxml").bytes
        let made = try #require(WholeDrawing.inCDX(bytes))
        #expect(made.losses.map(\.detail) == ["settings of an additional document"])
        let records = try Reading.all(bytes, by: DrawingReader.self).records
        #expect(try Reading.all(made.bytes, by: DrawingReader.self).records.count == records.count)
    }

    @Test("a truncated drawing, or a file that is not a drawing, is not rewritten")
    func cut() throws {
        let bytes = try Fixture("cdx/reaction.cdx").bytes
        for count in [0, 7, 22, 30, bytes.count / 2] {
            #expect(WholeDrawing.inCDXML(Array(bytes.prefix(count))) == nil)
        }
        #expect(WholeDrawing.inCDX(Array(page.utf8.dropLast(30))) == nil)
        #expect(WholeDrawing.inCDXML(Array("<DataSheet/>".utf8)) == nil)
    }

    @Test("a drawing with groups nested deeper than the XML limit is not written as XML")
    func deep() throws {
        for count in [2, 998, 999, 1000, 4000] {
            var bytes = Array("VjCD0100".utf8) + [4, 3, 2, 1] + Array(repeating: 0, count: 16)
            for group in 1...UInt16(count) {
                bytes += [0x02, 0x80, UInt8(truncatingIfNeeded: group), UInt8(group >> 8), 0, 0]
            }
            bytes += Array(repeating: 0, count: 2 * count)
            #expect(WholeDrawing.inCDX(bytes) != nil)
            let text = WholeDrawing.inCDXML(bytes)
            #expect((text != nil) == (count < 1000), "\(count)")
            if let text { #expect(WholeDrawing.inCDXML(text.bytes)?.bytes == text.bytes, "\(count)") }
        }
    }

    @Test("an object name that is invalid or already used in XML is not written, and reported")
    func ownNames() throws {
        let header = Array("VjCD0100".utf8) + [4, 3, 2, 1] + Array(repeating: 0, count: 16)
        func property(_ tag: UInt16, _ text: String) -> [UInt8] {
            [UInt8(tag & 0xFF), UInt8(tag >> 8), UInt8(text.utf8.count), 0] + text.utf8
        }
        for name in ["", " ", "a b", "1a", "-", "a:b", "a\u{0}", "\u{D7}", "n", "CDXML", "a>"] {
            for kind: [UInt8] in [[0x00, 0xCF], [0x06, 0x80]] {
                let object = kind + [7, 0, 0, 0] + property(0x4F00, name) + [0, 0]
                let made = try #require(WholeDrawing.inCDXML(header + object))
                #expect(made.losses.map(\.detail) == [kind[0] == 0 ? "object CF00" : "property 4F00"], "\(name)")
                #expect(WholeDrawing.inCDXML(made.bytes)?.bytes == made.bytes, "\(name)")
            }
        }
        for attribute in ["=a", "a", " =a", "xmlns=a", "a:b=c", "<=a"] {
            let object = [0x06, 0x80, 7, 0, 0, 0] + property(0x4F01, attribute) + [0, 0]
            let made = try #require(WholeDrawing.inCDXML(header + object))
            #expect(made.losses.map(\.detail) == ["property 4F01"], "\(attribute)")
            #expect(WholeDrawing.inCDXML(made.bytes)?.bytes == made.bytes, "\(attribute)")
        }
        let sound = [0x00, 0xCF, 7, 0, 0, 0] + property(0x4F00, "\u{E4}-1") + property(0x4F01, "b.c=d") + [0, 0]
        let made = try #require(WholeDrawing.inCDXML(header + sound))
        let text = String(decoding: made.bytes, as: UTF8.self)
        #expect(made.losses == [] && text.contains(#"<\#u{E4}-1 id="7" b.c="d"/>"#))
    }

    @Test("text between elements preserves its leading spaces, wherever the parser splits it")
    func letters() throws {
        for letters in ["\n  &gt;a\n", "\n \u{E9}\n", " <![CDATA[ b]]>", "\n<!-- c --> d", "\n&#65;"] {
            let drawing = "<CDXML><page id=\"1\"><t id=\"2\"/>\(letters)<t id=\"3\"/></page></CDXML>"
            let made = try #require(WholeDrawing.inCDXML(Array(drawing.utf8)))
            #expect(WholeDrawing.inCDXML(made.bytes)?.bytes == made.bytes, "\(letters)")
        }
    }

    @Test("an attribute in two namespaces is written once, and the other is reported")
    func namespaces() throws {
        let drawing = #"<CDXML><page id="1" a:Width="1" b:Width="2"/></CDXML>"#
        let made = try #require(WholeDrawing.inCDXML(Array(drawing.utf8)))
        #expect(made.losses.map(\.detail) == ["attribute Width"])
        #expect(WholeDrawing.inCDXML(made.bytes)?.bytes == made.bytes)
    }

    @Test("a picture that is too large for an XML attribute is omitted and reported")
    func largePicture() throws {
        let header = Array("VjCD0100".utf8) + [4, 3, 2, 1] + Array(repeating: 0, count: 16)
        let size = UInt32(5_000_000)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        let picture = [0x64, 0x0A, 0xFF, 0xFF] + length + Array(repeating: 0x41, count: Int(size))
        let made = try #require(WholeDrawing.inCDXML(header + [0x09, 0x80, 7, 0, 0, 0] + picture + [0, 0]))
        #expect(made.losses.map(\.detail) == ["attribute OLEObject, too long for XML"])
        #expect(WholeDrawing.inCDXML(made.bytes)?.bytes == made.bytes)
    }

    @Test("a text without any XML character is written as empty text, and reported")
    func control() throws {
        let properties: [UInt8] = [0x00, 0x07, 3, 0, 0, 0, 1]
        let text: [UInt8] = [0x06, 0x80, 7, 0, 0, 0] + properties + [0, 0]
        let header = Array("VjCD0100".utf8) + [4, 3, 2, 1] + Array(repeating: 0, count: 16)
        let made = try #require(WholeDrawing.inCDXML(header + text))
        #expect(String(decoding: made.bytes, as: UTF8.self).contains("<t id=\"7\"><s/></t>"))
        #expect(made.losses.map(\.detail) == ["characters that XML cannot represent"])
        #expect(WholeDrawing.inCDXML(made.bytes)?.bytes == made.bytes)
    }

    /// The drawings of `TestData`, and of a corpus if there is one.
    static let drawings: [(name: String, bytes: [UInt8])] = {
        var found = (Fixture.all(in: "cdx") + Fixture.all(in: "cdxml")).compactMap { fixture in
            (try? fixture.bytes).map { (fixture.testDescription, $0) }
        }
        if let corpus = ProcessInfo.processInfo.environment["CHEMOPEN_CORPUS"] {
            for folder in ["cdx", "cdxml", "roundtrip/chemdraw"] {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(corpus)/\(folder)")) ?? []
                for name in names.sorted() where name.hasSuffix(".cdx") || name.hasSuffix(".cdxml") {
                    guard let data = FileManager.default.contents(atPath: "\(corpus)/\(folder)/\(name)") else {
                        continue
                    }
                    found.append((name, Array(data)))
                }
            }
        }
        return found.map { (name: $0.0, bytes: $0.1) }
    }()

    @Test("rewriting is idempotent in both encodings, and so is a round trip")
    func again() throws {
        #expect(Self.drawings.count > 70)
        for (name, bytes) in Self.drawings {
            guard let binary = WholeDrawing.inCDX(bytes), let text = WholeDrawing.inCDXML(bytes) else { continue }
            #expect(WholeDrawing.inCDX(binary.bytes)?.bytes == binary.bytes, "\(name)")
            #expect(WholeDrawing.inCDXML(text.bytes)?.bytes == text.bytes, "\(name)")
            let there = try #require(WholeDrawing.inCDXML(binary.bytes), "\(name)")
            let back = try #require(WholeDrawing.inCDX(there.bytes), "\(name)")
            #expect(WholeDrawing.inCDXML(back.bytes)?.bytes == there.bytes, "\(name)")
        }
    }

    @Test("the records of a drawing are the same in every encoding")
    func records() throws {
        for (name, bytes) in Self.drawings {
            guard let binary = WholeDrawing.inCDX(bytes), let text = WholeDrawing.inCDXML(bytes) else { continue }
            let before = try Self.account(of: bytes)
            for made in [binary, text] where !made.losses.contains(where: { $0.detail == Self.lostLetters }) {
                #expect(try Self.account(of: made.bytes) == before, "\(name)")
            }
        }
    }

    private static let lostLetters: Text = "characters that XML cannot represent"

    /// Returns the content of the records, without the last digits of positions, which change in fixed point.
    private static func account(of bytes: [UInt8]) throws -> [String] {
        var account: [String] = []
        for record in try Reading.all(bytes, by: DrawingReader.self).records {
            var molecules = [record.molecule].compactMap { $0 }
            for step in record.reaction?.steps ?? [] {
                molecules += (step.reactants + step.agents + step.products).map(\.molecule)
                account += step.conditions.map { "\($0)" }
            }
            for molecule in molecules {
                account.append("\(molecule.name)")
                for atom in molecule.atoms {
                    account.append("\(atom.element) \(atom.charge) \(atom.isotope) \(atom.radical) \(atom.hydrogens)")
                }
                for bond in molecule.bonds { account.append("\(bond.from) \(bond.to) \(bond.order) \(bond.mark)") }
                account += molecule.labels.map { "\($0)" }
            }
            for field in record.fields { account.append("\(field.name) \(field.value)") }
        }
        return account
    }

    @Test("damaged input produces a drawing that is stable when rewritten")
    func spoilt() throws {
        var generator = Numbers(seed: 20_261_123)
        for (name, bytes) in Self.drawings.prefix(80) {
            for _ in 0..<12 {
                var spoilt = bytes
                for _ in 0...generator.next(below: 3) {
                    guard !spoilt.isEmpty else { break }
                    let place = generator.next(below: spoilt.count)
                    switch generator.next(below: 3) {
                    case 0: spoilt[place] = UInt8(generator.next(below: 256))
                    case 1: spoilt.remove(at: place)
                    default: spoilt.insert(spoilt[generator.next(below: spoilt.count)], at: place)
                    }
                }
                for write in [WholeDrawing.inCDX, WholeDrawing.inCDXML] {
                    guard let made = write(spoilt) else { continue }
                    #expect(write(made.bytes)?.bytes == made.bytes, "\(name)")
                }
            }
        }
    }

    /// Pseudorandom numbers, the same in each run.
    private struct Numbers {
        var seed: UInt64

        mutating func next(below limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
    }
}
