import Chemopen
import ChemopenBrowse

/// The information for the administrator of a server: the access log, the metrics, its health and the times of the last
/// requests.
final class ServeJournal: Sendable {
    private struct Tally: Sendable {
        var statuses: [UInt32: Int] = [:]
        var bytes = 0
        var milliseconds = 0
        /// The numbers of requests that took at most the time of a bucket.
        var buckets = [Int](repeating: 0, count: ServeJournal.limits.count)
        /// The monotonic time of the next storage of the times of the last requests.
        var storesSeenAt = 0
    }

    /// The upper limits of the histogram in milliseconds.
    private static let limits = [5, 25, 100, 500, 2000, 10000]
    private static let millisecondsBetweenStores = 60_000

    private let folder: LocalPath
    private let seen: LastSeen
    let version: String
    private let writesLog: Bool
    private let began = currentTime()
    private let tally = Guarded(Tally())

    init(_ folder: LocalPath, _ seen: LastSeen, version: String, writesLog: Bool) {
        self.folder = folder
        self.seen = seen
        self.version = version
        self.writesLog = writesLog
    }

    /// Whether the served directory exists; it may have been unmounted.
    var isHealthy: Bool { fileKind(folder) == .directory }

    /// Notes a request after its response.
    ///
    /// - Parameters:
    ///   - reader: the reader's name, and `token` the reader's token, or `nil` if the request has no valid token.
    ///   - wrongHost: the host of the request if it is not the host of the server.
    func note(_ answered: AnsweredRequest, from reader: String?, token: String?, wrongHost: String?) {
        tally.change { tally in
            tally.statuses[answered.status, default: 0] += 1
            tally.bytes &+= answered.bytes
            tally.milliseconds &+= answered.milliseconds
            for (place, limit) in Self.limits.enumerated() where answered.milliseconds <= limit {
                tally.buckets[place] += 1
            }
        }
        if let token { seen.note(token, at: currentTime()) }
        // Monitors and open pages send this request every few seconds.
        guard writesLog, answered.request.path != "/health" || answered.status != 200 else { return }
        var words = [
            ("time", universalTime(currentTime())), ("reader", reader ?? "-"), ("method", answered.request.method),
            ("path", answered.request.path), ("status", "\(answered.status)"), ("bytes", "\(answered.bytes)"),
            ("ms", "\(answered.milliseconds)"),
        ]
        if let wrongHost { words.append(("wrong-host", wrongHost)) }
        let line = words.map { "\($0)=\(Self.value($1))" }.joined(separator: " ")
        try? writeAll(Array((line + "\n").utf8), to: 2)
    }

    /// Quotes a value if necessary. A client cannot forge a line because control characters become dots.
    private static func value(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { 0x21..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        if isPlain, !text.isEmpty { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(500) {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar.steersDisplay ? "·" : scalar)
        }
        return quoted + "\""
    }

    /// Stores the times of the last requests once a minute.
    ///
    /// - Returns: a message if that fails.
    func storeSeen(of readers: [Reader]) -> [String] {
        let now = monotonicMilliseconds()
        let isDue = tally.change { tally in
            guard now >= tally.storesSeenAt else { return false }
            tally.storesSeenAt = now + Self.millisecondsBetweenStores
            return true
        }
        guard isDue else { return [] }
        do throws(FileError) {
            try seen.store(keeping: readers)
            return []
        } catch {
            return ["the times of the last requests are not stored: \(error)"]
        }
    }

    /// Returns the metrics in the text format of Prometheus.
    func metrics(readers: Int, files: Int) -> [UInt8] {
        let tally = tally.change { $0 }
        let total = tally.statuses.values.reduce(0, +)
        func seconds(_ milliseconds: Int) -> String { "\(Double(milliseconds) / 1000)" }
        let buckets = zip(Self.limits, tally.buckets).map { ("{le=\"\(seconds($0))\"}", "\($1)") }
        let metrics: [(name: String, kind: String, help: String, values: [(String, String)])] = [
            ("chemopen_build_info", "gauge", "The version of the program.", [("{version=\"\(version)\"}", "1")]),
            ("chemopen_start_time_seconds", "gauge", "The time of the start since 1970.", [("", "\(began)")]),
            ("chemopen_healthy", "gauge", "Whether the served directory exists.", [("", isHealthy ? "1" : "0")]),
            ("chemopen_readers", "gauge", "Readers in the list.", [("", "\(readers)")]),
            ("chemopen_files", "gauge", "Served files.", [("", "\(files)")]),
            (
                "chemopen_requests_total", "counter", "Requests by status.",
                tally.statuses.sorted { $0.key < $1.key }.map { ("{status=\"\($0)\"}", "\($1)") }
            ),
            ("chemopen_response_bytes_total", "counter", "Bytes in response bodies.", [("", "\(tally.bytes)")]),
            (
                "chemopen_request_seconds", "histogram", "Time from a request's head to the end of its response.",
                buckets.map { ("_bucket" + $0, $1) } + [
                    ("_bucket{le=\"+Inf\"}", "\(total)"), ("_sum", seconds(tally.milliseconds)), ("_count", "\(total)"),
                ]
            ),
            (
                "process_cpu_seconds_total", "counter", "Processor time of the server.",
                [("", seconds(Int(clamping: processCPUNanoseconds() / 1_000_000)))]
            ),
        ]
        var text = ""
        for metric in metrics {
            text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind)\n"
            for (suffix, value) in metric.values { text += "\(metric.name)\(suffix) \(value)\n" }
        }
        return Array(text.utf8)
    }
}
