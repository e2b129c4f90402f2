import Testing

@testable import ChemopenBrowse

@Suite("Connection table")
struct ConnectionTableTests {
    @Test("closes a connection after ten seconds without a complete request head")
    func head() {
        var table = ConnectionTable()
        table.open(1, from: 7, at: 0)
        table.open(2, from: 7, at: 0)
        table.receivedHead(2, at: 9000)
        #expect(table.overdue(at: 9999) == [])
        #expect(table.overdue(at: 10_000) == [1])
        #expect(table.overdue(at: 11_000) == [], "each connection is closed once")
        #expect(table.overdue(at: 29_000) == [2], "the body has its own time limit")
    }

    @Test("limits the time for a response by its length, but never for a streaming response")
    func answer() {
        var table = ConnectionTable()
        for number in 1...3 as ClosedRange<Int32> {
            table.open(number, from: 7, at: 0)
            table.receivedHead(number, at: 0)
        }
        table.answers(1, length: 100, at: 0)
        table.answers(2, length: 160_000_000, at: 0)
        table.answers(3, length: nil, at: 0)
        #expect(table.overdue(at: 40_000) == [1])
        #expect(table.overdue(at: 10_029_000) == [])
        #expect(table.overdue(at: 10_030_000) == [2])
        table.finishedRequest(3, at: 20_000_000)
        #expect(table.overdue(at: 20_010_000) == [3], "the next request has ten seconds again")
        table.close(3)
        #expect(table.overdue(at: 30_000_000) == [])
    }

    @Test("closes idle connections when many new ones arrive, first from the same address, after a minimum time")
    func surplus() {
        var table = ConnectionTable()
        for number in 0..<150 as Range<Int32> { table.open(number, from: 7, at: Int(number)) }
        table.open(1000, from: 8, at: 0)
        #expect(table.overdue(at: 300) == [], "each connection has a minimum time")
        #expect(table.overdue(at: 1000).sorted() == Array(0..<50))
        for number in 200..<500 as Range<Int32> { table.open(number, from: UInt32(number), at: 2000) }
        let closed = table.overdue(at: 3000)
        #expect(closed.count == 101 && closed.allSatisfy { $0 < 150 || $0 == 1000 }, "the oldest are closed")
    }

    @Test("never closes a connection during its response")
    func answered() {
        var table = ConnectionTable()
        for number in 0..<900 as Range<Int32> {
            table.open(number, from: 7, at: 0)
            table.receivedHead(number, at: 1)
            table.answers(number, length: 1 << 20, at: 1)
        }
        #expect(table.overdue(at: 10_000) == [])
    }
}
