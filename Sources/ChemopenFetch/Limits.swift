import ChemopenBytes

/// How much a fetch may cost; the environment may set it otherwise.
struct Limits {
    /// The largest file.
    let bytes = Self.number("CHEMOPEN_FETCH_BYTES") ?? 16 << 30
    /// The longest time in all.
    let seconds = Self.number("CHEMOPEN_FETCH_SECONDS") ?? 4 * 60 * 60
    /// So long a file may come more slowly than it should.
    let stallSeconds = Self.number("CHEMOPEN_FETCH_STALL") ?? 60
    let leastBytesPerSecond = 1000
    let connectSeconds = 20
    /// So often an answer that breaks off is gone on with, and so many redirections are followed.
    let resumptions = 4
    let redirections = 10

    private static func number(_ name: String) -> Int? {
        environment(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}
