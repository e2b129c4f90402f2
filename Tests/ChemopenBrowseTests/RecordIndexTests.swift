import Testing

@testable import ChemopenBrowse

@Suite("Index of records")
struct RecordIndexTests {
    @Test("places beyond four gigabytes are kept")
    func far() {
        var index = RecordIndex()
        index.append([0, 5_000_000_000], upTo: 5_000_000_100, isLast: true)
        #expect(index.count == 2)
        #expect(index.range(of: 0) == 0..<5_000_000_000)
        #expect(index.range(of: 1) == 5_000_000_000..<5_000_000_100)
    }
}
