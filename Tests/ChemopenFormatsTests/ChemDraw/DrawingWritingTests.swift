import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Drawings converted to other formats")
struct DrawingWritingTests {
    @Test("an unknown label is an abbreviation around an atom *, so every program can read the file")
    func labels() throws {
        let molecule = try DrawingSpelling.unknownLabels()
        let short = try write(molecule)
        #expect(short.reports.map(\.version) == ["V2000"])
        #expect(short.text.contains(" * ") && !short.text.contains(" Xyz "))
        #expect(short.text.contains("M  SAL   1  1   2\nM  SBL   1  1   1\nM  SMT   1 Xyz\n"))
        #expect(short.text.contains("M  SMT   2 Ar\n"))
        let long = try write(molecule, as: .molfile, .version(.v3000))
        #expect(long.text.contains("M  V30 2 * "))
        #expect(long.text.contains("M  V30 1 SUP 0 ATOMS=(1 2) XBONDS=(1 1) LABEL=Xyz\n"))
        #expect(long.losses == [])
    }

    @Test("SketchEl stores the label in the atom, unless it looks like an element")
    func labelsInSketchEl() throws {
        let molecule = try DrawingSpelling.unknownLabels()
        let text = try write(molecule, as: .sketchEl).text
        #expect(text.hasPrefix("SketchEl!(3,2)\nC="))
        #expect(text.contains("\nXyz=") && text.contains("\nAr="))
    }

    @Test("unknown properties and objects are preserved with their atom, molecule or page")
    func unknownTags() throws {
        let reading = try Reading.all(try Fixture("cdx/unknown-tags.cdx").bytes, by: DrawingReader.self)
        let record = try #require(reading.records.first)
        #expect(
            record.verbatim.map(\.text) == [
                "passed over: 1 × object 8099", "passed over: 1 × object 809A", "passed over: 1 × property 0456",
                "passed over: 1 × property 0835",
                "<CDXML> 0835=01000000", "<page id=\"1\"> 99803C0000000008020041009A803F00000000000000",
            ])
        #expect(
            record.molecule?.extras.contents.verbatim == [
                Verbatim(.chemDraw, of: .atom(1), "<n id=\"12\"> 0456=0A0B0C")
            ])
        #expect(reading.issues.count == 1)
        #expect(try write([record], as: .sdfile).losses.map(\.feature).contains(.unknown))
    }

    @Test("unknown attributes and elements are preserved in their original notation")
    func unknownNames() throws {
        let reading = try Reading.all(try Fixture("cdxml/unknown-names.cdxml").bytes, by: DrawingReader.self)
        let record = try #require(reading.records.first)
        #expect(
            record.verbatim.map(\.text) == [
                "passed over: 1 × object hologram", "passed over: 1 × object layer", "passed over: 1 × property Mood",
                "passed over: 1 × property Spin",
                "<CDXML> Mood=\"fair &amp; dry\"",
                "<page id=\"1\"> <hologram id=\"60\" Name=\"A\"><layer id=\"63\">a &lt; b</layer></hologram>",
            ])
        #expect(
            record.molecule?.extras.contents.verbatim == [
                Verbatim(.chemDraw, of: .atom(1), "<n id=\"12\"> Spin=\"left\"")
            ])
    }
}
