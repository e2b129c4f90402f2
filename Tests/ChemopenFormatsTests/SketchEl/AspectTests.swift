import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Aspects of a DataSheet")
struct AspectTests {
    /// Returns the experiments of a sheet.
    private func experiments(_ reading: Reading) -> [Experiment] {
        guard var reader = ExperimentReader(reading.header) else { return [] }
        var experiments: [Experiment] = []
        for (place, record) in reading.records.enumerated() {
            if let experiment = reader.take(record, row: place + 1) { experiments.append(experiment) }
        }
        if let last = reader.finish() { experiments.append(last) }
        return experiments
    }

    @Test("rows without a date and a first reactant are further steps of the experiment above")
    func severalRows() throws {
        let reading = try Reading.all(try Fixture("ds/experiment.ds").bytes, by: DataSheetReader.self)
        let experiments = experiments(reading)
        #expect(experiments.map(\.firstRow) == [1, 3])
        #expect(experiments.map(\.title) == ["first", "second"])
        #expect(experiments[0].created == 1_700_000_000.5)
        let steps = experiments[0].steps
        #expect(steps.count == 2)
        #expect(steps[0].reactants.map(\.quantities) == [[.init(.mass, 2.5)]])
        #expect(steps[0].products.map(\.name) == ["A", "tar"])
        #expect(steps[0].products.map(\.isWaste) == [false, true])
        #expect(steps[1].reagents.map(\.name) == ["heat"])
        #expect(steps[1].products.compactMap(\.molecule?.formula) == ["H2O"])
    }

    @Test("a further step of a reaction starts from the previous products, except waste")
    func reaction() throws {
        let reading = try Reading.all(try Fixture("ds/experiment.ds").bytes, by: DataSheetReader.self)
        let reaction = experiments(reading)[0].reaction
        #expect(reaction.steps.map { $0.reactants.map(\.molecule.name) } == [[""], ["A"]])
        var reader = try #require(ExperimentReader(reading.header))
        let rows = reading.records.enumerated().map { reader.reaction(of: $1, row: $0 + 1) }
        #expect(rows.map { $0.reactants.map(\.molecule.name) } == [[""], ["A"], ["B"]])
        #expect(rows.map(\.steps.count) == [1, 1, 1])
    }

    @Test("aspects are found by type, and their lines use SketchEl escapes")
    func aspects() {
        var header = SheetHeader()
        header.extensions = [
            .init(name: "Reaction", type: "org.example.other", content: "a=1"),
            .init(name: "x", type: "org.mmi.aspect.SARTable", content: "field=scaffold,My\\0020Core\nfield=ID,No,\n"),
            .init(name: "y", type: "org.mmi.aspect.BinaryData", content: "field:\nthresholdRelation=>\\003D"),
        ]
        let aspects = SheetAspect.aspects(of: header)
        #expect(aspects.map(\.kind) == [.structureActivity, .binaryData])
        #expect(aspects[0].entries.map(\.values) == [["scaffold", "My Core"], ["ID", "No", ""]])
        #expect(
            aspects[1].entries == [.init(key: "field", values: []), .init(key: "thresholdRelation", values: [">="])])
    }

    @Test(
        "only the experiment aspect makes a row without a date a further step",
        arguments: [([SheetAspect.Kind.reaction], 2), ([.experiment], 1), ([.reaction, .experiment], 1)])
    func stepsByAspect(kinds: [SheetAspect.Kind], count: Int) throws {
        var header = SheetHeader()
        header.extensions = kinds.map {
            .init(name: "x", type: Text($0.rawValue), content: "nreactants=1\nnproducts=1\nnreagents=0\n")
        }
        header.columns = [Column("ProductName1")]
        var reader = try #require(ExperimentReader(header))
        var record = Record()
        record.fields.append("ProductName1", "A")
        var found = 0
        for row in 1...2 where reader.take(record, row: row) != nil { found += 1 }
        if reader.finish() != nil { found += 1 }
        #expect(found == count)
    }

    @Test("a sheet without reactions has no experiments")
    func noReactions() {
        #expect(ExperimentReader(SheetHeader()) == nil)
    }
}
