import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

/// Reads a text that must contain a molecule.
private func molecule(_ text: String) throws -> Molecule {
    try #require(try Reading.all(text, by: SketchElReader.self).records.first?.molecule)
}

private func refusal(_ text: String) throws -> ReadError? {
    try Reading.all(text, by: SketchElReader.self).errors.first
}

private func doubts(_ text: String) throws -> [String] {
    try Reading.all(text, by: SketchElReader.self).issues.map(\.message)
}

@Suite("SketchEl reader")
struct SketchElReaderTests {
    @Test("hydrogens follow the rule unless they are fixed, independent of the written count")
    func hydrogens() throws {
        let text = "SketchEl!(4,1)\nC=0,0;0,0,i9\nC=1,0;0,1,e2,i0\nSi=2,0;0,0,i0\nSn=3,0;0,0,e1,e2\n1-2=1,0\n!End\n"
        #expect(try molecule(text).hydrogenCounts() == [3, 2, 0, 2])
    }

    @Test(
        "a line in the common form has the same content as a line with spaces",
        arguments: [
            "C=1.2990,-0.7500;0,0,i3", "Cl=-12.0001,999.9999;-1,0,e0", "N=-0.0000,1000.0000;9,1,i4",
            "Q=12345678.9876,0.0000;0,0,i0", "Xx=-1234.5678,-99.0000;0,2,e1", "D=0.0000,0.0001;-9,9,i0",
        ])
    func plainLines(_ line: String) throws {
        func text(_ line: String, _ bond: String) -> String {
            "SketchEl!(3,2)\n\(line)\nO=5.0000,5.0000;0,0,i0\n\(line)\n\(bond)\n2-3=2,1\n!End\n"
                + String(repeating: " ", count: 80)
        }
        let spaced = line.replacing("=", with: " = ").replacing(",", with: ", ").replacing(";", with: " ;")
        #expect(try molecule(text(line, "1-2=1,0")) == molecule(text(spaced, "1 - 2 = 1, 0")))
    }

    @Test("a label that contains a NUL is preserved completely, and is not an element")
    func labelWithNUL() throws {
        let text = "SketchEl!(2,0)\nQ\u{0}=0.0000,0.0000;0,0,i0\nC\u{0}=1.0000,0.0000;0,0,i0\n!End\n"
        let padded = text + String(repeating: " ", count: 80)
        #expect(try molecule(padded).labels == ["Q\u{0}", "C\u{0}"])
        #expect(try doubts(padded) == Array(repeating: "control characters in a label; preserved", count: 2))
    }

    @Test("coordinates are rounded to the nearest number")
    func coordinates() throws {
        let line = "C=-0.0000,123.4567;0,0,i3\nC=-9999.9999,0.0001;0,0,i3\nC=10.0010,98765432.1000;0,0,i3\n"
        let molecule = try molecule("SketchEl!(3,0)\n\(line)!End\n" + String(repeating: " ", count: 80))
        let expected = [(-0.0, 123.4567), (-9999.9999, 0.0001), (10.001, 98_765_432.1)]
        for (atom, (x, y)) in zip(molecule.atoms, expected) {
            #expect(atom.position.x.bitPattern == x.bitPattern)
            #expect(atom.position.y.bitPattern == y.bitPattern)
        }
    }

    @Test("a label with a trailing space is preserved, and is not an element", arguments: ["C ", "Cl ", " C", "C\t"])
    func blankLabel(label: String) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.none)]
        molecule.setLabel(Text(label), ofAtom: 0)
        let written = try write(molecule, as: .sketchEl)
        let read = try #require(try readAll(written.bytes, as: .sketchEl).first?.reading?.record.molecule)
        #expect(read.labels.map(\.string) == [label])
        #expect(read.atoms[0].element == .none)
    }

    @Test("an escape is a UTF-16 unit decoded once, and half of a pair is preserved verbatim")
    func escapes() throws {
        let text =
            "SketchEl!(4,0)\n\\D83E\\DDEA=0,0;0,0\n\\005C0043=0,0;0,0\n\\d83e\\0021=0,0;0,0\n\\004F=0,0;0,0\n!End"
        let labels = try molecule(text).labels.map(\.string)
        #expect(labels == ["\u{1F9EA}", "\\0043", "\\D83E!"])
        #expect(try molecule(text).atoms[3].element == .oxygen)
        for text in ["a\\D800b", "\\DC00", "\\D800\\D801\\DC01 "] {
            var (written, read): ([UInt8], [UInt8]) = ([], [])
            SketchElEscapes.escape(Array(text.utf8), into: &written)
            SketchElEscapes.unescape(0..<written.count, of: written.span, into: &read)
            #expect(read == Array(text.utf8))
        }
    }

    @Test("fields with known or unknown letters are preserved, in upper or lower case")
    func fields() throws {
        let text = "SketchEl!(2,1)\nC=0,0;0,0,i3,Ione,k2,qE:N\\002CO,yGONE,m14\nC=1,0;0,0\n1-2=1,0,xA,yB\n!End"
        let molecule = try molecule(text)
        #expect(
            Array(molecule.notes(onAtom: 0)) == [
                .field("Ione"), .field("k2"), .elementList(ElementList(["N", "O"])),
                .transientField("yGONE"),
            ])
        #expect(Array(molecule.notes(onBond: 0)) == [.field("xA"), .transientField("yB")])
        #expect(molecule.atoms[0].isotope == 14)
    }

    @Test("an abbreviation is a separate molecule, and its label is not an element")
    func abbreviation() throws {
        let fragment =
            "SketchEl!(2\\002C1)\\000A*\\003D0\\002C0\\003B0\\002C0\\000AC\\003D1\\002C0\\003B0\\002C0\\000A1-2\\003D1\\002C0\\000A!End"
        let molecule = try molecule("SketchEl!(2,1)\nO=0,0;0,0\nMe=1,0;0,0,a\(fragment)\n1-2=1,0\n!End")
        #expect(molecule.extras.contents.abbreviations.map(\.atom) == [1])
        #expect(molecule.formula == "CH4O")
    }

    @Test("an abbreviation without a molecule is preserved as text on an atom without an element")
    func brokenAbbreviation() throws {
        let text = "SketchEl!(2,1)\nO=0,0;0,0\nAc=1,0;0,0,anothing\n1-2=1,0\n!End"
        let molecule = try molecule(text)
        #expect(molecule.atoms[1].element == .none)
        #expect(Array(molecule.notes(onAtom: 1)) == [.field("anothing")])
        #expect(try doubts(text).count == 1)
    }

    @Test("nested abbreviations in an unusual notation do not multiply the cost at every level")
    func looseSpellings() throws {
        var text = "SketchEl!(2,1)\n*=0,0;0,0\nC=1,0;0,0\n1-2=1,0\n!End"
        for _ in 0..<45 {
            var escaped: [UInt8] = []
            SketchElEscapes.escape(Array(text.utf8), into: &escaped)
            let field = String(decoding: escaped, as: UTF8.self)
            text = "SketchEl!(2,1)\n*=0,0;0,0\nC=1,0;0,0,a\(field)\n1-2=1,0\n!End"
        }
        let molecule = try molecule(text)
        #expect(molecule.extras.contents.abbreviations.first?.spelling != nil)
        let writing = try Writing.all([Record(molecule)], by: SketchElWriter.self)
        let again = try Reading.all(writing.string, by: SketchElReader.self)
        #expect(again.records.first?.molecule == molecule)
    }

    @Test("nested abbreviations are read up to fifty levels deep")
    func deepAbbreviations() throws {
        var reader = SketchElMoleculeReader(depth: SketchElMolecule.greatestDepth)
        let text = Array("SketchEl!(1,0)\nX=0,0;0,0,aSketchEl!(0\\002C0)\\000A!End\n!End".utf8)
        try reader.read(0..<text.count, of: text.span)
        #expect(reader.molecule.extras.contents.abbreviations.isEmpty)
        #expect(reader.issues.map(\.message) == ["abbreviations are nested too deeply; preserved as text"])
    }

    @Test("an abbreviation preserves its notation for any nesting depth")
    func spellingOfDeepAbbreviations() throws {
        var text = "SketchEl!(2,1)\n*=0,0;0,0\nC=1,0;0,0\n1-2=1,0\n!End"
        var field = ""
        for _ in 0..<SketchElMolecule.greatestDepth + 5 {
            var spelling: [UInt8] = []
            SketchElEscapes.escape(Array(text.utf8), into: &spelling)
            field = "a" + String(decoding: spelling, as: UTF8.self)
            text = "SketchEl!(2,1)\n*=0,0;0,0\nX=1,0;0,0,i0,\(field)\n1-2=1,0\n!End"
        }
        var reader = SketchElMoleculeReader()
        try reader.read(0..<text.utf8.count, of: Array(text.utf8).span)
        let writing = try Writing.all([Record(reader.molecule)], by: SketchElWriter.self)
        #expect(writing.string.contains(",\(field)\n"))
    }

    @Test("an abbreviation with an element as its label counts as its fragment, or as a name without a neighbor")
    func abbreviationCalledLikeAnElement() throws {
        let piece =
            "SketchEl!(2\\002C1)\\000A*\\003D0\\002C0\\003B0\\002C0\\000AN\\003D1\\002C0\\003B0\\002C0"
            + "\\000A1-2\\003D1\\002C0\\000A!End"
        let bonded = try molecule("SketchEl!(2,1)\nC=0,0;0,0\nO=1,0;0,0,a\(piece)\n1-2=1,0\n!End")
        #expect(bonded.atoms[1].element == .oxygen)
        #expect(bonded.hydrogenCounts() == [3, 1])
        #expect(bonded.formula == "CH5N")
        let alone = try molecule("SketchEl!(1,0)\nO=1,0;0,0,a\(piece)\n!End")
        #expect(alone.atoms[0].element == .none)
        #expect(alone.symbol(ofAtom: 0) == "O")
        #expect(alone.formula == "")
    }

    @Test("a third coordinate is a height, not a charge")
    func thirdCoordinate() throws {
        let molecule = try molecule("SketchEl!(1,0)\nC=1,2,-3.5;1,0\n!End")
        #expect(molecule.atoms[0].position == Position(1, 2, -3.5))
        #expect(molecule.atoms[0].charge == 1)
        #expect(molecule.flags.contains(.threeDimensional))
    }

    @Test(
        "other text may surround the molecule",
        arguments: [
            "\u{FEFF}SketchEl!(1,0)\nO=0,0;0,0\n!End", "\n \nSketchEl!( 1 , 0 )\nO=0,0;0,0\n!End rest\nmore",
            "a line\nSketchEl!(1,0)\r\nO = 0 , 0 ; 0 , 0\r\n!FIN\r\n", "SketchEl!(1,0)\rO=0,0;0,0\r",
            "\"SketchEl!(1,0)\\nO=0,0;0,0\\n!End\\n\"", "Elements!(1,0)\nO=0,0\n!End",
        ])
    func surroundings(_ text: String) throws {
        #expect(try molecule(text).formula == "H2O")
    }

    @Test(
        "an invalid line is rejected with its number",
        arguments: [
            ("SketchEl!(2,0)\nO=0,0;0,0\n!End\n", 3), ("SketchEl!(1,0)\nO=0,x;0,0\n!End\n", 2),
            ("SketchEl!(1,1)\nO=0,0;0,0\n1-2=1,0\n!End\n", 3),
            ("SketchEl!(2,1)\nO=0,0;0,0\nO=0,0;0,0\n1-2=7,0\n!End\n", 4),
            ("SketchEl!(99999999999,1)\nO=0,0;0,0\n", 3), ("SketchEl!(1,0)\nO=0,nan;0,0\n!End\n", 2),
            ("SketchEl!(1,0)\nO=0,0;99999999999999999999,0\n!End\n", 2),
            ("SketchEl!(1,0)\nO=0,0;99999,0,i2\n!End\n", 2), ("Elements!(1,0)\nO=0,0\\\n!End\n", 2),
            ("SketchEl!(1,0)\nO=0,0;0,0\n?End\n", 3), ("SketchEl!(1,0)\nO=0,0;0,0\n!end\n", 3),
            ("SketchEl!(1,0)\nO=0,0;0,0\n!EMd\n", 3), ("SketchEl!(1,0)\nO=0,0;0,0\n!Ent\n", 3),
        ])
    func refused(_ text: String, line: Int) throws {
        #expect(try refusal(text)?.line == line)
    }

    @Test("the second file version has hydrogens in a field h, and fields of several lines")
    func elementsFields() throws {
        let text = "Elements!(2,1)\nN=0,0,h2\n.xNOTE\n:and more\n:\n.xLAST\nC=1,0\n1-2=1\n.xBOND\n:2\n!End"
        let molecule = try molecule(text)
        #expect(molecule.atoms.map(\.hydrogens) == [.fixed(2), .unstated])
        #expect(Array(molecule.notes(onAtom: 0)) == [.field("xNOTE\nand more\n"), .field("xLAST")])
        #expect(Array(molecule.notes(onBond: 0)) == [.field("xBOND\n2")])
    }

    @Test(
        "a tag n with a number is the label of a polymer block, and a single n preserves its fields",
        arguments: [("n", []), ("n3", ["n3"]), ("n12", ["n12"])] as [(String, [Text])])
    func polymerLabel(_ label: String, labels: [Text]) throws {
        let field = "xPOLYMER:1:2:ht:\(label)"
        let block = "C=1,0;0,0,\(field)\nC=2,0;0,0,\(field)\n"
        let molecule = try molecule("SketchEl!(4,3)\nC=0,0;0,0\n\(block)C=3,0;0,0\n1-2=1,0\n2-3=1,0\n3-4=1,0\n!End")
        #expect(molecule.extras.contents.sgroups.map(\.label) == labels)
        #expect(molecule.notes(onAtom: 1).count == 1 - labels.count)
    }

    @Test("fields of the first file version have the same meaning in the second, with a warning")
    func fieldsOfTheOtherKind() throws {
        let text = "Elements!(1,0)\nC=0,0,n3,e2,e999,nought\n!End"
        let molecule = try molecule(text)
        #expect(molecule.atoms[0].mapNumber == 3)
        #expect(molecule.atoms[0].hydrogens == .fixed(2))
        #expect(Array(molecule.notes(onAtom: 0)) == [.field("e999"), .field("nought")])
        #expect(try doubts(text).count == 2)
    }

    @Test("a bond from an atom to itself and a repeated bond are dropped with their fields")
    func faultyBonds() throws {
        let text = "SketchEl!(2,3)\nC=0,0;0,0\nC=1,0;0,0\n1-1=1,0\n1-2=2,0,xA\n2-1=1,0,xB\n!End"
        let molecule = try molecule(text)
        #expect(
            molecule.bonds == [
                {
                    var bond = Bond(0, 1, .double)
                    bond.traits = .hasNotes
                    return bond
                }()
            ])
        #expect(Array(molecule.notes(onBond: 0)) == [.field("xA")])
        #expect(try doubts(text).count == 2)
    }

    @Test("a label is found quickly among thousands")
    func manyLabels() throws {
        var text = "SketchEl!(20000,0)\n"
        for number in 0..<20_000 { text += "Label\(number)=0,0;0,0\n" }
        let molecule = try molecule(text + "!End\n")
        #expect(molecule.symbol(ofAtom: 19_999) == "Label19999")
    }

    @Test("a preceding molfile is ignored in detection, text makes it uncertain, and SD data exclude it")
    func sniffing() throws {
        let molecule = "SketchEl!(0,0)\n!End\n"
        let molfile = "\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
        #expect(Format.sketchEl.sniff(Head(Array((molfile + molecule).utf8), isWhole: true)) == .certain)
        #expect(Format.sketchEl.sniff(Head(Array(("Dear A,\n" + molecule).utf8), isWhole: true)) == .possible)
        let data = molfile + ">  <Other>\n" + molecule + "\n$$$$\n"
        #expect(Format.sketchEl.sniff(Head(Array(data.utf8), isWhole: true)) == .possible)
    }

    @Test("a molecule in a JSON string has a warning in its first line")
    func stringOfJSON() throws {
        let reading = try Reading.all(#""SketchEl!(1,0)\nC=0,0;0,0\n!End""#, by: SketchElReader.self)
        #expect(reading.issues.map(\.line) == [1])
    }

    @Test("a preserved line returns to its original format")
    func keptLines() throws {
        let molfile =
            "a\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
            + "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\nM  UVW 1\nM  END\n"
        let sketch = try write(read(molfile).record.molecule ?? Molecule(), as: .sketchEl).text
        let again = try read(sketch, as: .sketchEl).record.molecule
        #expect(again?.extras.contents.verbatim == [Verbatim(.v2000, "M  UVW 1")])
    }
}
