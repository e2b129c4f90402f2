import ChemopenFormats
import ChemopenModel
import Testing

/// A writer must report exactly the features that are missing when its output is read.
@Suite("Reported losses")
struct LossAccountTests {
    /// The formats whose records do not depend on a table header.
    private static let formats = FixtureFolderTests.formats.filter { $0.isWritable && !$0.needsColumns }

    private static let fixtures = formats.flatMap { Fixture.all(in: $0.id) }

    private func format(of fixture: Fixture) throws -> Format {
        try #require(Self.formats.first { fixture.testDescription.hasPrefix($0.id + "/") })
    }

    @Test(
        "match the missing features in either version", arguments: fixtures, [WriteOptions.Version.v2000, .v3000])
    func versions(_ fixture: Fixture, _ version: WriteOptions.Version) throws {
        let format = try format(of: fixture)
        try compare(fixture, format, as: format, version)
    }

    @Test("match every feature that a target format does not preserve", arguments: FixtureFolderTests.all)
    func subtraction(_ fixture: Fixture) throws {
        for record in try readAll(fixture.bytes, as: fixture.format).compactMap({ $0.reading?.record }) {
            for target in Self.formats {
                // A molecule cannot be written to a reaction file.
                guard let written = try? write([record], as: target) else { continue }
                let told = Set(written.losses.map(\.feature))
                let again = try read(written, of: target)
                var lost = record.features.subtracting(target.supportedFeatures).subtracting(again).subtracting(
                    Self.toldElsewhere)
                if told.contains(.fields) { lost.subtract(Self.ofFields) }
                if told.contains(.rgroups) { lost.remove(Features(.rgroupLogic)) }
                #expect(Set(lost.list).subtracting(told) == [], "not told, written as \(target.id)")
            }
        }
    }

    /// Returns the features of a file, and those of a molfile made from it.
    private func read(_ written: WrittenText, of format: Format) throws -> Features {
        guard let record = try readAll(written.bytes, as: format).first?.reading?.record else { return Features() }
        guard let molfile = try? write([record], as: .molfile).bytes else { return record.features }
        return record.features.union(try readAll(molfile, as: .molfile).first?.reading?.record.features ?? Features())
    }

    /// The features that are lost with a field.
    private static let ofFields = Features(
        .fieldHeaders, .repeatedFields, .fieldOrder, .structuresInFields, .emptyLinesInValues, .columnTypes,
        .columnSummaries)

    /// Features with another representation: a structure in a field becomes the text of a molfile, and an origin a
    /// program name. The conversion itself reports the loss of columns.
    private static let toldElsewhere = Features(
        .columnTypes, .columnSummaries, .abbreviations, .structuresInFields, .foreignEncoding, .origins,
        .recordsWithoutStructure)

    @Test("match the missing features of a molecule in other formats", arguments: Fixture.all(in: "mol"))
    func molecules(_ fixture: Fixture) throws {
        for format in [Format.sdfile, .rdfile] { try compare(fixture, .molfile, as: format, .asNeeded) }
    }

    @Test("match the missing features of a reaction in an RD file", arguments: Fixture.all(in: "rxn"))
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
            // A molecule that is too large for V2000 is barely readable, and the content of its templates is lost with
            // them.
            if told.contains(.molecules) || told.contains(.templates) || record.namesBondsInData { continue }
            guard let again = try readAll(written.bytes, as: target).first?.reading?.record else {
                Issue.record("the output cannot be read")
                continue
            }
            var missing = Set(record.features.subtracting(again.features).list).subtracting(Self.saidOtherwise)
            // A line notation specifies configurations that a drawing shows.
            let states = !again.features.isDisjoint(with: Features(.parities, .bondGeometries))
            if states || !target.supportedFeatures.contains(.coordinates) { missing.remove(.stereoMarks) }
            #expect(missing.subtracting(told) == [], "missing and not told, of \(record.molecule?.name.string ?? "")")
            #expect(
                again.hydrogens == record.hydrogens || told.contains(.hydrogenCounts)
                    || again.formulas == record.formulas)
            if again == record {
                let lost = written.losses.filter { !$0.detail.string.hasPrefix("written ") }
                #expect(lost == [], "reported but not missing")
            }
        }
    }

    /// A hydrogen count may become a valence and vice versa, and numbers are preserved for text that refers to them.
    /// The conversion itself reports the loss of columns.
    private static let saidOtherwise: Set<Feature> = [.hydrogenCounts, .valences, .numbering, .columnSummaries]
}

extension Record {
    /// Whether data specify a dative bond. V3000 has a bond type for it, which counts differently from the drawn
    /// bond.
    fileprivate var namesBondsInData: Bool {
        molecule?.extras.contents.sgroups.contains { $0.data?.fieldName == "MRV_COORDINATE_BOND_TYPE" } ?? false
    }

    private var molecules: [Molecule] { [molecule].compactMap { $0 } + (reaction?.components.map(\.molecule) ?? []) }

    /// The hydrogens on each atom of each molecule.
    fileprivate var hydrogens: [[Int]] { molecules.map { $0.hydrogenCounts() } }

    fileprivate var formulas: [String] { molecules.map(\.formula.description) }
}
