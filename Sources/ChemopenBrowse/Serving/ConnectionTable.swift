/// The connections of a server, with time limits for each step.
///
/// A client that sends a request or reads an answer slowly can block a connection only for a limited time, counted from
/// the start of the step and not from the last byte. If many connections wait for a request, the oldest ones are closed
/// to accept new ones.
///
///     var table = ConnectionTable()
///     table.open(7, from: address, at: now)
///     for number in table.overdue(at: now) { shutDown(number) }
public struct ConnectionTable: Sendable {
    private struct Connection: Sendable {
        let address: UInt32
        /// The time since which the connection waits for a complete request head; `nil` while a request is answered.
        var waitsSince: Int?
        /// The deadline of the current step in milliseconds.
        var deadline: Int
    }

    private var connections: [Int32: Connection] = [:]

    /// The time limit for the head of a request in milliseconds.
    static let forHead = 10_000
    /// The additional time for its body, which is small.
    static let forBody = 20_000
    /// The time limit for sending an answer, plus one millisecond for each `bytesInMillisecond` bytes.
    static let forAnswer = 30_000
    static let bytesInMillisecond = 16
    /// The maximum numbers of waiting connections from one address and in total.
    static let mostWaitingOfAddress = 100
    static let mostWaiting = 300
    /// The minimum time before a connection is closed because there are too many.
    static let grace = 400

    /// Creates an empty table.
    public init() {}

    /// Adds a new connection.
    ///
    /// - Parameter address: the client's address, or 0 for a Unix socket.
    public mutating func open(_ number: Int32, from address: UInt32, at now: Int) {
        connections[number] = Connection(address: address, waitsSince: now, deadline: now + Self.forHead)
    }

    /// Records that the head of a request has been received.
    public mutating func receivedHead(_ number: Int32, at now: Int) {
        connections[number]?.waitsSince = nil
        connections[number]?.deadline = now + Self.forBody
    }

    /// Records the start of an answer. Without a length, its time is unlimited.
    public mutating func answers(_ number: Int32, length: Int?, at now: Int) {
        let deadline = length.map { now + Self.forAnswer + $0 / Self.bytesInMillisecond }
        connections[number]?.deadline = deadline ?? .max
    }

    /// Records the end of a request. The connection then waits for the next one.
    public mutating func finishedRequest(_ number: Int32, at now: Int) {
        connections[number]?.waitsSince = now
        connections[number]?.deadline = now + Self.forHead
    }

    /// Removes a closed connection.
    public mutating func close(_ number: Int32) {
        connections[number] = nil
    }

    /// Returns the connections to close now.
    ///
    /// - Returns: the file descriptors of the connections. Each connection is returned only once.
    public mutating func overdue(at now: Int) -> [Int32] {
        var overdue = connections.filter { $0.value.deadline <= now }.map(\.key)
        var waiting = connections.filter { $0.value.deadline > now && $0.value.waitsSince != nil }
            .map { (number: $0.key, address: $0.value.address, since: $0.value.waitsSince ?? now) }
        if waiting.count > Self.mostWaitingOfAddress {
            // Sort the newest first; connections after the limit are closed.
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
