import ChemopenFormats
import ChemopenModel
import Testing

/// Every record of every fixture, in every format that takes it.
@Suite("A second writing of a fixture")
struct SecondFixtureTests {
    /// Drawings have tests of their own. The columns of a table come from a survey of all records, which a conversion makes:
    /// Tests/Peers/second_writes.py checks tables.
    private static let targets = FixtureFolderTests.formats.filter {
        $0.makeWriter != nil && !["cdx", "cdxml", "csv", "tsv"].contains($0.id)
    }

    @Test("is the first, byte for byte, in every format", arguments: FixtureFolderTests.all)
    func isTheFirst(_ fixture: Fixture) throws {
        for record in try readAll(fixture.bytes, as: fixture.format).compactMap({ $0.reading?.record }) {
            for target in Self.targets {
                // A molecule goes into no file of reactions.
                guard let first = try? write([record], as: target).bytes else { continue }
                let again = try readAll(first, as: target).compactMap { $0.reading?.record }
                let second = try write(again, as: target).bytes
                #expect(first == second, "as \(target.id)")
            }
        }
    }
}
