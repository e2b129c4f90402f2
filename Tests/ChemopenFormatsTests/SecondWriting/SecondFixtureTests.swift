import ChemopenFormats
import ChemopenModel
import Testing

/// Every record of every fixture, in every format that supports it.
@Suite("Stable output: fixtures")
struct SecondFixtureTests {
    /// Drawings have separate tests. Tables get their columns from a survey of all records during a conversion, so
    /// Tests/Peers/second_writes.py checks them.
    private static let targets = FixtureFolderTests.formats.filter {
        $0.isWritable && !["cdx", "cdxml", "csv", "tsv"].contains($0.id)
    }

    @Test(
        "each record is the same when it is read and written again, in every format", arguments: FixtureFolderTests.all)
    func isTheFirst(_ fixture: Fixture) throws {
        for record in try readAll(fixture.bytes, as: fixture.format).compactMap({ $0.reading?.record }) {
            for target in Self.targets {
                // A molecule cannot be written to a reaction file.
                guard let first = try? write([record], as: target).bytes else { continue }
                let again = try readAll(first, as: target).compactMap { $0.reading?.record }
                let second = try write(again, as: target).bytes
                #expect(first == second, "as \(target.id)")
            }
        }
    }
}
