/// The connections of a server, and how long each may take for what it does next.
///
/// A client that sends its request or reads its answer slowly holds a connection for a limited time, counted from the
/// beginning of that step and not from the last byte. If many connections wait for a request, the oldest ones have to go,
/// so that a client that comes with a request always finds room.
///
///     var table = ConnectionTable()
///     table.open(7, from: address, at: now)
///     for number in table.overdue(at: now) { shutDown(number) }
public struct ConnectionTable: Sendable {
    private struct Connection: Sendable {
        let address: UInt32
        /// No whole head of a request has come since then; `nil` while a request is answered.
        var waitsSince: Int?
        /// When the step has to be done, in milliseconds.
        var deadline: Int
    }

    private var connections: [Int32: Connection] = [:]

    /// The head of a request has to come within so many milliseconds.
    static let forHead = 10_000
    /// Its body, which is small, within so many more.
    static let forBody = 20_000
    /// An answer has to be taken within so many milliseconds, and one more for each of so many bytes.
    static let forAnswer = 30_000
    static let bytesInMillisecond = 16
    /// So many connections may wait for a request: from one address, and from all together.
    static let mostWaitingOfAddress = 100
    static let mostWaiting = 300
    /// A connection is not closed for others before it had this long.
    static let grace = 400

    /// A table without connections.
    public init() {}

    /// Notes a new connection.
    ///
    /// - Parameter address: the other end, as far as it is known; 0 for a socket of the file system.
    public mutating func open(_ number: Int32, from address: UInt32, at now: Int) {
        connections[number] = Connection(address: address, waitsSince: now, deadline: now + Self.forHead)
    }

    /// Notes that the head of a request has come.
    public mutating func receivedHead(_ number: Int32, at now: Int) {
        connections[number]?.waitsSince = nil
        connections[number]?.deadline = now + Self.forBody
    }

    /// Notes that an answer begins; without a length it lasts as long as it likes.
    public mutating func answers(_ number: Int32, length: Int?, at now: Int) {
        let deadline = length.map { now + Self.forAnswer + $0 / Self.bytesInMillisecond }
        connections[number]?.deadline = deadline ?? .max
    }

    /// Notes that a request is done, so that the connection waits for the next one.
    public mutating func finishedRequest(_ number: Int32, at now: Int) {
        connections[number]?.waitsSince = now
        connections[number]?.deadline = now + Self.forHead
    }

    /// Notes that a connection is closed.
    public mutating func close(_ number: Int32) {
        connections[number] = nil
    }

    /// The connections that are to be closed now; each is returned once.
    public mutating func overdue(at now: Int) -> [Int32] {
        var overdue = connections.filter { $0.value.deadline <= now }.map(\.key)
        var waiting = connections.filter { $0.value.deadline > now && $0.value.waitsSince != nil }
            .map { (number: $0.key, address: $0.value.address, since: $0.value.waitsSince ?? now) }
        if waiting.count > Self.mostWaitingOfAddress {
            // The newest first: those behind enough others have to go.
            waiting.sort { ($0.since, $0.number) > ($1.since, $1.number) }
            var ofAddress: [UInt32: Int] = [:]
            for (place, connection) in waiting.enumerated() {
                ofAddress[connection.address, default: 0] += 1
                let isSurplus =
                    place >= Self.mostWaiting || ofAddress[connection.address, default: 0] > Self.mostWaitingOfAddress
                if isSurplus, now - connection.since >= Self.grace { overdue.append(connection.number) }
            }
        }
        for number in overdue {
            connections[number]?.deadline = .max
            connections[number]?.waitsSince = nil
        }
        return overdue
    }
}
