import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

@Suite("MOL file")
struct MolfileRecordTests {
    @Test(
        "a round trip preserves every molecule",
        arguments: Fixture.all(in: "mol").filter { $0.path.contains("v2000") })
    func roundTrip(_ fixture: Fixture) throws {
        let first = try Reading.all(fixture.bytes, by: MolfileRecordReader.self)
        #expect(first.errors.isEmpty)
        #expect(first.records.count == 1)
        var options = WriteOptions()
        options.version = .v2000
        let writing = try Writing.all(first.records, by: MolfileRecordWriter.self, options)
        let second = try Reading.all(writing.text, by: MolfileRecordReader.self)
        #expect(second.errors.isEmpty)
        #expect(second.records.first?.molecule?.atoms.count == first.records.first?.molecule?.atoms.count)
        #expect(
            second.records.first?.molecule?.extras.contents.rgroups
                == first.records.first?.molecule?.extras.contents.rgroups)
    }

    @Test("an R-group file becomes its root with the members of its groups, and is written back unchanged")
    func rgroupFile() throws {
        let text = try Fixture("mol/rgroup-query-v2000.mol").bytes
        let reading = try Reading.all(text, by: MolfileRecordReader.self)
        #expect(reading.issues.isEmpty)
        let molecule = try #require(reading.records.first?.molecule)
        #expect(molecule.name == "benzene with two R sites")
        #expect(molecule.atoms.count == 8)
        let groups = molecule.extras.contents.rgroups
        #expect(groups.map(\.number) == [1, 2])
        #expect(groups.map { $0.members.map(\.atoms.count) } == [[1, 1, 2], [1]])
        #expect(groups.map { $0.logic?.occurrence } == [">0", "1,3-4"])
        let writing = try Writing.all(reading.records, by: MolfileRecordWriter.self)
        #expect(writing.string.hasPrefix("$MDL  REV  1\n$MOL\n$HDR\nbenzene with two R sites\n"))
        #expect(writing.string.hasSuffix("M  END\n$END CTAB\n$END RGP\n$END MOL\n"))
        #expect(writing.losses.isEmpty)
        #expect(try Reading.all(writing.text, by: MolfileRecordReader.self).records == reading.records)
    }

    @Test("text after M  END is reported, preserved and written back")
    func trailingText() throws {
        let text = try Fixture("mol/charge-v2000.mol").bytes
        let reading = try Reading.all(text + Array("\n  \nnotes\nof mine\n".utf8), by: MolfileRecordReader.self)
        #expect(reading.issues.map(\.message) == ["text after M  END; preserved verbatim"])
        #expect(reading.records.first?.verbatim.map(\.text) == ["notes\nof mine"])
        let writing = try Writing.all(reading.records, by: MolfileRecordWriter.self)
        #expect(writing.string.hasSuffix("M  END\nnotes\nof mine\n"))
        #expect(writing.losses.isEmpty)
    }

    @Test("white space and NUL after the last line are ignored")
    func padding() throws {
        let text = try Fixture("mol/charge-v2000.mol").bytes
        let reading = try Reading.all(text + Array("\n  \n\0\0\u{1A}".utf8), by: MolfileRecordReader.self)
        #expect(reading.issues.isEmpty)
        #expect(reading.records.count == 1)
    }

    @Test("data fields are reported as lost, and a second record or a reaction is rejected")
    func impossible() throws {
        var record = Record(Molecule())
        record.fields.append("A", "1")
        #expect(try Writing.all([record], by: MolfileRecordWriter.self).losses.map(\.feature) == [.fields])
        let second = #expect(throws: WriteError.self) {
            try Writing.all([record, record], by: MolfileRecordWriter.self)
        }
        #expect(second?.description == "a MOL file can store only one record; use an SD file for several")
        #expect(throws: WriteError.self) {
            try Writing.all([Record(Reaction(Reaction.Step()))], by: MolfileRecordWriter.self)
        }
    }
}
