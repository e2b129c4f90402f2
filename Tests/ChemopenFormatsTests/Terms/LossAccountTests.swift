import ChemopenFormats
import ChemopenModel
import Testing

/// A writer says that it left out exactly the parts that are missing when its output is read.
@Suite("The account of losses")
struct LossAccountTests {
    /// The header of a table is told apart from its records.
    private static let formats = FixtureFolderTests.formats.filter { $0.makeWriter != nil && !$0.needsColumns }

    private static let fixtures = formats.flatMap { Fixture.all(in: $0.id) }

    private func format(of fixture: Fixture) throws -> Format {
        try #require(Self.formats.first { fixture.testDescription.hasPrefix($0.id + "/") })
    }

    @Test(
        "names what does not come through in either version", arguments: fixtures, [WriteOptions.Version.v2000, .v3000])
    func versions(_ fixture: Fixture, _ version: WriteOptions.Version) throws {
        let format = try format(of: fixture)
        try compare(fixture, format, as: format, version)
    }

    @Test("names all that a record has and its new format neither holds nor says", arguments: FixtureFolderTests.all)
    func subtraction(_ fixture: Fixture) throws {
        for record in try readAll(fixture.bytes, as: fixture.format).compactMap({ $0.reading?.record }) {
            for target in Self.formats {
                // A molecule goes into no file of reactions.
                guard let written = try? write([record], as: target) else { continue }
                let told = Set(written.losses.map(\.feature))
                let again = try read(written, of: target)
                var lost = record.features.subtracting(target.holds).subtracting(again).subtracting(Self.toldElsewhere)
                if told.contains(.fields) { lost.subtract(Self.ofFields) }
                if told.contains(.rgroups) { lost.remove(Features(.rgroupLogic)) }
                #expect(Set(lost.list).subtracting(told) == [], "not told, written as \(target.id)")
            }
        }
    }

    /// The features of a file when it is read, and those of a molfile made of it.
    private func read(_ written: WrittenText, of format: Format) throws -> Features {
        guard let record = try readAll(written.bytes, as: format).first?.reading?.record else { return Features() }
        guard let molfile = try? write([record], as: .molfile).bytes else { return record.features }
        return record.features.union(try readAll(molfile, as: .molfile).first?.reading?.record.features ?? Features())
    }

    /// The features that a lost field takes with it.
    private static let ofFields = Features(
        .fieldHeaders, .repeatedFields, .structuresInFields, .emptyLinesInValues, .columnTypes, .columnSummaries)

    /// A conversion tells the loss of columns. The others are only spelled otherwise: a structure in a field becomes the
    /// text of a molfile, and an origin is a program's name.
    private static let toldElsewhere = Features(
        .columnTypes, .columnSummaries, .abbreviations, .structuresInFields, .foreignEncoding, .origins,
        .recordsWithoutStructure)

    @Test("names what a molecule loses in other formats", arguments: Fixture.all(in: "mol"))
    func molecules(_ fixture: Fixture) throws {
        for format in [Format.sdfile, .rdfile] { try compare(fixture, .molfile, as: format, .asNeeded) }
    }

    @Test("names what a reaction loses in an RD file", arguments: Fixture.all(in: "rxn"))
    func reactions(_ fixture: Fixture) throws {
        try compare(fixture, .rxnfile, as: .rdfile, .asNeeded)
    }

    private func compare(
        _ fixture: Fixture, _ source: Format, as target: Format, _ version: WriteOptions.Version
    ) throws {
        for record in try readAll(fixture.bytes, as: source).compactMap({ $0.reading?.record }) {
            if version == .v2000, (record.molecule?.atoms.count ?? 0) > 999 {
                #expect(throws: WriteError.self) { try write([record], as: target, .version(version)) }
                continue
            }
            let written = try write([record], as: target, .version(version))
            let told = Set(written.losses.map(\.feature))
            // A molecule that is too large for V2000 is hardly read, and what templates hold goes with them.
            if told.contains(.molecules) || told.contains(.templates) || record.namesBondsInData { continue }
            guard let again = try readAll(written.bytes, as: target).first?.reading?.record else {
                Issue.record("nothing was read of what was written")
                continue
            }
            var missing = Set(record.features.subtracting(again.features).list).subtracting(Self.saidOtherwise)
            // A line notation states the configurations that a drawing shows.
            let states = !again.features.isDisjoint(with: Features(.parities, .bondGeometries))
            if states || !target.holds.contains(.coordinates) { missing.remove(.stereoMarks) }
            #expect(missing.subtracting(told) == [], "missing and not told, of \(record.molecule?.name.string ?? "")")
            #expect(
                again.hydrogens == record.hydrogens || told.contains(.hydrogenCounts)
                    || again.formulas == record.formulas)
            if again == record {
                let lost = written.losses.filter { !$0.detail.string.hasPrefix("written ") }
                #expect(lost == [], "told and not missing")
            }
        }
    }

    /// A count of hydrogens may become a valence and the other way round; numbers are kept for text that names them. What
    /// becomes of a table's columns a conversion tells.
    private static let saidOtherwise: Set<Feature> = [.hydrogenCounts, .valences, .numbering, .columnSummaries]
}

extension Record {
    /// Data say that a bond is dative: V3000 has a bond type for that, which counts otherwise than the bond drawn.
    fileprivate var namesBondsInData: Bool {
        molecule?.extras.contents.sgroups.contains { $0.data?.fieldName == "MRV_COORDINATE_BOND_TYPE" } ?? false
    }

    private var molecules: [Molecule] { [molecule].compactMap { $0 } + (reaction?.components.map(\.molecule) ?? []) }

    /// The hydrogens on each atom of each molecule.
    fileprivate var hydrogens: [[Int]] { molecules.map { $0.hydrogenCounts() } }

    fileprivate var formulas: [String] { molecules.map(\.formula.description) }
}
