import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Structures in data fields")
struct StructureFieldTests {
    private static let ethanol = lines(
        "SketchEl!(3,2)", "C=0.0000,0.0000;0,0,i3", "C=1.2990,0.7500;0,0,i2", "O=2.5981,0.0000;0,0,i1", "1-2=1,0",
        "2-3=1,0", "!End")

    /// Returns a record with ethanol in a field, optionally with its text in a format.
    private func record(_ text: Text) throws -> Record {
        var record = Record(Molecule())
        record.fields.append("BEFORE", "1")
        record.fields.append("SOLVENT", try read(Self.ethanol, as: .sketchEl).molecule, text: text)
        record.fields.append("AFTER", "2")
        return record
    }

    @Test("an RD file contains $MFMT and a molfile, for any original text", arguments: ["", ethanol])
    func inRDfile(text: String) throws {
        let written = try write([record(Text(text))], as: .rdfile)
        #expect(written.text.contains("$DTYPE SOLVENT\n$DATUM $MFMT\n"))
        #expect(!written.text.contains("SketchEl"))
        let again = try read(written.text, as: .rdfile)
        #expect(again.issues.isEmpty)
        #expect(again.record.fields["AFTER"]?.value == "2")
        guard case .molecule(let molecule)? = again.record.fields["SOLVENT"]?.cell else {
            Issue.record("expected a molecule")
            return
        }
        #expect(molecule.formula.description == "C2H6O")
        #expect(try write([again.record], as: .rdfile).text == written.text)
    }

    @Test("an SD file contains the text of a molfile, which is read as such", arguments: ["", ethanol])
    func inSDfile(text: String) throws {
        let written = try write([record(Text(text))], as: .sdfile)
        #expect(written.text.contains(">  <SOLVENT>\n \n"))
        #expect(!written.text.contains("SketchEl"))
        #expect(written.losses.map(\.feature) == [.structuresInFields, .emptyLinesInValues])
        let again = try read(written.text, as: .sdfile)
        #expect(again.record.fields.map(\.name) == ["BEFORE", "SOLVENT", "AFTER"])
        let value = try #require(again.record.fields["SOLVENT"]?.value)
        #expect(try read(value.string).molecule.formula.description == "C2H6O")
        #expect(try write([again.record], as: .sdfile).text == written.text)
    }

    @Test("the original text from an RD file is preserved, also in an SD file")
    func keepsText() throws {
        let text = "$MFMT\n" + V2000.molfile(title: "solvent", atoms: [V2000.atom("O")])
        let file =
            "$RDFILE 1\n$DATM x\n$MFMT\n" + V2000.molfile() + "$DTYPE SOLVENT\n$DATUM \(text)$DTYPE B\n$DATUM 1\n"
        let record = try read(file, as: .rdfile).record
        for format in [Format.rdfile, .sdfile] {
            let written = try write([record], as: format)
            #expect(written.text.contains(text.split(separator: "\n").prefix(2).joined(separator: "\n")))
            #expect(try read(written.text, as: format).record.fields["B"]?.value == "1")
        }
    }

    @Test("a text table contains SMILES, and coordinates are reported as lost", arguments: [Format.csv, .tsv])
    func inTable(format: Format) throws {
        let written = try write([record(Text(Self.ethanol))], as: format)
        #expect(written.lines[1].contains("1\(format.id == "csv" ? "," : "\t")CCO"))
        #expect(written.losses.map(\.feature).contains(.structuresInFields))
        #expect(written.losses.map(\.feature).contains(.coordinates))
    }

    @Test("an R-group file in an RD file is read as a record, in a reaction and as a value")
    func rgroupFiles() throws {
        let counts = V2000.counts(1, 0)
        let table = "$CTAB\n\(counts)\n\(V2000.atom("R#"))\nM  RGP  1   1   1\nM  END\n$END CTAB\n"
        let member = "$RGP\n   1\n$CTAB\n\(counts)\n\(V2000.atom())\nM  END\n$END CTAB\n$END RGP\n"
        let file = "$MDL  REV  1\n$MOL\n$HDR\nroot\n\n\n$END HDR\n\(table)\(member)$END MOL\n"
        let head = "$RDFILE 1\n$DATM x\n"
        for text in [head + "$MFMT\n\(file)", head + "$MFMT\n$MOL\n\(file)"] {
            let reading = try read(text + "$DTYPE A\n$DATUM 1\n", as: .rdfile)
            #expect(reading.issues.isEmpty)
            #expect(reading.extras.rgroups.map(\.members.count) == [1])
            #expect(reading.record.fields["A"]?.value == "1")
        }
        let reaction = try read(head + "$RFMT\n$RXN\n\n\n\n  1  1\n$MOL\n\(file)$MOL\n\(V2000.molfile())", as: .rdfile)
        #expect(reaction.issues.isEmpty)
        #expect(reaction.record.reaction?.reactants.first?.molecule.extras.contents.rgroups.count == 1)
        #expect(reaction.record.reaction?.products.count == 1)
        let value = try read(
            head + "$MFMT\n\(V2000.molfile())$DTYPE A\n$DATUM $MFMT\n\(file)$DTYPE B\n$DATUM 1\n", as: .rdfile)
        #expect(value.issues.isEmpty)
        guard case .molecule(let molecule)? = value.record.fields["A"]?.cell else {
            Issue.record("expected a molecule")
            return
        }
        #expect(molecule.extras.contents.rgroups.count == 1)
    }

    @Test("R-groups of a V3000 reaction belong to the component with their site, and are written back")
    func rgroupsOfReaction() throws {
        func block(_ role: String, _ atoms: [String]) -> [String] {
            ["BEGIN \(role)"] + V3000.block(atoms) + ["END \(role)"]
        }
        func group(_ number: Int) -> [String] {
            ["BEGIN RGROUP \(number)", "RLOGIC 0 0 >0"] + V3000.block(["1 N 0 0 0 0"]) + ["END RGROUP"]
        }
        let table =
            ["COUNTS 1 1"] + block("REACTANT", ["1 C 0 0 0 0"]) + block("PRODUCT", ["1 R# 0 0 0 0 RGROUPS=(1 2)"])
            + group(2) + group(1)
        let file = "$RXN V3000\n\n\n\n" + table.map { "M  V30 \($0)\n" }.joined() + "M  END\n"
        let reading = try read(file, as: .rxnfile)
        #expect(reading.issues.isEmpty)
        let product = try #require(reading.record.reaction?.products.first?.molecule)
        #expect(product.extras.contents.rgroups.map(\.number) == [2, 1])
        let written = try write([reading.record], as: .rxnfile)
        #expect(written.losses == [])
        #expect(written.text.contains("M  V30 BEGIN RGROUP 1\nM  V30 RLOGIC 0 0 >0\n"))
        let again = try read(written.text, as: .rxnfile)
        #expect(again.issues.isEmpty)
        #expect(try write([again.record], as: .rxnfile).text == written.text)
    }
}
