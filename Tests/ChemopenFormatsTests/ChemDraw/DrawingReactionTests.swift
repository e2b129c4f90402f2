import ChemopenFormats
import ChemopenModel
import Testing

@Suite("ChemDraw schemes and words")
struct DrawingReactionTests {
    @Test(
        "a step is a reaction with agents and conditions; other molecules follow", arguments: DrawingSpelling.allCases)
    func step(_ spelling: DrawingSpelling) throws {
        let records = try spelling.reading("reaction").records
        #expect(records.count == 2)
        let reaction = try #require(records[0].reaction)
        #expect(reaction.reactants.map(\.molecule.formula) == ["CH4O"])
        #expect(reaction.agents.map(\.molecule.formula) == ["ClH"])
        #expect(reaction.products.map(\.molecule.formula) == ["CH3Cl"])
        #expect(reaction.steps[0].conditions == ["Pd/C\n2 h"])
        #expect(records[1].molecule?.formula == "ClH")
    }

    @Test(
        "what one step makes the next one takes; a group stands for all molecules in it",
        arguments: DrawingSpelling.allCases)
    func steps(_ spelling: DrawingSpelling) throws {
        let records = try spelling.reading("reaction-steps").records
        #expect(records.map { $0.reaction?.reactants.count } == [1, 1])
        #expect(records.map { $0.reaction?.products.count } == [1, 2])
        #expect(records.map { $0.fields["Step"]?.value } == ["1 of 2", "2 of 2"])
    }

    @Test("pairs of the atom map are numbered", arguments: DrawingSpelling.allCases)
    func map(_ spelling: DrawingSpelling) throws {
        let reaction = try #require(try spelling.reading("reaction-map").records.first?.reaction)
        #expect(reaction.reactants[0].molecule.atoms.map(\.mapNumber) == [1, 2])
        #expect(reaction.products[0].molecule.atoms.map(\.mapNumber) == [1, 2])
    }

    @Test("an arrow between two molecules is a reaction that is called inferred", arguments: DrawingSpelling.allCases)
    func inferred(_ spelling: DrawingSpelling) throws {
        let reading = try spelling.reading("reaction-inferred")
        let record = try #require(reading.records.first)
        #expect(reading.records.count == 1)
        #expect(record.reaction?.steps[0].conditions == ["heat"])
        #expect(record.fields["Inferred"] != nil)
        #expect(reading.issues.map(\.message) == ["no step is declared; the reaction is inferred from the arrow"])
    }

    @Test(
        "a caption is the name of the molecule above it; far words stay with the page",
        arguments: DrawingSpelling.allCases)
    func caption(_ spelling: DrawingSpelling) throws {
        let record = try #require(try spelling.reading("caption").records.first)
        #expect(record.molecule?.name == "compound 12")
        #expect(record.fields["Caption"]?.value == "compound 12")
        #expect(record.fields["Text"]?.value == "a note in a far corner")
    }

    @Test("names, annotations, tags and properties are data of their molecule", arguments: DrawingSpelling.allCases)
    func data(_ spelling: DrawingSpelling) throws {
        let record = try #require(try spelling.reading("names-and-data").records.first)
        #expect(record.molecule?.name == "wood spirit")
        #expect(record.fields["CAS"]?.value == "67-56-1")
        #expect(record.fields["Batch"]?.value == "B-7")
        #expect(record.fields["Molecular Weight"]?.value == "32.04")
        #expect(record.fields.count == 3)
    }

    @Test("molecules come from groups and from every page, in order", arguments: DrawingSpelling.allCases)
    func pages(_ spelling: DrawingSpelling) throws {
        let records = try spelling.reading("groups-and-pages").records
        #expect(records.map { $0.molecule?.formula } == ["CH4O", "ClH"])
    }

    @Test("a drawing without a molecule is a record without a structure", arguments: DrawingSpelling.allCases)
    func words(_ spelling: DrawingSpelling) throws {
        let reading = try spelling.reading("no-molecules")
        #expect(reading.records.map(\.subject) == [.none])
        #expect(reading.records[0].fields["Text"]?.value == "only words")
        #expect(reading.errors.isEmpty)
    }

    @Test("what is passed over is counted and kept", arguments: DrawingSpelling.allCases)
    func passedOver(_ spelling: DrawingSpelling) throws {
        let record = try #require(try spelling.reading("passed-over").records.first)
        #expect(record.verbatim == [Verbatim(.chemDraw, "passed over: 2 × object curve")])
    }

    @Test("an old arrow of any kind with a head on one side makes a reaction", arguments: [1, 2, 8, 16])
    func oldArrows(_ type: Int) throws {
        func fragment(_ id: Int, _ x: Int) -> String {
            "<fragment id=\"\(id)\"><n id=\"\(id + 1)\" p=\"\(x) 100\"/></fragment>"
        }
        let kinds = [1: "HalfHead", 2: "FullHead", 8: "Equilibrium", 16: "Hollow"]
        let text =
            "<CDXML BondLength=\"30\"><page>\(fragment(1, 50))\(fragment(3, 250))"
            + "<graphic id=\"9\" BoundingBox=\"180 100 100 100\" GraphicType=\"Line\" ArrowType=\"\(kinds[type] ?? "")\"/>"
            + "</page></CDXML>"
        let reading = try Reading.all(Array(text.utf8), by: DrawingReader.self)
        #expect(reading.records.first?.reaction != nil)
    }

    @Test("words in a fragment, in a group and on the page belong to the molecule; those in a bracket do not")
    func wordsAround() throws {
        func caption(_ before: String, _ after: String) throws -> Text? {
            let text =
                "<CDXML BondLength=\"30\"><page><fragment><n id=\"1\" p=\"0 0\"/>\(before.isEmpty ? "" : before)</fragment>"
                + "\(after)</page></CDXML>"
            return try Reading.all(Array(text.utf8), by: DrawingReader.self).records.first?.fields["Caption"]?.value
        }
        let word = "<t p=\"0 20\" BoundingBox=\"0 12 20 22\"><s>water</s></t>"
        #expect(try caption(word, "") == "water")
        #expect(try caption("", word) == "water")
        #expect(try caption("", "<geometry>\(word)</geometry>") == nil)
    }
}
