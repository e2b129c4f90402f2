import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

/// Writes a molecule as V3000.
func writeV3000(_ molecule: Molecule) -> (text: String, losses: [Loss]) {
    var writer = V3000Writer()
    var output: [UInt8] = []
    writer.write(molecule, to: &output)
    return (String(decoding: output, as: UTF8.self), writer.losses)
}

@Suite("V3000 writer")
struct V3000WriterTests {
    @Test("writes a molecule in a normal form")
    func oneForm() throws {
        let lines = """
            COUNTS 3 2 0
            BEGIN ATOM
            10  C  -1.2990 -2.5E-1 0.0000 0
            20 C 0 .5 0 0 MASS=13 CHG=+1
            30 "O" 1.29900000001 -0.25 0 7
            END ATOM
            BEGIN BOND
            5 1 20 10 CFG=1
            6 1 20 30
            END BOND
            """
        let (molecule, _) = try readMolfile(v3000Molfile(lines))
        #expect(
            writeV3000(molecule).text == """
                title
                  Program            2D
                comment
                  0  0  0     0  0            999 V3000
                M  V30 BEGIN CTAB
                M  V30 COUNTS 3 2 0 0 0
                M  V30 BEGIN ATOM
                M  V30 1 C -1.299 -0.25 0 0
                M  V30 2 C 0 0.5 0 0 CHG=1 MASS=13
                M  V30 3 O 1.29900000001 -0.25 0 7
                M  V30 END ATOM
                M  V30 BEGIN BOND
                M  V30 1 1 2 1 CFG=1
                M  V30 2 1 2 3
                M  V30 END BOND
                M  V30 END CTAB
                M  END

                """)
    }

    @Test("writes lines of at most 80 columns, broken after a space")
    func folding() throws {
        var (molecule, _) = try readMolfile(v3000Molfile(ethanolLines))
        var sgroup = Sgroup(.data)
        sgroup.atoms = [0]
        sgroup.data = Sgroup.Data()
        sgroup.data?.fieldName = "note"
        sgroup.data?.values = [
            Text(String(repeating: "word ", count: 30)), Text(String(repeating: "x", count: 200) + "-"),
        ]
        molecule.extras.contents.sgroups = [sgroup]
        let text = writeV3000(molecule).text
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
        #expect(lines.contains { $0.hasSuffix("word word -") })
        let (again, issues) = try readMolfile(Array(text.utf8))
        #expect(issues.isEmpty)
        #expect(again.extras.contents.sgroups[0].data == sgroup.data)
    }

    @Test(
        "quotes a text that is not a simple token",
        arguments: [
            ("a b", "LABEL=\"a b\""), ("say \"no\"", "LABEL=\"say \"\"no\"\"\""), ("(CH2)3", "LABEL=\"(CH2)3\""),
            ("CO2-", "LABEL=\"CO2-\""), ("CF3", "LABEL=CF3"), ("a=b", "LABEL=a=b"),
            ("'n", "LABEL=\"'n\""), ("5'", "LABEL=5'"),
        ])
    func quotes(label: String, expected: String) throws {
        var (molecule, _) = try readMolfile(v3000Molfile(ethanolLines))
        var sgroup = Sgroup(.abbreviation)
        sgroup.atoms = [2]
        sgroup.label = Text(label)
        sgroup.number = 1
        molecule.extras.contents.sgroups = [sgroup]
        let text = writeV3000(molecule).text
        #expect(text.contains("M  V30 1 SUP 0 ATOMS=(1 3) \(expected)\n"))
        #expect(try readMolfile(Array(text.utf8)).molecule.extras.contents.sgroups == [sgroup])
    }

    @Test("preserves bond orders that MDL does not support, and the hydrogens next to them")
    func orders() throws {
        var molecule = Molecule()
        molecule.atoms = [
            Atom(.rhenium, at: Position(0, 0)), Atom(.rhenium, at: Position(1.5, 0)),
            Atom(.nitrogen, at: Position(3, 0)),
        ]
        molecule.bonds = [Bond(0, 1, .quadruple), Bond(1, 2, .zero)]
        molecule.atoms[2].hydrogens = .fixed(3)
        molecule.hydrogenRule = .sketchEl
        let text = writeV3000(molecule).text
        #expect(text.contains("M  V30 1 3 1 2\nM  V30 2 1 2 3\n"))
        #expect(text.contains("M  V30 2 DAT 0 ATOMS=(2 1 2) XBONDS=(1 1) FIELDNAME=ZBO FIELDDATA=4\n"))
        let (again, issues) = try readMolfile(Array(text.utf8))
        #expect(issues.isEmpty)
        #expect(again.bonds == molecule.bonds)
        #expect(again.atoms == molecule.atoms)
        #expect(again.hydrogenRule == .sketchEl)
        #expect(writeV3000(again).text.dropFirst(1) == text.dropFirst(1))
    }

    @Test("writes hydrogens as a valence if possible")
    func valences() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.sodium), Atom(.carbon, at: Position(2, 0))]
        molecule.atoms[0].hydrogens = .fixed(0)
        molecule.atoms[1].hydrogens = .fixed(4)
        let text = writeV3000(molecule).text
        #expect(text.contains("1 Na 0 0 0 0 VAL=-1\n"))
        #expect(text.contains("2 C 2 0 0 0\n"))
    }

    @Test("writes numbers to which preserved text may refer")
    func numbersKept() throws {
        let lines = "COUNTS 1 0 0 1 0\nBEGIN ATOM\n7 C 1 0 0 0\nEND ATOM\nBEGIN OBJ3D\n1 -7 6 p BASIS=(1 7)\nEND OBJ3D"
        let bytes = v3000Molfile(lines)
        #expect(writeV3000(try readMolfile(bytes).molecule).text == String(decoding: bytes, as: UTF8.self))
    }

    @Test("reports features that V3000 cannot represent")
    func losses() throws {
        var (molecule, _) = try readMolfile(v3000Molfile(ethanolLines))
        molecule.extras.contents.verbatim = [Verbatim(.v2000, "M  ZZC   1 name")]
        #expect(writeV3000(molecule).losses == [Loss(.unknown, "M  ZZC")])
    }

    @Test("writes aliases and values, which V3000 does not support, as data of their atoms")
    func textsOfAtoms() throws {
        var (molecule, _) = try readMolfile(v3000Molfile(ethanolLines))
        molecule.addNote(.alias("OMe"), toAtom: 2)
        molecule.addNote(.value(""), toAtom: 2)
        molecule.addNote(.value("pKa \"4\""), toAtom: 0)
        let (text, losses) = writeV3000(molecule)
        #expect(losses == [])
        #expect(text.contains("M  V30 COUNTS 3 2 3 0 0\n"))
        #expect(text.contains("M  V30 2 DAT 0 ATOMS=(1 3) FIELDNAME=MDL_ALIAS FIELDDATA=OMe\n"))
        let (again, issues) = try readMolfile(Array(text.utf8))
        #expect(again.extras.contents.atomNotes == molecule.extras.contents.atomNotes)
        #expect(again.extras.contents.sgroups == [])
        #expect(issues == [])
    }

    @Test(
        "reads attached data with additional properties as data, not as an atom text",
        arguments: [
            "ATOMS=(1 3) FIELDNAME=MDL_ALIAS FIELDDATA=x UNITS=m", "ATOMS=(2 1 3) FIELDNAME=MDL_ALIAS FIELDDATA=x",
            "ATOMS=(1 3) FIELDNAME=MDL_ALIAS FIELDDATA=x FIELDDATA=y", "ATOMS=(1 3) FIELDNAME=MDL_OTHER FIELDDATA=x",
            "ATOMS=(1 3) FIELDNAME=MDL_ALIAS",
        ])
    func otherData(_ data: String) throws {
        let lines = ethanolLines.replacing("COUNTS 3 2 0", with: "COUNTS 3 2 2")
        let first = "2 DAT 0 ATOMS=(1 2) FIELDNAME=MDL_ALIAS FIELDDATA=first"
        let (molecule, issues) = try readMolfile(
            v3000Molfile("\(lines)\nBEGIN SGROUP\n1 DAT 0 \(data)\n\(first)\nEND SGROUP"))
        #expect(molecule.extras.contents.atomNotes == [Indexed(1, .alias("first"))])
        #expect(molecule.extras.contents.sgroups.count == 1)
        #expect(issues == [])
        let (again, _) = try readMolfile(Array(writeV3000(molecule).text.utf8))
        #expect(again.extras.contents.atomNotes == molecule.extras.contents.atomNotes)
        #expect(again.extras.contents.sgroups.map(\.data) == molecule.extras.contents.sgroups.map(\.data))
    }

    @Test("folds long text between characters, with at most 80 columns for each line", arguments: ["ü", "→", "𝛼", "a"])
    func foldedLetters(_ letter: String) throws {
        for shift in 0..<5 {
            var (molecule, _) = try readMolfile(v3000Molfile(ethanolLines))
            let text = String(repeating: "x", count: shift) + String(repeating: letter, count: 150)
            molecule.extras.contents.tableName = Text(text)
            var output: [UInt8] = []
            var writer = V3000Writer()
            writer.write(molecule, to: &output)
            for line in output.split(separator: Ascii.lineFeed) {
                #expect(line.count <= 80)
                #expect(String(validating: line, as: UTF8.self) != nil)
            }
            #expect(try readMolfile(output).molecule.extras.contents.tableName == Text(text))
        }
    }

    @Test("counts the lines of a preserved OBJ3D block")
    func countOfObjects() throws {
        for count in 0..<3 {
            let inside = (0..<count).map { "\($0 + 1) -7 6 p\n" }.joined()
            let (molecule, _) = try readMolfile(
                v3000Molfile(
                    ethanolLines.replacing("2 0 0 0", with: "2 0 \(count) 0") + "\nBEGIN OBJ3D\n\(inside)END OBJ3D"))
            #expect(writeV3000(molecule).text.contains("COUNTS 3 2 0 \(count) 0\n"))
        }
    }
}

@Suite("Molfile header")
struct MolfileHeadingTests {
    private func heading(_ name: Text, _ origin: Text, flags: Molecule.Flags = []) -> [Substring] {
        var molecule = Molecule()
        molecule.name = name
        molecule.origin = origin
        molecule.flags = flags
        return Array(writeV3000(molecule).text.split(separator: "\n", omittingEmptySubsequences: false).prefix(2))
    }

    @Test("a title that looks like a separator or a header is preceded by a space")
    func titles() {
        #expect(heading("$$$$", "  x")[0] == " $$$$")
        #expect(heading("> <a>", "  x")[0] == " > <a>")
        #expect(heading("a\u{1}b\tc", "  x")[0] == "a b\tc")
    }

    @Test("the second line is preserved except for the dimension code")
    func origins() {
        #expect(heading("", "")[1] == "  CHEMOPEN          2D")
        #expect(heading("", "", flags: .threeDimensional)[1] == "  CHEMOPEN          3D")
        #expect(heading("", "  Program 01010000002D 1", flags: .threeDimensional)[1] == "  Program 01010000003D 1")
        #expect(heading("", "  Program", flags: .threeDimensional)[1] == "  Program           3D")
        #expect(heading("", "written by hand on a rainy day")[1] == "written by hand on a rainy day")
    }

    @Test("a line is folded only if it has more than 80 columns or ends in a dash")
    func folding() {
        for length in 1...240 {
            for ending in ["", "-", " -", "--"] {
                let text = Array((String(repeating: "abcde ", count: 50).prefix(length) + ending).utf8)
                var output: [UInt8] = []
                let start = output.beginV3000Line()
                output += text
                output.endV3000Line(from: start)
                let lines = output.split(separator: Ascii.lineFeed)
                #expect(lines.allSatisfy { $0.count <= 80 && $0.starts(with: "M  V30 ".utf8) })
                let parts = lines.map { $0.dropFirst(7) }
                #expect(parts.dropLast().allSatisfy { $0.last == Ascii.minus } && parts.last?.last != Ascii.minus)
                let again = parts.dropLast().flatMap { $0.dropLast() } + (parts.last ?? [])
                #expect(again == text)
                #expect((lines.count == 1) == (text.count <= 73 && text.last != Ascii.minus))
            }
        }
    }

    @Test("text is broken after the last space that fits", arguments: 1...12)
    func blanks(_ length: Int) {
        let text = Array(repeating: String(repeating: "x", count: length), count: 60).joined(separator: " ")
        var output: [UInt8] = []
        let start = output.beginV3000Line()
        output += Array(text.utf8)
        output.endV3000Line(from: start)
        let parts = output.split(separator: Ascii.lineFeed).dropLast().map { $0.dropFirst(7).dropLast() }
        #expect(parts.isEmpty == (text.count <= 73))
        #expect(parts.allSatisfy { $0.last == Ascii.blank && $0.count <= 72 && $0.count + length + 1 > 72 })
    }

    @Test("a text of 72 columns that ends in a dash is not broken, and an empty line follows")
    func dashAtTheEdge() {
        let text = String(repeating: "x", count: 71) + "-"
        var output: [UInt8] = []
        let start = output.beginV3000Line()
        output += Array(text.utf8)
        output.endV3000Line(from: start)
        #expect(String(decoding: output, as: UTF8.self) == "M  V30 \(text)-\nM  V30 \n")
    }

    @Test(
        "the title of a component is lost if its table has another name",
        arguments: [("", []), ("water", []), ("ice", [Loss(.names, "the title of a component")])] as [(Text, [Loss])])
    func componentTitles(table: Text, losses: [Loss]) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.oxygen)]
        molecule.name = "water"
        molecule.extras.contents.tableName = table
        let record = Record(Reaction(Reaction.Step(reactants: [.init(molecule)])))
        let writing = try write([record], as: .rxnfile, .version(.v3000))
        #expect(writing.losses == losses)
        #expect(writing.lines.contains("M  V30 BEGIN CTAB \(table.isEmpty ? "water" : table.string)"))
    }

    @Test("a number is the shortest text that reads back, without an exponent")
    func numbers() {
        func spelled(_ value: Double) -> String {
            var output: [UInt8] = []
            output.appendV3000Number(value)
            return String(decoding: output, as: UTF8.self)
        }
        for (value, text) in [
            (0, "0"), (1, "1"), (10, "10"), (-10.5, "-10.5"), (0.0001, "0.0001"), (100.25, "100.25"), (0.1, "0.1"),
            (99_999_999_999, "99999999999"), (0.00001, "0.00001"), (1.23456789, "1.23456789"), (.infinity, "0"),
        ] {
            #expect(spelled(value) == text)
        }
        for digits in 0...12 {
            for step in [1.0, 3, 7, 9, 10, 11, 99, 101, 1001] {
                let value = step * [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12][digits] / 10_000
                for signed in [value, -value] {
                    let text = spelled(signed)
                    #expect(Double(text) == signed && !text.contains("e"))
                    #expect(!text.contains(".") || text.last != "0")
                }
            }
        }
    }

    @Test("a long text is broken after the last space that fits")
    func broken() {
        let words = Array(repeating: "eighteen letters x", count: 8).joined(separator: " ")
        var output: [UInt8] = []
        let start = output.beginV3000Line()
        output += Array(words.utf8)
        output.endV3000Line(from: start)
        let three = "eighteen letters x eighteen letters x eighteen letters x eighteen"
        let rest = words.dropFirst(three.count + 1)
        #expect(String(decoding: output, as: UTF8.self).hasPrefix("M  V30 \(three) -\nM  V30 \(rest.prefix(20))"))
    }
}
