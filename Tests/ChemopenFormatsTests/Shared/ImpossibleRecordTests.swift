import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("Invalid records")
struct ImpossibleRecordTests {
    private static let written = FormatRegistry.standard.all.filter { $0.isWritable }

    private func molecule(_ change: (inout Molecule) -> Void) -> Molecule {
        var molecule = Molecule()
        molecule.atoms = [Atom(.carbon), Atom(.oxygen, at: Position(1.5))]
        molecule.bonds = [Bond(0, 1)]
        change(&molecule)
        return molecule
    }

    /// Returns a record of a molecule, or of a reaction if the format supports only reactions.
    private func record(_ molecule: Molecule, for format: Format) -> Record {
        format.supportedFeatures.contains(.molecules)
            ? Record(molecule) : Record(Reaction(Reaction.Step(products: [.init(molecule)])))
    }

    @Test("an invalid record is rejected by every writer with a reason, and the next is written", arguments: written)
    func refused(format: Format) throws {
        let broken = [
            molecule { $0.bonds.append(Bond(1, 99)) }, molecule { $0.atoms[0].position.x = .nan },
            molecule { $0.atoms[1].position.z = -.infinity },
        ]
        let reasons = [
            "bond 2 refers to atom 100, but the last atom is 2", "atom 1 has an invalid coordinate: nan",
            "atom 2 has an invalid coordinate: -inf",
        ]
        for (molecule, reason) in zip(broken, reasons) {
            var writer = try format.makeWriter(ByteSink(), WriteOptions())
            try writer.begin(SheetHeader())
            #expect(throws: WriteError(.impossible, reason)) { try writer.write(record(molecule, for: format)) }
            _ = try writer.write(record(self.molecule { _ in }, for: format))
            try writer.finish()
            let bytes = writer.takeBytes()

            var plain = try format.makeWriter(ByteSink(), WriteOptions())
            try plain.begin(SheetHeader())
            _ = try plain.write(record(self.molecule { _ in }, for: format))
            try plain.finish()
            #expect(bytes == plain.takeBytes())
        }
    }
}

@Suite("Cells with another type than their column")
struct MisfitTests {
    private func write(_ fields: Fields, _ columns: [Column]) throws -> [Loss] {
        var header = SheetHeader()
        header.columns = columns
        var record = Record()
        record.fields = fields
        var writer = try Format.dataSheet.makeWriter(ByteSink(), WriteOptions())
        try writer.begin(header)
        return try writer.write(record).losses
    }

    @Test("a mismatched cell is reported, and a matching cell is not")
    func told() throws {
        let columns = [Column("IC50", .real), Column("N", .integer), Column("OK", .boolean), Column("NOTE")]
        var fields = Fields()
        fields.append("IC50", "not a number")
        fields.append("N", "7")
        fields.append("OK", "")
        fields.append("NOTE", "not a number")
        #expect(try write(fields, columns) == [Loss(.columnTypes, "written as text that is not real: IC50")])
        fields["IC50"] = Field(.real(0.5))
        #expect(try write(fields, columns).isEmpty)
        fields["OK"]?.value = "perhaps"
        #expect(try write(fields, columns) == [Loss(.columnTypes, "written as text that is not boolean: OK")])
    }
}
