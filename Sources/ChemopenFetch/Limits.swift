import ChemopenBytes

/// The limits of a fetch. Environment variables can override some of them.
struct Limits {
    /// The maximum file size.
    let bytes = Self.number("CHEMOPEN_FETCH_BYTES") ?? 16 << 30
    /// The maximum total time.
    let seconds = Self.number("CHEMOPEN_FETCH_SECONDS") ?? 4 * 60 * 60
    /// The maximum duration of a transfer below the minimum speed.
    let stallSeconds = Self.number("CHEMOPEN_FETCH_STALL") ?? 60
    let leastBytesPerSecond = 1000
    let connectSeconds = 20
    /// The maximum number of times that an interrupted download is resumed, and the maximum number of redirections.
    let resumptions = 4
    let redirections = 10

    private static func number(_ name: String) -> Int? {
        environment(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}
