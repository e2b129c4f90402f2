import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Foundation
import Testing

@Suite("JSON Lines")
struct JSONLinesTests {
    private func written(_ records: [Record], _ header: SheetHeader = SheetHeader()) throws -> String {
        try Writing.all(records, by: LineRecordWriter<JSONLinesFormatter>.self, header: header).string
    }

    private func reading(_ text: String) throws -> Reading {
        try Reading.all(text, by: LineRecordReader<JSONLinesParser>.self)
    }

    // Round trips.

    @Test(
        "preserve every record of every fixture, including the table header",
        arguments: FixtureFolderTests.all)
    func everything(_ fixture: Fixture) throws {
        var records: [Record] = []
        let makeReader = try #require(try fixture.format.makeReader)
        var reader = try makeReader(try ByteSource(try fixture.bytes), ReadOptions())
        var record = Record()
        while try reader.read(into: &record) { records.append(record) }
        let header = header(of: reader)
        let text = try written(records, header)
        let back = try reading(text)
        #expect(back.errors.isEmpty && back.issues.isEmpty)
        #expect(back.records.count == records.count)
        for (one, other) in zip(records, back.records) where !one.features.contains(.foreignEncoding) {
            #expect(one.withLabelsInOrder.subject == other.subject)
            #expect(one.registry == other.registry)
            #expect(one.verbatim == other.verbatim)
            #expect(one.fields.map(\.name) == other.fields.map(\.name))
            #expect(one.fields.map(\.value) == other.fields.map(\.value))
            #expect(one.fields.map(\.header) == other.fields.map(\.header))
            #expect(one.fields.map(\.cell) == other.fields.map(\.cell))
        }
        #expect(try written(back.records, back.header) == text)
    }

    private func header(of reader: borrowing any RecordReader & ~Copyable) -> SheetHeader { reader.header }

    // Writing.

    @Test("contain the kind of an arrow, unless it is the default", arguments: Reaction.Arrow.allCases)
    func arrows(_ kind: Reaction.Arrow) throws {
        var step = Reaction.Step()
        step.arrow = kind
        step.conditions = ["heat\n2 h"]
        let text = try written([Record(Reaction(step))])
        #expect(text.contains("\"arrow\":\"") == (kind != .forward))
        let read = try #require(try reading(text).records.first?.reaction)
        #expect(read.steps == [step])
    }

    @Test("contain only members with a value")
    func plain() throws {
        var water = Molecule()
        water.name = "water"
        water.atoms = [Atom(.oxygen, at: Position(1.5, 0))]
        var record = Record(water)
        record.fields.append("MASS", .real(18.02))
        record.fields.append("NOTE", "\"wet\"\n")
        #expect(
            try written([record])
                == #"{"chemopen":1,"molecule":{"name":"water","atoms":[{"element":"O","x":1.5,"y":0}],"bonds":[]},"#
                + #""fields":{"MASS":18.02,"NOTE":"\"wet\"\n"}}"# + "\n")
        #expect(try written([Record()]) == "{\"chemopen\":1}\n")
    }

    @Test("contain the field order if names repeat, and field headers")
    func repeatedFields() throws {
        var record = Record()
        for (name, value) in [("A", "1"), ("B", "2"), ("A", "3")] { record.fields.append(Text(name), Text(value)) }
        record.fields.append("C", "4", header: ">  25 <C>")
        let text = try written([record])
        #expect(
            text == #"{"chemopen":1,"fields":{"A":["1","3"],"B":"2","C":"4"},"field_order":["A","B","A","C"],"#
                + #""field_headers":{"C":">  25 <C>"}}"# + "\n")
        #expect(try reading(text).records == [record])
    }

    @Test("write a number in its original notation, or as text if JSON does not support the notation")
    func numbers() throws {
        var header = SheetHeader()
        header.columns = [Column("n", .integer), Column("r", .real)]
        header.hasAllColumns = true
        let line =
            #"{"chemopen":1,"sheet":{"columns":[{"name":"n","type":"integer"},{"name":"r","type":"real"}],"#
            + #""complete":true}}"# + "\n" + #"{"chemopen":1,"fields":{"n":"007","r":1.50}}"# + "\n"
        let back = try reading(line)
        #expect(back.header == header)
        #expect(back.records[0].fields.map(\.cell) == [.integer(7), .real(1.5, spelling: "1.50")])
        #expect(try written(back.records, back.header) == line)
    }

    // Reading.

    @Test("preserve the type of each value, and report a type that differs from the column")
    func types() throws {
        let kept = [#"{"A":1,"B":"x","C":true}"#, #"{"A":1.5,"B":2,"C":false}"#, #"{"A":2,"B":["007",-12]}"#]
        let lines = kept.map { #"{"chemopen":1,"fields":"# + $0 + "}\n" }
        #expect(try written(reading(lines.joined()).records) == lines.joined())
        #expect(try reading(lines.joined()).issues.isEmpty)
        // Each record is also written unchanged on its own.
        for line in lines { #expect(try written(reading(line).records) == line) }
        // A missing value has no type.
        #expect(try reading(#"{"chemopen":1,"fields":{"A":[null,1],"B":"x"}}"# + "\n").issues.isEmpty)
        let mixed =
            #"{"chemopen":1,"fields":{"A":1,"B":[true,3]}}"# + "\n" + #"{"chemopen":1,"fields":{"A":"5"}}"# + "\n"
        let told = try reading(mixed)
        #expect(told.issues.map(\.found) == ["B", "A"])
        let again =
            #"{"chemopen":1,"fields":{"A":1,"B":[true,"3"]}}"# + "\n" + #"{"chemopen":1,"fields":{"A":5}}"# + "\n"
        #expect(try written(told.records) == again)
        #expect(try reading(again).issues.isEmpty && written(reading(again).records) == again)
    }

    @Test("accept other JSON notations: white space, any order, escapes, a byte order mark and empty lines")
    func otherSpelling() throws {
        let reading = try Reading.all(
            try Fixture("jsonl/spelled-otherwise.jsonl").bytes, by: LineRecordReader<JSONLinesParser>.self)
        #expect(reading.errors.isEmpty && reading.issues.isEmpty)
        let record = try #require(reading.records.first)
        #expect(record.molecule?.atoms.map(\.position) == [Position(0, 0), Position(1.2, 1)])
        #expect(record.molecule?.bonds == [Bond(0, 1, .double)])
        #expect(
            record.fields.map { "\($0.name)=\($0.value)" } == [
                "name=aé/b", "n=1", "n=2.50", "n=x", "deep={\"a\":[1, 2]}", "flag=true",
            ])
        #expect(reading.places.map(\.line) == [1, 4])
    }

    @Test(
        "reject an invalid line, and read the next",
        arguments: [
            (#"{"chemopen":2}"#, 13, "version 1 of the schema"),
            (#"{"chemopen":1"#, 14, "a comma or the end of an object"),
            (#"{"chemopen":1} x"#, 16, "the end of the line after its object"),
            (#"[1]"#, 1, "a JSON object"),
            (#"{"molecule":{"atoms":[{"element":"Xx"}]}}"#, 34, "the symbol of an element"),
            (#"{"molecule":{"atoms":[{"charge":70000}]}}"#, 33, "a smaller number"),
            (#"{"molecule":{"atoms":[{"charge":1.5}]}}"#, 33, "an integer"),
            (#"{"molecule":{"atoms":[{"x":1e999}]}}"#, 28, "a number in the range of a double"),
            (
                #"{"molecule":{"atoms":[{},{}],"bonds":[{"from":0,"to":0}]}}"#, 39,
                "a bond between two atoms that have no bond yet"
            ),
            (
                #"{"molecule":{"atoms":[{},{}],"bonds":[{"from":0,"to":1},{"from":1,"to":0}]}}"#, 57,
                "a bond between two atoms that have no bond yet"
            ),
            (
                #"{"molecule":{"atoms":[{}],"bonds":[{"from":0,"to":1}]}}"#, 13,
                "indices of existing atoms, bonds and Sgroups, from 0"
            ),
            (
                #"{"molecule":{"sgroups":[{"kind":"SUP","atoms":[-1]}]}}"#, 13,
                "indices of existing atoms, bonds and Sgroups, from 0"
            ),
            (#"{"fields":{"a":"\ud800"}}"#, 23, "both halves of a surrogate pair"),
            (#"{"sheet":{"title":"a"}}"#, 0, "the header of a table only in the first line"),
        ])
    func refused(_ line: String, _ column: Int, _ expected: String) throws {
        let reading = try reading("{\"chemopen\":1}\n\(line)\n{\"chemopen\":1}\n")
        #expect(reading.records.count == 2)
        #expect(reading.errors.map(\.expected) == [expected])
        #expect(reading.errors.map(\.line) == [2])
        #expect(reading.errors.map { $0.columns.lowerBound } == [column])
    }

    @Test("use the first atom as the default in the geometry of a bond")
    func geometry() throws {
        let line =
            #"{"molecule":{"atoms":[{},{},{},{}],"bonds":[{"from":1,"to":2,"notes":[{"geometry":{"other":3}}]}]}}"#
        let molecule = try #require(try reading(line).records.first?.molecule)
        #expect(Array(molecule.notes(onBond: 0)) == [.geometry(.init(0, 3, isTrans: false))])
    }

    @Test("have a nesting limit for known and unknown members")
    func depth() throws {
        let open = String(repeating: "[", count: 100_000)
        for line in ["{\"fields\":{\"a\":\(open)", "{\"other\":\(open)"] {
            #expect(try reading(line).errors.map(\.expected) == ["arrays and objects with fewer levels"])
        }
    }

    @Test("report a member that is not in the schema")
    func unknown() throws {
        let reading = try reading(#"{"chemopen":1,"score":0.5,"molecule":{"atoms":[{"element":"C","hue":[1]}]}}"#)
        #expect(reading.records[0].molecule?.atoms.count == 1)
        #expect(reading.issues.map(\.found) == ["score", "hue"])
    }

    // The schema.

    @Test("have a stored schema that is current and defines every reference")
    func schema() throws {
        let kept = URL(filePath: #filePath).appending(path: "../../../../docs/jsonl.schema.json").standardized
        let text = JSONSchema.text
        if ProcessInfo.processInfo.environment["CHEMOPEN_WRITE_SCHEMA"] != nil {
            try text.write(to: kept, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: kept, encoding: .utf8) == text)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let defined = Set(try #require(object["$defs"] as? [String: Any]).keys)
        let named = Set(text.split(separator: "#/$defs/").dropFirst().map { String($0.prefix { $0 != "\"" }) })
        #expect(defined == named)
    }
}

extension Record {
    /// The record with the labels of its molecules in the order of their atoms, without unused labels.
    fileprivate var withLabelsInOrder: Record {
        var record = self
        switch subject {
        case .none: break
        case .molecule(let molecule): record.subject = .molecule(molecule.withLabelsInOrder)
        case .reaction(var reaction):
            for step in reaction.steps.indices {
                reaction.steps[step].reactants = reaction.steps[step].reactants.map(\.withLabelsInOrder)
                reaction.steps[step].agents = reaction.steps[step].agents.map(\.withLabelsInOrder)
                reaction.steps[step].products = reaction.steps[step].products.map(\.withLabelsInOrder)
            }
            record.subject = .reaction(reaction)
        }
        return record
    }
}

extension Reaction.Component {
    fileprivate var withLabelsInOrder: Reaction.Component {
        var component = self
        component.molecule = molecule.withLabelsInOrder
        return component
    }
}

extension Molecule {
    fileprivate var withLabelsInOrder: Molecule {
        var molecule = self
        molecule.labels = []
        for index in atoms.indices where labels.indices.contains(Int(atoms[index].label)) {
            molecule.setLabel(labels[Int(atoms[index].label)], ofAtom: index)
        }
        return molecule
    }
}
